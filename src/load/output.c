/* SPDX-License-Identifier: Apache-2.0 */
#include "load/output.h"

#include <string.h>

#include "base/alloc.h"
#include "base/status.h"
#include "formats/sidecar.h"
#include "load/listing.h"
#include "load/name_pattern.h"
#include "load/record.h"

static bool is_description(const char *name) {
  for (size_t i = 0; mst_sidecar_names[i] != NULL; i++)
    if (strcmp(name, mst_sidecar_names[i]) == 0) return true;
  return strcmp(name, MST_WRITE_RECORD) == 0;
}

muster_status mst_check_output(const muster_dataset *dataset, const char *output,
                               muster_error *error) {
  mst_stat info;
  const muster_status status = mst_io_stat(output, &info, error);
  if (status == MUSTER_ERR_NOT_FOUND) return MUSTER_OK;
  if (status != MUSTER_OK) return status;
  if (is_description(mst_base_name(output)))
    return mst_fail(error, MUSTER_ERR_USAGE, output,
                    "describes a dataset and is not replaced; write elsewhere");
  for (size_t i = 0; i < dataset->shard_count; i++) {
    const mst_stat *shard = &dataset->shards[i].stat;
    if (shard->inode == info.inode && shard->device == info.device)
      return mst_fail(error, MUSTER_ERR_USAGE, output, "is one of the shards; write elsewhere");
  }
  return MUSTER_OK;
}

/* ---- among others ------------------------------------------------------------------------------ */

/* Where it lies. NULL: no memory. */
static char *folder_of(const char *path) {
  const size_t length = (size_t)(mst_base_name(path) - path);
  return length > 0 ? mst_strndup(path, length) : mst_strdup(".");
}

static muster_status stat_folder_of(const char *path, mst_stat *out, muster_error *error) {
  char *folder = folder_of(path);
  if (folder == NULL) return mst_fail_memory(error);
  const muster_status status = mst_io_stat(folder, out, error);
  mst_free(folder);
  return status;
}

static bool is_same(const mst_stat *a, const mst_stat *b) {
  return a->inode == b->inode && a->device == b->device;
}

/* Whether a shard lies in that folder. Most lie where the one before does. */
static muster_status holds_shard(const muster_dataset *dataset, const mst_stat *folder, bool *holds,
                                 muster_error *error) {
  const char *before = NULL;
  size_t known = 0;
  *holds = false;
  for (size_t i = 0; !*holds && i < dataset->shard_count; i++) {
    const char *path = dataset->shards[i].path;
    const size_t length = (size_t)(mst_base_name(path) - path);
    if (before != NULL && length == known && strncmp(path, before, length) == 0) continue;
    mst_stat theirs = {0};
    const muster_status status = stat_folder_of(path, &theirs, error);
    if (status != MUSTER_OK) return status;
    *holds = is_same(folder, &theirs);
    before = path;
    known = length;
  }
  return MUSTER_OK;
}

/* Whether an input is a folder of shards, or is itself where the output shall lie. */
static muster_status look_at_inputs(const char *const *inputs, size_t count, const mst_stat *folder,
                                    bool *has_folder, bool *is_input, muster_error *error) {
  *has_folder = *is_input = false;
  for (size_t i = 0; i < count; i++) {
    mst_stat info;
    const mst_format *format = NULL;
    muster_status status = mst_io_stat(inputs[i], &info, error);
    if (status == MUSTER_ERR_NOT_FOUND) continue; /* a pattern, or a list */
    if (status == MUSTER_OK && !info.is_directory) continue;
    if (status == MUSTER_OK) status = mst_format_of_folder(inputs[i], &format, error);
    if (status != MUSTER_OK) return status;
    *has_folder = *has_folder || format == NULL;
    *is_input = *is_input || is_same(folder, &info);
  }
  return MUSTER_OK;
}

/* Removes what is to be replaced. */
static void remove_name(mst_names *paths, const char *name) {
  size_t kept = 0;
  for (size_t i = 0; i < paths->length; i++) {
    char *path = paths->data[i];
    if (strcmp(mst_base_name(path), name) == 0)
      mst_free(path);
    else
      paths->data[kept++] = path;
  }
  paths->length = kept;
}

static bool is_series(const mst_names *paths) {
  mst_pattern pattern;
  if (paths->length < 2) return false;
  mst_pattern_find(&pattern, paths->data, paths->length);
  return pattern.followed && pattern.numbers > 0 && mst_has_extension(paths->data[0], ".npy");
}

/* Whether its folder holds npy files that are numbered: a dataset, by the looks of it. */
static muster_status look_around(const char *output, bool *joins, muster_error *error) {
  muster_open_options options;
  muster_open_options_init(&options);
  char *folder = folder_of(output);
  if (folder == NULL) return mst_fail_memory(error);
  mst_listing listing;
  muster_error fault; /* what cannot be listed is no dataset */
  const char *const inputs[] = {folder};
  const muster_status status = mst_listing_make(&listing, inputs, 1, &options, &fault);
  if (status == MUSTER_OK) remove_name(&listing.paths, mst_base_name(output));
  *joins = status == MUSTER_OK && is_series(&listing.paths);
  mst_listing_reset(&listing);
  mst_free(folder);
  return status == MUSTER_ERR_MEMORY ? mst_fail_memory(error) : MUSTER_OK;
}

muster_status mst_check_neighbours(const muster_dataset *dataset, const char *const *inputs,
                                   size_t count, const char *output, muster_error *error) {
  mst_stat folder = {0};
  bool has_folder, is_input, is_beside, joins = false;
  if (dataset->format->scheme != NULL) return MUSTER_OK;
  muster_status status = stat_folder_of(output, &folder, error);
  if (status == MUSTER_OK)
    status = look_at_inputs(inputs, count, &folder, &has_folder, &is_input, error);
  if (status == MUSTER_OK) status = holds_shard(dataset, &folder, &is_beside, error);
  if (status == MUSTER_OK && is_beside && !has_folder) status = look_around(output, &joins, error);
  if (status != MUSTER_OK) return status;
  if (!is_input && !(is_beside && (has_folder || joins))) return MUSTER_OK;
  return mst_fail(error, MUSTER_ERR_USAGE, output,
                  "would lie among the shards and be taken for one; write it elsewhere");
}
