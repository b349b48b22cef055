/* SPDX-License-Identifier: Apache-2.0 */
/* Arrays in chunks against a loop over all elements. */
#include "unit/unit.h"

#include "base/alloc.h"
#include "base/status.h"
#include "formats/chunks.h"

#define MOST_AXES 4
#define MOST_BYTES ((size_t)1 << 20)

static uint64_t between(uint64_t *seed, uint64_t lo, uint64_t hi) {
  return lo + next_random(seed) % (hi - lo + 1);
}

typedef struct {
  mst_chunk_grid grid;
  size_t elements; /* of the array */
  unsigned char *array;
  bool has_parts; /* read_part is offered */
  uint64_t missing_every;
  int found, decoded, read;
} store;

/* The number of a chunk in C order. */
static uint64_t number_of(const store *s, const uint64_t *index) {
  uint64_t number = 0;
  for (size_t i = 0; i < s->grid.rank; i++)
    number = number * mst_chunks_along(&s->grid, i) + index[i];
  return number;
}

static bool is_missing(const store *s, const uint64_t *index) {
  return s->missing_every > 0 && number_of(s, index) % s->missing_every == 0;
}

static size_t place_of(const store *s, const uint64_t *at) {
  size_t place = 0;
  for (size_t i = 0; i < s->grid.rank; i++)
    place = place * (size_t)s->grid.shape[i] + (size_t)at[i];
  return place * s->grid.itemsize;
}

/* The element of a chunk as the array has it; what sticks out of the array is 0xEE. */
static void element_of(const store *s, const uint64_t *index, uint64_t number, void *out) {
  uint64_t at[MUSTER_MAX_RANK];
  bool outside = false;
  for (size_t i = s->grid.rank; i-- > 0;) {
    at[i] = index[i] * s->grid.chunk[i] + number % s->grid.chunk[i];
    number /= s->grid.chunk[i];
    outside = outside || at[i] >= s->grid.shape[i];
  }
  if (outside)
    memset(out, 0xEE, s->grid.itemsize);
  else
    memcpy(out, s->array + place_of(s, at), s->grid.itemsize);
}

static muster_status find(void *context, const uint64_t *index, bool *found, muster_error *error) {
  (void)error;
  store *s = context;
  *found = !is_missing(s, index);
  s->found++;
  return MUSTER_OK;
}

static muster_status read_part(void *context, const uint64_t *index, uint64_t offset, void *dst,
                               size_t length, muster_error *error) {
  (void)error;
  store *s = context;
  const size_t itemsize = s->grid.itemsize;
  assert_true(offset % itemsize == 0 && length % itemsize == 0 && length > 0);
  assert_true(offset + length <= s->grid.chunk_bytes);
  for (size_t k = 0; k < length / itemsize; k++)
    element_of(s, index, offset / itemsize + k, (char *)dst + k * itemsize);
  s->read++;
  return MUSTER_OK;
}

static muster_status decode(void *context, const uint64_t *index, void *dst, muster_error *error) {
  store *s = context;
  const muster_status status = read_part(context, index, 0, dst, s->grid.chunk_bytes, error);
  s->read--;
  s->decoded++;
  return status;
}

/* ---- random grids ---------------------------------------------------------------------------- */

static void make_grid(uint64_t *seed, store *s) {
  static const size_t itemsizes[] = {1, 2, 4, 8, 16, 32};
  mst_chunk_grid *grid = &s->grid;
  *grid = (mst_chunk_grid){.rank = between(seed, 0, MOST_AXES),
                           .itemsize = itemsizes[between(seed, 0, 5)]};
  s->elements = 1;
  for (size_t i = 0; i < grid->rank; i++) {
    grid->shape[i] = between(seed, 0, 20) == 0 ? 0 : between(seed, 1, 12);
    grid->chunk[i] = between(seed, 1, 14);
    if (between(seed, 0, 2) == 0 && grid->shape[i] > 0) grid->chunk[i] = grid->shape[i];
    s->elements *= (size_t)grid->shape[i];
  }
  const bool plain = between(seed, 0, 1) == 0;
  for (size_t i = 0; i < sizeof grid->fill; i++)
    grid->fill[i] = plain ? 7 : (unsigned char)(200 + i);
  s->missing_every = between(seed, 0, 3);
  s->has_parts = between(seed, 0, 1) == 0;
  assert_int_equal(mst_chunks_check(grid, "x", NULL), MUSTER_OK);
}

/* Strides in bytes of any order of axes, some backwards, some with gaps; the bytes they span. */
static size_t make_strides(uint64_t *seed, const mst_chunk_grid *grid, uint64_t rows,
                           int64_t *strides, size_t *origin) {
  size_t order[MOST_AXES], span = grid->itemsize;
  *origin = 0;
  for (size_t i = 0; i < grid->rank; i++)
    order[i] = i;
  const bool dense = between(seed, 0, 2) == 0;
  for (size_t i = grid->rank; !dense && i-- > 1;) {
    const size_t other = between(seed, 0, i), kept = order[i];
    order[i] = order[other];
    order[other] = kept;
  }
  for (size_t k = grid->rank; k-- > 0;) {
    const size_t axis = order[k];
    const size_t length = (size_t)(axis == 0 ? rows : grid->shape[axis]);
    if (!dense) span += between(seed, 0, 2) * grid->itemsize;
    strides[axis] = (int64_t)span;
    const size_t reach = span * (length > 0 ? length - 1 : 0);
    if (!dense && between(seed, 0, 2) == 0) {
      strides[axis] = -strides[axis];
      *origin += reach;
    }
    span = span * (length > 0 ? length : 1);
  }
  return span;
}

static void check_rows(const store *s, uint64_t lo, uint64_t hi, const unsigned char *dst,
                       const int64_t *strides) {
  const mst_chunk_grid *grid = &s->grid;
  size_t count = (size_t)(grid->rank > 0 ? hi - lo : 1);
  for (size_t i = 1; i < grid->rank; i++)
    count *= (size_t)grid->shape[i];
  for (size_t k = 0; k < count; k++) {
    uint64_t at[MOST_AXES], index[MOST_AXES] = {0};
    size_t rest = k;
    int64_t place = 0;
    for (size_t i = grid->rank; i-- > 0;) {
      const size_t length = (size_t)(i == 0 ? hi - lo : grid->shape[i]);
      at[i] = rest % length;
      rest /= length;
      place += (int64_t)at[i] * strides[i];
      if (i == 0) at[i] += lo;
      index[i] = at[i] / grid->chunk[i];
    }
    const void *wanted = is_missing(s, index) ? grid->fill : s->array + place_of(s, at);
    CHECK(memcmp(dst + place, wanted, grid->itemsize) == 0, "element %zu of %zu", k, count);
  }
}

static void run_one(uint64_t number) {
  uint64_t seed = number * 977 + 5;
  store s = {0};
  make_grid(&seed, &s);
  s.array = malloc(s.elements * s.grid.itemsize + 1);
  for (size_t i = 0; i < s.elements * s.grid.itemsize; i++)
    s.array[i] = (unsigned char)next_random(&seed);
  const uint64_t rows = s.grid.rank > 0 ? s.grid.shape[0] : 1;
  const uint64_t lo = between(&seed, 0, rows > 0 ? rows - 1 : 0);
  const uint64_t hi = rows > 0 ? between(&seed, lo, rows) : 0;
  int64_t strides[MOST_AXES] = {0};
  size_t origin;
  const size_t span = make_strides(&seed, &s.grid, s.grid.rank > 0 ? hi - lo : 1, strides, &origin);
  assert_true(span < MOST_BYTES * 64);
  unsigned char *dst = malloc(span + 2 * 64);
  memset(dst, 0xAB, span + 2 * 64);
  mst_chunk_source source = {.context = &s, .find = find, .decode = decode};
  if (s.has_parts) source.read_part = read_part;
  assert_int_equal(mst_chunks_read(&s.grid, &source, lo, hi, dst + 64 + origin, strides, NULL),
                   MUSTER_OK);
  mst_chunk_source_reset(&source);
  if (lo < hi) check_rows(&s, lo, hi, dst + 64 + origin, strides);
  for (size_t i = 0; i < 64; i++)
    CHECK(dst[i] == 0xAB && dst[span + 64 + i] == 0xAB, "case %d", (int)number);
  free(dst);
  free(s.array);
}

static void test_random_grids(void **state) {
  (void)state;
  for (uint64_t number = 0; number < 3000; number++)
    run_one(number);
}

/* ---- what is touched ------------------------------------------------------------------------- */

/* A whole chunk goes into place; rows of one that covers them are read alone, if that is possible.
 */
static void test_no_more_than_needed(void **state) {
  (void)state;
  unsigned char array[64 * 4], dst[sizeof array];
  for (size_t i = 0; i < sizeof array; i++)
    array[i] = (unsigned char)i;
  store s = {.grid = {.rank = 2, .itemsize = 4, .shape = {16, 4}, .chunk = {5, 4}},
             .elements = 64,
             .array = array};
  assert_int_equal(mst_chunks_check(&s.grid, "x", NULL), MUSTER_OK);
  mst_chunk_source source = {.context = &s, .find = find, .decode = decode};
  const int64_t strides[] = {16, 4};
  assert_int_equal(mst_chunks_read(&s.grid, &source, 5, 10, dst, strides, NULL), MUSTER_OK);
  assert_true(s.found == 1 && s.decoded == 1 && source.scratch == NULL);
  assert_memory_equal(dst, array + 5 * 16, 5 * 16);
  source.read_part = read_part;
  assert_int_equal(mst_chunks_read(&s.grid, &source, 3, 16, dst, strides, NULL), MUSTER_OK);
  assert_memory_equal(dst, array + 3 * 16, 13 * 16);
  assert_true(s.found == 5 && s.read == 2 && s.decoded == 3 && source.scratch == NULL);
}

static void test_bands(void **state) {
  (void)state;
  const mst_chunk_grid grid = {.rank = 2, .itemsize = 4, .shape = {16, 4}, .chunk = {5, 4}};
  static const uint64_t table[][3] = {{0, 0, 5}, {4, 0, 5}, {5, 5, 10}, {14, 10, 15}, {15, 15, 16}};
  for (size_t i = 0; i < COUNT(table); i++) {
    uint64_t lo, hi;
    mst_chunks_band(&grid, table[i][0], &lo, &hi);
    CHECK(lo == table[i][1] && hi == table[i][2], "row %zu", (size_t)table[i][0]);
  }
  assert_int_equal(mst_chunks_along(&grid, 0), 4);
  assert_int_equal(mst_chunks_along(&grid, 1), 1);
}

static void test_hostile_grids(void **state) {
  (void)state;
  muster_error error;
  mst_chunk_grid none = {.rank = 2, .itemsize = 4, .shape = {4, 4}, .chunk = {0, 4}};
  assert_int_equal(mst_chunks_check(&none, "x", &error), MUSTER_ERR_FORMAT);
  static const uint64_t sizes[] = {UINT64_MAX, UINT64_MAX / 2, (uint64_t)1 << 31,
                                   (uint64_t)1 << 32};
  for (size_t i = 0; i < COUNT(sizes); i++) {
    mst_chunk_grid large = {.rank = 2, .itemsize = 4, .shape = {4, 4}, .chunk = {sizes[i], 4}};
    assert_int_equal(mst_chunks_check(&large, "x", &error), MUSTER_ERR_UNSUPPORTED);
    large.chunk[1] = sizes[i];
    assert_int_equal(mst_chunks_check(&large, "x", &error), MUSTER_ERR_UNSUPPORTED);
  }
}

static muster_status fail_to_decode(void *context, const uint64_t *index, void *dst,
                                    muster_error *error) {
  (void)context, (void)index, (void)dst;
  return mst_fail(error, MUSTER_ERR_FORMAT, "x", "no");
}

static void test_an_error_ends_it(void **state) {
  (void)state;
  store s = {.grid = {.rank = 1, .itemsize = 1, .shape = {10}, .chunk = {3}}};
  assert_int_equal(mst_chunks_check(&s.grid, "x", NULL), MUSTER_OK);
  mst_chunk_source source = {.context = &s, .find = find, .decode = fail_to_decode};
  unsigned char dst[10];
  const int64_t stride = 1;
  assert_int_equal(mst_chunks_read(&s.grid, &source, 1, 10, dst, &stride, NULL), MUSTER_ERR_FORMAT);
  assert_int_equal(s.found, 1);
  mst_chunk_source_reset(&source);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_random_grids),
      cmocka_unit_test(test_no_more_than_needed),
      cmocka_unit_test(test_bands),
      cmocka_unit_test(test_hostile_grids),
      cmocka_unit_test(test_an_error_ends_it),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
