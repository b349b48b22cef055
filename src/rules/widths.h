/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How wide the elements of an array are. The model knows that they are floating-point numbers, and
 * not of how many bits: what is written into such an array in place may lose bits that a new array
 * would have had.
 */
#ifndef MST_RULES_WIDTHS_H
#define MST_RULES_WIDTHS_H

#include "rules/places.h"

/* True for a NAME that the function binds only to arrays of the widest type of their class:
 * float64, complex128, or truth values. */
bool mst_is_widest(mst_place name);
/* True when no operand of the expression is seen to be wider than all that, or may be: longdouble,
 * or of an unknown type. */
bool mst_fits_widest(mst_place expression, mst_place array);
/* True where nothing in the expression but the array itself has a type that could widen it: other
 * operands are literals, and numbers known to be such. */
bool mst_keeps_width(mst_place expression, mst_place array);
/* True for an expression that is seen to be an array of float64. */
bool mst_is_float64(mst_place expression);

#endif
