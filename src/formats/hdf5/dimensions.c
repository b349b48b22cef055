/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Dimensions of NetCDF-4. A variable may be shorter than an unlimited dimension of it, which is as
 * long as the longest variable that has it; what lacks reads as fill values. Each variable refers
 * to the datasets that stand for its dimensions by their addresses.
 */
#include <string.h>

#include "base/alloc.h"
#include "base/shape.h"
#include "formats/hdf5/layout.h"

/* The dimensions of a dataset, as the addresses of their datasets; MST_H5_NO_ADDRESS: unknown. */
static bool read_references(const mst_h5 *library, mst_h5_id dataset, size_t rank,
                            mst_h5_address *dimensions) {
  const mst_h5_id list = library->attribute_exists(dataset, "DIMENSION_LIST") > 0
                             ? library->attribute_open(dataset, "DIMENSION_LIST", MST_H5_DEFAULT)
                             : -1;
  if (list < 0) return false;
  const mst_h5_id type = library->attribute_type(list), space = library->attribute_space(list);
  const mst_h5_id base = type >= 0 ? library->type_super(type) : -1;
  mst_h5_variable entries[MST_H5_MAX_RANK] = {{0}};
  const bool fits = space >= 0 && base >= 0 && library->type_kind(type) == MST_H5_VARIABLE &&
                    library->type_kind(base) == MST_H5_REFERENCE &&
                    library->type_size(base) == sizeof *dimensions &&
                    library->space_elements(space) == (int64_t)rank;
  const bool done = fits && library->attribute_read(list, type, entries) >= 0;
  for (size_t i = 0; done && i < rank; i++)
    if (entries[i].length == 1) memcpy(&dimensions[i], entries[i].data, sizeof *dimensions);
  if (done) (void)library->free_variable(type, space, MST_H5_DEFAULT, entries);
  if (base >= 0) (void)library->type_close(base);
  if (space >= 0) (void)library->space_close(space);
  if (type >= 0) (void)library->type_close(type);
  (void)library->attribute_close(list);
  return done;
}

static void find_dimensions(const mst_h5 *library, mst_h5_id dataset, size_t rank,
                            mst_h5_address *dimensions) {
  for (size_t i = 0; i < rank; i++)
    dimensions[i] = MST_H5_NO_ADDRESS;
  if (read_references(library, dataset, rank, dimensions)) return;
  /* One that stands for a dimension has it itself. */
  mst_h5_address own;
  if (rank == 1 && mst_h5_has_text(library, dataset, "CLASS", "DIMENSION_SCALE") &&
      library->refer(&own, dataset, ".", 0, -1) >= 0)
    dimensions[0] = own;
}

/* Makes the shape as long as this dataset is, where both have a dimension. */
static void compare(const mst_h5 *library, mst_h5_id other, size_t rank,
                    const mst_h5_address *dimensions, const mst_h5_size *most, uint64_t *shape) {
  mst_h5_size others[MST_H5_MAX_RANK];
  mst_h5_address its[MST_H5_MAX_RANK];
  const mst_h5_id space = library->dataset_space(other);
  if (space < 0) return;
  const int count = library->space_kind(space) == MST_H5_SIMPLE ? library->space_rank(space) : 0;
  const bool known =
      count > 0 && count <= MST_H5_MAX_RANK && library->space_shape(space, others, NULL) == count;
  (void)library->space_close(space);
  if (!known) return;
  find_dimensions(library, other, (size_t)count, its);
  for (size_t i = 0; i < rank; i++)
    for (size_t k = 0; k < (size_t)count; k++)
      if (most[i] == MST_H5_UNLIMITED && dimensions[i] != MST_H5_NO_ADDRESS &&
          dimensions[i] == its[k])
        shape[i] = mst_larger(shape[i], others[k]);
}

muster_status mst_h5_pad(mst_h5_file *file, mst_h5_id dataset, size_t rank, const mst_h5_size *most,
                         uint64_t *shape, muster_error *error) {
  const mst_h5 *library = file->library;
  mst_h5_address dimensions[MST_H5_MAX_RANK];
  bool is_unlimited = false;
  find_dimensions(library, dataset, rank, dimensions);
  for (size_t i = 0; i < rank; i++)
    is_unlimited =
        is_unlimited || (most[i] == MST_H5_UNLIMITED && dimensions[i] != MST_H5_NO_ADDRESS);
  if (!is_unlimited) return MUSTER_OK;
  mst_names names = {0};
  const muster_status status = mst_h5_list(file, MST_H5_ALL_DATASETS, &names, error);
  for (size_t i = 0; status == MUSTER_OK && i < names.length; i++) {
    const mst_h5_id other = library->dataset_open(file->file, names.data[i], file->dataset_list);
    if (other < 0) continue;
    compare(library, other, rank, dimensions, most, shape);
    (void)library->dataset_close(other);
  }
  mst_names_reset(&names);
  return status;
}
