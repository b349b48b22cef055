/* SPDX-License-Identifier: Apache-2.0 */
/* Messages, and the record batches in them. */
#include <inttypes.h>
#include <string.h>

#include "base/shape.h"
#include "base/status.h"
#include "formats/arrow/arrow.h"

/* Nearly all metadata are in the first piece. */
#define PIECE_BYTES ((size_t)4096)
#define MAX_METADATA ((uint64_t)64 << 20)
#define CONTINUATION UINT32_MAX

enum { MESSAGE_VERSION, MESSAGE_KIND, MESSAGE_HEADER, MESSAGE_BODY_LENGTH };
enum { BATCH_LENGTH, BATCH_NODES, BATCH_BUFFERS, BATCH_COMPRESSION, BATCH_VARIADIC_COUNTS };
enum { COMPRESSION_CODEC, COMPRESSION_METHOD };

/* V4 came with Arrow 0.8. */
#define OLDEST_VERSION 3

muster_status mst_arrow_damaged(const char *path, uint64_t offset, const char *what,
                                muster_error *error) {
  return mst_fail_at(error, MUSTER_ERR_FORMAT, path, (muster_offset)offset,
                     "damaged Arrow data: %s; copy the file again", what);
}

void mst_arrow_message_reset(mst_arrow_message *message) {
  mst_free(message->bytes);
  *message = (mst_arrow_message){0};
}

/* ---- bytes ---------------------------------------------------------------------------------- */

static uint32_t get_32(const unsigned char *at) {
  return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static bool make_room(mst_arrow_message *message, size_t bytes) {
  if (bytes <= message->room) return true;
  unsigned char *grown = mst_realloc(message->bytes, bytes);
  if (grown == NULL) return false;
  message->bytes = grown;
  message->room = bytes;
  return true;
}

/* The length is signed; before Arrow 0.15 nothing stood before it. */
static muster_status read_prefix(const mst_arrow_file *file, uint64_t offset,
                                 const unsigned char *bytes, size_t got, size_t *prefix,
                                 size_t *length, muster_error *error) {
  *prefix = *length = 0;
  if (got == 0) return MUSTER_OK; /* a stream may end so */
  const bool is_marked = got >= 4 && get_32(bytes) == CONTINUATION;
  *prefix = is_marked ? 8 : 4;
  if (got < *prefix) return mst_arrow_damaged(file->path, offset, "cut off", error);
  const uint64_t found = get_32(bytes + *prefix - 4);
  const uint64_t room = file->size - offset;
  if (found > MAX_METADATA || found > room - mst_smaller(room, *prefix))
    return mst_fail_at(error, MUSTER_ERR_FORMAT, file->path, (muster_offset)offset,
                       "damaged Arrow data, or cut off: metadata of %" PRIu64 " bytes, %" PRIu64
                       " are there; copy the file again",
                       found, room);
  *length = (size_t)found;
  return MUSTER_OK;
}

static muster_status load_metadata(const mst_arrow_file *file, uint64_t offset,
                                   mst_arrow_message *message, size_t *prefix, size_t *length,
                                   muster_error *error) {
  if (!make_room(message, PIECE_BYTES)) return mst_fail_memory(error);
  size_t got = 0;
  muster_status status =
      mst_io_read_some(file->fd, file->path, offset, message->bytes, PIECE_BYTES, &got, error);
  if (status == MUSTER_OK)
    status = read_prefix(file, offset, message->bytes, got, prefix, length, error);
  if (status != MUSTER_OK || *prefix + *length <= got) return status;
  if (!make_room(message, *prefix + *length)) return mst_fail_memory(error);
  return mst_io_read(file->fd, file->path, offset + got, message->bytes + got,
                     *prefix + *length - got, error);
}

muster_status mst_arrow_read_message(const mst_arrow_file *file, uint64_t offset,
                                     mst_arrow_message *message, muster_error *error) {
  size_t prefix = 0, length = 0;
  message->kind = 0;
  if (offset > file->size) return mst_arrow_damaged(file->path, file->size, "cut off", error);
  const muster_status status = load_metadata(file, offset, message, &prefix, &length, error);
  if (status != MUSTER_OK) return status;
  message->metadata_bytes = prefix + length;
  message->body = offset + prefix + length;
  message->body_bytes = 0;
  if (length == 0) return MUSTER_OK;
  const mst_fb_table root = mst_fb_root(&message->buffer, message->bytes + prefix, length);
  message->version = (int)mst_fb_int(&root, MESSAGE_VERSION, 2, 0);
  message->header = mst_fb_child(&root, MESSAGE_HEADER);
  const int kind = (int)mst_fb_int(&root, MESSAGE_KIND, 1, 0);
  const int64_t body_bytes = mst_fb_int(&root, MESSAGE_BODY_LENGTH, 8, 0);
  if (message->buffer.bad || root.buffer == NULL || message->header.buffer == NULL ||
      body_bytes < 0 || kind == 0)
    return mst_arrow_damaged(file->path, offset, "metadata that make no sense", error);
  if (message->version < OLDEST_VERSION)
    return mst_fail(error, MUSTER_ERR_UNSUPPORTED, file->path,
                    "written by an Arrow before 0.8: write it again with a newer one");
  if (message->body > file->size || (uint64_t)body_bytes > file->size - message->body)
    return mst_fail_at(error, MUSTER_ERR_FORMAT, file->path, (muster_offset)file->size,
                       "truncated: a message ends at byte %" PRIu64 ", the file at %" PRIu64
                       ": copy the file again",
                       message->body + (uint64_t)body_bytes, file->size);
  message->kind = kind;
  message->body_bytes = (uint64_t)body_bytes;
  return MUSTER_OK;
}

/* ---- record batches ------------------------------------------------------------------------- */

static muster_status settle_codec(const char *path, const mst_fb_table *batch, mst_arrow_view *view,
                                  muster_error *error) {
  const mst_fb_table compression = mst_fb_child(batch, BATCH_COMPRESSION);
  view->codec = MST_ARROW_PLAIN;
  if (compression.buffer == NULL) return MUSTER_OK;
  const int64_t codec = mst_fb_int(&compression, COMPRESSION_CODEC, 1, 0);
  if (codec < 0 || codec > 1 || mst_fb_int(&compression, COMPRESSION_METHOD, 1, 0) != 0)
    return mst_fail(error, MUSTER_ERR_UNSUPPORTED, path,
                    "compressed in a way that Arrow did not have in 2024: write it with lz4, zstd "
                    "or none");
  view->codec = codec == 0 ? MST_ARROW_LZ4 : MST_ARROW_ZSTD;
  return MUSTER_OK;
}

muster_status mst_arrow_view_batch(const char *path, const mst_arrow_message *message,
                                   const mst_fb_table *batch, mst_arrow_view *view,
                                   muster_error *error) {
  *view = (mst_arrow_view){.message = message};
  const int64_t rows = mst_fb_int(batch, BATCH_LENGTH, 8, 0);
  view->nodes = mst_fb_elements(batch, BATCH_NODES, 16);
  view->buffers = mst_fb_elements(batch, BATCH_BUFFERS, 16);
  view->counts = mst_fb_elements(batch, BATCH_VARIADIC_COUNTS, 8);
  const muster_status status = settle_codec(path, batch, view, error);
  if (status != MUSTER_OK) return status;
  if (message->buffer.bad || rows < 0)
    return mst_arrow_damaged(path, message->body, "a record batch makes no sense", error);
  view->rows = (uint64_t)rows;
  return MUSTER_OK;
}

/* What the codecs make of a byte at most, generously. */
static uint64_t most_unpacked(mst_arrow_codec codec, uint64_t packed) {
  uint64_t most;
  const uint64_t factor = codec == MST_ARROW_LZ4 ? 256 : 65536;
  return mst_multiply(packed, factor, &most) ? most : UINT64_MAX;
}

typedef struct mst_locating {
  const char *path;
  const mst_arrow_view *view;
  size_t node, buffer; /* the next ones */
  muster_error *error;
} mst_locating;

static muster_status bad(const mst_locating *locating, const char *what) {
  return mst_arrow_damaged(locating->path, locating->view->message->body, what, locating->error);
}

/* The buffer with this number, at least `needed` bytes when it is unpacked. */
static muster_status take_buffer(mst_locating *locating, uint64_t needed, mst_arrow_buffer *out) {
  const mst_arrow_view *view = locating->view;
  const size_t index = locating->buffer++;
  const int64_t offset = mst_fb_int_of(&view->buffers, index, 0, 8);
  const int64_t length = mst_fb_int_of(&view->buffers, index, 8, 8);
  const uint64_t room = view->message->body_bytes;
  if (offset < 0 || length < 0 || (uint64_t)offset > room ||
      (uint64_t)length > room - (uint64_t)offset)
    return bad(locating, "a buffer that is not in its message");
  *out = (mst_arrow_buffer){.offset = view->message->body + (uint64_t)offset,
                            .length = needed > 0 ? (uint64_t)length : 0,
                            .needed = needed};
  if (needed == 0) return MUSTER_OK;
  if (view->codec == MST_ARROW_PLAIN)
    return needed <= out->length ? MUSTER_OK : bad(locating, "a buffer shorter than its column");
  if (out->length < 8 || needed > most_unpacked(view->codec, out->length))
    return bad(locating, "a buffer that is too short to be unpacked to its column");
  return MUSTER_OK;
}

/* A node and its validity. */
static muster_status take_level(mst_locating *locating, uint64_t elements, bool exactly,
                                mst_arrow_place *place, mst_arrow_buffer *validity) {
  const mst_arrow_view *view = locating->view;
  const size_t index = locating->node++;
  const int64_t length = mst_fb_int_of(&view->nodes, index, 0, 8);
  const int64_t nulls = mst_fb_int_of(&view->nodes, index, 8, 8);
  if (index >= view->nodes.count || length < 0 ||
      (exactly ? (uint64_t)length != elements : (uint64_t)length < elements))
    return bad(locating, "a column of another length than its batch");
  const bool has_nulls = nulls != 0 && elements > 0;
  place->has_nulls = place->has_nulls || has_nulls;
  return take_buffer(locating, has_nulls ? elements / 8 + (elements % 8 != 0) : 0, validity);
}

/* Columns are asked for in their order mostly, so that this goes on where it was. */
static bool count_views(mst_arrow_view *view, size_t columns) {
  if (columns < view->views) view->views = view->view_buffers = 0;
  for (; view->views < columns; view->views++) {
    const int64_t count = mst_fb_int_of(&view->counts, view->views, 0, 8);
    if (count < 0 || (uint64_t)count > view->buffers.count - view->view_buffers) return false;
    view->view_buffers += (size_t)count;
  }
  return true;
}

muster_status mst_arrow_locate(const char *path, mst_arrow_view *view,
                               const mst_arrow_column *column, mst_arrow_place *place,
                               muster_error *error) {
  *place = (mst_arrow_place){0};
  mst_locating locating = {
      .path = path, .view = view, .node = column->node, .buffer = column->buffer, .error = error};
  if (!count_views(view, column->views)) return bad(&locating, "a column of views makes no sense");
  locating.buffer += view->view_buffers;
  uint64_t elements = view->rows;
  for (size_t i = 0; i <= column->row.lists; i++) {
    if (i > 0 && !mst_multiply(elements, column->row.lengths[i - 1], &elements))
      return bad(&locating, "more values than 64 bits can count");
    const muster_status status =
        take_level(&locating, elements, i == 0, place, &place->validity[i]);
    if (status != MUSTER_OK) return status;
  }
  uint64_t bytes;
  const size_t size = muster_type_size(column->storage);
  if (!mst_multiply(elements, size, &bytes) || bytes > MST_MAX_BYTES)
    return bad(&locating, "more values than 64 bits can count");
  if (column->storage == MUSTER_BOOL) bytes = elements / 8 + (elements % 8 != 0);
  if (locating.buffer >= view->buffers.count)
    return bad(&locating, "fewer buffers than its columns need");
  return take_buffer(&locating, bytes, &place->values);
}
