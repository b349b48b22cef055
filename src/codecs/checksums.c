/* SPDX-License-Identifier: Apache-2.0 */
/* The checksums that filters put around data, but for CRC-32C. */
#include "codecs/codec.h"

#ifdef MST_HAVE_DEFLATE
#include <libdeflate.h>
#endif

#define CRC32_POLYNOMIAL 0xEDB88320U
#define ADLER_MODULUS 65521U

uint32_t mst_crc32(const void *data, size_t length) {
#ifdef MST_HAVE_DEFLATE
  return libdeflate_crc32(0, data, length);
#else
  const unsigned char *at = data;
  uint32_t crc = UINT32_MAX;
  for (; length > 0; length--) {
    crc ^= *at++;
    for (int bit = 0; bit < 8; bit++)
      crc = crc >> 1 ^ (crc & 1U ? CRC32_POLYNOMIAL : 0U);
  }
  return ~crc;
#endif
}

uint32_t mst_adler32(const void *data, size_t length) {
#ifdef MST_HAVE_DEFLATE
  return libdeflate_adler32(1, data, length);
#else
  const unsigned char *at = data;
  uint32_t low = 1, high = 0;
  for (; length > 0; length--) {
    low = (low + *at++) % ADLER_MODULUS;
    high = (high + low) % ADLER_MODULUS;
  }
  return high << 16 | low;
#endif
}

/* Sums in ones' complement, where 65535 is what is left of its multiples. */
static uint64_t fold(uint64_t sum) {
  while (sum > 0xFFFF)
    sum = (sum & 0xFFFF) + (sum >> 16);
  return sum;
}

uint32_t mst_fletcher32(const void *data, size_t length) {
  const unsigned char *at = data;
  uint64_t first = 0, second = 0;
  for (; length >= 2; length -= 2, at += 2) {
    first += (uint64_t)at[0] << 8 | at[1];
    second += first;
    /* Far from overflow for as many words as are added before the next fold. */
    if ((length & 0xFFFE) == 0) {
      first = fold(first);
      second = fold(second);
    }
  }
  if (length > 0) first += (uint64_t)at[0] << 8;
  if (length > 0) second += first;
  return (uint32_t)(fold(second) << 16 | fold(first));
}
