/* SPDX-License-Identifier: Apache-2.0 */
/* The codecs of Zarr by their names: which are read, which are refused, and who has those. */
#include <string.h>

#include "base/dtype.h"
#include "base/shape.h"
#include "base/status.h"
#include "formats/zarr/array.h"

#define NUMCODECS "numcodecs."

typedef struct mst_codec_row {
  const char *name;
  mst_zarr_codec codec;
  bool at_start; /* where a checksum stands if nothing is said */
} mst_codec_row;

static const mst_codec_row rows[] = {
    {"zlib", MST_ZARR_ZLIB, false},        {"gzip", MST_ZARR_GZIP, false},
    {"zstd", MST_ZARR_ZSTD, false},        {"lz4", MST_ZARR_LZ4, false},
    {"blosc", MST_ZARR_BLOSC, false},      {"bz2", MST_ZARR_BZ2, false},
    {"lzma", MST_ZARR_LZMA, false},        {"crc32c", MST_ZARR_CRC32C, false},
    {"crc32", MST_ZARR_CRC32, true},       {"adler32", MST_ZARR_ADLER32, true},
    {"shuffle", MST_ZARR_SHUFFLE, false},  {"fletcher32", MST_ZARR_FLETCHER32, false},
    {"delta", MST_ZARR_DELTA, false},      {"bitround", MST_ZARR_NOTHING, false},
    {"quantize", MST_ZARR_NOTHING, false},
};

/* Codecs that others have: the beginning of the name, and the package. */
static const char *package_of(const char *name) {
  static const char *const packages[][2] = {{"imagecodecs", "imagecodecs"},
                                            {"bitshuffle", "bitshuffle"},
                                            {"pcodec", "numcodecs[pcodec]"},
                                            {"zfpy", "numcodecs[zfpy]"},
                                            {"grib", "gribscan"},
                                            {"packbits", "numcodecs"},
                                            {"fixedscaleoffset", "numcodecs"},
                                            {"astype", "numcodecs"},
                                            {"categorize", "numcodecs"},
                                            {"vlen", "numcodecs"},
                                            {"json2", "numcodecs"},
                                            {"msgpack2", "numcodecs"},
                                            {"pickle", "numcodecs"},
                                            {"jenkins", "numcodecs"},
                                            {"snappy", "numcodecs"},
                                            {"cast_value", "zarr"},
                                            {"ffmpeg", "video-codecs"},
                                            {"tiff", "tifffile"}};
  for (size_t i = 0; i < sizeof packages / sizeof *packages; i++)
    if (mst_starts_with(name, packages[i][0])) return packages[i][1];
  return NULL;
}

static muster_status refuse(const char *path, const char *name, muster_error *error) {
  const char *package = package_of(name);
  return mst_fail(error, MUSTER_ERR_UNSUPPORTED, path,
                  "is encoded with '%.60s', which muster does not decode: write it again with zarr "
                  "and another codec, such as zstd (%s%s)",
                  name,
                  package != NULL ? "the Python package with it is " : "no package known has it",
                  package != NULL ? package : "");
}

static const mst_codec_row *find_row(const char *name) {
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (strcmp(rows[i].name, name) == 0) return &rows[i];
  return NULL;
}

/* ---- what they are told ---------------------------------------------------------------------------- */

static muster_status bad(const char *path, const char *name, const char *what,
                         muster_error *error) {
  return mst_fail(error, MUSTER_ERR_FORMAT, path, "damaged: %s of the codec '%.40s'", what, name);
}

static muster_status settle_location(const char *path, const mst_codec_row *row,
                                     yyjson_val *configuration, mst_zarr_step *step,
                                     muster_error *error) {
  yyjson_val *location = yyjson_obj_get(configuration, "location");
  step->at_start = row->at_start;
  if (location == NULL || yyjson_is_null(location)) return MUSTER_OK;
  step->at_start = yyjson_equals_str(location, "start");
  if (step->at_start || yyjson_equals_str(location, "end")) return MUSTER_OK;
  return bad(path, row->name, "the location", error);
}

static muster_status settle_shuffle(const char *path, yyjson_val *configuration,
                                    mst_zarr_step *step, muster_error *error) {
  yyjson_val *size = yyjson_obj_get(configuration, "elementsize");
  step->item = 4;
  if (size == NULL) return MUSTER_OK;
  if (!yyjson_is_uint(size) || yyjson_get_uint(size) > 1U << 20 || yyjson_get_uint(size) == 0)
    return bad(path, "shuffle", "the elementsize", error);
  step->item = (uint32_t)yyjson_get_uint(size);
  return MUSTER_OK;
}

/* A dtype of the codec's own; one without a byte order has that of the array's bytes. */
static bool read_dtype(yyjson_val *value, bool swapped, muster_type *type, bool *is_swapped) {
  const char *text = yyjson_get_str(value);
  muster_dtype dtype;
  size_t opaque;
  if (text == NULL || !mst_dtype_read(text, strlen(text), &dtype, &opaque)) return false;
  *type = dtype.type;
  const bool has_order = text[0] == '<' || text[0] == '>';
  *is_swapped = mst_swap_unit(dtype.type) > 1 && (has_order ? dtype.swapped : swapped);
  return dtype.type != MUSTER_NO_TYPE;
}

static bool is_whole(muster_type type) {
  return (type >= MUSTER_INT8 && type <= MUSTER_UINT64) || mst_is_time(type);
}

static muster_status settle_delta(const char *path, yyjson_val *configuration, bool swapped,
                                  mst_zarr_step *step, muster_error *error) {
  yyjson_val *stored = yyjson_obj_get(configuration, "astype");
  yyjson_val *dtype = yyjson_obj_get(configuration, "dtype");
  if (stored == NULL || yyjson_is_null(stored)) stored = dtype;
  if (!read_dtype(dtype, swapped, &step->type, &step->swapped) ||
      !read_dtype(stored, swapped, &step->stored_type, &step->stored_swapped))
    return bad(path, "delta", "the dtype", error);
  const bool whole = is_whole(step->type) && is_whole(step->stored_type);
  const bool real = step->type == MUSTER_FLOAT32 || step->type == MUSTER_FLOAT64;
  if (whole || (real && step->type == step->stored_type)) return MUSTER_OK;
  return mst_fail(error, MUSTER_ERR_UNSUPPORTED, path,
                  "the codec 'delta' between these dtypes is not decoded: write it again without");
}

/* What it left is of the dtype itself, or of another one. */
static muster_status settle_quantize(const char *path, const char *name, yyjson_val *configuration,
                                     muster_error *error) {
  const char *stored = yyjson_get_str(yyjson_obj_get(configuration, "astype"));
  const char *dtype = yyjson_get_str(yyjson_obj_get(configuration, "dtype"));
  if (stored == NULL || (dtype != NULL && strcmp(stored, dtype) == 0)) return MUSTER_OK;
  return refuse(path, name, error);
}

/* Without a container (format 3, raw) the filters would have to be told apart by hand. */
static muster_status settle_lzma(const char *path, yyjson_val *configuration, muster_error *error) {
  yyjson_val *format = yyjson_obj_get(configuration, "format");
  if (format == NULL || (yyjson_is_uint(format) && yyjson_get_uint(format) <= 2)) return MUSTER_OK;
  return mst_fail(error, MUSTER_ERR_UNSUPPORTED, path,
                  "lzma without a container (format 3) is not decoded: write it again with format "
                  "1, which is .xz");
}

muster_status mst_zarr_add_step(const char *path, const char *name, yyjson_val *configuration,
                                bool swapped, mst_zarr_chain *chain, muster_error *error) {
  const char *bare = mst_starts_with(name, NUMCODECS) ? name + strlen(NUMCODECS) : name;
  const mst_codec_row *row = find_row(bare);
  if (row == NULL) return refuse(path, bare, error);
  if (chain->count == MST_ZARR_MAX_STEPS)
    return mst_fail(error, MUSTER_ERR_UNSUPPORTED, path, "more than %d codecs on top of each other",
                    MST_ZARR_MAX_STEPS);
  mst_zarr_step *step = &chain->steps[chain->count];
  *step = (mst_zarr_step){.codec = row->codec};
  muster_status status = MUSTER_OK;
  switch (row->codec) {
  case MST_ZARR_CRC32C:
  case MST_ZARR_CRC32:
  case MST_ZARR_ADLER32: status = settle_location(path, row, configuration, step, error); break;
  case MST_ZARR_SHUFFLE: status = settle_shuffle(path, configuration, step, error); break;
  case MST_ZARR_DELTA: status = settle_delta(path, configuration, swapped, step, error); break;
  case MST_ZARR_LZMA: status = settle_lzma(path, configuration, error); break;
  case MST_ZARR_NOTHING: return settle_quantize(path, row->name, configuration, error);
  default: break;
  }
  if (status == MUSTER_OK) chain->count++;
  return status;
}

/* ---- the chain ---------------------------------------------------------------------------------------- */

/* Differences may be kept wider than the elements; what cannot be made smaller grows a little. */
static size_t room_of(const mst_zarr_chain *chain, size_t chunk_bytes) {
  uint64_t room = chunk_bytes;
  for (size_t i = 0; i < chain->count; i++) {
    const mst_zarr_step *step = &chain->steps[i];
    if (step->codec != MST_ZARR_DELTA) continue;
    const size_t wider = muster_type_size(step->stored_type) / muster_type_size(step->type);
    room = mst_smaller(room * mst_larger(wider, 1), (uint64_t)16 << 30);
  }
  return (size_t)(room + room / 4 + 4096);
}

muster_status mst_zarr_settle(const char *path, mst_zarr_array *array, muster_error *error) {
  mst_schema *schema = &array->schema;
  mst_chunk_grid *grid = &array->grid;
  const muster_type type = schema->dtype.type;
  grid->itemsize = type != MUSTER_NO_TYPE ? muster_type_size(type) : schema->opaque;
  schema->rank = grid->rank;
  memcpy(schema->shape, grid->shape, sizeof schema->shape);
  uint64_t elements;
  if (!mst_shape_elements(grid->rank, grid->shape, grid->itemsize, &elements))
    return mst_fail(error, MUSTER_ERR_FORMAT, path, "the shape is too large");
  const muster_status status = mst_chunks_check(grid, path, error);
  if (status == MUSTER_OK) array->chain.room = room_of(&array->chain, grid->chunk_bytes);
  return status;
}

void mst_zarr_reverse_axes(mst_zarr_chain *chain, size_t rank) {
  chain->transposed = rank > 1;
  for (size_t i = 0; i < rank; i++)
    chain->axes[i] = (unsigned char)(rank - 1 - i);
}
