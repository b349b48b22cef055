/* SPDX-License-Identifier: Apache-2.0 */
#include "formats/parquet/thrift.h"

#include <string.h>

/* Metadata of Parquet is at most five structs deep. */
#define MAX_DEPTH 16

static void fail(mst_thrift *thrift, bool ended) {
  if (thrift->failed) return;
  thrift->failed = true;
  thrift->ended = ended;
}

static unsigned read_byte(mst_thrift *thrift) {
  if (thrift->failed) return 0;
  if (thrift->at < thrift->end) return *thrift->at++;
  fail(thrift, true);
  return 0;
}

static uint64_t read_varint(mst_thrift *thrift) {
  uint64_t value = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    const unsigned byte = read_byte(thrift);
    value |= (uint64_t)(byte & 0x7f) << shift;
    if ((byte & 0x80) == 0) return value;
  }
  fail(thrift, false);
  return 0;
}

static int64_t read_zigzag(mst_thrift *thrift) {
  const uint64_t value = read_varint(thrift);
  return (int64_t)(value >> 1 ^ (~(value & 1) + 1));
}

static void advance(mst_thrift *thrift, uint64_t length) {
  if (thrift->failed) return;
  if (length > (uint64_t)(thrift->end - thrift->at))
    fail(thrift, true);
  else
    thrift->at += length;
}

bool mst_thrift_next(mst_thrift *thrift, mst_thrift_field *field) {
  const unsigned header = read_byte(thrift);
  if (thrift->failed || header == 0) return false;
  field->type = header & 0xf;
  if (header >> 4 != 0)
    field->id = (int16_t)(field->id + (int16_t)(header >> 4));
  else
    field->id = (int16_t)read_zigzag(thrift);
  return !thrift->failed;
}

int64_t mst_thrift_int(mst_thrift *thrift, uint8_t type) {
  if (type == MST_THRIFT_BYTE) return (int8_t)read_byte(thrift);
  if (type > MST_THRIFT_BYTE && type <= MST_THRIFT_I64) return read_zigzag(thrift);
  fail(thrift, false);
  return 0;
}

int32_t mst_thrift_int32(mst_thrift *thrift, uint8_t type) {
  const int64_t value = mst_thrift_int(thrift, type);
  if (value < INT32_MIN || value > INT32_MAX) fail(thrift, false);
  return (int32_t)value;
}

bool mst_thrift_bool(mst_thrift *thrift, uint8_t type) {
  if (type != MST_THRIFT_TRUE && type != MST_THRIFT_FALSE) fail(thrift, false);
  return type == MST_THRIFT_TRUE;
}

const char *mst_thrift_bytes(mst_thrift *thrift, uint8_t type, size_t *length) {
  if (type != MST_THRIFT_BINARY) fail(thrift, false);
  const uint64_t found = read_varint(thrift);
  const unsigned char *bytes = thrift->at;
  advance(thrift, found);
  *length = thrift->failed ? 0 : (size_t)found;
  return (const char *)bytes;
}

size_t mst_thrift_list(mst_thrift *thrift, uint8_t type, uint8_t *element) {
  if (type != MST_THRIFT_LIST) fail(thrift, false);
  const unsigned header = read_byte(thrift);
  *element = header & 0xf;
  const uint64_t count = header >> 4 == 0xf ? read_varint(thrift) : header >> 4;
  if (!thrift->failed && count > (uint64_t)(thrift->end - thrift->at)) fail(thrift, true);
  return thrift->failed ? 0 : (size_t)count;
}

bool mst_thrift_struct(mst_thrift *thrift, uint8_t type) {
  if (type != MST_THRIFT_STRUCT) fail(thrift, false);
  return !thrift->failed;
}

static void skip(mst_thrift *thrift, uint8_t type, bool is_element, int depth);

static void skip_list(mst_thrift *thrift, int depth) {
  uint8_t element;
  const size_t count = mst_thrift_list(thrift, MST_THRIFT_LIST, &element);
  for (size_t i = 0; i < count && !thrift->failed; i++)
    skip(thrift, element, true, depth);
}

static void skip_map(mst_thrift *thrift, int depth) {
  const uint64_t count = read_varint(thrift);
  if (count == 0) return;
  const unsigned types = read_byte(thrift);
  for (uint64_t i = 0; i < count && !thrift->failed; i++) {
    skip(thrift, (uint8_t)(types >> 4), true, depth);
    skip(thrift, types & 0xf, true, depth);
  }
}

static void skip_struct(mst_thrift *thrift, int depth) {
  mst_thrift_field field = {0};
  while (mst_thrift_next(thrift, &field))
    skip(thrift, field.type, false, depth);
}

static void skip(mst_thrift *thrift, uint8_t type, bool is_element, int depth) {
  if (depth == MAX_DEPTH) fail(thrift, false);
  if (thrift->failed) return;
  switch (type) {
  case 1:
  case 2: advance(thrift, is_element ? 1 : 0); break;
  case 3: advance(thrift, 1); break;
  case 4:
  case 5:
  case 6: (void)read_varint(thrift); break;
  case 7: advance(thrift, 8); break;
  case 8: advance(thrift, read_varint(thrift)); break;
  case 9:
  case 10: skip_list(thrift, depth + 1); break;
  case 11: skip_map(thrift, depth + 1); break;
  case 12: skip_struct(thrift, depth + 1); break;
  case 13: advance(thrift, 16); break;
  default: fail(thrift, false);
  }
}

void mst_thrift_skip(mst_thrift *thrift, uint8_t type) { skip(thrift, type, false, 0); }

/* ---- writing ---------------------------------------------------------------------------------- */

static void add_byte(mst_str *out, unsigned byte) {
  const char c = (char)byte;
  mst_str_add_bytes(out, &c, 1);
}

static void add_varint(mst_str *out, uint64_t value) {
  for (; value > 0x7f; value >>= 7)
    add_byte(out, (unsigned)(value & 0x7f) | 0x80);
  add_byte(out, (unsigned)value);
}

static void add_header(mst_str *out, int16_t *last, int16_t id, uint8_t type) {
  add_byte(out, (unsigned)(id - *last) << 4 | type); /* no gap of ours is above 15 */
  *last = id;
}

void mst_thrift_add_element(mst_str *out, int64_t value) {
  add_varint(out, (uint64_t)value << 1 ^ (value < 0 ? ~(uint64_t)0 : 0));
}

void mst_thrift_add_int(mst_str *out, int16_t *last, int16_t id, uint8_t type, int64_t value) {
  add_header(out, last, id, type);
  if (type == MST_THRIFT_BYTE)
    add_byte(out, (unsigned)value & 0xff);
  else
    mst_thrift_add_element(out, value);
}

void mst_thrift_add_bool(mst_str *out, int16_t *last, int16_t id, bool value) {
  add_header(out, last, id, value ? MST_THRIFT_TRUE : MST_THRIFT_FALSE);
}

void mst_thrift_add_text_element(mst_str *out, const char *text) {
  add_varint(out, strlen(text));
  mst_str_add(out, text);
}

void mst_thrift_add_text(mst_str *out, int16_t *last, int16_t id, const char *text) {
  add_header(out, last, id, MST_THRIFT_BINARY);
  mst_thrift_add_text_element(out, text);
}

void mst_thrift_add_list(mst_str *out, int16_t *last, int16_t id, uint8_t element, size_t count) {
  add_header(out, last, id, MST_THRIFT_LIST);
  add_byte(out, (count < 15 ? (unsigned)count : 15) << 4 | element);
  if (count >= 15) add_varint(out, count);
}

void mst_thrift_add_struct(mst_str *out, int16_t *last, int16_t id) {
  add_header(out, last, id, MST_THRIFT_STRUCT);
}

void mst_thrift_end_struct(mst_str *out) { add_byte(out, 0); }
