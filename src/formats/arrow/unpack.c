/* SPDX-License-Identifier: Apache-2.0 */
/* Compressed buffers of record batches. */
#include <string.h>

#include "base/alloc.h"
#include "base/status.h"
#include "formats/arrow/reader.h"

static muster_status bad_buffer(const mst_arrow_reader *reader, const mst_arrow_buffer *buffer,
                                muster_error *error) {
  return mst_arrow_damaged(reader->file.path, buffer->offset,
                           "a compressed buffer of another length than its column", error);
}

static muster_status read_packed(mst_arrow_reader *reader, const mst_arrow_buffer *buffer,
                                 muster_error *error) {
  if (buffer->length > reader->packed_room) {
    mst_free(reader->packed);
    reader->packed = mst_alloc((size_t)buffer->length);
    reader->packed_room = reader->packed != NULL ? (size_t)buffer->length : 0;
    if (reader->packed == NULL) return mst_fail_memory(error);
  }
  return mst_io_read(reader->file.fd, reader->file.path, buffer->offset, reader->packed,
                     (size_t)buffer->length, error);
}

static bool make_slot(mst_arrow_slot *slot, size_t length) {
  if (length <= slot->room) return true;
  mst_free(slot->bytes);
  slot->bytes = mst_alloc(length);
  slot->room = slot->bytes != NULL ? length : 0;
  return slot->bytes != NULL;
}

/* The first 8 bytes tell the length of what comes out; -1: it is not compressed. Writers may round
 * it up. */
muster_status mst_arrow_unpack(mst_arrow_reader *reader, mst_arrow_codec codec,
                               const mst_arrow_buffer *buffer, void *dst, mst_arrow_slot *slot,
                               const unsigned char **out, muster_error *error) {
  const muster_status status = read_packed(reader, buffer, error);
  if (status != MUSTER_OK) return status;
  uint64_t length;
  memcpy(&length, reader->packed, sizeof length);
  const unsigned char *data = reader->packed + sizeof length;
  const size_t packed = (size_t)buffer->length - sizeof length;
  const bool is_stored = length == UINT64_MAX;
  if (is_stored) length = packed;
  if (length < buffer->needed || (length - buffer->needed) / 2 > buffer->needed + 4096)
    return bad_buffer(reader, buffer, error);
  const bool fits = dst != NULL && (is_stored || length == buffer->needed);
  if (!fits && !make_slot(slot, (size_t)length)) return mst_fail_memory(error);
  unsigned char *memory = fits ? dst : slot->bytes;
  *out = memory;
  slot->is_filled = !fits;
  if (is_stored) {
    memcpy(memory, data, (size_t)buffer->needed);
    return MUSTER_OK;
  }
  size_t got = 0;
  const mst_decode_fn decode = codec == MST_ARROW_LZ4 ? mst_decode_lz4_frame : mst_decode_zstd;
  const muster_status decoded =
      decode(&reader->decoder, data, packed, memory, (size_t)length, &got, error);
  if (decoded == MUSTER_OK && got == length) return MUSTER_OK;
  slot->is_filled = false;
  return decoded != MUSTER_OK ? decoded : bad_buffer(reader, buffer, error);
}
