/* SPDX-License-Identifier: Apache-2.0 */
/* Lines of elements that become columns. */
#ifndef MST_BASE_TURN_H
#define MST_BASE_TURN_H

#include <stddef.h>
#include <stdint.h>

/* So many lines are turned at once at best: their elements fill some lines of the cache, and all of
 * them are read from at the same time. */
#define MST_TURN_LINES 64

/* Element k of line i goes to dst + k * step + i * line_step (bytes). Each line has `length`
 * elements of 1, 2, 4, 8, 16 or 32 bytes, dense and of any alignment. */
void mst_turn(const void *const *lines, size_t count, size_t length, size_t itemsize, void *dst,
              int64_t line_step, int64_t step);

#endif
