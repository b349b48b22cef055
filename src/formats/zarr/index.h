/* SPDX-License-Identifier: Apache-2.0 */
/* The indices of shards: where in the file each chunk is. */
#ifndef MST_FORMATS_ZARR_INDEX_H
#define MST_FORMATS_ZARR_INDEX_H

#include "formats/zarr/array.h"

#define MST_ZARR_MAX_INDICES 64

typedef struct mst_zarr_index {
  size_t level;
  uint64_t number;        /* of the shard among those of its level */
  unsigned char *entries; /* offset and length of what is in it; NULL: there is no such file */
  uint64_t count;
  uint64_t size; /* of the shard */
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
const mst_zarr_index *mst_zarr_indices_find(const mst_zarr_indices *indices, size_t level,
                                            uint64_t number);

/* A shard of a level, in a file that is open as fd; -1: there is no such file. */
typedef struct mst_zarr_extent {
  int fd;
  const char *path;
  uint64_t offset;
  uint64_t size;
} mst_zarr_extent;

/* Reads the index of a shard. *index stays until the next call. */
muster_status mst_zarr_indices_read(mst_zarr_indices *indices, const mst_zarr_array *array,
                                    size_t level, const mst_zarr_extent *extent, uint64_t number,
                                    const mst_zarr_index **index, muster_error *error);

/* Where in the shard an entry is; *found says whether it is there. */
muster_status mst_zarr_index_entry(const mst_zarr_index *index, uint64_t entry, const char *path,
                                   uint64_t *offset, uint64_t *length, bool *found,
                                   muster_error *error);

#endif
