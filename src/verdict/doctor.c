/* SPDX-License-Identifier: Apache-2.0 */
#include "verdict/doctor.h"

#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "verdict/words.h"

#define MOST_REPORTS 100000

/* How descriptions begin, the rules whose findings say the same, and why there may be none. */
typedef struct kind {
  const char *begin;
  const char *rules[6];
  const char *reason; /* NULL: by the loop around it */
} kind;

static const kind kinds[] = {
    {"multiple scalar item accesses", {"R101", "R103", "R110"}, NULL},
    {"repeated slice access", {"R101", "R103"}, NULL},
    {"iterating over a cuPyNumeric array", {"R103", "R110"}, NULL},
    {"entire cuPyNumeric array is being gathered", {"R104", "R105"}, NULL},
    {"Python built-in", {"R101", "R103", "R104", "R105", "R110"}, NULL},
    {"hstack/vstack called repeatedly", {"R203"}, NULL},
    {"use of nonzero", {"R204"}, "the places may be wanted as numbers, which no mask replaces"},
    {"use of advanced indexing", {"R204"}, "no rule: indexing by arrays may be what it is about"},
    {"mpi4py is imported",
     {"R108", "A405"},
     "imported, used or not: a finding is only what communicates arrays"},
    {"", {NULL}, "a kind of report that is not known here"}};

/* One report, once. */
typedef struct report {
  const kind *kind;
  const char *path; /* of the result's files; NULL: none of them */
  const char *filename, *description, *source;
  uint32_t line;
} report;

/* ---- the document ------------------------------------------------------------------------------- */

static bool is_report(yyjson_val *entry) {
  const uint64_t line = yyjson_get_uint(yyjson_obj_get(entry, "lineno"));
  return yyjson_is_str(yyjson_obj_get(entry, "filename")) &&
         yyjson_is_str(yyjson_obj_get(entry, "description")) && line > 0 && line <= UINT32_MAX;
}

muster_status mst_doctor_check(const char *path, yyjson_doc *doc, muster_error *error) {
  yyjson_val *root = yyjson_doc_get_root(doc), *entry;
  size_t index, count;
  if (!yyjson_is_arr(root))
    return mst_fail(error, MUSTER_ERR_FORMAT, path,
                    "is no output of cuPyNumeric's Doctor: a list of reports was expected");
  if (yyjson_arr_size(root) > MOST_REPORTS)
    return mst_fail(error, MUSTER_ERR_FORMAT, path, "more than %d reports", MOST_REPORTS);
  yyjson_arr_foreach(root, index, count, entry) {
    if (!is_report(entry))
      return mst_fail(error, MUSTER_ERR_FORMAT, path,
                      "is no output of cuPyNumeric's Doctor: entry %zu has no filename, lineno "
                      "and description",
                      index + 1);
  }
  return MUSTER_OK;
}

/* ---- files ------------------------------------------------------------------------------------------ */

static const char *without_dots(const char *path) {
  for (;;) {
    if (mst_starts_with(path, "./"))
      path += 2;
    else if (mst_starts_with(path, "../"))
      path += 3;
    else
      return path;
  }
}

/* Whether the run's name of a file, which is absolute, may be that of the path. */
static bool is_file(const char *filename, size_t length, const char *path) {
  const char *end = without_dots(path);
  const size_t own = strlen(end);
  if (own > length || memcmp(filename + length - own, end, own) != 0) return false;
  return own == length || filename[length - own - 1] == '/';
}

/* The longest path that fits; NULL: none does. */
static const char *path_of(const mst_assessment_result *result, const char *filename) {
  const size_t length = strlen(filename);
  const char *best = NULL;
  for (size_t i = 0; i < result->file_count; i++) {
    const char *path = result->files[i].path;
    if (!is_file(filename, length, path)) continue;
    if (best == NULL || strlen(without_dots(path)) > strlen(without_dots(best))) best = path;
  }
  return best;
}

/* ---- reports ---------------------------------------------------------------------------------------- */

static const kind *kind_of(const char *description) {
  const kind *at = kinds;
  while (!mst_starts_with(description, at->begin))
    at++;
  return at;
}

static const char *shown_path(const report *of) {
  return of->path != NULL ? of->path : of->filename;
}

static int by_place(const void *left, const void *right) {
  const report *a = left, *b = right;
  int order = strcmp(shown_path(a), shown_path(b));
  if (order == 0) order = (a->line > b->line) - (a->line < b->line);
  if (order == 0) order = (a->kind > b->kind) - (a->kind < b->kind);
  return order != 0 ? order : strcmp(a->description, b->description);
}

/* In the order of places, each line once for each kind; returns how many. */
static size_t read_reports(yyjson_doc *doc, const mst_assessment_result *result, report *reports) {
  yyjson_val *root = yyjson_doc_get_root(doc), *entry;
  size_t index, count, kept = 0;
  yyjson_arr_foreach(root, index, count, entry) {
    report *to = &reports[index];
    const char *source = yyjson_get_str(yyjson_obj_get(entry, "source"));
    *to = (report){.filename = yyjson_get_str(yyjson_obj_get(entry, "filename")),
                   .description = yyjson_get_str(yyjson_obj_get(entry, "description")),
                   .source = source != NULL ? source : "",
                   .line = (uint32_t)yyjson_get_uint(yyjson_obj_get(entry, "lineno"))};
    to->kind = kind_of(to->description);
    const bool is_known = index > 0 && strcmp(to->filename, to[-1].filename) == 0;
    to->path = is_known ? to[-1].path : path_of(result, to->filename);
  }
  if (count > 1) qsort(reports, count, sizeof *reports, by_place);
  for (size_t i = 0; i < count; i++) {
    const report *last = kept > 0 ? &reports[kept - 1] : NULL;
    if (last == NULL || last->kind != reports[i].kind || last->line != reports[i].line ||
        strcmp(shown_path(last), shown_path(&reports[i])) != 0)
      reports[kept++] = reports[i];
  }
  return kept;
}

/* ---- findings --------------------------------------------------------------------------------------- */

static bool is_loop_head(const mst_assessment_result *result, const mst_site *site) {
  size_t low = 0, high = result->loop_count;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    const mst_site *loop = &result->loops[middle].site;
    const int order = strcmp(loop->path, site->path);
    if (order < 0 || (order == 0 && loop->line < site->line))
      low = middle + 1;
    else
      high = middle;
  }
  if (low == result->loop_count) return false;
  const mst_site *loop = &result->loops[low].site;
  return loop->line == site->line && strcmp(loop->path, site->path) == 0;
}

/* Findings of loops are about all of their body, others about their own statement. */
static bool covers(const mst_assessment_result *result, const mst_result_finding *finding,
                   const report *of) {
  const mst_site *site = &finding->site;
  const char *id = finding->rule->id;
  if (of->line < site->line || of->line > site->end_line) return false;
  const bool is_of_loop = strcmp(id, "R101") == 0 || strcmp(id, "R103") == 0;
  return of->line == site->line || is_of_loop || !is_loop_head(result, site);
}

/* The first finding of a path. */
static size_t first_of(const mst_assessment_result *result, const char *path) {
  size_t low = 0, high = result->finding_count;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (strcmp(result->findings[middle].site.path, path) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/* False: no finding says the same. */
static bool confirm(mst_assessment_result *result, const report *of) {
  bool found = false;
  if (of->path == NULL) return false;
  for (size_t i = first_of(result, of->path); i < result->finding_count; i++) {
    mst_result_finding *finding = &result->findings[i];
    if (strcmp(finding->site.path, of->path) != 0 || finding->site.line > of->line) break;
    if (finding->rule->category == MST_SCALES || finding->site.cell > 0 ||
        !mst_one_of(finding->rule->id, of->kind->rules) || !covers(result, finding, of))
      continue;
    finding->doctor = "confirmed";
    found = true;
  }
  return found;
}

/* ---- what only the run saw -------------------------------------------------------------------------- */

/* NULL: there is none. */
static const mst_result_loop *innermost_loop(const mst_assessment_result *result,
                                             const report *of) {
  const mst_result_loop *best = NULL;
  for (size_t i = 0; i < result->loop_count; i++) {
    const mst_result_loop *loop = &result->loops[i];
    if (loop->site.line > of->line || loop->site.end_line < of->line) continue;
    if (strcmp(loop->site.path, of->path) == 0) best = loop;
  }
  return best;
}

/* NULL: it is not known. */
static const char *reason_of(const mst_assessment_result *result, const report *of) {
  if (of->path == NULL) return "in a file that was not assessed";
  if (of->kind->reason != NULL) return of->kind->reason;
  const mst_result_loop *loop = innermost_loop(result, of);
  if (loop == NULL && (mst_one_of("R104", of->kind->rules)))
    return "outside of loops: something has to be read at some time";
  if (loop == NULL) return NULL;
  if (strcmp(loop->status, "recurrence") == 0)
    return "a recurrence: each element depends on the one before";
  if (strcmp(loop->status, "time loop") == 0)
    return "a time loop: the state after a step depends on the one before";
  return strcmp(loop->status, "small") == 0 ? "the loop has a known, small number of turns" : NULL;
}

static void add_place(mst_assessment_result *result, const report *of, mst_arena *arena) {
  result->runtime_only[result->runtime_only_count++] =
      (mst_runtime_place){.site = {.path = mst_words_copy(arena, shown_path(of)),
                                   .line = of->line,
                                   .column = 1,
                                   .end_line = of->line},
                          .description = mst_words_copy(arena, of->description),
                          .source = mst_words_copy(arena, of->source),
                          .reason = reason_of(result, of)};
}

void mst_doctor_merge(yyjson_doc *doc, mst_assessment_result *result, mst_arena *arena) {
  const size_t most = yyjson_arr_size(yyjson_doc_get_root(doc));
  report *reports = mst_arena_new(arena, (most + 1) * sizeof *reports);
  const size_t count = read_reports(doc, result, reports);
  result->has_doctor = true;
  result->runtime_only = mst_arena_new(arena, (count + 1) * sizeof *result->runtime_only);
  for (size_t i = 0; i < result->finding_count; i++)
    if (result->findings[i].rule->category != MST_SCALES)
      result->findings[i].doctor = "static-only";
  for (size_t i = 0; i < count; i++)
    if (!confirm(result, &reports[i])) add_place(result, &reports[i], arena);
}
