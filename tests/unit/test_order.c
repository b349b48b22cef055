/* SPDX-License-Identifier: Apache-2.0 */
/* Which order names get, and which names get none: by section 3 of the specification of load. */
#include "unit/unit.h"

#include <fcntl.h>

#include "base/alloc.h"
#include "load/order.h"

#define MOST 8

/* Names in some order, in which they must come out when sorted by number. */
static const char *const ordered[][MOST] = {
    {"s0", "s1", "s2", "s10", "s11", "s100"},
    {"shard_98.npy", "shard_99.npy", "shard_100.npy"},
    {"shard_098.npy", "shard_099.npy", "shard_100.npy"},
    {"part-1", "part-2", "part-3"},
    {"0.npy", "1.npy", "2.npy"},
    {"r0_c0", "r0_c2", "r0_c10", "r1_c0", "r2_c1", "r10_c0"},
    {"step2-rank0", "step2-rank10", "step10-rank9"},
    {"2023-12-31", "2024-01-01", "2024-01-03", "2024-10-01"},
    {"part-00000-ffff0000", "part-00001-aaaa1111", "part-00002-00001234"},
    {"snap_099.0.h5", "snap_099.1.h5", "snap_099.2.h5"},
    {"s18446744073709551614", "s18446744073709551615", "s18446744073709551616"},
    {"a0_1", "a0_02", "a0_3"},
    {"d2/s0", "d2/s1", "d10/s0", "d10/s1"},
    {"B", "a", "b"}, /* no numbers: bytewise by name */
    {"alpha.h5", "beta.h5", "gamma.h5"},
    {"one"},
};

static void take_names(mst_names *names, const char *const *from, uint64_t *seed) {
  size_t count = 0;
  while (count < MOST && from[count] != NULL)
    count++;
  for (size_t i = 0; i < count; i++)
    assert_true(mst_names_take(names, mst_strdup(from[i])));
  for (size_t i = count; seed != NULL && i-- > 1;) {
    const size_t k = random_below(seed, i + 1);
    char *kept = names->data[i];
    names->data[i] = names->data[k];
    names->data[k] = kept;
  }
}

static void check_order(mst_names *names, const char *const *expected) {
  for (size_t i = 0; i < names->length; i++)
    CHECK(strcmp(names->data[i], expected[i]) == 0, "%s at %zu", names->data[i], i);
  mst_names_reset(names);
}

static void test_by_number(void **state) {
  (void)state;
  uint64_t seed = 7;
  for (size_t i = 0; i < COUNT(ordered); i++)
    for (int round = 0; round < 20; round++) {
      mst_names names = {0}, notes = {0};
      muster_error error = {.message = ""};
      take_names(&names, ordered[i], &seed);
      CHECK(mst_order_by_number(&names, true, &notes, &error) == MUSTER_OK, "%s: %s", ordered[i][0],
            error.message);
      check_order(&names, ordered[i]);
      mst_names_reset(&notes);
    }
}

/* ---- holes ---- */

static const struct {
  const char *names[MOST];
  const char *missing; /* named in the error or the note; NULL: nothing is */
  bool refused;        /* unless gaps are allowed */
} holes[] = {
    {{"s0", "s1", "s3"}, "s2", true},
    {{"s1", "s2", "s4"}, "s3", true},
    {{"s000.npy", "s001.npy", "s003.npy"}, "s002.npy", true},
    {{"s8", "s9", "s0", "s10"}, "s1, s2, s3, s4, s5 and 2 more", true},
    {{"s1", "s3", "s5"}, "s2, s4", true},
    {{"s0", "s18446744073709551615"}, "s1, s2, s3, s4, s5 and 18446744073709551609 more", true},
    {{"s0", "s1"}, NULL, false},
    {{"s1", "s2"}, NULL, false},
    /* no index: the first is beyond 1 */
    {{"s2", "s4"}, "s3", false},
    {{"run_100", "run_101", "run_103"}, "run_102", false},
    {{"s2", "s3"}, NULL, false},
    {{"20231231", "20240101"}, "20231232", false},
    /* several numbers: nobody can tell */
    {{"a0_b0", "a0_b2", "a3_b0"}, NULL, false},
    {{"s5"}, NULL, false},
};

static void test_holes(void **state) {
  (void)state;
  for (size_t i = 0; i < COUNT(holes); i++)
    for (int allowed = 0; allowed < 2; allowed++) {
      mst_names names = {0}, notes = {0};
      muster_error error = {.message = ""};
      take_names(&names, holes[i].names, NULL);
      const muster_status status = mst_order_by_number(&names, allowed != 0, &notes, &error);
      const bool refused = holes[i].refused && allowed == 0;
      CHECK(status == (refused ? MUSTER_ERR_MISMATCH : MUSTER_OK), "%s...", holes[i].names[0]);
      const bool noted = holes[i].missing != NULL && !refused;
      CHECK(notes.length == (noted ? 1 : 0), "%s...: %zu notes", holes[i].names[0], notes.length);
      const char *told = refused ? error.message : noted ? notes.data[0] : "";
      CHECK(holes[i].missing == NULL || strstr(told, holes[i].missing) != NULL, "%s", told);
      mst_names_reset(&names);
      mst_names_reset(&notes);
    }
}

/* A huge hole costs no time. */
static void test_wide_hole(void **state) {
  (void)state;
  mst_names names = {0}, notes = {0};
  take_names(&names, (const char *const[MOST]){"s5", "s18446744073709551615"}, NULL);
  assert_int_equal(mst_order_by_number(&names, false, &notes, NULL), MUSTER_OK);
  assert_int_equal(notes.length, 1);
  mst_names_reset(&names);
  mst_names_reset(&notes);
}

/* ---- clashes ---- */

static void test_duplicates(void **state) {
  (void)state;
  static const struct {
    const char *names[MOST];
    bool refused;
  } table[] = {
      {{"s0", "s1", "s01"}, true},
      {{"s0", "s00", "s1"}, true},
      {{"part-0-aaaa1", "part-0-bbbb1", "part-1-cccc1"}, true},
      {{"run_100", "run_0100"}, false}, /* no index */
      {{"a0_b1", "a0_b01"}, true},      /* only one number differs */
      {{"a0_b1", "a0_b01", "a1_b1"}, false},
  };
  for (size_t i = 0; i < COUNT(table); i++)
    for (int allowed = 0; allowed < 2; allowed++) {
      mst_names names = {0}, notes = {0};
      take_names(&names, table[i].names, NULL);
      const muster_status status = mst_order_by_number(&names, allowed != 0, &notes, NULL);
      CHECK((status == MUSTER_ERR_MISMATCH) == table[i].refused, "%s...", table[i].names[0]);
      mst_names_reset(&names);
      mst_names_reset(&notes);
    }
}

static void test_both_duplicates_are_named(void **state) {
  (void)state;
  mst_names names = {0}, notes = {0};
  muster_error error;
  take_names(&names, (const char *const[MOST]){"d/s1", "d/s0", "d/s01"}, NULL);
  assert_int_equal(mst_order_by_number(&names, true, &notes, &error), MUSTER_ERR_MISMATCH);
  char told[8192];
  snprintf(told, sizeof told, "%s: %s", error.path, error.message);
  assert_non_null(strstr(told, "s01"));
  assert_non_null(strstr(told, "s1"));
  mst_names_reset(&names);
  mst_names_reset(&notes);
}

/* One file of another kind among numbered ones. */
static void test_mixed_stems(void **state) {
  (void)state;
  static const char *const table[][MOST] = {
      {"s0", "s1", "t2"}, {"a1", "b"}, {"s0.npy", "s1.bin"}, {"s_0", "s-1"}};
  for (size_t i = 0; i < COUNT(table); i++) {
    mst_names names = {0}, notes = {0};
    muster_error error;
    take_names(&names, table[i], NULL);
    CHECK(mst_order_by_number(&names, true, &notes, &error) == MUSTER_ERR_MISMATCH, "%s",
          table[i][0]);
    CHECK(error.path[0] != '\0', "%s", table[i][0]);
    mst_names_reset(&names);
    mst_names_reset(&notes);
  }
}

/* ---- the other orders ---- */

static void test_by_name(void **state) {
  (void)state;
  static const char *const sorted[MOST] = {"B", "a", "s1", "s10", "s2", "\xc3\xa9", "\xff"};
  uint64_t seed = 3;
  mst_names names = {0};
  mst_order_by_name(&names);
  take_names(&names, sorted, &seed);
  mst_order_by_name(&names);
  check_order(&names, sorted);
}

static void put_at(const char *name, time_t seconds, long nanoseconds) {
  put_text(name, "");
  const struct timespec times[2] = {{seconds, nanoseconds}, {seconds, nanoseconds}};
  assert_int_equal(utimensat(AT_FDCWD, name, times, 0), 0);
}

/* Oldest first; equal times by name. */
static void test_by_mtime(void **state) {
  (void)state;
  static const char *const sorted[MOST] = {"z", "m", "a", "b", "s1"};
  uint64_t seed = 5;
  put_at("z", 1000, 0);
  put_at("m", 2000, 1);
  put_at("b", 2000, 2);
  put_at("a", 2000, 2);
  put_at("s1", 1700000000, 0);
  mst_names names = {0};
  assert_int_equal(mst_order_by_mtime(&names, NULL), MUSTER_OK);
  take_names(&names, sorted, &seed);
  assert_int_equal(mst_order_by_mtime(&names, NULL), MUSTER_OK);
  check_order(&names, sorted);
  take_names(&names, (const char *const[MOST]){"a", "none"}, NULL);
  muster_error error;
  assert_int_equal(mst_order_by_mtime(&names, &error), MUSTER_ERR_NOT_FOUND);
  assert_string_equal(error.path, "none");
  mst_names_reset(&names);
}

static void test_textual(void **state) {
  (void)state;
  static const struct {
    const char *names[MOST];
    bool textual;
  } table[] = {
      {{"s1", "s10", "s2"}, true},
      {{"s1", "s2", "s10"}, false},
      {{"s2", "s1"}, false},
      {{"s10", "s1", "s2"}, false},
      {{"s01", "s02", "s10"}, false},
      {{"a", "b", "c"}, false},
      {{"s9"}, false},
      {{"a0_b1", "a0_b10", "a0_b9"}, true},
      {{"x10", "y9"}, false},
  };
  for (size_t i = 0; i < COUNT(table); i++) {
    mst_names names = {0};
    take_names(&names, table[i].names, NULL);
    CHECK(mst_order_is_textual(&names) == table[i].textual, "%s...", table[i].names[0]);
    mst_names_reset(&names);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_by_number),
      cmocka_unit_test(test_holes),
      cmocka_unit_test(test_wide_hole),
      cmocka_unit_test(test_duplicates),
      cmocka_unit_test(test_both_duplicates_are_named),
      cmocka_unit_test(test_mixed_stems),
      cmocka_unit_test(test_by_name),
      IN_FOLDER(test_by_mtime),
      cmocka_unit_test(test_textual),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
