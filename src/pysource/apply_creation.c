/* SPDX-License-Identifier: Apache-2.0 */
/* Arrays that are made: of a shape, of random numbers, of lists. */
#include <math.h>
#include <string.h>

#include "pysource/apply.h"

mst_value mst_array_of_shape(mst_interp *in, const mst_value *shape) {
  mst_value value = mst_value_array(-1, MST_CERTAIN);
  int64_t extents[16];
  if (shape->kind == MST_V_NUMBER || shape->kind == MST_V_DEFERRED) {
    value.rank = 1;
    extents[0] = mst_knows_number(shape) ? mst_whole(shape->number) : -1;
    value.flags |= shape->flags & MST_VF_FROM_DEFAULT;
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
      extents[i] = mst_knows_number(&one) ? mst_whole(one.number) : -1;
      value.flags |= one.flags & MST_VF_FROM_DEFAULT;
    }
    value.extents = mst_extents(in->values, (int)count, extents);
  }
  return value;
}

/* Of zeros and the like what NumPy takes without dtype=; of full what it is filled with. */
static mst_dtype_class filled_dtype(const mst_applied *applied) {
  const mst_interp *in = applied->in;
  if (strcmp(applied->api->name, "numpy.full") != 0) return MST_D_FLOAT;
  const mst_node_id fill =
      mst_argument_node(in->tree, &in->program->symbols, applied->call, 1, "fill_value");
  const mst_value *value = fill != 0 ? &in->module->values[fill] : NULL;
  switch (mst_kind_of(in->tree, fill)) {
  case MST_K_TRUE:
  case MST_K_FALSE: return MST_D_BOOL;
  case MST_K_NULL: return MST_D_OBJECT;
  case MST_K_STRING: return MST_D_STRING;
  case MST_K_CALL: /* float(k) */
    if (in->module->names[fill] != 0 &&
        strcmp(mst_symbol_text(&in->program->symbols, in->module->names[fill]), "builtins.float") ==
            0)
      return MST_D_FLOAT;
    break;
  default: break;
  }
  if (value == NULL || (value->flags & MST_VF_FROM_DEFAULT) != 0) return MST_D_UNKNOWN;
  if (value->kind != MST_V_NUMBER || value->dtype == MST_D_COMPLEX)
    return (mst_dtype_class)value->dtype;
  if ((value->flags & MST_VF_INTEGER) != 0) return MST_D_INT;
  return (value->flags & MST_VF_NUMBER) != 0 ? MST_D_FLOAT : MST_D_UNKNOWN;
}

mst_value mst_apply_shaped(const mst_applied *applied, mst_value shape) {
  mst_value value = mst_apply_fresh(applied, -1);
  const mst_value of = mst_array_of_shape(applied->in, &shape);
  value.kind = of.kind;
  value.rank = of.rank;
  value.extents = of.extents;
  value.flags |= of.flags;
  value.dtype = (uint8_t)filled_dtype(applied);
  return value;
}

/* Rank of coordinates in `axes` axes; 0: in as many as there are names, as in
 * `y, x = np.indices(a.shape)`. -1: unknown. */
int mst_rank_of_coordinates(const mst_interp *in, mst_node_id node, uint32_t axes) {
  const mst_node_id statement = mst_in_node(in, node)->parent;
  if (axes == 0 && mst_kind_of(in->tree, statement) == MST_K_ASSIGN) {
    const mst_node_id target = mst_child(in->tree, statement, 0);
    const mst_kind kind = mst_kind_of(in->tree, target);
    if (kind == MST_K_TUPLE || kind == MST_K_LIST) axes = mst_child_count(in->tree, target);
  }
  return axes > 0 && axes < 16 ? (int)axes + 1 : -1;
}

mst_value mst_apply_coordinates(const mst_applied *applied) {
  const mst_value shape = mst_apply_given(applied, 0, "dimensions");
  const uint32_t axes =
      mst_is_container(&shape) ? mst_value_item_count(applied->in->values, &shape) : 0;
  mst_value value =
      mst_apply_fresh(applied, mst_rank_of_coordinates(applied->in, applied->call, axes));
  value.dtype = MST_D_INT;
  return value;
}

/* Most draws are floats; what is chosen is of the type of what there is to choose from. */
static mst_dtype_class drawn_dtype(const char *name) {
  static const char *const whole[] = {
      "randint",           "random_integers", "integers",    "binomial",  "poisson", "geometric",
      "negative_binomial", "hypergeometric",  "multinomial", "logseries", "zipf",    NULL};
  if (strcmp(name, "choice") == 0 || strcmp(name, "bytes") == 0) return MST_D_UNKNOWN;
  for (int i = 0; whole[i] != NULL; i++)
    if (strcmp(name, whole[i]) == 0) return MST_D_INT;
  return MST_D_FLOAT;
}

mst_value mst_apply_drawn(const mst_applied *applied) {
  mst_interp *in = applied->in;
  mst_value size = mst_argument_value(in, applied->call, -1, "size");
  const char *last = strrchr(applied->api->name, '.');
  const bool bare = strcmp(last, ".random") == 0 || strcmp(last, ".random_sample") == 0 ||
                    strcmp(last, ".ranf") == 0 || strcmp(last, ".sample") == 0 ||
                    strcmp(last, ".standard_normal") == 0;
  static const char *const by_second[] = {".choice",    ".poisson",   ".exponential", ".standard_t",
                                          ".chisquare", ".geometric", ".rayleigh",    NULL};
  int position = bare ? 0 : 2;
  for (int i = 0; by_second[i] != NULL; i++)
    if (strcmp(last, by_second[i]) == 0) position = 1;
  if (!mst_apply_is_given(&size)) size = mst_argument_value(in, applied->call, position, NULL);
  mst_value value;
  if (!mst_apply_is_given(&size) || size.kind == MST_V_NONE) {
    bool has_array = false;
    for (int i = 0; i < 3; i++) {
      const mst_value argument = mst_argument_value(in, applied->call, i, NULL);
      has_array |= mst_is_array(&argument) && !bare;
    }
    if (!has_array) return mst_value_of_kind(MST_V_NUMBER); /* one draw: a host number */
    return mst_apply_fresh(applied, -1);
  }
  value = mst_apply_shaped(applied, size);
  value.dtype = (uint8_t)drawn_dtype(last + 1);
  return value;
}

mst_value mst_apply_drawn_by_axis(const mst_applied *applied) {
  mst_value each[16];
  uint32_t count = 0;
  for (; count < 16; count++) {
    each[count] = mst_argument_value(applied->in, applied->call, (int)count, NULL);
    if (!mst_apply_is_given(&each[count])) break;
  }
  if (count == 0) {
    const mst_node_id first =
        mst_in_node(applied->in, mst_child(applied->in->tree, applied->call, 0))->next;
    return first == 0 ? mst_value_of_kind(MST_V_NUMBER) : mst_apply_fresh(applied, -1);
  }
  return mst_apply_shaped(applied,
                          mst_value_container(applied->in->values, MST_V_TUPLE, each, count));
}

/* Extents of nested lists of numbers. */
void mst_apply_shape_of_lists(mst_interp *in, const mst_value *list, mst_value *to) {
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

mst_value mst_apply_converted(const mst_applied *applied) {
  const mst_value from = mst_apply_given(applied, 0, "object");
  mst_value value = mst_apply_fresh(applied, -1);
  if (mst_is_arrayish(&from)) {
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
    mst_apply_shape_of_lists(applied->in, &from, &value);
  } else if (from.kind == MST_V_NUMBER) {
    value.kind = MST_V_DEFERRED;
    value.rank = 0;
  }
  if (strstr(applied->api->name, "mat") != NULL) value.dtype = MST_D_UNKNOWN; /* `*` is another */
  if (strstr(applied->api->name, "mat") != NULL && value.rank != 2) { /* np.matrix has two axes */
    value.kind = MST_V_ARRAY;
    value.rank = 2;
    value.extents = 0;
  }
  return value;
}

/* Elements of arange(stop), arange(start, stop, step) or linspace(start, stop, num); -1: unknown.
 */
int64_t mst_apply_range_extent(const mst_applied *applied, bool is_arange) {
  const mst_value first = mst_apply_given(applied, 0, NULL);
  const mst_value second = mst_apply_given(applied, 1, NULL);
  const mst_value third = mst_apply_given(applied, 2, is_arange ? "step" : "num");
  if (!is_arange) {
    if (!mst_apply_is_given(&third)) return strstr(applied->api->name, "space") != NULL ? 50 : -1;
    return mst_knows_number(&third) && third.number >= 0 ? mst_whole(third.number) : -1;
  }
  const double start = mst_apply_is_given(&second) ? first.number : 0;
  const mst_value *stop = mst_apply_is_given(&second) ? &second : &first;
  const double step = mst_apply_is_given(&third) ? third.number : 1;
  const bool known = mst_knows_number(&first) && mst_knows_number(stop) &&
                     (!mst_apply_is_given(&third) || mst_knows_number(&third));
  const double count = known && step != 0 ? ceil((stop->number - start) / step) : -1;
  return count >= 0 && count < 1e18 ? (int64_t)count : -1;
}
