/* SPDX-License-Identifier: Apache-2.0 */
/* muster_verify: against the seed that `write` recorded and the checksums that `seal` recorded. */
#include <inttypes.h>
#include <pthread.h>
#include <string.h>

#include "base/alloc.h"
#include "base/io.h"
#include "base/seeded.h"
#include "base/shape.h"
#include "base/status.h"
#include "load/load.h"
#include "load/record.h"

/* ---- a sink that compares ------------------------------------------------------------------------ */

typedef struct mst_compare {
  muster_type type;
  size_t itemsize;
  uint64_t seed;
  pthread_mutex_t lock; /* of what follows */
  uint64_t wrong;
  uint64_t first_wrong;
} mst_compare;

static void note_wrong(mst_compare *compare, uint64_t count, uint64_t first) {
  pthread_mutex_lock(&compare->lock);
  if (compare->wrong == 0 || first < compare->first_wrong) compare->first_wrong = first;
  compare->wrong += count;
  pthread_mutex_unlock(&compare->lock);
}

#define CELLS_AT_ONCE 512 /* 16 KiB of the widest type: on the stack */

static muster_status compare_piece(void *state, uint64_t offset, const void *data, size_t length,
                                   muster_error *error) {
  (void)error;
  mst_compare *compare = state;
  const size_t itemsize = compare->itemsize;
  unsigned char expected[CELLS_AT_ONCE * 32];
  const char *found = data;
  uint64_t cell = offset / itemsize;
  for (size_t left = length / itemsize; left > 0;) {
    const size_t count = left < CELLS_AT_ONCE ? left : CELLS_AT_ONCE;
    mst_seeded_fill(expected, compare->type, compare->seed, cell, count);
    if (memcmp(expected, found, count * itemsize) != 0) {
      uint64_t wrong = 0, first = 0;
      for (size_t i = count; i-- > 0;) {
        if (memcmp(expected + i * itemsize, found + i * itemsize, itemsize) == 0) continue;
        wrong++;
        first = cell + i;
      }
      note_wrong(compare, wrong, first);
    }
    found += count * itemsize;
    cell += count;
    left -= count;
  }
  return MUSTER_OK;
}

static const mst_sink_type compare_sink = {.name = "compare", .put = compare_piece};

/* ---- against the seed --------------------------------------------------------------------------------- */

/* The record's own facts must be those of the files, or the seed says nothing. */
static muster_status check_facts(const muster_dataset *dataset, const char *path, yyjson_val *root,
                                 uint64_t *seed, muster_error *error) {
  yyjson_val *value = yyjson_obj_get(root, "seed");
  yyjson_val *files = yyjson_obj_get(root, "files");
  yyjson_val *trailing = yyjson_obj_get(root, "trailing_shape");
  const char *dtype_text = yyjson_get_str(yyjson_obj_get(root, "dtype"));
  muster_dtype dtype;
  if (!yyjson_is_uint(value) || !yyjson_is_arr(files) || !yyjson_is_arr(trailing) ||
      dtype_text == NULL || muster_dtype_parse(dtype_text, &dtype, NULL) != MUSTER_OK)
    return mst_record_bad(path, "seed, files, trailing_shape or dtype", error);
  *seed = yyjson_get_uint(value);
  char found[48];
  dtype.swapped = false;
  const muster_dtype actual = muster_dataset_dtype(dataset);
  if (dtype.type != actual.type)
    return mst_fail(error, MUSTER_ERR_CHECK, dataset->shards[0].path,
                    "dtype %s, but %.60s was written", muster_dtype_name(&actual, found),
                    dtype_text);
  if (yyjson_arr_size(files) != dataset->shard_count)
    return mst_fail(error, MUSTER_ERR_CHECK, path, "%zu files were written, %zu are there",
                    yyjson_arr_size(files), dataset->shard_count);
  return MUSTER_OK;
}

/* Cells are numbered through all files: rows that are missing would shift everything behind. */
static muster_status check_rows(const muster_dataset *dataset, const char *path, yyjson_val *root,
                                muster_error *error) {
  size_t i, count;
  yyjson_val *file;
  yyjson_arr_foreach(yyjson_obj_get(root, "files"), i, count, file) {
    const mst_shard *shard = &dataset->shards[i];
    const char *name = mst_record_name(yyjson_obj_get(file, "name"));
    yyjson_val *rows = yyjson_obj_get(file, "rows");
    if (name == NULL || !yyjson_is_uint(rows)) return mst_record_bad(path, "a file", error);
    if (strcmp(name, mst_base_name(shard->path)) != 0)
      return mst_fail(error, MUSTER_ERR_CHECK, shard->path, "was not written; %.200s was", name);
    if (yyjson_get_uint(rows) != shard->rows)
      return mst_fail(error, MUSTER_ERR_CHECK, shard->path,
                      "%" PRIu64 " rows, but %" PRIu64 " were written", shard->rows,
                      yyjson_get_uint(rows));
  }
  size_t axis, rank;
  yyjson_val *length;
  yyjson_val *trailing = yyjson_obj_get(root, "trailing_shape");
  bool same = yyjson_arr_size(trailing) == dataset->source.rank - 1;
  yyjson_arr_foreach(trailing, axis, rank, length) {
    same = same && yyjson_get_uint(length) == dataset->shape[axis + 1];
  }
  if (same) return MUSTER_OK;
  return mst_fail(error, MUSTER_ERR_CHECK, dataset->shards[0].path,
                  "the row shape is not the one that was written");
}

static muster_status compare_cells(const muster_dataset *dataset, uint64_t seed, unsigned threads,
                                   muster_verify_result *result, muster_error *error) {
  mst_compare compare = {
      .type = dataset->dtype.type, .itemsize = muster_type_size(dataset->dtype.type), .seed = seed};
  pthread_mutex_init(&compare.lock, NULL);
  muster_load_options options;
  muster_load_options_init(&options);
  options.threads = threads;
  options.checksum = false;
  const mst_sink sink = {&compare_sink, &compare};
  const muster_status status = mst_load_into(dataset, &sink, &options, NULL, error);
  pthread_mutex_destroy(&compare.lock);
  if (status != MUSTER_OK) return status;
  result->seed_checked = true;
  result->cells = dataset->shape[0] * dataset->row_elements;
  result->wrong_cells = compare.wrong;
  result->first_wrong = compare.first_wrong;
  if (compare.wrong == 0) return MUSTER_OK;
  const uint64_t row = compare.first_wrong / dataset->row_elements;
  const mst_shard *shard = &dataset->shards[mst_dataset_shard_of(dataset, row)];
  return mst_fail(error, MUSTER_ERR_CHECK, shard->path,
                  "%" PRIu64 " of %" PRIu64 " cells are wrong, the first is cell %" PRIu64
                  " (row %" PRIu64 " of this file)",
                  compare.wrong, result->cells, compare.first_wrong, row - shard->first_row);
}

static muster_status verify_seed(const muster_dataset *dataset, const char *path, unsigned threads,
                                 muster_verify_result *result, muster_error *error) {
  yyjson_doc *doc;
  muster_status status = mst_record_read(path, MST_WRITE_SCHEMA, &doc, error);
  if (status != MUSTER_OK) return status;
  uint64_t seed = 0;
  yyjson_val *root = yyjson_doc_get_root(doc);
  status = check_facts(dataset, path, root, &seed, error);
  if (status == MUSTER_OK) status = check_rows(dataset, path, root, error);
  yyjson_doc_free(doc);
  if (status == MUSTER_OK) status = compare_cells(dataset, seed, threads, result, error);
  return status;
}

/* ---- both ------------------------------------------------------------------------------------------------ */

typedef struct mst_records {
  char *write; /* paths; the record is there when the flag says so */
  char *seal;
  bool has_write;
  bool has_seal;
} mst_records;

static muster_status verify_records(const char *dir, const mst_records *records,
                                    const muster_open_options *options,
                                    muster_verify_result *result, muster_error *error) {
  muster_dataset *dataset;
  muster_status status = muster_open(&dir, 1, options, &dataset, error);
  if (status != MUSTER_OK) return status;
  const unsigned threads = options->threads;
  if (records->has_write) status = verify_seed(dataset, records->write, threads, result, error);
  /* The checksums are worth looking at even when cells are wrong, but the cells are the news. */
  if (records->has_seal) {
    const bool first = status == MUSTER_OK;
    const muster_status sealed =
        muster_check_seal(dataset, records->seal, threads, result, first ? error : NULL);
    if (first) status = sealed;
  }
  muster_dataset_free(dataset);
  return status;
}

muster_status muster_verify(const char *dir, const muster_open_options *options,
                            muster_verify_result *result, muster_error *error) {
  muster_open_options known;
  muster_status status = mst_known_open_options(&known, options, error);
  if (status != MUSTER_OK) return status;
  /* The records tell of the files as they are, all of them. */
  known.dtype = NULL;
  known.stack = false;
  known.rows = (muster_row_range)MUSTER_ALL_ROWS;
  muster_verify_result none;
  if (result == NULL) result = &none;
  *result = (muster_verify_result){0};
  mst_records records = {.write = mst_record_path(dir, MST_WRITE_RECORD),
                         .seal = mst_record_path(dir, MST_SEAL_RECORD)};
  if (records.write == NULL || records.seal == NULL) status = mst_fail_memory(error);
  if (status == MUSTER_OK) status = mst_io_find(records.write, &records.has_write, error);
  if (status == MUSTER_OK) status = mst_io_find(records.seal, &records.has_seal, error);
  mst_stat info;
  if (status == MUSTER_OK && !records.has_write && !records.has_seal)
    status = mst_io_stat(dir, &info, error); /* that there is no such folder is the better news */
  if (status == MUSTER_OK && !records.has_write && !records.has_seal)
    status = mst_fail(error, MUSTER_ERR_NOT_FOUND, dir,
                      "nothing was recorded to check it against: 'muster seal' records checksums");
  if (status == MUSTER_OK) status = verify_records(dir, &records, &known, result, error);
  mst_free(records.write);
  mst_free(records.seal);
  return status;
}
