/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Checksums of whole files: XXH3-128, which is faster than any disk and no signature. Of a shard
 * that is a folder it is taken over all files below it, each behind its name and its size.
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "base/alloc.h"
#include "base/pool.h"
#include "base/status.h"
#include "load/output.h"
#include "load/read.h"
#include "load/record.h"
#include "load/tree.h"

#define BLOCK_BYTES ((size_t)1 << 20)
#define HASH_TEXT 33 /* 32 hexadecimal digits */

/* ---- one file -------------------------------------------------------------------------------------- */

typedef struct mst_hash {
  char text[HASH_TEXT];
  uint64_t bytes; /* of the file, or of all files of the folder */
} mst_hash;

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

static muster_status hash_shard(const muster_dataset *dataset, size_t index, mst_hash *out,
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
    snprintf(out->text, HASH_TEXT, "%016" PRIx64 "%016" PRIx64, (uint64_t)hash.high64,
             (uint64_t)hash.low64);
  }
  mst_free(hashing.block);
  XXH3_freeState(hashing.state);
  return mst_shard_close(dataset, &open, status, error);
}

/* ---- recording --------------------------------------------------------------------------------------- */

typedef struct mst_sealing {
  const muster_dataset *dataset;
  mst_hash *hashes;
} mst_sealing;

static muster_status seal_one(void *context, uint64_t index, unsigned worker, muster_error *error) {
  (void)worker;
  const mst_sealing *sealing = context;
  return hash_shard(sealing->dataset, (size_t)index, &sealing->hashes[index], error);
}

/* What the bytes mean is not in the bytes of a raw file: it is sealed with them. */
static char *dtype_of(const muster_dataset *dataset, const mst_shard *shard, char text[48]) {
  muster_dtype dtype = dataset->source.dtype;
  dtype.swapped = shard->swapped;
  return muster_dtype_name(&dtype, text);
}

static bool add_shard(yyjson_mut_doc *doc, yyjson_mut_val *shards, const muster_dataset *dataset,
                      const mst_shard *shard, const mst_hash *hash) {
  yyjson_mut_val *entry = yyjson_mut_arr_add_obj(doc, shards);
  char name[48];
  const bool named =
      shard->member == NULL || yyjson_mut_obj_add_strcpy(doc, entry, "member", shard->member);
  return named && yyjson_mut_obj_add_strcpy(doc, entry, "name", mst_base_name(shard->path)) &&
         yyjson_mut_obj_add_uint(doc, entry, "rows", shard->rows) &&
         yyjson_mut_obj_add_strcpy(doc, entry, "dtype", dtype_of(dataset, shard, name)) &&
         yyjson_mut_obj_add_uint(doc, entry, "data_offset", shard->data_offset) &&
         yyjson_mut_obj_add_uint(doc, entry, "bytes", hash->bytes) &&
         yyjson_mut_obj_add_strcpy(doc, entry, "xxh3_128", hash->text);
}

static muster_status write_seal(const mst_sealing *sealing, const char *path, muster_error *error) {
  const muster_dataset *dataset = sealing->dataset;
  yyjson_mut_doc *doc = mst_json_new();
  yyjson_mut_val *root = yyjson_mut_obj(doc);
  yyjson_mut_val *shards = yyjson_mut_arr(doc);
  const mst_schema *source = &dataset->source;
  yyjson_mut_val *trailing = yyjson_mut_arr_with_uint64(doc, source->shape + 1, source->rank - 1);
  bool done = yyjson_mut_obj_add_str(doc, root, "schema", MST_SEAL_SCHEMA) &&
              yyjson_mut_obj_add_str(doc, root, "format", dataset->format->name) &&
              yyjson_mut_obj_add_val(doc, root, "trailing_shape", trailing);
  for (size_t i = 0; done && i < dataset->shard_count; i++)
    done = add_shard(doc, shards, dataset, &dataset->shards[i], &sealing->hashes[i]);
  done = done && yyjson_mut_obj_add_val(doc, root, "shards", shards);
  if (done) yyjson_mut_doc_set_root(doc, root);
  const muster_status status = done ? mst_record_write(path, doc, error) : mst_fail_memory(error);
  yyjson_mut_doc_free(doc);
  return status;
}

static muster_status seal_dataset(const muster_dataset *dataset, unsigned threads, const char *path,
                                  muster_error *error) {
  mst_sealing sealing = {.dataset = dataset,
                         .hashes = mst_calloc(dataset->shard_count, sizeof(mst_hash))};
  if (sealing.hashes == NULL) return mst_fail_memory(error);
  muster_status status = mst_parallel_for(threads > 0 ? threads : mst_default_threads(),
                                          dataset->shard_count, seal_one, &sealing, error);
  if (status == MUSTER_OK) status = write_seal(&sealing, path, error);
  mst_free(sealing.hashes);
  return status;
}

/* Names of a record are names within one folder. */
static muster_status check_names(const muster_dataset *dataset, muster_error *error) {
  if (dataset->format->scheme != NULL)
    return mst_fail(error, MUSTER_ERR_USAGE, NULL, "there are no files to seal");
  for (size_t i = 0; i < dataset->shard_count; i++) {
    const char *path = dataset->shards[i].path;
    if (!mst_json_can_hold(mst_base_name(path)))
      return mst_fail(error, MUSTER_ERR_UNSUPPORTED, path,
                      "its name is not UTF-8, and cannot stand in a seal: rename it");
  }
  const char *first = dataset->shards[0].path;
  const size_t folder = (size_t)(mst_base_name(first) - first);
  for (size_t i = 1; i < dataset->shard_count; i++) {
    const char *path = dataset->shards[i].path;
    if ((size_t)(mst_base_name(path) - path) != folder || strncmp(path, first, folder) != 0)
      return mst_fail(error, MUSTER_ERR_USAGE, path,
                      "lies in another folder than the first shard: seal each folder by itself");
  }
  return MUSTER_OK;
}

static muster_status default_path(const char *dir, char **path, muster_error *error) {
  mst_stat info;
  const muster_status status = mst_io_stat(dir, &info, error);
  if (status != MUSTER_OK) return status;
  if (!info.is_directory)
    return mst_fail(error, MUSTER_ERR_USAGE, dir, "is no folder: say where to write the seal");
  *path = mst_record_path(dir, MST_SEAL_RECORD);
  return *path != NULL ? MUSTER_OK : mst_fail_memory(error);
}

muster_status muster_seal(const char *dir, const muster_open_options *options, const char *output,
                          muster_error *error) {
  muster_open_options known;
  muster_status status = mst_known_open_options(&known, options, error);
  if (status != MUSTER_OK) return status;
  known.dtype = NULL;
  known.rows = (muster_row_range)MUSTER_ALL_ROWS;
  muster_dataset *dataset;
  char *path = NULL;
  status = muster_open(&dir, 1, &known, &dataset, error);
  if (status != MUSTER_OK) return status;
  status = check_names(dataset, error);
  if (status == MUSTER_OK && output != NULL) status = mst_check_output(dataset, output, error);
  if (status == MUSTER_OK && output == NULL) status = default_path(dir, &path, error);
  if (status == MUSTER_OK)
    status = seal_dataset(dataset, known.threads, output != NULL ? output : path, error);
  mst_free(path);
  muster_dataset_free(dataset);
  return status;
}

/* ---- checking ------------------------------------------------------------------------------------------ */

typedef struct mst_sealed {
  const char *name;
  const char *member; /* "": it is the only one, or was named by an option */
  const char *hash;
  const char *dtype;
  uint64_t bytes;
  uint64_t rows;
  uint64_t data_offset;
  bool found; /* among the shards */
} mst_sealed;

typedef struct mst_checking {
  const muster_dataset *dataset;
  size_t first; /* shards [first, first + count) hold the dataset's rows */
  size_t count;
  const mst_sealed **expected; /* of each of them */
  muster_error **wrong;        /* likewise; of status MUSTER_OK: right */
  bool stacked;                /* rows are whole shards */
} mst_checking;

static int compare_sealed(const void *x, const void *y) {
  const mst_sealed *a = x, *b = y;
  const int names = strcmp(a->name, b->name);
  return names != 0 ? names : strcmp(a->member, b->member);
}

static muster_status read_sealed(yyjson_val *root, const char *path, mst_sealed **out,
                                 size_t *out_count, muster_error *error) {
  yyjson_val *shards = yyjson_obj_get(root, "shards");
  *out_count = yyjson_arr_size(shards);
  *out = mst_calloc(*out_count, sizeof **out);
  if (*out == NULL) return mst_fail_memory(error);
  size_t i, count;
  yyjson_val *entry;
  yyjson_arr_foreach(shards, i, count, entry) {
    yyjson_val *bytes = yyjson_obj_get(entry, "bytes");
    (*out)[i] = (mst_sealed){.name = mst_record_name(yyjson_obj_get(entry, "name")),
                             .hash = yyjson_get_str(yyjson_obj_get(entry, "xxh3_128")),
                             .dtype = yyjson_get_str(yyjson_obj_get(entry, "dtype")),
                             .bytes = yyjson_get_uint(bytes),
                             .rows = yyjson_get_uint(yyjson_obj_get(entry, "rows")),
                             .data_offset = yyjson_get_uint(yyjson_obj_get(entry, "data_offset"))};
    const char *member = yyjson_get_str(yyjson_obj_get(entry, "member"));
    (*out)[i].member = member != NULL ? member : "";
    if ((*out)[i].name == NULL || (*out)[i].hash == NULL || (*out)[i].dtype == NULL ||
        !yyjson_is_uint(bytes))
      return mst_record_bad(path, "a shard", error);
  }
  if (*out_count > 0) qsort(*out, *out_count, sizeof **out, compare_sealed);
  return MUSTER_OK;
}

static void choose_shards(mst_checking *checking) {
  const muster_dataset *dataset = checking->dataset;
  const uint64_t lo = dataset->row_base, hi = lo + dataset->shape[0];
  checking->first = 0;
  checking->count = dataset->shard_count;
  if (lo == 0 && hi == dataset->all_rows) return;
  checking->first = mst_dataset_shard_of(dataset, lo);
  size_t end = checking->first;
  while (end < dataset->shard_count && dataset->shards[end].first_row < hi)
    end++;
  checking->count = end - checking->first;
}

static muster_status match_sealed(mst_checking *checking, mst_sealed *sealed, size_t count,
                                  const char *seal, muster_error *error) {
  for (size_t i = 0; i < checking->count; i++) {
    const mst_shard *shard = &checking->dataset->shards[checking->first + i];
    const mst_sealed key = {.name = mst_base_name(shard->path),
                            .member = shard->member != NULL ? shard->member : ""};
    mst_sealed *entry =
        count > 0 ? bsearch(&key, sealed, count, sizeof *sealed, compare_sealed) : NULL;
    if (entry == NULL)
      return mst_fail(error, MUSTER_ERR_CHECK, shard->path, "is not in the seal %.300s", seal);
    entry->found = true;
    checking->expected[i] = entry;
  }
  const bool all =
      checking->dataset->is_folder && checking->count == checking->dataset->shard_count;
  for (size_t i = 0; all && i < count; i++) {
    if (!sealed[i].found)
      return mst_fail(error, MUSTER_ERR_CHECK, seal, "%.300s was sealed, but is not there",
                      sealed[i].name);
  }
  return MUSTER_OK;
}

static muster_status tell_bytes(const mst_shard *shard, uint64_t bytes, const mst_sealed *expected,
                                muster_error *wrong) {
  return mst_fail(wrong, MUSTER_ERR_CHECK, shard->path,
                  "%" PRIu64 " bytes, but %" PRIu64 " were sealed", bytes, expected->bytes);
}

/* How a shard differs from its seal, but for the bytes themselves; false: it does not. */
static bool tell_difference(const mst_checking *checking, const mst_shard *shard,
                            const mst_sealed *expected, muster_error *wrong) {
  char dtype[48];
  (void)dtype_of(checking->dataset, shard, dtype);
  const uint64_t rows = checking->stacked ? expected->rows : shard->rows;
  /* The size of a folder is known when its files are hashed. */
  if (!shard->stat.is_directory && shard->stat.size != expected->bytes)
    (void)tell_bytes(shard, shard->stat.size, expected, wrong);
  else if (strcmp(dtype, expected->dtype) != 0)
    (void)mst_fail(wrong, MUSTER_ERR_CHECK, shard->path, "read as %s, but %.40s was sealed", dtype,
                   expected->dtype);
  else if (rows != expected->rows || shard->data_offset != expected->data_offset)
    (void)mst_fail(wrong, MUSTER_ERR_CHECK, shard->path,
                   "read as %" PRIu64 " rows from byte %" PRIu64 " on, but %" PRIu64
                   " from byte %" PRIu64 " on were sealed",
                   rows, shard->data_offset, expected->rows, expected->data_offset);
  return wrong->status != MUSTER_OK;
}

static muster_status check_one(void *context, uint64_t index, unsigned worker,
                               muster_error *error) {
  (void)worker;
  mst_checking *checking = context;
  const size_t number = checking->first + (size_t)index;
  const mst_shard *shard = &checking->dataset->shards[number];
  const mst_sealed *expected = checking->expected[index];
  muster_error *wrong = mst_calloc(1, sizeof *wrong);
  if (wrong == NULL) return mst_fail_memory(error);
  checking->wrong[index] = wrong;
  if (tell_difference(checking, shard, expected, wrong)) return MUSTER_OK;
  mst_hash hash = {0};
  const muster_status status = hash_shard(checking->dataset, number, &hash, error);
  if (status != MUSTER_OK) return status;
  if (hash.bytes != expected->bytes)
    (void)tell_bytes(shard, hash.bytes, expected, wrong);
  else if (strcmp(hash.text, expected->hash) != 0)
    (void)mst_tell_found(wrong,
                         mst_fail(wrong, MUSTER_ERR_CHECK, shard->path,
                                  "checksum %s, but %.40s was sealed", hash.text, expected->hash),
                         hash.text, expected->hash);
  return MUSTER_OK;
}

static muster_status tell_wrong(const mst_checking *checking, muster_verify_result *result,
                                muster_error *error) {
  const muster_error *first = NULL;
  for (size_t i = 0; i < checking->count; i++) {
    if (checking->wrong[i] == NULL || checking->wrong[i]->status == MUSTER_OK) continue;
    if (first == NULL) first = checking->wrong[i];
    result->wrong_shards++;
  }
  result->seal_checked = true;
  result->shards = checking->count;
  if (first == NULL) return MUSTER_OK;
  return mst_fail(error, MUSTER_ERR_CHECK, first->path,
                  "%.300s (%" PRIu64 " of %" PRIu64 " shards differ from the seal)", first->message,
                  result->wrong_shards, result->shards);
}

/* The rows' shape; that of a stacked dataset has the sealed rows in front. */
static muster_status check_shape(mst_checking *checking, yyjson_val *root, const char *seal,
                                 muster_error *error) {
  const mst_schema *source = &checking->dataset->source;
  const char *format = yyjson_get_str(yyjson_obj_get(root, "format"));
  yyjson_val *trailing = yyjson_obj_get(root, "trailing_shape");
  const size_t rank = yyjson_arr_size(trailing);
  if (format == NULL || !yyjson_is_arr(trailing))
    return mst_record_bad(seal, "format or trailing_shape", error);
  checking->stacked = source->rank == rank + 2;
  const size_t skip = checking->stacked ? 2 : 1;
  bool same = strcmp(format, checking->dataset->format->name) == 0 && source->rank == rank + skip;
  size_t i, count;
  yyjson_val *length;
  yyjson_arr_foreach(trailing, i, count, length) {
    same = same && yyjson_is_uint(length) && yyjson_get_uint(length) == source->shape[i + skip];
  }
  if (same) return MUSTER_OK;
  return mst_fail(error, MUSTER_ERR_CHECK, checking->dataset->shards[0].path,
                  "read in another format or with another row shape than was sealed");
}

static muster_status check_all(mst_checking *checking, yyjson_val *root, const char *seal,
                               unsigned threads, muster_verify_result *result,
                               muster_error *error) {
  mst_sealed *sealed = NULL;
  size_t count = 0;
  choose_shards(checking);
  checking->expected = mst_calloc(checking->count, sizeof *checking->expected);
  checking->wrong = mst_calloc(checking->count, sizeof *checking->wrong);
  muster_status status = checking->expected != NULL && checking->wrong != NULL
                             ? read_sealed(root, seal, &sealed, &count, error)
                             : mst_fail_memory(error);
  if (status == MUSTER_OK) status = check_shape(checking, root, seal, error);
  if (status == MUSTER_OK) status = match_sealed(checking, sealed, count, seal, error);
  if (status == MUSTER_OK)
    status = mst_parallel_for(threads > 0 ? threads : mst_default_threads(), checking->count,
                              check_one, checking, error);
  if (status == MUSTER_OK) status = tell_wrong(checking, result, error);
  for (size_t i = 0; checking->wrong != NULL && i < checking->count; i++)
    mst_free(checking->wrong[i]);
  mst_free(checking->wrong);
  mst_free(checking->expected);
  mst_free(sealed);
  return status;
}

muster_status muster_check_seal(const muster_dataset *dataset, const char *seal, unsigned threads,
                                muster_verify_result *result, muster_error *error) {
  muster_verify_result none = {0};
  if (result == NULL) result = &none;
  if (dataset->format->scheme != NULL)
    return mst_fail(error, MUSTER_ERR_USAGE, NULL, "there are no files to check");
  yyjson_doc *doc;
  muster_status status = mst_record_read(seal, MST_SEAL_SCHEMA, &doc, error);
  if (status != MUSTER_OK) return status;
  mst_checking checking = {.dataset = dataset};
  status = check_all(&checking, yyjson_doc_get_root(doc), seal, threads, result, error);
  yyjson_doc_free(doc);
  return status;
}
