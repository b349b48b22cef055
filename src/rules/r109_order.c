/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "rules/own_names.h"
#include "rules/places.h"
#include "rules/suggest.h"
#include "rules/turns.h"

/* np.ravel(a, order="K") and a.ravel("K"). */
static bool is_ravel_in_memory_order(mst_place call, mst_place order) {
  static const char *const ravels[] = {"numpy.ravel", "ndarray.ravel", NULL};
  if (!mst_one_of(mst_called_name(call), ravels) || !mst_place_is(order, MST_K_STRING))
    return false;
  const mst_node *node = mst_place_node(order);
  const char *text = order.module->tree->source->text + node->start;
  return memchr(text, 'K', node->end - node->start) != NULL;
}

/* The call without the argument, and without the comma that stood between; NULL: it cannot be cut
 * out. */
static const char *without_argument(const mst_rule_context *context, mst_place call,
                                    mst_place argument) {
  const char *text = call.module->tree->source->text;
  const mst_node *node = mst_place_node(call);
  const mst_node *function = mst_place_node(mst_place_child(call, 0));
  const mst_node *gone = mst_place_node(argument);
  uint32_t from = gone->start, to = gone->end;
  while (from > function->end && strchr(" \t\n", text[from - 1]) != NULL)
    from--;
  if (text[from - 1] == ',') {
    from--;
  } else if (!mst_place_is(argument, MST_K_KEYWORD) &&
             function->end + strspn(text + function->end, " ") + 1 != from) {
    return NULL; /* in parentheses of its own */
  } else {       /* the first of them: what follows moves up */
    from = gone->start;
    while (to < node->end && strchr(" \t\n", text[to]) != NULL)
      to++;
    if (text[to] == ',') to += 1 + (uint32_t)strspn(text + to + 1, " ");
  }
  return mst_format_text(context->arena, "%.*s%.*s", (int)(from - node->start), text + node->start,
                         (int)(node->end - to), text + to);
}

/* True when the order says in which sequence elements are taken, not only how they lie. */
static bool is_about_values(const mst_api *api, mst_place order) {
  if (api->effect != MST_E_RESHAPED && api->effect != MST_E_RAVELLED) return false;
  const mst_node *node = mst_place_node(order);
  const char *text = order.module->tree->source->text + node->start;
  return node->kind != MST_K_STRING || memchr(text, 'C', node->end - node->start) == NULL;
}

/* What a call makes of the array has no layout, or one like any other. */
static bool gives_no_layout(mst_place call) {
  static const char *const length[] = {"builtins.len", NULL};
  const mst_value *value = mst_value_at(call);
  if (mst_one_of(mst_called_name(call), length)) return true;
  return mst_is_new_reduction(call) &&
         (value->kind == MST_V_DEFERRED || value->rank == 0 || value->rank == 1);
}

/* x[1, 2], x[1:] = y: elements; of what else an index takes, the layout is that of the array. */
static bool takes_elements(mst_place subscript) {
  const mst_value *value = mst_value_at(subscript);
  return (mst_place_node(subscript)->flags & (MST_F_STORE | MST_F_DEL)) != 0 ||
         value->kind == MST_V_NUMBER ||
         (value->kind == MST_V_DEFERRED && (value->flags & MST_VF_MAYBE_ELEMENT) == 0);
}

static bool is_fact(mst_place attribute) {
  static const char *const facts[] = {"shape", "size", "ndim", "dtype", "nbytes", NULL};
  return mst_one_of(mst_place_name(attribute), facts);
}

/* The layout of an array goes on to what operators and ufuncs make of it; it shows in what is a
 * view and what a copy, in the sequence of "K", in strides and in files. True where nothing of it
 * is left but numbers, or elements of another array. */
static bool is_layout_lost(mst_place use) {
  for (mst_place at = use;;) {
    const mst_place parent = mst_place_parent(at), around = mst_place_parent(parent);
    const bool is_first = mst_place_node(parent)->first == at.node;
    switch (mst_place_kind(parent)) {
    case MST_K_BINARY:
    case MST_K_UNARY:
    case MST_K_COMPARE: break;
    case MST_K_SUBSCRIPT:
      if (!is_first || takes_elements(parent)) return is_first;
      break;
    case MST_K_ATTRIBUTE:
      return is_fact(parent) ||
             (mst_place_is(around, MST_K_CALL) && mst_place_node(around)->first == parent.node &&
              gives_no_layout(around));
    case MST_K_CALL:
      if (is_first || gives_no_layout(parent)) return !is_first;
      if (!mst_is_new_of_ufunc(parent)) return false;
      break;
    case MST_K_ASSIGN:
      return mst_place_is(mst_place_child(parent, 0), MST_K_SUBSCRIPT) &&
             mst_child_count(parent.module->tree, parent.node) == 2;
    case MST_K_AUG_ASSIGN: return mst_is_arrayish(mst_value_at(mst_place_child(parent, 0)));
    default: return false;
    }
    at = parent;
  }
}

/* Nobody sees how the elements of the new array lie. */
static bool is_layout_unseen(mst_place call) {
  const mst_api *api = mst_called_api(call);
  const mst_place statement = mst_place_parent(call);
  const mst_place target = mst_place_child(statement, 0);
  mst_turns turns;
  const mst_value *value = mst_value_at(call);
  if (mst_argument(call, -1, "copy") != 0 || (api->traits & MST_T_CREATES) == 0) return false;
  if (value->rank == 1 && (value->flags & MST_VF_FROM_DEFAULT) == 0) return true;
  if (!mst_place_is(statement, MST_K_ASSIGN) || !mst_place_is(target, MST_K_NAME))
    return is_layout_lost(call);
  if (mst_child_count(call.module->tree, statement.node) != 2 || !mst_is_own_name(target) ||
      !mst_function_turns(&turns, call))
    return false;
  for (mst_node_id id = 0; mst_next_read(&turns, mst_place_node(target)->name, &id);)
    if (mst_kind_of(call.module->tree, id) == MST_K_NAME && !is_layout_lost(mst_place_at(call, id)))
      return false;
  return !turns.is_spent;
}

/* order="C" where that is what is meant without it, too: not where the default is "K". */
static bool is_default(mst_place call, mst_place order) {
  static const char *const names[] = {"numpy.zeros",     "numpy.ones",      "numpy.empty",
                                      "numpy.full",      "numpy.eye",       "numpy.reshape",
                                      "numpy.ravel",     "ndarray.reshape", "ndarray.ravel",
                                      "ndarray.flatten", "ndarray.copy",    NULL};
  if (!mst_place_is(order, MST_K_STRING) || !mst_one_of(mst_called_name(call), names)) return false;
  const mst_node *node = mst_place_node(order);
  const char *text = order.module->tree->source->text + node->start;
  return node->end - node->start == 3 && text[1] == 'C';
}

static void suggest(mst_rule_context *context, mst_finding *finding, mst_place call,
                    mst_node_id value) {
  const mst_place parent = mst_place_parent(mst_place_at(call, value));
  const bool is_keyword = mst_place_is(parent, MST_K_KEYWORD);
  const mst_place argument = is_keyword ? parent : mst_place_at(call, value);
  if (!is_keyword && mst_place_node(argument)->next != 0) return;
  const char *text = without_argument(context, call, argument);
  if (text == NULL) return;
  const mst_edit edit = {call.node, text};
  const mst_place statement = mst_standing(call);
  if (!mst_is_simple_statement(statement)) return;
  mst_suggest(context, finding, mst_lines_of(context, statement),
              mst_lines_with(context, statement, &edit, 1),
              is_layout_unseen(call) || is_default(call, mst_place_at(call, value)));
}

static void visit(mst_rule_context *context, mst_place place) {
  const mst_api *api = mst_called_api(place);
  if (api == NULL || (api->traits & MST_T_ORDER) == 0) return;
  if (!mst_is_called_under(place, "numpy.") && !mst_is_called_under(place, "ndarray.")) return;
  const mst_node_id order = mst_argument(place, api->order_at, "order");
  if (order == 0) return;
  const bool raises = (api->traits & MST_T_ORDER_RAISES) != 0 ||
                      is_ravel_in_memory_order(place, mst_place_at(place, order));
  const bool is_method = mst_is_called_under(place, "ndarray.");
  const mst_value *value =
      is_method ? mst_value_at(mst_place_at(place, mst_receiver(place))) : NULL;
  mst_finding *finding =
      mst_add_finding(context, mst_standing(place), value,
                      raises ? "`%s` raises on the target because of its memory order"
                             : "`%s` asks for a memory order that the target does not keep",
                      mst_text_of(context, place));
  if (finding == NULL) return;
  if (raises) finding->outcome = MST_OUTCOME_RAISES;
  mst_settle(finding);
  if (!is_about_values(api, mst_place_at(place, order))) suggest(context, finding, place, order);
}

const mst_rule mst_rule_r109 = {
    .id = "R109",
    .name = "memory order",
    .category = MST_BLOCKS,
    .outcome = MST_OUTCOME_COST,
    .counts = MST_COUNTS_HOT_PATH,
    .is_told_anywhere = true,
    .recipe = "RR-order",
    .summary = "`order=` on functions that make, copy or reshape arrays",
    .why = "The runtime lays out each tile of an array as it sees fit, so `order=` is ignored by "
           "some functions and refused by others.",
    .kinds = (const uint8_t[]){MST_K_CALL, MST_K_NONE},
    .visit = visit,
};
