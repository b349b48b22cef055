/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Columns of tensors: fixed-size lists with the extension type arrow.fixed_shape_tensor, whose
 * metadata tell their shape and the order of their axes. Source: "Canonical Extension Types" of the
 * Apache Arrow documentation.
 */
#include <string.h>

#include "base/json.h"
#include "base/shape.h"
#include "formats/arrow/arrow.h"

enum { FIELD_METADATA = 6 };
enum { PAIR_KEY, PAIR_VALUE };

typedef struct mst_text {
  const char *data;
  size_t length;
} mst_text;

static mst_text text_of(const mst_fb_table *pair, unsigned field) {
  const mst_fb_vector text = mst_fb_elements(pair, field, 1);
  if (text.count == 0) return (mst_text){"", 0};
  return (mst_text){(const char *)text.buffer->data + text.at, text.count};
}

static bool is_text(mst_text text, const char *wanted) {
  return text.length == strlen(wanted) && memcmp(text.data, wanted, text.length) == 0;
}

/* The value behind a key of the field's metadata; false: there is none. */
static bool find_value(const mst_fb_table *field, const char *key, mst_text *value) {
  const mst_fb_vector pairs = mst_fb_elements(field, FIELD_METADATA, 4);
  for (size_t i = 0; i < pairs.count && !field->buffer->bad; i++) {
    const mst_fb_table pair = mst_fb_table_of(&pairs, i);
    if (!is_text(text_of(&pair, PAIR_KEY), key)) continue;
    *value = text_of(&pair, PAIR_VALUE);
    return !field->buffer->bad;
  }
  return false;
}

static bool read_numbers(yyjson_val *list, size_t *count, uint64_t *out) {
  *count = yyjson_arr_size(list);
  if (!yyjson_is_arr(list) || *count > MST_COLUMN_MAX_RANK) return false;
  for (size_t i = 0; i < *count; i++) {
    yyjson_val *number = yyjson_arr_get(list, i);
    if (!yyjson_is_uint(number)) return false;
    out[i] = yyjson_get_uint(number);
  }
  return true;
}

/* Axis i of the array is axis order[i] of what lies in the file. */
static bool read_order(yyjson_val *list, mst_arrow_row *row) {
  uint64_t order[MST_COLUMN_MAX_RANK];
  bool seen[MST_COLUMN_MAX_RANK] = {false};
  size_t count;
  for (size_t i = 0; i < row->rank; i++)
    row->axes[i] = (unsigned char)i;
  if (list == NULL || yyjson_is_null(list)) return true;
  if (!read_numbers(list, &count, order) || count != row->rank) return false;
  for (size_t i = 0; i < count; i++) {
    if (order[i] >= count || seen[order[i]]) return false;
    seen[order[i]] = true;
    row->axes[order[i]] = (unsigned char)i;
  }
  return true;
}

static bool read_metadata(yyjson_val *root, mst_column *column, mst_arrow_row *row) {
  uint64_t elements;
  if (!read_numbers(yyjson_obj_get(root, "shape"), &row->rank, row->shape) ||
      !mst_shape_elements(row->rank, row->shape, 1, &elements) || elements != row->lengths[0] ||
      !read_order(yyjson_obj_get(root, "permutation"), row))
    return false;
  column->rank = row->rank;
  for (size_t i = 0; i < row->rank; i++)
    column->shape[row->axes[i]] = row->shape[i];
  return true;
}

bool mst_arrow_take_tensor(const mst_fb_table *field, mst_column *column, mst_arrow_row *row) {
  mst_text name, metadata;
  yyjson_doc *doc;
  if (row->lists != 1 || !find_value(field, "ARROW:extension:name", &name) ||
      !is_text(name, "arrow.fixed_shape_tensor"))
    return true;
  if (!find_value(field, "ARROW:extension:metadata", &metadata)) metadata = (mst_text){"", 0};
  const muster_status status = mst_json_parse(NULL, metadata.data, metadata.length, &doc, NULL);
  if (status == MUSTER_ERR_MEMORY) return false;
  if (status != MUSTER_OK || !read_metadata(yyjson_doc_get_root(doc), column, row))
    field->buffer->bad = true;
  if (status == MUSTER_OK) yyjson_doc_free(doc);
  return true;
}
