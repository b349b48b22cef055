/* SPDX-License-Identifier: Apache-2.0 */
/* Results of NumPy's functions and methods, by the effects of api.def. */
#include <math.h>
#include <string.h>

#include "pysource/apply.h"

/* ---- elementwise --------------------------------------------------------------------------------------- */

static bool is_out(const mst_applied *applied, mst_value *out) {
  *out = mst_argument_value(applied->in, applied->call, -1, "out");
  if (!mst_apply_is_given(out) && applied->api->out_at >= 0)
    *out = mst_argument_value(applied->in, applied->call,
                              applied->api->out_at - (applied->receiver != NULL ? 1 : 0), NULL);
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
  for (int i = 0; keeps[i] != NULL; i++)
    if (strcmp(name, keeps[i]) == 0) return broadcast;
  return broadcast == MST_D_COMPLEX ? MST_D_COMPLEX : MST_D_FLOAT;
}

static mst_value elementwise(const mst_applied *applied) {
  mst_interp *in = applied->in;
  mst_value out;
  if (is_out(applied, &out)) return out;
  mst_value value = mst_value_of_kind(MST_V_BOTTOM);
  bool listed = false, unknown = false;
  for (int i = 0; i < 3; i++) {
    const mst_value operand = mst_apply_given(applied, i, NULL);
    if (!mst_apply_is_given(&operand)) break;
    if (mst_is_arrayish(&operand)) {
      value = value.kind == MST_V_BOTTOM ? operand : mst_broadcast(in, value, operand);
    } else {
      listed |= mst_is_container(&operand) || operand.kind == MST_V_OBJECT;
      unknown |= operand.kind == MST_V_UNKNOWN;
    }
  }
  if (value.kind == MST_V_BOTTOM) {
    if (listed) return mst_apply_fresh(applied, -1);
    if (!unknown) return mst_value_of_kind(MST_V_NUMBER); /* np.sqrt(2.0) */
    return mst_value_unknown();
  }
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

static mst_value reduced(const mst_applied *applied) {
  mst_interp *in = applied->in;
  const mst_value array = mst_apply_given(applied, 0, "a");
  mst_value axis = mst_argument_value(in, applied->call, -1, "axis");
  if (!mst_apply_is_given(&axis) && strcmp(applied->api->name, "numpy.linalg.norm") != 0)
    axis = mst_apply_given(applied, 1, NULL);
  else if (!mst_apply_is_given(&axis))
    axis = mst_apply_given(applied, 2, NULL);
  const mst_value keepdims = mst_argument_value(in, applied->call, -1, "keepdims");
  if (array.kind == MST_V_NUMBER) return mst_value_of_kind(MST_V_NUMBER);
  mst_value value = mst_apply_fresh(applied, -1);
  value.confidence = (uint8_t)mst_apply_trust(&array);
  if (mst_is_arrayish(&array)) value.why = array.why != 0 ? array.why : value.why;
  if (mst_is_arrayish(&array) && array.library == MST_LIB_HOST && applied->receiver != NULL)
    value.library = MST_LIB_HOST;
  const char *name = strrchr(applied->api->name, '.') + 1;
  if (strcmp(name, "all") == 0 || strcmp(name, "any") == 0)
    value.dtype = MST_D_BOOL;
  else if (strncmp(name, "arg", 3) == 0 || strncmp(name, "nanarg", 6) == 0 ||
           strcmp(name, "count_nonzero") == 0)
    value.dtype = MST_D_INT;
  else if (strcmp(name, "mean") == 0 || strcmp(name, "std") == 0 || strcmp(name, "var") == 0)
    value.dtype = array.dtype == MST_D_COMPLEX ? MST_D_COMPLEX : MST_D_FLOAT;
  else
    value.dtype = mst_is_arrayish(&array) ? array.dtype : MST_D_UNKNOWN;
  const bool keeps = is_true(&keepdims);
  if ((!mst_apply_is_given(&axis) || axis.kind == MST_V_NONE) && !keeps) {
    value.kind = MST_V_DEFERRED;
    value.rank = 0;
    value.flags = mst_is_arrayish(&array) ? array.flags & MST_VF_ELEMENT : 0;
    value.storage = 0;
    return value;
  }
  if (array.kind == MST_V_ARRAY && array.rank >= 0) {
    int gone = 1;
    if (axis.kind == MST_V_TUPLE) gone = (int)mst_value_item_count(in->values, &axis);
    value.rank = (int8_t)(keeps ? array.rank : array.rank - gone);
    if (value.rank <= 0 && !keeps) {
      value.kind = MST_V_DEFERRED;
      value.rank = 0;
      value.flags = 0;
      value.storage = 0;
    }
  } else {
    value.flags |= MST_VF_MAYBE_ELEMENT;
  }
  return value;
}

static mst_value scanned(const mst_applied *applied) {
  const mst_value array = mst_apply_given(applied, 0, "a");
  mst_value axis = mst_argument_value(applied->in, applied->call, -1, "axis");
  if (!mst_apply_is_given(&axis)) axis = mst_apply_given(applied, 1, NULL);
  mst_value value = mst_apply_fresh(applied, 1);
  if (mst_apply_is_given(&axis)) value.rank = array.kind == MST_V_ARRAY ? array.rank : -1;
  value.dtype = mst_is_arrayish(&array) ? array.dtype : MST_D_UNKNOWN;
  value.extents = value.rank == array.rank ? array.extents : 0;
  return value;
}

/* ---- others ---------------------------------------------------------------------------------------------- */

static mst_value where(const mst_applied *applied) {
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

static mst_value product(const mst_applied *applied) {
  mst_value a = mst_apply_given(applied, 0, "a"), b = mst_apply_given(applied, 1, "b");
  mst_value out;
  if (is_out(applied, &out)) return out;
  if (a.kind == MST_V_NUMBER && b.kind == MST_V_NUMBER) return mst_value_of_kind(MST_V_NUMBER);
  mst_value value;
  const bool vdot = strcmp(applied->api->name, "numpy.vdot") == 0;
  if (vdot) {
    value = mst_apply_scalar(applied);
  } else if (a.kind == MST_V_NUMBER || b.kind == MST_V_NUMBER || a.kind == MST_V_DEFERRED ||
             b.kind == MST_V_DEFERRED) {
    value = mst_eval_binary_values(applied->in, MST_OP_MUL, a, b, applied->call);
    if (!mst_is_arrayish(&value)) value = mst_apply_fresh(applied, -1);
  } else {
    if (mst_is_container(&a)) mst_apply_shape_of_lists(applied->in, &a, &a), a.kind = MST_V_ARRAY;
    if (mst_is_container(&b)) mst_apply_shape_of_lists(applied->in, &b, &b), b.kind = MST_V_ARRAY;
    value = mst_apply_fresh(applied, -1);
    const bool inner = strcmp(applied->api->name, "numpy.inner") == 0;
    if (a.kind == MST_V_ARRAY && b.kind == MST_V_ARRAY && a.rank > 0 && b.rank > 0) {
      const mst_value of = mst_eval_binary_values(applied->in, MST_OP_MATMUL, a, b, applied->call);
      value.kind = of.kind;
      value.rank = inner ? (int8_t)(a.rank + b.rank - 2) : of.rank;
      value.extents = inner ? 0 : of.extents;
      if (value.rank == 0) value.kind = MST_V_DEFERRED;
      if (value.kind == MST_V_DEFERRED) value.storage = 0, value.flags = 0;
    } else {
      if (a.rank < 2 && b.rank < 2) /* dot of two vectors is one number */
        value.flags |= MST_VF_MAYBE_ELEMENT;
      value.confidence = MST_LIKELY;
    }
  }
  value.dtype =
      mst_is_arrayish(&a) && mst_is_arrayish(&b) && a.dtype == b.dtype ? a.dtype : MST_D_UNKNOWN;
  return value;
}

static mst_value several(const mst_applied *applied, uint32_t count, mst_value_kind kind) {
  mst_value each[16];
  mst_value array = mst_apply_fresh(applied, -1);
  for (uint32_t i = 0; i < count; i++)
    each[i] = array;
  if (count == 0) return mst_value_container_of(applied->in->values, kind, array);
  return mst_value_container(applied->in->values, kind, each, count);
}

static mst_value pair(const mst_applied *applied) {
  const char *name = applied->api->name;
  mst_value each[2] = {mst_apply_fresh(applied, -1), mst_apply_fresh(applied, -1)};
  if (strcmp(name, "numpy.linalg.qr") == 0) each[0].rank = each[1].rank = 2;
  if (strcmp(name, "numpy.linalg.eigh") == 0 || strcmp(name, "numpy.linalg.eig") == 0)
    each[0].rank = 1, each[1].rank = 2;
  if (strcmp(name, "numpy.histogram") == 0) each[0].rank = each[1].rank = 1;
  if (strcmp(name, "numpy.linalg.slogdet") == 0) each[0] = each[1] = mst_apply_scalar(applied);
  return mst_value_container(applied->in->values, MST_V_TUPLE, each, 2);
}

static mst_value triple(const mst_applied *applied) {
  const mst_value vectors = mst_argument_value(applied->in, applied->call, -1, "compute_uv");
  if (mst_knows_number(&vectors) && vectors.number == 0) return mst_apply_fresh(applied, 1);
  mst_value each[3] = {mst_apply_fresh(applied, 2), mst_apply_fresh(applied, 1),
                       mst_apply_fresh(applied, 2)};
  return mst_value_container(applied->in->values, MST_V_TUPLE, each, 3);
}

/* meshgrid: as many as arguments, each of their rank. */
static mst_value arrays(const mst_applied *applied) {
  uint32_t count = 0;
  mst_node_id child =
      mst_in_node(applied->in, mst_child(applied->in->tree, applied->call, 0))->next;
  for (; child != 0; child = mst_in_node(applied->in, child)->next)
    if (mst_kind_of(applied->in->tree, child) != MST_K_KEYWORD) count++;
  if (strcmp(applied->api->name, "numpy.meshgrid") != 0 || count == 0 || count > 16)
    return several(applied, 0, MST_V_LIST);
  mst_value each[16];
  for (uint32_t i = 0; i < count; i++)
    each[i] = mst_apply_fresh(applied, (int)count);
  return mst_value_container(applied->in->values, MST_V_LIST, each, count);
}

static mst_value object_of(const mst_applied *applied) {
  mst_value value = mst_value_of_kind(MST_V_OBJECT);
  const char *name = applied->api->name;
  if (strcmp(name, "numpy.random.default_rng") == 0) name = "numpy.random.Generator";
  char host[64] = "host.";
  if (applied->library == MST_LIB_HOST && strlen(name) < 58) name = strcat(host, name);
  value.ref = mst_symbol_of(&applied->in->program->symbols, name, strlen(name));
  if (strstr(name, "numpy.nd") != NULL) return mst_value_of_kind(MST_V_ITERATOR);
  return value;
}

static mst_value vectorized(const mst_applied *applied) {
  mst_value value = mst_value_of_kind(MST_V_API);
  value.flags = MST_VF_VECTORIZED;
  value.ref = mst_symbol_of(&applied->in->program->symbols, "numpy.vectorize()", 17);
  value.storage = applied->in->module->node_base + applied->call;
  return value;
}

static mst_value with_dtype(const mst_applied *applied, mst_value value) {
  if (value.kind != MST_V_ARRAY && value.kind != MST_V_DEFERRED) return value;
  const mst_dtype_class dtype = mst_apply_dtype(applied, applied->api->dtype_at);
  if (dtype != MST_D_UNKNOWN) value.dtype = (uint8_t)dtype;
  return value;
}

/* tolist() gives a list, the others numbers of the host. */
static mst_value hosted(const mst_applied *applied) {
  if (strcmp(applied->api->name, "ndarray.tolist") == 0)
    return mst_value_container_of(applied->in->values, MST_V_LIST, mst_value_of_kind(MST_V_NUMBER));
  if (strcmp(applied->api->name, "numpy.shape") == 0) {
    const mst_value array = mst_apply_given(applied, 0, "a");
    if (mst_is_array(&array))
      return mst_attribute_of(applied->in, applied->call, array, MST_SYM_shape);
    return mst_value_container_of(applied->in->values, MST_V_TUPLE,
                                  mst_value_of_kind(MST_V_NUMBER));
  }
  mst_value value = mst_value_of_kind(MST_V_NUMBER);
  if (strcmp(applied->api->name, "numpy.size") == 0) value.flags |= MST_VF_ITEM_SIZE;
  return value;
}

/* True when a keyword is given something other than False. */
static bool is_asked_for(const mst_applied *applied, const char *keyword) {
  const mst_value given = mst_argument_value(applied->in, applied->call, -1, keyword);
  return mst_apply_is_given(&given) && !(mst_knows_number(&given) && given.number == 0);
}

/* linspace(a, b, n, retstep=True): the step is a number of the host. */
static mst_value with_step(const mst_applied *applied, mst_value array) {
  if (!is_asked_for(applied, "retstep")) return array;
  mst_value each[2] = {array, mst_value_of_kind(MST_V_NUMBER)};
  return mst_value_container(applied->in->values, MST_V_TUPLE, each, 2);
}

/* unique(a, return_counts=True): as many arrays more as are asked for. */
static mst_value vector(const mst_applied *applied) {
  static const char *const more[] = {"return_index", "return_inverse", "return_counts"};
  mst_value each[4] = {mst_apply_fresh(applied, 1)};
  uint32_t count = 1;
  if (strcmp(applied->api->name, "numpy.unique") != 0) return each[0];
  for (size_t i = 0; i < sizeof more / sizeof *more; i++)
    if (is_asked_for(applied, more[i])) each[count++] = mst_apply_fresh(applied, 1);
  if (count == 1) return each[0];
  return mst_value_container(applied->in->values, MST_V_TUPLE, each, count);
}

static mst_value result(const mst_applied *applied) {
  switch (applied->api->effect) {
  case MST_E_SHAPED: return mst_apply_shaped(applied, mst_apply_given(applied, 0, "shape"));
  case MST_E_LIKE:
  case MST_E_SAME: return mst_apply_like(applied, true);
  case MST_E_SAME_RANK: return mst_apply_like(applied, false);
  case MST_E_CONVERTED: return mst_apply_converted(applied);
  case MST_E_RANGE: {
    mst_value value = mst_apply_fresh(applied, 1);
    const bool single = applied->api->name[6] == 'a'; /* arange */
    const mst_value stop = mst_apply_given(applied, single ? 0 : 2, NULL);
    const mst_value second = mst_apply_given(applied, 1, NULL);
    const int64_t extent = mst_apply_range_extent(applied, single);
    value.extents = mst_extents(applied->in->values, 1, &extent);
    value.dtype = single ? MST_D_UNKNOWN : MST_D_FLOAT;
    if (single && (stop.flags & MST_VF_INTEGER) != 0 && !mst_apply_is_given(&second))
      value.dtype = MST_D_INT;
    value.flags |= (stop.flags | second.flags) & MST_VF_FROM_DEFAULT;
    return single ? value : with_step(applied, value);
  }
  case MST_E_MATRIX: return mst_apply_fresh(applied, 2);
  case MST_E_DRAW: return mst_apply_drawn(applied);
  case MST_E_DRAW_DIMS: return mst_apply_drawn_by_axis(applied);
  case MST_E_UFUNC: return elementwise(applied);
  case MST_E_REDUCED: return reduced(applied);
  case MST_E_SCANNED: return scanned(applied);
  case MST_E_COORDINATES: return mst_apply_coordinates(applied);
  case MST_E_ARRAY:
  case MST_E_LOADED:
  case MST_E_UNKNOWN: return mst_apply_fresh(applied, -1);
  case MST_E_VECTOR: return vector(applied);
  case MST_E_RESHAPED: return mst_apply_reshaped(applied);
  case MST_E_RAVELLED: return mst_apply_ravelled(applied);
  case MST_E_TRANSPOSED: return mst_apply_transposed(applied);
  case MST_E_EXPANDED: return mst_apply_expanded(applied, 1);
  case MST_E_SQUEEZED: return mst_apply_expanded(applied, -1);
  case MST_E_FLIPPED: return mst_apply_flipped(applied);
  case MST_E_DIAGONAL: return mst_apply_diagonal(applied);
  case MST_E_STACKED: return mst_apply_stacked(applied);
  case MST_E_WHERE: return where(applied);
  case MST_E_INDICES: return where(applied);
  case MST_E_INDEX: {
    mst_value value = mst_apply_fresh(applied, strstr(applied->api->name, "flat") != NULL ? 1 : 2);
    value.flags |= MST_VF_INDEX;
    value.dtype = MST_D_INT;
    return value;
  }
  case MST_E_PRODUCT: return product(applied);
  case MST_E_SOLVED: {
    const mst_value right = mst_apply_given(applied, 1, "b");
    return mst_apply_fresh(applied, right.kind == MST_V_ARRAY ? right.rank : -1);
  }
  case MST_E_TRUTH: {
    mst_value value = mst_apply_scalar(applied);
    value.dtype = MST_D_BOOL;
    return value;
  }
  case MST_E_SCALAR: return mst_apply_scalar(applied);
  case MST_E_NUMBER: return hosted(applied);
  case MST_E_PAIR: return pair(applied);
  case MST_E_TRIPLE: return triple(applied);
  case MST_E_ARRAYS: return arrays(applied);
  case MST_E_NOTHING: return mst_value_of_kind(MST_V_NONE);
  case MST_E_VECTORIZED: return vectorized(applied);
  case MST_E_DTYPE: {
    const mst_value of = mst_apply_given(applied, 0, NULL);
    return mst_is_arrayish(&of) ? of : mst_value_of_kind(MST_V_NUMBER);
  }
  case MST_E_OBJECT: return object_of(applied);
  }
  return mst_value_unknown();
}

mst_value mst_apply_api(mst_interp *in, mst_node_id call, const mst_api *api,
                        const mst_value *receiver, mst_library library) {
  const bool is_method = strncmp(api->name, "ndarray.", 8) == 0;
  const mst_applied applied = {
      .in = in,
      .call = call,
      .api = api,
      .receiver = is_method ? receiver : NULL,
      .library = is_method && receiver != NULL ? (mst_library)receiver->library : library};
  const mst_value value = with_dtype(&applied, result(&applied));
  return value;
}
