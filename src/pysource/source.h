/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The text of one Python file or notebook, as UTF-8 with '\n' line ends, and the way back from a
 * byte of it to what an editor shows: cell, line, column.
 */
#ifndef MST_PYSOURCE_SOURCE_H
#define MST_PYSOURCE_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "muster/error.h"

/* Larger files are not assessed: see docs/architecture.md. */
#define MST_SOURCE_LIMIT ((size_t)4 << 20)

/* A code cell of a notebook: its number among all cells, from 1, and where it begins. */
typedef struct mst_cell {
  uint32_t number;
  uint32_t first_line; /* of the joined text, from 0 */
  uint32_t indent;     /* blanks taken from the front of its lines, as IPython does */
  bool is_left_out;    /* a string or bracket is not closed, and would swallow the cells behind */
} mst_cell;

typedef struct mst_source {
  char *path;            /* as it is reported */
  char *text;            /* NUL-terminated; notebooks: all code cells, one after the other */
  uint32_t length;       /* bytes of text */
  uint32_t line_count;   /* at least 1 */
  uint32_t *line_starts; /* byte offset of each line */
  uint32_t *inside;      /* source.c: for columns of long lines; NULL: all ASCII */
  mst_cell *cells;       /* notebooks: one for each code cell; else NULL */
  uint32_t cell_count;
  char *note; /* how the text had to be mended (encoding ...), one line; or NULL */
} mst_source;

typedef struct mst_position {
  uint32_t cell;   /* from 1; 0: not a notebook */
  uint32_t line;   /* from 1, within the cell */
  uint32_t column; /* from 1, in code points */
} mst_position;

/*
 * Makes a source of a file's bytes (copied). Python: BOM and PEP 263 declarations are followed
 * (UTF-8, ASCII, Latin-1, Windows-1252, UTF-16 by BOM; anything else as Latin-1, with a note);
 * CRLF and CR become LF. Notebooks, told by the path's end .ipynb: nbformat 3 and 4; cells of
 * other kinds are skipped, lines that are IPython magics or shell escapes are blanked, cells under
 * %%bash and its like wholly. MUSTER_ERR_FORMAT: a binary file (NUL bytes), a notebook that is no
 * JSON or has no cells, or one over MST_SOURCE_LIMIT. On failure *source is zeroed memory.
 */
muster_status mst_source_from_bytes(mst_source *source, const char *path, const char *bytes,
                                    size_t length, muster_error *error);
/* The same of a file; `path` is opened, `shown` is reported. */
muster_status mst_source_read(mst_source *source, const char *path, const char *shown,
                              muster_error *error);
void mst_source_reset(mst_source *source);

/* Where the byte is; bytes behind the text are at its end. */
mst_position mst_source_position(const mst_source *source, uint32_t byte);
/* The line of the joined text that holds the byte, from 0. */
uint32_t mst_source_line(const mst_source *source, uint32_t byte);

#endif
