/* SPDX-License-Identifier: Apache-2.0 */
/* What a source imports, by a search over its bytes: decides which files have to be parsed. */
#ifndef MST_ASSESS_IMPORTS_H
#define MST_ASSESS_IMPORTS_H

#include "base/vec.h"
#include "pysource/source.h"

typedef struct mst_import {
  unsigned level; /* leading dots */
  char *path;     /* "a.b"; "" for `from . import x` */
  char *name;     /* of `from path import name`, which may be a module; NULL: none */
} mst_import;

typedef struct mst_imports {
  MST_VEC(mst_import) list;
  bool mentions_arrays; /* "numpy" or "cupynumeric" stands somewhere */
} mst_imports;

/* Strings and comments are not told from code: an import too many does no harm. False: no memory.
 */
bool mst_imports_scan(mst_imports *imports, const mst_source *source);
void mst_imports_reset(mst_imports *imports);

#endif
