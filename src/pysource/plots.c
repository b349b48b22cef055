/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Loops over plots: each turn draws something, and nothing that it computes is kept or handed on.
 * They are not many turns of work on arrays, so what stands in them is no cost that counts.
 */
#include <string.h>

#include "pysource/interp.h"

#define MOST_NODES 4096 /* of a body: longer ones do more than to draw */

static bool is_plotting_library(const char *name) {
  static const char *const libraries[] = {"matplotlib", "pylab", "seaborn", "plotly",
                                          "mayavi",     "bokeh", NULL};
  for (int i = 0; libraries[i] != NULL; i++)
    if (mst_is_in_package(name, libraries[i])) return true;
  return false;
}

/* ax.plot(...) of axes that came in as a parameter. */
static bool is_plotting_method(const char *name) {
  static const char *const methods[] = {
      "plot",     "scatter", "imshow",    "contour", "contourf",     "quiver",   "errorbar",
      "annotate", "legend",  "set_title", "savefig", "set_xlabel",   "set_xlim", "add_patch",
      "axvline",  "axhline", "hist",      "bar",     "fill_between", NULL};
  return mst_one_of(name, methods);
}

static bool draws(mst_place call) {
  const char *name = mst_called_name(call);
  if (name != NULL) return is_plotting_library(name);
  const mst_tree *tree = call.module->tree;
  const mst_node *callee = mst_node_at(tree, mst_node_at(tree, call.node)->first);
  if (callee->kind != MST_K_ATTRIBUTE) return false;
  const mst_value *object = &call.module->values[callee->first];
  const mst_symbols *symbols = &call.program->symbols;
  if (object->kind == MST_V_OBJECT && object->ref != 0)
    return is_plotting_library(mst_symbol_text(symbols, object->ref));
  return object->kind == MST_V_UNKNOWN &&
         is_plotting_method(mst_symbol_text(symbols, callee->name));
}

/* A function of ours that draws, and keeps nothing. */
static bool is_function_that_draws(mst_place call) {
  const uint32_t index = call.module->calls[call.node];
  if (index == 0) return false;
  const mst_function *function = &call.program->functions.data[index - 1];
  const mst_module *module = &call.program->modules[function->module];
  const mst_node_id end = mst_subtree_end(module->tree, function->node);
  if (end - function->node > MOST_NODES) return false;
  bool any = false;
  for (mst_node_id id = function->node; id < end; id++) {
    const mst_node *node = mst_node_at(module->tree, id);
    if (node->kind == MST_K_SUBSCRIPT || node->kind == MST_K_ATTRIBUTE)
      if ((node->flags & MST_F_STORE) != 0) return false;
    any |= node->kind == MST_K_CALL && draws((mst_place){call.program, module, id});
  }
  return any;
}

/* True when the turn reads an array of this name before, or while, it is bound. */
static bool hands_on(mst_place loop, mst_node_id body, mst_node_id target, mst_node_id statement) {
  const mst_tree *tree = loop.module->tree;
  const mst_symbol name = mst_node_at(tree, target)->name;
  const mst_node_id end = mst_subtree_end(tree, statement);
  for (mst_node_id id = body; id < end; id++) {
    const mst_node *node = mst_node_at(tree, id);
    if (node->kind == MST_K_NAME && node->name == name && (node->flags & MST_F_STORE) == 0)
      return true;
  }
  return false;
}

/* Statements that keep something: x[i] = v, self.x = v, x += v of an array, x = f(x), f(x). */
static bool keeps(mst_place loop, mst_node_id body, mst_node_id id) {
  const mst_tree *tree = loop.module->tree;
  const mst_node *node = mst_node_at(tree, id);
  switch (node->kind) {
  case MST_K_RETURN:
  case MST_K_YIELD: return true;
  case MST_K_AUG_ASSIGN: return loop.module->values[node->first].kind != MST_V_NUMBER;
  case MST_K_SUBSCRIPT:
  case MST_K_ATTRIBUTE: return (node->flags & MST_F_STORE) != 0;
  case MST_K_NAME:
    return (node->flags & MST_F_STORE) != 0 && mst_is_array(&loop.module->values[id]) &&
           hands_on(loop, body, id, mst_statement_of(tree, id));
  case MST_K_EXPRESSION: { /* a function of ours may change what it is given */
    const mst_place call = mst_place_at(loop, node->first);
    if (mst_kind_of(tree, call.node) != MST_K_CALL) return false;
    const char *name = mst_called_name(call);
    if (loop.module->calls[call.node] != 0) return !is_function_that_draws(call);
    return name != NULL && strcmp(name, "list.append") == 0;
  }
  default: return false;
  }
}

bool mst_only_draws(mst_place loop, mst_node_id body) {
  const mst_tree *tree = loop.module->tree;
  if (mst_kind_of(tree, loop.node) != MST_K_FOR) return false;
  const mst_node_id end = mst_subtree_end(tree, body);
  if (end - body > MOST_NODES) return false;
  bool any = false;
  for (mst_node_id id = body; id < end; id++) {
    if (keeps(loop, body, id)) return false;
    const mst_place call = mst_place_at(loop, id);
    any |= mst_kind_of(tree, id) == MST_K_CALL && (draws(call) || is_function_that_draws(call));
  }
  return any;
}
