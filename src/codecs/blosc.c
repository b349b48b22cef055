/* SPDX-License-Identifier: Apache-2.0 */
#include "codecs/codec.h"

#ifdef MST_HAVE_BLOSC
#include <blosc.h>
#endif

muster_status mst_decode_blosc(mst_decoder *decoder, const void *src, size_t length, void *dst,
                               size_t room, size_t *got, muster_error *error) {
  *got = 0;
#ifdef MST_HAVE_BLOSC
  size_t size;
  if (blosc_cbuffer_validate(src, length, &size) < 0 || size > room)
    return mst_codec_damaged(decoder, "blosc", error);
  /* The other function reads the environment and keeps global state. */
  const int made = blosc_decompress_ctx(src, dst, room, 1);
  if (made < 0 || (size_t)made != size) return mst_codec_damaged(decoder, "blosc", error);
  *got = size;
  return MUSTER_OK;
#else
  (void)src, (void)length, (void)dst, (void)room;
  return mst_codec_missing(decoder, "blosc", "c-blosc", error);
#endif
}
