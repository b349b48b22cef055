/* SPDX-License-Identifier: Apache-2.0 */
/* From a file's bytes to UTF-8 with '\n' line ends. */
#ifndef MST_PYSOURCE_DECODE_H
#define MST_PYSOURCE_DECODE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"
#include "muster/error.h"

typedef enum mst_encoding {
  MST_UTF_8,
  MST_LATIN_1,
  MST_WINDOWS_1252,
  MST_UTF_16_LE,
  MST_UTF_16_BE,
  MST_ENCODING_UNKNOWN
} mst_encoding;

/*
 * Appends the text; a byte order mark does not come along. The encoding is that of the mark, else,
 * with `follow_declaration`, that of a PEP 263 comment in the first two lines, else UTF-8; what
 * does not fit is read as Latin-1, which fits everything, and *note says so. MUSTER_ERR_FORMAT:
 * there are NUL bytes, so it is no text.
 */
muster_status mst_decode(const char *path, const char *bytes, size_t length,
                         bool follow_declaration, mst_str *text, mst_str *note,
                         muster_error *error);

/* What the bytes of Python source are read as; *mark is the length of the mark before the text. */
mst_encoding mst_encoding_of(const char *bytes, size_t length, size_t *mark);
/* Writes well-formed UTF-8 in the encoding; `out` has room for as many bytes. Returns how many were
 * written; SIZE_MAX: it has a character that the encoding has not, or that is UTF-16. */
size_t mst_encode(mst_encoding encoding, const char *text, char *out);

#endif
