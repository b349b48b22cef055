/* SPDX-License-Identifier: Apache-2.0 */
/* What is recorded of the files of a dataset, and whether they are still so. */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/pool.h"
#include "base/status.h"
#include "load/output.h"
#include "load/record.h"
#include "load/shard_hash.h"

/* ---- recording --------------------------------------------------------------------------------------- */

typedef struct mst_sealing {
  const muster_dataset *dataset;
  size_t folder; /* bytes at the start of all paths that name the folder in which they are sealed */
  mst_hash *hashes;
} mst_sealing;

static muster_status seal_one(void *context, uint64_t index, unsigned worker, muster_error *error) {
  (void)worker;
  const mst_sealing *sealing = context;
  return mst_hash_shard(sealing->dataset, (size_t)index, &sealing->hashes[index], error);
}

/* What the bytes mean is not in the bytes of a raw file: it is sealed with them. */
static char *dtype_of(const muster_dataset *dataset, const mst_shard *shard, char text[48]) {
  muster_dtype dtype = dataset->source.dtype;
  dtype.swapped = shard->swapped;
  return muster_dtype_name(&dtype, text);
}

static bool add_shard(yyjson_mut_doc *doc, yyjson_mut_val *shards, const mst_sealing *sealing,
                      size_t index) {
  const muster_dataset *dataset = sealing->dataset;
  const mst_shard *shard = &dataset->shards[index];
  const mst_hash *hash = &sealing->hashes[index];
  yyjson_mut_val *entry = yyjson_mut_arr_add_obj(doc, shards);
  char name[48];
  const bool named =
      shard->member == NULL || yyjson_mut_obj_add_strcpy(doc, entry, "member", shard->member);
  return named && yyjson_mut_obj_add_strcpy(doc, entry, "name", shard->path + sealing->folder) &&
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
    done = add_shard(doc, shards, sealing, i);
  done = done && yyjson_mut_obj_add_val(doc, root, "shards", shards);
  if (done) yyjson_mut_doc_set_root(doc, root);
  const muster_status status = done ? mst_record_write(path, doc, error) : mst_fail_memory(error);
  yyjson_mut_doc_free(doc);
  return status;
}

static muster_status seal_dataset(const muster_dataset *dataset, size_t folder, unsigned threads,
                                  const char *path, muster_error *error) {
  mst_sealing sealing = {.dataset = dataset,
                         .folder = folder,
                         .hashes = mst_calloc(dataset->shard_count, sizeof(mst_hash))};
  if (sealing.hashes == NULL) return mst_fail_memory(error);
  muster_status status = mst_parallel_for(threads > 0 ? threads : mst_default_threads(),
                                          dataset->shard_count, seal_one, &sealing, error);
  if (status == MUSTER_OK) status = write_seal(&sealing, path, error);
  mst_free(sealing.hashes);
  return status;
}

/* Names of a record are names within one folder: that of the first shard, or one with partitions,
 * in which names are paths. */
static size_t sealed_folder(const muster_dataset *dataset, const char *dir) {
  const char *first = dataset->shards[0].path;
  size_t length = strlen(dir);
  while (length > 1 && dir[length - 1] == '/')
    length--;
  if (dataset->is_folder && strncmp(first, dir, length) == 0) {
    length += strspn(first + length, "/");
    if (first[length] != '\0' && first[length - 1] == '/') return length;
  }
  return (size_t)(mst_base_name(first) - first);
}

static muster_status check_names(const muster_dataset *dataset, size_t folder,
                                 muster_error *error) {
  const char *first = dataset->shards[0].path;
  for (size_t i = 0; i < dataset->shard_count; i++) {
    const char *path = dataset->shards[i].path;
    const bool is_below = strncmp(path, first, folder) == 0;
    if (!is_below || (!dataset->is_folder && mst_base_name(path) != path + folder))
      return mst_fail(error, MUSTER_ERR_USAGE, path,
                      "lies in another folder than the first shard: seal each folder by itself");
    if (!mst_json_can_hold(path + folder))
      return mst_fail(error, MUSTER_ERR_UNSUPPORTED, path,
                      "its name is not UTF-8, and cannot stand in a seal: rename it");
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
  if (dataset->format->scheme != NULL)
    status = mst_fail(error, MUSTER_ERR_USAGE, NULL, "there are no files to seal");
  const size_t folder = status == MUSTER_OK ? sealed_folder(dataset, dir) : 0;
  if (status == MUSTER_OK) status = check_names(dataset, folder, error);
  if (status == MUSTER_OK && output != NULL) status = mst_check_output(dataset, output, error);
  if (status == MUSTER_OK && output == NULL) status = default_path(dir, &path, error);
  if (status == MUSTER_OK)
    status = seal_dataset(dataset, folder, known.threads, output != NULL ? output : path, error);
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
    (*out)[i] = (mst_sealed){.name = mst_record_name_below(yyjson_obj_get(entry, "name")),
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

/* By its base name, or in partitions by more of its path: the longest that is sealed. */
static mst_sealed *find_sealed(const mst_shard *shard, mst_sealed *sealed, size_t count) {
  const char *name = shard->path;
  while (count > 0) {
    const mst_sealed key = {.name = name, .member = shard->member != NULL ? shard->member : ""};
    mst_sealed *entry = bsearch(&key, sealed, count, sizeof *sealed, compare_sealed);
    const char *slash = strchr(name, '/');
    if (entry != NULL || slash == NULL) return entry;
    name = slash + 1;
  }
  return NULL;
}

static muster_status match_sealed(mst_checking *checking, mst_sealed *sealed, size_t count,
                                  const char *seal, muster_error *error) {
  for (size_t i = 0; i < checking->count; i++) {
    const mst_shard *shard = &checking->dataset->shards[checking->first + i];
    mst_sealed *entry = find_sealed(shard, sealed, count);
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
  const muster_status status = mst_hash_shard(checking->dataset, number, &hash, error);
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
