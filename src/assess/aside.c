/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What stands in the code and has no say in the verdict: suppressed by a comment, known from the
 * baseline, or on lines that did not change. It leaves the lists that are judged, so that all else
 * is as if it were not there, and stays in those that are told.
 */
#include <stdlib.h>
#include <string.h>

#include "assess/run.h"
#include "base/str.h"

/* ---- lines that changed ------------------------------------------------------------------------- */

typedef struct change {
  char *key; /* of the path */
  uint32_t first, last;
} change;

typedef MST_VEC(change) change_list;

static int by_key_and_line(const void *left, const void *right) {
  const change *a = left, *b = right;
  const int order = strcmp(a->key, b->key);
  if (order != 0) return order;
  return a->first < b->first ? -1 : a->first > b->first;
}

static void changes_reset(change_list *list) {
  for (size_t i = 0; i < list->length; i++)
    mst_free(list->data[i].key);
  mst_vec_reset(list);
}

static bool read_changes(const muster_assess_options *options, change_list *list) {
  for (size_t i = 0; i < options->changed_count; i++) {
    const muster_changed_lines *lines = &options->changed[i];
    char *key = mst_path_key(lines->path);
    if (key == NULL) return false;
    if (!mst_vec_push(list, (change){key, lines->first, lines->last})) {
      mst_free(key);
      return false;
    }
  }
  if (list->length > 1) qsort(list->data, list->length, sizeof *list->data, by_key_and_line);
  return true;
}

/* The changes of one file, looked up once for all that stands in it. */
typedef struct file_changes {
  const char *path; /* as sites have it; NULL: none yet */
  size_t first, end;
} file_changes;

static size_t first_of(const change_list *list, const char *key) {
  size_t low = 0, high = list->length;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (strcmp(list->data[middle].key, key) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static bool look_up(const change_list *list, const char *path, file_changes *of) {
  if (of->path != NULL && strcmp(of->path, path) == 0) return true;
  char *key = mst_path_key(path);
  if (key == NULL) return false;
  of->path = path;
  of->first = of->end = first_of(list, key);
  while (of->end < list->length && strcmp(list->data[of->end].key, key) == 0)
    of->end++;
  mst_free(key);
  return true;
}

static bool has_changed(const change_list *list, const file_changes *of, const mst_site *site) {
  if (site->cell > 0) return of->end > of->first;
  for (size_t i = of->first; i < of->end; i++)
    if (list->data[i].first <= site->end_line && list->data[i].last >= site->line) return true;
  return false;
}

static bool set_unchanged(const change_list *list, const mst_site *site, file_changes *of,
                          mst_aside *aside) {
  if (!look_up(list, site->path, of)) return false;
  if (*aside == MST_ASIDE_NOT && !has_changed(list, of, site)) *aside = MST_ASIDE_UNCHANGED;
  return true;
}

static bool apply_changes(const muster_assess_options *options, mst_assessment_result *result) {
  change_list list = {0};
  file_changes of = {0};
  if (options->changed_since == NULL) return true;
  bool done = read_changes(options, &list);
  for (size_t i = 0; done && i < result->finding_count; i++) {
    mst_result_finding *finding = &result->findings[i];
    done = set_unchanged(&list, &finding->site, &of, &finding->aside);
  }
  for (size_t i = 0; done && i < result->gap_count; i++)
    done = set_unchanged(&list, &result->gaps[i].site, &of, &result->gaps[i].aside);
  changes_reset(&list);
  return done;
}

/* ---- the lists ---------------------------------------------------------------------------------- */

static void apply_suppressions(mst_assessment_result *result) {
  for (size_t i = 0; i < result->finding_count; i++)
    if (result->findings[i].suppression != NULL) result->findings[i].aside = MST_ASIDE_SUPPRESSED;
  for (size_t i = 0; i < result->gap_count; i++)
    if (result->gaps[i].suppression != NULL) result->gaps[i].aside = MST_ASIDE_SUPPRESSED;
}

static void part_findings(mst_assessment_result *result, mst_arena *arena) {
  const size_t count = result->finding_count;
  size_t kept = 0;
  for (size_t i = 0; i < count; i++)
    kept += result->findings[i].aside == MST_ASIDE_NOT;
  result->all_findings = result->findings;
  result->all_finding_count = count;
  if (kept == count) return;
  result->findings = mst_arena_new(arena, (kept + 1) * sizeof *result->findings);
  result->finding_count = 0;
  for (size_t i = 0; i < count; i++) {
    mst_result_finding *finding = &result->all_findings[i];
    if (finding->aside == MST_ASIDE_NOT)
      result->findings[result->finding_count++] = *finding;
    else
      finding->counts = false;
  }
}

static void part_gaps(mst_assessment_result *result, mst_arena *arena) {
  const size_t count = result->gap_count;
  size_t kept = 0;
  for (size_t i = 0; i < count; i++)
    kept += result->gaps[i].aside == MST_ASIDE_NOT;
  result->all_gaps = result->gaps;
  result->all_gap_count = count;
  if (kept == count) return;
  result->gaps = mst_arena_new(arena, (kept + 1) * sizeof *result->gaps);
  result->gap_count = 0;
  for (size_t i = 0; i < count; i++)
    if (result->all_gaps[i].aside == MST_ASIDE_NOT)
      result->gaps[result->gap_count++] = result->all_gaps[i];
}

bool mst_set_aside(mst_assess_run *run) {
  muster_assessment *assessment = run->assessment;
  mst_assessment_result *result = &assessment->result;
  mst_baseline *baseline = &assessment->baseline;
  apply_suppressions(result);
  if (!mst_baseline_apply(baseline, result) || !apply_changes(run->options, result)) return false;
  if (baseline->is_there &&
      !mst_baseline_find_fixed(baseline, run->paths, run->path_count, result, &assessment->arena))
    return false;
  part_findings(result, &assessment->arena);
  part_gaps(result, &assessment->arena);
  return true;
}
