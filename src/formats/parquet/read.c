/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of a Parquet file: its columns side by side. */
#include <string.h>

#include "base/alloc.h"
#include "base/shape.h"
#include "base/status.h"
#include "base/strided.h"
#include "base/turn.h"
#include "formats/parquet/cursor.h"

/* Columns that are read at the same time: what they give one row fills a line of the cache. */
#define LINE_BYTES 64
#define MAX_CURSORS 64
/* Pages of all columns that are read at the same time are in memory: fewer if they are large. */
#define PAGES_BYTES ((uint64_t)48 << 20)
/* Rows that are put side by side at once, of all these columns: they stay in the nearest cache. */
#define SIDE_BY_SIDE ((size_t)256)

typedef struct mst_parquet_state {
  mst_decoder decoder;
  mst_parquet_place *places; /* one a column */
  mst_parquet_cursor *cursors[MAX_CURSORS];
} mst_parquet_state;

muster_status mst_parquet_open(mst_open_shard *open, muster_error *error) {
  const mst_parquet_file *file = open->shard->detail;
  mst_parquet_state *state = mst_calloc(1, sizeof *state);
  if (state == NULL) return mst_fail_memory(error);
  state->decoder.path = open->shard->path;
  state->places = mst_calloc(file->choice.count, sizeof *state->places);
  if (state->places == NULL) {
    mst_free(state);
    return mst_fail_memory(error);
  }
  open->state = state;
  return MUSTER_OK;
}

void mst_parquet_close(mst_open_shard *open) {
  mst_parquet_state *state = open->state;
  for (size_t i = 0; i < MAX_CURSORS; i++) {
    if (state->cursors[i] == NULL) continue;
    mst_parquet_cursor_reset(state->cursors[i]);
    mst_free(state->cursors[i]);
  }
  mst_decoder_reset(&state->decoder);
  mst_free(state->places);
  mst_free(state);
  open->state = NULL;
}

/* Rows of one row group and where they go. */
typedef struct mst_group_read {
  const mst_open_shard *open;
  const mst_parquet_file *file;
  size_t group;
  uint64_t lo, rows; /* in the row group */
  char *dst;
  const int64_t *strides;
  size_t itemsize;
} mst_group_read;

static muster_status begin_cursor(const mst_group_read *read, size_t slot, size_t column,
                                  mst_parquet_cursor **out, muster_error *error) {
  mst_parquet_state *state = read->open->state;
  if (state->cursors[slot] == NULL) state->cursors[slot] = mst_calloc(1, sizeof **out);
  mst_parquet_cursor *cursor = state->cursors[slot];
  if (cursor == NULL) return mst_fail_memory(error);
  cursor->open = read->open;
  cursor->file = read->file;
  cursor->decoder = &state->decoder;
  cursor->itemsize = read->itemsize;
  cursor->place = &state->places[column];
  *out = cursor;
  return mst_parquet_seek(cursor, column, read->group, read->lo * read->file->choice.elements,
                          error);
}

/* ---- one column by itself ----------------------------------------------------------------------- */

static void layout_of(const mst_group_read *read, mst_strided *layout) {
  const mst_schema *schema = read->open->schema;
  const size_t first = read->file->choice.count > 1 ? 2 : 1; /* of the column's own axes */
  uint64_t shape[MUSTER_MAX_RANK];
  int64_t strides[MUSTER_MAX_RANK];
  shape[0] = read->rows;
  strides[0] = read->strides[0];
  for (size_t i = first; i < schema->rank; i++) {
    shape[i - first + 1] = schema->shape[i];
    strides[i - first + 1] = read->strides[i];
  }
  mst_strided_init(layout, schema->rank - first + 1, shape, strides);
}

static muster_status read_column(const mst_group_read *read, size_t column, char *dst,
                                 muster_error *error) {
  mst_parquet_cursor *cursor = NULL;
  mst_strided layout;
  layout_of(read, &layout);
  const bool is_dense = mst_strided_is_dense(&layout, read->itemsize);
  const uint64_t elements = read->rows * read->file->choice.elements;
  muster_status status = begin_cursor(read, 0, column, &cursor, error);
  for (uint64_t at = 0, got = 0; status == MUSTER_OK && at < elements; at += got) {
    void *out = is_dense ? (void *)(dst + at * read->itemsize) : cursor->block;
    status = mst_parquet_next(cursor, out, elements - at, &got, error);
    if (status == MUSTER_OK && !is_dense)
      mst_strided_scatter(&layout, dst, at, got, cursor->block, read->itemsize,
                          mst_copier(read->itemsize));
  }
  return status;
}

/* ---- several, side by side ------------------------------------------------------------------------ */

/* What a cursor keeps of the pages that it reads. */
static uint64_t memory_of(const mst_parquet_cursor *cursor) {
  return cursor->window.room + cursor->plain.room + cursor->dictionary.room;
}

/* Begins with *count columns, or as many as there is memory for, which their first pages tell: a
 * whole number of what is turned at once. */
static muster_status begin_columns(const mst_group_read *read, size_t first, size_t *count,
                                   mst_parquet_cursor **cursors, muster_error *error) {
  const size_t unit = (size_t)mst_larger(16 / read->itemsize, 1);
  uint64_t bytes = 0;
  for (size_t k = 0; k < *count; k++) {
    muster_status status = begin_cursor(read, k, first + k, &cursors[k], error);
    if (status == MUSTER_OK) status = mst_parquet_begin_page(cursors[k], error);
    if (status != MUSTER_OK) return status;
    bytes += memory_of(cursors[k]);
    if (bytes <= PAGES_BYTES || k == 0) continue;
    *count = k < unit ? k : k - k % unit;
    for (size_t i = *count; i <= k; i++)
      mst_parquet_cursor_reset(cursors[i]);
  }
  return MUSTER_OK;
}

/* *count columns from one on, or less; then it says how many. */
static muster_status read_side_by_side(const mst_group_read *read, size_t first, size_t *count,
                                       muster_error *error) {
  mst_parquet_cursor *cursors[MAX_CURSORS] = {0};
  const void *from[MAX_CURSORS];
  muster_status status = begin_columns(read, first, count, cursors, error);
  char *dst = read->dst + (int64_t)first * read->strides[1];
  for (uint64_t at = 0, rows; status == MUSTER_OK && at < read->rows; at += rows) {
    rows = mst_smaller(SIDE_BY_SIDE, read->rows - at);
    for (size_t k = 0; status == MUSTER_OK && k < *count; k++)
      status = mst_parquet_take(cursors[k], (size_t)rows, &from[k], error);
    if (status == MUSTER_OK)
      mst_turn(from, *count, (size_t)rows, read->itemsize, dst + (int64_t)at * read->strides[0],
               read->strides[1], read->strides[0]);
  }
  return status;
}

static muster_status read_group(const mst_group_read *read, muster_error *error) {
  const size_t count = read->file->choice.count;
  muster_status status = MUSTER_OK;
  if (count == 1) return read_column(read, 0, read->dst, error);
  const bool are_flat = read->file->choice.elements == 1;
  for (size_t i = 0, taken = 1; status == MUSTER_OK && i < count; i += taken) {
    taken = are_flat ? (size_t)mst_smaller(LINE_BYTES / read->itemsize, count - i) : 1;
    if (are_flat)
      status = read_side_by_side(read, i, &taken, error);
    else
      status = read_column(read, i, read->dst + (int64_t)i * read->strides[1], error);
  }
  return status;
}

/* The row group that a row is in. */
static size_t group_of(const mst_parquet_file *file, uint64_t row) {
  size_t lo = 0, hi = file->group_count;
  while (hi - lo > 1) {
    const size_t middle = lo + (hi - lo) / 2;
    if (file->first_rows[middle] <= row)
      lo = middle;
    else
      hi = middle;
  }
  return lo;
}

muster_status mst_parquet_read_rows(const mst_open_shard *open, uint64_t lo, uint64_t hi, void *dst,
                                    const int64_t *strides, muster_error *error) {
  const mst_parquet_file *file = open->shard->detail;
  mst_group_read read = {.open = open,
                         .file = file,
                         .strides = strides,
                         .itemsize = muster_type_size(open->schema->dtype.type)};
  muster_status status = MUSTER_OK;
  for (uint64_t at = lo; status == MUSTER_OK && at < hi; at += read.rows) {
    read.group = group_of(file, at);
    read.lo = at - file->first_rows[read.group];
    read.rows = mst_smaller(hi, file->first_rows[read.group + 1]) - at;
    read.dst = (char *)dst + (int64_t)(at - lo) * strides[0];
    status = read_group(&read, error);
  }
  return status;
}

/* ---- bands -------------------------------------------------------------------------------------------- */

/* Large row groups are cut: whoever begins within one passes whole pages of each column. */
#define BAND_BYTES ((uint64_t)16 << 20)
#define BAND_UNIT ((uint64_t)1024)

bool mst_parquet_band(const mst_shard *shard, uint64_t row, uint64_t *lo, uint64_t *hi) {
  const mst_parquet_file *file = shard->detail;
  if (file == NULL || row >= shard->rows) return false;
  const size_t group = group_of(file, row);
  *lo = file->first_rows[group];
  *hi = file->first_rows[group + 1];
  const uint64_t row_bytes = mst_larger(file->row_bytes, 1);
  const uint64_t pieces = (*hi - *lo) / mst_larger(BAND_BYTES / row_bytes, 1);
  if (pieces <= 1 || file->has_lists) return true;
  const uint64_t rows = mst_ceil_divide(mst_ceil_divide(*hi - *lo, pieces), BAND_UNIT) * BAND_UNIT;
  *lo += (row - *lo) / rows * rows;
  *hi = mst_smaller(*hi, *lo + rows);
  return true;
}
