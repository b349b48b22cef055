/* SPDX-License-Identifier: Apache-2.0 */
/* The indices of shards: where in the file each chunk is. */
#ifndef MST_FORMATS_ZARR_INDEX_H
#define MST_FORMATS_ZARR_INDEX_H

#include "formats/zarr/array.h"

#define MST_ZARR_MAX_INDICES 64

typedef struct mst_zarr_index {
  uint64_t file_number;
  unsigned char *entries; /* offset and length of each chunk; NULL: there is no such file */
  uint64_t count;
  uint64_t file_size;
  bool swapped;
} mst_zarr_index;

/* Those that were read last. Zeroed memory is none. */
typedef struct mst_zarr_indices {
  mst_zarr_index kept[MST_ZARR_MAX_INDICES];
  size_t count;
  size_t next; /* to be replaced */
  uint64_t bytes;
} mst_zarr_indices;

void mst_zarr_indices_reset(mst_zarr_indices *indices);

/* NULL: it was not read yet, or not lately. */
const mst_zarr_index *mst_zarr_indices_find(const mst_zarr_indices *indices, uint64_t file_number);

/* Reads the index of a shard that is open as fd; -1: there is no such file. *index stays until the
 * next call. */
muster_status mst_zarr_indices_read(mst_zarr_indices *indices, const mst_zarr_array *array, int fd,
                                    const char *path, uint64_t file_size, uint64_t file_number,
                                    const mst_zarr_index **index, muster_error *error);

/* Where a chunk is; *found says whether it is there. */
muster_status mst_zarr_index_entry(const mst_zarr_index *index, uint64_t entry, const char *path,
                                   uint64_t *offset, uint64_t *length, bool *found,
                                   muster_error *error);

#endif
