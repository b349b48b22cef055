/* SPDX-License-Identifier: Apache-2.0 */
#include "rules/common.h"

static bool is_mask(mst_place index) {
  const mst_value *value = mst_value_at(index);
  return mst_is_target_array(value) &&
         (value->dtype == MST_D_BOOL ||
          mst_kind_of(index.module->tree, index.node) == MST_K_COMPARE);
}

static mst_node_id mask_of(mst_place subscript) {
  const mst_tree *tree = subscript.module->tree;
  const mst_node *object = mst_node_at(tree, mst_node_at(tree, subscript.node)->first);
  for (mst_node_id index = object->next; index != 0; index = mst_node_at(tree, index)->next)
    if (is_mask(mst_place_at(subscript, index))) return index;
  return 0;
}

static void visit(mst_rule_context *context, mst_place place) {
  const mst_node_id object = mst_node_at(place.module->tree, place.node)->first;
  const mst_value *value = mst_value_at(mst_place_at(place, object));
  if (!mst_is_sure_array(value)) return;
  const mst_node_id mask = mask_of(place);
  if (mask == 0 || mst_is_walk_use(place)) return;
  mst_add_finding(context, mst_standing(place), value, "boolean mask `%s` as index: `%s`",
                  mst_text_of(context, mst_place_at(place, mask)), mst_text_of(context, place));
}

static const uint8_t kinds[] = {MST_K_SUBSCRIPT, MST_K_NONE};

const mst_rule mst_rule_r007 = {
    .id = "R007",
    .name = "boolean mask indexing",
    .category = MST_SCALES,
    .outcome = MST_OUTCOME_NONE,
    .counts = MST_COUNTS_NEVER,
    .summary = "`a[mask]` with a boolean array, read or written",
    .why = "Masks work on distributed arrays as they are; reading makes a copy of what is chosen.",
    .kinds = kinds,
    .visit = visit,
};
