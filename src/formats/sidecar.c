/* SPDX-License-Identifier: Apache-2.0 */
#include "formats/sidecar.h"

#include <inttypes.h>
#include <string.h>

#include "base/alloc.h"
#include "base/dtype.h"
#include "base/json.h"
#include "base/shape.h"
#include "base/status.h"

const char *const mst_sidecar_names[] = {"shard_meta.json", "_meta.json", NULL};

/* A sidecar being read: where it came from, for the errors. */
typedef struct mst_reading {
  const char *path;
  yyjson_val *root;
  mst_sidecar *out;
  muster_error *error;
} mst_reading;

static muster_status bad(const mst_reading *reading, const char *key, const char *what) {
  return mst_fail(reading->error, MUSTER_ERR_FORMAT, reading->path, "\"%s\" %s", key, what);
}

static muster_status read_byte_order(const mst_reading *reading) {
  yyjson_val *value = yyjson_obj_get(reading->root, "byte_order");
  if (value == NULL) return MUSTER_OK;
  const char *text = yyjson_get_str(value);
  const bool big = text != NULL && strcmp(text, "big") == 0;
  if (!big && (text == NULL || strcmp(text, "little") != 0))
    return bad(reading, "byte_order", "is neither \"little\" nor \"big\"");
  const bool other = big != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
  muster_dtype *dtype = &reading->out->dtype;
  if (dtype->swapped && !other) return bad(reading, "byte_order", "and the dtype disagree");
  dtype->swapped = other && mst_swap_unit(dtype->type) > 1;
  return MUSTER_OK;
}

static muster_status read_dtype(const mst_reading *reading) {
  yyjson_val *value = yyjson_obj_get(reading->root, "dtype");
  const char *text = yyjson_get_str(value);
  if (text == NULL) return bad(reading, "dtype", "is missing or no string, such as \"float32\"");
  if (strlen(text) != yyjson_get_len(value) ||
      muster_dtype_parse(text, &reading->out->dtype, NULL) != MUSTER_OK)
    return bad(reading, "dtype", "is no dtype of numbers: write it as NumPy does (\"float32\")");
  return read_byte_order(reading);
}

static muster_status read_trailing(const mst_reading *reading) {
  yyjson_val *list = yyjson_obj_get(reading->root, "trailing_shape");
  if (!yyjson_is_arr(list))
    return bad(reading, "trailing_shape", "is missing or no list ([] for one value a row)");
  if (yyjson_arr_size(list) >= MUSTER_MAX_RANK)
    return bad(reading, "trailing_shape", "has more than 63 entries");
  size_t i, count;
  yyjson_val *value;
  yyjson_arr_foreach(list, i, count, value) {
    if (!yyjson_is_uint(value))
      return bad(reading, "trailing_shape", "holds something else than whole numbers from 0 on");
    reading->out->trailing[i] = yyjson_get_uint(value);
  }
  reading->out->rank = count;
  uint64_t elements;
  if (!mst_shape_elements(count, reading->out->trailing, muster_type_size(reading->out->dtype.type),
                          &elements))
    return bad(reading, "trailing_shape", "describes more bytes than 64 bits can count");
  return MUSTER_OK;
}

static muster_status read_header_bytes(const mst_reading *reading) {
  yyjson_val *value = yyjson_obj_get(reading->root, "header_bytes");
  if (value == NULL) return MUSTER_OK;
  if (!yyjson_is_uint(value) || yyjson_get_uint(value) > MST_MAX_BYTES)
    return bad(reading, "header_bytes", "is no whole number from 0 on");
  reading->out->header_bytes = yyjson_get_uint(value);
  return MUSTER_OK;
}

static muster_status read_rows(const mst_reading *reading) {
  yyjson_val *list = yyjson_obj_get(reading->root, "per_shard_rows");
  if (list == NULL) return MUSTER_OK;
  if (!yyjson_is_arr(list)) return bad(reading, "per_shard_rows", "is no list");
  mst_sidecar *out = reading->out;
  out->has_rows = true;
  out->rows = mst_calloc(yyjson_arr_size(list), sizeof *out->rows);
  if (out->rows == NULL) return mst_fail_memory(reading->error);
  size_t i, count;
  yyjson_val *value;
  yyjson_arr_foreach(list, i, count, value) {
    if (!yyjson_is_uint(value))
      return bad(reading, "per_shard_rows", "holds something else than whole numbers from 0 on");
    out->rows[i] = yyjson_get_uint(value);
  }
  out->rows_count = count;
  return MUSTER_OK;
}

static bool is_plain_name(const char *name, size_t length) {
  return length > 0 && strlen(name) == length && strchr(name, '/') == NULL && mst_is_inside(name);
}

static muster_status read_files(const mst_reading *reading) {
  yyjson_val *list = yyjson_obj_get(reading->root, "files");
  if (list == NULL) return MUSTER_OK;
  mst_sidecar *out = reading->out;
  if (!yyjson_is_arr(list)) return bad(reading, "files", "is no list");
  if (!out->has_rows || yyjson_arr_size(list) != out->rows_count)
    return bad(reading, "files", "and \"per_shard_rows\" must have the same length");
  out->files = mst_calloc(out->rows_count, sizeof *out->files);
  if (out->files == NULL) return mst_fail_memory(reading->error);
  out->files_count = out->rows_count;
  size_t i, count;
  yyjson_val *value;
  yyjson_arr_foreach(list, i, count, value) {
    const char *name = yyjson_get_str(value);
    if (name == NULL || !is_plain_name(name, yyjson_get_len(value)))
      return bad(reading, "files",
                 "holds something else than names of files in this folder; others are refused");
    out->files[i] = mst_strdup(name);
    if (out->files[i] == NULL) return mst_fail_memory(reading->error);
  }
  return MUSTER_OK;
}

static muster_status refuse_key(const mst_reading *reading, const char *key,
                                const char *const *known) {
  const char *near = mst_nearest(key, known);
  return mst_fail(reading->error, MUSTER_ERR_FORMAT, reading->path, "unknown key \"%.60s\"%s%s%s",
                  key,
                  near != NULL ? "; did you mean \""
                               : "; known are dtype, trailing_shape, per_shard_rows, byte_order, "
                                 "header_bytes and files",
                  near != NULL ? near : "", near != NULL ? "\"?" : "");
}

/* A misspelt key would otherwise be passed over in silence, and of two the wrong one taken. */
static muster_status check_keys(const mst_reading *reading) {
  static const char *const known[] = {
      "dtype", "trailing_shape", "per_shard_rows", "byte_order", "header_bytes", "files", NULL};
  bool seen[sizeof known / sizeof *known] = {false};
  size_t i, count;
  yyjson_val *key, *value;
  yyjson_obj_foreach(reading->root, i, count, key, value) {
    size_t k = 0;
    while (known[k] != NULL && !yyjson_equals_str(key, known[k]))
      k++;
    if (known[k] == NULL) return refuse_key(reading, yyjson_get_str(key), known);
    if (seen[k]) return bad(reading, known[k], "stands there twice");
    seen[k] = true;
  }
  return MUSTER_OK;
}

static muster_status read_all(const mst_reading *reading) {
  if (!yyjson_is_obj(reading->root))
    return mst_fail(reading->error, MUSTER_ERR_FORMAT, reading->path,
                    "not a JSON object that describes raw files");
  muster_status (*const steps[])(const mst_reading *) = {
      check_keys, read_dtype, read_trailing, read_header_bytes, read_rows, read_files};
  muster_status status = MUSTER_OK;
  for (size_t i = 0; status == MUSTER_OK && i < sizeof steps / sizeof *steps; i++)
    status = steps[i](reading);
  return status;
}

muster_status mst_sidecar_parse(const char *path, const char *text, size_t length, mst_sidecar *out,
                                muster_error *error) {
  *out = (mst_sidecar){0};
  yyjson_doc *doc;
  muster_status status = mst_json_parse(path, text, length, &doc, error);
  if (status != MUSTER_OK) return status;
  const mst_reading reading = {
      .path = path, .root = yyjson_doc_get_root(doc), .out = out, .error = error};
  status = read_all(&reading);
  yyjson_doc_free(doc);
  return status;
}

void mst_sidecar_reset(mst_sidecar *sidecar) {
  for (size_t i = 0; i < sidecar->files_count; i++)
    mst_free(sidecar->files[i]);
  mst_free(sidecar->files);
  mst_free(sidecar->rows);
  *sidecar = (mst_sidecar){0};
}

bool mst_sidecar_rows(const mst_sidecar *sidecar, size_t index, const char *name, uint64_t *rows) {
  if (sidecar->files != NULL) {
    /* Most often the files stand in the order of the dataset. */
    const bool in_place = index < sidecar->files_count && strcmp(sidecar->files[index], name) == 0;
    size_t at = in_place ? index : 0;
    while (at < sidecar->files_count && strcmp(sidecar->files[at], name) != 0)
      at++;
    index = at;
  }
  if (index >= sidecar->rows_count) return false;
  *rows = sidecar->rows[index];
  return true;
}
