/* SPDX-License-Identifier: Apache-2.0 */
#include "rules/own_names.h"

#include <string.h>

#include "rules/turns.h"

bool mst_is_seen_from_outside(mst_place name) {
  const mst_program *program = name.program;
  if (mst_function_at(name)->name != 0) return false;
  for (uint32_t i = 0; i < program->module_count; i++) {
    const mst_module *module = &program->modules[i];
    if (module != name.module && mst_is_mentioned(module, mst_place_node(name)->name)) return true;
  }
  return false;
}

/* True when the module uses any of the words as a name. */
static bool is_any_mentioned(mst_place place, const char *const *words) {
  for (size_t i = 0; words[i] != NULL; i++) {
    const mst_symbol symbol = mst_symbol_find(&place.program->symbols, words[i]);
    if (symbol != MST_SYM_NONE && mst_is_mentioned(place.module, symbol)) return true;
  }
  return false;
}

bool mst_sees_names(mst_place place) {
  static const char *const words[] = {"locals", "vars", "globals",   "eval",
                                      "exec",   "dir",  "_getframe", NULL};
  const mst_tree *tree = place.module->tree;
  if (!is_any_mentioned(place, words)) return false;
  const mst_node_id root = mst_function_at(place)->node;
  const mst_node_id begin = mst_place_is(place, MST_K_FUNCTION) ? place.node : root;
  const mst_node_id end = mst_subtree_end(tree, begin);
  for (mst_node_id id = begin; id < end; id++) {
    const mst_node *node = mst_node_at(tree, id);
    const bool is_bare = node->kind == MST_K_NAME;
    if ((is_bare || node->kind == MST_K_ATTRIBUTE) && node->name != 0) {
      const char *name = mst_symbol_text(&place.program->symbols, node->name);
      if (is_bare ? mst_one_of(name, words) : strcmp(name, "_getframe") == 0) return true;
    }
  }
  return false;
}

/* The first node behind `id` that has the name; 0: none. */
static mst_node_id next_mention(const mst_tree *tree, mst_symbol name, mst_node_id id,
                                mst_node_id end) {
  for (id++; id < end; id++)
    if (tree->nodes[id].name == name && tree->nodes[id].kind != MST_K_ATTRIBUTE &&
        tree->nodes[id].kind != MST_K_KEYWORD)
      return id;
  return 0;
}

static bool is_declared_elsewhere(const mst_tree *tree, mst_node_id id) {
  const mst_kind kind = mst_kind_of(tree, tree->nodes[id].parent);
  return kind == MST_K_GLOBAL || kind == MST_K_NONLOCAL;
}

bool mst_is_own_name(mst_place name) {
  mst_turns turns;
  const mst_module *module = name.module;
  const mst_tree *tree = module->tree;
  if (!mst_place_is(name, MST_K_NAME) || !mst_function_turns(&turns, name)) return false;
  const mst_symbol symbol = mst_place_node(name)->name;
  const uint32_t own = module->function_of[name.node];
  if (mst_local_slot(mst_function_at(name), symbol) == UINT32_MAX) return false;
  if (mst_is_seen_from_outside(name) || mst_sees_names(name)) return false;
  for (mst_node_id id = turns.begin; (id = next_mention(tree, symbol, id, turns.end)) != 0;) {
    if (mst_kind_of(tree, id) == MST_K_PARAMETER) {
      if (mst_node_at(tree, mst_node_at(tree, id)->parent)->parent != turns.begin) return false;
      continue;
    }
    if (module->function_of[id] != own || is_declared_elsewhere(tree, id)) return false;
  }
  return true;
}

/* x += y leaves an array the one that it is. */
static bool binds(mst_place name, mst_node_id id) {
  const mst_tree *tree = name.module->tree;
  const mst_node *node = mst_node_at(tree, id);
  if (node->kind != MST_K_NAME) return true;
  if ((node->flags & (MST_F_STORE | MST_F_DEL)) == 0) return false;
  return mst_kind_of(tree, node->parent) != MST_K_AUG_ASSIGN || !mst_is_seen_array(name) ||
         mst_value_at(name)->rank == 0;
}

bool mst_is_bound_in(mst_place name, mst_node_id root) {
  const mst_tree *tree = name.module->tree;
  const mst_node_id end = mst_subtree_end(tree, root);
  const mst_symbol symbol = mst_place_node(name)->name;
  for (mst_node_id id = root; (id = next_mention(tree, symbol, id, end)) != 0;)
    if (binds(name, id)) return true;
  return false;
}

bool mst_is_bound_anew(mst_place name) {
  mst_turns turns;
  unsigned stores = 0;
  const mst_tree *tree = name.module->tree;
  const mst_symbol symbol = mst_place_node(name)->name;
  if (!mst_function_turns(&turns, name)) return true;
  for (mst_node_id id = turns.begin; (id = next_mention(tree, symbol, id, turns.end)) != 0;)
    if (binds(name, id)) stores++;
  return stores > 1;
}

/* ---- new arrays ---------------------------------------------------------------------------------- */

/* f(*args), f(**options): an array for the result may be among them. */
static bool has_star(mst_place call) {
  const mst_tree *tree = call.module->tree;
  MST_EACH_CHILD(tree, argument, call.node)
  if (mst_kind_of(tree, argument) == MST_K_STAR || mst_kind_of(tree, argument) == MST_K_DOUBLE_STAR)
    return true;
  return false;
}

bool mst_makes_new_array(mst_place value) {
  static const char *const odd[] = {"numpy.ndarray", "numpy.fromfunction", NULL};
  static const char *const copies[] = {"ndarray.copy", "numpy.copy", NULL};
  if (mst_place_is(value, MST_K_BINARY)) return true;
  const mst_api *api = mst_place_is(value, MST_K_CALL) ? mst_called_api(value) : NULL;
  if (api == NULL || mst_one_of(api->name, odd) || has_star(value)) return false;
  if (mst_argument(value, api->out_at, "out") != 0) return false;
  return (api->traits & (MST_T_UFUNC | MST_T_CREATES | MST_T_RANDOM)) != 0 ||
         mst_one_of(mst_called_name(value), copies);
}

bool mst_is_new_reduction(mst_place call) {
  const mst_api *api = mst_place_is(call, MST_K_CALL) ? mst_called_api(call) : NULL;
  if (api == NULL || (api->traits & MST_T_REDUCTION) == 0) return false;
  const bool is_method = mst_is_called_under(call, "ndarray.");
  if (!is_method && !mst_is_called_under(call, "numpy.")) return false;
  const mst_tree *tree = call.module->tree;
  MST_EACH_CHILD(tree, argument, call.node)
  if (mst_kind_of(tree, argument) == MST_K_STAR) return false;
  /* The array, unless it is a method's, and the axis: results may come behind them. */
  return !has_star(call) && mst_argument(call, api->out_at, "out") == 0 &&
         mst_argument(call, -1, "overwrite_input") == 0 &&
         mst_positional_count(call) <= (is_method ? 1 : 2);
}

bool mst_is_new_of_ufunc(mst_place call) {
  const mst_api *api = mst_place_is(call, MST_K_CALL) ? mst_called_api(call) : NULL;
  return api != NULL && (api->traits & MST_T_UFUNC) != 0 && mst_makes_new_array(call);
}

bool mst_binds_new_array(mst_place name) {
  const mst_tree *tree = name.module->tree;
  const mst_place parent = mst_place_parent(name);
  if (!mst_place_is(parent, MST_K_ASSIGN)) return mst_place_is(parent, MST_K_AUG_ASSIGN);
  return mst_child_count(tree, parent.node) == 2 &&
         mst_makes_new_array(mst_place_at(name, mst_last_child(tree, parent.node)));
}

bool mst_is_apart(mst_place name) {
  mst_turns turns;
  const mst_symbol symbol = mst_place_node(name)->name;
  if (!mst_place_is(name, MST_K_NAME) || !mst_function_turns(&turns, name)) return false;
  for (mst_node_id id = turns.begin;
       (id = next_mention(name.module->tree, symbol, id, turns.end)) != 0;) {
    const mst_node *node = mst_node_at(name.module->tree, id);
    if (node->kind == MST_K_PARAMETER) continue;
    if (node->kind != MST_K_NAME) return false;
    if ((node->flags & MST_F_STORE) != 0 && !mst_binds_new_array(mst_place_at(name, id)))
      return false;
  }
  return true;
}

bool mst_owns_array(mst_place name) {
  const mst_function *function = mst_function_at(name);
  return mst_is_own_name(name) && mst_is_apart(name) &&
         mst_parameter_by_name(function, mst_place_node(name)->name) == function->parameter_count;
}

/* ---- arrays -------------------------------------------------------------------------------------- */

static bool has_slice(const mst_tree *tree, mst_node_id subscript) {
  for (mst_node_id index = mst_child(tree, subscript, 1); index != 0;
       index = mst_node_at(tree, index)->next)
    if (mst_kind_of(tree, index) == MST_K_SLICE) return true;
  return false;
}

/* x[1:, 2], x[1:] - x[:-1], x.shape: no list is used so. */
static bool is_use_of_array(mst_place use) {
  static const char *const facts[] = {"shape", "ndim", "dtype", "T", NULL};
  const mst_tree *tree = use.module->tree;
  const mst_place parent = mst_place_parent(use);
  if (mst_place_node(parent)->first != use.node) return false;
  if (mst_place_is(parent, MST_K_ATTRIBUTE)) return mst_one_of(mst_place_name(parent), facts);
  if (!mst_place_is(parent, MST_K_SUBSCRIPT) || !has_slice(tree, parent.node)) return false;
  const mst_place around = mst_place_parent(parent);
  const unsigned op = mst_place_node(around)->op;
  return mst_child_count(tree, parent.node) > 2 ||
         (mst_place_is(around, MST_K_BINARY) &&
          (op == MST_OP_SUB || op == MST_OP_DIV || op == MST_OP_POW));
}

bool mst_is_seen_array(mst_place name) {
  mst_turns turns;
  const mst_value *value = mst_value_at(name);
  if (!mst_place_is(name, MST_K_NAME) || !mst_is_target_array(value)) return false;
  if ((value->flags & (MST_VF_MAYBE_ELEMENT | MST_VF_ELEMENT)) != 0) return false;
  if (value->confidence == MST_CERTAIN) return true;
  if (!mst_function_turns(&turns, name)) return false;
  for (mst_node_id id = 0; mst_next_read(&turns, mst_place_node(name)->name, &id);)
    if (mst_kind_of(name.module->tree, id) == MST_K_NAME && is_use_of_array(mst_place_at(name, id)))
      return true;
  return false;
}

/* q: float = 0.5 */
static bool is_annotated_number(mst_place name) {
  const mst_function *function = mst_function_at(name);
  if (!mst_place_is(name, MST_K_NAME)) return false;
  const uint32_t at = mst_parameter_by_name(function, mst_place_node(name)->name);
  if (at == function->parameter_count) return false;
  static const char *const types[] = {"float", "int", "bool", NULL};
  const mst_place annotation =
      mst_place_child(mst_place_at(name, function->parameters[at].node), 0);
  return mst_place_is(annotation, MST_K_NAME) && mst_one_of(mst_place_name(annotation), types);
}

bool mst_is_sure_number(mst_place place) {
  const mst_value *value = mst_value_at(place);
  if (value->kind != MST_V_NUMBER) return false;
  return (value->flags & MST_VF_FROM_DEFAULT) == 0 || is_annotated_number(place);
}

bool mst_is_known_here(const mst_program *program, const mst_value *value) {
  if ((value->flags & MST_VF_PARAMETER) != 0) return false;
  for (uint32_t step = value->why; step != 0; step = program->values.steps.data[step].before)
    switch (program->values.steps.data[step].kind) {
    case MST_STEP_PARAMETER:
    case MST_STEP_ANNOTATED:
    case MST_STEP_USED: return false;
    default: break;
    }
  return true;
}

/* x.shape = (2, 3), x.resize(6), whatever x is; too much code may do so. */
static bool sets_facts(mst_place root) {
  static const char *const facts[] = {"shape",    "dtype",        "strides",  "resize",
                                      "setflags", "__setstate__", "byteswap", NULL};
  const mst_tree *tree = root.module->tree;
  mst_turns code;
  if (!mst_turns_of(&code, root)) return true;
  for (mst_node_id id = code.begin; id < code.end; id++) {
    const mst_node *node = mst_node_at(tree, id);
    if (node->kind != MST_K_ATTRIBUTE) continue;
    const char *attribute = mst_symbol_text(&root.program->symbols, node->name);
    const bool is_called = mst_kind_of(tree, node->parent) == MST_K_CALL &&
                           mst_node_at(tree, node->parent)->first == id;
    if (((node->flags & MST_F_STORE) != 0 || is_called) && mst_one_of(attribute, facts))
      return true;
  }
  return false;
}

/* Nodes of functions that an array is handed to, for one question. */
#define MOST_CALLED 65536u

/* Handed to a function of ours that does so, or to setattr(); or to too many. */
static bool is_reshaped_by_call(mst_place use, unsigned *budget) {
  static const char *const setter[] = {"builtins.setattr", NULL};
  mst_place call = mst_place_parent(use);
  if (mst_place_is(call, MST_K_KEYWORD)) call = mst_place_parent(call);
  if (!mst_place_is(call, MST_K_CALL)) return false;
  if (mst_one_of(mst_called_name(call), setter)) return true;
  const mst_function *callee = mst_called_function(call);
  if (callee == NULL) return false;
  const mst_place code = {use.program, &use.program->modules[callee->module], callee->node};
  const unsigned nodes = mst_subtree_end(code.module->tree, code.node) - code.node;
  if (nodes > *budget) return true;
  *budget -= nodes;
  return sets_facts(code);
}

bool mst_is_reshaped_in(mst_place name, mst_node_id root) {
  const mst_tree *tree = name.module->tree;
  const mst_node_id end = mst_subtree_end(tree, root);
  const mst_symbol symbol = mst_place_node(name)->name;
  unsigned budget = MOST_CALLED;
  if (sets_facts(mst_place_at(name, root))) return true;
  for (mst_node_id id = root; (id = next_mention(tree, symbol, id, end)) != 0;)
    if (is_reshaped_by_call(mst_place_at(name, id), &budget)) return true;
  return false;
}

bool mst_may_be_caught(mst_place statement) {
  const mst_tree *tree = statement.module->tree;
  for (mst_node_id id = statement.node; id != 0; id = mst_node_at(tree, id)->parent) {
    const mst_kind kind = mst_kind_of(tree, id);
    if (kind == MST_K_TRY || kind == MST_K_WITH) return true;
    if (kind == MST_K_FUNCTION || kind == MST_K_LAMBDA) return false;
  }
  return false;
}
