/* SPDX-License-Identifier: Apache-2.0 */
/* What a terminal wants: colour, width, safe names. Used by the program only. */
#ifndef MST_CLI_TERM_H
#define MST_CLI_TERM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/str.h"

typedef struct mst_term {
  FILE *stream;
  bool is_tty;
  bool colour; /* a TTY, TERM is not "dumb", and NO_COLOR is unset or empty */
  int columns; /* of the TTY, else 80 */
} mst_term;

/* Reads the environment (NO_COLOR, TERM, COLUMNS): for the program, not for the library. */
void mst_term_init(mst_term *term, FILE *stream);

typedef enum mst_style { MST_PLAIN, MST_BOLD, MST_DIM, MST_RED, MST_GREEN, MST_YELLOW } mst_style;

/* The escape sequence that begins the style, or "" without colour; MST_PLAIN ends every style. */
const char *mst_term_style(const mst_term *term, mst_style style);

/* Columns that a UTF-8 text takes; bytes that are not UTF-8 take one each. */
size_t mst_text_width(const char *text);

/*
 * Appends a file name as one line that can do no harm on a terminal: control characters and bytes
 * that are no UTF-8 are written as \n, \x1b and the like.
 */
void mst_add_safe(mst_str *out, const char *name);

#endif
