/* SPDX-License-Identifier: Apache-2.0 */
/* Names of shards, one a line or ended by NUL bytes, and the order that they are put into. */
#include <string.h>

#include "base/alloc.h"
#include "fuzz.h"
#include "load/name_pattern.h"
#include "load/order.h"

#define MOST_NAMES 256

/* ---- lists of names ------------------------------------------------------------------------- */

static mst_names split(const char *text, size_t size) {
  mst_names names = {0};
  for (size_t begin = 0, at = 0; at <= size && names.length < MOST_NAMES; at++) {
    if (at < size && text[at] != '\n' && text[at] != '\0') continue;
    if (at > begin) ALWAYS(mst_names_take(&names, mst_strndup(text + begin, at - begin)));
    begin = at + 1;
  }
  return names;
}

static mst_names copy(const mst_names *names) {
  mst_names copied = {0};
  for (size_t i = 0; i < names->length; i++)
    ALWAYS(mst_names_take(&copied, mst_strdup(names->data[i])));
  return copied;
}

/* Another order, the same for the same names. */
static void shuffle(mst_names *names) {
  uint64_t random = 88172645463325252u;
  for (size_t i = names->length; i > 1; i--) {
    random ^= random << 13;
    random ^= random >> 7;
    random ^= random << 17;
    char *last = names->data[i - 1];
    const size_t other = (size_t)(random % i);
    names->data[i - 1] = names->data[other];
    names->data[other] = last;
  }
}

static bool same(const mst_names *a, const mst_names *b) {
  if (a->length != b->length) return false;
  for (size_t i = 0; i < a->length; i++)
    if (strcmp(a->data[i], b->data[i]) != 0) return false;
  return true;
}

static bool same_but_order(const mst_names *a, const mst_names *b) {
  mst_names sorted_a = copy(a), sorted_b = copy(b);
  mst_order_by_name(&sorted_a);
  mst_order_by_name(&sorted_b);
  const bool equal = same(&sorted_a, &sorted_b);
  mst_names_reset(&sorted_a);
  mst_names_reset(&sorted_b);
  return equal;
}

/* ---- the pattern ---------------------------------------------------------------------------- */

/* Runs of digits, from left to right, each one whole. */
static void check_numbers(const char *name, const mst_digits *numbers, size_t count) {
  size_t end = 0;
  for (size_t i = 0; i < count; i++) {
    const mst_digits *run = &numbers[i];
    ALWAYS(run->length > 0 && run->at >= end);
    end = (size_t)run->at + run->length;
    ALWAYS(end <= strlen(name));
    ALWAYS(strspn(name + run->at, "0123456789") == run->length);
  }
}

static int compare(const char *a, const mst_digits *in_a, const char *b, const mst_digits *in_b,
                   size_t count) {
  for (size_t i = 0; i < count; i++) {
    const int order = mst_digits_compare(a, in_a[i], b, in_b[i]);
    ALWAYS(order == -mst_digits_compare(b, in_b[i], a, in_a[i]) ||
           (order < 0) == (mst_digits_compare(b, in_b[i], a, in_a[i]) > 0));
    if (order != 0) return order;
  }
  return strcmp(a, b);
}

/* The numbers of the pattern rise, the first ones first; equal ones stand by name. */
static void check_sorted(const mst_names *names) {
  mst_pattern pattern;
  mst_pattern_find(&pattern, names->data, names->length);
  ALWAYS(pattern.segments <= MST_MAX_SEGMENTS && pattern.odd < names->length);
  const size_t count = pattern.followed ? pattern.numbers : 0;
  mst_digits *before = calloc(count + 1, sizeof *before);
  mst_digits *after = calloc(count + 1, sizeof *after);
  ALWAYS(before != NULL && after != NULL);
  for (size_t i = 0; i < names->length; i++) {
    if (count > 0) mst_pattern_numbers(&pattern, names->data[i], after);
    check_numbers(names->data[i], after, count);
    if (i > 0) ALWAYS(compare(names->data[i - 1], before, names->data[i], after, count) <= 0);
    memcpy(before, after, count * sizeof *before);
  }
  free(before);
  free(after);
}

/* ---- the fuzzer ----------------------------------------------------------------------------- */

static void order_both(const mst_names *names, bool allow_gaps) {
  mst_names sorted = copy(names), again = copy(names);
  mst_names notes = {0}, notes_again = {0};
  muster_error error = {.offset = -1}, error_again = {.offset = -1};
  shuffle(&again);
  const muster_status status = mst_order_by_number(&sorted, allow_gaps, &notes, &error);
  const muster_status status_again =
      mst_order_by_number(&again, allow_gaps, &notes_again, &error_again);
  ALWAYS(status == status_again && (status == MUSTER_OK || status == MUSTER_ERR_MISMATCH));
  ALWAYS(same_but_order(names, &sorted) && same_but_order(names, &again));
  if (status == MUSTER_OK) {
    ALWAYS(same(&sorted, &again) && same(&notes, &notes_again));
    ALWAYS(!mst_order_is_textual(&sorted));
    check_sorted(&sorted);
  } else {
    check_error(status, &error, 0);
    ALWAYS(strcmp(error.message, error_again.message) == 0);
    ALWAYS(strcmp(error.path, error_again.path) == 0);
  }
  mst_names_reset(&sorted);
  mst_names_reset(&again);
  mst_names_reset(&notes);
  mst_names_reset(&notes_again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  mst_names names = split((const char *)data, size);
  if (names.length > 0) {
    (void)mst_order_is_textual(&names);
    order_both(&names, false);
    order_both(&names, true);
  }
  mst_names_reset(&names);
  return 0;
}
