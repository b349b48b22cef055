/* SPDX-License-Identifier: Apache-2.0 */
#include "verdict/words.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

char *mst_words(mst_arena *arena, const char *format, ...) {
  va_list args, again;
  va_start(args, format);
  va_copy(again, args);
  const int length = vsnprintf(NULL, 0, format, args);
  va_end(args);
  char *text = mst_arena_new(arena, (size_t)(length > 0 ? length : 0) + 1);
  if (length > 0) vsnprintf(text, (size_t)length + 1, format, again);
  va_end(again);
  return text;
}

const char *mst_words_copy(mst_arena *arena, const char *text) {
  return text != NULL ? mst_arena_text(arena, text, strlen(text)) : NULL;
}

const char *mst_words_list(mst_arena *arena, const char *const *words, unsigned count) {
  size_t bytes = 1;
  for (unsigned i = 0; i < count; i++)
    bytes += strlen(words[i]) + sizeof " and ";
  char *text = mst_arena_new(arena, bytes);
  for (unsigned i = 0, at = 0; i < count; i++) {
    const char *between = i == 0 ? "" : i + 1 == count ? " and " : ", ";
    at += (unsigned)snprintf(text + at, bytes - at, "%s%s", between, words[i]);
  }
  return text;
}

const char *mst_words_count(uint64_t count, char text[24]) {
  if (count >= INT64_MAX) {
    snprintf(text, 24, "9.22e+18 or more");
  } else if (count >= 10000000000000000) {
    snprintf(text, 24, "%.3g", (double)count);
  } else if (count >= 1000000000000) {
    snprintf(text, 24, "%.4gT", (double)count / 1e12);
  } else if (count >= 1000000000) {
    snprintf(text, 24, "%.4gB", (double)count / 1e9);
  } else if (count >= 1000000) {
    snprintf(text, 24, "%.4gM", (double)count / 1e6);
  } else if (count >= 1000) {
    snprintf(text, 24, "%" PRIu64 ",%03" PRIu64, count / 1000, count % 1000);
  } else {
    snprintf(text, 24, "%" PRIu64, count);
  }
  return text;
}
