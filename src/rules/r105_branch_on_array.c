/* SPDX-License-Identifier: Apache-2.0 */
#include "rules/common.h"
#include "rules/convergence.h"
#include "rules/places.h"
#include "rules/suggest.h"

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

/* "while <test>:"; parentheses hold a test of several lines together. */
static const char *guarded(const mst_rule_context *context, const char *guard, mst_place test) {
  const mst_kind kind = mst_kind_of(test.module->tree, test.node);
  const bool is_loose = kind == MST_K_BOOLEAN || kind == MST_K_CONDITIONAL || kind == MST_K_LAMBDA;
  return mst_format_text(
      context->arena, "%s %s:", guard,
      mst_unindented(context, mst_standing(test), mst_operand_text(context, test, is_loose)));
}

/* A test with other conditions may stop the loop for other reasons: only a bare comparison. */
static void suggest_while(mst_rule_context *context, mst_finding *finding, mst_place place,
                          mst_place test) {
  const mst_loop *loop = mst_loop_by_node(place);
  if (loop == NULL || !mst_place_is(test, MST_K_COMPARE) || mst_has_else(place) ||
      !mst_is_convergence_test(test, loop))
    return;
  const char *counter = mst_turn_counter(place, loop);
  const char *turn = counter != NULL ? counter : mst_unused_name(context, "turn");
  const char *guard =
      mst_format_text(context->arena, "while %s %% %u != 0 or", turn, mst_period_of(place, loop));
  const char *after = guarded(context, guard, test);
  if (counter == NULL)
    after = mst_format_text(
        context->arena, "%s = 0\n%s\n%s", turn, after,
        mst_indented(context, place, mst_format_text(context->arena, "%s += 1", turn)));
  mst_suggest(context, finding, mst_head_of(context, place), after, false);
}

/* The branch must only leave the loop that it stands in: others are passed over in the turns
 * between. */
static void suggest_if(mst_rule_context *context, mst_finding *finding, mst_place place,
                       mst_place test) {
  const mst_loop *loop = mst_loop_at(place);
  if (loop == NULL || loop != mst_repeating_loop(place) || !mst_may_come_late(place, loop)) return;
  const unsigned period = mst_period_of(place, loop);
  if (period == 0) return;
  const char *counter = mst_turn_counter(place, loop);
  const char *turn = counter != NULL ? counter : mst_unused_name(context, "turn");
  const char *guard = mst_format_text(context->arena, "if %s %% %u == 0 and", turn, period);
  const char *after = guarded(context, guard, test);
  if (counter == NULL)
    after =
        mst_format_text(context->arena, "%s += 1  # %s = 0 before the loop\n%s", turn, turn, after);
  mst_suggest(context, finding, mst_head_of(context, place), after, false);
}

static void suggest(mst_rule_context *context, mst_finding *finding, mst_place place,
                    mst_place test) {
  switch (mst_kind_of(place.module->tree, place.node)) {
  case MST_K_WHILE: suggest_while(context, finding, place, test); break;
  case MST_K_IF: suggest_if(context, finding, place, test); break;
  default: break;
  }
}

/* ---- words ------------------------------------------------------------------------------------------- */

/* The name within what is tested that stands for a value of arrays; node 0: there is none. */
static mst_place tested_name(mst_place cause) {
  while (mst_place_is(cause, MST_K_BINARY) || mst_place_is(cause, MST_K_UNARY)) {
    mst_node_id part = mst_place_node(cause)->first;
    while (part != 0 && !mst_is_waited_for(mst_value_at(mst_place_at(cause, part))))
      part = mst_node_at(cause.module->tree, part)->next;
    cause.node = part;
  }
  const bool is_name = mst_place_is(cause, MST_K_NAME) || mst_place_is(cause, MST_K_ATTRIBUTE);
  return mst_place_at(cause, is_name ? cause.node : 0);
}

/* Where a name got its value from arrays; node 0: that is not known. */
static mst_place origin_of(mst_place name) {
  const mst_program *program = name.program;
  uint32_t at = name.node != 0 ? mst_value_at(name)->why : 0;
  while (at != 0 && program->values.steps.data[at].kind != MST_STEP_MADE)
    at = program->values.steps.data[at].before;
  if (at == 0) return mst_place_at(name, 0);
  const mst_step *step = &program->values.steps.data[at];
  return (mst_place){program, &program->modules[step->module], step->node};
}

static const char *message_of(const mst_rule_context *context, mst_place cause) {
  const char *text = mst_text_of(context, cause);
  const mst_place origin = origin_of(tested_name(cause));
  if (origin.node == 0) return mst_format_text(context->arena, "the test waits for `%s`", text);
  const mst_source *source = origin.module->tree->source;
  const mst_position at = mst_source_position(source, mst_place_node(origin)->start);
  const char *where = at.cell > 0
                          ? mst_format_text(context->arena, "cell %u, line %u", at.cell, at.line)
                          : mst_format_text(context->arena, "line %u", at.line);
  if (origin.module != cause.module)
    where = mst_format_text(context->arena, "%s, %s", mst_path_text(context->arena, source->path),
                            where);
  return mst_format_text(context->arena, "the test waits for `%s`, which `%s` (%s) makes of arrays",
                         text, mst_text_of(context, origin), where);
}

/* ---- the rule ------------------------------------------------------------------------------------- */

static void visit(mst_rule_context *context, mst_place place) {
  const mst_place test = mst_place_at(place, test_of(place));
  const mst_node_id waited = test.node != 0 ? mst_waited_in_test(test) : 0;
  if (waited == 0 || is_in_comprehension_test(place)) return;
  const mst_place cause = mst_place_at(place, waited);
  if (mst_is_walk_use(cause)) return;
  const mst_value value = waited_value(cause);
  mst_finding *finding =
      mst_add_finding(context, mst_standing(place), &value, "%s", message_of(context, cause));
  if (finding == NULL) return;
  finding->about = waited;
  finding->heat = mst_heat_at(cause);
  mst_settle(finding);
  suggest(context, finding, place, test);
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
