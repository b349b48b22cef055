/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <string.h>

#include "report/report.h"

const mst_report mst_reports[] = {
#define REPORT(name, summary) {#name, summary, mst_write_##name},
#include "report/reports.def"
#undef REPORT
};

const unsigned mst_report_count = sizeof mst_reports / sizeof *mst_reports;

const mst_report *mst_report_find(const char *name) {
  for (unsigned i = 0; i < mst_report_count; i++)
    if (strcmp(mst_reports[i].name, name) == 0) return &mst_reports[i];
  return NULL;
}

/* ---- words --------------------------------------------------------------------------------------- */

void mst_add_place(mst_str *out, const mst_site *site) {
  mst_add_printable(out, site->path);
  if (site->cell > 0)
    mst_str_addf(out, ", cell %u, line %u", site->cell, site->line);
  else if (site->line > 0)
    mst_str_addf(out, ":%u", site->line);
}

void mst_add_number_of(mst_str *out, uint64_t count, const char *noun) {
  mst_str_addf(out, "%" PRIu64 " %s%s", count, noun, count == 1 ? "" : "s");
}

static const char *level_words(const char *level) {
  if (strcmp(level, "none") == 0) return "is not implemented on the distributed path";
  if (strcmp(level, "single") == 0) return "runs on a single GPU only";
  return strcmp(level, "partial") == 0 ? "is implemented in part" : "is not in the table";
}

void mst_add_gap(mst_str *out, const mst_result_gap *gap) {
  mst_str_add(out, "`");
  mst_add_printable(out, gap->name);
  mst_str_addf(out, "` %s", gap->raises ? "raises on the target" : level_words(gap->level));
  if (gap->note == NULL) return;
  mst_str_add(out, ": ");
  mst_add_printable(out, gap->note);
}

const char *mst_gate_status_name(mst_gate_status status) {
  switch (status) {
  case MST_GATE_PASS: return "pass";
  case MST_GATE_FAIL: return "fail";
  case MST_GATE_UNCERTAIN: break;
  }
  return "uncertain";
}

/* ---- groups ------------------------------------------------------------------------------------------ */

#define MOST_ALONE 6 /* of one rule in one function that are shown one by one */
#define MOST_LINES 12

static bool is_same(const char *a, const char *b) {
  return strcmp(a != NULL ? a : "", b != NULL ? b : "") == 0;
}

static bool are_alike(const mst_result_finding *a, const mst_result_finding *b) {
  return a->rule == b->rule && a->counts == b->counts && a->site.cell == b->site.cell &&
         is_same(a->recipe, b->recipe) && is_same(a->function, b->function) &&
         strcmp(a->site.path, b->site.path) == 0;
}

bool mst_is_in_group(const mst_groups *groups, const mst_result_finding *finding) {
  for (unsigned i = 0; i < groups->count; i++)
    if (are_alike(groups->firsts[i], finding)) return true;
  return false;
}

size_t mst_begin_group(mst_groups *groups, const mst_assessment_result *result, size_t first,
                       mst_str *lines) {
  const mst_result_finding *of = &result->findings[first];
  size_t count = 0;
  for (size_t i = first + 1; i < result->finding_count; i++)
    count += are_alike(of, &result->findings[i]);
  if (count < MOST_ALONE || groups->count == sizeof groups->firsts / sizeof *groups->firsts)
    return 0;
  groups->firsts[groups->count++] = of;
  size_t shown = 0;
  uint32_t before = of->site.line;
  for (size_t i = first + 1; i < result->finding_count && shown < MOST_LINES; i++) {
    const mst_result_finding *finding = &result->findings[i];
    if (!are_alike(of, finding)) continue;
    if (finding->site.line != before)
      mst_str_addf(lines, "%s%" PRIu32, shown > 0 ? ", " : "lines ", finding->site.line);
    before = finding->site.line;
    shown++;
  }
  if (count > shown) mst_str_addf(lines, " and %zu more", count - shown);
  return count;
}

const char *mst_no_gap(const mst_assessment_result *result) {
  return mst_has_aside(result) ? "None that is counted" : "None for this code";
}

const char *mst_none(const mst_assessment_result *result) {
  return mst_is_filtered(&result->context) ? "None of the rules that are listed"
                                           : mst_no_gap(result);
}

const char *mst_no_step(const mst_assessment_result *result) {
  return mst_has_aside(result) ? "Nothing else has to change first" : "Nothing has to change first";
}

/* ---- counting ---------------------------------------------------------------------------------------- */

bool mst_has_a_say(const mst_result_finding *finding) { return finding->counts; }

bool mst_is_selected(const mst_selection *wanted, const mst_result_finding *finding) {
  if (finding->rule->category != wanted->category) return false;
  if (mst_has_a_say(finding) != wanted->counting) return false;
  if (wanted->rule != NULL && strcmp(wanted->rule, finding->rule->id) != 0) return false;
  if (wanted->recipe == NULL) return true;
  return strcmp(wanted->recipe, finding->recipe != NULL ? finding->recipe : "") == 0;
}

bool mst_is_complaint(const mst_result_finding *finding) {
  return finding->rule->category != MST_SCALES;
}

bool mst_is_of_manifest(const mst_diagnostic *diagnostic) {
  return strcmp(diagnostic->kind, "manifest") == 0;
}

bool mst_gap_counts(const mst_assessment_result *result, const mst_result_gap *gap) {
  return gap->raises || mst_gap_demotes(result, gap);
}

bool mst_is_of_comment(const mst_diagnostic *diagnostic) {
  return strcmp(diagnostic->kind, MST_SUPPRESSION_FAULT) == 0 ||
         strcmp(diagnostic->kind, MST_SUPPRESSION_UNUSED) == 0;
}

size_t mst_files_with(const mst_assessment_result *result, const char *status) {
  size_t count = 0;
  for (size_t i = 0; i < result->file_count; i++)
    if (strcmp(result->files[i].status, status) == 0) count++;
  return count;
}

size_t mst_confirmed(const mst_assessment_result *result) {
  size_t count = 0;
  for (size_t i = 0; i < result->finding_count; i++) {
    const char *doctor = result->findings[i].doctor;
    if (doctor != NULL && strcmp(doctor, "confirmed") == 0) count++;
  }
  return count;
}

void mst_add_doctor(const mst_assessment_result *result, mst_str *out) {
  size_t complaints = 0;
  for (size_t i = 0; i < result->finding_count; i++)
    if (mst_is_complaint(&result->findings[i])) complaints++;
  mst_str_addf(out, "The Doctor confirms %zu of ", mst_confirmed(result));
  mst_add_number_of(out, complaints, "finding");
  mst_str_add(out, "; ");
  mst_add_number_of(out, result->runtime_only_count, "place");
  mst_str_addf(out, " %s seen by the run alone.", result->runtime_only_count == 1 ? "was" : "were");
}
