/* SPDX-License-Identifier: Apache-2.0 */
/* What is computed of arrays: element by element, over axes, by choice, as products. */
#include <string.h>

#include "pysource/apply.h"

/* ---- elementwise --------------------------------------------------------------------------------------- */

static bool is_out(const mst_applied *applied, mst_value *out) {
  *out = mst_argument_value(applied->in, applied->call, -1, "out");
  if (!mst_apply_is_given(out) && applied->api->out_at >= 0)
    *out = mst_argument_value(applied->in, applied->call, applied->api->out_at, NULL);
  return mst_is_array(out);
}

static mst_dtype_class ufunc_dtype(const mst_applied *applied, mst_dtype_class broadcast) {
  static const char *const truths[] = {"isnan",       "isinf",         "isfinite",    "signbit",
                                       "greater",     "greater_equal", "less",        "less_equal",
                                       "equal",       "not_equal",     "logical_and", "logical_or",
                                       "logical_xor", "logical_not",   "isclose",     NULL};
  static const char *const keeps[] = {
      "add",         "subtract",   "multiply",     "negative",   "absolute",
      "abs",         "maximum",    "minimum",      "square",     "power",
      "mod",         "remainder",  "floor_divide", "clip",       "invert",
      "bitwise_and", "bitwise_or", "bitwise_xor",  "left_shift", "right_shift",
      "positive",    "sign",       "conj",         "conjugate",  NULL};
  const char *name = strrchr(applied->api->name, '.') + 1;
  for (int i = 0; truths[i] != NULL; i++)
    if (strcmp(name, truths[i]) == 0) return MST_D_BOOL;
  if (broadcast == MST_D_COMPLEX && (strcmp(name, "abs") == 0 || strcmp(name, "absolute") == 0))
    return MST_D_FLOAT;
  for (int i = 0; keeps[i] != NULL; i++)
    if (strcmp(name, keeps[i]) == 0) return broadcast;
  return broadcast == MST_D_COMPLEX ? MST_D_COMPLEX : MST_D_FLOAT;
}

/* np.sqrt(2.0) */
static mst_value apply_to_numbers(const mst_applied *applied, const mst_value *operands,
                                  unsigned count) {
  mst_value value = mst_value_of_kind(MST_V_NUMBER);
  bool is_complex = false;
  for (unsigned i = 0; i < count; i++) {
    if (operands[i].kind != MST_V_NUMBER) continue;
    value.flags |= operands[i].flags & MST_VF_FROM_DEFAULT;
    is_complex |= operands[i].dtype == MST_D_COMPLEX;
  }
  if (is_complex) value.dtype = (uint8_t)ufunc_dtype(applied, MST_D_COMPLEX);
  return value;
}

mst_value mst_apply_elementwise(const mst_applied *applied) {
  mst_interp *in = applied->in;
  mst_value out;
  if (is_out(applied, &out)) return out;
  mst_value value = mst_value_of_kind(MST_V_BOTTOM);
  mst_value others[3]; /* numbers and what may be one: np.add(k, 0.5) */
  unsigned other_count = 0;
  bool listed = false, unknown = false;
  for (int i = 0; i < 3; i++) {
    const mst_value operand = mst_apply_given(applied, i, NULL);
    if (!mst_apply_is_given(&operand)) break;
    if (mst_is_arrayish(&operand)) {
      value = value.kind == MST_V_BOTTOM ? operand : mst_broadcast(in, value, operand);
    } else {
      others[other_count++] = operand;
      listed |= mst_is_container(&operand) || operand.kind == MST_V_OBJECT;
      unknown |= operand.kind == MST_V_UNKNOWN;
    }
  }
  if (value.kind == MST_V_BOTTOM) {
    if (listed) return mst_apply_fresh(applied, -1);
    if (unknown) return mst_value_unknown();
    return apply_to_numbers(applied, others, other_count);
  }
  for (unsigned i = 0; i < other_count; i++)
    value.dtype = (uint8_t)mst_result_dtype(MST_OP_ADD, &value, &others[i]);
  const mst_dtype_class broadcast = (mst_dtype_class)value.dtype;
  const uint32_t why = value.why;
  mst_value result = mst_apply_fresh(applied, value.rank);
  result.kind = listed ? (uint8_t)MST_V_ARRAY : value.kind;
  result.extents = value.extents;
  result.flags |= value.flags & (MST_VF_MAYBE_ELEMENT | MST_VF_ELEMENT);
  result.confidence = value.confidence;
  result.dtype = (uint8_t)ufunc_dtype(applied, broadcast);
  if (why != 0) result.why = why;
  if (unknown && result.kind == MST_V_DEFERRED) result.confidence = MST_LIKELY;
  return result;
}

/* ---- less axes ------------------------------------------------------------------------------------------- */

static bool is_true(const mst_value *value) {
  return mst_knows_number(value) && value->number != 0;
}

/* axis= or its place among the arguments; norm has its order before it. */
static mst_value axis_of(const mst_applied *applied) {
  const mst_value axis = mst_argument_value(applied->in, applied->call, -1, "axis");
  if (mst_apply_is_given(&axis)) return axis;
  const bool is_norm = strcmp(applied->api->name, "numpy.linalg.norm") == 0;
  return mst_apply_given(applied, is_norm ? 2 : 1, NULL);
}

static mst_dtype_class reduced_dtype(const mst_applied *applied, const mst_value *array) {
  const char *name = strrchr(applied->api->name, '.') + 1;
  if (strcmp(name, "all") == 0 || strcmp(name, "any") == 0) return MST_D_BOOL;
  if (strncmp(name, "arg", 3) == 0 || strncmp(name, "nanarg", 6) == 0 ||
      strcmp(name, "count_nonzero") == 0)
    return MST_D_INT;
  if (strcmp(name, "mean") == 0 || strcmp(name, "std") == 0 || strcmp(name, "var") == 0)
    return array->dtype == MST_D_COMPLEX ? MST_D_COMPLEX : MST_D_FLOAT;
  return mst_is_arrayish(array) ? (mst_dtype_class)array->dtype : MST_D_UNKNOWN;
}

/* No axis is left. */
static void become_scalar(mst_value *value, uint16_t flags) {
  value->kind = MST_V_DEFERRED;
  value->rank = 0;
  value->flags = flags;
  value->storage = 0;
}

mst_value mst_apply_reduced(const mst_applied *applied) {
  mst_interp *in = applied->in;
  const mst_value array = mst_apply_given(applied, 0, "a");
  const mst_value axis = axis_of(applied);
  const mst_value keepdims = mst_argument_value(in, applied->call, -1, "keepdims");
  if (array.kind == MST_V_NUMBER) return mst_value_of_kind(MST_V_NUMBER);
  mst_value value = mst_apply_fresh(applied, -1);
  value.confidence = (uint8_t)mst_apply_trust(&array);
  const bool is_array = mst_is_arrayish(&array);
  if (is_array && array.why != 0) value.why = array.why;
  if (is_array && array.library == MST_LIB_HOST && applied->receiver != NULL)
    value.library = MST_LIB_HOST;
  value.dtype = (uint8_t)reduced_dtype(applied, &array);
  const bool keeps = is_true(&keepdims);
  if ((!mst_apply_is_given(&axis) || axis.kind == MST_V_NONE) && !keeps) {
    become_scalar(&value, is_array ? (uint16_t)(array.flags & MST_VF_ELEMENT) : 0);
  } else if (array.kind == MST_V_ARRAY && array.rank >= 0) {
    const int count = axis.kind == MST_V_TUPLE ? (int)mst_value_item_count(in->values, &axis) : 1;
    value.rank = (int8_t)(keeps ? array.rank : array.rank - count);
    if (value.rank <= 0 && !keeps) become_scalar(&value, 0);
  } else {
    value.flags |= MST_VF_MAYBE_ELEMENT;
  }
  return value;
}

mst_value mst_apply_scanned(const mst_applied *applied) {
  const mst_value array = mst_apply_given(applied, 0, "a");
  mst_value axis = mst_argument_value(applied->in, applied->call, -1, "axis");
  if (!mst_apply_is_given(&axis)) axis = mst_apply_given(applied, 1, NULL);
  mst_value value = mst_apply_fresh(applied, 1);
  if (mst_apply_is_given(&axis)) value.rank = array.kind == MST_V_ARRAY ? array.rank : -1;
  value.dtype = mst_is_arrayish(&array) ? array.dtype : MST_D_UNKNOWN;
  value.extents = value.rank == array.rank ? array.extents : 0;
  return value;
}

/* ---- choices --------------------------------------------------------------------------------------------- */

mst_value mst_apply_where(const mst_applied *applied) {
  mst_interp *in = applied->in;
  const mst_value condition = mst_apply_given(applied, 0, "condition");
  const mst_value second = mst_apply_given(applied, 1, "x");
  if (!mst_apply_is_given(&second)) {
    mst_value index = mst_apply_fresh(applied, 1);
    index.flags |= MST_VF_INDEX;
    index.dtype = MST_D_INT;
    const int rank = condition.kind == MST_V_ARRAY ? condition.rank : -1;
    if (rank < 1 || rank > 16) return mst_value_container_of(in->values, MST_V_TUPLE, index);
    mst_value each[16];
    for (int i = 0; i < rank; i++)
      each[i] = index;
    return mst_value_container(in->values, MST_V_TUPLE, each, (uint32_t)rank);
  }
  const mst_value third = mst_apply_given(applied, 2, "y");
  mst_value value = second;
  if (mst_is_arrayish(&value) && mst_is_arrayish(&third))
    value = mst_broadcast(in, value, third);
  else if (mst_is_arrayish(&third))
    value = third;
  if (mst_is_arrayish(&condition))
    value = mst_is_arrayish(&value) ? mst_broadcast(in, value, condition) : condition;
  if (!mst_is_arrayish(&value)) {
    if (mst_may_be_array(&second) || mst_may_be_array(&third) || mst_may_be_array(&condition)) {
      mst_value any = mst_apply_fresh(applied, -1);
      any.confidence = MST_LIKELY;
      return any;
    }
    return mst_value_of_kind(MST_V_NUMBER);
  }
  mst_value result = mst_apply_fresh(applied, value.rank);
  result.kind = value.kind;
  result.extents = value.extents;
  result.confidence = value.confidence;
  result.flags |= value.flags & MST_VF_MAYBE_ELEMENT;
  result.dtype = mst_is_arrayish(&second)  ? second.dtype
                 : mst_is_arrayish(&third) ? third.dtype
                                           : MST_D_UNKNOWN;
  return result;
}

/* ---- products --------------------------------------------------------------------------------------------- */

static bool is_scalar(const mst_value *value) {
  return value->kind == MST_V_NUMBER || value->kind == MST_V_DEFERRED;
}

/* A list that is multiplied is an array. */
static void take_list(const mst_applied *applied, mst_value *operand) {
  if (!mst_is_container(operand)) return;
  mst_apply_shape_of_lists(applied->in, operand, operand);
  operand->kind = MST_V_ARRAY;
}

/* Summed over one axis of each. */
static mst_value contracted(const mst_applied *applied, const mst_value *a, const mst_value *b) {
  mst_value value = mst_apply_fresh(applied, -1);
  const bool is_known =
      a->kind == MST_V_ARRAY && b->kind == MST_V_ARRAY && a->rank > 0 && b->rank > 0;
  if (!is_known) {
    if (a->rank < 2 && b->rank < 2) /* dot of two vectors is one number */
      value.flags |= MST_VF_MAYBE_ELEMENT;
    value.confidence = MST_LIKELY;
    return value;
  }
  const mst_value of = mst_eval_binary_values(applied->in, MST_OP_MATMUL, *a, *b, applied->call);
  const bool inner = strcmp(applied->api->name, "numpy.inner") == 0;
  value.kind = of.kind;
  value.rank = inner ? (int8_t)(a->rank + b->rank - 2) : of.rank;
  value.extents = inner ? 0 : of.extents;
  if (value.rank == 0) value.kind = MST_V_DEFERRED;
  if (value.kind == MST_V_DEFERRED) value.storage = 0, value.flags = 0;
  return value;
}

mst_value mst_apply_product(const mst_applied *applied) {
  mst_value a = mst_apply_given(applied, 0, "a"), b = mst_apply_given(applied, 1, "b");
  mst_value value;
  if (is_out(applied, &value)) return value;
  if (a.kind == MST_V_NUMBER && b.kind == MST_V_NUMBER) return mst_value_of_kind(MST_V_NUMBER);
  if (strcmp(applied->api->name, "numpy.vdot") == 0) {
    value = mst_apply_scalar(applied);
  } else if (is_scalar(&a) || is_scalar(&b)) {
    value = mst_eval_binary_values(applied->in, MST_OP_MUL, a, b, applied->call);
    if (!mst_is_arrayish(&value)) value = mst_apply_fresh(applied, -1);
  } else {
    take_list(applied, &a);
    take_list(applied, &b);
    value = contracted(applied, &a, &b);
  }
  value.dtype =
      mst_is_arrayish(&a) && mst_is_arrayish(&b) && a.dtype == b.dtype ? a.dtype : MST_D_UNKNOWN;
  return value;
}
