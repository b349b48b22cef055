/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the names of one dataset have in common, and the numbers in which they differ.
 *
 * A name is cut into segments at - _ . / and blanks. The names follow one pattern when they have
 * the same segments but for digits; segments that are hexadecimal tags (a UUID, a hash) may differ
 * altogether and say nothing about the order.
 */
#ifndef MST_LOAD_NAME_PATTERN_H
#define MST_LOAD_NAME_PATTERN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MST_MAX_SEGMENTS 64

/* A run of digits within a name. */
typedef struct mst_digits {
  uint32_t at;
  uint32_t length;
} mst_digits;

typedef struct mst_pattern {
  size_t prefix;   /* bytes at the start of every path that are a folder they share */
  size_t segments; /* of the names without that */
  bool tag[MST_MAX_SEGMENTS];
  uint64_t varies[MST_MAX_SEGMENTS]; /* bit k: the k-th run of digits of the segment differs */
  size_t numbers;                    /* runs that differ, tags aside */
  /* If not followed, of the names that most follow, or else of the first one: */
  size_t like; /* index of one of them */
  size_t odd;  /* index of the first name that does not follow it */
  size_t odd_count;
  bool followed;   /* all names follow one pattern */
  bool any_digits; /* some name holds a digit, extensions aside */
} mst_pattern;

void mst_pattern_find(mst_pattern *pattern, char *const *paths, size_t count);

/* Whether the name follows the pattern of names[like]. */
bool mst_pattern_follows(const mst_pattern *pattern, char *const *paths, size_t index);

/* The runs of digits that differ, from left to right: `numbers` entries. */
void mst_pattern_numbers(const mst_pattern *pattern, const char *path, mst_digits *out);

/* Compares two runs by value, whatever their length and leading zeros. */
int mst_digits_compare(const char *a, mst_digits in_a, const char *b, mst_digits in_b);

/* The value; false when it does not fit. */
bool mst_digits_value(const char *text, mst_digits digits, uint64_t *value);

#endif
