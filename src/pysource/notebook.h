/* SPDX-License-Identifier: Apache-2.0 */
/* The Python of a notebook: nbformat 3 and 4. */
#ifndef MST_PYSOURCE_NOTEBOOK_H
#define MST_PYSOURCE_NOTEBOOK_H

#include <stddef.h>

#include "base/str.h"
#include "muster/error.h"
#include "pysource/source.h"

/* Zeroed memory is an empty one. */
typedef struct mst_notebook {
  mst_str text; /* all code cells, a newline behind each */
  struct {
    mst_cell *data;
    size_t length, capacity;
  } cells;
} mst_notebook;

/* Reads UTF-8. MUSTER_ERR_FORMAT: no JSON, no cells, or cells of another language. Reset *out also
 * after a failure. */
muster_status mst_notebook_read(const char *path, const char *json, size_t length,
                                mst_notebook *out, muster_error *error);
void mst_notebook_reset(mst_notebook *notebook);

#endif
