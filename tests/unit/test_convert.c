/* SPDX-License-Identifier: Apache-2.0 */
/* Values are those of NumPy's astype, written out by hand. */
#include "unit/unit.h"

#include <math.h>

#include "base/convert.h"
#include "base/dtype.h"

static muster_dtype dtype(const char *name) {
  muster_dtype out;
  CHECK(muster_dtype_parse(name, &out, NULL) == MUSTER_OK, "%s", name);
  return out;
}

static mst_convert_fn converter(const char *from, const char *to) {
  const muster_dtype a = dtype(from), b = dtype(to);
  return mst_converter(&a, &b);
}

/* ---- which pairs there are ------------------------------------------------------------------- */

static const char *const numbers[] = {
    "bool",   "int8",    "int16",   "int32",   "int64",    "uint8",     "uint16",     "uint32",
    "uint64", "float16", "float32", "float64", "float128", "complex64", "complex128", "complex256"};

/* numpy.can_cast(row, column, "same_kind"), printed by NumPy 2.4. */
static const char *const same_kind[] = {
    "xxxxxxxxxxxxxxxx", /* bool */
    ".xxxx....xxxxxxx", /* int8 */
    ".xxxx....xxxxxxx", /* int16 */
    ".xxxx....xxxxxxx", /* int32 */
    ".xxxx....xxxxxxx", /* int64 */
    ".xxxxxxxxxxxxxxx", /* uint8 */
    ".xxxxxxxxxxxxxxx", /* uint16 */
    ".xxxxxxxxxxxxxxx", /* uint32 */
    ".xxxxxxxxxxxxxxx", /* uint64 */
    ".........xxxxxxx", /* float16 */
    ".........xxxxxxx", /* float32 */
    ".........xxxxxxx", /* float64 */
    ".........xxxxxxx", /* longdouble */
    ".............xxx", /* complex64 */
    ".............xxx", /* complex128 */
    ".............xxx", /* clongdouble */
};

static void test_same_kind(void **state) {
  (void)state;
  for (size_t i = 0; i < COUNT(numbers); i++)
    for (size_t k = 0; k < COUNT(numbers); k++)
      CHECK((converter(numbers[i], numbers[k]) != NULL) == (same_kind[i][k] == 'x'), "%s to %s",
            numbers[i], numbers[k]);
}

static void test_times(void **state) {
  (void)state;
  static const struct {
    const char *from, *to;
    bool allowed;
  } table[] = {
      {"datetime64[ns]", "datetime64[ns]", true},
      {"datetime64[ns]", "datetime64[us]", false},
      {"datetime64[ns]", "timedelta64[ns]", false},
      {"timedelta64[s]", "datetime64[s]", false},
      {"timedelta64[s]", "timedelta64[s]", true},
      {"timedelta64[s]", "timedelta64[25s]", false},
      {"datetime64[D]", "int64", true},
      {"timedelta64[D]", "int64", true},
      {"datetime64", "int64", true},
      {"datetime64[D]", "int32", false},
      {"datetime64[D]", "uint64", false},
      {"datetime64[D]", "float64", false},
      {"int64", "datetime64[D]", false},
      {"bool", "timedelta64[D]", false},
      {"float64", "timedelta64[D]", false},
      {"complex64", "datetime64[D]", false},
  };
  for (size_t i = 0; i < COUNT(table); i++)
    CHECK((converter(table[i].from, table[i].to) != NULL) == table[i].allowed, "%s to %s",
          table[i].from, table[i].to);
}

/* bfloat16 and the float8s become what float32 may become, and nothing becomes them. */
static void test_source_only(void **state) {
  (void)state;
  static const char *const types[] = {"bfloat16", "float8_e4m3fn", "float8_e5m2"};
  for (size_t i = 0; i < COUNT(types); i++)
    for (size_t k = 0; k < COUNT(numbers); k++) {
      const bool as_float32 = converter("float32", numbers[k]) != NULL;
      CHECK((converter(types[i], numbers[k]) != NULL) == as_float32, "%s", numbers[k]);
      CHECK(converter(numbers[k], types[i]) == NULL, "%s to %s", numbers[k], types[i]);
    }
}

/* ---- values ---------------------------------------------------------------------------------- */

typedef struct {
  const char *from, *to;
  size_t count;
  const void *in, *out;
} conversion;

#define V(type, ...) ((const type[]){__VA_ARGS__})
#define INF ((double)INFINITY)
#define INFL ((long double)INFINITY)

static const conversion conversions[] = {
    /* bool: any byte but 0 is True */
    {"bool", "uint8", 3, V(uint8_t, 0, 1, 200), V(uint8_t, 0, 1, 1)},
    {"bool", "int64", 2, V(uint8_t, 0, 1), V(int64_t, 0, 1)},
    {"bool", "float16", 2, V(uint8_t, 0, 1), V(uint16_t, 0, 0x3c00)},
    {"bool", "complex64", 2, V(uint8_t, 0, 1), V(float, 0, 0, 1, 0)},
    /* unsigned: modulo 2^n where it does not fit */
    {"uint8", "uint64", 2, V(uint8_t, 0, 255), V(uint64_t, 0, 255)},
    {"uint32", "uint8", 3, V(uint32_t, 255, 256, 0xfffffffe), V(uint8_t, 255, 0, 254)},
    {"uint8", "int8", 3, V(uint8_t, 127, 128, 255), V(int8_t, 127, -128, -1)},
    {"uint32", "int64", 1, V(uint32_t, UINT32_MAX), V(int64_t, 4294967295)},
    {"uint64", "int64", 2, V(uint64_t, INT64_MAX, UINT64_MAX), V(int64_t, INT64_MAX, -1)},
    {"uint64", "int16", 1, V(uint64_t, 0xdeadbeef00018001), V(int16_t, -32767)},
    {"uint64", "float32", 3, V(uint64_t, UINT64_MAX, (1 << 24) + 1, (1 << 24) + 3),
     V(float, 0x1p64f, 16777216.0f, 16777220.0f)},
    {"uint64", "float64", 2, V(uint64_t, UINT64_MAX, (UINT64_C(1) << 53) + 1),
     V(double, 0x1p64, 0x1p53)},
    {"uint64", "float128", 1, V(uint64_t, UINT64_MAX), V(long double, 18446744073709551615.0L)},
    {"uint16", "float16", 5, V(uint16_t, 2049, 2051, 65519, 65520, 65535),
     V(uint16_t, 0x6800, 0x6802, 0x7bff, 0x7c00, 0x7c00)},
    {"uint64", "complex128", 1, V(uint64_t, UINT64_MAX), V(double, 0x1p64, 0)},
    /* signed */
    {"int8", "int64", 2, V(int8_t, -128, 127), V(int64_t, -128, 127)},
    {"int32", "int8", 3, V(int32_t, -129, 128, -1), V(int8_t, 127, -128, -1)},
    {"int64", "int32", 2, V(int64_t, INT64_MIN, INT64_MAX), V(int32_t, 0, -1)},
    {"int64", "float64", 4, V(int64_t, 9007199254740993, 9007199254740995, INT64_MIN, INT64_MAX),
     V(double, 9007199254740992.0, 9007199254740996.0, -0x1p63, 0x1p63)},
    /* just above a tie of float32: rounded once, not by way of float64 */
    {"int64", "float32", 2, V(int64_t, (INT64_C(1) << 60) + (INT64_C(1) << 36) + 1, -16777217),
     V(float, 0x1.000002p60f, -16777216.0f)},
    {"int64", "float128", 1, V(int64_t, INT64_MIN + 1), V(long double, -9223372036854775807.0L)},
    {"int32", "float16", 3, V(int32_t, -65519, -65520, 70000), V(uint16_t, 0xfbff, 0xfc00, 0x7c00)},
    {"int16", "complex256", 1, V(int16_t, -32768), V(long double, -32768, 0)},
    /* floats */
    {"float16", "float32", 4, V(uint16_t, 0x0001, 0xfbff, 0x7c00, 0x8000),
     V(float, 0x1p-24f, -65504.0f, INFINITY, -0.0f)},
    {"float16", "float64", 2, V(uint16_t, 0x03ff, 0xfc00), V(double, 0x1.ff8p-15, -INF)},
    {"float16", "complex64", 1, V(uint16_t, 0xbc00), V(float, -1, 0)},
    {"float32", "float16", 4, V(float, 1.00048828125f, 65520, -0.0f, 0x1p-25f),
     V(uint16_t, 0x3c00, 0x7c00, 0x8000, 0)},
    {"float32", "float64", 3, V(float, 0x1p-149f, NAN, -INFINITY),
     V(double, 0x1p-149, (double)NAN, -INF)},
    {"float32", "complex128", 2, V(float, 0.1f, -0.0f), V(double, 0.1f, 0, -0.0, 0)},
    {"float64", "float32", 6,
     V(double, 1 + 0x1p-24, 1 + 0x1.8p-23, 1e300, -1e300, 0x1p-150, 0x1.8p-150),
     V(float, 1, 1 + 0x1p-22f, INFINITY, -INFINITY, 0, 0x1p-149f)},
    /* just above a tie of float16, which float32 would round onto it */
    {"float64", "float16", 2, V(double, 1 + 0x1p-11 + 0x1p-40, 65519.9999),
     V(uint16_t, 0x3c01, 0x7bff)},
    {"float64", "float128", 2, V(double, 0.1, -0.0), V(long double, 0.1, -0.0L)},
    {"float64", "complex64", 1, V(double, 1e300), V(float, INFINITY, 0)},
    {"float128", "float64", 3, V(long double, 1 + 0x1p-60L, 0x1p2000L, -INFL),
     V(double, 1, INF, -INF)},
    {"float128", "float32", 1, V(long double, 0x1p-16000L), V(float, 0)},
    {"float128", "complex256", 1, V(long double, 1 + 0x1p-60L), V(long double, 1 + 0x1p-60L, 0)},
    /* complex */
    {"complex64", "complex128", 1, V(float, -0.0f, INFINITY), V(double, -0.0, INF)},
    {"complex128", "complex64", 2, V(double, 1e300, -0.0, 1 + 0x1p-24, -1e-300),
     V(float, INFINITY, -0.0f, 1, -0.0f)},
    {"complex256", "complex128", 1, V(long double, 1 + 0x1p-60L, 0x1p2000L), V(double, 1, INF)},
    {"complex64", "complex256", 1, V(float, 0.5f, -2), V(long double, 0.5L, -2)},
    /* counts of time, and not-a-time among them */
    {"datetime64[ns]", "int64", 2, V(int64_t, INT64_MIN, -1), V(int64_t, INT64_MIN, -1)},
    /* what only files have */
    {"bfloat16", "float32", 4, V(uint16_t, 0x3f80, 0x0001, 0xff80, 0x7fc0),
     V(float, 1, 0x1p-133f, -INFINITY, NAN)},
    {"bfloat16", "float16", 2, V(uint16_t, 0x7f7f, 0x3f81), V(uint16_t, 0x7c00, 0x3c08)},
    {"bfloat16", "complex128", 1, V(uint16_t, 0xc000), V(double, -2, 0)},
    {"float8_e4m3fn", "float32", 4, V(uint8_t, 0x7e, 0x01, 0xfe, 0x80),
     V(float, 448, 0x1p-9f, -448, -0.0f)},
    {"float8_e5m2", "float64", 4, V(uint8_t, 0x7b, 0x01, 0xfc, 0x3c),
     V(double, 57344, 0x1p-16, -INF, 1)},
};

/* x87 numbers have 6 bytes of padding, about which nobody promises anything. */
static bool same_elements(const char *a, const char *b, size_t count, muster_type type) {
  const size_t unit = mst_swap_unit(type);
  const size_t units = count * (muster_type_size(type) / unit);
  for (size_t i = 0; i < units; i++)
    if (memcmp(a + i * unit, b + i * unit, unit == 16 ? 10 : unit) != 0) return false;
  return true;
}

#define ROOM 1024

/* With this step between elements at the target, from a source that is not aligned. */
static bool converts(const conversion *row, int64_t step) {
  const muster_dtype from = dtype(row->from), to = dtype(row->to);
  const size_t size = muster_type_size(to.type);
  char source[ROOM], target[ROOM], packed[ROOM];
  memcpy(source + 1, row->in, row->count * muster_type_size(from.type));
  memset(target, 0x5a, sizeof target);
  char *first = target + (step < 0 ? ROOM / 2 : 1);
  mst_converter(&from, &to)(source + 1, first, step, row->count);
  for (size_t i = 0; i < row->count; i++) {
    memcpy(packed + i * size, first + (int64_t)i * step, size);
    memset(first + (int64_t)i * step, 0x5a, size);
  }
  for (size_t i = 0; i < sizeof target; i++)
    if (target[i] != 0x5a) return false; /* it wrote between the elements */
  return same_elements(packed, row->out, row->count, to.type);
}

static void test_values(void **state) {
  (void)state;
  for (const conversion *EACH(row, conversions)) {
    const int64_t size = (int64_t)muster_type_size(dtype(row->to).type);
    CHECK(converts(row, size), "%s to %s", row->from, row->to);
    CHECK(converts(row, size + 3), "%s to %s, with gaps", row->from, row->to);
    CHECK(converts(row, -size), "%s to %s, backwards", row->from, row->to);
  }
}

/* Equal types are copied bit by bit, signalling NaNs and padding included. */
static void test_copies(void **state) {
  (void)state;
  static const size_t sizes[] = {1, 2, 4, 8, 16, 32};
  for (size_t i = 0; i < COUNT(sizes); i++) {
    const mst_convert_fn copy = mst_copier(sizes[i]);
    unsigned char in[96], out[4 * 96];
    for (size_t k = 0; k < sizeof in; k++)
      in[k] = (unsigned char)(k * 37 + 1);
    copy(in, out, (int64_t)sizes[i], 3);
    assert_memory_equal(out, in, 3 * sizes[i]);
    copy(in, out + 3 * sizes[i], -(int64_t)sizes[i], 3);
    for (size_t k = 0; k < 3; k++)
      assert_memory_equal(out + (3 - k) * sizes[i], in + k * sizes[i], sizes[i]);
  }
  for (size_t size = 0; size < 64; size++)
    CHECK((mst_copier(size) != NULL) == (size > 0 && size <= 32 && (size & (size - 1)) == 0), "%zu",
          size);
  const uint64_t signalling = 0x7ff0000000000001;
  uint64_t copied = 0;
  converter("float64", "float64")(&signalling, &copied, 8, 1);
  assert_true(copied == signalling);
}

/* ---- byte order ------------------------------------------------------------------------------ */

static void test_swapping(void **state) {
  (void)state;
  for (int t = MUSTER_BOOL; t < MUSTER_TYPE_COUNT; t++) {
    const muster_type type = (muster_type)t;
    const size_t unit = mst_swap_unit(type), bytes = 5 * muster_type_size(type);
    unsigned char data[1 + 5 * 32], expected[5 * 32];
    for (size_t i = 0; i < bytes; i++)
      data[1 + i] = (unsigned char)i;
    for (size_t i = 0; i < bytes; i++)
      expected[i] = (unsigned char)(i / unit * unit + (unit - 1 - i % unit));
    mst_swap_bytes(data + 1, 5, type);
    CHECK(memcmp(data + 1, expected, bytes) == 0, "type %d", t);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_same_kind),   cmocka_unit_test(test_times),
      cmocka_unit_test(test_source_only), cmocka_unit_test(test_values),
      cmocka_unit_test(test_copies),      cmocka_unit_test(test_swapping),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
