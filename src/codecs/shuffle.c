/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "codecs/codec.h"
#include "codecs/shuffle.h"

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

/* ---- by vectors ---------------------------------------------------------------------------------- */

#define WIDTH 16
#define NAME(name) name##_16
#define TARGET
#include "codecs/lanes.h"
#undef WIDTH
#undef NAME
#undef TARGET

#if defined(__x86_64__)
#define WIDTH 32
#define NAME(name) name##_32
#define TARGET __attribute__((target("avx2")))
#include "codecs/lanes.h"
#endif

static size_t unshuffle_items(const unsigned char *from, unsigned char *to, size_t count,
                              size_t itemsize) {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2")) return mst_unshuffle_by_32(from, to, count, itemsize);
#endif
  return mst_unshuffle_by_16(from, to, count, itemsize);
}

static size_t unshuffle_bits(const unsigned char *from, unsigned char *to, size_t pitch) {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2")) return mst_unshuffle_bits_by_32(from, to, pitch);
#endif
  return mst_unshuffle_bits_by_16(from, to, pitch);
}

void mst_unshuffle(const void *src, void *dst, size_t length, size_t itemsize) {
  const size_t count = itemsize > 0 ? length / itemsize : 0;
  if (itemsize <= 1 || count <= 1) {
    memcpy(dst, src, length);
    return;
  }
  const unsigned char *from = src;
  unsigned char *to = dst;
  const size_t done = unshuffle_items(from, to, count, itemsize);
  unshuffle_bytes(from, to, done, count, itemsize);
  memcpy(to + count * itemsize, from + count * itemsize, length - count * itemsize);
}

void mst_unshuffle_bits(const void *src, void *dst, size_t length) {
  enum { GROUP = 8, ROW = 16 };
  const size_t pitch = length / GROUP;
  const unsigned char *from = src;
  unsigned char *to = dst;
  for (size_t at = unshuffle_bits(from, to, pitch), width; at < pitch; at += width) {
    unsigned char rows[GROUP * ROW] = {0}, made[GROUP * ROW];
    width = pitch - at < ROW ? pitch - at : ROW;
    for (size_t i = 0; i < GROUP; i++)
      memcpy(rows + i * ROW, from + i * pitch + at, width);
    (void)mst_unshuffle_bits_by_16(rows, made, ROW);
    memcpy(to + at * GROUP, made, width * GROUP);
  }
}
