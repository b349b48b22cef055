/* SPDX-License-Identifier: Apache-2.0 */
#include "formats/arrow/flatbuffer.h"

/* Little-endian, with its sign; 1 to 8 bytes. */
static int64_t number_at(const unsigned char *at, size_t bytes) {
  uint64_t value = 0;
  for (size_t i = bytes; i-- > 0;)
    value = value << 8 | at[i];
  const unsigned unused = 8 * (unsigned)(sizeof value - bytes) & 63;
  return (int64_t)(value << unused) >> unused;
}

static bool holds(mst_flatbuffer *buffer, size_t at, size_t bytes) {
  if (at <= buffer->size && bytes <= buffer->size - at) return true;
  buffer->bad = true;
  return false;
}

/* Where the offset at `at` leads to; 0: nowhere. */
static size_t follow(mst_flatbuffer *buffer, size_t at) {
  if (!holds(buffer, at, 4)) return 0;
  const size_t offset = (uint32_t)number_at(buffer->data + at, 4);
  if (offset != 0 && holds(buffer, at + offset, 4)) return at + offset;
  buffer->bad = true;
  return 0;
}

static mst_fb_table table_at(mst_flatbuffer *buffer, size_t at) {
  const mst_fb_table none = {0};
  if (at == 0 || !holds(buffer, at, 4)) return none;
  const int64_t vtable = (int64_t)at - number_at(buffer->data + at, 4);
  if (buffer->tables == 0 || vtable < 0 || !holds(buffer, (size_t)vtable, 4)) {
    buffer->bad = true;
    return none;
  }
  buffer->tables--;
  const size_t bytes = (uint16_t)number_at(buffer->data + vtable, 2);
  if (!holds(buffer, (size_t)vtable, bytes)) return none;
  return (mst_fb_table){
      .buffer = buffer, .at = at, .vtable = (size_t)vtable, .vtable_bytes = bytes};
}

mst_fb_table mst_fb_root(mst_flatbuffer *buffer, const void *data, size_t size) {
  *buffer = (mst_flatbuffer){.data = data, .size = size, .tables = size / 4};
  return table_at(buffer, follow(buffer, 0));
}

/* Where a field lies; 0: it is missing. */
static size_t field_at(const mst_fb_table *table, unsigned field, size_t bytes) {
  const size_t entry = 4 + 2 * (size_t)field;
  if (table->buffer == NULL || entry + 2 > table->vtable_bytes) return 0;
  const size_t offset = (uint16_t)number_at(table->buffer->data + table->vtable + entry, 2);
  return offset != 0 && holds(table->buffer, table->at + offset, bytes) ? table->at + offset : 0;
}

int64_t mst_fb_int(const mst_fb_table *table, unsigned field, size_t bytes, int64_t missing) {
  const size_t at = field_at(table, field, bytes);
  return at == 0 ? missing : number_at(table->buffer->data + at, bytes);
}

mst_fb_table mst_fb_child(const mst_fb_table *table, unsigned field) {
  const size_t at = field_at(table, field, 4);
  if (at == 0) return (mst_fb_table){0};
  return table_at(table->buffer, follow(table->buffer, at));
}

mst_fb_vector mst_fb_elements(const mst_fb_table *table, unsigned field, size_t element_bytes) {
  mst_fb_vector vector = {.buffer = table->buffer, .element = element_bytes};
  const size_t at = field_at(table, field, 4);
  const size_t begin = at == 0 ? 0 : follow(table->buffer, at);
  if (begin == 0) return vector;
  const size_t count = (uint32_t)number_at(table->buffer->data + begin, 4);
  if (!holds(table->buffer, begin + 4, count * element_bytes)) return vector;
  vector.at = begin + 4;
  vector.count = count;
  return vector;
}

mst_fb_table mst_fb_table_of(const mst_fb_vector *vector, size_t index) {
  if (index >= vector->count) return (mst_fb_table){0};
  return table_at(vector->buffer, follow(vector->buffer, vector->at + index * vector->element));
}

int64_t mst_fb_int_of(const mst_fb_vector *vector, size_t index, size_t offset, size_t bytes) {
  if (index >= vector->count || offset + bytes > vector->element) return 0;
  return number_at(vector->buffer->data + vector->at + index * vector->element + offset, bytes);
}
