/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "rules/scalar_function.h"

#define MOST_TWICE 40 /* bytes of what is written twice */

static const mst_scalar none = {.text = NULL};

/* ---- functions that NumPy has, too ----------------------------------------------------------------- */

typedef struct counterpart {
  const char *name, *ufunc;
  unsigned count; /* of arguments */
  mst_scalar_type type;
  bool is_positive;
  bool keeps_whole; /* NumPy's: of whole numbers it gives whole numbers */
} counterpart;

static const counterpart counterparts[] = {
    {"sqrt", "sqrt", 1, MST_S_FLOAT, true, false},
    {"cbrt", "cbrt", 1, MST_S_FLOAT, false, false},
    {"exp", "exp", 1, MST_S_FLOAT, true, false},
    {"exp2", "exp2", 1, MST_S_FLOAT, true, false},
    {"expm1", "expm1", 1, MST_S_FLOAT, false, false},
    {"log", "log", 1, MST_S_FLOAT, false, false},
    {"log2", "log2", 1, MST_S_FLOAT, false, false},
    {"log10", "log10", 1, MST_S_FLOAT, false, false},
    {"log1p", "log1p", 1, MST_S_FLOAT, false, false},
    {"sin", "sin", 1, MST_S_FLOAT, false, false},
    {"cos", "cos", 1, MST_S_FLOAT, false, false},
    {"tan", "tan", 1, MST_S_FLOAT, false, false},
    {"asin", "arcsin", 1, MST_S_FLOAT, false, false},
    {"acos", "arccos", 1, MST_S_FLOAT, true, false},
    {"atan", "arctan", 1, MST_S_FLOAT, false, false},
    {"atan2", "arctan2", 2, MST_S_FLOAT, false, false},
    {"sinh", "sinh", 1, MST_S_FLOAT, false, false},
    {"cosh", "cosh", 1, MST_S_FLOAT, true, false},
    {"tanh", "tanh", 1, MST_S_FLOAT, false, false},
    {"asinh", "arcsinh", 1, MST_S_FLOAT, false, false},
    {"acosh", "arccosh", 1, MST_S_FLOAT, true, false},
    {"atanh", "arctanh", 1, MST_S_FLOAT, false, false},
    {"hypot", "hypot", 2, MST_S_FLOAT, true, false},
    {"fabs", "fabs", 1, MST_S_FLOAT, true, false},
    {"fmod", "fmod", 2, MST_S_FLOAT, false, true},
    {"copysign", "copysign", 2, MST_S_FLOAT, false, false},
    {"pow", "power", 2, MST_S_FLOAT, false, true},
    {"degrees", "degrees", 1, MST_S_FLOAT, false, false},
    {"radians", "radians", 1, MST_S_FLOAT, false, false},
    {"isnan", "isnan", 1, MST_S_BOOL, false, false},
    {"isinf", "isinf", 1, MST_S_BOOL, false, false},
    {"isfinite", "isfinite", 1, MST_S_BOOL, false, false},
    /* of NumPy only */
    {NULL, "abs", 1, MST_S_FLOAT, true, true},
    {NULL, "absolute", 1, MST_S_FLOAT, true, true},
    {NULL, "minimum", 2, MST_S_FLOAT, false, true},
    {NULL, "maximum", 2, MST_S_FLOAT, false, true},
    {NULL, "fmin", 2, MST_S_FLOAT, false, true},
    {NULL, "fmax", 2, MST_S_FLOAT, false, true},
    {NULL, "clip", 3, MST_S_FLOAT, false, true},
    {NULL, "sign", 1, MST_S_FLOAT, false, true},
    {NULL, "square", 1, MST_S_FLOAT, true, true},
    {NULL, "floor", 1, MST_S_FLOAT, false, true},
    {NULL, "ceil", 1, MST_S_FLOAT, false, true},
    {NULL, "trunc", 1, MST_S_FLOAT, false, true},
    {NULL, "rint", 1, MST_S_FLOAT, false, true},
};

/* math.exp or np.exp; NULL: none of these. */
static const counterpart *counterpart_of(const char *name) {
  const bool is_math = mst_starts_with(name, "math."), is_numpy = mst_starts_with(name, "numpy.");
  if (!is_math && !is_numpy) return NULL;
  const char *short_name = strchr(name, '.') + 1;
  for (size_t i = 0; i < sizeof counterparts / sizeof *counterparts; i++) {
    const char *known = is_math ? counterparts[i].name : counterparts[i].ufunc;
    if (known != NULL && strcmp(known, short_name) == 0) return &counterparts[i];
  }
  return NULL;
}

static mst_scalar of_counterpart(mst_scalar_function *function, mst_place call,
                                 const counterpart *like) {
  const char *name = mst_format_text(function->context->arena, "%s.%s", function->np, like->ufunc);
  const bool keeps_whole = like->keeps_whole && mst_is_called_under(call, "numpy.");
  mst_edit edits[4] = {{mst_place_child(call, 0).node, name}};
  mst_scalar all = {.type = like->type, .is_atom = true, .is_positive = like->is_positive};
  bool has_float = false, has_mixed = false;
  if (mst_positional_count(call) != like->count) return none;
  for (unsigned i = 1; i <= like->count; i++) {
    const mst_place argument = mst_place_child(call, i);
    const mst_scalar scalar =
        mst_scalar_number(function, mst_scalar_expression(function, argument.node));
    if (scalar.text == NULL || scalar.type == MST_S_BOOL) return none;
    has_float = has_float || scalar.type == MST_S_FLOAT;
    has_mixed = has_mixed || scalar.type == MST_S_MIXED;
    all.needs |= scalar.needs;
    edits[i] = (mst_edit){argument.node, scalar.text};
  }
  if (all.needs != 0 && !has_float && !has_mixed) return none;
  if (keeps_whole && !has_float && has_mixed) all.type = MST_S_MIXED;
  if (all.needs == 0) function->has_risk = true;
  all.text = mst_scalar_text(function, call, edits, like->count + 1);
  return all;
}

/* ---- builtins --------------------------------------------------------------------------------------- */

static mst_scalar absolute(mst_scalar_function *function, mst_place call) {
  const mst_place argument = mst_place_child(call, 1);
  mst_scalar scalar = mst_scalar_number(function, mst_scalar_expression(function, argument.node));
  const mst_edit edit = {argument.node, scalar.text};
  if (scalar.text == NULL || scalar.type == MST_S_BOOL) return none;
  return (mst_scalar){.text = mst_scalar_text(function, call, &edit, 1),
                      .type = scalar.type,
                      .needs = scalar.needs,
                      .is_atom = true,
                      .is_positive = true};
}

static mst_scalar to_float(mst_scalar_function *function, mst_place call) {
  mst_scalar scalar =
      mst_scalar_number(function, mst_scalar_expression(function, mst_place_child(call, 1).node));
  if (scalar.text == NULL || (scalar.needs != 0 && scalar.type != MST_S_FLOAT)) return none;
  scalar.text = mst_scalar_operand(function, &scalar);
  scalar.type = MST_S_FLOAT;
  scalar.is_atom = true;
  return scalar;
}

/* Where both are equal, or NaN is the first, both functions give the same; but of two zeros. */
static bool is_like_ufunc(mst_place second, const mst_scalar *a, const mst_scalar *b) {
  const mst_value *value = mst_value_at(second);
  return a->needs != 0 && b->needs == 0 && mst_knows_number(value) && value->number != 0 &&
         (value->flags & MST_VF_FROM_DEFAULT) == 0;
}

/* min(a, b): b where it is less than a, and else a, also where one of them is NaN. */
static mst_scalar lesser(mst_scalar_function *function, mst_place call, bool is_min) {
  mst_arena *arena = function->context->arena;
  const mst_place first = mst_place_child(call, 1), second = mst_place_child(call, 2);
  const mst_scalar a = mst_scalar_number(function, mst_scalar_expression(function, first.node));
  const mst_scalar b = mst_scalar_number(function, mst_scalar_expression(function, second.node));
  if (a.text == NULL || b.text == NULL || a.type == MST_S_BOOL || b.type == MST_S_BOOL) return none;
  mst_scalar all = {.type = mst_scalar_join(a.type, b.type),
                    .needs = a.needs | b.needs,
                    .is_atom = true,
                    .is_positive =
                        is_min ? a.is_positive && b.is_positive : a.is_positive || b.is_positive};
  if (is_like_ufunc(second, &a, &b)) {
    all.text = mst_format_text(arena, "%s.%s(%s, %s)", function->np, is_min ? "minimum" : "maximum",
                               a.text, b.text);
    return all;
  }
  if (strlen(a.text) > MOST_TWICE || strlen(b.text) > MOST_TWICE) return none;
  all.text = mst_format_text(arena, "%s.where(%s %c %s, %s, %s)", function->np, b.text,
                             is_min ? '<' : '>', a.text, b.text, a.text);
  return all;
}

/* ---- calls ------------------------------------------------------------------------------------------ */

mst_scalar mst_scalar_call(mst_scalar_function *function, mst_place call) {
  const char *name = mst_called_name(call);
  const unsigned count = mst_positional_count(call);
  if (name == NULL || count + 1 != mst_child_count(call.module->tree, call.node)) return none;
  const counterpart *like = counterpart_of(name);
  if (like != NULL) return of_counterpart(function, call, like);
  if (count == 1 && strcmp(name, "builtins.abs") == 0) return absolute(function, call);
  if (count == 1 && strcmp(name, "builtins.float") == 0) return to_float(function, call);
  if (count == 2 && strcmp(name, "builtins.min") == 0) return lesser(function, call, true);
  if (count == 2 && strcmp(name, "builtins.max") == 0) return lesser(function, call, false);
  return none;
}
