/* SPDX-License-Identifier: Apache-2.0 */
/* The checksum of muster/dataset.h, over pieces: every sink can be combined with it. */
#ifndef MST_SINKS_CHECKSUM_H
#define MST_SINKS_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

/* A run of bytes that follow one another; sums of runs that begin at multiples of 8 add up. */
typedef struct mst_checksum {
  uint64_t sum;
  uint64_t word;  /* index of the next word, plus one */
  uint64_t carry; /* bytes of a word that is not whole yet */
  unsigned carried;
} mst_checksum;

/* offset: of the first byte in the array; a multiple of 8. */
mst_checksum mst_checksum_begin(uint64_t offset);
void mst_checksum_add(mst_checksum *checksum, const void *data, size_t length);
/* The sum, an unfinished word padded with zeros. */
uint64_t mst_checksum_end(const mst_checksum *checksum);

#endif
