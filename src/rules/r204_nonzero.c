/* SPDX-License-Identifier: Apache-2.0 */
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

/* a[np.where(m)] and a[np.nonzero(m)] with a boolean array m: a[m]. */
static void suggest(mst_rule_context *context, mst_finding *finding, mst_place subscript,
                    mst_place call) {
  static const char *const tuples[] = {"numpy.where", "numpy.nonzero", NULL};
  const mst_place statement = mst_standing(call);
  if (mst_place_node(call)->parent != subscript.node || !mst_is_simple_statement(statement) ||
      mst_child_count(call.module->tree, subscript.node) != 2 ||
      (mst_place_node(subscript)->flags & MST_F_TUPLE) != 0 ||
      !mst_one_of(mst_called_name(call), tuples))
    return;
  const mst_place mask = mst_place_child(call, 1);
  const mst_value *value = mst_value_at(mask);
  const mst_kind kind = mst_place_kind(mask);
  if (!mst_is_array(value) || value->dtype != MST_D_BOOL || kind == MST_K_KEYWORD ||
      kind == MST_K_STAR || kind == MST_K_WALRUS)
    return;
  const mst_edit edit = {call.node, mst_source_of(context, mask)};
  mst_suggest(context, finding, mst_lines_of(context, statement),
              mst_lines_with(context, statement, &edit, 1),
              have_same_shape(mst_value_at(mst_place_child(subscript, 0)), value));
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
  suggest(context, finding, subscript, call);
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
