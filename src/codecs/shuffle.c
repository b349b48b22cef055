/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "codecs/codec.h"

/* ---- elements of any size ---------------------------------------------------------------------- */

/* Elements that are put together at a time: their bytes come from `itemsize` places at once. */
#define AT_ONCE 1024

/* Elements [first, count). */
static void unshuffle_bytes(const unsigned char *from, unsigned char *to, size_t first,
                            size_t count, size_t itemsize) {
  for (size_t begin = first; begin < count; begin += AT_ONCE) {
    const size_t end = count - begin < AT_ONCE ? count : begin + AT_ONCE;
    for (size_t i = 0; i < itemsize; i++) {
      const unsigned char *bytes = from + i * count;
      unsigned char *place = to + i;
      for (size_t k = begin; k < end; k++)
        place[k * itemsize] = bytes[k];
    }
  }
}

/* ---- elements of 2, 4 and 8 bytes -------------------------------------------------------------- */

#define WIDTH 16
typedef unsigned char mst_bytes __attribute__((vector_size(WIDTH)));

static inline mst_bytes low(mst_bytes a, mst_bytes b) {
  return __builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
}

static inline mst_bytes high(mst_bytes a, mst_bytes b) {
  return __builtin_shufflevector(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15,
                                 31);
}

/* Interleaves the first half of 2, 4 or 8 vectors with the second. Done as often as halving their
 * number gives 1, that puts the bytes of each element side by side. */
static inline void interleave_2(mst_bytes *v) {
  const mst_bytes a = v[0], b = v[1];
  v[0] = low(a, b);
  v[1] = high(a, b);
}

static inline void interleave_4(mst_bytes *v) {
  const mst_bytes a = v[0], b = v[1], c = v[2], d = v[3];
  v[0] = low(a, c);
  v[1] = high(a, c);
  v[2] = low(b, d);
  v[3] = high(b, d);
}

static inline void interleave_8(mst_bytes *v) {
  const mst_bytes a = v[0], b = v[1], c = v[2], d = v[3];
  const mst_bytes e = v[4], f = v[5], g = v[6], h = v[7];
  v[0] = low(a, e);
  v[1] = high(a, e);
  v[2] = low(b, f);
  v[3] = high(b, f);
  v[4] = low(c, g);
  v[5] = high(c, g);
  v[6] = low(d, h);
  v[7] = high(d, h);
}

/* Returns the elements that were done. */
#define UNSHUFFLE(name, itemsize, interleave)                                      \
  static size_t name(const unsigned char *from, unsigned char *to, size_t count) { \
    mst_bytes v[itemsize];                                                         \
    size_t at = 0;                                                                 \
    for (; at + WIDTH <= count; at += WIDTH) {                                     \
      _Pragma("GCC unroll 8") for (size_t i = 0; i < (itemsize); i++)              \
          memcpy(&v[i], from + i * count + at, WIDTH);                             \
      interleave;                                                                  \
      _Pragma("GCC unroll 8") for (size_t i = 0; i < (itemsize); i++)              \
          memcpy(to + at * (itemsize) + i * WIDTH, &v[i], WIDTH);                  \
    }                                                                              \
    return at;                                                                     \
  }

UNSHUFFLE(unshuffle_2, 2, interleave_2(v))
UNSHUFFLE(unshuffle_4, 4, interleave_4(v); interleave_4(v))
UNSHUFFLE(unshuffle_8, 8, interleave_8(v); interleave_8(v); interleave_8(v))

void mst_unshuffle(const void *src, void *dst, size_t length, size_t itemsize) {
  const size_t count = itemsize > 0 ? length / itemsize : 0;
  if (itemsize <= 1 || count <= 1) {
    memcpy(dst, src, length);
    return;
  }
  const unsigned char *from = src;
  unsigned char *to = dst;
  size_t done = 0;
  if (itemsize == 2) done = unshuffle_2(from, to, count);
  if (itemsize == 4) done = unshuffle_4(from, to, count);
  if (itemsize == 8) done = unshuffle_8(from, to, count);
  unshuffle_bytes(from, to, done, count, itemsize);
  memcpy(to + count * itemsize, from + count * itemsize, length - count * itemsize);
}
