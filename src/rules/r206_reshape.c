/* SPDX-License-Identifier: Apache-2.0 */
#include "rules/places.h"
#include "rules/turns.h"

static bool is_reshape(mst_place call) {
  static const char *const names[] = {"numpy.reshape", "numpy.ravel", "ndarray.reshape",
                                      "ndarray.ravel", NULL};
  return mst_one_of(mst_called_name(call), names);
}

static bool has_name(mst_place array) {
  return mst_place_is(array, MST_K_NAME) || mst_place_is(array, MST_K_ATTRIBUTE) ||
         mst_place_is(array, MST_K_SUBSCRIPT);
}

static bool moves_data(mst_place call) {
  return (mst_value_at(call)->flags & MST_VF_COPY_OF_VIEW) != 0 && !mst_only_moves_unit_axes(call);
}

static bool arguments_are_invariant(mst_place call, const mst_loop *loop) {
  const mst_tree *tree = call.module->tree;
  for (mst_node_id child = mst_child(tree, call.node, 1); child != 0;
       child = tree->nodes[child].next)
    if (!mst_is_invariant(mst_place_at(call, child), loop)) return false;
  return true;
}

static bool binds_attribute(const mst_module *module, mst_node_id root, mst_symbol attribute) {
  const mst_tree *tree = module->tree;
  const mst_node_id end = mst_subtree_end(tree, root);
  for (mst_node_id id = root; id < end; id++) {
    const mst_node *node = mst_node_at(tree, id);
    if (node->kind == MST_K_ATTRIBUTE && node->name == attribute &&
        (node->flags & MST_F_STORE) != 0)
      return true;
  }
  return false;
}

/* self.step() in the loop may give self.x another array. */
static bool may_be_rebound(mst_place array, const mst_loop *loop) {
  const mst_tree *tree = array.module->tree;
  if (!mst_place_is(array, MST_K_ATTRIBUTE)) return false;
  const mst_place object = mst_place_child(array, 0);
  const mst_node_id end = mst_subtree_end(tree, loop->body);
  for (mst_node_id id = loop->body; id < end; id++) {
    if (mst_kind_of(tree, id) != MST_K_CALL) continue;
    const mst_place call = mst_place_at(array, id), callee = mst_place_child(call, 0);
    if (!mst_place_is(callee, MST_K_ATTRIBUTE) || mst_called_name(call) != NULL) continue;
    if (!mst_same_expression(mst_place_child(callee, 0), object)) continue;
    const mst_function *function = mst_called_function(call);
    if (function == NULL || binds_attribute(&array.program->modules[function->module],
                                            function->node, mst_place_node(array)->name))
      return true;
  }
  return false;
}

static void visit(mst_rule_context *context, mst_place place) {
  if (!is_reshape(place) || !mst_may_stand(context, place)) return;
  mst_turns turns; /* false: too long a loop to look through for each reshape in it */
  const mst_loop *loop = mst_turns_find(&turns, place) ? turns.loop : NULL;
  const mst_place array = mst_place_at(place, mst_subject(place));
  if (loop == NULL || array.node == 0 || !has_name(array)) return;
  if (!mst_is_target_array(mst_value_at(array)) || !moves_data(place)) return;
  if (may_be_rebound(array, loop) || !mst_is_invariant(array, loop) ||
      !arguments_are_invariant(place, loop))
    return;
  mst_add_finding(context, mst_standing(place), mst_value_at(array),
                  "`%s` is the same in each step of the loop", mst_text_of(context, place));
}

const mst_rule mst_rule_r206 = {
    .id = "R206",
    .name = "reshape in a hot loop",
    .category = MST_REFACTOR,
    .outcome = MST_OUTCOME_COST,
    .counts = MST_COUNTS_HOT,
    .recipe = "RR-reshape",
    .summary = "`reshape` or `ravel` of an array that the loop does not change",
    .why = "On the target a reshape is a copy that moves elements between GPUs, not a change of "
           "strides; in a loop it is paid for in each step.",
    .kinds = (const uint8_t[]){MST_K_CALL, MST_K_NONE},
    .visit = visit,
};
