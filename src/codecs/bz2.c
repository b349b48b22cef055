/* SPDX-License-Identifier: Apache-2.0 */
/* bzip2, also several streams one behind the other. */
#include "base/alloc.h"
#include "base/shape.h"
#include "base/status.h"
#include "codecs/codec.h"

#ifdef MST_HAVE_BZ2
#include <bzlib.h>

static void *take(void *opaque, int count, int size) {
  (void)opaque;
  return mst_calloc((size_t)count, (size_t)size);
}

static void give_back(void *opaque, void *memory) {
  (void)opaque;
  mst_free(memory);
}

/* The bytes that are left on both sides; the library counts in 32 bits. */
typedef struct mst_bz2_run {
  bz_stream stream;
  size_t in_left, out_left;
} mst_bz2_run;

static int step(mst_bz2_run *run) {
  const unsigned in = (unsigned)mst_smaller(run->in_left, UINT32_MAX);
  const unsigned out = (unsigned)mst_smaller(run->out_left, UINT32_MAX);
  run->stream.avail_in = in;
  run->stream.avail_out = out;
  const int result = BZ2_bzDecompress(&run->stream);
  const size_t taken = in - run->stream.avail_in, made = out - run->stream.avail_out;
  run->in_left -= taken;
  run->out_left -= made;
  return result == BZ_OK && taken == 0 && made == 0 ? BZ_UNEXPECTED_EOF : result;
}

static muster_status decode_stream(mst_decoder *decoder, mst_bz2_run *run, muster_error *error) {
  run->stream.bzalloc = take;
  run->stream.bzfree = give_back;
  int result = BZ2_bzDecompressInit(&run->stream, 0, 0);
  if (result != BZ_OK) return mst_fail_memory(error);
  while ((result = step(run)) == BZ_OK)
    continue;
  (void)BZ2_bzDecompressEnd(&run->stream);
  if (result == BZ_MEM_ERROR) return mst_fail_memory(error);
  return result == BZ_STREAM_END ? MUSTER_OK : mst_codec_damaged(decoder, "bz2", error);
}
#endif

muster_status mst_decode_bz2(mst_decoder *decoder, const void *src, size_t length, void *dst,
                             size_t room, size_t *got, muster_error *error) {
  *got = 0;
#ifdef MST_HAVE_BZ2
  mst_bz2_run run = {.in_left = length, .out_left = room};
  /* Its interface knows no const; it only reads there. */
  run.stream.next_in = (char *)(uintptr_t)src;
  run.stream.next_out = dst;
  muster_status status = MUSTER_OK;
  do
    status = decode_stream(decoder, &run, error);
  while (status == MUSTER_OK && run.in_left > 0);
  *got = room - run.out_left;
  return status;
#else
  (void)src, (void)length, (void)dst, (void)room;
  return mst_codec_missing(decoder, "bz2", "libbz2", error);
#endif
}
