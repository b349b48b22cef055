/* SPDX-License-Identifier: Apache-2.0 */
#include "load/plan.h"

#include "base/alloc.h"
#include "base/shape.h"
#include "base/status.h"
#include "load/by_rows.h"
#include "load/dataset.h"

/* Tiles may grow by one part in so many. */
#define MOST_MORE 8

struct muster_plan {
  const muster_dataset *dataset;
  uint64_t tile_rows;
  uint64_t tile_count;
};

void muster_plan_options_init(muster_plan_options *options) {
  *options = (muster_plan_options){.struct_size = sizeof *options, .procs = 1, .over_decompose = 1};
}

bool mst_tile_rows(uint64_t rows, const muster_plan_options *options, uint64_t *tile_rows) {
  uint64_t parts;
  if (options->procs == 0 || options->over_decompose == 0 ||
      !mst_multiply(options->procs, options->over_decompose, &parts))
    return false;
  *tile_rows =
      options->tile_rows > 0 ? options->tile_rows : mst_larger(mst_ceil_divide(rows, parts), 1);
  return true;
}

/* Tiles that end with a band spare others from decoding it too; not if some get much more to do. */
static uint64_t whole_bands(const muster_dataset *dataset, uint64_t tile_rows) {
  const uint64_t band = mst_band_rows(dataset);
  if (band <= 1 || tile_rows > MST_MAX_BYTES - band) return tile_rows;
  const uint64_t rounded = mst_ceil_divide(tile_rows, band) * band;
  return rounded - tile_rows <= tile_rows / MOST_MORE ? rounded : tile_rows;
}

/*
 * No special case makes a tile of a shard when shards are equal and as many as processors: the
 * rows of a tile are then the rows of a shard.
 */
muster_status muster_plan_new(const muster_dataset *dataset, const muster_plan_options *options,
                              muster_plan **out, muster_error *error) {
  *out = NULL;
  const muster_status status =
      mst_check_struct(options->struct_size, "muster_plan_options_init", error);
  if (status != MUSTER_OK) return status;
  const uint64_t rows = dataset->shape[0];
  uint64_t tile_rows = 1;
  if (!mst_tile_rows(rows, options, &tile_rows))
    return mst_fail(error, MUSTER_ERR_USAGE, NULL,
                    "processors and over-decomposition must be at least 1, and not astronomical");
  if (options->tile_rows == 0) tile_rows = whole_bands(dataset, tile_rows);
  muster_plan *plan = mst_alloc(sizeof *plan);
  if (plan == NULL) return mst_fail_memory(error);
  *plan = (muster_plan){
      .dataset = dataset, .tile_rows = tile_rows, .tile_count = mst_ceil_divide(rows, tile_rows)};
  *out = plan;
  return MUSTER_OK;
}

void muster_plan_free(muster_plan *plan) { mst_free(plan); }
uint64_t muster_plan_tile_count(const muster_plan *plan) { return plan->tile_count; }

/* Rows [*lo, *hi) of the tile, counted in all shards. */
static bool tile_range(const muster_plan *plan, uint64_t tile, uint64_t *lo, uint64_t *hi) {
  if (tile >= plan->tile_count) return false;
  const uint64_t rows = plan->dataset->shape[0];
  const uint64_t begin = tile * plan->tile_rows;
  const uint64_t end = rows - begin < plan->tile_rows ? rows : begin + plan->tile_rows;
  *lo = plan->dataset->row_base + begin;
  *hi = plan->dataset->row_base + end;
  return true;
}

muster_status muster_plan_tile(const muster_plan *plan, uint64_t tile, muster_tile *out) {
  uint64_t lo, hi;
  if (!tile_range(plan, tile, &lo, &hi)) return MUSTER_ERR_USAGE;
  const muster_dataset *dataset = plan->dataset;
  *out = (muster_tile){.row_lo = lo - dataset->row_base, .row_hi = hi - dataset->row_base};
  for (size_t i = mst_dataset_shard_of(dataset, lo);
       i < dataset->shard_count && dataset->shards[i].first_row < hi; i++)
    out->slice_count += dataset->shards[i].rows > 0;
  return MUSTER_OK;
}

muster_status muster_plan_slice(const muster_plan *plan, uint64_t tile, size_t slice,
                                muster_slice *out) {
  uint64_t lo, hi;
  if (!tile_range(plan, tile, &lo, &hi)) return MUSTER_ERR_USAGE;
  const muster_dataset *dataset = plan->dataset;
  for (size_t i = mst_dataset_shard_of(dataset, lo);
       i < dataset->shard_count && dataset->shards[i].first_row < hi; i++) {
    const mst_shard *shard = &dataset->shards[i];
    if (shard->rows == 0 || slice-- > 0) continue;
    const uint64_t begin = mst_larger(lo, shard->first_row);
    const uint64_t end = mst_smaller(hi, shard->first_row + shard->rows);
    *out = (muster_slice){.shard = i,
                          .file_lo = begin - shard->first_row,
                          .file_hi = end - shard->first_row,
                          .dst_lo = begin - lo,
                          .dst_hi = end - lo};
    return MUSTER_OK;
  }
  return MUSTER_ERR_USAGE;
}
