/* SPDX-License-Identifier: Apache-2.0 */
/* Shards that are read in whole rows: by format->read_rows, and band by band where it has bands. */
#ifndef MST_LOAD_BY_ROWS_H
#define MST_LOAD_BY_ROWS_H

#include "load/dataset.h"

/* True when a shard can be read in whole rows only. */
bool mst_shard_by_rows(const muster_dataset *dataset, const mst_shard *shard);

/* Rows to read at once from a row on, at least 1: up to the end of a band if that is not too much
 * memory. */
uint64_t mst_rows_at_once(const muster_dataset *dataset, const mst_shard *shard, uint64_t row);

/* Where a tile that would end before this row of the dataset had better end: at the end of the
 * row's band. Only the edge of a band is moved to, and only to whole 8 bytes of the result. */
uint64_t mst_band_edge(const muster_dataset *dataset, uint64_t row);

/* Rows that all bands of all shards have in common; 1: there are none, or they differ. */
uint64_t mst_band_rows(const muster_dataset *dataset);

/* Rows [lo, hi) of the shard, as in the file but with strides (bytes, one for each axis of the
 * dataset). */
muster_status mst_read_by_rows(const muster_dataset *dataset, const mst_open_shard *open,
                               uint64_t lo, uint64_t hi, void *dst, const int64_t *strides,
                               muster_error *error);

#endif
