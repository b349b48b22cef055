/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of a dataset that is not flat: mst_format.open, close and read_rows. */
#ifndef MST_FORMATS_HDF5_READER_H
#define MST_FORMATS_HDF5_READER_H

#include "formats/format.h"

muster_status mst_h5_reader_open(mst_open_shard *open, muster_error *error);
void mst_h5_reader_close(mst_open_shard *open);
muster_status mst_h5_read_rows(const mst_open_shard *open, uint64_t lo, uint64_t hi, void *dst,
                               const int64_t *strides, muster_error *error);

#endif
