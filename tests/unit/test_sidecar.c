/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/unit.h"

#include "base/dtype.h"
#include "formats/sidecar.h"

static muster_status parse(const char *text, mst_sidecar *out, muster_error *error) {
  return mst_sidecar_parse("shard_meta.json", text, strlen(text), out, error);
}

/* The example of the specification. */
static void test_full(void **state) {
  (void)state;
  mst_sidecar sidecar;
  assert_int_equal(parse("{\"dtype\": \"float32\", \"trailing_shape\": [16, 2],"
                         " \"per_shard_rows\": [3, 0, 18446744073709551615],"
                         " \"byte_order\": \"little\", \"header_bytes\": 128}",
                         &sidecar, NULL),
                   MUSTER_OK);
  assert_int_equal(sidecar.dtype.type, MUSTER_FLOAT32);
  assert_false(sidecar.dtype.swapped);
  assert_int_equal(sidecar.rank, 2);
  assert_int_equal(sidecar.trailing[0], 16);
  assert_int_equal(sidecar.trailing[1], 2);
  assert_int_equal(sidecar.header_bytes, 128);
  assert_true(sidecar.has_rows);
  uint64_t rows;
  assert_true(mst_sidecar_rows(&sidecar, 0, "any", &rows) && rows == 3);
  assert_true(mst_sidecar_rows(&sidecar, 2, "any", &rows) && rows == UINT64_MAX);
  assert_false(mst_sidecar_rows(&sidecar, 3, "any", &rows));
  mst_sidecar_reset(&sidecar);
  mst_sidecar_reset(&sidecar);
}

static void test_least(void **state) {
  (void)state;
  mst_sidecar sidecar;
  assert_int_equal(parse("{\"trailing_shape\": [], \"dtype\": \"<i2\"}", &sidecar, NULL),
                   MUSTER_OK);
  assert_int_equal(sidecar.rank, 0);
  assert_int_equal(sidecar.header_bytes, 0);
  assert_false(sidecar.has_rows);
  mst_sidecar_reset(&sidecar);
}

/* On a little-endian machine. */
static void test_byte_order(void **state) {
  (void)state;
  static const struct {
    const char *dtype, *order;
    muster_status status;
    bool swapped;
  } table[] = {
      {"float32", "little", MUSTER_OK, false},     {"float32", "big", MUSTER_OK, true},
      {"<f4", "little", MUSTER_OK, false},         {">f4", "big", MUSTER_OK, true},
      {">f4", "little", MUSTER_ERR_FORMAT, false}, {"uint8", "big", MUSTER_OK, false},
      {"bfloat16", "big", MUSTER_OK, true},        {"float32", "middle", MUSTER_ERR_FORMAT, false},
  };
  for (size_t i = 0; i < COUNT(table); i++) {
    char text[128];
    mst_sidecar sidecar;
    snprintf(text, sizeof text,
             "{\"dtype\": \"%s\", \"byte_order\": \"%s\", \"trailing_shape\": [2]}", table[i].dtype,
             table[i].order);
    CHECK(parse(text, &sidecar, NULL) == table[i].status, "%s", text);
    CHECK(table[i].status != MUSTER_OK || sidecar.dtype.swapped == table[i].swapped, "%s", text);
    mst_sidecar_reset(&sidecar);
  }
  mst_sidecar sidecar;
  assert_int_equal(parse("{\"dtype\": \">f4\", \"trailing_shape\": []}", &sidecar, NULL),
                   MUSTER_OK);
  assert_true(sidecar.dtype.swapped);
  mst_sidecar_reset(&sidecar);
}

static void test_files(void **state) {
  (void)state;
  mst_sidecar sidecar;
  assert_int_equal(
      parse("{\"dtype\": \"u1\", \"trailing_shape\": [], \"per_shard_rows\": [5, 6, 7],"
            " \"files\": [\"c.bin\", \"a b.bin\", \"..x\"]}",
            &sidecar, NULL),
      MUSTER_OK);
  uint64_t rows;
  assert_true(mst_sidecar_rows(&sidecar, 0, "c.bin", &rows) && rows == 5);
  assert_true(mst_sidecar_rows(&sidecar, 0, "a b.bin", &rows) && rows == 6);
  assert_true(mst_sidecar_rows(&sidecar, 9, "..x", &rows) && rows == 7);
  assert_false(mst_sidecar_rows(&sidecar, 1, "b.bin", &rows));
  mst_sidecar_reset(&sidecar);
}

#define HEAD "{\"dtype\": \"f4\", \"trailing_shape\": [2]"

static const char *const bad[] = {
    "",
    "[]",
    "3",
    "{",
    "{}",
    "{\"dtype\": \"f4\"}",
    "{\"trailing_shape\": [2]}",
    "{\"dtype\": 4, \"trailing_shape\": [2]}",
    "{\"dtype\": \"object\", \"trailing_shape\": [2]}",
    "{\"dtype\": \"f4\", \"trailing_shape\": 2}",
    "{\"dtype\": \"f4\", \"trailing_shape\": [-2]}",
    "{\"dtype\": \"f4\", \"trailing_shape\": [2.0]}",
    "{\"dtype\": \"f4\", \"trailing_shape\": [\"2\"]}",
    "{\"dtype\": \"f4\", \"trailing_shape\": [[2]]}",
    "{\"dtype\": \"f4\", \"trailing_shape\": [2305843009213693952]}",
    "{\"dtype\": \"f4\", \"trailing_shape\": [0, 18446744073709551615, 9]}",
    "{\"dtype\": \"f4\", \"trailing_shape\": [18446744073709551616]}",
    HEAD ", \"header_bytes\": -1}",
    HEAD ", \"header_bytes\": 1.5}",
    HEAD ", \"header_bytes\": 9223372036854775808}",
    HEAD ", \"byte_order\": 1}",
    HEAD ", \"per_shard_rows\": 3}",
    HEAD ", \"per_shard_rows\": [null]}",
    HEAD ", \"per_shard_rows\": [1e3]}",
    HEAD ", \"files\": [\"a\"]}",
    HEAD ", \"per_shard_rows\": [1], \"files\": [\"a\", \"b\"]}",
    HEAD ", \"per_shard_rows\": [1], \"files\": {}}",
    HEAD ", \"per_shard_rows\": [1], \"files\": [1]}",
    /* Nothing outside the folder. */
    HEAD ", \"per_shard_rows\": [1], \"files\": [\"../a\"]}",
    HEAD ", \"per_shard_rows\": [1], \"files\": [\"/etc/passwd\"]}",
    HEAD ", \"per_shard_rows\": [1], \"files\": [\"..\"]}",
    HEAD ", \"per_shard_rows\": [1], \"files\": [\".\"]}",
    HEAD ", \"per_shard_rows\": [1], \"files\": [\"\"]}",
    HEAD ", \"per_shard_rows\": [1], \"files\": [\"a\\u0000b\"]}",
    /* What somebody meant to say must not be passed over. */
    HEAD ", \"row_count\": 3}",
    HEAD ", \"Header_bytes\": 3}",
};

static void test_bad(void **state) {
  (void)state;
  for (size_t i = 0; i < COUNT(bad); i++) {
    mst_sidecar sidecar;
    muster_error error = {.status = MUSTER_OK};
    CHECK(parse(bad[i], &sidecar, &error) == MUSTER_ERR_FORMAT, "%s", bad[i]);
    CHECK(error.status == MUSTER_ERR_FORMAT && error.message[0] != '\0', "%s", bad[i]);
    assert_string_equal(error.path, "shard_meta.json");
    mst_sidecar_reset(&sidecar);
  }
}

static void test_misspelt_key(void **state) {
  (void)state;
  mst_sidecar sidecar;
  muster_error error;
  (void)parse(HEAD ", \"header_byte\": 3}", &sidecar, &error);
  assert_non_null(strstr(error.message, "header_bytes"));
  mst_sidecar_reset(&sidecar);
}

/* With the rows it is 64 axes. */
static void test_most_axes(void **state) {
  (void)state;
  for (int axes = 62; axes <= 70; axes++) {
    mst_str text = {0};
    mst_str_add(&text, "{\"dtype\": \"f4\", \"trailing_shape\": [1");
    for (int i = 1; i < axes; i++)
      mst_str_add(&text, ", 1");
    mst_str_add(&text, "]}");
    mst_sidecar sidecar;
    CHECK((parse(text.data, &sidecar, NULL) == MUSTER_OK) == (axes <= 63), "%d axes", axes);
    mst_sidecar_reset(&sidecar);
    mst_str_reset(&text);
  }
}

static void test_names(void **state) {
  (void)state;
  assert_string_equal(mst_sidecar_names[0], "shard_meta.json");
  assert_string_equal(mst_sidecar_names[1], "_meta.json");
  assert_null(mst_sidecar_names[2]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_full),       cmocka_unit_test(test_least),
      cmocka_unit_test(test_byte_order), cmocka_unit_test(test_files),
      cmocka_unit_test(test_bad),        cmocka_unit_test(test_misspelt_key),
      cmocka_unit_test(test_most_axes),  cmocka_unit_test(test_names),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
