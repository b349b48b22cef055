/* SPDX-License-Identifier: Apache-2.0 */
/* How a dataset lies in its file, and which way it is read. Under the library's lock. */
#ifndef MST_FORMATS_HDF5_LAYOUT_H
#define MST_FORMATS_HDF5_LAYOUT_H

#include "formats/chunks.h"
#include "formats/format.h"
#include "formats/hdf5/cf.h"
#include "formats/hdf5/file.h"
#include "formats/hdf5/filters.h"
#include "formats/hdf5/type.h"

typedef enum mst_h5_way {
  MST_H5_FLAT,      /* elements one behind the other */
  MST_H5_IN_CHUNKS, /* the library finds the chunks, the rest is done here */
  MST_H5_BY_LIBRARY,
  MST_H5_EMPTY /* never written: fill values */
} mst_h5_way;

/* mst_shard.detail of all that is not flat. */
typedef struct mst_h5_layout {
  mst_h5_way way;
  char *name;          /* of the dataset */
  size_t space_rank;   /* axes of the dataset; more come from elements that are arrays */
  mst_chunk_grid grid; /* shape: what is stored; chunk: likewise, if it has none */
  bool has_chunks;
  bool partial_unfiltered;          /* chunks that stick out of the array are not filtered */
  bool is_converted;                /* as in mst_h5_type */
  bool is_virtual;                  /* and names all of its sources */
  bool follow_external;             /* it may refer to files outside its folder */
  uint64_t data_offset;             /* of a flat one */
  bool is_padded;                   /* as long as other variables of its unlimited dimensions */
  uint64_t padded[MUSTER_MAX_RANK]; /* the shape with that */
  mst_h5_filters filters;
  mst_cf cf; /* what is done to the elements, if asked for */
} mst_h5_layout;

void mst_h5_layout_free(mst_h5_layout *layout);

/* What is asked of a dataset that is open. */
typedef struct mst_h5_subject {
  mst_h5_file *file;
  mst_h5_id dataset;
  const char *name;
  bool is_netcdf;
  bool is_joined; /* as in mst_source */
  const muster_open_options *options;
} mst_h5_subject;

/* Fills the schema, and for a flat dataset *data_offset; *layout is NULL then. */
muster_status mst_h5_describe(const mst_h5_subject *subject, mst_schema *schema,
                              uint64_t *data_offset, mst_h5_layout **layout, mst_str *note,
                              muster_error *error);

/* ---- other files that a dataset refers to (sources.c) ---- */

/* Whether all external files are there, may be read, and hold their parts of `bytes`. */
muster_status mst_h5_check_external(const mst_h5_file *file, mst_h5_id list, uint64_t bytes,
                                    muster_error *error);

/* Whether all sources of a virtual dataset are there and may be read, and theirs; and whether some
 * are as many as there are blocks, so that the last one is looked for in vain. */
muster_status mst_h5_check_virtual(mst_h5_file *file, mst_h5_id list, bool *counts_blocks,
                                   muster_error *error);

/* ---- dimensions of NetCDF (dimensions.c) ---- */

/* The shape with each unlimited axis as long as its dimension. */
muster_status mst_h5_pad(mst_h5_file *file, mst_h5_id dataset, size_t rank, const mst_h5_size *most,
                         uint64_t *shape, muster_error *error);

#endif
