/* SPDX-License-Identifier: Apache-2.0 */
#include "rules/elementwise.h"

#include "rules/own_names.h"

#define MOST_DEPTH 32

static bool is_number(mst_place place) {
  const mst_value *value = mst_value_at(place);
  return mst_place_is(place, MST_K_NUMBER) || mst_is_sure_number(place) ||
         (value->kind == MST_V_DEFERRED && (value->flags & MST_VF_MAYBE_ELEMENT) == 0);
}

typedef bool (*test)(mst_place place, mst_place array, unsigned depth);

/* At least one child behind `first` passes, and the others are numbers. */
static bool are_of(mst_place place, mst_place array, unsigned first, unsigned depth, test passes,
                   bool may_be_numbers) {
  const mst_tree *tree = place.module->tree;
  bool any = false;
  for (mst_node_id id = mst_child(tree, place.node, first); id != 0;
       id = mst_node_at(tree, id)->next) {
    const mst_place child = mst_place_at(place, id);
    if (passes(child, array, depth + 1))
      any = true;
    else if (!may_be_numbers || !is_number(child))
      return false;
  }
  return any;
}

static bool is_plain_ufunc(mst_place call) {
  const mst_api *api = mst_called_api(call);
  return api != NULL && (api->traits & MST_T_UFUNC) != 0 && mst_is_called_under(call, "numpy.") &&
         mst_positional_count(call) + 1 == mst_child_count(call.module->tree, call.node);
}

static bool is_made_of(mst_place place, mst_place array, unsigned depth) {
  const unsigned op = mst_place_node(place)->op;
  if (depth > MOST_DEPTH) return false;
  if (mst_same_expression(place, array)) return true;
  switch (mst_place_kind(place)) {
  case MST_K_BINARY:
    return op >= MST_OP_ADD && op <= MST_OP_POW && are_of(place, array, 0, depth, is_made_of, true);
  case MST_K_UNARY: return are_of(place, array, 0, depth, is_made_of, false);
  case MST_K_CALL: return is_plain_ufunc(place) && are_of(place, array, 1, depth, is_made_of, true);
  default: return false;
  }
}

static bool is_comparison(mst_place place) {
  const unsigned op = mst_place_node(place)->op;
  return op >= MST_OP_LT && op <= MST_OP_GE && mst_child_count(place.module->tree, place.node) == 2;
}

static bool is_test(mst_place call) {
  static const char *const names[] = {"numpy.isnan", "numpy.isinf", "numpy.isfinite", NULL};
  return mst_one_of(mst_called_name(call), names) && is_plain_ufunc(call);
}

static bool is_mask(mst_place place, mst_place array, unsigned depth) {
  const unsigned op = mst_place_node(place)->op;
  if (depth > MOST_DEPTH) return false;
  switch (mst_place_kind(place)) {
  case MST_K_COMPARE:
    return is_comparison(place) && are_of(place, array, 0, depth, is_made_of, true);
  case MST_K_BINARY:
    return (op == MST_OP_BIT_AND || op == MST_OP_BIT_OR || op == MST_OP_BIT_XOR) &&
           are_of(place, array, 0, depth, is_mask, false);
  case MST_K_UNARY: return op == MST_OP_INVERT && are_of(place, array, 0, depth, is_mask, false);
  case MST_K_CALL: return is_test(place) && are_of(place, array, 1, depth, is_made_of, true);
  default: return false;
  }
}

bool mst_is_elementwise_of(mst_place expression, mst_place array) {
  char path[MST_PATH_BYTES];
  return mst_path_of(array, path) != NULL && is_made_of(expression, array, 0);
}

bool mst_is_mask_of(mst_place expression, mst_place array) {
  char path[MST_PATH_BYTES];
  const mst_value *value = mst_value_at(array);
  return mst_path_of(array, path) != NULL && mst_is_target_array(value) &&
         value->confidence >= MST_LIKELY && is_mask(expression, array, 0);
}
