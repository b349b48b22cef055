/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How an array in device memory is cut into pieces that fit a buffer of the host, and how each is
 * copied: the piece lies dense in the buffer, its axes in the order in which they lie in device
 * memory, so that as much of it as possible is one two-dimensional copy. Arithmetic only.
 */
#ifndef MST_GPU_CUT_H
#define MST_GPU_CUT_H

#include "base/strided.h"

/* Pieces run along one axis, hold all of the axes behind it, and one index of those before. */
typedef struct mst_cut {
  const mst_strided *layout;
  size_t axis;
  uint64_t step;  /* indices of that axis in a piece */
  uint64_t inner; /* elements of one index */
} mst_cut;

/* Pieces of at most `most` elements (at least 1), about equally long. No length in the layout is 0.
 */
mst_cut mst_cut_of(const mst_strided *layout, uint64_t most);

/* The piece that begins at element `first`, which is where another one ends, or 0. Returns its
 * elements: they lie one behind the other in C order of the layout. */
uint64_t mst_cut_piece(const mst_cut *cut, uint64_t first, mst_strided *piece);

/* A piece on the host and the way from there. Host strides and offsets count from the buffer's
 * begin, those of the device from the piece's first element. */
typedef struct mst_transfer {
  int64_t host_strides[MUSTER_MAX_RANK + 1]; /* by the piece's axes */
  int64_t host_first;                        /* where its first element lies */
  int64_t device_lowest;                     /* the lowest of its addresses; 0 or less */

  size_t width, height; /* of one copy: bytes, and how many such lines */
  size_t host_pitch, device_pitch;
  uint64_t copies; /* one for each index of the axes that are left */
  size_t rank;
  uint64_t shape[MUSTER_MAX_RANK + 1];
  size_t host_steps[MUSTER_MAX_RANK + 1];
  size_t device_steps[MUSTER_MAX_RANK + 1];
} mst_transfer;

void mst_transfer_init(mst_transfer *transfer, const mst_strided *piece, size_t itemsize);

/* Offsets of one of its copies: on the host from the buffer's begin, on the device from the lowest
 * address. */
void mst_transfer_copy(const mst_transfer *transfer, uint64_t copy, size_t *host, size_t *device);

#endif
