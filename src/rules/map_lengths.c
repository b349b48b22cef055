/* SPDX-License-Identifier: Apache-2.0 */
#include "rules/map_lengths.h"

#include <string.h>

#include "rules/elementwise.h"
#include "rules/own_names.h"
#include "rules/turns.h"

#define MOST_STEPS 6

/* ---- names --------------------------------------------------------------------------------------- */

/* Whenever the loop is reached, the statement has run since its block was entered. */
static bool comes_before(const mst_tree *tree, mst_node_id statement, mst_node_id loop) {
  return statement < loop && mst_is_within(tree, loop, mst_node_at(tree, statement)->parent);
}

/* The only node that binds the name, and *given, what is bound to it; 0 for a parameter that is
 * never bound anew. False: it may stand for several things. */
static bool is_settled(mst_place name, mst_place loop, mst_node_id *store) {
  const mst_tree *tree = name.module->tree;
  mst_turns turns;
  *store = 0;
  if (!mst_is_own_name(name) || mst_is_bound_anew(name) || !mst_function_turns(&turns, name))
    return false;
  const mst_symbol symbol = mst_place_node(name)->name;
  for (mst_node_id id = 0; mst_next_store(&turns, symbol, &id);) {
    if (mst_kind_of(tree, id) != MST_K_NAME ||
        mst_kind_of(tree, mst_node_at(tree, id)->parent) == MST_K_AUG_ASSIGN)
      continue;
    if (!comes_before(tree, mst_statement_of(tree, id), loop.node)) return false;
    *store = id;
  }
  return !turns.is_spent;
}

/* The value of `name = value`, with only one name; node 0: none. */
static mst_place given_to(mst_place name, mst_place loop) {
  mst_node_id store;
  if (!is_settled(name, loop, &store) || store == 0) return mst_place_at(name, 0);
  const mst_place statement = mst_place_parent(mst_place_at(name, store));
  const bool is_plain = mst_place_is(statement, MST_K_ASSIGN) &&
                        mst_child_count(name.module->tree, statement.node) == 2;
  return is_plain ? mst_place_child(statement, 1) : mst_place_at(name, 0);
}

/* ---- lengths ------------------------------------------------------------------------------------- */

static mst_length of_axis(mst_place array, int axis, mst_place loop, unsigned steps);
static bool of_expression(mst_place place, mst_place loop, unsigned steps, mst_length *out);

/* n of `rows, n = a.shape` */
static bool of_unpacked(mst_place store, mst_place loop, unsigned steps, mst_length *out) {
  const mst_tree *tree = store.module->tree;
  const mst_place tuple = mst_place_parent(store), statement = mst_place_parent(tuple);
  if (!mst_place_is(tuple, MST_K_TUPLE) || !mst_place_is(statement, MST_K_ASSIGN) ||
      mst_child_count(tree, statement.node) != 2)
    return false;
  const mst_place shape = mst_place_child(statement, 1);
  if (!mst_place_is(shape, MST_K_ATTRIBUTE) || mst_place_node(shape)->name != MST_SYM_shape)
    return false;
  int axis = 0;
  MST_EACH_CHILD(tree, child, tuple.node) {
    if (child == store.node) break;
    if (mst_kind_of(tree, child) != MST_K_NAME) return false;
    axis++;
  }
  *out = of_axis(mst_place_child(shape, 0), axis, loop, steps);
  return out->array != 0 || out->name != 0 || out->number >= 0;
}

static bool of_name(mst_place name, mst_place loop, unsigned steps, mst_length *out) {
  mst_node_id store;
  if (!is_settled(name, loop, &store)) return false;
  const mst_place value = given_to(name, loop);
  if (value.node != 0 && of_expression(value, mst_place_at(loop, store), steps, out)) return true;
  if (store != 0 && of_unpacked(mst_place_at(name, store), mst_place_at(loop, store), steps, out))
    return true;
  *out = (mst_length){.name = mst_place_node(name)->name, .number = -1};
  return true;
}

/* a.size of a line, a.shape[k] */
static bool of_fact(mst_place place, mst_place loop, unsigned steps, mst_length *out) {
  const mst_place object = mst_place_child(place, 0);
  if (mst_place_is(place, MST_K_ATTRIBUTE)) {
    if (mst_place_node(place)->name != MST_SYM_size || mst_value_at(object)->rank > 1) return false;
    *out = of_axis(object, 0, loop, steps);
    return true;
  }
  const mst_value *axis = mst_value_at(mst_place_child(place, 1));
  if (!mst_place_is(object, MST_K_ATTRIBUTE) || mst_place_node(object)->name != MST_SYM_shape ||
      !mst_place_is(mst_place_child(place, 1), MST_K_NUMBER) || !mst_knows_number(axis) ||
      axis->number < 0 || axis->number > 1)
    return false;
  *out = of_axis(mst_place_child(object, 0), (int)axis->number, loop, steps);
  return true;
}

/* A number of the code, not of the callers that are seen. */
static bool is_known(mst_place place, const mst_value *value) {
  const bool is_constant =
      mst_place_is(place, MST_K_NAME) &&
      mst_local_slot(mst_function_at(place), mst_place_node(place)->name) == UINT32_MAX;
  return (mst_place_is(place, MST_K_NUMBER) || is_constant) && mst_knows_number(value) &&
         value->number >= 0;
}

static bool of_expression(mst_place place, mst_place loop, unsigned steps, mst_length *out) {
  static const char *const length[] = {"builtins.len", NULL};
  const mst_value *value = mst_value_at(place);
  *out = (mst_length){.number = -1};
  if (steps == 0) return false;
  if (is_known(place, value)) {
    out->number = mst_whole(value->number);
    return true;
  }
  switch (mst_place_kind(place)) {
  case MST_K_NAME: return of_name(place, loop, steps - 1, out);
  case MST_K_ATTRIBUTE:
  case MST_K_SUBSCRIPT:
    return of_fact(place, loop, steps - 1, out) && (out->array | out->name || out->number >= 0);
  case MST_K_CALL: {
    const mst_node_id array = mst_argument(place, 0, NULL);
    if (!mst_one_of(mst_called_name(place), length) || array == 0) return false;
    *out = of_axis(mst_place_at(place, array), 0, loop, steps - 1);
    return out->array != 0 || out->name != 0 || out->number >= 0;
  }
  default: return false;
  }
}

/* ---- arrays -------------------------------------------------------------------------------------- */

/* The array of whose shape a new one is: zeros_like(a), a.copy(), zeros(a.shape), np.sin(a) * 2. */
static mst_place shaped_as(mst_place value) {
  static const char *const copies[] = {"ndarray.copy", "numpy.copy", "numpy.array", NULL};
  const mst_tree *tree = value.module->tree;
  const mst_api *api = mst_place_is(value, MST_K_CALL) ? mst_called_api(value) : NULL;
  const mst_place none = mst_place_at(value, 0);
  if (api == NULL) {
    const mst_node_id end = mst_subtree_end(tree, value.node);
    for (mst_node_id id = value.node; id < end; id++)
      if (mst_kind_of(tree, id) == MST_K_NAME &&
          mst_is_array(mst_value_at(mst_place_at(value, id))))
        return mst_is_elementwise_of(value, mst_place_at(value, id)) ? mst_place_at(value, id)
                                                                     : none;
    return none;
  }
  const bool is_copy = mst_one_of(mst_called_name(value), copies);
  if (is_copy || (api->effect == MST_E_LIKE && mst_argument(value, -1, "shape") == 0)) {
    const mst_node_id subject = mst_subject(value);
    const bool has_more = mst_argument(value, -1, "ndmin") != 0;
    return mst_place_at(value, has_more ? 0 : subject);
  }
  const mst_place shape = mst_place_at(value, mst_argument(value, 0, "shape"));
  if (api->effect == MST_E_SHAPED && mst_place_is(shape, MST_K_ATTRIBUTE) &&
      mst_place_node(shape)->name == MST_SYM_shape)
    return mst_place_child(shape, 0);
  return none;
}

/* n of zeros(n), zeros((n, m)), linspace(0, 1, n), arange(n) */
static mst_place length_argument(mst_place call, int axis) {
  static const char *const odd[] = {"numpy.fromfunction", "numpy.ndarray", NULL};
  const mst_api *api = mst_place_is(call, MST_K_CALL) ? mst_called_api(call) : NULL;
  const char *name = mst_place_is(call, MST_K_CALL) ? mst_called_name(call) : NULL;
  if (api == NULL || name == NULL || mst_one_of(name, odd)) return mst_place_at(call, 0);
  if (api->effect == MST_E_SHAPED) {
    const mst_place shape = mst_place_at(call, mst_argument(call, 0, "shape"));
    if (mst_place_is(shape, MST_K_TUPLE)) return mst_place_child(shape, (unsigned)axis);
    return mst_place_at(call, axis == 0 ? shape.node : 0);
  }
  if (strcmp(name, "numpy.linspace") == 0)
    return mst_place_at(call, axis == 0 ? mst_argument(call, 2, "num") : 0);
  const bool counts = strcmp(name, "numpy.arange") == 0 && mst_positional_count(call) == 1;
  return mst_place_at(call, counts && axis == 0 ? mst_argument(call, 0, NULL) : 0);
}

/* Not np.arange(2.5). What is no number at all, as in np.zeros(shape), no range() takes. */
static bool is_count(mst_place argument) {
  const mst_value *value = mst_value_at(argument);
  return argument.node != 0 && !mst_is_arrayish(value) &&
         (!mst_knows_number(value) || value->number == (double)mst_whole(value->number));
}

/* What is seen of the shape without callers; else what the array itself stands for. */
static mst_length seen_axis(mst_place array, int axis) {
  const mst_value *value = mst_value_at(array);
  const int64_t extent = value->rank > axis ? mst_extent(&array.program->values, value, axis) : -1;
  if (extent >= 0 && mst_is_known_here(array.program, value)) return (mst_length){.number = extent};
  return (mst_length){.array = mst_place_node(array)->name, .axis = axis, .number = -1};
}

static mst_length of_axis(mst_place array, int axis, mst_place loop, unsigned steps) {
  mst_node_id store;
  mst_length length = {.number = -1};
  if (steps == 0 || !mst_place_is(array, MST_K_NAME) || !is_settled(array, loop, &store))
    return length;
  const mst_place value = given_to(array, loop);
  if (value.node == 0) return seen_axis(array, axis);
  const mst_place at = mst_place_at(loop, store), like = shaped_as(value);
  if (like.node != 0) length = of_axis(like, axis, at, steps - 1);
  if (mst_same_length(length, length)) return length;
  const mst_place argument = length_argument(value, axis);
  if (is_count(argument) && of_expression(argument, at, steps - 1, &length)) return length;
  return seen_axis(array, axis);
}

bool mst_length_of_expression(mst_place expression, mst_place loop, mst_length *out) {
  return of_expression(expression, loop, MOST_STEPS, out);
}

mst_length mst_length_of_axis(mst_place array, int axis, mst_place loop) {
  return of_axis(array, axis, loop, MOST_STEPS);
}

bool mst_same_length(mst_length a, mst_length b) {
  if (a.number >= 0 || b.number >= 0) return a.number == b.number;
  if (a.name != 0 || b.name != 0) return a.name == b.name;
  return a.array != 0 && a.array == b.array && a.axis == b.axis;
}

mst_symbol mst_shape_origin(mst_place array, mst_place loop) {
  for (unsigned steps = MOST_STEPS; steps > 0; steps--) {
    mst_node_id store;
    if (!mst_place_is(array, MST_K_NAME) || !is_settled(array, loop, &store)) return 0;
    const mst_place value = given_to(array, loop);
    const mst_place like = value.node != 0 ? shaped_as(value) : mst_place_at(array, 0);
    if (like.node == 0 || !mst_place_is(like, MST_K_NAME)) return mst_place_node(array)->name;
    loop = mst_place_at(loop, store);
    array = like;
  }
  return 0;
}
