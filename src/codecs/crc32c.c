/* SPDX-License-Identifier: Apache-2.0 */
/*
 * CRC-32C by the instruction that processors have for it, or bit by bit where they have none. The
 * polynomial is 0x1EDC6F41, reflected 0x82F63B78 (RFC 3720, appendix B.4).
 */
#include <string.h>

#include "codecs/codec.h"

#define POLYNOMIAL 0x82F63B78U

#if defined(__x86_64__)
#include <nmmintrin.h>

__attribute__((target("sse4.2"))) static uint32_t
by_instruction(uint32_t crc, const unsigned char *data, size_t length) {
  uint64_t wide = crc;
  for (; length >= 8; length -= 8, data += 8) {
    uint64_t word;
    memcpy(&word, data, 8);
    wide = _mm_crc32_u64(wide, word);
  }
  uint32_t narrow = (uint32_t)wide;
  while (length-- > 0)
    narrow = _mm_crc32_u8(narrow, *data++);
  return narrow;
}
#endif

static uint32_t by_bits(uint32_t crc, const unsigned char *data, size_t length) {
  while (length-- > 0) {
    crc ^= *data++;
    for (int bit = 0; bit < 8; bit++)
      crc = crc >> 1 ^ (crc & 1U ? POLYNOMIAL : 0U);
  }
  return crc;
}

uint32_t mst_crc32c(uint32_t crc, const void *data, size_t length) {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("sse4.2")) return ~by_instruction(~crc, data, length);
#endif
  return ~by_bits(~crc, data, length);
}
