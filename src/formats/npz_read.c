/* SPDX-License-Identifier: Apache-2.0 */
/* Members of npz archives that are deflated: they are unpacked from their beginning, and rows are
 * picked on the way. */
#include "formats/npz.h"

#include "base/alloc.h"
#include "base/shape.h"
#include "base/status.h"
#include "base/strided.h"

#define PIECE_BYTES ((uint64_t)256 << 10)

/* What the reads of one shard share: where the last one ended, the next one often begins. */
typedef struct mst_npz_state {
  mst_deflated data;
  mst_inflate *reader;
} mst_npz_state;

muster_status mst_npz_open(mst_open_shard *open, muster_error *error) {
  if (!mst_npz_is_deflated(open->shard)) return MUSTER_OK;
  mst_npz_state *state = mst_alloc(sizeof *state);
  if (state == NULL) return mst_fail_memory(error);
  state->data = ((const mst_npz_detail *)open->shard->detail)->data;
  state->data.fd = open->fd;
  const muster_status status = mst_inflate_new(&state->data, &state->reader, error);
  if (status == MUSTER_OK)
    open->state = state;
  else
    mst_free(state);
  return status;
}

void mst_npz_close(mst_open_shard *open) {
  mst_npz_state *state = open->state;
  if (state == NULL) return;
  mst_inflate_free(state->reader);
  mst_free(state);
}

typedef struct mst_npz_read {
  const mst_open_shard *open;
  const mst_npz_detail *detail;
  mst_inflate *reader;
  size_t itemsize;
} mst_npz_read;

/* Goes to a byte of the array. */
static muster_status seek(const mst_npz_read *read, uint64_t byte, muster_error *error) {
  const uint64_t wanted = read->detail->header + byte;
  if (wanted < mst_inflate_position(read->reader)) {
    const muster_status status = mst_inflate_rewind(read->reader, error);
    if (status != MUSTER_OK) return status;
  }
  return mst_inflate_read(read->reader, NULL, wanted - mst_inflate_position(read->reader), error);
}

/* Once the last byte of the array was read; the checksum is that of all bytes, in order. */
static muster_status finish(const mst_npz_read *read, muster_error *error) {
  const uint64_t position = mst_inflate_position(read->reader);
  muster_status status = mst_inflate_read(read->reader, NULL, read->detail->size - position, error);
  if (status == MUSTER_OK) status = mst_inflate_end(read->reader, error);
  if (status != MUSTER_OK || mst_inflate_crc(read->reader) == read->detail->crc) return status;
  return mst_fail(error, MUSTER_ERR_FORMAT, read->open->shard->path,
                  "'%.100s' is damaged: its checksum is wrong; copy the file again",
                  read->detail->name);
}

/* Elements [first, first + count) of the array, in the order of the file, to where `put` says. */
typedef void (*mst_put_fn)(const void *context, uint64_t first, uint64_t count, const void *data);

static muster_status for_pieces(const mst_npz_read *read, uint64_t first, uint64_t count,
                                mst_put_fn put, const void *context, muster_error *error) {
  void *block = mst_alloc((size_t)PIECE_BYTES);
  if (block == NULL) return mst_fail_memory(error);
  const uint64_t at_once = PIECE_BYTES / read->itemsize;
  muster_status status = seek(read, first * read->itemsize, error);
  for (uint64_t at = 0; status == MUSTER_OK && at < count; at += at_once) {
    const uint64_t piece = mst_smaller(count - at, at_once);
    status = mst_inflate_read(read->reader, block, piece * read->itemsize, error);
    if (status == MUSTER_OK) put(context, first + at, piece, block);
  }
  mst_free(block);
  return status;
}

/* ---- C order -------------------------------------------------------------------------------- */

typedef struct mst_npz_rows {
  mst_strided layout;
  char *dst;
  uint64_t first; /* element that goes to the begin of dst */
  size_t itemsize;
} mst_npz_rows;

static void put_rows(const void *context, uint64_t first, uint64_t count, const void *data) {
  const mst_npz_rows *to = context;
  mst_strided_scatter(&to->layout, to->dst, first - to->first, count, data, to->itemsize,
                      mst_copier(to->itemsize));
}

static muster_status read_c_order(const mst_npz_read *read, uint64_t lo, uint64_t hi, void *dst,
                                  const int64_t *strides, muster_error *error) {
  const mst_schema *schema = read->open->schema;
  const size_t rank = read->detail->rank;
  const uint64_t *axes = schema->shape + (schema->rank - rank);
  uint64_t shape[MUSTER_MAX_RANK] = {hi - lo}, row = 1;
  for (size_t i = 1; i < rank; i++) {
    shape[i] = axes[i];
    row *= axes[i];
  }
  mst_npz_rows to = {.dst = dst, .first = lo * row, .itemsize = read->itemsize};
  mst_strided_init(&to.layout, rank, shape, strides);
  const uint64_t count = (hi - lo) * row;
  if (!mst_strided_is_dense(&to.layout, read->itemsize))
    return for_pieces(read, to.first, count, put_rows, &to, error);
  const muster_status status = seek(read, to.first * read->itemsize, error);
  if (status != MUSTER_OK) return status;
  return mst_inflate_read(read->reader, dst, count * read->itemsize, error);
}

/* ---- Fortran order -------------------------------------------------------------------------- */

/* The file is a matrix of lines, each with one element of every row: see fortran.c. */
typedef struct mst_npz_columns {
  const mst_schema *schema;
  uint64_t rows, lo, hi;
  char *dst;
  const int64_t *strides;
  size_t itemsize;
} mst_npz_columns;

static void put_line(const mst_npz_columns *to, uint64_t line, uint64_t row, uint64_t count,
                     const char *data) {
  const uint64_t begin = mst_larger(row, to->lo), end = mst_smaller(row + count, to->hi);
  if (begin >= end) return;
  char *place = to->dst + (int64_t)(begin - to->lo) * to->strides[0];
  for (size_t i = 1; i < to->schema->rank; i++) {
    place += (int64_t)(line % to->schema->shape[i]) * to->strides[i];
    line /= to->schema->shape[i];
  }
  mst_copier(to->itemsize)(data + (begin - row) * to->itemsize, place, to->strides[0],
                           (size_t)(end - begin));
}

static void put_lines(const void *context, uint64_t first, uint64_t count, const void *data) {
  const mst_npz_columns *to = context;
  for (uint64_t at = 0, piece; at < count; at += piece) {
    const uint64_t row = (first + at) % to->rows;
    piece = mst_smaller(to->rows - row, count - at);
    put_line(to, (first + at) / to->rows, row, piece, (const char *)data + at * to->itemsize);
  }
}

static muster_status read_fortran(const mst_npz_read *read, uint64_t lo, uint64_t hi, void *dst,
                                  const int64_t *strides, muster_error *error) {
  const mst_npz_columns to = {.schema = read->open->schema,
                              .rows = read->open->shard->rows,
                              .lo = lo,
                              .hi = hi,
                              .dst = dst,
                              .strides = strides,
                              .itemsize = read->itemsize};
  uint64_t elements = to.rows;
  for (size_t i = 1; i < to.schema->rank; i++)
    elements *= to.schema->shape[i];
  return for_pieces(read, 0, elements, put_lines, &to, error);
}

muster_status mst_npz_read_rows(const mst_open_shard *open, uint64_t lo, uint64_t hi, void *dst,
                                const int64_t *strides, muster_error *error) {
  const mst_npz_state *state = open->state;
  const mst_npz_read read = {.open = open,
                             .detail = open->shard->detail,
                             .reader = state->reader,
                             .itemsize = muster_type_size(open->schema->dtype.type)};
  const muster_status status = open->shard->fortran
                                   ? read_fortran(&read, lo, hi, dst, strides, error)
                                   : read_c_order(&read, lo, hi, dst, strides, error);
  /* A stacked array without axes is one row, of which shard->rows is 1, too. */
  const bool is_all =
      open->shard->fortran || hi == open->shard->rows || open->schema->rank != read.detail->rank;
  return status == MUSTER_OK && is_all ? finish(&read, error) : status;
}
