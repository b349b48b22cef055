/* SPDX-License-Identifier: Apache-2.0 */
/* muster_write: a deterministic dataset, made aside and put in its place at the end. */
#include <inttypes.h>
#include <string.h>

#include "base/alloc.h"
#include "base/convert.h"
#include "base/dtype.h"
#include "base/io.h"
#include "base/pool.h"
#include "base/seeded.h"
#include "base/shape.h"
#include "base/status.h"
#include "formats/format.h"
#include "formats/sidecar.h"
#include "load/record.h"
#include "load/tree.h"

#define MAX_SHARDS ((uint64_t)100000000)

void muster_write_options_init(muster_write_options *options) {
  *options = (muster_write_options){
      .struct_size = sizeof *options, .format = "npy", .dtype = "float32", .shards = 1};
}

typedef struct mst_writing {
  const muster_write_options *options;
  const mst_format *format;
  const char *folder; /* the temporary one */
  mst_schema schema;  /* of any shard but for shape[0] */
  uint64_t row_elements;
  uint64_t *rows;      /* of each shard */
  uint64_t *first_row; /* of each shard */
  size_t count;
  uint64_t bytes; /* of all elements */
  int digits;     /* of the numbers in names */
} mst_writing;

/* ---- what is to be written --------------------------------------------------------------------- */

static muster_status settle_format(mst_writing *writing, muster_error *error) {
  const muster_write_options *options = writing->options;
  writing->format = mst_format_named(options->format);
  if (writing->format == NULL || writing->format->write == NULL)
    return mst_fail(error, MUSTER_ERR_USAGE, NULL,
                    "'%.60s' is no format that can be written; 'muster formats' lists them",
                    options->format);
  return MUSTER_OK;
}

static muster_status settle_schema(mst_writing *writing, muster_error *error) {
  const muster_write_options *options = writing->options;
  mst_schema *schema = &writing->schema;
  muster_status status = muster_dtype_parse(options->dtype, &schema->dtype, error);
  if (status != MUSTER_OK) return status;
  if (mst_is_source_only(schema->dtype.type))
    return mst_fail(error, MUSTER_ERR_USAGE, NULL, "%s cannot be written", options->dtype);
  if (options->row_rank >= MUSTER_MAX_RANK)
    return mst_fail(error, MUSTER_ERR_USAGE, NULL, "the row shape has more than 63 axes");
  schema->rank = options->row_rank + 1;
  for (size_t i = 0; i < options->row_rank; i++)
    schema->shape[i + 1] = options->row_shape[i];
  (void)mst_shape_elements(options->row_rank, schema->shape + 1, 1, &writing->row_elements);
  return MUSTER_OK;
}

__extension__ typedef unsigned __int128 mst_uint128;

/*
 * Unequal on purpose: shard i gets a share proportional to 2^20 + the top 20 bits of its random
 * number, between one and two parts. Whole numbers only, so that every machine cuts alike.
 */
static void share_rows(mst_writing *writing) {
  const muster_write_options *options = writing->options;
  const uint64_t part = (uint64_t)1 << 20;
  mst_uint128 total = 0, sum = 0;
  for (size_t i = 0; i < writing->count; i++)
    total += part + (muster_seeded(~options->seed, i) >> 44);
  uint64_t begin = 0;
  for (size_t i = 0; i < writing->count; i++) {
    sum += part + (muster_seeded(~options->seed, i) >> 44);
    const uint64_t end = (uint64_t)(sum * options->rows / total);
    writing->rows[i] = end - begin;
    begin = end;
  }
}

static void cut_rows(mst_writing *writing) {
  const muster_write_options *options = writing->options;
  if (options->shard_rows != NULL) {
    memcpy(writing->rows, options->shard_rows, writing->count * sizeof *writing->rows);
  } else if (options->equal) {
    for (size_t i = 0; i < writing->count; i++)
      writing->rows[i] = options->rows / writing->count + (i < options->rows % writing->count);
  } else {
    share_rows(writing);
  }
}

static muster_status settle_rows(mst_writing *writing, muster_error *error) {
  const muster_write_options *options = writing->options;
  const uint64_t count = options->shard_rows != NULL ? options->shard_rows_count : options->shards;
  if (count == 0 || count > MAX_SHARDS)
    return mst_fail(error, MUSTER_ERR_USAGE, NULL,
                    "the number of shards must be between 1 and %" PRIu64, MAX_SHARDS);
  if (options->rows > MST_MAX_BYTES)
    return mst_fail(error, MUSTER_ERR_USAGE, NULL, "too many rows");
  writing->count = (size_t)count;
  writing->rows = mst_calloc(writing->count, sizeof *writing->rows);
  writing->first_row = mst_calloc(writing->count, sizeof *writing->first_row);
  if (writing->rows == NULL || writing->first_row == NULL) return mst_fail_memory(error);
  cut_rows(writing);
  uint64_t all[MUSTER_MAX_RANK], elements, rows = 0;
  memcpy(all, writing->schema.shape, sizeof all);
  for (size_t i = 0; i < writing->count; i++) {
    writing->first_row[i] = rows;
    if (__builtin_add_overflow(rows, writing->rows[i], &rows))
      return mst_fail(error, MUSTER_ERR_USAGE, NULL, "too many rows");
  }
  all[0] = rows;
  if (!mst_shape_elements(writing->schema.rank, all, muster_type_size(writing->schema.dtype.type),
                          &elements))
    return mst_fail(error, MUSTER_ERR_USAGE, NULL,
                    "the dataset would be more bytes than 63 bits can count");
  writing->bytes = elements * muster_type_size(writing->schema.dtype.type);
  writing->digits = 4;
  for (uint64_t top = 10000; top < writing->count; top *= 10)
    writing->digits++;
  return MUSTER_OK;
}

/* ---- writing --------------------------------------------------------------------------------------- */

/* The name of shard i, such as shard_0007.npy. */
static void add_name(mst_str *out, const mst_writing *writing, uint64_t index) {
  const char *extensions = writing->format->extensions;
  mst_str_addf(out, "shard_%0*" PRIu64 "%.*s", writing->digits, index,
               (int)strcspn(extensions, " "), extensions);
}

typedef struct mst_cells {
  const mst_schema *schema;
  uint64_t seed;
  uint64_t first; /* cell of the whole array that the shard begins with */
} mst_cells;

static void fill(void *context, void *out, uint64_t first, size_t count) {
  const mst_cells *cells = context;
  const muster_dtype *dtype = &cells->schema->dtype;
  mst_seeded_fill(out, dtype->type, cells->seed, cells->first + first, count);
  if (dtype->swapped) mst_swap_bytes(out, count, dtype->type);
}

static muster_status write_shard(void *context, uint64_t index, unsigned worker,
                                 muster_error *error) {
  (void)worker;
  const mst_writing *writing = context;
  mst_str path = {0};
  mst_str_addf(&path, "%s/", writing->folder);
  add_name(&path, writing, index);
  mst_cells cells = {.schema = &writing->schema,
                     .seed = writing->options->seed,
                     .first = writing->first_row[index] * writing->row_elements};
  mst_new_shard shard = {.path = path.data,
                         .schema = writing->schema,
                         .fill = fill,
                         .context = &cells,
                         .cancel = writing->options->cancel};
  shard.schema.shape[0] = writing->rows[index];
  const muster_status status =
      path.failed ? mst_fail_memory(error) : writing->format->write(&shard, error);
  mst_str_reset(&path);
  return status;
}

static bool add_file(const mst_writing *writing, yyjson_mut_doc *doc, yyjson_mut_val *files,
                     size_t index, muster_error *error) {
  mst_str path = {0};
  mst_str_addf(&path, "%s/", writing->folder);
  const size_t folder = path.length;
  add_name(&path, writing, index);
  mst_weight weight = {0};
  bool done = !path.failed && mst_weigh(path.data, &weight, error) == MUSTER_OK;
  yyjson_mut_val *file = yyjson_mut_arr_add_obj(doc, files);
  done = done && yyjson_mut_obj_add_strcpy(doc, file, "name", path.data + folder) &&
         yyjson_mut_obj_add_uint(doc, file, "rows", writing->rows[index]) &&
         yyjson_mut_obj_add_uint(doc, file, "bytes", weight.bytes);
  if (weight.files > 0) done = done && yyjson_mut_obj_add_uint(doc, file, "files", weight.files);
  mst_str_reset(&path);
  return done;
}

static bool add_facts(const mst_writing *writing, yyjson_mut_doc *doc, yyjson_mut_val *root) {
  const mst_schema *schema = &writing->schema;
  char name[48];
  yyjson_mut_val *trailing = yyjson_mut_arr_with_uint64(doc, schema->shape + 1, schema->rank - 1);
  return yyjson_mut_obj_add_str(doc, root, "schema", MST_WRITE_SCHEMA) &&
         yyjson_mut_obj_add_str(doc, root, "generator", "muster") &&
         yyjson_mut_obj_add_str(doc, root, "version", muster_version()) &&
         yyjson_mut_obj_add_str(doc, root, "format", writing->format->name) &&
         yyjson_mut_obj_add_strcpy(doc, root, "dtype", muster_dtype_name(&schema->dtype, name)) &&
         yyjson_mut_obj_add_val(doc, root, "trailing_shape", trailing) &&
         yyjson_mut_obj_add_uint(doc, root, "seed", writing->options->seed);
}

/* The size of the sidecar, by which `clean` knows it again. */
static bool add_sidecar(const mst_writing *writing, yyjson_mut_doc *doc, yyjson_mut_val *root,
                        muster_error *error) {
  if (writing->format->write_sidecar == NULL) return true;
  char *path = mst_record_path(writing->folder, mst_sidecar_names[0]);
  mst_stat info = {0};
  const bool done = path != NULL && mst_io_stat(path, &info, error) == MUSTER_OK &&
                    yyjson_mut_obj_add_uint(doc, root, "sidecar_bytes", info.size);
  mst_free(path);
  return done;
}

static muster_status write_record(const mst_writing *writing, muster_error *error) {
  yyjson_mut_doc *doc = mst_json_new();
  char *path = mst_record_path(writing->folder, MST_WRITE_RECORD);
  muster_error cause = {.offset = -1};
  muster_status status = MUSTER_OK;
  yyjson_mut_val *root = yyjson_mut_obj(doc);
  yyjson_mut_val *files = yyjson_mut_arr(doc);
  bool done = doc != NULL && path != NULL && add_facts(writing, doc, root);
  for (size_t i = 0; done && i < writing->count; i++)
    done = add_file(writing, doc, files, i, &cause);
  done = done && add_sidecar(writing, doc, root, &cause) &&
         yyjson_mut_obj_add_val(doc, root, "files", files);
  if (!done && cause.status != MUSTER_OK) {
    status = cause.status;
    if (error != NULL) *error = cause;
  } else if (!done) {
    status = mst_fail_memory(error);
  } else {
    yyjson_mut_doc_set_root(doc, root);
    status = mst_record_write(path, doc, error);
  }
  mst_free(path);
  yyjson_mut_doc_free(doc);
  return status;
}

/* Errors name the place that the user knows, not the one where the folder is made. */
static void name_final_path(const char *dir, const char *temporary, muster_error *error) {
  if (error == NULL || !mst_starts_with(error->path, temporary)) return;
  mst_str path = {0};
  mst_str_addf(&path, "%s%s", dir, error->path + strlen(temporary));
  if (!path.failed && path.length < sizeof error->path)
    memcpy(error->path, path.data, path.length + 1);
  mst_str_reset(&path);
}

/* Otherwise a number with too many digits fills the disk before it is an error. */
static muster_status check_room(const mst_writing *writing, const char *dir, muster_error *error) {
  const uint64_t room = mst_io_free_space(writing->folder);
  if (writing->bytes <= room) return MUSTER_OK;
  char taken[24], there[24];
  return mst_fail(error, MUSTER_ERR_IO, dir,
                  "the dataset takes %s, and there is room for %s: write fewer rows, or elsewhere",
                  mst_human_bytes((double)writing->bytes, taken),
                  mst_human_bytes((double)room, there));
}

static muster_status write_folder(mst_writing *writing, const char *dir, muster_error *error) {
  mst_new_folder folder;
  muster_status status = mst_new_folder_begin(&folder, dir, error);
  if (status != MUSTER_OK) return status;
  writing->folder = folder.temporary;
  const unsigned threads = writing->options->threads;
  status = check_room(writing, dir, error);
  if (status == MUSTER_OK)
    status = mst_parallel_for(threads > 0 ? threads : mst_default_threads(), writing->count,
                              write_shard, writing, error);
  if (status == MUSTER_OK && writing->format->write_sidecar != NULL)
    status = writing->format->write_sidecar(folder.temporary, &writing->schema, writing->rows,
                                            writing->count, error);
  if (status == MUSTER_OK) status = write_record(writing, error);
  if (status == MUSTER_OK) return mst_new_folder_commit(&folder, error);
  name_final_path(dir, folder.temporary, error);
  mst_new_folder_reset(&folder);
  return status;
}

muster_status muster_write(const char *dir, const muster_write_options *options,
                           muster_error *error) {
  muster_status status = mst_check_struct(options->struct_size, "muster_write_options_init", error);
  if (status != MUSTER_OK) return status;
  muster_write_options known;
  muster_write_options_init(&known);
  const size_t size = options->struct_size < sizeof known ? options->struct_size : sizeof known;
  memcpy(&known, options, size);
  mst_writing writing = {.options = &known};
  status = settle_format(&writing, error);
  if (status == MUSTER_OK) status = settle_schema(&writing, error);
  if (status == MUSTER_OK) status = settle_rows(&writing, error);
  if (status == MUSTER_OK) status = write_folder(&writing, dir, error);
  mst_free(writing.rows);
  mst_free(writing.first_row);
  return status;
}
