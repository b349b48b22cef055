/* SPDX-License-Identifier: Apache-2.0 */
/* The verdict on each loop: does it walk arrays, by what, and does each turn stand alone? */
#include "pysource/walks.h"

#include <string.h>

#define SMALL_OPERAND 1024 /* elements: a kernel or weights, no array that a body works on */

/* Longer bodies are not judged: each of their expressions is looked at with the whole body. */
#define LONG_BODY 20000

/* ---- what stands in the body -------------------------------------------------------------------------------- */

typedef struct mst_body {
  bool any_array;     /* some array is touched at all */
  bool element;       /* a walked array by single elements */
  bool row;           /* by rows, windows or slabs */
  bool whole_row;     /* by what one value of the counter picks, not by what it shifts */
  bool stores_walked; /* something is written by the counter, or appended */
  bool whole_work;    /* arithmetic on arrays that the loop does not walk */
  bool state_work;    /* the same, where the array is small but the loop's own state */
  bool only_shifts;   /* slices that the counter moves, nothing else follows it */
} mst_body;

static bool is_small_array(const mst_walk *walk, const mst_value *value) {
  const int64_t count = mst_element_count(&walk->program->values, value);
  return count >= 0 && count <= SMALL_OPERAND;
}

static bool is_row_name(const mst_walk *walk, mst_symbol name) {
  for (size_t i = 0; i < walk->rows.length; i++)
    if (walk->rows.data[i] == name) return true;
  return false;
}

static bool is_work(const mst_walk *walk, mst_node_id id) {
  switch (mst_kind_of(walk->tree, id)) {
  case MST_K_BINARY:
  case MST_K_COMPARE:
  case MST_K_AUG_ASSIGN: return true;
  case MST_K_CALL: {
    const mst_symbol name = walk->module->names[id];
    if (name == 0) return walk->module->calls[id] != 0;
    const mst_api *api = mst_api_find(mst_symbol_text(&walk->program->symbols, name));
    return api != NULL && (api->traits & (MST_T_ELEMENTWISE | MST_T_REDUCTION | MST_T_PRODUCT |
                                          MST_T_FFT | MST_T_LINALG | MST_T_CONDITIONAL)) != 0;
  }
  default: return false;
  }
}

/* Names of rows that were taken out of walked arrays in the body: row = a[i]. */
static void find_row_names(mst_walk *walk) {
  const mst_node_id end = mst_subtree_end(walk->tree, walk->loop->body);
  for (mst_node_id id = walk->loop->body; id < end; id++) {
    if (mst_kind_of(walk->tree, id) != MST_K_ASSIGN) continue;
    const mst_node_id value = mst_last_child(walk->tree, id);
    if (!mst_walk_follows(walk, value)) continue;
    for (mst_node_id target = id + 1; target < value; target++) {
      const mst_node *node = &walk->tree->nodes[target];
      if (node->kind != MST_K_NAME || (node->flags & MST_F_STORE) == 0) continue;
      if (!is_row_name(walk, node->name))
        mst_arena_push(walk->program->arena, &walk->rows, node->name);
    }
  }
}

/* A subexpression that follows the loop: a[i] and what is made of it. */
static bool touches_walked(const mst_walk *walk, mst_node_id expression) {
  const mst_node_id end = mst_subtree_end(walk->tree, expression);
  for (mst_node_id id = expression; id < end; id++) {
    const mst_kind kind = mst_kind_of(walk->tree, id);
    if (kind == MST_K_SUBSCRIPT && mst_walk_follows(walk, id)) return true;
    if (kind == MST_K_NAME && (walk->tree->nodes[id].flags & MST_F_STORE) == 0 &&
        mst_is_array(&walk->module->values[id]) && is_row_name(walk, walk->tree->nodes[id].name))
      return true;
  }
  return false;
}

static mst_symbol name_of_base(const mst_walk *walk, mst_node_id id) {
  while (mst_kind_of(walk->tree, id) == MST_K_SUBSCRIPT)
    id = walk->tree->nodes[id].first;
  return walk->tree->nodes[id].name;
}

/* Arrays that turns make anew out of themselves, by slices or whole: the state of the loop, which
 * is no small operand however small the numbers of a demonstration are. */
static bool is_state(const mst_walk *walk, mst_symbol name) {
  const mst_node_id end = mst_subtree_end(walk->tree, walk->loop->body);
  for (mst_node_id id = walk->loop->body; id < end; id++) {
    const mst_kind kind = mst_kind_of(walk->tree, id);
    if (kind != MST_K_ASSIGN && kind != MST_K_AUG_ASSIGN) continue;
    const mst_node_id target = walk->tree->nodes[id].first;
    const mst_kind bound = mst_kind_of(walk->tree, target);
    if (name_of_base(walk, target) != name) continue;
    if (bound == MST_K_SUBSCRIPT) {
      if (!mst_walk_follows(walk, target)) return true;
      continue;
    }
    if (kind == MST_K_AUG_ASSIGN) return true;
    const mst_node_id value = mst_last_child(walk->tree, id);
    const mst_node_id value_end = mst_subtree_end(walk->tree, value);
    for (mst_node_id read = value; read < value_end; read++)
      if (walk->tree->nodes[read].kind == MST_K_NAME && walk->tree->nodes[read].name == name)
        return true;
  }
  return false;
}

static bool is_whole(const mst_walk *walk, mst_node_id id) {
  const mst_value *value = &walk->module->values[id];
  return mst_is_target_array(value) && (value->flags & MST_VF_MAYBE_ELEMENT) == 0 &&
         !is_small_array(walk, value);
}

static bool is_whole_state(const mst_walk *walk, mst_node_id id) {
  const mst_value *value = &walk->module->values[id];
  const mst_symbol name = name_of_base(walk, id);
  return mst_is_target_array(value) && (value->flags & MST_VF_MAYBE_ELEMENT) == 0 && name != 0 &&
         is_state(walk, name);
}

/* An operand that is an array of its own, and is not walked. */
static bool has_operand(const mst_walk *walk, mst_node_id expression,
                        bool (*is_wanted)(const mst_walk *walk, mst_node_id id)) {
  const mst_node_id end = mst_subtree_end(walk->tree, expression);
  for (mst_node_id id = expression + 1; id < end; id++) {
    const mst_kind kind = mst_kind_of(walk->tree, id);
    if (kind != MST_K_NAME && kind != MST_K_ATTRIBUTE && kind != MST_K_SUBSCRIPT) continue;
    if (!is_wanted(walk, id)) continue;
    const mst_node *parent = &walk->tree->nodes[walk->tree->nodes[id].parent];
    const bool is_base = parent->kind == MST_K_SUBSCRIPT && parent->first == id;
    const bool is_object = parent->kind == MST_K_ATTRIBUTE &&
                           (parent->name == MST_SYM_shape || parent->name == MST_SYM_size ||
                            parent->name == MST_SYM_dtype || parent->name == MST_SYM_ndim);
    if (is_base || is_object || touches_walked(walk, id)) continue;
    return true;
  }
  return false;
}

/* What an operand must be for the call to make sense, where its value does not tell: a reduction of
 * a[m] takes a part of an array, a matrix product takes arrays. */
static bool needs_arrays(const mst_walk *walk, mst_node_id call) {
  if (mst_kind_of(walk->tree, call) != MST_K_CALL) return false;
  const mst_place place = mst_walk_place(walk, call);
  const mst_api *api = mst_called_api(place);
  if (api == NULL) return false;
  const mst_node_id operand = mst_starts_with(mst_called_name(place), "ndarray.")
                                  ? mst_receiver(place)
                                  : mst_argument(place, 0, NULL);
  if (operand == 0) return false;
  if ((api->traits & MST_T_PRODUCT) != 0) {
    const mst_value *last = &walk->module->values[mst_last_child(walk->tree, call)];
    return (last->kind == MST_V_UNKNOWN || mst_is_target_array(last)) &&
           !touches_walked(walk, call);
  }
  /* The mask may follow the turn. */
  if ((api->traits & MST_T_REDUCTION) == 0 || mst_kind_of(walk->tree, operand) != MST_K_SUBSCRIPT)
    return false;
  const mst_node_id base = walk->tree->nodes[operand].first;
  const mst_value *array = &walk->module->values[base];
  return mst_is_target_array(array) && !is_small_array(walk, array) &&
         !mst_walk_follows(walk, operand) && !touches_walked(walk, base);
}

static void look_at_work(const mst_walk *walk, mst_body *body, mst_node_id begin, mst_node_id end) {
  for (mst_node_id id = begin; id < end; id++) {
    const mst_kind kind = mst_kind_of(walk->tree, id);
    if (kind == MST_K_FUNCTION || kind == MST_K_LAMBDA) {
      id = mst_subtree_end(walk->tree, id) - 1;
      continue;
    }
    body->any_array |= mst_is_target_array(&walk->module->values[id]);
    if (kind == MST_K_CALL && walk->module->names[id] != 0 &&
        strcmp(mst_symbol_text(&walk->program->symbols, walk->module->names[id]), "list.append") ==
            0)
      body->stores_walked = true;
    const bool works = is_work(walk, id);
    if ((works && has_operand(walk, id, is_whole)) || needs_arrays(walk, id))
      body->whole_work = true;
    else if (works && !body->state_work)
      body->state_work = has_operand(walk, id, is_whole_state);
  }
}

/* x[:i] beside x[i]: the part that is done, or still to be done. */
static bool is_stepped_through(const mst_walk *walk, const mst_access *rest) {
  for (size_t i = 0; i < walk->accesses.length; i++) {
    const mst_access *access = &walk->accesses.data[i];
    if (access->follow == MST_FOLLOW_POINT && access->name == rest->name &&
        access->is_self == rest->is_self)
      return true;
  }
  return false;
}

static mst_body look_at_body(const mst_walk *walk) {
  mst_body body = {.only_shifts = true};
  const bool is_statement = mst_kind_of(walk->tree, walk->loop->node) == MST_K_FOR ||
                            mst_kind_of(walk->tree, walk->loop->node) == MST_K_WHILE;
  for (size_t i = 0; i < walk->accesses.length; i++) {
    const mst_access *access = &walk->accesses.data[i];
    if (access->is_list) continue;
    body.any_array = true;
    if (access->follow == MST_FOLLOW_NOT || access->follow == MST_FOLLOW_CHUNK) continue;
    if (access->follow == MST_FOLLOW_REST && !is_stepped_through(walk, access)) continue;
    if (access->follow == MST_FOLLOW_POINT) body.only_shifts = false;
    const bool is_part = access->follow == MST_FOLLOW_POINT || access->follow == MST_FOLLOW_REST;
    if (is_part && access->is_element)
      body.element = true;
    else
      body.row = true;
    body.whole_row |= access->follow == MST_FOLLOW_POINT && !access->is_element;
    body.stores_walked |= access->is_store && access->follow == MST_FOLLOW_POINT;
  }
  if (!is_statement) body.stores_walked = true;
  const mst_node_id begin = is_statement ? walk->loop->body : walk->loop->node + 1;
  const mst_node_id end = is_statement ? mst_subtree_end(walk->tree, begin)
                                       : mst_subtree_end(walk->tree, walk->loop->node);
  look_at_work(walk, &body, begin, end);
  return body;
}

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

static bool is_iterated(const mst_walk *walk, mst_node_id iterable) {
  const mst_value *value = &walk->module->values[iterable];
  if (mst_is_target_array(value)) {
    const bool is_exact = value->rank > 0 && (value->flags & MST_VF_FROM_DEFAULT) == 0;
    const int64_t extent = is_exact ? mst_extent(&walk->program->values, value, 0) : -1;
    return (extent < 0 || extent > SMALL_AXIS) && !is_small_window(walk, iterable);
  }
  if (value->kind == MST_V_ITERATOR && mst_kind_of(walk->tree, iterable) != MST_K_CALL) {
    /* zip(a, b) that was kept under a name */
    const mst_value any = mst_value_any_item(&walk->program->values, value);
    if (mst_holds_rows(&walk->program->values, &any)) return true;
  }
  const char *name = called(walk, iterable);
  const bool joins = strcmp(name, "builtins.zip") == 0 || strcmp(name, "builtins.enumerate") == 0 ||
                     strcmp(name, "builtins.reversed") == 0 || strcmp(name, "builtins.list") == 0 ||
                     strcmp(name, "builtins.iter") == 0 || strstr(name, "tqdm") != NULL;
  const bool whole =
      strstr(name, "numpy.nditer") != NULL || strstr(name, "numpy.ndenumerate") != NULL;
  if (whole && strncmp(name, "host.", 5) != 0) return true;
  if (strcmp(name, "numpy.ndindex") == 0) { /* over the array's shape */
    MST_EACH_CHILD(walk->tree, child, iterable) {
      const mst_value *argument = &walk->module->values[child];
      const mst_value any = mst_is_container(argument)
                                ? mst_value_any_item(&walk->program->values, argument)
                                : *argument;
      if ((any.flags & MST_VF_ITEM_SIZE) != 0) return true;
    }
    return false;
  }
  if (!joins) return false;
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

static mst_loop_status judge(const mst_walk *walk, const mst_body *body, const char **reason) {
  const mst_loop *loop = walk->loop;
  if (!body->element && !body->row) {
    *reason = body->any_array ? "works on whole arrays" : "touches no array";
    return body->any_array ? MST_LOOP_VECTORISED : MST_LOOP_PLAIN;
  }
  if (body->row && !body->element && body->only_shifts && !body->stores_walked) {
    *reason = "shifts slices of whole arrays";
    return MST_LOOP_VECTORISED;
  }
  const mst_carry carry = mst_walk_carry(walk);
  if (loop->is_small) {
    *reason = "a small, known number of turns";
    return MST_LOOP_SMALL;
  }
  if (carry.in_place) {
    *reason = "each element needs what the same sweep has written";
    return MST_LOOP_RECURRENCE;
  }
  if (!body->row) {
    if (body->whole_work || body->state_work) {
      *reason = "single elements beside work on whole arrays";
      return MST_LOOP_VECTORISED;
    }
    if (carry.recurrence) {
      *reason = "each element needs one of an earlier turn";
      return MST_LOOP_RECURRENCE;
    }
    if (carry.scan) {
      *reason = "a running sum or product: cumsum or cumprod";
      return MST_LOOP_SCAN;
    }
    *reason = "one element of each array a turn";
    return MST_LOOP_ELEMENTS;
  }
  if (carry.slabs || carry.recurrence) {
    if (loop->bound_from_axis && !is_whole_again(walk) && (body->whole_row || !body->whole_work)) {
      *reason = "slab by slab along an array's own axis, each from the one before";
      return MST_LOOP_SWEEP;
    }
    *reason = "whole slabs carried over a number of steps";
    return MST_LOOP_TIME;
  }
  *reason = "one row or window a turn, each by itself";
  return MST_LOOP_ROWS;
}

static void classify(mst_program *program, mst_loop *loop) {
  if (mst_subtree_end(program->modules[loop->module].tree, loop->body) - loop->body > LONG_BODY) {
    loop->reason = "too long to be judged";
    return;
  }
  mst_walk *walk = mst_arena_new(program->arena, sizeof *walk);
  mst_walk_begin(walk, program, loop);
  loop->walk = walk;
  if (loop->iterable != 0 && is_iterated(walk, loop->iterable)) {
    loop->iterates = true;
    loop->status = MST_LOOP_ITERATES;
    loop->reason = "takes an array apart, one row or element a turn";
    return;
  }
  find_row_names(walk);
  const mst_body body = look_at_body(walk);
  loop->status = judge(walk, &body, &loop->reason);
  keep_walked(walk, loop);
}

static bool is_finding(mst_loop_status status) {
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

/* A nest of loops over one array is one finding, at its outermost loop. */
static void join_nest(mst_program *program, mst_loop *loop) {
  for (const mst_loop *outer = mst_loop_outside(program, loop); outer != NULL;
       outer = mst_loop_outside(program, outer)) {
    /* What is taken apart within a loop that indexes is a finding of another rule, unless it is the
     * piece that the outer loop has picked. */
    const bool is_other = loop->iterates && !outer->iterates && !is_piece_of(outer->walk, loop);
    if (is_finding(outer->status) && is_finding(loop->status) && !is_other) {
      loop->status = MST_LOOP_PART;
      loop->reason = "inside a loop that has the finding";
      return;
    }
  }
}

void mst_classify_loops(mst_program *program) {
  for (size_t i = 0; i < program->loops.length; i++)
    classify(program, &program->loops.data[i]);
  for (size_t i = 0; i < program->loops.length; i++)
    join_nest(program, &program->loops.data[i]);
}

/* ---- uses that a walking loop's finding covers -------------------------------------------------------------------- */

static bool is_target_of(const mst_tree *tree, const mst_loop *loop, mst_symbol name) {
  const bool is_for = mst_kind_of(tree, loop->node) == MST_K_FOR;
  const mst_node_id begin = is_for ? mst_child(tree, loop->node, 0) : loop->node;
  const mst_node_id end = mst_subtree_end(tree, begin);
  for (mst_node_id id = begin; id < end; id++)
    if (tree->nodes[id].kind == MST_K_NAME && tree->nodes[id].name == name &&
        (tree->nodes[id].flags & MST_F_STORE) != 0)
      return true;
  return false;
}

/* An array that goes from turn to turn is no row of another one, also where rows were added to it.
 */
static bool is_state_array(const mst_walk *walk, mst_node_id name) {
  const mst_value *value = &walk->module->values[name];
  return mst_is_target_array(value) && (value->flags & MST_VF_MAYBE_ELEMENT) == 0 &&
         mst_walk_hands_on(walk, walk->tree->nodes[name].name);
}

/* Names that a turn makes of what the loop walks, and the loop's own targets. */
static bool is_made_of_walk(const mst_walk *walk, mst_node_id expression, int depth) {
  const mst_node_id end = mst_subtree_end(walk->tree, expression);
  for (mst_node_id id = expression; id < end; id++) {
    const mst_node *node = &walk->tree->nodes[id];
    if (node->kind == MST_K_SUBSCRIPT && mst_walk_follows(walk, id) &&
        mst_is_array(&walk->module->values[node->first]))
      return true;
    if (node->kind != MST_K_NAME || (node->flags & MST_F_STORE) != 0) continue;
    if (walk->loop->iterates && is_target_of(walk->tree, walk->loop, node->name)) return true;
    if (depth == 0 || is_state_array(walk, id)) continue;
    const mst_node_id body_end = mst_subtree_end(walk->tree, walk->loop->body);
    for (mst_node_id other = walk->loop->body; other < body_end; other++) {
      const mst_node *target = &walk->tree->nodes[other];
      if (target->kind != MST_K_NAME || target->name != node->name ||
          (target->flags & MST_F_STORE) == 0)
        continue;
      const mst_node_id statement = mst_statement_of(walk->tree, other);
      const mst_kind kind = mst_kind_of(walk->tree, statement);
      if (kind != MST_K_ASSIGN && kind != MST_K_AUG_ASSIGN) continue;
      if (is_made_of_walk(walk, mst_last_child(walk->tree, statement), depth - 1)) return true;
    }
  }
  return false;
}

static bool is_use_of_loops_around(mst_place place, bool or_counter) {
  for (const mst_loop *loop = mst_loop_at(place); loop != NULL;
       loop = mst_loop_outside(place.program, loop)) {
    if (!is_finding(loop->status) && loop->status != MST_LOOP_PART) continue;
    if (is_made_of_walk(loop->walk, place.node, 3)) return true;
    if (or_counter && mst_walk_follows(loop->walk, place.node)) return true;
  }
  return false;
}

/* What all hot calls give to a parameter is the element of a walk, or the counter by which the
 * function picks one. */
static bool is_handed_walk(mst_place name, uint32_t parameter) {
  const mst_program *program = name.program;
  const mst_function *function = mst_function_at(name);
  const bool is_bound = function->class_ != 0 && !function->is_static;
  const int position = (int)parameter - (is_bound ? 1 : 0);
  bool any = false;
  for (size_t i = 0; i < function->callers.length && position >= 0; i++) {
    const mst_call_site *site = &function->callers.data[i];
    const mst_function *caller = &program->functions.data[site->function];
    const mst_place call = {program, &program->modules[caller->module], site->node};
    if (mst_heat_at(call) != MST_HEAT_HOT) continue;
    if (mst_called_function(call) != function) return false;
    const mst_node_id given = mst_argument(
        call, position, mst_symbol_text(&program->symbols, function->parameters[parameter].name));
    if (given == 0 || !is_use_of_loops_around(mst_place_at(call, given), true)) return false;
    any = true;
  }
  return any;
}

/* `if a > high` in a function that a walking loop calls with its element, `w[j]` in one that it
 * calls with its counter. */
static bool is_use_of_callers_loops(mst_place place) {
  const mst_function *function = mst_function_at(place);
  const mst_node_id end = mst_subtree_end(place.module->tree, place.node);
  for (mst_node_id id = place.node; id < end; id++) {
    const mst_node *node = mst_node_at(place.module->tree, id);
    if (node->kind != MST_K_NAME) continue;
    for (uint32_t i = 0; i < function->parameter_count; i++)
      if (function->parameters[i].name == node->name && is_handed_walk(mst_place_at(place, id), i))
        return true;
  }
  return false;
}

bool mst_is_walk_use(mst_place place) {
  return is_use_of_loops_around(place, false) || is_use_of_callers_loops(place);
}
