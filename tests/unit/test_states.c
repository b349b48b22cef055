/* SPDX-License-Identifier: Apache-2.0 */
/* States of the model against plain arrays of values: what is set, put aside and joined. */
#include "pysource/states.h"

#include "unit.h"

enum { MOST_SLOTS = 700, STATES = 6, ROUNDS = 4000 };

typedef struct fixture {
  mst_arena arena;
  mst_values values;
  mst_states states;
  mst_state *shared[STATES];
  mst_value plain[STATES][MOST_SLOTS];
  uint32_t slots;
  uint64_t random;
} fixture;

static uint32_t draw(fixture *f, uint32_t below) {
  f->random = f->random * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(f->random >> 33) % below;
}

static mst_value random_value(fixture *f) {
  switch (draw(f, 4)) {
  case 0: return mst_value_number(draw(f, 3), true);
  case 1: return mst_value_array((int8_t)draw(f, 3), (mst_confidence)draw(f, 3));
  default: return mst_value_of_kind((mst_value_kind)draw(f, MST_V_STRING + 1));
  }
}

static void set(fixture *f, uint32_t state) {
  const uint32_t slot = draw(f, f->slots);
  const mst_value value = random_value(f);
  f->plain[state][slot] = value;
  mst_state_set(&f->states, &f->shared[state], slot, value);
}

static void put_aside(fixture *f, uint32_t from, uint32_t to) {
  mst_state *state = mst_state_share(f->shared[from]);
  mst_state_drop(&f->states, f->shared[to]);
  f->shared[to] = state;
  memmove(f->plain[to], f->plain[from], sizeof f->plain[from]);
}

static void join(fixture *f, uint32_t into, uint32_t other) {
  bool changed = false;
  for (uint32_t i = 0; i < f->slots; i++) {
    mst_value *a = &f->plain[into][i];
    const mst_value joined = mst_value_join(&f->values, *a, f->plain[other][i]);
    changed |= !mst_value_equal(&joined, a);
    *a = joined;
  }
  assert_int_equal(mst_state_join(&f->states, &f->shared[into], f->shared[other]), changed);
}

static void check(const fixture *f) {
  for (uint32_t state = 0; state < STATES; state++)
    for (uint32_t i = 0; i < f->slots; i++)
      assert_true(
          mst_value_equal(mst_state_get(&f->states, f->shared[state], i), &f->plain[state][i]));
}

static void run(fixture *f, uint32_t slots) {
  f->slots = slots;
  mst_states_begin(&f->states, slots);
  memset(f->plain, 0, sizeof f->plain);
  for (uint32_t i = 0; i < STATES; i++)
    f->shared[i] = mst_state_new(&f->states);
  for (int round = 0; round < ROUNDS; round++) {
    const uint32_t a = draw(f, STATES), b = draw(f, STATES);
    switch (draw(f, 6)) {
    case 0: put_aside(f, a, b); break;
    case 1:
    case 2: join(f, a, b); break;
    default: set(f, a); break;
    }
    if (round % 50 == 0) check(f);
  }
  check(f);
  for (uint32_t i = 0; i < STATES; i++)
    mst_state_drop(&f->states, f->shared[i]);
}

static void test_as_plain_arrays(void **state) {
  (void)state;
  fixture *f = calloc(1, sizeof *f);
  assert_non_null(f);
  if (setjmp(f->arena.way_out) != 0) fail();
  mst_arena_init(&f->arena, (size_t)64 << 20);
  mst_values_init(&f->values, &f->arena);
  f->states.values = &f->values;
  f->random = 1;
  static const uint32_t sizes[] = {1, 16, 17, 256, MOST_SLOTS, 5};
  const uint32_t *slots;
  for (EACH(slots, sizes))
    run(f, *slots);
  mst_arena_reset(&f->arena);
  free(f);
}

/* Many names, and as many branches that bind one of them each. */
static void test_little_is_looked_at(void **state) {
  (void)state;
  fixture *f = calloc(1, sizeof *f);
  assert_non_null(f);
  if (setjmp(f->arena.way_out) != 0) fail();
  mst_arena_init(&f->arena, (size_t)64 << 20);
  mst_values_init(&f->values, &f->arena);
  f->states.values = &f->values;
  const uint32_t count = 50000;
  mst_states_begin(&f->states, count);
  mst_state *end = mst_state_new(&f->states);
  for (uint32_t i = 0; i < count; i++) {
    mst_state *branch = mst_state_new(&f->states);
    mst_state_set(&f->states, &branch, i, mst_value_of_kind(MST_V_NONE));
    mst_state_join(&f->states, &branch, end);
    mst_state_drop(&f->states, end);
    end = branch;
  }
  for (uint32_t i = 0; i < count; i++)
    assert_int_equal(mst_state_get(&f->states, end, i)->kind, MST_V_NONE);
  assert_true(f->states.looks < 3 * count);
  mst_arena_reset(&f->arena);
  free(f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_as_plain_arrays),
      cmocka_unit_test(test_little_is_looked_at),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
