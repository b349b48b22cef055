/* SPDX-License-Identifier: Apache-2.0 */
/* Views, copies and other shapes of an array. */
#include <string.h>

#include "pysource/apply.h"

mst_value mst_apply_like(const mst_applied *applied, bool same_shape) {
  const mst_value array = mst_apply_given(applied, 0, "a");
  mst_value value = mst_apply_fresh(applied, -1);
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
    if (!mst_ends_with(applied->api->name, ".permutation")) return mst_value_of_kind(MST_V_NUMBER);
    value = mst_apply_shaped(applied, array); /* of range(n) */
    value.dtype = MST_D_INT;
  } else if (mst_is_container(&array)) {
    mst_apply_shape_of_lists(applied->in, &array, &value);
  } else if (array.kind == MST_V_UNKNOWN) {
    value.confidence = MST_LIKELY;
  }
  return value;
}

/* A view of the argument, or what NumPy would make one of. */
mst_value mst_apply_view(const mst_applied *applied, int rank, uint32_t extents) {
  const mst_value array = mst_apply_given(applied, 0, "a");
  mst_value value = mst_apply_fresh(applied, rank);
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
  mst_value shape = mst_apply_given(applied, 1, "shape");
  if (!mst_apply_is_given(&shape)) shape = mst_argument_value(in, applied->call, -1, "newshape");
  if (applied->receiver == NULL || shape.kind == MST_V_TUPLE || shape.kind == MST_V_LIST)
    return shape;
  mst_value each[16];
  uint32_t count = 0;
  for (; count < 16; count++) {
    each[count] = mst_apply_given(applied, (int)count + 1, NULL);
    if (!mst_apply_is_given(&each[count])) break;
  }
  if (count == 0) return shape;
  if (count == 1 && each[0].kind == MST_V_UNKNOWN) return each[0];
  return mst_value_container(in->values, MST_V_TUPLE, each, count);
}

#define MOST_AXES 16

/* The extents of a shape, -1 where one is open; returns how many, 0 when that is not known. */
static int extents_of(const mst_interp *in, const mst_value *shape, int64_t extents[MOST_AXES]) {
  if (shape->rank <= 0 || shape->rank > MOST_AXES) return 0;
  for (int i = 0; i < shape->rank; i++) {
    extents[i] = mst_extent(in->values, shape, i);
    if (extents[i] < 0) extents[i] = -1;
  }
  return shape->rank;
}

static bool has_unit(const int64_t *extents, int rank) {
  for (int i = 0; i < rank; i++)
    if (extents[i] == 1) return true;
  return false;
}

/* Where just one extent is open, it follows from the number of elements; false: it does not. */
static bool close_extents(int64_t *extents, int rank, int64_t total) {
  int64_t known = 1;
  int open = -1, open_count = 0;
  for (int i = 0; i < rank; i++) {
    if (extents[i] >= 0)
      known *= extents[i] > 0 ? extents[i] : 1;
    else
      open = i, open_count++;
  }
  if (open_count != 1 || total <= 0 || known <= 0 || total % known != 0) return false;
  extents[open] = total / known;
  return true;
}

mst_value mst_apply_reshaped(const mst_applied *applied) {
  mst_interp *in = applied->in;
  const mst_value array = mst_apply_given(applied, 0, "a");
  const mst_value shape = new_shape(applied);
  const mst_value of = mst_array_of_shape(in, &shape);
  mst_value value = mst_apply_view(applied, of.rank, of.extents);
  int64_t extents[MOST_AXES];
  const int rank = extents_of(in, &of, extents);
  /* reshape(-1, 1) and reshape(1, -1) of a vector, reshape(n, 1): a unit axis more. */
  const bool adds_one = array.kind == MST_V_ARRAY && array.rank == rank - 1;
  if (!(adds_one && has_unit(extents, rank))) value.flags |= MST_VF_COPY_OF_VIEW;
  if (close_extents(extents, rank, mst_element_count(in->values, &array)))
    value.extents = mst_extents(in->values, rank, extents);
  return value;
}

mst_value mst_apply_ravelled(const mst_applied *applied) {
  const mst_value array = mst_apply_given(applied, 0, "a");
  const int64_t total =
      array.kind == MST_V_ARRAY ? mst_element_count(applied->in->values, &array) : -1;
  const uint32_t extents = mst_extents(applied->in->values, 1, &total);
  if (strcmp(applied->api->name, "ndarray.flatten") == 0) {
    mst_value value = mst_apply_like(applied, false);
    value.rank = 1;
    value.extents = extents;
    return value;
  }
  mst_value value = mst_apply_view(applied, 1, extents);
  if (array.rank != 1) value.flags |= MST_VF_COPY_OF_VIEW;
  return value;
}

mst_value mst_apply_diagonal(const mst_applied *applied) {
  const mst_value array = mst_apply_given(applied, 0, "v");
  if (array.kind == MST_V_ARRAY && array.rank == 1) return mst_apply_fresh(applied, 2);
  if (array.kind != MST_V_ARRAY) return mst_apply_fresh(applied, mst_is_container(&array) ? 2 : -1);
  mst_value value = mst_apply_view(applied, array.rank == 2 ? 1 : -1, 0);
  if (array.rank >= 2) value.flags |= MST_VF_COPY_OF_VIEW;
  return value;
}

mst_value mst_apply_stacked(const mst_applied *applied) {
  const mst_value list = mst_apply_given(applied, 0, NULL);
  const mst_value any = mst_iterate(applied->in, &list);
  const char *name = strrchr(applied->api->name, '.') + 1;
  mst_value value = mst_apply_fresh(applied, -1);
  if (any.kind == MST_V_ARRAY && any.rank > 0) {
    if (strcmp(name, "stack") == 0)
      value.rank = (int8_t)(any.rank + 1);
    else if (strncmp(name, "concat", 6) == 0 || strcmp(name, "hstack") == 0)
      value.rank = any.rank;
    else if (strcmp(name, "vstack") == 0 || strcmp(name, "row_stack") == 0 ||
             strcmp(name, "column_stack") == 0)
      value.rank = any.rank == 1 ? 2 : any.rank;
    value.dtype = any.dtype;
  }
  return value;
}

mst_value mst_apply_expanded(const mst_applied *applied, int by) {
  const mst_value array = mst_apply_given(applied, 0, "a");
  const int rank = array.kind == MST_V_ARRAY && array.rank >= 0 ? array.rank + by : -1;
  return mst_apply_view(applied, by < 0 ? -1 : rank, 0);
}

mst_value mst_apply_transposed(const mst_applied *applied) {
  const mst_value array = mst_apply_given(applied, 0, "a");
  return mst_apply_view(applied, array.kind == MST_V_ARRAY ? array.rank : -1, 0);
}

mst_value mst_apply_flipped(const mst_applied *applied) {
  const mst_value array = mst_apply_given(applied, 0, "m");
  mst_value value = mst_apply_view(applied, array.kind == MST_V_ARRAY ? array.rank : -1,
                                   array.kind == MST_V_ARRAY ? array.extents : 0);
  value.flags |= MST_VF_COPY_OF_VIEW;
  return value;
}
