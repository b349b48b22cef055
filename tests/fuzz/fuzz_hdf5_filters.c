/* SPDX-License-Identifier: Apache-2.0 */
/* A chain of filters and a chunk that is said to have gone through it. */
#include <string.h>

#include "base/alloc.h"
#include "formats/hdf5/filters.h"
#include "fuzz.h"

enum { LARGEST_CHUNK = 1 << 16, HEADER = 4 };

static const int ids[] = {MST_H5_DEFLATE,     MST_H5_SHUFFLE,    MST_H5_FLETCHER32,
                          MST_H5_SCALEOFFSET, MST_H5_LZF,        MST_H5_BLOSC,
                          MST_H5_LZ4,         MST_H5_BITSHUFFLE, MST_H5_ZSTD};

/* The first byte says how many, the next ones which; their values are small numbers. */
static size_t take_filters(const uint8_t *data, size_t size, mst_h5_filters *filters) {
  size_t at = 0;
  filters->count = 1 + data[at++] % 3;
  for (size_t i = 0; i < filters->count && at + 1 + MST_H5_FILTER_VALUES <= size; i++) {
    mst_h5_filter *filter = &filters->list[i];
    filter->id = ids[data[at] % (sizeof ids / sizeof *ids)];
    filter->count = (data[at++] >> 4) % (MST_H5_FILTER_VALUES + 1);
    for (size_t k = 0; k < MST_H5_FILTER_VALUES; k++)
      filter->values[k] = data[at++];
  }
  return at;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size < HEADER) return 0;
  const size_t chunk = 1 + (((size_t)data[0] << 8 | data[1]) % LARGEST_CHUNK);
  const uint32_t mask = data[2];
  mst_h5_filters filters = {0};
  const size_t used = 3 + take_filters(data + 3, size - 3, &filters);
  for (size_t i = 0; i < filters.count; i++)
    if (!mst_h5_can_undo(filters.list[i].id)) return 0;
  const size_t length = size - used;
  /* Exactly as long, so that a byte too far is seen. */
  unsigned char *src = mst_alloc(length > 0 ? length : 1), *dst = mst_alloc(chunk);
  ALWAYS(src != NULL && dst != NULL);
  memcpy(src, data + used, length);
  mst_decoder decoder = {.path = "any.h5"};
  mst_h5_between between = {0};
  muster_error error = {.offset = -1};
  const muster_status status =
      mst_h5_undo(&filters, mask, &decoder, &between, src, length, dst, chunk, &error);
  if (status != MUSTER_OK) check_error(status, &error, size);
  mst_h5_between_reset(&between);
  mst_decoder_reset(&decoder);
  mst_free(src);
  mst_free(dst);
  return 0;
}
