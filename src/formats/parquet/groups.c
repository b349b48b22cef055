/* SPDX-License-Identifier: Apache-2.0 */
/* The row groups of a Parquet file: where the chunks of its columns are. */
#include "base/alloc.h"
#include "base/shape.h"
#include "base/status.h"
#include "formats/parquet/parquet.h"
#include "formats/parquet/thrift.h"

typedef struct mst_group_reader {
  const mst_source *source;
  mst_thrift thrift;
  mst_parquet_file *file;
  mst_parquet_chunk *all; /* of one row group, one a leaf */
  size_t leaves;
  size_t room; /* row groups that there is memory for */
} mst_group_reader;

/* Its statistics, which may say how many values are null. */
static bool read_has_nulls(mst_thrift *thrift) {
  int64_t nulls = 0;
  mst_thrift_field field = {0};
  while (mst_thrift_next(thrift, &field)) {
    if (field.id == 3)
      nulls = mst_thrift_int(thrift, field.type);
    else
      mst_thrift_skip(thrift, field.type);
  }
  return nulls > 0;
}

/* The type that the chunk has is checked against the schema; -1: not said. */
static int read_chunk_metadata(mst_thrift *thrift, mst_parquet_chunk *chunk) {
  int type = -1;
  int64_t dictionary = 0, data = -1, values = -1, bytes = -1, decoded = 0, codec = -1;
  mst_thrift_field field = {0};
  while (mst_thrift_next(thrift, &field)) {
    switch (field.id) {
    case 1: type = mst_thrift_int32(thrift, field.type); break;
    case 4: codec = mst_thrift_int(thrift, field.type); break;
    case 5: values = mst_thrift_int(thrift, field.type); break;
    case 6: decoded = mst_thrift_int(thrift, field.type); break;
    case 7: bytes = mst_thrift_int(thrift, field.type); break;
    case 9: data = mst_thrift_int(thrift, field.type); break;
    case 11: dictionary = mst_thrift_int(thrift, field.type); break;
    case 12:
      if (mst_thrift_struct(thrift, field.type)) chunk->has_nulls = read_has_nulls(thrift);
      break;
    default: mst_thrift_skip(thrift, field.type);
    }
  }
  if (data < 0 || values < 0 || bytes < 0 || codec < 0 || codec > UINT8_MAX) thrift->failed = true;
  chunk->offset = (uint64_t)(dictionary > 0 && dictionary < data ? dictionary : data);
  chunk->bytes = (uint64_t)bytes;
  chunk->values = (uint64_t)values;
  chunk->decoded_bytes = decoded > 0 ? (uint64_t)decoded : 0;
  chunk->codec = (uint8_t)codec;
  return type;
}

static muster_status read_chunk(mst_group_reader *reader, mst_parquet_chunk *chunk,
                                muster_error *error) {
  const char *path = reader->source->path;
  mst_thrift *thrift = &reader->thrift;
  bool has_metadata = false, is_elsewhere = false, is_encrypted = false;
  mst_thrift_field field = {0};
  while (mst_thrift_next(thrift, &field)) {
    if (field.id == 3 && mst_thrift_struct(thrift, field.type)) {
      (void)read_chunk_metadata(thrift, chunk);
      has_metadata = true;
      continue;
    }
    is_elsewhere = is_elsewhere || field.id == 1;
    is_encrypted = is_encrypted || field.id == 8;
    mst_thrift_skip(thrift, field.type);
  }
  if (thrift->failed) return MUSTER_OK;
  if (is_encrypted)
    return mst_fail(error, MUSTER_ERR_UNSUPPORTED, path,
                    "an encrypted Parquet file: write it again without encryption");
  if (is_elsewhere)
    return mst_fail(error, MUSTER_ERR_UNSUPPORTED, path,
                    "its data are in other files: name those instead");
  const uint64_t size = reader->source->stat->size;
  if (!has_metadata || chunk->offset > size || chunk->bytes > size - chunk->offset)
    return mst_parquet_damaged(path, NULL, "a chunk of a column is outside the file", error);
  return MUSTER_OK;
}

static muster_status read_chunks(mst_group_reader *reader, uint8_t type, muster_error *error) {
  uint8_t element;
  const size_t count = mst_thrift_list(&reader->thrift, type, &element);
  if (reader->thrift.failed || count != reader->leaves || element != MST_THRIFT_STRUCT)
    return mst_parquet_damaged(reader->source->path, NULL,
                               "a row group has not the columns of the schema", error);
  muster_status status = MUSTER_OK;
  for (size_t i = 0; status == MUSTER_OK && i < count && !reader->thrift.failed; i++)
    status = read_chunk(reader, &reader->all[i], error);
  return status;
}

/* Room for one more row group. */
static bool make_room(mst_group_reader *reader) {
  mst_parquet_file *file = reader->file;
  if (file->group_count < reader->room) return true;
  const size_t room = reader->room > 0 ? reader->room * 2 : 1;
  uint64_t bytes;
  if (!mst_multiply(room, file->choice.count * sizeof(mst_parquet_chunk), &bytes)) return false;
  void *chunks = mst_realloc(file->chunks, (size_t)bytes);
  if (chunks != NULL) file->chunks = chunks;
  void *rows = mst_realloc(file->first_rows, (room + 1) * sizeof *file->first_rows);
  if (rows != NULL) file->first_rows = rows;
  if (chunks != NULL && rows != NULL) reader->room = room;
  return chunks != NULL && rows != NULL;
}

/* A flat column has a value for each row, be it null. */
static muster_status check_chunk(const mst_group_reader *reader, const mst_parquet_taken *column,
                                 const mst_parquet_chunk *chunk, uint64_t rows,
                                 muster_error *error) {
  if (column->layout.max_repetition > 0 ? chunk->values >= rows : chunk->values == rows)
    return MUSTER_OK;
  return mst_parquet_damaged(reader->source->path, column->name,
                             "its values are not as many as the rows", error);
}

/* Told before anything is read; where only some rows are wanted, these may have none. */
static muster_status check_nulls(const mst_group_reader *reader, size_t column,
                                 const mst_parquet_chunk *chunk, muster_error *error) {
  const mst_choice *choice = &reader->file->choice;
  const mst_parquet_taken *taken = &reader->file->columns[column];
  const muster_row_range *rows = &reader->source->options->rows;
  const bool are_all = rows->lo == 0 && rows->hi == INT64_MAX;
  if (!chunk->has_nulls || taken->layout.max_definition == 0 || !are_all ||
      mst_null_of(choice, &choice->taken[column])->is_set)
    return MUSTER_OK;
  return mst_refuse_null(reader->source->path, taken->name, &choice->dtype, error);
}

static muster_status take_group(mst_group_reader *reader, uint64_t rows, muster_error *error) {
  mst_parquet_file *file = reader->file;
  const size_t count = file->choice.count;
  if (!make_room(reader)) return mst_fail_memory(error);
  mst_parquet_chunk *chunks = &file->chunks[file->group_count * count];
  const uint64_t first = file->group_count > 0 ? file->first_rows[file->group_count] : 0;
  if (rows > MST_MAX_BYTES - first)
    return mst_parquet_damaged(reader->source->path, NULL, "too many rows", error);
  muster_status status = MUSTER_OK;
  for (size_t i = 0; status == MUSTER_OK && i < count; i++) {
    const mst_parquet_taken *column = &file->columns[i];
    chunks[i] = (mst_parquet_chunk){0};
    if (column->is_constant) continue;
    chunks[i] = reader->all[column->layout.leaf];
    status = check_chunk(reader, column, &chunks[i], rows, error);
    if (status == MUSTER_OK) status = check_nulls(reader, i, &chunks[i], error);
  }
  file->first_rows[file->group_count++] = first;
  file->first_rows[file->group_count] = first + rows;
  return status;
}

static muster_status read_group(mst_group_reader *reader, muster_error *error) {
  mst_thrift *thrift = &reader->thrift;
  muster_status status = MUSTER_OK;
  bool has_columns = false;
  int64_t rows = -1;
  mst_thrift_field field = {0};
  while (status == MUSTER_OK && mst_thrift_next(thrift, &field)) {
    if (field.id == 1) {
      status = read_chunks(reader, field.type, error);
      has_columns = true;
    } else if (field.id == 3) {
      rows = mst_thrift_int(thrift, field.type);
    } else {
      mst_thrift_skip(thrift, field.type);
    }
  }
  if (status != MUSTER_OK) return status;
  if (thrift->failed || rows < 0 || !has_columns)
    return mst_parquet_damaged(reader->source->path, NULL, "a row group cannot be understood",
                               error);
  return rows > 0 ? take_group(reader, (uint64_t)rows, error) : MUSTER_OK;
}

muster_status mst_parquet_read_groups(const mst_source *source, const mst_parquet_footer *footer,
                                      size_t leaves, mst_parquet_file *file, muster_error *error) {
  mst_group_reader reader = {.source = source, .file = file, .leaves = leaves};
  reader.thrift.at = footer->groups;
  reader.thrift.end = (const unsigned char *)footer->bytes + footer->length;
  uint8_t element;
  const size_t count = mst_thrift_list(&reader.thrift, MST_THRIFT_LIST, &element);
  reader.all = mst_calloc(mst_larger(leaves, 1), sizeof *reader.all);
  if (reader.all == NULL || !make_room(&reader)) {
    mst_free(reader.all);
    return mst_fail_memory(error);
  }
  file->first_rows[0] = 0;
  muster_status status = MUSTER_OK;
  for (size_t i = 0; status == MUSTER_OK && i < count; i++)
    status = read_group(&reader, error);
  mst_free(reader.all);
  if (status != MUSTER_OK) return status;
  if (file->first_rows[file->group_count] != footer->rows)
    return mst_parquet_damaged(source->path, NULL, "its row groups have not its rows", error);
  return MUSTER_OK;
}

void mst_parquet_file_free(mst_parquet_file *file) {
  if (file == NULL) return;
  for (size_t i = 0; file->columns != NULL && i < file->choice.count; i++)
    mst_free(file->columns[i].name);
  mst_free(file->columns);
  mst_free(file->first_rows);
  mst_free(file->chunks);
  mst_choice_reset(&file->choice);
  mst_free(file);
}
