/* SPDX-License-Identifier: Apache-2.0 */
/* muster_clean: takes away what muster_write made, and the seal of it; nothing else. */
#include <string.h>

#include "base/alloc.h"
#include "base/io.h"
#include "base/status.h"
#include "formats/sidecar.h"
#include "load/order.h"
#include "load/record.h"
#include "load/tree.h"

/* A file of the record; one that is gone already is no failure. */
static muster_status remove_file(const char *path, uint64_t bytes, uint64_t *removed,
                                 muster_error *error) {
  mst_stat info;
  muster_status status = mst_io_stat(path, &info, error);
  if (status == MUSTER_ERR_NOT_FOUND) return MUSTER_OK;
  if (status != MUSTER_OK) return status;
  if (!info.is_regular || info.size != bytes)
    return mst_fail(error, MUSTER_ERR_CHANGED, path,
                    "is not as it was written, and is left: remove it yourself");
  status = mst_io_remove(path, error);
  if (status == MUSTER_OK) (*removed)++;
  return status;
}

/* Likewise a shard that is a folder, of so many files: all of it or nothing. */
static muster_status remove_shard_folder(const char *path, const mst_weight *written,
                                         uint64_t *removed, muster_error *error) {
  mst_tree tree = {0};
  mst_stat info;
  muster_status status = mst_io_stat(path, &info, error);
  if (status == MUSTER_ERR_NOT_FOUND) return MUSTER_OK;
  if (status == MUSTER_OK && info.is_directory) status = mst_tree_list(path, &tree, error);
  if (status == MUSTER_OK && (tree.bytes != written->bytes || tree.files.length != written->files))
    status = mst_fail(error, MUSTER_ERR_CHANGED, path,
                      "is not as it was written, and is left: remove it yourself");
  if (status == MUSTER_OK) status = mst_tree_remove(path, &tree, error);
  if (status == MUSTER_OK) (*removed)++;
  mst_tree_reset(&tree);
  return status;
}

static muster_status remove_shard(const char *path, yyjson_val *file, uint64_t *removed,
                                  muster_error *error) {
  const mst_weight written = {.bytes = yyjson_get_uint(yyjson_obj_get(file, "bytes")),
                              .files = yyjson_get_uint(yyjson_obj_get(file, "files"))};
  if (written.files == 0) return remove_file(path, written.bytes, removed, error);
  return remove_shard_folder(path, &written, removed, error);
}

/* shard_0007.npy: no other name is one that muster_write gives. */
static bool is_shard_name(const char *name, const mst_format *format) {
  if (!mst_starts_with(name, "shard_")) return false;
  const char *digits = name + strlen("shard_");
  const size_t count = strspn(digits, "0123456789");
  const size_t extension = strcspn(format->extensions, " ");
  return count >= 4 && strlen(digits + count) == extension &&
         memcmp(digits + count, format->extensions, extension) == 0;
}

/* All of the record is looked at before anything is removed. */
static muster_status check_record(const char *record, yyjson_val *root, muster_error *error) {
  const char *format_name = yyjson_get_str(yyjson_obj_get(root, "format"));
  const mst_format *format = format_name != NULL ? mst_format_named(format_name) : NULL;
  yyjson_val *files = yyjson_obj_get(root, "files");
  if (format == NULL || format->write == NULL || !yyjson_is_arr(files))
    return mst_record_bad(record, "format or files", error);
  size_t i, count;
  yyjson_val *file;
  yyjson_arr_foreach(files, i, count, file) {
    const char *name = mst_record_name(yyjson_obj_get(file, "name"));
    if (name == NULL || !is_shard_name(name, format) ||
        !yyjson_is_uint(yyjson_obj_get(file, "bytes")))
      return mst_record_bad(record, "a file that 'muster write' does not make", error);
  }
  return MUSTER_OK;
}

static muster_status remove_files(const char *dir, yyjson_val *root, uint64_t *removed,
                                  muster_error *error) {
  muster_status first = MUSTER_OK;
  size_t i, count;
  yyjson_val *file;
  yyjson_arr_foreach(yyjson_obj_get(root, "files"), i, count, file) {
    char *path = mst_record_path(dir, yyjson_get_str(yyjson_obj_get(file, "name")));
    if (path == NULL) return mst_fail_memory(error);
    const muster_status status =
        remove_shard(path, file, removed, first == MUSTER_OK ? error : NULL);
    mst_free(path);
    if (first == MUSTER_OK) first = status;
  }
  return first;
}

/* The sidecar of a raw dataset, if it is as it was written. */
static muster_status remove_sidecar(const char *dir, yyjson_val *root, muster_error *error) {
  yyjson_val *bytes = yyjson_obj_get(root, "sidecar_bytes");
  if (!yyjson_is_uint(bytes)) return MUSTER_OK;
  char *sidecar = mst_record_path(dir, mst_sidecar_names[0]);
  if (sidecar == NULL) return mst_fail_memory(error);
  uint64_t removed = 0;
  const muster_status status = remove_file(sidecar, yyjson_get_uint(bytes), &removed, error);
  mst_free(sidecar);
  return status;
}

/* A seal of shards that are gone has no use; it must be one, though. */
static muster_status remove_seal(const char *dir, muster_error *error) {
  char *seal = mst_record_path(dir, MST_SEAL_RECORD);
  if (seal == NULL) return mst_fail_memory(error);
  yyjson_doc *doc;
  muster_status status = mst_record_read(seal, MST_SEAL_SCHEMA, &doc, error);
  if (status == MUSTER_OK) {
    yyjson_doc_free(doc);
    status = mst_io_remove(seal, error);
  } else if (status == MUSTER_ERR_NOT_FOUND) {
    status = MUSTER_OK;
  }
  mst_free(seal);
  return status;
}

/* Names one of the files that keep the folder. */
static muster_status tell_what_is_left(const char *dir, muster_error *error) {
  mst_names names = {0};
  muster_status status = mst_io_list(dir, &names, error);
  mst_order_by_name(&names);
  char *path = status == MUSTER_OK && names.length > 0 ? mst_record_path(dir, names.data[0]) : NULL;
  if (status == MUSTER_OK)
    status =
        mst_fail(error, MUSTER_ERR_EXISTS, path != NULL ? path : dir,
                 "was not made by 'muster write': it is left, and so is the folder; remove both "
                 "yourself");
  mst_free(path);
  mst_names_reset(&names);
  return status;
}

static muster_status remove_folder(const char *dir, muster_error *error) {
  bool removed;
  const muster_status status = mst_io_remove_folder(dir, &removed, error);
  if (status != MUSTER_OK || removed) return status;
  return tell_what_is_left(dir, error);
}

/* The record goes last but for the folder: until then a clean can be tried again. */
static muster_status clean_folder(const char *dir, uint64_t *removed, muster_error *error) {
  char *record = mst_record_path(dir, MST_WRITE_RECORD);
  if (record == NULL) return mst_fail_memory(error);
  yyjson_doc *doc;
  muster_status status = mst_record_read(record, MST_WRITE_SCHEMA, &doc, error);
  if (status == MUSTER_ERR_NOT_FOUND)
    (void)mst_fail(error, status, dir, "'muster write' did not make this folder: nothing removed");
  if (status == MUSTER_OK) {
    yyjson_val *root = yyjson_doc_get_root(doc);
    status = check_record(record, root, error);
    if (status == MUSTER_OK) status = remove_files(dir, root, removed, error);
    if (status == MUSTER_OK) status = remove_sidecar(dir, root, error);
    if (status == MUSTER_OK) status = remove_seal(dir, error);
    if (status == MUSTER_OK) status = mst_io_remove(record, error);
    if (status == MUSTER_OK) status = remove_folder(dir, error);
    yyjson_doc_free(doc);
  }
  mst_free(record);
  return status;
}

muster_status muster_clean(const char *dir, uint64_t *removed, muster_error *error) {
  uint64_t none;
  if (removed == NULL) removed = &none;
  *removed = 0;
  /* A folder cannot be removed by way of a link to it, nor as ".". */
  char *real = mst_io_resolve(dir);
  if (real == NULL) return mst_fail_memory(error);
  const muster_status status = clean_folder(real, removed, error);
  mst_free(real);
  return status;
}
