/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The bare codecs that the benchmark of formats compares with: compressed pieces, in memory
 * beforehand, are decoded by their codec's own library from all processors, and nothing else is
 * done. formats.py calls it through ctypes.
 */
#define _GNU_SOURCE
#include <blosc.h>
#include <libdeflate.h>
#include <lz4.h>
#include <lz4frame.h>
#include <pthread.h>
#include <snappy-c.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <zstd.h>

#define MAX_THREADS 256

typedef struct bench_job {
  const char *codec;
  const void *const *pieces;
  const uint64_t *lengths, *sizes; /* compressed, and not */
  void *const *places;
  size_t count;
  atomic_size_t next;
  atomic_bool failed;
} bench_job;

/* What a thread keeps from piece to piece. */
typedef struct bench_contexts {
  ZSTD_DCtx *zstd;
  struct libdeflate_decompressor *deflate;
  LZ4F_dctx *lz4;
} bench_contexts;

/* Behind the frame may be padding. */
static bool decode_zstd(const bench_contexts *contexts, const void *piece, size_t length, void *to,
                        size_t size) {
  const size_t frame = ZSTD_findFrameCompressedSize(piece, length);
  return !ZSTD_isError(frame) &&
         ZSTD_decompressDCtx(contexts->zstd, to, size, piece, frame) == size;
}

static bool decode_lz4_frame(const bench_contexts *contexts, const char *piece, size_t length,
                             char *to, size_t size) {
  const LZ4F_decompressOptions_t options = {.stableDst = 1};
  size_t left = 1;
  LZ4F_resetDecompressionContext(contexts->lz4);
  while (left > 0) {
    size_t made = size, used = length;
    left = LZ4F_decompress(contexts->lz4, to, &made, piece, &used, &options);
    if (LZ4F_isError(left) || (left > 0 && made == 0 && used == 0)) return false;
    to += made;
    size -= made;
    piece += used;
    length -= used;
  }
  return size == 0;
}

static bool decode(const bench_contexts *contexts, const char *codec, const void *piece,
                   size_t length, void *to, size_t size) {
  size_t got = size;
  if (strcmp(codec, "zstd") == 0) return decode_zstd(contexts, piece, length, to, size);
  if (strcmp(codec, "lz4 frame") == 0) return decode_lz4_frame(contexts, piece, length, to, size);
  if (strcmp(codec, "lz4") == 0)
    return LZ4_decompress_safe(piece, to, (int)length, (int)size) == (int)size;
  if (strcmp(codec, "zlib") == 0)
    return libdeflate_zlib_decompress(contexts->deflate, piece, length, to, size, NULL) == 0;
  if (strcmp(codec, "gzip") == 0)
    return libdeflate_gzip_decompress(contexts->deflate, piece, length, to, size, NULL) == 0;
  if (strcmp(codec, "snappy") == 0)
    return snappy_uncompress(piece, length, to, &got) == SNAPPY_OK && got == size;
  return strcmp(codec, "blosc") == 0 && blosc_decompress_ctx(piece, to, size, 1) == (int)size;
}

static void *run(void *argument) {
  bench_job *job = argument;
  bench_contexts contexts = {ZSTD_createDCtx(), libdeflate_alloc_decompressor(), NULL};
  LZ4F_createDecompressionContext(&contexts.lz4, LZ4F_VERSION);
  for (size_t i; (i = atomic_fetch_add(&job->next, 1)) < job->count && !job->failed;)
    if (!decode(&contexts, job->codec, job->pieces[i], job->lengths[i], job->places[i],
                job->sizes[i]))
      job->failed = true;
  ZSTD_freeDCtx(contexts.zstd);
  libdeflate_free_decompressor(contexts.deflate);
  LZ4F_freeDecompressionContext(contexts.lz4);
  return NULL;
}

/* Decodes each piece to its place. False when one is not what it should be. */
bool bench_decode(const char *codec, const void *const *pieces, const uint64_t *lengths,
                  void *const *places, const uint64_t *sizes, size_t count, unsigned threads) {
  bench_job job = {codec, pieces, lengths, sizes, places, count, 0, false};
  pthread_t others[MAX_THREADS];
  unsigned started = 0; /* besides this one */
  while (started + 1 < threads && started < MAX_THREADS &&
         pthread_create(&others[started], NULL, run, &job) == 0)
    started++;
  run(&job);
  while (started > 0)
    pthread_join(others[--started], NULL);
  return !job.failed;
}
