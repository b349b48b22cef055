/* SPDX-License-Identifier: Apache-2.0 */
/* Python source with names in it that come from strangers: laid out as `ruff format` lays it out.
 */
#ifndef MST_BASE_PYTHON_TEXT_H
#define MST_BASE_PYTHON_TEXT_H

#include <stddef.h>

#include "base/str.h"

#define MST_PYTHON_WIDTH 88

/*
 * Appends a string literal of ASCII characters. What is not UTF-8 becomes what Python itself makes
 * of such a file name (os.fsdecode, "surrogateescape"), so that it opens the same file.
 */
void mst_add_python_string(mst_str *out, const char *text);

/*
 * Appends "NAME = [...]" with the paths, one a line; a long list whose names count up without a gap
 * is written as a comprehension, if that makes exactly these paths.
 */
void mst_add_python_list(mst_str *out, const char *name, const char *const *paths, size_t count);

#endif
