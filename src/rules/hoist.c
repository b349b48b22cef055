/* SPDX-License-Identifier: Apache-2.0 */
#include "rules/hoist.h"

#include <string.h>

#include "rules/hoist_safety.h"
#include "rules/own_names.h"
#include "rules/suggest.h"
#include "rules/turns.h"

static bool is_false(mst_place call, const char *keyword) {
  const mst_node_id argument = mst_argument(call, -1, keyword);
  return argument != 0 && mst_kind_of(call.module->tree, argument) == MST_K_FALSE;
}

mst_node_id mst_copied_array(mst_place call) {
  static const char *const copies[] = {"ndarray.copy", "numpy.copy", "numpy.array", NULL};
  if (!mst_one_of(mst_called_name(call), copies) || is_false(call, "copy")) return 0;
  const mst_node_id array = mst_subject(call);
  if (array == 0 || !mst_is_target_array(mst_value_at(mst_place_at(call, array)))) return 0;
  return mst_is_walk_use(mst_place_at(call, array)) ? 0 : array;
}

/* False where the allocation stands in any other way. */
static bool is_plain_buffer(mst_place call, mst_hoist *out) {
  const mst_loop *loop = mst_repeating_loop(call);
  const mst_place statement = mst_place_parent(call);
  if (loop == NULL || !mst_place_is(statement, MST_K_ASSIGN) ||
      mst_place_node(statement)->parent != loop->body ||
      mst_child_count(call.module->tree, statement.node) != 2)
    return false;
  *out = (mst_hoist){.call = call,
                     .statement = statement,
                     .target = mst_place_child(statement, 0),
                     .loop = mst_place_at(call, loop->node),
                     .array = mst_value_at(call)};
  return mst_place_is(out->target, MST_K_NAME);
}

/* ---- what fills a buffer ------------------------------------------------------------------------ */

/* One axis needs no dots, and of others it is not known how many there are. */
static const char *whole_of(const mst_hoist *of) { return of->array->rank > 0 ? ":" : "..."; }

/* What fills a buffer as the call did; NULL: it holds nothing in particular, or there is no short
 * way. */
static const char *filler(const mst_rule_context *context, const mst_hoist *of) {
  const char *name = mst_called_name(of->call), *buffer = mst_place_name(of->target);
  if (mst_starts_with(name, "numpy.zeros"))
    return mst_format_text(context->arena, "%s.fill(0)", buffer);
  if (mst_starts_with(name, "numpy.ones"))
    return mst_format_text(context->arena, "%s.fill(1)", buffer);
  if (mst_starts_with(name, "numpy.full")) {
    const mst_node_id value = mst_argument(of->call, 1, "fill_value");
    if (value == 0 || !mst_is_sure_number(mst_place_at(of->call, value))) return NULL;
    return mst_format_text(context->arena, "%s.fill(%s)", buffer,
                           mst_operand_text(context, mst_place_at(of->call, value), false));
  }
  const mst_node_id copied = mst_copied_array(of->call);
  if (copied == 0 || mst_argument(of->call, 1, "dtype") != 0) return NULL;
  return mst_format_text(context->arena, "%s[%s] = %s", buffer, whole_of(of),
                         mst_operand_text(context, mst_place_at(of->call, copied), false));
}

static bool makes_empty(mst_place call) {
  static const char *const names[] = {"numpy.empty", "numpy.empty_like", NULL};
  return mst_one_of(mst_called_name(call), names);
}

/* ---- whether it may stand before the loop --------------------------------------------------------- */

static bool is_parameter(mst_place place, mst_symbol name) {
  const mst_function *function = mst_function_at(place);
  return mst_parameter_by_name(function, name) < function->parameter_count;
}

/* What the name stands for before the loop begins is of the kind that it is of within. */
static bool is_there_before(const mst_hoist *of, mst_node_id read) {
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
static bool can_be_made_before(const mst_hoist *of) {
  const mst_tree *tree = of->call.module->tree;
  const mst_node_id end = mst_subtree_end(tree, of->call.node);
  if (of->array->dtype == MST_D_UNKNOWN && mst_copied_array(of->call) != 0) return false;
  for (mst_node_id id = of->call.node; id < end; id++) {
    const mst_kind kind = mst_kind_of(tree, id);
    if (kind == MST_K_WALRUS || kind == MST_K_LAMBDA || kind == MST_K_STAR) return false;
    if ((kind == MST_K_NAME || kind == MST_K_ATTRIBUTE) && !is_there_before(of, id)) return false;
  }
  return true;
}

/* True when the name stands for this one buffer in the loop, and for nothing before it. */
static bool is_bound_once(const mst_hoist *of) {
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
static mst_node_id use_that_shares(const mst_hoist *of, bool *is_unseen) {
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

/* ---- the suggestion ------------------------------------------------------------------------------ */

/* A buffer that another name or a container holds must not be filled anew. */
static void point_at_sharing(mst_rule_context *context, mst_finding *finding, const mst_hoist *of,
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

/* The statement right before the loop is the same: nothing has to be put there. */
static bool stands_before(const mst_hoist *of) {
  const mst_tree *tree = of->call.module->tree;
  mst_node_id before = 0;
  MST_EACH_CHILD(tree, sibling, mst_place_node(of->loop)->parent) {
    if (sibling == of->loop.node) break;
    before = sibling;
  }
  return before != 0 && mst_same_expression(mst_place_at(of->call, before), of->statement);
}

/* The head and the statement for: the allocation, unless it stands there; the head; what fills the
 * buffer, unless nothing does. */
static void suggest_lines(mst_rule_context *context, mst_finding *finding, const mst_hoist *of,
                          const char *fill, bool is_safe) {
  const char *lines = mst_lines_of(context, of->statement);
  const char *head = mst_head_of(context, of->loop);
  const char *before =
      mst_format_text(context->arena, "%s\n%s", head, mst_indented(context, of->statement, lines));
  const char *after =
      stands_before(of) ? head : mst_format_text(context->arena, "%s\n%s", lines, head);
  if (fill != NULL)
    after = mst_format_text(context->arena, "%s\n%s", after,
                            mst_indented(context, of->statement, fill));
  mst_suggest(context, finding, before, after, is_safe);
}

void mst_suggest_hoist(mst_rule_context *context, mst_finding *finding, mst_place call) {
  mst_hoist of;
  bool is_unseen;
  if (!is_plain_buffer(call, &of)) return;
  const mst_node_id use = use_that_shares(&of, &is_unseen);
  if (use != 0) point_at_sharing(context, finding, &of, use);
  if (use != 0 || is_unseen) return;
  const bool is_safe = mst_is_safe_hoist(&of);
  const bool stays_as_made = is_safe && mst_copied_array(call) == 0 && !mst_is_buffer_written(&of);
  const char *fill = stays_as_made ? NULL : filler(context, &of);
  if (fill == NULL && !stays_as_made && !makes_empty(call)) return;
  if (!is_safe && (!can_be_made_before(&of) || !is_bound_once(&of))) return;
  suggest_lines(context, finding, &of, fill, is_safe);
}
