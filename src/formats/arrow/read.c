/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rows of record batches. Columns lie one behind the other in a batch, and side by side in the
 * array: pieces of all of them are brought into memory, then turned in blocks of rows that stay in
 * the cache. A single column of the array's own dtype is read into place.
 */
#include <inttypes.h>
#include <string.h>

#include "base/alloc.h"
#include "base/dtype.h"
#include "base/shape.h"
#include "base/status.h"
#include "base/strided.h"
#include "base/turn.h"
#include "formats/arrow/reader.h"

/* Of all columns together, read before they are turned. */
#define STAGING_BYTES ((uint64_t)1 << 20)
/* Of the array, turned at once. */
#define BLOCK_BYTES ((uint64_t)32 << 10)
#define MIN_BLOCK_ROWS 64
/* Of validity, for a column that is read into place. */
#define PLACED_ROWS ((uint64_t)8 << 20)
/* Elements of bits and of dictionaries that are spelled out at once. */
#define SPELLED 1024

/* ---- the reader ----------------------------------------------------------------------------- */

static size_t buffers_of_column(const mst_arrow_detail *detail) { return detail->row.lists + 2; }

muster_status mst_arrow_open(mst_open_shard *open, muster_error *error) {
  if (!open->shard->by_rows) return MUSTER_OK;
  const mst_arrow_detail *detail = open->shard->detail;
  const size_t count = detail->choice.count;
  mst_arrow_reader *reader = mst_calloc(1, sizeof *reader);
  if (reader == NULL) return mst_fail_memory(error);
  *reader = (mst_arrow_reader){
      .file = {.fd = open->fd, .path = open->shard->path, .size = open->shard->stat.size},
      .detail = detail,
      .itemsize = muster_type_size(detail->choice.dtype.type),
      .places = mst_calloc(count, sizeof *reader->places),
      .pieces = mst_calloc(count, sizeof *reader->pieces),
      .dictionaries = mst_calloc(count, sizeof *reader->dictionaries),
      .slots = mst_calloc(count * buffers_of_column(detail), sizeof *reader->slots),
      .decoder = {.path = open->shard->path}};
  open->state = reader;
  if (reader->places != NULL && reader->pieces != NULL && reader->dictionaries != NULL &&
      reader->slots != NULL)
    return MUSTER_OK;
  mst_arrow_close(open);
  return mst_fail_memory(error);
}

static size_t count_slots(const mst_arrow_reader *reader) {
  const size_t count = reader->detail->choice.count * buffers_of_column(reader->detail);
  return reader->slots != NULL ? count : 0;
}

void mst_arrow_close(mst_open_shard *open) {
  mst_arrow_reader *reader = open->state;
  if (reader == NULL) return;
  for (size_t i = 0; i < count_slots(reader); i++)
    mst_free(reader->slots[i].bytes);
  for (size_t i = 0; reader->dictionaries != NULL && i < reader->detail->choice.count; i++)
    mst_arrow_dictionary_reset(&reader->dictionaries[i]);
  mst_free(reader->dictionaries);
  mst_free(reader->slots);
  mst_free(reader->places);
  mst_free(reader->pieces);
  mst_free(reader->packed);
  mst_free(reader->staging);
  mst_arrow_message_reset(&reader->message);
  mst_decoder_reset(&reader->decoder);
  mst_free(reader);
  open->state = NULL;
}

static muster_status take_batch(mst_arrow_reader *reader, const mst_arrow_batch *batch,
                                muster_error *error) {
  if (reader->batch == batch) return MUSTER_OK;
  const mst_arrow_detail *detail = reader->detail;
  const char *path = reader->file.path;
  reader->batch = NULL;
  for (size_t i = 0; i < count_slots(reader); i++)
    reader->slots[i].is_filled = false;
  muster_status status =
      mst_arrow_read_message(&reader->file, batch->offset, &reader->message, error);
  if (status == MUSTER_OK && reader->message.kind != MST_ARROW_BATCH)
    return mst_arrow_damaged(path, batch->offset, "a record batch is gone", error);
  if (status == MUSTER_OK)
    status =
        mst_arrow_view_batch(path, &reader->message, &reader->message.header, &reader->view, error);
  if (status == MUSTER_OK && reader->view.rows != batch->rows)
    return mst_arrow_damaged(path, batch->offset, "a record batch is another one", error);
  for (size_t i = 0; status == MUSTER_OK && i < detail->choice.count; i++) {
    const mst_arrow_column *column = &detail->columns[i];
    status = mst_arrow_locate(path, &reader->view, column, &reader->places[i], error);
    if (status == MUSTER_OK && column->entries != MUSTER_NO_TYPE)
      status = mst_arrow_load_dictionary(reader, i, (size_t)(batch - detail->batches.data), error);
  }
  if (status == MUSTER_OK) reader->batch = batch;
  return status;
}

/* ---- bytes of buffers ----------------------------------------------------------------------- */

/* Bytes [from, to) of buffer `slot` of a column, which stay until the next rows or batch. */
static muster_status fetch(mst_arrow_reader *reader, size_t column, size_t slot,
                           const mst_arrow_buffer *buffer, uint64_t from, uint64_t to,
                           const unsigned char **out, muster_error *error) {
  if (reader->view.codec == MST_ARROW_PLAIN) {
    unsigned char *place = reader->staging + reader->staged;
    reader->staged += (size_t)(to - from);
    *out = place;
    return mst_io_read(reader->file.fd, reader->file.path, buffer->offset + from, place,
                       (size_t)(to - from), error);
  }
  mst_arrow_slot *unpacked = &reader->slots[column * buffers_of_column(reader->detail) + slot];
  muster_status status = MUSTER_OK;
  *out = unpacked->bytes;
  if (!unpacked->is_filled)
    status = mst_arrow_unpack(reader, reader->view.codec, buffer, NULL, unpacked, out, error);
  if (status == MUSTER_OK) *out += from;
  return status;
}

/* ---- pieces of columns ---------------------------------------------------------------------- */

/* Rows [lo, hi) of a batch, and where they go. */
typedef struct mst_arrow_rows {
  uint64_t lo, hi;
  char *dst;
  const int64_t *strides;
  uint64_t elements; /* of a column in one row */
  bool is_placed;    /* the values of the only column go into place at once */
} mst_arrow_rows;

static muster_status fetch_validity(mst_arrow_reader *reader, const mst_arrow_rows *rows,
                                    size_t column, muster_error *error) {
  const mst_arrow_place *place = &reader->places[column];
  mst_arrow_piece *piece = &reader->pieces[column];
  uint64_t elements = 1;
  for (size_t level = 0; level <= reader->detail->row.lists; level++) {
    if (level > 0) elements *= reader->detail->row.lengths[level - 1];
    piece->validity[level] = NULL;
    if (place->validity[level].length == 0 || elements == 0) continue;
    const uint64_t from = rows->lo * elements, to = rows->hi * elements;
    piece->validity_bit[level] = (unsigned)(from % 8);
    const muster_status status = fetch(reader, column, level, &place->validity[level], from / 8,
                                       to / 8 + (to % 8 != 0), &piece->validity[level], error);
    if (status != MUSTER_OK) return status;
  }
  return MUSTER_OK;
}

static muster_status fetch_values(mst_arrow_reader *reader, const mst_arrow_rows *rows,
                                  size_t column, muster_error *error) {
  const muster_type storage = reader->detail->columns[column].storage;
  const size_t slot = reader->detail->row.lists + 1, size = muster_type_size(storage);
  const mst_arrow_buffer *values = &reader->places[column].values;
  mst_arrow_piece *piece = &reader->pieces[column];
  const uint64_t from = rows->lo * rows->elements, to = rows->hi * rows->elements;
  if (storage != MUSTER_BOOL)
    return fetch(reader, column, slot, values, from * size, to * size, &piece->values, error);
  piece->values_bit = (unsigned)(from % 8);
  return fetch(reader, column, slot, values, from / 8, to / 8 + (to % 8 != 0), &piece->values,
               error);
}

static muster_status place_values(mst_arrow_reader *reader, const mst_arrow_rows *rows,
                                  muster_error *error) {
  const mst_arrow_buffer *values = &reader->places[0].values;
  const uint64_t row_bytes = rows->elements * reader->itemsize;
  const size_t length = (size_t)((rows->hi - rows->lo) * row_bytes);
  if (reader->view.codec == MST_ARROW_PLAIN)
    return mst_io_read(reader->file.fd, reader->file.path, values->offset + rows->lo * row_bytes,
                       rows->dst, length, error);
  mst_arrow_slot *slot = &reader->slots[reader->detail->row.lists + 1];
  const unsigned char *memory = slot->bytes;
  if (!slot->is_filled) {
    void *dst = length == values->needed ? rows->dst : NULL;
    const muster_status status =
        mst_arrow_unpack(reader, reader->view.codec, values, dst, slot, &memory, error);
    if (status != MUSTER_OK || memory == (unsigned char *)rows->dst) return status;
  }
  memcpy(rows->dst, memory + rows->lo * row_bytes, length);
  return MUSTER_OK;
}

/* ---- into the array ------------------------------------------------------------------------- */

/* Rows of a piece that are turned together: `first` counts from its begin. */
typedef struct mst_arrow_block {
  uint64_t first, count;
  mst_strided layout; /* of a column in the array */
} mst_arrow_block;

static muster_status spell_out(const mst_arrow_reader *reader, const mst_arrow_rows *rows,
                               size_t column, const mst_arrow_block *block, char *dst,
                               muster_error *error) {
  const mst_arrow_column *kept = &reader->detail->columns[column];
  const mst_arrow_piece *piece = &reader->pieces[column];
  const uint64_t begin = block->first * rows->elements, total = block->count * rows->elements;
  unsigned char spelled[SPELLED * 32];
  for (uint64_t at = 0; at < total; at += SPELLED) {
    const size_t count = (size_t)mst_smaller(SPELLED, total - at);
    if (kept->entries != MUSTER_NO_TYPE) {
      const muster_status status =
          mst_arrow_look_up(reader, column, begin + at, count, spelled, error);
      if (status != MUSTER_OK) return status;
      mst_strided_scatter(&block->layout, dst, at, count, spelled, reader->itemsize,
                          mst_copier(reader->itemsize));
      continue;
    }
    for (size_t i = 0; i < count; i++)
      spelled[i] = mst_bit(piece->values, piece->values_bit + begin + at + i);
    mst_strided_scatter(&block->layout, dst, at, count, spelled, 1, kept->convert);
  }
  return MUSTER_OK;
}

static muster_status put_values(const mst_arrow_reader *reader, const mst_arrow_rows *rows,
                                size_t column, const mst_arrow_block *block, char *dst,
                                muster_error *error) {
  const mst_arrow_column *kept = &reader->detail->columns[column];
  if (kept->storage == MUSTER_BOOL || kept->entries != MUSTER_NO_TYPE)
    return spell_out(reader, rows, column, block, dst, error);
  const size_t size = muster_type_size(kept->storage);
  const unsigned char *values =
      reader->pieces[column].values + block->first * rows->elements * size;
  if (rows->elements == 1)
    kept->convert(values, dst, rows->strides[0], (size_t)block->count);
  else
    mst_strided_scatter(&block->layout, dst, 0, block->count * rows->elements, values, size,
                        kept->convert);
  return MUSTER_OK;
}

static muster_status put_nulls(const mst_arrow_reader *reader, const mst_arrow_rows *rows,
                               size_t column, const mst_arrow_block *block, char *dst,
                               muster_error *error) {
  const mst_arrow_piece *piece = &reader->pieces[column];
  const mst_arrow_column *kept = &reader->detail->columns[column];
  uint64_t slots = 1;
  for (size_t level = 0; level <= reader->detail->row.lists; level++) {
    if (level > 0) slots *= reader->detail->row.lengths[level - 1];
    const unsigned char *validity = piece->validity[level];
    if (validity == NULL) continue;
    const uint64_t first = piece->validity_bit[level] + block->first * slots;
    const uint64_t each = rows->elements / slots;
    for (uint64_t i = 0; i < block->count * slots; i++) {
      if (mst_bit(validity, first + i)) continue;
      if (!kept->null->is_set)
        return mst_refuse_null(reader->file.path, kept->name, &reader->detail->choice.dtype, error);
      for (uint64_t k = i * each; k < (i + 1) * each; k++)
        memcpy(dst + mst_strided_offset(&block->layout, k), kept->null->bytes, reader->itemsize);
    }
  }
  return MUSTER_OK;
}

static void begin_block(const mst_arrow_reader *reader, const mst_arrow_rows *rows,
                        mst_arrow_block *block) {
  const mst_arrow_detail *detail = reader->detail;
  const mst_arrow_row *row = &detail->row;
  uint64_t shape[MST_COLUMN_MAX_RANK + 1] = {block->count};
  int64_t strides[MST_COLUMN_MAX_RANK + 1] = {rows->strides[0]};
  const size_t before = detail->choice.count > 1 ? 2 : 1;
  for (size_t i = 0; i < row->rank; i++) {
    shape[i + 1] = row->shape[i];
    strides[i + 1] = rows->strides[before + row->axes[i]];
  }
  mst_strided_init(&block->layout, row->rank + 1, shape, strides);
}

/* Whether values of a column are only to be moved, one of them in a row. */
static bool is_moved(const mst_arrow_reader *reader, const mst_arrow_rows *rows, size_t column) {
  const mst_arrow_column *kept = &reader->detail->columns[column];
  return rows->elements == 1 && kept->storage != MUSTER_BOOL && kept->entries == MUSTER_NO_TYPE &&
         kept->convert == mst_copier(reader->itemsize);
}

/* The values of the next columns that are only moved, of several together. Returns the column
 * behind them. */
static size_t put_together(const mst_arrow_reader *reader, const mst_arrow_rows *rows,
                           size_t column, const mst_arrow_block *block, char *dst) {
  const size_t itemsize = reader->itemsize;
  const void *from[MST_TURN_LINES];
  size_t count = 0;
  while (count < MST_TURN_LINES && column + count < reader->detail->choice.count &&
         is_moved(reader, rows, column + count)) {
    from[count] = reader->pieces[column + count].values + block->first * itemsize;
    count++;
  }
  if (count < 2) return column;
  mst_turn(from, count, (size_t)block->count, itemsize, dst, rows->strides[1], rows->strides[0]);
  return column + count;
}

static muster_status turn(const mst_arrow_reader *reader, const mst_arrow_rows *rows,
                          muster_error *error) {
  const size_t columns = reader->detail->choice.count;
  const uint64_t count = rows->hi - rows->lo;
  const uint64_t row_bytes = columns * rows->elements * reader->itemsize;
  const uint64_t at_once = mst_larger(BLOCK_BYTES / row_bytes, MIN_BLOCK_ROWS);
  mst_arrow_block block;
  for (block.first = 0; block.first < count; block.first += block.count) {
    block.count = mst_smaller(at_once, count - block.first);
    begin_block(reader, rows, &block);
    size_t turned = 0; /* columns whose values are in place already */
    for (size_t i = 0; i < columns; i++) {
      char *dst = rows->dst + (int64_t)block.first * rows->strides[0] +
                  (columns > 1 ? (int64_t)i * rows->strides[1] : 0);
      muster_status status = MUSTER_OK;
      if (columns > 1 && i >= turned) turned = put_together(reader, rows, i, &block, dst);
      if (!rows->is_placed && i >= turned) status = put_values(reader, rows, i, &block, dst, error);
      if (status == MUSTER_OK && reader->places[i].has_nulls)
        status = put_nulls(reader, rows, i, &block, dst, error);
      if (status != MUSTER_OK) return status;
    }
  }
  return MUSTER_OK;
}

/* ---- rows ----------------------------------------------------------------------------------- */

/* The array's own dtype, dense, and only one column. */
static bool can_be_placed(const mst_arrow_reader *reader, mst_arrow_rows *rows) {
  const mst_arrow_column *column = &reader->detail->columns[0];
  const muster_type wanted = reader->detail->choice.dtype.type;
  if (reader->detail->choice.count != 1 || column->entries != MUSTER_NO_TYPE) return false;
  if (column->storage == MUSTER_BOOL || muster_type_size(column->storage) != reader->itemsize)
    return false;
  if (column->storage != wanted && !(mst_is_time(wanted) || wanted == MUSTER_INT64)) return false;
  if (column->storage != wanted && column->storage != MUSTER_INT64) return false;
  mst_arrow_block block = {.count = rows->hi - rows->lo};
  begin_block(reader, rows, &block);
  return mst_strided_is_dense(&block.layout, reader->itemsize);
}

/* What one row takes in the staging area, and what is left over at the ends. */
static bool make_staging(mst_arrow_reader *reader, const mst_arrow_rows *rows, uint64_t count) {
  const mst_arrow_detail *detail = reader->detail;
  const uint64_t levels = detail->row.lists + 1;
  uint64_t room = 0;
  for (size_t i = 0; i < detail->choice.count; i++) {
    const size_t size = rows->is_placed ? 0 : muster_type_size(detail->columns[i].storage);
    room += count * rows->elements * size + 2;
    room += levels * (count * mst_larger(rows->elements, 1) / 8 + 2);
  }
  if (room <= reader->staging_room) return true;
  mst_free(reader->staging);
  reader->staging = mst_alloc((size_t)room);
  reader->staging_room = reader->staging != NULL ? (size_t)room : 0;
  return reader->staging != NULL;
}

/* Rows at once: few enough to be staged, where they are. */
static uint64_t rows_at_once(const mst_arrow_reader *reader, const mst_arrow_rows *rows) {
  const mst_arrow_detail *detail = reader->detail;
  uint64_t row_bytes = 1;
  for (size_t i = 0; i < detail->choice.count; i++)
    row_bytes += rows->elements * muster_type_size(detail->columns[i].storage);
  if (!rows->is_placed) return mst_larger(STAGING_BYTES / row_bytes, MIN_BLOCK_ROWS);
  const bool is_whole = !reader->places[0].has_nulls || reader->view.codec != MST_ARROW_PLAIN;
  return is_whole ? UINT64_MAX : mst_larger(PLACED_ROWS / row_bytes, 1);
}

static muster_status read_part(mst_arrow_reader *reader, const mst_arrow_rows *rows,
                               muster_error *error) {
  reader->staged = 0;
  if (reader->view.codec == MST_ARROW_PLAIN && !make_staging(reader, rows, rows->hi - rows->lo))
    return mst_fail_memory(error);
  muster_status status = rows->is_placed ? place_values(reader, rows, error) : MUSTER_OK;
  bool has_nulls = false;
  for (size_t i = 0; status == MUSTER_OK && i < reader->detail->choice.count; i++) {
    if (!rows->is_placed) status = fetch_values(reader, rows, i, error);
    if (status == MUSTER_OK && reader->places[i].has_nulls)
      status = fetch_validity(reader, rows, i, error);
    has_nulls = has_nulls || reader->places[i].has_nulls;
  }
  if (status != MUSTER_OK || (rows->is_placed && !has_nulls)) return status;
  return turn(reader, rows, error);
}

static muster_status read_batch(mst_arrow_reader *reader, uint64_t lo, uint64_t hi, char *dst,
                                const int64_t *strides, muster_error *error) {
  mst_arrow_rows all = {.lo = lo,
                        .hi = hi,
                        .dst = dst,
                        .strides = strides,
                        .elements = reader->detail->choice.elements};
  all.is_placed = can_be_placed(reader, &all);
  const uint64_t at_once = rows_at_once(reader, &all);
  muster_status status = MUSTER_OK;
  for (uint64_t at = lo, count; status == MUSTER_OK && at < hi; at += count) {
    count = mst_smaller(at_once, hi - at);
    mst_arrow_rows part = all;
    part.lo = at;
    part.hi = at + count;
    part.dst = dst + (int64_t)(at - lo) * strides[0];
    status = read_part(reader, &part, error);
  }
  return status;
}

muster_status mst_arrow_read_rows(const mst_open_shard *open, uint64_t lo, uint64_t hi, void *dst,
                                  const int64_t *strides, muster_error *error) {
  mst_arrow_reader *reader = open->state;
  const mst_arrow_detail *detail = reader->detail;
  if (detail->choice.elements == 0) return MUSTER_OK;
  muster_status status = MUSTER_OK;
  for (uint64_t at = lo, end; status == MUSTER_OK && at < hi; at = end) {
    const mst_arrow_batch *batch = mst_arrow_batch_of(detail, at);
    end = mst_smaller(hi, batch->first_row + batch->rows);
    status = take_batch(reader, batch, error);
    if (status == MUSTER_OK)
      status = read_batch(reader, at - batch->first_row, end - batch->first_row,
                          (char *)dst + (int64_t)(at - lo) * strides[0], strides, error);
  }
  return status;
}
