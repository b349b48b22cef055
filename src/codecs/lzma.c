/* SPDX-License-Identifier: Apache-2.0 */
/* LZMA in the containers .xz and .lzma. */
#include "base/alloc.h"
#include "base/status.h"
#include "codecs/codec.h"

#ifdef MST_HAVE_LZMA
#include <lzma.h>

/* What may be taken besides the result. The highest preset needs 65 MiB; data may ask for 4 GiB. */
#define MOST_MEMORY ((uint64_t)192 << 20)

static void *take(void *opaque, size_t count, size_t size) {
  (void)opaque;
  return mst_calloc(count, size);
}

static void give_back(void *opaque, void *memory) {
  (void)opaque;
  mst_free(memory);
}
#endif

muster_status mst_decode_lzma(mst_decoder *decoder, const void *src, size_t length, void *dst,
                              size_t room, size_t *got, muster_error *error) {
  *got = 0;
#ifdef MST_HAVE_LZMA
  const lzma_allocator allocator = {.alloc = take, .free = give_back};
  lzma_stream stream = LZMA_STREAM_INIT;
  stream.allocator = &allocator;
  stream.next_in = src;
  stream.avail_in = length;
  stream.next_out = dst;
  stream.avail_out = room;
  lzma_ret result = lzma_auto_decoder(&stream, MOST_MEMORY, LZMA_CONCATENATED);
  while (result == LZMA_OK)
    result = lzma_code(&stream, LZMA_FINISH);
  *got = room - stream.avail_out;
  const bool is_whole = result == LZMA_STREAM_END && stream.avail_in == 0;
  lzma_end(&stream);
  if (result == LZMA_MEM_ERROR) return mst_fail_memory(error);
  return is_whole ? MUSTER_OK : mst_codec_damaged(decoder, "lzma", error);
#else
  (void)src, (void)length, (void)dst, (void)room;
  return mst_codec_missing(decoder, "lzma", "liblzma", error);
#endif
}
