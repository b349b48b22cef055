/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "rules/places.h"
#include "rules/suggest.h"
#include "rules/turns.h"

#define MAX_DEPTH 64

static bool is_arithmetic(mst_place place) {
  const unsigned op = mst_place_node(place)->op;
  return op == MST_OP_ADD || op == MST_OP_SUB || op == MST_OP_MUL || op == MST_OP_DIV;
}

static bool is_ufunc_call(mst_place call) {
  const mst_api *api = mst_called_api(call);
  return api != NULL && (api->traits & MST_T_UFUNC) != 0 && mst_is_called_under(call, "numpy.") &&
         mst_argument(call, api->out_at, "out") == 0;
}

/* Where the target is an operand, down through arithmetic and ufuncs; 0: nowhere. */
static mst_node_id operand_of(mst_place place, mst_place target, unsigned depth) {
  const mst_tree *tree = place.module->tree;
  if (mst_same_expression(place, target)) return place.node;
  const bool is_call = mst_place_is(place, MST_K_CALL);
  if (depth == MAX_DEPTH) return 0;
  if (is_call ? !is_ufunc_call(place) : !mst_place_is(place, MST_K_BINARY) || !is_arithmetic(place))
    return 0;
  mst_node_id child = mst_place_node(place)->first;
  for (child = is_call ? tree->nodes[child].next : child; child != 0;
       child = tree->nodes[child].next) {
    const mst_node_id found = operand_of(mst_place_at(place, child), target, depth + 1);
    if (found != 0) return found;
  }
  return 0;
}

/* ---- in place ------------------------------------------------------------------------------------ */

static const char *in_place_operator(unsigned op) {
  switch (op) {
  case MST_OP_ADD: return "+=";
  case MST_OP_SUB: return "-=";
  case MST_OP_MUL: return "*=";
  default: return "/=";
  }
}

/* All of the right-hand side is the operand, so parentheses matter only where a line ends. */
static const char *operand_text(const mst_rule_context *context, mst_place operand) {
  const char *text = mst_source_of(context, operand);
  const bool needs_parentheses = strchr(text, '\n') != NULL || mst_place_is(operand, MST_K_WALRUS);
  return needs_parentheses ? mst_format_text(context->arena, "(%s)", text) : text;
}

/* x = x + y and x = y + x; not x = x - y - z, whose root has x one level deeper. */
static const char *in_place_arithmetic(const mst_rule_context *context, mst_place target,
                                       mst_place value) {
  const mst_place left = mst_place_child(value, 0), right = mst_place_child(value, 1);
  const unsigned op = mst_place_node(value)->op;
  mst_place other = right;
  if (!mst_same_expression(left, target)) {
    const bool commutes = op == MST_OP_ADD || op == MST_OP_MUL;
    if (!commutes || !mst_same_expression(right, target)) return NULL;
    other = left;
  }
  return mst_format_text(context->arena, "%s %s %s", mst_source_of(context, target),
                         in_place_operator(op), operand_text(context, other));
}

/* x = np.f(x, y): the ufunc writes to x. */
static const char *in_place_ufunc(const mst_rule_context *context, mst_place target,
                                  mst_place call) {
  const mst_tree *tree = call.module->tree;
  const mst_node_id last = mst_last_child(tree, call.node);
  const uint32_t start = mst_place_node(call)->start;
  const char *text = tree->source->text + start;
  return mst_format_text(context->arena, "%.*s, out=%s)", (int)(tree->nodes[last].end - start),
                         text, mst_source_of(context, target));
}

/* Uses that read the elements of an array and leave no other name for it. */
static bool leaves_no_alias(mst_place use) {
  const mst_place parent = mst_place_parent(use);
  switch (mst_place_kind(parent)) {
  case MST_K_BINARY:
  case MST_K_UNARY:
  case MST_K_COMPARE:
  case MST_K_AUG_ASSIGN:
  case MST_K_RETURN: return true;
  case MST_K_CALL: return is_ufunc_call(parent);
  default: return false;
  }
}

/* What is bound to a name here is nobody else's: it was made by an operator or a ufunc, or is a
 * fresh array. */
static bool binds_own_array(mst_place target) {
  const mst_place parent = mst_place_parent(target);
  if (!mst_place_is(parent, MST_K_ASSIGN)) return mst_place_is(parent, MST_K_AUG_ASSIGN);
  const mst_place value = mst_place_at(target, mst_last_child(target.module->tree, parent.node));
  if (mst_child_count(target.module->tree, parent.node) != 2) return false;
  if (mst_place_is(value, MST_K_BINARY)) return true;
  const mst_api *api = mst_place_is(value, MST_K_CALL) ? mst_called_api(value) : NULL;
  return api != NULL && (api->traits & (MST_T_UFUNC | MST_T_CREATES | MST_T_RANDOM)) != 0;
}

/* True when the function has no other name for the array that a local name stands for. */
static bool is_only_name(mst_place target) {
  mst_turns turns;
  if (!mst_function_turns(&turns, target)) return false;
  const mst_symbol name = mst_place_node(target)->name;
  for (mst_node_id id = 0; mst_next_store(&turns, name, &id);)
    if (!binds_own_array(mst_place_at(target, id))) return false;
  for (mst_node_id id = 0; mst_next_read(&turns, name, &id);)
    if (!leaves_no_alias(mst_place_at(target, id))) return false;
  return !turns.is_spent;
}

/* Nothing else sees the array, and the result fits into it. */
static bool is_safe(mst_place statement, mst_place operand, mst_place value) {
  const mst_value *before = mst_value_at(operand);
  const mst_value *after = mst_value_at(value);
  const mst_place target = mst_place_child(statement, 0);
  return mst_place_is(target, MST_K_NAME) && (before->flags & MST_VF_PARAMETER) == 0 &&
         before->dtype != MST_D_UNKNOWN && before->dtype == after->dtype && before->rank >= 0 &&
         before->rank == after->rank && before->extents != 0 && before->extents == after->extents &&
         is_only_name(target);
}

static void suggest(mst_rule_context *context, mst_finding *finding, mst_place statement,
                    mst_place operand, mst_place value) {
  const mst_place target = mst_place_child(statement, 0);
  const char *after = NULL;
  if (mst_place_is(value, MST_K_BINARY))
    after = in_place_arithmetic(context, target, value);
  else if (mst_place_node(operand)->parent == value.node)
    after = in_place_ufunc(context, target, value);
  if (after == NULL) return;
  mst_suggest(context, finding, mst_lines_of(context, statement), after,
              is_safe(statement, operand, value));
}

/* ---- the rule ------------------------------------------------------------------------------------- */

static void visit(mst_rule_context *context, mst_place place) {
  const mst_tree *tree = place.module->tree;
  if (mst_child_count(tree, place.node) != 2 || !mst_may_stand(context, place)) return;
  const mst_place target = mst_place_child(place, 0);
  const mst_place value = mst_place_child(place, 1);
  if (!mst_place_is(target, MST_K_NAME) && !mst_place_is(target, MST_K_ATTRIBUTE)) return;
  if (!mst_place_is(value, MST_K_BINARY) && !mst_place_is(value, MST_K_CALL)) return;
  const mst_place operand = mst_place_at(place, operand_of(value, target, 0));
  if (operand.node == 0) return;
  const mst_value *array = mst_value_at(operand);
  if (!mst_is_target_array(array) || array->rank == 0 || mst_is_walk_use(operand)) return;
  if ((array->flags & MST_VF_MAYBE_ELEMENT) != 0) return;
  mst_finding *finding = mst_add_finding(
      context, place, array, "`%s` makes a new array in each step instead of changing `%s`",
      mst_text_of(context, place), mst_text_of(context, target));
  if (finding != NULL) suggest(context, finding, place, operand, value);
}

const mst_rule mst_rule_r202 = {
    .id = "R202",
    .name = "rebinding instead of updating in place",
    .category = MST_REFACTOR,
    .outcome = MST_OUTCOME_COST,
    .counts = MST_COUNTS_HOT,
    .recipe = "RR-inplace",
    .summary = "`x = x + y` on an array in a hot loop",
    .why = "Each step allocates the whole array anew, and the old one lives on until the runtime "
           "has caught up; `x += y` keeps memory and partition.",
    .kinds = (const uint8_t[]){MST_K_ASSIGN, MST_K_NONE},
    .visit = visit,
};
