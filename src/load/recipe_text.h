/* SPDX-License-Identifier: Apache-2.0 */
/* What a recipe is made from, and its text. */
#ifndef MST_LOAD_RECIPE_TEXT_H
#define MST_LOAD_RECIPE_TEXT_H

#include "formats/format.h"
#include "load/dataset.h"
#include "load/recipe.h"

/* Between the file and the array in it. */
#define MST_RECIPE_SEPARATOR "::"

typedef struct mst_recipe_facts {
  const muster_dataset *dataset;
  const char *file;
  muster_dtype dtype; /* of the array */
  uint64_t sysmem;
  uint64_t bytes;           /* of the array */
  mst_python_shards python; /* the shards that hold the array's rows: none of them is empty */
  uint64_t rows_before;     /* in these, that the array is without */
  uint64_t rows_in_files;
  bool by_member; /* the arrays have different names in their files: FILES says which */
  bool left_out;  /* there are shards without rows */
  bool is_part;   /* not all of the dataset's rows are asked for */
  bool swapped;   /* some file has the other byte order */
  uint64_t piece; /* rows that are read at a time */
} mst_recipe_facts;

void mst_recipe_add_text(mst_str *out, const mst_recipe_facts *facts);

#endif
