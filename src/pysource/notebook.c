/* SPDX-License-Identifier: Apache-2.0 */
#include "pysource/notebook.h"

#include <string.h>
#include <strings.h>
#include <yyjson.h>

#include "base/alloc.h"
#include "base/status.h"
#include "base/vec.h"
#include "pysource/magics.h"

void mst_notebook_reset(mst_notebook *notebook) {
  mst_str_reset(&notebook->text);
  mst_vec_reset(&notebook->cells);
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static void *json_malloc(void *context, size_t size) {
  (void)context;
  return mst_alloc(size);
}

static void *json_realloc(void *context, void *memory, size_t old_size, size_t size) {
  (void)context;
  (void)old_size;
  return mst_realloc(memory, size);
}

static void json_free(void *context, void *memory) {
  (void)context;
  mst_free(memory);
}

/* The code unit behind "\u", 0 when there is none. */
static unsigned code_unit(const char *digits, const char *end) {
  unsigned unit = 0;
  if (end - digits < 4) return 0;
  for (unsigned i = 0; i < 4; i++) {
    const char *all = "0123456789abcdef0123456789ABCDEF";
    const char *found = digits[i] != '\0' ? strchr(all, digits[i]) : NULL;
    if (found == NULL) return 0;
    unit = unit << 4 | ((unsigned)(found - all) & 15);
  }
  return unit;
}

/* Halves of characters stand for none, but Python writes them: they become U+FFFD, in place. */
static void mend_surrogates(char *json, size_t length) {
  static const char unknown[] = {'f', 'f', 'f', 'd'};
  char *const end = json + length;
  for (char *at = memchr(json, '\\', length); at != NULL && end - at >= 2;
       at = memchr(at, '\\', (size_t)(end - at))) {
    const unsigned unit = at[1] == 'u' ? code_unit(at + 2, end) : 0;
    const bool may_be_pair = unit >> 10 == 0xd800 >> 10 && end - at >= 12 && at[6] == '\\' &&
                             at[7] == 'u' && code_unit(at + 8, end) >> 10 == 0xdc00 >> 10;
    if (unit >> 11 == 0xd800 >> 11 && !may_be_pair) memcpy(at + 2, unknown, sizeof unknown);
    at += may_be_pair ? 12 : unit > 0 ? 6 : 2;
  }
}

/* Not base/json.h, which is strict: Jupyter writes NaN and Infinity into the output of plots. */
static yyjson_doc *read_json(const char *json, size_t length, yyjson_read_err *fault) {
  const yyjson_alc memory = {json_malloc, json_realloc, json_free, NULL};
  /* Not written to without YYJSON_READ_INSITU. */
  return yyjson_read_opts((char *)(uintptr_t)json, length, YYJSON_READ_ALLOW_INF_AND_NAN, &memory,
                          fault);
}

static muster_status parse(const char *path, const char *json, size_t length, yyjson_doc **doc,
                           muster_error *error) {
  yyjson_read_err fault = {0};
  if (length == 0) return mst_fail(error, MUSTER_ERR_FORMAT, path, "no notebook: it is empty");
  *doc = read_json(json, length, &fault);
  if (fault.code == YYJSON_READ_ERROR_INVALID_STRING) {
    char *mended = mst_alloc(length);
    if (mended == NULL) return mst_fail_memory(error);
    memcpy(mended, json, length);
    mend_surrogates(mended, length);
    *doc = read_json(mended, length, &fault);
    mst_free(mended);
  }
  if (*doc != NULL) return MUSTER_OK;
  if (fault.code == YYJSON_READ_ERROR_MEMORY_ALLOCATION) return mst_fail_memory(error);
  return mst_fail_at(error, MUSTER_ERR_FORMAT, path, (muster_offset)fault.pos,
                     "no notebook: not JSON: %s", fault.msg != NULL ? fault.msg : "damaged");
}

static const char *text_at(yyjson_val *object, const char *key) {
  return yyjson_get_str(yyjson_obj_get(object, key));
}

/* ---- languages ------------------------------------------------------------------------------- */

static bool is_python(const char *language) {
  return strncasecmp(language, "python", 6) == 0 || strncasecmp(language, "ipython", 7) == 0;
}

static muster_status check_language(const char *path, yyjson_val *root, muster_error *error) {
  yyjson_val *metadata = yyjson_obj_get(root, "metadata");
  const char *language = text_at(yyjson_obj_get(metadata, "kernelspec"), "language");
  if (language == NULL) language = text_at(yyjson_obj_get(metadata, "language_info"), "name");
  if (language == NULL || language[0] == '\0' || is_python(language)) return MUSTER_OK;
  return mst_fail(error, MUSTER_ERR_FORMAT, path, "a notebook of %.60s, not of Python", language);
}

/* ---- cells ----------------------------------------------------------------------------------- */

/* nbformat 3 keeps code under "input", and may name a language for each cell. */
static yyjson_val *code_of(yyjson_val *cell) {
  const char *kind = text_at(cell, "cell_type");
  const char *language = text_at(cell, "language");
  if (kind == NULL || strcmp(kind, "code") != 0) return NULL;
  if (language != NULL && !is_python(language)) return NULL;
  yyjson_val *code = yyjson_obj_get(cell, "source");
  return code != NULL ? code : yyjson_obj_get(cell, "input");
}

/* Line ends become '\n', and NULs blanks, which no text of a source may have. */
static void add_piece(mst_str *text, yyjson_val *piece) {
  const char *from = yyjson_get_str(piece);
  const size_t length = yyjson_get_len(piece);
  const size_t before = text->length;
  if (from == NULL) return;
  mst_str_add_bytes(text, from, length);
  if (text->failed) return;
  char *to = text->data + before;
  for (size_t i = 0; i < length; i++) {
    if (from[i] == '\r' && i + 1 < length && from[i + 1] == '\n') continue;
    *to++ = from[i] == '\r' ? '\n' : from[i] == '\0' ? ' ' : from[i];
  }
  *to = '\0';
  text->length = (size_t)(to - text->data);
}

static void add_code(mst_str *text, yyjson_val *code) {
  size_t index, count;
  yyjson_val *piece;
  if (yyjson_is_str(code)) add_piece(text, code);
  yyjson_arr_foreach(code, index, count, piece) { add_piece(text, piece); }
}

/* ---- %pylab ---------------------------------------------------------------------------------- */

/* What the magic imports, in one line; NULL: the line is no such magic. */
static const char *imports_of_pylab(const char *line, size_t length) {
  static const char magic[] = "%pylab", without_names[] = "--no-import-all";
  const size_t size = sizeof magic - 1;
  if (length < size || memcmp(line, magic, size) != 0) return NULL;
  if (length > size && line[size] != ' ' && line[size] != '\t') return NULL;
  if (memmem(line, length, without_names, sizeof without_names - 1) != NULL)
    return "import numpy as np, matplotlib.pyplot as plt";
  return "import numpy as np, matplotlib.pyplot as plt; from matplotlib.pyplot import *; "
         "from numpy import *";
}

/* Other magics leave blanks behind; the first of these in a cell makes names. */
static void spell_out_pylab(mst_str *text, size_t start) {
  const char *imports = NULL;
  size_t length = 0;
  for (; start < text->length; start += length + 1) {
    length = strcspn(text->data + start, "\n");
    imports = imports_of_pylab(text->data + start, length);
    if (imports != NULL) break;
  }
  if (imports == NULL) return;
  mst_str rest = {0};
  mst_str_add(&rest, text->data + start + length);
  text->length = start;
  mst_str_add(text, imports);
  mst_str_add(text, mst_str_text(&rest));
  text->failed |= rest.failed;
  mst_str_reset(&rest);
}

/* ---- cells as text --------------------------------------------------------------------------- */

static bool add_cell(mst_notebook *out, uint32_t number, uint32_t *line, yyjson_val *code) {
  mst_cell cell = {.number = number, .first_line = *line};
  const size_t start = out->text.length;
  add_code(&out->text, code);
  spell_out_pylab(&out->text, start);
  mst_str_add(&out->text, ""); /* text to work on, also of an empty cell */
  if (out->text.failed) return false;
  char *text = out->text.data + start;
  cell.indent = mst_magics_dedent(text);
  cell.is_left_out = !mst_magics_blank(text);
  out->text.length = start + strlen(text);
  mst_str_add(&out->text, "\n");
  if (out->text.failed || !mst_vec_push(&out->cells, cell)) return false;
  for (const char *at = out->text.data + start; *at != '\0'; at++)
    *line += *at == '\n';
  return true;
}

/* Counts on in *number and *line. */
static bool add_cells(mst_notebook *out, yyjson_val *cells, uint32_t *number, uint32_t *line) {
  size_t index, count;
  yyjson_val *cell;
  yyjson_arr_foreach(cells, index, count, cell) {
    yyjson_val *code = code_of(cell);
    ++*number;
    if (code != NULL && !add_cell(out, *number, line, code)) return false;
  }
  return true;
}

static muster_status read_cells(const char *path, yyjson_val *root, mst_notebook *out,
                                muster_error *error) {
  yyjson_val *cells = yyjson_obj_get(root, "cells");
  yyjson_val *sheets = yyjson_obj_get(root, "worksheets");
  uint32_t number = 0, line = 0;
  bool fits = true;
  if (!yyjson_is_arr(cells) && !yyjson_is_arr(sheets))
    return mst_fail(error, MUSTER_ERR_FORMAT, path, "no notebook: it has no cells");
  if (yyjson_is_arr(cells)) {
    fits = add_cells(out, cells, &number, &line);
  } else {
    size_t index, count;
    yyjson_val *sheet;
    yyjson_arr_foreach(sheets, index, count, sheet) {
      fits = fits && add_cells(out, yyjson_obj_get(sheet, "cells"), &number, &line);
    }
  }
  return fits ? MUSTER_OK : mst_fail_memory(error);
}

muster_status mst_notebook_read(const char *path, const char *json, size_t length,
                                mst_notebook *out, muster_error *error) {
  *out = (mst_notebook){0};
  yyjson_doc *doc = NULL;
  muster_status status = parse(path, json, length, &doc, error);
  if (status != MUSTER_OK) return status;
  yyjson_val *root = yyjson_doc_get_root(doc);
  status = check_language(path, root, error);
  if (status == MUSTER_OK) status = read_cells(path, root, out, error);
  yyjson_doc_free(doc);
  return status;
}
