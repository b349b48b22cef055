/* SPDX-License-Identifier: Apache-2.0 */
/* What several commands say of a dataset. */
#include <string.h>

#include "cli/cli.h"

uint64_t mst_dataset_bytes(const muster_dataset *dataset) {
  uint64_t bytes = 0;
  const bool over = __builtin_mul_overflow(muster_dataset_rows(dataset),
                                           muster_dataset_row_bytes(dataset), &bytes);
  return over ? UINT64_MAX : bytes;
}

size_t mst_common_folder(const muster_dataset *dataset) {
  muster_shard first;
  if (muster_dataset_shard(dataset, 0, &first) != MUSTER_OK) return 0;
  const char *slash = strrchr(first.path, '/');
  size_t length = slash != NULL ? (size_t)(slash - first.path) + 1 : 0;
  for (size_t i = 1; i < muster_dataset_shard_count(dataset) && length > 0; i++) {
    muster_shard shard;
    if (muster_dataset_shard(dataset, i, &shard) != MUSTER_OK) return 0;
    while (length > 0 && strncmp(shard.path, first.path, length) != 0) {
      do
        length--;
      while (length > 0 && first.path[length - 1] != '/');
    }
  }
  return length;
}

void mst_add_shard_name(mst_str *out, const muster_shard *shard, size_t folder) {
  mst_add_safe(out, shard->path + folder);
  if (shard->member == NULL) return;
  mst_str_add(out, ": ");
  mst_add_safe(out, shard->member);
}

void mst_json_add_shard(yyjson_mut_doc *doc, yyjson_mut_val *object, const muster_shard *shard) {
  mst_json_add_text(doc, object, "path", shard->path);
  if (shard->member != NULL)
    mst_json_add_text(doc, object, "member", shard->member);
  else
    yyjson_mut_obj_add_null(doc, object, "member");
}

static void add_nulls(yyjson_mut_doc *doc, yyjson_mut_val *object) {
  static const char *const keys[] = {"format",       "shape",     "rows",  "dtype",
                                     "source_dtype", "row_bytes", "bytes", "shard_count"};
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
    yyjson_mut_obj_add_null(doc, object, keys[i]);
  }
}

void mst_json_add_dataset(yyjson_mut_doc *doc, yyjson_mut_val *object,
                          const muster_dataset *dataset) {
  if (dataset == NULL) {
    add_nulls(doc, object);
    return;
  }
  const muster_dtype dtype = muster_dataset_dtype(dataset);
  const muster_dtype source = muster_dataset_source_dtype(dataset);
  mst_json_add_text(doc, object, "format", muster_dataset_format(dataset));
  mst_json_add_shape(doc, object, "shape", muster_dataset_shape(dataset),
                     muster_dataset_rank(dataset));
  yyjson_mut_obj_add_uint(doc, object, "rows", muster_dataset_rows(dataset));
  mst_json_add_dtype(doc, object, "dtype", &dtype);
  mst_json_add_dtype(doc, object, "source_dtype", &source);
  yyjson_mut_obj_add_uint(doc, object, "row_bytes", muster_dataset_row_bytes(dataset));
  yyjson_mut_obj_add_uint(doc, object, "bytes", mst_dataset_bytes(dataset));
  yyjson_mut_obj_add_uint(doc, object, "shard_count", muster_dataset_shard_count(dataset));
}

void mst_add_dtype(mst_str *out, const muster_dataset *dataset) {
  char name[48];
  char source_name[48];
  const muster_dtype dtype = muster_dataset_dtype(dataset);
  const muster_dtype source = muster_dataset_source_dtype(dataset);
  mst_str_add(out, muster_dtype_name(&dtype, name));
  if (strcmp(name, muster_dtype_name(&source, source_name)) != 0) {
    mst_str_addf(out, ", from %s in the files", source_name);
  }
}
