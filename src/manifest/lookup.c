/* SPDX-License-Identifier: Apache-2.0 */
/* Looking names up in the table, its counts and its age. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "manifest/table.h"

/* ---- words ----------------------------------------------------------------------------------- */

static const struct {
  const char *name, *glyph;
} levels[MST_API_LEVELS] = {[MST_API_UNLISTED] = {"unlisted", "-"},
                            [MST_API_NONE] = {"none", "\u2717"},
                            [MST_API_PARTIAL] = {"partial", "\U0001F7E1"},
                            [MST_API_SINGLE] = {"single", "\u2713"},
                            [MST_API_MULTI] = {"multi", "\u2713\u2713"}};

const char *mst_api_level_name(mst_api_level level) { return levels[level].name; }

const char *mst_api_level_glyph(mst_api_level level) { return levels[level].glyph; }

bool mst_api_level_parse(const char *name, mst_api_level *out) {
  for (int i = 0; i < MST_API_LEVELS; i++) {
    if (strcmp(levels[i].name, name) != 0) continue;
    *out = (mst_api_level)i;
    return true;
  }
  return false;
}

static const char *const section_ids[] = {"module-level",    "multi-dimensional-array",
                                          "linear-algebra",  "discrete-fourier-transform",
                                          "random-sampling", "unlisted"};

const char *mst_api_section_id(mst_api_section section) { return section_ids[section]; }

bool mst_api_section_parse(const char *id, mst_api_section *out) {
  for (int i = 0; i <= MST_API_OTHER; i++) {
    if (strcmp(section_ids[i], id) != 0) continue;
    *out = (mst_api_section)i;
    return true;
  }
  return false;
}

/* ---- names ----------------------------------------------------------------------------------- */

static const struct successor {
  const char *removed, *name;
} successors[] = {
#define SUCCESSOR(removed, name) {removed, name},
#include "manifest/successors.def"
#undef SUCCESSOR
};

/* The name as the table has it: methods begin with "ndarray.". */
static const char *table_name(const char *name) {
  return mst_starts_with(name, "numpy.ndarray.") ? name + strlen("numpy.") : name;
}

/* The first `length` bytes of the name. */
static const mst_api_support *find_exact(const mst_manifest *manifest, const char *name,
                                         size_t length) {
  size_t low = 0, high = manifest->length;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    const char *candidate = manifest->entries[middle].name;
    int order = strncmp(name, candidate, length);
    if (order == 0 && candidate[length] != '\0') order = -1;
    if (order == 0) return &manifest->entries[middle];
    if (order < 0)
      high = middle;
    else
      low = middle + 1;
  }
  return NULL;
}

static const mst_api_support *find_successor(const mst_manifest *manifest, const char *name) {
  if (!mst_starts_with(name, "numpy.")) return NULL;
  char full[64];
  size_t low = 0, high = sizeof successors / sizeof *successors;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    const int order = strcmp(name + strlen("numpy."), successors[middle].removed);
    if (order == 0) {
      const int length = snprintf(full, sizeof full, "numpy.%s", successors[middle].name);
      return find_exact(manifest, full, (size_t)length);
    }
    if (order < 0)
      high = middle;
    else
      low = middle + 1;
  }
  return NULL;
}

const mst_api_support *mst_manifest_find(const mst_manifest *manifest, const char *numpy_name) {
  const char *name = table_name(numpy_name);
  const mst_api_support *found = find_exact(manifest, name, strlen(name));
  if (found == NULL) found = find_successor(manifest, name);
  return found != NULL && found->level != MST_API_UNLISTED ? found : NULL;
}

bool mst_manifest_seen_absent(const mst_manifest *manifest, const char *numpy_name) {
  const char *name = table_name(numpy_name);
  for (size_t length = strlen(name); length > 0;) {
    const mst_api_support *found = find_exact(manifest, name, length);
    if (found != NULL) return found->level == MST_API_UNLISTED;
    while (length > 0 && name[--length] != '.') {
    }
  }
  return false;
}

/* ---- differences ----------------------------------------------------------------------------- */

static bool is_same(const mst_api_support *a, const mst_api_support *b) {
  return a != NULL && b != NULL && a->level == b->level && strcmp(a->note, b->note) == 0;
}

/* NULL for what is not listed: it is as good as not there. */
static const mst_api_support *listed(const mst_api_support *entry) {
  return entry->level != MST_API_UNLISTED ? entry : NULL;
}

void mst_manifest_compare(const mst_manifest *old, const mst_manifest *new_one,
                          mst_difference_fn *tell, void *context) {
  size_t i = 0, j = 0;
  while (i < old->length || j < new_one->length) {
    int order = i < old->length ? -1 : 1;
    if (i < old->length && j < new_one->length)
      order = strcmp(old->entries[i].name, new_one->entries[j].name);
    const mst_api_support *a = order <= 0 ? listed(&old->entries[i++]) : NULL;
    const mst_api_support *b = order >= 0 ? listed(&new_one->entries[j++]) : NULL;
    if ((a != NULL || b != NULL) && !is_same(a, b)) tell(context, a, b);
  }
}

/* ---- counts ---------------------------------------------------------------------------------- */

size_t mst_manifest_count(const mst_manifest *manifest, mst_api_section section,
                          mst_api_level level) {
  size_t count = 0;
  for (size_t i = 0; i < manifest->length; i++) {
    const mst_api_support *entry = &manifest->entries[i];
    count += entry->section == section && entry->level == level;
  }
  return count;
}

size_t mst_manifest_implemented(const mst_manifest *manifest) {
  size_t count = 0;
  for (size_t i = 0; i < manifest->length; i++)
    count += manifest->entries[i].level > MST_API_NONE;
  return count;
}

muster_status mst_manifest_check(const mst_manifest *manifest, const char *path,
                                 muster_error *error) {
  const size_t count = mst_manifest_implemented(manifest);
  if (count >= MST_MANIFEST_LEAST) return MUSTER_OK;
  return mst_fail(error, MUSTER_ERR_FORMAT, path,
                  "only %zu implemented names were found there, fewer than %d: its shape must have "
                  "changed; the old table is kept",
                  count, MST_MANIFEST_LEAST);
}

/* ---- age ------------------------------------------------------------------------------------- */

/* Four digits, a dash, two, a dash, two. */
static bool read_date(const char *text, int *year, int *month, int *day) {
  static const char shape[] = "dddd-dd-dd";
  if (strlen(text) != strlen(shape)) return false;
  for (size_t i = 0; i < strlen(shape); i++) {
    const bool digit = text[i] >= '0' && text[i] <= '9';
    if (shape[i] == 'd' ? !digit : text[i] != '-') return false;
  }
  *year = (int)strtol(text, NULL, 10);
  *month = (int)strtol(text + 5, NULL, 10);
  *day = (int)strtol(text + 8, NULL, 10);
  static const int lengths[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  if (*month < 1 || *month > 12 || *day < 1) return false;
  const bool leap = *year % 4 == 0 && (*year % 100 != 0 || *year % 400 == 0);
  return *day <= lengths[*month - 1] + (*month == 2 && leap);
}

bool mst_is_date(const char *text) {
  int year, month, day;
  return read_date(text, &year, &month, &day);
}

/* Days since some day, in the Gregorian calendar; years begin in March, so that leap days end them.
 */
static long day_number(int year, int month, int day) {
  const long y = month <= 2 ? year - 1 : year;
  const long m = month <= 2 ? month + 9 : month - 3;
  return 365 * y + y / 4 - y / 100 + y / 400 + (153 * m + 2) / 5 + day;
}

bool mst_manifest_age(const mst_manifest *manifest, const char *today, long *days) {
  int from[3], to[3];
  if (manifest->fetched == NULL || !read_date(manifest->fetched, &from[0], &from[1], &from[2]) ||
      !read_date(today, &to[0], &to[1], &to[2]))
    return false;
  *days = day_number(to[0], to[1], to[2]) - day_number(from[0], from[1], from[2]);
  return true;
}

bool mst_manifest_add_age_warning(const mst_manifest *manifest, const char *today, mst_str *out) {
  long days;
  if (!mst_manifest_age(manifest, today, &days) || days <= MST_MANIFEST_FRESH_DAYS) return false;
  mst_str_addf(out,
               "the table of API support is %ld days old (cuPyNumeric %s, fetched %s); refresh it "
               "with: muster manifest refresh --from-package VENV",
               days, manifest->cupynumeric, manifest->fetched);
  return true;
}
