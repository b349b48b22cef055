/* SPDX-License-Identifier: Apache-2.0 */
#include "formats/hdf5/file.h"

#include <string.h>

#include "base/alloc.h"
#include "base/status.h"

char *mst_h5_folder(const char *path) {
  return mst_strndup(path, (size_t)(mst_base_name(path) - path));
}

muster_status mst_h5_file_fail(const mst_h5_file *file, const char *what, muster_error *error) {
  if (!file->access.has_fault) return mst_h5_fail(file->library, file->access.path, what, error);
  if (error != NULL) *error = file->access.fault;
  return file->access.fault.status;
}

/* ---- opening and closing ----------------------------------------------------------------------- */

/* Links into other files are not followed: offsets would be those of another file. */
static mst_h5_result refuse_link(const char *parent_file, const char *parent_group,
                                 const char *other, const char *object, unsigned *flags,
                                 mst_h5_id list, void *data) {
  (void)parent_file, (void)parent_group, (void)flags, (void)list;
  mst_h5_access *access = data;
  access->has_fault = true;
  (void)mst_fail(&access->fault, MUSTER_ERR_UNSUPPORTED, access->path,
                 "that name is a link into another file: open %.150s with --dataset %.150s instead",
                 other, object);
  return -1;
}

static muster_status make_lists(mst_h5_file *file, muster_error *error) {
  const mst_h5 *library = file->library;
  mst_h5_access *access = &file->access;
  file->access_list = library->list_new(library->file_access);
  file->dataset_list = library->list_new(library->dataset_access);
  char *folder = mst_h5_folder(access->path);
  if (folder == NULL) return mst_fail_memory(error);
  const bool done =
      file->access_list >= 0 && file->dataset_list >= 0 &&
      library->set_driver(file->access_list, library->driver, &access) >= 0 &&
      library->set_close_degree(file->access_list, MST_H5_CLOSE_STRONG) >= 0 &&
      library->set_external_prefix(file->dataset_list, folder[0] != '\0' ? folder : NULL) >= 0 &&
      library->set_link_callback(file->dataset_list, refuse_link, access) >= 0;
  mst_free(folder);
  return done ? MUSTER_OK : mst_h5_file_fail(file, "prepare itself", error);
}

static void begin(mst_h5_file *file, const mst_h5 *library, const mst_h5_access *access) {
  *file = (mst_h5_file){
      .library = library, .access = *access, .file = -1, .access_list = -1, .dataset_list = -1};
}

muster_status mst_h5_file_open(mst_h5_file *file, const mst_h5 *library,
                               const mst_h5_access *access, muster_error *error) {
  begin(file, library, access);
  const muster_status status = make_lists(file, error);
  if (status != MUSTER_OK) return status;
  file->file = library->file_open(access->path, MST_H5_READ_ONLY, file->access_list);
  return file->file >= 0 ? MUSTER_OK : mst_h5_file_fail(file, "open it", error);
}

muster_status mst_h5_file_create(mst_h5_file *file, const mst_h5 *library,
                                 const mst_h5_access *access, muster_error *error) {
  begin(file, library, access);
  const muster_status status = make_lists(file, error);
  if (status != MUSTER_OK) return status;
  file->file =
      library->file_create(access->path, MST_H5_TRUNCATE, MST_H5_DEFAULT, file->access_list);
  return file->file >= 0 ? MUSTER_OK : mst_h5_file_fail(file, "make it", error);
}

bool mst_h5_file_close(mst_h5_file *file) {
  bool done = true;
  if (file->file >= 0) done = file->library->file_close(file->file) >= 0;
  if (file->access_list >= 0) (void)file->library->list_close(file->access_list);
  if (file->dataset_list >= 0) (void)file->library->list_close(file->dataset_list);
  file->file = file->access_list = file->dataset_list = -1;
  return done && !file->access.has_fault;
}

muster_status mst_h5_dataset_open(mst_h5_file *file, const char *name, mst_h5_id *dataset,
                                  muster_error *error) {
  *dataset = file->library->dataset_open(file->file, name, file->dataset_list);
  if (*dataset >= 0) return MUSTER_OK;
  mst_str what = {0};
  mst_str_addf(&what, "open dataset %.150s", name);
  const muster_status status = mst_h5_file_fail(file, mst_str_text(&what), error);
  mst_str_reset(&what);
  return status;
}

/* A string of variable length is read as a pointer to memory of the library's. */
static bool is_variable_text(const mst_h5 *library, mst_h5_id attribute, mst_h5_id type,
                             mst_h5_id space, const char *text) {
  char *value = NULL;
  if (library->attribute_read(attribute, type, &value) < 0) return false;
  const bool same = value != NULL && strcmp(value, text) == 0;
  (void)library->free_variable(type, space, MST_H5_DEFAULT, &value);
  return same;
}

static bool is_fixed_text(const mst_h5 *library, mst_h5_id attribute, mst_h5_id type,
                          const char *text) {
  char value[64] = "";
  return library->type_size(type) < sizeof value &&
         library->attribute_read(attribute, type, value) >= 0 && strcmp(value, text) == 0;
}

bool mst_h5_has_text(const mst_h5 *library, mst_h5_id object, const char *attribute,
                     const char *text) {
  if (library->attribute_exists(object, attribute) <= 0) return false;
  const mst_h5_id found = library->attribute_open(object, attribute, MST_H5_DEFAULT);
  const mst_h5_id type = found >= 0 ? library->attribute_type(found) : -1;
  const mst_h5_id space = found >= 0 ? library->attribute_space(found) : -1;
  bool same = false;
  if (type >= 0 && space >= 0 && library->type_kind(type) == MST_H5_STRING &&
      library->space_elements(space) == 1)
    same = library->type_is_variable(type) > 0 ? is_variable_text(library, found, type, space, text)
                                               : is_fixed_text(library, found, type, text);
  if (space >= 0) (void)library->space_close(space);
  if (type >= 0) (void)library->type_close(type);
  if (found >= 0) (void)library->attribute_close(found);
  return same;
}
