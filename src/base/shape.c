/* SPDX-License-Identifier: Apache-2.0 */
#include "base/shape.h"

#include <inttypes.h>
#include <string.h>

bool mst_multiply(uint64_t a, uint64_t b, uint64_t *out) {
  return !__builtin_mul_overflow(a, b, out);
}

bool mst_shape_elements(size_t rank, const uint64_t *shape, size_t itemsize, uint64_t *elements) {
  uint64_t bytes = itemsize; /* with zeros counted as ones */
  *elements = 1;
  for (size_t i = 0; i < rank; i++) {
    if (!mst_multiply(bytes, shape[i] > 0 ? shape[i] : 1, &bytes)) return false;
    *elements *= shape[i];
  }
  return bytes <= MST_MAX_BYTES;
}

void mst_dense_strides(size_t rank, const uint64_t *shape, size_t itemsize, int64_t *strides) {
  int64_t stride = (int64_t)itemsize;
  for (size_t i = rank; i-- > 0;) {
    strides[i] = stride;
    stride *= (int64_t)(shape[i] > 0 ? shape[i] : 1);
  }
}

bool mst_same_shape(size_t rank_a, const uint64_t *a, size_t rank_b, const uint64_t *b) {
  return rank_a == rank_b && (rank_a == 0 || memcmp(a, b, rank_a * sizeof *a) == 0);
}

void mst_add_shape(mst_str *out, size_t rank, const uint64_t *shape) {
  mst_str_add(out, "(");
  for (size_t i = 0; i < rank; i++)
    mst_str_addf(out, "%s%" PRIu64, i > 0 ? ", " : "", shape[i]);
  mst_str_add(out, rank == 1 ? ",)" : ")");
}

uint64_t mst_ceil_divide(uint64_t a, uint64_t b) { return a / b + (a % b != 0); }
