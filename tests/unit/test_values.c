/* SPDX-License-Identifier: Apache-2.0 */
/* Values of the semantic model: joins come to rest, equal entries are equal integers. */
#include "pysource/values.h"

#include "unit.h"

typedef struct fixture {
  mst_arena arena;
  mst_values values;
  uint64_t state;
} fixture;

static uint32_t draw(fixture *f, uint32_t below) {
  f->state = f->state * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(f->state >> 33) % below;
}

static mst_value random_value(fixture *f, int depth) {
  const mst_value_kind kind = (mst_value_kind)draw(f, MST_V_ARRAY + 1);
  if (kind == MST_V_NUMBER && draw(f, 2) == 0) return mst_value_number(draw(f, 3), draw(f, 2) == 0);
  mst_value value = mst_value_of_kind(kind);
  switch (kind) {
  case MST_V_ARRAY:
  case MST_V_DEFERRED:
    value.library = (uint8_t)draw(f, 3);
    value.dtype = (uint8_t)draw(f, 3);
    value.confidence = (uint8_t)draw(f, 3);
    value.rank = kind == MST_V_ARRAY ? (int8_t)draw(f, 3) : 0;
    value.flags = (uint16_t)(draw(f, 2) * MST_VF_FRESH + draw(f, 2) * MST_VF_VIEW);
    value.storage = draw(f, 3);
    break;
  case MST_V_LIST:
  case MST_V_TUPLE:
  case MST_V_DICT: {
    if (depth == 0) break;
    mst_value each[3];
    const uint32_t count = draw(f, 4);
    for (uint32_t i = 0; i < count; i++)
      each[i] = random_value(f, depth - 1);
    return mst_value_container(&f->values, kind, each, count);
  }
  case MST_V_MODULE:
  case MST_V_API:
  case MST_V_FUNCTION:
  case MST_V_CLASS:
  case MST_V_INSTANCE:
  case MST_V_OBJECT: value.ref = 1 + draw(f, 2); break;
  default: break;
  }
  return value;
}

static void start(fixture *f) {
  mst_arena_init(&f->arena, (size_t)64 << 20);
  mst_values_init(&f->values, &f->arena);
  f->state = 1;
}

/* A fixpoint over values ends only if what was joined once changes nothing the second time. */
static void test_join_comes_to_rest(void **state) {
  (void)state;
  fixture f;
  if (setjmp(f.arena.way_out) != 0) fail();
  start(&f);
  for (int i = 0; i < 20000; i++) {
    mst_value all[4];
    mst_value sum = mst_value_of_kind(MST_V_BOTTOM);
    for (int k = 0; k < 4; k++) {
      all[k] = random_value(&f, 2);
      sum = mst_value_join(&f.values, sum, all[k]);
    }
    int changes = 0;
    for (int round = 0; round < 20; round++) {
      const mst_value joined = mst_value_join(&f.values, sum, all[round % 4]);
      changes += !mst_value_equal(&joined, &sum);
      sum = joined;
    }
    assert_true(changes <= 4);
    for (int k = 0; k < 4; k++) {
      const mst_value joined = mst_value_join(&f.values, sum, all[k]);
      assert_true(mst_value_equal(&joined, &sum));
    }
  }
  mst_arena_reset(&f.arena);
}

static void test_an_array_is_not_lost(void **state) {
  (void)state;
  fixture f;
  if (setjmp(f.arena.way_out) != 0) fail();
  start(&f);
  for (int i = 0; i < 5000; i++) {
    const mst_value array = mst_value_array(2, MST_CERTAIN);
    const mst_value joined = mst_value_join(&f.values, random_value(&f, 2), array);
    assert_int_equal(joined.kind, MST_V_ARRAY);
    assert_int_equal(joined.library, MST_LIB_TARGET);
  }
  mst_arena_reset(&f.arena);
}

static void test_equal_entries_are_one(void **state) {
  (void)state;
  fixture f;
  if (setjmp(f.arena.way_out) != 0) fail();
  start(&f);
  const int64_t extents[2] = {3, 4}, others[2] = {3, -1};
  assert_int_equal(mst_extents(&f.values, 2, extents), mst_extents(&f.values, 2, extents));
  assert_int_not_equal(mst_extents(&f.values, 2, extents), mst_extents(&f.values, 2, others));
  const mst_value each[2] = {mst_value_number(1, true), mst_value_array(1, MST_LIKELY)};
  const mst_value a = mst_value_container(&f.values, MST_V_TUPLE, each, 2);
  const mst_value b = mst_value_container(&f.values, MST_V_TUPLE, each, 2);
  assert_true(mst_value_equal(&a, &b));
  assert_int_equal(mst_value_item(&f.values, &a, -1).kind, MST_V_ARRAY);
  assert_int_equal(mst_value_item_count(&f.values, &a), 2);
  mst_arena_reset(&f.arena);
}

/* What is said to be likely only saves a search: it never makes a difference. */
static void test_likely_makes_no_difference(void **state) {
  (void)state;
  fixture f;
  if (setjmp(f.arena.way_out) != 0) fail();
  start(&f);
  for (int i = 0; i < 5000; i++) {
    mst_value each[3];
    const uint32_t count = draw(&f, 4);
    for (uint32_t k = 0; k < count; k++)
      each[k] = random_value(&f, 1);
    const mst_value_kind kind = draw(&f, 2) == 0 ? MST_V_TUPLE : MST_V_LIST;
    const mst_value plain = mst_value_container(&f.values, kind, each, count);
    const mst_value likely = draw(&f, 2) == 0 ? plain : random_value(&f, 2);
    const mst_value again = mst_value_container_again(&f.values, kind, each, count, &likely);
    assert_true(mst_value_equal(&plain, &again));

    mst_value array = mst_value_array(1, MST_CERTAIN);
    array.why = draw(&f, (uint32_t)f.values.steps.length);
    const mst_step_kind step = (mst_step_kind)draw(&f, 3);
    const uint32_t module = draw(&f, 2), node = 1 + draw(&f, 3);
    const uint32_t any = draw(&f, (uint32_t)f.values.steps.length);
    const mst_value why = mst_value_because(&f.values, array, step, module, node);
    const uint32_t chain = draw(&f, 2) == 0 ? why.why : any;
    const mst_value same = mst_value_because_again(&f.values, array, step, module, node, chain);
    assert_int_equal(same.why, why.why);
  }
  mst_arena_reset(&f.arena);
}

static void test_element_counts(void **state) {
  (void)state;
  fixture f;
  if (setjmp(f.arena.way_out) != 0) fail();
  start(&f);
  mst_value array = mst_value_array(2, MST_CERTAIN);
  assert_int_equal(mst_element_count(&f.values, &array), -1);
  const int64_t extents[2] = {1000, 2000};
  array.extents = mst_extents(&f.values, 2, extents);
  assert_int_equal(mst_element_count(&f.values, &array), 2000000);
  assert_int_equal(mst_extent(&f.values, &array, -1), 2000);
  mst_arena_reset(&f.arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_join_comes_to_rest),
      cmocka_unit_test(test_an_array_is_not_lost),
      cmocka_unit_test(test_equal_entries_are_one),
      cmocka_unit_test(test_likely_makes_no_difference),
      cmocka_unit_test(test_element_counts),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
