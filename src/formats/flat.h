/* SPDX-License-Identifier: Apache-2.0 */
/* Files whose elements lie one behind the other from an offset on: npy and raw. */
#ifndef MST_FORMATS_FLAT_H
#define MST_FORMATS_FLAT_H

#include "formats/format.h"

/* mst_format.read_elements for C order. */
muster_status mst_flat_read_elements(const mst_open_shard *open, uint64_t first, uint64_t count,
                                     void *dst, muster_error *error);

/* mst_format.read_rows for Fortran order: rows are gathered from all over the file. */
muster_status mst_flat_read_fortran_rows(const mst_open_shard *open, uint64_t lo, uint64_t hi,
                                         void *dst, const int64_t *strides, muster_error *error);

/* Writes `header` and behind it the elements of the shard, in C order. */
muster_status mst_flat_write(const mst_new_shard *shard, const void *header, size_t header_length,
                             muster_error *error);

/* Writes the elements from an offset of an open file on. */
muster_status mst_flat_write_elements(const mst_new_shard *shard, int fd, uint64_t offset,
                                      muster_error *error);

#endif
