/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/numbers.h"

#include <stdbool.h>
#include <string.h>

static const char no_number[] = "is no number";
static const char too_large[] = "is too large";
const char mst_no_memory[] = "is too long for the memory there is";

static const char *skip_blanks(const char *c) { return c + strspn(c, " \t"); }

/* Passes over a suffix, if there is one, and says what it stands for. */
static const char *scan_suffix(const char *c, uint64_t *unit) {
  static const char letters[] = "kMGT";
  *unit = 1;
  const char upper = *c == 'K' ? 'k' : *c;
  const char *letter = upper != '\0' ? strchr(letters, upper) : NULL;
  if (letter == NULL) return c;
  const bool binary = c[1] == 'i';
  for (const char *l = letters; l <= letter; l++)
    *unit *= binary ? 1024 : 1000;
  return c + (binary ? 2 : 1);
}

/* Reads digits and a suffix; *text then stands behind them. */
static const char *scan_count(const char **text, uint64_t *out) {
  const char *c = *text;
  uint64_t value = 0;
  uint64_t unit = 1;
  if (*c < '0' || *c > '9') return no_number;
  for (; *c >= '0' && *c <= '9'; c++) {
    if (__builtin_mul_overflow(value, 10u, &value)) return too_large;
    if (__builtin_add_overflow(value, (uint64_t)(*c - '0'), &value)) return too_large;
  }
  c = scan_suffix(c, &unit);
  if (__builtin_mul_overflow(value, unit, &value)) return too_large;
  *text = c;
  *out = value;
  return NULL;
}

const char *mst_parse_count(const char *text, uint64_t *out) {
  const char *wrong = scan_count(&text, out);
  if (wrong != NULL) return wrong;
  return *text == '\0' ? NULL : "is no number with a suffix k, M, G, T, Ki, Mi, Gi or Ti";
}

/* A bound of a slice; `absent` when there is none. */
static const char *scan_bound(const char **text, int64_t absent, int64_t *out) {
  const char *c = skip_blanks(*text);
  const bool negative = *c == '-';
  uint64_t value = 0;
  *out = absent;
  *text = c;
  if (*c == ':' || *c == '\0') return NULL;
  c += negative;
  const char *wrong = scan_count(&c, &value);
  if (wrong != NULL)
    return wrong == too_large ? "holds a number that is too large" : "is no row range LO:HI";
  if (value > (uint64_t)INT64_MAX) return "holds a number that is too large";
  *out = negative ? -(int64_t)value : (int64_t)value;
  *text = skip_blanks(c);
  return NULL;
}

const char *mst_parse_rows(const char *text, muster_row_range *out) {
  const char *wrong = scan_bound(&text, 0, &out->lo);
  if (wrong != NULL) return wrong;
  if (*text != ':') return "is no row range LO:HI";
  text++;
  wrong = scan_bound(&text, INT64_MAX, &out->hi);
  if (wrong != NULL) return wrong;
  if (*text == ':') return "has a step, and rows are only read without one: LO:HI";
  return *text == '\0' ? NULL : "is no row range LO:HI";
}

static const char *check_end(const char *text) {
  const size_t length = strlen(text);
  const char last = length > 0 ? text[length - 1] : ',';
  return last == ',' || last == 'x' ? "is no list of numbers" : NULL;
}

/* Numbers up to `end`, separated by commas or, in shapes, by x; add() returns what is wrong. */
static const char *scan_list(const char *text, const char *end, const char *separators,
                             const char *(*add)(void *list, uint64_t value), void *list) {
  while (text < end) {
    uint64_t value = 0;
    text = skip_blanks(text);
    const char *wrong = scan_count(&text, &value);
    if (wrong == NULL) wrong = add(list, value);
    if (wrong != NULL) return wrong == no_number ? "is no list of numbers" : wrong;
    text = skip_blanks(text);
    if (text == end) break;
    if (strchr(separators, *text) == NULL) return "is no list of numbers";
    text++;
  }
  return NULL;
}

typedef struct shape_list {
  uint64_t *shape;
  size_t *rank;
} shape_list;

static const char *add_axis(void *list, uint64_t value) {
  const shape_list *shape = list;
  if (*shape->rank == MUSTER_MAX_RANK) return "has too many axes";
  shape->shape[(*shape->rank)++] = value;
  return NULL;
}

const char *mst_parse_shape(const char *text, uint64_t shape[MUSTER_MAX_RANK], size_t *rank) {
  *rank = 0;
  if (strcmp(text, "scalar") == 0) return NULL;
  const char *end = text + strlen(text);
  const char *wrong = check_end(text);
  if (wrong != NULL) return wrong;
  if (*text == '(') {
    if (end[-1] != ')') return "has no closing parenthesis";
    text++;
    end--;
  }
  shape_list list = {.shape = shape, .rank = rank};
  return scan_list(text, end, ",x", add_axis, &list);
}

static const char *add_count(void *list, uint64_t value) {
  mst_counts *counts = list;
  return mst_vec_push(counts, value) ? NULL : mst_no_memory;
}

const char *mst_parse_counts(const char *text, mst_counts *out) {
  const char *wrong = check_end(text);
  return wrong != NULL ? wrong : scan_list(text, text + strlen(text), ",", add_count, out);
}
