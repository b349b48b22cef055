/* SPDX-License-Identifier: Apache-2.0 */
#include "formats/hdf5/reader.h"

#include <inttypes.h>
#include <string.h>

#include "base/alloc.h"
#include "base/convert.h"
#include "base/shape.h"
#include "base/status.h"
#include "base/strided.h"
#include "formats/hdf5/layout.h"

/* Rows that are not read straight into their place are read so many bytes at a time. */
#define PIECE_BYTES ((uint64_t)8 << 20)

/* mst_open_shard.state */
typedef struct mst_h5_reader {
  const mst_h5_layout *layout;
  const char *path;
  int fd;
  uint64_t file_size;
  mst_h5_file file; /* open, but for datasets that were never written */
  mst_h5_id dataset;
  mst_h5_id memory_type;
  mst_chunk_source source;
  mst_decoder decoder;
  mst_h5_between between;
  void *raw; /* a chunk as it is stored */
  size_t raw_room;
  uint64_t chunk_offset; /* of the chunk that was found */
  uint64_t chunk_length;
  uint32_t chunk_mask; /* filters that it did not go through */
} mst_h5_reader;

/* ---- one chunk --------------------------------------------------------------------------------- */

static bool sticks_out(const mst_chunk_grid *grid, const uint64_t *index) {
  for (size_t i = 0; i < grid->rank; i++)
    if (grid->shape[i] - index[i] * grid->chunk[i] < grid->chunk[i]) return true;
  return false;
}

/* Asks the library where the chunk lies, under its lock. */
static muster_status look_up(mst_h5_reader *reader, const uint64_t *index, bool *found,
                             muster_error *error) {
  const mst_h5 *library = reader->file.library;
  const mst_chunk_grid *grid = &reader->layout->grid;
  mst_h5_access *access = &reader->file.access;
  mst_h5_size offset[MST_H5_MAX_RANK];
  unsigned char nothing[1];
  for (size_t i = 0; i < reader->layout->space_rank; i++)
    offset[i] = index[i] * grid->chunk[i];
  access->only_notes = true;
  access->has_note = false;
  const mst_h5_result done =
      library->read_chunk(reader->dataset, MST_H5_DEFAULT, offset, &reader->chunk_mask, nothing);
  access->only_notes = false;
  *found = done >= 0 && access->has_note;
  if (!*found && done < 0 && !access->has_fault && mst_h5_has_no_chunk(library)) return MUSTER_OK;
  if (!*found) return mst_h5_file_fail(&reader->file, "find a chunk", error);
  reader->chunk_offset = access->noted_offset;
  reader->chunk_length = access->noted_length;
  return MUSTER_OK;
}

static muster_status find_chunk(void *context, const uint64_t *index, bool *found,
                                muster_error *error) {
  mst_h5_reader *reader = context;
  const mst_h5_layout *layout = reader->layout;
  const mst_h5 *library;
  muster_status status = mst_h5_use(&library, reader->path, error);
  if (status != MUSTER_OK) return status;
  status = look_up(reader, index, found, error);
  mst_h5_leave();
  if (status != MUSTER_OK || !*found) return status;
  if (layout->partial_unfiltered && sticks_out(&layout->grid, index))
    reader->chunk_mask = UINT32_MAX;
  if (reader->chunk_offset <= reader->file_size &&
      reader->chunk_length <= reader->file_size - reader->chunk_offset)
    return MUSTER_OK;
  return mst_fail_at(error, MUSTER_ERR_FORMAT, reader->path, (muster_offset)reader->file_size,
                     "truncated: a chunk of %" PRIu64 " bytes lies at %" PRIu64
                     ", but the file has %" PRIu64,
                     reader->chunk_length, reader->chunk_offset, reader->file_size);
}

static muster_status check_length(const mst_h5_reader *reader, muster_error *error) {
  const size_t expected = reader->layout->grid.chunk_bytes;
  if (reader->chunk_length == expected) return MUSTER_OK;
  return mst_fail_at(error, MUSTER_ERR_FORMAT, reader->path, (muster_offset)reader->chunk_offset,
                     "damaged: a chunk has %" PRIu64 " bytes, and should have %zu",
                     reader->chunk_length, expected);
}

static muster_status make_raw_room(mst_h5_reader *reader, muster_error *error) {
  if (reader->chunk_length <= reader->raw_room) return MUSTER_OK;
  mst_free(reader->raw);
  reader->raw_room = (size_t)reader->chunk_length;
  reader->raw = mst_alloc(reader->raw_room);
  if (reader->raw != NULL) return MUSTER_OK;
  reader->raw_room = 0;
  return mst_fail_memory(error);
}

static bool is_filtered(const mst_h5_reader *reader) {
  const size_t count = reader->layout->filters.count;
  const uint32_t all = ((uint32_t)1 << count) - 1;
  return (reader->chunk_mask & all) != all;
}

static muster_status decode_chunk(void *context, const uint64_t *index, void *dst,
                                  muster_error *error) {
  (void)index;
  mst_h5_reader *reader = context;
  const size_t size = reader->layout->grid.chunk_bytes;
  muster_status status = MUSTER_OK;
  if (!is_filtered(reader)) {
    status = check_length(reader, error);
    if (status != MUSTER_OK) return status;
    return mst_io_read(reader->fd, reader->path, reader->chunk_offset, dst, size, error);
  }
  const size_t length = (size_t)reader->chunk_length;
  status = make_raw_room(reader, error);
  if (status == MUSTER_OK)
    status =
        mst_io_read(reader->fd, reader->path, reader->chunk_offset, reader->raw, length, error);
  if (status != MUSTER_OK) return status;
  return mst_h5_undo(&reader->layout->filters, reader->chunk_mask, &reader->decoder,
                     &reader->between, reader->raw, length, dst, size, error);
}

/* Of chunks without filters only what is wanted. */
static muster_status read_part(void *context, const uint64_t *index, uint64_t offset, void *dst,
                               size_t length, muster_error *error) {
  (void)index;
  const mst_h5_reader *reader = context;
  const muster_status status = check_length(reader, error);
  if (status != MUSTER_OK) return status;
  return mst_io_read(reader->fd, reader->path, reader->chunk_offset + offset, dst, length, error);
}

/* ---- by the library ---------------------------------------------------------------------------- */

static mst_h5_id select_rows(mst_h5_reader *reader, uint64_t lo, uint64_t rows, mst_h5_id *memory) {
  const mst_h5 *library = reader->file.library;
  const mst_h5_layout *layout = reader->layout;
  mst_h5_size start[MST_H5_MAX_RANK] = {0}, count[MST_H5_MAX_RANK] = {0};
  const mst_h5_id space = library->dataset_space(reader->dataset);
  if (space < 0 || layout->space_rank == 0) return space;
  for (size_t i = 0; i < layout->space_rank; i++)
    count[i] = layout->grid.shape[i];
  start[0] = lo;
  count[0] = rows;
  *memory = library->space_new((int)layout->space_rank, count, NULL);
  if (*memory >= 0 &&
      library->space_select(space, MST_H5_SELECT_SET, start, NULL, count, NULL) >= 0)
    return space;
  (void)library->space_close(space);
  return -1;
}

/* A source that vanished would read as fill values. */
static bool lost_source(const mst_h5_reader *reader) {
  return reader->layout->is_virtual && reader->file.access.missed;
}

static muster_status read_locked(mst_h5_reader *reader, uint64_t lo, uint64_t rows, void *dst,
                                 muster_error *error) {
  const mst_h5 *library = reader->file.library;
  mst_h5_id memory = MST_H5_DEFAULT;
  const mst_h5_id space = select_rows(reader, lo, rows, &memory);
  const bool done = space >= 0 && library->read(reader->dataset, reader->memory_type, memory, space,
                                                MST_H5_DEFAULT, dst) >= 0;
  muster_status status = MUSTER_OK;
  if (!done || reader->file.access.has_fault)
    status = mst_h5_file_fail(&reader->file, "read it", error);
  else if (lost_source(reader))
    status = mst_fail(error, MUSTER_ERR_CHANGED, reader->path,
                      "another file that holds part of it vanished since the dataset was opened");
  if (memory > 0) (void)library->space_close(memory);
  if (space >= 0) (void)library->space_close(space);
  return status;
}

static muster_status read_dense(mst_h5_reader *reader, uint64_t lo, uint64_t rows, void *dst,
                                muster_error *error) {
  const mst_h5 *library;
  muster_status status = mst_h5_use(&library, reader->path, error);
  if (status != MUSTER_OK) return status;
  status = read_locked(reader, lo, rows, dst, error);
  mst_h5_leave();
  return status;
}

static uint64_t row_elements(const mst_chunk_grid *grid) {
  uint64_t elements = 1;
  for (size_t i = 1; i < grid->rank; i++)
    elements *= grid->shape[i];
  return elements;
}

static muster_status read_by_library(mst_h5_reader *reader, uint64_t lo, uint64_t hi, char *dst,
                                     const int64_t *strides, muster_error *error) {
  const mst_chunk_grid *grid = &reader->layout->grid;
  const uint64_t elements = row_elements(grid);
  mst_strided layout;
  uint64_t shape[MUSTER_MAX_RANK];
  memcpy(shape, grid->shape, sizeof shape);
  shape[0] = hi - lo;
  if (elements == 0) return MUSTER_OK;
  mst_strided_init(&layout, grid->rank, shape, strides);
  if (mst_strided_is_dense(&layout, grid->itemsize))
    return read_dense(reader, lo, hi - lo, dst, error);
  const uint64_t at_once = mst_larger(PIECE_BYTES / (elements * grid->itemsize), 1);
  void *block = mst_alloc((size_t)(mst_smaller(at_once, hi - lo) * elements * grid->itemsize));
  if (block == NULL) return mst_fail_memory(error);
  muster_status status = MUSTER_OK;
  for (uint64_t row = lo; status == MUSTER_OK && row < hi; row += at_once) {
    const uint64_t rows = mst_smaller(at_once, hi - row);
    status = read_dense(reader, row, rows, block, error);
    if (status == MUSTER_OK)
      mst_strided_scatter(&layout, dst, (row - lo) * elements, rows * elements, block,
                          grid->itemsize, mst_copier(grid->itemsize));
  }
  mst_free(block);
  return status;
}

/* ---- rows -------------------------------------------------------------------------------------- */

static muster_status find_nothing(void *context, const uint64_t *index, bool *found,
                                  muster_error *error) {
  (void)context, (void)index, (void)error;
  *found = false;
  return MUSTER_OK;
}

/* Fill values, as one chunk that is not there. */
static muster_status fill_rows(const mst_h5_layout *layout, uint64_t lo, uint64_t hi, void *dst,
                               const int64_t *strides, muster_error *error) {
  mst_chunk_source source = {.find = find_nothing};
  mst_chunk_grid grid = layout->grid;
  memcpy(grid.shape, layout->padded, sizeof grid.shape);
  for (size_t i = 0; i < grid.rank; i++)
    grid.chunk[i] = mst_larger(grid.shape[i], 1);
  return mst_chunks_read(&grid, &source, lo, hi, dst, strides, error);
}

static muster_status read_stored(mst_h5_reader *reader, uint64_t lo, uint64_t hi, void *dst,
                                 const int64_t *strides, muster_error *error) {
  const mst_h5_layout *layout = reader->layout;
  muster_status status = MUSTER_OK;
  if (layout->is_padded || layout->way == MST_H5_EMPTY)
    status = fill_rows(layout, lo, hi, dst, strides, error);
  if (layout->is_padded) hi = mst_smaller(hi, layout->grid.shape[0]);
  if (status != MUSTER_OK || lo >= hi || layout->way == MST_H5_EMPTY) return status;
  if (layout->way == MST_H5_IN_CHUNKS)
    return mst_chunks_read(&layout->grid, &reader->source, lo, hi, dst, strides, error);
  if (layout->way == MST_H5_FLAT) {
    const uint64_t row = row_elements(&layout->grid) * layout->grid.itemsize;
    return mst_io_read(reader->fd, reader->path, layout->data_offset + lo * row, dst,
                       (size_t)((hi - lo) * row), error);
  }
  return read_by_library(reader, lo, hi, dst, strides, error);
}

/* Pieces end with a chunk where that takes little more memory: what follows would decode it again.
 */
static uint64_t decoded_at_once(const mst_h5_layout *layout, uint64_t row, uint64_t row_bytes) {
  const uint64_t most = mst_larger(PIECE_BYTES / row_bytes, 1);
  if (!layout->has_chunks) return most;
  const uint64_t chunk = layout->grid.chunk[0];
  const uint64_t end = row + most - (row + most) % chunk;
  if (end > row) return end - row;
  return chunk / 8 <= most ? chunk - row % chunk : most;
}

/* Some rows as they are stored, dense, and from there decoded to their place. */
typedef struct mst_h5_decoding {
  uint64_t run;                   /* elements of a row */
  size_t itemsize;                /* of the result */
  int64_t dense[MUSTER_MAX_RANK]; /* strides of what is stored */
  mst_strided to;
  char *stored, *made;
  uint64_t room; /* rows */
} mst_h5_decoding;

static void init_decoding(const mst_h5_layout *layout, uint64_t rows, const int64_t *strides,
                          mst_h5_decoding *decoding) {
  uint64_t shape[MUSTER_MAX_RANK] = {0};
  const size_t rank = layout->grid.rank;
  *decoding = (mst_h5_decoding){.run = 1,
                                .itemsize = layout->cf.is_single ? sizeof(float) : sizeof(double)};
  memcpy(shape, layout->padded, rank * sizeof *shape);
  shape[0] = rows;
  for (size_t i = 1; i < rank; i++)
    decoding->run *= shape[i];
  mst_dense_strides(rank, shape, layout->grid.itemsize, decoding->dense);
  mst_strided_init(&decoding->to, rank, shape, strides);
}

static bool make_decoding_room(mst_h5_decoding *decoding, uint64_t rows, size_t stored_itemsize) {
  if (rows <= decoding->room) return true;
  mst_free(decoding->stored);
  mst_free(decoding->made);
  decoding->room = rows;
  decoding->stored = mst_alloc((size_t)(rows * decoding->run * stored_itemsize));
  decoding->made = mst_alloc((size_t)(rows * decoding->run * decoding->itemsize));
  return decoding->stored != NULL && decoding->made != NULL;
}

static muster_status read_decoded(mst_h5_reader *reader, uint64_t lo, uint64_t hi, char *dst,
                                  const int64_t *strides, muster_error *error) {
  const mst_h5_layout *layout = reader->layout;
  mst_h5_decoding decoding;
  init_decoding(layout, hi - lo, strides, &decoding);
  if (decoding.run == 0) return MUSTER_OK;
  const uint64_t row_bytes = decoding.run * (layout->grid.itemsize + decoding.itemsize);
  muster_status status = MUSTER_OK;
  for (uint64_t row = lo, rows; status == MUSTER_OK && row < hi; row += rows) {
    rows = mst_smaller(decoded_at_once(layout, row, row_bytes), hi - row);
    if (!make_decoding_room(&decoding, rows, layout->grid.itemsize))
      status = mst_fail_memory(error);
    if (status == MUSTER_OK)
      status = read_stored(reader, row, row + rows, decoding.stored, decoding.dense, error);
    if (status != MUSTER_OK) break;
    const uint64_t elements = rows * decoding.run;
    mst_cf_decode(&layout->cf, decoding.stored, decoding.made, (int64_t)decoding.itemsize,
                  (size_t)elements);
    mst_strided_scatter(&decoding.to, dst, (row - lo) * decoding.run, elements, decoding.made,
                        decoding.itemsize, mst_copier(decoding.itemsize));
  }
  mst_free(decoding.stored);
  mst_free(decoding.made);
  return status;
}

muster_status mst_h5_read_rows(const mst_open_shard *open, uint64_t lo, uint64_t hi, void *dst,
                               const int64_t *strides, muster_error *error) {
  mst_h5_reader *reader = open->state;
  if (reader->layout->cf.is_applied) return read_decoded(reader, lo, hi, dst, strides, error);
  return read_stored(reader, lo, hi, dst, strides, error);
}

/* ---- opening and closing ----------------------------------------------------------------------- */

static muster_status open_dataset(mst_h5_reader *reader, const mst_h5 *library,
                                  const mst_h5_access *access, muster_error *error) {
  const mst_h5_layout *layout = reader->layout;
  muster_status status = mst_h5_file_open(&reader->file, library, access, error);
  if (status == MUSTER_OK)
    status = mst_h5_dataset_open(&reader->file, layout->name, &reader->dataset, error);
  if (status != MUSTER_OK || layout->way != MST_H5_BY_LIBRARY) return status;
  const mst_h5_id type = library->dataset_type(reader->dataset);
  reader->memory_type = type;
  if (type >= 0 && layout->is_converted) {
    reader->memory_type = library->type_native(type, MST_H5_ASCENDING);
    (void)library->type_close(type);
  }
  if (reader->memory_type < 0) return mst_h5_file_fail(&reader->file, "read its type", error);
  return MUSTER_OK;
}

static void free_reader(mst_h5_reader *reader) {
  mst_chunk_source_reset(&reader->source);
  mst_decoder_reset(&reader->decoder);
  mst_h5_between_reset(&reader->between);
  mst_free(reader->raw);
  mst_free(reader);
}

static void close_locked(mst_h5_reader *reader) {
  const mst_h5 *library = reader->file.library;
  if (reader->memory_type > 0) (void)library->type_close(reader->memory_type);
  if (reader->dataset >= 0) (void)library->dataset_close(reader->dataset);
  (void)mst_h5_file_close(&reader->file);
}

muster_status mst_h5_reader_open(mst_open_shard *open, muster_error *error) {
  const mst_shard *shard = open->shard;
  const mst_h5_layout *layout = shard->detail;
  if (layout == NULL) return MUSTER_OK;
  mst_h5_reader *reader = mst_calloc(1, sizeof *reader);
  if (reader == NULL) return mst_fail_memory(error);
  *reader = (mst_h5_reader){.layout = layout,
                            .path = shard->path,
                            .fd = open->fd,
                            .file_size = shard->stat.size,
                            .dataset = -1,
                            .decoder = {.path = shard->path}};
  reader->source = (mst_chunk_source){.context = reader,
                                      .find = find_chunk,
                                      .decode = decode_chunk,
                                      .read_part = layout->filters.count == 0 ? read_part : NULL};
  open->state = reader;
  if (layout->way == MST_H5_EMPTY || layout->way == MST_H5_FLAT) return MUSTER_OK;
  const mst_h5_access access = {.path = shard->path,
                                .fd = open->fd,
                                .size = shard->stat.size,
                                .follow_external = layout->follow_external};
  const mst_h5 *library;
  muster_status status = mst_h5_use(&library, shard->path, error);
  if (status == MUSTER_OK) {
    status = open_dataset(reader, library, &access, error);
    if (status != MUSTER_OK) close_locked(reader);
    mst_h5_leave();
  }
  if (status != MUSTER_OK) free_reader(reader);
  return status;
}

void mst_h5_reader_close(mst_open_shard *open) {
  mst_h5_reader *reader = open->state;
  if (reader == NULL) return;
  const mst_h5 *library;
  if (reader->file.library != NULL && mst_h5_use(&library, reader->path, NULL) == MUSTER_OK) {
    close_locked(reader);
    mst_h5_leave();
  }
  free_reader(reader);
}
