/* SPDX-License-Identifier: Apache-2.0 */
#include "base/turn.h"

#include <stdbool.h>
#include <string.h>

#include "base/convert.h"

/* Four elements of four lines, or two of two, are turned in registers. */
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

void mst_turn(const void *const *lines, size_t count, size_t length, size_t itemsize, void *dst,
              int64_t line_step, int64_t step) {
  const size_t unit = itemsize == 4 ? 4 : 2;
  const bool in_squares = (itemsize == 4 || itemsize == 8) && line_step == (int64_t)itemsize;
  const size_t squared_lines = in_squares ? count / unit * unit : 0;
  const size_t squared = squared_lines > 0 ? length / unit * unit : 0;
  const mst_convert_fn copy = mst_copier(itemsize);
  char *to = dst;
  for (size_t at = 0; at < squared; at += unit)
    for (size_t i = 0; i < squared_lines; i += unit) {
      char *place = to + (int64_t)at * step + i * itemsize;
      if (itemsize == 4)
        turn_four(lines + i, at, place, step);
      else
        turn_two(lines + i, at, place, step);
    }
  for (size_t i = 0; i < count; i++) {
    const size_t done = i < squared_lines ? squared : 0;
    copy((const char *)lines[i] + done * itemsize,
         to + (int64_t)i * line_step + (int64_t)done * step, step, length - done);
  }
}
