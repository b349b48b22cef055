/* SPDX-License-Identifier: Apache-2.0 */
#include "rules/common.h"
#include "rules/element_map.h"
#include "rules/loop_text.h"
#include "rules/suggest.h"

static bool is_walking(const mst_loop *loop) {
  return mst_is_reported_loop(loop) && loop->status != MST_LOOP_ITERATES;
}

/* np.ndindex(a.shape) and its like are R103's, whatever the body does. */
static bool is_over_iterating_call(mst_place place, const mst_loop *loop) {
  mst_node_id array;
  return loop->iterable != 0 && mst_kind_of(place.module->tree, loop->iterable) == MST_K_CALL &&
         mst_is_iterating_call(mst_place_at(place, loop->iterable), &array);
}

/* ---- the arrays ------------------------------------------------------------------------------------ */

static bool is_walked(const mst_loop *loop, mst_symbol name) {
  for (uint32_t i = 0; i < loop->walked_count; i++)
    if (loop->walked[i] == name) return true;
  return loop->walked_count == 0;
}

/* What is surest of the walked arrays where they are indexed; NULL: not found again. */
static const mst_value *walked_value(mst_place place, const mst_loop *loop) {
  const mst_tree *tree = place.module->tree;
  const mst_node_id end = mst_subtree_end(tree, place.node);
  const mst_value *best = NULL;
  for (mst_node_id id = place.node; id < end; id++) {
    const mst_node *node = mst_node_at(tree, id);
    if (node->kind != MST_K_SUBSCRIPT) continue;
    if (!is_walked(loop, mst_node_at(tree, node->first)->name)) continue;
    const mst_value *value = mst_value_at(mst_place_at(place, node->first));
    if (mst_is_target_array(value) && (best == NULL || value->confidence > best->confidence))
      best = value;
  }
  return best;
}

/* ---- the recipe ------------------------------------------------------------------------------------ */

static bool is_whole_call(mst_place place) {
  const mst_api *api =
      mst_kind_of(place.module->tree, place.node) == MST_K_CALL ? mst_called_api(place) : NULL;
  return api != NULL && (api->traits & (MST_T_LINALG | MST_T_FFT)) != 0 &&
         (api->traits & MST_T_REDUCTION) == 0;
}

/* A row and a number of an array: m[r, :] * w[r]. */
static bool is_scaled_row(mst_place place) {
  const mst_tree *tree = place.module->tree;
  const mst_node *node = mst_node_at(tree, place.node);
  if (node->kind != MST_K_BINARY || node->op == MST_OP_MATMUL) return false;
  const mst_value *left = mst_value_at(mst_place_at(place, node->first));
  const mst_value *right = mst_value_at(mst_place_at(place, mst_child(tree, place.node, 1)));
  const bool left_is_row = mst_is_target_array(left);
  const bool right_is_row = mst_is_target_array(right);
  return (left_is_row && mst_is_waited_for(right)) || (right_is_row && mst_is_waited_for(left));
}

static bool holds(mst_place place, bool (*is_wanted)(mst_place)) {
  const mst_node_id end = mst_subtree_end(place.module->tree, place.node);
  for (mst_node_id id = place.node; id < end; id++)
    if (is_wanted(mst_place_at(place, id))) return true;
  return false;
}

static const char *recipe_of(mst_place place, const mst_loop *loop) {
  const mst_place body = mst_place_at(place, loop->body);
  if (loop->status != MST_LOOP_ELEMENTS && loop->status != MST_LOOP_ROWS) return "RR-loop";
  if (holds(body, is_whole_call)) return "RR-batch";
  return loop->status == MST_LOOP_ROWS && holds(body, is_scaled_row) ? "RR-broadcast" : "RR-loop";
}

/* a[:i], a[i, :j], where the bound counts in this loop or in one within it. */
static bool is_beginning(mst_place subscript, const mst_loop *loop) {
  const mst_tree *tree = subscript.module->tree;
  const mst_node_id object = mst_node_at(tree, subscript.node)->first;
  for (mst_node_id index = mst_node_at(tree, object)->next; index != 0;
       index = mst_node_at(tree, index)->next) {
    if (mst_kind_of(tree, index) != MST_K_SLICE) continue;
    const mst_node *upper = mst_node_at(tree, mst_child(tree, index, 1));
    const mst_loop *inner = mst_loop_at(subscript);
    if (upper->kind != MST_K_NAME) continue;
    for (; inner != NULL && inner->node >= loop->node;
         inner = mst_loop_outside(subscript.program, inner))
      if (inner->counter_count > 0 && inner->counters[0] == upper->name) return true;
  }
  return false;
}

static bool is_written(mst_place loop, mst_symbol array) {
  const mst_tree *tree = loop.module->tree;
  const mst_node_id end = mst_subtree_end(tree, loop.node);
  for (mst_node_id id = loop.node; id < end; id++) {
    const mst_node *node = mst_node_at(tree, id);
    if (node->kind == MST_K_SUBSCRIPT && (node->flags & MST_F_STORE) != 0 &&
        mst_node_at(tree, node->first)->name == array)
      return true;
  }
  return false;
}

/* Each piece needs those before it, as in a factorisation or a triangular solve: what is written is
 * also read from its beginning up to where the loop is. */
static bool is_dependent_sweep(mst_place place, const mst_loop *loop) {
  const mst_tree *tree = place.module->tree;
  if (loop->status == MST_LOOP_SWEEP) return true;
  if (loop->status != MST_LOOP_ROWS) return false;
  const mst_node_id end = mst_subtree_end(tree, loop->node);
  for (mst_node_id id = loop->body; id < end; id++) {
    const mst_node *node = mst_node_at(tree, id);
    if (node->kind == MST_K_SUBSCRIPT && (node->flags & MST_F_STORE) == 0 &&
        is_beginning(mst_place_at(place, id), loop) &&
        is_written(place, mst_node_at(tree, node->first)->name))
      return true;
  }
  return false;
}

static const char sweep_advice[] =
    "A sweep in which each slab needs the ones before it has no whole-array form: where it factors "
    "a matrix or solves by one, call `np.linalg.cholesky` or `np.linalg.solve`, or SciPy at the "
    "boundary; else work on blocks of slabs, or let the sweep run along the shortest axis.";

/* ---- the rule -------------------------------------------------------------------------------------- */

static const char *manner_of(const mst_loop *loop, bool is_sweep) {
  if (is_sweep) return "sweeps over %s, slab by slab";
  switch (loop->status) {
  case MST_LOOP_ROWS: return "walks %s piece by piece, each independent of the others";
  case MST_LOOP_SCAN: return "makes a running sum or product over %s, element by element";
  default: return "walks %s element by element";
  }
}

/* The manner with the arrays' names in it. */
static const char *deed_of(const mst_rule_context *context, const mst_loop *loop, bool is_sweep) {
  const char *names = mst_walked_text(context, loop);
  const char *manner = manner_of(loop, is_sweep);
  const char *gap = manner;
  while (*gap != '%')
    gap++;
  return mst_format_text(context->arena, "%.*s%s%s", (int)(gap - manner), manner,
                         names != NULL ? names : "arrays", gap + 2);
}

static void visit(mst_rule_context *context, mst_place place) {
  const mst_loop *loop = mst_loop_by_node(place);
  if (loop == NULL || !is_walking(loop) || is_over_iterating_call(place, loop)) return;
  const bool is_sweep = is_dependent_sweep(place, loop);
  const mst_value likely = {.kind = MST_V_ARRAY, .confidence = MST_LIKELY};
  const mst_value *walked = walked_value(place, loop);
  mst_finding *finding =
      mst_add_finding(context, place, walked != NULL ? walked : &likely, "`%s` %s",
                      mst_loop_text(context, place), deed_of(context, loop, is_sweep));
  if (finding == NULL) return;
  finding->heat = mst_loop_heat(place);
  finding->recipe = recipe_of(place, loop);
  if (is_sweep) {
    finding->recipe = "RR-loop";
    finding->advice = sweep_advice;
  }
  mst_settle(finding);
  if (loop->reason != NULL && (loop->status != MST_LOOP_ROWS || finding->advice == NULL))
    mst_add_evidence(context, finding, "%s", loop->reason);
  mst_suggest_element_map(context, finding, place, loop);
}

static const uint8_t kinds[] = {MST_K_FOR,       MST_K_WHILE,     MST_K_LIST_COMP, MST_K_SET_COMP,
                                MST_K_DICT_COMP, MST_K_GENERATOR, MST_K_NONE};

const mst_rule mst_rule_r101 = {
    .id = "R101",
    .name = "Python loop with element indexing",
    .category = MST_BLOCKS,
    .outcome = MST_OUTCOME_COST,
    .counts = MST_COUNTS_HOT_PATH,
    .recipe = "RR-loop",
    .summary = "a loop that indexes arrays by its counter: elements, rows, windows, sweeps",
    .why = "Each access of one element is a task and a wait; the loop runs on the host while the "
           "GPUs look on, and gets slower, not faster, than with NumPy.",
    .kinds = kinds,
    .visit = visit,
};
