/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/unit.h"

#include "base/alloc.h"
#include "base/str.h"

static void test_empty(void **state) {
  (void)state;
  mst_str str = {0};
  assert_string_equal(mst_str_text(&str), "");
  char *text = mst_str_take(&str);
  assert_string_equal(text, "");
  mst_free(text);
  mst_str_reset(&str);
  mst_str_reset(&str);
}

static void test_additions(void **state) {
  (void)state;
  mst_str str = {0};
  mst_str_add(&str, "ab");
  mst_str_add(&str, "");
  mst_str_add_bytes(&str, "cdxx", 2);
  mst_str_add_bytes(&str, NULL, 0);
  mst_str_addf(&str, "-%d-%s", 42, "e");
  assert_string_equal(str.data, "abcd-42-e");
  assert_int_equal(str.length, 9);
  mst_str_reset(&str);
  assert_null(str.data);
}

static void test_bytes_with_zeros(void **state) {
  (void)state;
  mst_str str = {0};
  mst_str_add_bytes(&str, "a\0b", 3);
  assert_int_equal(str.length, 3);
  assert_memory_equal(str.data, "a\0b", 4);
  mst_str_reset(&str);
}

/* One byte at a time and in pieces of all sizes: every boundary of the capacity is met. */
static void test_growth(void **state) {
  (void)state;
  mst_str str = {0};
  for (size_t i = 0; i < 5000; i++)
    mst_str_addf(&str, "%c", (int)('a' + i % 26));
  for (size_t length = 0; length < 200; length++) {
    char piece[256];
    memset(piece, 'x', length);
    piece[length] = '\0';
    mst_str_addf(&str, "%s", piece);
  }
  assert_int_equal(str.length, 5000 + 199 * 200 / 2);
  for (size_t i = 0; i < 5000; i++)
    assert_int_equal(str.data[i], 'a' + i % 26);
  assert_int_equal(strspn(str.data + 5000, "x"), 199 * 200 / 2);
  assert_int_equal(str.data[str.length], '\0');
  mst_str_reset(&str);
}

static void test_take(void **state) {
  (void)state;
  mst_str str = {0};
  mst_str_add(&str, "mine");
  char *text = mst_str_take(&str);
  assert_string_equal(text, "mine");
  assert_null(str.data);
  assert_int_equal(str.length, 0);
  mst_str_add(&str, "next");
  assert_string_equal(mst_str_text(&str), "next");
  mst_str_reset(&str);
  mst_free(text);
}

/* After a failure nothing is added, and there is nothing to take; then all is new. */
static void test_take_after_failure(void **state) {
  (void)state;
  mst_str str = {0};
  mst_str_add(&str, "half");
  str.failed = true;
  mst_str_add(&str, " a text");
  mst_str_addf(&str, "%d", 1);
  assert_int_equal(str.length, 4);
  assert_null(mst_str_take(&str));
  assert_false(str.failed);
  assert_null(str.data);
  str.failed = true; /* the very first allocation failed */
  assert_null(mst_str_take(&str));
}

static void test_ends(void **state) {
  (void)state;
  assert_true(mst_starts_with("null:3", "null:"));
  assert_true(mst_starts_with("x", ""));
  assert_false(mst_starts_with("nul", "null"));
  assert_true(mst_ends_with("a.npy", ".npy"));
  assert_true(mst_ends_with("x", ""));
  assert_false(mst_ends_with("npy", ".npy"));
  assert_false(mst_ends_with("a.npy.gz", ".npy"));
}

static void test_base_name(void **state) {
  (void)state;
  static const char *const table[][2] = {
      {"a.npy", "a.npy"}, {"x/a.npy", "a.npy"}, {"/a", "a"}, {"x/y/a b", "a b"}, {"", ""}};
  for (size_t i = 0; i < COUNT(table); i++) {
    const char *name = mst_base_name(table[i][0]);
    assert_string_equal(name, table[i][1]);
    CHECK(name >= table[i][0] && name <= table[i][0] + strlen(table[i][0]), "%s", table[i][0]);
  }
}

/* Levenshtein's distance, worked out by hand. */
static void test_edit_distance(void **state) {
  (void)state;
  static const struct {
    const char *a, *b;
    size_t distance;
  } table[] = {
      {"", "", 0},
      {"", "abc", 3},
      {"same", "same", 0},
      {"kitten", "sitting", 3},
      {"flaw", "lawn", 2},
      {"abc", "acb", 2},
      {"a", "b", 1},
      {"inspect", "insect", 1},
      {"saturday", "sunday", 3},
      {"abcdef", "fedcba", 6},
      {"gumbo", "gambol", 2},
  };
  for (size_t i = 0; i < COUNT(table); i++) {
    CHECK(mst_edit_distance(table[i].a, table[i].b) == table[i].distance, "%s", table[i].a);
    CHECK(mst_edit_distance(table[i].b, table[i].a) == table[i].distance, "%s", table[i].b);
  }
}

/* Words beyond the limit are compared by their first 63 bytes. */
static void test_edit_distance_of_long_words(void **state) {
  (void)state;
  char a[200], b[200];
  memset(a, 'a', sizeof a - 1);
  memset(b, 'b', sizeof b - 1);
  a[sizeof a - 1] = b[sizeof b - 1] = '\0';
  assert_int_equal(mst_edit_distance(a, b), 63);
  assert_int_equal(mst_edit_distance(a, a), 0);
  a[63] = b[63] = '\0';
  assert_int_equal(mst_edit_distance(a, b), 63);
}

static void test_nearest(void **state) {
  (void)state;
  static const char *const words[] = {"inspect", "load", "plan", "verify", NULL};
  static const char *const none[] = {NULL};
  assert_string_equal(mst_nearest("inspct", words), "inspect");
  assert_string_equal(mst_nearest("laod", words), "load");
  assert_string_equal(mst_nearest("verifi", words), "verify");
  assert_string_equal(mst_nearest("plan", words), "plan");
  assert_null(mst_nearest("quit", words));
  assert_null(mst_nearest("zzzzzzzzz", words));
  assert_null(mst_nearest("load", none));
}

/* Three digits at most, decimal units: never "1000 kB". */
static void test_human_bytes(void **state) {
  (void)state;
  static const struct {
    double bytes;
    const char *number, *unit;
  } table[] = {
      {0, "0", "B"},           {1, "1", "B"},          {999, "999", "B"},
      {1000, "1.00", "kB"},    {1234, "1.23", "kB"},   {12345, "12.3", "kB"},
      {123456, "123", "kB"},   {999499, "999", "kB"},  {999999, "1.00", "MB"},
      {9.999e9, "10.0", "GB"}, {99.99e9, "100", "GB"}, {5e12, "5.00", "TB"},
      {5e15, "5.00", "PB"},    {9.2e18, "9.20", "EB"},
  };
  for (size_t i = 0; i < COUNT(table); i++) {
    char text[24], expected[24];
    snprintf(expected, sizeof expected, "%s %s", table[i].number, table[i].unit);
    assert_string_equal(mst_human_bytes(table[i].bytes, text), expected);
    assert_ptr_equal(mst_human_bytes(table[i].bytes, text), text);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_empty),
      cmocka_unit_test(test_additions),
      cmocka_unit_test(test_bytes_with_zeros),
      cmocka_unit_test(test_growth),
      cmocka_unit_test(test_take),
      cmocka_unit_test(test_take_after_failure),
      cmocka_unit_test(test_ends),
      cmocka_unit_test(test_base_name),
      cmocka_unit_test(test_edit_distance),
      cmocka_unit_test(test_edit_distance_of_long_words),
      cmocka_unit_test(test_nearest),
      cmocka_unit_test(test_human_bytes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
