/* SPDX-License-Identifier: Apache-2.0 */
/* The sources, line by line, coloured by what Legate would make of them. */
#include <inttypes.h>
#include <string.h>

#include "report/html.h"

#define OPEN_FILES 3 /* that are shown at once; the others are opened by the reader */

/* Lists are sorted by place, and so is what is kept of sources: each is walked once. */
typedef struct walk {
  const mst_html *page;
  const mst_result_file *file;
  size_t finding, gap, loop; /* the next of each */
  uint32_t cell;             /* of the line at hand ... */
  uint32_t line;
  uint32_t recurrence_end; /* last line of the recurrence around it, in this cell; 0: none */
} walk;

static int compare(const walk *at, const mst_site *site) {
  const int order = strcmp(site->path, at->file->path);
  if (order != 0) return order;
  if (site->cell != at->cell) return site->cell < at->cell ? -1 : 1;
  return (site->line > at->line) - (site->line < at->line);
}

/* Skips what stands before the line at hand. */
static void catch_up(walk *at) {
  const mst_assessment_result *result = at->page->result;
  while (at->finding < at->page->shown && compare(at, &result->findings[at->finding].site) < 0)
    at->finding++;
  while (at->gap < result->gap_count && compare(at, &result->gaps[at->gap].site) < 0)
    at->gap++;
  while (at->loop < result->loop_count && compare(at, &result->loops[at->loop].site) < 0)
    at->loop++;
}

/* The findings of the line at hand are those from `finding` on as long as this holds; and so for
 * gaps and loops. */
static bool is_finding_here(const walk *at, size_t index) {
  return index < at->page->shown && compare(at, &at->page->result->findings[index].site) == 0;
}

static bool is_gap_here(const walk *at, size_t index) {
  const mst_assessment_result *result = at->page->result;
  return index < result->gap_count && compare(at, &result->gaps[index].site) == 0;
}

static bool is_loop_here(const walk *at, size_t index) {
  const mst_assessment_result *result = at->page->result;
  return index < result->loop_count && compare(at, &result->loops[index].site) == 0;
}

/* ---- colours ------------------------------------------------------------------------------------- */

static const char *gap_kind(const walk *at, const mst_result_gap *gap) {
  if (gap->raises) return "raises";
  return mst_gap_counts(at->page->result, gap) ? "cost" : "note";
}

/* The worst first. */
static const char *worse(const char *a, const char *b) {
  static const char *const kinds[] = {"raises", "wrong",      "cost",   "host", "change",
                                      "note",   "recurrence", "scales", NULL};
  for (unsigned i = 0; kinds[i] != NULL; i++)
    if (strcmp(kinds[i], a) == 0 || strcmp(kinds[i], b) == 0) return kinds[i];
  return "none";
}

static const char *kind_of_line(walk *at) {
  const mst_assessment_result *result = at->page->result;
  const char *kind = "none";
  for (size_t i = at->finding; is_finding_here(at, i); i++)
    kind = worse(kind, mst_html_kind(&result->findings[i]));
  for (size_t i = at->gap; is_gap_here(at, i); i++)
    kind = worse(kind, gap_kind(at, &result->gaps[i]));
  for (size_t i = at->loop; is_loop_here(at, i); i++)
    if (strcmp(result->loops[i].status, "recurrence") == 0 &&
        at->recurrence_end < result->loops[i].site.end_line)
      at->recurrence_end = result->loops[i].site.end_line;
  return at->line <= at->recurrence_end ? worse(kind, "recurrence") : kind;
}

/* ---- one line ------------------------------------------------------------------------------------ */

static void add_praise(const walk *at) {
  for (size_t i = at->finding; is_finding_here(at, i); i++) {
    const mst_rule *rule = at->page->result->findings[i].rule;
    if (rule->category == MST_SCALES)
      mst_str_addf(at->page->out, " <abbr class=\"chip scales\" title=\"scales: %s\">%s</abbr>",
                   rule->name, rule->id);
  }
}

static void add_findings(const walk *at) {
  mst_str *out = at->page->out;
  for (size_t i = at->finding; is_finding_here(at, i); i++) {
    const mst_result_finding *finding = &at->page->result->findings[i];
    const char *effect = mst_outcome_name(finding->outcome);
    if (!mst_is_complaint(finding)) continue;
    mst_str_addf(out, "<div class=\"said\"><a class=\"chip %s\" href=\"#f%zu\">%s %s</a> ",
                 mst_html_kind(finding), i + 1, finding->rule->id,
                 effect != NULL ? effect : "note");
    mst_html_text(out, finding->message);
    mst_str_addf(out, " (%s%s)</div>\n", mst_heat_name(finding->heat),
                 finding->counts ? ", counts" : "");
  }
}

static void add_gaps(const walk *at) {
  mst_str *out = at->page->out;
  for (size_t i = at->gap; is_gap_here(at, i); i++) {
    const mst_result_gap *gap = &at->page->result->gaps[i];
    mst_str text = {0};
    mst_add_gap(&text, gap);
    mst_str_addf(out, "<div class=\"said\"><span class=\"chip %s\">API</span> ", gap_kind(at, gap));
    mst_html_text(out, mst_str_text(&text));
    mst_str_add(out, "</div>\n");
    if (text.failed) out->failed = true;
    mst_str_reset(&text);
  }
}

static void add_loops(const walk *at) {
  mst_str *out = at->page->out;
  for (size_t i = at->loop; is_loop_here(at, i); i++) {
    const mst_result_loop *loop = &at->page->result->loops[i];
    mst_str_addf(out, "<div class=\"said loop\">loop, %s: %s", mst_heat_name(loop->heat),
                 loop->status);
    if (loop->reason != NULL && *loop->reason != '\0') {
      mst_str_add(out, " - ");
      mst_html_text(out, loop->reason);
    }
    mst_str_add(out, "</div>\n");
  }
}

static void add_line(walk *at, const mst_result_line *line) {
  mst_str *out = at->page->out;
  at->line = line->number;
  catch_up(at);
  mst_str_addf(out, "<div class=\"line k-%s\" id=\"", kind_of_line(at));
  mst_html_add_line_id(at->page, at->file, at->cell, at->line);
  mst_str_addf(out, "\"><span class=\"n\">%" PRIu32 "</span><code>", at->line);
  mst_html_line(out, line->text, strlen(line->text));
  mst_str_add(out, line->is_cut ? "</code> &#8230;" : "</code>");
  add_praise(at);
  mst_str_add(out, "</div>\n");
  add_loops(at);
  add_findings(at);
  add_gaps(at);
}

/* What stands between two lines that do not follow one another. */
static void add_step(walk *at, const mst_result_line *line) {
  if (line->cell != at->cell) {
    at->cell = line->cell;
    at->line = at->recurrence_end = 0;
    mst_str_addf(at->page->out, "<div class=\"skip\">cell %" PRIu32 "</div>\n", line->cell);
  }
  const uint32_t left_out = line->number - at->line - 1;
  if (left_out == 0) return;
  mst_str_add(at->page->out, "<div class=\"skip\">");
  mst_add_number_of(at->page->out, left_out, "line");
  mst_str_add(at->page->out, "</div>\n");
}

/* ---- files --------------------------------------------------------------------------------------- */

static size_t count_complaints(const walk *at) {
  size_t count = 0;
  for (size_t i = at->finding; i < at->page->shown; i++) {
    const mst_result_finding *finding = &at->page->result->findings[i];
    const int order = strcmp(finding->site.path, at->file->path);
    if (order > 0) break;
    count += order == 0 && finding->counts && mst_is_complaint(finding);
  }
  return count;
}

static void add_file(walk *at, bool is_open, size_t complaints) {
  mst_str *out = at->page->out;
  const mst_result_text *text = &at->file->text;
  mst_str_addf(out, "<details class=\"source\"%s><summary>", is_open ? " open" : "");
  mst_html_code(out, at->file->path);
  mst_str_addf(out, " <span class=\"count\">%s", text->count < at->file->lines ? "parts of " : "");
  mst_add_number_of(out, at->file->lines, "line");
  if (complaints > 0) {
    mst_str_add(out, ", ");
    mst_add_number_of(out, complaints, "finding");
    mst_str_add(out, complaints == 1 ? " that counts" : " that count");
  }
  mst_str_add(out, "</span></summary>\n<div class=\"code\" tabindex=\"0\">\n");
  for (uint32_t i = 0; i < text->count; i++) {
    add_step(at, &text->lines[i]);
    add_line(at, &text->lines[i]);
  }
  if (at->cell == 0 && at->line < at->file->lines) {
    mst_str_add(out, "<div class=\"skip\">");
    mst_add_number_of(out, at->file->lines - at->line, "line");
    mst_str_add(out, "</div>\n");
  }
  mst_str_add(out, "</div></details>\n");
}

static const char legend[] =
    "<ul class=\"legend\" aria-label=\"Colours of lines\">"
    "<li class=\"k-scales\">scales</li><li class=\"k-raises\">raises</li>"
    "<li class=\"k-wrong\">wrong values</li><li class=\"k-cost\">cost</li>"
    "<li class=\"k-change\">cost, with a known change</li>"
    "<li class=\"k-host\">goes to the host</li>"
    "<li class=\"k-recurrence\">sequential recurrence</li><li class=\"k-note\">note</li></ul>\n";

void mst_html_sources(const mst_html *page) {
  walk at = {.page = page};
  unsigned open = 0;
  size_t without = 0, shown = 0;
  mst_str_add(page->out, legend);
  for (size_t i = 0; i < page->result->file_count; i++) {
    at.file = &page->result->files[i];
    const bool is_shown = at.file->text.count > 0;
    without += !is_shown && strcmp(at.file->status, "assessed") == 0;
    if (!is_shown) continue;
    at.cell = at.line = at.recurrence_end = 0;
    catch_up(&at);
    const size_t complaints = count_complaints(&at);
    const bool is_open = complaints > 0 && open < OPEN_FILES;
    add_file(&at, is_open, complaints);
    open += is_open;
    shown++;
  }
  if (without == 0) return;
  mst_str_add(page->out, "<p>Of ");
  mst_add_number_of(page->out, without, shown > 0 ? "further file" : "file");
  mst_str_add(page->out, " no lines are shown: nothing is said of them, their lines were not kept, "
                         "or the page would be too large.</p>\n");
}
