/* SPDX-License-Identifier: Apache-2.0 */
/* One pass over all nodes for all rules, and what becomes of their findings. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rules/rule.h"
#include "rules/suggest.h"

#define EVIDENCE_LINES 6
#define LINE_BYTES 400
#define TEXT_BYTES 60
#define MOST_LOOKED_AT 64
/* Programs hold few places for which a rule looks through all modules; one that is made of them is
 * not to take hours. */
#define MOST_SEARCHED 200000000

/* ---- texts ----------------------------------------------------------------------------------- */

/* Moves a string to a plain buffer, cut between characters: strings own memory, and must be gone
 * before anything is taken from an arena that may jump out. */
static void move_text(mst_arena *arena, mst_str *from, char *to, size_t size) {
  const bool failed = from->failed;
  const char *text = mst_str_text(from);
  size_t length = strlen(text);
  if (length >= size) {
    length = size - 1;
    while (length > 0 && ((unsigned char)text[length] & 0xc0) == 0x80)
      length--;
  }
  memcpy(to, text, length);
  to[length] = '\0';
  mst_str_reset(from);
  if (failed) mst_arena_give_up(arena);
}

const char *mst_text_of(const mst_rule_context *context, mst_place place) {
  char text[TEXT_BYTES * 2];
  mst_str str = {0};
  mst_add_text(place, &str, TEXT_BYTES);
  move_text(context->arena, &str, text, sizeof text);
  return mst_arena_text(context->arena, text, strlen(text));
}

const char *mst_path_text(mst_arena *arena, const char *path) {
  const size_t room = strlen(path) * strlen("\\x60") + 1; /* no byte takes more than that */
  char *text = mst_arena_new(arena, room);
  mst_str str = {0};
  mst_add_path(&str, path);
  move_text(arena, &str, text, room);
  return text;
}

__attribute__((format(printf, 2, 0))) static const char *
format_text(mst_arena *arena, const char *format, va_list args) {
  va_list again;
  va_copy(again, args);
  const int length = vsnprintf(NULL, 0, format, args);
  char *text = mst_arena_new(arena, (size_t)(length > 0 ? length : 0) + 1);
  if (length > 0) vsnprintf(text, (size_t)length + 1, format, again);
  va_end(again);
  return text;
}

const char *mst_format_text(mst_arena *arena, const char *format, ...) {
  va_list args;
  va_start(args, format);
  const char *text = format_text(arena, format, args);
  va_end(args);
  return text;
}

mst_place mst_standing(mst_place place) {
  return mst_place_at(place, mst_statement_of(place.module->tree, place.node));
}

/* ---- evidence ---------------------------------------------------------------------------------- */

static void add_line(mst_arena *arena, mst_finding *finding, const char *line) {
  const size_t bytes = finding->evidence_count * sizeof *finding->evidence;
  finding->evidence =
      mst_arena_grow(arena, finding->evidence, bytes, bytes + sizeof *finding->evidence);
  finding->evidence[finding->evidence_count++] = line;
}

void mst_add_evidence(mst_rule_context *context, mst_finding *finding, const char *format, ...) {
  if (finding == NULL) return;
  va_list args;
  va_start(args, format);
  const char *line = format_text(context->arena, format, args);
  va_end(args);
  add_line(context->arena, finding, line);
}

/* The chain comes as lines of one text. */
static void add_value_evidence(mst_arena *arena, mst_finding *finding, mst_place place,
                               const mst_value *value) {
  char text[EVIDENCE_LINES * LINE_BYTES];
  mst_str lines = {0};
  mst_explain_value(place, value, &lines, EVIDENCE_LINES);
  move_text(arena, &lines, text, sizeof text);
  for (const char *line = text; *line != '\0';) {
    const size_t length = strcspn(line, "\n");
    add_line(arena, finding, mst_arena_text(arena, line, length));
    line += length + (line[length] == '\n');
  }
}

/* The last line says why the place is as hot as it is, where that matters; a rule that took the
 * heat of another place has said why itself. */
static void add_heat_evidence(const mst_program *program, mst_arena *arena, mst_finding *finding) {
  if (finding->outcome != MST_OUTCOME_COST) return;
  mst_place place = {program, finding->module, finding->about};
  const mst_loop *loop = mst_loop_by_node(place);
  if (loop != NULL) place.node = loop->body;
  if (mst_heat_at(place) != finding->heat) return;
  char line[LINE_BYTES];
  mst_str text = {0};
  mst_explain_heat(place, &text);
  move_text(arena, &text, line, sizeof line);
  if (line[0] != '\0') add_line(arena, finding, mst_arena_text(arena, line, strlen(line)));
}

/* ---- findings ---------------------------------------------------------------------------------- */

static bool stops_the_program(const mst_finding *finding) {
  return finding->outcome == MST_OUTCOME_RAISES || finding->outcome == MST_OUTCOME_WRONG;
}

void mst_settle(mst_finding *finding) {
  finding->counts = false;
  if (finding->confidence < MST_LIKELY || finding->rule->counts == MST_COUNTS_NEVER) return;
  const bool is_hot = finding->heat == MST_HEAT_HOT;
  finding->counts =
      stops_the_program(finding) || is_hot || finding->rule->counts == MST_COUNTS_ANYWHERE ||
      (finding->rule->counts == MST_COUNTS_HOT_PATH && finding->heat == MST_HEAT_PRESUMED);
}

/* False for a cost where it is paid rarely: a rule has nothing to say there. */
static bool is_worth_saying(const mst_finding *finding) {
  const mst_rule *rule = finding->rule;
  if (rule->category != MST_BLOCKS && rule->category != MST_REFACTOR) return true;
  if (stops_the_program(finding) || rule->is_told_anywhere) return true;
  switch (rule->counts) {
  case MST_COUNTS_HOT: return finding->heat == MST_HEAT_HOT || finding->heat == MST_HEAT_UNKNOWN;
  case MST_COUNTS_HOT_PATH: return finding->heat >= MST_HEAT_UNKNOWN;
  default: return true;
  }
}

static mst_node_id statement_of(const mst_finding *finding) {
  return mst_statement_of(finding->module->tree, finding->node);
}

static int order_of_quality(const mst_finding *a, const mst_finding *b) {
  if (a->counts != b->counts) return a->counts ? -1 : 1;
  if (a->heat != b->heat) return a->heat > b->heat ? -1 : 1;
  if (a->confidence != b->confidence) return a->confidence > b->confidence ? -1 : 1;
  return 0;
}

/* The finding of the same rule and statement, if there is one among the last. A pass goes forward,
 * so that it need not look beyond the findings of earlier statements; what escapes it is found when
 * all are sorted. */
static mst_finding *same_finding(const mst_findings *findings, const mst_finding *wanted) {
  const mst_node_id statement = statement_of(wanted);
  const size_t stop = findings->length > MOST_LOOKED_AT ? findings->length - MOST_LOOKED_AT : 0;
  for (size_t i = findings->length; i > stop; i--) {
    mst_finding *found = &findings->data[i - 1];
    if (found->module != wanted->module || statement_of(found) < statement) return NULL;
    if (found->rule == wanted->rule && statement_of(found) == statement) return found;
  }
  return NULL;
}

mst_finding *mst_add_finding(mst_rule_context *context, mst_place place, const mst_value *value,
                             const char *format, ...) {
  const mst_rule *rule = context->rule;
  mst_place about = place;
  if (context->node != 0 && mst_is_within(place.module->tree, context->node, place.node))
    about.node = context->node;
  mst_finding finding = {
      .rule = rule,
      .module = place.module,
      .node = place.node,
      .about = about.node,
      .outcome = rule->outcome,
      .heat = mst_heat_at(about),
      .confidence = value != NULL ? (mst_confidence)value->confidence : MST_CERTAIN,
      .recipe = rule->recipe,
  };
  mst_settle(&finding);
  mst_finding *same = same_finding(context->findings, &finding);
  if (same != NULL && order_of_quality(same, &finding) <= 0) return NULL;
  va_list args;
  va_start(args, format);
  finding.message = format_text(context->arena, format, args);
  va_end(args);
  if (value != NULL) add_value_evidence(context->arena, &finding, about, value);
  if (same != NULL) {
    *same = finding;
    return same;
  }
  mst_arena_push(context->arena, context->findings, finding);
  return &context->findings->data[context->findings->length - 1];
}

/* ---- after all rules --------------------------------------------------------------------------- */

static int compare_modules(const mst_finding *a, const mst_finding *b) {
  /* All modules lie in one array. */
  return a->module < b->module ? -1 : a->module > b->module;
}

static int compare_nodes(mst_node_id a, mst_node_id b) { return a < b ? -1 : a > b; }

/* Findings of one rule and statement side by side, the best first. */
static int by_statement(const void *left, const void *right) {
  const mst_finding *a = left;
  const mst_finding *b = right;
  int order = compare_modules(a, b);
  if (order == 0) order = compare_nodes(statement_of(a), statement_of(b));
  if (order == 0) order = strcmp(a->rule->id, b->rule->id);
  if (order == 0) order = order_of_quality(a, b);
  if (order == 0) order = compare_nodes(a->about, b->about);
  return order != 0 ? order : strcmp(a->message, b->message);
}

static int by_position(const void *left, const void *right) {
  const mst_finding *a = left;
  const mst_finding *b = right;
  const uint32_t start_a = mst_node_at(a->module->tree, a->node)->start;
  const uint32_t start_b = mst_node_at(b->module->tree, b->node)->start;
  int order = compare_modules(a, b);
  if (order == 0) order = start_a < start_b ? -1 : start_a > start_b;
  if (order == 0) order = strcmp(a->rule->id, b->rule->id);
  return order != 0 ? order : compare_nodes(a->about, b->about);
}

static void sort(mst_findings *findings, int (*compare)(const void *, const void *)) {
  if (findings->length > 1)
    qsort(findings->data, findings->length, sizeof *findings->data, compare);
}

static void keep_the_best(mst_findings *findings) {
  size_t kept = 0;
  sort(findings, by_statement);
  for (size_t i = 0; i < findings->length; i++) {
    const mst_finding *finding = &findings->data[i];
    const mst_finding *last = kept > 0 ? &findings->data[kept - 1] : NULL;
    if (!is_worth_saying(finding)) continue;
    if (last != NULL && last->rule == finding->rule && last->module == finding->module &&
        statement_of(last) == statement_of(finding))
      continue;
    findings->data[kept++] = *finding;
  }
  findings->length = kept;
  sort(findings, by_position);
}

/* ---- the pass ----------------------------------------------------------------------------------- */

/* Rules by the kinds that they want, as bits in their order. */
typedef struct dispatch {
  uint64_t rules[MST_KINDS];
} dispatch;

static void dispatch_init(dispatch *table) {
  *table = (dispatch){{0}};
  for (unsigned i = 0; i < mst_rule_count; i++)
    for (const uint8_t *kind = mst_rules[i]->kinds; *kind != MST_K_NONE; kind++)
      table->rules[*kind] |= UINT64_C(1) << i;
}

static void visit(mst_rule_context *context, const dispatch *table, mst_place place) {
  uint64_t rules = table->rules[mst_kind_of(place.module->tree, place.node)];
  context->node = place.node;
  for (unsigned i = 0; rules != 0; i++, rules >>= 1) {
    if ((rules & 1) == 0) continue;
    context->rule = mst_rules[i];
    mst_rules[i]->visit(context, place);
  }
}

static void run_module(mst_rule_context *context, const dispatch *table, const mst_module *module) {
  const mst_tree *tree = module->tree;
  const mst_function *functions = context->program->functions.data;
  uint32_t function = UINT32_MAX; /* the one looked up last */
  mst_node_id node = 1;
  while (node < tree->count) {
    const bool is_new = module->function_of[node] != function;
    if (is_new) function = module->function_of[node];
    /* What numba compiles is no array code of ours. */
    if (is_new && functions[function].is_jit) {
      node = mst_subtree_end(tree, node);
      function = UINT32_MAX;
      continue;
    }
    visit(context, table, (mst_place){context->program, module, node});
    node++;
  }
}

void mst_run_rules(const mst_program *program, mst_module_range modules, mst_arena *arena,
                   mst_findings *out) {
  dispatch table;
  const uint64_t share = modules.end - modules.first;
  mst_rule_context context = {.program = program,
                              .arena = arena,
                              .findings = out,
                              .searches = MOST_SEARCHED * share / program->module_count};
  dispatch_init(&table);
  for (uint32_t i = modules.first; i < modules.end; i++)
    run_module(&context, &table, &program->modules[i]);
  keep_the_best(out);
  for (size_t i = 0; i < out->length; i++)
    add_heat_evidence(program, arena, &out->data[i]);
}
