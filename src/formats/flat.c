/* SPDX-License-Identifier: Apache-2.0 */
#include "formats/flat.h"

#include "base/alloc.h"
#include "base/cancel.h"
#include "base/shape.h"
#include "base/status.h"

static size_t itemsize_of(const mst_schema *schema) { return muster_type_size(schema->dtype.type); }

muster_status mst_flat_read_elements(const mst_open_shard *open, uint64_t first, uint64_t count,
                                     void *dst, muster_error *error) {
  const size_t itemsize = itemsize_of(open->schema);
  const uint64_t offset = open->shard->data_offset + first * itemsize;
  const size_t length = (size_t)count * itemsize;
  if (open->direct != NULL) return mst_direct_read(open->direct, offset, dst, length, error);
  return mst_io_read(open->fd, open->shard->path, offset, dst, length, error);
}

#define WRITE_BLOCK ((size_t)1 << 20)

static muster_status write_elements(const mst_new_shard *shard, int fd, uint64_t offset,
                                    uint64_t elements, void *block, muster_error *error) {
  const size_t itemsize = itemsize_of(&shard->schema);
  const uint64_t at_once = WRITE_BLOCK / itemsize;
  for (uint64_t first = 0; first < elements; first += at_once) {
    if (mst_is_cancelled(shard->cancel))
      return mst_fail(error, MUSTER_ERR_CANCELLED, shard->path, "cancelled");
    const uint64_t left = elements - first;
    const size_t count = (size_t)(left < at_once ? left : at_once);
    shard->fill(shard->context, block, first, count);
    const muster_status status =
        mst_io_write(fd, shard->path, offset + first * itemsize, block, count * itemsize, error);
    if (status != MUSTER_OK) return status;
  }
  return MUSTER_OK;
}

muster_status mst_flat_write_elements(const mst_new_shard *shard, int fd, uint64_t offset,
                                      muster_error *error) {
  uint64_t elements;
  const mst_schema *schema = &shard->schema;
  if (!mst_shape_elements(schema->rank, schema->shape, itemsize_of(schema), &elements))
    return mst_fail(error, MUSTER_ERR_USAGE, shard->path, "the shape is too large");
  void *block = mst_alloc(WRITE_BLOCK);
  if (block == NULL) return mst_fail_memory(error);
  const muster_status status = write_elements(shard, fd, offset, elements, block, error);
  mst_free(block);
  return status;
}

muster_status mst_flat_write(const mst_new_shard *shard, const void *header, size_t header_length,
                             muster_error *error) {
  int fd = -1;
  muster_status status = mst_io_create(shard->path, &fd, error);
  if (status == MUSTER_OK) status = mst_io_write(fd, shard->path, 0, header, header_length, error);
  if (status == MUSTER_OK) status = mst_flat_write_elements(shard, fd, header_length, error);
  if (fd < 0) return status;
  const muster_status closed =
      mst_io_close_written(fd, shard->path, status == MUSTER_OK ? error : NULL);
  return status != MUSTER_OK ? status : closed;
}
