/* SPDX-License-Identifier: Apache-2.0 */
/* What the branches of type tests know: isinstance(x, list), type(x) is list, np.isscalar(x). */
#include <string.h>

#include "pysource/interp.h"

/* What a class or type named in a test stands for. */
static mst_value value_of_type(mst_interp *in, mst_node_id node) {
  static const struct {
    const char *name;
    mst_value_kind kind;
  } types[] = {{"builtins.list", MST_V_LIST},    {"builtins.tuple", MST_V_TUPLE},
               {"builtins.dict", MST_V_DICT},    {"builtins.set", MST_V_SET},
               {"builtins.str", MST_V_STRING},   {"builtins.int", MST_V_NUMBER},
               {"builtins.float", MST_V_NUMBER}, {"builtins.complex", MST_V_NUMBER},
               {"builtins.bool", MST_V_NUMBER}};
  if (mst_kind_of(in->tree, node) == MST_K_TUPLE || mst_kind_of(in->tree, node) == MST_K_LIST)
    node = mst_child(in->tree, node, 0); /* (list, tuple): the first will do */
  if (node == 0) return mst_value_unknown();
  const mst_value *value = &in->module->values[node];
  if (value->kind != MST_V_API) return mst_value_unknown();
  const char *name = mst_ref_text(in, value);
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    if (strcmp(name, types[i].name) == 0) return mst_value_of_kind(types[i].kind);
  if (strcmp(name, "numpy.random.RandomState") == 0 || strcmp(name, "numpy.random.Generator") == 0)
    return mst_named(in, MST_V_OBJECT, name);
  return mst_value_unknown();
}

/* Whether a comparison asks for a type (*unlike: for any other). */
static bool asks_for_type(mst_op op, bool *unlike) {
  *unlike = op == MST_OP_IS_NOT || op == MST_OP_NE || op == MST_OP_NOT_IN;
  return *unlike || op == MST_OP_IS || op == MST_OP_EQ || op == MST_OP_IN;
}

/* The full name of what a CALL calls; "" when it is not known, or no call. */
static const char *called_name(const mst_interp *in, mst_node_id call) {
  if (mst_kind_of(in->tree, call) != MST_K_CALL || in->module->names[call] == 0) return "";
  return mst_symbol_text(&in->program->symbols, in->module->names[call]);
}

/* type(x) is T, type(x) == T, type(x) in (T, U): x, and T. */
static mst_node_id compared(const mst_interp *in, mst_node_id test, mst_node_id *type,
                            bool *negated) {
  bool unlike;
  if (!asks_for_type((mst_op)mst_in_node(in, test)->op, &unlike)) return 0;
  const mst_node_id call = mst_in_node(in, test)->first;
  if (strcmp(called_name(in, call), "builtins.type") != 0) return 0;
  *type = mst_in_node(in, call)->next;
  *negated ^= unlike;
  return mst_child(in->tree, call, 1);
}

/* isinstance(x, T), np.isscalar(x): x, and T; for the latter x itself. */
static mst_node_id asked(const mst_interp *in, mst_node_id call, mst_node_id *type) {
  const char *name = called_name(in, call);
  const mst_node_id first = mst_child(in->tree, call, 1);
  if (strcmp(name, "numpy.isscalar") == 0)
    *type = first;
  else if (strcmp(name, "builtins.isinstance") == 0)
    *type = mst_child(in->tree, call, 2);
  else
    return 0;
  return first;
}

/* The name that the test is about, what it is asked to be, and whether it shall not. 0: no such
 * test. */
static mst_node_id tested_name(const mst_interp *in, mst_node_id test, mst_node_id *type,
                               bool *negated) {
  *negated = mst_kind_of(in->tree, test) == MST_K_NOT;
  if (*negated) test = mst_child(in->tree, test, 0);
  const bool is_comparison = mst_kind_of(in->tree, test) == MST_K_COMPARE;
  const mst_node_id name =
      is_comparison ? compared(in, test, type, negated) : asked(in, test, type);
  return name != 0 && *type != 0 && mst_kind_of(in->tree, name) == MST_K_NAME ? name : 0;
}

/* `isinstance(x, list) or isinstance(x, tuple)`: x is what each of them says, or one of both. */
static void narrow_by_either(mst_interp *in, mst_node_id test) {
  if (mst_in_node(in, test)->op != MST_OP_OR) return;
  mst_binding only = {.owner = MST_UNBOUND};
  mst_value either = mst_value_of_kind(MST_V_BOTTOM);
  MST_EACH_CHILD(in->tree, child, test) {
    mst_node_id type = 0;
    bool negated;
    const mst_node_id name = tested_name(in, child, &type, &negated);
    if (name == 0 || negated || type == name) return;
    const mst_binding binding = in->unit->bindings[name];
    if (binding.owner != in->function_index) return;
    if (only.owner != MST_UNBOUND && only.slot != binding.slot) return;
    only = binding;
    const mst_value is = value_of_type(in, type);
    if (is.kind == MST_V_UNKNOWN) return;
    either = either.kind == MST_V_BOTTOM || either.kind == is.kind ? is : mst_value_unknown();
  }
  if (only.owner == MST_UNBOUND) return;
  if (mst_value_equal(mst_state_get(&in->states, in->env, only.slot), &either)) return;
  mst_state_set(&in->states, &in->env, only.slot, either);
}

/* In the branch of such a test, or in the other one of its opposite, the name is what the test
 * says. */
void mst_narrow(mst_interp *in, mst_node_id test, bool otherwise) {
  if (mst_kind_of(in->tree, test) == MST_K_BOOLEAN && !otherwise) {
    narrow_by_either(in, test);
    return;
  }
  mst_node_id type = 0;
  bool negated;
  const mst_node_id name = tested_name(in, test, &type, &negated);
  if (name == 0 || negated != otherwise) return;
  const mst_binding binding = in->unit->bindings[name];
  if (binding.owner != in->function_index) return;
  const mst_value is = type == name ? mst_value_of_kind(MST_V_NUMBER) : value_of_type(in, type);
  const mst_value *was = mst_state_get(&in->states, in->env, binding.slot);
  if (is.kind != MST_V_UNKNOWN && was->kind != is.kind)
    mst_state_set(&in->states, &in->env, binding.slot, is);
}
