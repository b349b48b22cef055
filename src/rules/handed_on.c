/* SPDX-License-Identifier: Apache-2.0 */
/* Whether an array that a name stands for may get another name or owner. When in doubt, it does. */
#include <string.h>

#include "rules/own_names.h"
#include "rules/places.h"
#include "rules/turns.h"

#define MAX_DEPTH 6     /* of views of views */
#define MAX_CALLS 2     /* of functions of ours, one within the other */
#define MAX_NODES 32768 /* of a module that is searched for what binds a function's name */

typedef struct use {
  mst_place place; /* an expression that is the array, or a view of it */
  unsigned depth, calls;
} use;

static bool is_shared(use of);

static bool is_shared_at(use of, mst_node_id node) {
  if (of.depth == MAX_DEPTH) return true;
  return is_shared((use){mst_place_at(of.place, node), of.depth + 1, of.calls});
}

/* Nothing to do, and so the array itself: np.diff(x, 0), np.polyder(p, 0). */
static bool may_do_nothing(mst_place call, const mst_api *api) {
  static const char *const names[] = {"numpy.diff", "numpy.polyder", "numpy.polyint",
                                      "numpy.linalg.matrix_power", NULL};
  return mst_one_of(api->name, names) && mst_child_count(call.module->tree, call.node) > 2;
}

/* bins= come back as edges. */
static bool is_edges(mst_place call, mst_place argument) {
  return mst_is_called_under(call, "numpy.histogram") &&
         argument.node != mst_argument(call, 0, NULL);
}

bool mst_may_give_view(mst_place call, mst_place argument) {
  static const char *const views[] = {"ndarray.view",
                                      "ndarray.astype",
                                      "ndarray.conj",
                                      "ndarray.conjugate",
                                      "ndarray.byteswap",
                                      "ndarray.getfield",
                                      "ndarray.__array__",
                                      "numpy.real",
                                      "numpy.imag",
                                      "numpy.frombuffer",
                                      "numpy.real_if_close",
                                      "numpy.nan_to_num",
                                      NULL};
  const mst_api *api = mst_called_api(call);
  if (mst_one_of(api->name, views) || may_do_nothing(call, api) || is_edges(call, argument))
    return true;
  if ((api->traits & MST_T_COPIES) != 0) return mst_argument(call, -1, "copy") != 0;
  switch (api->effect) {
  case MST_E_ARRAY: return (api->traits & MST_T_PRODUCT) == 0 || mst_positional_count(call) < 3;
  case MST_E_UNKNOWN:
  case MST_E_OBJECT: return true;
  default: return mst_gives_view(api);
  }
}

/* ---- calls ------------------------------------------------------------------------------------- */

static bool only_looks(const char *name) {
  static const char *const names[] = {"builtins.print", "builtins.len",    "builtins.float",
                                      "builtins.int",   "builtins.bool",   "builtins.isinstance",
                                      "builtins.str",   "builtins.repr",   "builtins.id",
                                      "builtins.type",  "builtins.format", NULL};
  return mst_one_of(name, names);
}

/* The parameter that takes the argument; NULL: not known. */
static const mst_parameter *parameter_of(const mst_function *function, mst_place argument) {
  const mst_tree *tree = argument.module->tree;
  const bool is_keyword = mst_place_is(argument, MST_K_KEYWORD);
  const mst_node_id call = mst_place_node(argument)->parent;
  uint32_t at = function->class_ != 0 && !function->is_static ? 1 : 0;
  mst_node_id other = tree->nodes[tree->nodes[call].first].next;
  for (; !is_keyword && other != argument.node; other = tree->nodes[other].next) {
    if (mst_kind_of(tree, other) == MST_K_STAR) return NULL;
    at++;
  }
  for (uint32_t i = 0; i < function->parameter_count; i++) {
    const mst_parameter *parameter = &function->parameters[i];
    if (is_keyword ? parameter->name == mst_place_node(argument)->name : i == at) return parameter;
  }
  return NULL;
}

/* Under a decorator another function may be called first. */
static bool is_decorated(mst_place function, const mst_function *callee) {
  return mst_child(function.module->tree, function.node, 3) != 0 && !callee->is_static &&
         !callee->is_class_method && !callee->is_jit;
}

/* True when the name of the function may stand for another one by now: `global f; f = g`. */
static bool is_replaced(const mst_program *program, mst_place function, mst_place call) {
  const mst_function *top = &program->functions.data[function.module->function];
  const mst_symbol name = mst_place_node(function)->name;
  const uint32_t slot = mst_local_slot(top, name);
  if (slot == UINT32_MAX || !mst_place_is(mst_place_child(call, 0), MST_K_NAME)) return false;
  const mst_tree *tree = function.module->tree;
  if (tree->count > MAX_NODES) return true;
  for (mst_node_id id = 1; id < tree->count; id++)
    if (tree->nodes[id].name == name && id != function.node &&
        (mst_kind_of(tree, id) == MST_K_FUNCTION ||
         (mst_kind_of(tree, id) == MST_K_NAME && (tree->nodes[id].flags & MST_F_STORE) != 0)))
      return true;
  return false;
}

/* Called by its own name, which no function around takes as a parameter; or as a method. */
static bool is_called_by_name(mst_place call, mst_place function) {
  const mst_place name = mst_place_child(call, 0);
  const mst_symbol symbol = mst_place_node(function)->name;
  if (mst_place_node(name)->name != symbol) return false;
  if (!mst_place_is(name, MST_K_NAME)) return mst_place_is(name, MST_K_ATTRIBUTE);
  const mst_function *around = mst_function_at(call);
  for (;; around = &call.program->functions.data[around->parent]) {
    if (mst_parameter_by_name(around, symbol) < around->parameter_count) return false;
    if (around == &call.program->functions.data[around->parent]) return true;
  }
}

/* What is called runs to its end at once, and nothing else is called in its place. */
static bool is_plain_function(mst_place call, const mst_function *callee, mst_place root) {
  return !callee->is_opaque && !callee->is_generator &&
         (mst_place_node(root)->flags & MST_F_ASYNC) == 0 && !is_decorated(root, callee) &&
         !mst_sees_names(root) && is_called_by_name(call, root) &&
         mst_value_at(mst_place_child(call, 0))->kind == MST_V_FUNCTION &&
         !is_replaced(call.program, root, call);
}

/* In a function or generator that may be run later on. */
static bool is_read_later(const mst_tree *tree, mst_node_id id, mst_node_id root) {
  for (id = mst_node_at(tree, id)->parent; id != root; id = mst_node_at(tree, id)->parent) {
    const mst_kind kind = mst_kind_of(tree, id);
    if (kind == MST_K_FUNCTION || kind == MST_K_LAMBDA || kind == MST_K_GENERATOR) return true;
  }
  return false;
}

/* Passed to a function of ours: what that does with its parameter. */
static bool is_shared_by_callee(use of, mst_place call, mst_place argument) {
  const mst_function *callee = mst_called_function(call);
  if (callee == NULL || of.calls == MAX_CALLS) return true;
  const mst_parameter *parameter = parameter_of(callee, argument);
  const mst_module *module = &call.program->modules[callee->module];
  const mst_place root = {call.program, module, callee->node};
  if (parameter == NULL || !is_plain_function(call, callee, root)) return true;
  if (mst_node_at(module->tree, parameter->node)->flags & (MST_F_STAR | MST_F_DOUBLE_STAR))
    return true;
  mst_turns turns;
  if (!mst_turns_of(&turns, root)) return true;
  for (mst_node_id id = 0; mst_next_read(&turns, parameter->name, &id);) {
    if (mst_kind_of(module->tree, id) != MST_K_NAME) continue;
    if (is_read_later(module->tree, id, root.node)) return true;
    if (is_shared((use){mst_place_at(root, id), 0, of.calls + 1})) return true;
  }
  return turns.is_spent;
}

/* The array is an argument, or an element of a list or tuple that is one. */
static bool is_shared_by_call(use of, mst_place call, mst_place argument) {
  const mst_api *api = mst_called_api(call);
  if (api == NULL) {
    const bool is_direct = argument.node == of.place.node || mst_place_is(argument, MST_K_KEYWORD);
    if (only_looks(mst_called_name(call))) return false;
    return !is_direct || is_shared_by_callee(of, call, argument);
  }
  static const char *const callers[] = {"numpy.apply_along_axis", "numpy.apply_over_axes",
                                        "numpy.piecewise", NULL};
  if (mst_one_of(api->name, callers)) return true; /* a function is handed views of it */
  return (mst_is_out(call, argument) || mst_may_give_view(call, argument)) &&
         is_shared_at(of, call.node);
}

/* ---- other uses ---------------------------------------------------------------------------------- */

/* x.shape, x.sum(), x.T */
static bool is_shared_by_attribute(use of, mst_place attribute) {
  static const char *const facts[] = {"shape",  "size",     "ndim",    "dtype",
                                      "nbytes", "itemsize", "strides", NULL};
  const mst_place parent = mst_place_parent(attribute);
  if (mst_place_is(parent, MST_K_CALL) && mst_place_node(parent)->first == attribute.node) {
    const mst_api *api = mst_called_api(parent);
    return api == NULL || (mst_may_give_view(parent, attribute) && is_shared_at(of, parent.node));
  }
  if (mst_one_of(mst_place_name(attribute), facts)) return false;
  return !mst_is_array(mst_value_at(attribute)) || is_shared_at(of, attribute.node);
}

/* y[...] = x copies, if y is an array, but y[i] of objects holds x itself. */
static bool takes_values(mst_place subscript) {
  const mst_tree *tree = subscript.module->tree;
  const mst_value *value = mst_value_at(mst_place_child(subscript, 0));
  if (!mst_is_array(value) || value->dtype == MST_D_OBJECT) return false;
  if (value->dtype != MST_D_UNKNOWN || value->rank >= (int)mst_child_count(tree, subscript.node))
    return true;
  for (mst_node_id index = mst_child(tree, subscript.node, 1); index != 0;
       index = mst_node_at(tree, index)->next)
    if (mst_kind_of(tree, index) == MST_K_SLICE) return true;
  return false;
}

/* y = x shares. */
static bool is_shared_by_assignment(use of, mst_place statement) {
  const mst_tree *tree = statement.module->tree;
  const mst_node_id value = mst_last_child(tree, statement.node);
  if (value != of.place.node) return false;
  for (mst_node_id target = tree->nodes[statement.node].first; target != value;
       target = tree->nodes[target].next) {
    if (mst_kind_of(tree, target) != MST_K_SUBSCRIPT ||
        !takes_values(mst_place_at(statement, target)))
      return true;
  }
  return false;
}

/* A list or tuple: an index, what `%` formats, what is stacked or printed. */
static bool is_shared_by_display(use of, mst_place display) {
  const mst_place parent = mst_place_parent(display);
  switch (mst_place_kind(parent)) {
  case MST_K_SUBSCRIPT: return mst_place_node(parent)->first == display.node;
  case MST_K_BINARY: return mst_place_node(parent)->op != MST_OP_MOD;
  case MST_K_CALL: {
    const mst_api *api = mst_called_api(parent);
    return api == NULL || mst_may_give_view(parent, display) ||
           is_shared_by_call(of, parent, display);
  }
  default: return true;
  }
}

/* x[1:] is a view; x[1:] = y and del x[1:] hand nothing on, nor does x as an index. */
static bool is_shared_by_subscript(use of, mst_place subscript) {
  const mst_node *node = mst_place_node(subscript);
  if (node->first != of.place.node || (node->flags & (MST_F_STORE | MST_F_DEL)) != 0) return false;
  return mst_value_at(subscript)->kind != MST_V_NUMBER && is_shared_at(of, subscript.node);
}

static bool is_shared(use of) {
  const mst_place parent = mst_place_parent(of.place);
  const mst_kind around = mst_place_kind(parent);
  const bool is_first = mst_place_node(parent)->first == of.place.node;
  if (mst_uses_up(around)) return false;
  switch (around) {
  case MST_K_COMP_IF: return false;
  case MST_K_BOOLEAN: return is_shared_at(of, parent.node);
  case MST_K_CONDITIONAL:
    return mst_child(parent.module->tree, parent.node, 1) != of.place.node &&
           is_shared_at(of, parent.node);
  case MST_K_AUG_ASSIGN: /* a list would take the rows */
    return !is_first && !mst_is_arrayish(mst_value_at(mst_place_child(parent, 0)));
  case MST_K_ASSIGN: return is_shared_by_assignment(of, parent);
  case MST_K_SUBSCRIPT: return is_shared_by_subscript(of, parent);
  case MST_K_ATTRIBUTE: return is_shared_by_attribute(of, parent);
  case MST_K_CALL: return is_first || is_shared_by_call(of, parent, of.place);
  case MST_K_KEYWORD: return is_shared_by_call(of, mst_place_parent(parent), parent);
  case MST_K_LIST:
  case MST_K_TUPLE: return is_shared_by_display(of, parent);
  default: return true; /* returned, yielded, iterated, in a dictionary, in a lambda ... */
  }
}

bool mst_is_handed_on(mst_place name) { return is_shared((use){.place = name}); }
