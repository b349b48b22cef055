/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "rules/common.h"
#include "rules/loop_text.h"
#include "rules/own_names.h"
#include "rules/places.h"
#include "rules/suggest.h"

/* ---- suggestion ------------------------------------------------------------------------------------ */

/* row of np.f(row) and row.f(), when there is nothing else to it. */
static mst_node_id only_operand(mst_place call, const mst_api *api) {
  const mst_tree *tree = call.module->tree;
  const mst_node_id argument = mst_node_at(tree, mst_node_at(tree, call.node)->first)->next;
  if (mst_starts_with(api->name, "ndarray.")) return argument == 0 ? mst_receiver(call) : 0;
  return argument != 0 && mst_node_at(tree, argument)->next == 0 ? argument : 0;
}

/* The same for the whole array, along axis 1; NULL when the element is no reduction of the row. */
static const char *reduced_at_once(const mst_rule_context *context, mst_place call, mst_symbol row,
                                   const char *array) {
  const mst_tree *tree = call.module->tree;
  const mst_api *api = mst_kind_of(tree, call.node) == MST_K_CALL ? mst_called_api(call) : NULL;
  if (api == NULL || (api->traits & MST_T_REDUCTION) == 0) return NULL;
  const mst_node_id operand = only_operand(call, api);
  const mst_node *name = mst_node_at(tree, operand);
  if (operand == 0 || name->kind != MST_K_NAME || name->name != row) return NULL;
  const mst_place function = mst_place_at(call, mst_node_at(tree, call.node)->first);
  if (mst_starts_with(api->name, "ndarray."))
    return mst_format_text(context->arena, "%s%s(axis=1)", array, strrchr(api->name, '.'));
  if (!mst_starts_with(api->name, "numpy.")) return NULL;
  return mst_format_text(context->arena, "%s(%s, axis=1)", mst_source_of(context, function), array);
}

/* Where an array does as well as a list: handed to NumPy, or to a builtin that only reads it. */
static bool takes_array(mst_place list) {
  static const char *const readers[] = {"builtins.sum", "builtins.max",    "builtins.min",
                                        "builtins.len", "builtins.sorted", NULL};
  const mst_place parent = mst_place_parent(list);
  if (!mst_place_is(parent, MST_K_CALL) || mst_place_node(parent)->first == list.node) return false;
  const char *name = mst_called_name(parent);
  return name != NULL && (mst_starts_with(name, "numpy.") || mst_one_of(name, readers));
}

/* Handed to what makes an array of a list, or takes either: nobody sees which it was. That the
 * matrix is one must not rest on callers, and without a row the list has no type. */
static bool is_exact(mst_place list, mst_place array) {
  static const char *const takers[] = {"numpy.array", "numpy.asarray", "numpy.sum", "numpy.mean",
                                       "numpy.max",   "numpy.min",     NULL};
  const mst_value *value = mst_value_at(array);
  const mst_place parent = mst_place_parent(list);
  return mst_is_known_here(list.program, value) && value->dtype >= MST_D_BOOL &&
         value->dtype <= MST_D_COMPLEX && mst_extent(&list.program->values, value, 0) > 0 &&
         mst_one_of(mst_called_name(parent), takers) &&
         mst_child(list.module->tree, parent.node, 1) == list.node &&
         mst_child_count(list.module->tree, parent.node) == 2;
}

/* [np.sum(row) for row in m] is np.sum(m, axis=1): a list before, an array after. */
static void suggest_reduction(mst_rule_context *context, mst_finding *finding, mst_place place,
                              const mst_loop *loop) {
  const mst_tree *tree = place.module->tree;
  if (mst_kind_of(tree, place.node) != MST_K_LIST_COMP || mst_child_count(tree, place.node) != 2)
    return;
  const mst_place array = mst_place_at(place, loop->iterable);
  const mst_node *part = mst_node_at(tree, mst_child(tree, place.node, 1));
  const mst_node_id target = part->first;
  const mst_place statement = mst_standing(place);
  if ((part->flags & MST_F_ASYNC) != 0 || !takes_array(place) ||
      !mst_is_simple_statement(statement))
    return;
  if (mst_kind_of(tree, target) != MST_K_NAME || mst_value_at(array)->rank != 2) return;
  const char *after =
      reduced_at_once(context, mst_place_at(place, loop->body), mst_node_at(tree, target)->name,
                      mst_operand_text(context, array, true));
  if (after == NULL) return;
  const mst_edit edit = {place.node, after};
  mst_suggest(context, finding, mst_lines_of(context, statement),
              mst_lines_with(context, statement, &edit, 1), is_exact(place, array));
}

/* ---- the rule -------------------------------------------------------------------------------------- */

/* The array that is iterated over: the iterable, or within it (enumerate, zip), but not one that is
 * only asked for its length, unless that is what np.ndindex does. */
static mst_node_id iterated_array(mst_place iterable) {
  const mst_tree *tree = iterable.module->tree;
  mst_node_id array;
  if (mst_kind_of(tree, iterable.node) == MST_K_CALL && mst_is_iterating_call(iterable, &array))
    return array;
  const mst_node_id end = mst_subtree_end(tree, iterable.node);
  for (mst_node_id id = iterable.node; id < end; id++) {
    const mst_node_id parent = mst_node_at(tree, id)->parent;
    if (id != iterable.node && mst_kind_of(tree, parent) == MST_K_ATTRIBUTE) continue;
    if (mst_is_target_array(mst_value_at(mst_place_at(iterable, id)))) return id;
  }
  return 0;
}

static void visit_loop(mst_rule_context *context, mst_place place, const mst_loop *loop) {
  if (loop->status != MST_LOOP_ITERATES) return;
  const mst_node_id array = iterated_array(mst_place_at(place, loop->taken));
  const mst_value likely = {.kind = MST_V_ARRAY, .confidence = MST_LIKELY};
  const mst_value *value = array != 0 ? mst_value_at(mst_place_at(place, array)) : &likely;
  const mst_place named = mst_place_at(place, array != 0 ? array : loop->taken);
  mst_finding *finding =
      mst_add_finding(context, place, value, "`%s` takes the array `%s` apart, row by row",
                      mst_loop_text(context, place), mst_text_of(context, named));
  if (finding == NULL) return;
  finding->heat = mst_loop_heat(place);
  mst_settle(finding);
  suggest_reduction(context, finding, place, loop);
}

/* The loop whose iterable is, or holds, the call: `for i in np.ndindex(a.shape)`. */
static const mst_loop *loop_over(mst_place call) {
  const mst_tree *tree = call.module->tree;
  for (mst_node_id id = call.node; id != 0; id = mst_node_at(tree, id)->parent) {
    const mst_loop *loop = mst_loop_by_node(mst_place_at(call, id));
    if (loop != NULL)
      return loop->iterable != 0 && mst_is_within(tree, call.node, loop->iterable) ? loop : NULL;
    if (mst_is_statement(mst_kind_of(tree, id))) return NULL;
  }
  return NULL;
}

/* Whatever it calls, it calls once for each row, as a loop would. */
static mst_heat heat_of_turns(mst_place call) {
  const mst_loop *loop = loop_over(call);
  if (loop != NULL) return mst_loop_heat(mst_place_at(call, loop->node));
  const mst_heat heat = mst_heat_at(call);
  return heat == MST_HEAT_PERIODIC ? heat : MST_HEAT_HOT;
}

static void visit_call(mst_rule_context *context, mst_place place) {
  mst_node_id array;
  if (!mst_is_iterating_call(place, &array) || mst_is_walk_use(mst_place_at(place, array))) return;
  mst_value value = *mst_value_at(mst_place_at(place, array));
  if (!mst_is_array(&value)) /* numbers of its shape */
    value = (mst_value){.kind = MST_V_ARRAY, .confidence = MST_LIKELY};
  mst_finding *finding =
      mst_add_finding(context, mst_standing(place), &value,
                      "`%s` goes through the array piece by piece", mst_text_of(context, place));
  if (finding == NULL) return;
  finding->heat = heat_of_turns(place);
  mst_settle(finding);
}

static void visit(mst_rule_context *context, mst_place place) {
  if (mst_kind_of(place.module->tree, place.node) == MST_K_CALL) {
    visit_call(context, place);
    return;
  }
  const mst_loop *loop = mst_loop_by_node(place);
  if (loop != NULL) visit_loop(context, place, loop);
}

static const uint8_t kinds[] = {MST_K_FOR,       MST_K_LIST_COMP, MST_K_SET_COMP, MST_K_DICT_COMP,
                                MST_K_GENERATOR, MST_K_CALL,      MST_K_NONE};

const mst_rule mst_rule_r103 = {
    .id = "R103",
    .name = "iterating an ndarray",
    .category = MST_BLOCKS,
    .outcome = MST_OUTCOME_COST,
    .counts = MST_COUNTS_HOT_PATH,
    .recipe = "RR-loop",
    .summary = "for, comprehension, enumerate, zip, map, filter or nditer over an array",
    .why = "Each row becomes an array of its own, with its own launches: thousands of tiny tasks "
           "instead of one that spreads over the GPUs.",
    .kinds = kinds,
    .visit = visit,
};
