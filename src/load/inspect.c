/* SPDX-License-Identifier: Apache-2.0 */
/* What one shard is: its format, its metadata, and whether it is like the others. */
#include "load/inspect.h"

#include <string.h>

#include "base/alloc.h"
#include "base/dtype.h"
#include "base/shape.h"
#include "base/status.h"
#include "formats/zip.h"

/* Enough for nearly every npy header; one block of a file system. */
#define HEAD_BYTES 4096

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
    return mst_fail(error, MUSTER_ERR_UNSUPPORTED, source->path,
                    "is a folder, not a file: for the files in it, end the pattern with /*");
  if (*format == NULL) return refuse_unknown(&probe, error);
  if (wanted == NULL || *format == wanted) return MUSTER_OK;
  /* What is another format by its name only, or since options describe it, may be none. */
  const bool is_sure = is_folder || (*format)->probe(&probe) >= MST_PROBE_MAGIC;
  if (!is_sure && mst_refusal(&probe) != NULL) return refuse_unknown(&probe, error);
  (void)mst_fail(error, MUSTER_ERR_MISMATCH, source->path, "is %s, but the first shard is %s",
                 (*format)->name, wanted->name);
  return mst_tell_found(error, MUSTER_ERR_MISMATCH, (*format)->name, wanted->name);
}

/* A file that is not of its format is often plainly something else: an option or a name was wrong,
 * or what lies there stands for the file. What is of the format and damaged keeps its own words. */
static muster_status explain(const mst_source *source, const mst_format *format,
                             muster_status status, muster_error *error) {
  if (status != MUSTER_ERR_FORMAT && status != MUSTER_ERR_UNSUPPORTED) return status;
  if (source->stat == NULL || source->stat->is_directory) return status;
  if ((format->takes & MST_TAKES_DESCRIPTION) != 0) return status; /* any bytes may be that */
  const mst_probe content = {.path = "", .head = source->head, .head_length = source->head_length};
  const mst_format *other = mst_format_probe(&content);
  /* NetCDF is HDF5, and is opened as that is. */
  if (other != NULL && (other == format || other->open == format->open)) return status;
  if (other != NULL)
    return mst_fail(error, MUSTER_ERR_MISMATCH, source->path,
                    "is %s, not %s: leave --format out, or name that", other->name, format->name);
  /* Of archives npz is one kind, and Zarr's stores another. */
  const bool is_archive = content.head_length >= 4 && memcmp(content.head, MST_ZIP_LOCAL, 4) == 0;
  const char *refusal = is_archive ? NULL : mst_refusal(&content);
  if (refusal != NULL) return mst_fail(error, MUSTER_ERR_UNSUPPORTED, source->path, "%s", refusal);
  if (source->stat->size > 0) return status;
  return mst_fail(error, MUSTER_ERR_FORMAT, source->path,
                  "is empty (0 bytes): copy the file again");
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

muster_status mst_probe_file(const mst_discovery *discovery, const char *path,
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
                       .is_joined = dataset->shard_count > 1 && !discovery->options->stack,
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
  if (status == MUSTER_OK) {
    status = format->inspect(&source, schema, shard, remark, error);
    if (status != MUSTER_OK && fd >= 0) status = explain(&source, format, status, error);
  }
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

muster_status mst_inspect_shard(void *context, uint64_t index, unsigned worker,
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
