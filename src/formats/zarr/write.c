/* SPDX-License-Identifier: Apache-2.0 */
#include "formats/zarr/write.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cancel.h"
#include "base/dtype.h"
#include "base/json.h"
#include "base/shape.h"
#include "base/status.h"
#include "formats/zarr/store.h"

/* Chunks of whole rows of about so many bytes. */
#define CHUNK_BYTES ((uint64_t)8 << 20)
#define BLOCK_BYTES ((size_t)1 << 20)

typedef struct mst_zarr_writing {
  const mst_new_shard *shard;
  size_t itemsize;
  uint64_t row_elements;
  uint64_t chunk_rows;
  void *block; /* of BLOCK_BYTES */
} mst_zarr_writing;

/* ---- zarr.json ------------------------------------------------------------------------------------- */

/* {"name": name, "configuration": {key: value}} */
static yyjson_mut_val *extension(yyjson_mut_doc *doc, const char *name, const char *key,
                                 yyjson_mut_val *value) {
  yyjson_mut_val *made = yyjson_mut_obj(doc), *configuration = yyjson_mut_obj(doc);
  (void)yyjson_mut_obj_add_strcpy(doc, made, "name", name);
  (void)yyjson_mut_obj_add_val(doc, configuration, key, value);
  (void)yyjson_mut_obj_add_val(doc, made, "configuration", configuration);
  return made;
}

/* A unit such as "25s" is a factor and the unit proper. */
static yyjson_mut_val *data_type(yyjson_mut_doc *doc, const muster_dtype *dtype) {
  char name[48];
  muster_dtype plain = *dtype;
  plain.swapped = false;
  plain.unit[0] = '\0';
  (void)muster_dtype_name(&plain, name);
  if (!mst_is_time(dtype->type)) return yyjson_mut_strcpy(doc, name);
  char *unit;
  const unsigned long factor = strtoul(dtype->unit, &unit, 10);
  mst_str full = {0};
  mst_str_addf(&full, "numpy.%.*s", (int)strcspn(name, "["), name);
  yyjson_mut_val *made = extension(doc, mst_str_text(&full), "unit", yyjson_mut_strcpy(doc, unit));
  (void)yyjson_mut_obj_add_uint(doc, yyjson_mut_obj_get(made, "configuration"), "scale_factor",
                                factor > 0 ? factor : 1);
  mst_str_reset(&full);
  return made;
}

static yyjson_mut_val *fill_value(yyjson_mut_doc *doc, muster_type type) {
  if (type == MUSTER_BOOL) return yyjson_mut_bool(doc, false);
  if (type == MUSTER_FLOAT16 || type == MUSTER_FLOAT32 || type == MUSTER_FLOAT64)
    return yyjson_mut_real(doc, 0.0);
  if (type != MUSTER_COMPLEX64 && type != MUSTER_COMPLEX128) return yyjson_mut_uint(doc, 0);
  static const double zeros[] = {0, 0};
  return yyjson_mut_arr_with_double(doc, zeros, 2);
}

static yyjson_mut_val *codecs(yyjson_mut_doc *doc, const muster_dtype *dtype) {
  const bool big = dtype->swapped != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
  yyjson_mut_val *list = yyjson_mut_arr(doc);
  if (mst_swap_unit(dtype->type) > 1) {
    yyjson_mut_val *endian = yyjson_mut_str(doc, big ? "big" : "little");
    (void)yyjson_mut_arr_append(list, extension(doc, "bytes", "endian", endian));
  } else {
    (void)yyjson_mut_obj_add_str(doc, yyjson_mut_arr_add_obj(doc, list), "name", "bytes");
  }
  return list;
}

/* Keys with dots keep all chunks in one folder. What memory is short for, mst_json_text tells. */
static void describe(yyjson_mut_doc *doc, const mst_zarr_writing *writing) {
  const mst_schema *schema = &writing->shard->schema;
  uint64_t chunk[MUSTER_MAX_RANK];
  for (size_t i = 0; i < schema->rank; i++)
    chunk[i] = i == 0 ? writing->chunk_rows : mst_larger(schema->shape[i], 1);
  yyjson_mut_val *root = yyjson_mut_obj(doc);
  yyjson_mut_val *shape = yyjson_mut_arr_with_uint64(doc, schema->shape, schema->rank);
  yyjson_mut_val *chunks = yyjson_mut_arr_with_uint64(doc, chunk, schema->rank);
  yyjson_mut_doc_set_root(doc, root);
  (void)yyjson_mut_obj_add_uint(doc, root, "zarr_format", 3);
  (void)yyjson_mut_obj_add_str(doc, root, "node_type", "array");
  (void)yyjson_mut_obj_add_val(doc, root, "shape", shape);
  (void)yyjson_mut_obj_add_val(doc, root, "data_type", data_type(doc, &schema->dtype));
  (void)yyjson_mut_obj_add_val(doc, root, "chunk_grid",
                               extension(doc, "regular", "chunk_shape", chunks));
  (void)yyjson_mut_obj_add_val(doc, root, "chunk_key_encoding",
                               extension(doc, "default", "separator", yyjson_mut_str(doc, ".")));
  (void)yyjson_mut_obj_add_val(doc, root, "fill_value", fill_value(doc, schema->dtype.type));
  (void)yyjson_mut_obj_add_val(doc, root, "codecs", codecs(doc, &schema->dtype));
}

static muster_status write_metadata(const mst_zarr_writing *writing, muster_error *error) {
  yyjson_mut_doc *doc = mst_json_new();
  if (doc == NULL) return mst_fail_memory(error);
  describe(doc, writing);
  mst_str text = {0};
  char *path = mst_zarr_join(writing->shard->path, "zarr.json");
  muster_status status = mst_json_text(doc, &text, error);
  yyjson_mut_doc_free(doc);
  int fd = -1;
  if (status == MUSTER_OK && path == NULL) status = mst_fail_memory(error);
  if (status == MUSTER_OK) status = mst_io_create(path, &fd, error);
  if (status == MUSTER_OK) status = mst_io_write(fd, path, 0, text.data, text.length, error);
  if (fd >= 0) {
    const muster_status closed = mst_io_close_written(fd, path, status == MUSTER_OK ? error : NULL);
    if (status == MUSTER_OK) status = closed;
  }
  mst_str_reset(&text);
  mst_free(path);
  return status;
}

/* ---- chunks ------------------------------------------------------------------------------------------ */

/* Elements [first, first + count) of the shard at an element of the file; zeros behind its end. */
static muster_status write_elements(const mst_zarr_writing *writing, int fd, const char *path,
                                    uint64_t first, uint64_t count, uint64_t all,
                                    muster_error *error) {
  const mst_new_shard *shard = writing->shard;
  const uint64_t at_once = BLOCK_BYTES / writing->itemsize;
  for (uint64_t at = 0, length; at < all; at += length) {
    if (mst_is_cancelled(shard->cancel))
      return mst_fail(error, MUSTER_ERR_CANCELLED, shard->path, "cancelled");
    length = mst_smaller(at_once, (at < count ? count : all) - at);
    if (at < count)
      shard->fill(shard->context, writing->block, first + at, (size_t)length);
    else
      memset(writing->block, 0, (size_t)length * writing->itemsize);
    const muster_status status = mst_io_write(fd, path, at * writing->itemsize, writing->block,
                                              (size_t)length * writing->itemsize, error);
    if (status != MUSTER_OK) return status;
  }
  return MUSTER_OK;
}

static muster_status write_chunk(const mst_zarr_writing *writing, uint64_t number,
                                 muster_error *error) {
  const mst_schema *schema = &writing->shard->schema;
  const uint64_t first_row = number * writing->chunk_rows;
  const uint64_t rows = mst_smaller(writing->chunk_rows, schema->shape[0] - first_row);
  mst_str path = {0};
  mst_str_addf(&path, "%s/c.%" PRIu64, writing->shard->path, number);
  for (size_t i = 1; i < schema->rank; i++)
    mst_str_add(&path, ".0");
  int fd = -1;
  muster_status status = path.failed ? mst_fail_memory(error) : MUSTER_OK;
  if (status == MUSTER_OK) status = mst_io_create(path.data, &fd, error);
  if (status == MUSTER_OK)
    status = write_elements(writing, fd, path.data, first_row * writing->row_elements,
                            rows * writing->row_elements,
                            writing->chunk_rows * writing->row_elements, error);
  if (fd >= 0) {
    const muster_status closed =
        mst_io_close_written(fd, path.data, status == MUSTER_OK ? error : NULL);
    if (status == MUSTER_OK) status = closed;
  }
  mst_str_reset(&path);
  return status;
}

static muster_status settle(mst_zarr_writing *writing, muster_error *error) {
  const mst_schema *schema = &writing->shard->schema;
  const muster_type type = schema->dtype.type;
  char name[48];
  if (type == MUSTER_LONGDOUBLE || type == MUSTER_CLONGDOUBLE)
    return mst_fail(error, MUSTER_ERR_UNSUPPORTED, writing->shard->path,
                    "Zarr 3 has no %s: choose another dtype",
                    muster_dtype_name(&schema->dtype, name));
  writing->itemsize = muster_type_size(type);
  if (!mst_shape_elements(schema->rank - 1, schema->shape + 1, writing->itemsize,
                          &writing->row_elements))
    return mst_fail(error, MUSTER_ERR_USAGE, writing->shard->path, "the shape is too large");
  const uint64_t row_bytes = mst_larger(writing->row_elements * writing->itemsize, 1);
  if (row_bytes > (uint64_t)4 << 30)
    return mst_fail(error, MUSTER_ERR_UNSUPPORTED, writing->shard->path,
                    "rows of more than 4 GiB are not written as Zarr");
  writing->chunk_rows = mst_larger(mst_smaller(CHUNK_BYTES / row_bytes, schema->shape[0]), 1);
  return MUSTER_OK;
}

muster_status mst_zarr_write(const mst_new_shard *shard, muster_error *error) {
  mst_zarr_writing writing = {.shard = shard};
  muster_status status = settle(&writing, error);
  if (status == MUSTER_OK) status = mst_io_make_folder(shard->path, error);
  if (status == MUSTER_OK) status = write_metadata(&writing, error);
  if (status != MUSTER_OK || writing.row_elements == 0) return status;
  writing.block = mst_alloc(BLOCK_BYTES);
  if (writing.block == NULL) return mst_fail_memory(error);
  const uint64_t chunks = mst_ceil_divide(shard->schema.shape[0], writing.chunk_rows);
  for (uint64_t i = 0; status == MUSTER_OK && i < chunks; i++)
    status = write_chunk(&writing, i, error);
  mst_free(writing.block);
  return status;
}
