/* SPDX-License-Identifier: Apache-2.0 */
/* Undoing what HDF5 files do to chunks before they are stored, without the library and its lock. */
#ifndef MST_FORMATS_HDF5_FILTERS_H
#define MST_FORMATS_HDF5_FILTERS_H

#include <stdbool.h>

#include "codecs/codec.h"

enum { /* numbers of filters, as registered with The HDF Group */
       MST_H5_DEFLATE = 1,
       MST_H5_SHUFFLE = 2,
       MST_H5_FLETCHER32 = 3,
       MST_H5_SCALEOFFSET = 6,
       MST_H5_LZF = 32000,
       MST_H5_BLOSC = 32001,
       MST_H5_LZ4 = 32004,
       MST_H5_BITSHUFFLE = 32008,
       MST_H5_ZSTD = 32015
};

#define MST_H5_MAX_FILTERS 8
#define MST_H5_FILTER_VALUES 10

typedef struct mst_h5_filter {
  int id;
  unsigned count; /* of values that were stored with it */
  unsigned values[MST_H5_FILTER_VALUES];
} mst_h5_filter;

/* In the order in which they were applied. */
typedef struct mst_h5_filters {
  size_t count;
  mst_h5_filter list[MST_H5_MAX_FILTERS];
} mst_h5_filters;

/* Whether this build can undo it. */
bool mst_h5_can_undo(int id);

/* The name that a filter is known by; NULL: not known. */
const char *mst_h5_filter_name(int id);

/* Memory for what is between two filters. Zeroed memory is none yet. */
typedef struct mst_h5_between {
  void *memory[2];
  size_t room;
} mst_h5_between;

void mst_h5_between_reset(mst_h5_between *between);

/*
 * Undoes the filters but those whose bits are set in the mask, from `length` bytes at src, which it
 * may change, to exactly `size` bytes at dst. MUSTER_ERR_FORMAT: damaged.
 */
muster_status mst_h5_undo(const mst_h5_filters *filters, uint32_t mask, mst_decoder *decoder,
                          mst_h5_between *between, void *src, size_t length, void *dst, size_t size,
                          muster_error *error);

/* Undoes the shuffling of bits of `count` elements, a multiple of 8. The scratch memory is as long
 * as they are. */
void mst_h5_bit_unshuffle(const unsigned char *src, unsigned char *dst, size_t count,
                          size_t itemsize, unsigned char *scratch);

/* The bitshuffle filter, with whatever it compresses with. */
muster_status mst_h5_undo_bitshuffle(const mst_h5_filter *filter, mst_decoder *decoder,
                                     const void *src, size_t length, void *dst, size_t room,
                                     size_t *got, muster_error *error);

/* The scaleoffset filter, of integers and of floats. */
muster_status mst_h5_undo_scaleoffset(const mst_h5_filter *filter, const mst_decoder *decoder,
                                      const unsigned char *src, size_t length, unsigned char *dst,
                                      size_t room, size_t *got, muster_error *error);

/* A number of 4 or 8 bytes, highest first. */
uint64_t mst_h5_big_endian(const unsigned char *bytes, size_t count);

#endif
