/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include <stdalign.h>

#include "base/arena.h"

/* For arenas that must not run dry. */
static void init(mst_arena *arena) { mst_arena_init(arena, (size_t)64 << 20); }
#define WAY_OUT(arena) \
  if (setjmp((arena)->way_out) != 0) fail_msg("the arena is full")

static void test_zeroed_memory_is_an_empty_arena(void **state) {
  (void)state;
  mst_arena arena = {0};
  mst_arena_reset(&arena);
  mst_arena_reset(&arena);
  assert_int_equal(arena.used, 0);
}

static void test_memory_is_zeroed_aligned_and_apart(void **state) {
  (void)state;
  static const size_t sizes[] = {1, 7, 16, 0, 100, 4096, 65536, 65537, 1, 300000, 3, 262144};
  unsigned char *pieces[COUNT(sizes)];
  mst_arena arena;
  init(&arena);
  WAY_OUT(&arena);
  for (size_t i = 0; i < COUNT(sizes); i++) {
    pieces[i] = mst_arena_new(&arena, sizes[i]);
    CHECK((uintptr_t)pieces[i] % alignof(max_align_t) == 0, "size %zu", sizes[i]);
    for (size_t k = 0; k < sizes[i]; k++)
      CHECK(pieces[i][k] == 0, "size %zu, byte %zu", sizes[i], k);
    memset(pieces[i], (int)i + 1, sizes[i]);
  }
  for (size_t i = 0; i < COUNT(sizes); i++)
    for (size_t k = 0; k < sizes[i]; k++)
      CHECK(pieces[i][k] == i + 1, "size %zu, byte %zu", sizes[i], k);
  mst_arena_reset(&arena);
}

static void test_texts_are_copies(void **state) {
  (void)state;
  mst_arena arena;
  init(&arena);
  WAY_OUT(&arena);
  char original[] = "numpy.linalg";
  char *copy = mst_arena_text(&arena, original, 5);
  char *empty = mst_arena_text(&arena, NULL, 0);
  memset(original, 'x', sizeof original - 1);
  assert_string_equal(copy, "numpy");
  assert_string_equal(empty, "");
  mst_arena_reset(&arena);
}

static void test_a_growing_array_keeps_its_elements(void **state) {
  (void)state;
  mst_arena arena;
  init(&arena);
  WAY_OUT(&arena);
  struct {
    int *data;
    size_t length, capacity;
  } values = {0};
  for (int i = 0; i < 10000; i++)
    mst_arena_push(&arena, &values, i * i);
  assert_int_equal(values.length, 10000);
  for (int i = 0; i < 10000; i++)
    assert_int_equal(values.data[i], i * i);
  mst_arena_reset(&arena);
}

/* How many pieces of a size an arena with that budget gives. */
static size_t pieces_of(size_t budget, size_t size) {
  static volatile size_t count;
  static mst_arena arena;
  count = 0;
  mst_arena_init(&arena, budget);
  if (setjmp(arena.way_out) == 0)
    for (;;) {
      (void)mst_arena_new(&arena, size);
      assert_true(arena.used <= budget);
      count++;
    }
  mst_arena_reset(&arena);
  return count;
}

static void test_the_way_out_is_taken_when_the_budget_is_spent(void **state) {
  (void)state;
  assert_int_equal(pieces_of(0, 1), 0);
  assert_int_equal(pieces_of((size_t)10 << 20, (size_t)1 << 20), 10);
  assert_int_equal(pieces_of((size_t)10 << 20, ((size_t)1 << 20) + 1), 9);
  assert_int_equal(pieces_of((size_t)1 << 20, SIZE_MAX), 0);
  assert_int_equal(pieces_of((size_t)1 << 20, SIZE_MAX - 8), 0);
  /* Small ones: at most a sixteenth is lost at the ends of blocks. */
  const size_t small = pieces_of((size_t)1 << 20, 48);
  CHECK(small <= ((size_t)1 << 20) / 48 && small >= ((size_t)15 << 16) / 48, "%zu", small);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_zeroed_memory_is_an_empty_arena),
      cmocka_unit_test(test_memory_is_zeroed_aligned_and_apart),
      cmocka_unit_test(test_texts_are_copies),
      cmocka_unit_test(test_a_growing_array_keeps_its_elements),
      cmocka_unit_test(test_the_way_out_is_taken_when_the_budget_is_spent),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
