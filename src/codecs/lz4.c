/* SPDX-License-Identifier: Apache-2.0 */
#include <limits.h>

#include "base/status.h"
#include "codecs/codec.h"

#ifdef MST_HAVE_LZ4
#include <lz4.h>
#include <lz4frame.h>
#endif

muster_status mst_decode_lz4(mst_decoder *decoder, const void *src, size_t length, void *dst,
                             size_t room, size_t *got, muster_error *error) {
  *got = 0;
#ifdef MST_HAVE_LZ4
  if (length > INT_MAX) return mst_codec_damaged(decoder, "lz4", error);
  const int most = room < INT_MAX ? (int)room : INT_MAX;
  const int made = LZ4_decompress_safe(src, dst, (int)length, most);
  if (made < 0) return mst_codec_damaged(decoder, "lz4", error);
  *got = (size_t)made;
  return MUSTER_OK;
#else
  (void)src, (void)length, (void)dst, (void)room;
  return mst_codec_missing(decoder, "lz4", "liblz4", error);
#endif
}

#ifdef MST_HAVE_LZ4
muster_status mst_decode_lz4_frame(mst_decoder *decoder, const void *src, size_t length, void *dst,
                                   size_t room, size_t *got, muster_error *error) {
  *got = 0;
  LZ4F_dctx *context = decoder->lz4_frame;
  if (context == NULL && LZ4F_isError(LZ4F_createDecompressionContext(&context, LZ4F_VERSION)))
    return mst_fail_memory(error);
  decoder->lz4_frame = context;
  /* What is left of a frame that failed must not reach this one. */
  LZ4F_resetDecompressionContext(context);
  /* What was written stays where it is, so that no copy of it need be kept. */
  const LZ4F_decompressOptions_t options = {.stableDst = 1};
  size_t left = 1;
  while (left > 0) {
    size_t made = room - *got, used = length;
    left = LZ4F_decompress(context, (char *)dst + *got, &made, src, &used, &options);
    const bool is_stuck = left > 0 && made == 0 && used == 0;
    if (LZ4F_isError(left) || is_stuck) return mst_codec_damaged(decoder, "lz4", error);
    *got += made;
    src = (const char *)src + used;
    length -= used;
  }
  return MUSTER_OK;
}
#else
muster_status mst_decode_lz4_frame(mst_decoder *decoder, const void *src, size_t length, void *dst,
                                   size_t room, size_t *got, muster_error *error) {
  (void)src, (void)length, (void)dst, (void)room;
  *got = 0;
  return mst_codec_missing(decoder, "lz4", "liblz4", error);
}
#endif
