/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/unit.h"

#include "base/strided.h"

/* ---- joining axes ---------------------------------------------------------------------------- */

#define MOST 5

typedef struct {
  const char *what;
  size_t rank;
  uint64_t shape[MOST];
  int64_t strides[MOST];
  size_t joined;
  uint64_t joined_shape[MOST];
  int64_t joined_strides[MOST];
} joining;

static const joining joinings[] = {
    {"dense", 3, {2, 3, 4}, {96, 32, 8}, 1, {24}, {8}},
    {"one axis", 1, {7}, {-8}, 1, {7}, {-8}},
    {"rank 0", 0, {0}, {0}, 1, {1}, {0}},
    {"all ones", 3, {1, 1, 1}, {5, 6, 7}, 1, {1}, {0}},
    {"ones among others", 4, {1, 3, 1, 4}, {999, 16, 7, 4}, 1, {12}, {4}},
    {"padded rows", 3, {2, 3, 4}, {128, 32, 8}, 2, {2, 12}, {128, 8}},
    {"padded elements", 2, {3, 4}, {64, 16}, 1, {12}, {16}},
    {"columns of a matrix", 2, {3, 4}, {8, 24}, 2, {3, 4}, {8, 24}},
    {"all backwards", 2, {3, 4}, {-32, -8}, 1, {12}, {-8}},
    {"rows backwards", 2, {3, 4}, {-32, 8}, 2, {3, 4}, {-32, 8}},
    {"one value for all", 2, {3, 4}, {0, 0}, 1, {12}, {0}},
    {"one row for all", 2, {3, 4}, {0, 8}, 2, {3, 4}, {0, 8}},
    {"outer two join", 3, {2, 3, 4}, {96, 32, -8}, 2, {6, 4}, {32, -8}},
};

static void test_joining(void **state) {
  (void)state;
  for (const joining *EACH(row, joinings)) {
    mst_strided layout;
    mst_strided_init(&layout, row->rank, row->shape, row->strides);
    CHECK(layout.rank == row->joined, "%s: rank %zu", row->what, layout.rank);
    for (size_t i = 0; i < layout.rank; i++) {
      CHECK(layout.shape[i] == row->joined_shape[i], "%s: shape, axis %zu", row->what, i);
      CHECK(layout.strides[i] == row->joined_strides[i], "%s: strides, axis %zu", row->what, i);
    }
  }
}

static void test_dense_and_runs(void **state) {
  (void)state;
  static const struct {
    const char *what;
    bool dense;
    uint64_t run; /* elements of 8 bytes */
  } table[] = {
      {"dense", true, 24},          {"one axis", false, 0},          {"rank 0", true, 0},
      {"all ones", true, 0},        {"padded rows", false, 12},      {"padded elements", false, 0},
      {"rows backwards", false, 4}, {"one value for all", false, 0}, {"one row for all", false, 4}};
  for (size_t i = 0; i < COUNT(table); i++)
    for (const joining *EACH(row, joinings)) {
      if (strcmp(row->what, table[i].what) != 0) continue;
      mst_strided layout;
      mst_strided_init(&layout, row->rank, row->shape, row->strides);
      CHECK(mst_strided_is_dense(&layout, 8) == table[i].dense, "%s", row->what);
      CHECK(mst_strided_run(&layout, 8) == table[i].run, "%s", row->what);
    }
}

/* The largest rank there is, and one more, with nothing to join. */
static void test_many_axes(void **state) {
  (void)state;
  uint64_t shape[MUSTER_MAX_RANK + 1];
  int64_t strides[MUSTER_MAX_RANK + 1];
  for (size_t i = 0; i <= MUSTER_MAX_RANK; i++) {
    shape[i] = i % 2 == 0 ? 2 : 1;
    strides[i] = 100 + (int64_t)i;
  }
  mst_strided layout;
  mst_strided_init(&layout, MUSTER_MAX_RANK + 1, shape, strides);
  assert_int_equal(layout.rank, MUSTER_MAX_RANK / 2 + 1);
}

/* ---- scattering, against a naive loop -------------------------------------------------------- */

typedef struct {
  size_t rank;
  uint64_t shape[MOST];
  int64_t strides[MOST];
  uint64_t elements;
  int64_t least, most; /* byte offsets of elements */
} target;

static int64_t naive_offset(const target *t, uint64_t element) {
  int64_t offset = 0;
  for (size_t i = t->rank; i-- > 0; element /= t->shape[i])
    offset += (int64_t)(element % t->shape[i]) * t->strides[i];
  return offset;
}

/* Axes in any order in memory, with any padding, forwards or backwards: no two elements overlap. */
static target random_target(uint64_t *seed, size_t itemsize) {
  target t = {.rank = 1 + random_below(seed, MOST), .elements = 1};
  size_t order[MOST] = {0, 1, 2, 3, 4};
  for (size_t i = t.rank; i-- > 1;) {
    const size_t k = random_below(seed, i + 1), kept = order[i];
    order[i] = order[k];
    order[k] = kept;
  }
  int64_t stride = (int64_t)itemsize;
  for (size_t i = 0; i < t.rank; i++) {
    const size_t axis = order[i];
    t.shape[axis] = 1 + random_below(seed, 4);
    stride += (int64_t)(random_below(seed, 3) == 0 ? random_below(seed, 9) : 0);
    t.strides[axis] = random_below(seed, 4) == 0 ? -stride : stride;
    const int64_t reach = (int64_t)(t.shape[axis] - 1) * t.strides[axis];
    *(reach < 0 ? &t.least : &t.most) += reach;
    stride *= (int64_t)t.shape[axis];
    t.elements *= t.shape[axis];
  }
  return t;
}

/* Elements [first, first + count), and not a byte beside them. */
static void check_scatter(const target *t, uint64_t first, uint64_t count, const char *src,
                          size_t itemsize) {
  const size_t bytes = (size_t)(t->most - t->least) + itemsize;
  char *found = malloc(bytes), *expected = malloc(bytes);
  assert_true(found != NULL && expected != NULL);
  memset(found, 0x5a, bytes);
  memset(expected, 0x5a, bytes);
  for (uint64_t i = 0; i < count; i++)
    memcpy(expected - t->least + naive_offset(t, first + i), src + i * itemsize, itemsize);
  mst_strided layout;
  mst_strided_init(&layout, t->rank, t->shape, t->strides);
  mst_strided_scatter(&layout, found - t->least, first, count, src, itemsize, mst_copier(itemsize));
  assert_memory_equal(found, expected, bytes);
  for (uint64_t i = 0; i < t->elements; i++)
    CHECK(mst_strided_offset(&layout, i) == naive_offset(t, i), "element %u", (unsigned)i);
  free(found);
  free(expected);
}

static void test_scatter(void **state) {
  (void)state;
  static const size_t sizes[] = {1, 2, 4, 8, 16};
  uint64_t seed = 1;
  char src[1024 * 16];
  for (size_t i = 0; i < sizeof src; i++)
    src[i] = (char)(i * 31 + i / 256);
  for (int round = 0; round < 3000; round++) {
    const size_t itemsize = sizes[random_below(&seed, COUNT(sizes))];
    const target t = random_target(&seed, itemsize);
    const uint64_t first = random_below(&seed, t.elements);
    const uint64_t count = random_below(&seed, t.elements - first + 1);
    check_scatter(&t, first, count, src, itemsize);
    check_scatter(&t, 0, t.elements, src, itemsize);
  }
}

/* The elements may be of another size at the target. */
static void test_scatter_converting(void **state) {
  (void)state;
  const muster_dtype from = {.type = MUSTER_INT16}, to = {.type = MUSTER_FLOAT64};
  const uint64_t shape[] = {2, 3};
  const int64_t strides[] = {8, 16}; /* transposed */
  const int16_t src[] = {1, 2, 3, 4, 5, 6};
  double dst[6];
  mst_strided layout;
  mst_strided_init(&layout, 2, shape, strides);
  mst_strided_scatter(&layout, dst, 0, 6, src, 2, mst_converter(&from, &to));
  const double expected[] = {1, 4, 2, 5, 3, 6};
  assert_memory_equal(dst, expected, sizeof dst);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_joining),
      cmocka_unit_test(test_dense_and_runs),
      cmocka_unit_test(test_many_axes),
      cmocka_unit_test(test_scatter),
      cmocka_unit_test(test_scatter_converting),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
