/* SPDX-License-Identifier: Apache-2.0 */
/* Columns whose values stand in a dictionary: a batch of its own, which others may add to. */
#include <string.h>

#include "base/alloc.h"
#include "base/shape.h"
#include "base/status.h"
#include "formats/arrow/reader.h"

enum { DICTIONARY_BATCH_ID, DICTIONARY_BATCH_DATA };

void mst_arrow_dictionary_reset(mst_arrow_dictionary *dictionary) {
  mst_free(dictionary->entries);
  mst_free(dictionary->is_null);
  *dictionary = (mst_arrow_dictionary){0};
}

/* ---- loading -------------------------------------------------------------------------------- */

/* One message of a dictionary. */
typedef struct mst_dictionary_part {
  mst_arrow_reader *reader;
  const mst_arrow_column *column; /* of the shard */
  mst_arrow_message message;
  mst_arrow_view view;
  mst_arrow_place place;
} mst_dictionary_part;

static muster_status open_part(mst_dictionary_part *part, uint64_t offset, muster_error *error) {
  const mst_arrow_reader *reader = part->reader;
  const char *path = reader->file.path;
  muster_status status = mst_arrow_read_message(&reader->file, offset, &part->message, error);
  if (status != MUSTER_OK) return status;
  if (part->message.kind != MST_ARROW_DICTIONARY)
    return mst_arrow_damaged(path, offset, "a dictionary is gone", error);
  const mst_fb_table data = mst_fb_child(&part->message.header, DICTIONARY_BATCH_DATA);
  status = mst_arrow_view_batch(path, &part->message, &data, &part->view, error);
  if (status != MUSTER_OK) return status;
  const mst_arrow_column values = {.storage = part->column->entries};
  return mst_arrow_locate(path, &part->view, &values, &part->place, error);
}

static muster_status fetch(mst_dictionary_part *part, const mst_arrow_buffer *buffer,
                           mst_arrow_slot *slot, muster_error *error) {
  if (buffer->length == 0) return MUSTER_OK;
  mst_arrow_reader *reader = part->reader;
  const unsigned char *out;
  if (part->view.codec != MST_ARROW_PLAIN)
    return mst_arrow_unpack(reader, part->view.codec, buffer, NULL, slot, &out, error);
  slot->bytes = mst_alloc((size_t)buffer->needed);
  if (slot->bytes == NULL) return mst_fail_memory(error);
  return mst_io_read(reader->file.fd, reader->file.path, buffer->offset, slot->bytes,
                     (size_t)buffer->needed, error);
}

static bool grow(mst_arrow_dictionary *dictionary, uint64_t more, size_t itemsize) {
  uint64_t bytes;
  if (more > SIZE_MAX - dictionary->count ||
      !mst_multiply(dictionary->count + more, itemsize, &bytes) || bytes > MST_MAX_BYTES)
    return false;
  unsigned char *entries = mst_realloc(dictionary->entries, (size_t)bytes + 1);
  if (entries != NULL) dictionary->entries = entries;
  bool *is_null = mst_realloc(dictionary->is_null, dictionary->count + (size_t)more + 1);
  if (is_null != NULL) dictionary->is_null = is_null;
  return entries != NULL && is_null != NULL;
}

/* What comes is as many values as the part has rows. */
static void append(const mst_dictionary_part *part, mst_arrow_dictionary *dictionary,
                   const unsigned char *values, const unsigned char *validity) {
  const size_t itemsize = part->reader->itemsize, rows = (size_t)part->view.rows;
  const size_t size = muster_type_size(part->column->entries);
  const mst_null_value *null = part->column->null;
  for (size_t i = 0; i < rows; i++) {
    unsigned char *entry = dictionary->entries + (dictionary->count + i) * itemsize;
    const bool is_null = validity != NULL && !mst_bit(validity, i);
    const unsigned char bit = part->column->entries == MUSTER_BOOL && mst_bit(values, i);
    const void *value = part->column->entries == MUSTER_BOOL ? &bit : values + i * size;
    dictionary->is_null[dictionary->count + i] = is_null;
    if (is_null)
      memcpy(entry, null->bytes, itemsize);
    else
      part->column->convert(value, entry, (int64_t)itemsize, 1);
  }
  dictionary->count += rows;
}

static muster_status add_part(mst_arrow_reader *reader, size_t column, uint64_t offset,
                              muster_error *error) {
  mst_arrow_dictionary *dictionary = &reader->dictionaries[column];
  mst_dictionary_part part = {.reader = reader, .column = &reader->detail->columns[column]};
  mst_arrow_slot values = {0}, validity = {0};
  muster_status status = open_part(&part, offset, error);
  if (status == MUSTER_OK) status = fetch(&part, &part.place.values, &values, error);
  if (status == MUSTER_OK) status = fetch(&part, &part.place.validity[0], &validity, error);
  if (status == MUSTER_OK && !grow(dictionary, part.view.rows, reader->itemsize))
    status = mst_fail_memory(error);
  if (status == MUSTER_OK) append(&part, dictionary, values.bytes, validity.bytes);
  mst_free(values.bytes);
  mst_free(validity.bytes);
  mst_arrow_message_reset(&part.message);
  return status;
}

muster_status mst_arrow_load_dictionary(mst_arrow_reader *reader, size_t column, size_t batch,
                                        muster_error *error) {
  const mst_arrow_detail *detail = reader->detail;
  const int64_t id = detail->columns[column].dictionary;
  mst_arrow_dictionary *dictionary = &reader->dictionaries[column];
  size_t begin = 0, end = 0;
  bool found = false;
  for (size_t i = 0; i < detail->dictionaries.length; i++) {
    const mst_arrow_dictionary_batch *part = &detail->dictionaries.data[i];
    if (part->id != id || part->first_batch > batch) continue;
    if (!found || !part->is_delta) begin = i;
    found = true;
    end = i + 1;
  }
  if (!found)
    return mst_arrow_damaged(reader->file.path, detail->batches.data[batch].offset,
                             "a dictionary is missing", error);
  if (dictionary->begin == begin && dictionary->end == end) return MUSTER_OK;
  mst_arrow_dictionary_reset(dictionary);
  muster_status status = MUSTER_OK;
  for (size_t i = begin; status == MUSTER_OK && i < end; i++)
    if (detail->dictionaries.data[i].id == id)
      status = add_part(reader, column, detail->dictionaries.data[i].offset, error);
  if (status == MUSTER_OK) {
    dictionary->begin = begin;
    dictionary->end = end;
  }
  return status;
}

/* ---- looking up ----------------------------------------------------------------------------- */

/* What is negative becomes larger than any dictionary. */
#define READ(type)                                           \
  {                                                          \
    type index;                                              \
    memcpy(&index, values + i * sizeof index, sizeof index); \
    return (uint64_t)(int64_t)index;                         \
  }

static uint64_t index_at(muster_type storage, const unsigned char *values, uint64_t i) {
  switch (storage) {
  case MUSTER_INT8: READ(int8_t)
  case MUSTER_INT16: READ(int16_t)
  case MUSTER_INT32: READ(int32_t)
  case MUSTER_UINT8: READ(uint8_t)
  case MUSTER_UINT16: READ(uint16_t)
  case MUSTER_UINT32: READ(uint32_t)
  default: READ(int64_t)
  }
}

bool mst_arrow_is_null(const mst_arrow_reader *reader, size_t column, uint64_t element) {
  const mst_arrow_piece *piece = &reader->pieces[column];
  for (size_t level = reader->detail->row.lists + 1; level-- > 0;) {
    const unsigned char *validity = piece->validity[level];
    if (validity != NULL && !mst_bit(validity, piece->validity_bit[level] + element)) return true;
    if (level > 0) element /= reader->detail->row.lengths[level - 1];
  }
  return false;
}

muster_status mst_arrow_look_up(const mst_arrow_reader *reader, size_t column, uint64_t first,
                                size_t count, unsigned char *out, muster_error *error) {
  const mst_arrow_dictionary *dictionary = &reader->dictionaries[column];
  const mst_arrow_column *kept = &reader->detail->columns[column];
  const size_t itemsize = reader->itemsize;
  const unsigned char *values = reader->pieces[column].values;
  for (size_t i = 0; i < count; i++) {
    const uint64_t index = index_at(kept->storage, values, first + i);
    const bool is_there = index < dictionary->count;
    if (is_there)
      memcpy(out + i * itemsize, dictionary->entries + index * itemsize, itemsize);
    else
      memset(out + i * itemsize, 0, itemsize);
    const bool is_good = is_there && (!dictionary->is_null[index] || kept->null->is_set);
    if (is_good || mst_arrow_is_null(reader, column, first + i)) continue;
    if (is_there)
      return mst_refuse_null(reader->file.path, kept->name, &reader->detail->choice.dtype, error);
    return mst_arrow_damaged(reader->file.path, reader->batch->offset,
                             "an index beyond its dictionary", error);
  }
  return MUSTER_OK;
}
