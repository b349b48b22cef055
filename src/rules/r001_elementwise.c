/* SPDX-License-Identifier: Apache-2.0 */
#include "rules/common.h"

static bool is_elementwise(mst_place place) {
  const mst_node *node = mst_node_at(place.module->tree, place.node);
  if (node->kind == MST_K_CALL) {
    const mst_api *api = mst_called_api(place);
    return api != NULL && (api->traits & (MST_T_ELEMENTWISE | MST_T_UFUNC)) != 0;
  }
  if (node->kind == MST_K_COMPARE) return node->op >= MST_OP_LT && node->op <= MST_OP_GE;
  return node->op != MST_OP_MATMUL;
}

/* Of `a += b` it is the target that says what it works on. */
static mst_node_id result_of(mst_place place) {
  const mst_node *node = mst_node_at(place.module->tree, place.node);
  return node->kind == MST_K_AUG_ASSIGN ? node->first : place.node;
}

static void visit(mst_rule_context *context, mst_place place) {
  if (!is_elementwise(place)) return;
  const mst_place result = mst_place_at(place, result_of(place));
  const mst_value *value = mst_value_at(result);
  if (!mst_is_sure_array(value) || mst_is_walk_use(result)) return;
  mst_add_finding(context, mst_standing(place), value, "elementwise on whole arrays: `%s`",
                  mst_text_of(context, place));
}

static const uint8_t kinds[] = {MST_K_BINARY, MST_K_UNARY,      MST_K_COMPARE,
                                MST_K_CALL,   MST_K_AUG_ASSIGN, MST_K_NONE};

const mst_rule mst_rule_r001 = {
    .id = "R001",
    .name = "vectorised elementwise",
    .category = MST_SCALES,
    .outcome = MST_OUTCOME_NONE,
    .counts = MST_COUNTS_NEVER,
    .summary = "arithmetic, comparisons and ufuncs on whole arrays",
    .why = "Each operation is cut into one task a GPU; no element depends on another.",
    .kinds = kinds,
    .visit = visit,
};
