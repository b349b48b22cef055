/* SPDX-License-Identifier: Apache-2.0 */
/* An npy file, written at offsets by all threads, that appears whole or not at all. */
#include "base/alloc.h"
#include "base/io.h"
#include "base/status.h"
#include "formats/npy_header.h"
#include "sinks/sink.h"

typedef struct mst_npy_file {
  mst_new_file file;
  uint64_t data_offset;
} mst_npy_file;

static void close_file(void *state) {
  mst_npy_file *npy = state;
  if (npy == NULL) return;
  mst_new_file_reset(&npy->file);
  mst_free(npy);
}

static muster_status make_header(const mst_array *array, mst_str *header, muster_error *error) {
  mst_schema schema = {.dtype = array->dtype, .rank = array->rank};
  for (size_t i = 0; i < array->rank; i++)
    schema.shape[i] = array->shape[i];
  mst_npy_header_write(header, &schema);
  return header->failed ? mst_fail_memory(error) : MUSTER_OK;
}

static muster_status begin(mst_npy_file *npy, const mst_array *array, const char *path,
                           muster_error *error) {
  mst_str header = {0};
  muster_status status = make_header(array, &header, error);
  npy->data_offset = header.length;
  if (status == MUSTER_OK)
    status = mst_new_file_begin(&npy->file, path, npy->data_offset + array->bytes, error);
  if (status == MUSTER_OK)
    status = mst_io_write(npy->file.fd, path, 0, header.data, header.length, error);
  mst_str_reset(&header);
  return status;
}

static muster_status open_file(const mst_array *array, const muster_load_options *options,
                               void **state, muster_error *error) {
  *state = NULL;
  if (options->path == NULL)
    return mst_fail(error, MUSTER_ERR_USAGE, NULL, "no file was named to load into");
  if (array->rank > MUSTER_MAX_RANK)
    return mst_fail(error, MUSTER_ERR_MISMATCH, options->path,
                    "the array has 65 axes, an npy file at most 64");
  mst_npy_file *npy = mst_calloc(1, sizeof *npy);
  if (npy == NULL) return mst_fail_memory(error);
  const muster_status status = begin(npy, array, options->path, error);
  if (status == MUSTER_OK)
    *state = npy;
  else
    close_file(npy);
  return status;
}

static muster_status put(void *state, uint64_t offset, const void *data, size_t length,
                         muster_error *error) {
  const mst_npy_file *npy = state;
  return mst_io_write(npy->file.fd, npy->file.path, npy->data_offset + offset, data, length, error);
}

static muster_status finish(void *state, muster_error *error) {
  mst_npy_file *npy = state;
  return mst_new_file_commit(&npy->file, error);
}

const mst_sink_type mst_sink_npy_file = {
    .name = "npy", .open = open_file, .put = put, .finish = finish, .close = close_file};
