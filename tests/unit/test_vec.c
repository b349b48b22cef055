/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/unit.h"

#include "base/vec.h"

typedef struct {
  char bytes[24];
} block;

static void test_push(void **state) {
  (void)state;
  MST_VEC(double) values = {0};
  for (int i = 0; i < 1000; i++) {
    const bool is_pushed = mst_vec_push(&values, i * 0.5);
    assert_true(is_pushed);
  }
  assert_int_equal(values.length, 1000);
  assert_true(values.capacity >= values.length);
  for (int i = 0; i < 1000; i++)
    assert_true(values.data[i] == i * 0.5);
  mst_vec_reset(&values);
  assert_null(values.data);
  assert_int_equal(values.length, 0);
  assert_int_equal(values.capacity, 0);
  mst_vec_reset(&values);
}

/* A value with commas in it, and one of several bytes. */
static void test_push_of_structs(void **state) {
  (void)state;
  MST_VEC(block) values = {0};
  for (int i = 0; i < 100; i++) {
    const bool is_pushed = mst_vec_push(&values, (block){{(char)i, 1, 2}});
    assert_true(is_pushed);
  }
  for (int i = 0; i < 100; i++) {
    assert_int_equal(values.data[i].bytes[0], i);
    assert_int_equal(values.data[i].bytes[2], 2);
  }
  mst_vec_reset(&values);
}

/* Without room nothing changes, and the capacity tells. */
static void test_no_room(void **state) {
  (void)state;
  char some[4];
  size_t capacity = SIZE_MAX / 4;
  assert_ptr_equal(mst_vec_room(some, &capacity, capacity, 16), some);
  assert_int_equal(capacity, SIZE_MAX / 4);
  capacity = 4;
  assert_ptr_equal(mst_vec_room(some, &capacity, 3, 1), some);
  assert_int_equal(capacity, 4);
}

static void test_grows_by_more_than_one(void **state) {
  (void)state;
  MST_VEC(char) values = {0};
  int moves = 0;
  size_t capacity = 0;
  for (int i = 0; i < 1 << 16; i++) {
    const bool is_pushed = mst_vec_push(&values, (char)i);
    assert_true(is_pushed);
    if (values.capacity != capacity) moves++;
    capacity = values.capacity;
  }
  assert_true(moves <= 32);
  mst_vec_reset(&values);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_push),
      cmocka_unit_test(test_push_of_structs),
      cmocka_unit_test(test_no_room),
      cmocka_unit_test(test_grows_by_more_than_one),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
