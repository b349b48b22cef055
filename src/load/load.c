/* SPDX-License-Identifier: Apache-2.0 */
/*
 * muster_load: the library's own threads take tiles, read them block by block, and hand the
 * blocks to a sink. The checksum is taken while a block is still in the cache.
 */
#include "load/load.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>

#include "base/alloc.h"
#include "base/cancel.h"
#include "base/pool.h"
#include "base/shape.h"
#include "base/status.h"
#include "load/by_rows.h"
#include "load/output.h"
#include "load/plan.h"
#include "load/read.h"
#include "sinks/checksum.h"

#define PROGRESS_NS 100000000
/* Several tiles a thread, so that one that is held up does not keep the others waiting. */
#define DEFAULT_OVER_DECOMPOSE 4

void muster_load_options_init(muster_load_options *options) {
  *options = (muster_load_options){
      .struct_size = sizeof *options, .over_decompose = DEFAULT_OVER_DECOMPOSE, .checksum = true};
}

/* Memory of one thread for a block on its way. */
typedef struct mst_scratch {
  void *block;  /* as the sink wants it */
  void *source; /* as the file has it, where that differs */
  uint64_t elements;
  mst_direct *direct;  /* for reads past the page cache */
  mst_open_shard open; /* the shard that was read last, if it stays open */
  bool is_open;
} mst_scratch;

typedef struct mst_load {
  const muster_dataset *dataset;
  const muster_load_options *options;
  const mst_sink *sink;
  uint64_t tile_rows;
  mst_scratch *scratch; /* one a thread */
  atomic_ullong checksum;
  atomic_ullong bytes_done;
  pthread_mutex_t progress_lock;
  int64_t told_ns;
} mst_load;

/* ---- progress --------------------------------------------------------------------------------------- */

static int64_t now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static void tell(mst_load *load, uint64_t bytes_done) {
  const muster_dataset *dataset = load->dataset;
  const uint64_t rows = dataset->shape[0];
  const uint64_t row_bytes = dataset->row_bytes;
  const muster_progress progress = {.rows_done = row_bytes > 0 ? bytes_done / row_bytes : rows,
                                    .rows = rows,
                                    .bytes_done = bytes_done,
                                    .bytes = rows * row_bytes};
  load->options->progress(load->options->progress_user, &progress);
}

/* Whoever finishes a block when it is time tells; the others do not wait. */
static void note_progress(mst_load *load, uint64_t bytes) {
  atomic_fetch_add(&load->bytes_done, bytes);
  if (load->options->progress == NULL || pthread_mutex_trylock(&load->progress_lock) != 0) return;
  const int64_t now = now_ns();
  if (now - load->told_ns >= PROGRESS_NS) {
    load->told_ns = now;
    tell(load, atomic_load(&load->bytes_done));
  }
  pthread_mutex_unlock(&load->progress_lock);
}

/* ---- one tile ------------------------------------------------------------------------------------------ */

/* Rows by rows of Fortran files may need more room than the first shards did. */
static muster_status make_room(const mst_load *load, mst_scratch *scratch, uint64_t elements,
                               bool block_needed, muster_error *error) {
  const muster_dataset *dataset = load->dataset;
  if (elements > scratch->elements) {
    mst_free(scratch->block);
    mst_free(scratch->source);
    scratch->block = scratch->source = NULL;
    scratch->elements = elements;
  }
  if (block_needed && scratch->block == NULL)
    scratch->block = mst_alloc((size_t)(scratch->elements * muster_type_size(dataset->dtype.type)));
  if (dataset->converts && scratch->source == NULL)
    scratch->source =
        mst_alloc((size_t)(scratch->elements * muster_type_size(dataset->source.dtype.type)));
  if ((!block_needed || scratch->block != NULL) && (!dataset->converts || scratch->source != NULL))
    return MUSTER_OK;
  char size[24];
  const size_t itemsize = muster_type_size(dataset->dtype.type);
  return mst_fail(error, MUSTER_ERR_MEMORY, NULL,
                  "out of memory for a piece of %s; whole rows are held where files are in Fortran "
                  "order",
                  mst_human_bytes((double)(scratch->elements * itemsize), size));
}

static muster_status close_shard(const mst_load *load, mst_scratch *scratch, muster_status status,
                                 muster_error *error) {
  if (!scratch->is_open) return status;
  scratch->is_open = false;
  return mst_shard_close(load->dataset, &scratch->open, status, error);
}

static muster_status use_shard(const mst_load *load, mst_scratch *scratch, size_t index,
                               muster_error *error) {
  if (scratch->is_open && scratch->open.shard == &load->dataset->shards[index]) return MUSTER_OK;
  muster_status status = close_shard(load, scratch, MUSTER_OK, error);
  if (status == MUSTER_OK) status = mst_shard_open(load->dataset, index, &scratch->open, error);
  scratch->is_open = status == MUSTER_OK;
  scratch->open.kept = &scratch->direct;
  return status;
}

/* One block on its way. offset: in bytes of the result. */
static muster_status move_block(mst_load *load, mst_scratch *scratch, const mst_open_shard *open,
                                uint64_t first, uint64_t count, uint64_t offset,
                                mst_checksum *checksum, muster_error *error) {
  if (mst_is_cancelled(load->options->cancel))
    return mst_fail(error, MUSTER_ERR_CANCELLED, NULL, "cancelled");
  const mst_sink *sink = load->sink;
  const size_t length = (size_t)count * muster_type_size(load->dataset->dtype.type);
  void *target = sink->type->place != NULL ? sink->type->place(sink->state, offset, length) : NULL;
  muster_status status = make_room(load, scratch, count, target == NULL, error);
  if (status != MUSTER_OK) return status;
  if (target == NULL) target = scratch->block;
  status = mst_read_dense(load->dataset, open, first, count, target, scratch->source, error);
  if (status != MUSTER_OK) return status;
  if (load->options->checksum) mst_checksum_add(checksum, target, length);
  status = sink->type->put(sink->state, offset, target, length, error);
  if (status == MUSTER_OK) note_progress(load, length);
  return status;
}

/* Rows [lo, hi), counted in all shards, of one shard. */
static muster_status move_slice(mst_load *load, mst_scratch *scratch, size_t index, uint64_t lo,
                                uint64_t hi, mst_checksum *checksum, muster_error *error) {
  const muster_dataset *dataset = load->dataset;
  const mst_shard *shard = &dataset->shards[index];
  const uint64_t first = (lo - shard->first_row) * dataset->row_elements;
  const uint64_t elements = (hi - lo) * dataset->row_elements;
  /* Fortran order is read best in one go, where that takes no memory of ours. */
  const bool in_place =
      load->sink->type->place != NULL && load->sink->type->place(load->sink->state, 0, 0) != NULL;
  const bool whole = in_place && !dataset->converts && shard->fortran;
  const uint64_t offset = (lo - dataset->row_base) * dataset->row_bytes;
  const size_t itemsize = muster_type_size(dataset->dtype.type);
  muster_status status = use_shard(load, scratch, index, error);
  if (status != MUSTER_OK) return status;
  mst_shard_expect(dataset, &scratch->open, first, elements);
  for (uint64_t at = 0, count; status == MUSTER_OK && at < elements; at += count) {
    count = whole ? elements
                  : mst_smaller(mst_block_elements(dataset, shard, first + at), elements - at);
    status = move_block(load, scratch, &scratch->open, first + at, count, offset + at * itemsize,
                        checksum, error);
  }
  /* For the next tile of it, too: what a format has to make before it reads may be much. */
  const bool stays = status == MUSTER_OK && mst_shard_by_rows(dataset, shard);
  return stays ? MUSTER_OK : close_shard(load, scratch, status, error);
}

/* Where a tile begins: never within a band of rows that are decoded together, if it can be helped.
 */
static uint64_t tile_edge(const mst_load *load, uint64_t tile) {
  const uint64_t rows = load->dataset->shape[0];
  uint64_t row;
  if (!mst_multiply(tile, load->tile_rows, &row) || row >= rows) return rows;
  return mst_band_edge(load->dataset, row);
}

static muster_status move_tile(void *context, uint64_t tile, unsigned worker, muster_error *error) {
  mst_load *load = context;
  const muster_dataset *dataset = load->dataset;
  const uint64_t begin = tile_edge(load, tile);
  const uint64_t end = tile_edge(load, tile + 1);
  uint64_t lo = dataset->row_base + begin;
  const uint64_t hi = dataset->row_base + end;
  mst_checksum checksum = mst_checksum_begin(begin * dataset->row_bytes);
  muster_status status = MUSTER_OK;
  for (size_t i = mst_dataset_shard_of(dataset, lo); status == MUSTER_OK && lo < hi; i++) {
    const mst_shard *shard = &dataset->shards[i];
    const uint64_t shard_end = shard->first_row + shard->rows;
    if (shard->rows == 0) continue;
    const uint64_t stop = shard_end < hi ? shard_end : hi;
    status = move_slice(load, &load->scratch[worker], i, lo, stop, &checksum, error);
    lo = stop;
  }
  if (status == MUSTER_OK) atomic_fetch_add(&load->checksum, mst_checksum_end(&checksum));
  return status;
}

/* ---- all tiles ------------------------------------------------------------------------------------------- */

/* Tiles begin at multiples of 8 bytes: no word of the checksum lies in two of them. */
static uint64_t whole_words(uint64_t tile_rows, uint64_t row_bytes) {
  uint64_t unit = 8;
  while (unit > 1 && row_bytes % 2 == 0) {
    row_bytes /= 2;
    unit /= 2;
  }
  uint64_t rounded;
  if (!mst_multiply(mst_ceil_divide(tile_rows, unit), unit, &rounded))
    return tile_rows / unit * unit;
  return rounded;
}

static muster_status choose_tiles(mst_load *load, unsigned threads, uint64_t *tile_count,
                                  muster_error *error) {
  const uint64_t rows = load->dataset->shape[0];
  const muster_plan_options plan = {.procs = threads,
                                    .over_decompose = load->options->over_decompose,
                                    .tile_rows = load->options->tile_rows};
  uint64_t tile_rows = 1;
  if (!mst_tile_rows(rows, &plan, &tile_rows))
    return mst_fail(error, MUSTER_ERR_USAGE, NULL,
                    "over-decomposition must be at least 1, and not astronomical");
  load->tile_rows = whole_words(tile_rows, load->dataset->row_bytes);
  *tile_count = mst_ceil_divide(rows, load->tile_rows);
  return MUSTER_OK;
}

/* Who reads past the page cache waits for the disk, while another copies. */
static unsigned default_threads(const muster_dataset *dataset) {
  return mst_default_threads() * (dataset->direct == MUSTER_DIRECT_NEVER ? 1 : 2);
}

static muster_status move_all(mst_load *load, muster_error *error) {
  const unsigned asked = load->options->threads;
  const unsigned threads = asked > 0 ? asked : default_threads(load->dataset);
  uint64_t tiles = 0;
  muster_status status = choose_tiles(load, threads, &tiles, error);
  if (status != MUSTER_OK) return status;
  load->scratch = mst_calloc(threads, sizeof *load->scratch);
  if (load->scratch == NULL) return mst_fail_memory(error);
  /* Rows without elements have nothing to move. */
  if (load->dataset->row_elements > 0)
    status = mst_parallel_for(threads, tiles, move_tile, load, error);
  for (unsigned i = 0; i < threads; i++) {
    mst_scratch *scratch = &load->scratch[i];
    const muster_status closed =
        close_shard(load, scratch, MUSTER_OK, status == MUSTER_OK ? error : NULL);
    if (status == MUSTER_OK) status = closed;
    mst_free(scratch->block);
    mst_free(scratch->source);
    mst_direct_free(scratch->direct);
  }
  mst_free(load->scratch);
  return status;
}

muster_status mst_load_into(const muster_dataset *dataset, const mst_sink *sink,
                            const muster_load_options *options, muster_load_result *result,
                            muster_error *error) {
  mst_load load = {.dataset = dataset, .options = options, .sink = sink};
  pthread_mutex_init(&load.progress_lock, NULL);
  muster_status status = move_all(&load, error);
  pthread_mutex_destroy(&load.progress_lock);
  if (status == MUSTER_OK && sink->type->finish != NULL)
    status = sink->type->finish(sink->state, error);
  if (status != MUSTER_OK) return status;
  if (options->progress != NULL) tell(&load, dataset->shape[0] * dataset->row_bytes);
  if (result != NULL)
    *result = (muster_load_result){.rows = dataset->shape[0],
                                   .bytes = dataset->shape[0] * dataset->row_bytes,
                                   .checksum = options->checksum ? load.checksum : 0};
  return MUSTER_OK;
}

muster_status muster_load(const muster_dataset *dataset, const muster_load_options *options,
                          muster_load_result *result, muster_error *error) {
  muster_status status = mst_check_struct(options->struct_size, "muster_load_options_init", error);
  if (status != MUSTER_OK) return status;
  muster_load_options known;
  muster_load_options_init(&known);
  const size_t size = options->struct_size < sizeof known ? options->struct_size : sizeof known;
  memcpy(&known, options, size);
  const mst_array array = {.dtype = dataset->dtype,
                           .rank = dataset->source.rank,
                           .shape = dataset->shape,
                           .bytes = dataset->shape[0] * dataset->row_bytes};
  if (known.to == MUSTER_TO_NPY && known.path != NULL)
    status = mst_check_output(dataset, known.path, error);
  if (status != MUSTER_OK) return status;
  mst_sink sink;
  status = mst_sink_open(&sink, &array, &known, error);
  if (status != MUSTER_OK) return status;
  status = mst_load_into(dataset, &sink, &known, result, error);
  sink.type->close(sink.state);
  return status;
}
