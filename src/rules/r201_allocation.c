/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "rules/places.h"
#include "rules/suggest.h"
#include "rules/turns.h"

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
  if (strcmp(api->name, "numpy.fromfunction") == 0) return false; /* a computation */
  return (api->traits & (MST_T_CREATES | MST_T_RANDOM)) != 0 || copied_array(call) != 0;
}

/* ---- before the loop ----------------------------------------------------------------------------- */

/* `buffer = np.zeros(...)` in the body of the loop that repeats it. */
typedef struct hoist {
  mst_place call, statement, target, loop;
  const mst_value *array; /* what the call makes */
} hoist;

/* False where the allocation stands in any other way. */
static bool is_plain_buffer(mst_place call, hoist *out) {
  const mst_loop *loop = mst_repeating_loop(call);
  const mst_place statement = mst_place_parent(call);
  if (loop == NULL || !mst_place_is(statement, MST_K_ASSIGN) ||
      mst_place_node(statement)->parent != loop->body ||
      mst_child_count(call.module->tree, statement.node) != 2)
    return false;
  *out = (hoist){.call = call,
                 .statement = statement,
                 .target = mst_place_child(statement, 0),
                 .loop = mst_place_at(call, loop->node),
                 .array = mst_value_at(call)};
  return mst_place_is(out->target, MST_K_NAME);
}

/* What fills a buffer as the call did; NULL: it holds nothing in particular, or there is no short
 * way. */
static const char *filler(const mst_rule_context *context, mst_place call, const char *buffer) {
  const char *name = mst_called_name(call);
  if (mst_starts_with(name, "numpy.zeros"))
    return mst_format_text(context->arena, "%s.fill(0)", buffer);
  if (mst_starts_with(name, "numpy.ones"))
    return mst_format_text(context->arena, "%s.fill(1)", buffer);
  if (mst_starts_with(name, "numpy.full")) {
    const mst_node_id value = mst_argument(call, 1, "fill_value");
    if (value == 0 || mst_value_at(mst_place_at(call, value))->kind != MST_V_NUMBER) return NULL;
    return mst_format_text(context->arena, "%s.fill(%s)", buffer,
                           mst_operand_text(context, mst_place_at(call, value), false));
  }
  const mst_node_id copied = copied_array(call);
  if (copied == 0 || mst_argument(call, 1, "dtype") != 0) return NULL;
  return mst_format_text(context->arena, "%s[:] = %s", buffer,
                         mst_operand_text(context, mst_place_at(call, copied), false));
}

static bool makes_empty(mst_place call) {
  static const char *const names[] = {"numpy.empty", "numpy.empty_like", NULL};
  return mst_one_of(mst_called_name(call), names);
}

static bool is_parameter(mst_place place, mst_symbol name) {
  const mst_function *function = mst_function_at(place);
  return mst_parameter_by_name(function, name) < function->parameter_count;
}

/* What the name stands for before the loop begins is of the kind that it is of within. */
static bool is_there_before(const hoist *of, mst_node_id read) {
  mst_turns turns;
  const mst_node *node = mst_node_at(of->call.module->tree, read);
  const mst_node_id end = mst_subtree_end(of->call.module->tree, of->loop.node);
  bool before = node->kind == MST_K_ATTRIBUTE || is_parameter(of->call, node->name);
  bool within = false;
  if (!mst_function_turns(&turns, of->call)) return false;
  for (mst_node_id id = 0; mst_next_store(&turns, node->name, &id);) {
    before = before || id < of->loop.node;
    within = within || (id >= of->loop.node && id < end);
  }
  if (turns.is_spent || (within && !before)) return false;
  return !within || mst_value_at(mst_place_at(of->call, read))->dtype != MST_D_UNKNOWN;
}

/* The call can be made before the loop, and makes the same there. */
static bool can_be_made_before(const hoist *of) {
  const mst_tree *tree = of->call.module->tree;
  const mst_node_id end = mst_subtree_end(tree, of->call.node);
  if (of->array->dtype == MST_D_UNKNOWN && copied_array(of->call) != 0) return false;
  for (mst_node_id id = of->call.node; id < end; id++) {
    const mst_kind kind = mst_kind_of(tree, id);
    if (kind == MST_K_WALRUS || kind == MST_K_LAMBDA || kind == MST_K_STAR) return false;
    if ((kind == MST_K_NAME || kind == MST_K_ATTRIBUTE) && !is_there_before(of, id)) return false;
  }
  return true;
}

/* True when the name stands for this one buffer in the loop, and for nothing before it. */
static bool is_bound_once(const hoist *of) {
  mst_turns turns;
  const mst_tree *tree = of->call.module->tree;
  const mst_symbol name = mst_place_node(of->target)->name;
  const mst_node_id end = mst_subtree_end(tree, of->loop.node);
  if (!mst_function_turns(&turns, of->call) || is_parameter(of->call, name)) return false;
  for (mst_node_id id = 0; mst_next_store(&turns, name, &id);) {
    const mst_kind parent = mst_kind_of(tree, tree->nodes[id].parent);
    if (tree->nodes[id].kind != MST_K_NAME || id == of->target.node || id >= end) continue;
    if (id < of->loop.node || parent != MST_K_AUG_ASSIGN) return false;
  }
  for (mst_node_id id = turns.begin; id < turns.end; id++)
    if (tree->nodes[id].name == name && (tree->nodes[id].flags & MST_F_DEL) != 0) return false;
  return !turns.is_spent;
}

/* The first use that may let the buffer outlive its turn; `*is_unseen`: too much to look through.
 * Behind the loop only functions matter that are called from within. */
static mst_node_id use_that_shares(const hoist *of, bool *is_unseen) {
  mst_turns turns;
  const mst_tree *tree = of->call.module->tree;
  const mst_node_id end = mst_subtree_end(tree, of->loop.node);
  const uint32_t own = of->call.module->function_of[of->call.node];
  *is_unseen = !mst_function_turns(&turns, of->call);
  if (*is_unseen) return 0;
  for (mst_node_id id = 0; mst_next_read(&turns, mst_place_node(of->target)->name, &id);) {
    const bool is_within = id >= of->loop.node && id < end;
    if (mst_kind_of(tree, id) != MST_K_NAME) continue;
    if (!is_within && of->call.module->function_of[id] == own) continue;
    if (mst_is_handed_on(mst_place_at(of->call, id))) return id;
  }
  *is_unseen = turns.is_spent;
  return 0;
}

/* A buffer that another name or a container holds must not be filled anew. */
static void point_at_sharing(mst_rule_context *context, mst_finding *finding, const hoist *of,
                             mst_node_id use) {
  const char *name = mst_place_name(of->target);
  const mst_place place = mst_place_at(of->call, use);
  const mst_place parent = mst_place_parent(place);
  const mst_position at =
      mst_source_position(place.module->tree->source, mst_place_node(place)->start);
  const mst_place holder = mst_place_child(parent, 0);
  if (mst_place_is(parent, MST_K_ASSIGN) && mst_child_count(place.module->tree, parent.node) == 2 &&
      (mst_place_is(holder, MST_K_NAME) || mst_place_is(holder, MST_K_ATTRIBUTE)))
    mst_add_evidence(
        context, finding,
        "`%s` goes on as `%s` (line %u): allocate two buffers before the loop and swap "
        "them in each step, `%s, %s = %s, %s`",
        name, mst_text_of(context, holder), at.line, mst_text_of(context, holder), name, name,
        mst_text_of(context, holder));
  else
    mst_add_evidence(context, finding,
                     "`%s` is handed on (line %u): see that nobody keeps it before one buffer is "
                     "filled anew in each step",
                     name, at.line);
}

static void suggest(mst_rule_context *context, mst_finding *finding, mst_place call) {
  hoist of;
  bool is_unseen;
  if (!is_plain_buffer(call, &of)) return;
  const mst_node_id use = use_that_shares(&of, &is_unseen);
  if (use != 0) point_at_sharing(context, finding, &of, use);
  if (use != 0 || is_unseen || !can_be_made_before(&of) || !is_bound_once(&of)) return;
  const char *fill = filler(context, call, mst_place_name(of.target));
  if (fill == NULL && !makes_empty(call)) return;
  const char *lines = mst_lines_of(context, of.statement);
  const char *head = mst_head_of(context, of.loop);
  const char *before =
      mst_format_text(context->arena, "%s\n%s", head, mst_indented(context, of.statement, lines));
  const char *after = fill != NULL ? mst_format_text(context->arena, "%s\n%s\n%s", lines, head,
                                                     mst_indented(context, of.statement, fill))
                                   : mst_format_text(context->arena, "%s\n%s", lines, head);
  mst_suggest(context, finding, before, after, false);
}

/* ---- the rule ------------------------------------------------------------------------------------- */

/* The value at a copy says what was copied, and so how sure it is that it is an array. That the
 * call makes an array is said already. */
static mst_value grounds(mst_place call) {
  const mst_node_id copied = copied_array(call);
  if (copied != 0) return *mst_value_at(mst_place_at(call, copied));
  mst_value value = *mst_value_at(call);
  const mst_step *last = &call.program->values.steps.data[value.why];
  if (value.why != 0 && last->kind == MST_STEP_MADE && last->node == call.node)
    value.why = last->before;
  return value;
}

/* z = np.zeros(2) and then, before anybody reads it, z = [x, y]. */
static bool is_overwritten(mst_place call) {
  const mst_tree *tree = call.module->tree;
  const mst_place statement = mst_place_parent(call);
  const mst_place target = mst_place_child(statement, 0);
  if (!mst_place_is(statement, MST_K_ASSIGN) || !mst_place_is(target, MST_K_NAME)) return false;
  const mst_node_id block = mst_place_node(statement)->parent;
  const mst_symbol name = mst_place_node(target)->name;
  const mst_node_id end = mst_subtree_end(tree, block);
  for (mst_node_id id = mst_subtree_end(tree, statement.node); id < end; id++) {
    if (mst_kind_of(tree, id) != MST_K_NAME || tree->nodes[id].name != name) continue;
    const mst_node_id again = tree->nodes[id].parent;
    return (tree->nodes[id].flags & MST_F_STORE) != 0 && tree->nodes[again].parent == block &&
           mst_kind_of(tree, again) == MST_K_ASSIGN &&
           !mst_mentions(tree, mst_last_child(tree, again), &name, 1);
  }
  return false;
}

static void visit(mst_rule_context *context, mst_place place) {
  if (!mst_may_stand(context, place) || !is_allocation(place)) return;
  if (!mst_has_fixed_shape(place) || (mst_is_kept(place) && !is_overwritten(place))) return;
  const char *text = mst_text_of(context, place);
  const mst_value value = grounds(place);
  mst_finding *finding = mst_add_finding(
      context, mst_standing(place), &value,
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
