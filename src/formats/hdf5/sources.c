/* SPDX-License-Identifier: Apache-2.0 */
/* Other files that a dataset refers to: they are where it says, and may be read, or it is an error.
 * The library itself would show fill values for what it cannot find. */
#include <inttypes.h>
#include <string.h>

#include "base/alloc.h"
#include "base/shape.h"
#include "base/status.h"
#include "formats/hdf5/layout.h"

/* Virtual datasets of virtual datasets. */
#define MAX_DEPTH 8
#define MAX_NAME 4096

/* Relative names are relative to the file. NULL: no memory. */
static char *beside(const char *path, const char *name) {
  if (name[0] == '/') return mst_strdup(name);
  char *folder = mst_h5_folder(path);
  mst_str whole = {0};
  mst_str_add(&whole, folder != NULL ? folder : "");
  mst_str_add(&whole, name);
  mst_free(folder);
  return mst_str_take(&whole);
}

static muster_status check_file(const mst_h5_file *file, const char *other, muster_error *error) {
  const mst_h5_access *access = &file->access;
  bool found = false;
  const muster_status status = mst_io_find(other, &found, error);
  if (status != MUSTER_OK) return status;
  if (!found)
    return mst_fail(error, MUSTER_ERR_NOT_FOUND, access->path,
                    "part of it is in another file, %.200s, and that is not there: put it back",
                    other);
  if (access->follow_external || mst_h5_is_inside(access->path, other)) return MUSTER_OK;
  return mst_fail(error, MUSTER_ERR_UNSUPPORTED, access->path,
                  "part of it is in a file outside its folder, %.200s: --follow-external reads it",
                  other);
}

/* ---- external files ---------------------------------------------------------------------------- */

static muster_status check_part(const mst_h5_file *file, const char *other, int64_t offset,
                                uint64_t bytes, muster_error *error) {
  mst_stat stat;
  muster_status status = check_file(file, other, error);
  if (status == MUSTER_OK) status = mst_io_stat(other, &stat, error);
  if (status != MUSTER_OK) return status;
  if (offset >= 0 && (uint64_t)offset <= stat.size && bytes <= stat.size - (uint64_t)offset)
    return MUSTER_OK;
  return mst_fail(error, MUSTER_ERR_FORMAT, file->access.path,
                  "truncated: %" PRIu64 " bytes of it are in %.200s from byte %" PRId64
                  " on, which has %" PRIu64,
                  bytes, other, offset, stat.size);
}

muster_status mst_h5_check_external(const mst_h5_file *file, mst_h5_id list, uint64_t bytes,
                                    muster_error *error) {
  const mst_h5 *library = file->library;
  const int count = library->external_count(list);
  for (int i = 0; i < count && bytes > 0; i++) {
    char name[MAX_NAME] = "";
    int64_t offset = 0;
    mst_h5_size size = 0;
    if (library->external(list, (unsigned)i, sizeof name - 1, name, &offset, &size) < 0)
      return mst_h5_file_fail(file, "read where it lies", error);
    name[sizeof name - 1] = '\0';
    char *other = beside(file->access.path, name);
    if (other == NULL) return mst_fail_memory(error);
    const uint64_t part = mst_smaller(size, bytes);
    const muster_status status = check_part(file, other, offset, part, error);
    mst_free(other);
    if (status != MUSTER_OK) return status;
    bytes -= part;
  }
  return MUSTER_OK;
}

/* ---- virtual datasets -------------------------------------------------------------------------- */

typedef struct mst_h5_sources {
  mst_h5_file *file;
  mst_h5_id in;     /* the file at hand, one of the sources or the first */
  const char *path; /* its path */
  unsigned depth;
  bool *counts_blocks;
  muster_error *error;
} mst_h5_sources;

static muster_status check_list(const mst_h5_sources *sources, mst_h5_id list);

/* A source that is there may have sources itself. */
static muster_status check_dataset(const mst_h5_sources *sources, const char *name) {
  const mst_h5 *library = sources->file->library;
  const mst_h5_id dataset = library->dataset_open(sources->in, name, sources->file->dataset_list);
  if (dataset < 0)
    return mst_fail(sources->error, MUSTER_ERR_NOT_FOUND, sources->file->access.path,
                    "part of it is dataset %.100s of %.200s, and that is not there", name,
                    sources->path);
  const mst_h5_id list = library->dataset_creation(dataset);
  muster_status status = MUSTER_OK;
  if (list >= 0 && library->layout(list) == MST_H5_VIRTUAL) status = check_list(sources, list);
  if (list >= 0) (void)library->list_close(list);
  (void)library->dataset_close(dataset);
  return status;
}

static muster_status check_source(const mst_h5_sources *sources, const char *name,
                                  const char *dataset) {
  mst_h5_sources next = *sources;
  next.depth++;
  if (strcmp(name, ".") == 0) return check_dataset(&next, dataset);
  const mst_h5 *library = sources->file->library;
  char *other = beside(sources->path, name);
  if (other == NULL) return mst_fail_memory(sources->error);
  muster_status status = check_file(sources->file, other, sources->error);
  if (status == MUSTER_OK) {
    next.path = other;
    next.in = library->file_open(other, MST_H5_READ_ONLY, sources->file->access_list);
    if (next.in < 0)
      status = mst_h5_fail(library, other, "open it", sources->error);
    else
      status = check_dataset(&next, dataset);
    if (next.in >= 0) (void)library->file_close(next.in);
  }
  mst_free(other);
  return status;
}

static muster_status check_list(const mst_h5_sources *sources, mst_h5_id list) {
  const mst_h5 *library = sources->file->library;
  char name[2][MAX_NAME] = {"", ""}, dataset[2][MAX_NAME] = {"", ""};
  size_t count = 0;
  if (sources->depth >= MAX_DEPTH)
    return mst_fail(sources->error, MUSTER_ERR_UNSUPPORTED, sources->file->access.path,
                    "virtual datasets of virtual datasets, more than %d deep", MAX_DEPTH);
  if (library->virtual_count(list, &count) < 0)
    return mst_h5_file_fail(sources->file, "read its sources", sources->error);
  for (size_t i = 0; i < count; i++) {
    char *file_now = name[i % 2], *dataset_now = dataset[i % 2];
    const int64_t length = library->virtual_file(list, i, file_now, MAX_NAME);
    const int64_t other = library->virtual_dataset(list, i, dataset_now, MAX_NAME);
    if (length < 0 || other < 0 || length >= MAX_NAME || other >= MAX_NAME)
      return mst_h5_file_fail(sources->file, "read its sources", sources->error);
    /* Names that count blocks (%b) stand for as many files as there are. */
    if (strchr(file_now, '%') != NULL || strchr(dataset_now, '%') != NULL) {
      *sources->counts_blocks = true;
      continue;
    }
    if (i > 0 && strcmp(name[0], name[1]) == 0 && strcmp(dataset[0], dataset[1]) == 0) continue;
    const muster_status status = check_source(sources, file_now, dataset_now);
    if (status != MUSTER_OK) return status;
  }
  return MUSTER_OK;
}

muster_status mst_h5_check_virtual(mst_h5_file *file, mst_h5_id list, bool *counts_blocks,
                                   muster_error *error) {
  const mst_h5_sources sources = {.file = file,
                                  .in = file->file,
                                  .path = file->access.path,
                                  .counts_blocks = counts_blocks,
                                  .error = error};
  return check_list(&sources, list);
}
