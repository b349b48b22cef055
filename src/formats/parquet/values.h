/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The encodings of Parquet, bit by bit: each decoder goes on where it stopped, so that what it
 * delivers at once is up to its caller, whatever a page claims to hold.
 *
 * Bytes that are decoded have at least MST_PARQUET_PADDING readable bytes behind them.
 */
#ifndef MST_FORMATS_PARQUET_VALUES_H
#define MST_FORMATS_PARQUET_VALUES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MST_PARQUET_PADDING 16

/* Runs of one value, and values packed into as many bits as they need. */
typedef struct mst_hybrid {
  const unsigned char *at, *end;
  unsigned width;
  bool is_packed;
  uint64_t left;  /* of the run at hand */
  uint32_t value; /* of all in the run, if it is not packed */
  const unsigned char *packed;
  uint64_t packed_at; /* values of `packed` that were delivered */
} mst_hybrid;

/* False when the width is none. */
bool mst_hybrid_init(mst_hybrid *hybrid, const unsigned char *bytes, size_t length, unsigned width);
/* Exactly `count` values; false when there are not so many. */
bool mst_hybrid_read(mst_hybrid *hybrid, uint32_t *out, size_t count);
bool mst_hybrid_read_bytes(mst_hybrid *hybrid, uint8_t *out, size_t count);
/* How many of the next `count` values are `value` all, as far as that is to be seen at once; they
 * are passed. */
uint64_t mst_hybrid_pass(mst_hybrid *hybrid, uint32_t value, uint64_t count);

/* Differences of integers, packed (DELTA_BINARY_PACKED). */
typedef struct mst_delta {
  const unsigned char *at, *end;
  uint64_t block_values, mini_values;
  size_t mini_blocks;
  uint64_t left; /* values that were not unpacked yet */
  uint64_t last;
  bool has_first;
  uint64_t least; /* of the differences in the block */
  const unsigned char *widths;
  size_t mini_at;
  uint64_t mini_left;
  unsigned width;
  uint64_t unpacked[32];
  size_t unpacked_at, unpacked_count;
} mst_delta;

bool mst_delta_init(mst_delta *delta, const unsigned char *bytes, size_t length);
/* Exactly `count` values of 4 or 8 bytes. */
bool mst_delta_read(mst_delta *delta, void *out, size_t value_bytes, size_t count);

/* Bits from the one numbered `first` on, lowest first, to bytes of 0 and 1. */
void mst_unpack_bits(const unsigned char *bits, uint64_t first, uint8_t *out, size_t count);

#endif
