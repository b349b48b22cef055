/* SPDX-License-Identifier: Apache-2.0 */
#include "rules/hoist_reshape.h"
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

static bool stays_in_loop(mst_place array, const mst_loop *loop) {
  return !may_be_rebound(array, loop) && mst_is_invariant(array, loop);
}

/* ---- in a function that is called again and again ------------------------------------------------ */

#define MAX_CALLS 4

/* The function as if it were the body of a loop. */
static mst_loop turns_of(mst_place place, const mst_function *function) {
  const unsigned body = mst_kind_of(place.module->tree, function->node) == MST_K_LAMBDA ? 1 : 2;
  return (mst_loop){.node = function->node,
                    .body = mst_child(place.module->tree, function->node, body)};
}

/* Bound once in the whole file, and never written into. */
static bool is_left_alone(mst_place name) {
  const mst_tree *tree = name.module->tree;
  const mst_symbol symbol = mst_place_node(name)->name;
  unsigned stores = 0;
  mst_turns turns;
  if (!mst_turns_of(&turns, mst_place_at(name, 1))) return false;
  for (mst_node_id id = 0; mst_next_store(&turns, symbol, &id);)
    stores++;
  for (mst_node_id id = 0; mst_next_read(&turns, symbol, &id);) {
    const mst_node *around = mst_node_at(tree, mst_node_at(tree, id)->parent);
    if (around->kind == MST_K_SUBSCRIPT && around->first == id &&
        (around->flags & MST_F_STORE) != 0)
      return false;
  }
  return stores == 1 && !turns.is_spent;
}

static bool is_the_same_in_calls(mst_place name, unsigned depth);

/* What a call hands over is the same whenever the call is made again. */
static bool stays_at_call(mst_place given, unsigned depth) {
  mst_turns turns;
  if (!has_name(given) || !mst_turns_find(&turns, given)) return false;
  if (turns.loop != NULL) return stays_in_loop(given, turns.loop);
  return is_the_same_in_calls(given, depth);
}

/* A parameter for which all hot callers give what stays, or a name of the surroundings that does.
 * What a library hands to a function that it drives is another thing each time. */
static bool is_the_same_in_calls(mst_place name, unsigned depth) {
  const mst_function *function = mst_function_at(name);
  if (depth == 0 || !mst_place_is(name, MST_K_NAME)) return false;
  if (mst_kind_of(name.module->tree, function->node) == MST_K_MODULE) return false;
  const mst_loop whole = turns_of(name, function);
  const uint32_t parameter = mst_parameter_by_name(function, mst_place_node(name)->name);
  if (!mst_is_invariant(name, &whole)) return false;
  if (parameter == function->parameter_count) return is_left_alone(name);
  bool any = false;
  for (size_t i = 0; i < function->callers.length; i++) {
    const mst_place call = mst_call_place(name.program, &function->callers.data[i]);
    if (function->callers.data[i].driven) return false;
    if (mst_heat_at(call) != MST_HEAT_HOT) continue;
    const mst_node_id given =
        mst_place_is(call, MST_K_CALL) ? mst_given_to(call, function, parameter) : 0;
    if (given == 0 || !stays_at_call(mst_place_at(call, given), depth - 1)) return false;
    any = true;
  }
  return any;
}

/* Shapes in numbers, which no caller decides. */
static bool arguments_are_numbers(mst_place call) {
  const mst_tree *tree = call.module->tree;
  const mst_node_id end = mst_subtree_end(tree, call.node);
  for (mst_node_id id = mst_child(tree, call.node, 1); id != 0 && id < end; id++) {
    const mst_kind kind = mst_kind_of(tree, id);
    if (id == mst_subject(call)) continue;
    if (kind != MST_K_NUMBER && kind != MST_K_TUPLE && kind != MST_K_UNARY) return false;
  }
  return true;
}

/* ---- the rule ------------------------------------------------------------------------------------ */

static bool stays_in_calls(mst_place call, mst_place array) {
  return mst_heat_at(call) == MST_HEAT_HOT && arguments_are_numbers(call) &&
         is_the_same_in_calls(array, MAX_CALLS);
}

static void visit(mst_rule_context *context, mst_place place) {
  if (!is_reshape(place) || !mst_may_stand(context, place)) return;
  mst_turns turns; /* false: too long a loop to look through for each reshape in it */
  const mst_place array = mst_place_at(place, mst_subject(place));
  if (array.node == 0 || !has_name(array) || !mst_turns_find(&turns, place)) return;
  if (!mst_is_target_array(mst_value_at(array)) || !moves_data(place)) return;
  const mst_loop *loop = turns.loop;
  const bool stays = loop != NULL
                         ? stays_in_loop(array, loop) && arguments_are_invariant(place, loop)
                         : stays_in_calls(place, array);
  if (!stays) return;
  if (loop == NULL) {
    mst_add_finding(context, mst_standing(place), mst_value_at(array),
                    "`%s` is the same in each call", mst_text_of(context, place));
    return;
  }
  mst_finding *finding =
      mst_add_finding(context, mst_standing(place), mst_value_at(array),
                      "`%s` is the same in each step of the loop", mst_text_of(context, place));
  mst_suggest_reshape_hoist(context, finding, place, array);
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
