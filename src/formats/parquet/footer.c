/* SPDX-License-Identifier: Apache-2.0 */
/* The end of a Parquet file, where its metadata are. */
#include <inttypes.h>
#include <string.h>

#include "base/alloc.h"
#include "base/printable.h"
#include "base/shape.h"
#include "base/status.h"
#include "formats/parquet/parquet.h"
#include "formats/parquet/thrift.h"

/* The magic at the end and the length of the footer before it. */
#define TAIL ((size_t)8)
/* Most footers are shorter: one read brings all of them. */
#define LIKELY_FOOTER ((size_t)32 << 10)
/* More columns than this can be no file. */
#define MAX_NODES ((size_t)1 << 20)

muster_status mst_parquet_damaged(const char *path, const char *column, const char *what,
                                  muster_error *error) {
  if (column == NULL)
    return mst_fail(error, MUSTER_ERR_FORMAT, path, "damaged Parquet file: %s", what);
  mst_str shown = {0};
  mst_add_printable(&shown, column);
  const muster_status status =
      mst_fail(error, MUSTER_ERR_FORMAT, path, "damaged Parquet file: column '%.100s': %s",
               mst_str_text(&shown), what);
  mst_str_reset(&shown);
  return status;
}

void mst_parquet_footer_reset(mst_parquet_footer *footer) {
  mst_free(footer->bytes);
  mst_vec_reset(&footer->nodes);
  *footer = (mst_parquet_footer){0};
}

/* ---- the schema ------------------------------------------------------------------------------- */

static void set_time(mst_parquet_node *node, const char *unit) {
  node->meaning = MST_PARQUET_TIMESTAMP;
  memcpy(node->unit, unit, strlen(unit) + 1);
}

static void set_integer(mst_parquet_node *node, int bits, bool is_signed) {
  node->meaning = MST_PARQUET_INTEGER;
  node->bits = (uint8_t)bits;
  node->is_signed = is_signed;
}

/* The older way to say what values mean: one number for all of it. */
static const struct {
  mst_parquet_meaning meaning;
  const char *unit; /* of a timestamp */
  int bits;         /* of an integer */
  bool is_signed;
} converted_types[] = {{MST_PARQUET_TEXT, NULL, 0, false},      /* UTF8 */
                       {MST_PARQUET_MAP, NULL, 0, false},       /* MAP */
                       {MST_PARQUET_MAP, NULL, 0, false},       /* MAP_KEY_VALUE */
                       {MST_PARQUET_LIST, NULL, 0, false},      /* LIST */
                       {MST_PARQUET_TEXT, NULL, 0, false},      /* ENUM */
                       {MST_PARQUET_DECIMAL, NULL, 0, false},   /* DECIMAL */
                       {MST_PARQUET_DATE, NULL, 0, false},      /* DATE */
                       {MST_PARQUET_TIME, NULL, 0, false},      /* TIME_MILLIS */
                       {MST_PARQUET_TIME, NULL, 0, false},      /* TIME_MICROS */
                       {MST_PARQUET_TIMESTAMP, "ms", 0, false}, /* TIMESTAMP_MILLIS */
                       {MST_PARQUET_TIMESTAMP, "us", 0, false}, /* TIMESTAMP_MICROS */
                       {MST_PARQUET_INTEGER, NULL, 8, false},   /* UINT_8 */
                       {MST_PARQUET_INTEGER, NULL, 16, false},  /* UINT_16 */
                       {MST_PARQUET_INTEGER, NULL, 32, false},  /* UINT_32 */
                       {MST_PARQUET_INTEGER, NULL, 64, false},  /* UINT_64 */
                       {MST_PARQUET_INTEGER, NULL, 8, true},    /* INT_8 */
                       {MST_PARQUET_INTEGER, NULL, 16, true},   /* INT_16 */
                       {MST_PARQUET_INTEGER, NULL, 32, true},   /* INT_32 */
                       {MST_PARQUET_INTEGER, NULL, 64, true},   /* INT_64 */
                       {MST_PARQUET_TEXT, NULL, 0, false}};     /* JSON */

static void take_converted(mst_parquet_node *node, int32_t type) {
  const int32_t count = sizeof converted_types / sizeof *converted_types;
  if (type < 0 || type >= count) {
    node->meaning = MST_PARQUET_OTHER;
    return;
  }
  node->meaning = (uint8_t)converted_types[type].meaning;
  if (node->meaning == MST_PARQUET_TIMESTAMP) set_time(node, converted_types[type].unit);
  if (node->meaning == MST_PARQUET_INTEGER)
    set_integer(node, converted_types[type].bits, converted_types[type].is_signed);
}

static void take_timestamp(mst_thrift *thrift, mst_parquet_node *node) {
  set_time(node, "?");
  mst_thrift_field field = {0};
  while (mst_thrift_next(thrift, &field)) {
    if (field.id != 2 || !mst_thrift_struct(thrift, field.type)) {
      mst_thrift_skip(thrift, field.type);
      continue;
    }
    mst_thrift_field unit = {0};
    while (mst_thrift_next(thrift, &unit)) {
      if (unit.id >= 1 && unit.id <= 3)
        set_time(node, unit.id == 1 ? "ms" : unit.id == 2 ? "us" : "ns");
      mst_thrift_skip(thrift, unit.type);
    }
  }
}

static void take_integer(mst_thrift *thrift, mst_parquet_node *node) {
  int32_t bits = 0;
  bool is_signed = true;
  mst_thrift_field field = {0};
  while (mst_thrift_next(thrift, &field)) {
    if (field.id == 1)
      bits = mst_thrift_int32(thrift, field.type);
    else if (field.id == 2)
      is_signed = mst_thrift_bool(thrift, field.type);
    else
      mst_thrift_skip(thrift, field.type);
  }
  set_integer(node, bits, is_signed);
}

/* The newer way: a union, of which one member is there. */
static void take_logical(mst_thrift *thrift, mst_parquet_node *node) {
  static const uint8_t meanings[] = {
      [1] = MST_PARQUET_TEXT,     [2] = MST_PARQUET_MAP,      [3] = MST_PARQUET_LIST,
      [4] = MST_PARQUET_TEXT,     [5] = MST_PARQUET_DECIMAL,  [6] = MST_PARQUET_DATE,
      [7] = MST_PARQUET_TIME,     [11] = MST_PARQUET_NOTHING, [12] = MST_PARQUET_TEXT,
      [15] = MST_PARQUET_FLOAT16,
  };
  mst_thrift_field field = {0};
  while (mst_thrift_next(thrift, &field)) {
    const bool is_known = field.id >= 1 && (size_t)field.id < sizeof meanings;
    node->meaning = is_known && meanings[field.id] != 0 ? meanings[field.id] : MST_PARQUET_OTHER;
    if (field.id == 8 && mst_thrift_struct(thrift, field.type))
      take_timestamp(thrift, node);
    else if (field.id == 10 && mst_thrift_struct(thrift, field.type))
      take_integer(thrift, node);
    else
      mst_thrift_skip(thrift, field.type);
  }
}

static mst_parquet_node read_node(mst_thrift *thrift) {
  mst_parquet_node node = {.type = MST_PARQUET_GROUP};
  bool has_logical = false;
  mst_thrift_field field = {0};
  while (mst_thrift_next(thrift, &field)) {
    int32_t type;
    switch (field.id) {
    case 1:
      type = mst_thrift_int32(thrift, field.type);
      node.type = type >= 0 && type <= MST_PARQUET_FIXED_BYTES ? (int8_t)type : INT8_MAX;
      break;
    case 2: node.length = mst_thrift_int32(thrift, field.type); break;
    case 3:
      type = mst_thrift_int32(thrift, field.type);
      node.repetition = type >= 0 && type <= MST_PARQUET_REPEATED ? (uint8_t)type : UINT8_MAX;
      break;
    case 4: node.name = mst_thrift_bytes(thrift, field.type, &node.name_length); break;
    case 5: node.children = mst_thrift_int32(thrift, field.type); break;
    case 6:
      type = mst_thrift_int32(thrift, field.type);
      if (!has_logical) take_converted(&node, type);
      break;
    case 10:
      has_logical = mst_thrift_struct(thrift, field.type);
      take_logical(thrift, &node);
      break;
    default: mst_thrift_skip(thrift, field.type);
    }
  }
  return node;
}

static bool is_sound(const mst_parquet_node *node) {
  if (node->type == INT8_MAX || node->repetition == UINT8_MAX) return false;
  if (node->name == NULL || memchr(node->name, '\0', node->name_length) != NULL) return false;
  return node->type == MST_PARQUET_GROUP ? node->children >= 0 : node->children == 0;
}

static muster_status read_nodes(mst_thrift *thrift, uint8_t type, mst_parquet_footer *footer,
                                muster_error *error) {
  uint8_t element;
  const size_t count = mst_thrift_list(thrift, type, &element);
  if (element != MST_THRIFT_STRUCT || count > MAX_NODES || footer->nodes.length > 0)
    thrift->failed = true;
  for (size_t i = 0; i < count && !thrift->failed; i++) {
    const mst_parquet_node node = read_node(thrift);
    if (thrift->failed) break;
    if (!is_sound(&node))
      return mst_parquet_damaged(footer->path, NULL, "its schema makes no sense", error);
    if (!mst_vec_push(&footer->nodes, node)) return mst_fail_memory(error);
  }
  return MUSTER_OK;
}

static void find_arrow(mst_thrift *thrift, uint8_t type, mst_parquet_footer *footer) {
  static const char key[] = "ARROW:schema";
  uint8_t element;
  const size_t count = mst_thrift_list(thrift, type, &element);
  if (element != MST_THRIFT_STRUCT && count > 0) thrift->failed = true;
  for (size_t i = 0; i < count && !thrift->failed; i++) {
    const char *name = NULL, *value = NULL;
    size_t name_length = 0, value_length = 0;
    mst_thrift_field field = {0};
    while (mst_thrift_next(thrift, &field)) {
      if (field.id == 1)
        name = mst_thrift_bytes(thrift, field.type, &name_length);
      else if (field.id == 2)
        value = mst_thrift_bytes(thrift, field.type, &value_length);
      else
        mst_thrift_skip(thrift, field.type);
    }
    if (name_length != sizeof key - 1 || memcmp(name, key, name_length) != 0) continue;
    footer->arrow = value;
    footer->arrow_length = value_length;
  }
}

static muster_status parse_footer(mst_parquet_footer *footer, muster_error *error) {
  mst_thrift thrift = {.at = (const unsigned char *)footer->bytes};
  thrift.end = thrift.at + footer->length;
  muster_status status = MUSTER_OK;
  mst_thrift_field field = {0};
  int64_t rows = -1;
  while (status == MUSTER_OK && mst_thrift_next(&thrift, &field)) {
    const unsigned char *const value = thrift.at;
    switch (field.id) {
    case 2: status = read_nodes(&thrift, field.type, footer, error); break;
    case 3: rows = mst_thrift_int(&thrift, field.type); break;
    case 4:
      if (field.type == MST_THRIFT_LIST) footer->groups = value;
      mst_thrift_skip(&thrift, field.type);
      break;
    case 5: find_arrow(&thrift, field.type, footer); break;
    case 8:
      return mst_fail(error, MUSTER_ERR_UNSUPPORTED, footer->path,
                      "an encrypted Parquet file: write it again without encryption");
    default: mst_thrift_skip(&thrift, field.type);
    }
  }
  if (status != MUSTER_OK) return status;
  if (thrift.failed || rows < 0 || footer->groups == NULL || footer->nodes.length == 0)
    return mst_parquet_damaged(footer->path, NULL, "its footer cannot be understood", error);
  footer->rows = (uint64_t)rows;
  return MUSTER_OK;
}

/* ---- where it is ------------------------------------------------------------------------------ */

static uint32_t read_u32(const char *bytes) {
  uint32_t value;
  memcpy(&value, bytes, sizeof value);
  return __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? value : __builtin_bswap32(value);
}

static muster_status check_tail(const mst_source *source, const char *tail, uint32_t *length,
                                muster_error *error) {
  const uint64_t size = source->stat->size;
  if (memcmp(tail + 4, "PARE", 4) == 0)
    return mst_fail(error, MUSTER_ERR_UNSUPPORTED, source->path,
                    "an encrypted Parquet file: write it again without encryption");
  if (memcmp(tail + 4, "PAR1", 4) != 0)
    return mst_fail_at(
        error, MUSTER_ERR_FORMAT, source->path, (muster_offset)(size - 4),
        "does not end as a Parquet file does: it is none, was not written to its end, or "
        "not copied whole");
  *length = read_u32(tail);
  if (*length > size - TAIL - 4)
    return mst_fail_at(error, MUSTER_ERR_FORMAT, source->path, (muster_offset)(size - TAIL),
                       "damaged Parquet file: a footer of %" PRIu32 " bytes in a file of %" PRIu64,
                       *length, size);
  return MUSTER_OK;
}

muster_status mst_parquet_read_footer(const mst_source *source, mst_parquet_footer *footer,
                                      muster_error *error) {
  *footer = (mst_parquet_footer){.path = source->path};
  const uint64_t size = source->stat->size;
  if (size < TAIL + 4)
    return mst_fail(error, MUSTER_ERR_FORMAT, source->path,
                    "%" PRIu64 " bytes are too few for a Parquet file", size);
  size_t length = (size_t)mst_smaller(size, LIKELY_FOOTER);
  char *bytes = mst_alloc(length);
  if (bytes == NULL) return mst_fail_memory(error);
  footer->bytes = bytes;
  uint32_t wanted = 0;
  muster_status status = mst_io_read(source->fd, source->path, size - length, bytes, length, error);
  if (status == MUSTER_OK) status = check_tail(source, bytes + length - TAIL, &wanted, error);
  if (status != MUSTER_OK) return status;
  footer->length = wanted;
  if (wanted <= length - TAIL) {
    memmove(bytes, bytes + length - TAIL - wanted, wanted);
    return parse_footer(footer, error);
  }
  footer->bytes = mst_alloc(wanted);
  mst_free(bytes);
  if (footer->bytes == NULL) return mst_fail_memory(error);
  status =
      mst_io_read(source->fd, source->path, size - TAIL - wanted, footer->bytes, wanted, error);
  return status == MUSTER_OK ? parse_footer(footer, error) : status;
}
