/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rows of a Fortran-order file. The file is a matrix of T lines with R elements: line t holds
 * trailing index t (first trailing axis fastest) of all R rows. Rows [lo, hi) are a band of
 * columns of that matrix, turned by 90 degrees on the way to memory.
 */
#include <string.h>

#include "base/alloc.h"
#include "base/convert.h"
#include "base/status.h"
#include "base/turn.h"
#include "formats/flat.h"

#define BLOCK_BYTES ((size_t)1 << 20)
/* Reading over a gap is cheaper than a call of its own when the gap is within a block of the file
 * system anyway. */
#define GAP_BYTES 4096
/* Lines that are turned together: their pieces of one row share cache lines at the target. */
#define LINES_AT_ONCE MST_TURN_LINES

typedef struct mst_band {
  const mst_open_shard *open;
  size_t itemsize;
  uint64_t lines; /* T */
  uint64_t rows;  /* R */
  uint64_t lo, hi;
  char *dst;
  const int64_t *strides;
  mst_convert_fn copy;
  char *block;
} mst_band;

/* Where the elements of line t of row 0 of the band go. */
static int64_t line_offset(const mst_band *band, uint64_t t) {
  const mst_schema *schema = band->open->schema;
  int64_t offset = 0;
  for (size_t i = 1; i < schema->rank; i++) {
    offset += (int64_t)(t % schema->shape[i]) * band->strides[i];
    t /= schema->shape[i];
  }
  return offset;
}

/* Turns `count` lines that lie `pitch` bytes apart at src; rows [row, row + width) of the band. */
static void turn(const mst_band *band, const char *src, size_t pitch, uint64_t first_line,
                 uint64_t count, uint64_t row, uint64_t width) {
  int64_t offsets[LINES_AT_ONCE];
  const void *lines[LINES_AT_ONCE];
  /* A narrow piece of rows at a time keeps the target lines in the cache. */
  const uint64_t piece = 64;
  for (uint64_t begin = 0; begin < count; begin += LINES_AT_ONCE) {
    const uint64_t group = count - begin < LINES_AT_ONCE ? count - begin : LINES_AT_ONCE;
    for (uint64_t i = 0; i < group; i++)
      offsets[i] = line_offset(band, first_line + begin + i);
    for (uint64_t at = 0; at < width; at += piece) {
      const uint64_t step = width - at < piece ? width - at : piece;
      char *place = band->dst + (int64_t)(row + at) * band->strides[0];
      for (uint64_t i = 0; i < group; i++)
        lines[i] = src + (begin + i) * pitch + at * band->itemsize;
      if (band->open->schema->rank == 2) {
        mst_turn(lines, (size_t)group, (size_t)step, band->itemsize, place + offsets[0],
                 band->strides[1], band->strides[0]);
        continue;
      }
      for (uint64_t i = 0; i < group; i++)
        band->copy(lines[i], place + offsets[i], band->strides[0], (size_t)step);
    }
  }
}

static muster_status read_at(const mst_band *band, uint64_t element, size_t bytes,
                             muster_error *error) {
  const mst_shard *shard = band->open->shard;
  return mst_io_read(band->open->fd, shard->path, shard->data_offset + element * band->itemsize,
                     band->block, bytes, error);
}

/* Whole lines, or nearly: many of them in one read. */
static muster_status read_lines(const mst_band *band, muster_error *error) {
  const size_t pitch = (size_t)band->rows * band->itemsize;
  const uint64_t at_once = BLOCK_BYTES / pitch;
  const size_t width = (size_t)(band->hi - band->lo) * band->itemsize;
  for (uint64_t t = 0; t < band->lines; t += at_once) {
    const uint64_t count = band->lines - t < at_once ? band->lines - t : at_once;
    const muster_status status =
        read_at(band, t * band->rows + band->lo, (size_t)(count - 1) * pitch + width, error);
    if (status != MUSTER_OK) return status;
    turn(band, band->block, pitch, t, count, 0, band->hi - band->lo);
  }
  return MUSTER_OK;
}

/* The band's piece of each line by itself, several lines gathered before they are turned. */
static muster_status read_pieces(const mst_band *band, muster_error *error) {
  const uint64_t at_once = BLOCK_BYTES / LINES_AT_ONCE / band->itemsize;
  for (uint64_t row = band->lo; row < band->hi; row += at_once) {
    const uint64_t width = band->hi - row < at_once ? band->hi - row : at_once;
    const size_t bytes = (size_t)width * band->itemsize;
    for (uint64_t t = 0; t < band->lines; t += LINES_AT_ONCE) {
      const uint64_t count = band->lines - t < LINES_AT_ONCE ? band->lines - t : LINES_AT_ONCE;
      for (uint64_t i = 0; i < count; i++) {
        const mst_shard *shard = band->open->shard;
        const muster_status status =
            mst_io_read(band->open->fd, shard->path,
                        shard->data_offset + ((t + i) * band->rows + row) * band->itemsize,
                        band->block + i * bytes, bytes, error);
        if (status != MUSTER_OK) return status;
      }
      turn(band, band->block, bytes, t, count, row - band->lo, width);
    }
  }
  return MUSTER_OK;
}

muster_status mst_flat_read_fortran_rows(const mst_open_shard *open, uint64_t lo, uint64_t hi,
                                         void *dst, const int64_t *strides, muster_error *error) {
  const mst_schema *schema = open->schema;
  mst_band band = {.open = open,
                   .itemsize = muster_type_size(schema->dtype.type),
                   .lines = 1,
                   .rows = open->shard->rows,
                   .lo = lo,
                   .hi = hi,
                   .dst = dst,
                   .strides = strides};
  for (size_t i = 1; i < schema->rank; i++)
    band.lines *= schema->shape[i];
  if (band.lines == 0 || lo == hi) return MUSTER_OK;
  band.copy = mst_copier(band.itemsize);
  band.block = mst_alloc(BLOCK_BYTES);
  if (band.block == NULL) return mst_fail_memory(error);
  const uint64_t gap = (band.rows - (hi - lo)) * band.itemsize;
  const bool whole = gap <= GAP_BYTES && band.rows * band.itemsize <= BLOCK_BYTES;
  const muster_status status = whole ? read_lines(&band, error) : read_pieces(&band, error);
  mst_free(band.block);
  return status;
}
