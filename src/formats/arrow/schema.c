/* SPDX-License-Identifier: Apache-2.0 */
/* Schemas: what columns hold, and how many nodes and buffers each of them has in a batch. */
#include <string.h>

#include "base/alloc.h"
#include "base/status.h"
#include "formats/arrow/arrow.h"

enum { SCHEMA_ENDIANNESS, SCHEMA_FIELDS };
enum { FIELD_NAME, FIELD_NULLABLE, FIELD_KIND, FIELD_TYPE, FIELD_DICTIONARY, FIELD_CHILDREN };
enum { DICTIONARY_ID, DICTIONARY_INDEX };

/* The union Type. */
enum {
  TYPE_NULL = 1,
  TYPE_INT,
  TYPE_FLOAT,
  TYPE_BINARY,
  TYPE_UTF8,
  TYPE_BOOL,
  TYPE_DECIMAL,
  TYPE_DATE,
  TYPE_TIME,
  TYPE_TIMESTAMP,
  TYPE_INTERVAL,
  TYPE_LIST,
  TYPE_STRUCT,
  TYPE_UNION,
  TYPE_FIXED_BINARY,
  TYPE_FIXED_LIST,
  TYPE_MAP,
  TYPE_DURATION,
  TYPE_LARGE_BINARY,
  TYPE_LARGE_UTF8,
  TYPE_LARGE_LIST,
  TYPE_RUN_END_ENCODED,
  TYPE_BINARY_VIEW,
  TYPE_UTF8_VIEW,
  TYPE_LIST_VIEW,
  TYPE_LARGE_LIST_VIEW,
  TYPE_COUNT
};

/* What is no number, and how many buffers each type has of its own, without its children's. */
static const struct {
  const char *kind;
  unsigned char buffers;
} types[TYPE_COUNT] = {
    [TYPE_NULL] = {"null", 0},
    [TYPE_INT] = {NULL, 2},
    [TYPE_FLOAT] = {NULL, 2},
    [TYPE_BINARY] = {"binary", 3},
    [TYPE_UTF8] = {"text", 3},
    [TYPE_BOOL] = {NULL, 2},
    [TYPE_DECIMAL] = {"decimal", 2},
    [TYPE_DATE] = {NULL, 2},
    [TYPE_TIME] = {NULL, 2},
    [TYPE_TIMESTAMP] = {NULL, 2},
    [TYPE_INTERVAL] = {"interval", 2},
    [TYPE_LIST] = {"list", 2},
    [TYPE_STRUCT] = {"struct", 1},
    [TYPE_UNION] = {"union", 1},
    [TYPE_FIXED_BINARY] = {"fixed-size binary", 2},
    [TYPE_FIXED_LIST] = {"fixed-size list", 1},
    [TYPE_MAP] = {"map", 2},
    [TYPE_DURATION] = {NULL, 2},
    [TYPE_LARGE_BINARY] = {"binary", 3},
    [TYPE_LARGE_UTF8] = {"text", 3},
    [TYPE_LARGE_LIST] = {"list", 2},
    [TYPE_RUN_END_ENCODED] = {"run-end encoded", 0},
    [TYPE_BINARY_VIEW] = {"binary", 2},
    [TYPE_UTF8_VIEW] = {"text", 2},
    [TYPE_LIST_VIEW] = {"list", 3},
    [TYPE_LARGE_LIST_VIEW] = {"list", 3},
};

#define MAX_DEPTH 64
#define VERSION_5 4

typedef struct mst_schema_walk {
  mst_arrow_schema *schema;
  int version;
  bool is_deep;
  bool is_unknown;
} mst_schema_walk;

static int kind_of(const mst_fb_table *field) { return (int)mst_fb_int(field, FIELD_KIND, 1, 0); }

/* ---- how many nodes and buffers ------------------------------------------------------------- */

static unsigned buffers_of(const mst_schema_walk *walk, const mst_fb_table *field, int kind) {
  if (kind != TYPE_UNION) return types[kind].buffers;
  const mst_fb_table type = mst_fb_child(field, FIELD_TYPE);
  const bool is_dense = mst_fb_int(&type, 0, 2, 0) == 1;
  return 1U + is_dense + (walk->version < VERSION_5 ? 1U : 0U); /* unions had a validity once */
}

static void count_field(mst_schema_walk *walk, const mst_fb_table *field, unsigned depth) {
  const int kind = kind_of(field);
  if (kind <= 0 || kind >= TYPE_COUNT) {
    walk->is_unknown = true;
    return;
  }
  walk->schema->nodes++;
  if (mst_fb_child(field, FIELD_DICTIONARY).buffer != NULL) {
    walk->schema->buffers += 2;
    return;
  }
  walk->schema->buffers += buffers_of(walk, field, kind);
  walk->schema->views += kind == TYPE_BINARY_VIEW || kind == TYPE_UTF8_VIEW;
  const mst_fb_vector children = mst_fb_elements(field, FIELD_CHILDREN, 4);
  if (children.count > 0 && depth == MAX_DEPTH) {
    walk->is_deep = true;
    return;
  }
  for (size_t i = 0; i < children.count && !field->buffer->bad; i++) {
    const mst_fb_table child = mst_fb_table_of(&children, i);
    count_field(walk, &child, depth + 1);
  }
}

/* ---- what a column holds -------------------------------------------------------------------- */

static muster_type integer_of(const mst_fb_table *type) {
  const bool is_signed = mst_fb_int(type, 1, 1, 0) != 0;
  switch (mst_fb_int(type, 0, 4, 0)) {
  case 8: return is_signed ? MUSTER_INT8 : MUSTER_UINT8;
  case 16: return is_signed ? MUSTER_INT16 : MUSTER_UINT16;
  case 32: return is_signed ? MUSTER_INT32 : MUSTER_UINT32;
  case 64: return is_signed ? MUSTER_INT64 : MUSTER_UINT64;
  default: return MUSTER_NO_TYPE;
  }
}

static muster_type float_of(const mst_fb_table *type) {
  const int64_t precision = mst_fb_int(type, 0, 2, 0);
  static const muster_type floats[] = {MUSTER_FLOAT16, MUSTER_FLOAT32, MUSTER_FLOAT64};
  return precision >= 0 && precision < 3 ? floats[precision] : MUSTER_NO_TYPE;
}

/* SECOND, MILLISECOND, MICROSECOND, NANOSECOND. */
static muster_dtype time_of(muster_type type, int64_t unit) {
  static const char *const units[] = {"s", "ms", "us", "ns"};
  muster_dtype dtype = {0};
  if (unit < 0 || unit > 3) return dtype;
  dtype.type = type;
  strcpy(dtype.unit, units[unit]);
  return dtype;
}

static muster_dtype date_of(const mst_fb_table *type, muster_type *storage) {
  const bool is_days = mst_fb_int(type, 0, 2, 1) == 0;
  *storage = is_days ? MUSTER_INT32 : MUSTER_INT64;
  muster_dtype dtype = {.type = MUSTER_DATETIME64};
  strcpy(dtype.unit, is_days ? "D" : "ms");
  return dtype;
}

/* What NumPy calls a type of numbers, and how it is stored; MUSTER_NO_TYPE: it is none. */
static muster_dtype numbers_of(const mst_fb_table *field, int kind, muster_type *storage) {
  const mst_fb_table type = mst_fb_child(field, FIELD_TYPE);
  *storage = MUSTER_INT64;
  muster_dtype dtype = {0};
  switch (kind) {
  case TYPE_BOOL: dtype.type = *storage = MUSTER_BOOL; break;
  case TYPE_INT: dtype.type = *storage = integer_of(&type); break;
  case TYPE_FLOAT: dtype.type = *storage = float_of(&type); break;
  case TYPE_DATE: return date_of(&type, storage);
  case TYPE_TIME:
    *storage = mst_fb_int(&type, 1, 4, 32) == 32 ? MUSTER_INT32 : MUSTER_INT64;
    return time_of(MUSTER_TIMEDELTA64, mst_fb_int(&type, 0, 2, 1));
  case TYPE_TIMESTAMP: return time_of(MUSTER_DATETIME64, mst_fb_int(&type, 0, 2, 0));
  case TYPE_DURATION: return time_of(MUSTER_TIMEDELTA64, mst_fb_int(&type, 0, 2, 1));
  default: break;
  }
  return dtype;
}

/* Through fixed-size lists to the field of their values. */
static mst_fb_table values_of(mst_fb_table field, mst_column *column) {
  while (kind_of(&field) == TYPE_FIXED_LIST && column->rank < MST_COLUMN_MAX_RANK &&
         mst_fb_child(&field, FIELD_DICTIONARY).buffer == NULL) {
    const mst_fb_table type = mst_fb_child(&field, FIELD_TYPE);
    const mst_fb_vector children = mst_fb_elements(&field, FIELD_CHILDREN, 4);
    const int64_t length = mst_fb_int(&type, 0, 4, 0);
    if (length < 0 || children.count != 1) field.buffer->bad = true;
    column->shape[column->rank++] = length > 0 ? (uint64_t)length : 0;
    field = mst_fb_table_of(&children, 0);
    column->nullable = column->nullable || mst_fb_int(&field, FIELD_NULLABLE, 1, 0) != 0;
  }
  return field;
}

/* The axes of lists are theirs, in their order. */
static void settle_row(const mst_column *column, mst_arrow_row *row) {
  row->lists = row->rank = column->rank;
  memcpy(row->lengths, column->shape, sizeof row->lengths);
  memcpy(row->shape, column->shape, sizeof row->shape);
  for (size_t i = 0; i < column->rank; i++)
    row->axes[i] = (unsigned char)i;
}

static void describe(const mst_fb_table *field, mst_column *column, mst_arrow_column *layout) {
  column->nullable = mst_fb_int(field, FIELD_NULLABLE, 1, 0) != 0;
  const mst_fb_table values = values_of(*field, column);
  settle_row(column, &layout->row);
  const mst_fb_table dictionary = mst_fb_child(&values, FIELD_DICTIONARY);
  const int kind = kind_of(&values);
  column->dtype = numbers_of(&values, kind, &layout->storage);
  if (column->dtype.type == MUSTER_NO_TYPE) {
    const char *name = kind > 0 && kind < TYPE_COUNT ? types[kind].kind : NULL;
    column->kind = name != NULL ? name : "unknown";
    column->rank = 0;
  }
  if (dictionary.buffer == NULL) return;
  const mst_fb_table index = mst_fb_child(&dictionary, DICTIONARY_INDEX);
  layout->entries = layout->storage;
  layout->storage = index.buffer != NULL ? integer_of(&index) : MUSTER_INT32;
  layout->dictionary = mst_fb_int(&dictionary, DICTIONARY_ID, 8, 0);
  if (layout->storage == MUSTER_NO_TYPE) values.buffer->bad = true;
}

/* ---- the whole ------------------------------------------------------------------------------ */

static bool take_field(mst_schema_walk *walk, const mst_fb_table *field) {
  mst_arrow_schema *schema = walk->schema;
  mst_column column = {0};
  mst_arrow_column layout = {
      .node = schema->nodes, .buffer = schema->buffers, .views = schema->views};
  count_field(walk, field, 0);
  describe(field, &column, &layout);
  if (column.kind == NULL && !mst_arrow_take_tensor(field, &column, &layout.row)) return false;
  const mst_fb_vector name = mst_fb_elements(field, FIELD_NAME, 1);
  layout.name =
      mst_strndup(name.count > 0 ? (const char *)name.buffer->data + name.at : "", name.count);
  column.name = layout.name;
  if (layout.name != NULL && mst_vec_push(&schema->layouts, layout))
    return mst_vec_push(&schema->columns, column);
  mst_free(layout.name);
  return false;
}

muster_status mst_arrow_read_schema(const char *path, const mst_fb_table *table, int version,
                                    mst_arrow_schema *schema, muster_error *error) {
  *schema = (mst_arrow_schema){0};
  if (mst_fb_int(table, SCHEMA_ENDIANNESS, 2, 0) != 0)
    return mst_fail(error, MUSTER_ERR_UNSUPPORTED, path,
                    "big-endian Arrow data are not read: write the file again on a usual machine");
  mst_schema_walk walk = {.schema = schema, .version = version};
  const mst_fb_vector fields = mst_fb_elements(table, SCHEMA_FIELDS, 4);
  for (size_t i = 0; i < fields.count; i++) {
    const mst_fb_table field = mst_fb_table_of(&fields, i);
    if (field.buffer == NULL || field.buffer->bad) break;
    if (!take_field(&walk, &field)) return mst_fail_memory(error);
  }
  if (table->buffer == NULL || table->buffer->bad || schema->columns.length != fields.count)
    return mst_arrow_damaged(path, 0, "its schema makes no sense", error);
  if (walk.is_deep || walk.is_unknown)
    return mst_fail(error, MUSTER_ERR_UNSUPPORTED, path,
                    walk.is_deep ? "columns nested more than 64 deep"
                                 : "columns of a type that Arrow did not have in 2024");
  return MUSTER_OK;
}

void mst_arrow_schema_reset(mst_arrow_schema *schema) {
  for (size_t i = 0; i < schema->layouts.length; i++)
    mst_free(schema->layouts.data[i].name);
  mst_vec_reset(&schema->layouts);
  mst_vec_reset(&schema->columns);
}
