/* SPDX-License-Identifier: Apache-2.0 */
/* Attributes by which NetCDF packs numbers: scale_factor, add_offset, _FillValue, missing_value and
 * _Unsigned, as the CF conventions have them. */
#ifndef MST_FORMATS_HDF5_CF_H
#define MST_FORMATS_HDF5_CF_H

#include "formats/format.h"
#include "formats/hdf5/library.h"

#define MST_CF_MISSING 64

typedef struct mst_cf {
  bool is_applied;
  bool is_scaled;
  bool scales_single; /* the product is made in float32, whatever the sum is made in */
  bool is_single;     /* the result is float32, and so is the arithmetic */
  muster_type type;   /* of the stored elements, unsigned where _Unsigned says so */
  bool is_unsigned;   /* ... which it does */
  bool is_swapped;    /* they are in the other byte order */
  double scale;
  double offset;
  size_t missing_count;
  unsigned char missing[MST_CF_MISSING][8]; /* as stored elements in native order */
} mst_cf;

/* Reads the attributes of a dataset under the library's lock. When they are wanted, and there are
 * any, the schema's dtype becomes that of the result; when they are not, the note tells of them. */
muster_status mst_cf_read(const mst_h5 *library, const char *path, mst_h5_id dataset, bool wanted,
                          mst_schema *schema, mst_cf *cf, mst_str *note, muster_error *error);

/* Decodes `count` elements, dense at src, which it may change, to dst, dst + step, ... */
void mst_cf_decode(const mst_cf *cf, void *src, void *dst, int64_t step, size_t count);

#endif
