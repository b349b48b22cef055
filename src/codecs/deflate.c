/* SPDX-License-Identifier: Apache-2.0 */
/* Deflate and what is wrapped around it, by libdeflate, which is more than twice as fast as zlib.
 */
#include "base/status.h"
#include "codecs/codec.h"

#ifdef MST_HAVE_DEFLATE
#include <libdeflate.h>

static muster_status begin(mst_decoder *decoder, muster_error *error) {
  if (decoder->deflate == NULL) decoder->deflate = libdeflate_alloc_decompressor();
  return decoder->deflate != NULL ? MUSTER_OK : mst_fail_memory(error);
}

muster_status mst_decode_deflate(mst_decoder *decoder, const void *src, size_t length, void *dst,
                                 size_t room, size_t *got, muster_error *error) {
  const muster_status status = begin(decoder, error);
  if (status != MUSTER_OK) return status;
  if (libdeflate_deflate_decompress(decoder->deflate, src, length, dst, room, got) ==
      LIBDEFLATE_SUCCESS)
    return MUSTER_OK;
  return mst_codec_damaged(decoder, "deflate", error);
}

muster_status mst_decode_zlib(mst_decoder *decoder, const void *src, size_t length, void *dst,
                              size_t room, size_t *got, muster_error *error) {
  const muster_status status = begin(decoder, error);
  if (status != MUSTER_OK) return status;
  if (libdeflate_zlib_decompress(decoder->deflate, src, length, dst, room, got) ==
      LIBDEFLATE_SUCCESS)
    return MUSTER_OK;
  return mst_codec_damaged(decoder, "zlib", error);
}

muster_status mst_decode_gzip(mst_decoder *decoder, const void *src, size_t length, void *dst,
                              size_t room, size_t *got, muster_error *error) {
  const muster_status status = begin(decoder, error);
  if (status != MUSTER_OK) return status;
  *got = 0;
  for (size_t used, made; length > 0; length -= used) {
    if (libdeflate_gzip_decompress_ex(decoder->deflate, src, length, (char *)dst + *got,
                                      room - *got, &used, &made) != LIBDEFLATE_SUCCESS)
      return mst_codec_damaged(decoder, "gzip", error);
    src = (const char *)src + used;
    *got += made;
  }
  return MUSTER_OK;
}

#else

#define MISSING(name, codec)                                                                       \
  muster_status name(mst_decoder *decoder, const void *src, size_t length, void *dst, size_t room, \
                     size_t *got, muster_error *error) {                                           \
    (void)src, (void)length, (void)dst, (void)room;                                                \
    *got = 0;                                                                                      \
    return mst_codec_missing(decoder, codec, "libdeflate", error);                                 \
  }
MISSING(mst_decode_deflate, "deflate")
MISSING(mst_decode_zlib, "zlib")
MISSING(mst_decode_gzip, "gzip")

#endif
