/* SPDX-License-Identifier: Apache-2.0 */
/* Names, codes and sizes are those that NumPy 2 gives on x86-64. */
#include "unit/unit.h"

#include "base/dtype.h"

typedef struct {
  muster_type type;
  const char *name; /* numpy.dtype.name */
  const char *code; /* numpy.dtype.str without the byte order; NULL: NumPy has none */
  size_t size;
  size_t swap_unit;
} type_row;

static const type_row rows[] = {
    {MUSTER_BOOL, "bool", "b1", 1, 1},
    {MUSTER_INT8, "int8", "i1", 1, 1},
    {MUSTER_INT16, "int16", "i2", 2, 2},
    {MUSTER_INT32, "int32", "i4", 4, 4},
    {MUSTER_INT64, "int64", "i8", 8, 8},
    {MUSTER_UINT8, "uint8", "u1", 1, 1},
    {MUSTER_UINT16, "uint16", "u2", 2, 2},
    {MUSTER_UINT32, "uint32", "u4", 4, 4},
    {MUSTER_UINT64, "uint64", "u8", 8, 8},
    {MUSTER_FLOAT16, "float16", "f2", 2, 2},
    {MUSTER_FLOAT32, "float32", "f4", 4, 4},
    {MUSTER_FLOAT64, "float64", "f8", 8, 8},
    {MUSTER_LONGDOUBLE, "float128", "f16", 16, 16},
    {MUSTER_COMPLEX64, "complex64", "c8", 8, 4},
    {MUSTER_COMPLEX128, "complex128", "c16", 16, 8},
    {MUSTER_CLONGDOUBLE, "complex256", "c32", 32, 16},
    {MUSTER_DATETIME64, "datetime64[ns]", "M8[ns]", 8, 8},
    {MUSTER_TIMEDELTA64, "timedelta64[25s]", "m8[25s]", 8, 8},
    {MUSTER_BFLOAT16, "bfloat16", NULL, 2, 2},
    {MUSTER_FLOAT8_E4M3FN, "float8_e4m3fn", NULL, 1, 1},
    {MUSTER_FLOAT8_E5M2, "float8_e5m2", NULL, 1, 1},
};

static muster_dtype parsed(const char *text) {
  muster_dtype dtype;
  muster_error error;
  CHECK(muster_dtype_parse(text, &dtype, &error) == MUSTER_OK, "'%s'", text);
  return dtype;
}

static void test_sizes(void **state) {
  (void)state;
  assert_int_equal(COUNT(rows), MUSTER_TYPE_COUNT - 1);
  for (const type_row *EACH(row, rows)) {
    CHECK(muster_type_size(row->type) == row->size, "%s", row->name);
    CHECK(mst_swap_unit(row->type) == row->swap_unit, "%s", row->name);
  }
  assert_int_equal(muster_type_size(MUSTER_NO_TYPE), 0);
  assert_int_equal(muster_type_size(MUSTER_TYPE_COUNT), 0);
  assert_int_equal(muster_type_size((muster_type)-1), 0);
}

static void check_spelling(const type_row *row, const char *order, const char *word) {
  char text[64];
  snprintf(text, sizeof text, "%s%s", order, word);
  const muster_dtype dtype = parsed(text);
  CHECK(dtype.type == row->type, "'%s'", text);
  const bool big = order[0] == '>' && row->size > 1;
  CHECK(dtype.swapped == big, "'%s'", text);
}

static void test_spellings(void **state) {
  (void)state;
  static const char *const orders[] = {"", "=", "<", ">", "|"};
  for (const type_row *EACH(row, rows)) {
    check_spelling(row, "", row->name);
    for (size_t i = 0; row->code != NULL && i < COUNT(orders); i++)
      check_spelling(row, orders[i], row->code);
  }
}

/* The name of a native dtype, the descr of any, and back. */
static void test_round_trips(void **state) {
  (void)state;
  for (const type_row *EACH(row, rows)) {
    char name[48], descr[48], expected[48];
    muster_dtype dtype = parsed(row->name);
    assert_string_equal(muster_dtype_name(&dtype, name), row->name);
    if (row->code == NULL) continue;
    snprintf(expected, sizeof expected, "%c%s", row->size > 1 ? '<' : '|', row->code);
    assert_string_equal(mst_dtype_descr(&dtype, descr), expected);
    if (row->size == 1) continue;
    dtype.swapped = true;
    expected[0] = '>';
    assert_string_equal(mst_dtype_descr(&dtype, descr), expected);
    assert_string_equal(muster_dtype_name(&dtype, name), expected);
  }
}

static void test_names_can_be_read_again(void **state) {
  (void)state;
  for (const type_row *EACH(row, rows))
    for (int swapped = 0; swapped < (row->size > 1 ? 2 : 1); swapped++) {
      char name[48];
      muster_dtype dtype = parsed(row->name);
      dtype.swapped = swapped != 0;
      const muster_dtype again = parsed(muster_dtype_name(&dtype, name));
      CHECK(mst_dtype_equal(&again, &dtype) && again.swapped == dtype.swapped, "%s", name);
    }
}

static void test_units(void **state) {
  (void)state;
  static const char *const units[] = {"Y",  "M",       "W",   "D",           "h",  "m",
                                      "s",  "ms",      "us",  "ns",          "ps", "fs",
                                      "as", "generic", "10D", "2147483647as"};
  for (size_t i = 0; i < COUNT(units); i++) {
    char text[64];
    snprintf(text, sizeof text, "<M8[%s]", units[i]);
    assert_string_equal(parsed(text).unit, units[i]);
    snprintf(text, sizeof text, "timedelta64[%s]", units[i]);
    assert_string_equal(parsed(text).unit, units[i]);
  }
  assert_string_equal(parsed("<m8").unit, "generic");
  assert_string_equal(parsed("datetime64").unit, "generic");
  assert_string_equal(parsed("float32").unit, "");
}

/* numpy.dtype("M8").name and .str leave the generic unit out. */
static void test_generic_unit(void **state) {
  (void)state;
  char text[48];
  const muster_dtype dtype = parsed("M8[generic]");
  assert_string_equal(muster_dtype_name(&dtype, text), "datetime64");
  assert_string_equal(mst_dtype_descr(&dtype, text), "<M8");
}

static void test_equality(void **state) {
  (void)state;
  muster_dtype a = parsed("<M8[ns]"), b = parsed(">M8[ns]"), c = parsed("<M8[us]");
  const muster_dtype d = parsed("<m8[ns]");
  assert_true(mst_dtype_equal(&a, &b));
  assert_false(mst_dtype_equal(&a, &c));
  assert_false(mst_dtype_equal(&a, &d));
}

static void test_kinds(void **state) {
  (void)state;
  for (int t = MUSTER_NO_TYPE; t < MUSTER_TYPE_COUNT; t++) {
    const muster_type type = (muster_type)t;
    CHECK(mst_is_time(type) == (t == MUSTER_DATETIME64 || t == MUSTER_TIMEDELTA64), "%d", t);
    CHECK(mst_is_source_only(type) == (t >= MUSTER_BFLOAT16), "%d", t);
  }
}

static const char *const junk[] = {
    "",
    " ",
    ">",
    "<",
    "=",
    "|",
    "<>f4",
    "f3",
    "f32",
    "i16",
    "u",
    "c4",
    "f4 ",
    " f4",
    "F4",
    "Float32",
    "float3",
    "float321",
    "b2",
    "M8[",
    "M8[]",
    "M8[ns",
    "M8ns]",
    "M8[ns]x",
    "M8[xs]",
    "M8[NS]",
    "M8[s[s]",
    "M8[-1s]",
    "M8[99999999999s]",
    "m4[s]",
    "M8[ns][ns]",
    "datetime64[5]",
    "datetime64 [ns]",
    "<datetime32[s]",
    "O",
    "|O",
    "S3",
    "<U5",
    "V",
    "V4",
    "[('x', '<f4')]",
    "f4,i2",
    "(2,)f4",
    "3f4",
    "\xff",
    "bfloat",
    "<float8",
    "e4m3fn",
    "f4\n",
    "%s%n",
};

static void test_junk(void **state) {
  (void)state;
  for (size_t i = 0; i < COUNT(junk); i++) {
    muster_dtype dtype;
    muster_error error = {.status = MUSTER_OK};
    CHECK(muster_dtype_parse(junk[i], &dtype, &error) == MUSTER_ERR_USAGE, "'%s'", junk[i]);
    CHECK(error.status == MUSTER_ERR_USAGE && error.message[0] != '\0', "'%s'", junk[i]);
    CHECK(muster_dtype_parse(junk[i], &dtype, NULL) == MUSTER_ERR_USAGE, "'%s'", junk[i]);
  }
}

/* Bytes without a meaning are no dtype of numbers, but a header may have them. */
static void test_opaque(void **state) {
  (void)state;
  muster_dtype dtype;
  size_t opaque;
  assert_true(mst_dtype_read("|V2", 3, &dtype, &opaque));
  assert_int_equal(dtype.type, MUSTER_NO_TYPE);
  assert_int_equal(opaque, 2);
  assert_true(mst_dtype_read("V16", 3, &dtype, &opaque));
  assert_int_equal(opaque, 16);
  assert_true(mst_dtype_read("<f4", 3, &dtype, &opaque));
  assert_int_equal(opaque, 0);
  assert_false(mst_dtype_read("V0", 2, &dtype, &opaque));
  assert_false(mst_dtype_read("V99999999999999999999", 21, &dtype, &opaque));
  assert_int_equal(muster_dtype_parse("V2", &dtype, NULL), MUSTER_ERR_USAGE);
}

/* The text need not end where the word does. */
static void test_length_counts(void **state) {
  (void)state;
  muster_dtype dtype;
  size_t opaque;
  assert_true(mst_dtype_read("<f4xyz", 3, &dtype, &opaque));
  assert_int_equal(dtype.type, MUSTER_FLOAT32);
  assert_true(mst_dtype_read("<M8[ns]]]]", 7, &dtype, &opaque));
  assert_string_equal(dtype.unit, "ns");
  assert_true(mst_dtype_read("int16", 4, &dtype, &opaque) == false);
  assert_false(mst_dtype_read("f4\0", 3, &dtype, &opaque));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_sizes),         cmocka_unit_test(test_spellings),
      cmocka_unit_test(test_round_trips),   cmocka_unit_test(test_names_can_be_read_again),
      cmocka_unit_test(test_units),         cmocka_unit_test(test_generic_unit),
      cmocka_unit_test(test_equality),      cmocka_unit_test(test_kinds),
      cmocka_unit_test(test_junk),          cmocka_unit_test(test_opaque),
      cmocka_unit_test(test_length_counts),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
