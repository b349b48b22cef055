/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Within the format arrow: messages, how columns lie in them, and what is kept of a shard. Source:
 * "Arrow Columnar Format" and "Serialization and Interprocess Communication (IPC)", and the schemas
 * Message.fbs, Schema.fbs and File.fbs, all of the Apache Arrow documentation.
 */
#ifndef MST_FORMATS_ARROW_ARROW_H
#define MST_FORMATS_ARROW_ARROW_H

#include "base/vec.h"
#include "formats/columns.h"
#include "formats/arrow/flatbuffer.h"

#define MST_ARROW_MAGIC "ARROW1"
#define MST_ARROW_MAGIC_BYTES 6

/* ---- messages ------------------------------------------------------------------------------- */

typedef struct mst_arrow_file {
  int fd;
  const char *path;
  uint64_t size;
} mst_arrow_file;

enum { MST_ARROW_SCHEMA = 1, MST_ARROW_DICTIONARY = 2, MST_ARROW_BATCH = 3 };

/* A message, its metadata in memory. Zeroed memory is an empty one. */
typedef struct mst_arrow_message {
  unsigned char *bytes;
  size_t room;
  mst_flatbuffer buffer;
  int kind; /* 0: the end of a stream */
  int version;
  mst_fb_table header;
  uint64_t metadata_bytes; /* with what is before them */
  uint64_t body;           /* where it begins in the file */
  uint64_t body_bytes;
} mst_arrow_message;

muster_status mst_arrow_read_message(const mst_arrow_file *file, uint64_t offset,
                                     mst_arrow_message *message, muster_error *error);
void mst_arrow_message_reset(mst_arrow_message *message);

muster_status mst_arrow_damaged(const char *path, uint64_t offset, const char *what,
                                muster_error *error);

/* ---- the schema ----------------------------------------------------------------------------- */

/* How the values of a row lie in a column: lists within one another, and the axes that they make.
 */
typedef struct mst_arrow_row {
  size_t lists;
  uint64_t lengths[MST_COLUMN_MAX_RANK];
  size_t rank;                         /* that of the lists, but for tensors, which are one list */
  uint64_t shape[MST_COLUMN_MAX_RANK]; /* in the order in which the values lie */
  unsigned char axes[MST_COLUMN_MAX_RANK]; /* axis i of these is axis axes[i] of the array's */
} mst_arrow_row;

/* How a column lies in record batches. */
typedef struct mst_arrow_column {
  char *name;
  muster_type storage; /* of its values, or indexes; MUSTER_BOOL: bits */
  muster_type entries; /* of a column with a dictionary; else MUSTER_NO_TYPE */
  int64_t dictionary;
  size_t node;   /* its first one */
  size_t buffer; /* likewise, views aside */
  size_t views;  /* columns of views before it, of which each has buffers of a number of its own */
  mst_arrow_row row;
  mst_convert_fn convert;     /* from storage, or entries, to the array's dtype */
  const mst_null_value *null; /* what its nulls become */
} mst_arrow_column;

typedef struct mst_arrow_schema {
  MST_VEC(mst_column) columns; /* their names are those of the layouts */
  MST_VEC(mst_arrow_column) layouts;
  size_t nodes, buffers, views; /* of a whole batch */
} mst_arrow_schema;

/* `table` is a Schema; version is that of the message, or of the footer. */
muster_status mst_arrow_read_schema(const char *path, const mst_fb_table *table, int version,
                                    mst_arrow_schema *schema, muster_error *error);
void mst_arrow_schema_reset(mst_arrow_schema *schema);

/* Where the field says that its list is a tensor, these become the tensor's axes. What makes no
 * sense marks the buffer as bad. False: no memory. */
bool mst_arrow_take_tensor(const mst_fb_table *field, mst_column *column, mst_arrow_row *row);

/* ---- record batches ------------------------------------------------------------------------- */

typedef enum mst_arrow_codec { MST_ARROW_PLAIN, MST_ARROW_LZ4, MST_ARROW_ZSTD } mst_arrow_codec;

/* A RecordBatch of a message that is in memory. */
typedef struct mst_arrow_view {
  const mst_arrow_message *message;
  uint64_t rows;
  mst_arrow_codec codec;
  mst_fb_vector nodes, buffers, counts;
  size_t views, view_buffers; /* of so many columns of views, how many buffers there are */
} mst_arrow_view;

/* A buffer, where it lies in the file. */
typedef struct mst_arrow_buffer {
  uint64_t offset;
  uint64_t length; /* 0: none */
  uint64_t needed; /* bytes, when it is not compressed */
} mst_arrow_buffer;

/* Levels of a column: its rows, then one for each axis of its lists. */
#define MST_ARROW_LEVELS (MST_COLUMN_MAX_RANK + 1)

/* A column in a batch; all of it lies in the file. */
typedef struct mst_arrow_place {
  mst_arrow_buffer validity[MST_ARROW_LEVELS]; /* without length: no nulls there */
  mst_arrow_buffer values;
  bool has_nulls;
} mst_arrow_place;

muster_status mst_arrow_view_batch(const char *path, const mst_arrow_message *message,
                                   const mst_fb_table *batch, mst_arrow_view *view,
                                   muster_error *error);
muster_status mst_arrow_locate(const char *path, mst_arrow_view *view,
                               const mst_arrow_column *column, mst_arrow_place *place,
                               muster_error *error);

/* ---- a shard -------------------------------------------------------------------------------- */

typedef struct mst_arrow_batch {
  uint64_t first_row;
  uint64_t rows;
  uint64_t offset; /* of its message */
  bool is_compressed;
} mst_arrow_batch;

typedef struct mst_arrow_dictionary_batch {
  int64_t id;
  uint64_t offset;
  size_t first_batch; /* the first that it is for */
  bool is_delta;      /* adds to those before, else it replaces them */
} mst_arrow_dictionary_batch;

/* What is kept of a shard. */
typedef struct mst_arrow_detail {
  mst_choice choice;
  mst_arrow_column *columns;        /* the taken ones, choice.count */
  mst_arrow_row row;                /* of each of them */
  size_t nodes, buffers, views;     /* of a whole batch */
  MST_VEC(mst_arrow_batch) batches; /* those with rows */
  MST_VEC(mst_arrow_dictionary_batch) dictionaries;
  bool is_stream;
} mst_arrow_detail;

/* The batch that a row lies in. */
const mst_arrow_batch *mst_arrow_batch_of(const mst_arrow_detail *detail, uint64_t row);

/* As open, close and read_rows of a format. */
muster_status mst_arrow_open(mst_open_shard *open, muster_error *error);
void mst_arrow_close(mst_open_shard *open);
muster_status mst_arrow_read_rows(const mst_open_shard *open, uint64_t lo, uint64_t hi, void *dst,
                                  const int64_t *strides, muster_error *error);

#endif
