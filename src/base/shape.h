/* SPDX-License-Identifier: Apache-2.0 */
/* Arithmetic on shapes that cannot overflow in silence. */
#ifndef MST_BASE_SHAPE_H
#define MST_BASE_SHAPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"

/* The largest array there can be: offsets and strides are signed 64-bit numbers. */
#define MST_MAX_BYTES ((uint64_t)INT64_MAX)

/* False when a * b does not fit. */
bool mst_multiply(uint64_t a, uint64_t b, uint64_t *out);

/*
 * The number of elements of a shape (1 for rank 0). False when they, each `itemsize` bytes, are
 * more than MST_MAX_BYTES; zeros in the shape do not excuse the other entries.
 */
bool mst_shape_elements(size_t rank, const uint64_t *shape, size_t itemsize, uint64_t *elements);

/* Strides in bytes of a dense array in C order. The shape must have passed the check above. */
void mst_dense_strides(size_t rank, const uint64_t *shape, size_t itemsize, int64_t *strides);

bool mst_same_shape(size_t rank_a, const uint64_t *a, size_t rank_b, const uint64_t *b);

/* Appends "(3, 4)", as Python writes a tuple. */
void mst_add_shape(mst_str *out, size_t rank, const uint64_t *shape);

uint64_t mst_ceil_divide(uint64_t a, uint64_t b);

static inline uint64_t mst_larger(uint64_t a, uint64_t b) { return a > b ? a : b; }
static inline uint64_t mst_smaller(uint64_t a, uint64_t b) { return a < b ? a : b; }

#endif
