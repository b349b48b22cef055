/* SPDX-License-Identifier: Apache-2.0 */
/* A growing string. Zeroed memory is an empty one. */
#ifndef MST_BASE_STR_H
#define MST_BASE_STR_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct mst_str {
  char *data; /* ends in '\0' once anything was added; NULL before */
  size_t length;
  size_t capacity;
  bool failed; /* an allocation failed: later additions do nothing; look once, at the end */
} mst_str;

void mst_str_reset(mst_str *str);
void mst_str_add(mst_str *str, const char *text);
void mst_str_add_bytes(mst_str *str, const char *bytes, size_t length);
void mst_str_addf(mst_str *str, const char *format, ...) __attribute__((format(printf, 2, 3)));
void mst_str_addv(mst_str *str, const char *format, va_list args)
    __attribute__((format(printf, 2, 0)));
/* Ends the text at a length that it had before. */
void mst_str_cut(mst_str *str, size_t length);
/* The text, "" when there is none; valid until the next change. */
const char *mst_str_text(const mst_str *str);
/* Moves the text out (mst_free it); NULL when an allocation failed. str is empty afterwards. */
char *mst_str_take(mst_str *str);

/* These two are asked so often, and most texts differ early, that a call would cost the most. */
static inline bool mst_starts_with(const char *text, const char *prefix) {
  while (*prefix != '\0')
    if (*text++ != *prefix++) return false;
  return true;
}
/* True for a dotted name that is the package or lies in it: numpy and numpy.linalg, not numpydoc.
 */
static inline bool mst_is_in_package(const char *name, const char *package) {
  while (*package != '\0')
    if (*name++ != *package++) return false;
  return *name == '.' || *name == '\0';
}
/* True when `text` (NULL: never) is one of the words; the list ends with NULL. */
bool mst_one_of(const char *text, const char *const *words);
bool mst_ends_with(const char *text, const char *suffix);
/* True for a path that leads to nowhere outside the folder it begins in: no part of it is ".", ".."
 * or, but behind a slash at its end, empty. "" is the folder itself. */
bool mst_is_inside(const char *path);
/* The last component of a path, within it. */
const char *mst_base_name(const char *path);

/* Edit distance of two short words (up to 63 bytes each), for "did you mean". */
size_t mst_edit_distance(const char *a, const char *b);
/* The word of the NULL-terminated list that is nearest to `word`; NULL when none is near. */
const char *mst_nearest(const char *word, const char *const *words);

/* "1.50 GB": bytes with a decimal unit. Writes to text (24 bytes) and returns it. */
char *mst_human_bytes(double bytes, char text[24]);

#endif
