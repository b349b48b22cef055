/* SPDX-License-Identifier: Apache-2.0 */
/* Expressions: what they are worth, noted at each node for the rules. */
#include <math.h>
#include <string.h>

#include "pysource/interp.h"

/* ---- constants --------------------------------------------------------------------------------------- */

static mst_value truth(bool yes) { return mst_value_number(yes ? 1 : 0, true); }

/* ---- operators ---------------------------------------------------------------------------------------- */

static bool is_comparison(mst_op op) { return op >= MST_OP_LT && op <= MST_OP_GE; }

static bool fold(mst_op op, double a, double b, double *result) {
  switch (op) {
  case MST_OP_ADD: *result = a + b; return true;
  case MST_OP_SUB: *result = a - b; return true;
  case MST_OP_MUL: *result = a * b; return true;
  case MST_OP_DIV: *result = a / b; return b != 0;
  case MST_OP_FLOORDIV: *result = floor(a / b); return b != 0;
  case MST_OP_MOD: *result = a - b * floor(a / b); return b != 0;
  case MST_OP_POW: *result = pow(a, b); return isfinite(*result);
  case MST_OP_LSHIFT: *result = ldexp(a, (int)b); return b >= 0 && b < 1024;
  default: return false;
  }
}

static mst_value numbers(mst_op op, const mst_value *a, const mst_value *b) {
  double result;
  if (mst_knows_number(a) && mst_knows_number(b) && fold(op, a->number, b->number, &result)) {
    const bool integer = (a->flags & b->flags & MST_VF_INTEGER) != 0 && op != MST_OP_DIV;
    mst_value value = mst_value_number(result, integer);
    value.flags |= (a->flags | b->flags) & MST_VF_FROM_DEFAULT;
    return value;
  }
  mst_value value = mst_value_of_kind(MST_V_NUMBER);
  if (op != MST_OP_DIV) value.flags = a->flags & b->flags & MST_VF_INTEGER;
  value.flags |= (a->flags | b->flags) & MST_VF_ITEM_SIZE;
  if (a->dtype == MST_D_COMPLEX || b->dtype == MST_D_COMPLEX) value.dtype = MST_D_COMPLEX;
  return value;
}

static mst_dtype_class number_dtype(const mst_value *value) {
  if (value->kind != MST_V_NUMBER) return (mst_dtype_class)value->dtype;
  if (value->dtype == MST_D_COMPLEX) return MST_D_COMPLEX;
  return (value->flags & MST_VF_INTEGER) != 0  ? MST_D_INT
         : (value->flags & MST_VF_NUMBER) != 0 ? MST_D_FLOAT
                                               : MST_D_UNKNOWN;
}

static mst_dtype_class result_dtype(mst_op op, const mst_value *a, const mst_value *b) {
  if (is_comparison(op)) return MST_D_BOOL;
  const mst_dtype_class x = number_dtype(a), y = number_dtype(b);
  if (x == MST_D_COMPLEX || y == MST_D_COMPLEX) return MST_D_COMPLEX;
  if (x == MST_D_OBJECT || y == MST_D_OBJECT) return MST_D_OBJECT;
  if (op == MST_OP_DIV) return MST_D_FLOAT;
  if (x == MST_D_FLOAT || y == MST_D_FLOAT) return MST_D_FLOAT;
  if (x == MST_D_UNKNOWN || y == MST_D_UNKNOWN) return MST_D_UNKNOWN;
  return x == MST_D_BOOL && y == MST_D_BOOL ? MST_D_BOOL : MST_D_INT;
}

/* A list beside an array becomes one. */
static bool may_mix(const mst_value *value) {
  return mst_is_arrayish(value) || value->kind == MST_V_NUMBER || value->kind == MST_V_UNKNOWN ||
         value->kind == MST_V_LIST || value->kind == MST_V_TUPLE || value->kind == MST_V_OBJECT ||
         value->kind == MST_V_BOTTOM || value->kind == MST_V_NONE || value->kind == MST_V_RANGE ||
         value->kind == MST_V_INSTANCE;
}

/* Ranks and extents after broadcasting. */
static void broadcast_shape(mst_interp *in, const mst_value *a, const mst_value *b, mst_value *to) {
  to->extents = 0;
  const bool a_scalar = a->kind == MST_V_NUMBER || a->kind == MST_V_DEFERRED;
  const bool b_scalar = b->kind == MST_V_NUMBER || b->kind == MST_V_DEFERRED;
  if (a_scalar || b_scalar) {
    const mst_value *array = a_scalar ? b : a;
    to->rank = array->rank;
    to->extents = array->extents;
    return;
  }
  if (a->kind != MST_V_ARRAY || b->kind != MST_V_ARRAY || a->rank < 0 || b->rank < 0) {
    to->rank = -1;
    return;
  }
  to->rank = a->rank > b->rank ? a->rank : b->rank;
  if (a->extents == 0 || b->extents == 0 || to->rank > 16) return;
  int64_t extents[16];
  for (int i = 1; i <= to->rank; i++) {
    const int64_t x = i <= a->rank ? mst_extent(in->values, a, -i) : 1;
    const int64_t y = i <= b->rank ? mst_extent(in->values, b, -i) : 1;
    extents[to->rank - i] = x == 1 ? y : (y == 1 || y == x || y < 0) ? x : x < 0 ? y : -1;
  }
  to->extents = mst_extents(in->values, to->rank, extents);
}

/* The library that owns the result: the target's wins over the host's. */
static uint8_t owner(const mst_value *a, const mst_value *b) {
  const bool a_is = mst_is_arrayish(a), b_is = mst_is_arrayish(b);
  if (a_is && b_is)
    return a->library == b->library                                   ? a->library
           : a->library == MST_LIB_CUPY || b->library == MST_LIB_CUPY ? MST_LIB_CUPY
                                                                      : MST_LIB_TARGET;
  return a_is ? a->library : b->library;
}

mst_value mst_broadcast(mst_interp *in, mst_value a, mst_value b) {
  const bool array = a.kind == MST_V_ARRAY || b.kind == MST_V_ARRAY ||
                     (mst_is_arrayish(&a) && (b.kind == MST_V_LIST || b.kind == MST_V_TUPLE)) ||
                     (mst_is_arrayish(&b) && (a.kind == MST_V_LIST || a.kind == MST_V_TUPLE));
  mst_value value = mst_value_of_kind(array ? MST_V_ARRAY : MST_V_DEFERRED);
  value.library = owner(&a, &b);
  const mst_value *sure = mst_is_arrayish(&a) ? &a : &b;
  if (mst_is_arrayish(&a) && mst_is_arrayish(&b) && b.confidence > a.confidence) sure = &b;
  value.confidence = sure->confidence;
  value.why = sure->why;
  value.flags = MST_VF_FRESH;
  if (array)
    broadcast_shape(in, &a, &b, &value);
  else
    value.rank = 0;
  /* What is made of an element goes on belonging to the loop that took it. */
  const uint16_t either =
      array && mst_is_arrayish(&a) && mst_is_arrayish(&b) ? a.flags & b.flags : a.flags | b.flags;
  value.flags |= either & MST_VF_ELEMENT;
  const mst_value *maybe = a.kind == MST_V_ARRAY ? &a : &b;
  const mst_value *other = maybe == &a ? &b : &a;
  const bool other_scalar =
      other->kind != MST_V_ARRAY || (other->flags & MST_VF_MAYBE_ELEMENT) != 0;
  if (array && (maybe->flags & MST_VF_MAYBE_ELEMENT) != 0 && other_scalar)
    value.flags |= MST_VF_MAYBE_ELEMENT;
  return value;
}

static bool is_text_or_list(const mst_value *value) {
  return value->kind == MST_V_STRING || mst_is_container(value);
}

enum { MOST_KNOWN = 16 }; /* items of a display that are known one by one */

/* Adds the items of a tuple to `each`; false: they are not known one by one, or too many. */
static bool add_items(const mst_values *values, const mst_value *tuple, mst_value each[MOST_KNOWN],
                      uint32_t *count) {
  const uint32_t more = tuple->kind == MST_V_TUPLE ? mst_value_item_count(values, tuple) : 0;
  if (more == 0 || more > MOST_KNOWN || *count > MOST_KNOWN - more) return false;
  for (uint32_t i = 0; i < more; i++)
    each[(*count)++] = mst_value_item(values, tuple, i);
  return true;
}

static mst_value plain_containers(mst_interp *in, mst_op op, const mst_value *a,
                                  const mst_value *b) {
  if (a->kind == MST_V_STRING || b->kind == MST_V_STRING) return mst_value_of_kind(MST_V_STRING);
  mst_value each[MOST_KNOWN];
  uint32_t count = 0;
  if (op == MST_OP_ADD && add_items(in->values, a, each, &count) &&
      add_items(in->values, b, each, &count))
    return mst_value_container(in->values, MST_V_TUPLE, each, count);
  if (op == MST_OP_ADD && mst_is_container(a) && mst_is_container(b))
    return mst_value_container_of(in->values, (mst_value_kind)a->kind,
                                  mst_value_join_parts(in->values,
                                                       mst_value_any_item(in->values, a),
                                                       mst_value_any_item(in->values, b)));
  const mst_value *list = mst_is_container(a) ? a : b;
  /* [0] * n has any length. */
  if (op == MST_OP_MUL)
    return mst_value_container_of(in->values, (mst_value_kind)list->kind,
                                  mst_value_any_item(in->values, list));
  return *list;
}

static mst_value matmul(mst_interp *in, const mst_value *a, const mst_value *b) {
  mst_value value = mst_broadcast(in, *a, *b);
  value.extents = 0;
  value.flags &= (uint16_t)~MST_VF_MAYBE_ELEMENT;
  if (a->rank == 1 && b->rank == 1) {
    value.kind = MST_V_DEFERRED;
    value.rank = 0;
  } else if (a->rank > 0 && b->rank > 0) {
    value.kind = MST_V_ARRAY;
    value.rank = (int8_t)(a->rank == 1        ? b->rank - 1
                          : b->rank == 1      ? a->rank - 1
                          : a->rank > b->rank ? a->rank
                                              : b->rank);
    if (value.rank == 2 && a->rank == 2 && b->rank == 2) {
      const int64_t extents[2] = {mst_extent(in->values, a, 0), mst_extent(in->values, b, 1)};
      value.extents = mst_extents(in->values, 2, extents);
    }
  } else {
    value.kind = MST_V_ARRAY;
    value.rank = -1;
  }
  return value;
}

mst_value mst_eval_binary_values(mst_interp *in, mst_op op, mst_value a, mst_value b,
                                 mst_node_id node) {
  if (op == MST_OP_IS || op == MST_OP_IS_NOT) return mst_value_of_kind(MST_V_NUMBER);
  if (op == MST_OP_IN || op == MST_OP_NOT_IN) {
    if (!mst_is_array(&b)) return mst_value_of_kind(MST_V_NUMBER);
    b.kind = MST_V_DEFERRED; /* x in array: any(array == x) */
    b.rank = 0;
    b.flags = 0;
    return b;
  }
  if (mst_is_arrayish(&a) || mst_is_arrayish(&b)) {
    if (!may_mix(&a) || !may_mix(&b)) {
      if (a.kind == MST_V_STRING || b.kind == MST_V_STRING)
        return is_comparison(op) && (mst_is_array(&a) || mst_is_array(&b))
                   ? mst_value_array(-1, MST_LIKELY)
                   : mst_value_of_kind(MST_V_STRING);
      return mst_value_unknown();
    }
    mst_value value;
    if (op == MST_OP_MATMUL) {
      mst_value x = a, y = b;
      if (!mst_is_arrayish(&x)) x = mst_value_array(-1, MST_LIKELY), x.library = b.library;
      if (!mst_is_arrayish(&y)) y = mst_value_array(-1, MST_LIKELY), y.library = a.library;
      value = matmul(in, &x, &y);
    } else {
      value = mst_broadcast(in, a, b);
      /* An unknown beside an element may be an array; say what is known. */
      if (value.kind == MST_V_DEFERRED && (a.kind == MST_V_UNKNOWN || b.kind == MST_V_UNKNOWN) &&
          value.confidence == MST_CERTAIN)
        value.confidence = MST_LIKELY;
    }
    value.dtype = (uint8_t)result_dtype(op, &a, &b);
    value.storage = value.kind == MST_V_ARRAY ? in->module->node_base + node : 0;
    return mst_because(in, value, MST_STEP_MADE, node);
  }
  if (a.kind == MST_V_BOTTOM || b.kind == MST_V_BOTTOM) return mst_value_of_kind(MST_V_BOTTOM);
  const bool unknown = a.kind == MST_V_UNKNOWN || b.kind == MST_V_UNKNOWN;
  if (is_comparison(op) && !unknown) return mst_value_of_kind(MST_V_NUMBER);
  if (op == MST_OP_MATMUL) {
    mst_value value = mst_value_array(-1, MST_LIKELY);
    value.flags = MST_VF_FRESH;
    if (a.kind == MST_V_OBJECT || b.kind == MST_V_OBJECT) return mst_value_unknown();
    return mst_because(in, value, MST_STEP_MADE, node);
  }
  if (a.kind == MST_V_NUMBER && b.kind == MST_V_NUMBER) return numbers(op, &a, &b);
  if (is_text_or_list(&a) || is_text_or_list(&b)) return plain_containers(in, op, &a, &b);
  if (a.kind == MST_V_OBJECT || b.kind == MST_V_OBJECT) return a.kind == MST_V_OBJECT ? a : b;
  return mst_value_unknown();
}

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

static mst_value join_all(mst_interp *in, const mst_value *each, uint32_t count) {
  mst_value any = mst_value_of_kind(MST_V_BOTTOM);
  for (uint32_t i = 0; i < count; i++)
    any = mst_value_join(in->values, any, each[i]);
  return any;
}

static mst_value eval_sequence(mst_interp *in, mst_node_id node, mst_value_kind kind) {
  mst_value each[MOST_KNOWN];
  mst_value any = mst_value_of_kind(MST_V_BOTTOM); /* of those that are not known one by one */
  uint32_t count = 0;
  bool open = false;
  MST_EACH_CHILD(in->tree, child, node) {
    mst_value value = mst_eval(in, child);
    if (mst_kind_of(in->tree, child) == MST_K_STAR) {
      if (add_items(in->values, &value, each, &count)) continue;
      open = true;
      value = mst_iterate(in, &value);
    }
    if (count < MOST_KNOWN) {
      each[count++] = value;
      continue;
    }
    if (count++ == MOST_KNOWN) any = join_all(in, each, MOST_KNOWN);
    any = mst_value_join(in->values, any, value);
  }
  if (!open && count <= MOST_KNOWN && kind != MST_V_SET)
    return mst_value_container_again(in->values, kind, each, count, &in->module->values[node]);
  if (count <= MOST_KNOWN) any = join_all(in, each, count);
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
static mst_value eval_comprehension(mst_interp *in, mst_node_id node, mst_value_kind kind) {
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
  return mst_value_container_of(in->values, kind, value);
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

static mst_value eval_kind(mst_interp *in, mst_node_id node) {
  switch (mst_kind_of(in->tree, node)) {
  case MST_K_NAME: return mst_eval_name(in, node);
  case MST_K_NUMBER: return mst_eval_number(in, node);
  case MST_K_STRING: return mst_value_of_kind(MST_V_STRING);
  case MST_K_FSTRING: return eval_children(in, node, mst_value_of_kind(MST_V_STRING));
  case MST_K_TRUE: return truth(true);
  case MST_K_FALSE: return truth(false);
  case MST_K_NULL: return mst_value_of_kind(MST_V_NONE);
  case MST_K_ATTRIBUTE: return mst_eval_attribute(in, node);
  case MST_K_CALL: return mst_eval_call(in, node);
  case MST_K_SUBSCRIPT: return mst_eval_subscript(in, node);
  case MST_K_SLICE: return eval_children(in, node, mst_value_of_kind(MST_V_SLICE));
  case MST_K_BINARY: return eval_binary(in, node);
  case MST_K_UNARY: return eval_unary(in, node);
  case MST_K_NOT:
    mst_eval(in, mst_child(in->tree, node, 0));
    return mst_value_of_kind(MST_V_NUMBER);
  case MST_K_BOOLEAN: return eval_boolean(in, node);
  case MST_K_COMPARE: return eval_compare(in, node);
  case MST_K_CONDITIONAL: return eval_conditional(in, node);
  case MST_K_LAMBDA: return eval_lambda(in, node);
  case MST_K_TUPLE: return eval_sequence(in, node, MST_V_TUPLE);
  case MST_K_LIST: return eval_sequence(in, node, MST_V_LIST);
  case MST_K_SET: return eval_sequence(in, node, MST_V_SET);
  case MST_K_DICT: return eval_dict(in, node);
  case MST_K_LIST_COMP: return eval_comprehension(in, node, MST_V_LIST);
  case MST_K_SET_COMP: return eval_comprehension(in, node, MST_V_SET);
  case MST_K_DICT_COMP: return eval_comprehension(in, node, MST_V_DICT);
  case MST_K_GENERATOR: return eval_comprehension(in, node, MST_V_ITERATOR);
  case MST_K_KEYWORD:
  case MST_K_STAR:
  case MST_K_DOUBLE_STAR: return mst_eval(in, mst_child(in->tree, node, 0));
  case MST_K_YIELD: return eval_yield(in, node);
  case MST_K_WALRUS: return eval_walrus(in, node);
  default: return eval_children(in, node, mst_value_unknown());
  }
}

mst_value mst_eval(mst_interp *in, mst_node_id node) {
  mst_count_step(in);
  const mst_value value = eval_kind(in, node);
  in->module->values[node] = value;
  return value;
}
