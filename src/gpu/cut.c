/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/cut.h"

#include "base/shape.h"

/* Every device takes pitches of nearly 2 GiB (CU_DEVICE_ATTRIBUTE_MAX_PITCH); lines that are
 * further apart are few. */
#define MOST_PITCH ((uint64_t)1 << 30)

/* ---- pieces ------------------------------------------------------------------------------------ */

mst_cut mst_cut_of(const mst_strided *layout, uint64_t most) {
  size_t axis = layout->rank - 1;
  uint64_t inner = 1;
  while (axis > 0 && layout->shape[axis] <= most / inner) {
    inner *= layout->shape[axis];
    axis--;
  }
  const uint64_t length = layout->shape[axis];
  const uint64_t pieces = mst_ceil_divide(length, mst_larger(most / inner, 1));
  return (mst_cut){
      .layout = layout, .axis = axis, .step = mst_ceil_divide(length, pieces), .inner = inner};
}

uint64_t mst_cut_piece(const mst_cut *cut, uint64_t first, mst_strided *piece) {
  const mst_strided *layout = cut->layout;
  const uint64_t length = layout->shape[cut->axis];
  const uint64_t at = first / cut->inner % length;
  piece->rank = layout->rank - cut->axis;
  for (size_t i = 0; i < piece->rank; i++) {
    piece->shape[i] = layout->shape[cut->axis + i];
    piece->strides[i] = layout->strides[cut->axis + i];
  }
  piece->shape[0] = mst_smaller(cut->step, length - at);
  return piece->shape[0] * cut->inner;
}

/* ---- transfers --------------------------------------------------------------------------------- */

static uint64_t magnitude(int64_t stride) {
  return stride < 0 ? -(uint64_t)stride : (uint64_t)stride;
}

/* Axes by their strides in device memory, the longest first; equal ones as they stand. */
static void sort_axes(const mst_strided *piece, size_t *order) {
  for (size_t i = 0; i < piece->rank; i++) {
    size_t at = i;
    for (; at > 0 && magnitude(piece->strides[order[at - 1]]) < magnitude(piece->strides[i]); at--)
      order[at] = order[at - 1];
    order[at] = i;
  }
}

/* Dense in that order. An axis that runs backwards in device memory does so on the host, too. */
static void lay_out_host(mst_transfer *transfer, const mst_strided *piece, const size_t *order,
                         size_t itemsize) {
  int64_t stride = (int64_t)itemsize;
  for (size_t i = piece->rank; i-- > 0;) {
    const size_t axis = order[i];
    const int64_t last = (int64_t)piece->shape[axis] - 1;
    const bool backwards = piece->strides[axis] < 0;
    transfer->host_strides[axis] = backwards ? -stride : stride;
    if (backwards) {
      transfer->host_first += last * stride;
      transfer->device_lowest += last * piece->strides[axis];
    }
    stride *= last + 1;
  }
}

/* The axis with the most lines whose distance a copy can have; SIZE_MAX: none. */
static size_t best_lines(const mst_strided *axes, size_t rank, size_t width) {
  size_t best = SIZE_MAX;
  for (size_t i = rank; i-- > 0;) {
    const uint64_t pitch = (uint64_t)axes->strides[i];
    if (pitch < width || pitch > MOST_PITCH) continue;
    if (best == SIZE_MAX || axes->shape[i] > axes->shape[best]) best = i;
  }
  return best;
}

/* `axes`: the piece's in the order of device memory, all forwards, joined where they can be. */
static void plan_copies(mst_transfer *transfer, const mst_strided *axes, size_t itemsize) {
  size_t rank = axes->rank, inner = itemsize;
  transfer->width = itemsize;
  transfer->height = 1;
  transfer->copies = 1;
  const uint64_t run =
      mst_strided_is_dense(axes, itemsize) ? axes->shape[0] : mst_strided_run(axes, itemsize);
  if (run > 0) {
    transfer->width = inner = (size_t)run * itemsize;
    rank--;
  }
  const size_t lines = best_lines(axes, rank, transfer->width);
  for (size_t i = rank; i-- > 0;) {
    if (i == lines) {
      transfer->height = (size_t)axes->shape[i];
      transfer->host_pitch = inner;
      transfer->device_pitch = (size_t)axes->strides[i];
    } else {
      const size_t at = transfer->rank++;
      transfer->shape[at] = axes->shape[i];
      transfer->host_steps[at] = inner;
      transfer->device_steps[at] = (size_t)axes->strides[i];
      transfer->copies *= axes->shape[i];
    }
    inner *= (size_t)axes->shape[i];
  }
}

void mst_transfer_init(mst_transfer *transfer, const mst_strided *piece, size_t itemsize) {
  size_t order[MUSTER_MAX_RANK + 1];
  uint64_t shape[MUSTER_MAX_RANK + 1];
  int64_t strides[MUSTER_MAX_RANK + 1];
  *transfer = (mst_transfer){0};
  sort_axes(piece, order);
  lay_out_host(transfer, piece, order, itemsize);
  for (size_t i = 0; i < piece->rank; i++) {
    shape[i] = piece->shape[order[i]];
    strides[i] = (int64_t)magnitude(piece->strides[order[i]]);
  }
  mst_strided axes;
  mst_strided_init(&axes, piece->rank, shape, strides);
  plan_copies(transfer, &axes, itemsize);
}

void mst_transfer_copy(const mst_transfer *transfer, uint64_t copy, size_t *host, size_t *device) {
  *host = *device = 0;
  for (size_t i = 0; i < transfer->rank; i++) { /* the innermost comes first */
    const size_t index = (size_t)(copy % transfer->shape[i]);
    *host += index * transfer->host_steps[i];
    *device += index * transfer->device_steps[i];
    copy /= transfer->shape[i];
  }
}
