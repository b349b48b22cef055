/* SPDX-License-Identifier: Apache-2.0 */
#include "rules/hoist_safety.h"

#include <string.h>

#include "rules/hoist.h"
#include "rules/own_names.h"
#include "rules/turns.h"

/* ---- what the buffer is made of ------------------------------------------------------------------- */

/* A name of the module that is bound once, and by no function. */
static bool is_constant_of_module(mst_place name) {
  mst_turns turns;
  unsigned stores = 0;
  const mst_tree *tree = name.module->tree;
  const mst_symbol symbol = mst_place_node(name)->name;
  if (mst_local_slot(mst_function_at(name), symbol) != UINT32_MAX) return false;
  const mst_symbol all = mst_symbol_find(&name.program->symbols, "globals");
  if (all != MST_SYM_NONE && mst_is_mentioned(name.module, all)) return false;
  if (!mst_turns_of(&turns, mst_place_at(name, 1))) return false;
  for (mst_node_id id = 0; mst_next_store(&turns, symbol, &id);) {
    if (name.module->function_of[id] != name.module->function) return false;
    stores++;
  }
  for (mst_node_id id = 0; mst_next_read(&turns, symbol, &id);)
    if (mst_kind_of(tree, tree->nodes[id].parent) == MST_K_GLOBAL) return false;
  return stores == 1 && !turns.is_spent && mst_value_at(name)->kind == MST_V_NUMBER;
}

/* n.append(...), n[0] = ...: a list of sizes that the loop changes. */
static bool is_changed_in(mst_place name, mst_node_id root) {
  const mst_tree *tree = name.module->tree;
  const mst_node_id end = mst_subtree_end(tree, root);
  for (mst_node_id id = root; id < end; id++) {
    const mst_node *node = mst_node_at(tree, id);
    if (node->kind != MST_K_NAME || node->name != mst_place_node(name)->name) continue;
    const mst_node *around = mst_node_at(tree, node->parent);
    if (around->first != id) continue;
    if (around->kind == MST_K_SUBSCRIPT && (around->flags & (MST_F_STORE | MST_F_DEL)) != 0)
      return true;
    if (around->kind == MST_K_ATTRIBUTE && mst_kind_of(tree, around->parent) == MST_K_CALL)
      return true;
  }
  return false;
}

static bool is_same_number(const mst_hoist *of, mst_place name) {
  const mst_value *value = mst_value_at(name);
  if (mst_is_arrayish(value) || value->kind == MST_V_LIST) return false;
  if (mst_expression_name(name) != NULL) return true; /* np, float */
  if (is_constant_of_module(name)) return true;
  return mst_is_own_name(name) && !mst_is_bound_in(name, of->loop.node) &&
         (value->kind == MST_V_NUMBER || !is_changed_in(name, of->loop.node));
}

static bool is_same_array(const mst_hoist *of, mst_place name) {
  return mst_is_seen_array(name) && mst_is_own_name(name) &&
         !mst_is_bound_in(name, of->loop.node) && !mst_is_reshaped_in(name, of->loop.node);
}

static bool is_same(const mst_hoist *of, mst_node_id id);

static bool are_same(const mst_hoist *of, mst_node_id first) {
  for (mst_node_id id = first; id != 0; id = mst_node_at(of->call.module->tree, id)->next)
    if (!is_same(of, id)) return false;
  return true;
}

/* u.shape, u.dtype, np.float64 */
static bool is_same_fact(const mst_hoist *of, mst_place attribute) {
  static const char *const facts[] = {"shape", "dtype", "size", "ndim", NULL};
  if (mst_expression_name(attribute) != NULL) return true;
  return mst_one_of(mst_place_name(attribute), facts) &&
         is_same_array(of, mst_place_child(attribute, 0));
}

static bool is_same_call(const mst_hoist *of, mst_place call) {
  static const char *const length[] = {"builtins.len", NULL};
  static const char *const plain[] = {"builtins.int", "builtins.min", "builtins.max", NULL};
  const mst_node_id argument = mst_place_child(call, 1).node;
  if (mst_one_of(mst_called_name(call), length))
    return argument != 0 && is_same_array(of, mst_place_at(call, argument));
  return mst_one_of(mst_called_name(call), plain) && are_same(of, argument);
}

static bool is_same(const mst_hoist *of, mst_node_id id) {
  const mst_place place = mst_place_at(of->call, id);
  const mst_node *node = mst_place_node(place);
  switch (node->kind) {
  case MST_K_NUMBER:
  case MST_K_STRING:
  case MST_K_TRUE:
  case MST_K_FALSE:
  case MST_K_NULL: return true;
  case MST_K_NAME: return is_same_number(of, place);
  case MST_K_ATTRIBUTE: return is_same_fact(of, place);
  case MST_K_CALL: return is_same_call(of, place);
  case MST_K_SUBSCRIPT:
    return mst_place_is(mst_place_child(place, 0), MST_K_ATTRIBUTE) && are_same(of, node->first);
  case MST_K_KEYWORD:
  case MST_K_TUPLE:
  case MST_K_BINARY:
  case MST_K_UNARY: return are_same(of, node->first);
  default: return false;
  }
}

/* u.copy(), np.copy(u), np.array(u), and nothing else said */
static bool is_same_copy(const mst_hoist *of, mst_node_id array) {
  const mst_tree *tree = of->call.module->tree;
  const mst_node_id first = mst_child(tree, of->call.node, 1);
  const bool is_method = first == 0 || !mst_is_within(tree, array, first);
  if (is_method ? first != 0 : array != first || mst_node_at(tree, first)->next != 0) return false;
  return is_same_array(of, mst_place_at(of->call, array));
}

static bool is_made_of_the_same(const mst_hoist *of) {
  const mst_tree *tree = of->call.module->tree;
  const mst_api *api = mst_called_api(of->call);
  const mst_node_id first = mst_child(tree, of->call.node, 1);
  if (!mst_is_called_under(of->call, "numpy.") && !mst_is_called_under(of->call, "ndarray."))
    return false;
  switch (api->effect) {
  case MST_E_LIKE:
    return first != 0 && is_same_array(of, mst_place_at(of->call, first)) &&
           are_same(of, mst_node_at(tree, first)->next);
  case MST_E_SHAPED:
    return strcmp(api->name, "numpy.fromfunction") != 0 &&
           strcmp(api->name, "numpy.ndarray") != 0 && are_same(of, first);
  case MST_E_RANGE:
  case MST_E_MATRIX: return mst_argument(of->call, -1, "retstep") == 0 && are_same(of, first);
  default: return false;
  }
}

/* dtype=kind, which callers may say. */
static bool is_type_of_caller(mst_place call) {
  const mst_node_id dtype = mst_argument(call, mst_called_api(call)->dtype_at, "dtype");
  const mst_place place = mst_place_at(call, dtype);
  const mst_function *function = mst_function_at(call);
  if (dtype == 0 || mst_place_is(place, MST_K_STRING)) return false;
  if (mst_place_is(place, MST_K_NAME) &&
      mst_parameter_by_name(function, mst_place_node(place)->name) < function->parameter_count)
    return true;
  return !mst_place_is(place, MST_K_ATTRIBUTE) && mst_value_at(call)->dtype == MST_D_UNKNOWN;
}

/* Zeros of these are not what `fill(0)` writes, or hold what others hold, too. */
static bool is_odd_type(const mst_value *array) {
  return array->dtype == MST_D_OBJECT || array->dtype == MST_D_STRING ||
         array->dtype == MST_D_TIME || array->dtype == MST_D_STRUCT;
}

/* ---- who reads it ---------------------------------------------------------------------------------- */

static mst_node_id end_of(const mst_hoist *of) {
  return mst_subtree_end(of->call.module->tree, of->loop.node);
}

/* No other binding is met in the loop, and `*before` says whether there is one in front of it. */
static bool is_bound_here_only(const mst_hoist *of, bool *before) {
  mst_turns turns;
  const mst_tree *tree = of->call.module->tree;
  const mst_node_id end = end_of(of);
  *before = false;
  if (!mst_function_turns(&turns, of->call)) return false;
  for (mst_node_id id = 0; mst_next_store(&turns, mst_place_node(of->target)->name, &id);) {
    if (id == of->target.node || tree->nodes[id].kind != MST_K_NAME || id >= end) continue;
    const bool is_update = mst_kind_of(tree, tree->nodes[id].parent) == MST_K_AUG_ASSIGN;
    if (id < of->loop.node)
      *before = true;
    else if (id < of->target.node || !is_update || of->array->rank < 1)
      return false;
  }
  for (mst_node_id id = turns.begin; id < turns.end; id++)
    if (tree->nodes[id].name == mst_place_node(of->target)->name &&
        (tree->nodes[id].flags & MST_F_DEL) != 0)
      return false;
  return !turns.is_spent;
}

/* Each read finds what the same turn has made. Outside the loop a read may find the last buffer,
 * unless, without any turn, it would have found something else. */
static bool is_read_in_its_turn(const mst_hoist *of, bool is_bound_before) {
  mst_turns turns;
  const mst_tree *tree = of->call.module->tree;
  const mst_node_id end = end_of(of), made = mst_subtree_end(tree, of->statement.node);
  const bool is_within_loop = mst_loop_at(of->loop) != NULL;
  if (!mst_function_turns(&turns, of->call)) return false;
  for (mst_node_id id = 0; mst_next_read(&turns, mst_place_node(of->target)->name, &id);) {
    if (tree->nodes[id].kind != MST_K_NAME) continue;
    if (id < of->loop.node ? is_within_loop : id < made) return false;
    if (id >= end && (is_within_loop || is_bound_before)) return false;
    if (id < end && id >= made && mst_is_handed_on(mst_place_at(of->call, id))) return false;
  }
  return !turns.is_spent;
}

bool mst_is_safe_hoist(const mst_hoist *of) {
  bool is_bound_before;
  const mst_function *function = mst_function_at(of->call);
  const mst_symbol name = mst_place_node(of->target)->name;
  const mst_node_id copied = mst_copied_array(of->call);
  if (!mst_is_own_name(of->target) || mst_has_else(of->loop) || is_odd_type(of->array) ||
      is_type_of_caller(of->call))
    return false;
  if (mst_parameter_by_name(function, name) < function->parameter_count) return false;
  if (copied != 0 ? !is_same_copy(of, copied) : !is_made_of_the_same(of)) return false;
  return is_bound_here_only(of, &is_bound_before) && is_read_in_its_turn(of, is_bound_before);
}

/* ---- who writes it --------------------------------------------------------------------------------- */

/* A call that is known to read its arguments only, but for out=. */
static bool is_reading_call(mst_place call, mst_node_id argument) {
  static const char *const length[] = {"builtins.len", NULL};
  const mst_api *api = mst_called_api(call);
  if (api == NULL) return mst_one_of(mst_called_name(call), length);
  if (api->effect == MST_E_NOTHING || api->effect == MST_E_UNKNOWN) return false;
  const bool has_more = api->out_at >= 0 && mst_argument(call, api->out_at + 1, NULL) != 0;
  if (has_more) return false; /* np.median(b, None, None, True) sorts parts of b */
  return mst_argument(call, -1, "overwrite_input") == 0 &&
         (argument == 0 || !mst_is_out(call, mst_place_at(call, argument)));
}

/* What the result shares with the array is written through it: b.ravel()[0] = 1. */
static bool may_share(mst_place call, mst_node_id argument) {
  return mst_called_api(call) != NULL && mst_may_give_view(call, mst_place_at(call, argument));
}

/* b[0] = 1, b.T[1:] += x, np.sin(x, out=b), f(b) */
static bool is_written_by(mst_place use) {
  const mst_tree *tree = use.module->tree;
  for (mst_node_id id = use.node;;) {
    const mst_node_id parent = tree->nodes[id].parent;
    const mst_node *around = mst_node_at(tree, parent);
    const bool is_first = around->first == id;
    switch (around->kind) {
    case MST_K_KEYWORD: return !is_reading_call(mst_place_at(use, around->parent), parent);
    case MST_K_CALL:
      if (is_first || !is_reading_call(mst_place_at(use, parent), id)) return true;
      if (!may_share(mst_place_at(use, parent), id)) return false;
      break;
    case MST_K_TUPLE:
    case MST_K_LIST: return true;
    case MST_K_SUBSCRIPT:
    case MST_K_ATTRIBUTE:
      if (!is_first) return false;
      if ((around->flags & (MST_F_STORE | MST_F_DEL)) != 0) return true;
      break;
    default: return false;
    }
    id = parent;
    if (around->kind == MST_K_ATTRIBUTE && mst_kind_of(tree, around->parent) == MST_K_CALL &&
        mst_node_at(tree, around->parent)->first == parent) {
      id = around->parent;
      if (!is_reading_call(mst_place_at(use, id), 0)) return true;
      if (!may_share(mst_place_at(use, id), parent)) return false;
    }
  }
}

bool mst_is_buffer_written(const mst_hoist *of) {
  mst_turns turns;
  const mst_symbol name = mst_place_node(of->target)->name;
  if (!mst_turns_of(&turns, of->loop)) return true;
  for (mst_node_id id = 0; mst_next_store(&turns, name, &id);)
    if (id != of->target.node) return true;
  for (mst_node_id id = 0; mst_next_read(&turns, name, &id);)
    if (mst_place_is(mst_place_at(of->call, id), MST_K_NAME) &&
        is_written_by(mst_place_at(of->call, id)))
      return true;
  return turns.is_spent;
}
