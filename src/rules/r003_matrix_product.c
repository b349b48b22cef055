/* SPDX-License-Identifier: Apache-2.0 */
#include "rules/common.h"

static const mst_value *operand(mst_place place, mst_node_id node) {
  const mst_value *value = mst_value_at(mst_place_at(place, node));
  return mst_is_sure_array(value) ? value : NULL;
}

/* An array among the factors; NULL: no product, or none of the target's. */
static const mst_value *factor(mst_place place) {
  const mst_tree *tree = place.module->tree;
  const mst_node *node = mst_node_at(tree, place.node);
  if (node->kind == MST_K_CALL) {
    const mst_api *api = mst_called_api(place);
    if (api == NULL || (api->traits & MST_T_PRODUCT) == 0) return NULL;
    const mst_node_id array = mst_array_operand(place);
    return array != 0 ? operand(place, array) : NULL;
  }
  if (node->op != MST_OP_MATMUL) return NULL;
  const mst_value *left = operand(place, node->first);
  return left != NULL ? left : operand(place, mst_child(tree, place.node, 1));
}

static void visit(mst_rule_context *context, mst_place place) {
  const mst_value *value = factor(place);
  if (value == NULL || mst_is_walk_use(place)) return;
  mst_add_finding(context, mst_standing(place), value, "matrix product: `%s`",
                  mst_text_of(context, place));
}

static const uint8_t kinds[] = {MST_K_BINARY, MST_K_AUG_ASSIGN, MST_K_CALL, MST_K_NONE};

const mst_rule mst_rule_r003 = {
    .id = "R003",
    .name = "matrix product",
    .category = MST_SCALES,
    .outcome = MST_OUTCOME_NONE,
    .counts = MST_COUNTS_NEVER,
    .summary = "`@`, matmul, dot, einsum, tensordot, inner, vdot",
    .why = "Products are tiled over the GPUs, and do much arithmetic for each byte they move.",
    .kinds = kinds,
    .visit = visit,
};
