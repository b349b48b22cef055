/* SPDX-License-Identifier: Apache-2.0 */
/* Pages of a Parquet file: their headers, their compression, and where their parts are. */
#include <inttypes.h>
#include <string.h>

#include "base/alloc.h"
#include "base/shape.h"
#include "base/status.h"
#include "formats/parquet/cursor.h"
#include "formats/parquet/thrift.h"

/* The header of a page is shorter, unless it holds long statistics. */
#define LIKELY_HEADER ((size_t)256)
/* What a page may hold besides its values: levels and what encodings add. */
#define PAGE_SLACK ((uint64_t)64 << 10)
#define DICTIONARY_SLACK ((uint64_t)1 << 20)

enum { DATA_PAGE = 0, INDEX_PAGE = 1, DICTIONARY_PAGE = 2, DATA_PAGE_V2 = 3 };
enum { PLAIN = 0, PLAIN_DICTIONARY = 2, RLE = 3, DELTA = 5, RLE_DICTIONARY = 8, SPLIT = 9 };

typedef struct mst_page_header {
  int type;
  int32_t decoded, stored; /* bytes */
  int32_t values;
  int encoding, definition_encoding, repetition_encoding;
  int32_t definition_bytes, repetition_bytes; /* of version 2 */
  bool is_compressed;
  bool has_checksum;
  uint32_t checksum; /* CRC-32 of what is stored behind the header */
} mst_page_header;

static muster_status damaged(const mst_parquet_cursor *cursor, const char *what,
                             muster_error *error) {
  return mst_parquet_damaged(cursor->open->shard->path, cursor->column->name, what, error);
}

static muster_status grow(mst_parquet_buffer *buffer, uint64_t length, muster_error *error) {
  if (buffer->data != NULL && length + MST_PARQUET_PADDING <= buffer->room) return MUSTER_OK;
  mst_free(buffer->data);
  buffer->room = (size_t)length + MST_PARQUET_PADDING;
  buffer->data = mst_alloc(buffer->room);
  if (buffer->data != NULL) return MUSTER_OK;
  buffer->room = 0;
  return mst_fail_memory(error);
}

/* ---- the window --------------------------------------------------------------------------------- */

static uint64_t chunk_end(const mst_parquet_cursor *cursor) {
  return cursor->chunk.offset + cursor->chunk.bytes;
}

/* Moves what is there of [at, at + length) to a buffer that has room for all. */
static muster_status make_window(mst_parquet_cursor *cursor, uint64_t at, size_t length,
                                 muster_error *error) {
  mst_parquet_buffer *window = &cursor->window;
  const uint64_t end = cursor->window_at + cursor->window_length;
  const size_t kept = at >= cursor->window_at && at < end ? (size_t)(end - at) : 0;
  const unsigned char *from = kept > 0 ? window->data + (at - cursor->window_at) : NULL;
  if (length + MST_PARQUET_PADDING <= window->room) {
    if (kept > 0) memmove(window->data, from, kept);
  } else {
    mst_parquet_buffer larger = {0};
    const muster_status status = grow(&larger, length + length / 4, error);
    if (status != MUSTER_OK) return status;
    if (kept > 0) memcpy(larger.data, from, kept);
    mst_free(window->data);
    *window = larger;
  }
  cursor->window_at = at;
  cursor->window_length = kept;
  return MUSTER_OK;
}

/* Bytes [at, at + length) of the file, and what of `more` behind them the chunk has. */
static muster_status look_at(mst_parquet_cursor *cursor, uint64_t at, size_t length, size_t more,
                             const unsigned char **bytes, muster_error *error) {
  const uint64_t end = cursor->window_at + cursor->window_length;
  if (at < cursor->window_at || at > end || length > end - at) {
    const size_t wanted = (size_t)mst_smaller(length + (uint64_t)more, chunk_end(cursor) - at);
    muster_status status = make_window(cursor, at, wanted, error);
    const size_t kept = cursor->window_length;
    if (status == MUSTER_OK && wanted > kept)
      status = mst_io_read(cursor->open->fd, cursor->open->shard->path, at + kept,
                           cursor->window.data + kept, wanted - kept, error);
    if (status != MUSTER_OK) return status;
    cursor->window_length = wanted;
  }
  *bytes = cursor->window.data + (at - cursor->window_at);
  return MUSTER_OK;
}

/* ---- headers -------------------------------------------------------------------------------------- */

static void read_data_header(mst_thrift *thrift, mst_page_header *header) {
  mst_thrift_field field = {0};
  while (mst_thrift_next(thrift, &field)) {
    switch (field.id) {
    case 1: header->values = mst_thrift_int32(thrift, field.type); break;
    case 2: header->encoding = mst_thrift_int32(thrift, field.type); break;
    case 3: header->definition_encoding = mst_thrift_int32(thrift, field.type); break;
    case 4: header->repetition_encoding = mst_thrift_int32(thrift, field.type); break;
    default: mst_thrift_skip(thrift, field.type);
    }
  }
}

static void read_dictionary_header(mst_thrift *thrift, mst_page_header *header) {
  mst_thrift_field field = {0};
  while (mst_thrift_next(thrift, &field)) {
    if (field.id == 1)
      header->values = mst_thrift_int32(thrift, field.type);
    else if (field.id == 2)
      header->encoding = mst_thrift_int32(thrift, field.type);
    else
      mst_thrift_skip(thrift, field.type);
  }
}

static void read_data_header_v2(mst_thrift *thrift, mst_page_header *header) {
  header->is_compressed = true;
  mst_thrift_field field = {0};
  while (mst_thrift_next(thrift, &field)) {
    switch (field.id) {
    case 1: header->values = mst_thrift_int32(thrift, field.type); break;
    case 4: header->encoding = mst_thrift_int32(thrift, field.type); break;
    case 5: header->definition_bytes = mst_thrift_int32(thrift, field.type); break;
    case 6: header->repetition_bytes = mst_thrift_int32(thrift, field.type); break;
    case 7: header->is_compressed = mst_thrift_bool(thrift, field.type); break;
    default: mst_thrift_skip(thrift, field.type);
    }
  }
}

static void read_checksum(mst_thrift *thrift, uint8_t type, mst_page_header *header) {
  header->has_checksum = true;
  header->checksum = (uint32_t)mst_thrift_int32(thrift, type);
}

static void parse_header(mst_thrift *thrift, mst_page_header *header) {
  *header = (mst_page_header){
      .type = -1, .decoded = -1, .stored = -1, .values = -1, .encoding = -1, .is_compressed = true};
  mst_thrift_field field = {0};
  while (mst_thrift_next(thrift, &field)) {
    if (field.id == 1)
      header->type = mst_thrift_int32(thrift, field.type);
    else if (field.id == 2)
      header->decoded = mst_thrift_int32(thrift, field.type);
    else if (field.id == 3)
      header->stored = mst_thrift_int32(thrift, field.type);
    else if (field.id == 4)
      read_checksum(thrift, field.type, header);
    else if (field.id == 5 && mst_thrift_struct(thrift, field.type))
      read_data_header(thrift, header);
    else if (field.id == 7 && mst_thrift_struct(thrift, field.type))
      read_dictionary_header(thrift, header);
    else if (field.id == 8 && mst_thrift_struct(thrift, field.type))
      read_data_header_v2(thrift, header);
    else
      mst_thrift_skip(thrift, field.type);
  }
}

/* The most that one byte can decode to. */
static uint64_t ratio_of(uint8_t codec) {
  switch (codec) {
  case 1: return 22;
  case 2: return 1033;
  case 5:
  case 7: return 256;
  default: return (uint64_t)128 << 10;
  }
}

/* The most bytes that a page may decode to: more would be no values of this column, or could not
 * come of what is stored. */
static bool is_plausible(const mst_parquet_cursor *cursor, const mst_page_header *header) {
  const uint64_t each = (uint64_t)cursor->column->layout.value_bytes + 5;
  uint64_t most = PAGE_SLACK + (uint64_t)header->values * each;
  if (header->type == DICTIONARY_PAGE) most += DICTIONARY_SLACK;
  const uint64_t possible = ((uint64_t)header->stored + 16) * ratio_of(cursor->chunk.codec);
  return (uint64_t)header->decoded <= mst_smaller(most, possible);
}

static muster_status check_header(const mst_parquet_cursor *cursor, const mst_page_header *header,
                                  uint64_t left, muster_error *error) {
  if (header->stored < 0 || header->decoded < 0 || (uint64_t)header->stored > left)
    return damaged(cursor, "a page is longer than the chunk that it is in", error);
  const bool is_data = header->type == DATA_PAGE || header->type == DATA_PAGE_V2;
  if (!is_data && header->type != DICTIONARY_PAGE) return MUSTER_OK;
  if (header->values < 0 || !is_plausible(cursor, header))
    return damaged(cursor, "a page claims to hold more than it can", error);
  if (is_data && (uint64_t)header->values > cursor->values_left)
    return damaged(cursor, "its pages hold more values than the row group", error);
  if (!is_data && (uint64_t)header->values > mst_larger(cursor->chunk.values, UINT16_MAX))
    return damaged(cursor, "its dictionary is larger than the row group", error);
  const int64_t levels = (int64_t)header->definition_bytes + header->repetition_bytes;
  if (header->definition_bytes < 0 || header->repetition_bytes < 0 || levels > header->stored ||
      levels > header->decoded)
    return damaged(cursor, "a page has more levels than bytes", error);
  return MUSTER_OK;
}

/* The header at cursor->at, which moves behind it. */
static muster_status read_header(mst_parquet_cursor *cursor, mst_page_header *header,
                                 muster_error *error) {
  const uint64_t left = chunk_end(cursor) - cursor->at;
  for (size_t length = LIKELY_HEADER;; length *= 4) {
    const unsigned char *bytes;
    const size_t there = (size_t)mst_smaller(length, left);
    const muster_status status = look_at(cursor, cursor->at, there, 0, &bytes, error);
    if (status != MUSTER_OK) return status;
    mst_thrift thrift = {.at = bytes, .end = bytes + there};
    parse_header(&thrift, header);
    if (thrift.failed && thrift.ended && there < left) continue;
    if (thrift.failed || header->type < 0)
      return damaged(cursor, "the header of a page cannot be understood", error);
    cursor->at += (uint64_t)(thrift.at - bytes);
    return check_header(cursor, header, left - (uint64_t)(thrift.at - bytes), error);
  }
}

/* ---- compression ---------------------------------------------------------------------------------- */

static uint32_t big_endian(const unsigned char *bytes) {
  return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

/* LZ4 as Hadoop frames it: the lengths of each block before and after, big-endian. */
static muster_status decode_hadoop_lz4(mst_decoder *decoder, const unsigned char *src,
                                       size_t length, unsigned char *dst, size_t room, size_t *got,
                                       muster_error *error) {
  *got = 0;
  while (length >= 8) {
    const uint32_t expected = big_endian(src), stored = big_endian(src + 4);
    size_t made;
    if (stored > length - 8 || expected > room - *got) return MUSTER_ERR_FORMAT;
    const muster_status status =
        mst_decode_lz4(decoder, src + 8, stored, dst + *got, expected, &made, error);
    if (status != MUSTER_OK || made != expected) return MUSTER_ERR_FORMAT;
    *got += made;
    src += 8 + stored;
    length -= 8 + stored;
  }
  return length == 0 ? MUSTER_OK : MUSTER_ERR_FORMAT;
}

/* Files say LZ4 for that, and old ones for bare blocks. */
static muster_status decode_any_lz4(mst_decoder *decoder, const void *src, size_t length, void *dst,
                                    size_t room, size_t *got, muster_error *error) {
  if (decode_hadoop_lz4(decoder, src, length, dst, room, got, NULL) == MUSTER_OK) return MUSTER_OK;
  return mst_decode_lz4(decoder, src, length, dst, room, got, error);
}

static mst_decode_fn decoder_of(uint8_t codec) {
  switch (codec) {
  case 1: return mst_decode_snappy;
  case 2: return mst_decode_gzip;
  case 5: return decode_any_lz4;
  case 6: return mst_decode_zstd;
  case 7: return mst_decode_lz4;
  default: return NULL;
  }
}

static muster_status refuse_codec(const mst_parquet_cursor *cursor, muster_error *error) {
  const uint8_t codec = cursor->chunk.codec;
  const char *name = codec == 3 ? "LZO" : codec == 4 ? "brotli" : "an unknown codec";
  return mst_fail(error, MUSTER_ERR_UNSUPPORTED, cursor->open->shard->path,
                  "compressed with %s, which is not read: write it again with zstd or snappy",
                  name);
}

static muster_status check_sum(const mst_parquet_cursor *cursor, const mst_page_header *header,
                               const unsigned char *stored, muster_error *error) {
  if (!header->has_checksum) return MUSTER_OK;
  if (mst_crc32(stored, (size_t)header->stored) == header->checksum) return MUSTER_OK;
  return damaged(cursor, "the checksum of a page is wrong: copy the file again", error);
}

/* The page's bytes after its levels, if those are apart; `skip` bytes are not compressed. */
static muster_status load_body(mst_parquet_cursor *cursor, const mst_page_header *header,
                               size_t skip, const unsigned char **body, size_t *length,
                               muster_error *error) {
  const unsigned char *stored;
  muster_status status =
      look_at(cursor, cursor->at, (size_t)header->stored, LIKELY_HEADER, &stored, error);
  if (status == MUSTER_OK) status = check_sum(cursor, header, stored, error);
  if (status != MUSTER_OK) return status;
  const size_t stored_length = (size_t)header->stored - skip;
  *length = (size_t)header->decoded - skip;
  *body = stored + skip;
  if (cursor->chunk.codec == 0 || !header->is_compressed) {
    if (*length == stored_length) return MUSTER_OK;
    return damaged(cursor, "a page that is not compressed has two lengths", error);
  }
  const mst_decode_fn decode = decoder_of(cursor->chunk.codec);
  if (decode == NULL) return refuse_codec(cursor, error);
  status = grow(&cursor->plain, *length, error);
  if (status != MUSTER_OK) return status;
  size_t got = 0;
  if (stored_length > 0 || *length > 0)
    status = decode(cursor->decoder, stored + skip, stored_length, cursor->plain.data, *length,
                    &got, error);
  if (status == MUSTER_OK && got != *length)
    return damaged(cursor, "a page decodes to another length than it says", error);
  *body = cursor->plain.data;
  return status;
}

/* ---- data pages ------------------------------------------------------------------------------------ */

static unsigned width_of(unsigned most) {
  unsigned width = 0;
  for (; most > 0; most >>= 1)
    width++;
  return width;
}

/* Levels with their length before them; *body moves behind them. */
static muster_status begin_levels(mst_parquet_cursor *cursor, mst_hybrid *levels, unsigned most,
                                  int encoding, const unsigned char **body, size_t *length,
                                  muster_error *error) {
  if (most == 0) return MUSTER_OK;
  if (encoding != RLE)
    return mst_fail(error, MUSTER_ERR_UNSUPPORTED, cursor->open->shard->path,
                    "levels in an encoding that was given up (%d): write it again", encoding);
  uint32_t bytes = 0;
  if (*length >= 4)
    bytes = (*body)[0] | (uint32_t)(*body)[1] << 8 | (uint32_t)(*body)[2] << 16 |
            (uint32_t)(*body)[3] << 24;
  if (*length < 4 || bytes > *length - 4)
    return damaged(cursor, "the levels of a page are longer than it is", error);
  (void)mst_hybrid_init(levels, *body + 4, bytes, width_of(most));
  *body += 4 + (size_t)bytes;
  *length -= 4 + (size_t)bytes;
  return MUSTER_OK;
}

static muster_status begin_page(mst_parquet_cursor *cursor, const mst_page_header *header,
                                muster_error *error) {
  const mst_parquet_layout *layout = &cursor->column->layout;
  const unsigned char *body;
  size_t length;
  muster_status status = load_body(cursor, header, 0, &body, &length, error);
  if (status == MUSTER_OK)
    status = begin_levels(cursor, &cursor->page.repetitions, layout->max_repetition,
                          header->repetition_encoding, &body, &length, error);
  if (status == MUSTER_OK)
    status = begin_levels(cursor, &cursor->page.definitions, layout->max_definition,
                          header->definition_encoding, &body, &length, error);
  return status == MUSTER_OK ? mst_parquet_begin_values(cursor, body, length, error) : status;
}

static muster_status begin_page_v2(mst_parquet_cursor *cursor, const mst_page_header *header,
                                   muster_error *error) {
  const mst_parquet_layout *layout = &cursor->column->layout;
  const size_t first = (size_t)header->repetition_bytes, second = (size_t)header->definition_bytes;
  const unsigned char *body, *levels;
  size_t length;
  muster_status status = load_body(cursor, header, first + second, &body, &length, error);
  if (status == MUSTER_OK)
    status = look_at(cursor, cursor->at, (size_t)header->stored, 0, &levels, error);
  if (status != MUSTER_OK) return status;
  (void)mst_hybrid_init(&cursor->page.repetitions, levels, first, width_of(layout->max_repetition));
  (void)mst_hybrid_init(&cursor->page.definitions, levels + first, second,
                        width_of(layout->max_definition));
  return mst_parquet_begin_values(cursor, body, length, error);
}

static muster_status load_dictionary(mst_parquet_cursor *cursor, const mst_page_header *header,
                                     muster_error *error) {
  const mst_parquet_layout *layout = &cursor->column->layout;
  const size_t count = (size_t)header->values;
  const unsigned char *body;
  size_t length;
  muster_status status = load_body(cursor, header, 0, &body, &length, error);
  if (status != MUSTER_OK) return status;
  const size_t each = layout->value_bytes;
  if (each == 0 || length / each < count ||
      (header->encoding != PLAIN && header->encoding != PLAIN_DICTIONARY))
    return damaged(cursor, "its dictionary cannot be understood", error);
  status = grow(&cursor->dictionary, (uint64_t)count * cursor->itemsize, error);
  if (status != MUSTER_OK) return status;
  for (size_t at = 0; at < count; at += MST_PARQUET_BLOCK)
    mst_parquet_convert(cursor, body + at * each, cursor->dictionary.data + at * cursor->itemsize,
                        (size_t)mst_smaller(count - at, MST_PARQUET_BLOCK));
  cursor->dictionary_count = count;
  cursor->has_dictionary = true;
  return MUSTER_OK;
}

muster_status mst_parquet_load_dictionary(mst_parquet_cursor *cursor, muster_error *error) {
  mst_page_header header;
  const muster_status status = read_header(cursor, &header, error);
  if (status != MUSTER_OK || header.type != DICTIONARY_PAGE) return status;
  return load_dictionary(cursor, &header, error);
}

static void note_place(mst_parquet_cursor *cursor, uint64_t begin) {
  if (cursor->column->layout.max_repetition > 0) return;
  *cursor->place = (mst_parquet_place){.group_after = cursor->group + 1,
                                       .element = cursor->element,
                                       .offset = begin,
                                       .values_left = cursor->values_left};
}

static muster_status load_data(mst_parquet_cursor *cursor, const mst_page_header *header,
                               muster_error *error) {
  cursor->page =
      (mst_parquet_page){.entries = (uint64_t)header->values, .encoding = header->encoding};
  cursor->level_at = cursor->level_count = 0;
  cursor->values_left -= (uint64_t)header->values;
  return header->type == DATA_PAGE ? begin_page(cursor, header, error)
                                   : begin_page_v2(cursor, header, error);
}

muster_status mst_parquet_load_page(mst_parquet_cursor *cursor, uint64_t *pass,
                                    muster_error *error) {
  const bool is_flat = cursor->column->layout.max_repetition == 0;
  for (;;) {
    if (cursor->values_left == 0 || cursor->at >= chunk_end(cursor))
      return damaged(cursor, "its pages end before its rows do", error);
    const uint64_t begin = cursor->at;
    mst_page_header header;
    muster_status status = read_header(cursor, &header, error);
    if (status != MUSTER_OK) return status;
    const bool is_data = header.type == DATA_PAGE || header.type == DATA_PAGE_V2;
    const uint64_t values = is_data ? (uint64_t)header.values : 0;
    const bool is_passed = is_data && is_flat && values <= *pass;
    if (is_data && !is_passed) note_place(cursor, begin);
    if (is_passed) {
      *pass -= values;
      cursor->element += values;
      cursor->values_left -= values;
    } else if (is_data) {
      status = load_data(cursor, &header, error);
    } else if (header.type == DICTIONARY_PAGE) {
      status = load_dictionary(cursor, &header, error);
    }
    cursor->at += (uint64_t)header.stored;
    const bool is_done = is_data && (!is_passed || *pass == 0);
    if (status != MUSTER_OK || is_done) return status;
  }
}
