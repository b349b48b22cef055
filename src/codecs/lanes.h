/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Putting bits and bytes in order, by vectors of one width. shuffle.c includes this once for each,
 * with WIDTH (bytes, 16 or 32), NAME (what names here end with) and TARGET (the attribute of
 * functions that need more than every processor has).
 */

typedef unsigned char NAME(mst_bytes) __attribute__((vector_size(WIDTH)));
typedef uint64_t NAME(mst_bits) __attribute__((vector_size(WIDTH)));

#undef LOW
#undef HIGH
#if WIDTH == 16
#define LOW(a, b) \
  __builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23)
#define HIGH(a, b) \
  __builtin_shufflevector(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31)
#else /* both halves as above, each by itself: that is one instruction */
#define LOW(a, b)                                                                               \
  __builtin_shufflevector(a, b, 0, 32, 1, 33, 2, 34, 3, 35, 4, 36, 5, 37, 6, 38, 7, 39, 16, 48, \
                          17, 49, 18, 50, 19, 51, 20, 52, 21, 53, 22, 54, 23, 55)
#define HIGH(a, b)                                                                                \
  __builtin_shufflevector(a, b, 8, 40, 9, 41, 10, 42, 11, 43, 12, 44, 13, 45, 14, 46, 15, 47, 24, \
                          56, 25, 57, 26, 58, 27, 59, 28, 60, 29, 61, 30, 62, 31, 63)
/* The first halves of both, and the second. */
#define FIRST(a, b)                                                                               \
  __builtin_shufflevector(a, b, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 32, 33, 34, \
                          35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47)
#define SECOND(a, b)                                                                            \
  __builtin_shufflevector(a, b, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, \
                          48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63)
#endif

#define INLINE static inline __attribute__((always_inline)) TARGET

/* Interleaves the first half of 2, 4 or 8 vectors with the second. Done as often as halving their
 * number gives 1, that puts the bytes of each element side by side. */
INLINE void NAME(interleave)(NAME(mst_bytes) * v, size_t count) {
  NAME(mst_bytes) made[8];
#pragma GCC unroll 4
  for (size_t i = 0; i < count / 2; i++) {
    made[2 * i] = LOW(v[i], v[i + count / 2]);
    made[2 * i + 1] = HIGH(v[i], v[i + count / 2]);
  }
#pragma GCC unroll 8
  for (size_t i = 0; i < count; i++)
    v[i] = made[i];
}

/* Vector i holds bytes i of WIDTH elements: puts the elements at `to`. */
INLINE void NAME(put)(NAME(mst_bytes) * v, unsigned char *to, size_t itemsize) {
#pragma GCC unroll 3
  for (size_t width = 1; width < itemsize; width *= 2)
    NAME(interleave)(v, itemsize);
#if WIDTH == 16
#pragma GCC unroll 8
  for (size_t i = 0; i < itemsize; i++)
    memcpy(to + i * WIDTH, &v[i], WIDTH);
#else
#pragma GCC unroll 4
  for (size_t i = 0; i < itemsize; i += 2) {
    const NAME(mst_bytes) first = FIRST(v[i], v[i + 1]), second = SECOND(v[i], v[i + 1]);
    memcpy(to + i * 16, &first, WIDTH);
    memcpy(to + (itemsize + i) * 16, &second, WIDTH);
  }
#endif
}

INLINE size_t NAME(unshuffle_items)(const unsigned char *from, unsigned char *to, size_t count,
                                    size_t itemsize) {
  NAME(mst_bytes) v[8];
  size_t at = 0;
  for (; at + WIDTH <= count; at += WIDTH) {
#pragma GCC unroll 8
    for (size_t i = 0; i < itemsize; i++)
      memcpy(&v[i], from + i * count + at, WIDTH);
    NAME(put)(v, to + at * itemsize, itemsize);
  }
  return at;
}

TARGET size_t NAME(mst_unshuffle_by)(const unsigned char *from, unsigned char *to, size_t count,
                                     size_t itemsize) {
  switch (itemsize) {
  case 2: return NAME(unshuffle_items)(from, to, count, 2);
  case 4: return NAME(unshuffle_items)(from, to, count, 4);
  case 8: return NAME(unshuffle_items)(from, to, count, 8);
  default: return 0;
  }
}

/* Exchanges the bits of `b` that the mask tells with those of `a` that are `shift` higher. */
INLINE void NAME(exchange)(NAME(mst_bits) * a, NAME(mst_bits) * b, unsigned shift, uint64_t mask) {
  const NAME(mst_bits) differ = (*a >> shift ^ *b) & mask;
  *b ^= differ;
  *a ^= differ << shift;
}

/* Row i holds bit i of 8 elements in each byte. Afterwards byte j of row k is element 8 * j + k. */
INLINE void NAME(gather_bits)(NAME(mst_bits) * row) {
#pragma GCC unroll 4
  for (size_t i = 0; i < 4; i++)
    NAME(exchange)(&row[i], &row[i + 4], 4, 0x0f0f0f0f0f0f0f0fU);
#pragma GCC unroll 4
  for (size_t i = 0; i < 4; i++)
    NAME(exchange)(&row[i + i / 2 * 2], &row[i + i / 2 * 2 + 2], 2, 0x3333333333333333U);
#pragma GCC unroll 4
  for (size_t i = 0; i < 8; i += 2)
    NAME(exchange)(&row[i], &row[i + 1], 1, 0x5555555555555555U);
}

TARGET size_t NAME(mst_unshuffle_bits_by)(const unsigned char *from, unsigned char *to,
                                          size_t pitch) {
  NAME(mst_bits) row[8];
  NAME(mst_bytes) v[8];
  size_t at = 0;
  for (; at + WIDTH <= pitch; at += WIDTH) {
#pragma GCC unroll 8
    for (size_t i = 0; i < 8; i++)
      memcpy(&row[i], from + i * pitch + at, WIDTH);
    NAME(gather_bits)(row);
#pragma GCC unroll 8
    for (size_t i = 0; i < 8; i++)
      v[i] = (NAME(mst_bytes))row[i];
    NAME(put)(v, to + at * 8, 8);
  }
  return at;
}

#undef INLINE
