/* SPDX-License-Identifier: Apache-2.0 */
/* Headers as NumPy and others write them, and some that nobody should. */
#include "unit/unit.h"

#include "base/dtype.h"
#include "formats/npy_header.h"

/* The frame of a version around a dict, with the length that the text has. */
static size_t framed(unsigned char *out, int version, const char *text, size_t length) {
  memcpy(out, MST_NPY_MAGIC, MST_NPY_MAGIC_LENGTH);
  out[6] = (unsigned char)version;
  out[7] = 0;
  const size_t field = version == 1 ? 2 : 4;
  for (size_t i = 0; i < field; i++)
    out[8 + i] = (unsigned char)(length >> 8 * i);
  memcpy(out + 8 + field, text, length);
  return 8 + field + length;
}

static muster_status parse(int version, const char *text, mst_npy_header *out,
                           muster_error *error) {
  /* Of the exact size, so that a sanitizer sees a read behind it. */
  unsigned char *bytes = malloc(strlen(text) + 16);
  assert_non_null(bytes);
  const size_t length = framed(bytes, version, text, strlen(text));
  unsigned char *exact = realloc(bytes, length);
  assert_non_null(exact);
  const muster_status status = mst_npy_header_parse("x.npy", exact, length, out, error);
  free(exact);
  return status;
}

/* ---- what is read ---- */

#define DICT(descr, order, shape) \
  "{'descr': '" descr "', 'fortran_order': " order ", 'shape': " shape ", }\n"

typedef struct {
  const char *text;
  const char *dtype; /* by its descr */
  bool fortran;
  size_t rank;
  uint64_t shape[4];
} good_row;

static const good_row good[] = {
    {DICT("<f4", "False", "(3, 4)"), "<f4", false, 2, {3, 4}},
    {DICT("<f8", "True", "(3, 4)"), "<f8", true, 2, {3, 4}},
    {DICT(">i2", "False", "(5,)"), ">i2", false, 1, {5}},
    {DICT("|b1", "False", "()"), "|b1", false, 0, {0}},
    {DICT("<M8[25s]", "False", "(0, 7)"), "<M8[25s]", false, 2, {0, 7}},
    {DICT("<c16", "False", "(576460752303423487, 0)"), "<c16", false, 2, {576460752303423487, 0}},
    {DICT("<f16", "False", "(1, 1, 1, 1)"), "<f16", false, 4, {1, 1, 1, 1}},
    /* Python 2 */
    {DICT("<i8", "False", "(10L, 2L)"), "<i8", false, 2, {10, 2}},
    {"{'descr': '<i8', 'fortran_order': False, 'shape': (10L,)}", "<i8", false, 1, {10}},
    /* other writers: keys in any order, other quotes, no or many blanks, no comma at the end */
    {"{'shape':(2,3),'fortran_order':False,'descr':'<u4'}", "<u4", false, 2, {2, 3}},
    {"{\"descr\": \"<u4\", \"fortran_order\": False, \"shape\": (2, 3)}\n",
     "<u4",
     false,
     2,
     {2, 3}},
    {" { 'descr' : '<u4' ,\n'fortran_order' :\tTrue , 'shape' : ( 2 , 3 , ) , } \n",
     "<u4",
     true,
     2,
     {2, 3}},
    {"{'descr': '=f4', 'fortran_order': False, 'shape': (7,), }\n", "<f4", false, 1, {7}},
    {"{'descr': 'f4', 'fortran_order': False, 'shape': (7,), }\n", "<f4", false, 1, {7}},
};

static void test_good(void **state) {
  (void)state;
  for (const good_row *EACH(row, good))
    for (int version = 1; version <= 3; version++) {
      mst_npy_header header;
      muster_error error = {.message = ""};
      char descr[48];
      CHECK(parse(version, row->text, &header, &error) == MUSTER_OK, "%s: %s", row->text,
            error.message);
      mst_dtype_descr(&header.schema.dtype, descr);
      CHECK(strcmp(descr, row->dtype) == 0, "%s: %s", row->text, descr);
      CHECK(header.fortran == row->fortran, "%s", row->text);
      CHECK(header.schema.rank == row->rank, "%s", row->text);
      CHECK(memcmp(header.schema.shape, row->shape, row->rank * 8) == 0, "%s", row->text);
      assert_int_equal(header.data_offset, strlen(row->text) + (version == 1 ? 10 : 12));
      assert_int_equal(header.ends_in_newline, row->text[strlen(row->text) - 1] == '\n');
    }
}

static void test_opaque(void **state) {
  (void)state;
  mst_npy_header header;
  assert_int_equal(parse(1, DICT("|V2", "False", "(3,)"), &header, NULL), MUSTER_OK);
  assert_int_equal(header.schema.dtype.type, MUSTER_NO_TYPE);
  assert_int_equal(header.schema.opaque, 2);
}

/* ---- what is refused, and as what ---- */

#define MANY "1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, "

static const struct {
  const char *text;
  muster_status status;
} bad[] = {
    {DICT("|O", "False", "(3,)"), MUSTER_ERR_UNSUPPORTED},
    {DICT("<U5", "False", "(3,)"), MUSTER_ERR_UNSUPPORTED},
    {DICT("|S5", "False", "(3,)"), MUSTER_ERR_UNSUPPORTED},
    {"{'descr': [('x', '<f4'), ('y', '<i2')], 'fortran_order': False, 'shape': (3,), }\n",
     MUSTER_ERR_UNSUPPORTED},
    {DICT("<f3", "False", "(3,)"), MUSTER_ERR_FORMAT},
    {DICT("bfloat16", "False", "(3,)"), MUSTER_ERR_FORMAT},
    {DICT("", "False", "(3,)"), MUSTER_ERR_FORMAT},
    {DICT("<f4", "None", "(3,)"), MUSTER_ERR_FORMAT},
    {DICT("<f4", "0", "(3,)"), MUSTER_ERR_FORMAT},
    {DICT("<f4", "False", "(3)"), MUSTER_ERR_FORMAT},
    {DICT("<f4", "False", "3"), MUSTER_ERR_FORMAT},
    {DICT("<f4", "False", "[3]"), MUSTER_ERR_FORMAT},
    {DICT("<f4", "False", "(-3,)"), MUSTER_ERR_FORMAT},
    {DICT("<f4", "False", "(3.0,)"), MUSTER_ERR_FORMAT},
    {DICT("<f4", "False", "(007,)"), MUSTER_ERR_FORMAT}, /* octal in Python 2, an error in 3 */
    {DICT("<f4", "False", "(3 4)"), MUSTER_ERR_FORMAT},
    {DICT("<f4", "False", "(,)"), MUSTER_ERR_FORMAT},
    {DICT("<f4", "False", "(3,,4)"), MUSTER_ERR_FORMAT},
    {DICT("<f4", "False", "(3"), MUSTER_ERR_FORMAT},
    {DICT("<f4", "False", "(18446744073709551616,)"), MUSTER_ERR_FORMAT},
    {DICT("<f4", "False", "(2305843009213693952,)"), MUSTER_ERR_FORMAT},
    {DICT("<f4", "False", "(4294967296, 4294967296)"), MUSTER_ERR_FORMAT},
    {DICT("<f4", "False", "(0, 18446744073709551615, 9)"), MUSTER_ERR_FORMAT},
    {DICT("<f4", "False", "(" MANY MANY MANY MANY "1)"), MUSTER_ERR_FORMAT},
    {DICT("<f4", "False", "(3,)") "x", MUSTER_ERR_FORMAT},
    {"{'descr': '<f4', 'fortran_order': False}", MUSTER_ERR_FORMAT},
    {"{'descr': '<f4', 'shape': (3,)}", MUSTER_ERR_FORMAT},
    {"{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (3,)}", MUSTER_ERR_FORMAT},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (3,), 'more': 1}", MUSTER_ERR_FORMAT},
    {"{'descr': '<f4' 'fortran_order': False, 'shape': (3,)}", MUSTER_ERR_FORMAT},
    {"{descr: '<f4', 'fortran_order': False, 'shape': (3,)}", MUSTER_ERR_FORMAT},
    {"{'descr': <f4, 'fortran_order': False, 'shape': (3,)}", MUSTER_ERR_FORMAT},
    {"{'descr", MUSTER_ERR_FORMAT},
    {"{'descr\\", MUSTER_ERR_FORMAT},
    {"{", MUSTER_ERR_FORMAT},
    {"{}", MUSTER_ERR_FORMAT},
    {"", MUSTER_ERR_FORMAT},
    {"['descr']", MUSTER_ERR_FORMAT},
    {"{'descr': [('x', '<f4'", MUSTER_ERR_UNSUPPORTED},
};

static void test_bad(void **state) {
  (void)state;
  for (size_t i = 0; i < COUNT(bad); i++) {
    mst_npy_header header;
    muster_error error = {.status = MUSTER_OK};
    CHECK(parse(1, bad[i].text, &header, &error) == bad[i].status, "%s", bad[i].text);
    CHECK(error.status == bad[i].status && error.message[0] != '\0', "%s", bad[i].text);
    assert_string_equal(error.path, "x.npy");
  }
}

/* A header that is cut anywhere is an error, and nothing behind the cut is looked at. */
static void test_cut(void **state) {
  (void)state;
  const char *text = DICT("<f4", "False", "(3, 4)");
  for (size_t keep = 0; keep < strlen(text) - 2; keep++) { /* less "}\n" */
    char cut[128];
    snprintf(cut, sizeof cut, "%.*s", (int)keep, text);
    mst_npy_header header;
    CHECK(parse(1, cut, &header, NULL) == MUSTER_ERR_FORMAT, "%zu bytes", keep);
  }
}

/* The names of the fields are told: the way out is an array for each. */
static void test_field_names(void **state) {
  (void)state;
  mst_npy_header header;
  muster_error error;
  (void)parse(1,
              "{'descr': [('x', '<f4'), ('pos', [('a', '<i2')]), ('z', '<i2', (3,))],"
              " 'fortran_order': False, 'shape': (3,), }\n",
              &header, &error);
  assert_non_null(strstr(error.message, "x, pos, z"));
}

/* 64 axes are NumPy's limit. */
static void test_most_axes(void **state) {
  (void)state;
  mst_npy_header header;
  assert_int_equal(parse(1, DICT("<f4", "False", "(" MANY MANY MANY MANY ")"), &header, NULL),
                   MUSTER_OK);
  assert_int_equal(header.schema.rank, 64);
}

/* ---- the frame ---- */

static void test_length(void **state) {
  (void)state;
  static const struct {
    const char *bytes;
    size_t length;
    uint64_t file_size;
    muster_status status;
    size_t header_length;
  } table[] = {
      {MST_NPY_MAGIC "\x01\x00\x76\x00..", 12, 1000, MUSTER_OK, 128},
      {MST_NPY_MAGIC "\x01\x00\x76\x00", 10, 128, MUSTER_OK, 128},
      {MST_NPY_MAGIC "\x02\x00\x74\x00\x00\x00", 12, 128, MUSTER_OK, 128},
      {MST_NPY_MAGIC "\x03\x00\xf4\xff\x0f\x00", 12, 1 << 20, MUSTER_OK, 1 << 20},
      {MST_NPY_MAGIC "\x03\x00\xf5\xff\x0f\x00", 12, 1 << 21, MUSTER_ERR_FORMAT, 0},
      {MST_NPY_MAGIC "\x02\x00\xff\xff\xff\xff", 12, UINT64_MAX, MUSTER_ERR_FORMAT, 0},
      {MST_NPY_MAGIC "\x01\x00\x76\x00..", 12, 127, MUSTER_ERR_FORMAT, 0},
      {MST_NPY_MAGIC "\x02\x00\x74\x00\x00", 11, 1000, MUSTER_ERR_FORMAT, 0},
      {MST_NPY_MAGIC "\x01\x00\x76", 9, 9, MUSTER_ERR_FORMAT, 0},
      {MST_NPY_MAGIC "\x01", 7, 7, MUSTER_ERR_FORMAT, 0},
      {MST_NPY_MAGIC, 6, 6, MUSTER_ERR_FORMAT, 0},
      {"\x93NUMP", 5, 5, MUSTER_ERR_FORMAT, 0},
      {"", 0, 0, MUSTER_ERR_FORMAT, 0},
      {"\x93NUMPX\x01\x00\x76\x00..", 12, 1000, MUSTER_ERR_FORMAT, 0},
      {MST_NPY_MAGIC "\x04\x00\x76\x00..", 12, 1000, MUSTER_ERR_UNSUPPORTED, 0},
      {MST_NPY_MAGIC "\x00\x00\x76\x00..", 12, 1000, MUSTER_ERR_UNSUPPORTED, 0},
      {MST_NPY_MAGIC "\x01\x01\x76\x00..", 12, 1000, MUSTER_ERR_UNSUPPORTED, 0},
  };
  for (size_t i = 0; i < COUNT(table); i++) {
    size_t length = 0;
    muster_error error;
    const muster_status status =
        mst_npy_header_length("x.npy", (const unsigned char *)table[i].bytes, table[i].length,
                              table[i].file_size, &length, &error);
    CHECK(status == table[i].status, "row %zu: %s", i, muster_status_name(status));
    CHECK(status != MUSTER_OK || length == table[i].header_length, "row %zu: %zu", i, length);
  }
}

/* ---- writing ---- */

static const struct {
  const char *dtype;
  size_t rank;
  uint64_t shape[4];
  const char *begins;
} written[] = {
    {"float32", 2, {3, 4}, "{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }"},
    {">i2", 1, {5}, "{'descr': '>i2', 'fortran_order': False, 'shape': (5,), }"},
    {"bool", 0, {0}, "{'descr': '|b1', 'fortran_order': False, 'shape': (), }"},
    {"datetime64[ns]",
     3,
     {0, 1, UINT64_C(1) << 40},
     "{'descr': '<M8[ns]', 'fortran_order': False, 'shape': (0, 1, 1099511627776), }"},
    {"timedelta64", 1, {1}, "{'descr': '<m8', 'fortran_order': False, 'shape': (1,), }"},
    {"complex256", 1, {1}, "{'descr': '<c32', 'fortran_order': False, 'shape': (1,), }"},
};

/* The frame by hand, the dict as NumPy orders it, blanks, a newline at a multiple of 64 bytes. */
static void test_written(void **state) {
  (void)state;
  for (size_t i = 0; i < COUNT(written); i++) {
    mst_schema schema = {.rank = written[i].rank};
    assert_int_equal(muster_dtype_parse(written[i].dtype, &schema.dtype, NULL), MUSTER_OK);
    memcpy(schema.shape, written[i].shape, sizeof written[i].shape);
    mst_str text = {0};
    mst_npy_header_write(&text, &schema);
    assert_int_equal(text.length % 64, 0);
    assert_memory_equal(text.data, MST_NPY_MAGIC "\x01\x00", 8);
    const size_t told = (unsigned char)text.data[8] | (size_t)(unsigned char)text.data[9] << 8;
    assert_int_equal(told, text.length - 10);
    const size_t dict = strlen(written[i].begins);
    assert_memory_equal(text.data + 10, written[i].begins, dict);
    assert_int_equal(strspn(text.data + 10 + dict, " "), text.length - 10 - dict - 1);
    assert_int_equal(text.data[text.length - 1], '\n');
    mst_str_reset(&text);
  }
}

static void test_round_trip(void **state) {
  (void)state;
  for (size_t i = 0; i < COUNT(written); i++) {
    mst_schema schema = {.rank = written[i].rank};
    assert_int_equal(muster_dtype_parse(written[i].dtype, &schema.dtype, NULL), MUSTER_OK);
    memcpy(schema.shape, written[i].shape, sizeof written[i].shape);
    mst_str text = {0};
    mst_npy_header_write(&text, &schema);
    mst_npy_header header;
    assert_int_equal(
        mst_npy_header_parse("x", (const unsigned char *)text.data, text.length, &header, NULL),
        MUSTER_OK);
    assert_true(mst_dtype_equal(&header.schema.dtype, &schema.dtype));
    assert_int_equal(header.schema.dtype.swapped, schema.dtype.swapped);
    assert_int_equal(header.schema.rank, schema.rank);
    assert_memory_equal(header.schema.shape, schema.shape, schema.rank * 8);
    assert_false(header.fortran);
    assert_true(header.ends_in_newline);
    assert_int_equal(header.data_offset, text.length);
    mst_str_reset(&text);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_good),        cmocka_unit_test(test_opaque),
      cmocka_unit_test(test_bad),         cmocka_unit_test(test_cut),
      cmocka_unit_test(test_field_names), cmocka_unit_test(test_most_axes),
      cmocka_unit_test(test_length),      cmocka_unit_test(test_written),
      cmocka_unit_test(test_round_trip),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
