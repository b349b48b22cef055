/* SPDX-License-Identifier: Apache-2.0 */
#include "formats/zarr/store.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/status.h"

#define MAX_METADATA ((size_t)64 << 20)
#define MAX_DEPTH 64

char *mst_zarr_join(const char *folder, const char *name) {
  mst_str path = {0};
  mst_str_add(&path, folder);
  if (!mst_ends_with(folder, "/")) mst_str_add(&path, "/");
  mst_str_add(&path, name);
  while (path.length > 1 && path.data[path.length - 1] == '/')
    path.data[--path.length] = '\0';
  return mst_str_take(&path);
}

/* ---- one folder ----------------------------------------------------------------------------------- */

static const char *const metadata_names[] = {"zarr.json", ".zarray", ".zgroup"};

muster_status mst_zarr_owns_folder(const char *folder, bool *owns, muster_error *error) {
  *owns = false;
  muster_status status = MUSTER_OK;
  for (size_t i = 0; !*owns && i < sizeof metadata_names / sizeof *metadata_names; i++) {
    char *path = mst_zarr_join(folder, metadata_names[i]);
    if (path == NULL) return mst_fail_memory(error);
    status = mst_io_find(path, owns, error);
    mst_free(path);
    if (status != MUSTER_OK) return status;
  }
  return MUSTER_OK;
}

static muster_status read_json(const char *path, yyjson_doc **doc, muster_error *error) {
  char *text;
  size_t length;
  muster_status status = mst_io_read_file(path, MAX_METADATA, &text, &length, error);
  if (status != MUSTER_OK) return status;
  status = mst_json_parse_python(path, text, length, doc, error);
  mst_free(text);
  return status;
}

static muster_status read_zarr_json(const char *path, yyjson_val *root, mst_zarr_node *node,
                                    mst_zarr_array *array, muster_error *error) {
  yyjson_val *type = yyjson_obj_get(root, "node_type");
  if (yyjson_equals_str(type, "group"))
    *node = MST_ZARR_GROUP;
  else if (yyjson_equals_str(type, "array"))
    *node = MST_ZARR_ARRAY;
  else
    return mst_fail(error, MUSTER_ERR_FORMAT, path, "damaged: it says neither array nor group");
  if (*node == MST_ZARR_GROUP || array == NULL) return MUSTER_OK;
  return mst_zarr_parse_v3(path, root, array, error);
}

static muster_status read_node(const char *path, size_t which, mst_zarr_node *node,
                               mst_zarr_array *array, muster_error *error) {
  yyjson_doc *doc;
  muster_status status = read_json(path, &doc, error);
  if (status != MUSTER_OK) return status;
  yyjson_val *root = yyjson_doc_get_root(doc);
  if (which == 0)
    status = read_zarr_json(path, root, node, array, error);
  else
    *node = which == 1 ? MST_ZARR_ARRAY : MST_ZARR_GROUP;
  if (which == 1 && array != NULL) status = mst_zarr_parse_v2(path, root, array, error);
  yyjson_doc_free(doc);
  return status;
}

muster_status mst_zarr_look(const char *folder, mst_zarr_node *node, mst_zarr_array *array,
                            char **metadata, muster_error *error) {
  *node = MST_ZARR_NO_NODE;
  for (size_t i = 0; i < sizeof metadata_names / sizeof *metadata_names; i++) {
    char *path = mst_zarr_join(folder, metadata_names[i]);
    if (path == NULL) return mst_fail_memory(error);
    bool found;
    muster_status status = mst_io_find(path, &found, error);
    if (status == MUSTER_OK && found) status = read_node(path, i, node, array, error);
    if (status == MUSTER_OK && found && metadata != NULL)
      *metadata = path;
    else
      mst_free(path);
    if (found || status != MUSTER_OK) return status;
  }
  return MUSTER_OK;
}

/* ---- all below a group ---------------------------------------------------------------------------- */

static muster_status list_below(const char *folder, const char *prefix, unsigned depth,
                                mst_names *names, muster_error *error);

/* What is damaged, or is no array of numbers, has no name here: who asks for it is told why. What
 * could not be looked at may be one: without it the others would be taken for all. */
static muster_status look_for(const char *path, mst_zarr_node *node, mst_zarr_array *array,
                              muster_error *error) {
  muster_error fault;
  const muster_status status = mst_zarr_look(path, node, array, NULL, &fault);
  if (status != MUSTER_OK) *node = MST_ZARR_NO_NODE;
  if (status != MUSTER_ERR_MEMORY && status != MUSTER_ERR_IO) return MUSTER_OK;
  if (error != NULL) *error = fault;
  return status;
}

static muster_status list_entry(const char *folder, const char *name, const char *prefix,
                                unsigned depth, mst_names *names, muster_error *error) {
  char *path = mst_zarr_join(folder, name);
  mst_str relative = {0};
  mst_str_addf(&relative, "%s%s%s", prefix, prefix[0] != '\0' ? "/" : "", name);
  mst_zarr_array *array = mst_alloc(sizeof *array);
  muster_status status = MUSTER_OK;
  mst_zarr_node node = MST_ZARR_NO_NODE;
  if (path == NULL || relative.failed || array == NULL)
    status = mst_fail_memory(error);
  else
    status = look_for(path, &node, array, error);
  if (node == MST_ZARR_ARRAY && array->schema.dtype.type != MUSTER_NO_TYPE) {
    if (!mst_names_take(names, mst_str_take(&relative))) status = mst_fail_memory(error);
  } else if (node == MST_ZARR_GROUP) {
    status = list_below(path, relative.data, depth + 1, names, error);
  }
  mst_free(array);
  mst_free(path);
  mst_str_reset(&relative);
  return status;
}

static muster_status list_below(const char *folder, const char *prefix, unsigned depth,
                                mst_names *names, muster_error *error) {
  if (depth > MAX_DEPTH)
    return mst_fail(error, MUSTER_ERR_UNSUPPORTED, folder, "groups in more than %d levels",
                    MAX_DEPTH);
  mst_entries entries = {0};
  muster_status status = mst_io_list_entries(folder, &entries, error);
  for (size_t i = 0; status == MUSTER_OK && i < entries.length; i++)
    if (entries.data[i].kind == MST_ENTRY_FOLDER)
      status = list_entry(folder, entries.data[i].name, prefix, depth, names, error);
  mst_entries_reset(&entries);
  return status;
}

static int compare_names(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

muster_status mst_zarr_list(const char *folder, mst_names *names, muster_error *error) {
  mst_zarr_node node;
  muster_status status = mst_zarr_look(folder, &node, NULL, NULL, error);
  if (status != MUSTER_OK || node == MST_ZARR_ARRAY) return status;
  status = list_below(folder, "", 0, names, error);
  if (names->length > 1) qsort(names->data, names->length, sizeof *names->data, compare_names);
  return status;
}
