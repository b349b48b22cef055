/* SPDX-License-Identifier: Apache-2.0 */
#include "base/strided.h"

void mst_strided_init(mst_strided *layout, size_t rank, const uint64_t *shape,
                      const int64_t *strides) {
  layout->rank = 0;
  for (size_t i = 0; i < rank; i++) {
    if (shape[i] == 1) continue;
    const size_t last = layout->rank - 1;
    const bool joins = layout->rank > 0 && layout->strides[last] == strides[i] * (int64_t)shape[i];
    if (joins) {
      layout->shape[last] *= shape[i];
      layout->strides[last] = strides[i];
    } else {
      layout->shape[layout->rank] = shape[i];
      layout->strides[layout->rank] = strides[i];
      layout->rank++;
    }
  }
  if (layout->rank == 0) {
    layout->rank = 1;
    layout->shape[0] = 1;
    layout->strides[0] = 0; /* one element: no step is ever taken */
  }
}

static bool is_single(const mst_strided *layout) {
  return layout->rank == 1 && layout->shape[0] == 1;
}

bool mst_strided_is_dense(const mst_strided *layout, size_t itemsize) {
  return layout->rank == 1 && (layout->strides[0] == (int64_t)itemsize || is_single(layout));
}

uint64_t mst_strided_run(const mst_strided *layout, size_t itemsize) {
  const size_t last = layout->rank - 1;
  return layout->strides[last] == (int64_t)itemsize ? layout->shape[last] : 0;
}

int64_t mst_strided_offset(const mst_strided *layout, uint64_t element) {
  int64_t offset = 0;
  for (size_t i = layout->rank; i-- > 0;) {
    const uint64_t length = layout->shape[i];
    offset += (int64_t)(element % length) * layout->strides[i];
    element /= length;
  }
  return offset;
}

void mst_strided_scatter(const mst_strided *layout, void *dst, uint64_t first, uint64_t count,
                         const void *src, size_t src_itemsize, mst_convert_fn convert) {
  const size_t last = layout->rank - 1;
  const uint64_t run = layout->shape[last];
  const char *from = src;
  while (count > 0) {
    const uint64_t left = run - first % run;
    const uint64_t step = left < count ? left : count;
    convert(from, (char *)dst + mst_strided_offset(layout, first), layout->strides[last],
            (size_t)step);
    from += step * src_itemsize;
    first += step;
    count -= step;
  }
}
