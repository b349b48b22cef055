/* SPDX-License-Identifier: Apache-2.0 */
#include "rules/places.h"

/* True when an array is handed over, so that what the call does with it matters. */
static bool gets_array(mst_place call) {
  const mst_tree *tree = call.module->tree;
  for (mst_node_id child = mst_child(tree, call.node, 1); child != 0;
       child = tree->nodes[child].next) {
    const bool is_keyword = mst_kind_of(tree, child) == MST_K_KEYWORD;
    const mst_node_id value = is_keyword ? tree->nodes[child].first : child;
    if (mst_is_target_array(mst_value_at(mst_place_at(call, value)))) return true;
  }
  return false;
}

static bool is_parameter(mst_place name) {
  const mst_function *function = mst_function_at(name);
  for (uint32_t i = 0; i < function->parameter_count; i++)
    if (function->parameters[i].name == mst_place_node(name)->name) return true;
  return false;
}

/* A callback, an entry of a table, getattr(...)(...). */
static bool is_dynamic(mst_place callee) {
  if (mst_value_at(callee)->kind > MST_V_UNKNOWN) return false;
  switch (mst_place_kind(callee)) {
  case MST_K_NAME: return is_parameter(callee);
  case MST_K_SUBSCRIPT: return true;
  case MST_K_CALL: {
    static const char *const names[] = {"builtins.getattr", NULL};
    return mst_one_of(mst_called_name(callee), names);
  }
  default: return false;
  }
}

static void visit(mst_rule_context *context, mst_place place) {
  const mst_place callee = mst_place_child(place, 0);
  const mst_function *function = mst_called_function(place);
  const bool is_opaque = function != NULL && function->is_opaque;
  if (!is_opaque && (mst_called_name(place) != NULL || !is_dynamic(callee))) return;
  if (mst_heat_at(place) < MST_HEAT_PRESUMED || !gets_array(place)) return;
  const char *text = mst_text_of(context, callee);
  if (is_opaque)
    mst_add_finding(context, mst_standing(place), NULL,
                    "`%s` stands under a decorator that could not be seen through", text);
  else
    mst_add_finding(context, mst_standing(place), NULL,
                    "what `%s` calls could not be found out: it was not assessed", text);
}

const mst_rule mst_rule_a402 = {
    .id = "A402",
    .name = "call that cannot be seen through",
    .category = MST_AUDIT,
    .outcome = MST_OUTCOME_NONE,
    .counts = MST_COUNTS_NEVER,
    .summary = "decorators, callbacks and dynamic calls on the hot path that get arrays",
    .why = "What happens to the arrays there is not part of this assessment; look for yourself.",
    .kinds = (const uint8_t[]){MST_K_CALL, MST_K_NONE},
    .visit = visit,
};
