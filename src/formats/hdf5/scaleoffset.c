/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Elements less the smallest one of their chunk, each in as many bits as the largest difference
 * takes; those of floats are counts of 10^-digits. The highest count stands for the fill value,
 * where one is defined. When that would save nothing, elements are as they were.
 *
 * The library of version 1.14.6 cannot read the latter, whatever wrote them.
 */
#include <math.h>
#include <string.h>

#include "formats/hdf5/filters.h"

enum { /* places of what is stored with the filter */
       SCALE_TYPE,
       SCALE_FACTOR,
       COUNT,
       CLASS,
       ITEMSIZE,
       SIGN,
       ORDER,
       HAS_FILL,
       FILL,
       VALUES = FILL + 2
};

enum { BITS_BYTES = 4, LEAST_AT = 5, DATA_AT = 21 }; /* in a chunk */

typedef struct mst_scaling {
  size_t count, itemsize;
  bool is_float, is_big_endian, has_fill;
  uint64_t least, fill; /* bits of an element */
  unsigned bits;        /* of each difference */
  double scale;
} mst_scaling;

static uint64_t little_endian(const unsigned char *bytes, size_t count) {
  uint64_t value = 0;
  while (count-- > 0)
    value = value << 8 | bytes[count];
  return value;
}

static void put(const mst_scaling *scaling, unsigned char *dst, uint64_t value) {
  for (size_t i = 0; i < scaling->itemsize; i++)
    dst[scaling->is_big_endian ? scaling->itemsize - 1 - i : i] = (unsigned char)(value >> 8 * i);
}

/* Differences lie one behind the other, the highest bit of each first. */
static uint64_t take_bits(const unsigned char *src, uint64_t at, unsigned count) {
  uint64_t value = 0;
  while (count > 0) {
    const unsigned there = 8 - (unsigned)(at % 8);
    const unsigned taken = count < there ? count : there;
    value = value << taken | ((unsigned)src[at / 8] >> (there - taken) & ((1U << taken) - 1));
    at += taken;
    count -= taken;
  }
  return value;
}

/* The arithmetic is that of the elements' type, as in the library. */
static uint64_t restore_float(const mst_scaling *scaling, uint64_t difference) {
  if (scaling->itemsize == sizeof(double)) {
    double value, least;
    memcpy(&least, &scaling->least, sizeof least);
    value = (double)(int64_t)difference / scaling->scale + least;
    memcpy(&difference, &value, sizeof value);
    return difference;
  }
  const uint32_t bits = (uint32_t)scaling->least;
  float value, least;
  uint32_t result;
  memcpy(&least, &bits, sizeof least);
  value = (float)(int32_t)difference / (float)scaling->scale + least;
  memcpy(&result, &value, sizeof result);
  return result;
}

static void restore(const mst_scaling *scaling, const unsigned char *src, unsigned char *dst) {
  const uint64_t highest = ((uint64_t)1 << scaling->bits) - 1;
  for (size_t i = 0; i < scaling->count; i++, dst += scaling->itemsize) {
    const uint64_t difference = take_bits(src, (uint64_t)i * scaling->bits, scaling->bits);
    if (scaling->has_fill && difference == highest)
      put(scaling, dst, scaling->fill);
    else if (scaling->is_float)
      put(scaling, dst, restore_float(scaling, difference));
    else
      put(scaling, dst, scaling->least + difference);
  }
}

static bool read_scaling(const mst_h5_filter *filter, const unsigned char *src, size_t length,
                         mst_scaling *scaling) {
  const unsigned *values = filter->values;
  if (filter->count < VALUES || length < DATA_AT) return false;
  *scaling = (mst_scaling){.count = values[COUNT],
                           .itemsize = values[ITEMSIZE],
                           .is_float = values[CLASS] == 1,
                           .is_big_endian = values[ORDER] == 1,
                           .has_fill = values[HAS_FILL] == 1,
                           .least = little_endian(src + LEAST_AT, 8),
                           .fill = values[FILL] | (uint64_t)values[FILL + 1] << 32,
                           .bits = (unsigned)little_endian(src, BITS_BYTES),
                           .scale = pow(10, (int)values[SCALE_FACTOR])};
  const size_t size = scaling->itemsize;
  const bool is_known = scaling->is_float ? (size == 4 || size == 8) && values[SCALE_TYPE] == 0
                                          : size == 1 || size == 2 || size == 4 || size == 8;
  return is_known && values[CLASS] <= 1 && scaling->bits <= 8 * size &&
         (uint64_t)scaling->count * scaling->bits <= 8 * (uint64_t)(length - DATA_AT);
}

/* Whoever asks for all bits of an integer gets chunks that the filter leaves alone. */
static bool leaves_alone(const mst_h5_filter *filter) {
  return filter->count >= VALUES && filter->values[CLASS] == 0 && filter->values[ITEMSIZE] <= 8 &&
         filter->values[SCALE_FACTOR] == 8 * filter->values[ITEMSIZE];
}

muster_status mst_h5_undo_scaleoffset(const mst_h5_filter *filter, const mst_decoder *decoder,
                                      const unsigned char *src, size_t length, unsigned char *dst,
                                      size_t room, size_t *got, muster_error *error) {
  mst_scaling scaling;
  *got = 0;
  if (leaves_alone(filter) && length <= room) {
    memcpy(dst, src, length);
    *got = length;
    return MUSTER_OK;
  }
  if (!read_scaling(filter, src, length, &scaling) || scaling.count > room / scaling.itemsize)
    return mst_codec_damaged(decoder, "scaleoffset", error);
  *got = scaling.count * scaling.itemsize;
  src += DATA_AT;
  if (scaling.bits < 8 * scaling.itemsize) {
    restore(&scaling, src, dst);
    return MUSTER_OK;
  }
  for (size_t i = 0; i < scaling.count; i++, src += scaling.itemsize, dst += scaling.itemsize)
    put(&scaling, dst, little_endian(src, scaling.itemsize));
  return MUSTER_OK;
}
