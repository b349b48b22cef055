/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "pysource/walks.h"

mst_place mst_walk_place(const mst_walk *walk, mst_node_id node) {
  return (mst_place){.program = walk->program, .module = walk->module, .node = node};
}

/* ---- names that follow the counters ------------------------------------------------------------------------ */

static bool is_derived(const mst_walk *walk, mst_symbol name) {
  for (size_t i = 0; i < walk->derived.length; i++)
    if (walk->derived.data[i] == name) return true;
  return false;
}

/* Reading an element of an array by the counter gives data, not a counter; but data that index
 * another array follow the loop all the same. */
bool mst_walk_follows(const mst_walk *walk, mst_node_id expression) {
  const mst_node_id end = mst_subtree_end(walk->tree, expression);
  for (mst_node_id id = expression; id < end; id++) {
    const mst_node *node = &walk->tree->nodes[id];
    if (node->kind == MST_K_NAME && is_derived(walk, node->name)) return true;
  }
  return false;
}

static bool is_host_number(const mst_walk *walk, mst_node_id node) {
  return walk->module->values[node].kind == MST_V_NUMBER;
}

/* y + stride * height, with names of unknown kind in it: no data are read there. */
static bool is_sum_of_names(const mst_walk *walk, mst_node_id expression) {
  const mst_node_id end = mst_subtree_end(walk->tree, expression);
  if (walk->module->values[expression].kind != MST_V_UNKNOWN) return false;
  for (mst_node_id id = expression; id < end; id++) {
    const mst_kind kind = mst_kind_of(walk->tree, id);
    if (kind != MST_K_NAME && kind != MST_K_NUMBER && kind != MST_K_BINARY) return false;
  }
  return true;
}

static bool derive_once(mst_walk *walk) {
  const mst_node_id end = mst_subtree_end(walk->tree, walk->loop->body);
  bool changed = false;
  for (mst_node_id id = walk->loop->body; id < end; id++) {
    if (mst_kind_of(walk->tree, id) != MST_K_ASSIGN) continue;
    const mst_node_id value = mst_last_child(walk->tree, id);
    if (!mst_walk_follows(walk, value)) continue;
    const mst_node_id target = walk->tree->nodes[id].first;
    const mst_kind kind = mst_kind_of(walk->tree, target);
    const bool is_number = is_host_number(walk, target) || is_sum_of_names(walk, value);
    if (kind == MST_K_NAME && is_number && !is_derived(walk, walk->tree->nodes[target].name)) {
      mst_arena_push(walk->program->arena, &walk->derived, walk->tree->nodes[target].name);
      changed = true;
    }
    if (kind != MST_K_TUPLE) continue;
    MST_EACH_CHILD(walk->tree, child, target) {
      const mst_node *node = &walk->tree->nodes[child];
      if (node->kind != MST_K_NAME || !is_host_number(walk, child) || is_derived(walk, node->name))
        continue;
      mst_arena_push(walk->program->arena, &walk->derived, node->name);
      changed = true;
    }
  }
  return changed;
}

/* ---- indices -------------------------------------------------------------------------------------------------- */

/* What the only assignment within `root` gives to a name; 0: none, or several. */
static mst_node_id only_value(const mst_walk *walk, mst_node_id root, mst_symbol name) {
  const mst_node_id store = mst_only_store(walk->tree, root, name);
  const mst_node_id statement = walk->tree->nodes[store].parent;
  if (store == 0 || mst_kind_of(walk->tree, statement) != MST_K_ASSIGN) return 0;
  return mst_last_child(walk->tree, statement);
}

static bool has_product(const mst_walk *walk, mst_node_id expression) {
  const mst_node_id end = mst_subtree_end(walk->tree, expression);
  for (mst_node_id id = expression; id < end; id++)
    if (mst_kind_of(walk->tree, id) == MST_K_BINARY && walk->tree->nodes[id].op == MST_OP_MUL &&
        mst_walk_follows(walk, id))
      return true;
  return false;
}

/* i * size, also by a name that the body gives to it. */
static bool multiplies(const mst_walk *walk, mst_node_id expression) {
  if (has_product(walk, expression)) return true;
  if (mst_kind_of(walk->tree, expression) != MST_K_NAME) return false;
  const mst_node_id value = only_value(walk, walk->loop->body, walk->tree->nodes[expression].name);
  return value != 0 && has_product(walk, value);
}

static mst_follow follow_slice(const mst_walk *walk, mst_node_id base, mst_node_id slice,
                               bool *is_behind) {
  const mst_node_id lower = mst_child(walk->tree, slice, 0);
  const mst_node_id upper = mst_child(walk->tree, slice, 1);
  const bool low = mst_kind_of(walk->tree, lower) != MST_K_EMPTY && mst_walk_follows(walk, lower);
  const bool high = mst_kind_of(walk->tree, upper) != MST_K_EMPTY && mst_walk_follows(walk, upper);
  if (!low && !high) return MST_FOLLOW_NOT;
  if (!low || !high) {
    *is_behind = walk->descending ? low : high;
    return MST_FOLLOW_REST;
  }
  if (mst_walk_spans_axis(walk, slice)) return MST_FOLLOW_SHIFT;
  if (walk->strided || multiplies(walk, lower) || multiplies(walk, upper)) return MST_FOLLOW_CHUNK;
  return mst_walk_only_shifts(walk, base, slice) ? MST_FOLLOW_SHIFT : MST_FOLLOW_WINDOW;
}

/* a[i:i + 1]: a row that keeps its axis. */
static bool is_single_row(const mst_walk *walk, mst_node_id slice) {
  return mst_walk_follows(walk, mst_child(walk->tree, slice, 0)) &&
         mst_window_extent(mst_walk_place(walk, slice)) == 1;
}

/* a[part(i)], where part() puts slices together. */
static bool is_made_of_slices(const mst_walk *walk, const mst_value *index) {
  return mst_is_container(index) &&
         mst_value_any_item(&walk->program->values, index).kind == MST_V_SLICE;
}

static bool is_behind_name(const mst_walk *walk, mst_node_id index) {
  const mst_node *node = &walk->tree->nodes[index];
  if (node->kind != MST_K_NAME) return false;
  for (size_t i = 0; i < walk->behind.length; i++)
    if (walk->behind.data[i] == node->name) return true;
  return false;
}

static void look_at_index(const mst_walk *walk, mst_access *access, mst_node_id index,
                          unsigned axis) {
  if (mst_kind_of(walk->tree, index) == MST_K_TUPLE) {
    MST_EACH_CHILD(walk->tree, child, index) look_at_index(walk, access, child, axis++);
    return;
  }
  if (mst_kind_of(walk->tree, index) == MST_K_SLICE && !is_single_row(walk, index)) {
    mst_follow follow = follow_slice(walk, access->base, index, &access->is_behind);
    /* Chunks are of one axis; in two axes they are windows. */
    if (follow == MST_FOLLOW_CHUNK && access->follow == MST_FOLLOW_CHUNK)
      follow = MST_FOLLOW_WINDOW;
    if (follow != MST_FOLLOW_NOT && access->follow != MST_FOLLOW_POINT) access->follow = follow;
    return;
  }
  if (is_behind_name(walk, index) && access->follow != MST_FOLLOW_POINT) {
    access->follow = MST_FOLLOW_REST;
    access->is_behind = true;
  }
  if (!mst_walk_follows(walk, index)) return;
  const mst_value *value = &walk->module->values[index];
  if (is_made_of_slices(walk, value)) return;
  /* a[i < x], a[mask * i]: whole arrays that happen to depend on the counter */
  if (value->kind == MST_V_ARRAY && (value->flags & MST_VF_MAYBE_ELEMENT) == 0) return;
  access->follow = MST_FOLLOW_POINT;
  mst_linear form = {0};
  const bool is_slice = mst_kind_of(walk->tree, index) == MST_K_SLICE;
  const mst_node_id at = is_slice ? mst_child(walk->tree, index, 0) : index;
  if (!access->affine && mst_walk_linear(walk, at, &form) && form.factor != 0) {
    access->affine = true;
    access->at = form;
    access->axis = axis;
  }
}

/* np.dot(a[i], w), irfft(b - a[i]), np.sum(a[i] * w): what would make no sense of an element. */
static bool is_used_as_row(const mst_walk *walk, mst_node_id node) {
  for (;;) {
    const mst_node_id child = node;
    node = walk->tree->nodes[child].parent;
    switch (mst_kind_of(walk->tree, node)) {
    case MST_K_BINARY:
      if (walk->tree->nodes[node].op == MST_OP_MATMUL) return true;
      break;
    case MST_K_UNARY: break;
    case MST_K_CALL: {
      if (walk->tree->nodes[node].first == child) return false;
      const mst_api *api = mst_called_api(mst_walk_place(walk, node));
      if (api == NULL) return false;
      if ((api->traits & (MST_T_PRODUCT | MST_T_FFT | MST_T_LINALG | MST_T_REDUCTION)) != 0)
        return mst_starts_with(api->name, "numpy.");
      if ((api->traits & MST_T_ELEMENTWISE) == 0) return false;
      break;
    }
    default: return false;
    }
  }
}

/* h[i] += b of an array b, which no element could take. What follows the loop may be a number, as
 * in x[i] += a[i, :] @ x, unless its rank is known. */
static bool is_joined_with_row(const mst_walk *walk, mst_node_id node) {
  const mst_node *statement = &walk->tree->nodes[walk->tree->nodes[node].parent];
  if (statement->kind != MST_K_AUG_ASSIGN || statement->first != node) return false;
  const mst_node_id operand = walk->tree->nodes[node].next;
  const mst_value *value = &walk->module->values[operand];
  if (!mst_is_array(value) || (value->flags & MST_VF_MAYBE_ELEMENT) != 0) return false;
  return value->rank > 0 || !mst_walk_follows(walk, operand);
}

/* The subscript of `d = d0[1:, 1:]`, if that is all that the function gives to the name; else 0. */
static mst_node_id slice_behind_name(const mst_walk *walk, mst_symbol name) {
  const mst_node_id slice = only_value(walk, mst_walk_function(walk), name);
  return mst_kind_of(walk->tree, slice) == MST_K_SUBSCRIPT ? slice : 0;
}

/* Where slice number `axis` begins; false when that is not known. */
static bool begin_of_slice(const mst_walk *walk, mst_node_id subscript, unsigned axis,
                           int64_t *begin) {
  mst_node_id index = walk->tree->nodes[walk->tree->nodes[subscript].first].next;
  if (mst_kind_of(walk->tree, index) == MST_K_TUPLE) index = walk->tree->nodes[index].first;
  while (axis-- > 0 && index != 0)
    index = walk->tree->nodes[index].next;
  *begin = 0;
  if (index == 0) return true;
  if (mst_kind_of(walk->tree, index) != MST_K_SLICE) return false;
  const mst_node_id lower = mst_child(walk->tree, index, 0);
  if (mst_kind_of(walk->tree, lower) == MST_K_EMPTY) return true;
  const mst_value *value = &walk->module->values[lower];
  if (!mst_knows_number(value) || value->number < 0) return false;
  *begin = mst_whole(value->number);
  return true;
}

/* d[i, j] of `d = d0[1:, 1:]` is d0[i + 1, j + 1]. */
static void look_through_slice(const mst_walk *walk, mst_access *access) {
  access->array = access->name;
  if (access->is_self || !access->affine) return;
  if ((walk->module->values[access->base].flags & MST_VF_VIEW) == 0) return;
  const mst_node_id slice = slice_behind_name(walk, access->name);
  const mst_node *of = slice != 0 ? &walk->tree->nodes[walk->tree->nodes[slice].first] : NULL;
  int64_t begin;
  if (of == NULL || of->kind != MST_K_NAME || !begin_of_slice(walk, slice, access->axis, &begin))
    return;
  int64_t *place = access->at.unit == 0 ? &access->at.offset : &access->at.aside;
  if (!__builtin_add_overflow(*place, begin, place)) access->array = of->name;
}

/* p = np.zeros(n); p[i] = 1: an array of this turn alone is not walked by it. */
static bool is_made_in_turn(const mst_walk *walk, mst_node_id base) {
  if (mst_kind_of(walk->tree, base) != MST_K_NAME) return false;
  const mst_symbol name = walk->tree->nodes[base].name;
  const mst_node_id value = only_value(walk, walk->loop->body, name);
  return value != 0 && (walk->module->values[value].flags & MST_VF_FRESH) != 0 &&
         !mst_walk_follows(walk, value) && !mst_walk_hands_on(walk, name);
}

/* a[i][j] is one access: from its innermost base to the outermost brackets. */
static void add_access(mst_walk *walk, mst_node_id node) {
  mst_access access = {.node = node};
  mst_node_id at = node;
  while (mst_kind_of(walk->tree, walk->tree->nodes[at].first) == MST_K_SUBSCRIPT)
    at = walk->tree->nodes[at].first;
  access.base = walk->tree->nodes[at].first;
  const mst_value *base = &walk->module->values[access.base];
  access.is_list = base->kind == MST_V_LIST;
  if (!access.is_list && (base->kind != MST_V_ARRAY || base->library != MST_LIB_TARGET)) return;
  unsigned axis = 0;
  for (mst_node_id level = at;; level = walk->tree->nodes[level].parent) {
    for (mst_node_id index = walk->tree->nodes[walk->tree->nodes[level].first].next; index != 0;
         index = walk->tree->nodes[index].next)
      look_at_index(walk, &access, index, axis++);
    if (level == node) break;
  }
  if (access.follow != MST_FOLLOW_NOT && is_made_in_turn(walk, access.base)) return;
  const mst_node *top = &walk->tree->nodes[node];
  access.is_store = (top->flags & MST_F_STORE) != 0;
  access.is_read = !access.is_store || mst_kind_of(walk->tree, top->parent) == MST_K_AUG_ASSIGN;
  const mst_value *value = &walk->module->values[node];
  access.is_element = access.is_list || value->kind == MST_V_DEFERRED ||
                      value->kind == MST_V_NUMBER || (value->flags & MST_VF_MAYBE_ELEMENT) != 0 ||
                      (value->kind == MST_V_UNKNOWN && base->dtype == MST_D_OBJECT);
  if (access.is_element && value->kind == MST_V_ARRAY &&
      (is_used_as_row(walk, node) || is_joined_with_row(walk, node)))
    access.is_element = false;
  const mst_node *named = &walk->tree->nodes[access.base];
  access.name = named->name;
  access.is_self = named->kind == MST_K_ATTRIBUTE;
  look_through_slice(walk, &access);
  mst_arena_push(walk->program->arena, &walk->accesses, access);
}

static void find_accesses(mst_walk *walk, mst_node_id begin, mst_node_id end) {
  for (mst_node_id id = begin; id < end; id++) {
    const mst_kind kind = mst_kind_of(walk->tree, id);
    if (kind == MST_K_FUNCTION || kind == MST_K_LAMBDA) {
      id = mst_subtree_end(walk->tree, id) - 1;
      continue;
    }
    if (kind != MST_K_SUBSCRIPT) continue;
    const mst_node *parent = &walk->tree->nodes[walk->tree->nodes[id].parent];
    if (parent->kind == MST_K_SUBSCRIPT && parent->first == id) continue; /* within a chain */
    add_access(walk, id);
  }
}

/* range(i), range(1, i), range(i - 1, -1, -1): what an inner loop counts when its outer one counts
 * upwards and it is to stay behind; for one that counts downwards the other end follows it. */
static bool range_stays_behind(const mst_walk *walk, mst_node_id call) {
  if (mst_kind_of(walk->tree, call) != MST_K_CALL || walk->module->names[call] == 0) return false;
  const mst_symbols *symbols = &walk->program->symbols;
  const char *name = mst_symbol_text(symbols, walk->module->names[call]);
  if (strcmp(name, "builtins.range") != 0 && strcmp(name, "builtins.xrange") != 0) return false;
  const mst_node_id first = mst_argument_node(walk->tree, symbols, call, 0, NULL);
  const mst_node_id second = mst_argument_node(walk->tree, symbols, call, 1, NULL);
  const mst_node_id step = mst_argument_node(walk->tree, symbols, call, 2, NULL);
  if (first == 0) return false;
  const bool from = second != 0 && mst_walk_follows(walk, first);
  const bool to = mst_walk_follows(walk, second != 0 ? second : first);
  if (from == to) return false;
  if (step == 0) return walk->descending ? from : to;
  const mst_value *by = &walk->module->values[step];
  if (!mst_knows_number(by)) return false;
  return (by->number < 0) != walk->descending ? from : to;
}

static void find_behind(mst_walk *walk) {
  const mst_node_id end = mst_subtree_end(walk->tree, walk->loop->body);
  for (mst_node_id id = walk->loop->body; id < end; id++) {
    if (mst_kind_of(walk->tree, id) != MST_K_FOR) continue;
    const mst_node *target = &walk->tree->nodes[walk->tree->nodes[id].first];
    if (target->kind == MST_K_NAME && range_stays_behind(walk, target->next))
      mst_arena_push(walk->program->arena, &walk->behind, target->name);
  }
}

/* A `while` whose counter only gets smaller. */
static bool counts_down(const mst_walk *walk) {
  const mst_node_id end = mst_subtree_end(walk->tree, walk->loop->body);
  bool any = false;
  for (mst_node_id id = walk->loop->body; id < end; id++) {
    const mst_node *node = &walk->tree->nodes[id];
    if (node->kind != MST_K_AUG_ASSIGN || !is_derived(walk, walk->tree->nodes[node->first].name))
      continue;
    if (node->op != MST_OP_SUB) return false;
    any = true;
  }
  return any;
}

static void look_at_step(mst_walk *walk) {
  mst_node_id call = walk->loop->iterable;
  if (call == 0) {
    walk->descending = counts_down(walk);
    return;
  }
  if (mst_kind_of(walk->tree, call) == MST_K_NAME) /* starts = range(0, n, size) */
    call = only_value(walk, mst_walk_function(walk), walk->tree->nodes[call].name);
  while (mst_kind_of(walk->tree, call) == MST_K_CALL) {
    const mst_symbol name = walk->module->names[call];
    const char *text = name != 0 ? mst_symbol_text(&walk->program->symbols, name) : "";
    if (strcmp(text, "builtins.reversed") == 0) walk->descending = !walk->descending;
    if (strcmp(text, "builtins.range") == 0 || strcmp(text, "builtins.xrange") == 0) {
      const mst_node_id step =
          mst_argument_node(walk->tree, &walk->program->symbols, call, 2, NULL);
      if (step == 0) return;
      const mst_value *by = &walk->module->values[step];
      const bool known = mst_knows_number(by) && (by->flags & MST_VF_FROM_DEFAULT) == 0;
      if (known && by->number < 0) walk->descending = !walk->descending;
      walk->strided = !known || (by->number != 1 && by->number != -1);
      return;
    }
    const mst_node_id inner = mst_argument_node(walk->tree, &walk->program->symbols, call, 0, NULL);
    if (inner == 0) return;
    call = inner;
  }
}

void mst_walk_begin(mst_walk *walk, mst_program *program, const mst_loop *loop) {
  *walk = (mst_walk){.program = program,
                     .module = &program->modules[loop->module],
                     .tree = program->modules[loop->module].tree,
                     .loop = loop};
  for (uint32_t i = 0; i < loop->counter_count; i++)
    mst_arena_push(program->arena, &walk->derived, loop->counters[i]);
  if (walk->derived.length == 0) return;
  look_at_step(walk);
  for (int pass = 0; pass < 4 && derive_once(walk); pass++) {
  }
  find_behind(walk);
  if (mst_kind_of(walk->tree, loop->node) == MST_K_FOR ||
      mst_kind_of(walk->tree, loop->node) == MST_K_WHILE)
    find_accesses(walk, loop->body, mst_subtree_end(walk->tree, loop->body));
  else
    find_accesses(walk, loop->node + 1, mst_subtree_end(walk->tree, loop->node));
}
