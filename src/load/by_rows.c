/* SPDX-License-Identifier: Apache-2.0 */
#include "load/by_rows.h"

#include "base/shape.h"
#include "base/strided.h"
#include "load/bands.h"

/* Rows of a Fortran-order file are scattered: fewer, longer pieces. */
#define FORTRAN_BLOCK_BYTES ((uint64_t)32 << 20)
/* Of a table each column is a piece by itself. */
#define BLOCK_BYTES ((uint64_t)4 << 20)
/* Bands are as long as they are; several small ones stay in the cache. */
#define BAND_BLOCK_BYTES ((uint64_t)1 << 20)

bool mst_shard_by_rows(const muster_dataset *dataset, const mst_shard *shard) {
  return shard->fortran || shard->by_rows || dataset->format->read_elements == NULL;
}

/* A stacked shard is one row, which the format knows nothing of. */
static bool band_of(const muster_dataset *dataset, const mst_shard *shard, uint64_t row,
                    uint64_t *lo, uint64_t *hi) {
  const mst_format *format = dataset->format;
  return !dataset->stacked && format->band != NULL && mst_shard_by_rows(dataset, shard) &&
         format->band(shard, row, lo, hi);
}

static mst_band_key key_of(const muster_dataset *dataset, const mst_shard *shard, uint64_t lo,
                           uint64_t hi) {
  const size_t itemsize = muster_type_size(dataset->source.dtype.type);
  return (mst_band_key){.shard = (size_t)(shard - dataset->shards),
                        .lo = lo,
                        .hi = hi,
                        .bytes = (hi - lo) * dataset->row_elements * itemsize};
}

uint64_t mst_rows_at_once(const muster_dataset *dataset, const mst_shard *shard, uint64_t row) {
  const uint64_t itemsize = mst_larger(muster_type_size(dataset->source.dtype.type),
                                       muster_type_size(dataset->dtype.type));
  const uint64_t row_bytes = mst_larger(dataset->row_elements * itemsize, 1);
  const uint64_t block_bytes = shard->fortran ? FORTRAN_BLOCK_BYTES : BLOCK_BYTES;
  const uint64_t most = mst_larger(block_bytes / row_bytes, 1);
  uint64_t lo, hi;
  if (!band_of(dataset, shard, row, &lo, &hi)) return most;
  const mst_band_key key = key_of(dataset, shard, lo, hi);
  if (!mst_bands_fits(dataset->bands, &key, dataset->format->band_is_whole))
    return mst_smaller(most, hi - row);
  uint64_t end = hi;
  while (end < shard->rows && band_of(dataset, shard, end, &lo, &hi) &&
         (hi - row) * row_bytes <= BAND_BLOCK_BYTES)
    end = hi;
  return end - row;
}

uint64_t mst_band_edge(const muster_dataset *dataset, uint64_t row) {
  if (row == 0 || row >= dataset->shape[0]) return row;
  const uint64_t at = dataset->row_base + row;
  const mst_shard *shard = &dataset->shards[mst_dataset_shard_of(dataset, at)];
  uint64_t lo, hi;
  if (!band_of(dataset, shard, at - shard->first_row, &lo, &hi)) return row;
  if (shard->first_row + lo == at) return row;
  const uint64_t edge = mst_smaller(shard->first_row + hi - dataset->row_base, dataset->shape[0]);
  const bool whole_words = (edge % 8) * (dataset->row_bytes % 8) % 8 == 0;
  return whole_words || edge == dataset->shape[0] ? edge : row;
}

uint64_t mst_band_rows(const muster_dataset *dataset) {
  uint64_t common = 1;
  for (size_t i = 0; i < dataset->shard_count; i++) {
    const mst_shard *shard = &dataset->shards[i];
    uint64_t lo, hi;
    if (shard->rows == 0) continue;
    if (!band_of(dataset, shard, 0, &lo, &hi)) return 1;
    if (common == 1) common = hi;
    const bool is_last = shard->first_row + shard->rows == dataset->all_rows;
    if (hi != common && hi != shard->rows) return 1;
    if (shard->rows % common != 0 && !is_last) return 1;
  }
  return dataset->row_base % common == 0 ? common : 1;
}

/* ---- reading --------------------------------------------------------------------------------------- */

static muster_status read_rows(const muster_dataset *dataset, const mst_open_shard *open,
                               uint64_t lo, uint64_t hi, void *dst, const int64_t *strides,
                               muster_error *error) {
  const bool is_whole = dataset->stacked && !open->shard->fortran;
  if (!is_whole) return dataset->format->read_rows(open, lo, hi, dst, strides, error);
  const uint64_t rows = dataset->source.rank > 1 ? dataset->source.shape[1] : 1;
  return dataset->format->read_rows(open, 0, rows, dst, strides + 1, error);
}

typedef struct mst_band_read {
  const muster_dataset *dataset;
  const mst_open_shard *open;
  uint64_t lo, hi;
} mst_band_read;

static muster_status decode(void *context, void *dst, muster_error *error) {
  const mst_band_read *read = context;
  const mst_schema *source = &read->dataset->source;
  int64_t strides[MUSTER_MAX_RANK];
  mst_dense_strides(source->rank, source->shape, muster_type_size(source->dtype.type), strides);
  return read->dataset->format->read_rows(read->open, read->lo, read->hi, dst, strides, error);
}

/* Rows [lo, hi) of the band, which has more. */
static muster_status read_part(mst_band_read *band, uint64_t lo, uint64_t hi, void *dst,
                               const int64_t *strides, muster_error *error) {
  const muster_dataset *dataset = band->dataset;
  const size_t itemsize = muster_type_size(dataset->source.dtype.type);
  const uint64_t row_bytes = dataset->row_elements * itemsize;
  const mst_band_key key = key_of(dataset, band->open->shard, band->lo, band->hi);
  if (!mst_bands_fits(dataset->bands, &key, dataset->format->band_is_whole))
    return read_rows(dataset, band->open, lo, hi, dst, strides, error);
  const void *data;
  const muster_status status = mst_bands_hold(dataset->bands, &key, decode, band, &data, error);
  if (status != MUSTER_OK) return status;
  uint64_t shape[MUSTER_MAX_RANK];
  mst_strided layout;
  shape[0] = hi - lo;
  for (size_t i = 1; i < dataset->source.rank; i++)
    shape[i] = dataset->source.shape[i];
  mst_strided_init(&layout, dataset->source.rank, shape, strides);
  mst_strided_scatter(&layout, dst, 0, (hi - lo) * dataset->row_elements,
                      (const char *)data + (lo - band->lo) * row_bytes, itemsize,
                      mst_copier(itemsize));
  mst_bands_release(dataset->bands, &key, hi - lo);
  return MUSTER_OK;
}

/* The end of the whole bands that begin at `lo`, at or before `hi`. */
static uint64_t end_of_whole(const muster_dataset *dataset, const mst_shard *shard, uint64_t hi) {
  uint64_t band_lo, band_hi;
  if (!band_of(dataset, shard, hi - 1, &band_lo, &band_hi) || band_hi <= hi) return hi;
  return band_lo;
}

muster_status mst_read_by_rows(const muster_dataset *dataset, const mst_open_shard *open,
                               uint64_t lo, uint64_t hi, void *dst, const int64_t *strides,
                               muster_error *error) {
  mst_band_read band = {.dataset = dataset, .open = open};
  if (lo == hi || !band_of(dataset, open->shard, lo, &band.lo, &band.hi))
    return read_rows(dataset, open, lo, hi, dst, strides, error);
  const uint64_t whole_end = end_of_whole(dataset, open->shard, hi);
  muster_status status = MUSTER_OK;
  for (uint64_t at = lo, end; status == MUSTER_OK && at < hi; at = end) {
    char *place = (char *)dst + (int64_t)(at - lo) * strides[0];
    (void)band_of(dataset, open->shard, at, &band.lo, &band.hi);
    const bool begins_here = band.lo == at;
    end = begins_here && whole_end > at ? whole_end : mst_smaller(band.hi, hi);
    if (begins_here && whole_end > at)
      status = read_rows(dataset, open, at, end, place, strides, error);
    else
      status = read_part(&band, at, end, place, strides, error);
  }
  return status;
}
