/* SPDX-License-Identifier: Apache-2.0 */
#include "assess/imports.h"

#include <ctype.h>
#include <string.h>

#include "base/alloc.h"
#include "base/str.h"

void mst_imports_reset(mst_imports *imports) {
  for (size_t i = 0; i < imports->list.length; i++) {
    mst_free(imports->list.data[i].path);
    mst_free(imports->list.data[i].name);
  }
  mst_vec_reset(&imports->list);
}

static bool is_name(char c) {
  return c == '_' || (c & 0x80) != 0 || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
         (c >= 'A' && c <= 'Z');
}

static const char *skip_blanks(const char *at) {
  while (*at == ' ' || *at == '\t' || *at == '\f' || (*at == '\\' && at[1] == '\n'))
    at += *at == '\\' ? 2 : 1;
  return at;
}

/* The end of a dotted name. */
static const char *skip_path(const char *at) {
  while (is_name(*at) || (*at == '.' && is_name(at[1])))
    at++;
  return at;
}

static bool is_word(const char *at, const char *word) {
  const size_t length = strlen(word);
  return strncmp(at, word, length) == 0 && !is_name(at[length]);
}

static bool add(mst_imports *imports, unsigned level, const char *path, size_t length,
                const char *name, size_t name_length) {
  mst_import import = {.level = level, .path = mst_strndup(path, length)};
  if (name != NULL) import.name = mst_strndup(name, name_length);
  if (import.path != NULL && (name == NULL || import.name != NULL) &&
      mst_vec_push(&imports->list, import))
    return true;
  mst_free(import.path);
  mst_free(import.name);
  return false;
}

/* "a.b as c, d" */
static bool scan_plain(mst_imports *imports, const char *at) {
  for (;;) {
    at = skip_blanks(at);
    const char *end = skip_path(at);
    if (end == at) return true;
    if (!add(imports, 0, at, (size_t)(end - at), NULL, 0)) return false;
    at = skip_blanks(end);
    if (is_word(at, "as")) at = skip_blanks(skip_path(skip_blanks(at + 2)));
    if (*at++ != ',') return true;
  }
}

static const char *skip_space_and_comments(const char *at) {
  for (;;) {
    while (isspace((unsigned char)*at) || *at == '\\')
      at++;
    if (*at != '#') return at;
    at += strcspn(at, "\n");
  }
}

/* "..a.b import c as d, (e" */
static bool scan_from(mst_imports *imports, const char *at) {
  unsigned level = 0;
  at = skip_blanks(at);
  for (; *at == '.' || *at == ' '; at++)
    level += *at == '.';
  const char *path = at;
  if (!is_word(at, "import")) at = skip_path(at); /* from . import name */
  const size_t length = (size_t)(at - path);
  at = skip_blanks(at);
  if (!is_word(at, "import") || (length == 0 && level == 0)) return true;
  if (!add(imports, level, path, length, NULL, 0)) return false;
  at = skip_blanks(at + strlen("import"));
  const bool in_brackets = *at == '(';
  if (in_brackets) at++;
  for (;;) {
    at = in_brackets ? skip_space_and_comments(at) : skip_blanks(at);
    const char *end = skip_path(at);
    if (end == at) return true;
    if (!add(imports, level, path, length, at, (size_t)(end - at))) return false;
    at = in_brackets ? skip_space_and_comments(end) : skip_blanks(end);
    if (is_word(at, "as")) at = skip_path(skip_space_and_comments(at + 2));
    at = in_brackets ? skip_space_and_comments(at) : skip_blanks(at);
    if (*at++ != ',') return true;
  }
}

/* Where the statement begins that holds the byte. */
static const char *statement_start(const char *text, const char *at) {
  while (at > text && at[-1] != '\n' && at[-1] != ';' && at[-1] != ':')
    at--;
  return skip_blanks(at);
}

/* "np." or "xp.": NumPy that is handed in as a parameter. */
static bool mentions_module(const char *text, size_t length, const char *name) {
  const char *end = text + length;
  for (const char *at = text; (at = memmem(at, (size_t)(end - at), name, strlen(name))) != NULL;
       at++)
    if (at == text || !is_name(at[-1])) return true;
  return false;
}

/* A mention in words alone is none: comments of the whole world speak of NumPy. */
static bool imports_arrays(const mst_imports *imports) {
  static const char *const packages[] = {"numpy",  "cupynumeric", "cunumeric",        "cupy",
                                         "legate", "pylab",       "matplotlib.pylab", NULL};
  for (size_t i = 0; i < imports->list.length; i++) {
    const mst_import *import = &imports->list.data[i];
    for (size_t k = 0; packages[k] != NULL && import->level == 0; k++)
      if (mst_is_in_package(import->path, packages[k])) return true;
  }
  return false;
}

static bool scan_all(mst_imports *imports, const mst_source *source) {
  const char *text = source->text;
  const char *end = text + source->length;
  for (const char *at = text;; at++) {
    at = memmem(at, (size_t)(end - at), "import", 6);
    if (at == NULL) return true;
    if ((at > text && is_name(at[-1])) || is_name(at[6])) continue;
    const char *start = statement_start(text, at);
    if (start == at && !scan_plain(imports, at + 6)) return false;
    if (is_word(start, "from") && !scan_from(imports, start + 4)) return false;
  }
}

bool mst_imports_scan(mst_imports *imports, const mst_source *source) {
  *imports = (mst_imports){0};
  if (!scan_all(imports, source)) return false;
  imports->mentions_arrays = imports_arrays(imports) ||
                             mentions_module(source->text, source->length, "np.") ||
                             mentions_module(source->text, source->length, "xp.");
  return true;
}
