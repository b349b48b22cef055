/* SPDX-License-Identifier: Apache-2.0 */
/* Expressions: what they are worth, noted at each node for the rules. */
#include "pysource/interp.h"

/* ---- constants --------------------------------------------------------------------------------------- */

static mst_value eval_truth(mst_interp *in, mst_node_id node) {
  return mst_value_number(mst_kind_of(in->tree, node) == MST_K_TRUE ? 1 : 0, true);
}

static mst_value eval_none(mst_interp *in, mst_node_id node) {
  (void)in;
  (void)node;
  return mst_value_of_kind(MST_V_NONE);
}

static mst_value eval_string(mst_interp *in, mst_node_id node) {
  (void)in;
  (void)node;
  return mst_value_of_kind(MST_V_STRING);
}

static mst_value eval_number(mst_interp *in, mst_node_id node) { return mst_eval_number(in, node); }

/* ---- operators ---------------------------------------------------------------------------------------- */

static mst_value eval_binary(mst_interp *in, mst_node_id node) {
  const mst_node_id left = mst_child(in->tree, node, 0);
  const mst_value a = mst_eval(in, left);
  const mst_value b = mst_eval(in, mst_in_node(in, left)->next);
  return mst_eval_binary_values(in, (mst_op)mst_in_node(in, node)->op, a, b, node);
}

static mst_value eval_compare(mst_interp *in, mst_node_id node) {
  mst_node_id child = mst_child(in->tree, node, 0);
  const mst_op op = (mst_op)mst_in_node(in, node)->op;
  mst_value left = mst_eval(in, child);
  mst_value result = mst_value_of_kind(MST_V_BOTTOM);
  for (child = mst_in_node(in, child)->next; child != 0; child = mst_in_node(in, child)->next) {
    const mst_value right = mst_eval(in, child);
    result = mst_value_join(in->values, result, mst_eval_binary_values(in, op, left, right, node));
    left = right;
  }
  return result;
}

static mst_value eval_unary(mst_interp *in, mst_node_id node) {
  mst_value value = mst_eval(in, mst_child(in->tree, node, 0));
  if (mst_knows_number(&value)) {
    if (mst_in_node(in, node)->op == MST_OP_NEGATE) value.number = -value.number;
    if (mst_in_node(in, node)->op == MST_OP_INVERT) value.number = -value.number - 1;
    return value;
  }
  if (mst_is_arrayish(&value)) {
    value.flags =
        (uint16_t)((value.flags & (MST_VF_MAYBE_ELEMENT | MST_VF_ELEMENT)) | MST_VF_FRESH);
    value.storage = value.kind == MST_V_ARRAY ? in->module->node_base + node : 0;
  }
  return value;
}

/* ---- containers and comprehensions ------------------------------------------------------------------------ */

/* What displays and comprehensions make, by kind of node. */
static mst_value_kind made_by(const mst_interp *in, mst_node_id node) {
  static const uint8_t kinds[MST_KINDS] = {
      [MST_K_TUPLE] = MST_V_TUPLE,       [MST_K_LIST] = MST_V_LIST,
      [MST_K_SET] = MST_V_SET,           [MST_K_LIST_COMP] = MST_V_LIST,
      [MST_K_SET_COMP] = MST_V_SET,      [MST_K_DICT_COMP] = MST_V_DICT,
      [MST_K_GENERATOR] = MST_V_ITERATOR};
  return (mst_value_kind)kinds[mst_kind_of(in->tree, node)];
}

static mst_value join_all(mst_interp *in, const mst_value *each, uint32_t count) {
  mst_value any = mst_value_of_kind(MST_V_BOTTOM);
  for (uint32_t i = 0; i < count; i++)
    any = mst_value_join(in->values, any, each[i]);
  return any;
}

static mst_value eval_sequence(mst_interp *in, mst_node_id node) {
  const mst_value_kind kind = made_by(in, node);
  mst_value each[MST_MOST_KNOWN];
  mst_value any = mst_value_of_kind(MST_V_BOTTOM); /* of those that are not known one by one */
  uint32_t count = 0;
  bool open = false;
  MST_EACH_CHILD(in->tree, child, node) {
    mst_value value = mst_eval(in, child);
    if (mst_kind_of(in->tree, child) == MST_K_STAR) {
      if (mst_value_add_items(in->values, &value, each, &count)) continue;
      open = true;
      value = mst_iterate(in, &value);
    }
    if (count < MST_MOST_KNOWN) {
      each[count++] = value;
      continue;
    }
    if (count++ == MST_MOST_KNOWN) any = join_all(in, each, MST_MOST_KNOWN);
    any = mst_value_join(in->values, any, value);
  }
  if (!open && count <= MST_MOST_KNOWN && kind != MST_V_SET)
    return mst_value_container_again(in->values, kind, each, count, &in->module->values[node]);
  if (count <= MST_MOST_KNOWN) any = join_all(in, each, count);
  return mst_value_container_of(in->values, kind, any);
}

static mst_value eval_dict(mst_interp *in, mst_node_id node) {
  mst_value any = mst_value_of_kind(MST_V_BOTTOM);
  MST_EACH_CHILD(in->tree, child, node) {
    if (mst_kind_of(in->tree, child) == MST_K_PAIR) {
      mst_eval(in, mst_child(in->tree, child, 0));
      any = mst_value_join(in->values, any, mst_eval(in, mst_child(in->tree, child, 1)));
    } else {
      const mst_value other = mst_eval(in, mst_child(in->tree, child, 0));
      any = mst_value_join(in->values, any, mst_value_any_item(in->values, &other));
    }
  }
  return mst_value_container_of(in->values, MST_V_DICT, any);
}

/* Its names are its own: what they hid comes back afterwards. */
static mst_value eval_comprehension(mst_interp *in, mst_node_id node) {
  mst_state *before = mst_state_share(in->env);
  const mst_node_id element = mst_child(in->tree, node, 0);
  for (mst_node_id child = mst_in_node(in, element)->next; child != 0;
       child = mst_in_node(in, child)->next) {
    if (mst_kind_of(in->tree, child) != MST_K_COMP_FOR) {
      mst_eval(in, mst_child(in->tree, child, 0));
      continue;
    }
    const mst_value iterable = mst_eval(in, mst_child(in->tree, child, 1));
    mst_bind(in, mst_child(in->tree, child, 0), mst_iterate(in, &iterable));
  }
  mst_value value;
  if (mst_kind_of(in->tree, element) == MST_K_PAIR) {
    mst_eval(in, mst_child(in->tree, element, 0));
    value = mst_eval(in, mst_child(in->tree, element, 1));
  } else {
    value = mst_eval(in, element);
  }
  mst_state_drop(&in->states, in->env);
  in->env = before;
  value.flags &= (uint16_t)~MST_VF_FRESH;
  return mst_value_container_of(in->values, made_by(in, node), value);
}

/* ---- the rest ------------------------------------------------------------------------------------------------ */

static mst_value eval_boolean(mst_interp *in, mst_node_id node) {
  const mst_node_id left = mst_child(in->tree, node, 0);
  const mst_value a = mst_eval(in, left);
  const mst_value b = mst_eval(in, mst_in_node(in, left)->next);
  return mst_value_join(in->values, a, b);
}

static mst_value eval_conditional(mst_interp *in, mst_node_id node) {
  const mst_value a = mst_eval(in, mst_child(in->tree, node, 0));
  mst_eval(in, mst_child(in->tree, node, 1));
  const mst_value b = mst_eval(in, mst_child(in->tree, node, 2));
  return mst_value_join(in->values, a, b);
}

static mst_value eval_lambda(mst_interp *in, mst_node_id node) {
  mst_value value = mst_value_of_kind(MST_V_FUNCTION);
  value.ref = in->module->calls[node] - 1;
  MST_EACH_CHILD(in->tree, parameter, mst_child(in->tree, node, 0)) {
    const mst_node_id otherwise = mst_child(in->tree, parameter, 1);
    if (mst_kind_of(in->tree, otherwise) != MST_K_EMPTY) mst_eval(in, otherwise);
  }
  return value;
}

static mst_value eval_yield(mst_interp *in, mst_node_id node) {
  const mst_node_id child = mst_child(in->tree, node, 0);
  mst_value value = mst_value_of_kind(MST_V_NONE);
  if (child != 0 && mst_kind_of(in->tree, child) != MST_K_EMPTY) value = mst_eval(in, child);
  if ((mst_in_node(in, node)->flags & MST_F_FROM) != 0) value = mst_iterate(in, &value);
  const mst_value all = mst_value_container_of(in->values, MST_V_ITERATOR, value);
  mst_function *function = mst_interp_function(in);
  function->result = mst_value_join(in->values, function->result, all);
  return mst_value_unknown();
}

static mst_value eval_children(mst_interp *in, mst_node_id node, mst_value value) {
  MST_EACH_CHILD(in->tree, child, node)
  if (mst_kind_of(in->tree, child) != MST_K_EMPTY) mst_eval(in, child);
  return value;
}

static mst_value eval_walrus(mst_interp *in, mst_node_id node) {
  const mst_value value = mst_eval(in, mst_child(in->tree, node, 1));
  mst_bind(in, mst_child(in->tree, node, 0), value);
  return value;
}

static mst_value eval_format(mst_interp *in, mst_node_id node) {
  return eval_children(in, node, mst_value_of_kind(MST_V_STRING));
}

static mst_value eval_slice(mst_interp *in, mst_node_id node) {
  return eval_children(in, node, mst_value_of_kind(MST_V_SLICE));
}

static mst_value eval_not(mst_interp *in, mst_node_id node) {
  return eval_children(in, node, mst_value_of_kind(MST_V_NUMBER));
}

/* key=value, *list: what is behind it. */
static mst_value eval_inner(mst_interp *in, mst_node_id node) {
  return mst_eval(in, mst_child(in->tree, node, 0));
}

/* What is none of these is not known, but what is in it is. */
static mst_value (*const expressions[MST_KINDS])(mst_interp *in, mst_node_id node) = {
    [MST_K_NAME] = mst_eval_name,
    [MST_K_NUMBER] = eval_number,
    [MST_K_STRING] = eval_string,
    [MST_K_FSTRING] = eval_format,
    [MST_K_TRUE] = eval_truth,
    [MST_K_FALSE] = eval_truth,
    [MST_K_NULL] = eval_none,
    [MST_K_ATTRIBUTE] = mst_eval_attribute,
    [MST_K_CALL] = mst_eval_call,
    [MST_K_SUBSCRIPT] = mst_eval_subscript,
    [MST_K_SLICE] = eval_slice,
    [MST_K_BINARY] = eval_binary,
    [MST_K_UNARY] = eval_unary,
    [MST_K_NOT] = eval_not,
    [MST_K_BOOLEAN] = eval_boolean,
    [MST_K_COMPARE] = eval_compare,
    [MST_K_CONDITIONAL] = eval_conditional,
    [MST_K_LAMBDA] = eval_lambda,
    [MST_K_TUPLE] = eval_sequence,
    [MST_K_LIST] = eval_sequence,
    [MST_K_SET] = eval_sequence,
    [MST_K_DICT] = eval_dict,
    [MST_K_LIST_COMP] = eval_comprehension,
    [MST_K_SET_COMP] = eval_comprehension,
    [MST_K_DICT_COMP] = eval_comprehension,
    [MST_K_GENERATOR] = eval_comprehension,
    [MST_K_KEYWORD] = eval_inner,
    [MST_K_STAR] = eval_inner,
    [MST_K_DOUBLE_STAR] = eval_inner,
    [MST_K_YIELD] = eval_yield,
    [MST_K_WALRUS] = eval_walrus};

mst_value mst_eval(mst_interp *in, mst_node_id node) {
  mst_count_step(in);
  mst_value (*const eval)(mst_interp *, mst_node_id) = expressions[mst_kind_of(in->tree, node)];
  const mst_value value =
      eval != NULL ? eval(in, node) : eval_children(in, node, mst_value_unknown());
  in->module->values[node] = value;
  return value;
}
