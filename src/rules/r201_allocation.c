/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "rules/places.h"
#include "rules/suggest.h"

/* ---- what allocates ---------------------------------------------------------------------------- */

static bool is_false(mst_place call, const char *keyword) {
  const mst_node_id argument = mst_argument(call, -1, keyword);
  return argument != 0 && mst_kind_of(call.module->tree, argument) == MST_K_FALSE;
}

/* The array that a call copies as a whole; 0: it copies none. */
static mst_node_id copied_array(mst_place call) {
  static const char *const copies[] = {"ndarray.copy", "numpy.copy", "numpy.array", NULL};
  if (!mst_one_of(mst_called_name(call), copies) || is_false(call, "copy")) return 0;
  const mst_node_id array = mst_subject(call);
  if (array == 0 || !mst_is_target_array(mst_value_at(mst_place_at(call, array)))) return 0;
  return mst_is_walk_use(mst_place_at(call, array)) ? 0 : array;
}

static bool is_allocation(mst_place call) {
  const mst_api *api = mst_called_api(call);
  if (api == NULL || !mst_is_target_array(mst_value_at(call))) return false;
  if (mst_value_at(call)->rank == 0) return false;
  return (api->traits & (MST_T_CREATES | MST_T_RANDOM)) != 0 || copied_array(call) != 0;
}

/* ---- before the loop ----------------------------------------------------------------------------- */

/* What fills a buffer as the call did; NULL: it holds nothing in particular, or there is no short
 * way. */
static const char *filler(const mst_rule_context *context, mst_place call, const char *buffer) {
  const char *name = mst_called_name(call);
  if (mst_starts_with(name, "numpy.zeros"))
    return mst_format_text(context->arena, "%s.fill(0)", buffer);
  if (mst_starts_with(name, "numpy.ones"))
    return mst_format_text(context->arena, "%s.fill(1)", buffer);
  if (strcmp(name, "numpy.full") == 0 || strcmp(name, "numpy.full_like") == 0) {
    const mst_node_id value = mst_argument(call, 1, "fill_value");
    if (value == 0) return NULL;
    return mst_format_text(context->arena, "%s.fill(%s)", buffer,
                           mst_source_of(context, mst_place_at(call, value)));
  }
  const mst_node_id copied = copied_array(call);
  if (copied == 0 || mst_argument(call, -1, "dtype") != 0) return NULL;
  return mst_format_text(context->arena, "%s[:] = %s", buffer,
                         mst_source_of(context, mst_place_at(call, copied)));
}

static bool makes_empty(mst_place call) {
  static const char *const names[] = {"numpy.empty", "numpy.empty_like", NULL};
  return mst_one_of(mst_called_name(call), names);
}

/* For `name = np.zeros(...)` in the body of the loop that repeats it. Another name for the array
 * would see it overwritten: that is for the reader to check. */
static void suggest(mst_rule_context *context, mst_finding *finding, mst_place call) {
  const mst_place statement = mst_place_parent(call);
  const mst_loop *loop = mst_repeating_loop(call);
  if (!mst_place_is(statement, MST_K_ASSIGN) || loop == NULL ||
      mst_place_node(statement)->parent != loop->body ||
      mst_child_count(call.module->tree, statement.node) != 2 ||
      !mst_place_is(mst_place_child(statement, 0), MST_K_NAME))
    return;
  const mst_place head = mst_place_at(call, loop->node);
  if (!mst_place_is(head, MST_K_FOR) && !mst_place_is(head, MST_K_WHILE)) return;
  const char *name = mst_place_name(mst_place_child(statement, 0));
  const char *fill = filler(context, call, name);
  if (fill == NULL && !makes_empty(call)) return;
  const char *before = mst_lines_of(context, statement);
  const char *test = mst_source_of(context, mst_place_child(head, 0));
  const char *loop_line = mst_place_is(head, MST_K_FOR)
                              ? mst_format_text(context->arena, "for %s in %s:", test,
                                                mst_source_of(context, mst_place_child(head, 1)))
                              : mst_format_text(context->arena, "while %s:", test);
  mst_suggest(context, finding,
              mst_format_text(context->arena, "%s\n%s", loop_line, mst_indented(context, before)),
              mst_format_text(context->arena, "%s\n%s\n    %s", before, loop_line,
                              fill != NULL ? fill : "..."),
              false);
}

/* ---- the rule ------------------------------------------------------------------------------------- */

/* The value at a copy says what was copied, and so how sure it is that it is an array. */
static const mst_value *grounds(mst_place call) {
  const mst_node_id copied = copied_array(call);
  return mst_value_at(copied != 0 ? mst_place_at(call, copied) : call);
}

static void visit(mst_rule_context *context, mst_place place) {
  if (!mst_may_stand(context, place) || !is_allocation(place)) return;
  if (!mst_has_fixed_shape(place) || mst_is_kept(place)) return;
  const char *text = mst_text_of(context, place);
  mst_finding *finding = mst_add_finding(
      context, mst_standing(place), grounds(place),
      copied_array(place) != 0 ? "`%s` copies an array of the same shape again in each step"
                               : "`%s` allocates an array of the same shape again in each step",
      text);
  if (finding != NULL) suggest(context, finding, place);
}

const mst_rule mst_rule_r201 = {
    .id = "R201",
    .name = "allocation in a hot loop",
    .category = MST_REFACTOR,
    .outcome = MST_OUTCOME_COST,
    .counts = MST_COUNTS_HOT,
    .recipe = "RR-alloc",
    .summary = "a fresh array of unchanged shape in each step, or a copy, or random numbers",
    .why = "The runtime runs ahead of the program, so arrays of many steps are alive at once; a "
           "buffer that is allocated once keeps memory flat and its partitions known.",
    .kinds = (const uint8_t[]){MST_K_CALL, MST_K_NONE},
    .visit = visit,
};
