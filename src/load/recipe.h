/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A Python program that loads one dataset into a cuPyNumeric array, for machines where muster is
 * not installed: it needs cuPyNumeric, Legate, and what usually reads the format.
 */
#ifndef MST_LOAD_RECIPE_H
#define MST_LOAD_RECIPE_H

#include "base/str.h"
#include "muster/dataset.h"

typedef struct mst_recipe_options {
  const char *file; /* what the program will be called, for its own words on how to start it */
  bool stack;       /* the dataset was opened with it */
} mst_recipe_options;

typedef struct mst_recipe {
  mst_str text;
  muster_dtype dtype; /* of the array: int64 where the dataset holds times */
  uint64_t sysmem;    /* MiB that Legate must be given for the array */
} mst_recipe;

/*
 * MUSTER_ERR_UNSUPPORTED: cuPyNumeric cannot hold such an array, or no package of Python's reads
 * such files. Reset also after a failure.
 */
muster_status mst_recipe_make(const muster_dataset *dataset, const mst_recipe_options *options,
                              mst_recipe *out, muster_error *error);
void mst_recipe_reset(mst_recipe *recipe);

/* The command that starts the program. */
void mst_recipe_add_command(mst_str *out, uint64_t sysmem, const char *file);

#endif
