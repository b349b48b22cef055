/* SPDX-License-Identifier: Apache-2.0 */
#include "codecs/codec.h"

#include "base/status.h"

#ifdef MST_HAVE_DEFLATE
#include <libdeflate.h>
#endif
#ifdef MST_HAVE_LZ4
#include <lz4frame.h>
#endif
#ifdef MST_HAVE_ZSTD
#include <zstd.h>
#endif

void mst_decoder_reset(mst_decoder *decoder) {
#ifdef MST_HAVE_DEFLATE
  libdeflate_free_decompressor(decoder->deflate);
#endif
#ifdef MST_HAVE_ZSTD
  ZSTD_freeDCtx(decoder->zstd);
#endif
#ifdef MST_HAVE_LZ4
  LZ4F_freeDecompressionContext(decoder->lz4_frame);
#endif
  *decoder = (mst_decoder){.path = decoder->path};
}

muster_status mst_codec_damaged(const mst_decoder *decoder, const char *codec,
                                muster_error *error) {
  return mst_fail(error, MUSTER_ERR_FORMAT, decoder->path,
                  "damaged: data compressed with %s cannot be decoded", codec);
}

muster_status mst_codec_missing(const mst_decoder *decoder, const char *codec, const char *library,
                                muster_error *error) {
  return mst_fail(error, MUSTER_ERR_UNSUPPORTED, decoder->path,
                  "is compressed with %s, and muster was built without %s", codec, library);
}
