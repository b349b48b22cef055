/* SPDX-License-Identifier: Apache-2.0 */
/* Values by docs/json.md, "Seeded data". */
#include "unit/unit.h"

#include "base/seeded.h"

/* Outputs of splitmix64 as they are published (xoshiro.di.unimi.it, Rosetta Code). */
static void test_splitmix64(void **state) {
  (void)state;
  static const struct {
    uint64_t seed, index, bits;
  } table[] = {
      {0, 0, 0xE220A8397B1DCDAF},
      {0, 1, 0x6E789E6AA1B965F4},
      {0, 2, 0x06C45D188009454F},
      {1234567, 0, UINT64_C(6457827717110365317)},
      {1234567, 1, UINT64_C(3203168211198807973)},
      {1234567, 2, UINT64_C(9817491932198370423)},
      {1234567, 3, UINT64_C(4593380528125082431)},
      {1234567, 4, UINT64_C(16408922859458223821)},
  };
  for (size_t i = 0; i < COUNT(table); i++)
    CHECK(muster_seeded(table[i].seed, table[i].index) == table[i].bits, "row %zu", i);
}

#define V(type, ...) ((const type[]){__VA_ARGS__})

/* Cells 0, 1 and 2 of seed 0, from the three numbers above. */
static const struct {
  muster_type type;
  size_t size;
  const void *cells;
} cells[] = {
    {MUSTER_BOOL, 1, V(uint8_t, 1, 0, 1)},
    {MUSTER_INT8, 1, V(int8_t, -81, -12, 79)},
    {MUSTER_UINT8, 1, V(uint8_t, 0xAF, 0xF4, 0x4F)},
    {MUSTER_INT16, 2, V(int16_t, -12881, 26100, 17743)},
    {MUSTER_UINT16, 2, V(uint16_t, 0xCDAF, 0x65F4, 0x454F)},
    {MUSTER_INT32, 4, V(int32_t, 0x7B1DCDAF, -1581685260, -2146876081)},
    {MUSTER_UINT32, 4, V(uint32_t, 0x7B1DCDAF, 0xA1B965F4, 0x8009454F)},
    {MUSTER_INT64, 8, V(uint64_t, 0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F)},
    {MUSTER_UINT64, 8, V(uint64_t, 0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F)},
    /* The leading 11, 24 and 53 bits. 1809/2048 is 0x3b11, 883/2048 0x36e6, 54/2048 0x26c0. */
    {MUSTER_FLOAT16, 2, V(uint16_t, 0x3b11, 0x36e6, 0x26c0)},
    {MUSTER_FLOAT32, 4, V(float, 0xE220A8p-24f, 0x6E789Ep-24f, 0x06C45Dp-24f)},
    {MUSTER_FLOAT64, 8,
     V(double, 0x1C4415072F63B9p-53, 0x0DCF13CD54372Cp-53, 0x00D88BA3100128p-53)},
    {MUSTER_DATETIME64, 8, V(int64_t, 0xE220A8397B1DC, 0x6E789E6AA1B96, 0x06C45D1880094)},
    {MUSTER_TIMEDELTA64, 8, V(int64_t, 0xE220A8397B1DC, 0x6E789E6AA1B96, 0x06C45D1880094)},
};

static void test_cells(void **state) {
  (void)state;
  for (size_t i = 0; i < COUNT(cells); i++) {
    unsigned char out[3 * 8];
    mst_seeded_fill(out, cells[i].type, 0, 0, 3);
    CHECK(memcmp(out, cells[i].cells, 3 * cells[i].size) == 0, "type %d", (int)cells[i].type);
  }
}

/* The float64 value, and zeros in the padding. */
static void test_long_double(void **state) {
  (void)state;
  unsigned char out[3 * 16];
  memset(out, 0xff, sizeof out);
  mst_seeded_fill(out, MUSTER_LONGDOUBLE, 0, 0, 3);
  const double expected[] = {0x1C4415072F63B9p-53, 0x0DCF13CD54372Cp-53, 0x00D88BA3100128p-53};
  for (size_t i = 0; i < 3; i++) {
    long double cell;
    memcpy(&cell, out + 16 * i, sizeof cell);
    assert_true(cell == expected[i]);
    for (size_t k = 10; k < 16; k++)
      assert_int_equal(out[16 * i + k], 0);
  }
}

/* Cell i of a complex type is cells 2 i and 2 i + 1 of its parts. */
static void test_complex(void **state) {
  (void)state;
  static const muster_type types[][2] = {{MUSTER_COMPLEX64, MUSTER_FLOAT32},
                                         {MUSTER_COMPLEX128, MUSTER_FLOAT64},
                                         {MUSTER_CLONGDOUBLE, MUSTER_LONGDOUBLE}};
  for (size_t i = 0; i < COUNT(types); i++) {
    unsigned char whole[5 * 32], parts[10 * 16];
    mst_seeded_fill(whole, types[i][0], 99, 1000, 5);
    mst_seeded_fill(parts, types[i][1], 99, 2000, 10);
    assert_memory_equal(whole, parts, 5 * muster_type_size(types[i][0]));
  }
}

/* Any cell can be made by itself. */
static void test_pieces(void **state) {
  (void)state;
  for (int t = MUSTER_BOOL; t <= MUSTER_TIMEDELTA64; t++) {
    const muster_type type = (muster_type)t;
    const size_t size = muster_type_size(type);
    unsigned char whole[20 * 32], piece[20 * 32];
    mst_seeded_fill(whole, type, 5, UINT64_C(1) << 40, 20);
    for (size_t at = 0; at < 20; at += 3) {
      const size_t count = 20 - at < 3 ? 20 - at : 3;
      mst_seeded_fill(piece + at * size, type, 5, (UINT64_C(1) << 40) + at, count);
    }
    CHECK(memcmp(whole, piece, 20 * size) == 0, "type %d", t);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_splitmix64),  cmocka_unit_test(test_cells),
      cmocka_unit_test(test_long_double), cmocka_unit_test(test_complex),
      cmocka_unit_test(test_pieces),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
