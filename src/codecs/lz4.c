/* SPDX-License-Identifier: Apache-2.0 */
#include <limits.h>

#include "codecs/codec.h"

#ifdef MST_HAVE_LZ4
#include <lz4.h>
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
