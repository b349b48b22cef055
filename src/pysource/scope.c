/* SPDX-License-Identifier: Apache-2.0 */
/* Functions, classes and the names each binds: Python's static scoping. */
#include <string.h>

#include "pysource/interp.h"

typedef struct mst_scope {
  mst_interp *in;
  uint32_t module_index;
  mst_tree *tree;
  mst_module *module;
} mst_scope;

/* ---- locals ------------------------------------------------------------------------------------- */

uint32_t mst_local_slot(const mst_function *function, mst_symbol name) {
  if (function->local_count == 0) return UINT32_MAX;
  uint32_t at = name & function->table_mask;
  for (; function->table[at] != 0; at = (at + 1) & function->table_mask)
    if (function->locals[function->table[at] - 1] == name) return function->table[at] - 1;
  return UINT32_MAX;
}

/* Open addressing over symbols, which are numbers without a pattern. */
static void index_locals(mst_arena *arena, mst_function *function) {
  uint32_t size = 4;
  while (size < function->local_count * 2)
    size *= 2;
  function->table = mst_arena_new(arena, size * sizeof *function->table);
  function->table_mask = size - 1;
  for (uint32_t i = 0; i < function->local_count; i++) {
    uint32_t at = function->locals[i] & function->table_mask;
    while (function->table[at] != 0)
      at = (at + 1) & function->table_mask;
    function->table[at] = i + 1;
  }
}

/* What a scope binds, while it is collected. */
typedef struct mst_local_list {
  mst_arena *arena;
  struct {
    mst_symbol *data;
    size_t length, capacity;
  } names;
  struct {
    mst_symbol *data;
    size_t length, capacity;
  } outside;                /* global and nonlocal */
  uint32_t *slot_by_symbol; /* 1-based, or OUTSIDE; of the build, and all zero between two scopes */
} mst_local_list;

#define OUTSIDE UINT32_MAX

static void add_local(mst_local_list *list, mst_symbol name) {
  if (name == 0 || list->slot_by_symbol[name] != 0) return;
  mst_arena_push(list->arena, &list->names, name);
  list->slot_by_symbol[name] = (uint32_t)list->names.length;
}

static bool opens_scope(mst_kind kind) {
  return kind == MST_K_FUNCTION || kind == MST_K_LAMBDA || kind == MST_K_CLASS;
}

/* The first node behind a nested scope's own names, whose defaults and decorators stay outside. */
static void collect_outside(const mst_scope *scope, mst_local_list *list, mst_node_id begin,
                            mst_node_id end) {
  for (mst_node_id id = begin; id < end; id++) {
    const mst_node *node = &scope->tree->nodes[id];
    if (opens_scope((mst_kind)node->kind)) {
      id = mst_subtree_end(scope->tree, id) - 1;
      continue;
    }
    if (node->kind != MST_K_GLOBAL && node->kind != MST_K_NONLOCAL) continue;
    MST_EACH_CHILD(scope->tree, child, id) {
      const mst_symbol name = scope->tree->nodes[child].name;
      if (list->slot_by_symbol[name] != 0) continue;
      mst_arena_push(list->arena, &list->outside, name);
      list->slot_by_symbol[name] = OUTSIDE;
    }
  }
}

static void collect_locals(const mst_scope *scope, mst_local_list *list, mst_node_id begin,
                           mst_node_id end) {
  for (mst_node_id id = begin; id < end; id++) {
    const mst_node *node = &scope->tree->nodes[id];
    switch ((mst_kind)node->kind) {
    case MST_K_FUNCTION:
    case MST_K_CLASS: add_local(list, node->name); __attribute__((fallthrough));
    case MST_K_LAMBDA: id = mst_subtree_end(scope->tree, id) - 1; break;
    case MST_K_NAME:
      if ((node->flags & MST_F_STORE) != 0) add_local(list, node->name);
      break;
    case MST_K_EXCEPT:
    case MST_K_ALIAS: add_local(list, node->name); break;
    default: break;
    }
  }
}

/* ---- functions ------------------------------------------------------------------------------------ */

static void add_parameters(const mst_scope *scope, mst_function *function, mst_node_id parameters,
                           mst_local_list *list) {
  const mst_tree *tree = scope->tree;
  function->parameter_count = mst_child_count(tree, parameters);
  function->parameters =
      mst_arena_new(list->arena, (function->parameter_count + 1) * sizeof *function->parameters);
  uint32_t at = 0;
  MST_EACH_CHILD(tree, child, parameters) {
    mst_parameter *parameter = &function->parameters[at++];
    parameter->name = tree->nodes[child].name;
    parameter->node = child;
    add_local(list, parameter->name);
    const uint32_t place = parameter->name != 0 ? list->slot_by_symbol[parameter->name] : 0;
    parameter->slot = place != 0 && place != OUTSIDE ? place - 1 : UINT32_MAX;
    if (function->star == UINT32_MAX && (tree->nodes[child].flags & MST_F_STAR) != 0)
      function->star = at - 1;
  }
}

static bool has_yield(const mst_tree *tree, mst_node_id begin, mst_node_id end) {
  for (mst_node_id id = begin; id < end; id++) {
    if (opens_scope((mst_kind)tree->nodes[id].kind))
      id = mst_subtree_end(tree, id) - 1;
    else if (tree->nodes[id].kind == MST_K_YIELD)
      return true;
  }
  return false;
}

static uint32_t full_name(const mst_scope *scope, const mst_function *function) {
  mst_program *program = scope->in->program;
  if (function->name == 0) return 0;
  char text[256];
  const char *own = mst_symbol_text(&program->symbols, function->name);
  const char *before = NULL;
  if (function->class_ != 0)
    before = mst_symbol_text(&program->symbols, program->classes.data[function->class_ - 1].name);
  else if (program->functions.data[function->parent].global_name != 0)
    before =
        mst_symbol_text(&program->symbols, program->functions.data[function->parent].global_name);
  mst_join_name(text, sizeof text, before != NULL ? before : "", own);
  return mst_symbol_of(&program->symbols, text, strlen(text));
}

static uint32_t add_function(const mst_scope *scope, mst_node_id node, uint32_t parent,
                             uint32_t class_) {
  mst_program *program = scope->in->program;
  mst_arena *arena = scope->in->arena;
  const mst_tree *tree = scope->tree;
  mst_function function = {.module = scope->module_index,
                           .node = node,
                           .name = tree->nodes[node].kind == MST_K_FUNCTION ? tree->nodes[node].name
                                                                            : 0,
                           .class_ = class_,
                           .star = UINT32_MAX,
                           .is_needed = scope->module->speaks_of_arrays,
                           .is_dirty = true};
  const uint32_t index = (uint32_t)program->functions.length;
  function.has_inner = tree->nodes[node].kind == MST_K_MODULE;
  if (!function.has_inner) program->functions.data[parent].has_inner = true;
  function.parent = tree->nodes[node].kind == MST_K_MODULE ? index : parent;
  if (tree->nodes[node].kind != MST_K_MODULE) function.global_name = full_name(scope, &function);

  mst_local_list list = {.arena = arena, .slot_by_symbol = scope->in->slot_by_symbol};
  mst_node_id begin = node + 1;
  mst_node_id end = mst_subtree_end(tree, node);
  if (tree->nodes[node].kind != MST_K_MODULE) {
    const mst_node_id parameters = mst_child(tree, node, 0);
    const unsigned body_at = tree->nodes[node].kind == MST_K_FUNCTION ? 2 : 1;
    const mst_node_id body = mst_child(tree, node, body_at);
    begin = body;
    end = mst_subtree_end(tree, body);
    collect_outside(scope, &list, begin, end);
    add_parameters(scope, &function, parameters, &list);
  }
  /* A benchmark's method that takes the module first: what decorates it passes it. */
  if (class_ != 0 && function.parameter_count > 0)
    function.is_static =
        function.parameters[0].name == MST_SYM_np || function.parameters[0].name == MST_SYM_xp;
  collect_locals(scope, &list, begin, end);
  function.locals = list.names.data;
  function.local_count = (uint32_t)list.names.length;
  for (uint32_t i = 0; i < function.local_count; i++)
    list.slot_by_symbol[function.locals[i]] = 0;
  for (size_t i = 0; i < list.outside.length; i++)
    list.slot_by_symbol[list.outside.data[i]] = 0;
  index_locals(arena, &function);
  function.summary = mst_arena_new(arena, (list.names.length + 1) * sizeof *function.summary);
  function.is_generator = tree->nodes[node].kind != MST_K_MODULE && has_yield(tree, begin, end);
  mst_arena_push(arena, &program->functions, function);
  return index;
}

/* ---- binding --------------------------------------------------------------------------------------- */

mst_binding mst_scope_find(const mst_interp *in, uint32_t function, mst_symbol name) {
  const mst_program *program = in->program;
  for (;;) {
    const mst_function *scope = &program->functions.data[function];
    const uint32_t slot = mst_local_slot(scope, name);
    if (slot != UINT32_MAX) return (mst_binding){function, slot};
    if (scope->parent == function) return (mst_binding){MST_UNBOUND, 0};
    function = scope->parent;
  }
}

static void bind_name(const mst_scope *scope, mst_node_id id, uint32_t function, uint32_t class_) {
  mst_binding *binding = &scope->in->notes[scope->module_index].bindings[id];
  const mst_node *node = &scope->tree->nodes[id];
  if (class_ != 0 && (node->flags & MST_F_STORE) != 0)
    *binding = (mst_binding){MST_BOUND_CLASS + class_ - 1, 0};
  else
    *binding = mst_scope_find(scope->in, function, node->name);
}

static void scan(const mst_scope *scope, mst_node_id id, uint32_t function, uint32_t class_);

static void scan_children(const mst_scope *scope, mst_node_id id, uint32_t function,
                          uint32_t class_) {
  MST_EACH_CHILD(scope->tree, child, id) scan(scope, child, function, class_);
}

/* Defaults, annotations and decorators belong to the scope around the function. */
static void scan_function(const mst_scope *scope, mst_node_id id, uint32_t function,
                          uint32_t class_) {
  const bool is_lambda = scope->tree->nodes[id].kind == MST_K_LAMBDA;
  const mst_node_id body = mst_child(scope->tree, id, is_lambda ? 1 : 2);
  const uint32_t own = add_function(scope, id, function, is_lambda ? 0 : class_);
  scope->module->calls[id] = own + 1; /* a FUNCTION or LAMBDA node: its own function */
  MST_EACH_CHILD(scope->tree, child, id) {
    if (child == body)
      scan(scope, child, own, 0);
    else
      scan(scope, child, function, class_);
  }
}

static void scan_class(const mst_scope *scope, mst_node_id id, uint32_t function, uint32_t class_) {
  mst_program *program = scope->in->program;
  const mst_class fresh = {
      .module = scope->module_index, .node = id, .name = scope->tree->nodes[id].name};
  mst_arena_push(scope->in->arena, &program->classes, fresh);
  const uint32_t own = (uint32_t)program->classes.length; /* 1-based */
  scope->module->calls[id] = own;
  const mst_node_id body = mst_child(scope->tree, id, 1);
  MST_EACH_CHILD(scope->tree, child, id)
  scan(scope, child, function, child == body ? own : class_);
}

/* Depth is bounded by the tree's. */
static void scan(const mst_scope *scope, mst_node_id id, uint32_t function, uint32_t class_) {
  const mst_kind kind = mst_kind_of(scope->tree, id);
  scope->module->function_of[id] = function;
  switch (kind) {
  case MST_K_FUNCTION:
  case MST_K_LAMBDA: scan_function(scope, id, function, class_); break;
  case MST_K_CLASS: scan_class(scope, id, function, class_); break;
  case MST_K_NAME: bind_name(scope, id, function, class_); break;
  case MST_K_LIST_COMP:
  case MST_K_SET_COMP:
  case MST_K_DICT_COMP:
  case MST_K_GENERATOR: scan_children(scope, id, function, 0); break;
  default: scan_children(scope, id, function, class_); break;
  }
}

void mst_scope_build(mst_interp *in, uint32_t module_index) {
  mst_scope scope = {.in = in,
                     .module_index = module_index,
                     .tree = in->program->modules[module_index].tree,
                     .module = &in->program->modules[module_index]};
  const uint32_t function = add_function(&scope, 1, 0, 0);
  scope.module->function = function;
  scope.module->function_of[1] = function;
  scan_children(&scope, 1, function, 0);
}
