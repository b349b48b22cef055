/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Windows that are nearly as wide as the array: x[k:k + n - w + 1] for each tap k. The counter only
 * shifts a full-size slice there; the turn works on whole arrays.
 */
#include <string.h>

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

/* n of `n = len(x)`, where x may be a list as well. */
static bool is_length(const mst_walk *walk, mst_node_id node) {
  if (mst_kind_of(walk->tree, node) != MST_K_NAME) return false;
  const mst_node_id definition = only_definition(walk, walk->tree->nodes[node].name);
  if (mst_kind_of(walk->tree, definition) != MST_K_CALL) return false;
  const char *name = mst_called_name(mst_walk_place(walk, definition));
  return name != NULL && strcmp(name, "builtins.len") == 0;
}

static bool mentions_axis(const mst_walk *walk, mst_node_id expression) {
  const mst_node_id end = mst_subtree_end(walk->tree, expression);
  for (mst_node_id id = expression; id < end; id++)
    if ((walk->module->values[id].flags & MST_VF_ITEM_SIZE) != 0 || is_length(walk, id))
      return true;
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

/* ---- windows as wide as the array that was padded -------------------------------------------------- */

/* The name of the array of which the expression is one axis, or all of them: x.shape[0], len(x),
 * x.shape; 0: it is none. */
static mst_symbol array_of_axis(const mst_walk *walk, mst_node_id expression) {
  const mst_node *node = &walk->tree->nodes[expression];
  if (node->kind == MST_K_SUBSCRIPT) node = &walk->tree->nodes[node->first];
  mst_node_id array = 0;
  if (node->kind == MST_K_ATTRIBUTE && node->name == MST_SYM_shape)
    array = node->first;
  else if (node->kind == MST_K_CALL)
    array = walk->tree->nodes[node->first].next;
  if (array == 0 || mst_kind_of(walk->tree, array) != MST_K_NAME) return 0;
  return mst_is_array(&walk->module->values[array]) ? walk->tree->nodes[array].name : 0;
}

static bool is_axis(const mst_walk *walk, mst_node_id expression) {
  return (walk->module->values[expression].flags & MST_VF_ITEM_SIZE) != 0;
}

/* What is added to where the slice begins, `x[k:k + n]`, also by a name; 0: it does not end so. */
static mst_node_id width_of(const mst_walk *walk, mst_node_id lower, mst_node_id upper) {
  if (mst_kind_of(walk->tree, upper) == MST_K_NAME)
    upper = only_definition(walk, walk->tree->nodes[upper].name);
  const mst_node *sum = &walk->tree->nodes[upper];
  if (upper == 0 || sum->kind != MST_K_BINARY || sum->op != MST_OP_ADD) return 0;
  const mst_node_id right = walk->tree->nodes[sum->first].next;
  const mst_place begin = mst_walk_place(walk, lower);
  if (mst_same_expression(begin, mst_place_at(begin, sum->first))) return right;
  return mst_same_expression(begin, mst_place_at(begin, right)) ? sum->first : 0;
}

static bool mentions_name(const mst_walk *walk, mst_node_id expression, mst_symbol name) {
  const mst_node_id end = mst_subtree_end(walk->tree, expression);
  for (mst_node_id id = expression; id < end; id++)
    if (mst_kind_of(walk->tree, id) == MST_K_NAME && walk->tree->nodes[id].name == name)
      return true;
  return false;
}

/* n, of what was made of an array with an axis of length n: p[k:k + n] of `p = np.pad(x, w)`. Where
 * the loop itself goes along an axis, the other array may be the small one. */
static bool is_as_wide_as_origin(const mst_walk *walk, mst_node_id base, mst_node_id width) {
  if (width == 0 || walk->loop->bound_from_axis || !is_axis(walk, width)) return false;
  const mst_symbol name = walk->tree->nodes[width].name; /* of a NAME */
  const mst_node_id axis = name != 0 && mst_kind_of(walk->tree, width) == MST_K_NAME
                               ? only_definition(walk, name)
                               : width;
  const mst_symbol array = axis != 0 ? array_of_axis(walk, axis) : 0;
  if (array == 0 || mst_kind_of(walk->tree, base) != MST_K_NAME) return false;
  const mst_node_id made = only_definition(walk, walk->tree->nodes[base].name);
  return made != 0 &&
         (mentions_name(walk, made, array) || (axis != width && mentions_name(walk, made, name)));
}

/* i * lag + n - w: from where the slice begins over most of an axis. */
static bool ends_near_axis(const mst_walk *walk, mst_node_id upper) {
  const mst_node *node = &walk->tree->nodes[upper];
  if (node->kind != MST_K_BINARY || node->op != MST_OP_SUB) return false;
  const mst_node_id right = walk->tree->nodes[node->first].next;
  return mentions_axis(walk, node->first) && mst_walk_follows(walk, node->first) &&
         !mst_walk_follows(walk, right);
}

/* out.shape[1] of `out = np.empty((d, n - w))`. */
static bool is_most_of_other(const mst_walk *walk, mst_node_id width) {
  const mst_symbol array = width != 0 && is_axis(walk, width) ? array_of_axis(walk, width) : 0;
  const mst_node_id made = array != 0 ? only_definition(walk, array) : 0;
  return made != 0 && is_most_of_axis(walk, made);
}

bool mst_walk_spans_axis(const mst_walk *walk, mst_node_id slice) {
  const mst_node_id lower = mst_child(walk->tree, slice, 0);
  const mst_node_id upper = mst_child(walk->tree, slice, 1);
  return ends_near_axis(walk, upper) || is_most_of_other(walk, width_of(walk, lower, upper));
}

bool mst_walk_only_shifts(const mst_walk *walk, mst_node_id base, mst_node_id slice) {
  const mst_node_id lower = mst_child(walk->tree, slice, 0);
  const mst_node_id upper = mst_child(walk->tree, slice, 1);
  return is_full_size(walk, upper, MAX_DEPTH) ||
         is_as_wide_as_origin(walk, base, width_of(walk, lower, upper));
}
