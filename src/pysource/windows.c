/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Windows that are nearly as wide as the array: x[k:k + n - w + 1] for each tap k. The counter only
 * shifts a full-size slice there; the turn works on whole arrays.
 */
#include "pysource/walks.h"

#define MAX_DEPTH 4

/* What the only assignment of the function gives to a name, `oh, ow = h - fh + 1, w - fw + 1` as a
 * whole; 0: none, or several. */
static mst_node_id only_definition(const mst_walk *walk, mst_symbol name) {
  const mst_node_id store = mst_only_store(walk->tree, mst_walk_function(walk), name);
  mst_node_id statement = walk->tree->nodes[store].parent;
  if (mst_kind_of(walk->tree, statement) == MST_K_TUPLE)
    statement = walk->tree->nodes[statement].parent;
  if (store == 0 || mst_kind_of(walk->tree, statement) != MST_K_ASSIGN) return 0;
  return mst_last_child(walk->tree, statement);
}

static bool mentions_axis(const mst_walk *walk, mst_node_id expression) {
  const mst_node_id end = mst_subtree_end(walk->tree, expression);
  for (mst_node_id id = expression; id < end; id++)
    if ((walk->module->values[id].flags & MST_VF_ITEM_SIZE) != 0) return true;
  return false;
}

/* n - w, where n is the length of an axis: most of it. */
static bool is_most_of_axis(const mst_walk *walk, mst_node_id expression) {
  const mst_node_id end = mst_subtree_end(walk->tree, expression);
  for (mst_node_id id = expression; id < end; id++) {
    const mst_node *node = &walk->tree->nodes[id];
    if (node->kind == MST_K_BINARY && node->op == MST_OP_SUB && mentions_axis(walk, node->first))
      return true;
  }
  return false;
}

static bool is_full_size(const mst_walk *walk, mst_node_id width, int depth) {
  const mst_node_id end = mst_subtree_end(walk->tree, width);
  for (mst_node_id id = width; id < end && depth > 0; id++) {
    if (mst_kind_of(walk->tree, id) != MST_K_NAME) continue;
    const mst_node_id definition = only_definition(walk, walk->tree->nodes[id].name);
    if (definition == 0) continue;
    if (is_most_of_axis(walk, definition) || is_full_size(walk, definition, depth - 1)) return true;
  }
  return false;
}

bool mst_walk_only_shifts(const mst_walk *walk, mst_node_id upper) {
  return is_full_size(walk, upper, MAX_DEPTH);
}
