/* SPDX-License-Identifier: Apache-2.0 */
/* Why a line has a finding, or has none: what the model knows of it. */
#include <string.h>

#include "assess/run.h"
#include "base/printable.h"
#include "base/status.h"

#define EVIDENCE_LINES 6
#define MOST_NAMES 24
#define LINE_BYTES 200 /* of the source line that are shown */

typedef struct line_scan {
  const mst_program *program;
  const mst_module *module;
  const mst_context *listed; /* which findings are */
  const mst_tally *tally;    /* of the findings, in their order */
  uint32_t cell, line;
  bool is_compared; /* with a baseline or a revision: see mst_explain_aside */
  mst_str *out;
} line_scan;

static bool is_on_line(const line_scan *scan, mst_node_id id) {
  const mst_tree *tree = scan->module->tree;
  const mst_position at = mst_source_position(tree->source, mst_node_at(tree, id)->start);
  return at.cell == scan->cell && at.line == scan->line;
}

static mst_place place_of(const line_scan *scan, mst_node_id id) {
  return (mst_place){scan->program, scan->module, id};
}

/* The statement of the line, or the first node on it. */
static mst_node_id first_on_line(const line_scan *scan) {
  for (mst_node_id id = 2; id < scan->module->tree->count; id++)
    if (is_on_line(scan, id)) return id;
  return 0;
}

/* ---- findings ----------------------------------------------------------------------------------------- */

static void add_findings(const line_scan *scan, const mst_findings *findings) {
  size_t count = 0, left_out = 0;
  for (size_t i = 0; i < findings->length; i++) {
    const mst_finding *finding = &findings->data[i];
    if (finding->module != scan->module || !is_on_line(scan, finding->node)) continue;
    if (!mst_is_listed(scan->listed, finding->rule->id)) {
      left_out++;
      continue;
    }
    const mst_suppression *by = scan->tally->findings.data[i].suppression;
    mst_str_addf(scan->out, "\n%s %s: %s (%s, %s; %s)\n", finding->rule->id, finding->rule->name,
                 finding->message, mst_heat_name(finding->heat),
                 mst_confidence_name(finding->confidence),
                 !finding->counts || by != NULL ? "does not count in the verdict"
                 : scan->is_compared            ? "counts in the verdict if it is new"
                                                : "counts in the verdict");
    if (by != NULL)
      mst_str_addf(scan->out, "  suppressed by the comment of line %u%s%s\n", by->line,
                   by->reason != NULL ? ": " : "", by->reason != NULL ? by->reason : "");
    for (unsigned e = 0; e < finding->evidence_count; e++)
      mst_str_addf(scan->out, "  %s\n", finding->evidence[e]);
    count++;
  }
  if (left_out > 0)
    mst_str_addf(scan->out, "\n%zu finding%s of rules that are not listed stand%s here.\n",
                 left_out, left_out == 1 ? "" : "s", left_out == 1 ? "s" : "");
  else if (count == 0)
    mst_str_add(scan->out, "\nNo finding stands here.\n");
}

/* ---- names ---------------------------------------------------------------------------------------------- */

static const char *library_of(const mst_value *value) {
  return value->library == MST_LIB_HOST   ? " of the host"
         : value->library == MST_LIB_CUPY ? " of CuPy"
                                          : "";
}

/* Kinds of which there is nothing more to say. */
static const char *plain_kind(mst_value_kind kind) {
  static const char *const names[] = {[MST_V_NONE] = "None",
                                      [MST_V_NUMBER] = "a number of the host",
                                      [MST_V_STRING] = "a string",
                                      [MST_V_DTYPE] = "a dtype",
                                      [MST_V_SLICE] = "a slice",
                                      [MST_V_RANGE] = "a range",
                                      [MST_V_LIST] = "a list",
                                      [MST_V_TUPLE] = "a tuple",
                                      [MST_V_SET] = "a set",
                                      [MST_V_DICT] = "a dict",
                                      [MST_V_ITERATOR] = "an iterator",
                                      [MST_V_MODULE] = "a module",
                                      [MST_V_FUNCTION] = "a function",
                                      [MST_V_CLASS] = "a class",
                                      [MST_V_INSTANCE] = "an object of a class of this program",
                                      [MST_V_DEFERRED] = "a 0-d array",
                                      [MST_V_ARRAY] = "an array"};
  const char *name = (size_t)kind < sizeof names / sizeof *names ? names[kind] : NULL;
  return name != NULL ? name : "not known, so that nothing is said about it";
}

static void add_kind(const line_scan *scan, const mst_value *value) {
  const bool is_named = value->kind == MST_V_API || value->kind == MST_V_OBJECT;
  if (is_named) {
    const char *name = mst_symbol_text(&scan->program->symbols, value->ref);
    mst_str_addf(scan->out, "%s`%s`", value->kind == MST_V_OBJECT ? "an object of " : "", name);
    return;
  }
  mst_str_add(scan->out, plain_kind((mst_value_kind)value->kind));
  if (value->kind == MST_V_ARRAY || value->kind == MST_V_DEFERRED)
    mst_str_add(scan->out, library_of(value));
  if (value->kind == MST_V_ARRAY && value->rank >= 0)
    mst_str_addf(scan->out, " of rank %d", value->rank);
}

static void add_chain(const line_scan *scan, mst_node_id id, const mst_value *value) {
  mst_str lines = {0};
  (void)mst_explain_value(place_of(scan, id), value, &lines, EVIDENCE_LINES);
  for (const char *line = mst_str_text(&lines); *line != '\0';) {
    const size_t length = strcspn(line, "\n");
    mst_str_addf(scan->out, "    %.*s\n", (int)length, line);
    line += length + (line[length] == '\n');
  }
  scan->out->failed |= lines.failed;
  mst_str_reset(&lines);
}

/* The names and attribute paths on the line, each once. */
static void add_names(const line_scan *scan) {
  char seen[MOST_NAMES][MST_PATH_BYTES];
  unsigned count = 0;
  for (mst_node_id id = 2; id < scan->module->tree->count && count < MOST_NAMES; id++) {
    const mst_kind kind = mst_kind_of(scan->module->tree, id);
    if ((kind != MST_K_NAME && kind != MST_K_ATTRIBUTE) || !is_on_line(scan, id)) continue;
    const char *path = mst_path_of(place_of(scan, id), seen[count]);
    const mst_value *value = &scan->module->values[id];
    unsigned at = 0;
    while (path != NULL && at < count && strcmp(seen[at], path) != 0)
      at++;
    if (path == NULL || at < count) continue;
    if (count == 0) mst_str_add(scan->out, "\nNames on this line:\n");
    count++;
    mst_str_addf(scan->out, "  `%s` is ", path);
    add_kind(scan, value);
    const bool is_array = value->kind == MST_V_ARRAY || value->kind == MST_V_DEFERRED;
    if (is_array)
      mst_str_addf(scan->out, " (%s)", mst_confidence_name((mst_confidence)value->confidence));
    mst_str_add(scan->out, "\n");
    if (is_array) add_chain(scan, id, value);
  }
}

/* ---- loops and heat ---------------------------------------------------------------------------------------- */

static void add_loop(const line_scan *scan, const mst_loop *loop, const char *what) {
  const mst_tree *tree = scan->program->modules[loop->module].tree;
  const mst_position at = mst_source_position(tree->source, mst_node_at(tree, loop->node)->start);
  mst_str_addf(scan->out, "  %s at line %u: %s", what, at.line, mst_loop_status_name(loop->status));
  if (loop->reason != NULL) mst_str_addf(scan->out, " (%s)", loop->reason);
  mst_str_add(scan->out, "\n");
}

static void add_loops(const line_scan *scan, mst_node_id id) {
  const mst_loop *own = mst_loop_by_node(place_of(scan, id));
  const mst_loop *loop = mst_loop_at(place_of(scan, id));
  mst_str_add(scan->out, "\nLoops around it, from within:\n");
  if (own != NULL) add_loop(scan, own, "this loop");
  for (const mst_loop *outer = loop; outer != NULL; outer = mst_loop_outside(scan->program, outer))
    if (outer != own) add_loop(scan, outer, "loop");
  if (own == NULL && loop == NULL) mst_str_add(scan->out, "  none in this function\n");
}

static void add_heat(const line_scan *scan, mst_node_id id) {
  const mst_place place = place_of(scan, id);
  mst_str why = {0};
  mst_explain_heat(place, &why);
  mst_str_addf(scan->out, "\nHeat: %s\n",
               why.length > 0 ? mst_str_text(&why) : mst_heat_name(mst_heat_at(place)));
  scan->out->failed |= why.failed;
  mst_str_reset(&why);
}

/* The line as it stands in the source, from its first node on. */
static void add_source_line(const line_scan *scan, mst_node_id first) {
  const mst_tree *tree = scan->module->tree;
  const char *text = tree->source->text + mst_node_at(tree, first)->start;
  size_t length = strcspn(text, "\n");
  const bool is_cut = length > LINE_BYTES;
  if (is_cut) length = LINE_BYTES;
  while (is_cut && length > 0 && ((unsigned char)text[length] & 0xc0) == 0x80)
    length--;
  mst_str_add(scan->out, "  ");
  mst_str_add_bytes(scan->out, text, length);
  mst_str_add(scan->out, is_cut ? "...\n" : "\n");
}

/* Lines of the cell, or of the file; 0: there is no such cell. */
static uint32_t lines_of(const mst_source *source, uint32_t cell) {
  if (source->cell_count == 0) return source->length > 0 ? source->line_count : 0;
  for (uint32_t i = 0; i < source->cell_count; i++) {
    if (source->cells[i].number != cell) continue;
    const uint32_t end =
        i + 1 < source->cell_count ? source->cells[i + 1].first_line : source->line_count;
    return end - source->cells[i].first_line;
  }
  return 0;
}

/* False, with what is wrong, when the file has no such line. */
static bool check_line(const line_scan *scan) {
  const mst_source *source = scan->module->tree->source;
  const bool is_notebook = mst_ends_with(source->path, ".ipynb");
  const uint32_t lines = lines_of(source, scan->cell);
  if (is_notebook && scan->cell == 0)
    mst_str_add(scan->out, "a notebook: name the cell, too, FILE:CELL:LINE");
  else if (!is_notebook && scan->cell > 0)
    mst_str_add(scan->out, "no notebook: it has lines, and no cells");
  else if (is_notebook && lines == 0)
    mst_str_addf(scan->out, "there is no code in a cell %u", scan->cell);
  else if (scan->line > lines)
    mst_str_addf(scan->out, "there is no line %u: %s has %u", scan->line,
                 is_notebook ? "the cell" : "it", lines);
  else
    return true;
  return false;
}

static void explain(const line_scan *scan, const mst_findings *findings) {
  const mst_node_id first = first_on_line(scan);
  mst_add_printable(scan->out, scan->module->tree->source->path);
  if (scan->cell > 0) mst_str_addf(scan->out, ":%u", scan->cell);
  mst_str_addf(scan->out, ":%u\n", scan->line);
  if (first == 0) {
    mst_str_add(scan->out, "\nNothing begins on this line.\n");
    return;
  }
  add_source_line(scan, first);
  add_findings(scan, findings);
  add_names(scan);
  add_loops(scan, first);
  add_heat(scan, first);
}

/* ---- the file ------------------------------------------------------------------------------------------------- */

static const char *without_dots(const char *path) {
  while (path[0] == '.' && path[1] == '/')
    path += path[2] == '/' ? 3 : 2;
  return path;
}

/* "./a.py" is "a.py". */
static bool is_same_path(const char *a, const char *b) {
  return strcmp(without_dots(a), without_dots(b)) == 0;
}

/* "b/a.py" is the end of "src/b/a.py". */
static bool is_end_of_path(const char *end, const char *path) {
  const size_t length = strlen(path), wanted = strlen(without_dots(end));
  return wanted > 0 && wanted < length && path[length - wanted - 1] == '/' &&
         strcmp(path + length - wanted, without_dots(end)) == 0;
}

muster_status mst_explain_find(mst_assess_run *run, muster_error *error) {
  const char *wanted = run->options->explain_path;
  const mst_unit *other = NULL;
  if (wanted == NULL) return MUSTER_OK;
  for (size_t i = 0; i < run->units.list.length; i++) {
    const mst_unit *unit = &run->units.list.data[i];
    if (is_same_path(unit->shown, wanted)) {
      run->explained = unit;
      return MUSTER_OK;
    }
    if (!is_end_of_path(wanted, unit->shown)) continue;
    if (run->explained == NULL)
      run->explained = unit;
    else if (other == NULL)
      other = unit;
  }
  if (other == NULL) return MUSTER_OK;
  return mst_fail(error, MUSTER_ERR_USAGE, NULL,
                  "'%s' may be %s or %s: give more of the path to explain", wanted,
                  run->explained->shown, other->shown);
}

void mst_explain_absence(const mst_unit *unit, mst_str *out) {
  mst_add_printable(out, unit->shown);
  mst_str_addf(out, " was not assessed: %s\n",
               unit->reason != NULL
                   ? unit->reason
                   : "neither it nor a file that it imports, or that imports it, speaks of NumPy");
}

static bool is_compared(const muster_assess_options *options) {
  return options->baseline != NULL || options->baseline_text != NULL ||
         options->changed_since != NULL;
}

/* Only all findings together tell which of several alike is known. */
void mst_explain_aside(const mst_assess_run *run, mst_str *out) {
  const mst_assessment_result *result = &run->assessment->result;
  for (size_t i = 0; i < result->all_finding_count; i++) {
    const mst_result_finding *finding = &result->all_findings[i];
    const mst_site *site = &finding->site;
    if (finding->aside != MST_ASIDE_KNOWN && finding->aside != MST_ASIDE_UNCHANGED) continue;
    if (finding->rule->category == MST_SCALES || site->line != run->options->explain_line ||
        site->cell != run->options->explain_cell || strcmp(site->path, run->explained->shown) != 0)
      continue;
    mst_str_addf(out, "\n%s is not new: %s. It does not count.\n", finding->rule->id,
                 finding->aside == MST_ASIDE_KNOWN ? "the baseline knows it"
                                                   : "its lines have not changed");
  }
}

bool mst_explain_line(const mst_program *program, mst_module_range modules,
                      const mst_findings *findings, const mst_tally *tally, const char *path,
                      const muster_assess_options *options, mst_str *out) {
  const mst_context listed = {.rules = options->rules,
                              .rule_count = (unsigned)options->rule_count,
                              .ignored_rules = options->ignored_rules,
                              .ignored_rule_count = (unsigned)options->ignored_rule_count};
  for (uint32_t i = modules.first; i < modules.end; i++) {
    const mst_module *module = &program->modules[i];
    if (strcmp(module->tree->source->path, path) != 0) continue;
    const line_scan scan = {.program = program,
                            .module = module,
                            .listed = &listed,
                            .tally = tally,
                            .cell = options->explain_cell,
                            .line = options->explain_line,
                            .is_compared = is_compared(options),
                            .out = out};
    if (!check_line(&scan)) return false;
    explain(&scan, findings);
  }
  return true;
}
