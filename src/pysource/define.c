/* SPDX-License-Identifier: Apache-2.0 */
/* Definitions: what `def` and `class` bind, and what decorators make of it. */
#include <string.h>

#include "base/str.h"
#include "pysource/interp.h"

/* In a class's body it is an attribute of the class. */
static void define(mst_interp *in, mst_node_id node, mst_value value) {
  const mst_symbol name = mst_in_node(in, node)->name;
  const mst_binding binding = in->class_index != 0
                                  ? (mst_binding){MST_BOUND_CLASS + in->class_index - 1, 0}
                                  : mst_scope_find(in, in->function_index, name);
  mst_bind_name(in, binding, name, value);
}

/* ---- decorators ---- */

/* @staticmethod, @classmethod, @property */
static bool is_plain(mst_function *function, const mst_node *decorator) {
  if (decorator->kind != MST_K_NAME) return false;
  switch (decorator->name) {
  case MST_SYM_staticmethod: return function->is_static = true;
  case MST_SYM_classmethod: return function->is_class_method = true;
  case MST_SYM_property: return function->is_property = true;
  default: return false;
  }
}

/* What gives a function its arguments itself: a command line, a queue of tasks, a web server.
 * Others hand on what they are given. */
static bool gives_arguments(const char *maker) {
  static const char *const begins[] = {"click.", "typer.",   "hydra.",    "invoke.",  "celery.",
                                       "flask.", "fastapi.", "ray.",      "prefect.", "fire.",
                                       "argh.",  "defopt.",  "cyclopts.", NULL};
  for (int i = 0; begins[i] != NULL; i++)
    if (mst_starts_with(maker, begins[i])) return true;
  return false;
}

/* What a decorator makes of a function. */
static mst_value decorated(mst_interp *in, mst_function *function, mst_node_id decorator,
                           mst_value value) {
  const mst_value by = mst_eval(in, decorator);
  const mst_value *maker = &by;
  if (mst_kind_of(in->tree, decorator) == MST_K_CALL)
    maker = &in->module->values[mst_child(in->tree, decorator, 0)];
  const bool is_library =
      maker->kind == MST_V_API || (maker->kind == MST_V_MODULE && maker->self == 0);
  const char *name = is_library ? mst_ref_text(in, maker) : "";
  if (gives_arguments(name))
    mst_note_open(in, (uint32_t)(function - in->program->functions.data), 0);
  if (mst_starts_with(name, "numba.") || mst_ends_with(name, ".njit")) {
    function->is_jit = true;
    value.flags |= MST_VF_JIT;
  } else if (mst_ends_with(name, "numpy.vectorize")) {
    value = mst_value_of_kind(MST_V_API);
    value.flags = MST_VF_VECTORIZED;
    value.ref = mst_symbol_of(&in->program->symbols, "numpy.vectorize()", 17);
    value.storage = in->module->node_base + decorator;
  } else if (maker->kind == MST_V_UNKNOWN) {
    function->is_opaque = true;
  }
  return value;
}

/* ---- functions and classes ---- */

void mst_exec_function_definition(mst_interp *in, mst_node_id node) {
  mst_value value = mst_value_of_kind(MST_V_FUNCTION);
  value.ref = in->module->calls[node] - 1;
  MST_EACH_CHILD(in->tree, parameter, mst_child(in->tree, node, 0)) {
    const mst_node_id otherwise = mst_child(in->tree, parameter, 1);
    if (mst_kind_of(in->tree, otherwise) != MST_K_EMPTY) mst_eval(in, otherwise);
  }
  mst_function *function = &in->program->functions.data[value.ref];
  for (mst_node_id decorator = mst_in_node(in, mst_child(in->tree, node, 2))->next; decorator != 0;
       decorator = mst_in_node(in, decorator)->next)
    if (!is_plain(function, mst_in_node(in, decorator)))
      value = decorated(in, function, decorator, value);
  define(in, node, value);
}

static void exec_bases(mst_interp *in, mst_class *class_, mst_node_id bases) {
  if (class_->bases == NULL)
    class_->bases =
        mst_arena_new(in->arena, (mst_child_count(in->tree, bases) + 1) * sizeof *class_->bases);
  class_->base_count = 0;
  MST_EACH_CHILD(in->tree, base, bases) {
    const mst_value value = mst_eval(in, base);
    if (mst_kind_of(in->tree, base) != MST_K_KEYWORD) class_->bases[class_->base_count++] = value;
  }
}

void mst_exec_class_definition(mst_interp *in, mst_node_id node) {
  mst_value value = mst_value_of_kind(MST_V_CLASS);
  value.ref = in->module->calls[node] - 1;
  exec_bases(in, &in->program->classes.data[value.ref], mst_child(in->tree, node, 0));
  const uint32_t outer = in->class_index;
  in->class_index = value.ref + 1;
  mst_exec_block(in, mst_child(in->tree, node, 1));
  in->class_index = outer;
  define(in, node, value);
}
