/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The result as one suite of JUnit's XML: a test case for each file that was assessed, which fails
 * by what counts in it. That is what follows a file from one run to the next; a case for each rule
 * would come and go. The case of the verdict passes: what is to fail is the command's --fail-on.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/status.h"
#include "report/report.h"

/* ---- XML ------------------------------------------------------------------------------------------- */

/* U+FFFE and U+FFFF, which XML 1.0 has no place for. */
static bool is_noncharacter(const char *at) {
  return strncmp(at, "\xef\xbf\xbe", 3) == 0 || strncmp(at, "\xef\xbf\xbf", 3) == 0;
}

/* What stands for the character; NULL: it itself. */
static const char *entity(char byte) {
  switch (byte) {
  case '&': return "&amp;";
  case '<': return "&lt;";
  case '>': return "&gt;";
  case '"': return "&quot;";
  default: return NULL;
  }
}

/* A line, or a value; what XML cannot hold is spelled out. */
static void add_xml(mst_str *out, const char *text) {
  mst_str line = {0};
  mst_add_printable(&line, text);
  for (const char *at = mst_str_text(&line); *at != '\0'; at++) {
    const char *instead = entity(*at);
    if (is_noncharacter(at)) {
      mst_str_add(out, at[2] == '\xbe' ? "\\ufffe" : "\\uffff");
      at += 2;
    } else if (instead != NULL) {
      mst_str_add(out, instead);
    } else {
      mst_str_add_bytes(out, at, 1);
    }
  }
  if (line.failed) out->failed = true;
  mst_str_reset(&line);
}

static void add_attribute(mst_str *out, const char *name, const char *value) {
  mst_str_addf(out, " %s=\"", name);
  add_xml(out, value);
  mst_str_add(out, "\"");
}

/* ---- files ----------------------------------------------------------------------------------------- */

/* Findings, gaps and diagnostics are sorted by path, as files are: each list is gone through once.
 */
typedef struct cursor {
  size_t finding, gap, diagnostic;
  mst_str others; /* diagnostics of what has no case: skipped files, the table of API support */
} cursor;

typedef struct file_text {
  mst_str complaints; /* lines of XML */
  mst_str diagnostics;
  size_t count;
  uint32_t line; /* of the first complaint; 0: none, or in a notebook */
} file_text;

static void add_where(mst_str *out, const mst_site *site) {
  mst_str place = {0};
  mst_add_place(&place, site);
  add_xml(out, mst_str_text(&place));
  if (place.failed) out->failed = true;
  mst_str_reset(&place);
}

static void count_at(file_text *text, const mst_site *site) {
  if (text->count++ == 0 && site->cell == 0) text->line = site->line;
}

static void take_finding(file_text *text, const mst_result_finding *finding) {
  if (!finding->counts || !mst_is_complaint(finding)) return;
  const char *recipe = mst_recipe_name(finding->recipe);
  count_at(text, &finding->site);
  add_where(&text->complaints, &finding->site);
  mst_str_addf(&text->complaints, ": %s ", finding->rule->id);
  add_xml(&text->complaints, finding->message);
  if (recipe != NULL) mst_str_addf(&text->complaints, " (%s)", recipe);
  mst_str_add(&text->complaints, "\n");
}

static void take_gap(file_text *text, const mst_result_gap *gap) {
  mst_str words = {0};
  count_at(text, &gap->site);
  mst_add_gap(&words, gap);
  add_where(&text->complaints, &gap->site);
  mst_str_add(&text->complaints, ": API ");
  add_xml(&text->complaints, mst_str_text(&words));
  mst_str_add(&text->complaints, "\n");
  if (words.failed) text->complaints.failed = true;
  mst_str_reset(&words);
}

static void take_diagnostic(mst_str *out, const mst_diagnostic *diagnostic) {
  add_where(out, &diagnostic->site);
  mst_str_add(out, ": ");
  add_xml(out, diagnostic->message);
  mst_str_add(out, "\n");
}

/* What there is of the file. */
static void gather(const mst_assessment_result *result, const char *path, cursor *at,
                   file_text *text) {
  for (; at->finding < result->finding_count; at->finding++) {
    const mst_result_finding *finding = &result->findings[at->finding];
    const int order = strcmp(finding->site.path, path);
    if (order > 0) break;
    if (order == 0) take_finding(text, finding);
  }
  for (; at->gap < result->gap_count; at->gap++) {
    const mst_result_gap *gap = &result->gaps[at->gap];
    const int order = strcmp(gap->site.path, path);
    if (order > 0) break;
    if (order == 0 && mst_gap_counts(result, gap)) take_gap(text, gap);
  }
  for (; at->diagnostic < result->diagnostic_count; at->diagnostic++) {
    const mst_diagnostic *diagnostic = &result->diagnostics[at->diagnostic];
    const int order = strcmp(diagnostic->site.path, path);
    if (order > 0) break;
    take_diagnostic(order == 0 ? &text->diagnostics : &at->others, diagnostic);
  }
}

/* ---- test cases ------------------------------------------------------------------------------------ */

typedef struct totals {
  size_t cases, failures, skipped;
} totals;

static void begin_case(mst_str *out, const char *class_name, const char *name) {
  mst_str_add(out, "    <testcase");
  add_attribute(out, "classname", class_name);
  add_attribute(out, "name", name);
}

static void add_failure(mst_str *out, const file_text *text) {
  mst_str message = {0};
  mst_add_number_of(&message, text->count, "place");
  mst_str_add(&message, text->count == 1 ? " counts in the verdict" : " count in the verdict");
  mst_str_addf(out, "      <failure type=\"muster\" message=\"%s\">", mst_str_text(&message));
  mst_str_add(out, mst_str_text(&text->complaints));
  mst_str_add(out, "</failure>\n");
  if (message.failed) out->failed = true;
  mst_str_reset(&message);
}

static void add_output(mst_str *out, const char *indentation, const mst_str *text) {
  if (text->length > 0)
    mst_str_addf(out, "%s<system-out>%s</system-out>\n", indentation, mst_str_text(text));
  if (text->failed) out->failed = true;
}

static void add_skipped(mst_str *out, const mst_result_file *file) {
  mst_str_add(out, "      <skipped");
  add_attribute(out, "message", file->reason != NULL ? file->reason : file->status);
  mst_str_add(out, "/>\n");
}

static void add_case(mst_str *out, const mst_result_file *file, const file_text *text,
                     totals *sums) {
  const bool is_skipped = strcmp(file->status, "not assessed") == 0;
  begin_case(out, "muster.files", file->path);
  add_attribute(out, "file", file->path);
  if (text->line > 0) mst_str_addf(out, " line=\"%" PRIu32 "\"", text->line);
  mst_str_add(out, ">\n");
  if (is_skipped)
    add_skipped(out, file);
  else if (text->count > 0)
    add_failure(out, text);
  add_output(out, "      ", &text->diagnostics);
  mst_str_add(out, "    </testcase>\n");
  sums->cases++;
  sums->skipped += is_skipped;
  sums->failures += !is_skipped && text->count > 0;
  if (text->complaints.failed) out->failed = true;
}

static void add_others(const mst_assessment_result *result, cursor *at, mst_str *out) {
  for (; at->diagnostic < result->diagnostic_count; at->diagnostic++)
    take_diagnostic(&at->others, &result->diagnostics[at->diagnostic]);
  if (result->manifest_warning != NULL) {
    add_xml(&at->others, result->manifest_warning);
    mst_str_add(&at->others, "\n");
  }
  add_output(out, "    ", &at->others);
  mst_str_reset(&at->others);
}

static void add_files(const mst_assessment_result *result, cursor *at, mst_str *out, totals *sums) {
  for (size_t i = 0; i < result->file_count; i++) {
    const mst_result_file *file = &result->files[i];
    file_text text = {0};
    if (strcmp(file->status, "skipped") == 0) continue;
    gather(result, file->path, at, &text);
    add_case(out, file, &text, sums);
    mst_str_reset(&text.complaints);
    mst_str_reset(&text.diagnostics);
  }
}

static void add_verdict(const mst_assessment_result *result, mst_str *out, totals *sums) {
  begin_case(out, "muster", "verdict");
  mst_str_add(out, ">\n      <system-out>");
  add_xml(out, result->verdict_sentence);
  mst_str_add(out, "\n");
  add_xml(out, result->runs_sentence);
  mst_str_add(out, "</system-out>\n    </testcase>\n");
  sums->cases++;
}

/* ---- the suite --------------------------------------------------------------------------------------- */

static void add_property(mst_str *out, const char *name, const char *value) {
  mst_str_add(out, "      <property");
  add_attribute(out, "name", name);
  add_attribute(out, "value", value);
  mst_str_add(out, "/>\n");
}

static void add_properties(const mst_assessment_result *result, mst_str *out) {
  const char *verdict = mst_verdict_name(result->verdict);
  mst_str_add(out, "    <properties>\n");
  add_property(out, "verdict", verdict != NULL ? verdict : "none");
  add_property(out, "runs", result->runs ? "true" : "false");
  if (result->composite != NULL) add_property(out, "composite", result->composite);
  for (unsigned i = 0; i < 6; i++) {
    char name[16];
    snprintf(name, sizeof name, "gate %u", result->gates[i].number);
    add_property(out, name, mst_gate_status_name(result->gates[i].status));
  }
  mst_str_add(out, "    </properties>\n");
}

static void begin_element(mst_str *out, const char *name, const totals *sums) {
  mst_str_addf(out,
               "<%s name=\"muster assess\" tests=\"%zu\" failures=\"%zu\" errors=\"0\" "
               "skipped=\"%zu\">\n",
               name, sums->cases, sums->failures, sums->skipped);
}

muster_status mst_write_junit(const mst_assessment_result *result,
                              const mst_report_options *options, mst_str *out,
                              muster_error *error) {
  (void)options;
  mst_str cases = {0};
  totals sums = {0};
  cursor at = {0};
  add_files(result, &at, &cases, &sums);
  add_verdict(result, &cases, &sums);
  add_others(result, &at, &cases);
  mst_str_add(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
  begin_element(out, "testsuites", &sums);
  mst_str_add(out, "  ");
  begin_element(out, "testsuite", &sums);
  add_properties(result, out);
  mst_str_add(out, mst_str_text(&cases));
  mst_str_add(out, "  </testsuite>\n</testsuites>\n");
  const bool failed = out->failed || cases.failed;
  mst_str_reset(&cases);
  return failed ? mst_fail_memory(error) : MUSTER_OK;
}
