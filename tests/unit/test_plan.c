/* SPDX-License-Identifier: Apache-2.0 */
/* Tiles and slices by section 2 of the specification of load, worked out by hand. */
#include "unit/unit.h"

#include "muster/muster.h"

#define MOST 12

/* ---- datasets without files: only their rows count ---- */

static muster_status rows_of(void *user, uint64_t shard, uint64_t *rows, muster_error *error) {
  (void)error;
  *rows = ((const uint64_t *)user)[shard];
  return MUSTER_OK;
}

static muster_status no_rows(void *user, uint64_t shard, uint64_t lo, uint64_t hi, void *dst,
                             muster_error *error) {
  (void)user;
  (void)shard;
  (void)lo;
  (void)hi;
  (void)dst;
  (void)error;
  return MUSTER_ERR_IO;
}

static muster_dataset *dataset_of(const uint64_t *rows, size_t shards, muster_row_range range) {
  const uint64_t trailing[] = {2};
  muster_reader reader = {.struct_size = sizeof reader,
                          .user = (void *)(uintptr_t)rows,
                          .shard_count = shards,
                          .trailing_rank = 1,
                          .trailing_shape = trailing,
                          .dtype = {.type = MUSTER_FLOAT32},
                          .shard_rows = rows_of,
                          .read_rows = no_rows};
  muster_open_options options;
  muster_open_options_init(&options);
  options.rows = range;
  options.threads = 1;
  muster_dataset *dataset = NULL;
  assert_int_equal(muster_open_reader(&reader, &options, &dataset, NULL), MUSTER_OK);
  return dataset;
}

/* ---- tiles ---- */

#define ROWS(...) \
  COUNT(((const uint64_t[]){__VA_ARGS__})), { __VA_ARGS__ }

typedef struct {
  const char *what;
  size_t shards;
  uint64_t rows[MOST];
  uint64_t procs, over, tile_rows;
  uint64_t tiles;
  uint64_t bounds[MOST + 1]; /* tile i is rows bounds[i] to bounds[i + 1] */
} tiling;

static const tiling tilings[] = {
    {"a tile is a shard", ROWS(5, 5, 5, 5), 4, 1, 0, 4, {0, 5, 10, 15, 20}},
    {"the last is short", ROWS(10), 3, 1, 0, 3, {0, 4, 8, 10}},
    {"fewer tiles than processors", ROWS(9), 4, 1, 0, 3, {0, 3, 6, 9}},
    {"fewer rows than processors", ROWS(2), 5, 1, 0, 2, {0, 1, 2}},
    {"over-decomposed", ROWS(10), 2, 2, 0, 4, {0, 3, 6, 9, 10}},
    {"tile rows are given", ROWS(10), 7, 3, 4, 3, {0, 4, 8, 10}},
    {"one large tile", ROWS(3, 4), 9, 1, 100, 1, {0, 7}},
    {"one tile without an end", ROWS(3, 4), 9, 1, UINT64_MAX, 1, {0, 7}},
    {"no rows", ROWS(0, 0), 4, 1, 0, 0, {0}},
    {"no rows, tile rows given", ROWS(0), 4, 1, 3, 0, {0}},
    {"one processor", ROWS(3, 0, 4), 1, 1, 0, 1, {0, 7}},
    {"unequal shards are cut anew", ROWS(1, 8, 1), 2, 1, 0, 2, {0, 5, 10}},
    {"more processors than 2^32", ROWS(3), UINT64_C(1) << 40, 1 << 20, 0, 3, {0, 1, 2, 3}},
};

static muster_plan *plan_of(const muster_dataset *dataset, const tiling *row) {
  muster_plan_options options;
  muster_plan_options_init(&options);
  options.procs = row->procs;
  options.over_decompose = row->over;
  options.tile_rows = row->tile_rows;
  muster_plan *plan = NULL;
  CHECK(muster_plan_new(dataset, &options, &plan, NULL) == MUSTER_OK, "%s", row->what);
  return plan;
}

static void test_tiles(void **state) {
  (void)state;
  for (const tiling *EACH(row, tilings)) {
    muster_dataset *dataset = dataset_of(row->rows, row->shards, (muster_row_range)MUSTER_ALL_ROWS);
    muster_plan *plan = plan_of(dataset, row);
    CHECK(muster_plan_tile_count(plan) == row->tiles, "%s", row->what);
    muster_tile tile;
    for (uint64_t i = 0; i < row->tiles; i++) {
      assert_int_equal(muster_plan_tile(plan, i, &tile), MUSTER_OK);
      CHECK(tile.row_lo == row->bounds[i], "%s, tile %d", row->what, (int)i);
      CHECK(tile.row_hi == row->bounds[i + 1], "%s, tile %d", row->what, (int)i);
    }
    assert_int_equal(muster_plan_tile(plan, row->tiles, &tile), MUSTER_ERR_USAGE);
    assert_int_equal(muster_plan_tile(plan, UINT64_MAX, &tile), MUSTER_ERR_USAGE);
    muster_plan_free(plan);
    muster_dataset_free(dataset);
  }
  muster_plan_free(NULL);
}

/* ---- slices ---- */

typedef struct {
  const char *what;
  size_t shards;
  uint64_t rows[MOST];
  muster_row_range range;
  uint64_t procs;
  size_t slices; /* of all tiles together */
  struct {
    uint64_t tile;
    muster_slice slice; /* shard, rows of the file, rows of the tile */
  } slice[MOST];
} slicing;

static const slicing slicings[] = {
    {"a tile is a shard",
     ROWS(2, 2),
     MUSTER_ALL_ROWS,
     2,
     2,
     {{0, {0, 0, 2, 0, 2}}, {1, {1, 0, 2, 0, 2}}}},
    {"a shard in three",
     ROWS(7),
     MUSTER_ALL_ROWS,
     3,
     3,
     {{0, {0, 0, 3, 0, 3}}, {1, {0, 3, 6, 0, 3}}, {2, {0, 6, 7, 0, 1}}}},
    {"three shards in one",
     ROWS(1, 2, 3),
     MUSTER_ALL_ROWS,
     1,
     3,
     {{0, {0, 0, 1, 0, 1}}, {0, {1, 0, 2, 1, 3}}, {0, {2, 0, 3, 3, 6}}}},
    {"across the bounds",
     ROWS(3, 3, 3),
     MUSTER_ALL_ROWS,
     2,
     4,
     {{0, {0, 0, 3, 0, 3}}, {0, {1, 0, 2, 3, 5}}, {1, {1, 2, 3, 0, 1}}, {1, {2, 0, 3, 1, 4}}}},
    {"shards without rows",
     ROWS(0, 2, 0, 0, 2, 0),
     MUSTER_ALL_ROWS,
     1,
     2,
     {{0, {1, 0, 2, 0, 2}}, {0, {4, 0, 2, 2, 4}}}},
    {"shards without rows at a bound",
     ROWS(2, 0, 2),
     MUSTER_ALL_ROWS,
     2,
     2,
     {{0, {0, 0, 2, 0, 2}}, {1, {2, 0, 2, 0, 2}}}},
    {"a part of the rows",
     ROWS(4, 4, 4),
     {2, 9},
     2,
     4,
     {{0, {0, 2, 4, 0, 2}}, {0, {1, 0, 2, 2, 4}}, {1, {1, 2, 4, 0, 2}}, {1, {2, 0, 1, 2, 3}}}},
    {"a part within a shard", ROWS(4, 4, 4), {-7, -5}, 1, 1, {{0, {1, 1, 3, 0, 2}}}},
    {"nothing", ROWS(4), {2, 2}, 3, 0, {{0}}},
    {"the end before the beginning", ROWS(4), {3, 1}, 3, 0, {{0}}},
};

static bool same_slice(muster_slice a, muster_slice b) {
  return a.shard == b.shard && a.file_lo == b.file_lo && a.file_hi == b.file_hi &&
         a.dst_lo == b.dst_lo && a.dst_hi == b.dst_hi;
}

static size_t check_slices(const muster_plan *plan, const slicing *row) {
  size_t seen = 0;
  for (uint64_t t = 0; t < muster_plan_tile_count(plan); t++) {
    muster_tile tile;
    muster_slice slice;
    assert_int_equal(muster_plan_tile(plan, t, &tile), MUSTER_OK);
    for (size_t k = 0; k < tile.slice_count; k++, seen++) {
      CHECK(muster_plan_slice(plan, t, k, &slice) == MUSTER_OK, "%s", row->what);
      CHECK(seen < row->slices && row->slice[seen].tile == t, "%s, slice %zu", row->what, seen);
      CHECK(same_slice(slice, row->slice[seen].slice), "%s, slice %zu", row->what, seen);
    }
    assert_int_equal(muster_plan_slice(plan, t, tile.slice_count, &slice), MUSTER_ERR_USAGE);
  }
  return seen;
}

static void test_slices(void **state) {
  (void)state;
  for (const slicing *EACH(row, slicings)) {
    muster_dataset *dataset = dataset_of(row->rows, row->shards, row->range);
    const tiling way = {.what = row->what, .procs = row->procs, .over = 1};
    muster_plan *plan = plan_of(dataset, &way);
    CHECK(check_slices(plan, row) == row->slices, "%s", row->what);
    muster_slice slice;
    assert_int_equal(muster_plan_slice(plan, muster_plan_tile_count(plan), 0, &slice),
                     MUSTER_ERR_USAGE);
    muster_plan_free(plan);
    muster_dataset_free(dataset);
  }
}

/* Whatever the numbers: tiles follow one another, and slices fill them without holes. */
static void check_cover(const muster_plan *plan, uint64_t rows) {
  uint64_t at = 0;
  for (uint64_t t = 0; t < muster_plan_tile_count(plan); t++) {
    muster_tile tile;
    assert_int_equal(muster_plan_tile(plan, t, &tile), MUSTER_OK);
    assert_true(tile.row_lo == at && tile.row_hi > at);
    for (size_t k = 0; k < tile.slice_count; k++) {
      muster_slice slice;
      assert_int_equal(muster_plan_slice(plan, t, k, &slice), MUSTER_OK);
      assert_true(tile.row_lo + slice.dst_lo == at && slice.dst_hi > slice.dst_lo);
      assert_true(slice.file_hi - slice.file_lo == slice.dst_hi - slice.dst_lo);
      at += slice.dst_hi - slice.dst_lo;
    }
    assert_true(at == tile.row_hi);
  }
  assert_true(at == rows);
}

static void test_cover(void **state) {
  (void)state;
  uint64_t seed = 21;
  for (int round = 0; round < 300; round++) {
    uint64_t rows[MOST], total = 0;
    const size_t shards = 1 + random_below(&seed, MOST);
    for (size_t i = 0; i < shards; i++)
      total += rows[i] = random_below(&seed, 9);
    muster_dataset *dataset = dataset_of(rows, shards, (muster_row_range)MUSTER_ALL_ROWS);
    const tiling way = {.what = "random",
                        .procs = 1 + random_below(&seed, 20),
                        .over = 1 + random_below(&seed, 4),
                        .tile_rows = random_below(&seed, 5)};
    muster_plan *plan = plan_of(dataset, &way);
    check_cover(plan, total);
    muster_plan_free(plan);
    muster_dataset_free(dataset);
  }
}

/* ---- options ---- */

static void test_bad_options(void **state) {
  (void)state;
  static const uint64_t rows[] = {3};
  static const uint64_t bad[][2] = {{0, 1}, {1, 0}, {UINT64_MAX, 2}};
  muster_dataset *dataset = dataset_of(rows, 1, (muster_row_range)MUSTER_ALL_ROWS);
  for (size_t i = 0; i < COUNT(bad); i++) {
    muster_plan_options options;
    muster_plan_options_init(&options);
    options.procs = bad[i][0];
    options.over_decompose = bad[i][1];
    muster_plan *plan;
    muster_error error;
    CHECK(muster_plan_new(dataset, &options, &plan, &error) == MUSTER_ERR_USAGE, "row %zu", i);
    assert_null(plan);
  }
  muster_dataset_free(dataset);
}

static void test_default_options(void **state) {
  (void)state;
  muster_plan_options options;
  muster_plan_options_init(&options);
  assert_int_equal(options.struct_size, sizeof options);
  assert_int_equal(options.procs, 1);
  assert_int_equal(options.over_decompose, 1);
  assert_int_equal(options.tile_rows, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_tiles),           cmocka_unit_test(test_slices),
      cmocka_unit_test(test_cover),           cmocka_unit_test(test_bad_options),
      cmocka_unit_test(test_default_options),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
