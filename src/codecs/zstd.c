/* SPDX-License-Identifier: Apache-2.0 */
#include "base/status.h"
#include "codecs/codec.h"

#ifdef MST_HAVE_ZSTD
#include <zstd.h>
#endif

muster_status mst_decode_zstd(mst_decoder *decoder, const void *src, size_t length, void *dst,
                              size_t room, size_t *got, muster_error *error) {
  *got = 0;
#ifdef MST_HAVE_ZSTD
  if (decoder->zstd == NULL) decoder->zstd = ZSTD_createDCtx();
  if (decoder->zstd == NULL) return mst_fail_memory(error);
  const size_t made = ZSTD_decompressDCtx(decoder->zstd, dst, room, src, length);
  if (ZSTD_isError(made)) return mst_codec_damaged(decoder, "zstd", error);
  *got = made;
  return MUSTER_OK;
#else
  (void)src, (void)length, (void)dst, (void)room;
  return mst_codec_missing(decoder, "zstd", "libzstd", error);
#endif
}
