/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Arrays that are stored in chunks of one shape, as Zarr and HDF5 do: which chunks rows lie in, and
 * their way into memory. Where a chunk is found and how it is decoded is the format's business.
 */
#ifndef MST_FORMATS_CHUNKS_H
#define MST_FORMATS_CHUNKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "muster/dataset.h"

/* The largest element there is, in bytes. */
#define MST_MAX_ITEM 32

typedef struct mst_chunk_grid {
  size_t rank; /* 0: one element, one chunk */
  size_t itemsize;
  uint64_t shape[MUSTER_MAX_RANK];  /* of the array */
  uint64_t chunk[MUSTER_MAX_RANK];  /* of each chunk; those at the end may stick out of the array */
  size_t chunk_bytes;               /* decoded; set by mst_chunks_check */
  unsigned char fill[MST_MAX_ITEM]; /* an element of chunks that are not there, as in the file */
} mst_chunk_grid;

/* Sets chunk_bytes. MUSTER_ERR_FORMAT, _UNSUPPORTED: chunks without elements, or of more than 4
 * GiB.
 */
muster_status mst_chunks_check(mst_chunk_grid *grid, const char *path, muster_error *error);

/* Rows [*lo, *hi) of the array that lie in the same chunks as the row; as mst_format.band. */
void mst_chunks_band(const mst_chunk_grid *grid, uint64_t row, uint64_t *lo, uint64_t *hi);

/* The number of chunks along an axis. */
uint64_t mst_chunks_along(const mst_chunk_grid *grid, size_t axis);

/* Where chunks come from. An index has an entry for each axis, counted in chunks. */
typedef struct mst_chunk_source {
  void *context;
  /* Looks for a chunk, and says whether it is there. */
  muster_status (*find)(void *context, const uint64_t *index, bool *found, muster_error *error);
  /* Decodes the chunk that was just found into grid->chunk_bytes of memory, in C order. */
  muster_status (*decode)(void *context, const uint64_t *index, void *dst, muster_error *error);
  /* Bytes of the chunk that was just found, from `offset` of it on. NULL: it is not stored as it is
   * decoded, and is only decoded as a whole. */
  muster_status (*read_part)(void *context, const uint64_t *index, uint64_t offset, void *dst,
                             size_t length, muster_error *error);
  void *scratch; /* memory for a chunk, made when it is needed; mst_chunk_source_reset frees it */
} mst_chunk_source;

void mst_chunk_source_reset(mst_chunk_source *source);

/* Rows [lo, hi) into memory with strides (bytes), one for each axis. */
muster_status mst_chunks_read(const mst_chunk_grid *grid, mst_chunk_source *source, uint64_t lo,
                              uint64_t hi, void *dst, const int64_t *strides, muster_error *error);

#endif
