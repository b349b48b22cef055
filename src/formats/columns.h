/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tables: which columns make up the array, in which order, and what they are together. The same
 * for all formats that have columns; how values are stored and read is the business of each.
 */
#ifndef MST_FORMATS_COLUMNS_H
#define MST_FORMATS_COLUMNS_H

#include "base/convert.h"
#include "formats/format.h"

#define MST_COLUMN_MAX_RANK 16

/* A column as a file describes it. */
typedef struct mst_column {
  const char *name;   /* any bytes but '\0' */
  const char *kind;   /* NULL: numbers; else what it holds instead: "text", "decimal", "struct" */
  muster_dtype dtype; /* of numbers, in native order */
  size_t rank;        /* axes behind the rows, those of fixed-size lists, outermost first */
  uint64_t shape[MST_COLUMN_MAX_RANK];
  bool nullable; /* may hold nulls */
  bool hidden;   /* taken only when it is named, such as keys that stand in names of folders */
} mst_column;

/* A column that is taken. */
typedef struct mst_taken {
  size_t index; /* among all columns of the file */
  /* From the column's dtype to the array's. Times are counts: stored as int32 and the like they
   * must have become int64 before. */
  mst_convert_fn convert;
  bool is_float; /* which of the two nulls of the choice is the column's */
} mst_taken;

/* What a null becomes: an element of the array's dtype. */
typedef struct mst_null_value {
  bool is_set; /* else nulls are an error: mst_refuse_null */
  unsigned char bytes[32];
} mst_null_value;

/* The columns of one shard that are taken, in the order of the array. */
typedef struct mst_choice {
  mst_taken *taken;
  size_t count;
  uint64_t elements;  /* of one column in one row */
  muster_dtype dtype; /* of the array */
  mst_null_value float_null, other_null;
} mst_choice;

void mst_choice_reset(mst_choice *choice);

/*
 * What the shards of a dataset share: the names of the columns of the first one, to which those of
 * the others are matched. Any number of threads.
 */
typedef struct mst_table mst_table;

mst_table *mst_table_new(void); /* NULL: no memory */
void mst_table_free(mst_table *table);

/* These two as prepare and release of a format: the table is its context, and nothing else is. */
muster_status mst_table_prepare(const mst_setup *setup, void **context, muster_error *error);
void mst_table_release(void *context);

/*
 * Chooses among all columns of a shard and fills the schema but for shape[0], the rows.
 *
 * Taken are the columns that options name, in that order; else those of the first shard; else all.
 * One column is its rows and its own axes; several become an axis of their own behind the rows.
 * Columns of one dtype keep it. Of several dtypes, the array has the one that options->dtype asks
 * for, if all can become it, and so it has where integers may be null and that dtype has a NaN.
 * Nulls become NaN or NaT where the dtype has one, else options->null_value, if it is given.
 *
 * The error lists the columns that it is about. *choice is reset by the caller, also after an
 * error.
 */
muster_status mst_columns_choose(mst_table *table, const mst_source *source,
                                 const mst_column *columns, size_t count, mst_choice *choice,
                                 mst_schema *schema, muster_error *error);

/* The nulls of the choice, whose dtype is settled, by options->null_value. */
muster_status mst_settle_nulls(const mst_source *source, mst_choice *choice, muster_error *error);

/* Whether nulls shall become NaN by the option, as they do without it where the dtype has one. */
bool mst_is_nan_text(const char *text);

/* The error for a null where the choice has no value for it. */
muster_status mst_refuse_null(const char *path, const char *column, const muster_dtype *dtype,
                              muster_error *error);

static inline const mst_null_value *mst_null_of(const mst_choice *choice, const mst_taken *taken) {
  return taken->is_float ? &choice->float_null : &choice->other_null;
}

/* Types that have a NaN. */
static inline bool mst_is_inexact(muster_type type) {
  return type >= MUSTER_FLOAT16 && type <= MUSTER_CLONGDOUBLE;
}

#endif
