/* SPDX-License-Identifier: Apache-2.0 */
#include "rules/common.h"

/* ---- out= ------------------------------------------------------------------------------------------ */

static mst_node_id out_argument(mst_place call) {
  const mst_api *api = mst_called_api(call);
  if (api == NULL) return 0;
  const int position = api->out_at >= 0 ? api->out_at : -1;
  return mst_argument(call, position, "out");
}

static void visit_call(mst_rule_context *context, mst_place place) {
  const mst_node_id out = out_argument(place);
  if (out == 0) return;
  const mst_place buffer = mst_place_at(place, out);
  const mst_value *value = mst_value_at(buffer);
  if (!mst_is_sure_array(value) || mst_is_walk_use(buffer)) return;
  mst_add_finding(context, mst_standing(place), value, "writes into the buffer `%s`",
                  mst_text_of(context, buffer));
}

/* ---- a += b ---------------------------------------------------------------------------------------- */

static void visit_update(mst_rule_context *context, mst_place place) {
  const mst_tree *tree = place.module->tree;
  const mst_place target = mst_place_at(place, mst_node_at(tree, place.node)->first);
  const mst_value *value = mst_value_at(target);
  if (!mst_is_sure_array(value) || mst_is_walk_use(target)) return;
  mst_add_finding(context, place, value, "updates `%s` in place", mst_text_of(context, target));
}

/* ---- a, b = b, a ----------------------------------------------------------------------------------- */

static bool is_among(mst_place place, mst_node_id wanted, mst_node_id tuple) {
  const mst_tree *tree = place.module->tree;
  MST_EACH_CHILD(tree, child, tuple) {
    if (mst_same_expression(mst_place_at(place, child), mst_place_at(place, wanted))) return true;
  }
  return false;
}

static bool is_swap(mst_place place, mst_node_id targets, mst_node_id values) {
  const mst_tree *tree = place.module->tree;
  if (mst_kind_of(tree, targets) != MST_K_TUPLE || mst_kind_of(tree, values) != MST_K_TUPLE)
    return false;
  const unsigned count = mst_child_count(tree, values);
  if (count < 2 || count != mst_child_count(tree, targets)) return false;
  MST_EACH_CHILD(tree, value, values) {
    if (!mst_is_sure_array(mst_value_at(mst_place_at(place, value))) ||
        !is_among(place, value, targets))
      return false;
  }
  return true;
}

static void visit_swap(mst_rule_context *context, mst_place place) {
  const mst_tree *tree = place.module->tree;
  const mst_node_id targets = mst_node_at(tree, place.node)->first;
  const mst_node_id values = mst_last_child(tree, place.node);
  if (targets == values || !is_swap(place, targets, values)) return;
  const mst_place first = mst_place_at(place, mst_node_at(tree, values)->first);
  mst_add_finding(context, place, mst_value_at(first), "swaps buffers: `%s`",
                  mst_text_of(context, place));
}

static void visit(mst_rule_context *context, mst_place place) {
  switch (mst_kind_of(place.module->tree, place.node)) {
  case MST_K_CALL: visit_call(context, place); break;
  case MST_K_AUG_ASSIGN: visit_update(context, place); break;
  default: visit_swap(context, place);
  }
}

static const uint8_t kinds[] = {MST_K_CALL, MST_K_AUG_ASSIGN, MST_K_ASSIGN, MST_K_NONE};

const mst_rule mst_rule_r006 = {
    .id = "R006",
    .name = "pre-allocation",
    .category = MST_SCALES,
    .outcome = MST_OUTCOME_NONE,
    .counts = MST_COUNTS_NEVER,
    .summary = "out=, updates in place, buffers that are swapped",
    .why = "Buffers that are used again stay where they are on the GPUs, and memory does not grow.",
    .kinds = kinds,
    .visit = visit,
};
