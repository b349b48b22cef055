/* SPDX-License-Identifier: Apache-2.0 */
/* Results of NumPy's functions and methods, by the effects of api.def. */
#include <math.h>
#include <string.h>

#include "pysource/interp.h"

/* A call, seen alike for f(a, ...) and a.f(...). */
typedef struct mst_applied {
  mst_interp *in;
  mst_node_id call;
  const mst_api *api;
  const mst_value *receiver; /* of a method; NULL */
  mst_library library;
} mst_applied;

/* Argument counted with the array as number 0, also for methods. */
static mst_value given(const mst_applied *applied, int position, const char *keyword) {
  if (applied->receiver != NULL) {
    if (position == 0) return *applied->receiver;
    position--;
  }
  return mst_argument_value(applied->in, applied->call, position, keyword);
}

static bool is_given(const mst_value *value) { return value->kind != MST_V_BOTTOM; }

static mst_dtype_class dtype_by_name(const char *name) {
  static const struct {
    const char *begin;
    mst_dtype_class dtype;
  } names[] = {{"bool", MST_D_BOOL},         {"?", MST_D_BOOL},         {"int", MST_D_INT},
               {"uint", MST_D_INT},          {"i", MST_D_INT},          {"u", MST_D_INT},
               {"long", MST_D_LONG_DOUBLE},  {"float128", MST_D_LONG_DOUBLE},
               {"complex256", MST_D_LONG_DOUBLE}, {"clongdouble", MST_D_LONG_DOUBLE},
               {"float", MST_D_FLOAT},       {"f", MST_D_FLOAT},        {"d", MST_D_FLOAT},
               {"double", MST_D_FLOAT},      {"single", MST_D_FLOAT},   {"half", MST_D_FLOAT},
               {"complex", MST_D_COMPLEX},   {"c", MST_D_COMPLEX},      {"object", MST_D_OBJECT},
               {"O", MST_D_OBJECT},          {"str", MST_D_STRING},     {"S", MST_D_STRING},
               {"U", MST_D_STRING},          {"bytes", MST_D_STRING},   {"datetime64", MST_D_TIME},
               {"timedelta64", MST_D_TIME},  {"M8", MST_D_TIME},        {"m8", MST_D_TIME},
               {"void", MST_D_STRUCT}};
  mst_dtype_class found = MST_D_UNKNOWN;
  size_t longest = 0;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    const size_t length = strlen(names[i].begin);
    if (length > longest && strncmp(name, names[i].begin, length) == 0) {
      found = names[i].dtype;
      longest = length;
    }
  }
  return found;
}

/* dtype= as a value: np.float32, "f8", float, a name. */
static mst_dtype_class dtype_of(const mst_applied *applied, int position) {
  mst_interp *in = applied->in;
  const int at = applied->receiver != NULL && position >= 0 ? position : position;
  const mst_node_id node =
      mst_argument_node(in->tree, &in->program->symbols, applied->call, at, "dtype");
  if (node == 0) return MST_D_UNKNOWN;
  const mst_value *value = &in->module->values[node];
  if (value->kind == MST_V_API) {
    const char *name = strrchr(mst_ref_text(in, value), '.');
    return name != NULL ? dtype_by_name(name + 1) : MST_D_UNKNOWN;
  }
  if (mst_kind_of(in->tree, node) != MST_K_STRING) return MST_D_UNKNOWN;
  const char *text = in->tree->source->text + mst_in_node(in, node)->start;
  while (*text == '"' || *text == '\'' || *text == '<' || *text == '>' || *text == '=' || *text == '|')
    text++;
  return dtype_by_name(text);
}

static mst_value fresh(const mst_applied *applied, int rank) {
  mst_value value = mst_value_array(rank, MST_CERTAIN);
  value.library = (uint8_t)applied->library;
  value.flags = MST_VF_FRESH;
  value.storage = applied->in->module->node_base + applied->call;
  return mst_value_because(applied->in->values, value, MST_STEP_MADE, applied->in->module_index,
                           applied->call);
}

static mst_value scalar(const mst_applied *applied) {
  mst_value value = fresh(applied, 0);
  value.kind = MST_V_DEFERRED;
  value.flags = 0;
  value.storage = 0;
  return value;
}

static bool is_arrayish(const mst_value *value) {
  return value->kind == MST_V_ARRAY || value->kind == MST_V_DEFERRED;
}

/* Whether an argument may be more than one number. */
static bool may_be_array(const mst_value *value) {
  return value->kind == MST_V_ARRAY || value->kind == MST_V_LIST || value->kind == MST_V_TUPLE ||
         value->kind == MST_V_UNKNOWN || value->kind == MST_V_OBJECT ||
         value->kind == MST_V_ITERATOR || value->kind == MST_V_RANGE;
}

static mst_confidence trust(const mst_value *value) {
  if (is_arrayish(value)) return (mst_confidence)value->confidence;
  return value->kind == MST_V_UNKNOWN || value->kind == MST_V_BOTTOM ? MST_LIKELY : MST_CERTAIN;
}

/* ---- creation ------------------------------------------------------------------------------------------ */

mst_value mst_array_of_shape(mst_interp *in, const mst_value *shape) {
  mst_value value = mst_value_array(-1, MST_CERTAIN);
  int64_t extents[16];
  if (shape->kind == MST_V_NUMBER || shape->kind == MST_V_DEFERRED) {
    value.rank = 1;
    extents[0] = mst_knows_number(shape) ? (int64_t)shape->number : -1;
    value.extents = mst_extents(in->values, 1, extents);
  } else if (shape->kind == MST_V_TUPLE || shape->kind == MST_V_LIST) {
    const uint32_t count = mst_value_item_count(in->values, shape);
    const mst_value any = mst_value_any_item(in->values, shape);
    if (count == 0 && any.kind == MST_V_BOTTOM) { /* zeros(()) */
      value.kind = MST_V_DEFERRED;
      value.rank = 0;
    }
    if (count == 0 || count > 16) return value;
    value.rank = (int8_t)count;
    for (uint32_t i = 0; i < count; i++) {
      const mst_value one = mst_value_item(in->values, shape, i);
      extents[i] = mst_knows_number(&one) ? (int64_t)one.number : -1;
    }
    value.extents = mst_extents(in->values, (int)count, extents);
  }
  return value;
}

static mst_value shaped(const mst_applied *applied, mst_value shape) {
  mst_value value = fresh(applied, -1);
  const mst_value of = mst_array_of_shape(applied->in, &shape);
  value.kind = of.kind;
  value.rank = of.rank;
  value.extents = of.extents;
  value.dtype = MST_D_FLOAT;
  return value;
}

static mst_value drawn(const mst_applied *applied) {
  mst_interp *in = applied->in;
  mst_value size = mst_argument_value(in, applied->call, -1, "size");
  const char *last = strrchr(applied->api->name, '.');
  const bool bare = strcmp(last, ".random") == 0 || strcmp(last, ".random_sample") == 0 ||
                    strcmp(last, ".ranf") == 0 || strcmp(last, ".sample") == 0 ||
                    strcmp(last, ".standard_normal") == 0;
  static const char *const by_second[] = {".choice", ".poisson", ".exponential", ".standard_t",
                                          ".chisquare", ".geometric", ".rayleigh", NULL};
  int position = bare ? 0 : 2;
  for (int i = 0; by_second[i] != NULL; i++)
    if (strcmp(last, by_second[i]) == 0) position = 1;
  if (!is_given(&size)) size = mst_argument_value(in, applied->call, position, NULL);
  mst_value value;
  if (!is_given(&size) || size.kind == MST_V_NONE) {
    bool has_array = false;
    for (int i = 0; i < 3; i++) {
      const mst_value argument = mst_argument_value(in, applied->call, i, NULL);
      has_array |= mst_is_array(&argument) && !bare;
    }
    if (!has_array) return mst_value_of_kind(MST_V_NUMBER); /* one draw: a host number */
    return fresh(applied, -1);
  }
  value = shaped(applied, size);
  if (strncmp(last, ".randint", 8) == 0 || strcmp(last, ".integers") == 0) value.dtype = MST_D_INT;
  return value;
}

static mst_value drawn_by_axis(const mst_applied *applied) {
  mst_value each[16];
  uint32_t count = 0;
  for (; count < 16; count++) {
    each[count] = mst_argument_value(applied->in, applied->call, (int)count, NULL);
    if (!is_given(&each[count])) break;
  }
  if (count == 0) {
    const mst_node_id first = mst_in_node(applied->in, mst_child(applied->in->tree, applied->call, 0))->next;
    return first == 0 ? mst_value_of_kind(MST_V_NUMBER) : fresh(applied, -1);
  }
  return shaped(applied, mst_value_container(applied->in->values, MST_V_TUPLE, each, count));
}

/* Extents of nested lists of numbers. */
static void shape_of_lists(mst_interp *in, const mst_value *list, mst_value *to) {
  int64_t extents[8];
  int rank = 0;
  mst_value level = *list;
  mst_dtype_class dtype = MST_D_UNKNOWN;
  while (mst_is_container(&level) && rank < 8) {
    const uint32_t count = mst_value_item_count(in->values, &level);
    extents[rank++] = count > 0 ? (int64_t)count : -1;
    level = mst_value_any_item(in->values, &level);
  }
  if (level.kind == MST_V_NUMBER || level.kind == MST_V_DEFERRED) {
    to->rank = (int8_t)rank;
    to->extents = mst_extents(in->values, rank, extents);
    if (level.kind == MST_V_NUMBER && (level.flags & MST_VF_INTEGER) != 0) dtype = MST_D_INT;
    if (level.kind == MST_V_NUMBER && (level.flags & MST_VF_NUMBER) != 0 && dtype != MST_D_INT)
      dtype = MST_D_FLOAT;
  } else if (level.kind == MST_V_ARRAY && level.rank >= 0) {
    to->rank = (int8_t)(rank + level.rank);
  } else if (level.kind == MST_V_STRING) {
    dtype = MST_D_STRING;
  } else if (level.kind == MST_V_INSTANCE || level.kind == MST_V_DICT) {
    dtype = MST_D_OBJECT;
  }
  to->dtype = (uint8_t)dtype;
}

static mst_value converted(const mst_applied *applied) {
  const mst_value from = given(applied, 0, "object");
  mst_value value = fresh(applied, -1);
  if (is_arrayish(&from)) {
    const bool copies = (applied->api->traits & MST_T_COPIES) != 0;
    value.rank = from.kind == MST_V_DEFERRED ? 0 : from.rank;
    value.extents = from.extents;
    value.dtype = from.dtype;
    if (!copies && from.library == applied->library) {
      value.storage = from.storage;
      value.flags = from.flags & (uint16_t)~MST_VF_FRESH;
    }
    if (from.kind == MST_V_DEFERRED) value.kind = MST_V_DEFERRED;
    value.why = from.library == applied->library && from.why != 0 ? from.why : value.why;
  } else if (mst_is_container(&from)) {
    shape_of_lists(applied->in, &from, &value);
  } else if (from.kind == MST_V_NUMBER) {
    value.kind = MST_V_DEFERRED;
    value.rank = 0;
  }
  if (strstr(applied->api->name, "mat") != NULL && value.rank != 2) { /* np.matrix has two axes */
    value.kind = MST_V_ARRAY;
    value.rank = 2;
    value.extents = 0;
  }
  return value;
}

/* ---- elementwise --------------------------------------------------------------------------------------- */

static bool is_out(const mst_applied *applied, mst_value *out) {
  *out = mst_argument_value(applied->in, applied->call, -1, "out");
  if (!is_given(out) && applied->api->out_at >= 0)
    *out = mst_argument_value(applied->in, applied->call,
                              applied->api->out_at - (applied->receiver != NULL ? 1 : 0), NULL);
  return mst_is_array(out);
}

static mst_dtype_class ufunc_dtype(const mst_applied *applied, mst_dtype_class broadcast) {
  static const char *const truths[] = {"isnan",      "isinf",         "isfinite",     "signbit",
                                       "greater",    "greater_equal", "less",         "less_equal",
                                       "equal",      "not_equal",     "logical_and",  "logical_or",
                                       "logical_xor", "logical_not",  "isclose",      NULL};
  static const char *const keeps[] = {"add",      "subtract", "multiply", "negative", "absolute",
                                      "abs",      "maximum",  "minimum",  "square",   "power",
                                      "mod",      "remainder", "floor_divide", "clip", "invert",
                                      "bitwise_and", "bitwise_or", "bitwise_xor", "left_shift",
                                      "right_shift", "positive", "sign", "conj", "conjugate", NULL};
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
  bool listed = false, unknown = false, host_only = true;
  for (int i = 0; i < 3; i++) {
    const mst_value operand = given(applied, i, NULL);
    if (!is_given(&operand)) break;
    if (is_arrayish(&operand)) {
      host_only &= operand.library == MST_LIB_HOST;
      value = value.kind == MST_V_BOTTOM ? operand : mst_broadcast(in, value, operand);
    } else {
      listed |= mst_is_container(&operand) || operand.kind == MST_V_OBJECT;
      unknown |= operand.kind == MST_V_UNKNOWN;
    }
  }
  if (value.kind == MST_V_BOTTOM) {
    if (listed) return fresh(applied, -1);
    if (!unknown) return mst_value_of_kind(MST_V_NUMBER); /* np.sqrt(2.0) */
    return mst_value_unknown();
  }
  const mst_dtype_class broadcast = (mst_dtype_class)value.dtype;
  const uint32_t why = value.why;
  mst_value result = fresh(applied, value.rank);
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
  const mst_value array = given(applied, 0, "a");
  mst_value axis = mst_argument_value(in, applied->call, -1, "axis");
  if (!is_given(&axis) && strcmp(applied->api->name, "numpy.linalg.norm") != 0)
    axis = given(applied, 1, NULL);
  else if (!is_given(&axis))
    axis = given(applied, 2, NULL);
  const mst_value keepdims = mst_argument_value(in, applied->call, -1, "keepdims");
  if (array.kind == MST_V_NUMBER) return mst_value_of_kind(MST_V_NUMBER);
  mst_value value = fresh(applied, -1);
  value.confidence = (uint8_t)trust(&array);
  if (is_arrayish(&array)) value.why = array.why != 0 ? array.why : value.why;
  if (is_arrayish(&array) && array.library == MST_LIB_HOST && applied->receiver != NULL)
    value.library = MST_LIB_HOST;
  const char *name = strrchr(applied->api->name, '.') + 1;
  if (strcmp(name, "all") == 0 || strcmp(name, "any") == 0)
    value.dtype = MST_D_BOOL;
  else if (strncmp(name, "arg", 3) == 0 || strncmp(name, "nanarg", 6) == 0 || strcmp(name, "count_nonzero") == 0)
    value.dtype = MST_D_INT;
  else if (strcmp(name, "mean") == 0 || strcmp(name, "std") == 0 || strcmp(name, "var") == 0)
    value.dtype = array.dtype == MST_D_COMPLEX ? MST_D_COMPLEX : MST_D_FLOAT;
  else
    value.dtype = is_arrayish(&array) ? array.dtype : MST_D_UNKNOWN;
  const bool keeps = is_true(&keepdims);
  if ((!is_given(&axis) || axis.kind == MST_V_NONE) && !keeps) {
    value.kind = MST_V_DEFERRED;
    value.rank = 0;
    value.flags = is_arrayish(&array) ? array.flags & MST_VF_ELEMENT : 0;
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
  const mst_value array = given(applied, 0, "a");
  mst_value axis = mst_argument_value(applied->in, applied->call, -1, "axis");
  if (!is_given(&axis)) axis = given(applied, 1, NULL);
  mst_value value = fresh(applied, 1);
  if (is_given(&axis)) value.rank = array.kind == MST_V_ARRAY ? array.rank : -1;
  value.dtype = is_arrayish(&array) ? array.dtype : MST_D_UNKNOWN;
  value.extents = value.rank == array.rank ? array.extents : 0;
  return value;
}

/* ---- shapes ------------------------------------------------------------------------------------------------ */

static mst_value like(const mst_applied *applied, bool same_shape) {
  const mst_value array = given(applied, 0, "a");
  mst_value value = fresh(applied, -1);
  if (array.kind == MST_V_ARRAY) {
    value.rank = array.rank;
    value.extents = same_shape ? array.extents : 0;
    value.dtype = array.dtype;
    value.flags |= array.flags & MST_VF_MAYBE_ELEMENT;
    value.confidence = array.confidence > MST_LIKELY ? MST_CERTAIN : MST_LIKELY;
    if (applied->receiver != NULL && array.library == MST_LIB_HOST) value.library = MST_LIB_HOST;
  } else if (array.kind == MST_V_DEFERRED) {
    value = array;
  } else if (array.kind == MST_V_NUMBER) {
    return mst_value_of_kind(MST_V_NUMBER);
  } else if (mst_is_container(&array)) {
    shape_of_lists(applied->in, &array, &value);
  } else if (array.kind == MST_V_UNKNOWN) {
    value.confidence = MST_LIKELY;
  }
  return value;
}

/* A view of the argument, or what NumPy would make one of. */
static mst_value view(const mst_applied *applied, int rank, uint32_t extents) {
  const mst_value array = given(applied, 0, "a");
  mst_value value = fresh(applied, rank);
  value.extents = extents;
  if (array.kind != MST_V_ARRAY) {
    value.confidence = MST_LIKELY;
    value.flags = 0;
    return value;
  }
  value.dtype = array.dtype;
  value.library = applied->receiver != NULL ? array.library : value.library;
  value.confidence = array.confidence;
  value.storage = array.storage;
  value.why = array.why;
  value.flags = (uint16_t)((array.flags & MST_VF_PARAMETER) | MST_VF_VIEW);
  return value;
}

/* The new shape of reshape(a, shape), a.reshape(shape) or a.reshape(n, m). */
static mst_value new_shape(const mst_applied *applied) {
  mst_interp *in = applied->in;
  mst_value shape = given(applied, 1, "shape");
  if (!is_given(&shape)) shape = mst_argument_value(in, applied->call, -1, "newshape");
  if (applied->receiver == NULL || shape.kind == MST_V_TUPLE || shape.kind == MST_V_LIST)
    return shape;
  mst_value each[16];
  uint32_t count = 0;
  for (; count < 16; count++) {
    each[count] = given(applied, (int)count + 1, NULL);
    if (!is_given(&each[count])) break;
  }
  if (count == 0) return shape;
  if (count == 1 && each[0].kind == MST_V_UNKNOWN) return each[0];
  return mst_value_container(in->values, MST_V_TUPLE, each, count);
}

static mst_value reshaped(const mst_applied *applied) {
  mst_interp *in = applied->in;
  const mst_value array = given(applied, 0, "a");
  const mst_value shape = new_shape(applied);
  const mst_value of = mst_array_of_shape(in, &shape);
  mst_value value = view(applied, of.rank, of.extents);
  int64_t extents[16];
  bool only_units = of.rank > 0 && array.kind == MST_V_ARRAY && array.rank == of.rank - 1;
  for (int i = 0; of.rank > 0 && of.rank <= 16 && i < of.rank; i++) {
    extents[i] = mst_extent(in->values, &of, i);
    if (extents[i] < 0) extents[i] = -1;
  }
  /* reshape(-1, 1) and reshape(1, -1) of a vector, reshape(n, 1): a unit axis more. */
  bool unit = false;
  for (int i = 0; of.rank > 0 && of.rank <= 16 && i < of.rank; i++)
    unit |= extents[i] == 1;
  if (!(only_units && unit)) value.flags |= MST_VF_COPY_OF_VIEW;
  /* One -1 follows from the rest. */
  const int64_t total = mst_element_count(in->values, &array);
  int64_t known = 1;
  int open = -1, open_count = 0;
  for (int i = 0; of.rank > 0 && of.rank <= 16 && i < of.rank; i++) {
    if (extents[i] >= 0)
      known *= extents[i] > 0 ? extents[i] : 1;
    else
      open = i, open_count++;
  }
  if (open_count == 1 && total > 0 && known > 0 && total % known == 0 && of.rank > 0) {
    extents[open] = total / known;
    value.extents = mst_extents(in->values, of.rank, extents);
  }
  return value;
}

static mst_value ravelled(const mst_applied *applied) {
  const mst_value array = given(applied, 0, "a");
  const int64_t total = array.kind == MST_V_ARRAY ? mst_element_count(applied->in->values, &array) : -1;
  const uint32_t extents = mst_extents(applied->in->values, 1, &total);
  if (strcmp(applied->api->name, "ndarray.flatten") == 0) {
    mst_value value = like(applied, false);
    value.rank = 1;
    value.extents = extents;
    return value;
  }
  mst_value value = view(applied, 1, extents);
  if (array.rank != 1) value.flags |= MST_VF_COPY_OF_VIEW;
  return value;
}

static mst_value diagonal(const mst_applied *applied) {
  const mst_value array = given(applied, 0, "v");
  if (array.kind == MST_V_ARRAY && array.rank == 1) return fresh(applied, 2);
  if (array.kind != MST_V_ARRAY) return fresh(applied, mst_is_container(&array) ? 2 : -1);
  mst_value value = view(applied, array.rank == 2 ? 1 : -1, 0);
  if (array.rank >= 2) value.flags |= MST_VF_COPY_OF_VIEW;
  return value;
}

static mst_value stacked(const mst_applied *applied) {
  const mst_value list = given(applied, 0, NULL);
  const mst_value any = mst_iterate(applied->in, &list);
  const char *name = strrchr(applied->api->name, '.') + 1;
  mst_value value = fresh(applied, -1);
  if (any.kind == MST_V_ARRAY && any.rank > 0) {
    if (strcmp(name, "stack") == 0)
      value.rank = (int8_t)(any.rank + 1);
    else if (strncmp(name, "concat", 6) == 0)
      value.rank = any.rank;
    else if (strcmp(name, "vstack") == 0 || strcmp(name, "row_stack") == 0 ||
             strcmp(name, "column_stack") == 0)
      value.rank = any.rank == 1 ? 2 : any.rank;
    else if (strcmp(name, "hstack") == 0)
      value.rank = any.rank;
    value.dtype = any.dtype;
  }
  return value;
}

/* ---- others ---------------------------------------------------------------------------------------------- */

static mst_value where(const mst_applied *applied) {
  mst_interp *in = applied->in;
  const mst_value condition = given(applied, 0, "condition");
  const mst_value second = given(applied, 1, "x");
  if (!is_given(&second)) {
    mst_value index = fresh(applied, 1);
    index.flags |= MST_VF_INDEX;
    index.dtype = MST_D_INT;
    const int rank = condition.kind == MST_V_ARRAY ? condition.rank : -1;
    if (rank < 1 || rank > 16) return mst_value_container_of(in->values, MST_V_TUPLE, index);
    mst_value each[16];
    for (int i = 0; i < rank; i++)
      each[i] = index;
    return mst_value_container(in->values, MST_V_TUPLE, each, (uint32_t)rank);
  }
  const mst_value third = given(applied, 2, "y");
  mst_value value = second;
  if (is_arrayish(&value) && is_arrayish(&third)) value = mst_broadcast(in, value, third);
  else if (is_arrayish(&third)) value = third;
  if (is_arrayish(&condition))
    value = is_arrayish(&value) ? mst_broadcast(in, value, condition) : condition;
  if (!is_arrayish(&value)) {
    if (may_be_array(&second) || may_be_array(&third) || may_be_array(&condition)) {
      mst_value any = fresh(applied, -1);
      any.confidence = MST_LIKELY;
      return any;
    }
    return mst_value_of_kind(MST_V_NUMBER);
  }
  mst_value result = fresh(applied, value.rank);
  result.kind = value.kind;
  result.extents = value.extents;
  result.confidence = value.confidence;
  result.flags |= value.flags & MST_VF_MAYBE_ELEMENT;
  result.dtype = is_arrayish(&second) ? second.dtype : is_arrayish(&third) ? third.dtype : MST_D_UNKNOWN;
  return result;
}

static mst_value product(const mst_applied *applied) {
  mst_value a = given(applied, 0, "a"), b = given(applied, 1, "b");
  mst_value out;
  if (is_out(applied, &out)) return out;
  if (a.kind == MST_V_NUMBER && b.kind == MST_V_NUMBER) return mst_value_of_kind(MST_V_NUMBER);
  mst_value value;
  const bool vdot = strcmp(applied->api->name, "numpy.vdot") == 0;
  if (vdot) {
    value = scalar(applied);
  } else if (a.kind == MST_V_NUMBER || b.kind == MST_V_NUMBER || a.kind == MST_V_DEFERRED ||
             b.kind == MST_V_DEFERRED) {
    value = mst_eval_binary_values(applied->in, MST_OP_MUL, a, b, applied->call);
    if (!is_arrayish(&value)) value = fresh(applied, -1);
  } else {
    if (mst_is_container(&a)) shape_of_lists(applied->in, &a, &a), a.kind = MST_V_ARRAY;
    if (mst_is_container(&b)) shape_of_lists(applied->in, &b, &b), b.kind = MST_V_ARRAY;
    value = fresh(applied, -1);
    const bool inner = strcmp(applied->api->name, "numpy.inner") == 0;
    if (a.kind == MST_V_ARRAY && b.kind == MST_V_ARRAY && a.rank > 0 && b.rank > 0) {
      const mst_value of = mst_eval_binary_values(applied->in, MST_OP_MATMUL, a, b, applied->call);
      value.kind = of.kind;
      value.rank = inner ? (int8_t)(a.rank + b.rank - 2) : of.rank;
      value.extents = inner ? 0 : of.extents;
      if (value.rank == 0) value.kind = MST_V_DEFERRED;
      if (value.kind == MST_V_DEFERRED) value.storage = 0, value.flags = 0;
    } else {
      value.flags |= MST_VF_MAYBE_ELEMENT; /* dot of two vectors is one number */
      value.confidence = MST_LIKELY;
    }
  }
  value.dtype = is_arrayish(&a) && is_arrayish(&b) && a.dtype == b.dtype ? a.dtype : MST_D_UNKNOWN;
  return value;
}

static mst_value several(const mst_applied *applied, uint32_t count, mst_value_kind kind) {
  mst_value each[16];
  mst_value array = fresh(applied, -1);
  for (uint32_t i = 0; i < count; i++)
    each[i] = array;
  if (count == 0) return mst_value_container_of(applied->in->values, kind, array);
  return mst_value_container(applied->in->values, kind, each, count);
}

static mst_value pair(const mst_applied *applied) {
  const char *name = applied->api->name;
  mst_value each[2] = {fresh(applied, -1), fresh(applied, -1)};
  if (strcmp(name, "numpy.linalg.qr") == 0) each[0].rank = each[1].rank = 2;
  if (strcmp(name, "numpy.linalg.eigh") == 0 || strcmp(name, "numpy.linalg.eig") == 0)
    each[0].rank = 1, each[1].rank = 2;
  if (strcmp(name, "numpy.histogram") == 0) each[0].rank = each[1].rank = 1;
  if (strcmp(name, "numpy.linalg.slogdet") == 0) each[0] = each[1] = scalar(applied);
  return mst_value_container(applied->in->values, MST_V_TUPLE, each, 2);
}

static mst_value triple(const mst_applied *applied) {
  const mst_value vectors = mst_argument_value(applied->in, applied->call, -1, "compute_uv");
  if (mst_knows_number(&vectors) && vectors.number == 0) return fresh(applied, 1);
  mst_value each[3] = {fresh(applied, 2), fresh(applied, 1), fresh(applied, 2)};
  return mst_value_container(applied->in->values, MST_V_TUPLE, each, 3);
}

/* meshgrid: as many as arguments, each of their rank. */
static mst_value arrays(const mst_applied *applied) {
  uint32_t count = 0;
  mst_node_id child = mst_in_node(applied->in, mst_child(applied->in->tree, applied->call, 0))->next;
  for (; child != 0; child = mst_in_node(applied->in, child)->next)
    if (mst_kind_of(applied->in->tree, child) != MST_K_KEYWORD) count++;
  if (strcmp(applied->api->name, "numpy.meshgrid") != 0 || count == 0 || count > 16)
    return several(applied, 0, MST_V_LIST);
  mst_value each[16];
  for (uint32_t i = 0; i < count; i++)
    each[i] = fresh(applied, (int)count);
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

static mst_value expanded(const mst_applied *applied, int by) {
  const mst_value array = given(applied, 0, "a");
  const int rank = array.kind == MST_V_ARRAY && array.rank >= 0 ? array.rank + by : -1;
  return view(applied, by < 0 ? -1 : rank, 0);
}

static mst_value with_dtype(const mst_applied *applied, mst_value value) {
  if (value.kind != MST_V_ARRAY && value.kind != MST_V_DEFERRED) return value;
  const mst_dtype_class dtype = dtype_of(applied, applied->api->dtype_at);
  if (dtype != MST_D_UNKNOWN) value.dtype = (uint8_t)dtype;
  return value;
}

static mst_value transposed(const mst_applied *applied) {
  const mst_value array = given(applied, 0, "a");
  return view(applied, array.kind == MST_V_ARRAY ? array.rank : -1, 0);
}

static mst_value flipped(const mst_applied *applied) {
  const mst_value array = given(applied, 0, "m");
  mst_value value = view(applied, array.kind == MST_V_ARRAY ? array.rank : -1, array.kind == MST_V_ARRAY ? array.extents : 0);
  value.flags |= MST_VF_COPY_OF_VIEW;
  return value;
}

/* tolist() gives a list, the others numbers of the host. */
static mst_value hosted(const mst_applied *applied) {
  if (strcmp(applied->api->name, "ndarray.tolist") == 0)
    return mst_value_container_of(applied->in->values, MST_V_LIST,
                                  mst_value_of_kind(MST_V_NUMBER));
  if (strcmp(applied->api->name, "numpy.shape") == 0) {
    const mst_value array = given(applied, 0, "a");
    if (mst_is_array(&array))
      return mst_attribute_of(applied->in, applied->call, array, MST_SYM_shape);
    return mst_value_container_of(applied->in->values, MST_V_TUPLE,
                                  mst_value_of_kind(MST_V_NUMBER));
  }
  mst_value value = mst_value_of_kind(MST_V_NUMBER);
  if (strcmp(applied->api->name, "numpy.size") == 0) value.flags |= MST_VF_ITEM_SIZE;
  return value;
}

/* Elements of arange(stop), arange(start, stop, step) or linspace(start, stop, num); -1: unknown. */
static int64_t range_extent(const mst_applied *applied, bool is_arange) {
  const mst_value first = given(applied, 0, NULL);
  const mst_value second = given(applied, 1, NULL);
  const mst_value third = given(applied, 2, is_arange ? "step" : "num");
  if (!is_arange) {
    if (!is_given(&third)) return strstr(applied->api->name, "space") != NULL ? 50 : -1;
    return mst_knows_number(&third) && third.number >= 0 ? (int64_t)third.number : -1;
  }
  const double start = is_given(&second) ? first.number : 0;
  const mst_value *stop = is_given(&second) ? &second : &first;
  const double step = is_given(&third) ? third.number : 1;
  const bool known = mst_knows_number(&first) && mst_knows_number(stop) &&
                     (!is_given(&third) || mst_knows_number(&third));
  const double count = known && step != 0 ? ceil((stop->number - start) / step) : -1;
  return count >= 0 && count < 1e18 ? (int64_t)count : -1;
}

static mst_value result(const mst_applied *applied) {
  switch (applied->api->effect) {
    case MST_E_SHAPED: return shaped(applied, given(applied, 0, "shape"));
    case MST_E_LIKE:
    case MST_E_SAME: return like(applied, true);
    case MST_E_SAME_RANK: return like(applied, false);
    case MST_E_CONVERTED: return converted(applied);
    case MST_E_RANGE: {
      mst_value value = fresh(applied, 1);
      const bool single = applied->api->name[6] == 'a'; /* arange */
      const mst_value stop = given(applied, single ? 0 : 2, NULL);
      const mst_value second = given(applied, 1, NULL);
      const int64_t extent = range_extent(applied, single);
      value.extents = mst_extents(applied->in->values, 1, &extent);
      value.dtype = single ? MST_D_UNKNOWN : MST_D_FLOAT;
      if (single && (stop.flags & MST_VF_INTEGER) != 0 && !is_given(&second)) value.dtype = MST_D_INT;
      return value;
    }
    case MST_E_MATRIX: return fresh(applied, 2);
    case MST_E_DRAW: return drawn(applied);
    case MST_E_DRAW_DIMS: return drawn_by_axis(applied);
    case MST_E_UFUNC: return elementwise(applied);
    case MST_E_REDUCED: return reduced(applied);
    case MST_E_SCANNED: return scanned(applied);
    case MST_E_ARRAY:
    case MST_E_LOADED:
    case MST_E_UNKNOWN: return fresh(applied, -1);
    case MST_E_VECTOR: return fresh(applied, 1);
    case MST_E_RESHAPED: return reshaped(applied);
    case MST_E_RAVELLED: return ravelled(applied);
    case MST_E_TRANSPOSED: return transposed(applied);
    case MST_E_EXPANDED: return expanded(applied, 1);
    case MST_E_SQUEEZED: return expanded(applied, -1);
    case MST_E_FLIPPED: return flipped(applied);
    case MST_E_DIAGONAL: return diagonal(applied);
    case MST_E_STACKED: return stacked(applied);
    case MST_E_WHERE: return where(applied);
    case MST_E_INDICES: return where(applied);
    case MST_E_INDEX: {
      mst_value value = fresh(applied, strstr(applied->api->name, "flat") != NULL ? 1 : 2);
      value.flags |= MST_VF_INDEX;
      value.dtype = MST_D_INT;
      return value;
    }
    case MST_E_PRODUCT: return product(applied);
    case MST_E_SOLVED: {
      const mst_value right = given(applied, 1, "b");
      return fresh(applied, right.kind == MST_V_ARRAY ? right.rank : -1);
    }
    case MST_E_TRUTH: {
      mst_value value = scalar(applied);
      value.dtype = MST_D_BOOL;
      return value;
    }
    case MST_E_SCALAR: return scalar(applied);
    case MST_E_NUMBER: return hosted(applied);
    case MST_E_PAIR: return pair(applied);
    case MST_E_TRIPLE: return triple(applied);
    case MST_E_ARRAYS: return arrays(applied);
    case MST_E_NOTHING: return mst_value_of_kind(MST_V_NONE);
    case MST_E_VECTORIZED: return vectorized(applied);
    case MST_E_DTYPE: {
      const mst_value of = given(applied, 0, NULL);
      return is_arrayish(&of) ? of : mst_value_of_kind(MST_V_NUMBER);
    }
    case MST_E_OBJECT: return object_of(applied);
  }
  return mst_value_unknown();
}

mst_value mst_apply_api(mst_interp *in, mst_node_id call, const mst_api *api,
                        const mst_value *receiver, mst_library library) {
  const bool is_method = strncmp(api->name, "ndarray.", 8) == 0;
  const mst_applied applied = {.in = in,
                               .call = call,
                               .api = api,
                               .receiver = is_method ? receiver : NULL,
                               .library = is_method && receiver != NULL
                                              ? (mst_library)receiver->library
                                              : library};
  const mst_value value = with_dtype(&applied, result(&applied));
  return value;
}
