/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "rules/scalar_function.h"
#include "rules/turns.h"

#define MOST_OPERANDS 8
#define MOST_DIGITS 15 /* more may be a whole number that fits into no type of NumPy */
#define MOST_TEXT 400

static const mst_scalar none = {.text = NULL};

void mst_scalar_doubt(mst_scalar_function *function, const char *doubt) {
  if (function->doubt == NULL) function->doubt = doubt;
}

/* ---- texts ---------------------------------------------------------------------------------------- */

const char *mst_scalar_text(const mst_scalar_function *function, mst_place place,
                            const mst_edit *edits, unsigned count) {
  const char *lines = mst_lines_with(function->context, place, edits, count);
  char *text = mst_arena_text(function->context->arena, lines, strlen(lines)), *out = text;
  if (strpbrk(text, "#\\") != NULL || strlen(text) > MOST_TEXT) return NULL;
  for (const char *at = text; *at != '\0';) {
    if (*at != '\n') {
      *out++ = *at++;
      continue;
    }
    at += strspn(at, " \t\n");
    if (out > text && out[-1] != '(' && *at != ')') *out++ = ' ';
  }
  *out = '\0';
  return text;
}

const char *mst_scalar_operand(const mst_scalar_function *function, const mst_scalar *scalar) {
  return scalar->is_atom ? scalar->text
                         : mst_format_text(function->context->arena, "(%s)", scalar->text);
}

static mst_place at(const mst_scalar_function *function, mst_node_id node) {
  return mst_place_at(function->place, node);
}

/* ---- types ---------------------------------------------------------------------------------------- */

mst_scalar mst_scalar_number(mst_scalar_function *function, mst_scalar scalar) {
  if (scalar.text == NULL || scalar.type != MST_S_ANY) return scalar;
  mst_scalar_doubt(function, "it is not seen that the elements are of type float64");
  scalar.type = MST_S_FLOAT;
  return scalar;
}

mst_scalar_type mst_scalar_join(mst_scalar_type a, mst_scalar_type b) {
  return a == b ? a : MST_S_MIXED;
}

/* ---- leaves --------------------------------------------------------------------------------------- */

/* math.pi, np.inf */
static bool is_known_constant(mst_place place) {
  static const char *const names[] = {"pi", "e", "tau", "inf", "nan", NULL};
  static const char *const modules[] = {"math", "numpy", NULL};
  return mst_place_is(place, MST_K_ATTRIBUTE) && mst_one_of(mst_place_name(place), names) &&
         mst_one_of(mst_expression_name(mst_place_child(place, 0)), modules);
}

static bool is_literal(mst_place place) {
  if (mst_place_is(place, MST_K_UNARY)) return is_literal(mst_place_child(place, 0));
  if (mst_place_is(place, MST_K_BINARY))
    return is_literal(mst_place_child(place, 0)) && is_literal(mst_place_child(place, 1));
  return mst_place_is(place, MST_K_NUMBER) || is_known_constant(place);
}

/* x: float, n: int */
static bool is_declared_number(mst_place parameter) {
  static const char *const types[] = {"float", "int", NULL};
  const mst_place annotation = mst_place_child(parameter, 0);
  return mst_place_is(annotation, MST_K_NAME) && mst_one_of(mst_place_name(annotation), types);
}

/* The function that the name is a local of; the module, if it is none's. */
static const mst_function *scope_of(mst_place name) {
  const mst_program *program = name.program;
  const mst_function *scope = mst_function_at(name);
  while (mst_local_slot(scope, mst_place_node(name)->name) == UINT32_MAX &&
         scope != &program->functions.data[scope->parent])
    scope = &program->functions.data[scope->parent];
  return scope;
}

/* True for a binding of the name in another function: of another name. */
static bool is_elsewhere(mst_place store, const mst_function *scope) {
  const mst_function *around = mst_function_at(store);
  return around != scope && mst_local_slot(around, mst_place_node(store)->name) != UINT32_MAX;
}

/* All that the surroundings bind to the name are numbers of Python: those of NumPy may be short,
 * and make others short. */
static bool is_of_python(mst_place name) {
  mst_turns turns;
  bool is_bound = false;
  const mst_symbol symbol = mst_place_node(name)->name;
  const mst_function *scope = scope_of(name);
  if (!mst_turns_of(&turns, mst_place_at(name, scope->node))) return false;
  for (mst_node_id id = 0; mst_next_store(&turns, symbol, &id);) {
    const mst_place store = mst_place_at(name, id), statement = mst_place_parent(store);
    if (!mst_place_is(store, MST_K_NAME) || is_elsewhere(store, scope)) continue;
    if (!mst_place_is(statement, MST_K_ASSIGN) ||
        mst_child_count(name.module->tree, statement.node) != 2 ||
        !is_literal(mst_place_child(statement, 1)))
      return false;
    is_bound = true;
  }
  const uint32_t parameter = mst_parameter_by_name(scope, symbol);
  if (parameter == scope->parameter_count) return is_bound && !turns.is_spent;
  return is_declared_number(mst_place_at(name, scope->parameters[parameter].node)) &&
         !turns.is_spent;
}

bool mst_is_python_number(mst_place place) {
  return is_literal(place) || (mst_place_is(place, MST_K_NAME) && is_of_python(place));
}

/* A number of the surroundings. */
static mst_scalar constant(mst_scalar_function *function, mst_place place) {
  const mst_value *value = mst_value_at(place);
  mst_scalar scalar = {.text = mst_source_of(function->context, place), .is_atom = true};
  if (is_known_constant(place)) {
    scalar.type = MST_S_FLOAT;
    scalar.is_positive = true;
    return scalar;
  }
  if (!mst_place_is(place, MST_K_NAME) || value->kind != MST_V_NUMBER) return none;
  const mst_function *scope = mst_function_at(place);
  if (mst_local_slot(scope, mst_place_node(place)->name) != UINT32_MAX &&
      scope->node == function->place.node)
    return none;
  if (!is_of_python(place))
    mst_scalar_doubt(function, "a number of its surroundings is not seen to be one of Python's");
  const bool is_float = mst_knows_number(value) && (value->flags & MST_VF_INTEGER) == 0 &&
                        (value->flags & (MST_VF_FROM_DEFAULT | MST_VF_PARAMETER)) == 0;
  scalar.type = is_float ? MST_S_FLOAT : MST_S_NUMBER;
  scalar.is_positive = is_float && value->number >= 0;
  return scalar;
}

static mst_scalar name(mst_scalar_function *function, mst_place place) {
  for (unsigned i = 0; i < function->count; i++)
    if (function->names[i] == mst_place_node(place)->name) return function->values[i];
  return constant(function, place);
}

static mst_scalar literal(const mst_scalar_function *function, mst_place place) {
  const mst_node *node = mst_place_node(place);
  if ((node->flags & MST_F_IMAGINARY) != 0 || node->end - node->start > MOST_DIGITS) return none;
  return (mst_scalar){.text = mst_source_of(function->context, place),
                      .type = (node->flags & MST_F_FLOAT) != 0 ? MST_S_FLOAT : MST_S_INT,
                      .is_atom = true,
                      .is_positive = true};
}

/* ---- operators ------------------------------------------------------------------------------------ */

/* A negative number to a power that is not whole is complex in Python, and NaN in NumPy. */
static bool is_real_power(const mst_scalar *base, const mst_scalar *exponent) {
  char *end;
  if (base->is_positive) return true;
  if (exponent->needs != 0) return false;
  const char *text = exponent->text + strspn(exponent->text, "(-");
  const double number = strtod(text, &end);
  return end != text && *(end + strspn(end, ")")) == '\0' && number == floor(number);
}

static mst_scalar_type type_of_arithmetic(mst_scalar_function *function, unsigned op,
                                          const mst_scalar *left, const mst_scalar *right) {
  if (left->type == MST_S_FLOAT || right->type == MST_S_FLOAT) return MST_S_FLOAT;
  if (left->needs == 0 && right->needs == 0) {
    if (op == MST_OP_DIV) return MST_S_FLOAT;
    const bool is_whole = left->type == MST_S_INT && right->type == MST_S_INT && op != MST_OP_POW;
    return is_whole ? MST_S_INT : MST_S_NUMBER;
  }
  mst_scalar_doubt(function, "whole numbers of Python know no overflow, and no negative zero");
  return MST_S_MIXED;
}

mst_scalar mst_scalar_binary(mst_scalar_function *function, unsigned op, const mst_scalar *left_,
                             const mst_scalar *right_, const char *text) {
  const mst_scalar left = mst_scalar_number(function, *left_);
  const mst_scalar right = mst_scalar_number(function, *right_);
  const bool is_bool = left.type == MST_S_BOOL || right.type == MST_S_BOOL;
  const bool is_plain = op == MST_OP_ADD || op == MST_OP_SUB || op == MST_OP_MUL;
  if (left.text == NULL || right.text == NULL || text == NULL || op < MST_OP_ADD || op > MST_OP_POW)
    return none;
  if (is_bool && (!is_plain || (left.type != MST_S_FLOAT && right.type != MST_S_FLOAT)))
    return none;
  if (op == MST_OP_POW && !is_real_power(&left, &right))
    mst_scalar_doubt(function,
                     "a root of a negative number is complex in Python, and NaN in NumPy");
  return (mst_scalar){.text = text,
                      .type = type_of_arithmetic(function, op, &left, &right),
                      .needs = left.needs | right.needs};
}

/* Numbers of the code of which Python may make an error: 1 / N. */
static bool may_raise(mst_place place) {
  const unsigned op = mst_place_node(place)->op;
  const mst_value *value = mst_value_at(place), *right = mst_value_at(mst_place_child(place, 1));
  if (op == MST_OP_ADD || op == MST_OP_SUB || op == MST_OP_MUL) return false;
  if (op != MST_OP_POW) return !mst_knows_number(right) || right->number == 0;
  return !mst_knows_number(value) || !isfinite(value->number);
}

static mst_scalar binary(mst_scalar_function *function, mst_place place) {
  const mst_place left = mst_place_child(place, 0), right = mst_place_child(place, 1);
  const mst_scalar a = mst_scalar_expression(function, left.node);
  const mst_scalar b = mst_scalar_expression(function, right.node);
  if (a.text == NULL || b.text == NULL) return none;
  if (a.needs == 0 && b.needs == 0 && may_raise(place)) function->has_risk = true;
  const mst_edit edits[] = {{left.node, a.text}, {right.node, b.text}};
  return mst_scalar_binary(function, mst_place_node(place)->op, &a, &b,
                           mst_scalar_text(function, place, edits, 2));
}

static mst_scalar unary(mst_scalar_function *function, mst_place place) {
  const mst_place operand = mst_place_child(place, 0);
  mst_scalar scalar = mst_scalar_number(function, mst_scalar_expression(function, operand.node));
  const mst_edit edit = {operand.node, scalar.text};
  if (scalar.text == NULL || scalar.type == MST_S_BOOL ||
      mst_place_node(place)->op == MST_OP_INVERT)
    return none;
  if (scalar.type == MST_S_MIXED || (scalar.type == MST_S_NUMBER && scalar.needs != 0))
    mst_scalar_doubt(function, "whole numbers of Python know no overflow, and no negative zero");
  return (mst_scalar){.text = mst_scalar_text(function, place, &edit, 1),
                      .type = scalar.type,
                      .needs = scalar.needs};
}

/* ---- tests ---------------------------------------------------------------------------------------- */

/* A number that no type of floating point rounds, be it ever so short. */
static bool is_exact_in_any_type(mst_place place) {
  const mst_value *value = mst_value_at(place);
  int exponent;
  if (!mst_knows_number(value) || (value->flags & MST_VF_FROM_DEFAULT) != 0) return false;
  const double digits = ldexp(frexp(value->number, &exponent), 11);
  return digits == floor(digits) && exponent <= 15 && exponent > -13;
}

static const char *operator_between(const mst_scalar_function *function, mst_place left,
                                    mst_place right) {
  static const char *const operators[] = {"<", "<=", ">", ">=", "==", "!=", NULL};
  const char *text = left.module->tree->source->text;
  char between[4] = "";
  size_t length = 0;
  for (uint32_t i = mst_place_node(left)->end; i < mst_place_node(right)->start; i++) {
    if (strchr(" ()\n\t", text[i]) != NULL) continue;
    if (length == 2) return NULL;
    between[length++] = text[i];
  }
  if (!mst_one_of(between, operators)) return NULL;
  return mst_arena_text(function->context->arena, between, length);
}

/* Tests of elements of an unknown type give the same where nothing is rounded. */
static void settle_types(mst_scalar_function *function, mst_place left, mst_scalar *a,
                         mst_place right, mst_scalar *b) {
  const bool is_exact = (a->type == MST_S_ANY && b->needs == 0 && is_exact_in_any_type(right)) ||
                        (b->type == MST_S_ANY && a->needs == 0 && is_exact_in_any_type(left));
  if (is_exact) return;
  *a = mst_scalar_number(function, *a);
  *b = mst_scalar_number(function, *b);
}

static mst_scalar test_of_two(mst_scalar_function *function, mst_place left, mst_place right) {
  mst_scalar a = mst_scalar_expression(function, left.node);
  mst_scalar b = mst_scalar_expression(function, right.node);
  const char *sign = operator_between(function, left, right);
  if (a.text == NULL || b.text == NULL || sign == NULL) return none;
  if (a.type == MST_S_BOOL || b.type == MST_S_BOOL) return none;
  settle_types(function, left, &a, right, &b);
  return (mst_scalar){
      .text = mst_format_text(function->context->arena, "%s %s %s", a.text, sign, b.text),
      .type = MST_S_BOOL,
      .needs = a.needs | b.needs};
}

static mst_scalar joined(mst_scalar_function *function, const mst_scalar *a, const mst_scalar *b,
                         char joint) {
  if (a->text == NULL || b->text == NULL || a->type != MST_S_BOOL || b->type != MST_S_BOOL)
    return none;
  function->has_branches = true;
  const char *left = a->joint == joint ? a->text : mst_scalar_operand(function, a);
  const char *right = b->joint == joint ? b->text : mst_scalar_operand(function, b);
  return (mst_scalar){.text =
                          mst_format_text(function->context->arena, "%s %c %s", left, joint, right),
                      .type = MST_S_BOOL,
                      .needs = a->needs | b->needs,
                      .joint = joint};
}

/* 0 < v < 1 is (0 < v) & (v < 1). */
static mst_scalar comparison(mst_scalar_function *function, mst_place place) {
  mst_scalar all = none;
  for (unsigned i = 0; i + 1 < mst_child_count(place.module->tree, place.node); i++) {
    const mst_scalar one =
        test_of_two(function, mst_place_child(place, i), mst_place_child(place, i + 1));
    all = i == 0 ? one : joined(function, &all, &one, '&');
    if (all.text == NULL || strlen(all.text) > MOST_TEXT) return none;
  }
  return all;
}

static mst_scalar boolean(mst_scalar_function *function, mst_place place) {
  const mst_scalar a = mst_scalar_expression(function, mst_place_child(place, 0).node);
  const mst_scalar b = mst_scalar_expression(function, mst_place_child(place, 1).node);
  return joined(function, &a, &b, mst_place_node(place)->op == MST_OP_AND ? '&' : '|');
}

static mst_scalar negation(mst_scalar_function *function, mst_place place) {
  mst_scalar test = mst_scalar_expression(function, mst_place_child(place, 0).node);
  if (test.text == NULL || test.type != MST_S_BOOL) return none;
  test.text =
      mst_format_text(function->context->arena, "%s.logical_not(%s)", function->np, test.text);
  test.is_atom = true;
  test.joint = 0;
  return test;
}

/* ---- choices -------------------------------------------------------------------------------------- */

static const char *listed(const mst_scalar_function *function, const mst_scalar *scalars,
                          unsigned count) {
  const char *text = scalars[0].text;
  for (unsigned i = 1; i < count; i++)
    text = mst_format_text(function->context->arena, "%s, %s", text, scalars[i].text);
  return text;
}

mst_scalar mst_scalar_choice(mst_scalar_function *function, const mst_scalar *tests,
                             const mst_scalar *values, unsigned count) {
  mst_scalar all = {.is_atom = true, .is_positive = true};
  for (unsigned i = 0; i <= count; i++) {
    const mst_scalar value = mst_scalar_number(function, values[i]);
    if (value.text == NULL || (i < count && tests[i].text == NULL)) return none;
    if (i < count && (tests[i].type != MST_S_BOOL || tests[i].needs == 0)) return none;
    if (i > 0 && (all.type == MST_S_BOOL) != (value.type == MST_S_BOOL)) return none;
    all.type = i == 0 ? value.type : mst_scalar_join(all.type, value.type);
    all.needs |= value.needs | (i < count ? tests[i].needs : 0);
    all.is_positive = all.is_positive && value.is_positive;
  }
  if (count == 0) return values[0];
  function->has_branches = true;
  mst_arena *arena = function->context->arena;
  all.text = count == 1 ? mst_format_text(arena, "%s.where(%s, %s, %s)", function->np,
                                          tests[0].text, values[0].text, values[1].text)
                        : mst_format_text(arena, "%s.select([%s], [%s], %s)", function->np,
                                          listed(function, tests, count),
                                          listed(function, values, count), values[count].text);
  return all;
}

/* a if t else b if s else c */
static mst_scalar conditional(mst_scalar_function *function, mst_place place) {
  mst_scalar tests[MOST_OPERANDS], values[MOST_OPERANDS + 1];
  unsigned count = 0;
  for (; mst_place_is(place, MST_K_CONDITIONAL); place = mst_place_child(place, 2)) {
    if (count == MOST_OPERANDS) return none;
    values[count] = mst_scalar_expression(function, mst_place_child(place, 0).node);
    tests[count++] = mst_scalar_expression(function, mst_place_child(place, 1).node);
  }
  values[count] = mst_scalar_expression(function, place.node);
  return mst_scalar_choice(function, tests, values, count);
}

/* ---- expressions ---------------------------------------------------------------------------------- */

static mst_scalar expression(mst_scalar_function *function, mst_place place) {
  switch (mst_place_kind(place)) {
  case MST_K_NUMBER: return literal(function, place);
  case MST_K_TRUE:
  case MST_K_FALSE:
    return (mst_scalar){
        .text = mst_source_of(function->context, place), .type = MST_S_BOOL, .is_atom = true};
  case MST_K_NAME: return name(function, place);
  case MST_K_ATTRIBUTE: return constant(function, place);
  case MST_K_BINARY: return binary(function, place);
  case MST_K_UNARY: return unary(function, place);
  case MST_K_COMPARE: return comparison(function, place);
  case MST_K_BOOLEAN: return boolean(function, place);
  case MST_K_NOT: return negation(function, place);
  case MST_K_CONDITIONAL: return conditional(function, place);
  case MST_K_CALL: return mst_scalar_call(function, place);
  default: return none;
  }
}

static bool is_atom(mst_kind kind) {
  return kind != MST_K_UNARY && kind != MST_K_BINARY && kind != MST_K_COMPARE &&
         kind != MST_K_BOOLEAN && kind != MST_K_NOT && kind != MST_K_CONDITIONAL;
}

mst_scalar mst_scalar_expression(mst_scalar_function *function, mst_node_id node) {
  const mst_place place = at(function, node);
  mst_scalar scalar = expression(function, place);
  /* What is made of constants alone is left to Python. */
  if (scalar.text != NULL && scalar.needs == 0) {
    scalar.text = mst_scalar_text(function, place, NULL, 0);
    scalar.is_atom = is_atom(mst_place_kind(place));
    scalar.joint = 0;
  }
  if (scalar.text != NULL && strlen(scalar.text) > MOST_TEXT) return none;
  return scalar;
}
