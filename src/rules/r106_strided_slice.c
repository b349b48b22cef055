/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "rules/common.h"

/* The third argument of slice(), the third part of a SLICE; 0: none. */
static mst_node_id step_of(mst_place index) {
  const mst_tree *tree = index.module->tree;
  const mst_kind kind = mst_kind_of(tree, index.node);
  if (kind == MST_K_SLICE) return mst_child(tree, index.node, 2);
  const char *name = kind == MST_K_CALL ? mst_called_name(index) : NULL;
  if (name == NULL || strcmp(name, "builtins.slice") != 0) return 0;
  return mst_argument(index, 2, NULL);
}

static bool is_strided(mst_place index) {
  const mst_node_id step = step_of(index);
  if (step == 0 || mst_kind_of(index.module->tree, step) == MST_K_EMPTY) return false;
  const mst_place place = mst_place_at(index, step);
  return mst_value_at(place)->kind != MST_V_NONE && !mst_is_number(place, 1);
}

static bool has_step(const mst_value *slice) {
  return slice->kind == MST_V_SLICE && (slice->flags & MST_VF_STEP) != 0;
}

static bool has_strided_part(const mst_values *values, const mst_value *tuple) {
  const uint32_t count = mst_value_item_count(values, tuple);
  const mst_value any = mst_value_any_item(values, tuple);
  for (uint32_t i = 0; i < count; i++) {
    const mst_value part = mst_value_item(values, tuple, i);
    if (has_step(&part)) return true;
  }
  return count == 0 && has_step(&any);
}

/* One of several that are not told apart: slices[k] may be any of them. */
static bool is_any_of(mst_place index) {
  if (mst_kind_of(index.module->tree, index.node) != MST_K_SUBSCRIPT) return false;
  const mst_place container =
      mst_place_at(index, mst_node_at(index.module->tree, index.node)->first);
  return mst_value_item_count(&index.program->values, mst_value_at(container)) == 0;
}

/* Slices, and tuples of them, that were made elsewhere. */
static bool is_made_strided(mst_place index) {
  const mst_value *value = mst_value_at(index);
  if (value->kind == MST_V_TUPLE) return has_strided_part(&index.program->values, value);
  return has_step(value) && !is_any_of(index);
}

static bool has_strided_index(mst_place place, mst_node_id first) {
  const mst_tree *tree = place.module->tree;
  for (mst_node_id index = first; index != 0; index = mst_node_at(tree, index)->next) {
    const mst_place part = mst_place_at(place, index);
    if (is_strided(part) || is_made_strided(part)) return true;
    if (mst_kind_of(tree, index) == MST_K_TUPLE &&
        has_strided_index(place, mst_node_at(tree, index)->first))
      return true;
  }
  return false;
}

static void visit(mst_rule_context *context, mst_place place) {
  const mst_tree *tree = place.module->tree;
  const mst_place object = mst_place_at(place, mst_node_at(tree, place.node)->first);
  const mst_value *value = mst_value_at(object);
  if (!mst_is_target_array(value)) return;
  if (!has_strided_index(place, mst_node_at(tree, object.node)->next)) return;
  mst_add_finding(context, mst_standing(place), value, "`%s` slices `%s` with a step other than 1",
                  mst_text_of(context, place), mst_text_of(context, object));
}

static const uint8_t kinds[] = {MST_K_SUBSCRIPT, MST_K_NONE};

const mst_rule mst_rule_r106 = {
    .id = "R106",
    .name = "non-unit step slice",
    .category = MST_BLOCKS,
    .outcome = MST_OUTCOME_RAISES,
    .counts = MST_COUNTS_ANYWHERE,
    .recipe = "RR-slice",
    .summary = "`a[::2]`, `a[::-1]`, `a[lo:hi:k]` on an array, read or written",
    .why = "The target's slices are contiguous blocks: a step other than 1 is refused with an "
           "error.",
    .kinds = kinds,
    .visit = visit,
};
