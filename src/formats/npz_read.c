/* SPDX-License-Identifier: Apache-2.0 */
/* Members of npz archives that are deflated: they are unpacked from their beginning, and rows are
 * picked on the way. */
#include "formats/npz.h"

#include "base/alloc.h"
#include "base/shape.h"
#include "base/status.h"
#include "base/strided.h"
#include "codecs/codec.h"

#define PIECE_BYTES ((uint64_t)256 << 10)
/* Up to here a member is unpacked by libdeflate, which is twice as fast, but wants all of it in
 * memory at once. */
#define WHOLE_BYTES ((uint64_t)64 << 20)

/* What the reads of one shard share: where the last one ended, the next one often begins. */
typedef struct mst_npz_state {
  mst_deflated data;
  mst_inflate *reader; /* NULL: not needed yet */
  mst_decoder decoder;
} mst_npz_state;

muster_status mst_npz_open(mst_open_shard *open, muster_error *error) {
  if (!mst_npz_is_deflated(open->shard)) return MUSTER_OK;
  mst_npz_state *state = mst_calloc(1, sizeof *state);
  if (state == NULL) return mst_fail_memory(error);
  state->data = ((const mst_npz_detail *)open->shard->detail)->data;
  state->data.fd = open->fd;
  state->decoder.path = open->shard->path;
  open->state = state;
  return MUSTER_OK;
}

void mst_npz_close(mst_open_shard *open) {
  mst_npz_state *state = open->state;
  if (state == NULL) return;
  mst_inflate_free(state->reader);
  mst_decoder_reset(&state->decoder);
  mst_free(state);
}

typedef struct mst_npz_read {
  const mst_open_shard *open;
  const mst_npz_detail *detail;
  mst_inflate *reader;
  size_t itemsize;
  bool is_whole; /* all rows, of a small member */
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

static muster_status wrong_checksum(const mst_npz_read *read, muster_error *error) {
  return mst_fail(error, MUSTER_ERR_FORMAT, read->open->shard->path,
                  "'%.100s' is damaged: its checksum is wrong; copy the file again",
                  read->detail->name);
}

/* Once the last byte of the array was read; the checksum is that of all bytes, in order. */
static muster_status finish(const mst_npz_read *read, muster_error *error) {
  const uint64_t position = mst_inflate_position(read->reader);
  muster_status status = mst_inflate_read(read->reader, NULL, read->detail->size - position, error);
  if (status == MUSTER_OK) status = mst_inflate_end(read->reader, error);
  if (status != MUSTER_OK || mst_inflate_crc(read->reader) == read->detail->crc) return status;
  return wrong_checksum(read, error);
}

/* Elements [first, first + count) of the array, in the order of the file, to where `put` says. */
typedef void (*mst_put_fn)(const void *context, uint64_t first, uint64_t count, const void *data);

static muster_status unpack_whole(const mst_npz_read *read, void *packed, void *unpacked,
                                  muster_error *error) {
  const mst_npz_detail *detail = read->detail;
  mst_npz_state *state = read->open->state;
  const mst_deflated *data = &state->data;
  size_t got = 0;
  muster_status status =
      mst_io_read(data->fd, data->path, data->offset, packed, (size_t)data->packed, error);
  if (status == MUSTER_OK)
    status = mst_decode_deflate(&state->decoder, packed, (size_t)data->packed, unpacked,
                                (size_t)detail->size, &got, error);
  if (status != MUSTER_OK) return status;
  const bool is_good = got == detail->size && mst_crc32(unpacked, got) == detail->crc;
  return is_good ? MUSTER_OK : wrong_checksum(read, error);
}

/* All elements at once. */
static muster_status put_whole(const mst_npz_read *read, uint64_t count, mst_put_fn put,
                               const void *context, muster_error *error) {
  const mst_npz_detail *detail = read->detail;
  char *packed = mst_alloc((size_t)detail->data.packed + 1);
  char *unpacked = mst_alloc((size_t)detail->size + 1);
  muster_status status = MUSTER_OK;
  if (packed == NULL || unpacked == NULL)
    status = mst_fail_memory(error);
  else
    status = unpack_whole(read, packed, unpacked, error);
  if (status == MUSTER_OK) put(context, 0, count, unpacked + detail->header);
  mst_free(packed);
  mst_free(unpacked);
  return status;
}

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
  if (read->is_whole) return put_whole(read, count, put_rows, &to, error);
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
  return read->is_whole ? put_whole(read, elements, put_lines, &to, error)
                        : for_pieces(read, 0, elements, put_lines, &to, error);
}

/* libdeflate, which is faster, needs all of a member in memory. */
static bool is_small(const mst_npz_detail *detail) {
#ifdef MST_HAVE_DEFLATE
  return detail->size <= WHOLE_BYTES && detail->data.packed <= WHOLE_BYTES - detail->size;
#else
  (void)detail;
  return false;
#endif
}

muster_status mst_npz_read_rows(const mst_open_shard *open, uint64_t lo, uint64_t hi, void *dst,
                                const int64_t *strides, muster_error *error) {
  mst_npz_state *state = open->state;
  const mst_npz_detail *detail = open->shard->detail;
  /* A stacked shard is read as a whole always, and one in Fortran order gone through. */
  const bool is_all = (lo == 0 && hi == open->shard->rows) || open->schema->rank != detail->rank ||
                      open->shard->fortran;
  mst_npz_read read = {.open = open,
                       .detail = detail,
                       .itemsize = muster_type_size(open->schema->dtype.type),
                       .is_whole = is_all && is_small(detail)};
  muster_status status = MUSTER_OK;
  if (!read.is_whole && state->reader == NULL)
    status = mst_inflate_new(&state->data, &state->reader, error);
  read.reader = state->reader;
  if (status == MUSTER_OK)
    status = open->shard->fortran ? read_fortran(&read, lo, hi, dst, strides, error)
                                  : read_c_order(&read, lo, hi, dst, strides, error);
  const bool to_end = is_all || hi == open->shard->rows;
  return status == MUSTER_OK && !read.is_whole && to_end ? finish(&read, error) : status;
}
