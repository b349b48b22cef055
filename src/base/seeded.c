/* SPDX-License-Identifier: Apache-2.0 */
#include "base/seeded.h"

#include <float.h>
#include <string.h>

#include "base/half.h"

/* splitmix64 by Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators" (2014),
 * with Stafford's mix 13, jumped to its index-th output. */
uint64_t muster_seeded(uint64_t seed, uint64_t index) {
  uint64_t z = seed + (index + 1) * 0x9E3779B97F4A7C15u;
  z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
  z = (z ^ z >> 27) * 0x94D049BB133111EBu;
  return z ^ z >> 31;
}

/* Fractions in [0, 1), exact in the type: the leading bits. */
static double fraction_53(uint64_t bits) { return (double)(bits >> 11) * 0x1p-53; }
static float fraction_24(uint64_t bits) { return (float)(bits >> 40) * 0x1p-24f; }

#define FILL(type, value)                                      \
  for (size_t i = 0; i < count; i++) {                         \
    const uint64_t bits = muster_seeded(seed, first + i);      \
    const type cell = (type)(value);                           \
    memcpy((char *)out + i * sizeof cell, &cell, sizeof cell); \
  }                                                            \
  break

/* Complex numbers are pairs of the cells of their parts. */
static muster_type part_of(muster_type type) {
  switch (type) {
  case MUSTER_COMPLEX64: return MUSTER_FLOAT32;
  case MUSTER_COMPLEX128: return MUSTER_FLOAT64;
  case MUSTER_CLONGDOUBLE: return MUSTER_LONGDOUBLE;
  default: return type;
  }
}

void mst_seeded_fill(void *out, muster_type type, uint64_t seed, uint64_t first, size_t count) {
  const muster_type part = part_of(type);
  if (part != type) {
    type = part;
    first *= 2;
    count *= 2;
  }
  switch (type) {
  case MUSTER_BOOL: FILL(uint8_t, bits & 1);
  case MUSTER_INT8:
  case MUSTER_UINT8: FILL(uint8_t, bits);
  case MUSTER_INT16:
  case MUSTER_UINT16: FILL(uint16_t, bits);
  case MUSTER_INT32:
  case MUSTER_UINT32: FILL(uint32_t, bits);
  case MUSTER_INT64:
  case MUSTER_UINT64: FILL(uint64_t, bits);
  case MUSTER_FLOAT16: FILL(uint16_t, mst_double_to_half((double)(bits >> 53) * 0x1p-11));
  case MUSTER_FLOAT32: FILL(float, fraction_24(bits));
  case MUSTER_FLOAT64: FILL(double, fraction_53(bits));
  case MUSTER_LONGDOUBLE:
    /* The padding of the 16 bytes counts in checksums: make it zero. */
    memset(out, 0, count * sizeof(long double));
    for (size_t i = 0; i < count; i++) {
      const long double cell = fraction_53(muster_seeded(seed, first + i));
      memcpy((char *)out + i * sizeof cell, &cell, LDBL_MANT_DIG == 64 ? 10 : sizeof cell);
    }
    break;
  case MUSTER_DATETIME64:
  case MUSTER_TIMEDELTA64: FILL(int64_t, bits >> 12);
  default: break;
  }
}
