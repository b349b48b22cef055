/* SPDX-License-Identifier: Apache-2.0 */
/* Undoing the codecs of one chunk of a Zarr array. */
#ifndef MST_FORMATS_ZARR_DECODE_H
#define MST_FORMATS_ZARR_DECODE_H

#include "codecs/codec.h"
#include "formats/zarr/array.h"

/* Memory between two steps, kept from chunk to chunk. Zeroed memory is none. */
typedef struct mst_zarr_scratch {
  unsigned char *blocks[2]; /* of the chain's room */
} mst_zarr_scratch;

void mst_zarr_scratch_reset(mst_zarr_scratch *scratch);

/* Decodes the chunk of `length` bytes at src into array->grid.chunk_bytes at dst, in C order. The
 * path of errors is the decoder's. */
muster_status mst_zarr_decode(const mst_zarr_array *array, mst_decoder *decoder,
                              mst_zarr_scratch *scratch, const void *src, size_t length, void *dst,
                              muster_error *error);

/* From the order of axes in the file to C order: what the first stored axis has at [first, first +
 * count) of a chunk that is otherwise decoded, dense at src, to its places in the chunk at dst. */
void mst_zarr_put_in_order(const mst_zarr_array *array, uint64_t first, uint64_t count,
                           const void *src, void *dst);

#endif
