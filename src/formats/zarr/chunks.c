/* SPDX-License-Identifier: Apache-2.0 */
#include "formats/zarr/chunks.h"

#include <inttypes.h>
#include <string.h>

#include "base/alloc.h"
#include "base/io.h"
#include "base/shape.h"
#include "base/status.h"
#include "formats/zarr/decode.h"
#include "formats/zarr/index.h"

/* What is read at once: the kernel reads further ahead behind smaller pieces than a chunk. */
#define PIECE_BYTES ((uint64_t)1 << 20)
/* Of a chunk in another order of axes, read at once: at least so many lines that their elements
 * fill a line of the cache. */
#define SLAB_BYTES ((uint64_t)256 << 10)
#define SLAB_LINES ((uint64_t)16)

struct mst_zarr_reader {
  const mst_zarr_array *array;
  bool strict;
  mst_chunk_source source;
  mst_decoder decoder;
  mst_zarr_scratch scratch;
  mst_zarr_indices indices;
  mst_str path;         /* of the file that was opened last */
  size_t folder_length; /* of the path */
  int fd;               /* -1: none */
  uint64_t file_number; /* of the open file, in C order */
  uint64_t offset;      /* where the chunk that was found lies in the file */
  uint64_t length;
  unsigned char *encoded; /* room for a chunk as it is stored */
  size_t encoded_room;
};

void mst_zarr_add_key(mst_str *out, const mst_zarr_array *array, const uint64_t *index) {
  const size_t rank = array->grid.rank;
  if (array->has_prefix) mst_str_add(out, "c");
  for (size_t i = 0; i < rank; i++) {
    if (i > 0 || array->has_prefix) mst_str_addf(out, "%c", array->separator);
    mst_str_addf(out, "%" PRIu64, index[i]);
  }
  if (rank == 0 && !array->has_prefix) mst_str_add(out, "0");
}

/* ---- files ---------------------------------------------------------------------------------------- */

static void close_file(mst_zarr_reader *reader) {
  mst_io_close(reader->fd);
  reader->fd = -1;
}

static muster_status open_found(mst_zarr_reader *reader, mst_stat *stat, muster_error *error) {
  const muster_status status = mst_io_fstat(reader->fd, reader->path.data, stat, error);
  if (status != MUSTER_OK || stat->is_regular) return status;
  return mst_fail(error, MUSTER_ERR_FORMAT, reader->path.data,
                  "is no regular file, where a chunk should be");
}

/* Opens the file of a chunk; *found says whether it is there. */
static muster_status open_file(mst_zarr_reader *reader, const uint64_t *file_index,
                               uint64_t file_number, bool *found, mst_stat *stat,
                               muster_error *error) {
  close_file(reader);
  reader->path.length = reader->folder_length;
  mst_zarr_add_key(&reader->path, reader->array, file_index);
  if (reader->path.failed) return mst_fail_memory(error);
  reader->decoder.path = reader->path.data;
  reader->file_number = file_number;
  muster_error fault;
  muster_status status = mst_io_open(reader->path.data, &reader->fd, &fault);
  *found = status == MUSTER_OK;
  if (*found) status = open_found(reader, stat, error);
  if (*found || status == MUSTER_ERR_NOT_FOUND) return *found ? status : MUSTER_OK;
  if (error != NULL) *error = fault;
  return status;
}

static muster_status check_length(const mst_zarr_reader *reader, uint64_t length,
                                  muster_error *error) {
  const mst_zarr_array *array = reader->array;
  const bool plain = mst_zarr_is_plain(array);
  if (plain ? length == array->grid.chunk_bytes : length <= array->chain.room) return MUSTER_OK;
  (void)mst_fail(error, MUSTER_ERR_FORMAT, reader->path.data,
                 "damaged: a chunk of %" PRIu64 " bytes, where its shape takes %zu%s", length,
                 array->grid.chunk_bytes, plain ? ": copy the file again" : ", compressed");
  return mst_tell_sizes(error, MUSTER_ERR_FORMAT, length, array->grid.chunk_bytes);
}

/* ---- where a chunk is ------------------------------------------------------------------------------ */

/* A shard of a level, or a file. */
typedef struct mst_zarr_place {
  uint64_t index[MUSTER_MAX_RANK]; /* along each axis, and in C order */
  uint64_t number;
  uint64_t entry; /* of the chunk, or of the shard around it, in this one */
} mst_zarr_place;

/* The number of chunks along an axis in what an entry of a shard of that level is. */
static uint64_t chunks_below(const mst_zarr_array *array, size_t level, size_t axis) {
  return level + 1 < array->level_count ? array->levels[level + 1].chunks[axis] : 1;
}

/* Where a chunk is; without shards its file is all that there is to know. */
static void locate(const mst_zarr_array *array, size_t level, const uint64_t *index,
                   mst_zarr_place *place) {
  place->number = place->entry = 0;
  for (size_t i = 0; i < array->grid.rank; i++) {
    const bool is_shard = level < array->level_count;
    const uint64_t each = is_shard ? array->levels[level].chunks[i] : 1;
    const uint64_t below = is_shard ? chunks_below(array, level, i) : 1;
    const uint64_t chunks = mst_chunks_along(&array->grid, i);
    const uint64_t shards = chunks / each + (chunks % each > 0);
    place->index[i] = index[i] / each;
    place->number = place->number * shards + place->index[i];
    place->entry = place->entry * (each / below) + index[i] % each / below;
  }
}

static muster_status refuse_missing(const mst_zarr_reader *reader, muster_error *error) {
  return mst_fail(error, MUSTER_ERR_NOT_FOUND, reader->path.data,
                  "a chunk that is not there, which --strict makes an error: without, it reads as "
                  "the fill value");
}

/* The file of a shard; without one the extent has none. An index that is known says more. */
static muster_status open_shard_file(mst_zarr_reader *reader, const mst_zarr_place *place,
                                     const mst_zarr_index *index, mst_zarr_extent *extent,
                                     muster_error *error) {
  bool found = index == NULL || index->entries != NULL;
  mst_stat stat = {0};
  muster_status status = MUSTER_OK;
  const bool is_open = reader->fd >= 0 && reader->file_number == place->number;
  if (found && (index == NULL || !is_open))
    status = open_file(reader, place->index, place->number, &found, &stat, error);
  *extent = (mst_zarr_extent){
      .fd = found ? reader->fd : -1, .path = reader->path.data, .size = found ? stat.size : 0};
  return status;
}

/* From the file through the indices of all levels. */
static muster_status find_in_shards(mst_zarr_reader *reader, const uint64_t *chunk, bool *found,
                                    muster_error *error) {
  mst_zarr_extent extent = {.fd = -1};
  for (size_t level = 0; level < reader->array->level_count; level++) {
    mst_zarr_place place;
    locate(reader->array, level, chunk, &place);
    const mst_zarr_index *index = mst_zarr_indices_find(&reader->indices, level, place.number);
    muster_status status = MUSTER_OK;
    if (level == 0) status = open_shard_file(reader, &place, index, &extent, error);
    if (status == MUSTER_OK && index == NULL)
      status = mst_zarr_indices_read(&reader->indices, reader->array, level, &extent, place.number,
                                     &index, error);
    *found = status == MUSTER_OK && index->entries != NULL;
    if (!*found) return status;
    uint64_t offset;
    status = mst_zarr_index_entry(index, place.entry, reader->path.data, &offset, &extent.size,
                                  found, error);
    if (status != MUSTER_OK || !*found) return status;
    extent.offset += offset;
  }
  reader->offset = extent.offset;
  reader->length = extent.size;
  return MUSTER_OK;
}

static muster_status find_file(mst_zarr_reader *reader, const uint64_t *chunk, bool *found,
                               muster_error *error) {
  mst_zarr_place place;
  mst_stat stat = {0};
  locate(reader->array, 0, chunk, &place);
  const muster_status status = open_file(reader, place.index, place.number, found, &stat, error);
  reader->offset = 0;
  reader->length = status == MUSTER_OK && *found ? stat.size : 0;
  return status;
}

static muster_status find(void *context, const uint64_t *index, bool *found, muster_error *error) {
  mst_zarr_reader *reader = context;
  const muster_status status = reader->array->level_count > 0
                                   ? find_in_shards(reader, index, found, error)
                                   : find_file(reader, index, found, error);
  if (status == MUSTER_OK && !*found && reader->strict) return refuse_missing(reader, error);
  return status == MUSTER_OK && *found ? check_length(reader, reader->length, error) : status;
}

/* ---- reading it ------------------------------------------------------------------------------------ */

static muster_status read_part(void *context, const uint64_t *index, uint64_t offset, void *dst,
                               size_t length, muster_error *error) {
  (void)index;
  const mst_zarr_reader *reader = context;
  muster_status status = MUSTER_OK;
  mst_io_read_ahead(reader->fd, length);
  for (size_t at = 0, now; status == MUSTER_OK && at < length; at += now) {
    now = (size_t)mst_smaller(PIECE_BYTES, length - at);
    status = mst_io_read(reader->fd, reader->path.data, reader->offset + offset + at,
                         (char *)dst + at, now, error);
  }
  return status;
}

static muster_status make_room(mst_zarr_reader *reader, size_t length, muster_error *error) {
  if (length <= reader->encoded_room) return MUSTER_OK;
  mst_free(reader->encoded);
  reader->encoded = mst_alloc(length);
  reader->encoded_room = reader->encoded != NULL ? length : 0;
  return reader->encoded != NULL ? MUSTER_OK : mst_fail_memory(error);
}

/* Only the axes have to be put in order: piece by piece, so that what was read is in the cache. */
static muster_status read_in_slabs(mst_zarr_reader *reader, void *dst, muster_error *error) {
  const mst_zarr_array *array = reader->array;
  const uint64_t lines = array->grid.chunk[array->chain.axes[0]];
  const uint64_t pitch = array->grid.chunk_bytes / lines;
  const uint64_t at_once = mst_larger(SLAB_BYTES / pitch, SLAB_LINES);
  muster_status status = make_room(reader, (size_t)(mst_smaller(at_once, lines) * pitch), error);
  for (uint64_t line = 0, count; status == MUSTER_OK && line < lines; line += count) {
    count = mst_smaller(at_once, lines - line);
    status = mst_io_read(reader->fd, reader->path.data, reader->offset + line * pitch,
                         reader->encoded, (size_t)(count * pitch), error);
    if (status == MUSTER_OK) mst_zarr_put_in_order(array, line, count, reader->encoded, dst);
  }
  return status;
}

static muster_status decode(void *context, const uint64_t *index, void *dst, muster_error *error) {
  mst_zarr_reader *reader = context;
  const mst_zarr_array *array = reader->array;
  const size_t length = (size_t)reader->length;
  if (mst_zarr_is_plain(array)) return read_part(context, index, 0, dst, length, error);
  if (array->chain.count == 0 && length == array->grid.chunk_bytes)
    return read_in_slabs(reader, dst, error);
  muster_status status = make_room(reader, length, error);
  if (status == MUSTER_OK) status = read_part(context, index, 0, reader->encoded, length, error);
  if (status != MUSTER_OK) return status;
  return mst_zarr_decode(array, &reader->decoder, &reader->scratch, reader->encoded, length, dst,
                         error);
}

muster_status mst_zarr_read(mst_zarr_reader *reader, uint64_t lo, uint64_t hi, void *dst,
                            const int64_t *strides, muster_error *error) {
  return mst_chunks_read(&reader->array->grid, &reader->source, lo, hi, dst, strides, error);
}

mst_zarr_reader *mst_zarr_reader_new(const char *folder, const mst_zarr_array *array, bool strict) {
  mst_zarr_reader *reader = mst_calloc(1, sizeof *reader);
  if (reader == NULL) return NULL;
  reader->array = array;
  reader->strict = strict;
  reader->fd = -1;
  reader->source = (mst_chunk_source){.context = reader, .find = find, .decode = decode};
  if (mst_zarr_is_plain(array)) reader->source.read_part = read_part;
  mst_str_addf(&reader->path, "%s/", folder);
  reader->folder_length = reader->path.length;
  if (!reader->path.failed) return reader;
  mst_zarr_reader_free(reader);
  return NULL;
}

void mst_zarr_reader_free(mst_zarr_reader *reader) {
  if (reader == NULL) return;
  close_file(reader);
  mst_chunk_source_reset(&reader->source);
  mst_decoder_reset(&reader->decoder);
  mst_zarr_scratch_reset(&reader->scratch);
  mst_zarr_indices_reset(&reader->indices);
  mst_str_reset(&reader->path);
  mst_free(reader->encoded);
  mst_free(reader);
}
