/* SPDX-License-Identifier: Apache-2.0 */
#include "rules/element_map.h"

#include <string.h>

#include "rules/common.h"
#include "rules/element_loop.h"
#include "rules/own_names.h"
#include "rules/turns.h"
#include "rules/widths.h"

#define MOST_STATEMENTS 8

typedef struct element_map {
  mst_element_loop all;
  const char *after; /* the statements, one below the other */
  const char *doubt; /* of a statement's own; NULL: none */
} element_map;

static const mst_tree *tree_of(const element_map *map) { return map->all.loop.module->tree; }

static void add_line(mst_rule_context *context, element_map *map, const char *line) {
  map->after =
      map->after == NULL ? line : mst_format_text(context->arena, "%s\n%s", map->after, line);
}

/* ---- statements ------------------------------------------------------------------------------------ */

static bool is_arithmetic(unsigned op) { return op >= MST_OP_ADD && op <= MST_OP_POW; }

/* out[i] = ..., out[i] += ... */
static bool read_assignment(mst_rule_context *context, element_map *map, mst_node_id id) {
  const mst_tree *tree = tree_of(map);
  const mst_node *node = mst_node_at(tree, id);
  if ((node->kind != MST_K_ASSIGN && node->kind != MST_K_AUG_ASSIGN) ||
      mst_child_count(tree, id) != 2 || mst_kind_of(tree, node->first) != MST_K_SUBSCRIPT)
    return false;
  if (node->kind == MST_K_AUG_ASSIGN) {
    /* a[:] += ... of whole numbers refuses what a[i] += ... cuts off. */
    const mst_place array = mst_place_at(map->all.loop, mst_node_at(tree, node->first)->first);
    const unsigned dtype = mst_value_at(array)->dtype;
    if (!is_arithmetic(node->op) || dtype == MST_D_INT) return false;
    if (dtype != MST_D_FLOAT && dtype != MST_D_COMPLEX)
      map->doubt = "an update in place refuses what whole numbers would cut off";
  }
  return mst_add_element(context, &map->all, node->first) &&
         mst_add_elements(context, &map->all, mst_child(tree, id, 1));
}

/* The only statement of a branch, `out[i] = value`; 0: it is another one. */
static mst_node_id only_assignment(mst_rule_context *context, element_map *map, mst_node_id block) {
  const mst_tree *tree = tree_of(map);
  const mst_node_id statement = mst_node_at(tree, block)->first;
  const bool is_plain = mst_kind_of(tree, statement) == MST_K_ASSIGN &&
                        mst_node_at(tree, statement)->next == 0 &&
                        read_assignment(context, map, statement);
  return is_plain ? statement : 0;
}

/* What was there before, where a branch writes nothing: out of out[:], out[1:-1]. */
static const char *as_it_was(mst_rule_context *context, const char *whole) {
  const size_t length = strlen(whole);
  const bool is_all = length > 3 && strcmp(whole + length - 3, "[:]") == 0;
  return is_all ? mst_format_text(context->arena, "%.*s", (int)length - 3, whole) : whole;
}

/* Warnings or errors of floating point are made exceptions somewhere: both branches are computed
 * for all elements. */
static bool may_raise(mst_place place) {
  static const char *const words[] = {"seterr", "seterrcall", "simplefilter", "filterwarnings",
                                      NULL};
  for (size_t i = 0; words[i] != NULL; i++)
    if (mst_symbol_find(&place.program->symbols, words[i]) != MST_SYM_NONE) return true;
  return false;
}

static bool has_element(const mst_tree *tree, mst_node_id value) {
  const mst_node_id end = mst_subtree_end(tree, value);
  for (mst_node_id id = value; id < end; id++)
    if (mst_kind_of(tree, id) == MST_K_SUBSCRIPT) return true;
  return false;
}

/* A number alone would be cut to the type of the other branch. */
static bool are_widest(const mst_element_loop *loop) {
  for (unsigned i = 0; i < loop->array_count; i++)
    if (!mst_is_widest(loop->arrays[i].place)) return false;
  return true;
}

/* Why np.where() may give something else than the branches; NULL: it gives the same. */
static const char *doubt_about_branches(const mst_element_loop *loop, bool has_number) {
  if (!mst_are_floats(loop) || (has_number && !are_widest(loop)))
    return "the two branches may give numbers of two types";
  return may_raise(loop->loop) ? "what raises in one branch is computed for all elements" : NULL;
}

/* if a[i] > 0: out[i] = x, else: out[i] = y */
static bool read_branches(mst_rule_context *context, element_map *map, mst_node_id id) {
  const mst_tree *tree = tree_of(map);
  const mst_node *node = mst_node_at(tree, id);
  const char *alias = mst_numpy_alias(map->all.loop), *test;
  if (alias == NULL || !mst_add_condition(context, &map->all, node->first, &test)) return false;
  const mst_node_id yes = only_assignment(context, map, mst_child(tree, id, 1));
  const mst_node_id last = mst_child(tree, id, 2);
  const mst_node_id other = last != 0 && mst_kind_of(tree, last) == MST_K_BLOCK ? last : 0;
  const mst_node_id no = other != 0 && yes != 0 ? only_assignment(context, map, other) : 0;
  if (yes == 0 || (other != 0 && no == 0)) return false;
  const mst_place target = mst_place_at(map->all.loop, mst_node_at(tree, yes)->first);
  if (no != 0 &&
      !mst_same_expression(target, mst_place_at(map->all.loop, mst_node_at(tree, no)->first)))
    return false;
  const char *whole = mst_with_elements(context, &map->all, target.node);
  const char *then = mst_with_elements(context, &map->all, mst_child(tree, yes, 1));
  const char *else_ = no != 0 ? mst_with_elements(context, &map->all, mst_child(tree, no, 1))
                              : as_it_was(context, whole);
  add_line(context, map,
           mst_format_text(context->arena, "%s = %s.where(%s, %s, %s)", whole, alias, test, then,
                           else_));
  const bool has_number = no != 0 && has_element(tree, mst_child(tree, yes, 1)) !=
                                         has_element(tree, mst_child(tree, no, 1));
  const char *doubt = doubt_about_branches(&map->all, has_number);
  if (doubt != NULL) map->doubt = doubt;
  return true;
}

static bool read_statement(mst_rule_context *context, element_map *map, mst_node_id id) {
  if (mst_kind_of(tree_of(map), id) == MST_K_IF) return read_branches(context, map, id);
  if (!read_assignment(context, map, id)) return false;
  add_line(context, map, mst_with_elements(context, &map->all, id));
  return true;
}

/* What one turn writes and another one reads has to be done in turns. */
static bool hands_on(const mst_element_loop *loop) {
  for (unsigned i = 0; i < loop->array_count; i++)
    if (loop->arrays[i].is_written && loop->arrays[i].is_shifted) return true;
  return false;
}

static bool read_map(mst_rule_context *context, element_map *map) {
  const mst_tree *tree = tree_of(map);
  if (mst_child_count(tree, map->all.body.node) > MOST_STATEMENTS) return false;
  MST_EACH_CHILD(tree, statement, map->all.body.node) {
    if (!read_statement(context, map, statement)) return false;
  }
  return !hands_on(&map->all);
}

/* ---- sums ------------------------------------------------------------------------------------------ */

/* Nothing but numbers of the code is given to the name before: no array, and no type that is kept.
 */
static bool begins_as_literal(mst_place name, mst_node_id update) {
  const mst_tree *tree = name.module->tree;
  mst_turns turns;
  if (!mst_is_own_name(name) || !mst_function_turns(&turns, name)) return false;
  const mst_function *function = mst_function_at(name);
  const mst_symbol symbol = mst_place_node(name)->name;
  if (mst_parameter_by_name(function, symbol) < function->parameter_count) return false;
  for (mst_node_id id = 0; mst_next_store(&turns, symbol, &id);) {
    const mst_place statement = mst_place_parent(mst_place_at(name, id));
    if (statement.node == update || mst_kind_of(tree, id) != MST_K_NAME) continue;
    if (!mst_place_is(statement, MST_K_ASSIGN) || mst_child_count(tree, statement.node) != 2 ||
        !mst_place_is(mst_place_child(statement, 1), MST_K_NUMBER))
      return false;
  }
  return !turns.is_spent;
}

/* 0.5 * a[i], a[i] / n, np.sin(a[i]): no whole number, whatever a[i] is. */
static bool is_float_at_all(mst_place place, unsigned depth) {
  static const char *const roots[] = {"numpy.sin",  "numpy.cos",  "numpy.tan",    "numpy.exp",
                                      "numpy.log",  "numpy.sqrt", "numpy.tanh",   "numpy.log10",
                                      "numpy.sinh", "numpy.cosh", "numpy.arctan", NULL};
  const mst_node *node = mst_place_node(place);
  if (depth == 0) return false;
  switch (node->kind) {
  case MST_K_NUMBER: return (node->flags & MST_F_FLOAT) != 0;
  case MST_K_CALL: return mst_one_of(mst_called_name(place), roots);
  case MST_K_UNARY: return is_float_at_all(mst_place_child(place, 0), depth - 1);
  case MST_K_BINARY:
    return node->op == MST_OP_DIV || is_float_at_all(mst_place_child(place, 0), depth - 1) ||
           (node->op != MST_OP_POW && is_float_at_all(mst_place_child(place, 1), depth - 1));
  default: return false;
  }
}

static const char *axes_of(const mst_element_loop *loop) {
  const int rank = loop->on_diagonal ? 2 : loop->rank;
  bool is_plain = true;
  for (unsigned i = 0; i < loop->array_count; i++)
    is_plain = is_plain && mst_value_at(loop->arrays[i].place)->rank == rank;
  if (loop->on_diagonal && !is_plain) return ", axis=-1";
  if (is_plain) return "";
  return loop->rank == 1 ? ", axis=0" : ", axis=(0, 1)";
}

static const char *doubt_about_sum(const mst_element_loop *loop, mst_place update) {
  if (!begins_as_literal(mst_place_child(update, 0), update.node))
    return "the sum does not begin with a number of the code";
  if (!mst_are_floats(loop) && !is_float_at_all(mst_place_child(update, 1), 8))
    return "a sum of short integers would overflow in turns, and not at once";
  return mst_doubt_about(loop);
}

/* s += f(a[i]) */
static bool suggest_sum(mst_rule_context *context, mst_finding *finding, mst_element_loop *loop) {
  const mst_tree *tree = loop->loop.module->tree;
  const mst_place update = mst_place_child(loop->body, 0);
  const char *alias = mst_numpy_alias(update);
  if (!mst_place_is(update, MST_K_AUG_ASSIGN) || mst_place_node(update)->next != 0 ||
      mst_place_node(update)->op != MST_OP_ADD || alias == NULL)
    return false;
  const mst_place target = mst_place_child(update, 0), value = mst_place_child(update, 1);
  const mst_symbol name = mst_place_node(target)->name;
  if (!mst_place_is(target, MST_K_NAME) || mst_mentions(tree, value.node, &name, 1) ||
      !mst_add_elements(context, loop, value.node) || loop->array_count == 0)
    return false;
  const char *doubt = doubt_about_sum(loop, update);
  if (doubt != NULL) mst_add_evidence(context, finding, "all at once it may differ: %s", doubt);
  mst_suggest(context, finding, mst_lines_of(context, loop->loop),
              mst_format_text(context->arena, "%s += %s.sum(%s%s)", mst_source_of(context, target),
                              alias, mst_with_elements(context, loop, value.node), axes_of(loop)),
              doubt == NULL);
  return true;
}

/* ---- the suggestion --------------------------------------------------------------------------------- */

void mst_suggest_element_map(mst_rule_context *context, mst_finding *finding, mst_place place,
                             const mst_loop *loop) {
  element_map map = {0};
  if (mst_kind_of(place.module->tree, place.node) != MST_K_FOR) return;
  if (!mst_read_element_loop(place, loop, &map.all)) return;
  if (suggest_sum(context, finding, &map.all)) return;
  if (!mst_read_element_loop(place, loop, &map.all)) return;
  if (!read_map(context, &map) || map.after == NULL || map.all.array_count == 0) return;
  const char *doubt = map.doubt != NULL ? map.doubt : mst_doubt_about(&map.all);
  if (doubt != NULL) mst_add_evidence(context, finding, "all at once it may differ: %s", doubt);
  mst_suggest(context, finding, mst_lines_of(context, place), map.after, doubt == NULL);
}
