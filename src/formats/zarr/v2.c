/* SPDX-License-Identifier: Apache-2.0 */
/* .zarray: the metadata of an array of Zarr 2. */
#include <string.h>

#include "base/shape.h"
#include "base/status.h"
#include "formats/zarr/array.h"

static muster_status damaged(const char *path, const char *what, muster_error *error) {
  return mst_fail(error, MUSTER_ERR_FORMAT, path, "damaged: %s", what);
}

bool mst_zarr_numbers(yyjson_val *value, size_t *count, uint64_t *out) {
  if (!yyjson_is_arr(value) || yyjson_arr_size(value) > MUSTER_MAX_RANK) return false;
  *count = yyjson_arr_size(value);
  size_t i, length;
  yyjson_val *number;
  yyjson_arr_foreach(value, i, length, number) {
    if (!yyjson_is_uint(number)) return false;
    out[i] = yyjson_get_uint(number);
  }
  return true;
}

static muster_status read_shape(const char *path, yyjson_val *root, mst_zarr_array *out,
                                muster_error *error) {
  mst_chunk_grid *grid = &out->grid;
  size_t rank;
  if (!mst_zarr_numbers(yyjson_obj_get(root, "shape"), &grid->rank, grid->shape))
    return damaged(path, "its shape is no list of at most 64 whole numbers", error);
  if (!mst_zarr_numbers(yyjson_obj_get(root, "chunks"), &rank, grid->chunk) || rank != grid->rank)
    return damaged(path, "its chunks have not as many axes as its shape", error);
  return MUSTER_OK;
}

static muster_status read_keys(const char *path, yyjson_val *root, mst_zarr_array *out,
                               muster_error *error) {
  yyjson_val *separator = yyjson_obj_get(root, "dimension_separator");
  out->separator = yyjson_equals_str(separator, "/") ? '/' : '.';
  if (separator == NULL || yyjson_is_null(separator) || out->separator == '/' ||
      yyjson_equals_str(separator, "."))
    return MUSTER_OK;
  return damaged(path, "its dimension_separator is neither '.' nor '/'", error);
}

static muster_status add_codec(const char *path, yyjson_val *codec, mst_zarr_chain *chain,
                               muster_error *error) {
  const char *name = yyjson_get_str(yyjson_obj_get(codec, "id"));
  if (name == NULL) return damaged(path, "a codec without an id", error);
  const bool big_endian_here = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
  return mst_zarr_add_step(path, name, codec, big_endian_here, chain, error);
}

/* The compressor was applied last. */
static muster_status read_codecs(const char *path, yyjson_val *root, mst_zarr_chain *chain,
                                 muster_error *error) {
  yyjson_val *compressor = yyjson_obj_get(root, "compressor");
  yyjson_val *filters = yyjson_obj_get(root, "filters");
  muster_status status = MUSTER_OK;
  if (compressor != NULL && !yyjson_is_null(compressor))
    status = add_codec(path, compressor, chain, error);
  if (filters == NULL || yyjson_is_null(filters)) return status;
  if (!yyjson_is_arr(filters)) return damaged(path, "its filters are no list", error);
  for (size_t i = yyjson_arr_size(filters); status == MUSTER_OK && i-- > 0;)
    status = add_codec(path, yyjson_arr_get(filters, i), chain, error);
  return status;
}

static muster_status read_order(const char *path, yyjson_val *root, mst_zarr_array *out,
                                muster_error *error) {
  yyjson_val *order = yyjson_obj_get(root, "order");
  if (yyjson_equals_str(order, "F"))
    mst_zarr_reverse_axes(&out->chain, out->grid.rank);
  else if (order != NULL && !yyjson_equals_str(order, "C"))
    return damaged(path, "its order is neither C nor F", error);
  return MUSTER_OK;
}

muster_status mst_zarr_parse_v2(const char *path, yyjson_val *root, mst_zarr_array *out,
                                muster_error *error) {
  *out = (mst_zarr_array){.separator = '.'};
  yyjson_val *version = yyjson_obj_get(root, "zarr_format");
  if (!yyjson_is_uint(version) || yyjson_get_uint(version) != 2)
    return damaged(path, "its zarr_format is not 2", error);
  muster_status status =
      mst_zarr_dtype_v2(path, yyjson_obj_get(root, "dtype"), &out->schema, error);
  if (status == MUSTER_OK) status = read_shape(path, root, out, error);
  if (status == MUSTER_OK) status = read_keys(path, root, out, error);
  if (status == MUSTER_OK) status = read_codecs(path, root, &out->chain, error);
  if (status == MUSTER_OK) status = read_order(path, root, out, error);
  if (status == MUSTER_OK)
    status = mst_zarr_fill(path, yyjson_obj_get(root, "fill_value"), &out->schema, out->grid.fill,
                           error);
  return status == MUSTER_OK ? mst_zarr_settle(path, out, error) : status;
}
