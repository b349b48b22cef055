/* SPDX-License-Identifier: Apache-2.0 */
/* Moving dense elements into memory with strides. */
#ifndef MST_BASE_STRIDED_H
#define MST_BASE_STRIDED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/convert.h"

/*
 * Memory of some shape and strides (bytes, any sign), with axes that continue one another joined:
 * a dense array is one axis. Axes of length 1 are dropped; rank is at least 1.
 */
typedef struct mst_strided {
  size_t rank;
  uint64_t shape[MUSTER_MAX_RANK + 1];
  int64_t strides[MUSTER_MAX_RANK + 1];
} mst_strided;

void mst_strided_init(mst_strided *layout, size_t rank, const uint64_t *shape,
                      const int64_t *strides);

/* True when all elements lie one behind the other. */
bool mst_strided_is_dense(const mst_strided *layout, size_t itemsize);

/* Elements that lie one behind the other at the end of each innermost run; 0: not even two. */
uint64_t mst_strided_run(const mst_strided *layout, size_t itemsize);

/* Byte offset of the element with index `element` in C order. */
int64_t mst_strided_offset(const mst_strided *layout, uint64_t element);

/*
 * Converts `count` dense elements at src into the elements [first, first + count) in C order of
 * the layout that begins at dst.
 */
void mst_strided_scatter(const mst_strided *layout, void *dst, uint64_t first, uint64_t count,
                         const void *src, size_t src_itemsize, mst_convert_fn convert);

#endif
