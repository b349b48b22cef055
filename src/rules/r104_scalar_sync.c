/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "rules/common.h"
#include "rules/loop_text.h"
#include "rules/places.h"
#include "rules/suggest.h"

#define MOST_NODES 20000 /* of a loop that is searched for uses of a name */

/* ---- what waits ------------------------------------------------------------------------------------ */

/* What is brought to the host by a call or slice, and in which words that is told. */
typedef struct transfer {
  mst_node_id cause;
  const char *text; /* behind "`float(x)` " */
  bool is_whole;    /* arrays are brought over as they are, not one element */
} transfer;

static const mst_value *value_of(mst_place place, mst_node_id node) {
  return mst_value_at(mst_place_at(place, node));
}

static bool is_deferred_at(mst_place place, mst_node_id node) {
  return node != 0 && mst_is_deferred(value_of(place, node));
}

static bool is_array_at(mst_place place, mst_node_id node) {
  return mst_is_target_array(value_of(place, node));
}

/* Conversion to one number works on one element only, so that what looks like an array is one. */
static bool is_converted_at(mst_place place, mst_node_id node) {
  return node != 0 && (is_deferred_at(place, node) || is_array_at(place, node));
}

/* A deferred value, or a tuple or list written out with one in it. */
static mst_node_id deferred_part(mst_place place, mst_node_id node) {
  const mst_tree *tree = place.module->tree;
  if (node == 0 || is_deferred_at(place, node)) return node;
  const mst_kind kind = mst_kind_of(tree, node);
  if (kind != MST_K_TUPLE && kind != MST_K_LIST) return 0;
  MST_EACH_CHILD(tree, child, node) {
    if (is_deferred_at(place, child)) return child;
  }
  return 0;
}

static mst_node_id deferred_argument(mst_place call, int first) {
  const int count = (int)mst_positional_count(call);
  for (int i = first; i < count; i++) {
    const mst_node_id found = deferred_part(call, mst_argument(call, i, NULL));
    if (found != 0) return found;
  }
  return 0;
}

/* x.item(3) and x.tolist() are of arrays of any size. */
static bool is_whole_method(const char *name) {
  static const char *const methods[] = {"ndarray.item", "ndarray.tolist", NULL};
  return mst_one_of(name, methods);
}

/* float(x), x.item(), math.exp(x) */
static mst_node_id converted(mst_place call, const char *name) {
  static const char *const numbers[] = {"builtins.float", "builtins.int", "builtins.bool",
                                        "builtins.complex", NULL};
  const mst_node_id first = mst_argument(call, 0, NULL);
  if (is_whole_method(name)) return mst_receiver(call);
  if (mst_one_of(name, numbers)) return is_converted_at(call, first) ? first : 0;
  if (strcmp(name, "builtins.round") == 0) return is_deferred_at(call, first) ? first : 0;
  return mst_starts_with(name, "math.") ? deferred_argument(call, 0) : 0;
}

/* max(err, x): Python compares the two, and so needs the values. */
static mst_node_id compared(mst_place call, const char *name) {
  if (strcmp(name, "builtins.max") != 0 && strcmp(name, "builtins.min") != 0) return 0;
  const int count = (int)mst_positional_count(call);
  for (int i = 0; count > 1 && i < count; i++) {
    const mst_node_id node = mst_argument(call, i, NULL);
    /* Two arrays cannot be compared like this: what may be an element is one. */
    const mst_value *value = value_of(call, node);
    const bool is_element =
        mst_is_target_array(value) && (value->flags & MST_VF_MAYBE_ELEMENT) != 0;
    if (is_element || is_deferred_at(call, node)) return node;
  }
  return 0;
}

/* onp.asarray(x) of an array that is distributed; np.array of a list of deferred scalars. */
static mst_node_id gathered(mst_place call, const char *name) {
  static const char *const hosts[] = {"host.numpy.asarray",
                                      "host.numpy.array",
                                      "host.numpy.copy",
                                      "host.numpy.asanyarray",
                                      "host.numpy.ascontiguousarray",
                                      NULL};
  static const char *const targets[] = {"numpy.array", "numpy.asarray", NULL};
  const mst_node_id first = mst_argument(call, 0, "a");
  if (first == 0) return 0;
  const mst_value *value = value_of(call, first);
  const bool is_list = value->kind == MST_V_LIST || value->kind == MST_V_TUPLE;
  const mst_value item =
      is_list ? mst_value_any_item(&call.program->values, value) : mst_value_unknown();
  if (mst_one_of(name, hosts))
    return mst_is_target_array(value) || mst_is_deferred(value) || mst_is_deferred(&item) ? first
                                                                                          : 0;
  return mst_one_of(name, targets) && mst_is_deferred(&item) ? first : 0;
}

/* zeros(n), arange(lo, hi), reshape(n, -1) where n is a value of an array */
static mst_node_id measured(mst_place call, const char *name) {
  if (strcmp(name, "builtins.range") == 0) return deferred_argument(call, 0);
  const mst_api *api = mst_called_api(call);
  if (api == NULL || mst_starts_with(name, "cupy.")) return 0;
  switch (api->effect) {
  case MST_E_SHAPED: return deferred_part(call, mst_argument(call, 0, "shape"));
  case MST_E_DRAW: {
    const int count = (int)mst_positional_count(call);
    const mst_node_id size = deferred_part(call, mst_argument(call, -1, "size"));
    return size != 0 || count < 3 ? size : deferred_part(call, mst_argument(call, 2, NULL));
  }
  case MST_E_RANGE: /* linspace and its like take only the count as a number */
    return strcmp(api->name, "numpy.arange") == 0
               ? deferred_argument(call, 0)
               : deferred_part(call, mst_argument(call, 2, "num"));
  case MST_E_MATRIX:
  case MST_E_DRAW_DIMS: return deferred_argument(call, 0);
  case MST_E_RESHAPED:
    return deferred_argument(call,
                             mst_receiver(call) != 0 && mst_starts_with(name, "ndarray.") ? 0 : 1);
  default: return 0;
  }
}

static transfer transfer_of_call(mst_place call) {
  const char *name = mst_called_name(call);
  if (name == NULL) return (transfer){0};
  mst_node_id cause = converted(call, name);
  if (cause != 0) return (transfer){cause, "makes a number of the host", is_whole_method(name)};
  cause = compared(call, name);
  if (cause != 0) return (transfer){cause, "compares on the host", false};
  cause = gathered(call, name);
  if (cause != 0) return (transfer){cause, "gathers values on the host", is_array_at(call, cause)};
  return (transfer){measured(call, name), "takes a length from the data", false};
}

static transfer transfer_of_slice(mst_place slice) {
  const mst_tree *tree = slice.module->tree;
  MST_EACH_CHILD(tree, bound, slice.node) {
    if (is_deferred_at(slice, bound))
      return (transfer){bound, "takes its bound from the data", false};
  }
  return (transfer){0};
}

/* ---- suggestion ------------------------------------------------------------------------------------- */

/* True for a read that only shows, keeps or compares the value: no arithmetic goes on with it. */
static bool is_onlooker(mst_place read) {
  const mst_tree *tree = read.module->tree;
  const mst_node_id parent = mst_node_at(tree, read.node)->parent;
  if (mst_is_part_of_test(read) || mst_is_formatted(read)) return true;
  if (mst_kind_of(tree, parent) != MST_K_CALL) return false;
  const mst_node *function = mst_node_at(tree, mst_node_at(tree, parent)->first);
  return function->kind == MST_K_ATTRIBUTE && function->name == MST_SYM_append;
}

/* True when nothing in the loop but onlookers reads the name. */
static bool is_only_watched(mst_place place, const mst_loop *loop, mst_symbol name) {
  const mst_tree *tree = place.module->tree;
  const mst_node_id end = mst_subtree_end(tree, loop->node);
  if (end - loop->node > MOST_NODES) return false;
  for (mst_node_id id = loop->node; id < end; id++) {
    const mst_node *node = mst_node_at(tree, id);
    if (node->kind != MST_K_NAME || node->name != name || (node->flags & MST_F_STORE) != 0)
      continue;
    if (!is_onlooker(mst_place_at(place, id))) return false;
  }
  return true;
}

/* `x = float(y)`, where x is only watched: in some of the turns. */
static bool suggest_rarely(mst_rule_context *context, mst_finding *finding, mst_place call) {
  const mst_tree *tree = call.module->tree;
  const mst_place statement = mst_standing(call);
  const mst_node *target = mst_node_at(tree, mst_node_at(tree, statement.node)->first);
  const char *counter = mst_counter_around(call);
  if (mst_kind_of(tree, statement.node) != MST_K_ASSIGN || target->kind != MST_K_NAME) return false;
  if (counter == NULL || mst_last_child(tree, statement.node) != call.node ||
      !is_only_watched(call, mst_loop_at(call), target->name))
    return false;
  const char *before = mst_lines_of(context, statement);
  mst_suggest(context, finding, before,
              mst_format_text(context->arena, "if %s %% 50 == 0:\n%s", counter,
                              mst_indented(context, before)),
              false);
  return true;
}

/* float(y) and y.item(): y itself, which stays where it is. */
static void suggest(mst_rule_context *context, mst_finding *finding, mst_place call,
                    const transfer *found) {
  static const char *const plain[] = {"builtins.float", "ndarray.item", NULL};
  const mst_tree *tree = call.module->tree;
  const mst_place cause = mst_place_at(call, found->cause);
  const mst_place statement = mst_standing(call);
  if (!mst_one_of(mst_called_name(call), plain) || !mst_is_simple_statement(statement)) return;
  if (suggest_rarely(context, finding, call)) return;
  const mst_kind kind = mst_kind_of(tree, mst_node_at(tree, call.node)->parent);
  const bool needs_parentheses = kind == MST_K_BINARY || kind == MST_K_UNARY;
  const char *text = mst_source_of(context, cause);
  if (needs_parentheses) text = mst_format_text(context->arena, "(%s)", text);
  const mst_edit edit = {call.node, text};
  mst_suggest(context, finding, mst_lines_of(context, statement),
              mst_lines_with(context, statement, &edit, 1), false);
}

/* ---- the rule -------------------------------------------------------------------------------------- */

/* A list may hold other things, too; and an array of known rank that is converted to one number is
 * hardly what it is taken for. */
static mst_value cautious(mst_value value) {
  mst_confidence most = MST_CERTAIN;
  if (mst_is_array(&value)) most = value.rank > 0 ? MST_POSSIBLE : MST_LIKELY;
  if (mst_is_container(&value)) most = MST_LIKELY;
  if (mst_is_container(&value) || value.confidence > most) value.confidence = (uint8_t)most;
  return value;
}

/* What another finding says already: the branch, the log line, the loop over elements. */
static bool is_covered(mst_place place, mst_node_id cause) {
  return mst_is_part_of_test(place) || mst_is_formatted(place) || mst_is_walk_use(place) ||
         mst_is_walk_use(mst_place_at(place, cause));
}

static void visit(mst_rule_context *context, mst_place place) {
  const bool is_call = mst_kind_of(place.module->tree, place.node) == MST_K_CALL;
  const transfer found = is_call ? transfer_of_call(place) : transfer_of_slice(place);
  if (found.cause == 0 || is_covered(place, found.cause)) return;
  const mst_value value =
      found.is_whole ? *value_of(place, found.cause) : cautious(*value_of(place, found.cause));
  const mst_place shown =
      is_call ? place : mst_place_at(place, mst_node_at(place.module->tree, place.node)->parent);
  mst_finding *finding = mst_add_finding(context, mst_standing(place), &value,
                                         "`%s` %s, and waits for all work queued before",
                                         mst_text_of(context, shown), found.text);
  if (finding != NULL && is_call) suggest(context, finding, place, &found);
}

static const uint8_t kinds[] = {MST_K_CALL, MST_K_SLICE, MST_K_NONE};

const mst_rule mst_rule_r104 = {
    .id = "R104",
    .name = "host materialisation in a hot loop",
    .category = MST_BLOCKS,
    .outcome = MST_OUTCOME_COST,
    .counts = MST_COUNTS_HOT,
    .recipe = "RR-sync",
    .summary = "a value of an array is brought to the host: item(), float(), a bound or a shape",
    .why = "The host waits until all work that was queued before is done, not only this value; "
           "the GPUs have nothing queued when it goes on.",
    .kinds = kinds,
    .visit = visit,
};
