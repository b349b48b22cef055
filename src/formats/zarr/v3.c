/* SPDX-License-Identifier: Apache-2.0 */
/* zarr.json: the metadata of an array of Zarr 3, and of its shards. */
#include <string.h>

#include "base/dtype.h"
#include "base/shape.h"
#include "base/status.h"
#include "formats/zarr/array.h"

#define BIG_ENDIAN_HERE (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)

static muster_status damaged(const char *path, const char *what, muster_error *error) {
  return mst_fail(error, MUSTER_ERR_FORMAT, path, "damaged: %s", what);
}

static muster_status refuse(const char *path, const char *what, muster_error *error) {
  return mst_fail(error, MUSTER_ERR_UNSUPPORTED, path, "%s: write it again with zarr, without that",
                  what);
}

/* What extends the format is an object with a name, or its name alone. */
static const char *name_of(yyjson_val *value) {
  return yyjson_get_str(yyjson_is_obj(value) ? yyjson_obj_get(value, "name") : value);
}

static yyjson_val *configuration_of(yyjson_val *value) {
  return yyjson_obj_get(value, "configuration");
}

static bool is_named(yyjson_val *value, const char *name) {
  const char *found = name_of(value);
  return found != NULL && strcmp(found, name) == 0;
}

/* ---- the grid and the keys ------------------------------------------------------------------------- */

static muster_status read_shape(const char *path, yyjson_val *root, mst_zarr_array *out,
                                muster_error *error) {
  mst_chunk_grid *grid = &out->grid;
  size_t rank;
  if (!mst_zarr_numbers(yyjson_obj_get(root, "shape"), &grid->rank, grid->shape))
    return damaged(path, "its shape is no list of at most 64 whole numbers", error);
  yyjson_val *chunks = yyjson_obj_get(root, "chunk_grid");
  const char *name = name_of(chunks);
  if (name != NULL && strcmp(name, "regular") != 0)
    return mst_fail(error, MUSTER_ERR_UNSUPPORTED, path,
                    "a chunk grid '%.40s', where only regular ones are read: write it again with "
                    "chunks of one shape",
                    name);
  if (!mst_zarr_numbers(yyjson_obj_get(configuration_of(chunks), "chunk_shape"), &rank,
                        grid->chunk) ||
      rank != grid->rank)
    return damaged(path, "its chunk_shape has not as many axes as its shape", error);
  return MUSTER_OK;
}

static muster_status read_keys(const char *path, yyjson_val *root, mst_zarr_array *out,
                               muster_error *error) {
  yyjson_val *encoding = yyjson_obj_get(root, "chunk_key_encoding");
  const char *name = encoding != NULL ? name_of(encoding) : "default";
  if (name == NULL) return damaged(path, "its chunk_key_encoding has no name", error);
  out->has_prefix = strcmp(name, "default") == 0;
  if (!out->has_prefix && strcmp(name, "v2") != 0)
    return mst_fail(error, MUSTER_ERR_UNSUPPORTED, path,
                    "chunk keys '%.40s', where only default and v2 are known", name);
  yyjson_val *separator = yyjson_obj_get(configuration_of(encoding), "separator");
  out->separator = out->has_prefix ? '/' : '.';
  if (separator == NULL) return MUSTER_OK;
  out->separator = yyjson_equals_str(separator, "/") ? '/' : '.';
  if (out->separator == '/' || yyjson_equals_str(separator, ".")) return MUSTER_OK;
  return damaged(path, "the separator of its chunk keys is neither '.' nor '/'", error);
}

/* ---- the chain of codecs ------------------------------------------------------------------------------ */

/* Reads the codecs of `list` in the order of writing. */
typedef struct mst_codec_list {
  const char *path;
  yyjson_val *list;
  mst_zarr_array *array;
  size_t next; /* the first codec not read yet */
} mst_codec_list;

/* Axis i after the codec is axis order[i] before it. */
static muster_status add_transpose(const mst_codec_list *codecs, yyjson_val *configuration,
                                   muster_error *error) {
  mst_zarr_chain *chain = &codecs->array->chain;
  const size_t rank = codecs->array->grid.rank;
  uint64_t order[MUSTER_MAX_RANK];
  unsigned char axes[MUSTER_MAX_RANK] = {0};
  bool seen[MUSTER_MAX_RANK] = {false};
  size_t count;
  yyjson_val *value = yyjson_obj_get(configuration, "order");
  if (yyjson_equals_str(value, "C")) return MUSTER_OK;
  const bool reversed = yyjson_equals_str(value, "F");
  if (!reversed && (!mst_zarr_numbers(value, &count, order) || count != rank))
    return damaged(codecs->path, "the order of a transpose codec", error);
  for (size_t i = 0; i < rank; i++) {
    if (reversed) order[i] = rank - 1 - i;
    if (order[i] >= rank || seen[order[i]])
      return damaged(codecs->path, "the order of a transpose codec", error);
    seen[order[i]] = true;
    axes[i] = chain->axes[order[i]];
  }
  memcpy(chain->axes, axes, sizeof axes);
  return MUSTER_OK;
}

static void forget_identity(mst_zarr_chain *chain, size_t rank) {
  chain->transposed = false;
  for (size_t i = 0; i < rank; i++)
    chain->transposed = chain->transposed || chain->axes[i] != i;
}

static bool makes_bytes(yyjson_val *codec) {
  return is_named(codec, "bytes") || is_named(codec, "sharding_indexed");
}

/* Those before the one that makes bytes: transpose, and filters that work on elements. These are
 * kept aside, because they are undone last. */
static muster_status read_before_bytes(mst_codec_list *codecs, bool swapped,
                                       mst_zarr_chain *filters, muster_error *error) {
  muster_status status = MUSTER_OK;
  for (; status == MUSTER_OK && codecs->next < yyjson_arr_size(codecs->list); codecs->next++) {
    yyjson_val *codec = yyjson_arr_get(codecs->list, codecs->next);
    const char *name = name_of(codec);
    if (name == NULL) return damaged(codecs->path, "a codec without a name", error);
    if (makes_bytes(codec)) break;
    if (strcmp(name, "transpose") != 0)
      status =
          mst_zarr_add_step(codecs->path, name, configuration_of(codec), swapped, filters, error);
    else if (filters->count > 0)
      return refuse(codecs->path, "a transpose codec behind a filter", error);
    else
      status = add_transpose(codecs, configuration_of(codec), error);
  }
  return status;
}

static muster_status read_after_bytes(mst_codec_list *codecs, muster_error *error) {
  const size_t end = yyjson_arr_size(codecs->list);
  muster_status status = MUSTER_OK;
  for (size_t i = end; status == MUSTER_OK && i-- > codecs->next;) {
    yyjson_val *codec = yyjson_arr_get(codecs->list, i);
    const char *name = name_of(codec);
    if (name == NULL || makes_bytes(codec) || strcmp(name, "transpose") == 0)
      return damaged(codecs->path, "its codecs are in an order that makes no sense", error);
    status = mst_zarr_add_step(codecs->path, name, configuration_of(codec), false,
                               &codecs->array->chain, error);
  }
  return status;
}

/* The codec that makes bytes, wherever it stands; NULL: there is none. */
static yyjson_val *find_bytes(yyjson_val *list) {
  size_t i, count;
  yyjson_val *codec;
  yyjson_arr_foreach(list, i, count, codec) {
    if (makes_bytes(codec)) return codec;
  }
  return NULL;
}

static muster_status read_endian(const char *path, yyjson_val *codec, bool *swapped,
                                 muster_error *error) {
  yyjson_val *endian = yyjson_obj_get(configuration_of(codec), "endian");
  const bool big = yyjson_equals_str(endian, "big");
  *swapped = big != BIG_ENDIAN_HERE;
  if (endian == NULL || yyjson_is_null(endian) || big || yyjson_equals_str(endian, "little"))
    return MUSTER_OK;
  return damaged(path, "the endian of a bytes codec", error);
}

/* A chain that ends in bytes: of chunks, or of the inner chunks of shards. */
static muster_status read_chain(const char *path, yyjson_val *list, mst_zarr_array *out,
                                muster_error *error) {
  mst_zarr_chain filters = {0};
  mst_codec_list codecs = {.path = path, .list = list, .array = out};
  yyjson_val *bytes = find_bytes(list);
  if (bytes == NULL) return damaged(path, "none of its codecs makes bytes of elements", error);
  bool swapped;
  muster_status status = read_endian(path, bytes, &swapped, error);
  muster_dtype *dtype = &out->schema.dtype;
  dtype->swapped = swapped && mst_swap_unit(dtype->type) > 1;
  for (size_t i = 0; i < out->grid.rank; i++)
    out->chain.axes[i] = (unsigned char)i;
  if (status == MUSTER_OK) status = read_before_bytes(&codecs, swapped, &filters, error);
  codecs.next++;
  if (status == MUSTER_OK) status = read_after_bytes(&codecs, error);
  forget_identity(&out->chain, out->grid.rank);
  for (size_t i = filters.count; status == MUSTER_OK && i-- > 0;) {
    if (out->chain.count == MST_ZARR_MAX_STEPS)
      return refuse(path, "more than 8 codecs on top of each other", error);
    out->chain.steps[out->chain.count++] = filters.steps[i];
  }
  return status;
}

/* ---- shards ---------------------------------------------------------------------------------------------- */

/* Codecs of the index keep its length: bytes, and a checksum if any. */
static muster_status read_index_codecs(const char *path, yyjson_val *list, mst_zarr_level *level,
                                       muster_error *error) {
  const size_t count = yyjson_arr_size(list);
  if (count == 0 || !is_named(yyjson_arr_get(list, 0), "bytes"))
    return refuse(path, "a shard index that is not made by the codec bytes", error);
  level->index_has_checksum = count == 2 && is_named(yyjson_arr_get(list, 1), "crc32c");
  if (count > 2 || (count == 2 && !level->index_has_checksum))
    return refuse(path, "a shard index with other codecs than bytes and crc32c", error);
  return read_endian(path, yyjson_arr_get(list, 0), &level->index_swapped, error);
}

/* The chunks of the grid are the shards; from here on it is the chunks in them that count, also
 * for the shards that these are in. */
static muster_status cut_shards(const char *path, yyjson_val *configuration, mst_zarr_array *out,
                                muster_error *error) {
  uint64_t inner[MUSTER_MAX_RANK], parts[MUSTER_MAX_RANK];
  mst_zarr_level *level = &out->levels[out->level_count++];
  size_t rank;
  if (!mst_zarr_numbers(yyjson_obj_get(configuration, "chunk_shape"), &rank, inner) ||
      rank != out->grid.rank)
    return damaged(path, "the chunks within its shards have not as many axes as its shape", error);
  for (size_t i = 0; i < rank; i++) {
    if (inner[i] == 0 || out->grid.chunk[i] % inner[i] != 0 || out->grid.chunk[i] == 0)
      return damaged(path, "its shards do not divide into the chunks within them", error);
    parts[i] = out->grid.chunk[i] / inner[i];
    level->chunks[i] = 1;
    for (size_t k = 0; k < out->level_count; k++)
      out->levels[k].chunks[i] *= parts[i];
    out->grid.chunk[i] = inner[i];
  }
  if (!mst_shape_elements(rank, parts, 16, &level->entries))
    return damaged(path, "its shards have more chunks than 64 bits can count", error);
  return MUSTER_OK;
}

/* One level of shards; *inner are the codecs of what is in them. */
static muster_status read_level(const char *path, yyjson_val *list, mst_zarr_array *out,
                                yyjson_val **inner, muster_error *error) {
  if (yyjson_arr_size(list) != 1)
    return refuse(path, "shards that are transposed or compressed as a whole", error);
  if (out->level_count == MST_ZARR_MAX_LEVELS)
    return refuse(path, "shards within shards in more than 3 levels", error);
  yyjson_val *configuration = configuration_of(yyjson_arr_get(list, 0));
  yyjson_val *location = yyjson_obj_get(configuration, "index_location");
  mst_zarr_level *level = &out->levels[out->level_count];
  level->index_at_start = yyjson_equals_str(location, "start");
  if (location != NULL && !level->index_at_start && !yyjson_equals_str(location, "end"))
    return damaged(path, "the index_location of its shards", error);
  *inner = yyjson_obj_get(configuration, "codecs");
  const muster_status status = cut_shards(path, configuration, out, error);
  if (status != MUSTER_OK) return status;
  return read_index_codecs(path, yyjson_obj_get(configuration, "index_codecs"), level, error);
}

static bool holds_shards(yyjson_val *list) {
  yyjson_val *bytes = find_bytes(list);
  return bytes != NULL && is_named(bytes, "sharding_indexed");
}

static muster_status read_codecs(const char *path, yyjson_val *root, mst_zarr_array *out,
                                 muster_error *error) {
  yyjson_val *list = yyjson_obj_get(root, "codecs");
  if (!yyjson_is_arr(list)) return damaged(path, "its codecs are no list", error);
  while (holds_shards(list)) {
    const muster_status status = read_level(path, list, out, &list, error);
    if (status != MUSTER_OK) return status;
  }
  return read_chain(path, list, out, error);
}

/* ---- all of it --------------------------------------------------------------------------------------------- */

/* What must be understood and is not. */
static muster_status check_extensions(const char *path, yyjson_val *root, muster_error *error) {
  static const char *const known[] = {"zarr_format",
                                      "node_type",
                                      "shape",
                                      "data_type",
                                      "chunk_grid",
                                      "codecs",
                                      "fill_value",
                                      "attributes",
                                      "chunk_key_encoding",
                                      "dimension_names",
                                      "name",
                                      "extensions",
                                      "storage_transformers",
                                      "consolidated_metadata",
                                      NULL};
  if (yyjson_arr_size(yyjson_obj_get(root, "storage_transformers")) > 0)
    return refuse(path, "storage_transformers, which change how chunks are stored", error);
  size_t i, count;
  yyjson_val *key, *value;
  yyjson_obj_foreach(root, i, count, key, value) {
    yyjson_val *must = yyjson_obj_get(value, "must_understand");
    if (mst_one_of(yyjson_get_str(key), known) || yyjson_is_false(must)) continue;
    return mst_fail(error, MUSTER_ERR_UNSUPPORTED, path,
                    "has an extension '%.60s', which muster does not know", yyjson_get_str(key));
  }
  return MUSTER_OK;
}

muster_status mst_zarr_parse_v3(const char *path, yyjson_val *root, mst_zarr_array *out,
                                muster_error *error) {
  *out = (mst_zarr_array){.separator = '/'};
  yyjson_val *version = yyjson_obj_get(root, "zarr_format");
  if (!yyjson_is_uint(version) || yyjson_get_uint(version) != 3 ||
      !yyjson_equals_str(yyjson_obj_get(root, "node_type"), "array"))
    return damaged(path, "no array of zarr_format 3", error);
  muster_status status = check_extensions(path, root, error);
  if (status == MUSTER_OK)
    status = mst_zarr_dtype_v3(path, yyjson_obj_get(root, "data_type"), &out->schema, error);
  if (status == MUSTER_OK) status = read_shape(path, root, out, error);
  if (status == MUSTER_OK) status = read_keys(path, root, out, error);
  if (status == MUSTER_OK) status = read_codecs(path, root, out, error);
  if (status == MUSTER_OK)
    status = mst_zarr_fill(path, yyjson_obj_get(root, "fill_value"), &out->schema, out->grid.fill,
                           error);
  return status == MUSTER_OK ? mst_zarr_settle(path, out, error) : status;
}
