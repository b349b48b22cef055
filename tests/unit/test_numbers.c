/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers of the command line, by the comments of cli/numbers.h. */
#include "unit/unit.h"

#include "cli/numbers.h"

static void test_counts(void **state) {
  (void)state;
  static const struct {
    const char *text;
    uint64_t value;
  } table[] = {
      {"0", 0},
      {"64", 64},
      {"007", 7},
      {"64k", 64000},
      {"1M", 1000000},
      {"1G", 1000000000},
      {"2T", 2000000000000},
      {"1Ki", 1024},
      {"16Mi", 16777216},
      {"1Gi", 1073741824},
      {"1Ti", 1099511627776},
      {"18446744073709551615", UINT64_MAX},
      {"16777215Ti", UINT64_C(16777215) << 40},
  };
  for (size_t i = 0; i < COUNT(table); i++) {
    uint64_t value;
    CHECK(mst_parse_count(table[i].text, &value) == NULL, "%s", table[i].text);
    CHECK(value == table[i].value, "%s", table[i].text);
  }
}

static void test_no_counts(void **state) {
  (void)state;
  static const char *const table[] = {"",           " ",
                                      "-1",         "+1",
                                      "1.5",        "1 k",
                                      " 1",         "1kk",
                                      "k",          "0x10",
                                      "1e3",        "1,000",
                                      "1kiB",       "1B",
                                      "1m",         "1i",
                                      "one",        "18446744073709551616",
                                      "16777216Ti", "99999999999999999999999"};
  for (size_t i = 0; i < COUNT(table); i++) {
    uint64_t value;
    CHECK(mst_parse_count(table[i], &value) != NULL, "'%s'", table[i]);
  }
}

static void test_rows(void **state) {
  (void)state;
  static const struct {
    const char *text;
    int64_t lo, hi;
  } table[] = {
      {"10:20", 10, 20},       {":1M", 0, 1000000},
      {"-5:", -5, INT64_MAX},  {":", 0, INT64_MAX},
      {"-5:-2", -5, -2},       {"3:1", 3, 1},
      {"1Ki:2Ki", 1024, 2048}, {"0:9223372036854775807", 0, INT64_MAX},
  };
  for (size_t i = 0; i < COUNT(table); i++) {
    muster_row_range range;
    CHECK(mst_parse_rows(table[i].text, &range) == NULL, "%s", table[i].text);
    CHECK(range.lo == table[i].lo && range.hi == table[i].hi, "%s", table[i].text);
  }
}

static void test_no_rows(void **state) {
  (void)state;
  static const char *const table[] = {"",
                                      "5",
                                      "1:2:3",
                                      "1:2:",
                                      "::",
                                      "a:b",
                                      "1:x",
                                      "1-2",
                                      "--1:",
                                      "1.0:2",
                                      "-:",
                                      "1;2",
                                      "1:2 3",
                                      "0:9223372036854775808",
                                      "99999999999999999999:"};
  for (size_t i = 0; i < COUNT(table); i++) {
    muster_row_range range;
    CHECK(mst_parse_rows(table[i], &range) != NULL, "'%s'", table[i]);
  }
}

static void test_shapes(void **state) {
  (void)state;
  static const struct {
    const char *text;
    size_t rank;
    uint64_t shape[4];
  } table[] = {
      {"4,5", 2, {4, 5}}, {"4x5", 2, {4, 5}},      {"(4, 5)", 2, {4, 5}},  {"()", 0, {0}},
      {"scalar", 0, {0}}, {"7", 1, {7}},           {"(7,)", 1, {7}},       {"(7)", 1, {7}},
      {"0", 1, {0}},      {"2x0x3", 3, {2, 0, 3}}, {"1k,2", 2, {1000, 2}},
  };
  for (size_t i = 0; i < COUNT(table); i++) {
    uint64_t shape[MUSTER_MAX_RANK];
    size_t rank;
    CHECK(mst_parse_shape(table[i].text, shape, &rank) == NULL, "%s", table[i].text);
    CHECK(rank == table[i].rank, "%s", table[i].text);
    CHECK(memcmp(shape, table[i].shape, rank * 8) == 0, "%s", table[i].text);
  }
}

static void test_no_shapes(void **state) {
  (void)state;
  static const char *const table[] = {"",
                                      "x",
                                      ",",
                                      "4,",
                                      "4x",
                                      ",4",
                                      "4,,5",
                                      "(4,5",
                                      "4,5)",
                                      "(",
                                      ")",
                                      "(,)",
                                      "4 5",
                                      "-4",
                                      "4.0",
                                      "4X5",
                                      "[4,5]",
                                      "scalars",
                                      "18446744073709551616"};
  for (size_t i = 0; i < COUNT(table); i++) {
    uint64_t shape[MUSTER_MAX_RANK];
    size_t rank;
    CHECK(mst_parse_shape(table[i], shape, &rank) != NULL, "'%s'", table[i]);
  }
}

static void test_most_axes(void **state) {
  (void)state;
  for (size_t axes = 60; axes < 70; axes++) {
    char text[256] = "1";
    for (size_t i = 1; i < axes; i++)
      strcat(text, "x1");
    uint64_t shape[MUSTER_MAX_RANK];
    size_t rank;
    CHECK((mst_parse_shape(text, shape, &rank) == NULL) == (axes <= MUSTER_MAX_RANK), "%zu", axes);
  }
}

static void test_lists(void **state) {
  (void)state;
  mst_counts counts = {0};
  assert_null(mst_parse_counts("100,0,2k", &counts));
  assert_int_equal(counts.length, 3);
  assert_int_equal(counts.data[0], 100);
  assert_int_equal(counts.data[1], 0);
  assert_int_equal(counts.data[2], 2000);
  mst_vec_reset(&counts);
  static const char *const bad[] = {"", ",", "1,", ",1", "1,,2", "1x2", "1;2", "-1", "1 2"};
  for (size_t i = 0; i < COUNT(bad); i++) {
    CHECK(mst_parse_counts(bad[i], &counts) != NULL, "'%s'", bad[i]);
    mst_vec_reset(&counts);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_counts),    cmocka_unit_test(test_no_counts),
      cmocka_unit_test(test_rows),      cmocka_unit_test(test_no_rows),
      cmocka_unit_test(test_shapes),    cmocka_unit_test(test_no_shapes),
      cmocka_unit_test(test_most_axes), cmocka_unit_test(test_lists),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
