/* SPDX-License-Identifier: Apache-2.0 */
/* Which dtype the elements of a dataset are. Under the library's lock. */
#ifndef MST_FORMATS_HDF5_TYPE_H
#define MST_FORMATS_HDF5_TYPE_H

#include "formats/hdf5/library.h"
#include "muster/dataset.h"

typedef struct mst_h5_type {
  muster_dtype dtype;
  bool is_converted; /* stored in a way that only the library knows: dtype is its native type's */
  size_t rank;       /* of each element: 0, unless it is an array */
  uint64_t shape[MST_H5_MAX_RANK];
} mst_h5_type;

/* MUSTER_ERR_UNSUPPORTED: they are no numbers. */
muster_status mst_h5_type_read(const mst_h5 *library, const char *path, mst_h5_id type,
                               mst_h5_type *out, muster_error *error);

/* The type to write elements of a dtype as; negative: there is none. To be closed. */
mst_h5_id mst_h5_type_for(const mst_h5 *library, const muster_dtype *dtype);

#endif
