/* SPDX-License-Identifier: Apache-2.0 */
/* The checksum of muster/dataset.h, word by word as it is defined there. */
#include "unit/unit.h"

#include "muster/dataset.h"
#include "sinks/checksum.h"
#include "unit/naive_checksum.h"

#define BYTES 4099

static unsigned char data[BYTES];

static int fill(void **state) {
  (void)state;
  uint64_t seed = 11;
  for (size_t i = 0; i < BYTES; i++)
    data[i] = (unsigned char)random_below(&seed, 256);
  return 0;
}

/* One zero word, and one that the first shift cancels, worked out on paper. */
static void test_by_hand(void **state) {
  (void)state;
  assert_int_equal(muster_checksum(NULL, 0), 0);
  /* x = K ^ K >> 32 = 0x9E3779B9E17D05AC; y = x * M; y ^ y >> 29 */
  const unsigned char zeros[8] = {0};
  const uint64_t x = 0x9E3779B9E17D05AC;
  const uint64_t y = x * 0xD6E8FEB86659FD93;
  assert_true(muster_checksum(zeros, 8) == (y ^ y >> 29));
  /* w + K = 0 */
  const uint64_t w = 0 - 0x9E3779B97F4A7C15;
  assert_true(muster_checksum(&w, 8) == 0);
}

static void test_every_length(void **state) {
  (void)state;
  for (size_t length = 0; length < 300; length++)
    CHECK(muster_checksum(data, length) == naive_checksum(data, length), "%zu bytes", length);
  assert_true(muster_checksum(data, BYTES) == naive_checksum(data, BYTES));
  assert_true(muster_checksum(data + 1, 64) == naive_checksum(data + 1, 64));
}

/* Added in two pieces, and in many small ones. */
static void test_split_anywhere(void **state) {
  (void)state;
  const uint64_t whole = naive_checksum(data, 300);
  for (size_t at = 0; at <= 300; at++) {
    mst_checksum checksum = mst_checksum_begin(0);
    mst_checksum_add(&checksum, data, at);
    mst_checksum_add(&checksum, data + at, 300 - at);
    CHECK(mst_checksum_end(&checksum) == whole, "at %zu", at);
  }
  uint64_t seed = 12;
  for (int round = 0; round < 200; round++) {
    mst_checksum checksum = mst_checksum_begin(0);
    for (size_t at = 0, step; at < BYTES; at += step) {
      step = random_below(&seed, 20);
      if (step > BYTES - at) step = BYTES - at;
      mst_checksum_add(&checksum, data + at, step);
    }
    assert_true(mst_checksum_end(&checksum) == naive_checksum(data, BYTES));
  }
}

/* Runs that begin at multiples of 8 add up, in any order. */
static void test_runs_add_up(void **state) {
  (void)state;
  const uint64_t whole = naive_checksum(data, BYTES);
  for (size_t at = 0; at < BYTES; at += 8) {
    mst_checksum late = mst_checksum_begin(at), early = mst_checksum_begin(0);
    mst_checksum_add(&late, data + at, BYTES - at);
    mst_checksum_add(&early, data, at);
    CHECK(mst_checksum_end(&late) + mst_checksum_end(&early) == whole, "at %zu", at);
  }
}

/* Far behind 2^32 words the place still counts. */
static void test_far_offset(void **state) {
  (void)state;
  const uint64_t offset = UINT64_C(1) << 45;
  mst_checksum checksum = mst_checksum_begin(offset);
  mst_checksum_add(&checksum, data, 24);
  assert_true(mst_checksum_end(&checksum) == naive_checksum_at(data, 24, offset / 8));
}

/* What a plain sum of words misses. */
static void test_notices_sign_flips(void **state) {
  (void)state;
  double values[64];
  for (size_t i = 0; i < COUNT(values); i++)
    values[i] = (double)i + 0.5;
  const uint64_t right = muster_checksum(values, sizeof values);
  for (size_t i = 0; i < COUNT(values); i++)
    for (size_t k = 0; k < i; k++) {
      values[i] = -values[i];
      values[k] = -values[k];
      CHECK(muster_checksum(values, sizeof values) != right, "signs of %zu and %zu", i, k);
      values[i] = -values[i];
      values[k] = -values[k];
    }
}

static void test_notices_sign_flips_of_floats(void **state) {
  (void)state;
  uint32_t values[64];
  memcpy(values, data, sizeof values);
  const uint64_t right = muster_checksum(values, sizeof values);
  for (size_t i = 0; i < COUNT(values); i++)
    for (size_t k = 0; k < i; k++) {
      values[i] ^= 0x80000000u;
      values[k] ^= 0x80000000u;
      CHECK(muster_checksum(values, sizeof values) != right, "signs of %zu and %zu", i, k);
      values[i] ^= 0x80000000u;
      values[k] ^= 0x80000000u;
    }
}

static void test_notices_swaps_and_flips(void **state) {
  (void)state;
  uint64_t words[32];
  memcpy(words, data, sizeof words);
  const uint64_t right = muster_checksum(words, sizeof words);
  for (size_t i = 0; i < COUNT(words); i++) {
    for (size_t k = 0; k < i; k++) {
      uint64_t swapped[COUNT(words)];
      memcpy(swapped, words, sizeof words);
      swapped[i] = words[k];
      swapped[k] = words[i];
      CHECK(muster_checksum(swapped, sizeof swapped) != right, "words %zu and %zu", i, k);
    }
    for (unsigned bit = 0; bit < 64; bit++) {
      words[i] ^= UINT64_C(1) << bit;
      CHECK(muster_checksum(words, sizeof words) != right, "bit %u of word %zu", bit, i);
      words[i] ^= UINT64_C(1) << bit;
    }
  }
}

/* By its definition zeros at the end count by the word, not by the byte. */
static void test_zeros_at_the_end(void **state) {
  (void)state;
  const unsigned char bytes[16] = {1, 2, 3};
  assert_true(muster_checksum(bytes, 3) == muster_checksum(bytes, 8));
  assert_true(muster_checksum(bytes, 8) != muster_checksum(bytes, 9));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_by_hand),
      cmocka_unit_test(test_every_length),
      cmocka_unit_test(test_split_anywhere),
      cmocka_unit_test(test_runs_add_up),
      cmocka_unit_test(test_far_offset),
      cmocka_unit_test(test_notices_sign_flips),
      cmocka_unit_test(test_notices_sign_flips_of_floats),
      cmocka_unit_test(test_notices_swaps_and_flips),
      cmocka_unit_test(test_zeros_at_the_end),
  };
  return cmocka_run_group_tests(tests, fill, NULL);
}
