/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "rules/elementwise.h"
#include "rules/own_names.h"
#include "rules/places.h"
#include "rules/suggest.h"
#include "rules/turns.h"
#include "rules/widths.h"

/* An attribute may be bound anywhere in the module; searched for each finding, and so bounded. */
#define MOST_NODES 32768

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

/* A view of the target other than itself, x.T or x[::-1]: in place it would be read while it is
 * written. */
static bool reads_elsewhere(mst_place operand, mst_place target) {
  const mst_tree *tree = operand.module->tree;
  const mst_kind kind = mst_place_kind(operand);
  const bool may_be_view =
      kind == MST_K_SUBSCRIPT || kind == MST_K_ATTRIBUTE ||
      (mst_value_at(operand)->flags & (MST_VF_VIEW | MST_VF_COPY_OF_VIEW)) != 0;
  if (!may_be_view || mst_same_expression(operand, target)) return false;
  const mst_node_id end = mst_subtree_end(tree, operand.node);
  for (mst_node_id id = operand.node; id < end; id++)
    if (mst_same_expression(mst_place_at(operand, id), target)) return true;
  return false;
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
  if (reads_elsewhere(other, target)) return NULL;
  return mst_format_text(context->arena, "%s %s %s", mst_source_of(context, target),
                         in_place_operator(op), mst_operand_text(context, other, false));
}

/* What stands between the last argument and the end of the call is a comma at most. */
static bool is_plain_end(const char *text, const char *end) {
  bool has_comma = false;
  for (; text < end - 1; text++) {
    if (*text == ',' && !has_comma)
      has_comma = true;
    else if (strchr(" \t\n", *text) == NULL)
      return false;
  }
  return text == end - 1;
}

/* x = np.f(x, y): the ufunc writes to x. */
static const char *in_place_ufunc(const mst_rule_context *context, mst_place target,
                                  mst_place call) {
  const mst_tree *tree = call.module->tree;
  const mst_node_id last = mst_last_child(tree, call.node);
  const mst_node *node = mst_place_node(call);
  const char *text = tree->source->text;
  if (!is_plain_end(text + tree->nodes[last].end, text + node->end)) return NULL;
  for (mst_node_id argument = tree->nodes[node->first].next; argument != 0;
       argument = tree->nodes[argument].next) {
    const mst_kind kind = mst_kind_of(tree, argument);
    if (kind == MST_K_KEYWORD || kind == MST_K_STAR || kind == MST_K_DOUBLE_STAR ||
        kind == MST_K_GENERATOR || reads_elsewhere(mst_place_at(call, argument), target))
      return NULL;
  }
  return mst_format_text(context->arena, "%.*s, out=%s)",
                         (int)(tree->nodes[last].end - node->start), text + node->start,
                         mst_source_of(context, target));
}

/* return x and return x, y */
static bool is_returned(mst_place use) {
  mst_place parent = mst_place_parent(use);
  if (mst_place_is(parent, MST_K_TUPLE)) parent = mst_place_parent(parent);
  return mst_place_is(parent, MST_K_RETURN);
}

/* Reading gives the array no other name; what the function itself returns comes last. */
static bool leaves_no_alias(mst_place use) {
  return is_returned(use) ? !mst_function_at(use)->is_generator : !mst_is_handed_on(use);
}

/* True when the function has no other name for the array that a local name stands for. */
static bool is_only_name(mst_place target) {
  mst_turns turns;
  const mst_module *module = target.module;
  if (!mst_function_turns(&turns, target) || mst_is_seen_from_outside(target) ||
      mst_sees_names(target))
    return false;
  const mst_symbol name = mst_place_node(target)->name;
  for (mst_node_id id = 0; mst_next_store(&turns, name, &id);)
    if (!mst_binds_new_array(mst_place_at(target, id))) return false;
  for (mst_node_id id = 0; mst_next_read(&turns, name, &id);) {
    const mst_place use = mst_place_at(target, id);
    const bool is_inner = module->function_of[id] != module->function_of[target.node];
    if ((is_inner && is_returned(use)) || !leaves_no_alias(use)) return false;
  }
  return !turns.is_spent;
}

/* All axes of both are known, and the same; or the one is computed from the other alone. */
static bool keeps_shape(mst_place target, mst_place value, const mst_value *before) {
  const mst_value *after = mst_value_at(value);
  if (before->rank < 0 || before->rank != after->rank) return false;
  if (mst_is_elementwise_of(value, target)) return true;
  return before->extents != 0 && before->extents == after->extents &&
         mst_element_total(&target.program->values, before) >= 0;
}

/* Nothing else sees the array, also where an exception ends the statement, and the result fits into
 * it without losing a bit. */
static bool is_safe(mst_place statement, mst_place operand, mst_place value) {
  const mst_value *before = mst_value_at(operand);
  const mst_place target = mst_place_child(statement, 0);
  if (mst_may_be_caught(statement) || mst_is_reshaped_in(target, mst_function_at(target)->node))
    return false;
  return mst_place_is(target, MST_K_NAME) && (before->flags & MST_VF_PARAMETER) == 0 &&
         before->dtype != MST_D_UNKNOWN && before->dtype == mst_value_at(value)->dtype &&
         keeps_shape(target, value, before) &&
         ((mst_is_widest(target) && mst_fits_widest(value, target)) ||
          mst_keeps_width(value, target)) &&
         is_only_name(target);
}

/* The same for all operands, down through arithmetic and ufuncs. */
static bool has_reads_elsewhere(mst_place place, mst_place target) {
  const bool is_call = mst_place_is(place, MST_K_CALL) && is_ufunc_call(place);
  const mst_kind kind = mst_place_kind(place);
  if (!is_call && kind != MST_K_BINARY && kind != MST_K_UNARY)
    return reads_elsewhere(place, target);
  mst_node_id child = mst_place_node(place)->first;
  for (child = is_call ? place.module->tree->nodes[child].next : child; child != 0;
       child = place.module->tree->nodes[child].next)
    if (has_reads_elsewhere(mst_place_at(place, child), target)) return true;
  return false;
}

/* Another name, a container or a closure holds the array: a use that is no argument of a call. */
static mst_node_id other_holder(mst_place target) {
  const mst_tree *tree = target.module->tree;
  mst_turns turns;
  if (!mst_place_is(target, MST_K_NAME) || !mst_function_turns(&turns, target)) return 0;
  for (mst_node_id id = 0; mst_next_read(&turns, mst_place_node(target)->name, &id);) {
    const mst_place use = mst_place_at(target, id);
    const bool is_inner = target.module->function_of[id] != target.module->function_of[target.node];
    if (tree->nodes[id].kind != MST_K_NAME || (leaves_no_alias(use) && !is_inner)) continue;
    const mst_place parent = mst_place_parent(use);
    if (mst_place_is(parent, MST_K_SUBSCRIPT) && mst_is_waited_for(mst_value_at(parent))) continue;
    const bool is_argument =
        mst_place_is(parent, MST_K_CALL) || mst_place_is(parent, MST_K_KEYWORD);
    const char *name = mst_place_is(parent, MST_K_CALL) ? mst_called_name(parent) : NULL;
    const bool is_kept = name != NULL && mst_starts_with(name, "list.");
    const bool goes_out = is_inner && is_returned(use);
    if (is_inner ? goes_out : !is_argument || is_kept) return id;
  }
  return 0;
}

static bool is_narrow(mst_dtype_class dtype) { return dtype == MST_D_BOOL || dtype == MST_D_INT; }

/* Another statement makes the target an array of a type in which the value cannot be kept: after
 * one turn both are there, so the target's own type tells nothing. Too much code may do so. */
static bool is_made_narrow(mst_place statement, mst_place target, const mst_value *after) {
  const mst_module *module = target.module;
  const mst_kind kind = mst_place_kind(target);
  mst_turns code = {.begin = 1, .end = module->tree->count};
  const bool is_short =
      kind == MST_K_NAME ? mst_function_turns(&code, target) : module->tree->count <= MOST_NODES;
  if (!is_short) return true;
  for (mst_node_id id = code.begin; id < code.end; id++) {
    const mst_node *node = mst_node_at(module->tree, id);
    const mst_value *made = &module->values[id];
    if (node->kind != kind || (node->flags & MST_F_STORE) == 0 || node->parent == statement.node ||
        !mst_is_array(made) || !mst_same_expression(mst_place_at(target, id), target))
      continue;
    if (kind == MST_K_NAME && module->function_of[id] != module->function_of[target.node]) continue;
    const mst_dtype_class dtype = (mst_dtype_class)made->dtype;
    const bool is_told = after->dtype != MST_D_UNKNOWN;
    if (is_told ? dtype != MST_D_UNKNOWN && dtype != after->dtype : is_narrow(dtype)) return true;
  }
  return false;
}

/* In place the type and the shape stay what they are. */
static bool changes_kind(mst_place statement, mst_place target, const mst_value *before,
                         const mst_value *after) {
  const bool widens = before->dtype != MST_D_UNKNOWN
                          ? after->dtype != MST_D_UNKNOWN && before->dtype != after->dtype
                          : is_made_narrow(statement, target, after);
  return widens || (before->rank >= 0 && after->rank >= 0 && before->rank != after->rank);
}

/* False when it is seen that the update in place would be something else. */
static bool may_be_in_place(mst_rule_context *context, mst_finding *finding, mst_place statement,
                            mst_place operand, mst_place value) {
  const mst_place target = mst_place_child(statement, 0);
  const mst_node_id holder = other_holder(target);
  if (holder != 0) {
    const mst_place place = mst_place_at(target, holder);
    mst_add_evidence(
        context, finding,
        "the array is held elsewhere, too (line %u): in place it would change there as well",
        mst_source_position(place.module->tree->source, mst_place_node(place)->start).line);
    return false;
  }
  return !changes_kind(statement, target, mst_value_at(operand), mst_value_at(value));
}

static void suggest(mst_rule_context *context, mst_finding *finding, mst_place statement,
                    mst_place operand, mst_place value) {
  const mst_place target = mst_place_child(statement, 0);
  const char *after = NULL;
  if (mst_place_is(value, MST_K_BINARY))
    after = in_place_arithmetic(context, target, value);
  else if (mst_place_node(operand)->parent == value.node)
    after = in_place_ufunc(context, target, value);
  if (after == NULL && has_reads_elsewhere(value, target))
    mst_add_evidence(context, finding,
                     "`%s` is read at other places, too: in place it would be read while it is "
                     "written, so write to a second buffer by `out=` and swap the two",
                     mst_text_of(context, target));
  if (after == NULL || !may_be_in_place(context, finding, statement, operand, value)) return;
  mst_suggest(context, finding, mst_lines_of(context, statement),
              mst_unindented(context, statement, after), is_safe(statement, operand, value));
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
  if (!mst_is_target_array(array) || array->rank == 0) return;
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
