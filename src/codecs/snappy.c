/* SPDX-License-Identifier: Apache-2.0 */
/* Snappy's bare format, by our own hand: the usual library is C++, with its run-time. */
#include <string.h>

#include "base/status.h"
#include "codecs/codec.h"

/* Bytes that are copied at once, where there is room behind what is wanted. */
#define STRIDE 16

typedef struct mst_snappy {
  const unsigned char *at, *end;
  unsigned char *begin, *out, *out_end;
} mst_snappy;

static bool read_length(mst_snappy *snappy, uint64_t *length) {
  *length = 0;
  for (unsigned shift = 0; shift < 35 && snappy->at < snappy->end; shift += 7) {
    const unsigned byte = *snappy->at++;
    *length |= (uint64_t)(byte & 0x7f) << shift;
    if ((byte & 0x80) == 0) return *length <= UINT32_MAX;
  }
  return false;
}

static uint32_t read_bytes(const unsigned char *at, unsigned count) {
  uint32_t value = 0;
  for (unsigned i = 0; i < count; i++)
    value |= (uint32_t)at[i] << 8 * i;
  return value;
}

static bool copy_literal(mst_snappy *snappy, unsigned tag) {
  uint64_t length = tag >> 2;
  if (length >= 60) {
    const unsigned bytes = (unsigned)length - 59;
    if (bytes > (size_t)(snappy->end - snappy->at)) return false;
    length = read_bytes(snappy->at, bytes);
    snappy->at += bytes;
  }
  length++;
  const size_t there = (size_t)(snappy->end - snappy->at);
  const size_t room = (size_t)(snappy->out_end - snappy->out);
  if (length <= STRIDE && there >= STRIDE && room >= STRIDE)
    memcpy(snappy->out, snappy->at, STRIDE);
  else if (length > there || length > room)
    return false;
  else
    memcpy(snappy->out, snappy->at, (size_t)length);
  snappy->at += length;
  snappy->out += length;
  return true;
}

/* What was made before once more; it may reach into itself, which repeats it. */
static bool copy_back(mst_snappy *snappy, size_t offset, size_t length) {
  const size_t room = (size_t)(snappy->out_end - snappy->out);
  if (offset == 0 || offset > (size_t)(snappy->out - snappy->begin) || length > room) return false;
  unsigned char *to = snappy->out;
  const unsigned char *from = to - offset;
  snappy->out += length;
  if (offset >= STRIDE && room >= length + STRIDE) {
    for (size_t i = 0; i < length; i += STRIDE)
      memcpy(to + i, from + i, STRIDE);
  } else if (offset >= 8 && room >= length + 8) {
    for (size_t i = 0; i < length; i += 8)
      memcpy(to + i, from + i, 8);
  } else {
    for (size_t i = 0; i < length; i++)
      to[i] = from[i];
  }
  return true;
}

static bool decode_element(mst_snappy *snappy) {
  const unsigned tag = *snappy->at++;
  const unsigned kind = tag & 3;
  if (kind == 0) return copy_literal(snappy, tag);
  const unsigned bytes = kind == 3 ? 4 : kind;
  if (bytes > (size_t)(snappy->end - snappy->at)) return false;
  const size_t low = read_bytes(snappy->at, bytes);
  snappy->at += bytes;
  if (kind == 1) return copy_back(snappy, (size_t)(tag & 0xe0) << 3 | low, (tag >> 2 & 7) + 4);
  return copy_back(snappy, low, (tag >> 2) + 1);
}

muster_status mst_decode_snappy(mst_decoder *decoder, const void *src, size_t length, void *dst,
                                size_t room, size_t *got, muster_error *error) {
  mst_snappy snappy = {
      .at = src, .end = (const unsigned char *)src + length, .begin = dst, .out = dst};
  uint64_t expected = 0;
  bool sound = read_length(&snappy, &expected) && expected <= room;
  *got = 0;
  if (sound) snappy.out_end = snappy.out + expected;
  while (sound && snappy.at < snappy.end)
    sound = decode_element(&snappy);
  if (!sound || snappy.out != snappy.out_end) return mst_codec_damaged(decoder, "snappy", error);
  *got = (size_t)expected;
  return MUSTER_OK;
}
