/* SPDX-License-Identifier: Apache-2.0 */
/* muster_clean: takes away what muster_write made, and nothing else. */
#include "base/alloc.h"
#include "base/io.h"
#include "base/status.h"
#include "formats/sidecar.h"
#include "load/order.h"
#include "load/record.h"

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

static muster_status remove_files(const char *dir, const char *record, yyjson_val *root,
                                  uint64_t *removed, muster_error *error) {
  muster_status first = MUSTER_OK;
  size_t i, count;
  yyjson_val *file;
  yyjson_arr_foreach(yyjson_obj_get(root, "files"), i, count, file) {
    const char *name = mst_record_name(yyjson_obj_get(file, "name"));
    yyjson_val *bytes = yyjson_obj_get(file, "bytes");
    if (name == NULL || !yyjson_is_uint(bytes)) return mst_record_bad(record, "a file", error);
    char *path = mst_record_path(dir, name);
    if (path == NULL) return mst_fail_memory(error);
    const muster_status status =
        remove_file(path, yyjson_get_uint(bytes), removed, first == MUSTER_OK ? error : NULL);
    mst_free(path);
    if (first == MUSTER_OK) first = status;
  }
  return first;
}

/* The sidecar of a raw dataset, and the record itself, last: a clean can be tried again. */
static muster_status remove_descriptions(const char *dir, const char *record, yyjson_val *root,
                                         muster_error *error) {
  if (yyjson_equals_str(yyjson_obj_get(root, "format"), "raw")) {
    char *sidecar = mst_record_path(dir, mst_sidecar_names[0]);
    if (sidecar == NULL) return mst_fail_memory(error);
    const muster_status status = mst_io_remove(sidecar, error);
    mst_free(sidecar);
    if (status != MUSTER_OK && status != MUSTER_ERR_NOT_FOUND) return status;
  }
  return mst_io_remove(record, error);
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

muster_status muster_clean(const char *dir, uint64_t *removed, muster_error *error) {
  uint64_t none;
  if (removed == NULL) removed = &none;
  *removed = 0;
  char *record = mst_record_path(dir, MST_WRITE_RECORD);
  if (record == NULL) return mst_fail_memory(error);
  yyjson_doc *doc;
  muster_status status = mst_record_read(record, MST_WRITE_SCHEMA, &doc, error);
  if (status == MUSTER_ERR_NOT_FOUND)
    (void)mst_fail(error, status, dir, "'muster write' did not make this folder: nothing removed");
  if (status == MUSTER_OK) {
    yyjson_val *root = yyjson_doc_get_root(doc);
    status = remove_files(dir, record, root, removed, error);
    if (status == MUSTER_OK) status = remove_descriptions(dir, record, root, error);
    yyjson_doc_free(doc);
    if (status == MUSTER_OK) status = remove_folder(dir, error);
  }
  mst_free(record);
  return status;
}
