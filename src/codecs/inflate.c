/* SPDX-License-Identifier: Apache-2.0 */
#include "codecs/inflate.h"

#include "base/status.h"

#ifndef MST_HAVE_ZLIB

bool mst_can_inflate(void) { return false; }

muster_status mst_inflate_new(const mst_deflated *data, mst_inflate **out, muster_error *error) {
  *out = NULL;
  return mst_fail(error, MUSTER_ERR_UNSUPPORTED, data->path,
                  "deflated, and this build has no zlib (Debian: zlib1g-dev)");
}

void mst_inflate_free(mst_inflate *reader) { (void)reader; }

uint64_t mst_inflate_position(const mst_inflate *reader) {
  (void)reader;
  return 0;
}

uint32_t mst_inflate_crc(const mst_inflate *reader) {
  (void)reader;
  return 0;
}

muster_status mst_inflate_read(mst_inflate *reader, void *dst, uint64_t length,
                               muster_error *error) {
  (void)reader;
  (void)dst;
  (void)length;
  return mst_fail(error, MUSTER_ERR_UNSUPPORTED, NULL, "this build has no zlib");
}

muster_status mst_inflate_end(mst_inflate *reader, muster_error *error) {
  return mst_inflate_read(reader, NULL, 0, error);
}

muster_status mst_inflate_rewind(mst_inflate *reader, muster_error *error) {
  return mst_inflate_read(reader, NULL, 0, error);
}

#else

#include <string.h>
#include <zlib.h>

#include "base/alloc.h"
#include "base/shape.h"

#define PACKED_BYTES ((size_t)64 << 10)
/* Small enough that what was unpacked is still in the cache when its checksum is taken. */
#define PIECE_BYTES ((size_t)256 << 10)

struct mst_inflate {
  const mst_deflated *data;
  z_stream stream;
  uint64_t taken;    /* packed bytes that were read */
  uint64_t position; /* unpacked bytes */
  uLong crc;
  bool ended;
  unsigned char packed[PACKED_BYTES];
  unsigned char passed[PACKED_BYTES]; /* bytes that nobody wants */
};

bool mst_can_inflate(void) { return true; }

static voidpf zlib_alloc(voidpf opaque, uInt items, uInt size) {
  (void)opaque;
  return mst_calloc(items, size);
}

static void zlib_free(voidpf opaque, voidpf memory) {
  (void)opaque;
  mst_free(memory);
}

static void begin(mst_inflate *reader) {
  reader->taken = 0;
  reader->position = 0;
  reader->crc = crc32(0, NULL, 0);
  reader->ended = false;
  reader->stream.avail_in = 0;
}

muster_status mst_inflate_new(const mst_deflated *data, mst_inflate **out, muster_error *error) {
  *out = NULL;
  mst_inflate *reader = mst_alloc(sizeof *reader);
  if (reader == NULL) return mst_fail_memory(error);
  reader->data = data;
  reader->stream = (z_stream){.zalloc = zlib_alloc, .zfree = zlib_free};
  begin(reader);
  if (inflateInit2(&reader->stream, -MAX_WBITS) != Z_OK) {
    mst_free(reader);
    return mst_fail_memory(error);
  }
  *out = reader;
  return MUSTER_OK;
}

void mst_inflate_free(mst_inflate *reader) {
  if (reader == NULL) return;
  (void)inflateEnd(&reader->stream);
  mst_free(reader);
}

uint64_t mst_inflate_position(const mst_inflate *reader) { return reader->position; }
uint32_t mst_inflate_crc(const mst_inflate *reader) { return (uint32_t)reader->crc; }

muster_status mst_inflate_rewind(mst_inflate *reader, muster_error *error) {
  if (inflateReset(&reader->stream) != Z_OK) return mst_fail_memory(error);
  begin(reader);
  return MUSTER_OK;
}

static muster_status damaged(const mst_inflate *reader, const char *what, muster_error *error) {
  const mst_deflated *data = reader->data;
  return mst_fail_at(error, MUSTER_ERR_FORMAT, data->path,
                     (muster_offset)(data->offset + reader->taken - reader->stream.avail_in),
                     "damaged deflated data: %s", what);
}

static muster_status refill(mst_inflate *reader, muster_error *error) {
  const mst_deflated *data = reader->data;
  const size_t length = (size_t)mst_smaller(data->packed - reader->taken, PACKED_BYTES);
  if (length == 0) return damaged(reader, "they end too early", error);
  const muster_status status = mst_io_read(data->fd, data->path, data->offset + reader->taken,
                                           reader->packed, length, error);
  if (status != MUSTER_OK) return status;
  reader->taken += length;
  reader->stream.next_in = reader->packed;
  reader->stream.avail_in = (uInt)length;
  return MUSTER_OK;
}

/* Up to `length` bytes; fewer only at the end of the data. */
static muster_status unpack(mst_inflate *reader, void *dst, size_t length, size_t *got,
                            muster_error *error) {
  z_stream *stream = &reader->stream;
  stream->next_out = dst;
  stream->avail_out = (uInt)length;
  while (stream->avail_out > 0 && !reader->ended) {
    const muster_status status = stream->avail_in == 0 ? refill(reader, error) : MUSTER_OK;
    if (status != MUSTER_OK) return status;
    const int result = inflate(stream, Z_NO_FLUSH);
    if (result == Z_MEM_ERROR) return mst_fail_memory(error);
    if (result != Z_OK && result != Z_STREAM_END)
      return damaged(reader, "they make no sense", error);
    reader->ended = result == Z_STREAM_END;
  }
  *got = length - stream->avail_out;
  reader->crc = crc32(reader->crc, dst, (uInt)*got);
  reader->position += *got;
  return MUSTER_OK;
}

muster_status mst_inflate_read(mst_inflate *reader, void *dst, uint64_t length,
                               muster_error *error) {
  char *to = dst;
  const size_t at_once = to != NULL ? PIECE_BYTES : sizeof reader->passed;
  while (length > 0) {
    const size_t piece = (size_t)mst_smaller(length, at_once);
    size_t got = 0;
    const muster_status status =
        unpack(reader, to != NULL ? (void *)to : reader->passed, piece, &got, error);
    if (status != MUSTER_OK) return status;
    if (got < piece) return damaged(reader, "they end too early", error);
    if (to != NULL) to += piece;
    length -= piece;
  }
  return MUSTER_OK;
}

muster_status mst_inflate_end(mst_inflate *reader, muster_error *error) {
  size_t got = 0;
  unsigned char more;
  if (reader->ended) return MUSTER_OK;
  const muster_status status = unpack(reader, &more, 1, &got, error);
  if (status != MUSTER_OK || got == 0) return status;
  return damaged(reader, "more bytes come than the directory says", error);
}

#endif
