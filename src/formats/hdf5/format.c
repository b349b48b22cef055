/* SPDX-License-Identifier: Apache-2.0 */
#include "formats/hdf5/format.h"

#include <string.h>

#include "base/alloc.h"
#include "base/shape.h"
#include "base/status.h"
#include "formats/hdf5/layout.h"
#include "formats/members.h"

#define MAGIC "\211HDF\r\n\032\n"
#define MAGIC_LENGTH 8
#define SUPERBLOCK_LENGTH 12 /* as much of it as is looked at */
#define FIRST_BLOCK 512      /* the smallest user block; larger ones double it */

/* The superblock within the first bytes of a file, or NULL. */
static const unsigned char *find_superblock(const unsigned char *head, size_t length) {
  for (size_t at = 0; at + SUPERBLOCK_LENGTH <= length; at = at == 0 ? FIRST_BLOCK : 2 * at)
    if (memcmp(head + at, MAGIC, MAGIC_LENGTH) == 0) return head + at;
  return NULL;
}

bool mst_h5_has_magic(const mst_probe *probe) {
  return find_superblock(probe->head, probe->head_length) != NULL;
}

/* The library would only look for this when it locks files. Version 3 is the first with such flags.
 */
static muster_status check_writer(const mst_source *source, muster_error *error) {
  enum { VERSION = 8, FLAGS = 11, IS_OPEN = 1 };
  const unsigned char *found = find_superblock(source->head, source->head_length);
  if (found == NULL || found[VERSION] < 3 || (found[FLAGS] & IS_OPEN) == 0) return MUSTER_OK;
  return mst_fail(error, MUSTER_ERR_UNSUPPORTED, source->path,
                  "is open for writing, or its writer ended before it was closed: close it there, "
                  "or run h5clear -s on it");
}

/* ---- which dataset ----------------------------------------------------------------------------- */

static const char *word_for(bool is_netcdf) { return is_netcdf ? "variable" : "dataset"; }

static mst_h5_choice choice_for(bool is_netcdf) {
  return is_netcdf ? MST_H5_VARIABLES : MST_H5_NUMBERS;
}

/* The name of the only one, or of the one that was asked for; else an error that lists them. */
static muster_status choose(mst_h5_file *file, const char *wanted, bool is_netcdf, char **name,
                            muster_error *error) {
  mst_names names = {0};
  size_t index = 0;
  muster_status status = mst_h5_list(file, choice_for(is_netcdf), &names, error);
  if (status == MUSTER_OK)
    status =
        mst_members_find(file->access.path, &names, wanted, word_for(is_netcdf), &index, error);
  if (status == MUSTER_OK) *name = mst_strdup(names.data[index]);
  mst_names_reset(&names);
  return status == MUSTER_OK && *name == NULL ? mst_fail_memory(error) : status;
}

/* A name that was given need not be among those that are listed: a coordinate, or a link. */
static muster_status open_wanted(mst_h5_file *file, const char *wanted, bool is_netcdf, char **name,
                                 mst_h5_id *dataset, muster_error *error) {
  *name = mst_strdup(wanted);
  if (*name == NULL) return mst_fail_memory(error);
  const muster_status status = mst_h5_dataset_open(file, wanted, dataset, error);
  if (status == MUSTER_OK || file->access.has_fault) return status;
  char *found = NULL;
  muster_error other;
  const muster_status listed = choose(file, wanted, is_netcdf, &found, &other);
  mst_free(found);
  if (listed != MUSTER_ERR_NOT_FOUND) return status;
  if (error != NULL) *error = other;
  return listed;
}

static muster_status open_dataset(mst_h5_file *file, const mst_source *source, bool is_netcdf,
                                  char **name, mst_h5_id *dataset, muster_error *error) {
  const char *wanted = source->member != NULL ? source->member : source->options->dataset;
  if (wanted != NULL) return open_wanted(file, wanted, is_netcdf, name, dataset, error);
  const muster_status status = choose(file, NULL, is_netcdf, name, error);
  return status == MUSTER_OK ? mst_h5_dataset_open(file, *name, dataset, error) : status;
}

/* ---- inspect ----------------------------------------------------------------------------------- */

static muster_status inspect_open(mst_h5_file *file, const mst_source *source, mst_schema *schema,
                                  mst_shard *shard, mst_str *note, bool is_netcdf,
                                  muster_error *error) {
  mst_h5_id dataset = -1;
  char *name = NULL;
  mst_h5_layout *layout = NULL;
  muster_status status = open_dataset(file, source, is_netcdf, &name, &dataset, error);
  if (status == MUSTER_OK) {
    const mst_h5_subject subject = {.file = file,
                                    .dataset = dataset,
                                    .name = name,
                                    .is_netcdf = is_netcdf,
                                    .is_joined = source->is_joined,
                                    .options = source->options};
    status = mst_h5_describe(&subject, schema, &shard->data_offset, &layout, note, error);
  }
  if (dataset >= 0) (void)file->library->dataset_close(dataset);
  shard->detail = layout;
  shard->by_rows = layout != NULL;
  if (shard->member == NULL && status == MUSTER_OK)
    shard->member = name;
  else
    mst_free(name);
  return status;
}

muster_status mst_h5_inspect(const mst_source *source, mst_schema *schema, mst_shard *shard,
                             mst_str *note, muster_error *error, bool is_netcdf) {
  const mst_h5_access access = {.path = source->path,
                                .fd = source->fd,
                                .size = source->stat->size,
                                .follow_external = source->options->follow_external};
  const mst_h5 *library;
  muster_status status = check_writer(source, error);
  if (status == MUSTER_OK) status = mst_h5_use(&library, source->path, error);
  if (status != MUSTER_OK) return status;
  mst_h5_file file;
  status = mst_h5_file_open(&file, library, &access, error);
  if (status == MUSTER_OK)
    status = inspect_open(&file, source, schema, shard, note, is_netcdf, error);
  (void)mst_h5_file_close(&file);
  mst_h5_leave();
  return status;
}

void mst_h5_forget(void *detail) { mst_h5_layout_free(detail); }

muster_status mst_h5_list_members(const char *path, const muster_open_options *options,
                                  mst_names *members, muster_error *error, bool is_netcdf) {
  int fd = -1;
  mst_stat stat;
  const mst_h5 *library;
  muster_status status = mst_io_open(path, &fd, error);
  if (status == MUSTER_OK) status = mst_io_fstat(fd, path, &stat, error);
  if (status == MUSTER_OK) status = mst_h5_use(&library, path, error);
  if (status == MUSTER_OK) {
    const mst_h5_access access = {
        .path = path, .fd = fd, .size = stat.size, .follow_external = options->follow_external};
    mst_h5_file file;
    status = mst_h5_file_open(&file, library, &access, error);
    if (status == MUSTER_OK) status = mst_h5_list(&file, choice_for(is_netcdf), members, error);
    (void)mst_h5_file_close(&file);
    mst_h5_leave();
  }
  mst_io_close(fd);
  return status;
}

bool mst_h5_band(const mst_shard *shard, uint64_t row, uint64_t *lo, uint64_t *hi) {
  const mst_h5_layout *layout = shard->detail;
  if (layout == NULL || !layout->has_chunks) return false;
  const uint64_t rows = layout->grid.chunk[0];
  *lo = row - row % rows;
  *hi = shard->rows - *lo < rows ? shard->rows : *lo + rows;
  return true;
}

/* ---- in Python --------------------------------------------------------------------------------- */

bool mst_h5_is_decoded(const mst_shard *shard) {
  const mst_h5_layout *layout = shard->detail;
  return layout != NULL && layout->cf.is_applied;
}

bool mst_h5_is_unsigned(const mst_shard *shard) {
  const mst_h5_layout *layout = shard->detail;
  return mst_h5_is_decoded(shard) && layout->cf.is_unsigned;
}

const char *mst_h5_python_member(const mst_shard *shard) { return shard->member; }
