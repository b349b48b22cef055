/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whether arrays are as long as a loop has turns, by what they were made of: `out =
 * np.zeros_like(a)` is as long as `a`, `x = np.zeros(n)` has n elements. Names are followed that
 * are bound once, in front of the loop, in a block around it.
 */
#ifndef MST_RULES_MAP_LENGTHS_H
#define MST_RULES_MAP_LENGTHS_H

#include "rules/places.h"

/* What a length goes back to. */
typedef struct mst_length {
  mst_symbol array; /* of an axis of this array, of which nothing more is known; 0: none */
  int axis;
  mst_symbol name; /* or of this number, of which nothing more is known */
  int64_t number;  /* or of this number; -1: not known */
} mst_length;

/* len(a), a.size, a.shape[k], n, and names for them; false for anything else. `loop` is where it is
 * asked. */
bool mst_length_of_expression(mst_place expression, mst_place loop, mst_length *out);
/* The length of an axis of the array that NAME stands for. */
mst_length mst_length_of_axis(mst_place array, int axis, mst_place loop);
bool mst_same_length(mst_length a, mst_length b);
/* The array that has the same shape, and from which the others were made; 0: none. */
mst_symbol mst_shape_origin(mst_place array, mst_place loop);

#endif
