/* SPDX-License-Identifier: Apache-2.0 */
#include "rules/hoist_reshape.h"

#include "rules/own_names.h"
#include "rules/suggest.h"
#include "rules/turns.h"

/* ---- what is only read ----------------------------------------------------------------------------- */

/* np.sin(x), np.sum(x, axis=0), x.sum(axis=0), told to write nowhere. */
static bool is_read_by_call(mst_place call) {
  return mst_is_new_reduction(call) || mst_is_new_of_ufunc(call);
}

/* True when the array is an operand of what makes something new of it. */
static bool is_used_up(mst_place use) {
  const mst_place parent = mst_place_parent(use), around = mst_place_parent(parent);
  switch (mst_place_kind(parent)) {
  case MST_K_BINARY:
  case MST_K_UNARY:
  case MST_K_COMPARE: return true;
  case MST_K_CALL: return mst_place_node(parent)->first != use.node && is_read_by_call(parent);
  case MST_K_ATTRIBUTE:
    return mst_place_is(around, MST_K_CALL) && mst_place_node(around)->first == parent.node &&
           is_read_by_call(around);
  case MST_K_AUG_ASSIGN:
    return mst_place_node(parent)->first != use.node &&
           mst_is_arrayish(mst_value_at(mst_place_child(parent, 0)));
  default: return false;
  }
}

/* The same of a name, which may stand in a reshape, before an index, or be asked for its shape. */
static bool is_only_read(mst_place name) {
  static const char *const facts[] = {"shape", "size", "ndim", "dtype", NULL};
  const mst_place parent = mst_place_parent(name), around = mst_place_parent(parent);
  const mst_node *node = mst_place_node(parent);
  const bool is_first = node->first == name.node;
  if (is_used_up(name)) return true;
  if ((node->flags & (MST_F_STORE | MST_F_DEL)) != 0) return false;
  if (mst_place_is(parent, MST_K_SUBSCRIPT)) return is_first && is_used_up(parent);
  const bool is_method = mst_place_is(parent, MST_K_ATTRIBUTE) && mst_place_is(around, MST_K_CALL);
  if (mst_place_is(parent, MST_K_ATTRIBUTE) && !is_method)
    return mst_one_of(mst_place_name(parent), facts);
  const mst_place call = is_method ? around : parent;
  const mst_api *api = mst_place_is(call, MST_K_CALL) ? mst_called_api(call) : NULL;
  return api != NULL && (api->effect == MST_E_RESHAPED || api->effect == MST_E_RAVELLED) &&
         mst_subject(call) == name.node && is_used_up(call);
}

/* ---- what is not seen ------------------------------------------------------------------------------- */

/* Literals that are known to fit, or none: it fails nowhere, also where the loop has no turn. */
static bool is_sure_to_fit(mst_place call, mst_place array) {
  const mst_tree *tree = call.module->tree;
  const mst_values *values = &call.program->values;
  const mst_value *before = mst_value_at(array), *after = mst_value_at(call);
  const mst_node_id end = mst_subtree_end(tree, call.node);
  bool has_shape = false;
  for (mst_node_id id = mst_child(tree, call.node, 1); id != 0 && id < end; id++) {
    const mst_kind kind = mst_kind_of(tree, id);
    if (id == array.node) continue;
    if (kind != MST_K_NUMBER && kind != MST_K_TUPLE && kind != MST_K_UNARY) return false;
    has_shape = true;
  }
  if (!has_shape) return mst_called_api(call)->effect == MST_E_RAVELLED;
  const int64_t count = mst_element_count(values, before);
  return mst_is_known_here(call.program, before) && (before->flags & MST_VF_FROM_DEFAULT) == 0 &&
         count > 0 && count == mst_element_count(values, after);
}

static bool is_within(mst_place loop, mst_node_id id) {
  return mst_is_within(loop.module->tree, id, loop.node);
}

static bool is_bound_before(mst_place array, mst_place loop) {
  mst_turns turns;
  const mst_tree *tree = array.module->tree;
  if (!mst_function_turns(&turns, array)) return false;
  for (mst_node_id id = 0; mst_next_store(&turns, mst_place_node(array)->name, &id);) {
    const mst_node_id statement = mst_node_at(tree, id)->parent;
    if (mst_kind_of(tree, statement) == MST_K_ASSIGN && statement < loop.node &&
        mst_is_within(tree, loop.node, mst_node_at(tree, statement)->parent))
      return true;
  }
  return false;
}

/* v of `v = u.ravel()`; node 0: the reshape is bound to no name. */
static mst_place bound_name(mst_place call) {
  const mst_place parent = mst_place_parent(call), name = mst_place_child(parent, 0);
  const bool is_plain = mst_place_is(parent, MST_K_ASSIGN) && mst_place_is(name, MST_K_NAME) &&
                        mst_child_count(call.module->tree, parent.node) == 2;
  return mst_place_at(call, is_plain ? name.node : 0);
}

/* True when something but the loop's own lines may write into the array, or these may; what is done
 * to the name that the reshape is bound to is looked at for itself. */
static bool may_be_written(mst_place call, mst_place array, mst_place loop) {
  mst_turns turns;
  const bool has_name = bound_name(call).node != 0;
  if (!mst_owns_array(array) || !mst_function_turns(&turns, array)) return true;
  if (mst_is_bound_in(array, loop.node) || mst_is_reshaped_in(array, loop.node)) return true;
  for (mst_node_id id = 0; mst_next_read(&turns, mst_place_node(array)->name, &id);) {
    const mst_place read = mst_place_at(array, id);
    if (!mst_place_is(read, MST_K_NAME) || (has_name && id == array.node)) continue;
    if (mst_is_handed_on(read) || (is_within(loop, id) && !is_only_read(read))) return true;
  }
  return turns.is_spent;
}

/* The name stands for this reshape alone, and for nothing outside of the loop. */
static bool is_only_read_in(mst_place name, mst_place loop) {
  mst_turns turns;
  if (!mst_is_own_name(name) || mst_is_bound_anew(name) || !mst_function_turns(&turns, name))
    return false;
  for (mst_node_id id = 0; mst_next_read(&turns, mst_place_node(name)->name, &id);) {
    const mst_place read = mst_place_at(name, id);
    if (mst_place_is(read, MST_K_NAME) && (!is_within(loop, id) || !is_only_read(read)))
      return false;
  }
  return !turns.is_spent && !mst_is_reshaped_in(name, loop.node);
}

static const char *doubt_of(mst_place call, mst_place array, mst_place loop) {
  if (!mst_is_seen_array(array) || may_be_written(call, array, loop))
    return "something may write into the array while the loop runs";
  if (bound_name(call).node != 0 && !is_only_read_in(bound_name(call), loop))
    return "its name may be read outside of the loop, or what it stands for be written into";
  if (!is_bound_before(array, loop)) return "it may be bound to nothing before the loop";
  if (mst_may_be_caught(loop) || !is_sure_to_fit(call, array))
    return "it might fail where the loop has no turn";
  return NULL;
}

/* ---- the suggestion --------------------------------------------------------------------------------- */

void mst_suggest_reshape_hoist(mst_rule_context *context, mst_finding *finding, mst_place call,
                               mst_place array) {
  const mst_tree *tree = call.module->tree;
  const mst_place statement = mst_place_at(call, mst_statement_of(tree, call.node));
  const mst_loop *around = mst_repeating_loop(call);
  if (finding == NULL || around == NULL || around != mst_loop_at(call) ||
      mst_place_node(statement)->parent != around->body || !mst_is_simple_statement(statement) ||
      !mst_place_is(array, MST_K_NAME) || (!is_used_up(call) && bound_name(call).node == 0))
    return;
  const mst_place loop = mst_place_at(call, around->node);
  if (bound_name(call).node != 0 && mst_child_count(tree, around->body) == 1) return;
  if (call.module->function_of[call.node] != call.module->function_of[loop.node]) return;
  const char *doubt = doubt_of(call, array, loop), *name = mst_place_name(array);
  const char *head = mst_head_of(context, loop);
  const char *line = mst_lines_of(context, statement);
  const char *before =
      mst_format_text(context->arena, "%s\n%s", head, mst_indented(context, statement, line));
  const char *made = mst_unused_name(context, mst_format_text(context->arena, "%s_reshaped", name));
  const mst_edit edit = {call.node, made};
  const char *after =
      bound_name(call).node != 0
          ? mst_format_text(context->arena, "%s\n%s", line, head)
          : mst_format_text(
                context->arena, "%s = %s\n%s\n%s", made, mst_operand_text(context, call, false),
                head,
                mst_indented(context, statement, mst_lines_with(context, statement, &edit, 1)));
  mst_suggest(context, finding, before, after, doubt == NULL);
  if (doubt != NULL)
    mst_add_evidence(context, finding, "not seen to stay the same before the loop: %s", doubt);
}
