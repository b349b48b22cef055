/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "rules/own_names.h"
#include "rules/places.h"
#include "rules/suggest.h"

static const struct {
  const char *builtin;
  unsigned most_arguments; /* sum(a, start) is over one array, max(a, b) is not */
  const char *ours;        /* NumPy's function that does the same; NULL: none does */
} builtins[] = {
    {"builtins.sum", 2, "sum"},       {"builtins.max", 1, "max"}, {"builtins.min", 1, "min"},
    {"builtins.any", 1, "any"},       {"builtins.all", 1, "all"}, {"builtins.sorted", 1, "sort"},
    {"builtins.reversed", 1, "flip"}, {"builtins.list", 1, NULL}, {"builtins.tuple", 1, NULL},
    {"builtins.set", 1, "unique"},    {"builtins.iter", 1, NULL},
};
#define BUILTINS (sizeof builtins / sizeof *builtins)

/* Where an array does as well as what the builtin gives: a list, an iterator or a set. */
static bool takes_array(mst_place call, const char *ours) {
  const mst_place parent = mst_place_parent(call);
  const bool is_set = strcmp(ours, "unique") == 0;
  if (strcmp(ours, "sort") != 0 && strcmp(ours, "flip") != 0 && !is_set) return true;
  const bool is_first = mst_place_node(parent)->first == call.node;
  switch (mst_place_kind(parent)) {
  case MST_K_CALL: {
    static const char *const length[] = {"builtins.len", NULL};
    const char *name = mst_called_name(parent);
    if (is_first || name == NULL) return false;
    return mst_one_of(name, length) || (!is_set && mst_starts_with(name, "numpy."));
  }
  case MST_K_FOR: return !is_first && !is_set;
  case MST_K_SUBSCRIPT:
    return is_first && strcmp(ours, "sort") == 0 &&
           mst_value_at(mst_place_child(parent, 1))->kind == MST_V_NUMBER;
  default: return false;
  }
}

/* Exact for one dimension only; for more, the builtin works on rows: max, min, any and all then
 * raise. */
static bool is_of_one_axis(const char *ours, const mst_value *array) {
  return array->rank == 1 || (array->rank < 0 && strcmp(ours, "sum") != 0);
}

/* ---- safety ------------------------------------------------------------------------------------- */

/* if any(a): nobody sees that the truth is NumPy's; the same behind `not`. */
static bool is_truth_of_test(mst_place call) {
  for (mst_place at = call;;) {
    const mst_place parent = mst_place_parent(at);
    switch (mst_place_kind(parent)) {
    case MST_K_NOT: return true;
    case MST_K_BOOLEAN: at = parent; break;
    case MST_K_IF:
    case MST_K_WHILE:
    case MST_K_ASSERT: return mst_place_node(parent)->first == at.node;
    case MST_K_CONDITIONAL: return mst_child(call.module->tree, parent.node, 1) == at.node;
    default: return false;
    }
  }
}

/* Why the function may give something else than the builtin; NULL: it gives the same, sums up to
 * rounding. */
static const char *difference(mst_place call, const char *ours, const mst_value *array) {
  const unsigned dtype = array->dtype;
  if (array->rank != 1 || !mst_is_known_here(call.program, array))
    return "the array may have more than one dimension";
  if (dtype < MST_D_BOOL || dtype > MST_D_COMPLEX) return "the type of the elements is not known";
  if (strcmp(ours, "sum") == 0)
    return dtype == MST_D_INT ? "a builtin sum of short integers overflows where NumPy's is wider"
                              : NULL;
  if (strcmp(ours, "any") == 0 || strcmp(ours, "all") == 0)
    return is_truth_of_test(call) ? NULL : "it gives a truth value of NumPy's, which is no `bool`";
  if (strcmp(ours, "flip") == 0) return "a view is taken where the builtin goes through the array";
  return dtype <= MST_D_INT ? NULL : "they treat NaN in different ways";
}

static void suggest(mst_rule_context *context, mst_finding *finding, mst_place call,
                    const char *ours, const mst_value *array) {
  const char *alias = mst_numpy_alias(call);
  const mst_place statement = mst_standing(call);
  if (alias == NULL || ours == NULL || mst_positional_count(call) != 1 ||
      !is_of_one_axis(ours, array) || !takes_array(call, ours) ||
      !mst_is_simple_statement(statement) || mst_child_count(call.module->tree, call.node) != 2)
    return;
  const char *why = difference(call, ours, array);
  const mst_edit edit = {mst_place_child(call, 0).node,
                         mst_format_text(context->arena, "%s.%s", alias, ours)};
  if (why != NULL) mst_add_evidence(context, finding, "`%s` may differ: %s", edit.text, why);
  mst_suggest(context, finding, mst_lines_of(context, statement),
              mst_lines_with(context, statement, &edit, 1), why == NULL);
}

static void visit(mst_rule_context *context, mst_place place) {
  const char *name = mst_called_name(place);
  if (name == NULL || !mst_starts_with(name, "builtins.")) return;
  const mst_node_id argument = mst_argument(place, 0, NULL);
  for (size_t i = 0; argument != 0 && i < BUILTINS; i++) {
    if (strcmp(name, builtins[i].builtin) != 0) continue;
    const mst_value *value = mst_value_at(mst_place_at(place, argument));
    if (!mst_is_target_array(value) || value->rank == 0 ||
        mst_positional_count(place) > builtins[i].most_arguments)
      return;
    mst_finding *finding = mst_add_finding(context, mst_standing(place), value,
                                           "`%s` walks the array element by element on the host",
                                           mst_text_of(context, place));
    if (finding != NULL) suggest(context, finding, place, builtins[i].ours, value);
    return;
  }
}

const mst_rule mst_rule_r110 = {
    .id = "R110",
    .name = "Python builtin on an array",
    .category = MST_BLOCKS,
    .outcome = MST_OUTCOME_COST,
    .counts = MST_COUNTS_HOT_PATH,
    .recipe = "RR-loop",
    .summary = "`sum`, `max`, `sorted`, `list` and other builtins over an array",
    .why = "A builtin asks for one element after the other, and each one is a round trip to the "
           "device; NumPy's function is one parallel operation.",
    .kinds = (const uint8_t[]){MST_K_CALL, MST_K_NONE},
    .visit = visit,
};
