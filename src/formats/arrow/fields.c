/* SPDX-License-Identifier: Apache-2.0 */
#include "formats/arrow/fields.h"

#include <string.h>

#include "base/alloc.h"

/* Numbers of the members in Arrow's definition of its schema. */
enum { MESSAGE_HEADER_TYPE = 1, MESSAGE_HEADER = 2, SCHEMA_FIELDS = 1 };
enum { FIELD_NAME = 0, FIELD_TYPE_TYPE = 2, FIELD_TYPE = 3, FIELD_CHILDREN = 5 };
enum { HEADER_IS_SCHEMA = 1, TYPE_FIXED_SIZE_LIST = 16, TYPE_DURATION = 18 };

void mst_arrow_fields_reset(mst_arrow_fields *fields) {
  mst_free(fields->bytes);
  *fields = (mst_arrow_fields){0};
}

/* ---- base64 ----------------------------------------------------------------------------------- */

static int sextet_of(char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (c >= '0' && c <= '9') return c - '0' + 52;
  return c == '+' ? 62 : c == '/' ? 63 : -1;
}

static size_t decode_base64(const char *text, size_t length, unsigned char *out) {
  size_t made = 0;
  uint32_t bits = 0;
  unsigned count = 0;
  for (size_t i = 0; i < length; i++) {
    const int sextet = sextet_of(text[i]);
    if (sextet < 0) break;
    bits = bits << 6 | (uint32_t)sextet;
    count += 6;
    if (count < 8) continue;
    count -= 8;
    out[made++] = (unsigned char)(bits >> count);
  }
  return made;
}

/* ---- Flatbuffers: every place is checked before it is read; 0 is no place ---------------------- */

static uint32_t number_at(const mst_arrow_fields *fields, size_t at, size_t bytes) {
  if (fields->length < bytes || at > fields->length - bytes) return 0;
  uint32_t value = 0;
  for (size_t i = 0; i < bytes; i++)
    value |= (uint32_t)fields->bytes[at + i] << 8 * i;
  return value;
}

/* Where a member of the table is; 0 when it is not there. */
static size_t member_of(const mst_arrow_fields *fields, size_t table, size_t member) {
  const int64_t list = (int64_t)table - (int32_t)number_at(fields, table, 4);
  if (table == 0 || list <= 0 || list > (int64_t)fields->length) return 0;
  const size_t at = (size_t)list;
  if (number_at(fields, at, 2) < 6 + 2 * member) return 0;
  const uint32_t offset = number_at(fields, at + 4 + 2 * member, 2);
  return offset == 0 ? 0 : table + offset;
}

static size_t follow(const mst_arrow_fields *fields, size_t at) {
  const uint32_t offset = at == 0 ? 0 : number_at(fields, at, 4);
  return offset == 0 || offset >= fields->length - at ? 0 : at + offset;
}

static size_t member_table(const mst_arrow_fields *fields, size_t table, size_t member) {
  const size_t at = member_of(fields, table, member);
  return at < fields->length ? follow(fields, at) : 0;
}

static void find_fields(mst_arrow_fields *fields) {
  /* Behind a mark and a length, or in older files behind a length alone. */
  const size_t message = follow(fields, number_at(fields, 0, 4) == UINT32_MAX ? 8 : 4);
  const size_t type = member_of(fields, message, MESSAGE_HEADER_TYPE);
  if (type == 0 || number_at(fields, type, 1) != HEADER_IS_SCHEMA) return;
  const size_t schema = member_table(fields, message, MESSAGE_HEADER);
  const size_t list = member_table(fields, schema, SCHEMA_FIELDS);
  if (list == 0) return;
  const uint32_t count = number_at(fields, list, 4);
  if (count > (fields->length - list) / 4) return;
  fields->first = list + 4;
  fields->count = count;
}

bool mst_arrow_fields_init(mst_arrow_fields *fields, const char *base64, size_t length) {
  *fields = (mst_arrow_fields){0};
  if (length == 0) return true;
  fields->bytes = mst_alloc(length);
  if (fields->bytes == NULL) return false;
  fields->length = decode_base64(base64, length, fields->bytes);
  if (fields->length >= 16) find_fields(fields);
  return true;
}

/* ---- fields ----------------------------------------------------------------------------------- */

static bool has_name(const mst_arrow_fields *fields, size_t field, const char *name,
                     size_t length) {
  const size_t text = member_table(fields, field, FIELD_NAME);
  if (text == 0 || number_at(fields, text, 4) != length) return false;
  return fields->length - text >= 4 && length <= fields->length - text - 4 &&
         memcmp(fields->bytes + text + 4, name, length) == 0;
}

/* The one that all elements of a list are like. */
static size_t child_of(const mst_arrow_fields *fields, size_t field) {
  const size_t list = member_table(fields, field, FIELD_CHILDREN);
  return list == 0 || number_at(fields, list, 4) != 1 ? 0 : follow(fields, list + 4);
}

static uint32_t type_of(const mst_arrow_fields *fields, size_t field) {
  const size_t at = member_of(fields, field, FIELD_TYPE_TYPE);
  return at == 0 ? 0 : number_at(fields, at, 1);
}

static void set_duration(const mst_arrow_fields *fields, size_t field, mst_arrow_field *out) {
  static const char units[][4] = {"s", "ms", "us", "ns"};
  const size_t at = member_of(fields, member_table(fields, field, FIELD_TYPE), 0);
  const uint32_t unit = at == 0 ? 1 : number_at(fields, at, 2);
  if (unit < 4) memcpy(out->duration, units[unit], sizeof out->duration);
}

bool mst_arrow_fields_find(const mst_arrow_fields *fields, size_t index, const char *name,
                           size_t name_length, mst_arrow_field *out) {
  *out = (mst_arrow_field){0};
  if (index >= fields->count) return false;
  size_t field = follow(fields, fields->first + 4 * index);
  if (!has_name(fields, field, name, name_length)) return false;
  while (type_of(fields, field) == TYPE_FIXED_SIZE_LIST && out->lists < MST_ARROW_MAX_LISTS) {
    const size_t size = member_of(fields, member_table(fields, field, FIELD_TYPE), 0);
    const uint32_t elements = size == 0 ? 0 : number_at(fields, size, 4);
    if (elements > INT32_MAX) return false;
    out->sizes[out->lists++] = elements;
    field = child_of(fields, field);
  }
  if (type_of(fields, field) == TYPE_DURATION) set_duration(fields, field, out);
  return true;
}
