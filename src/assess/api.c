/* SPDX-License-Identifier: Apache-2.0 */
/* The public functions of muster/assess.h. */
#include <string.h>

#include "assess/assessment.h"
#include "base/status.h"
#include "manifest/table.h"
#include "report/report.h"

/* More threads than any machine has processors are a slip of the hand. */
#define MOST_THREADS 4096

void muster_assess_options_init(muster_assess_options *options) {
  *options = (muster_assess_options){.struct_size = sizeof *options};
}

void muster_report_options_init(muster_report_options *options) {
  *options = (muster_report_options){.struct_size = sizeof *options};
}

const char *muster_assess_pattern(size_t index) {
  return index < MST_PATTERN_COUNT ? mst_compute_pattern_name((mst_compute_pattern)index) : NULL;
}

const char *muster_report_format(size_t index) {
  return index < mst_report_count ? mst_reports[index].name : NULL;
}

const char *muster_verdict_name(muster_verdict verdict) {
  return mst_verdict_name((mst_verdict)verdict);
}

/* ---- options ------------------------------------------------------------------------------------------ */

static muster_status check_rules(const char *const *ids, size_t count, muster_error *error) {
  for (size_t i = 0; i < count; i++)
    if (mst_rule_find(ids[i]) == NULL)
      return mst_fail(error, MUSTER_ERR_USAGE, NULL, "there is no rule '%s'", ids[i]);
  return MUSTER_OK;
}

static muster_status check_options(const muster_assess_options *options, size_t path_count,
                                   muster_error *error) {
  muster_status status =
      mst_check_struct(options->struct_size, "muster_assess_options_init", error);
  if (status != MUSTER_OK) return status;
  if (path_count == 0 && options->text == NULL)
    return mst_fail(error, MUSTER_ERR_USAGE, NULL, "nothing was named");
  if (options->threads > MOST_THREADS)
    return mst_fail(error, MUSTER_ERR_USAGE, NULL, "more than %d threads", MOST_THREADS);
  if (options->elements > INT64_MAX)
    return mst_fail(error, MUSTER_ERR_USAGE, NULL, "more elements than can be counted");
  if (options->pattern != NULL && mst_compute_pattern_by_name(options->pattern) == MST_PATTERN_NONE)
    return mst_fail(error, MUSTER_ERR_USAGE, NULL, "there is no pattern '%s'", options->pattern);
  if (options->date != NULL && !mst_is_date(options->date))
    return mst_fail(error, MUSTER_ERR_USAGE, NULL, "'%s' is no date: write 2026-11-30",
                    options->date);
  if (options->changed_since == NULL && options->changed_count > 0)
    return mst_fail(error, MUSTER_ERR_USAGE, NULL, "changed lines, but not since when");
  if (options->baseline != NULL && options->baseline_text != NULL)
    return mst_fail(error, MUSTER_ERR_USAGE, NULL, "two baselines");
  status = check_rules(options->rules, options->rule_count, error);
  return status != MUSTER_OK
             ? status
             : check_rules(options->ignored_rules, options->ignored_rule_count, error);
}

/* ---- assessing ------------------------------------------------------------------------------------------ */

muster_status muster_assess(const char *const *paths, size_t path_count,
                            const muster_assess_options *options, muster_assessment **out,
                            muster_error *error) {
  muster_assess_options defaults;
  *out = NULL;
  muster_assess_options_init(&defaults);
  if (options == NULL) options = &defaults;
  muster_status status = check_options(options, path_count, error);
  if (status != MUSTER_OK) return status;
  muster_assessment *assessment = mst_calloc(1, sizeof *assessment);
  if (assessment == NULL) return mst_fail_memory(error);
  status = mst_assessment_make(assessment, paths, path_count, options, NULL, error);
  if (status != MUSTER_OK) {
    muster_assessment_free(assessment);
    return status;
  }
  *out = assessment;
  return MUSTER_OK;
}

void muster_assessment_free(muster_assessment *assessment) {
  if (assessment != NULL) mst_assessment_reset(assessment);
  mst_free(assessment);
}

/* ---- looking at it ------------------------------------------------------------------------------------------ */

muster_verdict muster_assessment_verdict(const muster_assessment *assessment) {
  return (muster_verdict)assessment->result.verdict;
}

const char *muster_assessment_sentence(const muster_assessment *assessment) {
  return assessment->result.verdict_sentence;
}

bool muster_assessment_runs(const muster_assessment *assessment) { return assessment->result.runs; }

const char *muster_assessment_explanation(const muster_assessment *assessment) {
  return assessment->explanation;
}

static size_t counting_findings(const mst_assessment_result *result) {
  size_t count = 0;
  for (size_t i = 0; i < result->finding_count; i++)
    if (result->findings[i].counts) count++;
  return count;
}

static size_t count_aside(const mst_assessment_result *result, mst_aside why) {
  size_t count = 0;
  for (size_t i = 0; i < result->all_finding_count; i++)
    count += result->all_findings[i].aside == why;
  for (size_t i = 0; i < result->all_gap_count; i++)
    count += result->all_gaps[i].aside == why;
  return count;
}

size_t muster_assessment_count(const muster_assessment *assessment, muster_assessment_list list) {
  const mst_assessment_result *result = &assessment->result;
  switch (list) {
  case MUSTER_FINDINGS: return result->finding_count;
  case MUSTER_COUNTING_FINDINGS: return counting_findings(result);
  case MUSTER_GAPS: return result->gap_count;
  case MUSTER_LOOPS: return result->loop_count;
  case MUSTER_FILES: return result->file_count;
  case MUSTER_ASSESSED_FILES: return mst_files_with(result, "assessed");
  case MUSTER_DIAGNOSTICS: return result->diagnostic_count;
  case MUSTER_SUPPRESSED: return count_aside(result, MST_ASIDE_SUPPRESSED);
  case MUSTER_KNOWN: return count_aside(result, MST_ASIDE_KNOWN);
  case MUSTER_UNCHANGED: return count_aside(result, MST_ASIDE_UNCHANGED);
  case MUSTER_FIXED: return result->fixed_count;
  }
  return 0;
}

muster_status muster_assessment_baseline(const muster_assessment *assessment, char **out,
                                         muster_error *error) {
  mst_str text = {0};
  *out = NULL;
  const muster_status status =
      mst_baseline_write(&assessment->result, &assessment->baseline, &text, error);
  if (status == MUSTER_OK) *out = mst_str_take(&text);
  mst_str_reset(&text);
  if (status != MUSTER_OK) return status;
  return *out != NULL ? MUSTER_OK : mst_fail_memory(error);
}

/* ---- reports ---------------------------------------------------------------------------------------------- */

/* Both texts, or none. */
static muster_status take_texts(mst_str *text, mst_str *notes, char **out, char **out_notes,
                                muster_error *error) {
  *out = mst_str_take(text);
  char *taken = mst_str_take(notes);
  if (*out != NULL && taken != NULL) {
    if (out_notes != NULL)
      *out_notes = taken;
    else
      mst_free(taken);
    return MUSTER_OK;
  }
  mst_free(*out);
  mst_free(taken);
  *out = NULL;
  return mst_fail_memory(error);
}

static muster_status write_report(const mst_assessment_result *result, const mst_report *report,
                                  const muster_report_options *options, char **out,
                                  muster_error *error) {
  mst_str text = {0}, notes = {0};
  const mst_report_options own = {.colour = options->colour,
                                  .width = options->width,
                                  .unsafe_suggestions = options->unsafe_suggestions,
                                  .notes = &notes};
  if (options->notes != NULL) *options->notes = NULL;
  muster_status status = report->write(result, &own, &text, error);
  if (status == MUSTER_OK) status = take_texts(&text, &notes, out, options->notes, error);
  mst_str_reset(&text);
  mst_str_reset(&notes);
  return status;
}

muster_status muster_assessment_write(const muster_assessment *assessment, const char *format,
                                      const muster_report_options *options, char **out,
                                      muster_error *error) {
  muster_report_options defaults;
  *out = NULL;
  muster_report_options_init(&defaults);
  if (options == NULL) options = &defaults;
  muster_status status =
      mst_check_struct(options->struct_size, "muster_report_options_init", error);
  if (status != MUSTER_OK) return status;
  const mst_report *report = mst_report_find(format);
  if (report == NULL)
    return mst_fail(error, MUSTER_ERR_USAGE, NULL, "there is no report format '%s'", format);
  return write_report(&assessment->result, report, options, out, error);
}

muster_status muster_explain(const char *topic, char **out, muster_error *error) {
  mst_str text = {0};
  *out = NULL;
  if (!mst_explain_topic(topic, &text))
    return mst_fail(error, MUSTER_ERR_NOT_FOUND, NULL, "there is no rule, recipe or gate '%s'",
                    topic);
  *out = mst_str_take(&text);
  return *out != NULL ? MUSTER_OK : mst_fail_memory(error);
}

void muster_text_free(char *text) { mst_free(text); }
