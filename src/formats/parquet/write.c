/* SPDX-License-Identifier: Apache-2.0 */
/* Writing a Parquet file: flat columns c0, c1 and so on, plain, without compression. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cancel.h"
#include "base/shape.h"
#include "base/status.h"
#include "formats/parquet/parquet.h"
#include "formats/parquet/thrift.h"

#define GROUP_BYTES ((uint64_t)8 << 20)
#define MAX_COLUMNS 65536

enum { CODEC_NONE = 0, ENCODING_PLAIN = 0, ENCODING_RLE = 3, DATA_PAGE = 0 };

/* How elements of a dtype are stored. */
typedef struct mst_storage {
  muster_type type;
  mst_parquet_type stored;
  uint8_t bits; /* of integers whose size or sign is not that of what is stored */
} mst_storage;

static const mst_storage storages[] = {
    {MUSTER_BOOL, MST_PARQUET_BOOLEAN, 0},     {MUSTER_INT8, MST_PARQUET_INT32, 8},
    {MUSTER_INT16, MST_PARQUET_INT32, 16},     {MUSTER_INT32, MST_PARQUET_INT32, 0},
    {MUSTER_INT64, MST_PARQUET_INT64, 0},      {MUSTER_UINT8, MST_PARQUET_INT32, 8},
    {MUSTER_UINT16, MST_PARQUET_INT32, 16},    {MUSTER_UINT32, MST_PARQUET_INT32, 32},
    {MUSTER_UINT64, MST_PARQUET_INT64, 64},    {MUSTER_FLOAT16, MST_PARQUET_FIXED_BYTES, 0},
    {MUSTER_FLOAT32, MST_PARQUET_FLOAT, 0},    {MUSTER_FLOAT64, MST_PARQUET_DOUBLE, 0},
    {MUSTER_DATETIME64, MST_PARQUET_INT64, 0},
};

typedef struct mst_parquet_writer {
  const mst_new_shard *shard;
  const mst_storage *storage;
  int fd;
  uint64_t at; /* bytes written */
  uint64_t rows, columns;
  uint64_t group_rows;
  unsigned char *block;  /* elements of a row group */
  unsigned char *column; /* one column of it, as it is stored */
  mst_str groups;        /* their metadata */
  size_t group_count;
} mst_parquet_writer;

/* ---- what can be written ------------------------------------------------------------------------ */

/* The number of the unit in the format's own list; 0: it has none for it. */
static int16_t unit_of(const muster_dtype *dtype) {
  static const char *const units[] = {"ms", "us", "ns"};
  for (int16_t i = 0; i < 3; i++)
    if (strcmp(dtype->unit, units[i]) == 0) return (int16_t)(i + 1);
  return 0;
}

static const mst_storage *storage_of(const muster_dtype *dtype) {
  if (dtype->type == MUSTER_DATETIME64 && unit_of(dtype) == 0) return NULL;
  for (size_t i = 0; i < sizeof storages / sizeof *storages; i++)
    if (storages[i].type == dtype->type) return &storages[i];
  return NULL;
}

static muster_status check(mst_parquet_writer *writer, muster_error *error) {
  const mst_schema *schema = &writer->shard->schema;
  const char *path = writer->shard->path;
  char name[48];
  writer->storage = storage_of(&schema->dtype);
  if (writer->storage == NULL)
    return mst_fail(error, MUSTER_ERR_UNSUPPORTED, path, "Parquet has no type for %s",
                    muster_dtype_name(&schema->dtype, name));
  if (schema->dtype.swapped)
    return mst_fail(error, MUSTER_ERR_UNSUPPORTED, path,
                    "Parquet has one byte order: leave out the '>'");
  if (schema->rank > 2)
    return mst_fail(error, MUSTER_ERR_UNSUPPORTED, path,
                    "Parquet files are written with one axis behind the rows, the columns: rows "
                    "of %zu axes can be npy or raw",
                    schema->rank - 1);
  writer->rows = schema->shape[0];
  writer->columns = schema->rank == 2 ? schema->shape[1] : 1;
  if (writer->columns == 0 || writer->columns > MAX_COLUMNS)
    return mst_fail(error, MUSTER_ERR_UNSUPPORTED, path,
                    "%" PRIu64 " columns are not written: 1 to %d are", writer->columns,
                    MAX_COLUMNS);
  return MUSTER_OK;
}

/* ---- metadata ------------------------------------------------------------------------------------ */

static void add_timestamp(mst_str *out, int16_t *last, const muster_dtype *dtype) {
  int16_t in_type = 0, in_unit = 0;
  mst_thrift_add_struct(out, last, 8);
  mst_thrift_add_bool(out, &in_type, 1, false); /* of no time zone, as NumPy's */
  mst_thrift_add_struct(out, &in_type, 2);
  mst_thrift_add_struct(out, &in_unit, unit_of(dtype));
  mst_thrift_end_struct(out);
  mst_thrift_end_struct(out);
  mst_thrift_end_struct(out);
}

static void add_meaning(mst_str *out, int16_t *last, const mst_parquet_writer *writer) {
  const muster_dtype *dtype = &writer->shard->schema.dtype;
  const bool is_time = dtype->type == MUSTER_DATETIME64;
  const bool is_half = dtype->type == MUSTER_FLOAT16;
  if (!is_time && !is_half && writer->storage->bits == 0) return;
  int16_t in_union = 0;
  mst_thrift_add_struct(out, last, 10);
  if (is_time) {
    add_timestamp(out, &in_union, dtype);
  } else if (is_half) {
    mst_thrift_add_struct(out, &in_union, 15);
    mst_thrift_end_struct(out);
  } else {
    int16_t in_type = 0;
    mst_thrift_add_struct(out, &in_union, 10);
    mst_thrift_add_int(out, &in_type, 1, MST_THRIFT_BYTE, writer->storage->bits);
    mst_thrift_add_bool(out, &in_type, 2, dtype->type < MUSTER_UINT8);
    mst_thrift_end_struct(out);
  }
  mst_thrift_end_struct(out);
}

static void add_schema(mst_str *out, int16_t *last, const mst_parquet_writer *writer) {
  mst_thrift_add_list(out, last, 2, MST_THRIFT_STRUCT, (size_t)writer->columns + 1);
  int16_t in_root = 0;
  mst_thrift_add_text(out, &in_root, 4, "schema");
  mst_thrift_add_int(out, &in_root, 5, MST_THRIFT_I32, (int64_t)writer->columns);
  mst_thrift_end_struct(out);
  for (uint64_t i = 0; i < writer->columns; i++) {
    char name[24];
    int16_t in_node = 0;
    snprintf(name, sizeof name, "c%" PRIu64, i);
    mst_thrift_add_int(out, &in_node, 1, MST_THRIFT_I32, writer->storage->stored);
    if (writer->storage->stored == MST_PARQUET_FIXED_BYTES)
      mst_thrift_add_int(out, &in_node, 2, MST_THRIFT_I32, 2);
    mst_thrift_add_int(out, &in_node, 3, MST_THRIFT_I32, MST_PARQUET_REQUIRED);
    mst_thrift_add_text(out, &in_node, 4, name);
    add_meaning(out, &in_node, writer);
    mst_thrift_end_struct(out);
  }
}

/* The chunk of column `index`, which is one page that begins at `offset`. */
static void add_chunk(mst_parquet_writer *writer, uint64_t index, uint64_t offset, uint64_t rows) {
  mst_str *out = &writer->groups;
  char name[24];
  int16_t in_chunk = 0, in_meta = 0;
  const int64_t bytes = (int64_t)(writer->at - offset);
  snprintf(name, sizeof name, "c%" PRIu64, index);
  mst_thrift_add_int(out, &in_chunk, 2, MST_THRIFT_I64, 0);
  mst_thrift_add_struct(out, &in_chunk, 3);
  mst_thrift_add_int(out, &in_meta, 1, MST_THRIFT_I32, writer->storage->stored);
  mst_thrift_add_list(out, &in_meta, 2, MST_THRIFT_I32, 2);
  mst_thrift_add_element(out, ENCODING_PLAIN);
  mst_thrift_add_element(out, ENCODING_RLE);
  mst_thrift_add_list(out, &in_meta, 3, MST_THRIFT_BINARY, 1);
  mst_thrift_add_text_element(out, name);
  mst_thrift_add_int(out, &in_meta, 4, MST_THRIFT_I32, CODEC_NONE);
  mst_thrift_add_int(out, &in_meta, 5, MST_THRIFT_I64, (int64_t)rows);
  mst_thrift_add_int(out, &in_meta, 6, MST_THRIFT_I64, bytes);
  mst_thrift_add_int(out, &in_meta, 7, MST_THRIFT_I64, bytes);
  mst_thrift_add_int(out, &in_meta, 9, MST_THRIFT_I64, (int64_t)offset);
  mst_thrift_end_struct(out);
  mst_thrift_end_struct(out);
}

static void add_page_header(mst_str *out, uint64_t bytes, uint64_t rows) {
  int16_t in_header = 0, in_data = 0;
  mst_thrift_add_int(out, &in_header, 1, MST_THRIFT_I32, DATA_PAGE);
  mst_thrift_add_int(out, &in_header, 2, MST_THRIFT_I32, (int64_t)bytes);
  mst_thrift_add_int(out, &in_header, 3, MST_THRIFT_I32, (int64_t)bytes);
  mst_thrift_add_struct(out, &in_header, 5);
  mst_thrift_add_int(out, &in_data, 1, MST_THRIFT_I32, (int64_t)rows);
  mst_thrift_add_int(out, &in_data, 2, MST_THRIFT_I32, ENCODING_PLAIN);
  mst_thrift_add_int(out, &in_data, 3, MST_THRIFT_I32, ENCODING_RLE);
  mst_thrift_add_int(out, &in_data, 4, MST_THRIFT_I32, ENCODING_RLE);
  mst_thrift_end_struct(out);
  mst_thrift_end_struct(out);
}

/* ---- data ----------------------------------------------------------------------------------------- */

static muster_status put(mst_parquet_writer *writer, const void *bytes, size_t length,
                         muster_error *error) {
  const muster_status status =
      mst_io_write(writer->fd, writer->shard->path, writer->at, bytes, length, error);
  writer->at += length;
  return status;
}

/* Gathers a column of the row group as it is stored; the bytes that it takes. */
static size_t gather(mst_parquet_writer *writer, uint64_t index, size_t rows) {
  const size_t itemsize = muster_type_size(writer->storage->type);
  const size_t step = itemsize * (size_t)writer->columns;
  const unsigned char *from = writer->block + (size_t)index * itemsize;
  unsigned char *to = writer->column;
  if (writer->storage->stored == MST_PARQUET_BOOLEAN) {
    memset(to, 0, (rows + 7) / 8);
    for (size_t i = 0; i < rows; i++)
      to[i >> 3] |= (unsigned char)((from[i * step] != 0) << (i & 7));
    return (rows + 7) / 8;
  }
  const bool widens = writer->storage->stored == MST_PARQUET_INT32 && itemsize < 4;
  const muster_dtype narrow = {.type = writer->storage->type}, wide = {.type = MUSTER_INT32};
  const mst_convert_fn convert = widens ? mst_converter(&narrow, &wide) : NULL;
  const size_t stored = widens ? 4 : itemsize;
  for (size_t i = 0; i < rows; i++) {
    if (widens)
      convert(from + i * step, to + i * stored, 4, 1);
    else
      memcpy(to + i * stored, from + i * step, stored);
  }
  return rows * stored;
}

static muster_status write_chunk(mst_parquet_writer *writer, uint64_t index, uint64_t rows,
                                 muster_error *error) {
  const uint64_t offset = writer->at;
  const size_t bytes = gather(writer, index, (size_t)rows);
  mst_str header = {0};
  add_page_header(&header, bytes, rows);
  muster_status status =
      header.failed ? mst_fail_memory(error) : put(writer, header.data, header.length, error);
  mst_str_reset(&header);
  if (status == MUSTER_OK) status = put(writer, writer->column, bytes, error);
  if (status == MUSTER_OK) add_chunk(writer, index, offset, rows);
  return status;
}

static muster_status write_group(mst_parquet_writer *writer, uint64_t first, uint64_t rows,
                                 muster_error *error) {
  const mst_new_shard *shard = writer->shard;
  const uint64_t begin = writer->at;
  if (mst_is_cancelled(shard->cancel))
    return mst_fail(error, MUSTER_ERR_CANCELLED, shard->path, "cancelled");
  shard->fill(shard->context, writer->block, first * writer->columns,
              (size_t)(rows * writer->columns));
  int16_t in_group = 0;
  mst_thrift_add_list(&writer->groups, &in_group, 1, MST_THRIFT_STRUCT, (size_t)writer->columns);
  muster_status status = MUSTER_OK;
  for (uint64_t i = 0; status == MUSTER_OK && i < writer->columns; i++)
    status = write_chunk(writer, i, rows, error);
  mst_thrift_add_int(&writer->groups, &in_group, 2, MST_THRIFT_I64, (int64_t)(writer->at - begin));
  mst_thrift_add_int(&writer->groups, &in_group, 3, MST_THRIFT_I64, (int64_t)rows);
  mst_thrift_end_struct(&writer->groups);
  writer->group_count++;
  return status;
}

static muster_status write_footer(mst_parquet_writer *writer, muster_error *error) {
  mst_str footer = {0};
  int16_t last = 0;
  mst_thrift_add_int(&footer, &last, 1, MST_THRIFT_I32, 2);
  add_schema(&footer, &last, writer);
  mst_thrift_add_int(&footer, &last, 3, MST_THRIFT_I64, (int64_t)writer->rows);
  mst_thrift_add_list(&footer, &last, 4, MST_THRIFT_STRUCT, writer->group_count);
  mst_str_add_bytes(&footer, mst_str_text(&writer->groups), writer->groups.length);
  mst_thrift_add_text(&footer, &last, 6, "muster");
  mst_thrift_end_struct(&footer);
  const size_t length = footer.length;
  for (unsigned shift = 0; shift < 32; shift += 8) {
    const char byte = (char)(length >> shift & 0xff);
    mst_str_add_bytes(&footer, &byte, 1);
  }
  mst_str_add(&footer, "PAR1");
  muster_status status;
  if (footer.failed || writer->groups.failed)
    status = mst_fail_memory(error);
  else if (length > UINT32_MAX)
    status = mst_fail(error, MUSTER_ERR_UNSUPPORTED, writer->shard->path,
                      "too many columns and rows for one Parquet file: write more files");
  else
    status = put(writer, footer.data, footer.length, error);
  mst_str_reset(&footer);
  return status;
}

static muster_status write_all(mst_parquet_writer *writer, muster_error *error) {
  muster_status status = put(writer, "PAR1", 4, error);
  for (uint64_t at = 0; status == MUSTER_OK && at < writer->rows; at += writer->group_rows)
    status = write_group(writer, at, mst_smaller(writer->rows - at, writer->group_rows), error);
  return status == MUSTER_OK ? write_footer(writer, error) : status;
}

static bool make_room(mst_parquet_writer *writer) {
  const uint64_t row_bytes = writer->columns * muster_type_size(writer->storage->type);
  writer->group_rows = mst_larger(GROUP_BYTES / mst_larger(row_bytes, 1), 1);
  writer->group_rows = mst_larger(mst_smaller(writer->group_rows, writer->rows), 1);
  writer->block = mst_alloc((size_t)(writer->group_rows * row_bytes));
  writer->column = mst_alloc((size_t)writer->group_rows * 8);
  return writer->block != NULL && writer->column != NULL;
}

muster_status mst_parquet_write(const mst_new_shard *shard, muster_error *error) {
  mst_parquet_writer writer = {.shard = shard, .fd = -1};
  muster_status status = check(&writer, error);
  if (status != MUSTER_OK) return status;
  status =
      make_room(&writer) ? mst_io_create(shard->path, &writer.fd, error) : mst_fail_memory(error);
  if (status == MUSTER_OK) status = write_all(&writer, error);
  mst_free(writer.block);
  mst_free(writer.column);
  mst_str_reset(&writer.groups);
  if (writer.fd < 0) return status;
  const muster_status closed =
      mst_io_close_written(writer.fd, shard->path, status == MUSTER_OK ? error : NULL);
  return status != MUSTER_OK ? status : closed;
}
