/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "rules/hoist.h"
#include "rules/places.h"

/* ---- what allocates ---------------------------------------------------------------------------- */

static bool is_allocation(mst_place call) {
  const mst_api *api = mst_called_api(call);
  if (api == NULL || !mst_is_target_array(mst_value_at(call))) return false;
  if (mst_value_at(call)->rank == 0) return false;
  if (strcmp(api->name, "numpy.fromfunction") == 0) return false; /* a computation */
  return (api->traits & (MST_T_CREATES | MST_T_RANDOM)) != 0 || mst_copied_array(call) != 0;
}

/* ---- the rule ------------------------------------------------------------------------------------- */

/* The value at a copy says what was copied, and so how sure it is that it is an array. That the
 * call makes an array is said already. */
static mst_value grounds(mst_place call) {
  const mst_node_id copied = mst_copied_array(call);
  if (copied != 0) return *mst_value_at(mst_place_at(call, copied));
  mst_value value = *mst_value_at(call);
  const mst_step *last = &call.program->values.steps.data[value.why];
  if (value.why != 0 && last->kind == MST_STEP_MADE && last->node == call.node)
    value.why = last->before;
  return value;
}

/* z = np.zeros(2) and then, before anybody reads it, z = [x, y]. */
static bool is_overwritten(mst_place call) {
  const mst_tree *tree = call.module->tree;
  const mst_place statement = mst_place_parent(call);
  const mst_place target = mst_place_child(statement, 0);
  if (!mst_place_is(statement, MST_K_ASSIGN) || !mst_place_is(target, MST_K_NAME)) return false;
  const mst_node_id block = mst_place_node(statement)->parent;
  const mst_symbol name = mst_place_node(target)->name;
  const mst_node_id end = mst_subtree_end(tree, block);
  for (mst_node_id id = mst_subtree_end(tree, statement.node); id < end; id++) {
    if (mst_kind_of(tree, id) != MST_K_NAME || tree->nodes[id].name != name) continue;
    const mst_node_id again = tree->nodes[id].parent;
    return (tree->nodes[id].flags & MST_F_STORE) != 0 && tree->nodes[again].parent == block &&
           mst_kind_of(tree, again) == MST_K_ASSIGN &&
           !mst_mentions(tree, mst_last_child(tree, again), &name, 1);
  }
  return false;
}

static void visit(mst_rule_context *context, mst_place place) {
  if (!mst_may_stand(context, place) || !is_allocation(place)) return;
  if (!mst_has_fixed_shape(place) || (mst_is_kept(place) && !is_overwritten(place))) return;
  const char *text = mst_text_of(context, place);
  const mst_value value = grounds(place);
  mst_finding *finding = mst_add_finding(
      context, mst_standing(place), &value,
      mst_copied_array(place) != 0 ? "`%s` copies an array of the same shape again in each step"
                                   : "`%s` allocates an array of the same shape again in each step",
      text);
  if (finding != NULL) mst_suggest_hoist(context, finding, place);
}

const mst_rule mst_rule_r201 = {
    .id = "R201",
    .name = "allocation in a hot loop",
    .category = MST_REFACTOR,
    .outcome = MST_OUTCOME_COST,
    .counts = MST_COUNTS_HOT,
    .recipe = "RR-alloc",
    .summary = "a fresh array of unchanged shape in each step, or a copy, or random numbers",
    .why = "The runtime runs ahead of the program, so arrays of many steps are alive at once; a "
           "buffer that is allocated once keeps memory flat and its partitions known.",
    .kinds = (const uint8_t[]){MST_K_CALL, MST_K_NONE},
    .visit = visit,
};
