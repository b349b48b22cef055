/* SPDX-License-Identifier: Apache-2.0 */
#include <limits.h>

#include "codecs/codec.h"

#ifdef MST_HAVE_LZF
#include <liblzf/lzf.h>
#endif

muster_status mst_decode_lzf(mst_decoder *decoder, const void *src, size_t length, void *dst,
                             size_t room, size_t *got, muster_error *error) {
  *got = 0;
#ifdef MST_HAVE_LZF
  if (length > UINT_MAX) return mst_codec_damaged(decoder, "lzf", error);
  const unsigned most = room < UINT_MAX ? (unsigned)room : UINT_MAX;
  *got = length > 0 ? lzf_decompress(src, (unsigned)length, dst, most) : 0;
  return *got > 0 || length == 0 ? MUSTER_OK : mst_codec_damaged(decoder, "lzf", error);
#else
  (void)src, (void)length, (void)dst, (void)room;
  return mst_codec_missing(decoder, "lzf", "liblzf", error);
#endif
}
