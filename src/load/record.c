/* SPDX-License-Identifier: Apache-2.0 */
#include "load/record.h"

#include <string.h>

#include "base/alloc.h"
#include "base/io.h"
#include "base/status.h"

char *mst_record_path(const char *folder, const char *name) {
  mst_str path = {0};
  mst_str_addf(&path, "%s%s%s", folder, mst_ends_with(folder, "/") ? "" : "/", name);
  return mst_str_take(&path);
}

muster_status mst_record_bad(const char *path, const char *what, muster_error *error) {
  return mst_fail(error, MUSTER_ERR_FORMAT, path, "damaged record: %s", what);
}

muster_status mst_record_read(const char *path, const char *schema, yyjson_doc **out,
                              muster_error *error) {
  *out = NULL;
  yyjson_doc *doc;
  const muster_status status = mst_json_read_file(path, &doc, error);
  if (status != MUSTER_OK) return status;
  if (yyjson_equals_str(yyjson_obj_get(yyjson_doc_get_root(doc), "schema"), schema)) {
    *out = doc;
    return MUSTER_OK;
  }
  yyjson_doc_free(doc);
  return mst_fail(error, MUSTER_ERR_FORMAT, path, "not a record of the kind %s", schema);
}

muster_status mst_record_write(const char *path, const yyjson_mut_doc *doc, muster_error *error) {
  mst_str text = {0};
  muster_status status = mst_json_text(doc, &text, error);
  if (status == MUSTER_OK) status = mst_io_write_file(path, text.data, text.length, error);
  mst_str_reset(&text);
  return status;
}

const char *mst_record_name_below(yyjson_val *value) {
  const char *name = yyjson_get_str(value);
  if (name == NULL || name[0] == '\0' || strlen(name) != yyjson_get_len(value)) return NULL;
  return mst_is_inside(name) && !mst_ends_with(name, "/") ? name : NULL;
}

const char *mst_record_name(yyjson_val *value) {
  const char *name = mst_record_name_below(value);
  return name != NULL && strchr(name, '/') == NULL ? name : NULL;
}
