/* SPDX-License-Identifier: Apache-2.0 */
/* What the parts of the Parquet format share: docs/formats/parquet.md. */
#ifndef MST_FORMATS_PARQUET_PARQUET_H
#define MST_FORMATS_PARQUET_PARQUET_H

#include "base/vec.h"
#include "formats/columns.h"
#include "formats/format.h"

/* Physical types, by their numbers in the file. */
typedef enum mst_parquet_type {
  MST_PARQUET_BOOLEAN = 0,
  MST_PARQUET_INT32,
  MST_PARQUET_INT64,
  MST_PARQUET_INT96,
  MST_PARQUET_FLOAT,
  MST_PARQUET_DOUBLE,
  MST_PARQUET_BYTE_ARRAY,
  MST_PARQUET_FIXED_BYTES,
  MST_PARQUET_GROUP = -1 /* ours: has children instead of values */
} mst_parquet_type;

/* What values mean, of either of the two ways in which files say it. */
typedef enum mst_parquet_meaning {
  MST_PARQUET_PLAIN = 0,
  MST_PARQUET_INTEGER,
  MST_PARQUET_DATE,
  MST_PARQUET_TIMESTAMP,
  MST_PARQUET_FLOAT16,
  MST_PARQUET_LIST,
  MST_PARQUET_MAP,
  MST_PARQUET_TEXT,
  MST_PARQUET_DECIMAL,
  MST_PARQUET_TIME,
  MST_PARQUET_NOTHING, /* all of them are null */
  MST_PARQUET_OTHER
} mst_parquet_meaning;

/* ---- the schema, while a footer is read ---- */

/* A node of the tree of columns, in the order in which the file lists them: depth first. */
typedef struct mst_parquet_node {
  const char *name; /* in the footer, not ended */
  size_t name_length;
  int32_t children;
  int32_t length; /* of fixed bytes */
  int8_t type;    /* mst_parquet_type */
  uint8_t repetition;
  uint8_t meaning; /* mst_parquet_meaning */
  uint8_t bits;
  bool is_signed;
  char unit[4]; /* of times */
} mst_parquet_node;

enum { MST_PARQUET_REQUIRED = 0, MST_PARQUET_OPTIONAL = 1, MST_PARQUET_REPEATED = 2 };

typedef struct mst_parquet_footer {
  const char *path;
  char *bytes; /* the file's */
  size_t length;
  MST_VEC(mst_parquet_node) nodes; /* the root first */
  const unsigned char *groups;     /* where the list of row groups begins */
  uint64_t rows;
  const char *arrow; /* the schema of Arrow in base64; NULL: none */
  size_t arrow_length;
} mst_parquet_footer;

muster_status mst_parquet_read_footer(const mst_source *source, mst_parquet_footer *footer,
                                      muster_error *error);
void mst_parquet_footer_reset(mst_parquet_footer *footer);

/* ---- columns ---- */

#define MST_PARQUET_MAX_LISTS 8

/* How the values of one column lie in the file. */
typedef struct mst_parquet_layout {
  size_t leaf; /* among all that have values */
  int8_t type;
  uint8_t value_bytes; /* of one value as it is stored; 0 for bits */
  uint8_t max_definition, max_repetition;
  /* Of lists within lists, outermost first: elements of one, and the definition level from which
   * on it has any. */
  uint8_t list_definition[MST_PARQUET_MAX_LISTS];
  uint64_t list_elements[MST_PARQUET_MAX_LISTS];
  /* From what is stored to the column's dtype; NULL: the same bytes. */
  mst_convert_fn refine;
} mst_parquet_layout;

/* All columns of a file: `columns` for mst_columns_choose, `layouts` beside them. */
typedef struct mst_parquet_columns {
  mst_column *columns;
  mst_parquet_layout *layouts;
  size_t count;
  size_t room;
  size_t leaves;
} mst_parquet_columns;

/* Of the columns in the file; there is room for `more` that the caller adds. */
muster_status mst_parquet_find_columns(const mst_parquet_footer *footer, size_t more,
                                       mst_parquet_columns *out, muster_error *error);
void mst_parquet_columns_reset(mst_parquet_columns *columns);

/* ---- what is kept of a file ---- */

typedef struct mst_parquet_chunk {
  uint64_t offset, bytes;
  uint64_t values; /* with nulls */
  uint64_t decoded_bytes;
  uint8_t codec;
  bool has_nulls; /* the file says so; it need not */
} mst_parquet_chunk;

/* A column that is taken. */
typedef struct mst_parquet_taken {
  char *name;
  mst_parquet_layout layout;
  mst_convert_fn convert; /* from the column's dtype to the array's; NULL: it is the same */
  bool is_constant;       /* all its elements are `constant`: a key of a folder */
  uint8_t dtype_bytes;    /* of the column's dtype */
  unsigned char constant[32];
} mst_parquet_taken;

typedef struct mst_parquet_file {
  mst_choice choice;
  mst_parquet_taken *columns; /* choice.count */
  size_t group_count;
  uint64_t *first_rows;      /* of the row groups, and the end */
  mst_parquet_chunk *chunks; /* of the first row group, choice.count of them, and so on */
  uint64_t row_bytes;
  bool has_lists;
} mst_parquet_file;

/* Reads the row groups, as far as they concern the columns that are taken. */
muster_status mst_parquet_read_groups(const mst_source *source, const mst_parquet_footer *footer,
                                      size_t leaves, mst_parquet_file *file, muster_error *error);
void mst_parquet_file_free(mst_parquet_file *file);

/* ---- reading and writing, as in mst_format ---- */

muster_status mst_parquet_open(mst_open_shard *open, muster_error *error);
void mst_parquet_close(mst_open_shard *open);
muster_status mst_parquet_read_rows(const mst_open_shard *open, uint64_t lo, uint64_t hi, void *dst,
                                    const int64_t *strides, muster_error *error);
bool mst_parquet_band(const mst_shard *shard, uint64_t row, uint64_t *lo, uint64_t *hi);
muster_status mst_parquet_write(const mst_new_shard *shard, muster_error *error);

/* Damaged: what and where. */
muster_status mst_parquet_damaged(const char *path, const char *column, const char *what,
                                  muster_error *error);

#endif
