/* SPDX-License-Identifier: Apache-2.0 */
/* muster/dataset.h: the sum over all 64-bit little-endian words of mix(w[i] + (i + 1) * K). */
#ifndef UNIT_NAIVE_CHECKSUM_H
#define UNIT_NAIVE_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

static inline uint64_t naive_mix(uint64_t x) {
  const uint64_t y = (x ^ x >> 32) * 0xD6E8FEB86659FD93;
  return y ^ y >> 29;
}

/* As if `first` words stood before these. */
static inline uint64_t naive_checksum_at(const void *data, size_t bytes, uint64_t first) {
  const unsigned char *at = data;
  uint64_t sum = 0;
  for (size_t i = 0; 8 * i < bytes; i++) {
    uint64_t word = 0;
    for (size_t k = 0; k < 8 && 8 * i + k < bytes; k++)
      word |= (uint64_t)at[8 * i + k] << 8 * k;
    sum += naive_mix(word + (first + i + 1) * 0x9E3779B97F4A7C15);
  }
  return sum;
}

static inline uint64_t naive_checksum(const void *data, size_t bytes) {
  return naive_checksum_at(data, bytes, 0);
}

#endif
