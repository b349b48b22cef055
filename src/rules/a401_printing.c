/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "rules/places.h"

/* A value of the target, or a number that is made of one on the spot: float(x), x.item(). */
static bool waits(mst_place place) {
  static const char *const numbers[] = {"builtins.float", "builtins.int", "builtins.round",
                                        "builtins.bool", NULL};
  static const char *const methods[] = {"ndarray.item", "ndarray.tolist", NULL};
  const mst_value *value = mst_value_at(place);
  if (mst_is_target_array(value) || mst_is_deferred(value)) return true;
  if (!mst_place_is(place, MST_K_CALL)) return false;
  if (mst_one_of(mst_called_name(place), methods)) return true;
  const mst_node_id argument = mst_argument(place, 0, NULL);
  if (argument == 0 || !mst_one_of(mst_called_name(place), numbers)) return false;
  value = mst_value_at(mst_place_at(place, argument));
  return mst_is_target_array(value) || mst_is_deferred(value);
}

/* The first child that lives on the target, also in a tuple: "%f %f" % (a, b). */
static mst_node_id printed_among(mst_place place, mst_node_id first) {
  const mst_tree *tree = place.module->tree;
  for (mst_node_id child = first; child != 0; child = tree->nodes[child].next) {
    const mst_kind kind = mst_kind_of(tree, child);
    if (waits(mst_place_at(place, child))) return child;
    if (kind != MST_K_TUPLE && kind != MST_K_KEYWORD && kind != MST_K_STAR) continue;
    MST_EACH_CHILD(tree, part, child)
    if (waits(mst_place_at(place, part))) return part;
  }
  return 0;
}

static bool writes_text(mst_place call) {
  static const char *const methods[] = {"debug", "info",     "warning",   "warn", "error",
                                        "log",   "critical", "exception", NULL};
  const char *name = mst_called_name(call);
  const mst_place callee = mst_place_child(call, 0);
  if (name != NULL)
    return strcmp(name, "builtins.print") == 0 || strcmp(name, "builtins.str") == 0 ||
           strcmp(name, "builtins.repr") == 0 || strcmp(name, "builtins.format") == 0 ||
           mst_starts_with(name, "logging.");
  if (!mst_place_is(callee, MST_K_ATTRIBUTE)) return false;
  const mst_place object = mst_place_child(callee, 0);
  if (mst_place_is(object, MST_K_STRING)) return mst_place_node(callee)->name == MST_SYM_format;
  const bool is_logger = mst_place_is(object, MST_K_NAME) || mst_place_is(object, MST_K_ATTRIBUTE);
  return is_logger && strstr(mst_place_name(object), "log") != NULL &&
         mst_one_of(mst_place_name(callee), methods);
}

static mst_node_id printed(mst_place place) {
  const mst_tree *tree = place.module->tree;
  const mst_node_id first = mst_place_node(place)->first;
  switch (mst_place_kind(place)) {
  case MST_K_FSTRING:
  case MST_K_PRINT: return printed_among(place, first);
  case MST_K_CALL: return writes_text(place) ? printed_among(place, tree->nodes[first].next) : 0;
  case MST_K_BINARY: {
    const mst_kind left = mst_kind_of(tree, first);
    const bool is_format =
        mst_place_node(place)->op == MST_OP_MOD && (left == MST_K_STRING || left == MST_K_FSTRING);
    return is_format ? printed_among(place, tree->nodes[first].next) : 0;
  }
  default: return 0;
  }
}

static void visit(mst_rule_context *context, mst_place place) {
  const mst_place statement = mst_standing(place);
  const mst_node_id value = printed(place);
  if (value == 0 || mst_heat_at(place) != MST_HEAT_HOT) return;
  if (mst_place_is(statement, MST_K_RAISE) || mst_place_is(statement, MST_K_ASSERT)) return;
  const mst_place what = mst_place_at(place, value);
  mst_add_finding(context, statement, mst_value_at(what),
                  "`%s` is shown in each step, and the program waits for it",
                  mst_text_of(context, what));
}

const mst_rule mst_rule_a401 = {
    .id = "A401",
    .name = "printing in a hot loop",
    .category = MST_AUDIT,
    .outcome = MST_OUTCOME_NONE,
    .counts = MST_COUNTS_NEVER,
    .summary = "`print`, f-strings and logging of distributed values in a hot loop",
    .why = "To show a value the program waits for all work that was queued before it.",
    .kinds = (const uint8_t[]){MST_K_CALL, MST_K_FSTRING, MST_K_BINARY, MST_K_PRINT, MST_K_NONE},
    .visit = visit,
};
