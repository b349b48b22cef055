/* SPDX-License-Identifier: Apache-2.0 */
/* The report as Markdown: the context table and eight sections, always all of them. */
#include <string.h>

#include "base/status.h"
#include "report/markdown.h"

/* ---- text ------------------------------------------------------------------------------------------ */

static bool is_word(char byte) {
  return (byte >= '0' && byte <= '9') || (byte >= 'a' && byte <= 'z') ||
         (byte >= 'A' && byte <= 'Z') || (unsigned char)byte >= 0x80;
}

/* Whether the sign at `at` would be Markdown: the name of a file is to stand there as it is. */
static bool is_live(const char *text, const char *at) {
  if (*at == '_') return at == text || !is_word(at[-1]) || !is_word(at[1]);
  return *at == '[' || *at == '*';
}

/* Everything but code spans is kept from being HTML, links, or emphasis; `|` would end a table's
 * cell. */
static void add_markdown(mst_str *out, const char *text, bool in_table, bool in_code) {
  mst_str line = {0};
  mst_add_printable(&line, text);
  for (const char *at = mst_str_text(&line); *at != '\0'; at++) {
    if (*at == '`') in_code = !in_code;
    if (*at == '<' && !in_code)
      mst_str_add(out, "&lt;");
    else if ((*at == '|' && in_table) || (!in_code && is_live(mst_str_text(&line), at)))
      mst_str_addf(out, "\\%c", *at);
    else
      mst_str_add_bytes(out, at, 1);
  }
  if (line.failed) out->failed = true;
  mst_str_reset(&line);
}

void mst_md_text(mst_str *out, const char *text) { add_markdown(out, text, false, false); }
void mst_md_cell(mst_str *out, const char *text) { add_markdown(out, text, true, false); }

void mst_md_code(mst_str *out, const char *text) {
  mst_str_add(out, "`");
  add_markdown(out, text, true, true);
  mst_str_add(out, "`");
}

void mst_md_place(mst_str *out, const mst_site *site) {
  mst_str text = {0};
  mst_add_place(&text, site);
  const char *fence = strchr(mst_str_text(&text), '`') != NULL ? "``" : "`";
  mst_str_addf(out, "%s%s%s", fence, mst_str_text(&text), fence);
  if (text.failed) out->failed = true;
  mst_str_reset(&text);
}

static void heading(mst_str *out, unsigned number, const char *title) {
  mst_str_addf(out, "\n## %u. %s\n\n", number, title);
}

/* ---- the top ------------------------------------------------------------------------------------------- */

static void add_files(const mst_assessment_result *result, mst_str *out) {
  const size_t skipped = mst_files_with(result, "skipped");
  const size_t left = mst_files_with(result, "not assessed");
  mst_str_add(out, "| files | ");
  mst_str_addf(out, "%zu assessed", mst_files_with(result, "assessed"));
  if (skipped > 0) mst_str_addf(out, ", %zu without NumPy", skipped);
  if (left > 0) mst_str_addf(out, ", %zu not assessed", left);
  mst_str_add(out, " | |\n");
}

static void add_context(const mst_assessment_result *result, mst_str *out) {
  mst_str_add(out, "# muster assess: will this NumPy code scale on cuPyNumeric?\n\n"
                   "| Context | Value | |\n|---|---|---|\n");
  for (unsigned i = 0; i < result->context_line_count; i++) {
    const mst_context_line *line = &result->context_lines[i];
    mst_str_addf(out, "| %s | ", line->item);
    mst_md_cell(out, line->value);
    mst_str_addf(out, " | %s |\n",
                 line->is_default      ? "default"
                 : line->is_configured ? "configured"
                                       : "given");
  }
  add_files(result, out);
  mst_str_add(out, "| API support | cuPyNumeric ");
  mst_md_cell(out, result->manifest_version != NULL ? result->manifest_version : "unknown");
  if (result->manifest_date != NULL) {
    mst_str_add(out, ", fetched ");
    mst_md_cell(out, result->manifest_date);
  }
  mst_str_add(out, " | |\n");
  if (result->manifest_warning != NULL) {
    mst_str_add(out, "\n> ");
    mst_md_text(out, result->manifest_warning);
    mst_str_add(out, "\n");
  }
}

static void add_diagnostics(const mst_assessment_result *result, bool of_comments,
                            const char *title, mst_str *out) {
  bool is_first = true;
  for (size_t i = 0; i < result->diagnostic_count; i++) {
    const mst_diagnostic *diagnostic = &result->diagnostics[i];
    if (mst_is_of_comment(diagnostic) != of_comments) continue;
    if (is_first) mst_str_addf(out, "\n%s:\n\n", title);
    is_first = false;
    mst_str_add(out, "- ");
    mst_md_place(out, &diagnostic->site);
    mst_str_add(out, ": ");
    mst_md_text(out, diagnostic->message);
    mst_str_add(out, "\n");
  }
}

/* The words in brackets behind each finding. */
static void add_legend(const mst_assessment_result *result, mst_str *out) {
  size_t count = 0;
  for (size_t i = 0; i < result->finding_count; i++)
    count += result->findings[i].rule->category != MST_SCALES;
  if (count == 0 || result->verdict == MST_VERDICT_NONE) return;
  mst_str_add(out, "\nIn brackets behind each finding: what it does on the target (raises, wrong "
                   "values, or cost); how often the place runs (hot: in a loop of many turns, "
                   "presumed: in a function that no loop is seen to call, periodic: every so many "
                   "turns, boundary: set-up and reports); and how sure it is.\n");
}

static void add_verdict(const mst_assessment_result *result, mst_str *out) {
  const char *name = mst_verdict_name(result->verdict);
  const char *sentence = result->verdict_sentence;
  heading(out, 1, "Verdict");
  if (name != NULL && mst_starts_with(sentence, name)) {
    mst_str_addf(out, "**%s**", name);
    sentence += strlen(name);
  }
  mst_md_text(out, sentence);
  mst_str_add(out, "\n");
  mst_md_text(out, result->runs_sentence);
  mst_str_add(out, "\n");
  if (result->composite != NULL) {
    mst_str_addf(out, "\nAltogether: **%s** (", result->composite);
    mst_md_text(out, result->composite_reason);
    mst_str_add(out, ").\n");
  }
  add_legend(result, out);
  if (result->imports_cupynumeric)
    mst_str_add(out, "\nThe code imports cupynumeric already: questions about its measured speed "
                     "belong to `legate --profile`.\n");
}

/* ---- 6: gaps ------------------------------------------------------------------------------------------- */

static void add_gaps(const mst_assessment_result *result, mst_str *out) {
  heading(out, 6, "API support gaps");
  if (result->gap_count == 0) {
    mst_str_addf(out, "%s.\n", mst_no_gap(result));
    return;
  }
  mst_str_add(out, "| Name | Level | Where | Heat | Note |\n|---|---|---|---|---|\n");
  for (size_t i = 0; i < result->gap_count; i++) {
    const mst_result_gap *gap = &result->gaps[i];
    mst_str_add(out, "| ");
    mst_md_code(out, gap->name);
    mst_str_addf(out, " | %s%s | ", gap->level, gap->raises ? ", raises" : "");
    mst_md_place(out, &gap->site);
    mst_str_addf(out, " | %s%s | ", mst_heat_name(gap->heat), gap->central ? ", central" : "");
    if (gap->note != NULL) mst_md_cell(out, gap->note);
    mst_str_add(out, " |\n");
  }
}

/* ---- 7: gates -------------------------------------------------------------------------------------------- */

static void add_row(mst_str *out, const char *item, int64_t number, bool is_bytes) {
  char text[24];
  if (number <= 0) return;
  if (is_bytes)
    mst_str_addf(out, "| %s | %s |\n", item, mst_human_bytes((double)number, text));
  else
    mst_str_addf(out, "| %s | %lld |\n", item, (long long)number);
}

static void add_reading(const mst_assessment_result *result, mst_str *out) {
  const mst_reading *reading = &result->reading;
  if (reading->elements <= 0) {
    mst_str_add(out, "\nMulti-GPU reading: the sizes are not known; say them by `--elements`.\n");
    return;
  }
  mst_str_add(out, "\n| Multi-GPU reading | |\n|---|---|\n");
  add_row(out, "elements of the largest array", reading->elements, false);
  if (reading->tier != NULL) mst_str_addf(out, "| tier | %s |\n", reading->tier);
  add_row(out, "bytes of an array", reading->bytes_per_array, true);
  add_row(out, "arrays alive, at least", reading->arrays_alive, false);
  add_row(out, "bytes alive, at least", reading->bytes_alive, true);
  add_row(out, "bytes for each GPU", reading->bytes_per_gpu, true);
  add_row(out, "halo exchanged in a step, for each GPU", reading->halo_bytes, true);
  add_row(out, "fewest GPUs that hold it", reading->smallest_gpus, false);
  add_row(out, "most GPUs that stay above the floor of 65,536 elements", reading->largest_gpus,
          false);
  mst_str_add(out, "\n");
  for (unsigned i = 0; i < reading->note_count; i++)
    mst_str_addf(out, "- %s\n", reading->notes[i]);
}

static void add_gates(const mst_assessment_result *result, mst_str *out) {
  heading(out, 7, "Decision-framework summary");
  mst_str_add(out, "| Gate | Status | Reason |\n|---|---|---|\n");
  for (unsigned i = 0; i < 6; i++) {
    const mst_gate *gate = &result->gates[i];
    mst_str_addf(out, "| %u %s | %s | ", gate->number, gate->name,
                 mst_gate_status_name(gate->status));
    mst_md_cell(out, gate->reason);
    mst_str_add(out, " |\n");
  }
  for (unsigned i = 0; i < 6; i++) {
    const mst_gate *gate = &result->gates[i];
    if (gate->site_count == 0) continue;
    mst_str_addf(out, "\nEvidence of gate %u:", gate->number);
    for (unsigned s = 0; s < gate->site_count; s++) {
      mst_str_add(out, s > 0 ? ", " : " ");
      mst_md_place(out, &gate->sites[s]);
    }
    mst_str_add(out, ".\n");
  }
  if (result->verdict != MST_VERDICT_NONE) add_reading(result, out);
}

/* ---- 8: next steps ------------------------------------------------------------------------------------------ */

static void add_step(const mst_next_step *step, unsigned number, mst_str *out) {
  mst_str_addf(out, "%u. ", number);
  if (step->recipe != NULL) mst_str_addf(out, "**%s** ", step->recipe);
  if (step->rule_count > 0) mst_str_add(out, "(");
  for (unsigned i = 0; i < step->rule_count; i++)
    mst_str_addf(out, "%s%s", i > 0 ? ", " : "", step->rules[i]);
  if (step->rule_count > 0) mst_str_add(out, ") ");
  mst_md_text(out, step->text);
  mst_str_add(out, " ");
  mst_add_number_of(out, step->sites, "place");
  mst_str_addf(out, ", %s; then the verdict is %s.\n", step->effort,
               mst_verdict_name(step->verdict_after));
}

static void add_steps(const mst_assessment_result *result, mst_str *out) {
  heading(out, 8, "Recommended next steps");
  if (result->verdict == MST_VERDICT_NONE) {
    mst_str_add(out, "n/a - see verdict\n");
    return;
  }
  for (unsigned i = 0; i < result->next_step_count; i++)
    add_step(&result->next_steps[i], i + 1, out);
  if (result->next_step_count == 0) mst_str_addf(out, "%s.\n", mst_no_step(result));
  if (result->pilot != NULL) {
    mst_str_add(out, "\nPilot: begin with ");
    mst_md_place(out, &(mst_site){.path = result->pilot});
    mst_str_add(out, ", which does most of the array work.\n");
  }
  mst_str_addf(out,
               "\nThen let cuPyNumeric's own Doctor watch a short run of it (put your program in "
               "the place of `main.py`):\n\n```\n%s\n```\n\n"
               "In `doctor.json` look for accesses to single elements, operations that went to the "
               "host, and repeated warnings with the same file and line: each should be a place "
               "that is named above. Branches on array data (R105) it does not report.\n",
               result->hand_off);
}

/* ---- all of it ------------------------------------------------------------------------------------------------- */

muster_status mst_write_markdown(const mst_assessment_result *result,
                                 const mst_report_options *options, mst_str *out,
                                 muster_error *error) {
  (void)options;
  add_context(result, out);
  add_diagnostics(result, false, "Not all could be read", out);
  add_diagnostics(result, true, "Suppressions to look at", out);
  add_verdict(result, out);
  heading(out, 2, "What works (SCALES)");
  mst_md_scales(result, out);
  heading(out, 3, "What blocks (BLOCKS)");
  mst_md_blocks(result, out);
  heading(out, 4, "What's fixable (REFACTOR)");
  mst_md_refactors(result, out);
  heading(out, 5, "Compatibility and cost notes (INFO)");
  mst_md_notes(result, out);
  mst_md_aside(result, out);
  mst_md_doctor(result, out);
  add_gaps(result, out);
  add_gates(result, out);
  add_steps(result, out);
  return out->failed ? mst_fail_memory(error) : MUSTER_OK;
}
