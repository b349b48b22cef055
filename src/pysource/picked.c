/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Elements that no loop takes: a[0], and a[i] of an i that is drawn. What a function does with an
 * element that its caller's loop takes belongs to that loop; with these it is the function's own.
 */
#include <string.h>

#include "pysource/interp.h"
#include "pysource/reads.h"

#define MAX_DEPTH 6

/* The value of the only assignment to a name in the function at hand; 0: none, or several. */
static mst_node_id only_value(const mst_interp *in, mst_node_id name) {
  const mst_function *function = &in->program->functions.data[in->function_index];
  const mst_node_id store = mst_only_store(in->tree, function->node, mst_in_node(in, name)->name);
  const mst_node_id statement = mst_in_node(in, store)->parent;
  if (store == 0 || mst_kind_of(in->tree, statement) != MST_K_ASSIGN) return 0;
  return mst_last_child(in->tree, statement);
}

/* random.randrange(n), rng.integers(n), choice(options) */
static bool is_draw(const mst_interp *in, mst_node_id node) {
  if (mst_kind_of(in->tree, node) != MST_K_CALL || in->module->names[node] == 0) return false;
  const char *name = mst_symbol_text(&in->program->symbols, in->module->names[node]);
  return strncmp(name, "random.", 7) == 0 || strncmp(name, "numpy.random.", 13) == 0;
}

/* 0, n drawn before, and sums of such: nothing in it counts turns. */
static bool is_picked_index(const mst_interp *in, mst_node_id node, int depth) {
  if (depth > MAX_DEPTH) return false;
  switch (mst_kind_of(in->tree, node)) {
  case MST_K_NUMBER: return true;
  case MST_K_BINARY: {
    const mst_node_id left = mst_child(in->tree, node, 0);
    const mst_node_id right = mst_in_node(in, left)->next;
    const bool is_modulo = mst_in_node(in, node)->op == MST_OP_MOD; /* (i + 1) % n */
    return is_picked_index(in, left, depth + 1) &&
           (is_modulo || is_picked_index(in, right, depth + 1));
  }
  case MST_K_UNARY: return is_picked_index(in, mst_child(in->tree, node, 0), depth + 1);
  case MST_K_NAME: {
    const mst_node_id value = only_value(in, node);
    return value != 0 && (is_draw(in, value) || is_picked_index(in, value, depth + 1));
  }
  default: return is_draw(in, node);
  }
}

static bool is_picked_item(const mst_interp *in, mst_node_id subscript, int depth) {
  const mst_node_id base = mst_child(in->tree, subscript, 0);
  if ((in->module->values[base].flags & MST_VF_ELEMENT) != 0) return false;
  for (mst_node_id at = mst_in_node(in, base)->next; at != 0; at = mst_in_node(in, at)->next)
    if (!is_picked_index(in, at, depth + 1)) return false;
  return true;
}

static bool is_picked(const mst_interp *in, mst_node_id node, int depth) {
  if ((in->module->values[node].flags & MST_VF_ELEMENT) == 0) return true;
  if (depth > MAX_DEPTH) return false;
  switch (mst_kind_of(in->tree, node)) {
  case MST_K_SUBSCRIPT: return is_picked_item(in, node, depth);
  case MST_K_UNARY: return is_picked(in, mst_child(in->tree, node, 0), depth + 1);
  case MST_K_BINARY: {
    const mst_node_id left = mst_child(in->tree, node, 0);
    return is_picked(in, left, depth + 1) && is_picked(in, mst_in_node(in, left)->next, depth + 1);
  }
  case MST_K_NAME: {
    const mst_node_id value = only_value(in, node);
    return value != 0 && is_picked(in, value, depth + 1);
  }
  default: return false;
  }
}

bool mst_is_picked(const mst_interp *in, mst_node_id node) { return is_picked(in, node, 0); }
