/* SPDX-License-Identifier: Apache-2.0 */
/* The chunks of one Zarr array: which file, where in it, and their way into memory. One thread. */
#ifndef MST_FORMATS_ZARR_CHUNKS_H
#define MST_FORMATS_ZARR_CHUNKS_H

#include "formats/zarr/array.h"

typedef struct mst_zarr_reader mst_zarr_reader;

/* `folder` and `array` are borrowed. strict: a chunk that is not there is an error. NULL: no
 * memory. */
mst_zarr_reader *mst_zarr_reader_new(const char *folder, const mst_zarr_array *array, bool strict);
void mst_zarr_reader_free(mst_zarr_reader *reader);

/* Rows [lo, hi) into memory with strides (bytes), one for each axis. */
muster_status mst_zarr_read(mst_zarr_reader *reader, uint64_t lo, uint64_t hi, void *dst,
                            const int64_t *strides, muster_error *error);

/* Appends the key of a file: "c/0/1". The index counts files along each axis. */
void mst_zarr_add_key(mst_str *out, const mst_zarr_array *array, const uint64_t *index);

#endif
