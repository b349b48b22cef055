/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/unit.h"

#include "base/shape.h"
#include "muster/dataset.h"

#define MAX64 UINT64_MAX
#define SHAPE(...) \
  COUNT(((const uint64_t[]){__VA_ARGS__})), { __VA_ARGS__ }

static void test_multiply(void **state) {
  (void)state;
  static const struct {
    uint64_t a, b, product;
    bool fits;
  } table[] = {
      {0, 0, 0, true},
      {MAX64, 0, 0, true},
      {MAX64, 1, MAX64, true},
      {MAX64, 2, 0, false},
      {UINT64_C(1) << 32, UINT64_C(1) << 31, UINT64_C(1) << 63, true},
      {UINT64_C(1) << 32, UINT64_C(1) << 32, 0, false},
      {UINT64_C(4294967295), UINT64_C(4294967297), MAX64, true},
      {UINT64_C(6074001000), UINT64_C(6074001000), 0, false},
  };
  for (size_t i = 0; i < COUNT(table); i++) {
    uint64_t product;
    CHECK(mst_multiply(table[i].a, table[i].b, &product) == table[i].fits, "row %zu", i);
    CHECK(!table[i].fits || product == table[i].product, "row %zu", i);
  }
}

static void test_elements(void **state) {
  (void)state;
  static const struct {
    size_t itemsize, rank;
    uint64_t shape[4];
    bool fits;
    uint64_t elements;
  } table[] = {
      {8, SHAPE(3, 4, 5), true, 60},
      {1, SHAPE(7), true, 7},
      {4, SHAPE(0), true, 0},
      {4, SHAPE(3, 0, 5), true, 0},
      {1, SHAPE(INT64_MAX), true, INT64_MAX},
      {1, SHAPE(UINT64_C(1) << 63), false, 0},
      {2, SHAPE(INT64_MAX), false, 0},
      {8, SHAPE((UINT64_C(1) << 60) - 1), true, (UINT64_C(1) << 60) - 1},
      {8, SHAPE(UINT64_C(1) << 60), false, 0},
      {1, SHAPE(MAX64, MAX64), false, 0},
      /* 2^64 elements, which would wrap to none. */
      {1, SHAPE(UINT64_C(1) << 32, UINT64_C(1) << 32), false, 0},
      /* A zero does not excuse the others, wherever it stands. */
      {4, SHAPE(0, MAX64, MAX64), false, 0},
      {4, SHAPE(MAX64, MAX64, 0), false, 0},
      {4, SHAPE(0, UINT64_C(1) << 61), false, 0},
      {4, SHAPE(0, UINT64_C(1) << 60), true, 0},
      {32, SHAPE(UINT64_C(1) << 58), false, 0},
  };
  for (size_t i = 0; i < COUNT(table); i++) {
    uint64_t elements;
    const bool fits =
        mst_shape_elements(table[i].rank, table[i].shape, table[i].itemsize, &elements);
    CHECK(fits == table[i].fits, "row %zu", i);
    CHECK(!fits || elements == table[i].elements, "row %zu", i);
  }
}

static void test_rank_0(void **state) {
  (void)state;
  uint64_t elements;
  assert_true(mst_shape_elements(0, NULL, 8, &elements));
  assert_int_equal(elements, 1);
  assert_true(mst_same_shape(0, NULL, 0, NULL));
}

static void test_dense_strides(void **state) {
  (void)state;
  static const struct {
    size_t itemsize, rank;
    uint64_t shape[4];
    int64_t strides[4];
  } table[] = {
      {8, SHAPE(3, 4, 5), {160, 40, 8}},
      {2, SHAPE(9), {2}},
      {4, SHAPE(1, 1, 6), {24, 24, 4}},
      {1, SHAPE(2, UINT64_C(1) << 40), {INT64_C(1) << 40, 1}},
  };
  for (size_t i = 0; i < COUNT(table); i++) {
    int64_t strides[4];
    mst_dense_strides(table[i].rank, table[i].shape, table[i].itemsize, strides);
    for (size_t k = 0; k < table[i].rank; k++)
      CHECK(strides[k] == table[i].strides[k], "row %zu, axis %zu", i, k);
  }
}

/* Whatever the strides are worth where there are no elements: nothing may overflow. */
static void test_dense_strides_of_zeros(void **state) {
  (void)state;
  const uint64_t shape[] = {0, UINT64_C(1) << 60, 0, 1};
  int64_t strides[4];
  mst_dense_strides(4, shape, 4, strides);
  assert_int_equal(strides[3], 4);
}

static void test_same_shape(void **state) {
  (void)state;
  const uint64_t a[] = {3, 4}, b[] = {3, 5}, c[] = {3, 4};
  assert_true(mst_same_shape(2, a, 2, c));
  assert_false(mst_same_shape(2, a, 2, b));
  assert_false(mst_same_shape(2, a, 1, c));
  assert_true(mst_same_shape(1, a, 1, b));
}

static void test_text(void **state) {
  (void)state;
  static const struct {
    size_t rank;
    uint64_t shape[3];
    const char *text;
  } table[] = {
      {0, {0}, "()"},
      {SHAPE(3), "(3,)"},
      {SHAPE(3, 4), "(3, 4)"},
      {SHAPE(0, 1, MAX64), "(0, 1, 18446744073709551615)"},
  };
  for (size_t i = 0; i < COUNT(table); i++) {
    mst_str text = {0};
    mst_add_shape(&text, table[i].rank, table[i].shape);
    assert_string_equal(mst_str_text(&text), table[i].text);
    mst_str_reset(&text);
  }
}

static void test_ceil_divide(void **state) {
  (void)state;
  static const uint64_t table[][3] = {
      {0, 1, 0},
      {1, 1, 1},
      {7, 3, 3},
      {6, 3, 2},
      {1, MAX64, 1},
      {MAX64, 1, MAX64},
      {MAX64, 2, UINT64_C(1) << 63},
      {MAX64, MAX64, 1},
      {MAX64, MAX64 - 1, 2},
  };
  for (size_t i = 0; i < COUNT(table); i++)
    CHECK(mst_ceil_divide(table[i][0], table[i][1]) == table[i][2], "row %zu", i);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_multiply),
      cmocka_unit_test(test_elements),
      cmocka_unit_test(test_rank_0),
      cmocka_unit_test(test_dense_strides),
      cmocka_unit_test(test_dense_strides_of_zeros),
      cmocka_unit_test(test_same_shape),
      cmocka_unit_test(test_text),
      cmocka_unit_test(test_ceil_divide),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
