/* SPDX-License-Identifier: Apache-2.0 */
/* Texts of a result: made by printf's rules, kept in its arena. */
#ifndef MST_VERDICT_WORDS_H
#define MST_VERDICT_WORDS_H

#include <stdint.h>

#include "base/arena.h"

char *mst_words(mst_arena *arena, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* A copy; NULL stays NULL. */
const char *mst_words_copy(mst_arena *arena, const char *text);
/* "R101, R104 and R106". */
const char *mst_words_list(mst_arena *arena, const char *const *words, unsigned count);
/* "8,192", "16.8M", "1.2B", "5T", "3e+18"; from INT64_MAX on "... or more". Writes to text (24
 * bytes) and returns it. */
const char *mst_words_count(uint64_t count, char text[24]);
static inline const char *mst_plural(uint64_t count) { return count == 1 ? "" : "s"; }

#endif
