/* SPDX-License-Identifier: Apache-2.0 */
#include "load/recipe.h"

#include <string.h>

#include "base/alloc.h"
#include "base/dtype.h"
#include "base/shape.h"
#include "base/status.h"
#include "load/recipe_text.h"

#define MIB ((uint64_t)1 << 20)
#define PIECE_BYTES (64 * MIB)

/* Legate's largest number of axes (LEGATE_MAX_DIM) in the packages that NVIDIA publishes. */
#define MOST_AXES 6

/* ---- what cannot be done -------------------------------------------------------------------- */

static muster_status check_target(const mst_recipe_facts *facts, muster_error *error) {
  const muster_type type = facts->dtype.type;
  char name[48];
  (void)muster_dtype_name(&facts->dtype, name);
  if (type == MUSTER_LONGDOUBLE || type == MUSTER_CLONGDOUBLE)
    return mst_fail(error, MUSTER_ERR_UNSUPPORTED, NULL, "cuPyNumeric has no %s: give --dtype %s",
                    name, type == MUSTER_LONGDOUBLE ? "float64" : "complex128");
  const size_t rank = muster_dataset_rank(facts->dataset);
  if (rank <= MOST_AXES) return MUSTER_OK;
  return mst_fail(error, MUSTER_ERR_UNSUPPORTED, NULL,
                  "arrays of cuPyNumeric have at most %d axes, this one has %zu: reshape the files",
                  MOST_AXES, rank);
}

static muster_status check_source(const mst_recipe_facts *facts, muster_error *error) {
  const mst_format *format = facts->dataset->format;
  const muster_type type = facts->dataset->source.dtype.type;
  char name[48];
  if (format->add_python == NULL)
    return mst_fail(error, MUSTER_ERR_UNSUPPORTED, NULL,
                    "there is no recipe for the format %s: it is no file that Python could read",
                    format->name);
  if (!mst_is_source_only(type) || type == MUSTER_BFLOAT16) return MUSTER_OK;
  return mst_fail(error, MUSTER_ERR_UNSUPPORTED, NULL,
                  "NumPy alone cannot read %s: convert the files, by muster load -o FILE.npy",
                  muster_dtype_name(&facts->dataset->source.dtype, name));
}

/* ---- what is to be read --------------------------------------------------------------------- */

static bool holds_rows(const mst_shard *shard, uint64_t lo, uint64_t hi) {
  return shard->rows > 0 && shard->first_row < hi && shard->first_row + shard->rows > lo;
}

/* The shards that hold rows of the array; *taken has room for all. */
static void choose_shards(mst_recipe_facts *facts, mst_shard *taken) {
  const muster_dataset *dataset = facts->dataset;
  const uint64_t lo = dataset->row_base, hi = lo + dataset->shape[0];
  facts->python = (mst_python_shards){.schema = &dataset->source, .shards = taken};
  for (size_t i = 0; i < dataset->shard_count; i++) {
    const mst_shard *shard = &dataset->shards[i];
    if (shard->rows == 0) facts->left_out = true;
    if (!holds_rows(shard, lo, hi)) continue;
    if (facts->python.count == 0) facts->rows_before = lo - shard->first_row;
    facts->rows_in_files += shard->rows;
    facts->swapped = facts->swapped || shard->swapped;
    taken[facts->python.count++] = *shard;
  }
}

/* Whether all files have it by one name. */
static void name_member(mst_recipe_facts *facts) {
  const mst_format *format = facts->dataset->format;
  mst_python_shards *python = &facts->python;
  if (format->python_member == NULL || python->count == 0) return;
  python->member = format->python_member(&python->shards[0]);
  for (size_t i = 1; i < python->count && !facts->by_member; i++)
    facts->by_member = strcmp(format->python_member(&python->shards[i]), python->member) != 0;
  if (facts->by_member) python->member = NULL;
}

/* Entries of FILES end in the last separator and the name behind it. */
static muster_status check_members(const mst_recipe_facts *facts, muster_error *error) {
  for (size_t i = 0; facts->by_member && i < facts->python.count; i++) {
    const mst_shard *shard = &facts->python.shards[i];
    const char *member = facts->dataset->format->python_member(shard);
    if (member[0] == ':' || strstr(member, MST_RECIPE_SEPARATOR) != NULL)
      return mst_fail(error, MUSTER_ERR_UNSUPPORTED, shard->path,
                      "there is no recipe for several arrays with colons in their names, such as "
                      "'%.100s': name one with --dataset",
                      member);
  }
  return MUSTER_OK;
}

static void measure(mst_recipe_facts *facts) {
  const muster_dataset *dataset = facts->dataset;
  const size_t itemsize = muster_type_size(dataset->source.dtype.type);
  const uint64_t in_file = dataset->row_elements * itemsize;
  const uint64_t row_bytes = mst_larger(mst_larger(in_file, dataset->row_bytes), 1);
  facts->piece = mst_larger(PIECE_BYTES / row_bytes, 1);
  facts->bytes = dataset->shape[0] * dataset->row_bytes;
  facts->is_part = dataset->shape[0] != dataset->all_rows;
  /* A quarter more, for what Legate keeps beside it, on top of what it has by default: so a check,
   * which copies pieces of the array, has enough. A piece may be as large as a row. */
  const uint64_t array = mst_ceil_divide(facts->bytes, MIB);
  facts->sysmem = array + array / 4 + 256 + 2 * mst_ceil_divide(row_bytes, MIB);
}

static muster_type array_type(muster_type type) { return mst_is_time(type) ? MUSTER_INT64 : type; }

muster_status mst_recipe_make(const muster_dataset *dataset, const mst_recipe_options *options,
                              mst_recipe *out, muster_error *error) {
  mst_recipe_facts facts = {.dataset = dataset,
                            .file = options->file,
                            .dtype = {.type = array_type(dataset->dtype.type)}};
  *out = (mst_recipe){.dtype = facts.dtype};
  muster_status status = check_source(&facts, error);
  if (status == MUSTER_OK) status = check_target(&facts, error);
  if (status != MUSTER_OK) return status;
  mst_shard *taken = mst_calloc(dataset->shard_count, sizeof *taken);
  if (taken == NULL) return mst_fail_memory(error);
  choose_shards(&facts, taken);
  facts.python.stack = options->stack;
  name_member(&facts);
  measure(&facts);
  status = check_members(&facts, error);
  if (status == MUSTER_OK) mst_recipe_add_text(&out->text, &facts);
  out->sysmem = facts.sysmem;
  mst_free(taken);
  return out->text.failed ? mst_fail_memory(error) : status;
}

void mst_recipe_reset(mst_recipe *recipe) {
  mst_str_reset(&recipe->text);
  *recipe = (mst_recipe){0};
}
