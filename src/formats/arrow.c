/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Arrow's files and streams of record batches; Feather version 2 is the former. Only metadata are
 * read here: docs/formats/arrow.md.
 */
#include "formats/arrow/arrow.h"

#include <inttypes.h>
#include <string.h>

#include "base/alloc.h"
#include "base/dtype.h"
#include "base/python_text.h"
#include "base/shape.h"
#include "base/status.h"
#include "formats/flat.h"

enum { FOOTER_VERSION, FOOTER_SCHEMA, FOOTER_DICTIONARIES, FOOTER_BATCHES };
enum { DICTIONARY_BATCH_ID, DICTIONARY_BATCH_DATA, DICTIONARY_BATCH_IS_DELTA };

#define BLOCK_BYTES 24
/* Behind the footer: its length, and the magic. */
#define TAIL_BYTES (4 + MST_ARROW_MAGIC_BYTES)
#define MAX_FOOTER ((uint64_t)64 << 20)

static bool has_magic(const unsigned char *bytes, size_t length) {
  return length >= MST_ARROW_MAGIC_BYTES &&
         memcmp(bytes, MST_ARROW_MAGIC, MST_ARROW_MAGIC_BYTES) == 0;
}

/* A stream begins with a message that holds a schema. */
static bool begins_stream(const unsigned char *head, size_t length) {
  if (length < 16 || memcmp(head, "\377\377\377\377", 4) != 0) return false;
  mst_flatbuffer buffer;
  const mst_fb_table root = mst_fb_root(&buffer, head + 8, length - 8);
  const int64_t version = mst_fb_int(&root, 0, 2, 0), kind = mst_fb_int(&root, 1, 1, 0);
  return !buffer.bad && root.buffer != NULL && version <= 4 && version >= 0 &&
         kind == MST_ARROW_SCHEMA;
}

static int probe(const mst_probe *p) {
  if (has_magic(p->head, p->head_length) || begins_stream(p->head, p->head_length))
    return MST_PROBE_MAGIC;
  const bool is_feather_1 = p->head_length >= 4 && memcmp(p->head, "FEA1", 4) == 0;
  return !is_feather_1 && mst_has_extension(p->path, ".arrow .arrows .feather .ipc")
             ? MST_PROBE_EXTENSION
             : MST_PROBE_NO;
}

/* ---- one shard ------------------------------------------------------------------------------ */

typedef struct mst_inspection {
  const mst_source *source;
  mst_arrow_file file;
  mst_arrow_message message;
  mst_arrow_schema schema;
  mst_arrow_detail *detail;
  mst_schema *out;
  uint64_t rows;
  uint64_t metadata_bytes; /* of the messages so far: not more than the file */
  bool has_nulls;
  uint64_t values; /* where those of the first column of the last batch begin */
} mst_inspection;

static void forget(void *kept) {
  mst_arrow_detail *detail = kept;
  for (size_t i = 0; detail->columns != NULL && i < detail->choice.count; i++)
    mst_free(detail->columns[i].name);
  mst_free(detail->columns);
  mst_choice_reset(&detail->choice);
  mst_vec_reset(&detail->batches);
  mst_vec_reset(&detail->dictionaries);
  mst_free(detail);
}

/* Dates and times of 32 bits become counts of 64. */
static mst_convert_fn converter_of(const mst_arrow_column *column, const mst_taken *taken,
                                   const muster_dtype *dtype) {
  const muster_type stored = column->entries != MUSTER_NO_TYPE ? column->entries : column->storage;
  if (!mst_is_time(dtype->type) || muster_type_size(stored) == 8) return taken->convert;
  return mst_converter(&(muster_dtype){.type = stored}, &(muster_dtype){.type = MUSTER_INT64});
}

static bool is_same_row(const mst_arrow_row *a, const mst_arrow_row *b) {
  return mst_same_shape(a->lists, a->lengths, b->lists, b->lengths) &&
         mst_same_shape(a->rank, a->shape, b->rank, b->shape) &&
         memcmp(a->axes, b->axes, a->rank) == 0;
}

static bool is_in_order(const mst_arrow_row *row) {
  for (size_t i = 0; i < row->rank; i++)
    if (row->axes[i] != i) return false;
  return true;
}

static muster_status keep_columns(mst_inspection *inspection, muster_error *error) {
  mst_arrow_detail *detail = inspection->detail;
  const mst_choice *choice = &detail->choice;
  detail->columns = mst_calloc(choice->count, sizeof *detail->columns);
  if (detail->columns == NULL) return mst_fail_memory(error);
  for (size_t i = 0; i < choice->count; i++) {
    const mst_taken *taken = &choice->taken[i];
    const mst_column *column = &inspection->schema.columns.data[taken->index];
    mst_arrow_column *kept = &detail->columns[i];
    *kept = inspection->schema.layouts.data[taken->index];
    kept->name = mst_strdup(column->name);
    if (kept->name == NULL) return mst_fail_memory(error);
    kept->convert = converter_of(kept, taken, &column->dtype);
    kept->null = mst_null_of(choice, taken);
    if (i == 0) detail->row = kept->row;
    if (!is_same_row(&detail->row, &kept->row))
      return mst_fail(error, MUSTER_ERR_UNSUPPORTED, inspection->source->path,
                      "columns '%.100s' and '%.100s' have the same axes, but tensors or lists that "
                      "lie in another order: choose with --columns",
                      detail->columns[0].name, kept->name);
  }
  detail->nodes = inspection->schema.nodes;
  detail->buffers = inspection->schema.buffers;
  detail->views = inspection->schema.views;
  return MUSTER_OK;
}

static muster_status take_schema(mst_inspection *inspection, const mst_fb_table *table, int version,
                                 muster_error *error) {
  const mst_source *source = inspection->source;
  mst_arrow_schema *schema = &inspection->schema;
  muster_status status = mst_arrow_read_schema(source->path, table, version, schema, error);
  if (status == MUSTER_OK)
    status = mst_columns_choose((mst_table *)source->context, source, schema->columns.data,
                                schema->columns.length, &inspection->detail->choice,
                                inspection->out, error);
  return status == MUSTER_OK ? keep_columns(inspection, error) : status;
}

/* ---- its messages --------------------------------------------------------------------------- */

static muster_status damaged(const mst_inspection *inspection, const char *what,
                             muster_error *error) {
  return mst_arrow_damaged(inspection->file.path, inspection->message.body, what, error);
}

static muster_status check_columns(mst_inspection *inspection, mst_arrow_view *view,
                                   muster_error *error) {
  const mst_arrow_detail *detail = inspection->detail;
  const char *path = inspection->file.path;
  for (size_t i = 0; i < detail->choice.count; i++) {
    const mst_arrow_column *column = &detail->columns[i];
    mst_arrow_place place;
    const muster_status status = mst_arrow_locate(path, view, column, &place, error);
    if (status != MUSTER_OK) return status;
    inspection->has_nulls = inspection->has_nulls || place.has_nulls;
    if (place.has_nulls && !column->null->is_set)
      return mst_refuse_null(path, column->name, &detail->choice.dtype, error);
    if (i == 0) inspection->values = place.values.offset;
  }
  return MUSTER_OK;
}

static muster_status take_batch(mst_inspection *inspection, uint64_t offset, muster_error *error) {
  mst_arrow_detail *detail = inspection->detail;
  mst_arrow_view view;
  muster_status status = mst_arrow_view_batch(inspection->file.path, &inspection->message,
                                              &inspection->message.header, &view, error);
  if (status != MUSTER_OK) return status;
  if (view.nodes.count != detail->nodes || view.counts.count < detail->views ||
      view.buffers.count < detail->buffers)
    return damaged(inspection, "a record batch without some of its columns", error);
  status = check_columns(inspection, &view, error);
  if (status != MUSTER_OK || view.rows == 0) return status;
  const mst_arrow_batch batch = {.first_row = inspection->rows,
                                 .rows = view.rows,
                                 .offset = offset,
                                 .is_compressed = view.codec != MST_ARROW_PLAIN};
  if (view.rows > MST_MAX_BYTES - inspection->rows)
    return damaged(inspection, "more rows than 63 bits can count", error);
  inspection->rows += view.rows;
  return mst_vec_push(&detail->batches, batch) ? MUSTER_OK : mst_fail_memory(error);
}

static muster_status take_dictionary(mst_inspection *inspection, uint64_t offset, size_t batch,
                                     muster_error *error) {
  const mst_fb_table *header = &inspection->message.header;
  const mst_arrow_dictionary_batch dictionary = {
      .id = mst_fb_int(header, DICTIONARY_BATCH_ID, 8, 0),
      .offset = offset,
      .first_batch = batch,
      .is_delta = mst_fb_int(header, DICTIONARY_BATCH_IS_DELTA, 1, 0) != 0};
  if (inspection->message.buffer.bad)
    return damaged(inspection, "a dictionary makes no sense", error);
  return mst_vec_push(&inspection->detail->dictionaries, dictionary) ? MUSTER_OK
                                                                     : mst_fail_memory(error);
}

/* Blocks that lie on one another would make much work of a small file. */
static muster_status read_message(mst_inspection *inspection, uint64_t offset,
                                  muster_error *error) {
  const muster_status status =
      mst_arrow_read_message(&inspection->file, offset, &inspection->message, error);
  if (status != MUSTER_OK) return status;
  inspection->metadata_bytes += inspection->message.metadata_bytes;
  if (inspection->metadata_bytes <= inspection->file.size) return MUSTER_OK;
  return damaged(inspection, "messages lie on one another", error);
}

/* ---- streams -------------------------------------------------------------------------------- */

/* Perhaps another stream: files of them are joined easily, and read up to the first end. */
static void note_rest(const mst_inspection *inspection, uint64_t end, mst_str *note) {
  enum { END_BYTES = 8 };
  const uint64_t rest = inspection->file.size - mst_smaller(end, inspection->file.size);
  if (rest > END_BYTES)
    mst_str_addf(note, "%" PRIu64 " bytes behind the end of the stream are passed over",
                 rest - END_BYTES);
}

static muster_status walk_stream(mst_inspection *inspection, mst_str *note, muster_error *error) {
  const mst_arrow_message *message = &inspection->message;
  muster_status status = read_message(inspection, 0, error);
  if (status != MUSTER_OK) return status;
  if (message->kind != MST_ARROW_SCHEMA)
    return mst_fail(error, MUSTER_ERR_FORMAT, inspection->file.path,
                    "no Arrow data: neither ARROW1 nor a schema at its begin");
  status = take_schema(inspection, &message->header, message->version, error);
  while (status == MUSTER_OK) {
    const uint64_t offset = message->body + message->body_bytes;
    status = read_message(inspection, offset, error);
    if (status == MUSTER_OK && message->kind == 0) note_rest(inspection, offset, note);
    if (status != MUSTER_OK || message->kind == 0) return status;
    if (message->kind == MST_ARROW_BATCH)
      status = take_batch(inspection, offset, error);
    else if (message->kind == MST_ARROW_DICTIONARY)
      status = take_dictionary(inspection, offset, inspection->detail->batches.length, error);
    else
      status = damaged(inspection, "a message of another kind than batches", error);
  }
  return status;
}

/* ---- files ---------------------------------------------------------------------------------- */

static muster_status read_footer(mst_inspection *inspection, unsigned char **bytes, size_t *length,
                                 muster_error *error) {
  const mst_arrow_file *file = &inspection->file;
  unsigned char tail[TAIL_BYTES];
  const char *const cut = "its footer is missing";
  if (file->size < TAIL_BYTES + MST_ARROW_MAGIC_BYTES)
    return mst_arrow_damaged(file->path, file->size, cut, error);
  const uint64_t end = file->size - TAIL_BYTES;
  muster_status status = mst_io_read(file->fd, file->path, end, tail, sizeof tail, error);
  if (status != MUSTER_OK) return status;
  if (!has_magic(tail + 4, MST_ARROW_MAGIC_BYTES))
    return mst_arrow_damaged(file->path, file->size, cut, error);
  const uint64_t found =
      tail[0] | (uint32_t)tail[1] << 8 | (uint32_t)tail[2] << 16 | (uint64_t)tail[3] << 24;
  if (found == 0 || found > end || found > MAX_FOOTER)
    return mst_arrow_damaged(file->path, end, "its footer has no sensible length", error);
  *length = (size_t)found;
  *bytes = mst_alloc(*length);
  if (*bytes == NULL) return mst_fail_memory(error);
  return mst_io_read(file->fd, file->path, end - found, *bytes, *length, error);
}

static muster_status take_block(mst_inspection *inspection, const mst_fb_vector *blocks,
                                size_t index, int kind, muster_error *error) {
  const int64_t offset = mst_fb_int_of(blocks, index, 0, 8);
  if (offset < 0) return damaged(inspection, "a message before its begin", error);
  const muster_status status = read_message(inspection, (uint64_t)offset, error);
  if (status != MUSTER_OK) return status;
  if (inspection->message.kind != kind)
    return damaged(inspection, "another message than its footer says", error);
  return kind == MST_ARROW_BATCH ? take_batch(inspection, (uint64_t)offset, error)
                                 : take_dictionary(inspection, (uint64_t)offset, 0, error);
}

static muster_status take_blocks(mst_inspection *inspection, const mst_fb_table *footer,
                                 unsigned field, int kind, muster_error *error) {
  const mst_fb_vector blocks = mst_fb_elements(footer, field, BLOCK_BYTES);
  muster_status status = MUSTER_OK;
  for (size_t i = 0; status == MUSTER_OK && i < blocks.count; i++)
    status = take_block(inspection, &blocks, i, kind, error);
  return status;
}

static muster_status take_footer(mst_inspection *inspection, const unsigned char *bytes,
                                 size_t length, muster_error *error) {
  mst_flatbuffer buffer;
  const mst_fb_table footer = mst_fb_root(&buffer, bytes, length);
  const mst_fb_table schema = mst_fb_child(&footer, FOOTER_SCHEMA);
  const int version = (int)mst_fb_int(&footer, FOOTER_VERSION, 2, 0);
  if (buffer.bad || schema.buffer == NULL)
    return mst_arrow_damaged(inspection->file.path, inspection->file.size,
                             "its footer makes no sense", error);
  muster_status status = take_schema(inspection, &schema, version, error);
  if (status == MUSTER_OK)
    status = take_blocks(inspection, &footer, FOOTER_DICTIONARIES, MST_ARROW_DICTIONARY, error);
  if (status == MUSTER_OK)
    status = take_blocks(inspection, &footer, FOOTER_BATCHES, MST_ARROW_BATCH, error);
  if (status == MUSTER_OK && buffer.bad)
    return mst_arrow_damaged(inspection->file.path, inspection->file.size,
                             "its footer makes no sense", error);
  return status;
}

static muster_status walk_file(mst_inspection *inspection, muster_error *error) {
  unsigned char *bytes = NULL;
  size_t length = 0;
  muster_status status = read_footer(inspection, &bytes, &length, error);
  if (status == MUSTER_OK) status = take_footer(inspection, bytes, length, error);
  mst_free(bytes);
  return status;
}

/* ---- inspecting ----------------------------------------------------------------------------- */

/* One column, one batch, and its values as they are wanted: a flat file. */
static bool is_flat(const mst_inspection *inspection) {
  const mst_arrow_detail *detail = inspection->detail;
  const mst_arrow_column *column = &detail->columns[0];
  if (detail->choice.count != 1 || detail->batches.length != 1 || inspection->has_nulls ||
      !is_in_order(&detail->row))
    return false;
  if (detail->batches.data[0].is_compressed || column->entries != MUSTER_NO_TYPE) return false;
  const muster_type stored = column->storage, wanted = detail->choice.dtype.type;
  const bool is_count = mst_is_time(wanted) && stored == MUSTER_INT64;
  return stored != MUSTER_BOOL && (stored == wanted || is_count);
}

static muster_status inspect(const mst_source *source, mst_schema *schema, mst_shard *shard,
                             mst_str *note, muster_error *error) {
  mst_inspection inspection = {
      .source = source,
      .file = {.fd = source->fd, .path = source->path, .size = source->stat->size},
      .detail = mst_calloc(1, sizeof(mst_arrow_detail)),
      .out = schema};
  if (inspection.detail == NULL) return mst_fail_memory(error);
  shard->detail = inspection.detail;
  inspection.detail->is_stream = !has_magic(source->head, source->head_length);
  const muster_status status = inspection.detail->is_stream ? walk_stream(&inspection, note, error)
                                                            : walk_file(&inspection, error);
  if (status == MUSTER_OK) {
    schema->shape[0] = inspection.rows;
    shard->by_rows = !is_flat(&inspection);
    shard->data_offset = shard->by_rows ? 0 : inspection.values;
  }
  mst_arrow_schema_reset(&inspection.schema);
  mst_arrow_message_reset(&inspection.message);
  return status;
}

const mst_arrow_batch *mst_arrow_batch_of(const mst_arrow_detail *detail, uint64_t row) {
  size_t lo = 0, hi = detail->batches.length;
  while (hi - lo > 1) {
    const size_t middle = lo + (hi - lo) / 2;
    if (detail->batches.data[middle].first_row <= row)
      lo = middle;
    else
      hi = middle;
  }
  return &detail->batches.data[lo];
}

static bool band(const mst_shard *shard, uint64_t row, uint64_t *lo, uint64_t *hi) {
  const mst_arrow_batch *batch = mst_arrow_batch_of(shard->detail, row);
  *lo = batch->first_row;
  *hi = batch->first_row + batch->rows;
  return batch->is_compressed;
}

/* ---- recipes -------------------------------------------------------------------------------- */

static void add_columns(const mst_arrow_detail *detail, mst_str *out) {
  mst_str_add(out, "[");
  for (size_t i = 0; i < detail->choice.count; i++) {
    if (i > 0) mst_str_add(out, ", ");
    mst_add_python_string(out, detail->columns[i].name);
  }
  mst_str_add(out, "]");
}

/* What stands for nulls of integers, as a number. */
static void add_null(const mst_choice *choice, mst_str *out) {
  const muster_type type = choice->dtype.type;
  const bool is_signed = type >= MUSTER_INT8 && type <= MUSTER_INT64;
  const muster_dtype wide = {.type = is_signed ? MUSTER_INT64 : MUSTER_UINT64};
  int64_t number = 0;
  if (!choice->other_null.is_set || mst_is_inexact(type) || mst_is_time(type)) return;
  if (type == MUSTER_BOOL)
    number = choice->other_null.bytes[0];
  else
    mst_converter(&choice->dtype, &wide)(choice->other_null.bytes, &number, sizeof number, 1);
  if (type == MUSTER_BOOL)
    mst_str_addf(out, "        column = column.fill_null(%s)\n", number != 0 ? "True" : "False");
  else if (is_signed)
    mst_str_addf(out, "        column = column.fill_null(%" PRId64 ")\n", number);
  else
    mst_str_addf(out, "        column = column.fill_null(%" PRIu64 ")\n", (uint64_t)number);
}

/* From a column of the table to numbers, one behind the other. */
static void add_conversion(const mst_python_shards *python, const mst_arrow_detail *detail,
                           mst_str *out) {
  char name[48];
  if (detail->row.lists > 0)
    mst_str_add(out, "        if isinstance(column.type, pa.BaseExtensionType):\n"
                     "            column = pa.chunked_array([c.storage for c in column.chunks])\n"
                     "        while pa.types.is_fixed_size_list(column.type):\n"
                     "            if column.null_count > 0:\n"
                     "                raise ValueError(f\"{path} has null lists\")\n"
                     "            column = pa.chunked_array([c.values for c in column.chunks])\n");
  if (python->schema->dtype.type == MUSTER_TIMEDELTA64)
    mst_str_add(out, "        if pa.types.is_time(column.type):\n"
                     "            column = column.cast(f\"int{column.type.bit_width}\")\n");
  add_null(&detail->choice, out);
  mst_str_addf(out, "        columns.append(column.to_numpy().astype(\"%s\"))\n",
               muster_dtype_name(&python->schema->dtype, name));
}

/* Tensors whose values lie in another order of axes. */
static void add_transposed(const mst_arrow_detail *detail, const char *stacked, mst_str *out) {
  const mst_arrow_row *row = &detail->row;
  const size_t before = detail->choice.count > 1 ? 2 : 1;
  mst_str_add(out, "    array = np.stack([column.reshape(len(table)");
  for (size_t i = 0; i < row->rank; i++)
    mst_str_addf(out, ", %" PRIu64, row->shape[i]);
  mst_str_addf(out, ") for column in columns], axis=1)%s\n    return array.transpose(0",
               before == 1 ? "[:, 0]" : "");
  if (before == 2) mst_str_add(out, ", 1");
  for (size_t axis = 0; axis < row->rank; axis++)
    for (size_t i = 0; i < row->rank; i++)
      if (row->axes[i] == axis) mst_str_addf(out, ", %zu", before + i);
  mst_str_addf(out, ")%s\n", stacked);
}

static void add_python(const mst_python_shards *python, mst_str *out) {
  const mst_arrow_detail *detail = python->shards[0].detail;
  mst_str_addf(out,
               "    import pyarrow as pa\n\n"
               "    with pa.memory_map(path) as file:\n"
               "        table = pa.ipc.open_%s(file).read_all()\n"
               "    columns = []\n"
               "    for name in ",
               detail->is_stream ? "stream" : "file");
  add_columns(detail, out);
  mst_str_add(out, ":\n        column = table[name]\n");
  add_conversion(python, detail, out);
  const char *const stacked = python->stack ? "[np.newaxis]" : "";
  if (!is_in_order(&detail->row))
    add_transposed(detail, stacked, out);
  else if (detail->row.lists > 0)
    mst_str_addf(out,
                 "    array = np.stack(columns, axis=-1).reshape(len(table), -1, %zu)\n"
                 "    return array.swapaxes(1, 2).reshape(-1, *SHAPE[%d:])%s\n",
                 detail->choice.count, python->stack ? 2 : 1, stacked);
  else if (detail->choice.count > 1)
    mst_str_addf(out, "    return np.stack(columns, axis=1)%s\n", stacked);
  else
    mst_str_addf(out, "    return columns[0]%s\n", stacked);
}

const mst_format mst_format_arrow = {
    .name = "arrow",
    .summary = "Arrow IPC files and streams, Feather version 2: columns of numbers",
    .extensions = ".arrow .feather .arrows .ipc",
    .takes = MST_TAKES_COLUMNS,
    .probe = probe,
    .prepare = mst_table_prepare,
    .release = mst_table_release,
    .inspect = inspect,
    .forget = forget,
    .open = mst_arrow_open,
    .close = mst_arrow_close,
    .band = band,
    .band_is_whole = true,
    .read_elements = mst_flat_read_elements,
    .read_rows = mst_arrow_read_rows,
    .add_python = add_python,
};
