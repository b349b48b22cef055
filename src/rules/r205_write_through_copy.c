/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "rules/places.h"
#include "rules/turns.h"

static bool is_copy(const mst_value *value) {
  return mst_is_target_array(value) && (value->flags & MST_VF_COPY_OF_VIEW) != 0 &&
         (value->flags & MST_VF_ONE_D_DIAG) == 0;
}

/* ---- whose copy it is ---------------------------------------------------------------------------- */

/* The call that made the copy: the thing written to itself, or the last that was bound to its name
 * before; node 0: not known. */
static mst_place maker_of(mst_place written) {
  mst_place maker = mst_place_at(written, 0);
  mst_turns turns;
  if (mst_place_is(written, MST_K_CALL)) return written;
  if (!mst_place_is(written, MST_K_NAME) || !mst_function_turns(&turns, written)) return maker;
  const mst_symbol name = mst_place_node(written)->name;
  for (mst_node_id store = 0; mst_next_store(&turns, name, &store) && store < written.node;) {
    const mst_place parent = mst_place_parent(mst_place_at(written, store));
    if (!mst_place_is(parent, MST_K_ASSIGN)) continue;
    const mst_node_id value = mst_last_child(written.module->tree, parent.node);
    const bool is_made = mst_place_is(mst_place_at(written, value), MST_K_CALL);
    maker.node = is_made && is_copy(mst_value_at(mst_place_at(written, value))) ? value : 0;
  }
  return maker;
}

static mst_place original_of(mst_place maker) { return mst_place_at(maker, mst_subject(maker)); }

/* True when the function reads the original again after the copy was made. */
static bool is_read_later(mst_place maker, mst_place original) {
  mst_turns turns;
  if (!mst_function_turns(&turns, maker) || mst_loop_at(maker) != NULL) return true;
  mst_node_id read = mst_subtree_end(maker.module->tree, maker.node) - 1;
  return mst_next_read(&turns, mst_place_node(original)->name, &read) || turns.is_spent;
}

/* a = a.reshape(...): the name goes over to the copy. */
static bool takes_over_name(mst_place maker, mst_place original) {
  const mst_place parent = mst_place_parent(maker);
  return mst_place_is(parent, MST_K_ASSIGN) &&
         mst_same_expression(mst_place_child(parent, 0), original);
}

/* A write to the copy goes amiss only when somebody looks at the original: not when that was a
 * value without a name, or has lost its only one. */
static bool original_matters(mst_place maker) {
  const mst_place original = original_of(maker);
  if (original.node == 0) return true;
  const mst_value *value = mst_value_at(original);
  switch (mst_place_kind(original)) {
  case MST_K_NAME:
    if ((value->flags & MST_VF_PARAMETER) != 0) return true;
    return !takes_over_name(maker, original) && is_read_later(maker, original);
  case MST_K_ATTRIBUTE: return !takes_over_name(maker, original);
  case MST_K_SUBSCRIPT: return true;
  default: return (value->flags & MST_VF_VIEW) != 0;
  }
}

/* The same where the call is out of sight: the memory must have been given a name when it was
 * allocated, as np.zeros(12) in np.zeros(12).reshape(3, 4) is not. */
static bool was_named(mst_place place, const mst_value *value) {
  if (value->storage == 0) return false;
  const mst_place origin = mst_place_of_storage(place.program, value->storage);
  return origin.node != 0 && mst_place_is(mst_place_parent(origin), MST_K_ASSIGN) &&
         !mst_place_is(origin, MST_K_NAME);
}

/* ---- writes ----------------------------------------------------------------------------------------- */

static void report(mst_rule_context *context, mst_place written) {
  const mst_value *value = mst_value_at(written);
  if (!is_copy(value)) return;
  const mst_place maker = maker_of(written);
  if (maker.node == 0 ? !was_named(written, value)
                      : mst_only_moves_unit_axes(maker) || !original_matters(maker))
    return;
  const char *name = mst_text_of(context, written);
  mst_finding *finding = mst_add_finding(
      context, mst_standing(written), value,
      "`%s` is a copy on the target: this write does not reach the array that it was made of",
      name);
  if (finding == NULL || maker.node == 0) return;
  mst_add_evidence(context, finding, "`%s` gives a view in NumPy, a copy on the target",
                   mst_text_of(context, maker));
}

static void look_at_call(mst_rule_context *context, mst_place call) {
  static const char *const methods[] = {"ndarray.fill",    "ndarray.sort",      "ndarray.put",
                                        "ndarray.itemset", "ndarray.partition", NULL};
  static const char *const functions[] = {"numpy.copyto", "numpy.put",           "numpy.putmask",
                                          "numpy.place",  "numpy.fill_diagonal", NULL};
  const mst_api *api = mst_called_api(call);
  const char *name = mst_called_name(call);
  mst_node_id written = api != NULL ? mst_argument(call, api->out_at, "out") : 0;
  if (mst_one_of(name, methods)) written = mst_receiver(call);
  if (mst_one_of(name, functions)) written = mst_argument(call, 0, NULL);
  if (written != 0) report(context, mst_place_at(call, written));
}

/* back[...] = x, back[...] += x, and back += x, which writes as well. */
static void look_at_target(mst_rule_context *context, mst_place target, bool in_place) {
  if (mst_place_is(target, MST_K_SUBSCRIPT))
    report(context, mst_place_child(target, 0));
  else if (in_place)
    report(context, target);
}

static void visit(mst_rule_context *context, mst_place place) {
  const mst_tree *tree = place.module->tree;
  if (mst_place_is(place, MST_K_CALL)) {
    look_at_call(context, place);
    return;
  }
  const bool in_place = mst_place_is(place, MST_K_AUG_ASSIGN);
  const mst_node_id value = mst_last_child(tree, place.node);
  for (mst_node_id id = mst_place_node(place)->first; id != value; id = tree->nodes[id].next) {
    const mst_place target = mst_place_at(place, id);
    if (mst_place_is(target, MST_K_TUPLE) || mst_place_is(target, MST_K_LIST)) {
      MST_EACH_CHILD(tree, part, id) look_at_target(context, mst_place_at(place, part), false);
    } else {
      look_at_target(context, target, in_place);
    }
  }
}

const mst_rule mst_rule_r205 = {
    .id = "R205",
    .name = "writing through a copy",
    .category = MST_REFACTOR,
    .outcome = MST_OUTCOME_WRONG,
    .counts = MST_COUNTS_ANYWHERE,
    .recipe = "RR-write-through",
    .summary = "a write to the result of `flip`, `ravel`, `reshape` and others as if to a view",
    .why = "These functions return views in NumPy and copies on the target: the write succeeds, "
           "and the original keeps its old values without a word.",
    .kinds = (const uint8_t[]){MST_K_ASSIGN, MST_K_AUG_ASSIGN, MST_K_CALL, MST_K_NONE},
    .visit = visit,
};
