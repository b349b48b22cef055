/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bytes without a header. What they are is said by a sidecar, or by options, which win.
 * docs/formats/raw.md.
 */
#include <inttypes.h>
#include <string.h>

#include "base/alloc.h"
#include "base/dtype.h"
#include "base/json.h"
#include "base/shape.h"
#include "base/status.h"
#include "formats/flat.h"
#include "formats/sidecar.h"

/* Rows of a million shards; what is parsed takes more memory than its text. */
#define MAX_SIDECAR ((size_t)16 << 20)

static int probe(const mst_probe *p) {
  if (p->is_described) return MST_PROBE_DESCRIBED;
  return mst_has_extension(p->path, ".bin .raw .dat") ? MST_PROBE_EXTENSION : MST_PROBE_NO;
}

/* ---- what the bytes are ------------------------------------------------------------------------- */

static muster_status read_sidecar(const char *path, mst_sidecar *out, muster_error *error) {
  char *text;
  size_t length;
  muster_status status = mst_io_read_file(path, MAX_SIDECAR, &text, &length, error);
  if (status != MUSTER_OK) return status;
  status = mst_sidecar_parse(path, text, length, out, error);
  mst_free(text);
  return status;
}

static muster_status find_sidecar(const mst_setup *setup, mst_sidecar *out, bool *found,
                                  muster_error *error) {
  *found = setup->options->sidecar != NULL;
  if (*found) return read_sidecar(setup->options->sidecar, out, error);
  for (size_t i = 0; mst_sidecar_names[i] != NULL; i++) {
    mst_str path = {0};
    mst_str_addf(&path, "%s/%s", setup->folder, mst_sidecar_names[i]);
    muster_status status = path.failed ? mst_fail_memory(error) : MUSTER_OK;
    if (status == MUSTER_OK) status = mst_io_find(path.data, found, error);
    if (status == MUSTER_OK && *found) status = read_sidecar(path.data, out, error);
    mst_str_reset(&path);
    if (*found || status != MUSTER_OK) return status;
  }
  return MUSTER_OK;
}

static muster_status apply_options(const muster_open_options *options, mst_sidecar *described,
                                   muster_error *error) {
  if (options->source_dtype != NULL) {
    const muster_status status =
        muster_dtype_parse(options->source_dtype, &described->dtype, error);
    if (status != MUSTER_OK) return status;
  }
  if (options->row_shape_set) {
    if (options->row_rank >= MUSTER_MAX_RANK)
      return mst_fail(error, MUSTER_ERR_USAGE, NULL, "the row shape has more than 63 axes");
    described->rank = options->row_rank;
    if (options->row_rank > 0)
      memcpy(described->trailing, options->row_shape, options->row_rank * sizeof(uint64_t));
  }
  if (options->header_bytes_set) described->header_bytes = options->header_bytes;
  uint64_t elements;
  if (!mst_shape_elements(described->rank, described->trailing,
                          muster_type_size(described->dtype.type), &elements))
    return mst_fail(error, MUSTER_ERR_USAGE, NULL,
                    "the row shape describes more bytes than 64 bits can count");
  return MUSTER_OK;
}

static muster_status check_rows(const mst_setup *setup, const mst_sidecar *described,
                                muster_error *error) {
  /* With names each file finds its own. */
  if (!described->has_rows || described->files != NULL ||
      described->rows_count == setup->shard_count)
    return MUSTER_OK;
  return mst_fail(error, MUSTER_ERR_MISMATCH, setup->folder,
                  "the sidecar tells the rows of %zu files, but there are %zu: correct "
                  "\"per_shard_rows\", or leave it out",
                  described->rows_count, setup->shard_count);
}

static muster_status prepare(const mst_setup *setup, void **context, muster_error *error) {
  mst_sidecar *described = mst_calloc(1, sizeof *described);
  if (described == NULL) return mst_fail_memory(error);
  *context = described;
  bool found;
  muster_status status = find_sidecar(setup, described, &found, error);
  if (status == MUSTER_OK) status = apply_options(setup->options, described, error);
  if (status == MUSTER_OK && described->dtype.type == MUSTER_NO_TYPE)
    return mst_fail(error, MUSTER_ERR_USAGE, setup->shards[0].path,
                    "raw data, and nothing says what they are: give --source-dtype and "
                    "--row-shape, or a sidecar shard_meta.json");
  if (status == MUSTER_OK) status = check_rows(setup, described, error);
  return status;
}

static void release(void *context) {
  if (context == NULL) return;
  mst_sidecar_reset(context);
  mst_free(context);
}

/* ---- one shard --------------------------------------------------------------------------------------- */

typedef struct mst_raw_sizes {
  uint64_t header;
  uint64_t row; /* bytes */
  uint64_t found;
} mst_raw_sizes;

static muster_status derive_rows(const mst_source *source, const mst_raw_sizes *sizes,
                                 uint64_t *rows, muster_error *error) {
  if (sizes->row == 0)
    return mst_fail(error, MUSTER_ERR_MISMATCH, source->path,
                    "rows of no bytes cannot be counted: give \"per_shard_rows\" in a sidecar");
  const uint64_t data = sizes->found - sizes->header;
  *rows = data / sizes->row;
  if (data % sizes->row == 0) return MUSTER_OK;
  return mst_fail_at(error, MUSTER_ERR_FORMAT, source->path, (muster_offset)sizes->found,
                     "%" PRIu64 " bytes of data do not divide into rows of %" PRIu64
                     " bytes: %" PRIu64 " whole rows and %" PRIu64
                     " bytes more; check dtype, row shape and header bytes",
                     data, sizes->row, *rows, data % sizes->row);
}

static muster_status check_told_rows(const mst_source *source, const mst_raw_sizes *sizes,
                                     uint64_t rows, muster_error *error) {
  uint64_t expected;
  if (!mst_multiply(rows, sizes->row, &expected) || expected > MST_MAX_BYTES - sizes->header)
    return mst_fail(error, MUSTER_ERR_FORMAT, source->path,
                    "the sidecar tells more rows than 64 bits can count bytes");
  expected += sizes->header;
  if (expected == sizes->found) return MUSTER_OK;
  const uint64_t whole = sizes->row > 0 ? (sizes->found - sizes->header) / sizes->row : 0;
  (void)mst_fail_at(error, MUSTER_ERR_FORMAT, source->path, (muster_offset)sizes->found,
                    "the sidecar tells %" PRIu64 " rows: expected %" PRIu64 " bytes, found %" PRIu64
                    " (%" PRIu64 " whole rows)",
                    rows, expected, sizes->found, whole);
  return mst_tell_sizes(error, MUSTER_ERR_FORMAT, sizes->found, expected);
}

static muster_status count_rows(const mst_source *source, const mst_raw_sizes *sizes,
                                uint64_t *rows, muster_error *error) {
  if (sizes->found < sizes->header)
    return mst_fail_at(error, MUSTER_ERR_FORMAT, source->path, (muster_offset)sizes->found,
                       "truncated: %" PRIu64 " bytes, the header alone takes %" PRIu64,
                       sizes->found, sizes->header);
  const mst_sidecar *described = source->context;
  if (!described->has_rows) return derive_rows(source, sizes, rows, error);
  if (!mst_sidecar_rows(described, source->index, mst_base_name(source->path), rows))
    return mst_fail(error, MUSTER_ERR_MISMATCH, source->path,
                    "the sidecar does not name this file: add it to \"files\"");
  return check_told_rows(source, sizes, *rows, error);
}

static muster_status inspect(const mst_source *source, mst_schema *schema, mst_shard *shard,
                             mst_str *note, muster_error *error) {
  (void)note;
  const mst_sidecar *described = source->context;
  uint64_t row_elements;
  (void)mst_shape_elements(described->rank, described->trailing, 1, &row_elements);
  const mst_raw_sizes sizes = {.header = described->header_bytes,
                               .row = row_elements * muster_type_size(described->dtype.type),
                               .found = source->stat->size};
  const muster_status status = count_rows(source, &sizes, &schema->shape[0], error);
  if (status != MUSTER_OK) return status;
  schema->dtype = described->dtype;
  schema->rank = described->rank + 1;
  memcpy(schema->shape + 1, described->trailing, described->rank * sizeof(uint64_t));
  shard->data_offset = described->header_bytes;
  return MUSTER_OK;
}

/* ---- writing ------------------------------------------------------------------------------------------- */

static muster_status write_shard(const mst_new_shard *shard, muster_error *error) {
  return mst_flat_write(shard, "", 0, error);
}

static yyjson_mut_doc *describe(const mst_schema *schema, const uint64_t *shard_rows,
                                size_t shard_count) {
  yyjson_mut_doc *doc = mst_json_new();
  if (doc == NULL) return NULL;
  yyjson_mut_val *root = yyjson_mut_obj(doc);
  yyjson_mut_doc_set_root(doc, root);
  char name[48];
  muster_dtype native = schema->dtype;
  native.swapped = false;
  const bool big = schema->dtype.swapped != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
  bool done = yyjson_mut_obj_add_strcpy(doc, root, "dtype", muster_dtype_name(&native, name));
  yyjson_mut_val *trailing = yyjson_mut_arr(doc);
  for (size_t i = 1; i < schema->rank; i++)
    done = done && yyjson_mut_arr_add_uint(doc, trailing, schema->shape[i]);
  yyjson_mut_val *rows = yyjson_mut_arr_with_uint64(doc, shard_rows, shard_count);
  done = done && yyjson_mut_obj_add_val(doc, root, "trailing_shape", trailing) &&
         yyjson_mut_obj_add_val(doc, root, "per_shard_rows", rows) &&
         yyjson_mut_obj_add_str(doc, root, "byte_order", big ? "big" : "little") &&
         yyjson_mut_obj_add_uint(doc, root, "header_bytes", 0);
  if (done) return doc;
  yyjson_mut_doc_free(doc);
  return NULL;
}

static muster_status write_sidecar(const char *folder, const mst_schema *schema,
                                   const uint64_t *shard_rows, size_t shard_count,
                                   muster_error *error) {
  yyjson_mut_doc *doc = describe(schema, shard_rows, shard_count);
  if (doc == NULL) return mst_fail_memory(error);
  mst_str text = {0}, path = {0};
  muster_status status = mst_json_text(doc, &text, error);
  yyjson_mut_doc_free(doc);
  mst_str_addf(&path, "%s/%s", folder, mst_sidecar_names[0]);
  if (status == MUSTER_OK && path.failed) status = mst_fail_memory(error);
  if (status == MUSTER_OK) status = mst_io_write_file(path.data, text.data, text.length, error);
  mst_str_reset(&text);
  mst_str_reset(&path);
  return status;
}

/* ---- in Python ----------------------------------------------------------------------------------------- */

static void add_python(const mst_python_shards *python, mst_str *out) {
  const mst_shard *first = &python->shards[0];
  muster_dtype dtype = python->schema->dtype;
  char descr[48];
  dtype.swapped = first->swapped;
  (void)mst_dtype_descr(&dtype, descr);
  const bool has_axes = python->schema->rank > 1;
  mst_str_addf(out, "    %s np.memmap(path, \"%s\", \"r\"", has_axes ? "flat =" : "return",
               dtype.type == MUSTER_BFLOAT16 ? "V2" : descr);
  if (first->data_offset > 0) mst_str_addf(out, ", offset=%" PRIu64, first->data_offset);
  mst_str_add(out, ")\n");
  if (has_axes) mst_str_add(out, "    return flat.reshape(-1, *SHAPE[1:])\n");
}

const mst_format mst_format_raw = {
    .name = "raw",
    .summary = "bytes without a header, described by shard_meta.json or by options",
    .extensions = ".bin .raw .dat",
    .takes = MST_TAKES_DESCRIPTION,
    .probe = probe,
    .prepare = prepare,
    .release = release,
    .inspect = inspect,
    .read_elements = mst_flat_read_elements,
    .write = write_shard,
    .write_sidecar = write_sidecar,
    .add_python = add_python,
};
