/* SPDX-License-Identifier: Apache-2.0 */
/* What a file of several arrays, or of columns, holds: for who has to name one of them. */
#ifndef MST_LOAD_CONTENTS_H
#define MST_LOAD_CONTENTS_H

#include "base/vec.h"
#include "formats/format.h"

/* An array, or a column. */
typedef struct mst_content {
  char *name;
  char *instead;   /* what it holds instead of numbers, or why it cannot be read; NULL: numbers */
  size_t rank;     /* of numbers, as is what follows */
  uint64_t *shape; /* of a column the axes behind the rows; NULL when there are none */
  bool hidden;     /* a column that is taken only when it is named */
  char dtype[48];  /* "": elements without a meaning */
} mst_content;

typedef struct mst_contents {
  MST_VEC(mst_content) each; /* in the order of the file; not more than MST_MOST_CONTENTS */
  bool are_columns;
  size_t left_out;
  bool failed; /* out of memory */
} mst_contents;

#define MST_MOST_CONTENTS 200

/*
 * Looks into a file or folder; the options are those of the dataset, of which `dataset` says
 * nothing. What is no such file, or cannot be looked at, has no contents. Only a lack of memory is
 * an error; *contents is to be reset after it, too.
 */
muster_status mst_contents_find(const char *path, const muster_open_options *options,
                                mst_contents *contents, muster_error *error);

void mst_contents_reset(mst_contents *contents);

#endif
