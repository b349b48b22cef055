/* SPDX-License-Identifier: Apache-2.0 */
#include "base/turn.h"

#include <stdbool.h>
#include <string.h>

#include "base/convert.h"

/* ---- four elements of four lines, or two of two, in registers ----------------------------------- */

typedef uint32_t mst_four __attribute__((vector_size(16)));
typedef uint64_t mst_two __attribute__((vector_size(16)));

static inline void turn_four(const void *const *lines, size_t at, char *to, int64_t step) {
  mst_four a, b, c, d;
  memcpy(&a, (const char *)lines[0] + at * 4, sizeof a);
  memcpy(&b, (const char *)lines[1] + at * 4, sizeof b);
  memcpy(&c, (const char *)lines[2] + at * 4, sizeof c);
  memcpy(&d, (const char *)lines[3] + at * 4, sizeof d);
  const mst_four ab = __builtin_shufflevector(a, b, 0, 4, 1, 5);
  const mst_four cd = __builtin_shufflevector(c, d, 0, 4, 1, 5);
  const mst_four ab2 = __builtin_shufflevector(a, b, 2, 6, 3, 7);
  const mst_four cd2 = __builtin_shufflevector(c, d, 2, 6, 3, 7);
  const mst_four turned[4] = {
      __builtin_shufflevector(ab, cd, 0, 1, 4, 5), __builtin_shufflevector(ab, cd, 2, 3, 6, 7),
      __builtin_shufflevector(ab2, cd2, 0, 1, 4, 5), __builtin_shufflevector(ab2, cd2, 2, 3, 6, 7)};
#pragma GCC unroll 4
  for (size_t i = 0; i < 4; i++)
    memcpy(to + (int64_t)i * step, &turned[i], sizeof turned[i]);
}

static inline void turn_two(const void *const *lines, size_t at, char *to, int64_t step) {
  mst_two a, b;
  memcpy(&a, (const char *)lines[0] + at * 8, sizeof a);
  memcpy(&b, (const char *)lines[1] + at * 8, sizeof b);
  const mst_two first = __builtin_shufflevector(a, b, 0, 2);
  const mst_two second = __builtin_shufflevector(a, b, 1, 3);
  memcpy(to, &first, sizeof first);
  memcpy(to + step, &second, sizeof second);
}

static void turn_in_fours(const void *const *lines, size_t count, size_t length, size_t itemsize,
                          char *to, int64_t step) {
  const size_t unit = itemsize == 4 ? 4 : 2;
  for (size_t at = 0; at < length; at += unit)
    for (size_t i = 0; i < count; i += unit) {
      char *place = to + (int64_t)at * step + (int64_t)(i * itemsize);
      if (itemsize == 4)
        turn_four(lines + i, at, place, step);
      else
        turn_two(lines + i, at, place, step);
    }
}

/* ---- twice as wide, on processors with AVX2 ----------------------------------------------------- */

#if defined(__x86_64__)
#define WIDE __attribute__((target("avx2")))
typedef uint32_t mst_eight __attribute__((vector_size(32)));
typedef uint64_t mst_wide_four __attribute__((vector_size(32)));

/* Eight elements of eight lines; each shuffle is one instruction. */
WIDE static inline void turn_eight(const void *const *lines, size_t at, char *to, int64_t step) {
  mst_eight v[8], pairs[8], fours[8];
#pragma GCC unroll 8
  for (size_t i = 0; i < 8; i++)
    memcpy(&v[i], (const char *)lines[i] + at * 4, sizeof v[i]);
#pragma GCC unroll 4
  for (size_t i = 0; i < 8; i += 2) {
    pairs[i] = __builtin_shufflevector(v[i], v[i + 1], 0, 8, 1, 9, 4, 12, 5, 13);
    pairs[i + 1] = __builtin_shufflevector(v[i], v[i + 1], 2, 10, 3, 11, 6, 14, 7, 15);
  }
#pragma GCC unroll 4
  for (size_t i = 0; i < 4; i++) {
    const mst_eight a = pairs[i + i / 2 * 2], b = pairs[i + i / 2 * 2 + 2];
    fours[2 * i] = __builtin_shufflevector(a, b, 0, 1, 8, 9, 4, 5, 12, 13);
    fours[2 * i + 1] = __builtin_shufflevector(a, b, 2, 3, 10, 11, 6, 7, 14, 15);
  }
#pragma GCC unroll 4
  for (size_t i = 0; i < 4; i++) {
    const mst_eight a = fours[i], b = fours[i + 4];
    const mst_eight first = __builtin_shufflevector(a, b, 0, 1, 2, 3, 8, 9, 10, 11);
    const mst_eight second = __builtin_shufflevector(a, b, 4, 5, 6, 7, 12, 13, 14, 15);
    memcpy(to + (int64_t)i * step, &first, sizeof first);
    memcpy(to + (int64_t)(i + 4) * step, &second, sizeof second);
  }
}

WIDE static inline void turn_wide_four(const void *const *lines, size_t at, char *to,
                                       int64_t step) {
  mst_wide_four v[4], pairs[4];
#pragma GCC unroll 4
  for (size_t i = 0; i < 4; i++)
    memcpy(&v[i], (const char *)lines[i] + at * 8, sizeof v[i]);
#pragma GCC unroll 2
  for (size_t i = 0; i < 4; i += 2) {
    pairs[i] = __builtin_shufflevector(v[i], v[i + 1], 0, 4, 2, 6);
    pairs[i + 1] = __builtin_shufflevector(v[i], v[i + 1], 1, 5, 3, 7);
  }
#pragma GCC unroll 2
  for (size_t i = 0; i < 2; i++) {
    const mst_wide_four first = __builtin_shufflevector(pairs[i], pairs[i + 2], 0, 1, 4, 5);
    const mst_wide_four second = __builtin_shufflevector(pairs[i], pairs[i + 2], 2, 3, 6, 7);
    memcpy(to + (int64_t)i * step, &first, sizeof first);
    memcpy(to + (int64_t)(i + 2) * step, &second, sizeof second);
  }
}

WIDE static void turn_wide(const void *const *lines, size_t count, size_t length, size_t itemsize,
                           char *to, int64_t step) {
  const size_t unit = itemsize == 4 ? 8 : 4;
  for (size_t at = 0; at < length; at += unit)
    for (size_t i = 0; i < count; i += unit) {
      char *place = to + (int64_t)at * step + (int64_t)(i * itemsize);
      if (itemsize == 4)
        turn_eight(lines + i, at, place, step);
      else
        turn_wide_four(lines + i, at, place, step);
    }
}
#endif

/* ---- all ------------------------------------------------------------------------------------------ */

typedef void (*turn_squares_fn)(const void *const *lines, size_t count, size_t length,
                                size_t itemsize, char *to, int64_t step);

/* Squares of `unit` elements of as many lines, as far as there are whole ones, and the rest of
 * these lines. Returns how many lines that were. */
static size_t turn_lines(const void *const *lines, size_t count, size_t length, size_t itemsize,
                         size_t unit, turn_squares_fn turn, char *to, int64_t step) {
  const size_t done = length / unit * unit;
  count = count / unit * unit;
  turn(lines, count, done, itemsize, to, step);
  const mst_convert_fn copy = mst_copier(itemsize);
  for (size_t i = 0; i < count && done < length; i++)
    copy((const char *)lines[i] + done * itemsize,
         to + (int64_t)(i * itemsize) + (int64_t)done * step, step, length - done);
  return count;
}

void mst_turn(const void *const *lines, size_t count, size_t length, size_t itemsize, void *dst,
              int64_t line_step, int64_t step) {
  const bool in_squares = (itemsize == 4 || itemsize == 8) && line_step == (int64_t)itemsize;
  const mst_convert_fn copy = mst_copier(itemsize);
  char *to = dst;
  size_t at = 0;
#if defined(__x86_64__)
  if (in_squares && __builtin_cpu_supports("avx2"))
    at = turn_lines(lines, count, length, itemsize, 32 / itemsize, turn_wide, to, step);
#endif
  if (in_squares)
    at += turn_lines(lines + at, count - at, length, itemsize, 16 / itemsize, turn_in_fours,
                     to + (int64_t)(at * itemsize), step);
  for (; at < count; at++)
    copy(lines[at], to + (int64_t)at * line_step, step, length);
}
