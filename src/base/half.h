/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Small floats by integer arithmetic: gcc and clang agree on no type for them on every machine.
 * IEEE 754 binary16; bfloat16 is the upper half of binary32; the float8s are those of the OCP 8-bit
 * floating point specification (E4M3 without infinities, E5M2 the upper half of binary16).
 */
#ifndef MST_BASE_HALF_H
#define MST_BASE_HALF_H

#include <stdint.h>
#include <string.h>

static inline float mst_float_of_bits(uint32_t bits) {
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static inline float mst_half_to_float(uint16_t half) {
  const uint32_t sign = (uint32_t)(half & 0x8000u) << 16;
  const uint32_t exponent = half >> 10 & 0x1fu;
  const uint32_t fraction = half & 0x3ffu;
  if (exponent == 0x1f) return mst_float_of_bits(sign | 0x7f800000u | fraction << 13);
  if (exponent != 0) return mst_float_of_bits(sign | (exponent + 112) << 23 | fraction << 13);
  /* Subnormal: fraction * 2^-24 is exact in binary32. */
  const float value = (float)fraction * 0x1p-24f;
  return sign != 0 ? -value : value;
}

static inline float mst_bfloat16_to_float(uint16_t bits) {
  return mst_float_of_bits((uint32_t)bits << 16);
}

static inline float mst_e5m2_to_float(uint8_t bits) {
  return mst_half_to_float((uint16_t)((uint16_t)bits << 8));
}

static inline float mst_e4m3fn_to_float(uint8_t bits) {
  const uint32_t sign = (uint32_t)(bits & 0x80u) << 24;
  const uint32_t exponent = bits >> 3 & 0xfu;
  const uint32_t fraction = bits & 7u;
  if ((bits & 0x7f) == 0x7f) return mst_float_of_bits(sign | 0x7fc00000u);
  if (exponent != 0) return mst_float_of_bits(sign | (exponent + 120) << 23 | fraction << 20);
  const float value = (float)fraction * 0x1p-9f;
  return sign != 0 ? -value : value;
}

/* Rounds to nearest, ties to even, from binary64: one rounding for every narrower source. */
static inline uint16_t mst_double_to_half(double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  const uint16_t sign = (uint16_t)(bits >> 48 & 0x8000u);
  const uint64_t magnitude = bits & 0x7fffffffffffffffu;
  if (magnitude > 0x7ff0000000000000u) { /* NaN: keep the top of its payload, never become inf */
    const uint16_t payload = (uint16_t)(magnitude >> 42 & 0x3ffu);
    return (uint16_t)(sign | 0x7c00u | (payload != 0 ? payload : 1));
  }
  const int exponent = (int)(magnitude >> 52) - 1023;
  if (exponent > 15) return (uint16_t)(sign | 0x7c00u);
  if (exponent < -25) return sign;
  const uint64_t significand = (magnitude & 0xfffffffffffffu) | 0x10000000000000u;
  /* Bits below the last one kept: 42 for normal numbers, more for subnormal ones. */
  const int shift = exponent >= -14 ? 42 : 42 + (-14 - exponent);
  uint64_t kept = significand >> shift;
  const uint64_t rest = significand & (((uint64_t)1 << shift) - 1);
  const uint64_t half_way = (uint64_t)1 << (shift - 1);
  if (rest > half_way || (rest == half_way && (kept & 1) != 0)) kept++;
  /* A carry out of the fraction raises the exponent, as it should, up to infinity. */
  const uint64_t biased = exponent >= -14 ? (uint64_t)(exponent + 14) << 10 : 0;
  return (uint16_t)(sign | (biased + kept));
}

#endif
