/* SPDX-License-Identifier: Apache-2.0 */
#include "rules/convergence.h"

#include <string.h>

#include "rules/places.h"

#define MOST_NAMES 32
#define MOST_NODES 8192

/* ---- what a test depends on ------------------------------------------------------------------------ */

typedef struct dependence {
  mst_place place;
  const mst_loop *loop;
  mst_node_id end; /* of the loop */
  mst_symbol names[MOST_NAMES];
  size_t count;
  bool has_attribute; /* among them: methods may change it unseen */
  bool is_lost;       /* too many names */
} dependence;

static bool is_name(const mst_node *node) {
  return node->kind == MST_K_NAME || node->kind == MST_K_ATTRIBUTE;
}

static bool knows(const dependence *of, mst_symbol name) {
  for (size_t i = 0; i < of->count; i++)
    if (of->names[i] == name) return true;
  return false;
}

static bool has_name_of(const dependence *of, mst_node_id root) {
  const mst_tree *tree = of->place.module->tree;
  const mst_node_id end = mst_subtree_end(tree, root);
  for (mst_node_id id = root; id < end; id++)
    if (is_name(&tree->nodes[id]) && knows(of, tree->nodes[id].name)) return true;
  return false;
}

/* np, and self of self.x, are nothing that changes. */
static bool is_holder(const dependence *of, mst_node_id id) {
  const mst_tree *tree = of->place.module->tree;
  const mst_value *value = mst_value_at(mst_place_at(of->place, id));
  return value->kind == MST_V_MODULE || value->kind == MST_V_API || value->kind == MST_V_FUNCTION ||
         (value->kind == MST_V_INSTANCE &&
          mst_kind_of(tree, tree->nodes[id].parent) == MST_K_ATTRIBUTE);
}

static void add_names(dependence *of, mst_node_id root) {
  const mst_tree *tree = of->place.module->tree;
  const mst_node_id end = mst_subtree_end(tree, root);
  for (mst_node_id id = root; id < end; id++) {
    const mst_node *node = &tree->nodes[id];
    if (!is_name(node) || knows(of, node->name) || is_holder(of, id)) continue;
    of->has_attribute = of->has_attribute || node->kind == MST_K_ATTRIBUTE;
    of->is_lost = of->is_lost || of->count == MOST_NAMES;
    if (!of->is_lost) of->names[of->count++] = node->name;
  }
}

/* A call that may change what it is handed, or its object. */
static bool may_change(mst_place call) {
  const char *name = mst_called_name(call);
  return name == NULL || mst_starts_with(name, "numpy.") || mst_starts_with(name, "ndarray.") ||
         mst_starts_with(name, "list.");
}

/* The statement binds or changes one of the names. */
static bool changes_one(const dependence *of, mst_node_id id) {
  const mst_tree *tree = of->place.module->tree;
  const mst_kind kind = mst_kind_of(tree, id);
  if (kind == MST_K_ASSIGN || kind == MST_K_AUG_ASSIGN || kind == MST_K_ANN_ASSIGN) {
    const mst_node_id value = mst_last_child(tree, id);
    MST_EACH_CHILD(tree, target, id)
    if (target != value && has_name_of(of, target)) return true;
  }
  return kind == MST_K_CALL && may_change(mst_place_at(of->place, id)) &&
         mst_kind_of(tree, tree->nodes[id].parent) == MST_K_EXPRESSION &&
         (of->has_attribute || has_name_of(of, id));
}

/* All names of the loop's body that the test may depend on, one turn after the other. */
static void follow(dependence *of) {
  for (size_t before = 0; before != of->count && !of->is_lost;) {
    before = of->count;
    for (mst_node_id id = of->loop->body; id < of->end; id++)
      if (changes_one(of, id)) add_names(of, id);
  }
}

/* Names that are new in each turn: the targets of a `for`, or what a `while` counts. */
static bool depends_on_turn(const dependence *of) {
  const mst_tree *tree = of->place.module->tree;
  if (of->is_lost) return true;
  if (mst_kind_of(tree, of->loop->node) == MST_K_FOR)
    return has_name_of(of, tree->nodes[of->loop->node].first);
  for (uint32_t i = 0; i < of->loop->counter_count; i++)
    if (knows(of, of->loop->counters[i])) return true;
  return false;
}

/* A number of the test that is made of itself in each turn: a time, a count. */
static bool is_moved_on(const dependence *of, mst_place name) {
  const mst_tree *tree = of->place.module->tree;
  const mst_node *wanted = mst_place_node(name);
  if (mst_is_array(mst_value_at(name))) return false;
  for (mst_node_id id = of->loop->body; id < of->end; id++) {
    const mst_node *node = &tree->nodes[id];
    if (node->name != wanted->name || !is_name(node) || (node->flags & MST_F_STORE) == 0) continue;
    if (mst_kind_of(tree, node->parent) == MST_K_AUG_ASSIGN) return true;
    const mst_node_id value = mst_last_child(tree, node->parent);
    const mst_node_id last = mst_subtree_end(tree, value);
    for (mst_node_id at = value; at < last; at++)
      if (is_name(&tree->nodes[at]) && tree->nodes[at].name == wanted->name) return true;
  }
  return false;
}

static bool is_steered(const dependence *of, mst_place test) {
  const mst_tree *tree = test.module->tree;
  const mst_node_id end = mst_subtree_end(tree, test.node);
  for (mst_node_id id = test.node; id < end; id++)
    if (is_name(&tree->nodes[id]) && is_moved_on(of, mst_place_at(test, id))) return true;
  return false;
}

/* Equality and any() ask whether something is left to do: when nothing is, a turn more may fail. A
 * walrus binds what is read later. */
static bool asks_for_more(mst_place test, mst_node_id id) {
  static const char *const any[] = {"numpy.any", "ndarray.any", "builtins.any", NULL};
  const mst_place place = mst_place_at(test, id);
  const mst_node *node = mst_place_node(place);
  switch (node->kind) {
  case MST_K_WALRUS: return true;
  case MST_K_COMPARE:
    return node->op < MST_OP_LT || node->op > MST_OP_GE || node->op == MST_OP_EQ ||
           node->op == MST_OP_NE;
  case MST_K_CALL: return mst_one_of(mst_called_name(place), any);
  default: return false;
  }
}

bool mst_is_convergence_test(mst_place test, const mst_loop *loop) {
  const mst_tree *tree = test.module->tree;
  dependence of = {.place = test, .loop = loop, .end = mst_subtree_end(tree, loop->node)};
  if (of.end - loop->node > MOST_NODES) return false;
  const mst_node_id end = mst_subtree_end(tree, test.node);
  for (mst_node_id id = test.node; id < end; id++)
    if (asks_for_more(test, id)) return false;
  if (is_steered(&of, test)) return false;
  add_names(&of, test.node);
  follow(&of);
  return !depends_on_turn(&of);
}

static bool is_elif(mst_place place) {
  return mst_starts_with(place.module->tree->source->text + mst_place_node(place)->start, "elif");
}

static bool only_leaves(mst_place branch) {
  const mst_tree *tree = branch.module->tree;
  const mst_kind last = mst_kind_of(tree, mst_last_child(tree, mst_child(tree, branch.node, 1)));
  return last == MST_K_BREAK || last == MST_K_RETURN || last == MST_K_RAISE;
}

bool mst_may_come_late(mst_place statement, const mst_loop *loop) {
  return mst_loop_at(statement) == loop && !mst_has_else(statement) && !is_elif(statement) &&
         only_leaves(statement) && mst_is_convergence_test(mst_place_child(statement, 0), loop);
}

/* ---- turns -------------------------------------------------------------------------------------------- */

/* tqdm(range(n)) is range(n). */
static mst_place without_progress(mst_place iterable) {
  while (mst_place_is(iterable, MST_K_CALL)) {
    const char *name = mst_called_name(iterable);
    const mst_node_id first = mst_argument(iterable, 0, NULL);
    if (first == 0 || name == NULL || strstr(name, "tqdm") == NULL ||
        strstr(name, "trange") != NULL)
      break;
    iterable.node = first;
  }
  return iterable;
}

static bool is_called(mst_place call, const char *wanted) {
  return mst_place_is(call, MST_K_CALL) && mst_called_name(call) != NULL &&
         strcmp(mst_called_name(call), wanted) == 0;
}

/* The most turns that are known from the code, also from defaults; -1: not known. */
static int64_t most_turns(mst_place place, const mst_loop *loop) {
  if (loop->trips >= 0 || loop->iterable == 0) return loop->trips;
  const mst_place range = without_progress(mst_place_at(place, loop->iterable));
  const unsigned count = is_called(range, "builtins.range") ? mst_positional_count(range) : 0;
  if (count == 0 || count > 2) return -1;
  const mst_value *bound =
      mst_value_at(mst_place_at(place, mst_argument(range, (int)count - 1, NULL)));
  return mst_knows_number(bound) ? mst_whole(bound->number) : -1;
}

unsigned mst_period_of(mst_place place, const mst_loop *loop) {
  const int64_t turns = most_turns(place, loop);
  if (turns < 0 || turns >= 500) return 50;
  return turns >= 50 ? 10 : turns > 10 ? 5 : 0;
}

/* i of `for i in range(n)` and of `for i, x in enumerate(...)`; a step of its own would miss
 * multiples. */
static mst_symbol counter_of_for(mst_place place, const mst_loop *loop) {
  const mst_tree *tree = place.module->tree;
  const mst_place iterable = without_progress(mst_place_at(place, loop->iterable));
  const mst_node *target = mst_node_at(tree, tree->nodes[loop->node].first);
  if (is_called(iterable, "builtins.enumerate") && target->kind == MST_K_TUPLE)
    target = mst_node_at(tree, target->first);
  else if (!is_called(iterable, "builtins.range") || mst_positional_count(iterable) > 2)
    return 0;
  return target->kind == MST_K_NAME ? target->name : 0;
}

/* The statement of the body itself is `name += 1`, and nothing else in the loop binds the name or
 * passes the statement over. */
static mst_symbol counter_of_while(mst_place place, const mst_loop *loop) {
  const mst_tree *tree = place.module->tree;
  const mst_node_id end = mst_subtree_end(tree, loop->node);
  mst_symbol found = 0;
  MST_EACH_CHILD(tree, statement, loop->body) {
    const mst_node *node = mst_node_at(tree, statement);
    if (node->kind != MST_K_AUG_ASSIGN || node->op != MST_OP_ADD ||
        mst_kind_of(tree, node->first) != MST_K_NAME)
      continue;
    if (mst_is_number(mst_place_at(place, mst_child(tree, statement, 1)), 1))
      found = tree->nodes[node->first].name;
  }
  unsigned stores = 0;
  for (mst_node_id id = loop->body; found != 0 && id < end; id++) {
    const mst_node *node = mst_node_at(tree, id);
    if (node->kind == MST_K_CONTINUE) return 0;
    stores += node->kind == MST_K_NAME && node->name == found && (node->flags & MST_F_STORE) != 0;
  }
  return stores == 1 ? found : 0;
}

const char *mst_turn_counter(mst_place place, const mst_loop *loop) {
  const mst_kind kind = mst_kind_of(place.module->tree, loop->node);
  const mst_symbol counter = kind == MST_K_FOR     ? counter_of_for(place, loop)
                             : kind == MST_K_WHILE ? counter_of_while(place, loop)
                                                   : 0;
  return counter != 0 ? mst_symbol_text(&place.program->symbols, counter) : NULL;
}
