/* SPDX-License-Identifier: Apache-2.0 */
/* The ways of mst_unshuffle and mst_unshuffle_bits: by vectors of 16 bytes, and of 32. */
#ifndef MST_CODECS_SHUFFLE_H
#define MST_CODECS_SHUFFLE_H

#include <stddef.h>

/* Whole vectors of `count` elements; returns the elements that were done, none of sizes other than
 * 2, 4 and 8. */
size_t mst_unshuffle_by_16(const unsigned char *from, unsigned char *to, size_t count,
                           size_t itemsize);
/* Whole vectors of each of 8 rows, `pitch` bytes apart; returns the bytes of a row that were done.
 */
size_t mst_unshuffle_bits_by_16(const unsigned char *from, unsigned char *to, size_t pitch);

#if defined(__x86_64__)
/* The same on processors with AVX2. */
size_t mst_unshuffle_by_32(const unsigned char *from, unsigned char *to, size_t count,
                           size_t itemsize);
size_t mst_unshuffle_bits_by_32(const unsigned char *from, unsigned char *to, size_t pitch);
#endif

#endif
