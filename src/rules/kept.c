/* SPDX-License-Identifier: Apache-2.0 */
/* Whether a fresh value outlives the turn that made it. When in doubt, it does. */
#include <string.h>

#include "pysource/reads.h"
#include "rules/places.h"
#include "rules/turns.h"

#define MAX_DEPTH 4 /* of names bound to names */

static bool goes_on(mst_turns *turns, mst_node_id id, unsigned depth);

static mst_place at(const mst_turns *turns, mst_node_id id) {
  return mst_place_at(turns->place, id);
}

static bool name_keeps(mst_turns *turns, mst_symbol name, unsigned depth) {
  if (depth == MAX_DEPTH) return false;
  for (mst_node_id read = 0; mst_next_read(turns, name, &read);)
    if (mst_place_kind(at(turns, read)) == MST_K_NAME && goes_on(turns, read, depth + 1))
      return true;
  return turns->is_spent;
}

static bool target_keeps(mst_turns *turns, mst_node_id target, unsigned depth) {
  const mst_tree *tree = turns->place.module->tree;
  switch (mst_kind_of(tree, target)) {
  case MST_K_NAME: return name_keeps(turns, tree->nodes[target].name, depth);
  case MST_K_SUBSCRIPT: /* an array takes the values, a container the array itself */
    return !mst_is_array(mst_value_at(at(turns, tree->nodes[target].first)));
  case MST_K_TUPLE:
  case MST_K_LIST:
    MST_EACH_CHILD(tree, child, target)
    if (target_keeps(turns, child, depth)) return true;
    return false;
  default: return true;
  }
}

static bool assignment_keeps(mst_turns *turns, mst_node_id statement, mst_node_id value,
                             unsigned depth) {
  MST_EACH_CHILD(turns->place.module->tree, target, statement)
  if (target != value && target_keeps(turns, target, depth)) return true;
  return false;
}

/* `a, b = x, y` binds part by part; other containers hold what is in them. */
static bool container_keeps(mst_turns *turns, mst_node_id container, mst_node_id part,
                            unsigned depth) {
  const mst_tree *tree = turns->place.module->tree;
  const mst_node_id parent = tree->nodes[container].parent;
  const mst_kind kind = mst_kind_of(tree, parent);
  if (kind != MST_K_ASSIGN) return goes_on(turns, container, depth);
  const mst_node_id targets = tree->nodes[parent].first;
  if (mst_kind_of(tree, targets) != MST_K_TUPLE ||
      mst_child_count(tree, targets) != mst_child_count(tree, container))
    return true;
  mst_node_id target = tree->nodes[targets].first;
  for (mst_node_id child = tree->nodes[container].first; child != part;
       child = tree->nodes[child].next)
    target = tree->nodes[target].next;
  return target_keeps(turns, target, depth);
}

/* list.append, dict.setdefault, queue.Queue.put, list(...), zip(...) */
static bool is_container_call(const char *name) {
  static const char *const types[] = {"list.", "dict.", "set.", "tuple.", "iterator.", NULL};
  static const char *const makers[] = {
      "builtins.list", "builtins.tuple", "builtins.dict",      "builtins.set",     "builtins.zip",
      "builtins.iter", "builtins.map",   "builtins.enumerate", "builtins.setattr", NULL};
  static const char *const methods[] = {"append", "appendleft", "add",  "extend", "insert",
                                        "put",    "push",       "send", NULL};
  const char *dot = strrchr(name, '.');
  for (size_t i = 0; types[i] != NULL; i++)
    if (mst_starts_with(name, types[i])) return true;
  return mst_one_of(name, makers) || mst_one_of(dot != NULL ? dot + 1 : name, methods);
}

static bool call_keeps(mst_turns *turns, mst_node_id id, unsigned depth) {
  const mst_place call = at(turns, id);
  const mst_api *api = mst_called_api(call);
  if (api != NULL) return mst_gives_view(api) && goes_on(turns, id, depth);
  const char *name = mst_called_name(call);
  if (name != NULL) return is_container_call(name);
  const mst_value *callee = mst_value_at(mst_place_child(call, 0));
  return mst_called_function(call) == NULL || callee->kind != MST_V_FUNCTION;
}

static bool attribute_keeps(mst_turns *turns, mst_node_id id, unsigned depth) {
  const mst_tree *tree = turns->place.module->tree;
  const mst_node_id parent = tree->nodes[id].parent;
  if (mst_kind_of(tree, parent) == MST_K_CALL && tree->nodes[parent].first == id)
    return call_keeps(turns, parent, depth);
  return mst_is_array(mst_value_at(at(turns, id))) && goes_on(turns, id, depth);
}

/* flux[1:] = ...: written to, not handed on. */
static bool is_target(const mst_tree *tree, mst_node_id id, mst_node_id parent) {
  const mst_kind kind = mst_kind_of(tree, parent);
  if (kind == MST_K_ASSIGN || kind == MST_K_ANN_ASSIGN) return mst_last_child(tree, parent) != id;
  return (tree->nodes[parent].flags & (MST_F_STORE | MST_F_DEL)) != 0;
}

/* A view of an array is kept with it; what else is read by an index is not. */
static bool subscript_keeps(mst_turns *turns, mst_node_id subscript, unsigned depth) {
  return mst_is_array(mst_value_at(at(turns, subscript))) && goes_on(turns, subscript, depth);
}

/* Whether the value of the expression is kept by what stands around it. */
static bool goes_on(mst_turns *turns, mst_node_id id, unsigned depth) {
  const mst_tree *tree = turns->place.module->tree;
  const mst_node_id parent = tree->nodes[id].parent;
  const mst_kind around = mst_kind_of(tree, parent);
  const bool is_first = tree->nodes[parent].first == id;
  if (is_target(tree, id, parent) || mst_uses_up(around)) return false;
  switch (around) {
  case MST_K_ASSIGN:
  case MST_K_ANN_ASSIGN: return assignment_keeps(turns, parent, id, depth);
  case MST_K_WALRUS:
    return assignment_keeps(turns, parent, id, depth) || goes_on(turns, parent, depth);
  case MST_K_TUPLE:
  case MST_K_LIST: return container_keeps(turns, parent, id, depth);
  case MST_K_CONDITIONAL: return mst_child(tree, parent, 1) != id && goes_on(turns, parent, depth);
  case MST_K_SUBSCRIPT: return is_first && subscript_keeps(turns, parent, depth);
  case MST_K_ATTRIBUTE: return attribute_keeps(turns, parent, depth);
  case MST_K_CALL: return !is_first && call_keeps(turns, parent, depth);
  case MST_K_KEYWORD: return call_keeps(turns, tree->nodes[parent].parent, depth);
  case MST_K_BOOLEAN: return goes_on(turns, parent, depth);
  case MST_K_AUG_ASSIGN:
  case MST_K_DELETE: return false;
  default: return true; /* returned, yielded, in a dictionary, iterated ... */
  }
}

/* ---- from turn to turn ---------------------------------------------------------------------------- */

static bool is_read_behind(const mst_turns *turns, mst_symbol name) {
  mst_turns function;
  if (!mst_function_turns(&function, turns->place)) return true;
  for (mst_node_id id = turns->end - 1; mst_next_read(&function, name, &id);)
    if (mst_place_kind(at(turns, id)) == MST_K_NAME) return true;
  return function.is_spent;
}

/* if f < best_f: best = x.copy() is made where it happens to be needed, and stays until the next
 * one is found. */
static bool is_best_so_far(const mst_turns *turns, mst_node_id value) {
  const mst_tree *tree = turns->place.module->tree;
  const mst_node_id statement = tree->nodes[value].parent;
  if (turns->loop == NULL || mst_kind_of(tree, statement) != MST_K_ASSIGN) return false;
  mst_node_id branch = statement;
  while (branch != turns->loop->node && mst_kind_of(tree, branch) != MST_K_IF)
    branch = tree->nodes[branch].parent;
  if (branch == turns->loop->node) return false;
  const mst_node *target = &tree->nodes[tree->nodes[statement].first];
  bool assigned = false;
  return target->kind == MST_K_NAME &&
         (mst_reads_before(tree, turns->loop->body, target->name, &assigned) ||
          is_read_behind(turns, target->name));
}

bool mst_is_kept(mst_place expression) {
  mst_turns turns;
  return !mst_turns_find(&turns, expression) || goes_on(&turns, expression.node, 0) ||
         is_best_so_far(&turns, expression.node);
}
