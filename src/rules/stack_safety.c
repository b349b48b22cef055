/* SPDX-License-Identifier: Apache-2.0 */
#include "rules/stack_safety.h"

#include <string.h>

#include "rules/own_names.h"
#include "rules/turns.h"
#include "rules/widths.h"

/* ---- what was there before the loop ---------------------------------------------------------------- */

static bool is_in_loop(const mst_stack *of, mst_node_id id) {
  return mst_is_within(of->call.module->tree, id, of->loop.node);
}

/* What stands behind the loop is of no concern to it, unless a loop around it leads back. */
static bool is_behind(const mst_stack *of, mst_node_id id) {
  return id > of->loop.node && !is_in_loop(of, id) && mst_loop_at(of->loop) == NULL;
}

/* The statement is run whenever the loop is: it stands in a block around the loop. */
static bool is_always_run(const mst_stack *of, mst_place statement) {
  return statement.node < of->loop.node &&
         mst_is_within(of->call.module->tree, of->loop.node, mst_place_node(statement)->parent);
}

/* np.array(x) copies, and so do all that join. */
static bool binds_new_array(mst_place name) {
  const mst_tree *tree = name.module->tree;
  const mst_place parent = mst_place_parent(name);
  if (mst_binds_new_array(name)) return true;
  if (!mst_place_is(parent, MST_K_ASSIGN) || mst_child_count(tree, parent.node) != 2) return false;
  const mst_place value = mst_place_at(name, mst_last_child(tree, parent.node));
  const char *called = mst_place_is(value, MST_K_CALL) ? mst_called_name(value) : NULL;
  if (called == NULL) return false;
  if (mst_argument(value, -1, "out") != 0) return false;
  return mst_is_stacking(value) ||
         (strcmp(called, "numpy.array") == 0 && mst_argument(value, -1, "copy") == 0);
}

/* Joined with nothing, an array of this rank stays as it is. */
static bool keeps_rank(const mst_stack *of, int rank) {
  const char *name = mst_called_name(of->call);
  if (of->is_append) return rank == 1;
  if (strcmp(name, "numpy.vstack") == 0) return rank >= 2;
  if (strcmp(name, "numpy.column_stack") == 0) return rank == 2;
  return rank >= (strcmp(name, "numpy.dstack") == 0 ? 3 : 1);
}

/* Which pieces leave it to the order of joining neither what type comes out nor what values: each
 * type is widened to one that holds it, and integers to float64 at most once. Integers of several
 * sizes and signs before the first float would make it depend. */
static bool may_be_joined(unsigned dtype, const mst_value *piece) {
  const bool is_number = piece->kind == MST_V_NUMBER;
  const bool is_integer = is_number ? (piece->flags & MST_VF_INTEGER) != 0
                                    : piece->dtype == MST_D_INT || piece->dtype == MST_D_BOOL;
  switch (dtype) {
  case MST_D_BOOL: return !is_number && piece->dtype == MST_D_BOOL;
  case MST_D_INT: return is_integer;
  case MST_D_FLOAT:
  case MST_D_COMPLEX:
    return is_number || is_integer || piece->dtype == MST_D_FLOAT || piece->dtype == MST_D_COMPLEX;
  default: return false;
  }
}

/* A list shown as such has the type of its elements. */
static mst_value value_of_piece(mst_place piece) {
  const mst_value *value = mst_value_at(piece);
  if (!mst_place_is(piece, MST_K_LIST)) return *value;
  return mst_value_any_item(&piece.program->values, value);
}

static bool is_known_piece(const mst_stack *of, const mst_value *piece) {
  if (piece->kind == MST_V_NUMBER)
    return (piece->flags & (MST_VF_FROM_DEFAULT | MST_VF_PARAMETER)) == 0;
  return mst_is_arrayish(piece) && piece->library == MST_LIB_TARGET &&
         piece->confidence == MST_CERTAIN && (piece->flags & MST_VF_MAYBE_ELEMENT) == 0 &&
         mst_is_known_here(of->call.program, piece);
}

/* Numbers of any type: joined to float64 they come out the same in any order, since that holds, or
 * rounds, each of them at once. */
static bool is_numeric_piece(const mst_value *piece) {
  if (piece->kind == MST_V_NUMBER) return true;
  return mst_is_arrayish(piece) && piece->library == MST_LIB_TARGET &&
         piece->confidence == MST_CERTAIN && piece->dtype <= MST_D_COMPLEX;
}

static mst_place start_of(mst_place store) {
  return mst_place_at(store, mst_place_node(store)->next);
}

/* What the array is at first. np.array([]) has one axis, and no element tells its type. */
static mst_value value_of_start(mst_place store) {
  const mst_tree *tree = store.module->tree;
  const mst_place call = start_of(store);
  static const char *const arrays[] = {"numpy.array", NULL};
  const mst_place list = mst_place_child(call, 1);
  mst_value value = *mst_value_at(store);
  if (!mst_place_is(call, MST_K_CALL) || !mst_place_is(list, MST_K_LIST) ||
      mst_place_node(list)->first != 0 || !mst_one_of(mst_called_name(call), arrays))
    return value;
  const mst_node_id dtype = mst_argument(call, 1, "dtype");
  if (mst_child_count(tree, call.node) > (dtype != 0 ? 3u : 2u)) return value;
  value.rank = 1;
  if (dtype == 0) value.dtype = MST_D_FLOAT;
  return value;
}

static bool begins_as_float64(mst_place store) {
  const mst_place call = start_of(store), list = mst_place_child(call, 1);
  const bool is_of_nothing = mst_place_is(list, MST_K_LIST) && mst_place_node(list)->first == 0 &&
                             mst_child_count(call.module->tree, call.node) == 2;
  return mst_is_float64(call) || (is_of_nothing && value_of_start(store).dtype == MST_D_FLOAT);
}

static const char *doubt_of_start(const mst_stack *of, mst_place store, const mst_value *piece) {
  const mst_value at_first = value_of_start(store), *value = &at_first;
  if (!binds_new_array(store)) return "before the loop it may be an array that has another name";
  if (!mst_is_target_array(value) || value->confidence != MST_CERTAIN ||
      !keeps_rank(of, value->rank))
    return "without a turn it might get other axes";
  if (begins_as_float64(store) && is_numeric_piece(piece)) return NULL;
  if (!is_known_piece(of, piece)) return "what is joined to it is not known well enough";
  if (!mst_is_known_here(of->call.program, value) || !may_be_joined(value->dtype, piece))
    return "the type that comes out might depend on the order of joining";
  return NULL;
}

/* Of each array that the loop may begin with. */
static const char *doubt_of_starts(const mst_stack *of) {
  mst_turns turns;
  bool is_bound = false;
  const mst_value piece = value_of_piece(of->piece);
  if (!mst_function_turns(&turns, of->call)) return "the function is long";
  for (mst_node_id id = 0; mst_next_store(&turns, mst_place_node(of->target)->name, &id);) {
    const mst_place store = mst_place_at(of->call, id);
    if (!mst_place_is(store, MST_K_NAME) || is_in_loop(of, id) || is_behind(of, id)) continue;
    const char *doubt = doubt_of_start(of, store, &piece);
    if (doubt != NULL) return doubt;
    const mst_place statement = mst_place_parent(store);
    is_bound = is_bound || (mst_place_is(statement, MST_K_ASSIGN) && is_always_run(of, statement));
  }
  if (turns.is_spent) return "the function is long";
  return is_bound ? NULL : "it may be bound to nothing before the loop";
}

/* ---- who sees it ------------------------------------------------------------------------------------ */

static bool is_deleted(const mst_turns *turns, mst_symbol name) {
  for (mst_node_id id = turns->begin; id < turns->end; id++) {
    const mst_node *node = mst_node_at(turns->place.module->tree, id);
    if (node->name == name && (node->flags & MST_F_DEL) != 0) return true;
  }
  return false;
}

/* True when the array that the loop begins with may be reached, and written into, by another name.
 */
static bool has_other_name(const mst_stack *of) {
  mst_turns turns;
  const mst_symbol name = mst_place_node(of->target)->name;
  if (!mst_function_turns(&turns, of->call) || is_deleted(&turns, name)) return true;
  for (mst_node_id id = 0; mst_next_read(&turns, name, &id);) {
    const mst_place read = mst_place_at(of->call, id);
    if (!mst_place_is(read, MST_K_NAME) || is_in_loop(of, id) || is_behind(of, id)) continue;
    if (mst_is_handed_on(read)) return true;
  }
  return turns.is_spent;
}

const char *mst_stack_doubt(const mst_stack *of) {
  const mst_function *function = mst_function_at(of->call);
  const mst_symbol name = mst_place_node(of->target)->name;
  if (!mst_is_own_name(of->target)) return "others may read it while the loop runs";
  if (mst_parameter_by_name(function, name) < function->parameter_count)
    return "before the loop it is the caller's array";
  if (mst_may_be_caught(of->loop)) return "where an exception ends the loop it may be read";
  if (has_other_name(of)) return "before the loop it may be an array that has another name";
  return doubt_of_starts(of);
}

/* ---- pieces ----------------------------------------------------------------------------------------- */

bool mst_is_new_piece(mst_place piece) {
  const mst_value *value = mst_value_at(piece);
  if (mst_place_is(piece, MST_K_NUMBER)) return true;
  if (value->kind != MST_V_NUMBER && !mst_is_arrayish(value)) return false;
  return mst_place_is(piece, MST_K_UNARY) || mst_makes_new_array(piece) ||
         mst_is_new_reduction(piece);
}
