/* SPDX-License-Identifier: Apache-2.0 */
/* Uses of elements and rows that the finding of a walking loop covers, also in functions it calls.
 */
#include "pysource/walks.h"

static bool is_target_of(const mst_tree *tree, const mst_loop *loop, mst_symbol name) {
  const bool is_for = mst_kind_of(tree, loop->node) == MST_K_FOR;
  const mst_node_id begin = is_for ? mst_child(tree, loop->node, 0) : loop->node;
  const mst_node_id end = mst_subtree_end(tree, begin);
  for (mst_node_id id = begin; id < end; id++)
    if (tree->nodes[id].kind == MST_K_NAME && tree->nodes[id].name == name &&
        (tree->nodes[id].flags & MST_F_STORE) != 0)
      return true;
  return false;
}

/* An array that goes from turn to turn is no row of another one, also where rows were added to it.
 */
static bool is_state_array(const mst_walk *walk, mst_node_id name) {
  const mst_value *value = &walk->module->values[name];
  return mst_is_target_array(value) && (value->flags & MST_VF_MAYBE_ELEMENT) == 0 &&
         mst_walk_hands_on(walk, walk->tree->nodes[name].name);
}

/* A loop that turns often and takes no array apart itself. */
static bool is_iteration(const mst_tree *tree, const mst_loop *loop) {
  const mst_kind kind = mst_kind_of(tree, loop->node);
  if (kind != MST_K_WHILE && (kind != MST_K_FOR || !loop->is_hot)) return false;
  return loop->status == MST_LOOP_PLAIN || loop->status == MST_LOOP_VECTORISED ||
         loop->status == MST_LOOP_TIME;
}

/* True for what an iteration of its own hands on from step to step, within a turn of the walk:
 * `while change > tol: w = f(w)` for each column. Its tests wait in each step, not once a turn. */
static bool is_inner_state(const mst_walk *walk, mst_node_id name) {
  const mst_program *program = walk->program;
  const mst_loop *loop = mst_loop_at(mst_walk_place(walk, name));
  for (; loop != NULL && loop != walk->loop; loop = mst_loop_outside(program, loop)) {
    const mst_symbol symbol = walk->tree->nodes[name].name;
    bool assigned = false;
    if (is_iteration(walk->tree, loop) && mst_binds_in(walk->tree, loop->body, symbol) &&
        mst_reads_before(walk->tree, loop->node, symbol, &assigned))
      return true;
  }
  return false;
}

/* Names that a turn makes of what the loop walks, and the loop's own targets. */
static bool is_made_of_walk(const mst_walk *walk, mst_node_id expression, int depth) {
  const mst_node_id end = mst_subtree_end(walk->tree, expression);
  for (mst_node_id id = expression; id < end; id++) {
    const mst_node *node = &walk->tree->nodes[id];
    if (node->kind == MST_K_SUBSCRIPT && mst_walk_follows(walk, id) &&
        mst_is_array(&walk->module->values[node->first]))
      return true;
    if (node->kind != MST_K_NAME || (node->flags & MST_F_STORE) != 0) continue;
    if (walk->loop->iterates && is_target_of(walk->tree, walk->loop, node->name)) return true;
    if (depth == 0 || is_state_array(walk, id) || is_inner_state(walk, id)) continue;
    const mst_node_id body_end = mst_subtree_end(walk->tree, walk->loop->body);
    for (mst_node_id other = walk->loop->body; other < body_end; other++) {
      const mst_node *target = &walk->tree->nodes[other];
      if (target->kind != MST_K_NAME || target->name != node->name ||
          (target->flags & MST_F_STORE) == 0)
        continue;
      const mst_node_id statement = mst_statement_of(walk->tree, other);
      const mst_kind kind = mst_kind_of(walk->tree, statement);
      if (kind != MST_K_ASSIGN && kind != MST_K_AUG_ASSIGN) continue;
      if (is_made_of_walk(walk, mst_last_child(walk->tree, statement), depth - 1)) return true;
    }
  }
  return false;
}

static bool is_use_of_loops_around(mst_place place, bool or_counter) {
  for (const mst_loop *loop = mst_loop_at(place); loop != NULL;
       loop = mst_loop_outside(place.program, loop)) {
    if (!mst_is_walk_finding(loop->status) && loop->status != MST_LOOP_PART) continue;
    if (is_made_of_walk(loop->walk, place.node, 3)) return true;
    if (or_counter && mst_walk_follows(loop->walk, place.node)) return true;
  }
  return false;
}

/* What all hot calls give to a parameter is the element of a walk, or the counter by which the
 * function picks one. */
static bool is_handed_walk(const mst_program *program, const mst_function *function,
                           uint32_t parameter) {
  bool any = false;
  for (size_t i = 0; i < function->callers.length; i++) {
    const mst_place call = mst_call_place(program, &function->callers.data[i]);
    if (mst_heat_at(call) != MST_HEAT_HOT) continue;
    const mst_node_id given = mst_given_to(call, function, parameter);
    if (given == 0 || !is_use_of_loops_around(mst_place_at(call, given), true)) return false;
    any = true;
  }
  return any;
}

/* `if a > high` in a function that a walking loop calls with its element, `w[j]` in one that it
 * calls with its counter. What such a function iterates itself waits in each of its steps. */
static bool is_use_of_callers_loops(mst_place place) {
  const mst_function *function = mst_function_at(place);
  const mst_loop *loop = mst_loop_at(place);
  if (loop != NULL && is_iteration(place.module->tree, loop)) return false;
  const mst_node_id end = mst_subtree_end(place.module->tree, place.node);
  for (mst_node_id id = place.node; id < end; id++) {
    const mst_node *node = mst_node_at(place.module->tree, id);
    if (node->kind != MST_K_NAME) continue;
    const uint32_t parameter = mst_parameter_by_name(function, node->name);
    if (parameter < function->parameter_count && is_handed_walk(place.program, function, parameter))
      return true;
  }
  return false;
}

bool mst_is_walk_use(mst_place place) {
  return is_use_of_loops_around(place, false) || is_use_of_callers_loops(place);
}
