/* SPDX-License-Identifier: Apache-2.0 */
/* Calls: who is called, what it is given, what comes back. */
#include <string.h>

#include "pysource/interp.h"

/* ---- arguments ---------------------------------------------------------------------------------------- */

mst_node_id mst_argument_node(const mst_tree *tree, const mst_symbols *symbols, mst_node_id call,
                              int position, const char *keyword) {
  int at = 0;
  bool open = false; /* behind *args positions are unknown */
  for (mst_node_id child = tree->nodes[tree->nodes[call].first].next; child != 0;
       child = tree->nodes[child].next) {
    const mst_node *node = &tree->nodes[child];
    if (node->kind == MST_K_KEYWORD) {
      if (keyword != NULL && strcmp(mst_symbol_text(symbols, node->name), keyword) == 0)
        return node->first;
    } else if (node->kind == MST_K_STAR || node->kind == MST_K_DOUBLE_STAR) {
      open = true;
    } else if (!open && at++ == position) {
      return child;
    }
  }
  return 0;
}

mst_value mst_argument_value(mst_interp *in, mst_node_id call, int position, const char *keyword) {
  const mst_node_id node =
      mst_argument_node(in->tree, &in->program->symbols, call, position, keyword);
  return node != 0 ? in->module->values[node] : mst_value_of_kind(MST_V_BOTTOM);
}

static void eval_arguments(mst_interp *in, mst_node_id call) {
  for (mst_node_id child = mst_in_node(in, mst_child(in->tree, call, 0))->next; child != 0;
       child = mst_in_node(in, child)->next)
    mst_eval(in, child);
}

/* ---- functions of ours ---------------------------------------------------------------------------------- */

static void note_caller(mst_interp *in, uint32_t function, mst_node_id call, bool driven) {
  mst_function *callee = &in->program->functions.data[function];
  if (!driven && in->called_before == function + 1) return;
  const uint64_t key = ((uint64_t)function << 32) | call;
  const uint32_t place = mst_index_find(&in->unit->sites, key);
  if (place != 0) {
    callee->callers.data[place - 1].driven |= driven;
    return;
  }
  mst_arena_push(in->arena, &callee->callers, (mst_call_site){in->function_index, call, driven});
  mst_index_add(in->arena, &in->unit->sites, key, (uint32_t)callee->callers.length);
}

/* A parameter of unknown kind that is handed on to where an array is wanted is one. */
static void learn_from_callee(mst_interp *in, mst_node_id argument, const mst_parameter *wanted) {
  if (argument == 0 || mst_kind_of(in->tree, argument) != MST_K_NAME) return;
  if (!mst_is_array(&wanted->presumed) || in->module->values[argument].kind != MST_V_UNKNOWN)
    return;
  const mst_binding binding = in->unit->bindings[argument];
  mst_function *function = mst_interp_function(in);
  if (binding.owner != in->function_index) return;
  const uint32_t own = mst_parameter_by_slot(function, binding.slot);
  if (own == function->parameter_count) return;
  mst_parameter *parameter = &function->parameters[own];
  if (parameter->presumed.kind != MST_V_UNKNOWN) return;
  parameter->presumed = mst_value_because(in->values, mst_value_array(-1, MST_LIKELY),
                                          MST_STEP_USED, in->module_index, argument);
  function->is_dirty = true;
}

/* What an argument hands over: an element that no loop takes is a value like any other. */
static mst_value handed(const mst_interp *in, mst_node_id argument) {
  mst_value value = in->module->values[argument];
  if (value.kind == MST_V_DEFERRED && (value.flags & MST_VF_ELEMENT) != 0 &&
      mst_is_picked(in, argument))
    value.flags &= (uint16_t)~MST_VF_ELEMENT;
  return value;
}

/* Position `at` among the arguments is which parameter: those from a *args on take the rest. */
static uint32_t parameter_at(const mst_function *function, uint32_t at) {
  return at < function->star ? at : function->star;
}

static void pass_arguments(mst_interp *in, mst_node_id call, uint32_t function, uint32_t first) {
  uint32_t at = first;
  for (mst_node_id child = mst_in_node(in, mst_child(in->tree, call, 0))->next; child != 0;
       child = mst_in_node(in, child)->next) {
    const mst_node *node = mst_in_node(in, child);
    const mst_function *callee = &in->program->functions.data[function];
    mst_value value = handed(in, child);
    if (node->kind == MST_K_KEYWORD) {
      mst_pass(in, function, mst_parameter_by_name(callee, node->name), handed(in, node->first),
               call);
    } else if (node->kind == MST_K_STAR) {
      const uint32_t known = mst_value_item_count(in->values, &value);
      for (uint32_t i = 0; i < (known > 0 ? known : callee->parameter_count); i++)
        mst_pass(in, function, parameter_at(callee, at++), mst_value_item(in->values, &value, i),
                 call);
    } else if (node->kind != MST_K_DOUBLE_STAR) {
      const uint32_t to = parameter_at(callee, at++);
      if (to < callee->parameter_count) learn_from_callee(in, child, &callee->parameters[to]);
      mst_pass(in, function, to, value, call);
    }
  }
}

#define MOST_RESULTS 16

static mst_value on_host(mst_value value) {
  if (value.kind == MST_V_DEFERRED) return mst_value_of_kind(MST_V_NUMBER);
  if (value.kind == MST_V_ARRAY) value.library = MST_LIB_HOST;
  return value;
}

/* What a compiled function gives back lies on the host. */
static mst_value host_value(mst_interp *in, mst_value value) {
  const uint32_t count = value.kind == MST_V_TUPLE ? mst_value_item_count(in->values, &value) : 0;
  if (count == 0 || count > MOST_RESULTS) return on_host(value);
  mst_value items[MOST_RESULTS];
  for (uint32_t i = 0; i < count; i++)
    items[i] = on_host(mst_value_item(in->values, &value, i));
  return mst_value_container(in->values, MST_V_TUPLE, items, count);
}

static mst_value result_of(mst_interp *in, mst_node_id call, uint32_t function) {
  const mst_function *callee = &in->program->functions.data[function];
  mst_value value = callee->result;
  value.flags &= (uint16_t)~MST_VF_PARAMETER;
  if (callee->is_jit) value = host_value(in, value);
  return call != 0 ? mst_because(in, value, MST_STEP_RETURNED, call) : value;
}

/* The tuples of `count` that a function returns, where others that it returns are longer or
 * shorter; BOTTOM: there are none. */
static mst_value result_of_length(mst_interp *in, uint32_t index, uint32_t count) {
  const mst_function *function = &in->program->functions.data[index];
  const mst_module *module = &in->program->modules[function->module];
  const mst_node_id end = mst_subtree_end(module->tree, function->node);
  mst_value result = mst_value_of_kind(MST_V_BOTTOM);
  for (mst_node_id id = function->node; id < end; id++) {
    if (mst_kind_of(module->tree, id) != MST_K_RETURN || module->function_of[id] != index) continue;
    mst_value one = module->values[mst_child(module->tree, id, 0)];
    if (one.kind == MST_V_TUPLE && mst_value_item_count(in->values, &one) == count)
      result = mst_value_join(in->values, result, one);
  }
  return result;
}

mst_value mst_unpacked(mst_interp *in, mst_node_id target, mst_node_id given, mst_value value) {
  const mst_kind kind = mst_kind_of(in->tree, target);
  if ((kind != MST_K_TUPLE && kind != MST_K_LIST) || value.kind != MST_V_TUPLE ||
      mst_value_item_count(in->values, &value) > 0 || mst_kind_of(in->tree, given) != MST_K_CALL ||
      in->module->calls[given] == 0)
    return value;
  const mst_value fitting =
      result_of_length(in, in->module->calls[given] - 1, mst_child_count(in->tree, target));
  return fitting.kind != MST_V_BOTTOM ? fitting : value;
}

mst_value mst_call_function(mst_interp *in, mst_node_id call, uint32_t function,
                            const mst_value *self) {
  mst_function *callee = &in->program->functions.data[function];
  callee->is_needed = true;
  uint32_t first = 0;
  if (self != NULL && !callee->is_static) {
    mst_pass(in, function, 0, *self, 0);
    first = 1;
  }
  if (call != 0) {
    note_caller(in, function, call, false);
    in->module->calls[call] = function + 1;
    pass_arguments(in, call, function, first);
    mst_note_left_out(in, call, function, first);
  }
  return result_of(in, call, function);
}

#define MOST_FIELDS 128

/* Fields of a dataclass, in the order of their annotations, take what is given. */
static void fill_fields(mst_interp *in, mst_node_id call, uint32_t class_index) {
  const mst_class *class_ = &in->program->classes.data[class_index];
  const mst_tree *tree = in->program->modules[class_->module].tree;
  int at = 0;
  MST_EACH_CHILD(tree, statement, mst_child(tree, class_->node, 1)) {
    if (at == MOST_FIELDS) break;
    if (mst_kind_of(tree, statement) != MST_K_ANN_ASSIGN) continue;
    const mst_symbol name = tree->nodes[mst_child(tree, statement, 0)].name;
    if (name == 0) continue;
    const mst_value given =
        mst_argument_value(in, call, at++, mst_symbol_text(&in->program->symbols, name));
    mst_store_class_attribute(in, class_index, name, mst_field_value(in, class_index, name, given));
  }
}

static mst_value call_class(mst_interp *in, mst_node_id call, uint32_t class_index) {
  mst_value instance = mst_value_of_kind(MST_V_INSTANCE);
  instance.ref = class_index;
  const mst_value init = mst_class_attribute(in, class_index, MST_SYM___init__);
  if (init.kind == MST_V_FUNCTION)
    mst_call_function(in, call, init.ref, &instance);
  else
    fill_fields(in, call, class_index);
  in->module->calls[call] = init.kind == MST_V_FUNCTION ? init.ref + 1 : 0;
  return instance;
}

/* args=(a, b), fargs=(a, b): what the library passes on behind its own. */
static void pass_extra(mst_interp *in, mst_node_id call, uint32_t function, uint32_t first) {
  mst_value extra = mst_argument_value(in, call, -1, "args");
  if (extra.kind == MST_V_BOTTOM) extra = mst_argument_value(in, call, -1, "fargs");
  if (extra.kind != MST_V_TUPLE && extra.kind != MST_V_LIST) return;
  const uint32_t count = mst_value_item_count(in->values, &extra);
  for (uint32_t i = 0; i < count; i++)
    mst_pass(in, function, first + i, mst_value_item(in->values, &extra, i), call);
}

/* A function handed to a library is called by it; some call it again and again. */
static void hand_over_function(mst_interp *in, mst_node_id call, const char *name,
                               const mst_value *value) {
  const bool is_map = strcmp(name, "builtins.map") == 0;
  const bool is_optimizer = mst_starts_with(name, "scipy.optimize.");
  const bool driven = is_optimizer || mst_starts_with(name, "scipy.integrate.") || is_map ||
                      strcmp(name, "builtins.filter") == 0 ||
                      strstr(name, "FuncAnimation") != NULL ||
                      strcmp(name, "numpy.apply_along_axis") == 0;
  const bool elementwise = strstr(name, "vectorize") != NULL || strstr(name, "frompyfunc") != NULL;
  note_caller(in, value->ref, call, driven);
  mst_function *function = &in->program->functions.data[value->ref];
  function->is_needed = true;
  const uint32_t first = value->self;
  if (value->self) {
    mst_value self = mst_value_of_kind(MST_V_INSTANCE);
    self.ref = value->extents - 1;
    mst_pass(in, value->ref, 0, self, 0);
  }
  if (elementwise) /* it is given one number at a time */
    for (uint32_t i = first; i < function->parameter_count; i++)
      mst_pass(in, value->ref, i, mst_value_of_kind(MST_V_NUMBER), 0);
  if (is_optimizer && function->parameter_count > first) {
    mst_value host = mst_value_array(1, MST_LIKELY);
    host.library = MST_LIB_HOST;
    mst_pass(in, value->ref, first, host, 0);
  }
  pass_extra(in, call, value->ref, first + 1);
  mst_note_open(in, value->ref, first);
  if (!is_map) return;
  const mst_value over = mst_argument_value(in, call, 1, NULL);
  mst_pass(in, value->ref, first, mst_iterate(in, &over), call);
}

static void hand_over(mst_interp *in, mst_node_id call, const char *name) {
  for (mst_node_id child = mst_in_node(in, mst_child(in->tree, call, 0))->next; child != 0;
       child = mst_in_node(in, child)->next) {
    mst_value value = in->module->values[child];
    if (mst_is_container(&value)) value = mst_value_any_item(in->values, &value);
    if (value.kind == MST_V_FUNCTION) hand_over_function(in, call, name, &value);
  }
}

/* ---- all calls --------------------------------------------------------------------------------------------- */

static mst_value call_alternatives(mst_interp *in, mst_node_id call, const mst_value *callee) {
  mst_value self = mst_value_of_kind(MST_V_INSTANCE);
  self.ref = callee->extents - 1;
  mst_value result = mst_call_function(in, call, callee->ref, callee->self ? &self : NULL);
  const uint32_t more = mst_value_item_count(in->values, callee);
  for (uint32_t i = 0; i < more; i++) {
    const mst_value other = mst_value_item(in->values, callee, i);
    self.ref = other.extents - 1;
    result = mst_value_join(in->values, result,
                            mst_call_function(in, call, other.ref, other.self ? &self : NULL));
  }
  in->module->calls[call] = callee->ref + 1;
  return result;
}

static mst_value call_object(mst_interp *in, mst_node_id call, const mst_value *callee,
                             const mst_value *receiver) {
  in->module->names[call] = callee->ref;
  hand_over(in, call, mst_ref_text(in, callee));
  return mst_call_library(in, call, callee->ref, receiver);
}

static mst_value call_super(mst_interp *in) {
  const mst_function *function = mst_interp_function(in);
  if (function->class_ == 0) return mst_value_unknown();
  const mst_class *class_ = &in->program->classes.data[function->class_ - 1];
  for (uint32_t i = 0; i < class_->base_count; i++)
    if (class_->bases[i].kind == MST_V_CLASS) {
      mst_value value = mst_value_of_kind(MST_V_INSTANCE);
      value.ref = class_->bases[i].ref;
      return value;
    }
  return mst_value_unknown();
}

/* parser.add_argument("--n", type=int, default=512): remembered under `n`. */
static void note_option(mst_interp *in, mst_node_id call) {
  const mst_node_id first = mst_argument_node(in->tree, &in->program->symbols, call, 0, NULL);
  mst_node_id name = first;
  for (int i = 0; i < 3; i++) {
    const mst_node_id other = mst_argument_node(in->tree, &in->program->symbols, call, i, NULL);
    if (other == 0 || mst_kind_of(in->tree, other) != MST_K_STRING) break;
    name = other; /* the last one is the long one */
    if (in->tree->source->text[mst_in_node(in, other)->start + 2] == '-') break;
  }
  const mst_node_id dest = mst_argument_node(in->tree, &in->program->symbols, call, -1, "dest");
  if (dest != 0) name = dest;
  if (name == 0 || mst_kind_of(in->tree, name) != MST_K_STRING) return;
  const mst_node *node = mst_in_node(in, name);
  char text[64];
  size_t length = 0;
  for (uint32_t i = node->start; i < node->end && length + 1 < sizeof text; i++) {
    const char c = in->tree->source->text[i];
    if (c == '"' || c == '\'' || (c == '-' && length == 0)) continue;
    text[length++] = c == '-' ? '_' : c;
  }
  const mst_symbol symbol = mst_symbol_of(&in->program->symbols, text, length);
  mst_value value = mst_argument_value(in, call, -1, "default");
  const mst_value type = mst_argument_value(in, call, -1, "type");
  if (value.kind == MST_V_BOTTOM || value.kind == MST_V_NONE)
    value = type.kind == MST_V_API ? mst_value_of_kind(MST_V_NUMBER) : mst_value_unknown();
  if (value.kind == MST_V_NUMBER) value.flags |= MST_VF_FROM_DEFAULT;
  mst_module_notes *unit = in->unit;
  const uint32_t place = mst_index_find(&unit->argument_index, symbol);
  if (place != 0) {
    unit->arguments.data[place - 1] = value;
    return;
  }
  mst_arena_push(in->arena, &unit->arguments, value);
  mst_index_add(in->arena, &unit->argument_index, symbol, (uint32_t)unit->arguments.length);
}

mst_value mst_eval_call(mst_interp *in, mst_node_id node) {
  const mst_node_id function = mst_child(in->tree, node, 0);
  const mst_value callee = mst_eval(in, function);
  eval_arguments(in, node);
  in->module->names[node] = 0;
  in->called_before = in->module->calls[node];
  in->module->calls[node] = 0;
  const mst_value *receiver = NULL;
  if (mst_kind_of(in->tree, function) == MST_K_ATTRIBUTE) {
    receiver = &in->module->values[mst_child(in->tree, function, 0)];
    if (mst_in_node(in, function)->name == MST_SYM_add_argument) note_option(in, node);
  }
  switch ((mst_value_kind)callee.kind) {
  case MST_V_FUNCTION: return call_alternatives(in, node, &callee);
  case MST_V_CLASS: return call_class(in, node, callee.ref);
  case MST_V_INSTANCE: {
    const mst_value method = mst_class_attribute(in, callee.ref, MST_SYM___call__);
    if (method.kind != MST_V_FUNCTION) return mst_value_unknown();
    return mst_call_function(in, node, method.ref, &callee);
  }
  case MST_V_API:
  case MST_V_OBJECT: {
    if (mst_kind_of(in->tree, function) == MST_K_NAME &&
        mst_in_node(in, function)->name == MST_SYM_super)
      return call_super(in);
    return call_object(in, node, &callee, receiver);
  }
  case MST_V_BOTTOM: return callee;
  default: hand_over(in, node, ""); return mst_value_unknown();
  }
}
