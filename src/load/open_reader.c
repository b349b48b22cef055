/* SPDX-License-Identifier: Apache-2.0 */
/* muster_open_reader: a dataset of shards that the caller reads. */
#include <inttypes.h>
#include <string.h>

#include "base/alloc.h"
#include "base/dtype.h"
#include "base/pool.h"
#include "base/shape.h"
#include "base/status.h"
#include "load/dataset.h"

static muster_status check_reader(const muster_reader *reader, muster_error *error) {
  if (reader->struct_size < sizeof *reader)
    return mst_fail(error, MUSTER_ERR_USAGE, NULL,
                    "the reader's struct_size is not sizeof(muster_reader)");
  if (reader->read_rows == NULL || reader->shard_rows == NULL)
    return mst_fail(error, MUSTER_ERR_USAGE, NULL, "the reader lacks shard_rows or read_rows");
  if (reader->shard_count == 0 || reader->shard_count > SIZE_MAX / sizeof(mst_shard))
    return mst_fail(error, MUSTER_ERR_NOT_FOUND, NULL, "the reader has no shards");
  if (reader->trailing_rank >= MUSTER_MAX_RANK)
    return mst_fail(error, MUSTER_ERR_USAGE, NULL, "the reader's rows have more than 63 axes");
  if (muster_type_size(reader->dtype.type) == 0)
    return mst_fail(error, MUSTER_ERR_USAGE, NULL, "the reader's dtype is none");
  return MUSTER_OK;
}

static muster_status ask_rows(void *context, uint64_t index, unsigned worker, muster_error *error) {
  (void)worker;
  muster_dataset *dataset = context;
  const muster_reader *reader = dataset->context;
  mst_shard *shard = &dataset->shards[index];
  const muster_status status = reader->shard_rows(reader->user, index, &shard->rows, error);
  if (status == MUSTER_OK || (error != NULL && error->status == status)) return status;
  return mst_fail(error, status, shard->path, "the reader failed without saying why");
}

static muster_status make_shards(muster_dataset *dataset, const muster_reader *reader,
                                 unsigned threads, muster_error *error) {
  dataset->shards = mst_calloc((size_t)reader->shard_count, sizeof *dataset->shards);
  if (dataset->shards == NULL) return mst_fail_memory(error);
  dataset->shard_count = (size_t)reader->shard_count;
  for (size_t i = 0; i < dataset->shard_count; i++) {
    mst_shard *shard = &dataset->shards[i];
    mst_str name = {0};
    mst_str_addf(&name, "<reader:%zu>", i);
    shard->path = mst_str_take(&name);
    if (shard->path == NULL) return mst_fail_memory(error);
    shard->data_offset = i; /* the number that the reader knows it by */
    shard->swapped = reader->dtype.swapped;
  }
  return mst_parallel_for(threads > 0 ? threads : mst_default_threads(), dataset->shard_count,
                          ask_rows, dataset, error);
}

static muster_status build(muster_dataset *dataset, const muster_reader *reader,
                           const muster_open_options *options, muster_error *error) {
  mst_schema *source = &dataset->source;
  source->dtype = reader->dtype;
  source->dtype.swapped = false;
  source->rank = reader->trailing_rank + 1;
  for (size_t i = 0; i < reader->trailing_rank; i++)
    source->shape[i + 1] = reader->trailing_shape[i];
  muster_status status = make_shards(dataset, reader, options->threads, error);
  if (status == MUSTER_OK) status = mst_dataset_complete(dataset, options, error);
  return status;
}

muster_status muster_open_reader(const muster_reader *reader, const muster_open_options *options,
                                 muster_dataset **out, muster_error *error) {
  *out = NULL;
  muster_open_options known;
  muster_status status = mst_known_open_options(&known, options, error);
  /* The dataset owns a copy of the reader; its release runs when the dataset goes. */
  muster_reader *kept = mst_alloc(sizeof *kept);
  muster_dataset *dataset = kept != NULL ? mst_dataset_new() : NULL;
  if (dataset == NULL) {
    mst_free(kept);
    if (reader->release != NULL) reader->release(reader->user);
    return mst_fail_memory(error);
  }
  *kept = *reader;
  dataset->format = &mst_format_callback;
  dataset->context = kept;
  if (status == MUSTER_OK) status = check_reader(kept, error);
  if (status == MUSTER_OK) status = build(dataset, kept, &known, error);
  if (status == MUSTER_OK)
    *out = dataset;
  else
    muster_dataset_free(dataset);
  return status;
}
