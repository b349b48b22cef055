/* SPDX-License-Identifier: Apache-2.0 */
#include "formats/zarr/index.h"

#include <inttypes.h>
#include <string.h>

#include "base/alloc.h"
#include "base/io.h"
#include "base/status.h"
#include "codecs/codec.h"

#define ENTRY_BYTES 16
#define CHECKSUM_BYTES 4
#define KEPT_BYTES ((uint64_t)64 << 20)
/* Sixteen million chunks a shard; more are a mistake. */
#define MAX_BYTES ((uint64_t)256 << 20)

static void forget(mst_zarr_indices *indices, mst_zarr_index *index) {
  if (index->entries != NULL) indices->bytes -= index->count * ENTRY_BYTES;
  mst_free(index->entries);
  *index = (mst_zarr_index){0};
}

void mst_zarr_indices_reset(mst_zarr_indices *indices) {
  for (size_t i = 0; i < indices->count; i++)
    forget(indices, &indices->kept[i]);
  *indices = (mst_zarr_indices){0};
}

const mst_zarr_index *mst_zarr_indices_find(const mst_zarr_indices *indices, size_t level,
                                            uint64_t number) {
  for (size_t i = 0; i < indices->count; i++)
    if (indices->kept[i].number == number && indices->kept[i].level == level)
      return &indices->kept[i];
  return NULL;
}

/* Room for one more; all are let go when they take too much memory together. */
static mst_zarr_index *take_place(mst_zarr_indices *indices, uint64_t bytes) {
  if (indices->bytes + bytes > KEPT_BYTES) mst_zarr_indices_reset(indices);
  if (indices->count < MST_ZARR_MAX_INDICES) return &indices->kept[indices->count++];
  mst_zarr_index *place = &indices->kept[indices->next];
  indices->next = (indices->next + 1) % MST_ZARR_MAX_INDICES;
  forget(indices, place);
  return place;
}

static muster_status check_size(const mst_zarr_level *level, const mst_zarr_extent *extent,
                                uint64_t *length, muster_error *error) {
  *length = level->entries * ENTRY_BYTES + (level->index_has_checksum ? CHECKSUM_BYTES : 0);
  if (*length > MAX_BYTES)
    return mst_fail(error, MUSTER_ERR_UNSUPPORTED, extent->path,
                    "a shard of more than 16 million chunks: write it again with larger ones");
  if (*length <= extent->size) return MUSTER_OK;
  (void)mst_fail(error, MUSTER_ERR_FORMAT, extent->path,
                 "truncated: %" PRIu64 " bytes, the index of the shard alone takes %" PRIu64
                 ": copy the file again",
                 extent->size, *length);
  return mst_tell_sizes(error, MUSTER_ERR_FORMAT, extent->size, *length);
}

static muster_status check_sum(const unsigned char *data, size_t length, const char *path,
                               muster_error *error) {
  const unsigned char *told = data + length - CHECKSUM_BYTES;
  const uint32_t expected = (uint32_t)told[0] | (uint32_t)told[1] << 8 | (uint32_t)told[2] << 16 |
                            (uint32_t)told[3] << 24;
  if (mst_crc32c(0, data, length - CHECKSUM_BYTES) == expected) return MUSTER_OK;
  return mst_fail(error, MUSTER_ERR_FORMAT, path,
                  "damaged: the checksum of the shard's index is wrong: copy the file again");
}

static muster_status read_entries(const mst_zarr_level *level, const mst_zarr_extent *extent,
                                  uint64_t length, unsigned char *data, muster_error *error) {
  const uint64_t begin = level->index_at_start ? 0 : extent->size - length;
  const muster_status status =
      mst_io_read(extent->fd, extent->path, extent->offset + begin, data, (size_t)length, error);
  if (status != MUSTER_OK || !level->index_has_checksum) return status;
  return check_sum(data, (size_t)length, extent->path, error);
}

muster_status mst_zarr_indices_read(mst_zarr_indices *indices, const mst_zarr_array *array,
                                    size_t level, const mst_zarr_extent *extent, uint64_t number,
                                    const mst_zarr_index **index, muster_error *error) {
  const mst_zarr_level *shards = &array->levels[level];
  uint64_t length = 0;
  unsigned char *data = NULL;
  if (extent->fd >= 0) {
    muster_status status = check_size(shards, extent, &length, error);
    if (status != MUSTER_OK) return status;
    data = mst_alloc((size_t)length);
    if (data == NULL) return mst_fail_memory(error);
    status = read_entries(shards, extent, length, data, error);
    if (status != MUSTER_OK) {
      mst_free(data);
      return status;
    }
  }
  mst_zarr_index *place = take_place(indices, length);
  *place = (mst_zarr_index){.level = level,
                            .number = number,
                            .entries = data,
                            .count = shards->entries,
                            .size = extent->size,
                            .swapped = shards->index_swapped};
  if (data != NULL) indices->bytes += place->count * ENTRY_BYTES;
  *index = place;
  return MUSTER_OK;
}

static uint64_t number_at(const unsigned char *at, bool swapped) {
  uint64_t number;
  memcpy(&number, at, sizeof number);
  return swapped ? __builtin_bswap64(number) : number;
}

muster_status mst_zarr_index_entry(const mst_zarr_index *index, uint64_t entry, const char *path,
                                   uint64_t *offset, uint64_t *length, bool *found,
                                   muster_error *error) {
  const unsigned char *at = index->entries + entry * ENTRY_BYTES;
  *offset = number_at(at, index->swapped);
  *length = number_at(at + 8, index->swapped);
  *found = *offset != UINT64_MAX || *length != UINT64_MAX;
  if (!*found || (*offset <= index->size && *length <= index->size - *offset)) return MUSTER_OK;
  return mst_fail_at(error, MUSTER_ERR_FORMAT, path, (muster_offset)index->size,
                     "damaged: chunk %" PRIu64
                     " of the shard is said to end behind it: copy the file "
                     "again",
                     entry);
}
