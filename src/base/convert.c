/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One small function for each allowed pair of types, made from lists. Elements are moved by memcpy
 * of constant size: nothing in a file is aligned, and compilers make plain moves of it.
 */
#include "base/convert.h"

#include <float.h>
#include <string.h>

#include "base/dtype.h"
#include "base/half.h"

/* ---- reading: LOAD(name, stored type, number type, number that a stored x stands for) --------- */

#define LOAD(name, stored, number, value)              \
  typedef stored name##_stored;                        \
  typedef number name##_number;                        \
  static inline number load_##name(const char *from) { \
    stored x;                                          \
    memcpy(&x, from, sizeof x);                        \
    return value;                                      \
  }

typedef struct {
  long double re, im;
} mst_complex;

LOAD(BOOL, uint8_t, uint8_t, (uint8_t)(x != 0))
LOAD(INT8, int8_t, int8_t, x)
LOAD(INT16, int16_t, int16_t, x)
LOAD(INT32, int32_t, int32_t, x)
LOAD(INT64, int64_t, int64_t, x)
LOAD(UINT8, uint8_t, uint8_t, x)
LOAD(UINT16, uint16_t, uint16_t, x)
LOAD(UINT32, uint32_t, uint32_t, x)
LOAD(UINT64, uint64_t, uint64_t, x)
LOAD(FLOAT16, uint16_t, float, mst_half_to_float(x))
LOAD(FLOAT32, float, float, x)
LOAD(FLOAT64, double, double, x)
LOAD(LONGDOUBLE, long double, long double, x)
LOAD(BFLOAT16, uint16_t, float, mst_bfloat16_to_float(x))
LOAD(FLOAT8_E4M3FN, uint8_t, float, mst_e4m3fn_to_float(x))
LOAD(FLOAT8_E5M2, uint8_t, float, mst_e5m2_to_float(x))

/* Complex numbers are pairs. */
typedef struct {
  float part[2];
} mst_pair_float;
typedef struct {
  double part[2];
} mst_pair_double;
typedef struct {
  long double part[2];
} mst_pair_long;

LOAD(COMPLEX64, mst_pair_float, mst_complex, ((mst_complex){x.part[0], x.part[1]}))
LOAD(COMPLEX128, mst_pair_double, mst_complex, ((mst_complex){x.part[0], x.part[1]}))
LOAD(CLONGDOUBLE, mst_pair_long, mst_complex, ((mst_complex){x.part[0], x.part[1]}))

/* ---- writing: STORE_name(to, number) ----------------------------------------------------------- */

#define STORE(to, type, ...)                \
  do {                                      \
    const type stored_ = __VA_ARGS__;       \
    memcpy((to), &stored_, sizeof stored_); \
  } while (0)

/* The padding of a long double is zero, not what lay around: files and checksums see it. */
static inline void store_long(char *to, long double x) {
  memset(to, 0, sizeof x);
  memcpy(to, &x, LDBL_MANT_DIG == 64 ? 10 : sizeof x);
}

static inline void store_long_pair(char *to, long double re, long double im) {
  store_long(to, re);
  store_long(to + sizeof re, im);
}

#define STORE_INT8(to, x) STORE(to, int8_t, (int8_t)(x))
#define STORE_INT16(to, x) STORE(to, int16_t, (int16_t)(x))
#define STORE_INT32(to, x) STORE(to, int32_t, (int32_t)(x))
#define STORE_INT64(to, x) STORE(to, int64_t, (int64_t)(x))
#define STORE_UINT8(to, x) STORE(to, uint8_t, (uint8_t)(x))
#define STORE_UINT16(to, x) STORE(to, uint16_t, (uint16_t)(x))
#define STORE_UINT32(to, x) STORE(to, uint32_t, (uint32_t)(x))
#define STORE_UINT64(to, x) STORE(to, uint64_t, (uint64_t)(x))
#define STORE_FLOAT32(to, x) STORE(to, float, (float)(x))
#define STORE_FLOAT64(to, x) STORE(to, double, (double)(x))
#define STORE_LONGDOUBLE(to, x) store_long(to, (long double)(x))
/* NumPy rounds all but float64 to float16 by way of float32. */
#define STORE_FLOAT16(to, x)                               \
  STORE(to, uint16_t,                                      \
        mst_double_to_half(_Generic((x), double            \
                                    : (double)(x), default \
                                    : (double)(float)(x))))
#define STORE_COMPLEX64(to, x) STORE(to, mst_pair_float, {{(float)(x), 0}})
#define STORE_COMPLEX128(to, x) STORE(to, mst_pair_double, {{(double)(x), 0}})
#define STORE_CLONGDOUBLE(to, x) store_long_pair(to, (long double)(x), 0)

#define STORE_PAIR_COMPLEX64(to, x) STORE(to, mst_pair_float, {{(float)(x).re, (float)(x).im}})
#define STORE_PAIR_COMPLEX128(to, x) STORE(to, mst_pair_double, {{(double)(x).re, (double)(x).im}})
#define STORE_PAIR_CLONGDOUBLE(to, x) store_long_pair(to, (x).re, (x).im)

/* ---- which pairs there are ---------------------------------------------------------------------- */
/* NumPy's same_kind: bool, unsigned, signed, float, complex may become their own kind or a later
 * one (numpy.can_cast). X(from, to) for each pair. */

/* clang-format off */
#define TO_UNSIGNED(X, from) X(from, UINT8) X(from, UINT16) X(from, UINT32) X(from, UINT64)
#define TO_SIGNED(X, from) X(from, INT8) X(from, INT16) X(from, INT32) X(from, INT64)
#define TO_COMPLEX(X, from) X(from, COMPLEX64) X(from, COMPLEX128) X(from, CLONGDOUBLE)
#define TO_FLOAT(X, from)                                                 \
  X(from, FLOAT16) X(from, FLOAT32) X(from, FLOAT64) X(from, LONGDOUBLE)  \
  TO_COMPLEX(X, from)

#define FROM_UNSIGNED(X, from) TO_UNSIGNED(X, from) TO_SIGNED(X, from) TO_FLOAT(X, from)
#define FROM_SIGNED(X, from) TO_SIGNED(X, from) TO_FLOAT(X, from)

#define REAL_PAIRS(X)                                                                     \
  FROM_UNSIGNED(X, BOOL) FROM_UNSIGNED(X, UINT8) FROM_UNSIGNED(X, UINT16)                 \
  FROM_UNSIGNED(X, UINT32) FROM_UNSIGNED(X, UINT64)                                       \
  FROM_SIGNED(X, INT8) FROM_SIGNED(X, INT16) FROM_SIGNED(X, INT32) FROM_SIGNED(X, INT64)  \
  TO_FLOAT(X, FLOAT16) TO_FLOAT(X, FLOAT32) TO_FLOAT(X, FLOAT64) TO_FLOAT(X, LONGDOUBLE)  \
  TO_FLOAT(X, BFLOAT16) TO_FLOAT(X, FLOAT8_E4M3FN) TO_FLOAT(X, FLOAT8_E5M2)

#define COMPLEX_PAIRS(X) \
  TO_COMPLEX(X, COMPLEX64) TO_COMPLEX(X, COMPLEX128) TO_COMPLEX(X, CLONGDOUBLE)
/* clang-format on */

/* ---- the functions -------------------------------------------------------------------------------- */

/* The dense case stands by itself so that the compiler can use vector instructions for it. */
#define KERNEL(from, to, store, size)                                                  \
  static void from##_to_##to(const void *src, void *dst, int64_t step, size_t count) { \
    const char *at = src;                                                              \
    char *place = dst;                                                                 \
    if (step == (int64_t)(size)) {                                                     \
      for (size_t i = 0; i < count; i++) {                                             \
        const from##_number number = load_##from(at + i * sizeof(from##_stored));      \
        store(place + i * (size), number);                                             \
      }                                                                                \
      return;                                                                          \
    }                                                                                  \
    for (size_t i = 0; i < count; i++, place += step) {                                \
      const from##_number number = load_##from(at + i * sizeof(from##_stored));        \
      store(place, number);                                                            \
    }                                                                                  \
  }

#define SIZE_OF(to) sizeof(to##_stored)
#define REAL_KERNEL(from, to) KERNEL(from, to, STORE_##to, SIZE_OF(to))
#define COMPLEX_KERNEL(from, to) KERNEL(from, to, STORE_PAIR_##to, SIZE_OF(to))

REAL_PAIRS(REAL_KERNEL)
COMPLEX_PAIRS(COMPLEX_KERNEL)

#define ENTRY(from, to) [MUSTER_##from][MUSTER_##to] = from##_to_##to,
static const mst_convert_fn kernels[MUSTER_TYPE_COUNT][MUSTER_TYPE_COUNT] = {
    REAL_PAIRS(ENTRY) COMPLEX_PAIRS(ENTRY)};

#define COPIER(size)                                                                \
  static void copy_##size(const void *src, void *dst, int64_t step, size_t count) { \
    const char *from = src;                                                         \
    char *to = dst;                                                                 \
    if (step == (size)) {                                                           \
      memcpy(to, from, count *(size));                                              \
      return;                                                                       \
    }                                                                               \
    for (size_t i = 0; i < count; i++, to += step, from += (size))                  \
      memcpy(to, from, (size));                                                     \
  }

COPIER(1)
COPIER(2)
COPIER(4)
COPIER(8)
COPIER(16)
COPIER(32)

mst_convert_fn mst_copier(size_t itemsize) {
  switch (itemsize) {
  case 1: return copy_1;
  case 2: return copy_2;
  case 4: return copy_4;
  case 8: return copy_8;
  case 16: return copy_16;
  case 32: return copy_32;
  default: return NULL;
  }
}

mst_convert_fn mst_converter(const muster_dtype *from, const muster_dtype *to) {
  if (mst_dtype_equal(from, to)) return mst_copier(muster_type_size(from->type));
  if (mst_is_time(from->type) && to->type == MUSTER_INT64) return copy_8;
  return kernels[from->type][to->type];
}

/* ---- byte order ------------------------------------------------------------------------------------ */

#define SWAP_LOOP(type, swap)                \
  for (size_t i = 0; i < units; i++) {       \
    type x;                                  \
    memcpy(&x, at + i * sizeof x, sizeof x); \
    x = swap(x);                             \
    memcpy(at + i * sizeof x, &x, sizeof x); \
  }

static void swap_16(char *at, size_t units) {
  for (size_t i = 0; i < units; i++, at += 16) {
    uint64_t half[2];
    memcpy(half, at, 16);
    const uint64_t swapped[2] = {__builtin_bswap64(half[1]), __builtin_bswap64(half[0])};
    memcpy(at, swapped, 16);
  }
}

void mst_swap_bytes(void *data, size_t count, muster_type type) {
  char *at = data;
  const size_t unit = mst_swap_unit(type);
  const size_t units = count * (muster_type_size(type) / unit);
  if (unit == 2) {
    SWAP_LOOP(uint16_t, __builtin_bswap16)
  } else if (unit == 4) {
    SWAP_LOOP(uint32_t, __builtin_bswap32)
  } else if (unit == 8) {
    SWAP_LOOP(uint64_t, __builtin_bswap64)
  } else if (unit == 16) {
    swap_16(at, units);
  }
}
