/* SPDX-License-Identifier: Apache-2.0 */
#include "formats/hdf5/filters.h"

#include <string.h>

#include "base/alloc.h"
#include "base/status.h"

static const struct {
  int id;
  const char *name;
} names[] = {
    {MST_H5_DEFLATE, "deflate"},
    {MST_H5_SHUFFLE, "shuffle"},
    {MST_H5_FLETCHER32, "fletcher32"},
    {4, "szip"},
    {5, "nbit"},
    {MST_H5_SCALEOFFSET, "scaleoffset"},
    {307, "bzip2"},
    {MST_H5_LZF, "lzf"},
    {MST_H5_BLOSC, "blosc"},
    {MST_H5_LZ4, "lz4"},
    {MST_H5_BITSHUFFLE, "bitshuffle"},
    {32013, "zfp"},
    {MST_H5_ZSTD, "zstd"},
    {32017, "sz"},
    {32018, "fcidecomp"},
    {32024, "sz3"},
    {32026, "blosc2"},
    {32028, "sperr"},
};

const char *mst_h5_filter_name(int id) {
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (names[i].id == id) return names[i].name;
  return NULL;
}

bool mst_h5_can_undo(int id) {
  switch (id) {
#ifdef MST_HAVE_DEFLATE
  case MST_H5_DEFLATE:
#endif
#ifdef MST_HAVE_BLOSC
  case MST_H5_BLOSC:
#endif
#ifdef MST_HAVE_ZSTD
  case MST_H5_ZSTD:
#endif
#ifdef MST_HAVE_LZ4
  case MST_H5_LZ4:
#ifdef MST_HAVE_ZSTD
  case MST_H5_BITSHUFFLE:
#endif
#endif
  case MST_H5_SHUFFLE:
  case MST_H5_FLETCHER32:
  case MST_H5_SCALEOFFSET:
  case MST_H5_LZF: return true;
  default: return false;
  }
}

uint64_t mst_h5_big_endian(const unsigned char *bytes, size_t count) {
  uint64_t value = 0;
  for (size_t i = 0; i < count; i++)
    value = value << 8 | bytes[i];
  return value;
}

/* ---- fletcher32 -------------------------------------------------------------------------------- */

/* A sum of 16-bit words modulo 65535; of words that are not all zero it is never 0. */
static uint32_t fold(uint64_t sum) {
  while (sum > 0xffff)
    sum = (sum & 0xffff) + (sum >> 16);
  return (uint32_t)sum;
}

/* Adds the words of an even number of bytes. Four words at once, so that the sums need not wait for
 * each other. */
static void add_words(const unsigned char *data, size_t length, uint64_t *sum, uint64_t *sums) {
  size_t i = 0;
  for (; i + 8 <= length; i += 8) {
    uint64_t w[4];
    for (size_t k = 0; k < 4; k++)
      w[k] = (uint64_t)data[i + 2 * k] << 8 | data[i + 2 * k + 1];
    *sums += 4 * (*sum + w[0]) + 3 * w[1] + 2 * w[2] + w[3];
    *sum += w[0] + w[1] + w[2] + w[3];
  }
  for (; i < length; i += 2) {
    *sum += (uint64_t)data[i] << 8 | data[i + 1];
    *sums += *sum;
  }
}

/* Fletcher's checksum over big-endian words of 16 bits; a single byte at the end is a high one. */
static uint32_t fletcher32(const unsigned char *data, size_t length) {
  enum { AT_ONCE = 1 << 16 }; /* even, and the sums stay far below 2^64 */
  uint64_t sum = 0, sums = 0;
  while (length > 0) {
    const size_t bytes = length < AT_ONCE ? length : AT_ONCE;
    add_words(data, bytes - bytes % 2, &sum, &sums);
    if (bytes % 2 != 0) {
      sum += (uint64_t)data[bytes - 1] << 8;
      sums += sum;
    }
    sum = fold(sum);
    sums = fold(sums);
    data += bytes;
    length -= bytes;
  }
  return fold(sums) << 16 | fold(sum);
}

/* Old versions of the library stored the two halves with their bytes swapped, which it accepts. */
static uint32_t swap_halves(uint32_t sum) {
  return (sum & 0x00ff00ffU) << 8 | (sum >> 8 & 0x00ff00ffU);
}

static muster_status check_fletcher32(const mst_decoder *decoder, const unsigned char *src,
                                      size_t *length, muster_error *error) {
  enum { SUM = 4 };
  if (*length < SUM) return mst_codec_damaged(decoder, "a checksum", error);
  *length -= SUM;
  const unsigned char *at = src + *length;
  const uint32_t stored =
      (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
  const uint32_t made = fletcher32(src, *length);
  if (stored == made || stored == swap_halves(made)) return MUSTER_OK;
  return mst_fail(error, MUSTER_ERR_FORMAT, decoder->path,
                  "damaged: the checksum of a chunk is %08x, and should be %08x", made, stored);
}

/* ---- the framings of plugins ------------------------------------------------------------------- */

/* Size of the whole and of a block, then each block behind its own size; those that did not shrink
 * are as they were. */
static muster_status undo_lz4(mst_decoder *decoder, const unsigned char *src, size_t length,
                              unsigned char *dst, size_t room, size_t *got, muster_error *error) {
  enum { HEADER = 12, SIZE = 4 };
  *got = 0;
  if (length < HEADER) return mst_codec_damaged(decoder, "lz4", error);
  const uint64_t all = mst_h5_big_endian(src, 8);
  const uint64_t block = mst_h5_big_endian(src + 8, 4);
  size_t at = HEADER;
  if (all > room || (block == 0 && all > 0)) return mst_codec_damaged(decoder, "lz4", error);
  while (*got < all) {
    const size_t wanted = (size_t)(all - *got < block ? all - *got : block);
    if (length - at < SIZE) return mst_codec_damaged(decoder, "lz4", error);
    const size_t packed = (size_t)mst_h5_big_endian(src + at, SIZE);
    at += SIZE;
    if (packed > length - at) return mst_codec_damaged(decoder, "lz4", error);
    size_t made = wanted;
    muster_status status = MUSTER_OK;
    if (packed == wanted)
      memcpy(dst + *got, src + at, wanted);
    else
      status = mst_decode_lz4(decoder, src + at, packed, dst + *got, wanted, &made, error);
    if (status != MUSTER_OK) return status;
    if (made != wanted) return mst_codec_damaged(decoder, "lz4", error);
    *got += wanted;
    at += packed;
  }
  return MUSTER_OK;
}

static muster_status undo_shuffle(const mst_h5_filter *filter, const mst_decoder *decoder,
                                  const void *src, size_t length, void *dst, size_t room,
                                  size_t *got, muster_error *error) {
  if (length > room || filter->count < 1 || filter->values[0] == 0)
    return mst_codec_damaged(decoder, "shuffle", error);
  mst_unshuffle(src, dst, length, filter->values[0]);
  *got = length;
  return MUSTER_OK;
}

/* ---- all of them ------------------------------------------------------------------------------- */

static muster_status undo_one(const mst_h5_filter *filter, mst_decoder *decoder, const void *src,
                              size_t length, void *dst, size_t room, size_t *got,
                              muster_error *error) {
  switch (filter->id) {
  case MST_H5_DEFLATE: return mst_decode_zlib(decoder, src, length, dst, room, got, error);
  case MST_H5_LZF: return mst_decode_lzf(decoder, src, length, dst, room, got, error);
  case MST_H5_BLOSC: return mst_decode_blosc(decoder, src, length, dst, room, got, error);
  case MST_H5_ZSTD: return mst_decode_zstd(decoder, src, length, dst, room, got, error);
  case MST_H5_LZ4: return undo_lz4(decoder, src, length, dst, room, got, error);
  case MST_H5_BITSHUFFLE:
    return mst_h5_undo_bitshuffle(filter, decoder, src, length, dst, room, got, error);
  case MST_H5_SCALEOFFSET:
    return mst_h5_undo_scaleoffset(filter, decoder, src, length, dst, room, got, error);
  default: return undo_shuffle(filter, decoder, src, length, dst, room, got, error);
  }
}

void mst_h5_between_reset(mst_h5_between *between) {
  mst_free(between->memory[0]);
  mst_free(between->memory[1]);
  *between = (mst_h5_between){0};
}

/* What one filter made may be somewhat larger than what it was given: checksums, and what did not
 * shrink. */
static void *room_between(mst_h5_between *between, size_t index, size_t size) {
  const size_t room = size + size / 8 + 4096;
  if (between->room < room) {
    mst_h5_between_reset(between);
    between->room = room;
  }
  if (between->memory[index] == NULL) between->memory[index] = mst_alloc(between->room);
  return between->memory[index];
}

static bool is_active(const mst_h5_filters *filters, uint32_t mask, size_t index) {
  return (mask >> index & 1U) == 0 && filters->list[index].id != MST_H5_FLETCHER32;
}

muster_status mst_h5_undo(const mst_h5_filters *filters, uint32_t mask, mst_decoder *decoder,
                          mst_h5_between *between, void *src, size_t length, void *dst, size_t size,
                          muster_error *error) {
  size_t left = 0; /* filters that make something new */
  for (size_t i = 0; i < filters->count; i++)
    left += is_active(filters, mask, i);
  const void *at = src;
  for (size_t i = filters->count; i-- > 0;) {
    muster_status status;
    if ((mask >> i & 1U) != 0) continue;
    if (!is_active(filters, mask, i)) {
      status = check_fletcher32(decoder, at, &length, error);
      if (status != MUSTER_OK) return status;
      continue;
    }
    left--;
    void *to = left == 0 && i == 0 ? dst : room_between(between, left % 2, size);
    if (to == NULL) return mst_fail_memory(error);
    const size_t room = to == dst ? size : between->room;
    size_t got = 0;
    status = undo_one(&filters->list[i], decoder, at, length, to, room, &got, error);
    if (status != MUSTER_OK) return status;
    at = to;
    length = got;
  }
  if (length != size)
    return mst_fail(error, MUSTER_ERR_FORMAT, decoder->path,
                    "damaged: a chunk holds %zu bytes, and should hold %zu", length, size);
  if (at != dst) memcpy(dst, at, size);
  return MUSTER_OK;
}
