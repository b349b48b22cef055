/* SPDX-License-Identifier: Apache-2.0 */
/* Options that nobody would look at were meant for other files. */
#include "formats/format.h"

const char *mst_useless_option(const mst_format *format, const muster_open_options *options) {
  const struct {
    bool given;
    unsigned takes;
    const char *why;
  } rows[] = {
      {options->row_shape_set || options->header_bytes_set || options->sidecar != NULL,
       MST_TAKES_DESCRIPTION,
       "which says itself what it holds: row shape, header bytes and sidecars are for raw files"},
      {options->columns != NULL || options->null_value != NULL, MST_TAKES_COLUMNS,
       "which has no columns: --columns and --null are for Parquet and Arrow"},
      {options->strict, MST_TAKES_STRICT,
       "in which no chunks may be missing: --strict is for Zarr"},
      {options->decode_cf, MST_TAKES_CF,
       "whose values are what they are: --decode-cf is for NetCDF and HDF5"},
      {options->follow_external, MST_TAKES_EXTERNAL,
       "which refers to no other files: --follow-external is for HDF5 and NetCDF"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (rows[i].given && (format->takes & rows[i].takes) == 0) return rows[i].why;
  if (format->list_members == NULL && options->dataset != NULL)
    return "which holds one array: --dataset is for files with several";
  return NULL;
}
