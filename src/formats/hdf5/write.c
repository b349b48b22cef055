/* SPDX-License-Identifier: Apache-2.0 */
/* The library makes the file, with room for the elements; those are written without it. */
#include <string.h>

#include "base/alloc.h"
#include "base/status.h"
#include "formats/flat.h"
#include "formats/hdf5/file.h"
#include "formats/hdf5/format.h"
#include "formats/hdf5/type.h"

static mst_h5_id new_dataset(const mst_h5_file *file, const mst_schema *schema, mst_h5_id list) {
  const mst_h5 *library = file->library;
  mst_h5_size shape[MST_H5_MAX_RANK];
  for (size_t i = 0; i < schema->rank; i++)
    shape[i] = schema->shape[i];
  const mst_h5_id type = mst_h5_type_for(library, &schema->dtype);
  const mst_h5_id space = library->space_new((int)schema->rank, shape, NULL);
  mst_h5_id dataset = -1;
  if (type >= 0 && space >= 0)
    dataset = library->dataset_create(file->file, "data", type, space, MST_H5_DEFAULT, list,
                                      MST_H5_DEFAULT);
  if (type >= 0) (void)library->type_close(type);
  if (space >= 0) (void)library->space_close(space);
  return dataset;
}

/* The offset is 0 where there are no elements. */
static muster_status make_dataset(const mst_h5_file *file, const mst_schema *schema,
                                  uint64_t *offset, muster_error *error) {
  const mst_h5 *library = file->library;
  const mst_h5_id list = library->list_new(library->dataset_create_list);
  mst_h5_id dataset = -1;
  if (list >= 0 && library->set_alloc_time(list, MST_H5_ALLOC_EARLY) >= 0 &&
      library->set_fill_time(list, MST_H5_FILL_NEVER) >= 0)
    dataset = new_dataset(file, schema, list);
  const mst_h5_address at = dataset >= 0 ? library->dataset_offset(dataset) : MST_H5_NO_ADDRESS;
  *offset = at != MST_H5_NO_ADDRESS ? at : 0;
  const muster_status status =
      dataset >= 0 ? MUSTER_OK : mst_h5_file_fail(file, "make the dataset", error);
  if (dataset >= 0) (void)library->dataset_close(dataset);
  if (list >= 0) (void)library->list_close(list);
  return status;
}

static muster_status make_file(const mst_new_shard *shard, int fd, uint64_t *offset,
                               muster_error *error) {
  const mst_h5_access access = {.path = shard->path, .fd = fd, .is_new = true};
  const mst_h5 *library;
  muster_status status = mst_h5_use(&library, shard->path, error);
  if (status != MUSTER_OK) return status;
  mst_h5_file file;
  status = mst_h5_file_create(&file, library, &access, error);
  if (status == MUSTER_OK) status = make_dataset(&file, &shard->schema, offset, error);
  const bool closed = mst_h5_file_close(&file);
  if (status == MUSTER_OK && !closed) status = mst_h5_file_fail(&file, "write it", error);
  mst_h5_leave();
  return status;
}

muster_status mst_h5_write(const mst_new_shard *shard, muster_error *error) {
  int fd = -1;
  uint64_t offset = 0;
  if (shard->schema.rank > MST_H5_MAX_RANK)
    return mst_fail(error, MUSTER_ERR_USAGE, shard->path, "HDF5 has at most 32 axes");
  muster_status status = mst_io_create(shard->path, &fd, error);
  if (status != MUSTER_OK) return status;
  status = make_file(shard, fd, &offset, error);
  if (status == MUSTER_OK) status = mst_flat_write_elements(shard, fd, offset, error);
  const muster_status closed =
      mst_io_close_written(fd, shard->path, status == MUSTER_OK ? error : NULL);
  return status != MUSTER_OK ? status : closed;
}
