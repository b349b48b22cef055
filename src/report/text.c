/* SPDX-License-Identifier: Apache-2.0 */
/* A summary for a terminal: the verdict, why, where, and what to do. */
#include <string.h>

#include "base/status.h"
#include "report/report.h"

#define PLACES_OF_A_RULE 6

typedef struct text_writer {
  const mst_assessment_result *result;
  mst_str *out;
  unsigned width;
  bool colour;
} text_writer;

static const char *paint(const text_writer *writer, const char *code) {
  return writer->colour ? code : "";
}

#define BOLD "\x1b[1m"
#define DIM "\x1b[2m"
#define RED "\x1b[31m"
#define GREEN "\x1b[32m"
#define YELLOW "\x1b[33m"
#define PLAIN "\x1b[0m"

/* ---- lines ------------------------------------------------------------------------------------------- */

/* Code points, near enough to columns for breaking lines. */
static unsigned columns(const char *text, size_t length) {
  unsigned count = 0;
  for (size_t i = 0; i < length; i++)
    if (((unsigned char)text[i] & 0xc0) != 0x80) count++;
  return count;
}

/* Appends the text broken at blanks; `at` columns of the first line are taken already, further
 * lines are indented. */
static void wrap(const text_writer *writer, unsigned at, unsigned indent, const char *text) {
  mst_str line = {0};
  mst_add_printable(&line, text);
  bool fresh = true;
  for (const char *word = mst_str_text(&line); *word != '\0';) {
    const size_t length = strcspn(word, " ");
    const unsigned wide = columns(word, length);
    if (!fresh && at + 1 + wide > writer->width) {
      mst_str_addf(writer->out, "\n%*s", (int)indent, "");
      at = indent;
      fresh = true;
    }
    if (!fresh) mst_str_add(writer->out, " ");
    mst_str_add_bytes(writer->out, word, length);
    at += wide + (fresh ? 0 : 1);
    fresh = false;
    word += length + (word[length] == ' ');
  }
  mst_str_add(writer->out, "\n");
  if (line.failed) writer->out->failed = true;
  mst_str_reset(&line);
}

static void heading(const text_writer *writer, const char *title) {
  mst_str_addf(writer->out, "\n%s%s%s\n", paint(writer, BOLD), title, paint(writer, PLAIN));
}

/* ---- verdict ------------------------------------------------------------------------------------------- */

static const char *colour_of_verdict(mst_verdict verdict) {
  switch (verdict) {
  case MST_VERDICT_READY: return GREEN;
  case MST_VERDICT_LIGHT:
  case MST_VERDICT_SIGNIFICANT: return YELLOW;
  case MST_VERDICT_NOT_RECOMMENDED: return RED;
  case MST_VERDICT_NONE: break;
  }
  return "";
}

static void add_verdict(const text_writer *writer) {
  const mst_assessment_result *result = writer->result;
  const char *name = mst_verdict_name(result->verdict);
  const char *sentence = result->verdict_sentence;
  unsigned at = 0;
  if (name != NULL && mst_starts_with(sentence, name)) {
    mst_str_addf(writer->out, "%s%s%s%s", paint(writer, BOLD),
                 paint(writer, colour_of_verdict(result->verdict)), name, paint(writer, PLAIN));
    sentence += strlen(name);
    at = (unsigned)strlen(name);
  }
  wrap(writer, at, 0, sentence);
  wrap(writer, 0, 0, result->runs_sentence);
  if (result->composite == NULL) return;
  mst_str line = {0};
  mst_str_addf(&line, "Altogether: %s (%s).", result->composite, result->composite_reason);
  wrap(writer, 0, 0, mst_str_text(&line));
  if (line.failed) writer->out->failed = true;
  mst_str_reset(&line);
}

static void add_context(const text_writer *writer) {
  const mst_assessment_result *result = writer->result;
  mst_str line = {0};
  for (unsigned i = 0; i < result->context_line_count; i++)
    mst_str_addf(&line, "%s%s: %s", i > 0 ? "; " : "", result->context_lines[i].item,
                 result->context_lines[i].value);
  mst_str_addf(&line, "; files: %zu assessed, %zu without NumPy, %zu not assessed",
               mst_files_with(result, "assessed"), mst_files_with(result, "skipped"),
               mst_files_with(result, "not assessed"));
  mst_str_add(writer->out, paint(writer, DIM));
  wrap(writer, 0, 0, mst_str_text(&line));
  mst_str_add(writer->out, paint(writer, PLAIN));
  if (line.failed) writer->out->failed = true;
  mst_str_reset(&line);
}

/* ---- findings ------------------------------------------------------------------------------------------- */

/* Returns how many findings that stands for: it and those of its group. */
static size_t add_place_of(const text_writer *writer, size_t index, mst_groups *groups) {
  const mst_result_finding *finding = &writer->result->findings[index];
  mst_str line = {0}, lines = {0};
  const size_t others = mst_begin_group(groups, writer->result, index, &lines);
  mst_add_place(&line, &finding->site);
  mst_str_addf(&line, " %s", finding->message);
  if (others > 0) mst_str_addf(&line, "; likewise at %s", mst_str_text(&lines));
  if (others > 0 && finding->function != NULL) mst_str_addf(&line, " of `%s`", finding->function);
  mst_str_add(writer->out, "    ");
  wrap(writer, 4, 6, mst_str_text(&line));
  if (line.failed || lines.failed) writer->out->failed = true;
  mst_str_reset(&line);
  mst_str_reset(&lines);
  return others + 1;
}

static size_t count_of(const mst_assessment_result *result, const mst_rule *rule, bool counting) {
  size_t count = 0;
  for (size_t i = 0; i < result->finding_count; i++)
    if (result->findings[i].rule == rule && mst_has_a_say(&result->findings[i]) == counting)
      count++;
  return count;
}

static void add_rule(const text_writer *writer, const mst_rule *rule) {
  const mst_assessment_result *result = writer->result;
  size_t shown = 0, told = 0;
  mst_groups groups = {0};
  mst_str_addf(writer->out, "  %s%s%s %s", paint(writer, BOLD), rule->id, paint(writer, PLAIN),
               rule->name);
  const char *recipe = mst_recipe_name(rule->recipe);
  if (recipe != NULL) mst_str_addf(writer->out, " -> %s", recipe);
  mst_str_add(writer->out, "\n");
  for (size_t i = 0; i < result->finding_count && shown < PLACES_OF_A_RULE; i++) {
    const mst_result_finding *finding = &result->findings[i];
    if (finding->rule != rule || !mst_has_a_say(finding)) continue;
    if (mst_is_in_group(&groups, finding)) continue;
    told += add_place_of(writer, i, &groups);
    shown++;
  }
  const size_t count = count_of(result, rule, true);
  if (count > told) mst_str_addf(writer->out, "    and %zu more\n", count - told);
}

static void add_category(const text_writer *writer, mst_category category, const char *title) {
  heading(writer, title);
  bool any = false;
  for (unsigned r = 0; r < mst_rule_count; r++) {
    if (mst_rules[r]->category != category) continue;
    if (count_of(writer->result, mst_rules[r], true) == 0) continue;
    add_rule(writer, mst_rules[r]);
    any = true;
  }
  if (!any) mst_str_addf(writer->out, "  %s\n", mst_none(writer->result));
}

/* One line: what there is of it, by rule. */
static void add_counts(const text_writer *writer, const char *title, bool of_scales) {
  const mst_assessment_result *result = writer->result;
  mst_str line = {0};
  for (unsigned r = 0; r < mst_rule_count; r++) {
    const mst_rule *rule = mst_rules[r];
    if ((rule->category == MST_SCALES) != of_scales) continue;
    const size_t count =
        count_of(result, rule, false) +
        (of_scales || rule->category == MST_INFO ? count_of(result, rule, true) : 0);
    if (count == 0) continue;
    mst_str_addf(&line, "%s%s %s (%zu)", line.length > 0 ? ", " : "", rule->id, rule->name, count);
  }
  heading(writer, title);
  mst_str_add(writer->out, "  ");
  wrap(writer, 2, 2, line.length > 0 ? mst_str_text(&line) : mst_none(result));
  if (line.failed) writer->out->failed = true;
  mst_str_reset(&line);
}

static void add_gaps(const text_writer *writer) {
  const mst_assessment_result *result = writer->result;
  heading(writer, "API support gaps");
  if (result->gap_count == 0) mst_str_addf(writer->out, "  %s\n", mst_no_gap(writer->result));
  for (size_t i = 0; i < result->gap_count; i++) {
    const mst_result_gap *gap = &result->gaps[i];
    mst_str_add(writer->out, "  ");
    mst_add_place(writer->out, &gap->site);
    mst_str_addf(writer->out, " %s: %s%s, %s\n", gap->name, gap->level,
                 gap->raises ? ", raises" : "", mst_heat_name(gap->heat));
  }
}

/* ---- gates and steps ------------------------------------------------------------------------------------- */

static const char *colour_of_gate(mst_gate_status status) {
  return status == MST_GATE_PASS ? GREEN : status == MST_GATE_FAIL ? RED : YELLOW;
}

static void add_gates(const text_writer *writer) {
  heading(writer, "Gates");
  for (unsigned i = 0; i < 6; i++) {
    const mst_gate *gate = &writer->result->gates[i];
    const char *status = mst_gate_status_name(gate->status);
    mst_str_addf(writer->out, "  %u %-21s %s%-9s%s ", gate->number, gate->name,
                 paint(writer, colour_of_gate(gate->status)), status, paint(writer, PLAIN));
    wrap(writer, 36, 36, gate->reason);
  }
}

static void add_steps(const text_writer *writer) {
  const mst_assessment_result *result = writer->result;
  heading(writer, "Next steps");
  for (unsigned i = 0; i < result->next_step_count; i++) {
    const mst_next_step *step = &result->next_steps[i];
    mst_str line = {0};
    mst_str_addf(&line, "%s%s%s ", step->recipe != NULL ? step->recipe : "",
                 step->recipe != NULL ? ": " : "", step->text);
    mst_add_number_of(&line, step->sites, "place");
    mst_str_addf(&line, ", %s -> %s", step->effort, mst_verdict_name(step->verdict_after));
    mst_str_addf(writer->out, "  %u. ", i + 1);
    wrap(writer, 5, 5, mst_str_text(&line));
    if (line.failed) writer->out->failed = true;
    mst_str_reset(&line);
  }
  if (result->next_step_count == 0) mst_str_addf(writer->out, "  %s.\n", mst_no_step(result));
  if (result->pilot != NULL) {
    mst_str_add(writer->out, "  Pilot: ");
    mst_add_printable(writer->out, result->pilot);
    mst_str_add(writer->out, "\n");
  }
  mst_str_addf(writer->out, "  %s\n", result->hand_off);
}

static void add_doctor(const text_writer *writer) {
  mst_str line = {0};
  if (!writer->result->has_doctor) return;
  heading(writer, "Doctor");
  mst_add_doctor(writer->result, &line);
  mst_str_add(writer->out, "  ");
  wrap(writer, 2, 2, mst_str_text(&line));
  if (line.failed) writer->out->failed = true;
  mst_str_reset(&line);
}

static void add_diagnostics(const text_writer *writer, bool of_comments, const char *title) {
  const mst_assessment_result *result = writer->result;
  bool is_first = true;
  for (size_t i = 0; i < result->diagnostic_count; i++) {
    const mst_diagnostic *diagnostic = &result->diagnostics[i];
    if (mst_is_of_comment(diagnostic) != of_comments) continue;
    if (is_first) heading(writer, title);
    is_first = false;
    mst_str line = {0};
    mst_add_place(&line, &diagnostic->site);
    mst_str_addf(&line, ": %s", diagnostic->message);
    mst_str_add(writer->out, "  ");
    wrap(writer, 2, 4, mst_str_text(&line));
    if (line.failed) writer->out->failed = true;
    mst_str_reset(&line);
  }
}

muster_status mst_write_text(const mst_assessment_result *result, const mst_report_options *options,
                             mst_str *out, muster_error *error) {
  const text_writer writer = {.result = result,
                              .out = out,
                              .width = options->width > 0 ? options->width : 80,
                              .colour = options->colour};
  add_verdict(&writer);
  add_context(&writer);
  if (result->verdict != MST_VERDICT_NONE) {
    add_category(&writer, MST_BLOCKS, "Blocks");
    add_category(&writer, MST_REFACTOR, "Fixable");
    add_counts(&writer, "Scales", true);
    add_counts(&writer, "Notes, and findings worth a look", false);
    add_doctor(&writer);
    add_gaps(&writer);
    add_gates(&writer);
    add_steps(&writer);
  }
  add_diagnostics(&writer, false, "Not all could be read");
  add_diagnostics(&writer, true, "Suppressions to look at");
  return out->failed ? mst_fail_memory(error) : MUSTER_OK;
}
