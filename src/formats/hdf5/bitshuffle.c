/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bits that were sorted by their place in the elements: of each block of elements first all lowest
 * bits of the first bytes, then all second bits of them, and so on. What is left over, less than 8
 * elements, is as it was.
 */
#include <string.h>

#include "base/alloc.h"
#include "base/status.h"
#include "codecs/codec.h"
#include "formats/hdf5/filters.h"

#define GROUP 8
#define CACHE_LINE 64

void mst_h5_bit_unshuffle(const unsigned char *src, unsigned char *dst, size_t count,
                          size_t itemsize, unsigned char *scratch) {
  /* First the bytes of each place are put together from their bits, then the elements from them. */
  for (size_t byte = 0; byte < itemsize; byte++)
    mst_unshuffle_bits(src + byte * count, scratch + byte * count, count);
  mst_unshuffle(scratch, dst, count * itemsize, itemsize);
}

/* ---- the filter -------------------------------------------------------------------------------- */

enum { ITEM_SIZE = 2, BLOCK_SIZE = 3, COMPRESSION = 4 }; /* its values */
enum { NOTHING = 0, WITH_LZ4 = 2, WITH_ZSTD = 3 };

typedef struct mst_h5_bits {
  mst_decoder *decoder;
  unsigned compression;
  size_t itemsize;
  size_t block; /* elements */
  const unsigned char *src, *end;
  unsigned char *dst;
  unsigned char *scratch; /* for two blocks: decompressed, and half put together */
} mst_h5_bits;

static muster_status damaged(const mst_h5_bits *bits, muster_error *error) {
  return mst_codec_damaged(bits->decoder, "bitshuffle", error);
}

/* A block that is stored as it is, or compressed behind its size. */
static muster_status undo_block(mst_h5_bits *bits, size_t count, muster_error *error) {
  const size_t bytes = count * bits->itemsize;
  size_t left = (size_t)(bits->end - bits->src), got = 0;
  if (bits->compression == NOTHING) {
    if (left < bytes) return damaged(bits, error);
    mst_h5_bit_unshuffle(bits->src, bits->dst, count, bits->itemsize, bits->scratch);
    bits->src += bytes;
    bits->dst += bytes;
    return MUSTER_OK;
  }
  if (left < 4) return damaged(bits, error);
  const size_t packed = (size_t)mst_h5_big_endian(bits->src, 4);
  bits->src += 4;
  left -= 4;
  if (packed > left) return damaged(bits, error);
  /* Its place comes into the cache meanwhile. */
  for (size_t i = 0; i < bytes; i += CACHE_LINE)
    __builtin_prefetch(bits->dst + i, 1);
  const mst_decode_fn decode = bits->compression == WITH_LZ4 ? mst_decode_lz4 : mst_decode_zstd;
  const muster_status status =
      decode(bits->decoder, bits->src, packed, bits->scratch, bytes, &got, error);
  if (status != MUSTER_OK) return status;
  if (got != bytes) return damaged(bits, error);
  mst_h5_bit_unshuffle(bits->scratch, bits->dst, count, bits->itemsize, bits->scratch + bytes);
  bits->src += packed;
  bits->dst += bytes;
  return MUSTER_OK;
}

static muster_status undo_blocks(mst_h5_bits *bits, size_t size, muster_error *error) {
  size_t count = size / bits->itemsize;
  muster_status status = MUSTER_OK;
  while (status == MUSTER_OK && count >= GROUP) {
    const size_t now = count >= bits->block ? bits->block : count - count % GROUP;
    status = undo_block(bits, now, error);
    count -= now;
  }
  if (status != MUSTER_OK) return status;
  const size_t rest = count * bits->itemsize;
  if ((size_t)(bits->end - bits->src) < rest) return damaged(bits, error);
  memcpy(bits->dst, bits->src, rest);
  return MUSTER_OK;
}

/* What the filter takes when it is not told: 8 KiB, and at least 128 elements. */
static size_t usual_block(size_t itemsize) {
  const size_t block = 8192 / itemsize / GROUP * GROUP;
  return block > 128 ? block : 128;
}

muster_status mst_h5_undo_bitshuffle(const mst_h5_filter *filter, mst_decoder *decoder,
                                     const void *src, size_t length, void *dst, size_t room,
                                     size_t *got, muster_error *error) {
  mst_h5_bits bits = {.decoder = decoder, .src = src, .dst = dst};
  bits.end = bits.src + length;
  *got = 0;
  if (filter->count <= ITEM_SIZE) return damaged(&bits, error);
  bits.itemsize = filter->values[ITEM_SIZE];
  bits.block = filter->count > BLOCK_SIZE ? filter->values[BLOCK_SIZE] : 0;
  bits.compression = filter->count > COMPRESSION ? filter->values[COMPRESSION] : NOTHING;
  if (bits.itemsize == 0 || bits.itemsize > room || bits.compression == 1 ||
      bits.compression > WITH_ZSTD)
    return damaged(&bits, error);
  size_t size = length;
  if (bits.compression != NOTHING) {
    enum { HEADER = 12 };
    if (length < HEADER || mst_h5_big_endian(bits.src, 8) > room) return damaged(&bits, error);
    size = (size_t)mst_h5_big_endian(bits.src, 8);
    bits.block = (size_t)mst_h5_big_endian(bits.src + 8, 4) / bits.itemsize;
    bits.src += HEADER;
  }
  if (bits.block == 0) bits.block = usual_block(bits.itemsize);
  if (bits.block % GROUP != 0 || size > room || size % bits.itemsize != 0)
    return damaged(&bits, error);
  *got = size;
  if (bits.block > size / bits.itemsize) bits.block = size / bits.itemsize / GROUP * GROUP;
  bits.scratch = mst_alloc(2 * bits.block * bits.itemsize + 1);
  if (bits.scratch == NULL) return mst_fail_memory(error);
  const muster_status status = undo_blocks(&bits, size, error);
  mst_free(bits.scratch);
  return status;
}
