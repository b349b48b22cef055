/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "rules/common.h"
#include "rules/convergence.h"
#include "rules/places.h"
#include "rules/suggest.h"
#include "rules/turns.h"

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
  if (!mst_starts_with(name, "math.")) return 0;
  const mst_node_id found = deferred_argument(call, 0);
  const bool is_element = first != 0 && (value_of(call, first)->flags & MST_VF_MAYBE_ELEMENT) != 0;
  return found == 0 && is_element && is_array_at(call, first) ? first : found;
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

/* The `if` in whose test the read stands; node 0: it stands elsewhere. */
static mst_place test_around(mst_place read) {
  const mst_tree *tree = read.module->tree;
  mst_node_id child = read.node;
  while (!mst_is_statement(mst_kind_of(tree, tree->nodes[child].parent)))
    child = tree->nodes[child].parent;
  const mst_node_id parent = tree->nodes[child].parent;
  const bool is_test = mst_kind_of(tree, parent) == MST_K_IF && tree->nodes[parent].first == child;
  return mst_place_at(read, is_test ? parent : 0);
}

/* True when the loop reads the name only to ask whether it may end, and nothing reads it later. */
static bool only_ends_loop(mst_place place, const mst_loop *loop, mst_symbol name) {
  const mst_tree *tree = place.module->tree;
  const mst_node_id end = mst_subtree_end(tree, loop->node);
  mst_turns turns;
  unsigned tests = 0;
  if (!mst_function_turns(&turns, place)) return false;
  for (mst_node_id id = 0; mst_next_read(&turns, name, &id);) {
    if (mst_kind_of(tree, id) != MST_K_NAME || id < loop->node) continue;
    const mst_place test = id < end ? test_around(mst_place_at(place, id)) : mst_place_at(place, 0);
    if (test.node == 0 || !mst_may_come_late(test, loop)) return false;
    tests++;
  }
  return tests > 0 && !turns.is_spent;
}

/* range(n), range(0, n): the first turn is one in which the value is read. */
static bool begins_at_zero(mst_place place, const mst_loop *loop) {
  const mst_place range = mst_place_at(place, loop->iterable);
  const char *name = mst_place_is(range, MST_K_CALL) ? mst_called_name(range) : NULL;
  if (name == NULL || strcmp(name, "builtins.range") != 0) return false;
  return mst_positional_count(range) == 1 ||
         mst_is_number(mst_place_at(range, mst_argument(range, 0, NULL)), 0);
}

/* `x = float(y)`, where x only ends the loop: in some of the turns. */
static bool suggest_rarely(mst_rule_context *context, mst_finding *finding, mst_place call) {
  const mst_tree *tree = call.module->tree;
  const mst_place statement = mst_standing(call);
  const mst_node *target = mst_node_at(tree, mst_node_at(tree, statement.node)->first);
  const mst_loop *loop = mst_loop_at(call);
  if (loop == NULL || loop->iterable == 0 || mst_place_node(statement)->parent != loop->body ||
      !mst_place_is(statement, MST_K_ASSIGN) || target->kind != MST_K_NAME ||
      mst_child_count(tree, statement.node) != 2 ||
      mst_last_child(tree, statement.node) != call.node)
    return false;
  const char *counter = mst_turn_counter(call, loop);
  const unsigned period = mst_period_of(call, loop);
  if (counter == NULL || period == 0 || !begins_at_zero(call, loop) ||
      !only_ends_loop(call, loop, target->name))
    return false;
  const char *before = mst_lines_of(context, statement);
  mst_suggest(context, finding, before,
              mst_format_text(context->arena, "if %s %% %u == 0:\n%s", counter, period,
                              mst_indented(context, statement, before)),
              false);
  return true;
}

/* A value that is made here, not one that a name or an array keeps and may change in place. */
static bool is_fresh(mst_kind kind) {
  return kind == MST_K_CALL || kind == MST_K_BINARY || kind == MST_K_UNARY;
}

static bool is_float(mst_place cause) {
  static const char *const names[] = {
      "numpy.linalg.norm", "numpy.mean",  "numpy.std",   "numpy.var",
      "ndarray.mean",      "ndarray.std", "ndarray.var", NULL};
  if (mst_value_at(cause)->dtype == MST_D_FLOAT) return true;
  return mst_place_is(cause, MST_K_CALL) && mst_value_at(cause)->dtype == MST_D_UNKNOWN &&
         mst_one_of(mst_called_name(cause), names);
}

/* Where a 0-d array does as well as a number of the host: in arithmetic, bound to a name. */
static bool takes_array(mst_place call, mst_place cause) {
  const mst_place parent = mst_place_parent(call);
  switch (mst_place_kind(parent)) {
  case MST_K_BINARY:
  case MST_K_UNARY: return true;
  case MST_K_AUG_ASSIGN:
  case MST_K_ASSIGN: return is_fresh(mst_place_kind(cause));
  default: return false;
  }
}

/* float(y) and y.item(): y itself, which stays where it is. Of integers it would be something
 * else, and of an array of one element. */
static void suggest(mst_rule_context *context, mst_finding *finding, mst_place call,
                    const transfer *found) {
  static const char *const plain[] = {"builtins.float", "ndarray.item", NULL};
  const mst_place cause = mst_place_at(call, found->cause);
  const mst_place statement = mst_standing(call);
  const mst_value *value = mst_value_at(cause);
  if (!mst_one_of(mst_called_name(call), plain) || !mst_is_simple_statement(statement)) return;
  if (suggest_rarely(context, finding, call)) return;
  const bool is_item = mst_is_called_under(call, "ndarray.");
  if (!mst_is_deferred(value) || (!is_item && !is_float(cause)) || !takes_array(call, cause))
    return;
  const mst_kind kind = mst_place_kind(mst_place_parent(call));
  const bool is_operand = kind == MST_K_BINARY || kind == MST_K_UNARY;
  const mst_edit edit = {call.node, mst_operand_text(context, cause, is_operand)};
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
  mst_value value =
      found.is_whole ? *value_of(place, found.cause) : cautious(*value_of(place, found.cause));
  /* An array on the target that is made of deferred scalars is worth a look, but no conversion. */
  if (is_call && mst_is_container(&value) && mst_is_called_under(place, "numpy."))
    value.confidence = MST_POSSIBLE;
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
