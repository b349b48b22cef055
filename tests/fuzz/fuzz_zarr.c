/* SPDX-License-Identifier: Apache-2.0 */
/* The metadata of a Zarr array, a NUL byte, and the bytes of a chunk or shard. */
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/dtype.h"
#include "base/json.h"
#include "formats/zarr/decode.h"
#include "formats/zarr/index.h"
#include "fuzz.h"

#define MOST_BYTES ((size_t)4 << 20)
#define MOST_ENTRIES 4096

static void check_array(const mst_zarr_array *array) {
  const mst_chunk_grid *grid = &array->grid;
  bool seen[MUSTER_MAX_RANK] = {false};
  ALWAYS(grid->rank <= MUSTER_MAX_RANK && array->schema.rank == grid->rank);
  ALWAYS(grid->itemsize > 0 && grid->chunk_bytes >= grid->itemsize);
  ALWAYS(array->chain.count <= MST_ZARR_MAX_STEPS && array->chain.room >= grid->chunk_bytes);
  ALWAYS(array->level_count <= MST_ZARR_MAX_LEVELS);
  for (size_t i = 0; i < array->level_count; i++)
    ALWAYS(array->levels[i].entries > 0);
  for (size_t i = 0; i < grid->rank; i++) {
    ALWAYS(grid->chunk[i] > 0 && mst_zarr_per_file(array, i) > 0);
    if (!array->chain.transposed) continue;
    ALWAYS(array->chain.axes[i] < grid->rank && !seen[array->chain.axes[i]]);
    seen[array->chain.axes[i]] = true;
  }
}

static void decode_chunk(const mst_zarr_array *array, const uint8_t *data, size_t size) {
  mst_decoder decoder = {.path = "chunk"};
  mst_zarr_scratch scratch = {0};
  muster_error error = {.offset = -1};
  if (array->chain.room > MOST_BYTES || size > array->chain.room) return;
  void *dst = malloc(array->grid.chunk_bytes);
  const muster_status status = mst_zarr_decode(array, &decoder, &scratch, data, size, dst, &error);
  if (status != MUSTER_OK) check_error(status, &error, size);
  free(dst);
  mst_zarr_scratch_reset(&scratch);
  mst_decoder_reset(&decoder);
}

static void look_up(const mst_zarr_index *index, size_t size) {
  for (uint64_t i = 0; i < index->count && i < MOST_ENTRIES; i++) {
    uint64_t offset, length;
    bool found;
    muster_error error = {.offset = -1};
    const muster_status status =
        mst_zarr_index_entry(index, i, "shard", &offset, &length, &found, &error);
    if (status != MUSTER_OK)
      check_error(status, &error, size);
    else if (found)
      ALWAYS(offset <= size && length <= size - offset);
  }
}

static void read_index(const mst_zarr_array *array, size_t level, const uint8_t *data,
                       size_t size) {
  mst_zarr_indices indices = {0};
  const mst_zarr_index *index;
  muster_error error = {.offset = -1};
  const int fd = memfd_create("shard", MFD_CLOEXEC);
  ALWAYS(fd >= 0 && write(fd, data, size) == (ssize_t)size);
  const mst_zarr_extent extent = {.fd = fd, .path = "shard", .size = size};
  const muster_status status =
      mst_zarr_indices_read(&indices, array, level, &extent, 7, &index, &error);
  if (status != MUSTER_OK) check_error(status, &error, size);
  if (status == MUSTER_OK) look_up(index, size);
  mst_zarr_indices_reset(&indices);
  (void)close(fd);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const uint8_t *end = memchr(data, 0, size);
  const size_t length = end != NULL ? (size_t)(end - data) : size;
  const size_t rest = end != NULL ? size - length - 1 : 0;
  yyjson_doc *doc;
  muster_error error = {.offset = -1};
  static mst_zarr_array array;
  muster_status status =
      mst_json_parse_python("zarr.json", (const char *)data, length, &doc, &error);
  if (status != MUSTER_OK) {
    check_error(status, &error, size);
    return 0;
  }
  yyjson_val *root = yyjson_doc_get_root(doc);
  const bool is_old = yyjson_get_uint(yyjson_obj_get(root, "zarr_format")) == 2;
  status = (is_old ? mst_zarr_parse_v2 : mst_zarr_parse_v3)("zarr.json", root, &array, &error);
  yyjson_doc_free(doc);
  if (status != MUSTER_OK) {
    check_error(status, &error, size);
    return 0;
  }
  check_array(&array);
  const uint8_t *chunk = rest > 0 ? end + 1 : data;
  for (size_t level = 0; level < array.level_count; level++)
    read_index(&array, level, chunk, rest);
  decode_chunk(&array, chunk, rest);
  return 0;
}
