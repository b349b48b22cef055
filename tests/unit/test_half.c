/* SPDX-License-Identifier: Apache-2.0 */
/* Every small float there is, against the arithmetic definition of its format. */
#include "unit/unit.h"

#include <math.h>

#include "base/half.h"

/*
 * IEEE 754-2019, section 3.4: a sign, an exponent with a bias, a fraction. `infinite` says whether
 * the largest exponent is kept for infinity and NaN.
 */
typedef struct {
  int exponent_bits, fraction_bits;
  bool infinite;
} layout;

static const layout binary16 = {5, 10, true};
static const layout bfloat16 = {8, 7, true};
static const layout e5m2 = {5, 2, true};
static const layout e4m3fn = {4, 3, false}; /* S.1111.111 is its only NaN */

static double defined(unsigned bits, layout l) {
  const int exponent = (int)(bits >> l.fraction_bits & ((1u << l.exponent_bits) - 1));
  const unsigned fraction = bits & ((1u << l.fraction_bits) - 1);
  const int most = (1 << l.exponent_bits) - 1;
  const int bias = most >> 1;
  const bool negative = (bits >> (l.exponent_bits + l.fraction_bits) & 1) != 0;
  double value;
  if (exponent == most && (l.infinite || fraction == (1u << l.fraction_bits) - 1))
    value = l.infinite && fraction == 0 ? (double)INFINITY : (double)NAN;
  else if (exponent == 0)
    value = ldexp(fraction, 1 - bias - l.fraction_bits);
  else
    value = ldexp((double)fraction + ldexp(1, l.fraction_bits), exponent - bias - l.fraction_bits);
  return negative ? -value : value;
}

static bool same(double a, double b) {
  if (isnan(a) || isnan(b)) return isnan(a) && isnan(b);
  return a == b && signbit(a) == signbit(b);
}

static void test_float16(void **state) {
  (void)state;
  for (unsigned bits = 0; bits <= 0xffff; bits++)
    CHECK(same(mst_half_to_float((uint16_t)bits), defined(bits, binary16)), "%04x", bits);
}

static void test_bfloat16(void **state) {
  (void)state;
  for (unsigned bits = 0; bits <= 0xffff; bits++)
    CHECK(same(mst_bfloat16_to_float((uint16_t)bits), defined(bits, bfloat16)), "%04x", bits);
}

static void test_float8(void **state) {
  (void)state;
  for (unsigned bits = 0; bits <= 0xff; bits++) {
    CHECK(same(mst_e5m2_to_float((uint8_t)bits), defined(bits, e5m2)), "%02x", bits);
    CHECK(same(mst_e4m3fn_to_float((uint8_t)bits), defined(bits, e4m3fn)), "%02x", bits);
  }
}

/* The corners that the specifications of the formats name. */
static void test_named_values(void **state) {
  (void)state;
  assert_true(mst_half_to_float(0x7bff) == 65504.0f);
  assert_true(mst_half_to_float(0x0001) == 0x1p-24f);
  assert_true(mst_half_to_float(0x3555) == 0.333251953125f);
  assert_true(mst_e4m3fn_to_float(0x7e) == 448.0f);
  assert_true(mst_e4m3fn_to_float(0x01) == 0x1p-9f);
  assert_true(mst_e5m2_to_float(0x7b) == 57344.0f);
  assert_true(mst_e5m2_to_float(0x01) == 0x1p-16f);
  assert_true(mst_bfloat16_to_float(0x3f80) == 1.0f);
  assert_true(mst_bfloat16_to_float(0x7f7f) == 0x1.fep127f);
}

static void test_and_back(void **state) {
  (void)state;
  for (unsigned bits = 0; bits <= 0xffff; bits++) {
    const double value = defined(bits, binary16);
    const uint16_t half = mst_double_to_half(value);
    if (isnan(value))
      CHECK((half & 0x7fff) > 0x7c00, "%04x", bits);
    else
      CHECK(half == bits, "%04x became %04x", bits, half);
  }
}

/* The bits of a NaN's payload that fit are kept, as NumPy keeps them. */
static void test_payloads(void **state) {
  (void)state;
  static const struct {
    uint64_t bits;
    uint16_t half;
  } table[] = {
      {0x7ff8000000000000, 0x7e00}, {0xfff8000000000000, 0xfe00}, {0x7ff0040000000000, 0x7c01},
      {0x7ffffc0000000000, 0x7fff}, {0x7ff0000000000001, 0x7c01},
  };
  for (size_t i = 0; i < COUNT(table); i++) {
    double value;
    memcpy(&value, &table[i].bits, sizeof value);
    CHECK(mst_double_to_half(value) == table[i].half, "row %zu", i);
  }
}

/* The next double away from zero, or towards it. */
static double beside(double value, int step) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  bits += (uint64_t)(int64_t)step;
  memcpy(&value, &bits, sizeof bits);
  return value;
}

/* Between each two neighbours: the middle goes to the even one, the rest to the nearer one. */
static void test_ties(void **state) {
  (void)state;
  for (unsigned low = 0; low < 0x7c00; low++) {
    const double a = defined(low, binary16);
    const double b = low == 0x7bff ? 65536.0 : defined(low + 1, binary16);
    const double middle = (a + b) / 2;
    const unsigned even = low + (low & 1);
    for (int sign = 0; sign < 2; sign++) {
      const unsigned s = sign != 0 ? 0x8000 : 0;
      const double by = sign != 0 ? -1 : 1;
      CHECK(mst_double_to_half(by * middle) == (s | even), "%04x", low);
      CHECK(mst_double_to_half(by * beside(middle, -1)) == (s | low), "%04x", low);
      CHECK(mst_double_to_half(by * beside(middle, 1)) == (s | (low + 1)), "%04x", low);
    }
  }
}

static void test_far_values(void **state) {
  (void)state;
  static const struct {
    double value;
    uint16_t half;
  } table[] = {
      {0.0, 0},           {-0.0, 0x8000},    {1e300, 0x7c00}, {-1e300, 0xfc00},
      {1e-300, 0},        {-1e-300, 0x8000}, {0x1p-25, 0},    {0x1.8p-25, 1},
      {65519.99, 0x7bff}, {65520, 0x7c00},   {0x1p-1074, 0},  {0x1.fffffffffffffp1023, 0x7c00},
  };
  for (size_t i = 0; i < COUNT(table); i++)
    CHECK(mst_double_to_half(table[i].value) == table[i].half, "row %zu", i);
  assert_int_equal(mst_double_to_half((double)INFINITY), 0x7c00);
  assert_int_equal(mst_double_to_half(-(double)INFINITY), 0xfc00);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_float16),  cmocka_unit_test(test_bfloat16),
      cmocka_unit_test(test_float8),   cmocka_unit_test(test_named_values),
      cmocka_unit_test(test_and_back), cmocka_unit_test(test_payloads),
      cmocka_unit_test(test_ties),     cmocka_unit_test(test_far_values),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
