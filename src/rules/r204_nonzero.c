/* SPDX-License-Identifier: Apache-2.0 */
#include "rules/elementwise.h"
#include "rules/own_names.h"
#include "rules/places.h"
#include "rules/suggest.h"
#include "rules/turns.h"

/* A call that gives the places where something holds. */
static bool finds_places(mst_place call) {
  static const char *const names[] = {"numpy.nonzero", "numpy.flatnonzero", "numpy.argwhere",
                                      "ndarray.nonzero", NULL};
  static const char *const where[] = {"numpy.where", NULL};
  if (!mst_place_is(call, MST_K_CALL)) return false;
  if (mst_one_of(mst_called_name(call), where))
    return mst_child_count(call.module->tree, call.node) == 2;
  return mst_one_of(mst_called_name(call), names);
}

/* The call itself, or one part of what it gives: np.where(m)[0]. */
static mst_node_id call_within(mst_place index) {
  if (mst_place_is(index, MST_K_SUBSCRIPT)) index = mst_place_child(index, 0);
  return finds_places(index) ? index.node : 0;
}

/* ---- by value: indices that came from elsewhere --------------------------------------------------- */

/* Index arrays have the storage of the call that made them; so does each part of a tuple. */
static mst_place origin_of(mst_place index) {
  const mst_value *value = mst_value_at(index);
  mst_value item = *value;
  if (value->kind == MST_V_TUPLE) item = mst_value_any_item(&index.program->values, value);
  if (!mst_is_array(&item) || (item.flags & MST_VF_INDEX) == 0 || item.storage == 0)
    return mst_place_at(index, 0);
  return mst_place_of_storage(index.program, item.storage);
}

/* The call whose result the expression is; node 0: none. */
static mst_place source_of(mst_place index) {
  const mst_node_id within = call_within(index);
  if (within != 0) return mst_place_at(index, within);
  const mst_kind kind = mst_place_kind(index);
  if (kind == MST_K_SUBSCRIPT && !mst_place_is(mst_place_child(index, 1), MST_K_NUMBER))
    return mst_place_at(index, 0);
  if (kind != MST_K_NAME && kind != MST_K_ATTRIBUTE && kind != MST_K_SUBSCRIPT)
    return mst_place_at(index, 0);
  const mst_place origin = origin_of(index);
  return origin.node != 0 && finds_places(origin) ? origin : mst_place_at(index, 0);
}

/* ---- suggestion: the mask itself ------------------------------------------------------------------ */

/* A mask of another length is good enough for places, but no index of its own. */
static bool have_same_shape(const mst_value *array, const mst_value *mask) {
  return array->rank >= 0 && array->rank == mask->rank && array->extents != 0 &&
         array->extents == mask->extents;
}

/* The boolean array that a[np.where(m)] or a[np.flatnonzero(m)] asks; node 0: none that could stand
 * in its place. */
static mst_place mask_of(mst_place call) {
  const bool is_method = mst_is_called_under(call, "ndarray.");
  const mst_place mask =
      is_method ? mst_place_at(call, mst_receiver(call)) : mst_place_child(call, 1);
  const mst_value *value = mst_value_at(mask);
  const mst_kind kind = mst_place_kind(mask);
  const bool is_fit = mask.node != 0 && mst_is_array(value) && value->dtype == MST_D_BOOL &&
                      kind != MST_K_KEYWORD && kind != MST_K_STAR && kind != MST_K_WALRUS;
  return mst_place_at(call, is_fit ? mask.node : 0);
}

/* Whether a mask means the same as what the call gives, of which `index` is all or the first part.
 */
static bool gives_all_places(mst_place call, mst_place index, const mst_value *mask) {
  static const char *const tuples[] = {"numpy.where", "numpy.nonzero", "ndarray.nonzero", NULL};
  static const char *const flat[] = {"numpy.flatnonzero", NULL};
  const bool is_line = mask->rank == 1 && mst_is_known_here(call.program, mask);
  if (index.node == call.node)
    return mst_one_of(mst_called_name(call), tuples) ||
           (is_line && mst_one_of(mst_called_name(call), flat));
  return is_line && mst_one_of(mst_called_name(call), tuples) &&
         mst_is_number(mst_place_child(index, 1), 0);
}

/* A default argument, in whose place callers may give an array. */
static bool has_unsure_number(mst_place mask) {
  const mst_node_id end = mst_subtree_end(mask.module->tree, mask.node);
  for (mst_node_id id = mask.node; id < end; id++) {
    const mst_place place = mst_place_at(mask, id);
    if (mst_place_is(place, MST_K_NAME) && mst_value_at(place)->kind == MST_V_NUMBER &&
        !mst_is_sure_number(place))
      return true;
  }
  return false;
}

/* a[np.where(m)] and a[np.nonzero(m)] with a boolean array m: a[m]. */
static void suggest_at_once(mst_rule_context *context, mst_finding *finding, mst_place subscript,
                            mst_place call) {
  const mst_place statement = mst_standing(call), mask = mask_of(call);
  const mst_place parent = mst_place_parent(call);
  const mst_place index = parent.node == subscript.node ? call : parent;
  if (mask.node == 0 || mst_place_node(index)->parent != subscript.node ||
      !mst_is_simple_statement(statement) ||
      mst_child_count(call.module->tree, subscript.node) != 2 ||
      (mst_place_node(subscript)->flags & MST_F_TUPLE) != 0)
    return;
  const mst_value *value = mst_value_at(mask);
  if (!gives_all_places(call, index, value)) return;
  const mst_place array = mst_place_child(subscript, 0);
  const mst_edit edit = {index.node, mst_source_of(context, mask)};
  mst_suggest(context, finding, mst_lines_of(context, statement),
              mst_lines_with(context, statement, &edit, 1),
              (have_same_shape(mst_value_at(array), value) && !has_unsure_number(mask)) ||
                  mst_is_mask_of(mask, array));
}

/* All that the function does with the name is to index that one array, which stays the one that it
 * is. */
static bool only_indexes(mst_place name, mst_place array) {
  mst_turns turns;
  const mst_tree *tree = name.module->tree;
  if (!mst_is_own_name(name) || mst_is_bound_anew(name) || !mst_function_turns(&turns, name))
    return false;
  if (!mst_is_own_name(array) || mst_is_reshaped_in(array, turns.begin)) return false;
  for (mst_node_id id = 0; mst_next_store(&turns, mst_place_node(name)->name, &id);)
    if (id != name.node) return false; /* also places += 1 */
  for (mst_node_id id = 0; mst_next_read(&turns, mst_place_node(name)->name, &id);) {
    const mst_place use = mst_place_at(name, id), subscript = mst_place_parent(use);
    if (mst_kind_of(tree, id) != MST_K_NAME) continue;
    if (id < name.node || !mst_place_is(subscript, MST_K_SUBSCRIPT) ||
        mst_child_count(tree, subscript.node) != 2 ||
        (mst_place_node(subscript)->flags & MST_F_TUPLE) != 0 ||
        !mst_same_expression(mst_place_child(subscript, 0), array))
      return false;
  }
  return !turns.is_spent;
}

/* places = np.where(a < 0), and then a[places]: places = a < 0. */
static void suggest_by_name(mst_rule_context *context, mst_finding *finding, mst_place subscript,
                            mst_place call) {
  const mst_place array = mst_place_child(subscript, 0), mask = mask_of(call);
  mst_place index = call, statement = mst_place_parent(call);
  if (mst_place_is(statement, MST_K_SUBSCRIPT)) {
    index = statement;
    statement = mst_place_parent(index);
  }
  if (mask.node == 0 || !mst_place_is(statement, MST_K_ASSIGN) || mst_loop_at(call) != NULL ||
      mst_child_count(call.module->tree, statement.node) != 2)
    return;
  const mst_place name = mst_place_child(statement, 0);
  if (name.node == index.node || !mst_place_is(name, MST_K_NAME) ||
      !gives_all_places(call, index, mst_value_at(mask)) || !mst_is_mask_of(mask, array) ||
      mst_is_bound_anew(array) || !only_indexes(name, array))
    return;
  const mst_edit edit = {index.node, mst_operand_text(context, mask, false)};
  mst_suggest(context, finding, mst_lines_of(context, statement),
              mst_lines_with(context, statement, &edit, 1), true);
}

/* ---- the rule ------------------------------------------------------------------------------------- */

static void report(mst_rule_context *context, mst_place subscript, mst_place call) {
  const mst_value *array = mst_value_at(mst_place_child(subscript, 0));
  mst_finding *finding = mst_add_finding(
      context, mst_standing(call), array, "`%s` makes index arrays for `%s` where a mask would do",
      mst_text_of(context, call), mst_text_of(context, subscript));
  if (finding == NULL) return;
  finding->about = call.node;
  finding->heat = mst_heat_at(call);
  mst_settle(finding);
  suggest_at_once(context, finding, subscript, call);
  if (finding->suggestion == NULL) suggest_by_name(context, finding, subscript, call);
}

/* Places that one branch finds like this and another one like that: index arrays in any case, but
 * not of one call. */
static bool comes_from_several(mst_place index) {
  const mst_value *value = mst_value_at(index);
  mst_value item = *value;
  if (value->kind == MST_V_TUPLE) item = mst_value_any_item(&index.program->values, value);
  return mst_place_is(index, MST_K_NAME) && mst_is_array(&item) && item.storage == 0 &&
         (item.flags & MST_VF_INDEX) != 0;
}

/* Each call that the function gives to the name before. */
static void report_several(mst_rule_context *context, mst_place subscript, mst_place index) {
  mst_turns turns;
  if (!mst_function_turns(&turns, index)) return;
  const mst_symbol name = mst_place_node(index)->name;
  for (mst_node_id store = 0; mst_next_store(&turns, name, &store) && store < index.node;) {
    const mst_place statement = mst_place_parent(mst_place_at(index, store));
    if (!mst_place_is(statement, MST_K_ASSIGN)) continue;
    const mst_node_id given = mst_last_child(index.module->tree, statement.node);
    const mst_node_id call = call_within(mst_place_at(index, given));
    if (call != 0) report(context, subscript, mst_place_at(index, call));
  }
}

static void look_at(mst_rule_context *context, mst_place subscript, mst_place index) {
  const mst_place call = source_of(index);
  if (call.node != 0 && call.module == subscript.module)
    report(context, subscript, call);
  else if (call.node == 0 && comes_from_several(index))
    report_several(context, subscript, index);
}

static void visit(mst_rule_context *context, mst_place place) {
  const mst_tree *tree = place.module->tree;
  const mst_node_id object = mst_place_node(place)->first;
  if (!mst_is_target_array(mst_value_at(mst_place_at(place, object)))) return;
  for (mst_node_id index = tree->nodes[object].next; index != 0; index = tree->nodes[index].next) {
    if (mst_kind_of(tree, index) != MST_K_TUPLE) {
      look_at(context, place, mst_place_at(place, index));
      continue;
    }
    MST_EACH_CHILD(tree, part, index) look_at(context, place, mst_place_at(place, part));
  }
}

const mst_rule mst_rule_r204 = {
    .id = "R204",
    .name = "nonzero, then indexing",
    .category = MST_REFACTOR,
    .outcome = MST_OUTCOME_COST,
    .counts = MST_COUNTS_HOT_PATH,
    .recipe = "RR-mask",
    .summary = "`nonzero`, `argwhere` or one-argument `where` whose result indexes an array",
    .why = "The number of places is known only when the data have been looked at, so the program "
           "waits; indexing by arrays then moves elements between GPUs. A boolean mask does "
           "neither.",
    .kinds = (const uint8_t[]){MST_K_SUBSCRIPT, MST_K_NONE},
    .visit = visit,
};
