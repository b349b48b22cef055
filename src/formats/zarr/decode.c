/* SPDX-License-Identifier: Apache-2.0 */
#include "formats/zarr/decode.h"

#include <inttypes.h>
#include <string.h>

#include "base/alloc.h"
#include "base/convert.h"
#include "base/dtype.h"
#include "base/shape.h"
#include "base/status.h"
#include "base/strided.h"
#include "base/turn.h"

void mst_zarr_scratch_reset(mst_zarr_scratch *scratch) {
  mst_free(scratch->blocks[0]);
  mst_free(scratch->blocks[1]);
  *scratch = (mst_zarr_scratch){0};
}

/* ---- checksums ---------------------------------------------------------------------------------- */

#define CHECKSUM_BYTES 4

static uint32_t little_endian(const unsigned char *bytes) {
  return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
         (uint32_t)bytes[3] << 24;
}

static uint32_t checksum_of(mst_zarr_codec codec, const void *data, size_t length) {
  switch (codec) {
  case MST_ZARR_CRC32C: return mst_crc32c(0, data, length);
  case MST_ZARR_CRC32: return mst_crc32(data, length);
  case MST_ZARR_ADLER32: return mst_adler32(data, length);
  default: return mst_fletcher32(data, length);
  }
}

static bool is_checksum(mst_zarr_codec codec) {
  return codec >= MST_ZARR_CRC32C && codec <= MST_ZARR_FLETCHER32;
}

/* The bytes that are under way from step to step. */
typedef struct mst_zarr_bytes {
  const unsigned char *data;
  size_t length;
} mst_zarr_bytes;

static muster_status take_checksum(const mst_zarr_step *step, const mst_decoder *decoder,
                                   mst_zarr_bytes *bytes, muster_error *error) {
  if (bytes->length < CHECKSUM_BYTES)
    return mst_fail(error, MUSTER_ERR_FORMAT, decoder->path,
                    "damaged: a chunk of %zu bytes, too few for its checksum", bytes->length);
  const size_t length = bytes->length - CHECKSUM_BYTES;
  const unsigned char *data = bytes->data + (step->at_start ? CHECKSUM_BYTES : 0);
  const uint32_t told = little_endian(step->at_start ? bytes->data : bytes->data + length);
  const uint32_t found = checksum_of(step->codec, data, length);
  if (told != found)
    return mst_fail(error, MUSTER_ERR_FORMAT, decoder->path,
                    "damaged: the checksum of a chunk is %08" PRIx32 ", not %08" PRIx32
                    ": copy the file again",
                    found, told);
  *bytes = (mst_zarr_bytes){data, length};
  return MUSTER_OK;
}

/* ---- differences --------------------------------------------------------------------------------- */

/* The element as 64 bits of two's complement. */
static uint64_t load_whole(const unsigned char *at, muster_type type, bool swapped) {
  unsigned char bytes[8] = {0};
  const size_t size = muster_type_size(type);
  const bool big = swapped != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
  uint64_t value = 0;
  memcpy(bytes, at, size);
  for (size_t i = 0; i < size; i++)
    value |= (uint64_t)bytes[big ? size - 1 - i : i] << 8 * i;
  const bool is_signed = (type >= MUSTER_INT8 && type <= MUSTER_INT64) || mst_is_time(type);
  if (is_signed && size < 8 && value >> (8 * size - 1) != 0) value |= UINT64_MAX << 8 * size;
  return value;
}

static void store_whole(unsigned char *at, uint64_t value, size_t size, bool swapped) {
  const bool big = swapped != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
  for (size_t i = 0; i < size; i++)
    at[big ? size - 1 - i : i] = (unsigned char)(value >> 8 * i);
}

/* Rounded at each element, as it was when the differences were taken. */
static void sum_floats(const unsigned char *src, unsigned char *dst, size_t count) {
  float sum = 0;
  for (size_t k = 0; k < count; k++) {
    float value;
    memcpy(&value, src + k * sizeof value, sizeof value);
    sum = k == 0 ? value : sum + value;
    memcpy(dst + k * sizeof sum, &sum, sizeof sum);
  }
}

static void sum_doubles(const unsigned char *src, unsigned char *dst, size_t count) {
  double sum = 0;
  for (size_t k = 0; k < count; k++) {
    double value;
    memcpy(&value, src + k * sizeof value, sizeof value);
    sum = k == 0 ? value : sum + value;
    memcpy(dst + k * sizeof sum, &sum, sizeof sum);
  }
}

static void undo_delta(const mst_zarr_step *step, unsigned char *src, unsigned char *dst,
                       size_t count) {
  const size_t size = muster_type_size(step->type), stored = muster_type_size(step->stored_type);
  if (step->type == MUSTER_FLOAT32 || step->type == MUSTER_FLOAT64) {
    if (step->stored_swapped) mst_swap_bytes(src, count, step->stored_type);
    (step->type == MUSTER_FLOAT32 ? sum_floats : sum_doubles)(src, dst, count);
    if (step->swapped) mst_swap_bytes(dst, count, step->type);
    return;
  }
  uint64_t sum = 0;
  for (size_t k = 0; k < count; k++) {
    sum += load_whole(src + k * stored, step->stored_type, step->stored_swapped);
    store_whole(dst + k * size, sum, size, step->swapped);
  }
}

static muster_status decode_delta(const mst_zarr_step *step, const mst_decoder *decoder,
                                  mst_zarr_bytes bytes, unsigned char *dst, size_t room,
                                  size_t *got, muster_error *error) {
  const size_t stored = muster_type_size(step->stored_type);
  const size_t count = bytes.length / stored;
  *got = count * muster_type_size(step->type);
  if (bytes.length % stored != 0 || *got > room)
    return mst_fail(error, MUSTER_ERR_FORMAT, decoder->path,
                    "damaged: %zu bytes are no differences of elements", bytes.length);
  unsigned char *copy = mst_alloc(bytes.length > 0 ? bytes.length : 1);
  if (copy == NULL) return mst_fail_memory(error);
  memcpy(copy, bytes.data, bytes.length);
  undo_delta(step, copy, dst, count);
  mst_free(copy);
  return MUSTER_OK;
}

/* ---- one step ------------------------------------------------------------------------------------ */

/* What numcodecs writes: the length, then a block. */
static muster_status decode_lz4(mst_decoder *decoder, mst_zarr_bytes bytes, void *dst, size_t room,
                                size_t *got, muster_error *error) {
  *got = 0;
  if (bytes.length < 4) return mst_codec_damaged(decoder, "lz4", error);
  const uint32_t told = little_endian(bytes.data);
  if (told > room) return mst_codec_damaged(decoder, "lz4", error);
  const muster_status status =
      mst_decode_lz4(decoder, bytes.data + 4, bytes.length - 4, dst, told, got, error);
  if (status != MUSTER_OK || *got == told) return status;
  return mst_codec_damaged(decoder, "lz4", error);
}

static muster_status decode_shuffle(const mst_zarr_step *step, mst_decoder *decoder,
                                    mst_zarr_bytes bytes, void *dst, size_t room, size_t *got,
                                    muster_error *error) {
  *got = bytes.length;
  if (bytes.length > room || bytes.length % step->item != 0)
    return mst_codec_damaged(decoder, "shuffle", error);
  mst_unshuffle(bytes.data, dst, bytes.length, step->item);
  return MUSTER_OK;
}

static muster_status decode_step(const mst_zarr_step *step, mst_decoder *decoder,
                                 mst_zarr_bytes bytes, void *dst, size_t room, size_t *got,
                                 muster_error *error) {
  switch (step->codec) {
  case MST_ZARR_ZLIB:
    return mst_decode_zlib(decoder, bytes.data, bytes.length, dst, room, got, error);
  case MST_ZARR_GZIP:
    return mst_decode_gzip(decoder, bytes.data, bytes.length, dst, room, got, error);
  case MST_ZARR_ZSTD:
    return mst_decode_zstd(decoder, bytes.data, bytes.length, dst, room, got, error);
  case MST_ZARR_BLOSC:
    return mst_decode_blosc(decoder, bytes.data, bytes.length, dst, room, got, error);
  case MST_ZARR_BZ2:
    return mst_decode_bz2(decoder, bytes.data, bytes.length, dst, room, got, error);
  case MST_ZARR_LZMA:
    return mst_decode_lzma(decoder, bytes.data, bytes.length, dst, room, got, error);
  case MST_ZARR_LZ4: return decode_lz4(decoder, bytes, dst, room, got, error);
  case MST_ZARR_SHUFFLE: return decode_shuffle(step, decoder, bytes, dst, room, got, error);
  default: return decode_delta(step, decoder, bytes, dst, room, got, error);
  }
}

/* ---- all of them --------------------------------------------------------------------------------- */

static muster_status block_of(const mst_zarr_array *array, mst_zarr_scratch *scratch, size_t which,
                              unsigned char **block, muster_error *error) {
  if (scratch->blocks[which] == NULL) scratch->blocks[which] = mst_alloc(array->chain.room);
  *block = scratch->blocks[which];
  return *block != NULL ? MUSTER_OK : mst_fail_memory(error);
}

/* A chunk in the order of axes of the file, and where its elements go. */
typedef struct mst_zarr_turn {
  size_t rank;
  size_t itemsize;
  uint64_t shape[MUSTER_MAX_RANK];
  int64_t pitch[MUSTER_MAX_RANK];   /* of what is stored, which is dense */
  int64_t strides[MUSTER_MAX_RANK]; /* of the same axes in C order */
  size_t near;                      /* the axis that is dense in C order */
} mst_zarr_turn;

/* Of the last axis and the near one. */
static void turn_plane(const mst_zarr_turn *turn, const char *src, char *dst) {
  const size_t last = turn->rank - 1;
  const int64_t item = (int64_t)turn->itemsize;
  const void *lines[MST_TURN_LINES];
  for (uint64_t line = 0, count; line < turn->shape[turn->near]; line += count) {
    count = mst_smaller(MST_TURN_LINES, turn->shape[turn->near] - line);
    for (uint64_t i = 0; i < count; i++)
      lines[i] = src + (int64_t)(line + i) * turn->pitch[turn->near];
    mst_turn(lines, (size_t)count, (size_t)turn->shape[last], turn->itemsize,
             dst + (int64_t)line * item, item, turn->strides[last]);
  }
}

/* Steps to the next plane; false after the last. */
static bool next_plane(const mst_zarr_turn *turn, uint64_t *at, const char **src, char **dst) {
  for (size_t i = turn->rank - 1; i-- > 0;) {
    if (i == turn->near) continue;
    *src += turn->pitch[i];
    *dst += turn->strides[i];
    if (++at[i] < turn->shape[i]) return true;
    *src -= (int64_t)at[i] * turn->pitch[i];
    *dst -= (int64_t)at[i] * turn->strides[i];
    at[i] = 0;
  }
  return false;
}

void mst_zarr_put_in_order(const mst_zarr_array *array, uint64_t first, uint64_t count,
                           const void *src, void *dst) {
  const mst_chunk_grid *grid = &array->grid;
  mst_zarr_turn turn = {.rank = grid->rank, .itemsize = grid->itemsize};
  int64_t dense[MUSTER_MAX_RANK];
  uint64_t elements = 1, at[MUSTER_MAX_RANK] = {0};
  mst_dense_strides(grid->rank, grid->chunk, grid->itemsize, dense);
  for (size_t i = 0; i < grid->rank; i++) {
    turn.shape[i] = i == 0 ? count : grid->chunk[array->chain.axes[i]];
    turn.strides[i] = dense[array->chain.axes[i]];
    if (array->chain.axes[i] == grid->rank - 1) turn.near = i;
    elements *= turn.shape[i];
  }
  mst_dense_strides(grid->rank, turn.shape, grid->itemsize, turn.pitch);
  const char *from = src;
  char *to = (char *)dst + (int64_t)first * turn.strides[0];
  if (turn.near < grid->rank - 1) {
    do
      turn_plane(&turn, from, to);
    while (next_plane(&turn, at, &from, &to));
    return;
  }
  mst_strided layout;
  mst_strided_init(&layout, grid->rank, turn.shape, turn.strides);
  mst_strided_scatter(&layout, to, 0, elements, from, grid->itemsize, mst_copier(grid->itemsize));
}

/* The last step that makes new bytes makes them where they belong, if they lie there as they do
 * here. */
static size_t last_to_copy(const mst_zarr_chain *chain) {
  size_t last = chain->count;
  while (last > 0 && is_checksum(chain->steps[last - 1].codec))
    last--;
  return last;
}

static muster_status undo_all(const mst_zarr_array *array, mst_decoder *decoder,
                              mst_zarr_scratch *scratch, mst_zarr_bytes *bytes, unsigned char *dst,
                              muster_error *error) {
  const mst_zarr_chain *chain = &array->chain;
  const size_t last = last_to_copy(chain);
  size_t made = 0; /* blocks: what a step reads is not where it writes */
  muster_status status = MUSTER_OK;
  for (size_t i = 0; status == MUSTER_OK && i < chain->count; i++) {
    const mst_zarr_step *step = &chain->steps[i];
    if (is_checksum(step->codec)) {
      status = take_checksum(step, decoder, bytes, error);
      continue;
    }
    const bool in_place = i + 1 == last && last == chain->count && !chain->transposed;
    unsigned char *out = dst;
    if (!in_place) status = block_of(array, scratch, made++ % 2, &out, error);
    if (status != MUSTER_OK) return status;
    const size_t room = in_place ? array->grid.chunk_bytes : chain->room;
    size_t got = 0;
    status = decode_step(step, decoder, *bytes, out, room, &got, error);
    *bytes = (mst_zarr_bytes){out, got};
  }
  return status;
}

muster_status mst_zarr_decode(const mst_zarr_array *array, mst_decoder *decoder,
                              mst_zarr_scratch *scratch, const void *src, size_t length, void *dst,
                              muster_error *error) {
  mst_zarr_bytes bytes = {src, length};
  const size_t wanted = array->grid.chunk_bytes;
  const muster_status status = undo_all(array, decoder, scratch, &bytes, dst, error);
  if (status != MUSTER_OK) return status;
  if (bytes.length != wanted) {
    (void)mst_fail(error, MUSTER_ERR_FORMAT, decoder->path,
                   "damaged: a chunk of %zu bytes, where its shape takes %zu: copy the file again",
                   bytes.length, wanted);
    return mst_tell_sizes(error, MUSTER_ERR_FORMAT, bytes.length, wanted);
  }
  if (array->chain.transposed)
    mst_zarr_put_in_order(array, 0, array->grid.chunk[array->chain.axes[0]], bytes.data, dst);
  else if (bytes.data != dst)
    memcpy(dst, bytes.data, wanted);
  return MUSTER_OK;
}
