/* SPDX-License-Identifier: Apache-2.0 */
/*
 * muster_open: lists the shards, reads the metadata of all of them in parallel, each file opened
 * once, and tells everything that keeps them from being one array.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/dtype.h"
#include "base/pool.h"
#include "base/shape.h"
#include "base/status.h"
#include "load/dataset.h"
#include "load/inspect.h"
#include "load/listing.h"
#include "load/members.h"

#define FAULTS_TOLD 20

/* ---- all shards --------------------------------------------------------------------------------------- */

static muster_status take_shards(muster_dataset *dataset, mst_names *paths, muster_error *error) {
  dataset->shards = mst_calloc(paths->length, sizeof *dataset->shards);
  if (dataset->shards == NULL) return mst_fail_memory(error);
  dataset->shard_count = paths->length;
  for (size_t i = 0; i < paths->length; i++) {
    dataset->shards[i].path = paths->data[i];
    paths->data[i] = NULL;
  }
  mst_names_reset(paths);
  return MUSTER_OK;
}

/* By the option, the scheme, or the first file that is recognised; NULL when none is. */
static muster_status choose_format(mst_discovery *discovery, muster_error *error) {
  muster_dataset *dataset = discovery->dataset;
  const char *wanted = discovery->options->format;
  dataset->format = mst_format_of_scheme(dataset->shards[0].path);
  if (dataset->format != NULL) return MUSTER_OK;
  if (wanted != NULL) {
    dataset->format = mst_format_named(wanted);
    if (dataset->format != NULL && dataset->format->scheme == NULL) return MUSTER_OK;
    return mst_fail(error, MUSTER_ERR_USAGE, NULL,
                    "no format '%.60s' for files; 'muster formats' lists them", wanted);
  }
  for (size_t i = 0; dataset->format == NULL && i < dataset->shard_count; i++) {
    muster_error fault = {.offset = -1};
    const muster_status status =
        mst_probe_file(discovery, dataset->shards[i].path, &dataset->format, &fault);
    if (status == MUSTER_ERR_MEMORY) return mst_fail_memory(error);
    if (i == 0) discovery->unrecognised = fault;
  }
  return MUSTER_OK;
}

static muster_status check_options(const mst_discovery *discovery, muster_error *error) {
  const mst_format *format = discovery->dataset->format;
  const char *why = format != NULL ? mst_useless_option(format, discovery->options) : NULL;
  if (why == NULL) return MUSTER_OK;
  return mst_fail(error, MUSTER_ERR_USAGE, discovery->dataset->shards[0].path, "is %s, %s",
                  format->name, why);
}

static muster_status prepare_format(mst_discovery *discovery, muster_error *error) {
  muster_dataset *dataset = discovery->dataset;
  if (dataset->format == NULL || dataset->format->prepare == NULL) return MUSTER_OK;
  const mst_setup setup = {.options = discovery->options,
                           .folder = discovery->listing->folder,
                           .shards = dataset->shards,
                           .shard_count = dataset->shard_count};
  return dataset->format->prepare(&setup, &dataset->context, error);
}

static muster_status inspect_rest(void *context, uint64_t index, unsigned worker,
                                  muster_error *error) {
  const mst_discovery *discovery = context;
  return mst_inspect_shard(context, discovery->begun + index, worker, error);
}

/* The first shards by themselves until one is good and can be the reference, then all others. */
static muster_status inspect_all(mst_discovery *discovery, muster_error *error) {
  const size_t count = discovery->dataset->shard_count;
  while (discovery->begun < count && !discovery->has_reference) {
    const muster_status status = mst_inspect_shard(discovery, discovery->begun, 0, error);
    if (status != MUSTER_OK) return status;
    discovery->begun++;
  }
  const unsigned threads = discovery->options->threads;
  return mst_parallel_for(threads > 0 ? threads : mst_default_threads(), count - discovery->begun,
                          inspect_rest, discovery, error);
}

/* ---- the outcome ------------------------------------------------------------------------------------- */

typedef struct mst_telling {
  const muster_open_options *options;
  const muster_error *first;
  size_t count;
} mst_telling;

static void tell_fault(mst_telling *telling, const muster_error *fault) {
  if (telling->first == NULL) telling->first = fault;
  if (telling->count < FAULTS_TOLD && telling->options->on_fault != NULL)
    telling->options->on_fault(telling->options->on_fault_user, fault);
  telling->count++;
}

/* Those of the names first, then those of the shards. */
static muster_status tell_faults(const mst_discovery *discovery, muster_error *error) {
  mst_telling telling = {.options = discovery->options};
  const mst_listing *listing = discovery->listing;
  for (size_t i = 0; i < listing->faults.length; i++)
    tell_fault(&telling, listing->faults.data[i]);
  for (size_t i = 0; i < discovery->dataset->shard_count; i++)
    if (discovery->faults[i] != NULL) tell_fault(&telling, discovery->faults[i]);
  if (telling.first == NULL) return MUSTER_OK;
  if (error != NULL) *error = *telling.first;
  if (telling.count > 1 && error != NULL)
    snprintf(error->message, sizeof error->message, "%.440s (and %zu more)", telling.first->message,
             telling.count - 1);
  return telling.first->status;
}

/* What is remarked of one shard, and of so many others in the same words. */
typedef struct mst_remark {
  size_t shard;
  size_t others;
} mst_remark;

typedef struct mst_remarks {
  mst_remark each[FAULTS_TOLD];
  size_t count;
  size_t left_out; /* shards with words that are none of these */
} mst_remarks;

static void count_remark(const mst_discovery *discovery, size_t shard, mst_remarks *remarks) {
  const char *words = discovery->remarks[shard];
  for (size_t i = 0; i < remarks->count; i++) {
    if (strcmp(discovery->remarks[remarks->each[i].shard], words) != 0) continue;
    remarks->each[i].others++;
    return;
  }
  if (remarks->count < FAULTS_TOLD)
    remarks->each[remarks->count++] = (mst_remark){.shard = shard};
  else
    remarks->left_out++;
}

static muster_status take_remark(const mst_discovery *discovery, const mst_remark *remark,
                                 muster_error *error) {
  muster_dataset *dataset = discovery->dataset;
  mst_str note = {0};
  mst_str_addf(&note, "%s: %s", dataset->shards[remark->shard].path,
               discovery->remarks[remark->shard]);
  if (remark->others > 0) mst_str_addf(&note, " (and %zu more alike)", remark->others);
  return mst_dataset_take_note(dataset, mst_str_take(&note), error);
}

/* Thousands of files are seldom wrong in more than one way: each is told once. */
static muster_status take_remarks(const mst_discovery *discovery, muster_error *error) {
  muster_dataset *dataset = discovery->dataset;
  mst_remarks remarks = {0};
  muster_status status = MUSTER_OK;
  for (size_t i = 0; i < dataset->shard_count; i++)
    if (discovery->remarks[i] != NULL) count_remark(discovery, i, &remarks);
  for (size_t i = 0; status == MUSTER_OK && i < remarks.count; i++)
    status = take_remark(discovery, &remarks.each[i], error);
  if (status != MUSTER_OK || remarks.left_out == 0) return status;
  mst_str note = {0};
  mst_str_addf(&note, "and the like of %zu more files", remarks.left_out);
  return mst_dataset_take_note(dataset, mst_str_take(&note), error);
}

/* ---- files named twice --------------------------------------------------------------------------------- */

static const char *member_of(const mst_shard *shard) {
  return shard->member != NULL ? shard->member : "";
}

static int compare_files(const void *x, const void *y) {
  const mst_shard *a = *(const mst_shard *const *)x, *b = *(const mst_shard *const *)y;
  if (a->stat.device != b->stat.device) return a->stat.device < b->stat.device ? -1 : 1;
  if (a->stat.inode != b->stat.inode) return a->stat.inode < b->stat.inode ? -1 : 1;
  const int members = strcmp(member_of(a), member_of(b));
  return members != 0 ? members : strcmp(a->path, b->path);
}

/* Allowed, but seldom meant: two inputs that overlap. */
static muster_status note_repeated(muster_dataset *dataset, muster_error *error) {
  if (dataset->format->scheme != NULL) return MUSTER_OK;
  const mst_shard **sorted = mst_calloc(dataset->shard_count, sizeof(mst_shard *));
  if (sorted == NULL) return mst_fail_memory(error);
  for (size_t i = 0; i < dataset->shard_count; i++)
    sorted[i] = &dataset->shards[i];
  qsort(sorted, dataset->shard_count, sizeof *sorted, compare_files);
  const char *example = NULL;
  for (size_t i = 1; i < dataset->shard_count && example == NULL; i++) {
    const mst_shard *a = sorted[i - 1], *b = sorted[i];
    if (a->stat.device == b->stat.device && a->stat.inode == b->stat.inode &&
        strcmp(member_of(a), member_of(b)) == 0)
      example = b->path;
  }
  mst_free(sorted);
  if (example == NULL) return MUSTER_OK;
  mst_str note = {0};
  mst_str_addf(&note, "%s is there more than once, and so are its rows", example);
  return mst_dataset_take_note(dataset, mst_str_take(&note), error);
}

/* ---- the only array of each file ----------------------------------------------------------------------- */

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* The same but for numbers: those may count the files. */
static bool are_alike(const char *a, const char *b) {
  for (;;) {
    while (is_digit(*a))
      a++;
    while (is_digit(*b))
      b++;
    if (*a != *b) return false;
    if (*a == '\0') return true;
    a++;
    b++;
  }
}

/* Which one is taken was never said, and here it is another than there. */
static muster_status note_names(muster_dataset *dataset, const muster_open_options *options,
                                muster_error *error) {
  const mst_format *format = dataset->format;
  if (options->dataset != NULL || format->python_member == NULL) return MUSTER_OK;
  const mst_shard *first = &dataset->shards[0];
  const char *expected = format->python_member(first);
  for (size_t i = 1; expected != NULL && *expected != '\0' && i < dataset->shard_count; i++) {
    const mst_shard *shard = &dataset->shards[i];
    const char *name = format->python_member(shard);
    if (name == NULL || *name == '\0' || are_alike(name, expected)) continue;
    mst_str note = {0};
    mst_str_addf(&note, "the only array of %s is %s, and that of %s is %s: --dataset says which",
                 mst_base_name(first->path), expected, mst_base_name(shard->path), name);
    return mst_dataset_take_note(dataset, mst_str_take(&note), error);
  }
  return MUSTER_OK;
}

static muster_status discover(mst_discovery *discovery, muster_error *error) {
  muster_dataset *dataset = discovery->dataset;
  muster_status status = choose_format(discovery, error);
  if (status == MUSTER_OK) status = check_options(discovery, error);
  if (status == MUSTER_OK) status = mst_members_expand(dataset, discovery->options, error);
  if (status != MUSTER_OK) return status;
  discovery->faults = mst_calloc(dataset->shard_count, sizeof *discovery->faults);
  discovery->remarks = mst_calloc(dataset->shard_count, sizeof *discovery->remarks);
  if (discovery->faults == NULL || discovery->remarks == NULL) return mst_fail_memory(error);
  if (status == MUSTER_OK) status = prepare_format(discovery, error);
  if (status == MUSTER_OK) status = inspect_all(discovery, error);
  if (status == MUSTER_OK) status = tell_faults(discovery, error);
  /* No format and no fault: what failed at first has come right since. It is an error all the same.
   */
  if (status == MUSTER_OK && dataset->format == NULL) {
    status = discovery->unrecognised.status;
    if (error != NULL) *error = discovery->unrecognised;
  }
  if (status == MUSTER_OK) status = take_remarks(discovery, error);
  if (status == MUSTER_OK) status = note_repeated(dataset, error);
  if (status == MUSTER_OK) status = note_names(dataset, discovery->options, error);
  if (status == MUSTER_OK) status = mst_dataset_complete(dataset, discovery->options, error);
  return status;
}

static void free_each(void *pointers, size_t count) {
  void **each = pointers;
  for (size_t i = 0; each != NULL && i < count; i++)
    mst_free(each[i]);
  mst_free(pointers);
}

static muster_status fill_dataset(mst_listing *listing, const muster_open_options *options,
                                  muster_dataset *dataset, muster_error *error) {
  dataset->stacked = options->stack;
  dataset->is_folder = listing->first_is_folder && listing->input_count == 1;
  dataset->notes = listing->notes;
  listing->notes = (mst_names){0};
  muster_status status = take_shards(dataset, &listing->paths, error);
  if (status != MUSTER_OK) return status;
  mst_discovery discovery = {.dataset = dataset, .options = options, .listing = listing};
  status = discover(&discovery, error);
  free_each(discovery.faults, dataset->shard_count);
  free_each(discovery.remarks, dataset->shard_count);
  return status;
}

static muster_status open_listing(mst_listing *listing, const muster_open_options *options,
                                  muster_dataset **out, muster_error *error) {
  muster_dataset *dataset = mst_dataset_new();
  if (dataset == NULL) return mst_fail_memory(error);
  const muster_status status = fill_dataset(listing, options, dataset, error);
  if (status == MUSTER_OK)
    *out = dataset;
  else
    muster_dataset_free(dataset);
  return status;
}

muster_status muster_open(const char *const *inputs, size_t input_count,
                          const muster_open_options *options, muster_dataset **out,
                          muster_error *error) {
  *out = NULL;
  muster_open_options known;
  muster_status status = mst_known_open_options(&known, options, error);
  if (status != MUSTER_OK) return status;
  mst_listing listing;
  status = mst_listing_make(&listing, inputs, input_count, &known, error);
  if (status == MUSTER_OK) status = open_listing(&listing, &known, out, error);
  mst_listing_reset(&listing);
  return status;
}
