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

static void visit(mst_rule_context *context, mst_place place) {
  if (!is_reshape(place) || !mst_may_stand(context, place)) return;
  mst_turns turns; /* false: too long a loop to look through for each reshape in it */
  const mst_loop *loop = mst_turns_find(&turns, place) ? turns.loop : NULL;
  const mst_place array = mst_place_at(place, mst_subject(place));
  if (loop == NULL || array.node == 0 || !has_name(array)) return;
  if (!mst_is_target_array(mst_value_at(array)) || !moves_data(place)) return;
  if (!mst_is_invariant(array, loop) || !arguments_are_invariant(place, loop)) return;
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
