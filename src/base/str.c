/* SPDX-License-Identifier: Apache-2.0 */
#include "base/str.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"

void mst_str_reset(mst_str *str) {
  mst_free(str->data);
  *str = (mst_str){0};
}

static bool reserve(mst_str *str, size_t more) {
  if (str->failed) return false;
  if (str->capacity - str->length > more) return true;
  size_t capacity = str->capacity > 0 ? str->capacity * 2 : 64;
  while (capacity - str->length <= more)
    capacity *= 2;
  char *grown = mst_realloc(str->data, capacity);
  if (grown == NULL) {
    str->failed = true;
    return false;
  }
  str->data = grown;
  str->capacity = capacity;
  return true;
}

void mst_str_add_bytes(mst_str *str, const char *bytes, size_t length) {
  if (!reserve(str, length)) return;
  if (length > 0) memcpy(str->data + str->length, bytes, length);
  str->length += length;
  str->data[str->length] = '\0';
}

void mst_str_add(mst_str *str, const char *text) { mst_str_add_bytes(str, text, strlen(text)); }

void mst_str_addv(mst_str *str, const char *format, va_list args) {
  va_list again;
  va_copy(again, args);
  const int length = vsnprintf(NULL, 0, format, args);
  if (length >= 0 && reserve(str, (size_t)length)) {
    vsnprintf(str->data + str->length, (size_t)length + 1, format, again);
    str->length += (size_t)length;
  }
  va_end(again);
}

void mst_str_addf(mst_str *str, const char *format, ...) {
  va_list args;
  va_start(args, format);
  mst_str_addv(str, format, args);
  va_end(args);
}

void mst_str_cut(mst_str *str, size_t length) {
  if (length >= str->length) return;
  str->length = length;
  str->data[length] = '\0';
}

const char *mst_str_text(const mst_str *str) { return str->data != NULL ? str->data : ""; }

char *mst_str_take(mst_str *str) {
  char *text = NULL;
  if (!str->failed) text = str->data != NULL ? str->data : mst_strdup("");
  if (text == NULL) mst_free(str->data);
  *str = (mst_str){0};
  return text;
}

bool mst_one_of(const char *text, const char *const *words) {
  if (text == NULL) return false;
  for (; *words != NULL; words++)
    if (*text == **words && strcmp(text, *words) == 0) return true;
  return false;
}

bool mst_ends_with(const char *text, const char *suffix) {
  const size_t length = strlen(text);
  const size_t tail = strlen(suffix);
  return length >= tail && memcmp(text + length - tail, suffix, tail) == 0;
}

bool mst_is_inside(const char *path) {
  while (*path != '\0') {
    const size_t width = strcspn(path, "/");
    if (width == 0 || (width == 1 && path[0] == '.') || (width == 2 && memcmp(path, "..", 2) == 0))
      return false;
    path += width;
    path += *path == '/';
  }
  return true;
}

const char *mst_base_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash != NULL && slash[1] != '\0' ? slash + 1 : path;
}

#define MAX_WORD 63

size_t mst_edit_distance(const char *a, const char *b) {
  const size_t rows = strnlen(a, MAX_WORD);
  const size_t columns = strnlen(b, MAX_WORD);
  size_t line[MAX_WORD + 1];
  for (size_t j = 0; j <= columns; j++)
    line[j] = j;
  for (size_t i = 1; i <= rows; i++) {
    size_t diagonal = line[0];
    line[0] = i;
    for (size_t j = 1; j <= columns; j++) {
      const size_t replace = diagonal + (a[i - 1] != b[j - 1]);
      diagonal = line[j];
      const size_t shorter = line[j] < line[j - 1] ? line[j] : line[j - 1];
      line[j] = replace < shorter + 1 ? replace : shorter + 1;
    }
  }
  return line[columns];
}

const char *mst_nearest(const char *word, const char *const *words) {
  const char *best = NULL;
  /* At most a third of the word may be wrong, or the guess is no help. */
  size_t limit = strlen(word) / 3 + 1;
  for (; *words != NULL; words++) {
    const size_t distance = mst_edit_distance(word, *words);
    if (distance <= limit && (best == NULL || distance < limit)) {
      best = *words;
      limit = distance;
    }
  }
  return best;
}

char *mst_human_bytes(double bytes, char text[24]) {
  static const char *const units[] = {"B", "kB", "MB", "GB", "TB", "PB", "EB"};
  size_t unit = 0;
  while (bytes >= 999.5 && unit + 1 < sizeof units / sizeof *units) {
    bytes /= 1000;
    unit++;
  }
  const int decimals = unit == 0 || bytes >= 99.95 ? 0 : bytes >= 9.995 ? 1 : 2;
  snprintf(text, 24, "%.*f %s", decimals, bytes, units[unit]);
  return text;
}
