/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the metadata of a Zarr array say, of version 2 (.zarray) and 3 (zarr.json).
 * docs/formats/zarr.md says what is read and refused.
 */
#ifndef MST_FORMATS_ZARR_ARRAY_H
#define MST_FORMATS_ZARR_ARRAY_H

#include "base/json.h"
#include "formats/chunks.h"
#include "formats/format.h"

#define MST_ZARR_MAX_STEPS 8

/* What is undone to bytes, apart from their order. */
typedef enum mst_zarr_codec {
  MST_ZARR_NOTHING, /* it lost digits when it was written, and left the rest as it was */
  MST_ZARR_ZLIB,
  MST_ZARR_GZIP,
  MST_ZARR_ZSTD,
  MST_ZARR_LZ4, /* behind four bytes that tell the length */
  MST_ZARR_BLOSC,
  MST_ZARR_BZ2,
  MST_ZARR_LZMA,
  MST_ZARR_CRC32C,
  MST_ZARR_CRC32,
  MST_ZARR_ADLER32,
  MST_ZARR_FLETCHER32,
  MST_ZARR_SHUFFLE,
  MST_ZARR_DELTA
} mst_zarr_codec;

typedef struct mst_zarr_step {
  mst_zarr_codec codec;
  bool at_start;           /* a checksum before what it is of, not behind */
  uint32_t item;           /* shuffle: bytes of an element */
  muster_type type;        /* delta: of the elements ... */
  muster_type stored_type; /* ... and of their differences */
  bool swapped;            /* delta: both in the other byte order */
  bool stored_swapped;
} mst_zarr_step;

/* How a chunk is decoded. */
typedef struct mst_zarr_chain {
  size_t count;
  mst_zarr_step steps[MST_ZARR_MAX_STEPS]; /* the first is undone first */
  bool transposed;
  unsigned char axes[MUSTER_MAX_RANK]; /* axis i of what is stored is axis axes[i] of the chunk */
  size_t room;                         /* no chunk takes more bytes in any state but the last */
} mst_zarr_chain;

/* Shards may hold smaller ones instead of chunks. */
#define MST_ZARR_MAX_LEVELS 3

/* Shards of one size. The first level are files, those of the next lie in them. */
typedef struct mst_zarr_level {
  uint64_t chunks[MUSTER_MAX_RANK]; /* of the grid, in one shard along each axis */
  uint64_t entries;                 /* of its index: shards of the next level, or chunks */
  bool index_at_start;
  bool index_swapped;
  bool index_has_checksum;
} mst_zarr_level;

typedef struct mst_zarr_array {
  mst_schema schema;
  mst_chunk_grid grid; /* of what is decoded by itself: chunks, or the inner ones of shards */
  mst_zarr_chain chain;
  bool has_prefix; /* keys begin with "c" */
  char separator;
  size_t level_count; /* 0: each chunk is a file */
  mst_zarr_level levels[MST_ZARR_MAX_LEVELS];
} mst_zarr_array;

/* Chunks of a file along an axis. */
static inline uint64_t mst_zarr_per_file(const mst_zarr_array *array, size_t axis) {
  return array->level_count > 0 ? array->levels[0].chunks[axis] : 1;
}

/* Reads the metadata of an array; `path` is for errors. The dtype may be one that muster has no
 * word for (schema.opaque). */
muster_status mst_zarr_parse_v2(const char *path, yyjson_val *root, mst_zarr_array *out,
                                muster_error *error);
muster_status mst_zarr_parse_v3(const char *path, yyjson_val *root, mst_zarr_array *out,
                                muster_error *error);

/* Chunks are stored as they are decoded. */
static inline bool mst_zarr_is_plain(const mst_zarr_array *array) {
  return array->chain.count == 0 && !array->chain.transposed;
}

/* ---- parts of the metadata, for the two above ---- */

/* Reads an array of whole numbers; false when it is none, or has more than 64. */
bool mst_zarr_numbers(yyjson_val *value, size_t *count, uint64_t *out);

/* The dtype of version 2, and the one of version 3. */
muster_status mst_zarr_dtype_v2(const char *path, yyjson_val *value, mst_schema *schema,
                                muster_error *error);
muster_status mst_zarr_dtype_v3(const char *path, yyjson_val *value, mst_schema *schema,
                                muster_error *error);

/* The element that chunks consist of which are not there, in the file's byte order. */
muster_status mst_zarr_fill(const char *path, yyjson_val *value, const mst_schema *schema,
                            unsigned char fill[MST_MAX_ITEM], muster_error *error);

/* Adds a codec to the chain, as the next to be undone. `swapped`: elements of types without a byte
 * order of their own are in the other one. */
muster_status mst_zarr_add_step(const char *path, const char *name, yyjson_val *configuration,
                                bool swapped, mst_zarr_chain *chain, muster_error *error);

/* Checks sizes and sets what follows from the rest: schema, chunk_bytes, room. */
muster_status mst_zarr_settle(const char *path, mst_zarr_array *array, muster_error *error);

/* The order of axes "F": the first varies fastest. */
void mst_zarr_reverse_axes(mst_zarr_chain *chain, size_t rank);

#endif
