/* SPDX-License-Identifier: Apache-2.0 */
#include "load/dataset.h"

#include <inttypes.h>
#include <string.h>

#include "base/alloc.h"
#include "base/dtype.h"
#include "base/shape.h"
#include "base/status.h"
#include "base/vec.h"
#include "load/bands.h"

const char *muster_version(void) {
#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)
  return TEXT(MUSTER_VERSION_MAJOR) "." TEXT(MUSTER_VERSION_MINOR) "." TEXT(MUSTER_VERSION_PATCH);
}

int muster_abi_version(void) { return MUSTER_ABI_VERSION; }

void muster_open_options_init(muster_open_options *options) {
  *options = (muster_open_options){.struct_size = sizeof *options, .rows = MUSTER_ALL_ROWS};
}

muster_status mst_known_open_options(muster_open_options *known, const muster_open_options *options,
                                     muster_error *error) {
  muster_open_options_init(known);
  if (options == NULL) return MUSTER_OK;
  const muster_status status =
      mst_check_struct(options->struct_size, "muster_open_options_init", error);
  if (status != MUSTER_OK) return status;
  const size_t size = options->struct_size < sizeof *known ? options->struct_size : sizeof *known;
  memcpy(known, options, size);
  return MUSTER_OK;
}

muster_dataset *mst_dataset_new(void) { return mst_calloc(1, sizeof(muster_dataset)); }

void muster_dataset_free(muster_dataset *dataset) {
  if (dataset == NULL) return;
  for (size_t i = 0; i < dataset->shard_count; i++) {
    mst_shard *shard = &dataset->shards[i];
    mst_free(shard->path);
    mst_free(shard->member);
    if (shard->detail != NULL) dataset->format->forget(shard->detail);
  }
  mst_free(dataset->shards);
  mst_bands_free(dataset->bands);
  if (dataset->format != NULL && dataset->format->release != NULL)
    dataset->format->release(dataset->context);
  mst_names_reset(&dataset->notes);
  mst_free(dataset);
}

muster_status mst_dataset_take_note(muster_dataset *dataset, char *note, muster_error *error) {
  return mst_names_take(&dataset->notes, note) ? MUSTER_OK : mst_fail_memory(error);
}

/* ---- completing ---------------------------------------------------------------------------------- */

static muster_status sum_rows(muster_dataset *dataset, muster_error *error) {
  uint64_t rows = 0;
  for (size_t i = 0; i < dataset->shard_count; i++) {
    mst_shard *shard = &dataset->shards[i];
    shard->first_row = rows;
    if (__builtin_add_overflow(rows, shard->rows, &rows) || rows > MST_MAX_BYTES)
      return mst_fail(error, MUSTER_ERR_FORMAT, shard->path,
                      "the shards have more rows than 63 bits can count");
  }
  dataset->all_rows = rows;
  return MUSTER_OK;
}

/* bfloat16 and the float8s have no home in NumPy. */
static muster_dtype default_result(const muster_dtype *source) {
  muster_dtype result = *source;
  result.swapped = false;
  if (mst_is_source_only(source->type)) result.type = MUSTER_FLOAT32;
  return result;
}

static muster_status settle_dtype(muster_dataset *dataset, const char *wanted,
                                  muster_error *error) {
  dataset->dtype = default_result(&dataset->source.dtype);
  if (wanted != NULL) {
    const muster_status status = muster_dtype_parse(wanted, &dataset->dtype, error);
    if (status != MUSTER_OK) return status;
    if (dataset->dtype.swapped || mst_is_source_only(dataset->dtype.type))
      return mst_fail(error, MUSTER_ERR_USAGE, NULL,
                      "'%s' cannot be the dtype of a result: name one of NumPy's, in native order",
                      wanted);
  }
  dataset->converts = !mst_dtype_equal(&dataset->dtype, &dataset->source.dtype);
  dataset->convert = mst_converter(&dataset->source.dtype, &dataset->dtype);
  if (dataset->convert != NULL) return MUSTER_OK;
  char from[48], to[48];
  return mst_fail(error, MUSTER_ERR_MISMATCH, dataset->shards[0].path,
                  "%s does not become %s: numbers are cast as NumPy's same_kind allows, times to "
                  "int64 only",
                  muster_dtype_name(&dataset->source.dtype, from),
                  muster_dtype_name(&dataset->dtype, to));
}

static muster_status settle_size(muster_dataset *dataset, muster_error *error) {
  uint64_t shape[MUSTER_MAX_RANK + 1];
  memcpy(shape, dataset->source.shape, sizeof dataset->source.shape);
  shape[0] = dataset->all_rows;
  const size_t rank = dataset->source.rank;
  const size_t itemsize = muster_type_size(dataset->dtype.type);
  uint64_t elements;
  if (!mst_shape_elements(rank, shape, itemsize, &elements))
    return mst_fail(error, MUSTER_ERR_FORMAT, dataset->shards[0].path,
                    "all shards together are more bytes than 63 bits can count");
  (void)mst_shape_elements(rank - 1, shape + 1, itemsize, &dataset->row_elements);
  dataset->row_bytes = dataset->row_elements * itemsize;
  memcpy(dataset->shape, shape, rank * sizeof *shape);
  return MUSTER_OK;
}

/* Negative counts from the end, as in Python, but a range beyond the rows is an error. */
static bool clip(int64_t asked, uint64_t rows, uint64_t *out) {
  if (asked == INT64_MAX) {
    *out = rows;
    return true;
  }
  const int64_t at = asked < 0 ? asked + (int64_t)rows : asked;
  if (at < 0 || (uint64_t)at > rows) return false;
  *out = (uint64_t)at;
  return true;
}

/* "3:99", as it was asked for. */
static void add_range(mst_str *out, muster_row_range range) {
  mst_str_addf(out, "%" PRId64 ":", range.lo);
  if (range.hi != INT64_MAX) mst_str_addf(out, "%" PRId64, range.hi);
}

static muster_status refuse_rows(muster_row_range range, uint64_t rows, muster_error *error) {
  mst_str text = {0};
  add_range(&text, range);
  const muster_status status = mst_fail(
      error, MUSTER_ERR_MISMATCH, NULL,
      "the rows %s are not all there: the dataset has %" PRIu64 " rows", mst_str_text(&text), rows);
  mst_str_reset(&text);
  return status;
}

static muster_status cut_rows(muster_dataset *dataset, muster_row_range range,
                              muster_error *error) {
  uint64_t lo, hi;
  if (!clip(range.lo, dataset->all_rows, &lo) || !clip(range.hi, dataset->all_rows, &hi))
    return refuse_rows(range, dataset->all_rows, error);
  dataset->row_base = lo;
  dataset->shape[0] = hi > lo ? hi - lo : 0;
  return MUSTER_OK;
}

/* Fewer bytes are never worth asking how much memory there is. */
#define MANY_BYTES ((uint64_t)1 << 30)

/* Data that push each other out of the page cache have no use for it. */
static muster_direct settle_direct(const muster_dataset *dataset, muster_direct asked) {
  if (asked != MUSTER_DIRECT_AUTO) return asked;
  const size_t itemsize = muster_type_size(dataset->source.dtype.type);
  const uint64_t bytes = dataset->shape[0] * dataset->row_elements * itemsize;
  const bool many = bytes >= MANY_BYTES && bytes > mst_io_available_memory() / 2;
  return many ? MUSTER_DIRECT_AUTO : MUSTER_DIRECT_NEVER;
}

muster_status mst_dataset_complete(muster_dataset *dataset, const muster_open_options *options,
                                   muster_error *error) {
  muster_status status = sum_rows(dataset, error);
  if (status == MUSTER_OK) status = settle_dtype(dataset, options->dtype, error);
  if (status == MUSTER_OK) status = settle_size(dataset, error);
  if (status == MUSTER_OK) status = cut_rows(dataset, options->rows, error);
  if (status == MUSTER_OK) dataset->direct = settle_direct(dataset, options->direct);
  if (status == MUSTER_OK && dataset->format->band != NULL) {
    dataset->bands = mst_bands_new();
    if (dataset->bands == NULL) status = mst_fail_memory(error);
  }
  return status;
}

/* ---- looking -------------------------------------------------------------------------------------- */

size_t mst_dataset_shard_of(const muster_dataset *dataset, uint64_t row) {
  size_t lo = 0, hi = dataset->shard_count;
  while (hi - lo > 1) {
    const size_t middle = lo + (hi - lo) / 2;
    if (dataset->shards[middle].first_row <= row)
      lo = middle;
    else
      hi = middle;
  }
  return lo;
}

/* Where the first page is there, so are the others of its neighbourhood, in all likelihood. */
#define NEIGHBOURHOOD ((size_t)8 << 20)

void muster_populate(void *memory, size_t bytes) {
  for (size_t at = 0; at < bytes; at += NEIGHBOURHOOD) {
    char *place = (char *)memory + at;
    const size_t length = (size_t)mst_smaller(bytes - at, NEIGHBOURHOOD);
    if (mst_pages_are_there(place)) continue;
    mst_pages_prefer_huge(place, length);
    mst_pages_populate(place, length);
  }
}

uint64_t muster_available_memory(void) { return mst_io_available_memory(); }

size_t muster_dataset_rank(const muster_dataset *dataset) { return dataset->source.rank; }
const uint64_t *muster_dataset_shape(const muster_dataset *dataset) { return dataset->shape; }
uint64_t muster_dataset_rows(const muster_dataset *dataset) { return dataset->shape[0]; }
uint64_t muster_dataset_row_bytes(const muster_dataset *dataset) { return dataset->row_bytes; }
muster_dtype muster_dataset_dtype(const muster_dataset *dataset) { return dataset->dtype; }

muster_dtype muster_dataset_source_dtype(const muster_dataset *dataset) {
  muster_dtype dtype = dataset->source.dtype;
  dtype.swapped = dataset->shard_count > 0 && dataset->shards[0].swapped;
  return dtype;
}

const char *muster_dataset_format(const muster_dataset *dataset) { return dataset->format->name; }
size_t muster_dataset_shard_count(const muster_dataset *dataset) { return dataset->shard_count; }

muster_status muster_dataset_shard(const muster_dataset *dataset, size_t index, muster_shard *out) {
  if (index >= dataset->shard_count) return MUSTER_ERR_USAGE;
  const mst_shard *shard = &dataset->shards[index];
  *out = (muster_shard){.path = shard->path,
                        .member = shard->member,
                        .rows = shard->rows,
                        .first_row = shard->first_row,
                        .bytes = shard->stat.is_directory ? 0 : shard->stat.size,
                        .mtime_ns = shard->stat.mtime_ns};
  return MUSTER_OK;
}

size_t muster_dataset_note_count(const muster_dataset *dataset) { return dataset->notes.length; }

const char *muster_dataset_note(const muster_dataset *dataset, size_t index) {
  return index < dataset->notes.length ? dataset->notes.data[index] : NULL;
}
