/* SPDX-License-Identifier: Apache-2.0 */
#include "rules/vectorized.h"

#include <string.h>

#include "rules/own_names.h"
#include "rules/scalar_function.h"
#include "rules/suggest.h"
#include "rules/widths.h"

#define MOST_SOURCE (256 * 1024) /* bytes that are searched for each construction */

typedef struct vectorized {
  mst_rule_context *context;
  mst_place made; /* the CALL, or the decorator */
  const mst_vectorized_uses *uses;
  bool is_decorator, is_ufunc; /* np.frompyfunc, which gives back objects */
  mst_place function;          /* FUNCTION or LAMBDA */
  bool has_type;               /* otypes= */
  mst_scalar_type type;
  mst_scalar_function of;
} vectorized;

static const mst_tree *tree_of(const vectorized *all) { return all->made.module->tree; }

/* ---- the function ---------------------------------------------------------------------------------- */

/* The plain function that a name stands for; node 0: another one, or one that may be several. */
static mst_place named_function(mst_place name) {
  const mst_value *value = mst_value_at(name);
  const mst_place unknown = mst_place_at(name, 0);
  if (!mst_place_is(name, MST_K_NAME) || value->kind != MST_V_FUNCTION || value->self != 0 ||
      value->items != 0)
    return unknown;
  const mst_function *function = &name.program->functions.data[value->ref];
  if (&name.program->modules[function->module] != name.module || function->class_ != 0 ||
      mst_child_count(name.module->tree, function->node) > 3)
    return unknown;
  return mst_place_at(name, function->node);
}

static mst_place body_of(mst_place function) {
  return mst_place_child(function, mst_place_is(function, MST_K_LAMBDA) ? 1 : 2);
}

/* What the function reads of its surroundings is the same where the construction stands. */
static bool sees_the_same(mst_place function, mst_place made) {
  const mst_tree *tree = made.module->tree;
  const mst_program *program = made.program;
  const mst_function *own =
      &program->functions.data[made.module->function_of[body_of(function).node]];
  const mst_function *around = &program->functions.data[own->parent];
  const mst_node_id end = mst_subtree_end(tree, function.node);
  for (const mst_function *at = mst_function_at(made); at != around;
       at = &program->functions.data[at->parent]) {
    if (at == &program->functions.data[at->parent]) return false;
    for (mst_node_id id = function.node; id < end; id++)
      if (mst_kind_of(tree, id) == MST_K_NAME &&
          mst_local_slot(own, mst_node_at(tree, id)->name) == UINT32_MAX &&
          mst_local_slot(at, mst_node_at(tree, id)->name) != UINT32_MAX)
        return false;
  }
  return true;
}

static bool find_function(vectorized *all) {
  const mst_place parent = mst_place_parent(all->made);
  const mst_tree *tree = tree_of(all);
  all->is_decorator = mst_place_is(parent, MST_K_FUNCTION);
  if (all->is_decorator) {
    all->function = parent;
    return mst_child_count(tree, parent.node) == 4 &&
           mst_kind_of(tree, mst_node_at(tree, mst_place_node(parent)->parent)->parent) !=
               MST_K_CLASS;
  }
  const mst_place argument = mst_place_child(all->made, 1);
  if (argument.node == 0) return false;
  all->function = mst_place_is(argument, MST_K_LAMBDA) ? argument : named_function(argument);
  return all->function.node != 0 && sees_the_same(all->function, all->made);
}

/* ---- options ---------------------------------------------------------------------------------------- */

static bool read_type(mst_place type, mst_scalar_type *out) {
  static const char *const floats[] = {"builtins.float", "numpy.float64", "numpy.double", NULL};
  static const char *const wholes[] = {"builtins.int", "numpy.int64", NULL};
  static const char *const truths[] = {"builtins.bool", "numpy.bool_", "numpy.bool", NULL};
  static const char *const texts[] = {"d", "float64", "f8", "float", NULL};
  const char *name = mst_expression_name(type);
  if (mst_place_is(type, MST_K_STRING)) {
    const mst_node *node = mst_place_node(type);
    const size_t length = node->end - node->start;
    for (unsigned i = 0; texts[i] != NULL; i++)
      if (length == strlen(texts[i]) + 2 &&
          memcmp(type.module->tree->source->text + node->start + 1, texts[i], length - 2) == 0)
        return *out = MST_S_FLOAT, true;
    return false;
  }
  *out = mst_one_of(name, floats) ? MST_S_FLOAT : mst_one_of(name, wholes) ? MST_S_INT : MST_S_BOOL;
  return *out != MST_S_BOOL || mst_one_of(name, truths);
}

/* Nothing but otypes= and cache=; np.frompyfunc(f, 1, 1). */
static bool read_options(vectorized *all) {
  if (!mst_place_is(all->made, MST_K_CALL)) return true;
  const mst_tree *tree = tree_of(all);
  const char *name = mst_called_name(all->made);
  all->is_ufunc = name != NULL && strcmp(name, "numpy.frompyfunc") == 0;
  if (all->is_ufunc) return mst_is_number(mst_place_child(all->made, 3), 1);
  const unsigned count = mst_positional_count(all->made);
  if (count != (all->is_decorator ? 0 : 1)) return false;
  for (mst_node_id id = mst_child(tree, all->made.node, count + 1); id != 0;
       id = mst_node_at(tree, id)->next) {
    const mst_place keyword = mst_place_at(all->made, id);
    if (!mst_place_is(keyword, MST_K_KEYWORD)) return false;
    if (strcmp(mst_place_name(keyword), "cache") == 0) continue;
    if (strcmp(mst_place_name(keyword), "otypes") != 0) return false;
    mst_place type = mst_place_child(keyword, 0);
    if (mst_place_is(type, MST_K_LIST) || mst_place_is(type, MST_K_TUPLE)) {
      if (mst_child_count(tree, type.node) != 1) return false;
      type = mst_place_child(type, 0);
    } else if (!mst_place_is(type, MST_K_STRING)) {
      return false;
    }
    if (!read_type(type, &all->type)) return false;
    all->has_type = true;
  }
  return true;
}

/* ---- arguments -------------------------------------------------------------------------------------- */

static bool is_seen(mst_place argument) {
  const mst_value *value = mst_value_at(argument);
  if (value->rank == 0) return false; /* of which np.vectorize makes an array, and NumPy a number */
  if (mst_place_is(argument, MST_K_NAME)) return mst_is_seen_array(argument);
  return mst_is_target_array(value) && value->confidence == MST_CERTAIN &&
         (value->flags & (MST_VF_MAYBE_ELEMENT | MST_VF_ELEMENT)) == 0;
}

/* True where a source has anything about shorter types, which annotations may mean, too, or is too
 * long to look. */
static bool speaks_of_short_types(const mst_module *module) {
  static const char *const names[] = {"float32", "float16", ".single", ".half",
                                      "f4\"",    "f4'",     "f2\"",    "f2'"};
  const mst_source *source = module->tree->source;
  if (source->length > MOST_SOURCE) return true;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strstr(source->text, names[i]) != NULL) return true;
  return false;
}

/* v: float, v: np.float64, which are believed. */
static bool is_declared_float(const vectorized *all, mst_node_id parameter) {
  const mst_place annotation = mst_place_child(mst_place_at(all->made, parameter), 0);
  const char *name = mst_place_name(annotation);
  if (mst_place_is(annotation, MST_K_NAME)) return strcmp(name, "float") == 0;
  return mst_place_is(annotation, MST_K_ATTRIBUTE) && strcmp(name, "float64") == 0;
}

static mst_scalar_type type_of_argument(const vectorized *all, mst_place argument,
                                        mst_node_id parameter) {
  const mst_value *value = mst_value_at(argument);
  if (value->kind == MST_V_NUMBER)
    return mst_place_is(argument, MST_K_NUMBER) &&
                   (mst_place_node(argument)->flags & MST_F_FLOAT) != 0
               ? MST_S_FLOAT
               : MST_S_NUMBER;
  if (mst_is_float64(argument)) return MST_S_FLOAT;
  const bool may_be_float = value->dtype == MST_D_FLOAT || value->dtype == MST_D_UNKNOWN;
  return may_be_float && is_declared_float(all, parameter) &&
                 !speaks_of_short_types(all->made.module) && !speaks_of_short_types(argument.module)
             ? MST_S_FLOAT
             : MST_S_ANY;
}

/* Of what the call hands over; false: not in the way of plain numbers and arrays. */
static bool add_call(const vectorized *all, mst_place call, bool is_first, mst_scalar_type *types) {
  const mst_tree *tree = tree_of(all);
  const unsigned count = mst_positional_count(call);
  unsigned i = 0;
  bool has_array = false;
  if (count + 1 != mst_child_count(call.module->tree, call.node)) return false;
  MST_EACH_CHILD(tree, parameter, mst_place_child(all->function, 0).node) {
    const mst_place otherwise = mst_place_child(mst_place_at(all->made, parameter), 1);
    const mst_place argument =
        i < count ? mst_place_child(call, i + 1) : mst_place_at(all->made, otherwise.node);
    if (i >= MST_MOST_NAMES || argument.node == 0 ||
        (i >= count && !mst_place_is(argument, MST_K_NUMBER)))
      return false;
    const mst_scalar_type type = type_of_argument(all, argument, parameter);
    const bool is_array = is_seen(argument);
    if (!is_array && !mst_is_python_number(argument)) return false;
    has_array = has_array || is_array;
    types[i] = is_first || types[i] == type ? type : MST_S_ANY;
    i++;
  }
  return has_array && i >= count;
}

/* f(a).astype(float): the objects go at once. */
static bool is_converted(mst_place call) {
  static const char *const floats[] = {"builtins.float", "numpy.float64", NULL};
  const mst_place attribute = mst_place_parent(call), around = mst_place_parent(attribute);
  return mst_place_is(attribute, MST_K_ATTRIBUTE) && mst_place_is(around, MST_K_CALL) &&
         mst_place_node(around)->first == attribute.node &&
         strcmp(mst_place_name(attribute), "astype") == 0 &&
         mst_child_count(call.module->tree, around.node) == 2 &&
         mst_one_of(mst_expression_name(mst_place_child(around, 1)), floats);
}

static const char *read_calls(vectorized *all, mst_scalar_type *types) {
  bool are_converted = true;
  if (all->uses->is_elsewhere || all->uses->count == 0) return "it is not only called";
  for (unsigned i = 0; i < all->uses->count; i++) {
    const mst_place call = all->uses->calls[i];
    if (!add_call(all, call, i == 0, types))
      return "it is not seen to be called with arrays and numbers";
    if (mst_may_be_caught(call)) return "an exception of the function may be caught";
    are_converted = are_converted && is_converted(call);
  }
  if (all->is_ufunc && !are_converted)
    return "what comes out are Python's objects, and would be numbers";
  if (all->is_ufunc) {
    all->has_type = true;
    all->type = MST_S_FLOAT;
  }
  return NULL;
}

/* ---- what comes out --------------------------------------------------------------------------------- */

static bool may_raise_by_order(const mst_program *program) {
  static const char *const names[] = {"seterr", "seterrcall", "errstate", "simplefilter",
                                      "filterwarnings"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (mst_symbol_find(&program->symbols, names[i]) != MST_SYM_NONE) return true;
  return false;
}

static const char *doubt_of_result(const vectorized *all, mst_scalar result) {
  const bool is_mixed = result.type == MST_S_MIXED || result.type == MST_S_NUMBER;
  if (all->has_type ? all->type != result.type && !(is_mixed && all->type == MST_S_FLOAT)
                    : is_mixed)
    return all->has_type
               ? "what comes out is converted to another type"
               : "where the first element gives a whole number, what others give is cut off";
  if (all->of.has_branches && all->of.has_risk)
    return "numbers of the code are computed, too, where their branch is not taken";
  if (all->of.has_branches && may_raise_by_order(all->made.program))
    return "warnings may be told to raise, and all branches are computed for all elements";
  return NULL;
}

/* ---- the suggestion --------------------------------------------------------------------------------- */

/* v, k=2.0 */
static const char *parameters_of(const vectorized *all) {
  const mst_tree *tree = tree_of(all);
  const char *text = "";
  MST_EACH_CHILD(tree, parameter, mst_place_child(all->function, 0).node) {
    const mst_place place = mst_place_at(all->made, parameter);
    const mst_place otherwise = mst_place_child(place, 1);
    const bool has_default = mst_place_kind(otherwise) != MST_K_EMPTY && otherwise.node != 0;
    text = mst_format_text(all->context->arena, "%s%s%s%s%s", text, *text != '\0' ? ", " : "",
                           mst_place_name(place), has_default ? "=" : "",
                           has_default ? mst_source_of(all->context, otherwise) : "");
  }
  return text;
}

/* The docstring of a function that is replaced, indented; "": it has none. Further lines stay where
 * they are. */
static const char *docstring(const vectorized *all) {
  const mst_tree *tree = tree_of(all);
  const mst_node_id first = mst_node_at(tree, body_of(all->function).node)->first;
  if (!all->is_decorator || mst_kind_of(tree, mst_node_at(tree, first)->first) != MST_K_STRING)
    return "";
  const char *text = mst_source_of(all->context, mst_place_at(all->made, first));
  const size_t length = strcspn(text, "\n");
  const char *line = mst_arena_text(all->context->arena, text, length);
  return mst_format_text(all->context->arena, "%s%s\n", mst_indented(all->context, all->made, line),
                         text + length);
}

/* def name(v): ... */
static const char *definition(const vectorized *all, const char *name, const char *lines,
                              mst_scalar result) {
  mst_arena *arena = all->context->arena;
  const char *text = mst_format_text(arena, "%sreturn %s", lines != NULL ? lines : "", result.text);
  return mst_format_text(arena, "def %s(%s):\n%s%s", name, parameters_of(all), docstring(all),
                         mst_indented(all->context, all->made, text));
}

/* f = np.vectorize(g): a function of the name; self.f = np.vectorize(g): a lambda. */
static void suggest_assignment(const vectorized *all, mst_finding *finding, mst_place statement,
                               const char *lines, mst_scalar result) {
  const mst_tree *tree = tree_of(all);
  const mst_place target = mst_place_child(statement, 0);
  const mst_kind around =
      mst_kind_of(tree, mst_node_at(tree, mst_place_node(statement)->parent)->parent);
  const char *after;
  if (mst_child_count(tree, statement.node) != 2 || around == MST_K_CLASS) return;
  if (mst_place_is(target, MST_K_NAME)) {
    after = definition(all, mst_place_name(target), lines, result);
  } else {
    if (!mst_place_is(target, MST_K_ATTRIBUTE) || lines != NULL) return;
    const mst_edit edit = {all->made.node, mst_format_text(all->context->arena, "lambda %s: %s",
                                                           parameters_of(all), result.text)};
    after = mst_lines_with(all->context, statement, &edit, 1);
  }
  mst_suggest(all->context, finding, mst_lines_of(all->context, statement), after,
              all->of.doubt == NULL);
}

static unsigned mentions(const vectorized *all, mst_symbol name) {
  const mst_tree *tree = tree_of(all);
  const mst_node_id body = body_of(all->function).node, end = mst_subtree_end(tree, body);
  unsigned count = 0;
  for (mst_node_id id = body; id < end; id++)
    count += mst_kind_of(tree, id) == MST_K_NAME && mst_node_at(tree, id)->name == name;
  return count;
}

/* What the call hands over in place of the parameters; false: that would be computed twice. */
static bool put_arguments(vectorized *all, mst_place call) {
  for (unsigned i = 0; i < all->of.count; i++) {
    const mst_place argument = mst_place_child(call, i + 1);
    char path[MST_PATH_BYTES];
    if (argument.node == 0) return false;
    const bool is_plain =
        mst_place_is(argument, MST_K_NUMBER) || mst_path_of(argument, path) != NULL;
    if (!is_plain && mentions(all, all->of.names[i]) > 1) return false;
    const mst_scalar text = {.text = mst_scalar_text(&all->of, argument, NULL, 0),
                             .is_atom = is_plain || mst_place_is(argument, MST_K_CALL)};
    if (text.text == NULL) return false;
    all->of.values[i].text = mst_scalar_operand(&all->of, &text);
  }
  return true;
}

/* A function before the statement would see all that the construction sees. */
static bool may_stand_before(const vectorized *all, mst_node_id statement) {
  const mst_tree *tree = tree_of(all);
  const mst_node_id end = mst_subtree_end(tree, statement);
  for (mst_node_id id = all->made.node; id != statement; id = mst_node_at(tree, id)->parent) {
    const mst_kind kind = mst_kind_of(tree, id);
    if (kind == MST_K_LAMBDA || kind == MST_K_LIST_COMP || kind == MST_K_SET_COMP ||
        kind == MST_K_DICT_COMP || kind == MST_K_GENERATOR)
      return false;
  }
  for (mst_node_id id = statement; id < end; id++)
    if (mst_kind_of(tree, id) == MST_K_WALRUS) return false;
  return true;
}

/* np.vectorize(f)(a): the expression itself, or a function before the statement. */
static void suggest_in_place(vectorized *all, mst_finding *finding, mst_place call,
                             const char *lines, mst_scalar result) {
  const mst_place statement = mst_place_at(call, mst_statement_of(tree_of(all), call.node));
  const mst_kind around = mst_place_kind(mst_place_parent(call));
  const bool is_alone = around == MST_K_ASSIGN || around == MST_K_RETURN;
  const char *after, *name = mst_unused_name(all->context, "of_arrays");
  if (!mst_is_simple_statement(statement)) return;
  if (lines == NULL && put_arguments(all, call)) {
    result = mst_scalar_body(&all->of, &lines);
    if (result.text == NULL) return;
    const mst_edit edit = {call.node,
                           is_alone ? result.text : mst_scalar_operand(&all->of, &result)};
    after = mst_lines_with(all->context, statement, &edit, 1);
  } else {
    if (!may_stand_before(all, statement.node)) return;
    const mst_edit edit = {all->made.node, name};
    after = mst_format_text(all->context->arena, "%s\n%s", definition(all, name, lines, result),
                            mst_lines_with(all->context, statement, &edit, 1));
  }
  mst_suggest(all->context, finding, mst_lines_of(all->context, statement), after,
              all->of.doubt == NULL);
}

static void suggest(vectorized *all, mst_finding *finding, const char *lines, mst_scalar result) {
  const mst_place parent = mst_place_parent(all->made);
  if (all->is_decorator) {
    const mst_place function = all->function;
    mst_suggest_unmoved(
        all->context, finding, function, mst_decorated_lines(all->context, function),
        definition(all, mst_place_name(function), lines, result), all->of.doubt == NULL);
  } else if (mst_place_is(parent, MST_K_ASSIGN)) {
    suggest_assignment(all, finding, parent, lines, result);
  } else if (mst_place_is(parent, MST_K_CALL) && mst_place_node(parent)->first == all->made.node) {
    suggest_in_place(all, finding, parent, lines, result);
  }
}

void mst_suggest_whole_arrays(mst_rule_context *context, mst_finding *finding, mst_place made,
                              const mst_vectorized_uses *uses) {
  vectorized all = {.context = context, .made = made, .uses = uses};
  mst_scalar_type types[MST_MOST_NAMES] = {MST_S_ANY};
  const char *lines = NULL;
  if (!find_function(&all) || !read_options(&all)) return;
  all.of =
      (mst_scalar_function){.context = context, .place = all.function, .np = mst_numpy_alias(made)};
  if (all.of.np == NULL) return;
  const char *doubt = read_calls(&all, types);
  if (!mst_scalar_parameters(&all.of, types)) return;
  const uint32_t parameters = (uint32_t)((1u << all.of.count) - 1);
  const mst_scalar result = mst_scalar_body(&all.of, &lines);
  if (result.text == NULL || result.is_argument || result.needs != parameters) return;
  if (doubt == NULL) doubt = all.of.doubt;
  if (doubt == NULL) doubt = doubt_of_result(&all, result);
  all.of.doubt = doubt;
  if (!mst_scalar_parameters(&all.of, types)) return;
  suggest(&all, finding, lines, result);
  if (doubt != NULL && finding->suggestion != NULL)
    mst_add_evidence(context, finding, "not seen to compute the same with whole arrays: %s", doubt);
}
