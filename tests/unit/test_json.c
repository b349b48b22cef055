/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/unit.h"

#include "base/json.h"

static yyjson_doc *parsed(const char *text) {
  yyjson_doc *doc;
  muster_error error;
  CHECK(mst_json_parse("x.json", text, strlen(text), &doc, &error) == MUSTER_OK, "%s", text);
  return doc;
}

/* Numbers that a double would round. */
static void test_exact_integers(void **state) {
  (void)state;
  static const struct {
    const char *text;
    uint64_t value;
  } table[] = {
      {"0", 0},
      {"9007199254740993", UINT64_C(9007199254740993)},
      {"9223372036854775807", INT64_MAX},
      {"9223372036854775808", UINT64_C(9223372036854775808)},
      {"18446744073709551615", UINT64_MAX},
  };
  for (size_t i = 0; i < COUNT(table); i++) {
    yyjson_doc *doc = parsed(table[i].text);
    yyjson_val *value = yyjson_doc_get_root(doc);
    CHECK(yyjson_is_uint(value) && yyjson_get_uint(value) == table[i].value, "%s", table[i].text);
    yyjson_doc_free(doc);
  }
  yyjson_doc *doc = parsed("-9223372036854775808");
  assert_true(yyjson_get_sint(yyjson_doc_get_root(doc)) == INT64_MIN);
  yyjson_doc_free(doc);
}

/* 2^64 and fractions are numbers, but no integers. */
static void test_other_numbers(void **state) {
  (void)state;
  static const char *const table[] = {"18446744073709551616", "1.0", "1e3", "-0.5"};
  for (size_t i = 0; i < COUNT(table); i++) {
    yyjson_doc *doc = parsed(table[i]);
    CHECK(yyjson_is_real(yyjson_doc_get_root(doc)), "%s", table[i]);
    yyjson_doc_free(doc);
  }
}

/* RFC 8259 has none of these. The offset is that of the first byte that cannot be. */
static void test_refused(void **state) {
  (void)state;
  static const struct {
    const char *text;
    muster_offset offset; /* -2: somewhere */
  } table[] = {
      {"NaN", 0},          {"{\"a\": NaN}", 6}, {"[Infinity]", 1}, {"[-Infinity]", -2},
      {"{", -2},           {"[1,]", -2},        {"{} x", 3},       {"{\"a\" 1}", 5},
      {"[01]", -2},        {"[1.]", -2},        {"'a'", 0},        {"\"\x01\"", 1},
      {"\"\xff\"", 1},     {"\"\xc3\"", 1},     {"// c\n1", 0},    {"\xef\xbb\xbf{}", 0},
      {"\"\\ud800\"", -2}, {" ", -2},           {"tru", -2},       {"[1e999]", -2},
  };
  for (size_t i = 0; i < COUNT(table); i++) {
    yyjson_doc *doc;
    muster_error error = {.status = MUSTER_OK};
    const muster_status status =
        mst_json_parse("x.json", table[i].text, strlen(table[i].text), &doc, &error);
    CHECK(status == MUSTER_ERR_FORMAT && doc == NULL, "%s", table[i].text);
    assert_string_equal(error.path, "x.json");
    CHECK(error.message[0] != '\0', "%s", table[i].text);
    CHECK(table[i].offset == -2 || error.offset == table[i].offset, "%s: at %d", table[i].text,
          (int)error.offset);
  }
  yyjson_doc *doc;
  assert_int_equal(mst_json_parse("x", "", 0, &doc, NULL), MUSTER_ERR_FORMAT);
}

/* Only `length` bytes are looked at. */
static void test_length_counts(void **state) {
  (void)state;
  yyjson_doc *doc;
  assert_int_equal(mst_json_parse("x", "[1] rest", 3, &doc, NULL), MUSTER_OK);
  yyjson_doc_free(doc);
}

#define DEPTH 100000

/* No recursion on what strangers wrote: read it, and write it again. */
static void test_depth(void **state) {
  (void)state;
  char *text = malloc(2 * DEPTH);
  assert_non_null(text);
  memset(text, '[', DEPTH);
  memset(text + DEPTH, ']', DEPTH);
  yyjson_doc *doc;
  assert_int_equal(mst_json_parse("x", text, 2 * DEPTH, &doc, NULL), MUSTER_OK);
  size_t depth = 0;
  for (yyjson_val *at = yyjson_doc_get_root(doc); at != NULL; at = yyjson_arr_get_first(at))
    depth++;
  assert_int_equal(depth, DEPTH);
  yyjson_doc_free(doc);
  assert_int_equal(mst_json_parse("x", text, 2 * DEPTH - 1, &doc, NULL), MUSTER_ERR_FORMAT);
  free(text);
}

static void test_files(void **state) {
  (void)state;
  yyjson_doc *doc;
  muster_error error;
  put_text("a.json", "{\"n\": 18446744073709551615}\n");
  assert_int_equal(mst_json_read_file("a.json", &doc, &error), MUSTER_OK);
  assert_true(yyjson_get_uint(yyjson_obj_get(yyjson_doc_get_root(doc), "n")) == UINT64_MAX);
  yyjson_doc_free(doc);
  assert_int_equal(mst_json_read_file("none.json", &doc, &error), MUSTER_ERR_NOT_FOUND);
  assert_null(doc);
  put_text("b.json", "{\"n\": ");
  assert_int_equal(mst_json_read_file("b.json", &doc, &error), MUSTER_ERR_FORMAT);
  assert_string_equal(error.path, "b.json");
  /* More than the 64 MiB that are read: refused by its size alone. */
  put_text("c.json", "");
  assert_int_equal(truncate("c.json", (off_t)1 << 40), 0);
  assert_int_equal(mst_json_read_file("c.json", &doc, &error), MUSTER_ERR_FORMAT);
}

static void test_writing(void **state) {
  (void)state;
  yyjson_mut_doc *doc = mst_json_new();
  yyjson_mut_val *root = yyjson_mut_obj(doc);
  yyjson_mut_doc_set_root(doc, root);
  yyjson_mut_obj_add_uint(doc, root, "n", UINT64_MAX);
  yyjson_mut_val *list = yyjson_mut_obj_add_arr(doc, root, "list");
  yyjson_mut_arr_add_bool(doc, list, true);
  yyjson_mut_arr_add_null(doc, list);
  yyjson_mut_obj_add_val(doc, root, "name", mst_json_name(doc, "a\"\n\xc3\xa9"));
  mst_str text = {0};
  assert_int_equal(mst_json_text(doc, &text, NULL), MUSTER_OK);
  assert_string_equal(text.data, "{\n"
                                 "  \"n\": 18446744073709551615,\n"
                                 "  \"list\": [\n"
                                 "    true,\n"
                                 "    null\n"
                                 "  ],\n"
                                 "  \"name\": \"a\\\"\\n\xc3\xa9\"\n"
                                 "}\n");
  const size_t length = text.length;
  assert_int_equal(strlen(text.data), length);
  assert_int_equal(mst_json_text(doc, &text, NULL), MUSTER_OK); /* is put behind the first */
  assert_int_equal(text.length, 2 * length);
  assert_memory_equal(text.data, text.data + length, length);
  mst_str_reset(&text);
  yyjson_mut_doc_free(doc);
}

/* A NaN has no place in JSON: an error, not a document that nobody can read. */
static void test_writing_nan(void **state) {
  (void)state;
  yyjson_mut_doc *doc = mst_json_new();
  const double zero = 0;
  yyjson_mut_doc_set_root(doc, yyjson_mut_real(doc, zero / zero));
  mst_str text = {0};
  muster_error error;
  assert_int_equal(mst_json_text(doc, &text, &error), MUSTER_ERR_USAGE);
  mst_str_reset(&text);
  yyjson_mut_doc_free(doc);
}

/* Each byte that is no part of a UTF-8 sequence becomes one U+FFFD. */
static void test_names(void **state) {
  (void)state;
#define R "\xef\xbf\xbd"
  static const char *const table[][2] = {
      {"", ""},
      {"plain", "plain"},
      {"\xe6\x96\x87", "\xe6\x96\x87"},
      {"\xf0\x9f\x98\x80", "\xf0\x9f\x98\x80"},
      {"\xff\xfe"
       "1",
       R R "1"},
      {"a\xc3", "a" R},
      {"\xc3(", R "("},
      {"\xe6\x96", R R},
      {"\xc0\xaf", R R},             /* overlong */
      {"\xe0\x80\x80", R R R},       /* overlong */
      {"\xed\xa0\x80", R R R},       /* a surrogate */
      {"\xf4\x90\x80\x80", R R R R}, /* beyond U+10FFFF */
      {"\xf4\x8f\xbf\xbf", "\xf4\x8f\xbf\xbf"},
      {"\x80", R},
  };
  yyjson_mut_doc *doc = mst_json_new();
  for (size_t i = 0; i < COUNT(table); i++) {
    for (int before = 0; before <= 17; before++) { /* what is plain is passed over by eights */
      char name[40], valid[40];
      snprintf(name, sizeof name, "%.*s%s", before, "0123456789abcdefg", table[i][0]);
      snprintf(valid, sizeof valid, "%.*s%s", before, "0123456789abcdefg", table[i][1]);
      assert_string_equal(yyjson_mut_get_str(mst_json_name(doc, name)), valid);
    }
  }
  yyjson_mut_doc_free(doc);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_exact_integers), cmocka_unit_test(test_other_numbers),
      cmocka_unit_test(test_refused),        cmocka_unit_test(test_length_counts),
      cmocka_unit_test(test_depth),          IN_FOLDER(test_files),
      cmocka_unit_test(test_writing),        cmocka_unit_test(test_writing_nan),
      cmocka_unit_test(test_names),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
