/* SPDX-License-Identifier: Apache-2.0 */
#include "rules/element_loop.h"

#include <string.h>

#include "rules/own_names.h"
#include "rules/turns.h"

#define MOST_DEPTH 32

/* ---- ranges -------------------------------------------------------------------------------------- */

static bool is_whole_literal(mst_place place, int64_t *number) {
  const mst_value *value = mst_value_at(place);
  if (!mst_place_is(place, MST_K_NUMBER) || !mst_knows_number(value)) return false;
  *number = mst_whole(value->number);
  return (mst_place_node(place)->flags & (MST_F_FLOAT | MST_F_IMAGINARY)) == 0;
}

/* range(n), range(1, n - 1) */
static bool read_range(mst_place iterable, mst_place loop, mst_counted *out) {
  static const char *const ranges[] = {"builtins.range", "builtins.xrange", NULL};
  if (!mst_place_is(iterable, MST_K_CALL) || !mst_one_of(mst_called_name(iterable), ranges))
    return false;
  const unsigned count = mst_positional_count(iterable);
  if (count < 1 || count > 2 ||
      mst_child_count(iterable.module->tree, iterable.node) != count + 1 ||
      (count == 2 && !is_whole_literal(mst_place_child(iterable, 1), &out->first)))
    return false;
  out->end = out->last = mst_place_child(iterable, count);
  if (mst_place_is(out->end, MST_K_BINARY) && mst_place_node(out->end)->op == MST_OP_SUB &&
      is_whole_literal(mst_place_child(out->end, 1), &out->cut))
    out->last = mst_place_child(out->end, 0);
  return mst_length_of_expression(out->last, loop, &out->length);
}

static bool read_axis(mst_place place, mst_place outer, mst_counted *out) {
  const mst_tree *tree = place.module->tree;
  const mst_place target = mst_place_child(place, 0);
  if (!mst_place_is(place, MST_K_FOR) || !mst_place_is(target, MST_K_NAME) || mst_has_else(place) ||
      (tree->nodes[place.node].flags & MST_F_ASYNC) != 0)
    return false;
  out->counter = mst_place_node(target)->name;
  return read_range(mst_place_child(place, 1), outer, out);
}

/* What a loop or comprehension binds in each turn; 0: nothing. */
static mst_node_id target_of(const mst_tree *tree, const mst_loop *loop) {
  switch (mst_kind_of(tree, loop->node)) {
  case MST_K_FOR: return tree->nodes[loop->node].first;
  case MST_K_WHILE: return 0;
  default: return tree->nodes[mst_child(tree, loop->node, 1)].first;
  }
}

static bool binds(const mst_tree *tree, const mst_loop *loop, mst_symbol name) {
  const mst_node_id target = target_of(tree, loop);
  return target != 0 && mst_mentions(tree, target, &name, 1);
}

/* del i, i += 1: there has to be one. */
static bool is_changed(const mst_tree *tree, mst_node_id id, mst_symbol counter) {
  const mst_node *node = mst_node_at(tree, id);
  return node->kind == MST_K_NAME && node->name == counter &&
         ((node->flags & MST_F_DEL) != 0 || ((node->flags & MST_F_STORE) != 0 &&
                                             mst_kind_of(tree, node->parent) == MST_K_AUG_ASSIGN));
}

/* True when the counter's last value is read outside of the loop, and not only in loops that count
 * by the same name. */
static bool is_read_outside(mst_place loop, mst_symbol counter) {
  const mst_tree *tree = loop.module->tree;
  const mst_node_id end = mst_subtree_end(tree, loop.node);
  mst_turns turns;
  if (!mst_function_turns(&turns, loop) || mst_sees_names(loop)) return true;
  for (mst_node_id id = turns.begin; id < turns.end; id++)
    if ((id < loop.node || id >= end) && is_changed(tree, id, counter)) return true;
  for (mst_node_id id = 0; mst_next_read(&turns, counter, &id);) {
    if (id >= loop.node && id < end) continue;
    const mst_loop *other = mst_loop_at(mst_place_at(loop, id));
    while (other != NULL && !binds(tree, other, counter))
      other = mst_loop_outside(loop.program, other);
    if (other == NULL) return true;
  }
  return turns.is_spent;
}

bool mst_read_element_loop(mst_place place, const mst_loop *loop, mst_element_loop *out) {
  const mst_tree *tree = place.module->tree;
  *out = (mst_element_loop){.loop = place, .body = mst_place_at(place, loop->body), .rank = 1};
  if (!read_axis(place, place, &out->axes[0])) return false;
  const mst_place inner = mst_place_child(out->body, 0);
  if (mst_place_is(inner, MST_K_FOR) && mst_place_node(inner)->next == 0) {
    out->rank = 2;
    out->body = mst_place_child(inner, 2);
    if (!read_axis(inner, place, &out->axes[1])) return false;
    if (out->axes[0].counter == out->axes[1].counter) return false;
  }
  for (int i = 0; i < out->rank; i++)
    if (is_read_outside(place, out->axes[i].counter)) return false;
  return tree->nodes[out->body.node].kind == MST_K_BLOCK;
}

/* ---- elements ------------------------------------------------------------------------------------ */

static bool is_name(mst_place place, mst_symbol name) {
  return mst_place_is(place, MST_K_NAME) && mst_place_node(place)->name == name;
}

/* i, i + 1, 1 + i, i - 1 */
static bool read_index(mst_place index, mst_symbol counter, int64_t *shift) {
  *shift = 0;
  if (is_name(index, counter)) return true;
  if (!mst_place_is(index, MST_K_BINARY)) return false;
  const mst_place left = mst_place_child(index, 0), right = mst_place_child(index, 1);
  const unsigned op = mst_place_node(index)->op;
  if (op == MST_OP_ADD && is_name(right, counter)) return is_whole_literal(left, shift);
  if ((op != MST_OP_ADD && op != MST_OP_SUB) || !is_name(left, counter) ||
      !is_whole_literal(right, shift))
    return false;
  if (op == MST_OP_SUB) *shift = -*shift;
  return true;
}

static mst_indexed *indexed(mst_element_loop *loop, mst_place array) {
  for (unsigned i = 0; i < loop->array_count; i++)
    if (mst_same_expression(loop->arrays[i].place, array)) return &loop->arrays[i];
  if (loop->array_count == MST_MOST_ARRAYS) return NULL;
  loop->arrays[loop->array_count] = (mst_indexed){.place = array};
  return &loop->arrays[loop->array_count++];
}

/* The part of an axis for all turns: "1:-1"; NULL: a turn would be beyond an end of the array, or
 * it is not known where that is. */
static const char *part_of_axis(const mst_rule_context *context, const mst_element_loop *loop,
                                mst_indexed *of, int number, int64_t shift) {
  const mst_counted *axis = &loop->axes[number];
  const int64_t start = axis->first + shift, tail = axis->cut - shift;
  if (start < 0 || tail < 0) return NULL;
  if (!mst_same_length(mst_length_of_axis(of->place, number, loop->loop), axis->length)) {
    of->is_longer = true;
    return start == 0 && tail == 0 && loop->rank == 1
               ? mst_format_text(context->arena, ":%s", mst_source_of(context, axis->last))
               : NULL;
  }
  const char *from = start > 0 ? mst_format_text(context->arena, "%lld", (long long)start) : "";
  return tail > 0 ? mst_format_text(context->arena, "%s:-%lld", from, (long long)tail)
                  : mst_format_text(context->arena, "%s:", from);
}

static bool add_edit(mst_element_loop *loop, mst_node_id node, const char *text) {
  if (loop->edit_count == MST_MOST_EDITS) return false;
  loop->edits[loop->edit_count++] = (mst_edit){node, text};
  return true;
}

/* a[i, i] of the turns of one loop: the diagonal, if the loop is as long as one of the axes. */
static bool add_diagonal(mst_rule_context *context, mst_element_loop *loop, mst_place subscript) {
  int64_t first, second;
  const mst_counted *axis = &loop->axes[0];
  const char *alias = mst_numpy_alias(subscript);
  const mst_place array = mst_place_child(subscript, 0);
  if (loop->rank != 1 || loop->array_count > 1 || alias == NULL || axis->first != 0 ||
      axis->cut != 0 || (mst_place_node(subscript)->flags & MST_F_STORE) != 0 ||
      !read_index(mst_place_child(subscript, 1), axis->counter, &first) ||
      !read_index(mst_place_child(subscript, 2), axis->counter, &second) || first != 0 ||
      second != 0)
    return false;
  if (!mst_same_length(mst_length_of_axis(array, 0, loop->loop), axis->length) &&
      !mst_same_length(mst_length_of_axis(array, 1, loop->loop), axis->length))
    return false;
  loop->on_diagonal = true;
  if (indexed(loop, array) == NULL || loop->array_count > 1) return false;
  return add_edit(
      loop, subscript.node,
      mst_format_text(context->arena, "%s.diagonal(%s)", alias, mst_source_of(context, array)));
}

static const char *element_text(mst_rule_context *context, mst_element_loop *loop,
                                mst_place subscript, mst_indexed *of) {
  const bool is_stored = (mst_place_node(subscript)->flags & MST_F_STORE) != 0;
  const char *parts[2] = {NULL, NULL};
  bool is_whole = true;
  for (int i = 0; i < loop->rank; i++) {
    int64_t shift;
    const mst_place index = mst_place_child(subscript, (unsigned)i + 1);
    if (!read_index(index, loop->axes[i].counter, &shift) || (is_stored && shift != 0)) return NULL;
    parts[i] = part_of_axis(context, loop, of, i, shift);
    if (parts[i] == NULL) return NULL;
    is_whole = is_whole && strcmp(parts[i], ":") == 0;
    of->is_shifted = of->is_shifted || shift != 0;
  }
  const char *text = mst_source_of(context, of->place);
  if (is_whole) return is_stored ? mst_format_text(context->arena, "%s[:]", text) : text;
  return loop->rank == 1 ? mst_format_text(context->arena, "%s[%s]", text, parts[0])
                         : mst_format_text(context->arena, "%s[%s, %s]", text, parts[0], parts[1]);
}

bool mst_add_element(mst_rule_context *context, mst_element_loop *loop, mst_node_id id) {
  char path[MST_PATH_BYTES];
  const mst_place subscript = mst_place_at(loop->loop, id);
  const mst_place array = mst_place_child(subscript, 0);
  const unsigned indices = mst_child_count(subscript.module->tree, id) - 1;
  if (!mst_is_target_array(mst_value_at(array)) || mst_path_of(array, path) == NULL ||
      (mst_place_node(subscript)->flags & MST_F_TUPLE) != 0)
    return false;
  if (loop->rank == 1 && indices == 2) return add_diagonal(context, loop, subscript);
  if (loop->on_diagonal || indices != (unsigned)loop->rank) return false;
  mst_indexed *of = indexed(loop, array);
  const char *text = of != NULL ? element_text(context, loop, subscript, of) : NULL;
  if (text == NULL) return false;
  of->is_written = of->is_written || (mst_place_node(subscript)->flags & MST_F_STORE) != 0;
  return add_edit(loop, id, text);
}

/* ---- expressions --------------------------------------------------------------------------------- */

/* Numbers of the host that do not depend on the turn, and whether they are for sure. */
static bool is_constant(mst_element_loop *loop, mst_place place) {
  const char *name = mst_expression_name(place);
  if (mst_place_is(place, MST_K_NUMBER)) return true;
  if (mst_value_at(place)->kind != MST_V_NUMBER) return false;
  if (name != NULL) return mst_starts_with(name, "numpy.") || mst_starts_with(name, "math.");
  if (!mst_place_is(place, MST_K_NAME)) return false;
  for (int i = 0; i < loop->rank; i++)
    if (is_name(place, loop->axes[i].counter)) return false;
  loop->has_unsure_number = loop->has_unsure_number || !mst_is_sure_number(place);
  return !mst_is_bound_in(place, loop->loop.node);
}

static bool is_arithmetic(const mst_node *node) {
  return node->kind == MST_K_UNARY ? node->op != MST_OP_INVERT
                                   : node->op >= MST_OP_ADD && node->op <= MST_OP_POW;
}

static bool is_function_of_elements(mst_place call) {
  static const char *const names[] = {"numpy.clip", "numpy.round",  "numpy.around",
                                      "numpy.sinc", "builtins.abs", NULL};
  const char *name = mst_called_name(call);
  const mst_api *api = mst_called_api(call);
  const bool is_ufunc =
      api != NULL && (api->traits & MST_T_UFUNC) != 0 && mst_starts_with(api->name, "numpy.");
  return name != NULL && (is_ufunc || mst_one_of(name, names)) &&
         mst_positional_count(call) + 1 == mst_child_count(call.module->tree, call.node) &&
         (api == NULL || api->out_at < 0 || mst_argument(call, api->out_at, "out") == 0);
}

static bool add_elements(mst_rule_context *context, mst_element_loop *loop, mst_node_id id,
                         unsigned depth) {
  const mst_tree *tree = loop->loop.module->tree;
  const mst_node *node = mst_node_at(tree, id);
  const mst_place place = mst_place_at(loop->loop, id);
  mst_node_id child = node->first;
  switch (node->kind) {
  case MST_K_SUBSCRIPT: return mst_add_element(context, loop, id);
  case MST_K_BINARY:
  case MST_K_UNARY:
    if (!is_arithmetic(node)) return false;
    break;
  case MST_K_CALL:
    if (!is_function_of_elements(place)) return false;
    child = mst_node_at(tree, child)->next;
    break;
  default: return is_constant(loop, place);
  }
  for (; child != 0; child = mst_node_at(tree, child)->next)
    if (depth == MOST_DEPTH || !add_elements(context, loop, child, depth + 1)) return false;
  return true;
}

bool mst_add_elements(mst_rule_context *context, mst_element_loop *loop, mst_node_id expression) {
  return add_elements(context, loop, expression, 0);
}

const char *mst_with_elements(const mst_rule_context *context, const mst_element_loop *loop,
                              mst_node_id node) {
  const mst_tree *tree = loop->loop.module->tree;
  unsigned first = 0, end;
  while (first < loop->edit_count && !mst_is_within(tree, loop->edits[first].node, node))
    first++;
  for (end = first; end < loop->edit_count; end++)
    if (!mst_is_within(tree, loop->edits[end].node, node)) break;
  return mst_lines_with(context, mst_place_at(loop->loop, node), loop->edits + first, end - first);
}

bool mst_add_condition(mst_rule_context *context, mst_element_loop *loop, mst_node_id test,
                       const char **text) {
  const mst_tree *tree = loop->loop.module->tree;
  const mst_node *node = mst_node_at(tree, test);
  const mst_node_id second = mst_child(tree, test, 1);
  if (node->kind == MST_K_BOOLEAN) {
    const char *left, *right;
    if (!mst_add_condition(context, loop, node->first, &left) ||
        !mst_add_condition(context, loop, second, &right))
      return false;
    *text = mst_format_text(context->arena, "(%s) %c (%s)", left,
                            node->op == MST_OP_AND ? '&' : '|', right);
    return true;
  }
  if (node->kind != MST_K_COMPARE || node->op < MST_OP_LT || node->op > MST_OP_GE ||
      mst_child_count(tree, test) != 2 || !mst_add_elements(context, loop, node->first) ||
      !mst_add_elements(context, loop, second))
    return false;
  *text = mst_with_elements(context, loop, test);
  return true;
}

/* ---- doubts -------------------------------------------------------------------------------------- */

/* Either all have the same shape, whatever that is, or as many axes as there are loops. */
static bool are_shapes_seen(const mst_element_loop *loop) {
  const mst_symbol origin = mst_shape_origin(loop->arrays[0].place, loop->loop);
  bool are_alike = loop->array_count == 1 || origin != 0, are_plain = true;
  for (unsigned i = 0; i < loop->array_count; i++) {
    const mst_place array = loop->arrays[i].place;
    const mst_value *value = mst_value_at(array);
    if (i > 0) are_alike = are_alike && mst_shape_origin(array, loop->loop) == origin;
    are_alike = are_alike && !loop->arrays[i].is_longer;
    are_plain = are_plain && value->rank == loop->rank && mst_is_known_here(array.program, value);
  }
  return are_alike || are_plain;
}

static bool are_apart(const mst_element_loop *loop) {
  if (loop->array_count < 2) return true;
  for (unsigned i = 0; i < loop->array_count; i++) {
    const mst_indexed *array = &loop->arrays[i];
    if (array->is_written ? !mst_owns_array(array->place) : !mst_is_apart(array->place))
      return false;
  }
  return true;
}

/* a[:n] of a longer array, where nothing else says that n is not below zero. */
static bool may_count_from_end(const mst_element_loop *loop) {
  bool is_longer = false;
  for (unsigned i = 0; i < loop->array_count; i++) {
    if (!loop->arrays[i].is_longer) return false;
    is_longer = true;
  }
  return is_longer && loop->axes[0].length.name != 0;
}

static bool holds_numbers(const mst_value *array) {
  return array->dtype == MST_D_UNKNOWN ||
         (array->dtype >= MST_D_BOOL && array->dtype <= MST_D_COMPLEX);
}

static bool is_any_written(const mst_element_loop *loop) {
  for (unsigned i = 0; i < loop->array_count; i++)
    if (loop->arrays[i].is_written) return true;
  return false;
}

const char *mst_doubt_about(const mst_element_loop *loop) {
  mst_turns turns;
  if (!mst_function_turns(&turns, loop->loop)) return "the function is too long to look through";
  for (unsigned i = 0; i < loop->array_count; i++) {
    const mst_place array = loop->arrays[i].place;
    if (!mst_is_seen_array(array) || mst_is_reshaped_in(array, turns.begin))
      return "it is not seen that all of these are arrays";
    if (!holds_numbers(mst_value_at(array))) return "the elements are no numbers";
  }
  if (may_count_from_end(loop)) return "the number of turns may be below zero";
  if (loop->has_unsure_number) return "callers may give an array in place of a number";
  if (!loop->on_diagonal && !are_shapes_seen(loop))
    return "arrays of more than one dimension may be combined in another way";
  if (is_any_written(loop) && !are_apart(loop))
    return "what is written may be read under another name";
  if (mst_may_be_caught(loop->loop)) return "an exception may be caught after some of the turns";
  return NULL;
}

bool mst_are_floats(const mst_element_loop *loop) {
  for (unsigned i = 0; i < loop->array_count; i++)
    if (mst_value_at(loop->arrays[i].place)->dtype != MST_D_FLOAT) return false;
  return true;
}
