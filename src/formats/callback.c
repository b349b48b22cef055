/* SPDX-License-Identifier: Apache-2.0 */
/* Shards that the caller of the library reads: muster_open_reader. */
#include "base/alloc.h"
#include "base/convert.h"
#include "base/shape.h"
#include "base/status.h"
#include "base/strided.h"
#include "formats/format.h"

#define BLOCK_BYTES ((uint64_t)1 << 20)

/* The shard's number is all that its path says: "<reader:12>". */
static size_t number_of(const mst_open_shard *open) { return (size_t)open->shard->data_offset; }

static muster_status blame(muster_status status, const mst_open_shard *open, muster_error *error) {
  if (status == MUSTER_OK || error == NULL || error->status == status) return status;
  return mst_fail(error, status, open->shard->path, "the reader failed without saying why");
}

static muster_status read_dense(const mst_open_shard *open, uint64_t lo, uint64_t hi, void *dst,
                                muster_error *error) {
  const muster_reader *reader = open->context;
  if (error != NULL) *error = (muster_error){.offset = -1};
  return blame(reader->read_rows(reader->user, number_of(open), lo, hi, dst, error), open, error);
}

/* A few rows at a time through a block of our own. */
static muster_status read_scattered(const mst_open_shard *open, uint64_t lo, uint64_t hi, void *dst,
                                    const mst_strided *layout, uint64_t row_elements,
                                    muster_error *error) {
  const size_t itemsize = muster_type_size(open->schema->dtype.type);
  const uint64_t row_bytes = row_elements * itemsize;
  const uint64_t at_once = row_bytes < BLOCK_BYTES ? BLOCK_BYTES / row_bytes : 1;
  void *block = mst_alloc((size_t)(at_once * row_bytes));
  if (block == NULL) return mst_fail_memory(error);
  muster_status status = MUSTER_OK;
  for (uint64_t row = lo; status == MUSTER_OK && row < hi; row += at_once) {
    const uint64_t end = hi - row < at_once ? hi : row + at_once;
    status = read_dense(open, row, end, block, error);
    if (status != MUSTER_OK) break;
    mst_strided_scatter(layout, dst, (row - lo) * row_elements, (end - row) * row_elements, block,
                        itemsize, mst_copier(itemsize));
  }
  mst_free(block);
  return status;
}

static muster_status read_rows(const mst_open_shard *open, uint64_t lo, uint64_t hi, void *dst,
                               const int64_t *strides, muster_error *error) {
  const mst_schema *schema = open->schema;
  const size_t itemsize = muster_type_size(schema->dtype.type);
  uint64_t shape[MUSTER_MAX_RANK];
  uint64_t row_elements = 1;
  shape[0] = hi - lo;
  for (size_t i = 1; i < schema->rank; i++) {
    shape[i] = schema->shape[i];
    row_elements *= shape[i];
  }
  if (row_elements == 0 || lo == hi) return MUSTER_OK;
  mst_strided layout;
  mst_strided_init(&layout, schema->rank, shape, strides);
  if (mst_strided_is_dense(&layout, itemsize)) return read_dense(open, lo, hi, dst, error);
  return read_scattered(open, lo, hi, dst, &layout, row_elements, error);
}

static void release(void *context) {
  muster_reader *reader = context;
  if (reader == NULL) return;
  if (reader->release != NULL) reader->release(reader->user);
  mst_free(reader);
}

const mst_format mst_format_callback = {
    .name = "callback",
    .summary = "shards that the calling program reads",
    .extensions = "",
    .scheme = "<", /* no files behind it; nothing that a user can type */
    .release = release,
    .read_rows = read_rows,
};
