/* SPDX-License-Identifier: Apache-2.0 */
#include "formats/parquet/values.h"

#include <string.h>

#define PASTE 32 /* values that are unpacked at once: a whole number of bytes of any width */

static uint64_t load64(const unsigned char *bytes) {
  uint64_t value;
  memcpy(&value, bytes, sizeof value);
  return __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? value : __builtin_bswap64(value);
}

static bool read_varint(const unsigned char **at, const unsigned char *end, uint64_t *out) {
  uint64_t value = 0;
  for (unsigned shift = 0; shift < 64 && *at < end; shift += 7) {
    const unsigned byte = *(*at)++;
    value |= (uint64_t)(byte & 0x7f) << shift;
    if ((byte & 0x80) == 0) {
      *out = value;
      return true;
    }
  }
  return false;
}

void mst_unpack_bits(const unsigned char *bits, uint64_t first, uint8_t *out, size_t count) {
  for (size_t i = 0; i < count; i++) {
    const uint64_t at = first + i;
    out[i] = bits[at >> 3] >> (at & 7) & 1;
  }
}

/* ---- unpacking ---------------------------------------------------------------------------------- */

/* With a width known to the compiler the shifts are constants. */
static inline __attribute__((always_inline)) void unpack_of(const unsigned char *bytes,
                                                            uint32_t *out, unsigned width) {
  const uint64_t mask = ((uint64_t)1 << width) - 1;
#pragma GCC unroll 32
  for (unsigned i = 0; i < PASTE; i++) {
    const unsigned bit = i * width;
    out[i] = (uint32_t)(load64(bytes + (bit >> 3)) >> (bit & 7) & mask);
  }
}

/* Reads up to 8 bytes behind the last value. */
static void unpack(const unsigned char *bytes, uint32_t *out, unsigned width) {
#define CASE(w) \
  case w: unpack_of(bytes, out, w); break
  switch (width) {
    CASE(1);
    CASE(2);
    CASE(3);
    CASE(4);
    CASE(5);
    CASE(6);
    CASE(7);
    CASE(8);
    CASE(9);
    CASE(10);
    CASE(11);
    CASE(12);
    CASE(13);
    CASE(14);
    CASE(15);
    CASE(16);
    CASE(17);
    CASE(18);
    CASE(19);
    CASE(20);
  default: unpack_of(bytes, out, width);
  }
#undef CASE
}

static uint32_t unpack_one(const mst_hybrid *hybrid, uint64_t index) {
  const uint64_t bit = index * hybrid->width;
  const uint64_t mask = ((uint64_t)1 << hybrid->width) - 1;
  return (uint32_t)(load64(hybrid->packed + (bit >> 3)) >> (bit & 7) & mask);
}

static void unpack_run(mst_hybrid *hybrid, uint32_t *out, size_t count) {
  size_t i = 0;
  uint64_t at = hybrid->packed_at;
  if (hybrid->width == 0) {
    memset(out, 0, count * sizeof *out);
    i = count;
  }
  for (; i < count && (at + i) % 8 != 0; i++)
    out[i] = unpack_one(hybrid, at + i);
  for (; i + PASTE <= count; i += PASTE)
    unpack(hybrid->packed + (at + i) / 8 * hybrid->width, out + i, hybrid->width);
  for (; i < count; i++)
    out[i] = unpack_one(hybrid, at + i);
  hybrid->packed_at = at + count;
}

/* ---- runs ------------------------------------------------------------------------------------------ */

bool mst_hybrid_init(mst_hybrid *hybrid, const unsigned char *bytes, size_t length,
                     unsigned width) {
  *hybrid = (mst_hybrid){.at = bytes, .end = bytes + length, .width = width};
  return width <= 32;
}

static bool begin_packed(mst_hybrid *hybrid, uint64_t groups) {
  const uint64_t there = (uint64_t)(hybrid->end - hybrid->at);
  if (groups > UINT32_MAX) return false;
  uint64_t bytes = groups * hybrid->width;
  hybrid->left = groups * 8;
  /* The last run may lack the bytes that would hold nothing but padding. */
  if (bytes > there) {
    bytes = there;
    hybrid->left = there * 8 / hybrid->width;
  }
  hybrid->is_packed = true;
  hybrid->packed = hybrid->at;
  hybrid->packed_at = 0;
  hybrid->at += bytes;
  return true;
}

static bool begin_run(mst_hybrid *hybrid) {
  uint64_t header;
  if (!read_varint(&hybrid->at, hybrid->end, &header)) return false;
  if ((header & 1) != 0) return begin_packed(hybrid, header >> 1);
  const size_t bytes = (hybrid->width + 7) / 8;
  if (bytes > (size_t)(hybrid->end - hybrid->at)) return false;
  hybrid->value = 0;
  for (size_t i = 0; i < bytes; i++)
    hybrid->value |= (uint32_t)hybrid->at[i] << 8 * i;
  hybrid->at += bytes;
  hybrid->is_packed = false;
  hybrid->left = header >> 1;
  return true;
}

static bool find_run(mst_hybrid *hybrid) {
  while (hybrid->left == 0)
    if (!begin_run(hybrid)) return false;
  return true;
}

static size_t at_hand(const mst_hybrid *hybrid, size_t count) {
  return hybrid->left < count ? (size_t)hybrid->left : count;
}

bool mst_hybrid_read(mst_hybrid *hybrid, uint32_t *out, size_t count) {
  for (size_t done = 0, now; done < count; done += now) {
    if (!find_run(hybrid)) return false;
    now = at_hand(hybrid, count - done);
    if (hybrid->is_packed) {
      unpack_run(hybrid, out + done, now);
    } else {
      for (size_t i = 0; i < now; i++)
        out[done + i] = hybrid->value;
    }
    hybrid->left -= now;
  }
  return true;
}

bool mst_hybrid_read_bytes(mst_hybrid *hybrid, uint8_t *out, size_t count) {
  uint32_t values[256];
  for (size_t done = 0, now; done < count; done += now) {
    if (!find_run(hybrid)) return false;
    now = at_hand(hybrid, count - done);
    if (hybrid->is_packed) {
      now = now < 256 ? now : 256;
      unpack_run(hybrid, values, now);
      for (size_t i = 0; i < now; i++)
        out[done + i] = (uint8_t)values[i];
    } else {
      memset(out + done, (int)(hybrid->value & 0xff), now);
    }
    hybrid->left -= now;
  }
  return true;
}

uint64_t mst_hybrid_pass(mst_hybrid *hybrid, uint32_t value, uint64_t count) {
  if (count == 0 || !find_run(hybrid)) return 0;
  if (hybrid->is_packed || hybrid->value != value) return 0;
  const uint64_t passed = hybrid->left < count ? hybrid->left : count;
  hybrid->left -= passed;
  return passed;
}

/* ---- differences ----------------------------------------------------------------------------------- */

static uint64_t unzigzag(uint64_t value) { return value >> 1 ^ (~(value & 1) + 1); }

bool mst_delta_init(mst_delta *delta, const unsigned char *bytes, size_t length) {
  *delta = (mst_delta){.at = bytes, .end = bytes + length};
  uint64_t minis = 0, first = 0;
  if (!read_varint(&delta->at, delta->end, &delta->block_values) ||
      !read_varint(&delta->at, delta->end, &minis) ||
      !read_varint(&delta->at, delta->end, &delta->left) ||
      !read_varint(&delta->at, delta->end, &first))
    return false;
  if (minis == 0 || minis > delta->block_values || delta->block_values > UINT32_MAX) return false;
  delta->mini_blocks = (size_t)minis;
  delta->mini_values = delta->block_values / minis;
  delta->mini_at = delta->mini_blocks;
  delta->last = unzigzag(first);
  return delta->block_values % minis == 0 && delta->mini_values % PASTE == 0;
}

static bool begin_mini_block(mst_delta *delta) {
  if (delta->mini_at == delta->mini_blocks) {
    uint64_t least;
    if (!read_varint(&delta->at, delta->end, &least)) return false;
    if (delta->mini_blocks > (size_t)(delta->end - delta->at)) return false;
    delta->least = unzigzag(least);
    delta->widths = delta->at;
    delta->at += delta->mini_blocks;
    delta->mini_at = 0;
  }
  delta->width = delta->widths[delta->mini_at++];
  delta->mini_left = delta->mini_values;
  return delta->width <= 64;
}

/* Of any width up to 64: a value may lie in nine bytes. */
static uint64_t unpack_wide(const unsigned char *bytes, unsigned index, unsigned width) {
  const unsigned bit = index * width, shift = bit & 7;
  uint64_t value = load64(bytes + (bit >> 3)) >> shift;
  if (shift + width > 64) value |= (uint64_t)bytes[(bit >> 3) + 8] << (64 - shift);
  return width == 64 ? value : value & (((uint64_t)1 << width) - 1);
}

/* The next 32 values, or those that are left. */
static bool unpack_differences(mst_delta *delta) {
  if (delta->mini_left == 0 && !begin_mini_block(delta)) return false;
  const size_t there = (size_t)(delta->end - delta->at);
  const size_t bytes = (size_t)delta->width * PASTE / 8;
  const size_t count = delta->left < PASTE ? (size_t)delta->left : PASTE;
  if ((count * delta->width + 7) / 8 > there) return false;
  uint64_t value = delta->last;
  for (unsigned i = 0; i < count; i++) {
    value += delta->least;
    if (delta->width > 0) value += unpack_wide(delta->at, i, delta->width);
    delta->unpacked[i] = value;
  }
  delta->last = value;
  delta->at += bytes < there ? bytes : there;
  delta->mini_left -= PASTE;
  delta->left -= count;
  delta->unpacked_at = 0;
  delta->unpacked_count = count;
  return true;
}

static bool more_values(mst_delta *delta) {
  if (delta->left == 0) return false;
  if (delta->has_first) return unpack_differences(delta);
  delta->has_first = true;
  delta->left--;
  delta->unpacked[0] = delta->last;
  delta->unpacked_at = 0;
  delta->unpacked_count = 1;
  return true;
}

bool mst_delta_read(mst_delta *delta, void *out, size_t value_bytes, size_t count) {
  for (size_t done = 0, now; done < count; done += now) {
    if (delta->unpacked_at == delta->unpacked_count && !more_values(delta)) return false;
    const size_t there = delta->unpacked_count - delta->unpacked_at;
    now = there < count - done ? there : count - done;
    const uint64_t *from = delta->unpacked + delta->unpacked_at;
    if (value_bytes == 8) {
      memcpy((char *)out + done * 8, from, now * 8);
    } else {
      for (size_t i = 0; i < now; i++) {
        const uint32_t value = (uint32_t)from[i];
        memcpy((char *)out + (done + i) * 4, &value, sizeof value);
      }
    }
    delta->unpacked_at += now;
  }
  return true;
}
