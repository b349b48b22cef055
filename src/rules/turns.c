/* SPDX-License-Identifier: Apache-2.0 */
#include "rules/turns.h"

#include "rules/places.h"

/* Enough for functions of several hundred lines; keeps the time for generated code linear. */
#define MAX_NODES 8192
#define MAX_LOOKS (3 * MAX_NODES)

bool mst_turns_of(mst_turns *turns, mst_place root) {
  *turns = (mst_turns){.place = root,
                       .begin = root.node,
                       .end = mst_subtree_end(root.module->tree, root.node),
                       .budget = MAX_LOOKS};
  return turns->end - turns->begin <= MAX_NODES;
}

bool mst_turns_find(mst_turns *turns, mst_place place) {
  const mst_loop *loop = mst_repeating_loop(place);
  if (loop == NULL) return mst_function_turns(turns, place);
  const bool is_short = mst_turns_of(turns, mst_place_at(place, loop->node));
  turns->loop = loop;
  return is_short;
}

bool mst_function_turns(mst_turns *turns, mst_place place) {
  return mst_turns_of(turns, mst_place_at(place, mst_function_at(place)->node));
}

static bool next_use(mst_turns *turns, mst_symbol name, bool stored, mst_node_id *id) {
  const mst_tree *tree = turns->place.module->tree;
  for (mst_node_id at = *id != 0 ? *id + 1 : turns->begin; at < turns->end; at++) {
    if (turns->budget == 0) {
      turns->is_spent = true;
      return false;
    }
    turns->budget--;
    const mst_node *node = &tree->nodes[at];
    if (node->name != name || (node->kind != MST_K_NAME && node->kind != MST_K_ATTRIBUTE)) continue;
    if (((node->flags & MST_F_STORE) != 0) != stored || (node->flags & MST_F_DEL) != 0) continue;
    *id = at;
    return true;
  }
  return false;
}

bool mst_next_store(mst_turns *turns, mst_symbol name, mst_node_id *id) {
  return next_use(turns, name, true, id);
}

bool mst_next_read(mst_turns *turns, mst_symbol name, mst_node_id *id) {
  return next_use(turns, name, false, id);
}
