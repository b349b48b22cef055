/* SPDX-License-Identifier: Apache-2.0 */
/* Formats that decode: threads read overlapping rows of one dataset, and load it, all at once. */
#include "unit/unit.h"

#include <pthread.h>

#include "muster/muster.h"

#define THREADS 6
#define ROWS 3000
#define ROW_CELLS 7
#define SEED 5

typedef struct {
  pthread_t thread;
  const muster_dataset *dataset;
  unsigned number;
  uint64_t wrong;
  muster_status status;
} reader;

static void write_data(const char *format) {
  static const uint64_t row_shape[] = {ROW_CELLS};
  muster_write_options options;
  muster_write_options_init(&options);
  options.format = format;
  options.dtype = "uint64";
  options.row_shape = row_shape;
  options.row_rank = 1;
  options.rows = ROWS;
  options.shards = 3;
  options.seed = SEED;
  options.threads = 2;
  muster_error error;
  const muster_status status = muster_write(format, &options, &error);
  CHECK(status == MUSTER_OK, "%s: %s", format, error.message);
}

static uint64_t wrong_cells(const uint64_t *cells, uint64_t lo, uint64_t hi) {
  uint64_t wrong = 0;
  for (uint64_t i = lo * ROW_CELLS; i < hi * ROW_CELLS; i++)
    wrong += cells[i - lo * ROW_CELLS] != muster_seeded(SEED, i);
  return wrong;
}

static void read_some(reader *me, uint64_t *cells, uint64_t *chance) {
  const uint64_t lo = random_below(chance, ROWS), hi = lo + random_below(chance, ROWS - lo + 1);
  me->status = muster_read_rows(me->dataset, lo, hi, cells, NULL, NULL);
  if (me->status == MUSTER_OK) me->wrong += wrong_cells(cells, lo, hi);
}

/* Tiles that end within what is decoded together. */
static void load_all(reader *me, uint64_t *cells) {
  muster_load_options options;
  muster_load_options_init(&options);
  options.dst = cells;
  options.threads = 2;
  options.tile_rows = 100 + me->number;
  me->status = muster_load(me->dataset, &options, NULL, NULL);
  if (me->status == MUSTER_OK) me->wrong += wrong_cells(cells, 0, ROWS);
}

static void *read_often(void *argument) {
  reader *me = argument;
  uint64_t chance = me->number + 1;
  uint64_t *cells = malloc(sizeof *cells * ROWS * ROW_CELLS);
  for (unsigned i = 0; i < 12 && cells != NULL && me->status == MUSTER_OK; i++) {
    if (i % 4 == 3)
      load_all(me, cells);
    else
      read_some(me, cells, &chance);
  }
  free(cells);
  return NULL;
}

static void check_threads(const char *format) {
  static reader readers[THREADS];
  muster_dataset *dataset = NULL;
  muster_error error;
  write_data(format);
  const muster_status status = muster_open(&format, 1, NULL, &dataset, &error);
  CHECK(status == MUSTER_OK, "%s: %s", format, error.message);
  for (unsigned i = 0; i < THREADS; i++) {
    readers[i] = (reader){.dataset = dataset, .number = i};
    assert_int_equal(pthread_create(&readers[i].thread, NULL, read_often, &readers[i]), 0);
  }
  for (unsigned i = 0; i < THREADS; i++)
    assert_int_equal(pthread_join(readers[i].thread, NULL), 0);
  for (unsigned i = 0; i < THREADS; i++)
    CHECK(readers[i].status == MUSTER_OK && readers[i].wrong == 0, "%s, thread %u", format, i);
  muster_dataset_free(dataset);
}

static void test_zarr(void **state) {
  (void)state;
  check_threads("zarr");
}

static void test_parquet(void **state) {
  (void)state;
  check_threads("parquet");
}

int main(void) {
  const struct CMUnitTest tests[] = {IN_FOLDER(test_zarr), IN_FOLDER(test_parquet)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
