/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "rules/common.h"
#include "rules/own_names.h"
#include "rules/places.h"
#include "rules/stack_safety.h"
#include "rules/suggest.h"
#include "rules/turns.h"

/* Among the arguments, or the elements of a list or tuple that is one. */
static bool has_operand(mst_place place, mst_place target, unsigned depth) {
  const mst_tree *tree = place.module->tree;
  const bool skip_first = depth == 0 || mst_is_stacking(place); /* the function, or np.c_ */
  for (mst_node_id child = mst_child(tree, place.node, skip_first ? 1 : 0); child != 0;
       child = tree->nodes[child].next) {
    const mst_place operand = mst_place_at(place, child);
    if (mst_same_expression(operand, target)) return true;
    const mst_kind kind = mst_place_kind(operand);
    const bool holds = kind == MST_K_LIST || kind == MST_K_TUPLE || mst_is_stacking(operand);
    if (depth < 4 && holds && has_operand(operand, target, depth + 1)) return true;
  }
  return false;
}

/* The assignment whose value the expression is; node 0: none. */
static mst_place assignment_of(mst_place place) {
  const mst_place parent = mst_place_parent(place);
  const bool is_plain =
      mst_place_is(parent, MST_K_ASSIGN) && mst_child_count(place.module->tree, parent.node) == 2;
  return mst_place_at(place, is_plain ? parent.node : 0);
}

/* True when the loop also sets the target to something that is not made of it: what grows begins
 * anew in each turn. */
static bool begins_anew(mst_place place, mst_place target) {
  mst_turns turns;
  if (!mst_turns_find(&turns, place) || turns.loop == NULL) return false;
  const mst_symbol name = mst_place_node(target)->name;
  for (mst_node_id store = 0; mst_next_store(&turns, name, &store);) {
    const mst_place parent = mst_place_parent(mst_place_at(place, store));
    if (!mst_place_is(parent, MST_K_ASSIGN)) continue;
    const mst_place value = mst_place_at(place, mst_last_child(place.module->tree, parent.node));
    if (!mst_is_stacking(value)) return true;
  }
  return false;
}

/* Without a loop around it, what the function has made or was given begins anew in each call. */
static bool lives_in_call(mst_place place, mst_place target) {
  if (!mst_place_is(target, MST_K_NAME) || mst_loop_at(place) != NULL) return false;
  mst_turns turns;
  if (!mst_function_turns(&turns, place)) return false;
  const mst_symbol name = mst_place_node(target)->name;
  const mst_function *function = mst_function_at(place);
  if (mst_parameter_by_name(function, name) < function->parameter_count) return true;
  for (mst_node_id store = 0; mst_next_store(&turns, name, &store);) {
    const mst_place parent = mst_place_parent(mst_place_at(place, store));
    if (mst_place_is(parent, MST_K_ASSIGN) && store < target.node) return true;
  }
  return false;
}

static bool grows(mst_place place, mst_place assignment) {
  if (assignment.node == 0) return false;
  const mst_place target = mst_place_child(assignment, 0);
  if (!mst_place_is(target, MST_K_NAME) && !mst_place_is(target, MST_K_ATTRIBUTE)) return false;
  return has_operand(place, target, 0) && !begins_anew(place, target) &&
         !lives_in_call(place, target);
}

/* ---- one stack behind the loop ------------------------------------------------------------------- */

/* True when the loop reads the target nowhere but in the call that makes it longer. */
static bool is_read_only_to_grow(const mst_stack *of, mst_node_id operand) {
  mst_turns turns;
  unsigned stores = 0;
  const mst_symbol name = mst_place_node(of->target)->name;
  if (!mst_turns_of(&turns, of->loop)) return false;
  for (mst_node_id id = 0; mst_next_store(&turns, name, &id);)
    stores++;
  for (mst_node_id id = 0; mst_next_read(&turns, name, &id);)
    if (id != operand) return false;
  return stores == 1 && !turns.is_spent;
}

/* What the module calls NumPy in the call itself, or elsewhere; NULL: nothing. */
static const char *numpy_at(const mst_rule_context *context, mst_place call) {
  const mst_place callee = mst_place_child(call, 0);
  if (mst_place_is(callee, MST_K_ATTRIBUTE))
    return mst_source_of(context, mst_place_child(callee, 0));
  return mst_numpy_alias(call);
}

/* The piece as it is in this turn: a list of arrays that change later on would hold one many times.
 * *is_held: that is sure. */
static const char *piece_text(const mst_rule_context *context, const mst_stack *of, bool *is_held) {
  const mst_kind kind = mst_place_kind(of->piece);
  const mst_value *value = mst_value_at(of->piece);
  const char *text = mst_source_of(context, of->piece), *np = numpy_at(context, of->call);
  *is_held = mst_is_new_piece(of->piece);
  if (*is_held || kind == MST_K_BINARY || kind == MST_K_UNARY) return text;
  if (kind == MST_K_CALL && (value->flags & MST_VF_FRESH) != 0) return text;
  if (kind == MST_K_LIST) {
    const mst_value item = mst_value_any_item(&of->piece.program->values, value);
    if (item.kind != MST_V_NUMBER && item.kind != MST_V_DEFERRED) return NULL;
    *is_held = np != NULL;
    return np != NULL ? mst_format_text(context->arena, "%s.array(%s)", np, text) : text;
  }
  if (!mst_is_array(value)) return NULL;
  *is_held = true;
  return mst_format_text(context->arena, "%s.copy()", mst_operand_text(context, of->piece, true));
}

/* The same for np.append, which makes one axis of whatever it gets. */
static const char *flat_text(const mst_rule_context *context, const mst_stack *of, bool *is_held) {
  const mst_value *value = mst_value_at(of->piece);
  const char *text = mst_source_of(context, of->piece), *np = numpy_at(context, of->call);
  const bool is_number = value->kind == MST_V_NUMBER && mst_is_own_name(of->piece) &&
                         (value->flags & (MST_VF_PARAMETER | MST_VF_FROM_DEFAULT)) == 0;
  *is_held = true;
  if (mst_is_new_piece(of->piece) || is_number)
    return mst_format_text(context->arena, "%s.ravel(%s)", np, text);
  return mst_format_text(context->arena, "%s.array(%s).ravel()", np, text);
}

static bool is_literal_axis(mst_place axis) {
  if (mst_place_is(axis, MST_K_KEYWORD))
    return strcmp(mst_place_name(axis), "axis") == 0 && is_literal_axis(mst_place_child(axis, 0));
  return mst_place_is(axis, MST_K_NUMBER) ||
         (mst_place_is(axis, MST_K_UNARY) && mst_place_is(mst_place_child(axis, 0), MST_K_NUMBER));
}

/* Nothing but an axis in numbers stands behind what is joined. */
static bool has_only_axis(mst_place call, mst_place last) {
  const mst_place axis = mst_place_at(call, mst_place_node(last)->next);
  return axis.node == 0 || (mst_place_node(axis)->next == 0 && is_literal_axis(axis));
}

/* np.append(x, piece) or np.vstack([x, piece]), and the like. */
static bool joins_two(mst_place call, bool is_append, mst_place piece) {
  static const char *const joins[] = {"numpy.vstack",      "numpy.hstack",       "numpy.dstack",
                                      "numpy.concatenate", "numpy.column_stack", NULL};
  const mst_place pieces = mst_place_child(call, 1);
  if (mst_place_is(piece, MST_K_STAR)) return false;
  if (is_append) return !mst_place_is(piece, MST_K_KEYWORD) && has_only_axis(call, piece);
  return mst_one_of(mst_called_name(call), joins) &&
         (mst_place_is(pieces, MST_K_LIST) || mst_place_is(pieces, MST_K_TUPLE)) &&
         mst_child_count(call.module->tree, pieces.node) == 2;
}

/* What is joined to what; false where it stands in any other way. */
static bool is_plain_stack(mst_place call, mst_place assignment, mst_stack *out) {
  const mst_loop *loop = mst_repeating_loop(call);
  const mst_place target = mst_place_child(assignment, 0);
  if (!mst_place_is(call, MST_K_CALL) || mst_called_name(call) == NULL) return false;
  const bool is_append = strcmp(mst_called_name(call), "numpy.append") == 0;
  const mst_place first =
      mst_place_child(is_append ? call : mst_place_child(call, 1), is_append ? 1 : 0);
  const mst_place piece = mst_place_at(call, first.node != 0 ? mst_place_node(first)->next : 0);
  if (loop == NULL || mst_place_node(assignment)->parent != loop->body ||
      (!mst_place_is(mst_place_at(call, loop->node), MST_K_FOR) &&
       !mst_place_is(mst_place_at(call, loop->node), MST_K_WHILE)) ||
      !mst_place_is(target, MST_K_NAME) || piece.node == 0 || !mst_same_expression(first, target))
    return false;
  *out = (mst_stack){.call = call,
                     .target = target,
                     .piece = piece,
                     .loop = mst_place_at(call, loop->node),
                     .is_append = is_append && mst_place_node(piece)->next == 0};
  return !mst_has_else(out->loop) && is_read_only_to_grow(out, first.node) &&
         joins_two(call, is_append, piece);
}

/* The statement that stacks the list: of np.append, which takes two, np.concatenate. */
static const char *stack_lines(const mst_rule_context *context, const mst_stack *of,
                               mst_place assignment, const char *list) {
  const mst_place pieces = mst_place_child(of->call, 1);
  const mst_place axis = mst_place_at(of->call, mst_place_node(of->piece)->next);
  mst_edit edit = {pieces.node, list};
  if (strcmp(mst_called_name(of->call), "numpy.append") == 0) {
    const char *np = numpy_at(context, of->call);
    edit.node = of->call.node;
    edit.text = of->is_append ? mst_format_text(context->arena, "%s.concatenate(%s)", np, list)
                              : mst_format_text(context->arena, "%s.concatenate(%s, %s)", np, list,
                                                mst_source_of(context, axis));
  }
  return mst_lines_with(context, assignment, &edit, 1);
}

/* For `t = np.vstack([t, x])` in the body of a loop: what was there comes first, then the pieces.
 */
static void suggest(mst_rule_context *context, mst_finding *finding, mst_place call,
                    mst_place assignment) {
  mst_stack of;
  bool is_held;
  if (!is_plain_stack(call, assignment, &of)) return;
  const bool is_append = strcmp(mst_called_name(call), "numpy.append") == 0;
  if (is_append && numpy_at(context, call) == NULL) return;
  const char *piece =
      of.is_append ? flat_text(context, &of, &is_held) : piece_text(context, &of, &is_held);
  if (piece == NULL) return;
  const char *doubt = !is_held ? "what is joined to it may be written into later on"
                      : !is_append && !has_only_axis(call, mst_place_child(call, 1))
                          ? "there are further arguments"
                          : mst_stack_doubt(&of);
  const char *name = mst_place_name(of.target);
  if (doubt != NULL)
    mst_add_evidence(context, finding, "not seen to stay the same with one stack of `%s`: %s", name,
                     doubt);
  if (doubt != NULL && is_append) return;
  const char *list = mst_unused_name(context, mst_format_text(context->arena, "%s_pieces", name));
  const char *head = mst_head_of(context, of.loop);
  const char *before =
      mst_format_text(context->arena, "%s\n%s", head,
                      mst_indented(context, assignment, mst_lines_of(context, assignment)));
  const char *append = mst_format_text(context->arena, "%s.append(%s)", list, piece);
  const char *after = mst_format_text(context->arena, "%s = [%s]\n%s\n%s\n%s", list, name, head,
                                      mst_indented(context, assignment, append),
                                      stack_lines(context, &of, assignment, list));
  mst_suggest(context, finding, before, after, doubt == NULL);
}

/* ---- the rule ------------------------------------------------------------------------------------- */

static void visit(mst_rule_context *context, mst_place place) {
  if (!mst_is_stacking(place) || !mst_may_stand(context, place)) return;
  const mst_place assignment = assignment_of(place);
  const char *text = mst_text_of(context, place);
  if (grows(place, assignment)) {
    mst_finding *finding =
        mst_add_finding(context, mst_standing(place), NULL,
                        "`%s` copies all of `%s` in each step to make it a little longer", text,
                        mst_text_of(context, mst_place_child(assignment, 0)));
    if (finding != NULL) suggest(context, finding, place, assignment);
    return;
  }
  mst_finding *finding = mst_add_finding(context, mst_standing(place), NULL,
                                         "`%s` joins arrays anew in each step", text);
  if (finding != NULL) finding->counts = false;
}

const mst_rule mst_rule_r203 = {
    .id = "R203",
    .name = "stacking in a loop",
    .category = MST_REFACTOR,
    .outcome = MST_OUTCOME_COST,
    .counts = MST_COUNTS_HOT,
    .recipe = "RR-stack",
    .summary = "an array that is made longer by `vstack`, `append` and the like in each step",
    .why = "All that was there is copied again in each step, over all GPUs, so the work grows with "
           "the square of the number of steps.",
    .kinds = (const uint8_t[]){MST_K_CALL, MST_K_SUBSCRIPT, MST_K_NONE},
    .visit = visit,
};
