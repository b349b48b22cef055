/* SPDX-License-Identifier: Apache-2.0 */
#include "formats/chunks.h"

#include <inttypes.h>
#include <string.h>

#include "base/alloc.h"
#include "base/convert.h"
#include "base/shape.h"
#include "base/status.h"

#define MAX_CHUNK_BYTES ((uint64_t)4 << 30)

muster_status mst_chunks_check(mst_chunk_grid *grid, const char *path, muster_error *error) {
  uint64_t elements;
  for (size_t i = 0; i < grid->rank; i++)
    if (grid->chunk[i] == 0)
      return mst_fail(error, MUSTER_ERR_FORMAT, path, "damaged: its chunks have no elements");
  if (!mst_shape_elements(grid->rank, grid->chunk, grid->itemsize, &elements) ||
      elements * grid->itemsize > MAX_CHUNK_BYTES)
    return mst_fail(error, MUSTER_ERR_UNSUPPORTED, path,
                    "has chunks of more than 4 GiB: write it again with smaller ones");
  grid->chunk_bytes = (size_t)(elements * grid->itemsize);
  return MUSTER_OK;
}

void mst_chunks_band(const mst_chunk_grid *grid, uint64_t row, uint64_t *lo, uint64_t *hi) {
  const uint64_t rows = grid->rank > 0 ? grid->chunk[0] : 1;
  const uint64_t all = grid->rank > 0 ? grid->shape[0] : 1;
  *lo = row - row % rows;
  *hi = all - *lo < rows ? all : *lo + rows;
}

uint64_t mst_chunks_along(const mst_chunk_grid *grid, size_t axis) {
  return mst_ceil_divide(grid->shape[axis], grid->chunk[axis]);
}

void mst_chunk_source_reset(mst_chunk_source *source) {
  mst_free(source->scratch);
  source->scratch = NULL;
}

/* ---- one chunk ---------------------------------------------------------------------------------- */

/* The part of a chunk that is wanted, and where it goes. */
typedef struct mst_chunk_part {
  const mst_chunk_grid *grid;
  uint64_t begin[MUSTER_MAX_RANK]; /* in the chunk */
  uint64_t count[MUSTER_MAX_RANK];
  char *dst;
  const int64_t *strides;
  bool is_whole; /* all of the chunk, and it lies in memory as it does in the chunk */
} mst_chunk_part;

/* Cuts the chunk with the array and the rows. */
static void cut(const mst_chunk_grid *grid, const uint64_t *index, uint64_t lo, uint64_t hi,
                char *dst, const int64_t *strides, mst_chunk_part *part) {
  *part = (mst_chunk_part){.grid = grid, .dst = dst, .strides = strides, .is_whole = true};
  int64_t dense = (int64_t)grid->itemsize;
  for (size_t i = grid->rank; i-- > 0;) {
    const uint64_t first = index[i] * grid->chunk[i];
    const uint64_t from = i == 0 ? mst_larger(first, lo) : first;
    const uint64_t end = i == 0 ? hi : grid->shape[i];
    const uint64_t to = mst_smaller(first + grid->chunk[i], end);
    part->begin[i] = from - first;
    part->count[i] = to - from;
    part->dst += (int64_t)(i == 0 ? from - lo : from) * strides[i];
    part->is_whole = part->is_whole && part->count[i] == grid->chunk[i] &&
                     (strides[i] == dense || grid->chunk[i] == 1);
    dense *= (int64_t)grid->chunk[i];
  }
}

/* Steps to the next run of the innermost axis; false after the last. The offsets follow. */
static bool next_run(const mst_chunk_part *part, const int64_t *pitch, uint64_t *at, size_t outer,
                     int64_t *from, int64_t *to) {
  for (size_t i = outer; i-- > 0;) {
    *from += pitch[i];
    *to += part->strides[i];
    if (++at[i] < part->count[i]) return true;
    *from -= (int64_t)at[i] * pitch[i];
    *to -= (int64_t)at[i] * part->strides[i];
    at[i] = 0;
  }
  return false;
}

/* The last axes that lie in memory as they do in the chunk are one run. Returns the axes before. */
static size_t join_axes(const mst_chunk_part *part, uint64_t *run) {
  const mst_chunk_grid *grid = part->grid;
  size_t outer = grid->rank;
  *run = 1;
  int64_t dense = (int64_t)grid->itemsize;
  while (outer > 0 && part->strides[outer - 1] == dense) {
    outer--;
    *run *= part->count[outer];
    if (part->count[outer] != grid->chunk[outer]) break;
    dense *= (int64_t)grid->chunk[outer];
  }
  return outer;
}

/* How the bytes of a part run in the chunk and in memory. */
typedef struct mst_chunk_runs {
  int64_t pitch[MUSTER_MAX_RANK]; /* of the chunk */
  int64_t from;                   /* where the first run begins in the chunk */
  size_t outer;                   /* axes over the runs */
  uint64_t run;                   /* elements */
  bool in_runs;                   /* they lie one behind the other in memory too */
} mst_chunk_runs;

static void find_runs(const mst_chunk_part *part, mst_chunk_runs *runs) {
  const mst_chunk_grid *grid = part->grid;
  mst_dense_strides(grid->rank, grid->chunk, grid->itemsize, runs->pitch);
  runs->from = 0;
  for (size_t i = 0; i < grid->rank; i++)
    runs->from += (int64_t)part->begin[i] * runs->pitch[i];
  runs->outer = join_axes(part, &runs->run);
  runs->in_runs = runs->outer < grid->rank || grid->rank == 0;
  if (!runs->in_runs) runs->run = part->count[--runs->outer];
}

static bool is_one_run(const mst_chunk_part *part, const mst_chunk_runs *runs) {
  for (size_t i = 0; i < runs->outer; i++)
    if (part->count[i] != 1) return false;
  return runs->in_runs;
}

static void copy_part(const mst_chunk_part *part, const mst_chunk_runs *runs, const char *chunk) {
  const size_t itemsize = part->grid->itemsize;
  uint64_t at[MUSTER_MAX_RANK] = {0};
  const mst_convert_fn copy = mst_copier(itemsize);
  int64_t from = runs->from, to = 0;
  do {
    if (runs->in_runs)
      memcpy(part->dst + to, chunk + from, (size_t)runs->run * itemsize);
    else
      copy(chunk + from, part->dst + to, part->strides[runs->outer], (size_t)runs->run);
  } while (next_run(part, runs->pitch, at, runs->outer, &from, &to));
}

/* `count` elements `step` bytes apart. */
static void fill_run(const mst_chunk_grid *grid, char *dst, int64_t step, uint64_t count) {
  const size_t itemsize = grid->itemsize;
  const mst_convert_fn copy = mst_copier(itemsize);
  if (step != (int64_t)itemsize) {
    for (uint64_t k = 0; k < count; k++)
      copy(grid->fill, dst + (int64_t)k * step, step, 1);
    return;
  }
  const size_t length = (size_t)count * itemsize;
  size_t done = itemsize < length ? itemsize : length;
  memcpy(dst, grid->fill, done);
  for (size_t more; done < length; done += more) {
    more = length - done < done ? length - done : done;
    memcpy(dst + done, dst, more);
  }
}

static void fill_part(const mst_chunk_part *part) {
  const mst_chunk_grid *grid = part->grid;
  const int64_t pitch[MUSTER_MAX_RANK] = {0};
  uint64_t at[MUSTER_MAX_RANK] = {0};
  const size_t outer = grid->rank > 0 ? grid->rank - 1 : 0;
  const uint64_t run = grid->rank > 0 ? part->count[outer] : 1;
  const int64_t step = grid->rank > 0 ? part->strides[outer] : (int64_t)grid->itemsize;
  int64_t from = 0, to = 0;
  do {
    fill_run(grid, part->dst + to, step, run);
  } while (next_run(part, pitch, at, outer, &from, &to));
}

static muster_status read_chunk(mst_chunk_source *source, const uint64_t *index,
                                const mst_chunk_part *part, muster_error *error) {
  bool found = false;
  muster_status status = source->find(source->context, index, &found, error);
  if (status != MUSTER_OK) return status;
  if (!found) {
    fill_part(part);
    return MUSTER_OK;
  }
  if (part->is_whole) return source->decode(source->context, index, part->dst, error);
  mst_chunk_runs runs;
  find_runs(part, &runs);
  if (source->read_part != NULL && is_one_run(part, &runs))
    return source->read_part(source->context, index, (uint64_t)runs.from, part->dst,
                             (size_t)runs.run * part->grid->itemsize, error);
  if (source->scratch == NULL) source->scratch = mst_alloc(part->grid->chunk_bytes);
  if (source->scratch == NULL) return mst_fail_memory(error);
  status = source->decode(source->context, index, source->scratch, error);
  if (status == MUSTER_OK) copy_part(part, &runs, source->scratch);
  return status;
}

/* ---- all of them ---------------------------------------------------------------------------------- */

static bool next_chunk(const mst_chunk_grid *grid, uint64_t last_row_index, uint64_t *index) {
  for (size_t i = grid->rank; i-- > 0;) {
    const uint64_t end = i == 0 ? last_row_index + 1 : mst_chunks_along(grid, i);
    if (++index[i] < end) return true;
    index[i] = 0;
  }
  return false;
}

muster_status mst_chunks_read(const mst_chunk_grid *grid, mst_chunk_source *source, uint64_t lo,
                              uint64_t hi, void *dst, const int64_t *strides, muster_error *error) {
  if (lo >= hi) return MUSTER_OK;
  for (size_t i = 1; i < grid->rank; i++)
    if (grid->shape[i] == 0) return MUSTER_OK;
  uint64_t index[MUSTER_MAX_RANK] = {0};
  const uint64_t last = grid->rank > 0 ? (hi - 1) / grid->chunk[0] : 0;
  if (grid->rank > 0) index[0] = lo / grid->chunk[0];
  muster_status status;
  do {
    mst_chunk_part part;
    cut(grid, index, lo, hi, dst, strides, &part);
    status = read_chunk(source, index, &part, error);
  } while (status == MUSTER_OK && next_chunk(grid, last, index));
  return status;
}
