/* SPDX-License-Identifier: Apache-2.0 */
#include "rules/common.h"
#include "rules/vectorized.h"

/* ---- where the result is used --------------------------------------------------------------------- */

typedef struct usage {
  mst_heat heat; /* of the hottest use */
  bool is_used;
  mst_place place; /* of that use; node 0: it is not known */
  mst_vectorized_uses all;
} usage;

static void note(usage *use, mst_heat heat, mst_place place) {
  if (use->is_used && heat <= use->heat) return;
  use->heat = heat;
  use->is_used = true;
  use->place = place;
}

static void note_call(usage *use, mst_place call) {
  if (use->all.count == MST_MOST_CALLS)
    use->all.is_elsewhere = true;
  else
    use->all.calls[use->all.count++] = call;
}

/* Handed on: nobody knows how often it is called. */
static usage used_somehow(mst_heat heat) {
  return (usage){.heat = heat, .is_used = true, .all = {.is_elsewhere = true}};
}

static bool is_read_of(mst_place place, mst_symbol name) {
  const mst_node *node = mst_node_at(place.module->tree, place.node);
  if (node->kind != MST_K_NAME && node->kind != MST_K_ATTRIBUTE) return false;
  return node->name == name && (node->flags & (MST_F_STORE | MST_F_DEL)) == 0;
}

static bool is_made_by(const mst_value *value, mst_place made) {
  return (value->flags & MST_VF_VECTORIZED) != 0 &&
         (value->storage == 0 || value->storage == made.module->node_base + made.node);
}

/* A read of the name, here or in another module, where it still is what was made. Called: as hot
 * as that place; handed on: nobody knows, which is like a function that is not seen in a loop. */
static void note_read(usage *use, mst_place place, mst_place made, mst_symbol name) {
  const mst_tree *tree = place.module->tree;
  if (!is_read_of(place, name)) return;
  const bool is_here = place.module == made.module;
  const mst_value *value = mst_value_at(place);
  const bool is_decorated = value->kind == MST_V_FUNCTION && is_here;
  if (value->kind == MST_V_UNKNOWN || value->kind == MST_V_BOTTOM) use->all.is_elsewhere = true;
  if (!is_made_by(value, made) && !is_decorated) return;
  const mst_node_id parent = mst_node_at(tree, place.node)->parent;
  const bool is_called =
      mst_kind_of(tree, parent) == MST_K_CALL && mst_node_at(tree, parent)->first == place.node;
  note(use, is_called ? mst_heat_at(place) : MST_HEAT_PRESUMED, place);
  if (is_called)
    note_call(use, mst_place_at(place, parent));
  else
    use->all.is_elsewhere = true;
}

static usage uses_of_name(mst_rule_context *context, mst_place made, mst_symbol name) {
  usage use = {0};
  const mst_program *program = made.program;
  if (context->searches == 0) return used_somehow(MST_HEAT_UNKNOWN);
  for (uint32_t m = 0; m < program->module_count; m++) {
    const mst_module *module = &program->modules[m];
    if (!mst_is_mentioned(module, name)) continue;
    const uint32_t nodes = module->tree->count;
    context->searches -= nodes < context->searches ? nodes : context->searches;
    for (mst_node_id id = 1; id < nodes; id++)
      note_read(&use, (mst_place){program, module, id}, made, name);
  }
  return use;
}

/* `f = np.vectorize(g)`, `np.vectorize(g)(a)`, or something else that is done with it. */
static usage uses_of_call(mst_rule_context *context, mst_place made) {
  const mst_tree *tree = made.module->tree;
  const mst_node_id parent = mst_node_at(tree, made.node)->parent;
  const mst_node *target = mst_node_at(tree, mst_node_at(tree, parent)->first);
  switch (mst_kind_of(tree, parent)) {
  case MST_K_ASSIGN:
  case MST_K_ANN_ASSIGN:
    if (target->kind == MST_K_NAME || target->kind == MST_K_ATTRIBUTE)
      return uses_of_name(context, made, target->name);
    return used_somehow(MST_HEAT_PRESUMED);
  case MST_K_EXPRESSION: return (usage){0};
  case MST_K_CALL:
    if (mst_node_at(tree, parent)->first == made.node) {
      usage use = {.heat = mst_heat_at(made), .is_used = true, .place = made};
      note_call(&use, mst_place_at(made, parent));
      return use;
    }
    return used_somehow(MST_HEAT_PRESUMED);
  default: return used_somehow(MST_HEAT_PRESUMED);
  }
}

/* ---- the rule -------------------------------------------------------------------------------------- */

static bool is_vectorizer(const char *name) {
  static const char *const names[] = {"numpy.vectorize", "numpy.frompyfunc", NULL};
  return mst_one_of(name, names);
}

static void report(mst_rule_context *context, mst_place made, usage use) {
  if (!use.is_used) return;
  mst_finding *finding =
      mst_add_finding(context, made, NULL, "`%s` calls a Python function for each element",
                      mst_text_of(context, made));
  if (finding == NULL) return;
  finding->heat = use.heat;
  mst_settle(finding);
  mst_suggest_whole_arrays(context, finding, made, &use.all);
  if (use.place.node == 0 || use.place.node == made.node) return;
  const mst_tree *tree = use.place.module->tree;
  const mst_position position =
      mst_source_position(tree->source, mst_node_at(tree, use.place.node)->start);
  mst_add_evidence(context, finding, "used in a %s place (%s:%u)", mst_heat_name(use.heat),
                   mst_path_text(context->arena, tree->source->path), position.line);
}

/* @np.vectorize and @np.vectorize(...) stand behind the body. */
static void visit_decorators(mst_rule_context *context, mst_place place) {
  const mst_tree *tree = place.module->tree;
  const mst_symbol name = mst_node_at(tree, place.node)->name;
  mst_node_id decorator = mst_child(tree, place.node, 3);
  for (; decorator != 0; decorator = mst_node_at(tree, decorator)->next) {
    const mst_place made = mst_place_at(place, decorator);
    const bool is_call = mst_kind_of(tree, decorator) == MST_K_CALL;
    if (is_vectorizer(is_call ? mst_called_name(made) : mst_expression_name(made)))
      report(context, made, uses_of_name(context, made, name));
  }
}

static bool is_decorator(mst_place place) {
  const mst_tree *tree = place.module->tree;
  return mst_kind_of(tree, mst_node_at(tree, place.node)->parent) == MST_K_FUNCTION;
}

static void visit(mst_rule_context *context, mst_place place) {
  if (mst_kind_of(place.module->tree, place.node) == MST_K_FUNCTION)
    visit_decorators(context, place);
  else if (is_vectorizer(mst_called_name(place)) && !is_decorator(place))
    report(context, place, uses_of_call(context, place));
}

static const uint8_t kinds[] = {MST_K_FUNCTION, MST_K_CALL, MST_K_NONE};

const mst_rule mst_rule_r102 = {
    .id = "R102",
    .name = "np.vectorize, np.frompyfunc",
    .category = MST_BLOCKS,
    .outcome = MST_OUTCOME_COST,
    .counts = MST_COUNTS_HOT_PATH,
    .is_told_anywhere = true,
    .recipe = "RR-where",
    .summary = "a Python function made into one for arrays, and called",
    .why = "The function still runs on the host, once for each element; nothing is distributed.",
    .kinds = kinds,
    .visit = visit,
};
