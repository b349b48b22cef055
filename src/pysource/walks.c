/* SPDX-License-Identifier: Apache-2.0 */
/* The verdict on each loop: does it walk arrays, by what, and does each turn stand alone? */
#include "pysource/walks.h"

#include <string.h>

/* ---- iterating an array ----------------------------------------------------------------------------------------- */

static const char *called(const mst_walk *walk, mst_node_id node) {
  if (mst_kind_of(walk->tree, node) != MST_K_CALL || walk->module->names[node] == 0) return "";
  return mst_symbol_text(&walk->program->symbols, walk->module->names[node]);
}

#define SMALL_AXIS 16

/* a[r - 1:r + 2] */
static bool is_small_window(const mst_walk *walk, mst_node_id node) {
  if (mst_kind_of(walk->tree, node) != MST_K_SUBSCRIPT) return false;
  const mst_node_id first = mst_child(walk->tree, node, 1);
  if (mst_kind_of(walk->tree, first) != MST_K_SLICE) return false;
  const int64_t extent = mst_window_extent(mst_walk_place(walk, first));
  return extent >= 0 && extent <= SMALL_AXIS;
}

/* An array, unless it is known to have few rows. */
static bool has_many_rows(const mst_walk *walk, mst_node_id iterable, const mst_value *array) {
  const bool is_exact = array->rank > 0 && (array->flags & MST_VF_FROM_DEFAULT) == 0;
  const int64_t extent = is_exact ? mst_extent(&walk->program->values, array, 0) : -1;
  return (extent < 0 || extent > SMALL_AXIS) && !is_small_window(walk, iterable);
}

/* zip(a, b) that was kept under a name */
static bool is_kept_zip(const mst_walk *walk, mst_node_id iterable, const mst_value *value) {
  if (value->kind != MST_V_ITERATOR || mst_kind_of(walk->tree, iterable) == MST_K_CALL)
    return false;
  const mst_value any = mst_value_any_item(&walk->program->values, value);
  return mst_holds_rows(&walk->program->values, &any);
}

static bool goes_over_elements(const char *name) {
  return (strstr(name, "numpy.nditer") != NULL || strstr(name, "numpy.ndenumerate") != NULL) &&
         strncmp(name, "host.", 5) != 0;
}

/* np.ndindex(a.shape) */
static bool takes_extents(const mst_walk *walk, mst_node_id call) {
  MST_EACH_CHILD(walk->tree, child, call) {
    const mst_value *argument = &walk->module->values[child];
    const mst_value any = mst_is_container(argument)
                              ? mst_value_any_item(&walk->program->values, argument)
                              : *argument;
    if ((any.flags & MST_VF_ITEM_SIZE) != 0) return true;
  }
  return false;
}

/* Gives the items of what it is given; reversed, list and iter, which do as well, are R110. */
static bool passes_items_on(const char *name) {
  return strcmp(name, "builtins.zip") == 0 || strcmp(name, "builtins.enumerate") == 0 ||
         strstr(name, "tqdm") != NULL;
}

static bool is_iterated(const mst_walk *walk, mst_node_id iterable) {
  const mst_value *value = &walk->module->values[iterable];
  if (mst_is_target_array(value)) return has_many_rows(walk, iterable, value);
  if (is_kept_zip(walk, iterable, value)) return true;
  const char *name = called(walk, iterable);
  if (goes_over_elements(name)) return true;
  if (strcmp(name, "numpy.ndindex") == 0) return takes_extents(walk, iterable);
  if (!passes_items_on(name)) return false;
  for (mst_node_id child = walk->tree->nodes[walk->tree->nodes[iterable].first].next; child != 0;
       child = walk->tree->nodes[child].next)
    if (mst_kind_of(walk->tree, child) != MST_K_KEYWORD && is_iterated(walk, child)) return true;
  return false;
}

/* ---- the verdict on a loop --------------------------------------------------------------------------------------- */

static void keep_walked(const mst_walk *walk, mst_loop *loop) {
  struct {
    mst_symbol *data;
    size_t length, capacity;
  } names = {0};
  for (size_t i = 0; i < walk->accesses.length; i++) {
    const mst_access *access = &walk->accesses.data[i];
    if (access->follow == MST_FOLLOW_NOT || access->name == 0 || access->is_list) continue;
    bool known = false;
    for (size_t k = 0; k < names.length; k++)
      known |= names.data[k] == access->name;
    if (!known) mst_arena_push(walk->program->arena, &names, access->name);
  }
  loop->walked = names.data;
  loop->walked_count = (uint32_t)names.length;
}

static bool has_only_slices(const mst_walk *walk, mst_node_id subscript) {
  const mst_node_id base = walk->tree->nodes[subscript].first;
  mst_node_id index = walk->tree->nodes[base].next;
  if (mst_kind_of(walk->tree, index) == MST_K_TUPLE) index = walk->tree->nodes[index].first;
  for (; index != 0; index = walk->tree->nodes[index].next) {
    const mst_kind kind = mst_kind_of(walk->tree, index);
    if (kind != MST_K_SLICE && kind != MST_K_ELLIPSIS) return false;
  }
  return true;
}

/* path[:] = np.minimum(path, path[:, k] + path[k, :]): what is walked is also made anew as a whole.
 */
static bool is_whole_again(const mst_walk *walk) {
  for (size_t i = 0; i < walk->accesses.length; i++) {
    const mst_access *store = &walk->accesses.data[i];
    if (!store->is_store || store->follow != MST_FOLLOW_NOT || !has_only_slices(walk, store->node))
      continue;
    for (size_t k = 0; k < walk->accesses.length; k++) {
      const mst_access *walked = &walk->accesses.data[k];
      if (walked->follow != MST_FOLLOW_NOT && walked->name == store->name &&
          walked->is_self == store->is_self)
        return true;
    }
  }
  return false;
}

typedef struct verdict {
  mst_loop_status status;
  const char *reason;
} verdict;

static verdict judge_elements(const mst_walk *walk, const mst_body *body, const mst_carry *carry) {
  if (body->whole_work || body->state_work)
    return (verdict){MST_LOOP_VECTORISED, "single elements beside work on whole arrays"};
  if (carry->recurrence && mst_walk_fills_others(walk))
    return (verdict){MST_LOOP_TIME, "single elements beside arrays that inner loops fill"};
  if (carry->recurrence)
    return (verdict){MST_LOOP_RECURRENCE, "each element needs one of an earlier turn"};
  if (carry->grid)
    return (verdict){MST_LOOP_TIME,
                     "whole slabs carried over a number of steps, filled element by element"};
  if (carry->foreign)
    return (verdict){MST_LOOP_TIME,
                     "single elements beside arrays that the host carries from step to step"};
  if (carry->scan) return (verdict){MST_LOOP_SCAN, "a running sum or product: cumsum or cumprod"};
  return (verdict){MST_LOOP_ELEMENTS, "one element of each array a turn"};
}

/* cost[r, p - 1:p + 2], cost[r, :2]: a few neighbours of where the data say, no row. */
static bool is_handful(const mst_walk *walk, const mst_access *access) {
  bool any = false;
  mst_node_id index = walk->tree->nodes[access->base].next;
  if (mst_kind_of(walk->tree, index) == MST_K_TUPLE) index = walk->tree->nodes[index].first;
  for (; index != 0; index = walk->tree->nodes[index].next) {
    if (mst_kind_of(walk->tree, index) != MST_K_SLICE) continue;
    const mst_value *upper = &walk->module->values[mst_child(walk->tree, index, 1)];
    const mst_value *lower = &walk->module->values[mst_child(walk->tree, index, 0)];
    const bool is_first = mst_kind_of(walk->tree, mst_child(walk->tree, index, 0)) == MST_K_EMPTY &&
                          mst_knows_number(upper) && upper->number >= 0 &&
                          upper->number <= SMALL_AXIS;
    const int64_t extent = mst_window_extent(mst_walk_place(walk, index));
    const bool is_small = extent >= 0 && extent <= SMALL_AXIS;
    if (!is_first && !is_small && !mst_is_deferred(lower)) return false;
    any = true;
  }
  return any;
}

/* Each element needs one of an earlier turn, and no more than a handful of a row. */
static bool is_recurrence_on_rows(const mst_walk *walk, const mst_carry *carry) {
  if (!carry->recurrence || carry->slabs) return false;
  for (size_t i = 0; i < walk->accesses.length; i++) {
    const mst_access *access = &walk->accesses.data[i];
    if (access->is_list || access->is_element || access->follow == MST_FOLLOW_NOT) continue;
    if (access->is_store || !is_handful(walk, access)) return false;
  }
  return true;
}

static verdict judge_rows(const mst_walk *walk, const mst_body *body, const mst_carry *carry) {
  if (is_recurrence_on_rows(walk, carry))
    return (verdict){MST_LOOP_RECURRENCE, "each element needs one of an earlier turn"};
  if (!carry->slabs && !carry->recurrence)
    return (verdict){MST_LOOP_ROWS, "one row or window a turn, each by itself"};
  if (walk->loop->bound_from_axis && !is_whole_again(walk) &&
      (body->whole_row || !body->whole_work))
    return (verdict){MST_LOOP_SWEEP,
                     "slab by slab along an array's own axis, each from the one before"};
  return (verdict){MST_LOOP_TIME, "whole slabs carried over a number of steps"};
}

static verdict judge(const mst_walk *walk, const mst_body *body) {
  const bool touches = body->element || body->row;
  if (!touches && !body->any_array) return (verdict){MST_LOOP_PLAIN, "touches no array"};
  if (!touches) return (verdict){MST_LOOP_VECTORISED, "works on whole arrays"};
  if (body->shifts || (body->row && !body->element && body->only_shifts && !body->stores_walked))
    return (verdict){MST_LOOP_VECTORISED, "shifts slices of whole arrays"};
  if (walk->loop->is_small) return (verdict){MST_LOOP_SMALL, "a small, known number of turns"};
  const mst_carry carry = mst_walk_carry(walk);
  if (carry.in_place)
    return (verdict){MST_LOOP_RECURRENCE, "each element needs what the same sweep has written"};
  return body->row ? judge_rows(walk, body, &carry) : judge_elements(walk, body, &carry);
}

/* An array that a comprehension takes apart by a further `for`:
 * [w for layer in layers for w in layer.flat]; 0: none. */
static mst_node_id taken_within(const mst_walk *walk) {
  const mst_loop *loop = walk->loop;
  if (mst_kind_of(walk->tree, loop->node) == MST_K_FOR) return 0;
  MST_EACH_CHILD(walk->tree, child, loop->node) {
    if (mst_kind_of(walk->tree, child) != MST_K_COMP_FOR) continue;
    const mst_node_id iterable = mst_child(walk->tree, child, 1);
    if (is_iterated(walk, iterable) && !mst_walk_follows(walk, iterable)) return iterable;
  }
  return 0;
}

static void take_apart(mst_loop *loop, mst_node_id iterable) {
  loop->taken = iterable;
  loop->iterates = true;
  loop->status = MST_LOOP_ITERATES;
  loop->reason = "takes an array apart, one row or element a turn";
}

static void classify(mst_program *program, mst_loop *loop) {
  if (mst_subtree_end(program->modules[loop->module].tree, loop->body) - loop->body >
      MST_LONG_BODY) {
    loop->reason = "too long to be judged";
    return;
  }
  mst_walk *walk = mst_arena_new(program->arena, sizeof *walk);
  mst_walk_begin(walk, program, loop);
  loop->walk = walk;
  if (loop->iterable != 0 && is_iterated(walk, loop->iterable)) {
    take_apart(loop, loop->iterable);
    return;
  }
  const mst_body body = mst_walk_body(walk);
  const verdict judged = judge(walk, &body);
  const mst_node_id taken = mst_is_walk_finding(judged.status) ? 0 : taken_within(walk);
  if (taken != 0) {
    take_apart(loop, taken);
    return;
  }
  loop->status = judged.status;
  loop->reason = judged.reason;
  keep_walked(walk, loop);
}

bool mst_is_walk_finding(mst_loop_status status) {
  return status == MST_LOOP_ELEMENTS || status == MST_LOOP_ROWS || status == MST_LOOP_SWEEP ||
         status == MST_LOOP_SCAN || status == MST_LOOP_ITERATES;
}

/* for x in a[i] */
static bool is_piece_of(const mst_walk *outer, const mst_loop *loop) {
  const mst_node_id end = mst_subtree_end(outer->tree, loop->iterable);
  for (mst_node_id id = loop->iterable; id < end; id++)
    if (mst_kind_of(outer->tree, id) == MST_K_SUBSCRIPT && mst_walk_follows(outer, id)) return true;
  return false;
}

/* for s in states: for a in actions, where each is known to be an array of its own */
static bool iterates_other(const mst_program *program, const mst_loop *outer,
                           const mst_loop *inner) {
  const mst_value *values = program->modules[inner->module].values;
  const mst_value *a = &values[outer->taken], *b = &values[inner->taken];
  return mst_is_array(a) && mst_is_array(b) && a->storage != 0 && b->storage != 0 &&
         a->storage != b->storage;
}

/* A nest of loops over one array is one finding, at its outermost loop. */
static void join_nest(mst_program *program, mst_loop *loop) {
  for (const mst_loop *outer = mst_loop_outside(program, loop); outer != NULL;
       outer = mst_loop_outside(program, outer)) {
    if (!mst_is_walk_finding(outer->status) || !mst_is_walk_finding(loop->status)) continue;
    /* A loop over a few settings reports nothing: what turns often within it does. */
    if (!outer->is_hot && loop->is_hot) continue;
    /* What is taken apart within a loop that indexes is a finding of another rule, unless it is the
     * piece that the outer loop has picked. */
    if (loop->iterates && !outer->iterates && !is_piece_of(outer->walk, loop)) continue;
    if (loop->iterates && outer->iterates && iterates_other(program, outer, loop)) continue;
    loop->status = MST_LOOP_PART;
    loop->reason = "inside a loop that has the finding";
    return;
  }
}

void mst_classify_loops(mst_program *program) {
  for (size_t i = 0; i < program->loops.length; i++)
    classify(program, &program->loops.data[i]);
  for (size_t i = 0; i < program->loops.length; i++)
    join_nest(program, &program->loops.data[i]);
}
