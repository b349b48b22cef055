/* SPDX-License-Identifier: Apache-2.0 */
/* Sweeps in place: each element needs others of the same array, of those that are written already
 * and of those that are not. */
#include <string.h>

#include "pysource/walks.h"

/* What the only assignment of the turn gives to a NAME; 0: none, or several. */
static mst_node_id given_in_turn(const mst_walk *walk, mst_node_id name) {
  const mst_node_id store =
      mst_only_store(walk->tree, walk->loop->body, walk->tree->nodes[name].name);
  const mst_node_id statement = walk->tree->nodes[store].parent;
  if (store == 0 || mst_kind_of(walk->tree, statement) != MST_K_ASSIGN) return 0;
  return mst_last_child(walk->tree, statement);
}

/* x[i] = b[i] - a[i, :] @ x: what is stored is made of all that the loop is writing, also by a
 * name. */
static bool reads_all(const mst_walk *walk, const mst_access *store, mst_node_id given,
                      bool by_name) {
  const mst_tree *tree = walk->tree;
  const mst_node_id end = mst_subtree_end(tree, given);
  for (mst_node_id id = given; id < end; id++) {
    const mst_node *node = mst_node_at(tree, id);
    if (node->kind != MST_K_NAME || store->is_self) continue;
    if (node->name != store->name) {
      const mst_node_id made = by_name ? given_in_turn(walk, id) : 0;
      if (made != 0 && reads_all(walk, store, made, false)) return true;
      continue;
    }
    const mst_kind around = (mst_kind)mst_node_at(tree, node->parent)->kind;
    if (around == MST_K_BINARY) return true;
    if (around != MST_K_CALL || mst_node_at(tree, node->parent)->first == id) continue;
    const mst_place call = mst_walk_place(walk, node->parent);
    const bool is_size = walk->module->values[call.node].kind == MST_V_NUMBER; /* len(x) */
    if (mst_called_api(call) != NULL && !is_size) return true;
    /* value[i] = f(i, value): the function picks its neighbours. */
    if (mst_called_function(call) != NULL && mst_walk_follows(walk, call.node)) return true;
  }
  return false;
}

static bool reads_all_of(const mst_walk *walk, const mst_access *store) {
  const mst_node_id statement = mst_statement_of(walk->tree, store->node);
  return reads_all(walk, store, mst_last_child(walk->tree, statement), true);
}

/* The index of an axis, in one pair of brackets or a chain of them; 0: none. */
static mst_node_id index_of_axis(const mst_walk *walk, const mst_access *access, unsigned axis) {
  const mst_tree *tree = walk->tree;
  for (mst_node_id level = tree->nodes[access->base].parent;; level = tree->nodes[level].parent) {
    mst_node_id index = tree->nodes[tree->nodes[level].first].next;
    if (mst_kind_of(tree, index) == MST_K_TUPLE) index = tree->nodes[index].first;
    for (; index != 0; index = tree->nodes[index].next)
      if (axis-- == 0) return index;
    if (level == access->node) return 0;
  }
}

/* The inner FOR that the name is the counter of; 0: none. */
static mst_node_id inner_loop_of(const mst_walk *walk, mst_symbol name) {
  const mst_tree *tree = walk->tree;
  const mst_node_id end = mst_subtree_end(tree, walk->loop->body);
  for (mst_node_id id = walk->loop->body; id < end; id++) {
    if (mst_kind_of(tree, id) != MST_K_FOR) continue;
    const mst_node *target = &tree->nodes[tree->nodes[id].first];
    if (target->kind == MST_K_NAME && target->name == name) return id;
  }
  return 0;
}

/* x[j] of an inner `for j in range(n)`: all of x, one after the other. */
static bool runs_over_all(const mst_walk *walk, const mst_access *load, unsigned axis) {
  const mst_tree *tree = walk->tree;
  const mst_node_id index = index_of_axis(walk, load, axis);
  if (index == 0 || mst_kind_of(tree, index) != MST_K_NAME) return false;
  const mst_node_id loop = inner_loop_of(walk, tree->nodes[index].name);
  const mst_node_id iterable = mst_child(tree, loop, 1);
  return loop != 0 && walk->module->values[iterable].kind == MST_V_RANGE &&
         !mst_walk_follows(walk, iterable);
}

/* The turn reads both what the sweep has written and what it has yet to write. */
static bool reads_both_sides(const mst_walk *walk, const mst_access *store) {
  bool behind = false, ahead = false;
  for (size_t i = 0; i < walk->accesses.length; i++) {
    const mst_access *load = &walk->accesses.data[i];
    if (!mst_is_same_array(store, load) || load->is_store) continue;
    if (load->follow == MST_FOLLOW_REST) {
      behind |= load->is_behind;
      ahead |= !load->is_behind;
    } else if (load->follow == MST_FOLLOW_NOT && load->is_element && store->affine &&
               runs_over_all(walk, load, store->axis)) {
      return true;
    }
  }
  return behind && ahead;
}

enum { MOST_AXES = 8 };

bool mst_walk_is_apart(const mst_walk *walk, const mst_access *store, const mst_access *load) {
  for (unsigned axis = 0; axis < MOST_AXES; axis++) {
    const mst_node_id to = index_of_axis(walk, store, axis);
    const mst_node_id from = index_of_axis(walk, load, axis);
    if (to == 0 || from == 0) return false;
    mst_linear a, b;
    if (axis == store->axis || !mst_walk_linear(walk, to, &a) || !mst_walk_linear(walk, from, &b))
      continue;
    if (a.factor == 0 && b.factor == 0 && a.unit == b.unit && a.rest == b.rest &&
        a.offset != b.offset)
      return true;
  }
  return false;
}

/* True for the counter of an inner loop that may turn many times. */
static bool counts_inner_loop(const mst_walk *walk, mst_symbol name) {
  const mst_node_id node = inner_loop_of(walk, name);
  const mst_loop *inner = node != 0 ? mst_loop_by_node(mst_walk_place(walk, node)) : NULL;
  return inner != NULL && !inner->is_small;
}

/* b[q + i * w]: a flat array that holds rows, one after the other. */
static bool is_of_rows(const mst_access *store) {
  return store->affine && (store->at.unit != 0 || store->at.factor > 1 || store->at.factor < -1);
}

bool mst_walk_fills_slab(const mst_walk *walk, const mst_access *store) {
  for (unsigned axis = 0; axis < MOST_AXES; axis++) {
    const mst_node_id index = index_of_axis(walk, store, axis);
    if (index == 0) return false;
    if (axis == store->axis && !is_of_rows(store)) continue;
    const mst_node_id end = mst_subtree_end(walk->tree, index);
    for (mst_node_id id = index; id < end; id++)
      if (mst_kind_of(walk->tree, id) == MST_K_NAME &&
          counts_inner_loop(walk, walk->tree->nodes[id].name))
        return true;
  }
  return false;
}

bool mst_walk_fills_others(const mst_walk *walk) {
  for (size_t i = 0; i < walk->accesses.length; i++) {
    const mst_access *store = &walk->accesses.data[i];
    if (!store->is_store || store->is_list || store->follow != MST_FOLLOW_NOT) continue;
    const mst_node_id end = mst_subtree_end(walk->tree, store->node);
    for (mst_node_id id = store->base; id < end; id++)
      if (mst_kind_of(walk->tree, id) == MST_K_NAME &&
          counts_inner_loop(walk, walk->tree->nodes[id].name))
        return true;
  }
  return false;
}

bool mst_walk_in_place(const mst_walk *walk, const mst_access *store) {
  if (!store->is_store || !store->is_element || store->follow != MST_FOLLOW_POINT) return false;
  return reads_all_of(walk, store) || reads_both_sides(walk, store);
}

bool mst_walk_writes_ahead(const mst_walk *walk, const mst_access *store) {
  const mst_node_id index = mst_child(walk->tree, store->node, 1);
  mst_linear lower;
  if (store->follow != MST_FOLLOW_WINDOW || mst_kind_of(walk->tree, index) != MST_K_SLICE ||
      !mst_walk_linear(walk, mst_child(walk->tree, index, 0), &lower))
    return false;
  for (size_t i = 0; i < walk->accesses.length; i++) {
    const mst_access *load = &walk->accesses.data[i];
    if (load->is_store || !mst_is_same_array(store, load) || !load->affine || !load->is_element ||
        load->at.factor != lower.factor || load->at.unit != lower.unit ||
        load->at.rest != lower.rest)
      continue;
    if (walk->descending ? lower.offset < load->at.offset : lower.offset > load->at.offset)
      return true;
  }
  return false;
}

bool mst_walk_is_whole_read(const mst_walk *walk, mst_node_id node, const mst_access *of) {
  const mst_tree *tree = walk->tree;
  const mst_node *read = mst_node_at(tree, node);
  if (read->kind != (of->is_self ? MST_K_ATTRIBUTE : MST_K_NAME) || read->name != of->name ||
      (read->flags & MST_F_STORE) != 0)
    return false;
  const mst_node *around = mst_node_at(tree, read->parent);
  switch ((mst_kind)around->kind) {
  case MST_K_BINARY: return true;
  case MST_K_CALL: return around->first != node;
  case MST_K_ATTRIBUTE: { /* a.dot(b), a.T.dot(b) */
    const mst_node *above = mst_node_at(tree, around->parent);
    return around->name == MST_SYM_T || (above->kind == MST_K_CALL && above->first == read->parent);
  }
  default: return false;
  }
}

mst_symbol mst_walk_grown_container(const mst_walk *walk, mst_node_id node) {
  static const char *const grows[] = {"append", "appendleft", "insert", "extend", "rotate", NULL};
  if (mst_kind_of(walk->tree, node) != MST_K_CALL) return 0;
  const mst_node *callee = mst_node_at(walk->tree, mst_node_at(walk->tree, node)->first);
  if (callee->kind != MST_K_ATTRIBUTE) return 0;
  const mst_node *object = mst_node_at(walk->tree, callee->first);
  if (object->kind != MST_K_NAME || mst_is_arrayish(&walk->module->values[callee->first])) return 0;
  const char *method = mst_symbol_text(&walk->program->symbols, callee->name);
  for (size_t i = 0; grows[i] != NULL; i++)
    if (strcmp(method, grows[i]) == 0) return object->name;
  return 0;
}
