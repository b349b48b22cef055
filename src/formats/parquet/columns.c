/* SPDX-License-Identifier: Apache-2.0 */
/* What the columns of a Parquet file are: from its tree of names to columns and how they lie. */
#include <string.h>

#include "base/alloc.h"
#include "base/shape.h"
#include "base/status.h"
#include "formats/arrow/fields.h"
#include "formats/parquet/parquet.h"

void mst_parquet_columns_reset(mst_parquet_columns *columns) {
  for (size_t i = 0; columns->columns != NULL && i < columns->room; i++)
    mst_free((char *)columns->columns[i].name);
  mst_free(columns->columns);
  mst_free(columns->layouts);
  *columns = (mst_parquet_columns){0};
}

/* ---- types ------------------------------------------------------------------------------------ */

/* Days and nanoseconds of a day, as Impala and older Spark write times. */
static void refine_int96(const void *src, void *dst, int64_t step, size_t count) {
  const unsigned char *from = src;
  char *to = dst;
  for (size_t i = 0; i < count; i++, from += 12, to += step) {
    uint64_t in_day;
    uint32_t day;
    memcpy(&in_day, from, sizeof in_day);
    memcpy(&day, from + 8, sizeof day);
    const uint64_t days = (uint64_t)(int64_t)(int32_t)day - 2440588; /* 1970-01-01 */
    const uint64_t value = days * 86400000000000u + in_day;
    memcpy(to, &value, sizeof value);
  }
}

static mst_convert_fn refining(muster_type from, muster_type to) {
  const muster_dtype a = {.type = from}, b = {.type = to};
  return from == to ? NULL : mst_converter(&a, &b);
}

static const muster_type integers[2][4] = {
    {MUSTER_UINT8, MUSTER_UINT16, MUSTER_UINT32, MUSTER_UINT64},
    {MUSTER_INT8, MUSTER_INT16, MUSTER_INT32, MUSTER_INT64}};

/* Narrow integers are stored in 32 bits, of which the lower ones count. */
static bool set_integer(const mst_parquet_node *node, mst_column *column,
                        mst_parquet_layout *layout) {
  const bool is_long = node->type == MST_PARQUET_INT64;
  const unsigned most = is_long ? 64 : 32;
  unsigned bits = node->meaning == MST_PARQUET_INTEGER ? node->bits : most;
  const bool is_signed = node->meaning != MST_PARQUET_INTEGER || node->is_signed;
  if (bits != 8 && bits != 16 && bits != 32 && bits != 64) return false;
  if (bits > most) bits = most;
  const size_t place = bits == 8 ? 0 : bits == 16 ? 1 : bits == 32 ? 2 : 3;
  column->dtype.type = integers[is_signed][place];
  layout->value_bytes = is_long ? 8 : 4;
  layout->refine = refining(integers[is_signed][is_long ? 3 : 2], column->dtype.type);
  return true;
}

static void set_time(mst_column *column, muster_type type, const char *unit) {
  column->dtype.type = type;
  memcpy(column->dtype.unit, unit, strlen(unit) + 1);
}

static const char *set_whole(const mst_parquet_node *node, const mst_arrow_field *arrow,
                             mst_column *column, mst_parquet_layout *layout) {
  const bool is_long = node->type == MST_PARQUET_INT64;
  switch (node->meaning) {
  case MST_PARQUET_DECIMAL: return "decimal";
  case MST_PARQUET_TIME: return "a time of day";
  case MST_PARQUET_NOTHING: return "nothing but nulls, of no type";
  case MST_PARQUET_DATE:
    if (is_long || !set_integer(node, column, layout)) return "of an unknown type";
    set_time(column, MUSTER_DATETIME64, "D");
    layout->refine = refining(MUSTER_INT32, MUSTER_INT64);
    return NULL;
  case MST_PARQUET_TIMESTAMP:
    if (!is_long || node->unit[0] == '?' || !set_integer(node, column, layout))
      return "of an unknown type";
    set_time(column, MUSTER_DATETIME64, node->unit);
    return NULL;
  case MST_PARQUET_PLAIN:
  case MST_PARQUET_INTEGER:
    if (!set_integer(node, column, layout)) return "of an unknown type";
    if (is_long && arrow->duration[0] != '\0')
      set_time(column, MUSTER_TIMEDELTA64, arrow->duration);
    return NULL;
  default: return "of an unknown type";
  }
}

static const char *name_bytes(const mst_parquet_node *node) {
  switch (node->meaning) {
  case MST_PARQUET_TEXT: return "text";
  case MST_PARQUET_DECIMAL: return "decimal";
  case MST_PARQUET_PLAIN: return "binary";
  case MST_PARQUET_NOTHING: return "nothing but nulls, of no type";
  default: return "of an unknown type";
  }
}

/* NULL, or what it is instead of numbers. */
static const char *set_type(const mst_parquet_node *node, const mst_arrow_field *arrow,
                            mst_column *column, mst_parquet_layout *layout) {
  layout->type = node->type;
  switch ((mst_parquet_type)node->type) {
  case MST_PARQUET_BOOLEAN: column->dtype.type = MUSTER_BOOL; return NULL;
  case MST_PARQUET_INT32:
  case MST_PARQUET_INT64: return set_whole(node, arrow, column, layout);
  case MST_PARQUET_INT96:
    set_time(column, MUSTER_DATETIME64, "ns");
    layout->value_bytes = 12;
    layout->refine = refine_int96;
    return NULL;
  case MST_PARQUET_FLOAT:
    column->dtype.type = MUSTER_FLOAT32;
    layout->value_bytes = 4;
    return NULL;
  case MST_PARQUET_DOUBLE:
    column->dtype.type = MUSTER_FLOAT64;
    layout->value_bytes = 8;
    return NULL;
  case MST_PARQUET_FIXED_BYTES:
    if (node->meaning != MST_PARQUET_FLOAT16 || node->length != 2) break;
    column->dtype.type = MUSTER_FLOAT16;
    layout->value_bytes = 2;
    return NULL;
  default: break;
  }
  return name_bytes(node);
}

/* ---- the tree ---------------------------------------------------------------------------------- */

typedef struct mst_tree_walk {
  const mst_parquet_footer *footer;
  size_t at; /* the next node */
  mst_arrow_fields arrow;
} mst_tree_walk;

static const mst_parquet_node *node_at(const mst_tree_walk *walk, size_t index) {
  return &walk->footer->nodes.data[index];
}

/* Passes the node and all below it; false when the tree has not so many nodes. */
static bool pass_tree(mst_tree_walk *walk, size_t *leaves) {
  uint64_t open = 1;
  while (open > 0) {
    if (walk->at == walk->footer->nodes.length) return false;
    const mst_parquet_node *node = node_at(walk, walk->at++);
    open += (uint64_t)node->children - 1;
    *leaves += node->type != MST_PARQUET_GROUP;
  }
  return true;
}

static const char *const a_list = "a list of no fixed size (cast it: pa.list_(type, size))";

/* Follows lists within lists down to the values. NULL, or what it is instead. */
static const char *follow_lists(const mst_tree_walk *walk, size_t *at, mst_column *column,
                                mst_parquet_layout *layout) {
  bool within_list = false;
  for (;; (*at)++) {
    const mst_parquet_node *node = node_at(walk, *at);
    const bool is_repeated = node->repetition == MST_PARQUET_REPEATED;
    if (layout->max_definition > UINT8_MAX - 2) return "nested too deep";
    if (node->repetition == MST_PARQUET_OPTIONAL) {
      layout->max_definition++;
      column->nullable = true;
    }
    if (is_repeated) {
      if (layout->max_repetition == MST_PARQUET_MAX_LISTS) return "nested too deep";
      layout->list_definition[layout->max_repetition++] = ++layout->max_definition;
    }
    if (node->type != MST_PARQUET_GROUP) return NULL;
    const bool is_list = node->meaning == MST_PARQUET_LIST;
    if (node->meaning == MST_PARQUET_MAP) return "a map";
    if (node->children != 1 || (!is_list && !(is_repeated && within_list))) return "a struct";
    within_list = is_list;
  }
}

/* Parquet has lists of any length only; that all have one is said by Arrow's schema. */
static const char *set_lists(const mst_arrow_field *arrow, mst_column *column,
                             mst_parquet_layout *layout) {
  const size_t lists = layout->max_repetition;
  if (arrow->lists != lists) return a_list;
  column->rank = lists;
  uint64_t elements = 1;
  for (size_t i = lists; i-- > 0;) {
    column->shape[i] = arrow->sizes[i];
    if (!mst_multiply(elements, arrow->sizes[i], &elements) || elements > MST_MAX_BYTES / 32)
      return "a list too large";
    layout->list_elements[i] = elements;
  }
  return NULL;
}

static muster_status add_column(mst_tree_walk *walk, size_t index, mst_parquet_columns *out,
                                muster_error *error) {
  mst_column *column = &out->columns[out->count];
  mst_parquet_layout *layout = &out->layouts[out->count++];
  size_t at = walk->at;
  const mst_parquet_node *top = node_at(walk, at);
  column->name = mst_strndup(top->name, top->name_length);
  if (column->name == NULL) return mst_fail_memory(error);
  layout->leaf = out->leaves;
  if (!pass_tree(walk, &out->leaves))
    return mst_parquet_damaged(walk->footer->path, NULL, "its schema has an end too early", error);
  mst_arrow_field arrow;
  (void)mst_arrow_fields_find(&walk->arrow, index, top->name, top->name_length, &arrow);
  column->kind = follow_lists(walk, &at, column, layout);
  if (column->kind == NULL) column->kind = set_type(node_at(walk, at), &arrow, column, layout);
  if (column->kind == NULL && layout->max_repetition > 0)
    column->kind = set_lists(&arrow, column, layout);
  return MUSTER_OK;
}

muster_status mst_parquet_find_columns(const mst_parquet_footer *footer, size_t more,
                                       mst_parquet_columns *out, muster_error *error) {
  *out = (mst_parquet_columns){0};
  const mst_parquet_node *root = &footer->nodes.data[0];
  const size_t count = root->type == MST_PARQUET_GROUP ? (size_t)root->children : 0;
  if (root->type != MST_PARQUET_GROUP || count >= footer->nodes.length)
    return mst_parquet_damaged(footer->path, NULL, "its schema makes no sense", error);
  out->room = count + more;
  out->columns = mst_calloc(mst_larger(out->room, 1), sizeof *out->columns);
  out->layouts = mst_calloc(mst_larger(out->room, 1), sizeof *out->layouts);
  if (out->columns == NULL || out->layouts == NULL) return mst_fail_memory(error);
  mst_tree_walk walk = {.footer = footer, .at = 1};
  if (!mst_arrow_fields_init(&walk.arrow, footer->arrow, footer->arrow_length))
    return mst_fail_memory(error);
  muster_status status = MUSTER_OK;
  for (size_t i = 0; status == MUSTER_OK && i < count; i++) {
    if (walk.at == footer->nodes.length)
      status = mst_parquet_damaged(footer->path, NULL, "its schema has an end too early", error);
    else
      status = add_column(&walk, i, out, error);
  }
  if (status == MUSTER_OK && walk.at != footer->nodes.length)
    status = mst_parquet_damaged(footer->path, NULL, "its schema goes on behind its end", error);
  mst_arrow_fields_reset(&walk.arrow);
  return status;
}
