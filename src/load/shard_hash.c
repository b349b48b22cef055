/* SPDX-License-Identifier: Apache-2.0 */
#include "load/shard_hash.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <xxhash.h>

#include "base/alloc.h"
#include "base/status.h"
#include "load/read.h"
#include "load/record.h"
#include "load/tree.h"

#define BLOCK_BYTES ((size_t)1 << 20)

/* What is needed for as long as one shard is hashed. */
typedef struct mst_hashing {
  XXH3_state_t *state;
  void *block; /* BLOCK_BYTES */
} mst_hashing;

static muster_status hash_bytes(const mst_hashing *hashing, int fd, const char *path, uint64_t size,
                                muster_error *error) {
  mst_io_read_ahead(fd, size);
  for (uint64_t at = 0; at < size; at += BLOCK_BYTES) {
    const size_t length = (size_t)(size - at < BLOCK_BYTES ? size - at : BLOCK_BYTES);
    const muster_status status = mst_io_read(fd, path, at, hashing->block, length, error);
    if (status != MUSTER_OK) return status;
    XXH3_128bits_update(hashing->state, hashing->block, length);
  }
  return MUSTER_OK;
}

static muster_status hash_named(const mst_hashing *hashing, const char *folder, const char *name,
                                muster_error *error) {
  char *path = mst_record_path(folder, name);
  if (path == NULL) return mst_fail_memory(error);
  int fd = -1;
  mst_stat stat = {0};
  muster_status status = mst_io_open(path, &fd, error);
  if (status == MUSTER_OK) status = mst_io_fstat(fd, path, &stat, error);
  unsigned char size[8];
  for (size_t i = 0; i < sizeof size; i++)
    size[i] = (unsigned char)(stat.size >> 8 * i);
  XXH3_128bits_update(hashing->state, name, strlen(name) + 1);
  XXH3_128bits_update(hashing->state, size, sizeof size);
  if (status == MUSTER_OK) status = hash_bytes(hashing, fd, path, stat.size, error);
  mst_io_close(fd);
  mst_free(path);
  return status;
}

/* A folder may hold muster's own records, when it is the dataset itself. */
static bool is_record(const char *name) {
  return strcmp(name, MST_SEAL_RECORD) == 0 || strcmp(name, MST_WRITE_RECORD) == 0;
}

static muster_status hash_folder(const mst_hashing *hashing, const char *folder, uint64_t *bytes,
                                 muster_error *error) {
  mst_tree tree;
  muster_status status = mst_tree_list(folder, &tree, error);
  *bytes = tree.bytes;
  for (size_t i = 0; status == MUSTER_OK && i < tree.files.length; i++) {
    const char *name = tree.files.data[i];
    if (!is_record(name)) {
      status = hash_named(hashing, folder, name, error);
      continue;
    }
    char *path = mst_record_path(folder, name);
    mst_weight weight = {0};
    status = path != NULL ? mst_weigh(path, &weight, error) : mst_fail_memory(error);
    *bytes -= weight.bytes;
    mst_free(path);
  }
  mst_tree_reset(&tree);
  return status;
}

static muster_status hash_open(const mst_hashing *hashing, const mst_open_shard *open,
                               uint64_t *bytes, muster_error *error) {
  const mst_shard *shard = open->shard;
  if (shard->stat.is_directory) return hash_folder(hashing, shard->path, bytes, error);
  *bytes = shard->stat.size;
  return hash_bytes(hashing, open->fd, shard->path, *bytes, error);
}

muster_status mst_hash_shard(const muster_dataset *dataset, size_t index, mst_hash *out,
                             muster_error *error) {
  mst_open_shard open;
  muster_status status = mst_shard_open(dataset, index, &open, error);
  if (status != MUSTER_OK) return status;
  const mst_hashing hashing = {.block = mst_alloc(BLOCK_BYTES),
                               .state = XXH3_createState()}; /* of a size that only it knows */
  if (hashing.block == NULL || hashing.state == NULL) {
    status = mst_fail_memory(error);
  } else {
    XXH3_128bits_reset(hashing.state);
    status = hash_open(&hashing, &open, &out->bytes, error);
    const XXH128_hash_t hash = XXH3_128bits_digest(hashing.state);
    snprintf(out->text, MST_HASH_TEXT, "%016" PRIx64 "%016" PRIx64, (uint64_t)hash.high64,
             (uint64_t)hash.low64);
  }
  mst_free(hashing.block);
  XXH3_freeState(hashing.state);
  return mst_shard_close(dataset, &open, status, error);
}
