/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Undoing compression: one file for each codec, over the library that is kept for it. Whoever
 * decodes knows how long the result may be; no codec writes beyond it, and none believes what the
 * compressed data say of their size.
 */
#ifndef MST_CODECS_CODEC_H
#define MST_CODECS_CODEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "muster/error.h"

/* Behind the summary of a format that takes them all: what this build lacks. */
#ifdef MST_HAVE_DEFLATE
#define MST_WITHOUT_DEFLATE ""
#else
#define MST_WITHOUT_DEFLATE "; not here: gzip and zlib (libdeflate)"
#endif
#ifdef MST_HAVE_ZSTD
#define MST_WITHOUT_ZSTD ""
#else
#define MST_WITHOUT_ZSTD "; not here: zstd (libzstd)"
#endif
#ifdef MST_HAVE_LZ4
#define MST_WITHOUT_LZ4 ""
#else
#define MST_WITHOUT_LZ4 "; not here: lz4 (liblz4)"
#endif
#ifdef MST_HAVE_BLOSC
#define MST_WITHOUT_BLOSC ""
#else
#define MST_WITHOUT_BLOSC "; not here: blosc (c-blosc)"
#endif
#ifdef MST_HAVE_BZ2
#define MST_WITHOUT_BZ2 ""
#else
#define MST_WITHOUT_BZ2 "; not here: bz2 (libbz2)"
#endif
#ifdef MST_HAVE_LZMA
#define MST_WITHOUT_LZMA ""
#else
#define MST_WITHOUT_LZMA "; not here: lzma (liblzma)"
#endif

/* What one reader keeps from piece to piece. Zeroed memory with a path is one; not for two threads
 * at once. */
typedef struct mst_decoder {
  const char *path; /* for errors */
  void *deflate;    /* contexts of the libraries, made when they are needed */
  void *zstd;
  void *lz4_frame;
} mst_decoder;

void mst_decoder_reset(mst_decoder *decoder);

/*
 * Decodes `length` bytes at src into dst, which has room for `room` bytes; *got is what came out.
 * MUSTER_ERR_FORMAT: damaged data, or more than the room. MUSTER_ERR_UNSUPPORTED: this build lacks
 * the library, which the error names. dst and src do not overlap.
 */
typedef muster_status (*mst_decode_fn)(mst_decoder *decoder, const void *src, size_t length,
                                       void *dst, size_t room, size_t *got, muster_error *error);

muster_status mst_decode_deflate(mst_decoder *decoder, const void *src, size_t length, void *dst,
                                 size_t room, size_t *got, muster_error *error);
muster_status mst_decode_zlib(mst_decoder *decoder, const void *src, size_t length, void *dst,
                              size_t room, size_t *got, muster_error *error);
/* Also several gzip files one behind the other. */
muster_status mst_decode_gzip(mst_decoder *decoder, const void *src, size_t length, void *dst,
                              size_t room, size_t *got, muster_error *error);
muster_status mst_decode_zstd(mst_decoder *decoder, const void *src, size_t length, void *dst,
                              size_t room, size_t *got, muster_error *error);
/* Snappy without the framing that its files have. */
muster_status mst_decode_snappy(mst_decoder *decoder, const void *src, size_t length, void *dst,
                                size_t room, size_t *got, muster_error *error);
/* A bare block of LZ4. */
muster_status mst_decode_lz4(mst_decoder *decoder, const void *src, size_t length, void *dst,
                             size_t room, size_t *got, muster_error *error);
/* A frame of LZ4, and nothing behind it. */
muster_status mst_decode_lz4_frame(mst_decoder *decoder, const void *src, size_t length, void *dst,
                                   size_t room, size_t *got, muster_error *error);
/* Blosc 1, with whatever it has inside. */
muster_status mst_decode_blosc(mst_decoder *decoder, const void *src, size_t length, void *dst,
                               size_t room, size_t *got, muster_error *error);
/* A bare block of LZF. */
muster_status mst_decode_lzf(mst_decoder *decoder, const void *src, size_t length, void *dst,
                             size_t room, size_t *got, muster_error *error);
/* bzip2, also several streams one behind the other. */
muster_status mst_decode_bz2(mst_decoder *decoder, const void *src, size_t length, void *dst,
                             size_t room, size_t *got, muster_error *error);
/* LZMA as .xz (several streams, too) and as .lzma. */
muster_status mst_decode_lzma(mst_decoder *decoder, const void *src, size_t length, void *dst,
                              size_t room, size_t *got, muster_error *error);

/* For the codecs themselves. */
muster_status mst_codec_damaged(const mst_decoder *decoder, const char *codec, muster_error *error);
muster_status mst_codec_missing(const mst_decoder *decoder, const char *codec, const char *library,
                                muster_error *error);

/* ---- filters that keep the length ---- */

/* Undoes byte shuffling: byte i of element k lay at i * count + k. A rest of less than an element
 * is at the end, as it was. */
void mst_unshuffle(const void *src, void *dst, size_t length, size_t itemsize);

/* Undoes the shuffling of the bits of bytes: bit i of byte k lay at bit k % 8 of byte i * length /
 * 8 + k / 8. The length is a multiple of 8. */
void mst_unshuffle_bits(const void *src, void *dst, size_t length);

/* CRC-32C (Castagnoli), of the bytes behind those of which `crc` is; 0 to begin with. */
uint32_t mst_crc32c(uint32_t crc, const void *data, size_t length);

/* CRC-32 and Adler-32, as in zlib. */
uint32_t mst_crc32(const void *data, size_t length);
uint32_t mst_adler32(const void *data, size_t length);
/* Fletcher-32 over big-endian words of 16 bits, a single byte at the end being the upper half of
 * one, as HDF5 has it. */
uint32_t mst_fletcher32(const void *data, size_t length);

#endif
