/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reading FlatBuffers, in which Arrow keeps its metadata. Source: "FlatBuffers: Internals", of the
 * FlatBuffers documentation. Every access is checked against the bytes that there are; a wrong one
 * yields nothing and sets `bad`, which is looked at once, at the end.
 */
#ifndef MST_FORMATS_ARROW_FLATBUFFER_H
#define MST_FORMATS_ARROW_FLATBUFFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct mst_flatbuffer {
  const unsigned char *data;
  size_t size;
  size_t tables; /* that may still be visited: more than fit in are a trick */
  bool bad;
} mst_flatbuffer;

typedef struct mst_fb_table {
  mst_flatbuffer *buffer; /* NULL: there is no such table */
  size_t at;
  size_t vtable;
  size_t vtable_bytes;
} mst_fb_table;

typedef struct mst_fb_vector {
  mst_flatbuffer *buffer;
  size_t at;
  size_t count; /* 0 also where there is none */
  size_t element;
} mst_fb_vector;

/* The table of the whole. `buffer` must outlive all that is taken from it. */
mst_fb_table mst_fb_root(mst_flatbuffer *buffer, const void *data, size_t size);

/* Fields by their number in the schema; of a table that is not there all are missing. */
int64_t mst_fb_int(const mst_fb_table *table, unsigned field, size_t bytes, int64_t missing);
mst_fb_table mst_fb_child(const mst_fb_table *table, unsigned field);
mst_fb_vector mst_fb_elements(const mst_fb_table *table, unsigned field, size_t element_bytes);

/* An element of a vector of tables. */
mst_fb_table mst_fb_table_of(const mst_fb_vector *vector, size_t index);
/* 8 bytes, or fewer, of an element of a vector of numbers or structs. */
int64_t mst_fb_int_of(const mst_fb_vector *vector, size_t index, size_t offset, size_t bytes);

#endif
