/* SPDX-License-Identifier: Apache-2.0 */
/* Changing the type and byte order of elements. */
#ifndef MST_BASE_CONVERT_H
#define MST_BASE_CONVERT_H

#include <stddef.h>
#include <stdint.h>

#include "muster/dataset.h"

/* Converts `count` elements, dense at src (native order, any alignment), to dst, dst + step, ... */
typedef void (*mst_convert_fn)(const void *src, void *dst, int64_t step, size_t count);

/*
 * The function for a pair of types, NULL when values would lose their kind: allowed is what NumPy
 * calls same_kind casting, with the values that NumPy's astype gives; datetime64 and timedelta64
 * only to themselves (of the same unit) and to int64, as their counts; bfloat16 and the float8s
 * to what float32 may become. For equal types it copies.
 */
mst_convert_fn mst_converter(const muster_dtype *from, const muster_dtype *to);

/* A copy of elements of 1, 2, 4, 8, 16 or 32 bytes; NULL for other sizes. */
mst_convert_fn mst_copier(size_t itemsize);

/* Reverses the bytes of each element in place, dense. */
void mst_swap_bytes(void *data, size_t count, muster_type type);

#endif
