/* SPDX-License-Identifier: Apache-2.0 */
/* What the formats hdf5 and netcdf share; the one is the other with conventions on top. */
#ifndef MST_FORMATS_HDF5_FORMAT_H
#define MST_FORMATS_HDF5_FORMAT_H

#include "formats/format.h"

/* Whether the beginning of a file is that of HDF5, also behind a user block. */
bool mst_h5_has_magic(const mst_probe *probe);

/* The functions of an mst_format, of which the last argument says which format it is. */
muster_status mst_h5_list_members(const char *path, const muster_open_options *options,
                                  mst_names *members, muster_error *error, bool is_netcdf);
muster_status mst_h5_inspect(const mst_source *source, mst_schema *schema, mst_shard *shard,
                             mst_str *note, muster_error *error, bool is_netcdf);

void mst_h5_forget(void *detail);
bool mst_h5_band(const mst_shard *shard, uint64_t row, uint64_t *lo, uint64_t *hi);

/* Whether scale_factor and the like are applied. */
bool mst_h5_is_decoded(const mst_shard *shard);
/* Whether that makes signed numbers unsigned. */
bool mst_h5_is_unsigned(const mst_shard *shard);

/* See mst_format. */
const char *mst_h5_python_member(const mst_shard *shard);

/* Writes a shard as the dataset "data", its elements one behind the other. */
muster_status mst_h5_write(const mst_new_shard *shard, muster_error *error);

#endif
