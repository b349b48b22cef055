/* SPDX-License-Identifier: Apache-2.0 */
/* a[...]: an element, a row, a view or a copy, by what stands between the brackets. */
#include <string.h>

#include "pysource/apply.h"

/* What the indices do to the axes. */
typedef struct mst_index_sum {
  int numbers; /* axes taken away */
  int slices;  /* axes kept */
  int added;   /* None */
  int arrays;  /* index arrays and lists */
  int masks;   /* boolean arrays; mask_axes: the axes they take */
  int mask_axes;
  bool ellipsis;
  bool unknown;       /* something of unknown kind */
  int rank_of_arrays; /* of the broadcast index arrays; -1: unknown */
} mst_index_sum;

static void add_mask(mst_index_sum *sum, const mst_value *value) {
  sum->masks++;
  if (value->rank < 0)
    sum->unknown = true;
  else
    sum->mask_axes += value->rank;
}

static void add_index(mst_interp *in, mst_index_sum *sum, mst_node_id node,
                      const mst_value *value) {
  switch (mst_kind_of(in->tree, node)) {
  case MST_K_SLICE: sum->slices++; return;
  case MST_K_ELLIPSIS: sum->ellipsis = true; return;
  case MST_K_NULL: sum->added++; return;
  default: break;
  }
  switch ((mst_value_kind)value->kind) {
  case MST_V_NUMBER:
  case MST_V_DEFERRED: sum->numbers++; break;
  case MST_V_NONE: sum->added++; break;
  case MST_V_SLICE: sum->slices++; break;
  case MST_V_ARRAY:
    if (value->dtype == MST_D_BOOL) {
      add_mask(sum, value);
    } else {
      sum->arrays++;
      if (value->rank < 0 || (value->flags & MST_VF_MAYBE_ELEMENT) != 0)
        sum->rank_of_arrays = -1;
      else if (sum->rank_of_arrays >= 0 && value->rank > sum->rank_of_arrays)
        sum->rank_of_arrays = value->rank;
      if ((value->flags & MST_VF_MAYBE_ELEMENT) != 0) sum->unknown = true;
    }
    break;
  case MST_V_LIST:
  case MST_V_RANGE:
    sum->arrays++;
    if (sum->rank_of_arrays == 0) sum->rank_of_arrays = 1;
    break;
  default: sum->unknown = true; break;
  }
}

/* The indices of a SUBSCRIPT, those of a tuple in it one by one. */
static mst_index_sum sum_up(mst_interp *in, mst_node_id node, unsigned *count) {
  mst_index_sum sum = {0};
  const mst_node_id first = mst_in_node(in, mst_child(in->tree, node, 0))->next;
  *count = 0;
  for (mst_node_id index = first; index != 0; index = mst_in_node(in, index)->next) {
    const mst_value *value = &in->module->values[index];
    if (value->kind == MST_V_TUPLE) {
      const uint32_t inner = mst_value_item_count(in->values, value);
      for (uint32_t i = 0; i < inner; i++) {
        const mst_value one = mst_value_item(in->values, value, i);
        add_index(in, &sum, 0, &one);
        ++*count;
      }
      if (inner == 0) sum.unknown = true;
      continue;
    }
    add_index(in, &sum, index, value);
    ++*count;
  }
  return sum;
}

static int64_t bound(mst_interp *in, mst_node_id node, int64_t extent, int64_t otherwise) {
  if (node == 0 || mst_kind_of(in->tree, node) == MST_K_EMPTY) return otherwise;
  const mst_value *value = &in->module->values[node];
  if (!mst_knows_number(value)) return -1;
  int64_t at = mst_whole(value->number);
  if (at < 0) at = extent >= 0 ? at + extent : -1;
  if (extent >= 0 && at > extent) at = extent;
  return at;
}

/* a[r - 1:r + 2] has three rows whatever r is; -1: not told like this. */
int64_t mst_window_extent(mst_place slice) {
  const mst_tree *tree = slice.module->tree;
  double from = 0, to = 0;
  mst_place a = slice, b = slice;
  a.node = mst_without_offset(slice.module, mst_child(tree, slice.node, 0), &from);
  b.node = mst_without_offset(slice.module, mst_child(tree, slice.node, 1), &to);
  const mst_kind kind = mst_kind_of(tree, a.node);
  if (kind == MST_K_EMPTY || kind == MST_K_NUMBER || !mst_same_expression(a, b)) return -1;
  return to > from ? mst_whole(to - from) : -1;
}

/* [::-1] */
static bool is_reversal(const mst_interp *in, mst_node_id slice, const mst_value *step) {
  return mst_knows_number(step) && step->number == -1 &&
         mst_kind_of(in->tree, mst_child(in->tree, slice, 0)) == MST_K_EMPTY &&
         mst_kind_of(in->tree, mst_child(in->tree, slice, 1)) == MST_K_EMPTY;
}

/* Extent of a slice of an axis; -1: unknown. */
static int64_t slice_extent(mst_interp *in, mst_node_id slice, int64_t extent) {
  const mst_node_id step = mst_child(in->tree, slice, 2);
  int64_t by = 1;
  if (step != 0 && mst_kind_of(in->tree, step) != MST_K_EMPTY) {
    const mst_value *value = &in->module->values[step];
    if (is_reversal(in, slice, value)) return extent;
    by = mst_knows_number(value) ? mst_whole(value->number) : 0; /* not less than 1: no NaN */
    if (by < 1) return -1;
  }
  const int64_t lo = bound(in, mst_child(in->tree, slice, 0), extent, 0);
  const int64_t hi = bound(in, mst_child(in->tree, slice, 1), extent, extent);
  if (lo < 0 || hi < 0) {
    const mst_place place = {.program = in->program, .module = in->module, .node = slice};
    return by == 1 ? mst_window_extent(place) : -1;
  }
  return hi > lo ? (hi - lo + by - 1) / by : 0;
}

/* Extents after numbers, slices and None; only where nothing else is there. */
static void set_extents(mst_interp *in, mst_node_id node, const mst_value *array, mst_value *out) {
  int64_t extents[16];
  int axis = 0, at = 0;
  if (array->rank < 0 || array->rank > 16) return;
  for (mst_node_id index = mst_in_node(in, mst_child(in->tree, node, 0))->next; index != 0;
       index = mst_in_node(in, index)->next) {
    const mst_kind kind = mst_kind_of(in->tree, index);
    const int64_t extent = mst_extent(in->values, array, axis);
    if (at >= 16 || in->module->values[index].kind == MST_V_TUPLE) return;
    if (kind == MST_K_SLICE)
      extents[at++] = slice_extent(in, index, extent);
    else if (kind == MST_K_NULL || in->module->values[index].kind == MST_V_NONE) {
      extents[at++] = 1;
      continue;
    }
    axis++;
  }
  for (; axis < array->rank && at < 16; axis++)
    extents[at++] = mst_extent(in->values, array, axis);
  if (at == out->rank) out->extents = mst_extents(in->values, at, extents);
}

static mst_value as_element(mst_value array, mst_confidence at_most) {
  array.kind = MST_V_DEFERRED;
  array.rank = 0;
  array.extents = 0;
  array.flags = MST_VF_ELEMENT;
  if (array.confidence > at_most) array.confidence = (uint8_t)at_most;
  return array;
}

/* By masks and arrays of indices: a copy. */
static mst_value take_copy(const mst_index_sum *sum, int rank, bool is_alone, mst_value value) {
  const bool only_mask = sum->masks == 1 && is_alone;
  int left = rank < 0 || sum->unknown
                 ? -1
                 : rank - sum->numbers - sum->arrays - sum->mask_axes + sum->added;
  if (left >= 0 && sum->arrays > 0)
    left = sum->rank_of_arrays < 0 ? -1 : left + sum->rank_of_arrays;
  if (left >= 0 && sum->arrays == 0) left += 1;
  if (only_mask && left < 0 && rank == 1) left = 1;
  value.rank = (int8_t)left;
  value.flags |= MST_VF_FRESH;
  if (sum->unknown && !only_mask) value.flags |= MST_VF_MAYBE_ELEMENT;
  return value;
}

static mst_value take_view(mst_interp *in, mst_node_id node, const mst_index_sum *sum,
                           const mst_value *array, mst_value value) {
  const int left = array->rank - sum->numbers + sum->added;
  if (left <= 0 && sum->slices == 0 && !sum->ellipsis) return as_element(value, MST_CERTAIN);
  value.rank = (int8_t)(left < 0 ? -1 : left);
  if (!sum->ellipsis) set_extents(in, node, array, &value);
  /* a[i] of an (n, 1) array is as good as an element. */
  if (sum->slices == 0 && sum->numbers > 0 && mst_element_count(in->values, &value) == 1)
    value.flags |= MST_VF_MAYBE_ELEMENT;
  return value;
}

static mst_value take_of_unknown_rank(const mst_index_sum *sum, bool maybe_row, mst_value value) {
  value.rank = -1;
  if (sum->slices > 0 || sum->added > 0 || sum->ellipsis || sum->numbers == 0) return value;
  if (sum->numbers >= 2) return as_element(value, MST_LIKELY);
  value.flags |= MST_VF_MAYBE_ELEMENT;
  return maybe_row ? as_element(value, MST_LIKELY) : value; /* a[i][j] */
}

static mst_value index_array(mst_interp *in, mst_node_id node, const mst_value *array) {
  unsigned count;
  const mst_index_sum sum = sum_up(in, node, &count);
  mst_value value = *array;
  value.flags &=
      (uint16_t) ~(MST_VF_FRESH | MST_VF_INDEX | MST_VF_MAYBE_ELEMENT | MST_VF_PARAMETER);
  value.extents = 0;
  const bool is_item = sum.slices == 0 && sum.masks == 0 && sum.arrays == 0 && !sum.ellipsis;
  if (array->dtype == MST_D_OBJECT && is_item && sum.numbers > 0 && sum.numbers >= array->rank)
    return mst_value_unknown(); /* anything: what it is used for will tell */
  if (sum.masks > 0 || sum.arrays > 0) {
    value.storage = in->module->node_base + node;
    return take_copy(&sum, array->rank, count == 1, value);
  }
  value.flags |= MST_VF_VIEW | (array->flags & MST_VF_INDEX); /* argwhere(m)[:, 0] is an index */
  if (sum.unknown) {
    /* If it is no element, it is as flat as what it came from. */
    value.rank = array->rank == 1 ? 1 : -1;
    value.flags |= MST_VF_MAYBE_ELEMENT;
    return value;
  }
  if (array->rank >= 0) return take_view(in, node, &sum, array, value);
  return take_of_unknown_rank(&sum, (array->flags & MST_VF_MAYBE_ELEMENT) != 0, value);
}

mst_value mst_slice_value(const mst_value *step) {
  mst_value value = mst_value_of_kind(MST_V_SLICE);
  const bool is_number = step->kind == MST_V_NUMBER || step->kind == MST_V_DEFERRED;
  if (is_number && !(mst_knows_number(step) && step->number == 1)) value.flags = MST_VF_STEP;
  return value;
}

/* np.s_[::2, 1:]: a slice, or a tuple of them, which is taken for one. */
static mst_value index_tuple(mst_interp *in, mst_node_id node) {
  mst_value value = mst_value_of_kind(MST_V_SLICE);
  const mst_node_id end = mst_subtree_end(in->tree, node);
  for (mst_node_id id = node + 1; id < end; id++) {
    if (mst_kind_of(in->tree, id) != MST_K_SLICE) continue;
    const mst_node_id step = mst_child(in->tree, id, 2);
    if (step == 0 || mst_kind_of(in->tree, step) == MST_K_EMPTY) continue;
    value.flags |= mst_slice_value(&in->module->values[step]).flags;
  }
  return value;
}

/* np.mgrid[a:b] is 1-d, np.mgrid[a:b, c:d] one array for each of two axes. */
static int rank_of_grid(mst_interp *in, mst_node_id node) {
  const mst_node_id index = mst_child(in->tree, node, 1);
  const uint32_t count = mst_child_count(in->tree, node) - 1;
  if (count == 1 && mst_kind_of(in->tree, index) == MST_K_SLICE) return 1;
  return mst_rank_of_coordinates(in, node, count > 1 ? count : 0);
}

/* Extents of np.mgrid[...] and its like do not matter; the kind does. */
static mst_value index_api(mst_interp *in, mst_node_id node, const mst_value *object) {
  const char *name = mst_ref_text(in, object);
  mst_value value = mst_value_array(-1, MST_CERTAIN);
  if (strncmp(name, "host.", 5) == 0) {
    value.library = MST_LIB_HOST;
    name += 5;
  }
  value.flags = MST_VF_FRESH;
  value.storage = in->module->node_base + node;
  value = mst_because(in, value, MST_STEP_MADE, node);
  if (strcmp(name, "numpy.c_") == 0) return value;
  if (strcmp(name, "numpy.mgrid") == 0) {
    value.rank = (int8_t)rank_of_grid(in, node);
    return value;
  }
  if (strcmp(name, "numpy.r_") == 0) { /* r_[[[0, 1], [1, 2]]] is array([[0, 1], [1, 2]]) */
    const mst_value *index = &in->module->values[mst_child(in->tree, node, 1)];
    if (index->kind == MST_V_LIST) mst_apply_shape_of_lists(in, index, &value);
    return value;
  }
  if (strcmp(name, "numpy.ogrid") == 0)
    return mst_value_container_of(in->values, MST_V_LIST, value);
  if (strcmp(name, "numpy.s_") == 0 || strcmp(name, "numpy.index_exp") == 0)
    return index_tuple(in, node);
  return mst_value_unknown();
}

mst_value mst_eval_subscript(mst_interp *in, mst_node_id node) {
  const mst_node_id base = mst_child(in->tree, node, 0);
  const mst_value object = mst_eval(in, base);
  const mst_node_id first = mst_in_node(in, base)->next;
  for (mst_node_id index = first; index != 0; index = mst_in_node(in, index)->next)
    mst_eval(in, index);
  const mst_value *index = &in->module->values[first];
  switch ((mst_value_kind)object.kind) {
  case MST_V_ARRAY: return index_array(in, node, &object);
  case MST_V_TUPLE:
  case MST_V_LIST: {
    if (mst_kind_of(in->tree, first) == MST_K_SLICE)
      return mst_value_container_of(in->values, (mst_value_kind)object.kind,
                                    mst_value_any_item(in->values, &object));
    if (mst_knows_number(index))
      return mst_value_item(in->values, &object, mst_whole(index->number));
    return mst_value_any_item(in->values, &object);
  }
  case MST_V_DICT: return mst_value_any_item(in->values, &object);
  case MST_V_STRING: return object;
  case MST_V_RANGE:
    return mst_value_of_kind(mst_kind_of(in->tree, first) == MST_K_SLICE ? MST_V_RANGE
                                                                         : MST_V_NUMBER);
  case MST_V_OBJECT:
  case MST_V_BOTTOM: return object;
  case MST_V_API: return index_api(in, node, &object);
  case MST_V_INSTANCE: {
    const mst_value method = mst_class_attribute(in, object.ref, MST_SYM___getitem__);
    if (method.kind == MST_V_FUNCTION) return mst_call_function(in, 0, method.ref, &object);
    return mst_value_unknown();
  }
  default: return mst_value_unknown();
  }
}

/* The expression holds a container that may hold the value from now on: a name or an attribute gets
 * a new value, x[i] makes x a container of such containers. */
void mst_put_into(mst_interp *in, mst_node_id base, mst_value value) {
  const mst_value container = in->module->values[base];
  if (!mst_is_container(&container)) return;
  value.flags &= (uint16_t)~MST_VF_FRESH;
  const mst_value any = mst_value_any_item(in->values, &container);
  const mst_value joined = mst_value_container_of(
      in->values, (mst_value_kind)container.kind,
      container.items == 0 ? value : mst_value_join_parts(in->values, any, value));
  const mst_kind kind = mst_kind_of(in->tree, base);
  if (kind == MST_K_NAME || kind == MST_K_ATTRIBUTE)
    mst_bind(in, base, joined);
  else if (kind == MST_K_SUBSCRIPT)
    mst_put_into(in, mst_child(in->tree, base, 0), joined);
}

void mst_store_subscript(mst_interp *in, mst_node_id node, mst_value value) {
  /* What stood there before: a rule asks whether an element or a slab is written. */
  in->module->values[node] = mst_eval_subscript(in, node);
  const mst_node_id base = mst_child(in->tree, node, 0);
  const mst_value container = in->module->values[base];
  if (container.kind == MST_V_LIST || container.kind == MST_V_DICT) mst_put_into(in, base, value);
}
