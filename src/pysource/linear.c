/* SPDX-License-Identifier: Apache-2.0 */
/* Indices as factor * counter + offset, in units that may be an expression, and what does not
 * change within a turn of the loop. */
#include <string.h>

#include "pysource/walks.h"

#define MAX_DEPTH 8

static bool linear(const mst_walk *walk, mst_node_id index, mst_linear *form, int depth);

static bool is_counter(const mst_walk *walk, mst_symbol name) {
  for (uint32_t i = 0; i < walk->loop->counter_count; i++)
    if (walk->loop->counters[i] == name) return true;
  return false;
}

/* Equal expressions have equal numbers; others, hardly. */
static uint64_t number_of_expression(const mst_walk *walk, mst_node_id expression) {
  const mst_node_id end = mst_subtree_end(walk->tree, expression);
  uint64_t number = 1469598103934665603u;
  for (mst_node_id id = expression; id < end; id++) {
    const mst_node *node = &walk->tree->nodes[id];
    number = (number ^ ((uint64_t)node->kind << 48 | (uint64_t)node->op << 40 | node->name)) *
             1099511628211u;
    if (node->kind != MST_K_NUMBER) continue;
    for (uint32_t at = node->start; at < node->end; at++)
      number = (number ^ (unsigned char)walk->tree->source->text[at]) * 1099511628211u;
  }
  return number;
}

/* What the only assignment in the body gives to a name: `i = n - 1 - k`; 0: none, or several. */
static mst_node_id only_definition(const mst_walk *walk, mst_symbol name) {
  const mst_node_id store = mst_only_store(walk->tree, walk->loop->body, name);
  const mst_node_id statement = walk->tree->nodes[store].parent;
  if (store == 0 || mst_kind_of(walk->tree, statement) != MST_K_ASSIGN) return 0;
  return mst_last_child(walk->tree, statement);
}

static bool linear_name(const mst_walk *walk, mst_node_id index, mst_linear *form, int depth) {
  const mst_symbol name = walk->tree->nodes[index].name;
  if (is_counter(walk, name)) {
    form->factor = 1;
    return true;
  }
  const mst_node_id definition = only_definition(walk, name);
  return definition != 0 && linear(walk, definition, form, depth - 1);
}

static bool negate(mst_linear *form) {
  form->rest = (uint64_t)0 - form->rest;
  return !__builtin_sub_overflow(0, form->factor, &form->factor) &&
         !__builtin_sub_overflow(0, form->offset, &form->offset) &&
         !__builtin_sub_overflow(0, form->aside, &form->aside);
}

/* Writes what does not follow the counter in units of what does; a `w` by itself is one unit. */
static bool share_unit(mst_linear *a, mst_linear *b) {
  if (a->unit == b->unit) return true;
  mst_linear *plain = a->unit == 0 ? a : b;
  const uint64_t unit = a->unit == 0 ? b->unit : a->unit;
  if (plain->unit != 0 || plain->factor != 0) return false;
  plain->unit = unit;
  plain->aside = plain->offset;
  plain->offset = plain->rest == unit ? 1 : plain->rest == (uint64_t)0 - unit ? -1 : 0;
  if (plain->offset != 0) plain->rest = 0;
  return true;
}

static bool linear_sum(const mst_walk *walk, mst_node_id binary, mst_linear *form, int depth) {
  const mst_node *node = &walk->tree->nodes[binary];
  const mst_node_id right = walk->tree->nodes[node->first].next;
  mst_linear second = {0};
  if (!linear(walk, node->first, form, depth - 1) || !linear(walk, right, &second, depth - 1))
    return false;
  if (node->op == MST_OP_SUB && !negate(&second)) return false;
  if (!share_unit(form, &second)) return false;
  form->rest += second.rest;
  return !__builtin_add_overflow(form->factor, second.factor, &form->factor) &&
         !__builtin_add_overflow(form->offset, second.offset, &form->offset) &&
         !__builtin_add_overflow(form->aside, second.aside, &form->aside);
}

/* (i - 1) * w, where nobody knows how much w is. */
static bool linear_multiple(const mst_walk *walk, mst_node_id left, mst_node_id right,
                            mst_linear *form, int depth) {
  const bool by_left = !mst_walk_follows(walk, left);
  if (by_left != mst_walk_follows(walk, right)) return false;
  if (!linear(walk, by_left ? right : left, form, depth - 1) || form->unit != 0) return false;
  form->unit = number_of_expression(walk, by_left ? left : right);
  form->rest *= form->unit;
  return true;
}

static bool linear_product(const mst_walk *walk, mst_node_id binary, mst_linear *form, int depth) {
  const mst_node *node = &walk->tree->nodes[binary];
  const mst_node_id right = walk->tree->nodes[node->first].next;
  const mst_value *left_value = &walk->module->values[node->first];
  const mst_value *right_value = &walk->module->values[right];
  const bool by_left = mst_knows_number(left_value);
  if (!by_left && !mst_knows_number(right_value))
    return linear_multiple(walk, node->first, right, form, depth);
  if (!linear(walk, by_left ? right : node->first, form, depth - 1)) return false;
  const int64_t by = mst_whole(by_left ? left_value->number : right_value->number);
  form->rest *= (uint64_t)by;
  return !__builtin_mul_overflow(form->factor, by, &form->factor) &&
         !__builtin_mul_overflow(form->offset, by, &form->offset) &&
         !__builtin_mul_overflow(form->aside, by, &form->aside);
}

/* max(i - 1, 0), min(i + 1, n - 1): the neighbour, but for the edges. */
static bool linear_clamped(const mst_walk *walk, mst_node_id call, mst_linear *form, int depth) {
  const mst_symbol name = walk->module->names[call];
  const char *text = name != 0 ? mst_symbol_text(&walk->program->symbols, name) : "";
  if (strcmp(text, "builtins.max") != 0 && strcmp(text, "builtins.min") != 0) return false;
  mst_node_id following = 0;
  for (mst_node_id child = walk->tree->nodes[walk->tree->nodes[call].first].next; child != 0;
       child = walk->tree->nodes[child].next) {
    if (!mst_walk_follows(walk, child)) continue;
    if (following != 0) return false;
    following = child;
  }
  return following != 0 && linear(walk, following, form, depth - 1);
}

static bool linear(const mst_walk *walk, mst_node_id index, mst_linear *form, int depth) {
  const mst_node *node = &walk->tree->nodes[index];
  const mst_value *value = &walk->module->values[index];
  *form = (mst_linear){0};
  if (depth == 0) return false;
  const bool is_sum =
      node->kind == MST_K_BINARY && (node->op == MST_OP_ADD || node->op == MST_OP_SUB);
  if (!mst_walk_follows(walk, index) && (!is_sum || mst_knows_number(value))) {
    if (mst_knows_number(value))
      form->offset = mst_whole(value->number);
    else
      form->rest = number_of_expression(walk, index);
    return true;
  }
  switch (node->kind) {
  case MST_K_NAME: return linear_name(walk, index, form, depth);
  case MST_K_CALL: return linear_clamped(walk, index, form, depth);
  case MST_K_UNARY:
    return node->op == MST_OP_NEGATE && linear(walk, node->first, form, depth - 1) && negate(form);
  case MST_K_BINARY: break;
  default: return false;
  }
  switch (node->op) {
  case MST_OP_ADD:
  case MST_OP_SUB: return linear_sum(walk, index, form, depth);
  case MST_OP_MUL: return linear_product(walk, index, form, depth);
  case MST_OP_MOD: return linear(walk, node->first, form, depth - 1); /* periodic */
  default: return false;
  }
}

bool mst_walk_linear(const mst_walk *walk, mst_node_id index, mst_linear *form) {
  return linear(walk, index, form, MAX_DEPTH);
}
