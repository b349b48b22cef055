/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Workflow commands of GitHub Actions, a line each. Of each kind GitHub shows the first ten of a
 * step at the lines and in its summary; the others are in the log.
 */
#include <inttypes.h>
#include <string.h>

#include "base/json.h"
#include "base/status.h"
#include "report/report.h"

#define MOST_NOTICES 9 /* beside the verdict, which would not be shown behind ten */

/* ---- escaping ---------------------------------------------------------------------------------- */

/* What would end the value. */
static void add_escaped(mst_str *out, const char *text, bool is_property) {
  const char *special = is_property ? "%\r\n:," : "%\r\n";
  while (*text != '\0') {
    const size_t length = strcspn(text, special);
    mst_str_add_bytes(out, text, length);
    text += length;
    if (*text == '\0') break;
    mst_str_addf(out, "%%%02X", (unsigned char)*text++);
  }
}

static void add_words(mst_str *out, const char *text, bool is_property) {
  mst_str line = {0};
  mst_add_printable(&line, text);
  add_escaped(out, mst_str_text(&line), is_property);
  if (line.failed) out->failed = true;
  mst_str_reset(&line);
}

static bool has_controls(const char *text) {
  for (; *text != '\0'; text++)
    if (((unsigned char)*text < 0x20 && *text != '\n' && *text != '\r') || *text == 0x7f)
      return true;
  return false;
}

/* The name itself, by which the file is found, where a log can hold it. */
static void add_file(mst_str *out, const char *path) {
  while (mst_starts_with(path, "./"))
    path += 2;
  if (mst_json_can_hold(path) && !has_controls(path))
    add_escaped(out, path, true);
  else
    add_words(out, path, true);
}

/* ---- commands -------------------------------------------------------------------------------------- */

/* All before the message. Lines of a notebook are no lines of its file. */
static void begin(mst_str *out, const char *command, const mst_site *site, const char *title) {
  mst_str_addf(out, "::%s file=", command);
  add_file(out, site->path);
  if (site->line > 0 && site->cell == 0) {
    mst_str_addf(out, ",line=%" PRIu32, site->line);
    if (site->end_line > site->line) mst_str_addf(out, ",endLine=%" PRIu32, site->end_line);
    if (site->column > 0) mst_str_addf(out, ",col=%" PRIu32, site->column);
  }
  mst_str_add(out, ",title=");
  add_words(out, title, true);
  mst_str_add(out, "::");
  if (site->cell > 0)
    mst_str_addf(out, "cell %" PRIu32 ", line %" PRIu32 ": ", site->cell, site->line);
}

static void add_finding(mst_str *out, const char *command, const mst_result_finding *finding) {
  mst_str title = {0};
  mst_str_addf(&title, "%s %s", finding->rule->id, finding->rule->name);
  begin(out, command, &finding->site, mst_str_text(&title));
  add_words(out, finding->message, false);
  const char *recipe = mst_recipe_name(finding->recipe);
  if (recipe != NULL && finding->counts) mst_str_addf(out, " (%s)", recipe);
  mst_str_add(out, "\n");
  if (title.failed) out->failed = true;
  mst_str_reset(&title);
}

static void add_gap(mst_str *out, const char *command, const mst_result_gap *gap) {
  mst_str message = {0};
  begin(out, command, &gap->site, "API support gap");
  mst_add_gap(&message, gap);
  add_escaped(out, mst_str_text(&message), false);
  mst_str_add(out, "\n");
  if (message.failed) out->failed = true;
  mst_str_reset(&message);
}

static void add_errors(const mst_assessment_result *result, mst_str *out) {
  for (size_t i = 0; i < result->finding_count; i++)
    if (mst_is_complaint(&result->findings[i]) && result->findings[i].counts)
      add_finding(out, "error", &result->findings[i]);
  for (size_t i = 0; i < result->gap_count; i++)
    if (mst_gap_counts(result, &result->gaps[i])) add_gap(out, "error", &result->gaps[i]);
}

/* Returns how many there are, of which some may not be written. */
static size_t add_notices(const mst_assessment_result *result, mst_str *out) {
  size_t count = 0;
  for (size_t i = 0; i < result->finding_count; i++) {
    const mst_result_finding *finding = &result->findings[i];
    if (finding->counts || !mst_is_complaint(finding)) continue;
    if (count++ < MOST_NOTICES) add_finding(out, "notice", finding);
  }
  for (size_t i = 0; i < result->gap_count; i++) {
    if (mst_gap_counts(result, &result->gaps[i])) continue;
    if (count++ < MOST_NOTICES) add_gap(out, "notice", &result->gaps[i]);
  }
  return count;
}

static void add_warning_of_manifest(mst_str *out, const char *message) {
  mst_str_add(out, "::warning title=table of API support::");
  add_words(out, message, false);
  mst_str_add(out, "\n");
}

static void add_warnings(const mst_assessment_result *result, mst_str *out) {
  if (result->manifest_warning != NULL) add_warning_of_manifest(out, result->manifest_warning);
  for (size_t i = 0; i < result->diagnostic_count; i++) {
    const mst_diagnostic *diagnostic = &result->diagnostics[i];
    if (mst_is_of_manifest(diagnostic)) {
      add_warning_of_manifest(out, diagnostic->message);
      continue;
    }
    begin(out, "warning", &diagnostic->site, diagnostic->kind);
    add_words(out, diagnostic->message, false);
    mst_str_add(out, "\n");
  }
}

static void add_verdict(const mst_assessment_result *result, size_t notices, mst_str *out) {
  const char *name = mst_verdict_name(result->verdict);
  mst_str_addf(out, "::notice title=muster%%3A %s::", name != NULL ? name : "no verdict");
  add_words(out, result->verdict_sentence, false);
  mst_str_add(out, " ");
  add_words(out, result->runs_sentence, false);
  if (notices > MOST_NOTICES)
    mst_str_addf(out, " Worth a look, and not listed here: %zu more.", notices - MOST_NOTICES);
  mst_str_add(out, "\n");
}

muster_status mst_write_github(const mst_assessment_result *result,
                               const mst_report_options *options, mst_str *out,
                               muster_error *error) {
  (void)options;
  add_errors(result, out);
  add_warnings(result, out);
  add_verdict(result, add_notices(result, out), out);
  return out->failed ? mst_fail_memory(error) : MUSTER_OK;
}
