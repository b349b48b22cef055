/* SPDX-License-Identifier: Apache-2.0 */
/* What operators make of two values. */
#include <math.h>

#include "pysource/interp.h"

/* ---- numbers --------------------------------------------------------------------------------------------- */

static bool either_is(mst_value_kind kind, const mst_value *a, const mst_value *b) {
  return a->kind == kind || b->kind == kind;
}

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
  case MST_OP_LSHIFT:
    if (!(b >= 0 && b < 1024)) return false; /* nor NaN */
    *result = ldexp(a, (int)b);
    return true;
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

mst_dtype_class mst_result_dtype(mst_op op, const mst_value *a, const mst_value *b) {
  if (is_comparison(op)) return MST_D_BOOL;
  const mst_dtype_class x = number_dtype(a), y = number_dtype(b);
  if (x == MST_D_COMPLEX || y == MST_D_COMPLEX) return MST_D_COMPLEX;
  if (x == MST_D_OBJECT || y == MST_D_OBJECT) return MST_D_OBJECT;
  if (x == MST_D_LONG_DOUBLE || y == MST_D_LONG_DOUBLE) return MST_D_LONG_DOUBLE;
  if ((x == MST_D_UNKNOWN && mst_is_array(a)) || (y == MST_D_UNKNOWN && mst_is_array(b)))
    return MST_D_UNKNOWN;
  if (op == MST_OP_DIV) return MST_D_FLOAT;
  if (x == MST_D_FLOAT || y == MST_D_FLOAT) return MST_D_FLOAT;
  if (x == MST_D_UNKNOWN || y == MST_D_UNKNOWN) return MST_D_UNKNOWN;
  return x == MST_D_BOOL && y == MST_D_BOOL ? MST_D_BOOL : MST_D_INT;
}

/* ---- arrays --------------------------------------------------------------------------------------------- */

/* A list beside an array becomes one. */
static bool may_mix(const mst_value *value) {
  return mst_is_arrayish(value) || value->kind == MST_V_NUMBER || value->kind == MST_V_UNKNOWN ||
         value->kind == MST_V_LIST || value->kind == MST_V_TUPLE || value->kind == MST_V_OBJECT ||
         value->kind == MST_V_BOTTOM || value->kind == MST_V_NONE || value->kind == MST_V_RANGE ||
         value->kind == MST_V_INSTANCE;
}

static int64_t broadcast_extent(int64_t x, int64_t y) {
  if (x == 1) return y;
  if (y == 1 || y == x || y < 0) return x;
  return x < 0 ? y : -1;
}

/* Of two arrays. */
static void broadcast_arrays(mst_interp *in, const mst_value *a, const mst_value *b,
                             mst_value *to) {
  to->rank = a->rank > b->rank ? a->rank : b->rank;
  if (a->extents == 0 || b->extents == 0 || to->rank > 16) return;
  int64_t extents[16];
  for (int i = 1; i <= to->rank; i++) {
    const int64_t x = i <= a->rank ? mst_extent(in->values, a, -i) : 1;
    const int64_t y = i <= b->rank ? mst_extent(in->values, b, -i) : 1;
    extents[to->rank - i] = broadcast_extent(x, y);
  }
  to->extents = mst_extents(in->values, to->rank, extents);
}

static bool is_scalar(const mst_value *value) {
  return value->kind == MST_V_NUMBER || value->kind == MST_V_DEFERRED;
}

static bool has_rank(const mst_value *value) {
  return value->kind == MST_V_ARRAY && value->rank >= 0;
}

/* Ranks and extents after broadcasting. */
static void broadcast_shape(mst_interp *in, const mst_value *a, const mst_value *b, mst_value *to) {
  to->extents = 0;
  if (is_scalar(a) || is_scalar(b)) {
    const mst_value *array = is_scalar(a) ? b : a;
    to->rank = array->rank;
    to->extents = array->extents;
  } else if (has_rank(a) && has_rank(b)) {
    broadcast_arrays(in, a, b, to);
  } else {
    to->rank = -1;
  }
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

static bool is_sequence(const mst_value *value) {
  return value->kind == MST_V_LIST || value->kind == MST_V_TUPLE;
}

static bool makes_array(const mst_value *a, const mst_value *b) {
  return either_is(MST_V_ARRAY, a, b) || (mst_is_arrayish(a) && is_sequence(b)) ||
         (mst_is_arrayish(b) && is_sequence(a));
}

/* The one that tells how sure it is that the result is an array. */
static const mst_value *surer(const mst_value *a, const mst_value *b) {
  if (!mst_is_arrayish(a)) return b;
  return mst_is_arrayish(b) && b->confidence > a->confidence ? b : a;
}

/* What is made of an element goes on belonging to the loop that took it. */
static bool belongs_to_loop(const mst_value *a, const mst_value *b, bool array) {
  const bool both = array && mst_is_arrayish(a) && mst_is_arrayish(b);
  return ((both ? a->flags & b->flags : a->flags | b->flags) & MST_VF_ELEMENT) != 0;
}

/* a[i] beside a number may be an element or a row, as before. */
static bool may_be_element(const mst_value *a, const mst_value *b) {
  const mst_value *maybe = a->kind == MST_V_ARRAY ? a : b;
  const mst_value *other = maybe == a ? b : a;
  const bool other_scalar =
      other->kind != MST_V_ARRAY || (other->flags & MST_VF_MAYBE_ELEMENT) != 0;
  return (maybe->flags & MST_VF_MAYBE_ELEMENT) != 0 && other_scalar;
}

mst_value mst_broadcast(mst_interp *in, mst_value a, mst_value b) {
  const bool array = makes_array(&a, &b);
  const mst_value *sure = surer(&a, &b);
  mst_value value = mst_value_of_kind(array ? MST_V_ARRAY : MST_V_DEFERRED);
  value.library = owner(&a, &b);
  value.confidence = sure->confidence;
  value.why = sure->why;
  value.flags = MST_VF_FRESH;
  if (array)
    broadcast_shape(in, &a, &b, &value);
  else
    value.rank = 0;
  if (belongs_to_loop(&a, &b, array)) value.flags |= MST_VF_ELEMENT;
  if (array && may_be_element(&a, &b)) value.flags |= MST_VF_MAYBE_ELEMENT;
  return value;
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

/* Beside an array in a @ b stands another. */
static mst_value as_matrix(const mst_value *operand, const mst_value *other) {
  if (mst_is_arrayish(operand)) return *operand;
  mst_value array = mst_value_array(-1, MST_LIKELY);
  array.library = other->library;
  return array;
}

/* An array and what goes with one. */
static mst_value of_arrays(mst_interp *in, mst_op op, const mst_value *a, const mst_value *b,
                           mst_node_id node) {
  mst_value value;
  if (op == MST_OP_MATMUL) {
    const mst_value x = as_matrix(a, b), y = as_matrix(b, a);
    value = matmul(in, &x, &y);
  } else {
    value = mst_broadcast(in, *a, *b);
    /* An unknown beside an element may be an array; say what is known. */
    if (value.kind == MST_V_DEFERRED && either_is(MST_V_UNKNOWN, a, b) &&
        value.confidence == MST_CERTAIN)
      value.confidence = MST_LIKELY;
  }
  value.dtype = (uint8_t)mst_result_dtype(op, a, b);
  value.storage = value.kind == MST_V_ARRAY ? in->module->node_base + node : 0;
  return mst_because(in, value, MST_STEP_MADE, node);
}

/* An array and what does not, such as text. */
static mst_value of_strangers(mst_op op, const mst_value *a, const mst_value *b) {
  if (!either_is(MST_V_STRING, a, b)) return mst_value_unknown();
  return is_comparison(op) && either_is(MST_V_ARRAY, a, b) ? mst_value_array(-1, MST_LIKELY)
                                                           : mst_value_of_kind(MST_V_STRING);
}

/* ---- other values --------------------------------------------------------------------------------------- */

static bool is_text_or_list(const mst_value *value) {
  return value->kind == MST_V_STRING || mst_is_container(value);
}

static mst_value plain_containers(mst_interp *in, mst_op op, const mst_value *a,
                                  const mst_value *b) {
  if (either_is(MST_V_STRING, a, b)) return mst_value_of_kind(MST_V_STRING);
  mst_value each[MST_MOST_KNOWN];
  uint32_t count = 0;
  if (op == MST_OP_ADD && mst_value_add_items(in->values, a, each, &count) &&
      mst_value_add_items(in->values, b, each, &count))
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

/* `x in array`: any(array == x); `x in` anything else is a number. */
static mst_value membership(const mst_value *of) {
  if (!mst_is_array(of)) return mst_value_of_kind(MST_V_NUMBER);
  mst_value value = *of;
  value.kind = MST_V_DEFERRED;
  value.rank = 0;
  value.flags = 0;
  return value;
}

/* Neither is known to be an array. */
static mst_value of_others(mst_interp *in, mst_op op, const mst_value *a, const mst_value *b,
                           mst_node_id node) {
  if (either_is(MST_V_BOTTOM, a, b)) return mst_value_of_kind(MST_V_BOTTOM);
  if (is_comparison(op) && !either_is(MST_V_UNKNOWN, a, b)) return mst_value_of_kind(MST_V_NUMBER);
  if (op == MST_OP_MATMUL) {
    if (either_is(MST_V_OBJECT, a, b)) return mst_value_unknown();
    mst_value value = mst_value_array(-1, MST_LIKELY);
    value.flags = MST_VF_FRESH;
    return mst_because(in, value, MST_STEP_MADE, node);
  }
  if (a->kind == MST_V_NUMBER && b->kind == MST_V_NUMBER) return numbers(op, a, b);
  if (is_text_or_list(a) || is_text_or_list(b)) return plain_containers(in, op, a, b);
  if (either_is(MST_V_OBJECT, a, b)) return a->kind == MST_V_OBJECT ? *a : *b;
  return mst_value_unknown();
}

mst_value mst_eval_binary_values(mst_interp *in, mst_op op, mst_value a, mst_value b,
                                 mst_node_id node) {
  if (op == MST_OP_IS || op == MST_OP_IS_NOT) return mst_value_of_kind(MST_V_NUMBER);
  if (op == MST_OP_IN || op == MST_OP_NOT_IN) return membership(&b);
  if (!mst_is_arrayish(&a) && !mst_is_arrayish(&b)) return of_others(in, op, &a, &b, node);
  return may_mix(&a) && may_mix(&b) ? of_arrays(in, op, &a, &b, node) : of_strangers(op, &a, &b);
}
