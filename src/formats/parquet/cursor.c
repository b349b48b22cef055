/* SPDX-License-Identifier: Apache-2.0 */
#include "formats/parquet/cursor.h"

#include <string.h>

#include "base/alloc.h"
#include "base/shape.h"
#include "base/status.h"

enum { PLAIN = 0, PLAIN_DICTIONARY = 2, RLE = 3, DELTA = 5, RLE_DICTIONARY = 8, SPLIT = 9 };

static muster_status damaged(const mst_parquet_cursor *cursor, const char *what,
                             muster_error *error) {
  return mst_parquet_damaged(cursor->open->shard->path, cursor->column->name, what, error);
}

void mst_parquet_cursor_reset(mst_parquet_cursor *cursor) {
  mst_free(cursor->window.data);
  mst_free(cursor->plain.data);
  mst_free(cursor->dictionary.data);
  cursor->window = cursor->plain = cursor->dictionary = (mst_parquet_buffer){0};
}

/* ---- values ------------------------------------------------------------------------------------- */

void mst_parquet_convert(mst_parquet_cursor *cursor, const void *stored, void *out, size_t count) {
  const mst_parquet_taken *column = cursor->column;
  const mst_convert_fn refine = column->layout.refine, convert = column->convert;
  const int64_t step = (int64_t)cursor->itemsize;
  if (refine == NULL && convert == NULL) {
    memcpy(out, stored, count * cursor->itemsize);
  } else if (convert == NULL) {
    refine(stored, out, step, count);
  } else {
    const void *from = stored;
    if (refine != NULL) {
      refine(stored, cursor->refined, column->dtype_bytes, count);
      from = cursor->refined;
    }
    convert(from, out, step, count);
  }
}

muster_status mst_parquet_begin_values(mst_parquet_cursor *cursor, const unsigned char *bytes,
                                       size_t length, muster_error *error) {
  mst_parquet_page *page = &cursor->page;
  const size_t each = cursor->column->layout.value_bytes;
  page->values = bytes;
  switch (page->encoding) {
  case PLAIN: page->value_count = each > 0 ? length / each : (uint64_t)length * 8; return MUSTER_OK;
  case SPLIT:
    if (each == 0) break;
    page->value_count = length / each;
    return MUSTER_OK;
  case RLE:
    if (each > 0) break;
    if (length >= 4) (void)mst_hybrid_init(&page->indices, bytes + 4, length - 4, 1);
    return MUSTER_OK;
  case DELTA:
    if (each != 4 && each != 8) break;
    if (length == 0 || mst_delta_init(&page->delta, bytes, length)) return MUSTER_OK;
    return damaged(cursor, "differences of values cannot be understood", error);
  case PLAIN_DICTIONARY:
  case RLE_DICTIONARY:
    page->encoding = RLE_DICTIONARY;
    if (!cursor->has_dictionary) return damaged(cursor, "it lacks its dictionary", error);
    if (length > 0 && !mst_hybrid_init(&page->indices, bytes + 1, length - 1, bytes[0]))
      return damaged(cursor, "indices of more than 32 bits", error);
    return MUSTER_OK;
  default: break;
  }
  return mst_fail(error, MUSTER_ERR_UNSUPPORTED, cursor->open->shard->path,
                  "values in an encoding that is not read (%d): write it again", page->encoding);
}

/* Byte k of all values, then byte k + 1. */
static void join_bytes(const mst_parquet_page *page, size_t each, unsigned char *out,
                       size_t count) {
  for (size_t k = 0; k < each; k++) {
    const unsigned char *from = page->values + k * page->value_count + page->value_at;
    for (size_t i = 0; i < count; i++)
      out[i * each + k] = from[i];
  }
}

/* Several at once, so that nothing is spent on counting. */
#define GATHER(type)                                                                         \
  _Pragma("GCC unroll 8") for (size_t i = 0; i < count; i++)                                 \
      memcpy((char *)out + i * sizeof(type), (const char *)from + indices[i] * sizeof(type), \
             sizeof(type))

static void gather(const void *from, size_t itemsize, const uint32_t *indices, void *out,
                   size_t count) {
  switch (itemsize) {
  case 1: GATHER(uint8_t); break;
  case 2: GATHER(uint16_t); break;
  case 4: GATHER(uint32_t); break;
  case 8: GATHER(uint64_t); break;
  default:
    for (size_t i = 0; i < count; i++)
      memcpy((char *)out + i * itemsize, (const char *)from + indices[i] * itemsize, itemsize);
  }
}

/* Whether all indices are at most `last`, which is below 2^31. The uppermost bit tells, which takes
 * fewer instructions than the largest of them. */
static bool are_within(const uint32_t *indices, size_t count, uint32_t last) {
  typedef uint32_t mst_lanes __attribute__((vector_size(16)));
  enum { LANES = sizeof(mst_lanes) / sizeof(uint32_t) };
  mst_lanes wrong = {0}, now;
  size_t i = 0;
#pragma GCC unroll 4
  for (; i + LANES <= count; i += LANES) {
    memcpy(&now, indices + i, sizeof now);
    wrong |= (last - now) | now;
  }
  uint32_t any = wrong[0] | wrong[1] | wrong[2] | wrong[3];
  for (; i < count; i++)
    any |= (last - indices[i]) | indices[i];
  return any >> 31 == 0;
}

static bool look_up(mst_parquet_cursor *cursor, void *out, size_t count) {
  uint32_t *indices = cursor->indices;
  if (!mst_hybrid_read(&cursor->page.indices, indices, count)) return false;
  if (cursor->dictionary_count == 0 || cursor->dictionary_count > INT32_MAX) return false;
  if (!are_within(indices, count, (uint32_t)cursor->dictionary_count - 1)) return false;
  gather(cursor->dictionary.data, cursor->itemsize, indices, out, count);
  return true;
}

/* As they are stored: bits become bytes. */
static bool read_stored(mst_parquet_cursor *cursor, void *out, size_t count) {
  mst_parquet_page *page = &cursor->page;
  const size_t each = cursor->column->layout.value_bytes;
  if (page->encoding == DELTA) return mst_delta_read(&page->delta, out, each, count);
  if (page->encoding == RLE) return mst_hybrid_read_bytes(&page->indices, out, count);
  if (count > page->value_count - page->value_at) return false;
  if (page->encoding == SPLIT)
    join_bytes(page, each, out, count);
  else if (each == 0)
    mst_unpack_bits(page->values, page->value_at, out, count);
  else
    memcpy(out, page->values + page->value_at * each, count * each);
  page->value_at += count;
  return true;
}

static bool is_stored_so(const mst_parquet_cursor *cursor) {
  return cursor->column->layout.refine == NULL && cursor->column->convert == NULL;
}

muster_status mst_parquet_read_values(mst_parquet_cursor *cursor, void *out, size_t count,
                                      muster_error *error) {
  if (count == 0) return MUSTER_OK;
  bool done;
  if (cursor->page.encoding == RLE_DICTIONARY) {
    done = look_up(cursor, out, count);
  } else if (is_stored_so(cursor)) {
    done = read_stored(cursor, out, count);
  } else {
    done = read_stored(cursor, cursor->stored, count);
    if (done) mst_parquet_convert(cursor, cursor->stored, out, count);
  }
  return done ? MUSTER_OK : damaged(cursor, "a page holds less than it says", error);
}

/* ---- nulls ---------------------------------------------------------------------------------------- */

static muster_status check_null(const mst_parquet_cursor *cursor, muster_error *error) {
  if (cursor->null->is_set) return MUSTER_OK;
  return mst_refuse_null(cursor->open->shard->path, cursor->column->name,
                         &cursor->file->choice.dtype, error);
}

static void fill_nulls(const mst_parquet_cursor *cursor, void *out, size_t count) {
  for (size_t i = 0; i < count; i++)
    memcpy((char *)out + i * cursor->itemsize, cursor->null->bytes, cursor->itemsize);
}

#define SPREAD(type)                                                                        \
  for (size_t i = count; i-- > 0;) {                                                        \
    const bool there = cursor->definitions[i] == most;                                      \
    next -= there;                                                                          \
    memcpy((char *)out + i * sizeof(type),                                                  \
           there ? (const void *)((char *)out + next * sizeof(type)) : null, sizeof(type)); \
  }

/* The values, which lie at the begin of out, to their places, and nulls between them. */
static void spread(const mst_parquet_cursor *cursor, void *out, size_t values, size_t count) {
  const uint8_t most = cursor->column->layout.max_definition;
  const void *null = cursor->null->bytes;
  size_t next = values;
  switch (cursor->itemsize) {
  case 1: SPREAD(uint8_t) break;
  case 4: SPREAD(uint32_t) break;
  case 8: SPREAD(uint64_t) break;
  default:
    for (size_t i = count; i-- > 0;) {
      const bool there = cursor->definitions[i] == most;
      next -= there;
      memmove((char *)out + i * cursor->itemsize,
              there ? (const void *)((char *)out + next * cursor->itemsize) : null,
              cursor->itemsize);
    }
  }
}

static muster_status next_with_nulls(mst_parquet_cursor *cursor, void *out, size_t room,
                                     size_t *got, muster_error *error) {
  const uint8_t most = cursor->column->layout.max_definition;
  size_t values = (size_t)mst_hybrid_pass(&cursor->page.definitions, most, room);
  *got = values > 0 ? values : room;
  if (values > 0) return mst_parquet_read_values(cursor, out, values, error);
  if (!mst_hybrid_read_bytes(&cursor->page.definitions, cursor->definitions, room))
    return damaged(cursor, "a page has fewer levels than it says", error);
  for (size_t i = 0; i < room; i++)
    values += cursor->definitions[i] == most;
  muster_status status = values < room ? check_null(cursor, error) : MUSTER_OK;
  if (status == MUSTER_OK) status = mst_parquet_read_values(cursor, out, values, error);
  if (status == MUSTER_OK && values < room) spread(cursor, out, values, room);
  return status;
}

/* ---- lists ------------------------------------------------------------------------------------------ */

static muster_status read_levels(mst_parquet_cursor *cursor, muster_error *error) {
  const size_t count = (size_t)mst_smaller(cursor->page.entries, MST_PARQUET_BLOCK);
  if (!mst_hybrid_read_bytes(&cursor->page.repetitions, cursor->repetitions, count) ||
      !mst_hybrid_read_bytes(&cursor->page.definitions, cursor->definitions, count))
    return damaged(cursor, "a page has fewer levels than it says", error);
  cursor->level_at = 0;
  cursor->level_count = count;
  return MUSTER_OK;
}

/* The level that an element must have: which list it begins to continue. */
static unsigned expected_repetition(const mst_parquet_layout *layout, uint64_t in_row) {
  if (in_row == 0) return 0;
  unsigned level = 1;
  while (level < layout->max_repetition && in_row % layout->list_elements[level] != 0)
    level++;
  return level;
}

static muster_status refuse_length(const mst_parquet_cursor *cursor, muster_error *error) {
  return damaged(cursor, "a list has not the length that all are said to have", error);
}

/* One null: of an element, or of a list with all that would be in it. */
static muster_status begin_nulls(mst_parquet_cursor *cursor, unsigned definition, uint64_t in_row,
                                 muster_error *error) {
  const mst_parquet_layout *layout = &cursor->column->layout;
  cursor->nulls = 1;
  for (size_t i = 0; i < layout->max_repetition; i++) {
    if (definition >= layout->list_definition[i]) continue;
    cursor->nulls = layout->list_elements[i];
    /* It is there and empty. */
    if (definition == layout->list_definition[i] - 1u) return refuse_length(cursor, error);
    break;
  }
  if (in_row % cursor->nulls != 0) return refuse_length(cursor, error);
  return check_null(cursor, error);
}

/* How many of the next levels, at most `room`, are those of elements that are there. */
static muster_status count_present(const mst_parquet_cursor *cursor, size_t room, size_t *count,
                                   muster_error *error) {
  const mst_parquet_layout *layout = &cursor->column->layout;
  const uint64_t row = layout->list_elements[0];
  uint64_t in_row = cursor->element % row;
  size_t i = 0;
  for (; i < room; i++) {
    const size_t at = cursor->level_at + i;
    const unsigned expected =
        layout->max_repetition == 1 ? in_row != 0 : expected_repetition(layout, in_row);
    if (cursor->repetitions[at] != expected) return refuse_length(cursor, error);
    if (cursor->definitions[at] != layout->max_definition) break;
    in_row = in_row + 1 == row ? 0 : in_row + 1;
  }
  *count = i;
  return MUSTER_OK;
}

static muster_status next_of_lists(mst_parquet_cursor *cursor, void *out, size_t room, size_t *got,
                                   muster_error *error) {
  muster_status status = MUSTER_OK;
  if (cursor->level_at == cursor->level_count) status = read_levels(cursor, error);
  if (status != MUSTER_OK) return status;
  const size_t there = cursor->level_count - cursor->level_at;
  size_t present = 0;
  status = count_present(cursor, room < there ? room : there, &present, error);
  if (status != MUSTER_OK) return status;
  *got = present;
  if (present > 0) {
    cursor->level_at += present;
    cursor->page.entries -= present;
    return mst_parquet_read_values(cursor, out, present, error);
  }
  const uint64_t in_row = cursor->element % cursor->column->layout.list_elements[0];
  const unsigned definition = cursor->definitions[cursor->level_at++];
  cursor->page.entries--;
  return begin_nulls(cursor, definition, in_row, error);
}

/* ---- elements ----------------------------------------------------------------------------------------- */

/* Values of a flat column without nulls are read as they come. */
static muster_status next_of_page(mst_parquet_cursor *cursor, void *out, size_t room, size_t *got,
                                  muster_error *error) {
  const mst_parquet_layout *layout = &cursor->column->layout;
  if (layout->max_repetition > 0) return next_of_lists(cursor, out, room, got, error);
  *got = (size_t)mst_smaller(room, cursor->page.entries);
  muster_status status;
  if (layout->max_definition > 0)
    status = next_with_nulls(cursor, out, *got, got, error);
  else
    status = mst_parquet_read_values(cursor, out, *got, error);
  cursor->page.entries -= *got;
  return status;
}

muster_status mst_parquet_begin_page(mst_parquet_cursor *cursor, muster_error *error) {
  uint64_t pass = 0;
  if (cursor->column->is_constant || cursor->page.entries > 0) return MUSTER_OK;
  return mst_parquet_load_page(cursor, &pass, error);
}

muster_status mst_parquet_next(mst_parquet_cursor *cursor, void *out, uint64_t room, uint64_t *got,
                               muster_error *error) {
  const size_t at_once = (size_t)mst_smaller(room, MST_PARQUET_BLOCK);
  size_t count = 0;
  muster_status status = MUSTER_OK;
  while (status == MUSTER_OK && count == 0) {
    uint64_t pass = 0;
    if (cursor->column->is_constant) {
      count = at_once;
      for (size_t i = 0; i < count; i++)
        memcpy((char *)out + i * cursor->itemsize, cursor->column->constant, cursor->itemsize);
    } else if (cursor->nulls > 0) {
      count = (size_t)mst_smaller(at_once, cursor->nulls);
      cursor->nulls -= count;
      fill_nulls(cursor, out, count);
    } else if (cursor->page.entries == 0) {
      status = mst_parquet_load_page(cursor, &pass, error);
    } else {
      status = next_of_page(cursor, out, at_once, &count, error);
    }
  }
  cursor->element += count;
  *got = count;
  return status;
}

/* Values that lie in the page just as they shall be. */
static bool can_point(const mst_parquet_cursor *cursor, size_t count) {
  const mst_parquet_page *page = &cursor->page;
  return !cursor->column->is_constant && cursor->column->layout.value_bytes > 0 &&
         cursor->column->layout.max_repetition == 0 && page->encoding == PLAIN &&
         page->entries >= count && is_stored_so(cursor) &&
         page->value_count - page->value_at >= count;
}

muster_status mst_parquet_take(mst_parquet_cursor *cursor, size_t count, const void **elements,
                               muster_error *error) {
  mst_parquet_page *page = &cursor->page;
  *elements = cursor->block;
  uint64_t done = 0, got = 0;
  if (can_point(cursor, count)) {
    const uint8_t most = cursor->column->layout.max_definition;
    uint64_t there = count;
    if (most > 0) there = mst_hybrid_pass(&page->definitions, most, count);
    const unsigned char *from = page->values + page->value_at * cursor->itemsize;
    page->value_at += there;
    page->entries -= there;
    cursor->element += there;
    done = there;
    if (there == count) {
      *elements = from;
      return MUSTER_OK;
    }
    memcpy(cursor->block, from, (size_t)there * cursor->itemsize);
  }
  muster_status status = MUSTER_OK;
  for (; status == MUSTER_OK && done < count; done += got)
    status = mst_parquet_next(cursor, cursor->block + done * cursor->itemsize, count - done, &got,
                              error);
  return status;
}

/* ---- where to begin --------------------------------------------------------------------------------- */

/* Without the pages before the one that a read stopped in; a dictionary is the chunk's first page.
 */
static muster_status resume(mst_parquet_cursor *cursor, uint64_t element, muster_error *error) {
  const mst_parquet_place place = *cursor->place;
  if (place.group_after != cursor->group + 1 || place.element > element || place.element == 0)
    return MUSTER_OK;
  const muster_status status = mst_parquet_load_dictionary(cursor, error);
  if (status != MUSTER_OK) return status;
  cursor->at = place.offset;
  cursor->values_left = place.values_left;
  cursor->element = place.element;
  return MUSTER_OK;
}

/* Reads what is before the element and is not wanted. */
static muster_status drop(mst_parquet_cursor *cursor, uint64_t element, muster_error *error) {
  muster_status status = MUSTER_OK;
  uint64_t got = 0;
  while (status == MUSTER_OK && cursor->element < element)
    status = mst_parquet_next(cursor, cursor->block, element - cursor->element, &got, error);
  return status;
}

muster_status mst_parquet_seek(mst_parquet_cursor *cursor, size_t column, size_t group,
                               uint64_t element, muster_error *error) {
  const mst_parquet_file *file = cursor->file;
  cursor->column = &file->columns[column];
  cursor->null = mst_null_of(&file->choice, &file->choice.taken[column]);
  cursor->chunk = file->chunks[group * file->choice.count + column];
  cursor->group = group;
  cursor->at = cursor->chunk.offset;
  cursor->values_left = cursor->chunk.values;
  cursor->element = 0;
  cursor->nulls = 0;
  cursor->window_length = 0;
  cursor->has_dictionary = false;
  cursor->page = (mst_parquet_page){0};
  cursor->level_at = cursor->level_count = 0;
  if (cursor->column->is_constant) {
    cursor->element = element;
    return MUSTER_OK;
  }
  muster_status status = resume(cursor, element, error);
  uint64_t pass = element - cursor->element;
  while (status == MUSTER_OK && pass > 0 && cursor->page.entries == 0 &&
         cursor->column->layout.max_repetition == 0) {
    status = mst_parquet_load_page(cursor, &pass, error);
    if (cursor->page.entries > 0) break;
  }
  return status == MUSTER_OK ? drop(cursor, element, error) : status;
}
