/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The result in few words, for language-model agents: lines that begin with what they are, and
 * below a file's name what is found in it. docs/agents.md is the contract.
 */
#include <inttypes.h>
#include <string.h>

#include "base/status.h"
#include "report/report.h"

/* What is beyond is told as a number: --format json has everything. */
#define MOST_FINDINGS 100
#define MOST_GAPS 40
#define MOST_DIAGNOSTICS 20

/* ---- lines ----------------------------------------------------------------------------------------- */

static void add_line(mst_str *out, const char *key, const char *text) {
  mst_str_addf(out, "%s: ", key);
  mst_add_printable(out, text);
  mst_str_add(out, "\n");
}

/* "12", "3:2" (cell and line). */
static void add_line_number(mst_str *out, const mst_site *site) {
  if (site->cell > 0) mst_str_addf(out, "%" PRIu32 ":", site->cell);
  mst_str_addf(out, "%" PRIu32, site->line);
}

static void add_more(mst_str *out, size_t count, size_t most) {
  if (count > most) mst_str_addf(out, "... %zu more: --format json\n", count - most);
}

/* The name of a file, unless it was the last that was named. */
static void add_file(mst_str *out, const char *path, const char **last) {
  if (*last != NULL && strcmp(*last, path) == 0) return;
  mst_add_printable(out, path);
  mst_str_add(out, "\n");
  *last = path;
}

/* ---- verdict --------------------------------------------------------------------------------------- */

static void add_verdict(const mst_assessment_result *result, mst_str *out) {
  const char *name = mst_verdict_name(result->verdict);
  add_line(out, "verdict", name != NULL ? name : "none");
  add_line(out, "why", result->verdict_sentence);
  add_line(out, "runs", result->runs_sentence);
  if (result->composite == NULL) return;
  mst_str_addf(out, "go: %s (", result->composite);
  mst_add_printable(out, result->composite_reason);
  mst_str_add(out, ")\n");
}

static void add_context(const mst_assessment_result *result, mst_str *out) {
  mst_str_add(out, "context:");
  for (unsigned i = 0; i < result->context_line_count; i++) {
    const mst_context_line *line = &result->context_lines[i];
    mst_str_addf(out, "%s %s: ", i > 0 ? ";" : "", line->item);
    mst_add_printable(out, line->value);
    if (line->is_default) mst_str_add(out, " (default)");
    if (line->is_configured) mst_str_add(out, " (configured)");
  }
  mst_str_add(out, "\n");
}

/* "R104 x3, R201 x1". */
static void add_rules(const mst_assessment_result *result, bool counting, mst_str *out) {
  size_t all = 0;
  for (unsigned r = 0; r < mst_rule_count; r++) {
    size_t count = 0;
    for (size_t i = 0; i < result->finding_count; i++) {
      const mst_result_finding *finding = &result->findings[i];
      count +=
          finding->rule == mst_rules[r] && finding->counts == counting && mst_is_complaint(finding);
    }
    if (count > 0) mst_str_addf(out, "%s%s x%zu", all > 0 ? ", " : "", mst_rules[r]->id, count);
    all += count;
  }
  if (all == 0) mst_str_add(out, "none");
  mst_str_add(out, "\n");
}

static void add_counts(const mst_assessment_result *result, mst_str *out) {
  size_t scales = 0;
  for (size_t i = 0; i < result->finding_count; i++)
    scales += !mst_is_complaint(&result->findings[i]);
  mst_str_addf(out, "files: %zu assessed, %zu without NumPy, %zu not assessed\n",
               mst_files_with(result, "assessed"), mst_files_with(result, "skipped"),
               mst_files_with(result, "not assessed"));
  mst_str_add(out, "in the verdict: ");
  add_rules(result, true, out);
  mst_str_add(out, "worth a look: ");
  add_rules(result, false, out);
  mst_str_addf(out, "scales: %zu\n", scales);
}

static void add_gates(const mst_assessment_result *result, mst_str *out) {
  bool any = false;
  mst_str_add(out, "gates passed:");
  for (unsigned i = 0; i < 6; i++) {
    const mst_gate *gate = &result->gates[i];
    if (gate->status != MST_GATE_PASS) continue;
    mst_str_addf(out, "%s %u %s", any ? "," : "", gate->number, gate->name);
    any = true;
  }
  mst_str_add(out, any ? "\n" : " none\n");
  for (unsigned i = 0; i < 6; i++) {
    const mst_gate *gate = &result->gates[i];
    if (gate->status == MST_GATE_PASS) continue;
    mst_str_addf(out, "gate %u %s: %s, ", gate->number, gate->name,
                 mst_gate_status_name(gate->status));
    mst_add_printable(out, gate->reason);
    mst_str_add(out, "\n");
  }
}

/* Of many GPUs the reading tells more than the gates. */
static void add_reading(const mst_assessment_result *result, mst_str *out) {
  const mst_reading *reading = &result->reading;
  char bytes[24];
  if (reading->elements <= 0) return;
  mst_str_addf(out, "size: %" PRId64 " elements", reading->elements);
  if (reading->tier != NULL) mst_str_addf(out, "; %s", reading->tier);
  if (reading->bytes_per_gpu > 0)
    mst_str_addf(out, "; at least %s a GPU",
                 mst_human_bytes((double)reading->bytes_per_gpu, bytes));
  if (reading->smallest_gpus > 0)
    mst_str_addf(out, "; fits into %" PRId64 " GPU%s", reading->smallest_gpus,
                 reading->smallest_gpus == 1 ? "" : "s");
  if (reading->largest_gpus > 0)
    mst_str_addf(out, "; up to %" PRId64 " GPUs have enough to do", reading->largest_gpus);
  mst_str_add(out, "\n");
}

/* ---- findings ---------------------------------------------------------------------------------------- */

static void add_finding(mst_str *out, const mst_result_finding *finding) {
  const char *effect = mst_outcome_name(finding->outcome);
  const char *recipe = mst_recipe_name(finding->recipe);
  mst_str_add(out, " ");
  add_line_number(out, &finding->site);
  mst_str_addf(out, " %s %s %s%s%s%s ", finding->rule->id, effect != NULL ? effect : "note",
               mst_heat_name(finding->heat), recipe != NULL ? " " : "",
               recipe != NULL ? recipe : "",
               finding->suggestion == NULL    ? ""
               : finding->suggestion->is_safe ? " +fix"
                                              : " +idea");
  mst_add_printable(out, finding->message);
  mst_str_add(out, "\n");
}

static void add_findings(const mst_assessment_result *result, mst_str *out) {
  const char *last = NULL;
  size_t count = 0;
  mst_str_add(out, "findings that count:\n");
  for (size_t i = 0; i < result->finding_count; i++) {
    const mst_result_finding *finding = &result->findings[i];
    if (!finding->counts || !mst_is_complaint(finding) || count++ >= MOST_FINDINGS) continue;
    add_file(out, finding->site.path, &last);
    add_finding(out, finding);
  }
  add_more(out, count, MOST_FINDINGS);
  if (count == 0) mst_str_add(out, "none\n");
}

static void add_gaps(const mst_assessment_result *result, mst_str *out) {
  const char *last = NULL;
  if (result->gap_count == 0) return;
  mst_str_add(out, "API gaps:\n");
  for (size_t i = 0; i < result->gap_count && i < MOST_GAPS; i++) {
    const mst_result_gap *gap = &result->gaps[i];
    add_file(out, gap->site.path, &last);
    mst_str_add(out, " ");
    add_line_number(out, &gap->site);
    mst_str_add(out, " ");
    mst_add_printable(out, gap->name);
    mst_str_addf(out, " %s%s %s%s\n", gap->level, gap->raises ? " raises" : "",
                 mst_heat_name(gap->heat),
                 mst_gap_counts(result, gap) && !gap->raises ? " counts" : "");
  }
  add_more(out, result->gap_count, MOST_GAPS);
}

/* ---- what to do -------------------------------------------------------------------------------------- */

static void add_steps(const mst_assessment_result *result, mst_str *out) {
  if (result->verdict == MST_VERDICT_NONE) return;
  mst_str_add(out, "next steps, in this order:\n");
  for (unsigned i = 0; i < result->next_step_count; i++) {
    const mst_next_step *step = &result->next_steps[i];
    mst_str_addf(out, " %u", i + 1);
    if (step->recipe != NULL) mst_str_addf(out, " %s", step->recipe);
    for (unsigned r = 0; r < step->rule_count; r++)
      mst_str_addf(out, "%s%s%s", r == 0 ? " (" : " ", step->rules[r],
                   r + 1 == step->rule_count ? ")" : "");
    mst_str_addf(out, " x%u, %s -> %s: ", step->sites, step->effort,
                 mst_verdict_name(step->verdict_after));
    mst_add_printable(out, step->text);
    mst_str_add(out, "\n");
  }
  if (result->next_step_count == 0)
    mst_str_addf(out, "none: %s has to change first\n",
                 mst_has_aside(result) ? "nothing else" : "nothing");
  if (result->pilot != NULL) add_line(out, "begin with", result->pilot);
}

static void add_diagnostics(const mst_assessment_result *result, mst_str *out) {
  if (result->diagnostic_count == 0) return;
  mst_str_add(out, "not read, or not all of it:\n");
  for (size_t i = 0; i < result->diagnostic_count && i < MOST_DIAGNOSTICS; i++) {
    mst_str_add(out, " ");
    mst_add_place(out, &result->diagnostics[i].site);
    mst_str_add(out, ": ");
    mst_add_printable(out, result->diagnostics[i].message);
    mst_str_add(out, "\n");
  }
  add_more(out, result->diagnostic_count, MOST_DIAGNOSTICS);
}

static void add_ways_on(const mst_assessment_result *result, mst_str *out) {
  if (mst_is_filtered(&result->context))
    mst_str_add(out, "left out: findings of some rules (--rule, --ignore); all are judged\n");
  if (result->manifest_warning != NULL) add_line(out, "warning", result->manifest_warning);
  mst_str_add(out, "more: muster assess PATH --explain FILE:LINE (notebooks: FILE:CELL:LINE); "
                   "muster explain R104; --format json\n");
  if (result->verdict != MST_VERDICT_NONE) add_line(out, "measure", result->hand_off);
}

muster_status mst_write_agent(const mst_assessment_result *result,
                              const mst_report_options *options, mst_str *out,
                              muster_error *error) {
  (void)options;
  mst_str_add(out, "muster.agent/1\n");
  add_verdict(result, out);
  add_context(result, out);
  add_counts(result, out);
  if (result->verdict != MST_VERDICT_NONE) {
    add_gates(result, out);
    add_reading(result, out);
    add_findings(result, out);
    add_gaps(result, out);
  }
  add_steps(result, out);
  add_diagnostics(result, out);
  add_ways_on(result, out);
  return out->failed ? mst_fail_memory(error) : MUSTER_OK;
}
