/* SPDX-License-Identifier: Apache-2.0 */
/* Reading shards: opened, read as the result's elements, checked to be still the same. */
#ifndef MST_LOAD_READ_H
#define MST_LOAD_READ_H

#include "load/dataset.h"

/* Opens a shard for reading. A file that is gone is MUSTER_ERR_CHANGED. */
muster_status mst_shard_open(const muster_dataset *dataset, size_t index, mst_open_shard *open,
                             muster_error *error);

/* Says before it is read which elements will be, from first to last: settles how. Shards by rows
 * take no notice. */
void mst_shard_expect(const muster_dataset *dataset, mst_open_shard *open, uint64_t first,
                      uint64_t count);

/*
 * Closes it. `status` is that of the reading; a file that is no longer the one that was discovered
 * is MUSTER_ERR_CHANGED, also where that made the reading fail. Returns the status of both.
 */
muster_status mst_shard_close(const muster_dataset *dataset, mst_open_shard *open,
                              muster_status status, muster_error *error);

/* Elements to read at once from element `first` on: a block, or for shards by rows some whole rows.
 */
uint64_t mst_block_elements(const muster_dataset *dataset, const mst_shard *shard, uint64_t first);

/*
 * Elements [first, first + count) of the shard, dense, as the result has them. For shards by rows
 * both are multiples of the row's elements. scratch holds `count` source elements when the
 * dataset converts, else it is not used.
 */
muster_status mst_read_dense(const muster_dataset *dataset, const mst_open_shard *open,
                             uint64_t first, uint64_t count, void *dst, void *scratch,
                             muster_error *error);

/*
 * Elements of the shard from `first` on, in C order those of an array of this shape, into memory
 * with strides (bytes), as the result has them. Of shards by rows only whole rows: the shape is
 * then that of the dataset but for shape[0].
 */
muster_status mst_read_box(const muster_dataset *dataset, const mst_open_shard *open,
                           uint64_t first, size_t rank, const uint64_t *shape, void *dst,
                           const int64_t *strides, muster_error *error);

/* Rows [lo, hi) of an open shard; `done` rows of the range lie in the shards before it. */
typedef muster_status (*mst_slice_fn)(void *context, mst_open_shard *open, uint64_t lo, uint64_t hi,
                                      uint64_t done, muster_error *error);

/* Opens one shard after the other that holds some of the rows, and closes it after the visit.
 * MUSTER_ERR_USAGE: the range is not in the dataset. */
muster_status mst_for_slices(const muster_dataset *dataset, uint64_t row_lo, uint64_t row_hi,
                             mst_slice_fn visit, void *context, muster_error *error);

/* The shape of so many rows; MUSTER_MAX_RANK entries. */
void mst_slice_shape(const muster_dataset *dataset, uint64_t rows, uint64_t *shape);

/* The strides, or those of a dense result, laid down in `dense` (MUSTER_MAX_RANK entries). */
const int64_t *mst_strides_or_dense(const muster_dataset *dataset, const int64_t *strides,
                                    int64_t *dense);

#endif
