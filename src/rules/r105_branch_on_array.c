/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "rules/common.h"
#include "rules/loop_text.h"
#include "rules/suggest.h"

#define EVERY "50"

static mst_node_id test_of(mst_place place) {
  const mst_tree *tree = place.module->tree;
  const mst_kind kind = mst_kind_of(tree, place.node);
  return mst_child(tree, place.node, kind == MST_K_CONDITIONAL ? 1 : 0);
}

/* Conditions of comprehensions choose elements of a Python sequence: no statement waits there. */
static bool is_in_comprehension_test(mst_place place) {
  const mst_tree *tree = place.module->tree;
  for (mst_node_id id = place.node; id != 0; id = mst_node_at(tree, id)->parent) {
    const mst_kind kind = mst_kind_of(tree, id);
    if (kind == MST_K_COMP_IF) return true;
    if (mst_is_statement(kind)) return false;
  }
  return false;
}

/* An element of unknown rank might be a row. */
static mst_value waited_value(mst_place place) {
  mst_value value = *mst_value_at(place);
  if (mst_is_array(&value) && value.confidence > MST_LIKELY) value.confidence = MST_LIKELY;
  return value;
}

/* ---- suggestion ------------------------------------------------------------------------------------ */

/* The part of the test that is to be done less often: the operand of its and/or that waits, or,
 * where a `not` turns those round, all of it. */
static mst_node_id part_to_guard(mst_place test, mst_node_id waited) {
  const mst_tree *tree = test.module->tree;
  mst_node_id part = waited;
  while (part != test.node && mst_kind_of(tree, mst_node_at(tree, part)->parent) != MST_K_BOOLEAN)
    part = mst_node_at(tree, part)->parent;
  for (mst_node_id id = part; id != test.node; id = mst_node_at(tree, id)->parent)
    if (mst_kind_of(tree, mst_node_at(tree, id)->parent) != MST_K_BOOLEAN) return test.node;
  return part;
}

static const char *in_parentheses(const mst_rule_context *context, const char *text) {
  return mst_format_text(context->arena, "(%s)", text);
}

/* An operand of and/or as text. */
static const char *operand_text(const mst_rule_context *context, mst_place operand) {
  const char *text = mst_source_of(context, operand);
  switch (mst_kind_of(operand.module->tree, operand.node)) {
  case MST_K_BOOLEAN:
  case MST_K_CONDITIONAL:
  case MST_K_WALRUS: return in_parentheses(context, text);
  default: return text;
  }
}

/* The test with "`guard` <its operand>" in the operand's place. */
static const char *guarded(const mst_rule_context *context, mst_place test, mst_node_id waited,
                           const char *guard) {
  const mst_place part = mst_place_at(test, part_to_guard(test, waited));
  const char *text = mst_format_text(context->arena, "%s %s", guard, operand_text(context, part));
  if (part.node == test.node) return text;
  const mst_edit edit = {part.node, in_parentheses(context, text)};
  return mst_source_with(context, test, &edit, 1);
}

/* "while <test>:"; parentheses hold a test of several lines together. */
static const char *header(const mst_rule_context *context, const char *keyword, const char *test) {
  if (strchr(test, '\n') != NULL) test = in_parentheses(context, test);
  return mst_format_text(context->arena, "%s %s:", keyword, test);
}

static void suggest_while(mst_rule_context *context, mst_finding *finding, mst_place test,
                          mst_node_id waited) {
  const char *turn = mst_unused_name(context, "turn");
  const char *guard = mst_format_text(context->arena, "%s %% " EVERY " != 0 or", turn);
  const char *after = header(context, "while", guarded(context, test, waited, guard));
  mst_suggest(context, finding, header(context, "while", mst_source_of(context, test)),
              mst_format_text(context->arena, "%s = 0\n%s\n    %s += 1", turn, after, turn), false);
}

static void suggest_if(mst_rule_context *context, mst_finding *finding, mst_place test,
                       mst_node_id waited) {
  const char *counter = mst_counter_around(test);
  const char *turn = counter != NULL ? counter : mst_unused_name(context, "turn");
  const char *guard = mst_format_text(context->arena, "%s %% " EVERY " == 0 and", turn);
  const char *after = header(context, "if", guarded(context, test, waited, guard));
  if (counter == NULL)
    after =
        mst_format_text(context->arena, "%s += 1  # %s = 0 before the loop\n%s", turn, turn, after);
  mst_suggest(context, finding, header(context, "if", mst_source_of(context, test)), after, false);
}

static bool is_elif(mst_place place) {
  const mst_node *node = mst_node_at(place.module->tree, place.node);
  return mst_starts_with(place.module->tree->source->text + node->start, "elif");
}

/* Only what stands in a loop of this function can be done every so many turns of it; and an `if`
 * with an else would do the else in all other turns. */
static void suggest(mst_rule_context *context, mst_finding *finding, mst_place place,
                    mst_place test, mst_node_id waited) {
  const mst_tree *tree = place.module->tree;
  switch (mst_kind_of(tree, place.node)) {
  case MST_K_WHILE: suggest_while(context, finding, test, waited); break;
  case MST_K_IF:
    if (mst_loop_at(place) != NULL && !mst_has_else(place) && !is_elif(place))
      suggest_if(context, finding, test, waited);
    break;
  default: break;
  }
}

/* ---- the rule ------------------------------------------------------------------------------------- */

static void visit(mst_rule_context *context, mst_place place) {
  const mst_place test = mst_place_at(place, test_of(place));
  const mst_node_id waited = test.node != 0 ? mst_waited_in_test(test) : 0;
  if (waited == 0 || is_in_comprehension_test(place)) return;
  const mst_place cause = mst_place_at(place, waited);
  if (mst_is_walk_use(cause)) return;
  const mst_value value = waited_value(cause);
  mst_finding *finding = mst_add_finding(context, mst_standing(place), &value,
                                         "the test waits for `%s`", mst_text_of(context, cause));
  if (finding == NULL) return;
  finding->about = waited;
  finding->heat = mst_heat_at(cause);
  mst_settle(finding);
  suggest(context, finding, place, test, waited);
}

static const uint8_t kinds[] = {MST_K_IF,      MST_K_WHILE, MST_K_ASSERT, MST_K_CONDITIONAL,
                                MST_K_BOOLEAN, MST_K_NOT,   MST_K_NONE};

const mst_rule mst_rule_r105 = {
    .id = "R105",
    .name = "branching on array data",
    .category = MST_BLOCKS,
    .outcome = MST_OUTCOME_COST,
    .counts = MST_COUNTS_HOT,
    .recipe = "RR-converge",
    .summary = "a test in a hot place that depends on a reduction or an element of an array",
    .why = "The host cannot go on before it knows the value: it waits for all work queued so far, "
           "in each turn, and the GPUs run dry. The Doctor does not report this one.",
    .kinds = kinds,
    .visit = visit,
};
