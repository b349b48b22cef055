/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/unit.h"

#include "load/name_pattern.h"

#define MOST_NAMES 4

typedef struct {
  const char *names[MOST_NAMES]; /* NULL at the end */
  bool followed;
  size_t numbers;
  /* Of each name the digits that differ, separated by blanks. */
  const char *digits[MOST_NAMES];
} pattern_row;

static const pattern_row patterns[] = {
    /* one number */
    {{"s0.npy", "s1.npy", "s10.npy"}, true, 1, {"0", "1", "10"}},
    {{"shard_0000.npy", "shard_0001.npy"}, true, 1, {"0000", "0001"}},
    {{"part-9.parquet", "part-10.parquet"}, true, 1, {"9", "10"}},
    {{"store_07", "store_08"}, true, 1, {"07", "08"}},
    {{"7", "8", "9"}, true, 1, {"7", "8", "9"}},
    {{"a b 1.npy", "a b 2.npy"}, true, 1, {"1", "2"}},
    /* numbers that all names share say nothing */
    {{"run7_0.npy", "run7_1.npy"}, true, 1, {"0", "1"}},
    {{"v2.0-s3.npy", "v2.0-s4.npy"}, true, 1, {"3", "4"}},
    {{"mp4_1.npy", "mp4_2.npy"}, true, 1, {"1", "2"}},
    {{"snap_099.12.h5", "snap_099.13.h5"}, true, 1, {"12", "13"}},
    {{"model-00001-of-00003.npy", "model-00002-of-00003.npy"}, true, 1, {"00001", "00002"}},
    {{"d1/x1.npy", "d1/x2.npy"}, true, 1, {"1", "2"}},
    /* several, from left to right */
    {{"r0_c0.npy", "r0_c1.npy", "r1_c0.npy"}, true, 2, {"0 0", "0 1", "1 0"}},
    {{"x1y2.npy", "x2y3.npy"}, true, 2, {"1 2", "2 3"}},
    {{"2024-01-31.npy", "2024-02-01.npy"}, true, 2, {"01 31", "02 01"}},
    {{"2023-12-31.npy", "2024-01-01.npy"}, true, 3, {"2023 12 31", "2024 01 01"}},
    {{"d0/x1.npy", "d1/x0.npy"}, true, 2, {"0 1", "1 0"}},
    /* tags tell files apart, but not their order */
    {{"part-00003-ab12-c000.npy", "part-00004-cd34-c000.npy"}, true, 1, {"00003", "00004"}},
    {{"part-0-0a1b2c3d-1111-4222-8333-444455556666-c000.npy",
      "part-1-fedcba98-1111-4222-8333-0000deadbeef-c000.npy"},
     true,
     1,
     {"0", "1"}},
    {{"part-0-0a1b2c3d-abcd-4bcd-8bcd-111122223333.npy",
      "part-1-fedcba98-dcba-4444-8888-abcdefabcdef.npy"},
     true,
     1,
     {"0", "1"}},
    {{"part-0-00000001-1111-2222-3333-444444444444.npy",
      "part-1-00000002-1112-2223-3334-44444444444a.npy"},
     true,
     1,
     {"0", "1"}},
    {{"x_1_deadbeef01.npy", "x_2_0123456789.npy"}, true, 1, {"1", "2"}},
    /* equal but for leading zeros is another text: the run differs */
    {{"s1.npy", "s01.npy"}, true, 1, {"1", "01"}},
    {{"s.npy", "s.npy"}, true, 0, {"", ""}},
    {{"only3.npy"}, true, 0, {""}},
    /* no common pattern */
    {{"s0.npy", "t1.npy"}, false, 0, {NULL}},
    {{"s0.npy", "s1.bin"}, false, 0, {NULL}},
    {{"s0.npy", "s_1.npy"}, false, 0, {NULL}},
    {{"s0.npy", "s1.npy", "summary.npy"}, false, 0, {NULL}},
    {{"alpha.npy", "beta.npy"}, false, 0, {NULL}},
    {{"a-1.npy", "a_2.npy"}, false, 0, {NULL}},
    {{"face1.npy", "cafe2.npy"}, true, 0, {NULL}}, /* two hashes, for all one can tell */
    {{"abcd.npy", "dcba.npy"}, false, 0, {NULL}},  /* words: no digit in them */
};

static size_t count_of(const pattern_row *row) {
  size_t count = 0;
  while (count < MOST_NAMES && row->names[count] != NULL)
    count++;
  return count;
}

static void check_digits(const mst_pattern *pattern, const char *name, const char *expected) {
  mst_digits runs[MST_MAX_SEGMENTS * 64];
  char text[256] = "";
  mst_pattern_numbers(pattern, name, runs);
  for (size_t i = 0; i < pattern->numbers; i++) {
    const size_t at = strlen(text);
    snprintf(text + at, sizeof text - at, "%s%.*s", i > 0 ? " " : "", (int)runs[i].length,
             name + runs[i].at);
  }
  CHECK(strcmp(text, expected) == 0, "%s: %s", name, text);
}

static void test_patterns(void **state) {
  (void)state;
  for (const pattern_row *EACH(row, patterns)) {
    mst_pattern pattern;
    char *names[MOST_NAMES];
    memcpy(names, row->names, sizeof names);
    mst_pattern_find(&pattern, names, count_of(row));
    CHECK(pattern.followed == row->followed, "%s", row->names[0]);
    if (!row->followed) continue;
    CHECK(pattern.numbers == row->numbers, "%s: %zu", row->names[0], pattern.numbers);
    for (size_t i = 0; i < count_of(row) && row->digits[i] != NULL; i++)
      check_digits(&pattern, row->names[i], row->digits[i]);
  }
}

static void test_odd_one(void **state) {
  (void)state;
  char *names[] = {(char[]){"s0.npy"}, (char[]){"s1.npy"}, (char[]){"x.npy"}, (char[]){"y.npy"}};
  mst_pattern pattern;
  mst_pattern_find(&pattern, names, COUNT(names));
  assert_false(pattern.followed);
  assert_int_equal(pattern.odd, 2);
  /* Half of them are no majority: then it is the first that they are compared with. */
  assert_int_equal(pattern.like, 0);
  assert_int_equal(pattern.odd_count, 2);
}

static void test_majority(void **state) {
  (void)state;
  char *names[] = {(char[]){"a.npy"}, (char[]){"b.npy"}, (char[]){"s0.npy"}, (char[]){"s1.npy"},
                   (char[]){"s2.npy"}};
  mst_pattern pattern;
  mst_pattern_find(&pattern, names, COUNT(names));
  assert_false(pattern.followed);
  assert_true(pattern.like >= 2);
  assert_int_equal(pattern.odd, 0);
  assert_int_equal(pattern.odd_count, 2);
  for (size_t i = 0; i < COUNT(names); i++)
    assert_true(mst_pattern_follows(&pattern, names, i) == (i >= 2));
}

/* Digits of an extension that is a word number nothing. */
static void test_any_digits(void **state) {
  (void)state;
  static const struct {
    const char *name;
    bool any;
  } table[] = {{"a.npy", false}, {"a.h5", false},     {"a.mp4", false}, {"a1.npy", true},
               {"a.1", true},    {"a.1.npy", true},   {"1", true},      {"", false},
               {"a.2h", true},   {"x.tar.b2", false}, {".5", true}};
  for (size_t i = 0; i < COUNT(table); i++) {
    char text[32];
    char *names[] = {text};
    mst_pattern pattern;
    snprintf(text, sizeof text, "%s", table[i].name);
    mst_pattern_find(&pattern, names, 1);
    CHECK(pattern.any_digits == table[i].any, "%s", table[i].name);
  }
}

/* The folder that all share is no part of the names. */
static void test_folder(void **state) {
  (void)state;
  char a[] = "/data/run10/s1.npy", b[] = "/data/run10/s2.npy";
  char *names[] = {a, b};
  mst_pattern pattern;
  mst_pattern_find(&pattern, names, 2);
  assert_int_equal(pattern.prefix, strlen("/data/run10/"));
  assert_int_equal(pattern.segments, 2);
  check_digits(&pattern, a, "1");
}

static void test_nothing(void **state) {
  (void)state;
  mst_pattern pattern;
  mst_pattern_find(&pattern, NULL, 0);
  assert_true(pattern.followed);
  assert_int_equal(pattern.numbers, 0);
}

/* More segments, and more numbers in one, than are told apart: no matter how, but safely. */
static void test_very_long_names(void **state) {
  (void)state;
  char a[8192] = "", b[8192] = "";
  for (size_t i = 0; i + 8 < sizeof a; i += 4) {
    memcpy(a + i, i < 2048 ? "x1y_" : "x1y1", 5);
    memcpy(b + i, i < 2048 ? "x2y_" : "x2y2", 5);
  }
  char *names[] = {a, b};
  mst_pattern pattern;
  mst_pattern_find(&pattern, names, 2);
  assert_true(pattern.followed);
  assert_true(pattern.segments <= MST_MAX_SEGMENTS);
  mst_digits *runs = calloc(pattern.numbers, sizeof *runs);
  assert_non_null(runs);
  mst_pattern_numbers(&pattern, b, runs);
  for (size_t i = 0; i < pattern.numbers; i++)
    assert_int_equal(b[runs[i].at], '2');
  free(runs);
}

/* ---- runs of digits as numbers ---- */

static mst_digits all_of(const char *text) { return (mst_digits){0, (uint32_t)strlen(text)}; }

static void test_compare(void **state) {
  (void)state;
  static const struct {
    const char *a, *b;
    int order;
  } table[] = {
      {"9", "10", -1},
      {"10", "9", 1},
      {"007", "7", 0},
      {"0", "000", 0},
      {"00012", "11", 1},
      {"18446744073709551616", "18446744073709551617", -1},
      {"99999999999999999999999999999", "100000000000000000000000000000", -1},
  };
  for (size_t i = 0; i < COUNT(table); i++) {
    const int order =
        mst_digits_compare(table[i].a, all_of(table[i].a), table[i].b, all_of(table[i].b));
    CHECK((order > 0) - (order < 0) == table[i].order, "%s, %s", table[i].a, table[i].b);
  }
}

static void test_value(void **state) {
  (void)state;
  uint64_t value;
  assert_true(mst_digits_value("x007y", (mst_digits){1, 3}, &value));
  assert_int_equal(value, 7);
  assert_true(mst_digits_value("18446744073709551615", (mst_digits){0, 20}, &value));
  assert_true(value == UINT64_MAX);
  assert_false(mst_digits_value("18446744073709551616", (mst_digits){0, 20}, &value));
  assert_false(mst_digits_value("99999999999999999999", (mst_digits){0, 20}, &value));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_patterns),        cmocka_unit_test(test_odd_one),
      cmocka_unit_test(test_majority),        cmocka_unit_test(test_any_digits),
      cmocka_unit_test(test_folder),          cmocka_unit_test(test_nothing),
      cmocka_unit_test(test_very_long_names), cmocka_unit_test(test_compare),
      cmocka_unit_test(test_value),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
