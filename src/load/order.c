/* SPDX-License-Identifier: Apache-2.0 */
#include "load/order.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/status.h"
#include "load/name_pattern.h"

/* More numbers than this in one name, and a list is not looked at: no harm, only no note. */
#define MST_MAX_NUMBERS 64
#define NAMES_SHOWN 5 /* in an error that could name thousands */

/* A path with the numbers that place it. */
typedef struct mst_numbered {
  char *path;
  mst_digits *numbers;
  size_t count;
} mst_numbered;

static int compare_numbered(const void *x, const void *y) {
  const mst_numbered *a = x, *b = y;
  for (size_t i = 0; i < a->count; i++) {
    const int order = mst_digits_compare(a->path, a->numbers[i], b->path, b->numbers[i]);
    if (order != 0) return order;
  }
  return strcmp(a->path, b->path);
}

/* ---- holes and duplicates --------------------------------------------------------------------- */

/* The name that the path would have with another number. */
static void add_name_with(mst_str *out, const mst_numbered *like, uint64_t value) {
  const mst_digits digits = like->numbers[0];
  const char *name = mst_base_name(like->path);
  const size_t before = (size_t)(like->path + digits.at - name);
  if (name > like->path + digits.at) { /* the number is in a folder's name: show the path */
    mst_str_add_bytes(out, like->path, digits.at);
  } else {
    mst_str_add_bytes(out, name, before);
  }
  const bool padded = digits.length > 1 && like->path[digits.at] == '0';
  mst_str_addf(out, "%0*" PRIu64, padded ? (int)digits.length : 1, value);
  mst_str_add(out, like->path + digits.at + digits.length);
}

typedef struct mst_holes {
  uint64_t count;
  bool unknown;  /* a number too large to count with */
  mst_str names; /* the first few */
} mst_holes;

static void add_hole(mst_holes *holes, const mst_numbered *before, const mst_numbered *after) {
  uint64_t lo, hi;
  if (!mst_digits_value(before->path, before->numbers[0], &lo) ||
      !mst_digits_value(after->path, after->numbers[0], &hi)) {
    holes->unknown = true;
    return;
  }
  for (uint64_t n = lo + 1; n < hi && holes->count < NAMES_SHOWN; n++, holes->count++) {
    if (holes->count > 0) mst_str_add(&holes->names, ", ");
    add_name_with(&holes->names, after, n);
    lo = n;
  }
  holes->count += hi > lo ? hi - lo - 1 : 0;
}

static void describe_holes(mst_str *out, const mst_holes *holes) {
  mst_str_add(out, "missing in the numbers: ");
  mst_str_add(out, holes->count > 0 ? mst_str_text(&holes->names) : "numbers beyond 64 bits");
  if (holes->count > NAMES_SHOWN)
    mst_str_addf(out, " and %" PRIu64 " more", holes->count - NAMES_SHOWN);
}

static muster_status note_holes(const mst_holes *holes, mst_names *notes, muster_error *error) {
  mst_str text = {0};
  describe_holes(&text, holes);
  return mst_names_take(notes, mst_str_take(&text)) ? MUSTER_OK : mst_fail_memory(error);
}

static muster_status refuse_holes(const mst_holes *holes, const char *first_path,
                                  muster_error *error) {
  mst_str text = {0}, folder = {0};
  describe_holes(&text, holes);
  const size_t length = (size_t)(mst_base_name(first_path) - first_path);
  mst_str_add_bytes(&folder, length > 0 ? first_path : "./", length > 0 ? length : 2);
  const muster_status status = text.failed || folder.failed
                                   ? mst_fail_memory(error)
                                   : mst_fail(error, MUSTER_ERR_MISMATCH, folder.data,
                                              "%.400s; if that is meant: --allow-gaps", text.data);
  mst_str_reset(&text);
  mst_str_reset(&folder);
  return status;
}

static bool starts_an_index(const mst_numbered *first) {
  uint64_t value;
  return mst_digits_value(first->path, first->numbers[0], &value) && value <= 1;
}

/* The sequence of one number: sorted entries. */
static muster_status check_sequence(const mst_numbered *entries, size_t count, bool allow_gaps,
                                    mst_names *notes, muster_error *error) {
  const bool is_index = starts_an_index(&entries[0]);
  mst_holes holes = {0};
  muster_status status = MUSTER_OK;
  for (size_t i = 1; status == MUSTER_OK && i < count; i++) {
    const mst_numbered *before = &entries[i - 1], *after = &entries[i];
    const bool same =
        mst_digits_compare(before->path, before->numbers[0], after->path, after->numbers[0]) == 0;
    if (same && is_index)
      status = mst_fail(error, MUSTER_ERR_MISMATCH, after->path,
                        "has the same number as %.300s: remove one, or use --order name",
                        mst_base_name(before->path));
    if (!same) add_hole(&holes, before, after);
  }
  if (status == MUSTER_OK && holes.names.failed) status = mst_fail_memory(error);
  if (status == MUSTER_OK && (holes.count > 0 || holes.unknown))
    status = is_index && !allow_gaps ? refuse_holes(&holes, entries[0].path, error)
                                     : note_holes(&holes, notes, error);
  mst_str_reset(&holes.names);
  return status;
}

/* ---- the orders --------------------------------------------------------------------------------- */

static void sort_numbered(mst_names *paths, const mst_pattern *pattern, mst_numbered *entries,
                          mst_digits *numbers) {
  for (size_t i = 0; i < paths->length; i++) {
    entries[i] = (mst_numbered){paths->data[i], numbers + i * pattern->numbers, pattern->numbers};
    mst_pattern_numbers(pattern, paths->data[i], entries[i].numbers);
  }
  qsort(entries, paths->length, sizeof *entries, compare_numbered);
  for (size_t i = 0; i < paths->length; i++)
    paths->data[i] = entries[i].path;
}

static muster_status take_note(mst_names *notes, const char *text, muster_error *error) {
  return mst_names_take(notes, mst_strdup(text)) ? MUSTER_OK : mst_fail_memory(error);
}

/* Digits behind a point and a digit, of different lengths: 0.5 and 0.25, or versions 1.9 and 1.10.
 */
static bool look_decimal(const mst_numbered *entries, size_t count) {
  for (size_t k = 0; k < entries[0].count; k++) {
    bool behind_point = true, lengths_differ = false;
    for (size_t i = 0; i < count; i++) {
      const mst_digits digits = entries[i].numbers[k];
      const char *at = entries[i].path + digits.at;
      behind_point =
          behind_point && digits.at >= 2 && at[-1] == '.' && at[-2] >= '0' && at[-2] <= '9';
      lengths_differ = lengths_differ || digits.length != entries[0].numbers[k].length;
    }
    if (behind_point && lengths_differ) return true;
  }
  return false;
}

static muster_status order_numbered(mst_names *paths, const mst_pattern *pattern, bool allow_gaps,
                                    mst_names *notes, muster_error *error) {
  mst_numbered *entries = mst_calloc(paths->length, sizeof *entries);
  mst_digits *numbers = mst_calloc(paths->length * pattern->numbers, sizeof *numbers);
  muster_status status = MUSTER_OK;
  if (entries == NULL || numbers == NULL) {
    status = mst_fail_memory(error);
  } else {
    sort_numbered(paths, pattern, entries, numbers);
    if (pattern->numbers == 1)
      status = check_sequence(entries, paths->length, allow_gaps, notes, error);
    if (status == MUSTER_OK && look_decimal(entries, paths->length))
      status = take_note(notes,
                         "numbers behind a point are ordered as whole numbers (0.5 before 0.25); "
                         "if they are decimals, give a list of the files",
                         error);
  }
  mst_free(numbers);
  mst_free(entries);
  return status;
}

static muster_status refuse_odd(const mst_names *paths, const mst_pattern *pattern,
                                muster_error *error) {
  char verb[40] = "does not";
  if (pattern->odd_count > 1)
    snprintf(verb, sizeof verb, "and %zu more do not", pattern->odd_count - 1);
  return mst_fail(error, MUSTER_ERR_MISMATCH, paths->data[pattern->odd],
                  "its name %s follow the pattern of %.200s: name one kind of files with a glob, "
                  "or use --order name",
                  verb, paths->data[pattern->like] + pattern->prefix);
}

muster_status mst_order_by_number(mst_names *paths, bool allow_gaps, mst_names *notes,
                                  muster_error *error) {
  if (paths->length < 2) return MUSTER_OK;
  /* The result must not depend on the order in which a folder was listed. */
  mst_order_by_name(paths);
  mst_pattern pattern;
  mst_pattern_find(&pattern, paths->data, paths->length);
  if (!pattern.followed && pattern.any_digits) return refuse_odd(paths, &pattern, error);
  if (!pattern.followed || pattern.numbers == 0)
    return take_note(notes, "the names hold no numbers to order them by: ordered by name", error);
  return order_numbered(paths, &pattern, allow_gaps, notes, error);
}

muster_status mst_order_check_followers(const mst_names *paths, bool allow_gaps,
                                        muster_error *error) {
  mst_pattern pattern;
  mst_names followers = {0}, notes = {0};
  muster_status status = MUSTER_OK;
  mst_pattern_find(&pattern, paths->data, paths->length);
  for (size_t i = 0; status == MUSTER_OK && !pattern.followed && i < paths->length; i++)
    if (mst_pattern_follows(&pattern, paths->data, i) &&
        !mst_names_take(&followers, mst_strdup(paths->data[i])))
      status = mst_fail_memory(error);
  if (status == MUSTER_OK) status = mst_order_by_number(&followers, allow_gaps, &notes, error);
  mst_names_reset(&followers);
  mst_names_reset(&notes);
  return status;
}

static int compare_paths(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

void mst_order_by_name(mst_names *paths) {
  if (paths->length > 0) qsort(paths->data, paths->length, sizeof *paths->data, compare_paths);
}

typedef struct mst_timed {
  char *path;
  int64_t mtime_ns;
} mst_timed;

static int compare_timed(const void *x, const void *y) {
  const mst_timed *a = x, *b = y;
  if (a->mtime_ns != b->mtime_ns) return a->mtime_ns < b->mtime_ns ? -1 : 1;
  return strcmp(a->path, b->path);
}

muster_status mst_order_by_mtime(mst_names *paths, muster_error *error) {
  if (paths->length == 0) return MUSTER_OK;
  mst_timed *entries = mst_calloc(paths->length, sizeof *entries);
  if (entries == NULL) return mst_fail_memory(error);
  muster_status status = MUSTER_OK;
  for (size_t i = 0; status == MUSTER_OK && i < paths->length; i++) {
    mst_stat info = {0};
    status = mst_io_stat(paths->data[i], &info, error);
    entries[i] = (mst_timed){paths->data[i], info.mtime_ns};
  }
  if (status == MUSTER_OK) {
    qsort(entries, paths->length, sizeof *entries, compare_timed);
    for (size_t i = 0; i < paths->length; i++)
      paths->data[i] = entries[i].path;
  }
  mst_free(entries);
  return status;
}

/* The numbers of two names, compared as a whole. */
static int compare_numbers(const mst_pattern *pattern, const char *a, const char *b) {
  mst_digits in_a[MST_MAX_NUMBERS], in_b[MST_MAX_NUMBERS];
  mst_pattern_numbers(pattern, a, in_a);
  mst_pattern_numbers(pattern, b, in_b);
  int order = 0;
  for (size_t i = 0; order == 0 && i < pattern->numbers; i++)
    order = mst_digits_compare(a, in_a[i], b, in_b[i]);
  return order;
}

bool mst_order_is_textual(const mst_names *paths) {
  if (paths->length < 2) return false;
  mst_pattern pattern;
  mst_pattern_find(&pattern, paths->data, paths->length);
  if (!pattern.followed || pattern.numbers == 0 || pattern.numbers > MST_MAX_NUMBERS) return false;
  bool by_name = true, by_number = true;
  for (size_t i = 1; i < paths->length; i++) {
    const char *before = paths->data[i - 1], *after = paths->data[i];
    by_name = by_name && strcmp(before, after) < 0;
    by_number = by_number && compare_numbers(&pattern, before, after) <= 0;
  }
  return by_name && !by_number;
}
