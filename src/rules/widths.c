/* SPDX-License-Identifier: Apache-2.0 */
#include "rules/widths.h"

#include <string.h>

#include "rules/own_names.h"
#include "rules/turns.h"

#define MOST_DEPTH 32

/* ---- new arrays ---------------------------------------------------------------------------------- */

/* float, np.float64, "f8", complex, np.complex128 */
static bool is_wide_type(mst_place dtype) {
  static const char *const names[] = {"builtins.float",   "numpy.float64",    "numpy.double",
                                      "builtins.complex", "numpy.complex128", "builtins.bool",
                                      "numpy.bool_",      "numpy.bool",       NULL};
  static const char *const texts[] = {"float64", "f8",      "float", "double", "complex128",
                                      "c16",     "complex", "bool",  NULL};
  if (!mst_place_is(dtype, MST_K_STRING)) return mst_one_of(mst_expression_name(dtype), names);
  const mst_node *node = mst_place_node(dtype);
  const char *text = dtype.module->tree->source->text + node->start + 1;
  for (size_t i = 0; texts[i] != NULL; i++)
    if (strlen(texts[i]) + 2 == node->end - node->start &&
        memcmp(text, texts[i], strlen(texts[i])) == 0)
      return true;
  return false;
}

static bool is_literal(mst_place place) {
  const mst_value *value = mst_value_at(place);
  if (mst_place_is(place, MST_K_UNARY)) return is_literal(mst_place_child(place, 0));
  return mst_place_is(place, MST_K_NUMBER) ||
         (mst_knows_number(value) && (value->flags & MST_VF_FROM_DEFAULT) == 0);
}

/* np.full(n, 0.5), np.arange(0.0, 1.0, 0.1): of the type of the numbers. */
static bool are_literals(mst_place call, unsigned first) {
  const mst_tree *tree = call.module->tree;
  for (mst_node_id id = mst_child(tree, call.node, first); id != 0;
       id = mst_node_at(tree, id)->next)
    if (!is_literal(mst_place_at(call, id))) return false;
  return true;
}

static bool makes_widest(mst_place call) {
  static const char *const plain[] = {"numpy.zeros", "numpy.ones",     "numpy.empty",
                                      "numpy.eye",   "numpy.identity", NULL};
  const char *name = mst_called_name(call);
  const mst_api *api = mst_called_api(call);
  if (api == NULL || !mst_starts_with(name, "numpy.")) return false;
  const mst_node_id dtype = mst_argument(call, api->dtype_at, "dtype");
  if (dtype != 0) return is_wide_type(mst_place_at(call, dtype));
  if (strcmp(name, "numpy.linspace") == 0) /* whatever the number of points is */
    return is_literal(mst_place_child(call, 1)) && is_literal(mst_place_child(call, 2));
  if (mst_one_of(name, plain)) return true;
  if (strcmp(name, "numpy.full") == 0) return are_literals(call, 2);
  if (strcmp(name, "numpy.arange") == 0) return are_literals(call, 1);
  return (api->traits & MST_T_RANDOM) != 0 && mst_starts_with(name, "numpy.random.");
}

/* ---- names --------------------------------------------------------------------------------------- */

/* x = x + y of the same class: what is widest stays so. */
static bool has_operand(mst_place value, mst_symbol name, unsigned depth) {
  const mst_tree *tree = value.module->tree;
  const mst_api *api = mst_place_is(value, MST_K_CALL) ? mst_called_api(value) : NULL;
  if (mst_place_is(value, MST_K_NAME)) return mst_place_node(value)->name == name;
  if (depth > MOST_DEPTH) return false;
  if (!mst_place_is(value, MST_K_BINARY) && !mst_place_is(value, MST_K_UNARY) &&
      (api == NULL || (api->traits & MST_T_UFUNC) == 0))
    return false;
  for (mst_node_id id = mst_child(tree, value.node, api != NULL ? 1 : 0); id != 0;
       id = mst_node_at(tree, id)->next)
    if (has_operand(mst_place_at(value, id), name, depth + 1)) return true;
  return false;
}

static bool binds_widest(mst_place target, unsigned dtype) {
  const mst_place parent = mst_place_parent(target);
  if (mst_place_is(parent, MST_K_AUG_ASSIGN)) return true;
  if (!mst_place_is(parent, MST_K_ASSIGN) || mst_child_count(target.module->tree, parent.node) != 2)
    return false;
  const mst_place value = mst_place_child(parent, 1);
  if (!mst_is_array(mst_value_at(value)) || mst_value_at(value)->dtype != dtype) return false;
  return mst_place_is(value, MST_K_CALL) && makes_widest(value)
             ? true
             : has_operand(value, mst_place_node(target)->name, 0);
}

bool mst_is_widest(mst_place name) {
  mst_turns turns;
  const mst_value *value = mst_value_at(name);
  const mst_function *function = mst_function_at(name);
  const mst_symbol symbol = mst_place_node(name)->name;
  if (value->dtype != MST_D_FLOAT && value->dtype != MST_D_COMPLEX && value->dtype != MST_D_BOOL)
    return false;
  if (mst_parameter_by_name(function, symbol) < function->parameter_count) return false;
  if (!mst_is_own_name(name) || !mst_function_turns(&turns, name)) return false;
  for (mst_node_id id = 0; mst_next_store(&turns, symbol, &id);)
    if (mst_kind_of(name.module->tree, id) == MST_K_NAME &&
        !binds_widest(mst_place_at(name, id), value->dtype))
      return false;
  return !turns.is_spent;
}

/* ---- expressions --------------------------------------------------------------------------------- */

static bool keeps_width(mst_place place, mst_place array, unsigned depth) {
  const mst_tree *tree = place.module->tree;
  const mst_api *api = mst_place_is(place, MST_K_CALL) ? mst_called_api(place) : NULL;
  if (mst_same_expression(place, array) || is_literal(place)) return true;
  if (depth > MOST_DEPTH) return false;
  if (!mst_place_is(place, MST_K_BINARY) && !mst_place_is(place, MST_K_UNARY) &&
      (api == NULL || (api->traits & MST_T_UFUNC) == 0))
    return false;
  for (mst_node_id id = mst_child(tree, place.node, api != NULL ? 1 : 0); id != 0;
       id = mst_node_at(tree, id)->next)
    if (!keeps_width(mst_place_at(place, id), array, depth + 1)) return false;
  return true;
}

bool mst_keeps_width(mst_place expression, mst_place array) {
  return keeps_width(expression, array, 0);
}

static bool mentions_long_double(mst_place place) {
  static const char *const words[] = {"longdouble", "clongdouble", "float128", "complex256", NULL};
  for (size_t i = 0; words[i] != NULL; i++)
    if (mst_symbol_find(&place.program->symbols, words[i]) != MST_SYM_NONE) return true;
  return false;
}

static bool fits_widest(mst_place place, mst_place array, unsigned depth) {
  const mst_tree *tree = place.module->tree;
  const mst_value *value = mst_value_at(place);
  const mst_api *api = mst_place_is(place, MST_K_CALL) ? mst_called_api(place) : NULL;
  if (mst_same_expression(place, array) || mst_place_is(place, MST_K_NUMBER)) return true;
  if (depth > MOST_DEPTH) return false;
  if (!mst_place_is(place, MST_K_BINARY) && !mst_place_is(place, MST_K_UNARY) &&
      (api == NULL || (api->traits & MST_T_UFUNC) == 0))
    return mst_is_sure_number(place) ||
           (mst_is_arrayish(value) && value->dtype >= MST_D_BOOL && value->dtype <= MST_D_COMPLEX);
  for (mst_node_id id = mst_child(tree, place.node, api != NULL ? 1 : 0); id != 0;
       id = mst_node_at(tree, id)->next)
    if (!fits_widest(mst_place_at(place, id), array, depth + 1)) return false;
  return true;
}

bool mst_fits_widest(mst_place expression, mst_place array) {
  return !mentions_long_double(expression) && fits_widest(expression, array, 0);
}

/* ---- float64 ------------------------------------------------------------------------------------- */

static bool is_float64(mst_place place, unsigned depth);

/* At least one child from `first` on is float64, and the others are numbers. */
static bool are_float64(mst_place place, unsigned first, unsigned depth) {
  const mst_tree *tree = place.module->tree;
  bool any = false;
  for (mst_node_id id = mst_child(tree, place.node, first); id != 0;
       id = mst_node_at(tree, id)->next) {
    const mst_place child = mst_place_at(place, id);
    if (is_float64(child, depth + 1))
      any = true;
    else if (mst_value_at(child)->kind != MST_V_NUMBER)
      return false;
  }
  return any;
}

/* A local that is bound once, to such an array. */
static bool is_float64_name(mst_place name, unsigned depth) {
  mst_turns turns;
  const mst_function *function = mst_function_at(name);
  const mst_symbol symbol = mst_place_node(name)->name;
  if (mst_is_widest(name)) return true;
  if (mst_parameter_by_name(function, symbol) < function->parameter_count ||
      !mst_is_own_name(name) || mst_is_bound_anew(name) || !mst_function_turns(&turns, name))
    return false;
  for (mst_node_id id = 0; mst_next_store(&turns, symbol, &id);) {
    const mst_place statement = mst_place_parent(mst_place_at(name, id));
    if (mst_place_is(statement, MST_K_AUG_ASSIGN)) continue;
    if (!mst_place_is(statement, MST_K_ASSIGN) ||
        mst_child_count(name.module->tree, statement.node) != 2 ||
        !is_float64(mst_place_child(statement, 1), depth + 1))
      return false;
  }
  return !turns.is_spent;
}

static bool is_float64(mst_place place, unsigned depth) {
  const mst_value *value = mst_value_at(place);
  const mst_api *api = mst_place_is(place, MST_K_CALL) ? mst_called_api(place) : NULL;
  const unsigned op = mst_place_node(place)->op;
  if (!mst_is_array(value) || value->dtype != MST_D_FLOAT || depth > MOST_DEPTH) return false;
  switch (mst_place_kind(place)) {
  case MST_K_NAME: return is_float64_name(place, depth);
  case MST_K_BINARY: return op >= MST_OP_ADD && op <= MST_OP_POW && are_float64(place, 0, depth);
  case MST_K_UNARY: return are_float64(place, 0, depth);
  case MST_K_SUBSCRIPT: return is_float64(mst_place_child(place, 0), depth + 1);
  case MST_K_CALL:
    if (makes_widest(place)) return true;
    return api != NULL && (api->traits & MST_T_UFUNC) != 0 &&
           mst_is_called_under(place, "numpy.") && are_float64(place, 1, depth);
  default: return false;
  }
}

bool mst_is_float64(mst_place expression) { return is_float64(expression, 0); }
