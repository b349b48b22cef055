/* SPDX-License-Identifier: Apache-2.0 */
/* One column of one row group, page by page: its elements as they stand in the array. */
#ifndef MST_FORMATS_PARQUET_CURSOR_H
#define MST_FORMATS_PARQUET_CURSOR_H

#include "codecs/codec.h"
#include "formats/parquet/parquet.h"
#include "formats/parquet/values.h"

/* Elements that are decoded at once: what is at work stays in the cache. */
#define MST_PARQUET_BLOCK 1024

/* Where a page of a flat column begins: reads that go on later need not count from the start. */
typedef struct mst_parquet_place {
  size_t group_after; /* the row group's number + 1; 0: none */
  uint64_t element;
  uint64_t offset;
  uint64_t values_left;
} mst_parquet_place;

/* Memory that is used again and again. */
typedef struct mst_parquet_buffer {
  unsigned char *data;
  size_t room;
} mst_parquet_buffer;

/* The page at hand. */
typedef struct mst_parquet_page {
  uint64_t entries; /* left: values and nulls */
  int encoding;
  const unsigned char *values;
  uint64_t value_count, value_at; /* of encodings in which each has its place */
  mst_hybrid definitions, repetitions, indices;
  mst_delta delta;
} mst_parquet_page;

typedef struct mst_parquet_cursor {
  const mst_open_shard *open;
  const mst_parquet_file *file;
  const mst_parquet_taken *column;
  const mst_null_value *null;
  mst_decoder *decoder;
  mst_parquet_place *place;
  size_t itemsize; /* of the array */

  mst_parquet_chunk chunk;
  size_t group;
  uint64_t at;          /* the next page, in the file */
  uint64_t values_left; /* in pages to come */
  uint64_t element;     /* of the row group, the next one to be delivered */
  uint64_t nulls;       /* elements to come that one null stands for */

  mst_parquet_buffer window; /* bytes of the file, from window_at on */
  uint64_t window_at;
  size_t window_length;
  mst_parquet_buffer plain;      /* a page without its compression */
  mst_parquet_buffer dictionary; /* elements of the array's dtype */
  size_t dictionary_count;
  bool has_dictionary;
  mst_parquet_page page;

  size_t level_at, level_count; /* of those that were read of the page */
  uint8_t definitions[MST_PARQUET_BLOCK], repetitions[MST_PARQUET_BLOCK];
  uint32_t indices[MST_PARQUET_BLOCK];
  unsigned char stored[MST_PARQUET_BLOCK * 12], refined[MST_PARQUET_BLOCK * 8];
  unsigned char block[MST_PARQUET_BLOCK * 32];
} mst_parquet_cursor;

/* Begins at an element of a row group. The cursor's buffers are kept. */
muster_status mst_parquet_seek(mst_parquet_cursor *cursor, size_t column, size_t group,
                               uint64_t element, muster_error *error);
/* Reads the page that the next element is in, if that was not done yet. */
muster_status mst_parquet_begin_page(mst_parquet_cursor *cursor, muster_error *error);
/* Up to `room` elements into out, at least one; *got says how many. */
muster_status mst_parquet_next(mst_parquet_cursor *cursor, void *out, uint64_t room, uint64_t *got,
                               muster_error *error);
/* The next `count` elements, at most MST_PARQUET_BLOCK, where they happen to be; valid until the
 * next call. */
muster_status mst_parquet_take(mst_parquet_cursor *cursor, size_t count, const void **elements,
                               muster_error *error);
void mst_parquet_cursor_reset(mst_parquet_cursor *cursor);

/* ---- of the page, for the cursor ---- */

/* Reads pages up to the next one that holds data; `pass`: elements of a flat column that need not
 * be read, less those of whole pages that were passed. */
muster_status mst_parquet_load_page(mst_parquet_cursor *cursor, uint64_t *pass,
                                    muster_error *error);
/* The first page, if it is a dictionary. */
muster_status mst_parquet_load_dictionary(mst_parquet_cursor *cursor, muster_error *error);
/* Exactly `count` values, up to MST_PARQUET_BLOCK, as elements of the array. */
muster_status mst_parquet_read_values(mst_parquet_cursor *cursor, void *out, size_t count,
                                      muster_error *error);
/* The same of stored values, as they are in a page or a dictionary. */
void mst_parquet_convert(mst_parquet_cursor *cursor, const void *stored, void *out, size_t count);
muster_status mst_parquet_begin_values(mst_parquet_cursor *cursor, const unsigned char *bytes,
                                       size_t length, muster_error *error);

#endif
