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
#include "load/listing.h"
#include "load/members.h"

/* Enough for nearly every npy header; one block of a file system. */
#define HEAD_BYTES 4096
#define FAULTS_TOLD 20

typedef struct mst_discovery {
  muster_dataset *dataset;
  const muster_open_options *options;
  const mst_listing *listing;
  muster_error unrecognised; /* why the first file's format could not be found */
  size_t begun;              /* shards inspected one by one before the others */
  bool has_reference;
  size_t reference;      /* the first good shard: what the others must be like */
  muster_error **faults; /* one entry a shard; NULL: it is good */
  char **remarks;        /* likewise, of good shards */
} mst_discovery;

/* ---- one shard ------------------------------------------------------------------------------------ */

static muster_status refuse_unknown(const mst_probe *probe, muster_error *error) {
  const char *refusal = mst_refusal(probe);
  if (refusal != NULL) return mst_fail(error, MUSTER_ERR_UNSUPPORTED, probe->path, "%s", refusal);
  return mst_fail(error, MUSTER_ERR_UNSUPPORTED, probe->path,
                  "no format that muster knows; if it is raw data say what it is, such as "
                  "--format raw --source-dtype float32 --row-shape 1024");
}

/* The format of the dataset is that of its first recognised file. */
static muster_status check_format(const mst_discovery *discovery, const mst_source *source,
                                  const mst_format **format, muster_error *error) {
  const mst_format *wanted = discovery->dataset->format;
  if (discovery->options->format != NULL) {
    *format = wanted;
    return MUSTER_OK;
  }
  const muster_open_options *options = discovery->options;
  const bool is_folder = source->stat != NULL && source->stat->is_directory;
  const mst_probe probe = {
      .path = source->path,
      .head = source->head,
      .head_length = source->head_length,
      .is_described =
          options->sidecar != NULL || options->row_shape_set || discovery->listing->has_sidecar,
  };
  muster_status status = MUSTER_OK;
  if (is_folder)
    status = mst_format_of_folder(source->path, format, error);
  else
    *format = mst_format_probe(&probe);
  if (status != MUSTER_OK) return status;
  if (*format == NULL && is_folder)
    return mst_fail(error, MUSTER_ERR_UNSUPPORTED, source->path, "is a folder, not a file");
  const bool known_refusal = *format == NULL || (wanted != NULL && *format != wanted);
  if (known_refusal && mst_refusal(&probe) != NULL) return refuse_unknown(&probe, error);
  if (*format == NULL) return refuse_unknown(&probe, error);
  if (wanted == NULL || *format == wanted) return MUSTER_OK;
  (void)mst_fail(error, MUSTER_ERR_MISMATCH, source->path, "is %s, but the first shard is %s",
                 (*format)->name, wanted->name);
  return mst_tell_found(error, MUSTER_ERR_MISMATCH, (*format)->name, wanted->name);
}

/* What the bytes are may have to be said by the user: NumPy writes bfloat16 as 'V2'. */
static muster_status settle_source(const muster_open_options *options, const char *path,
                                   mst_schema *schema, muster_error *error) {
  muster_dtype said = {0};
  if (options->source_dtype != NULL) {
    const muster_status status = muster_dtype_parse(options->source_dtype, &said, error);
    if (status != MUSTER_OK) return status;
  }
  if (schema->dtype.type != MUSTER_NO_TYPE) {
    if (said.type == MUSTER_NO_TYPE || mst_dtype_equal(&said, &schema->dtype)) return MUSTER_OK;
    char found[48];
    return mst_fail(error, MUSTER_ERR_MISMATCH, path,
                    "the file says that it holds %s, not %s; --dtype converts",
                    muster_dtype_name(&schema->dtype, found), options->source_dtype);
  }
  if (said.type == MUSTER_NO_TYPE && schema->opaque <= 2)
    return mst_fail(error, MUSTER_ERR_UNSUPPORTED, path,
                    "elements of %zu byte%s without a meaning that NumPy knows; say what they are, "
                    "such as --source-dtype %s",
                    schema->opaque, schema->opaque == 1 ? "" : "s",
                    schema->opaque == 1 ? "float8_e4m3fn" : "bfloat16");
  if (said.type == MUSTER_NO_TYPE)
    return mst_fail(error, MUSTER_ERR_UNSUPPORTED, path,
                    "elements of %zu bytes without a meaning that NumPy knows", schema->opaque);
  if (muster_type_size(said.type) != schema->opaque)
    return mst_fail(error, MUSTER_ERR_MISMATCH, path, "elements of %zu bytes cannot be %s",
                    schema->opaque, options->source_dtype);
  schema->dtype = said;
  return MUSTER_OK;
}

/* Axis 0 becomes the rows; with --stack the whole shard becomes one row. */
static muster_status settle_rows(const muster_open_options *options, mst_shard *shard,
                                 mst_schema *schema, muster_error *error) {
  if (options->stack) {
    if (schema->rank == MUSTER_MAX_RANK)
      return mst_fail(error, MUSTER_ERR_MISMATCH, shard->path,
                      "an array of 64 axes cannot be given one more");
    memmove(schema->shape + 1, schema->shape, schema->rank * sizeof *schema->shape);
    schema->shape[0] = 1;
    schema->rank++;
  }
  if (schema->rank == 0)
    return mst_fail(error, MUSTER_ERR_MISMATCH, shard->path,
                    "a 0-d array has no rows; --stack makes one row of each file");
  shard->rows = schema->shape[0];
  shard->swapped = schema->dtype.swapped;
  schema->dtype.swapped = false;
  return MUSTER_OK;
}

/* What the file is and begins with, HEAD_BYTES of it; a folder has no bytes. */
static muster_status read_head(mst_source *source, mst_stat *stat, unsigned char *head,
                               muster_error *error) {
  muster_status status = mst_io_fstat(source->fd, source->path, stat, error);
  source->stat = stat;
  source->head = head;
  if (status != MUSTER_OK || stat->is_directory) return status;
  if (!stat->is_regular)
    return mst_fail(error, MUSTER_ERR_UNSUPPORTED, source->path, "is no regular file");
  return mst_io_read_some(source->fd, source->path, 0, head, HEAD_BYTES, &source->head_length,
                          error);
}

static muster_status inspect_open(mst_discovery *discovery, size_t index, int fd,
                                  mst_schema *schema, mst_str *remark, muster_error *error) {
  muster_dataset *dataset = discovery->dataset;
  mst_shard *shard = &dataset->shards[index];
  unsigned char head[HEAD_BYTES];
  mst_source source = {.path = shard->path,
                       .member = shard->member,
                       .fd = fd,
                       .stat = &shard->stat,
                       .head = head,
                       .index = index,
                       .context = dataset->context,
                       .options = discovery->options};
  muster_status status = MUSTER_OK;
  if (fd >= 0) status = read_head(&source, &shard->stat, head, error);
  const mst_format *format = dataset->format;
  if (status == MUSTER_OK && fd >= 0) status = check_format(discovery, &source, &format, error);
  if (status == MUSTER_OK && dataset->format == NULL) {
    /* It could not be read when the format was looked for. */
    if (error != NULL) *error = discovery->unrecognised;
    return discovery->unrecognised.status;
  }
  if (status == MUSTER_OK) status = format->inspect(&source, schema, shard, remark, error);
  if (status == MUSTER_OK) status = settle_source(discovery->options, shard->path, schema, error);
  if (status == MUSTER_OK) status = settle_rows(discovery->options, shard, schema, error);
  return status;
}

static muster_status compare_shard(const mst_discovery *discovery, const char *path,
                                   const mst_schema *schema, muster_error *error) {
  const mst_schema *wanted = &discovery->dataset->source;
  const char *first = mst_base_name(discovery->dataset->shards[discovery->reference].path);
  if (!mst_dtype_equal(&schema->dtype, &wanted->dtype)) {
    char found[48], expected[48];
    (void)mst_fail(error, MUSTER_ERR_MISMATCH, path,
                   "dtype %s, but the first shard, %.200s, has %s",
                   muster_dtype_name(&schema->dtype, found), first,
                   muster_dtype_name(&wanted->dtype, expected));
    return mst_tell_found(error, MUSTER_ERR_MISMATCH, found, expected);
  }
  if (mst_same_shape(schema->rank - 1, schema->shape + 1, wanted->rank - 1, wanted->shape + 1))
    return MUSTER_OK;
  mst_str found = {0}, expected = {0};
  mst_add_shape(&found, schema->rank - 1, schema->shape + 1);
  mst_add_shape(&expected, wanted->rank - 1, wanted->shape + 1);
  (void)mst_fail(error, MUSTER_ERR_MISMATCH, path,
                 "rows of shape %.100s, but the first shard, %.150s, has rows of shape %.100s",
                 mst_str_text(&found), first, mst_str_text(&expected));
  (void)mst_tell_found(error, MUSTER_ERR_MISMATCH, mst_str_text(&found), mst_str_text(&expected));
  mst_str_reset(&found);
  mst_str_reset(&expected);
  return MUSTER_ERR_MISMATCH;
}

static muster_status inspect_shard(mst_discovery *discovery, size_t index, mst_str *remark,
                                   muster_error *error) {
  muster_dataset *dataset = discovery->dataset;
  mst_schema schema = {0};
  int fd = -1;
  if (dataset->format == NULL || dataset->format->scheme == NULL) {
    const muster_status opened = mst_io_open(dataset->shards[index].path, &fd, error);
    if (opened != MUSTER_OK) return opened;
  }
  muster_status status = inspect_open(discovery, index, fd, &schema, remark, error);
  mst_io_close(fd);
  if (status != MUSTER_OK) return status;
  if (discovery->has_reference)
    return compare_shard(discovery, dataset->shards[index].path, &schema, error);
  dataset->source = schema;
  discovery->reference = index;
  discovery->has_reference = true;
  return MUSTER_OK;
}

/* Faults are collected, not returned: only a lack of memory ends the work. */
static muster_status inspect_one(void *context, uint64_t index, unsigned worker,
                                 muster_error *error) {
  (void)worker;
  mst_discovery *discovery = context;
  mst_str remark = {0};
  muster_error fault = {.offset = -1};
  const muster_status status = inspect_shard(discovery, (size_t)index, &remark, &fault);
  const bool lost = remark.failed;
  if (status == MUSTER_OK && remark.length > 0) discovery->remarks[index] = mst_str_take(&remark);
  mst_str_reset(&remark);
  if (status == MUSTER_OK) return lost ? mst_fail_memory(error) : MUSTER_OK;
  if (status == MUSTER_ERR_MEMORY) return mst_fail_memory(error);
  muster_error *kept = mst_alloc(sizeof *kept);
  if (kept == NULL) return mst_fail_memory(error);
  *kept = fault;
  discovery->faults[index] = kept;
  return MUSTER_OK;
}

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

static muster_status probe_file(const mst_discovery *discovery, const char *path,
                                const mst_format **format, muster_error *error) {
  unsigned char head[HEAD_BYTES];
  mst_stat stat;
  mst_source source = {.path = path};
  muster_status status = mst_io_open(path, &source.fd, error);
  if (status != MUSTER_OK) return status;
  status = read_head(&source, &stat, head, error);
  mst_io_close(source.fd);
  if (status == MUSTER_OK) status = check_format(discovery, &source, format, error);
  return status;
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
        probe_file(discovery, dataset->shards[i].path, &dataset->format, &fault);
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
  return inspect_one(context, discovery->begun + index, worker, error);
}

/* The first shards by themselves until one is good and can be the reference, then all others. */
static muster_status inspect_all(mst_discovery *discovery, muster_error *error) {
  const size_t count = discovery->dataset->shard_count;
  while (discovery->begun < count && !discovery->has_reference) {
    const muster_status status = inspect_one(discovery, discovery->begun, 0, error);
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

static muster_status take_remarks(const mst_discovery *discovery, muster_error *error) {
  muster_dataset *dataset = discovery->dataset;
  size_t count = 0;
  muster_status status = MUSTER_OK;
  for (size_t i = 0; status == MUSTER_OK && i < dataset->shard_count; i++) {
    if (discovery->remarks[i] == NULL || count++ >= FAULTS_TOLD) continue;
    mst_str note = {0};
    mst_str_addf(&note, "%s: %s", dataset->shards[i].path, discovery->remarks[i]);
    status = mst_dataset_take_note(dataset, mst_str_take(&note), error);
  }
  if (status != MUSTER_OK || count <= FAULTS_TOLD) return status;
  mst_str note = {0};
  mst_str_addf(&note, "and the like of %zu more files", count - FAULTS_TOLD);
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
