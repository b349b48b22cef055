/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "rules/common.h"

#define MOST_SLICES 48
#define MOST_OFFSET 16

/* One end of a slice: base + offset. The base is nothing (counted from the front), the end of the
 * axis, or an expression of the user's. */
typedef enum base_kind { FROM_FRONT, FROM_END, FROM_EXPRESSION } base_kind;
typedef struct bound {
  base_kind base;
  mst_node_id expression;
  long offset;
} bound;

typedef struct window {
  bool is_slice; /* else `index` is one index */
  mst_node_id index;
  bound lower, upper;
} window;

/* ---- reading slices ---------------------------------------------------------------------------- */

static bool small_integer(mst_place place, long *out) {
  const mst_node *node = mst_node_at(place.module->tree, place.node);
  if (node->kind != MST_K_NUMBER || (node->flags & (MST_F_FLOAT | MST_F_IMAGINARY)) != 0)
    return false;
  *out = strtol(place.module->tree->source->text + node->start, NULL, 0);
  return *out <= MOST_OFFSET;
}

static bound expression_bound(mst_place place) {
  const mst_node *node = mst_node_at(place.module->tree, place.node);
  const mst_node_id right = mst_child(place.module->tree, place.node, 1);
  long offset;
  if (node->kind == MST_K_BINARY && (node->op == MST_OP_ADD || node->op == MST_OP_SUB) &&
      small_integer(mst_place_at(place, right), &offset))
    return (bound){FROM_EXPRESSION, node->first, node->op == MST_OP_ADD ? offset : -offset};
  return (bound){FROM_EXPRESSION, place.node, 0};
}

static bound read_bound(mst_place place, bool is_upper) {
  const mst_node *node = mst_node_at(place.module->tree, place.node);
  long offset;
  if (node->kind == MST_K_EMPTY || node->kind == MST_K_NULL)
    return (bound){is_upper ? FROM_END : FROM_FRONT, 0, 0};
  if (small_integer(place, &offset)) return (bound){FROM_FRONT, 0, offset};
  if (node->kind == MST_K_UNARY && node->op == MST_OP_NEGATE &&
      small_integer(mst_place_at(place, node->first), &offset))
    return (bound){FROM_END, 0, -offset};
  return expression_bound(place);
}

static bool has_unit_step(mst_place slice) {
  const mst_node_id step = mst_child(slice.module->tree, slice.node, 2);
  const mst_kind kind = mst_kind_of(slice.module->tree, step);
  return step == 0 || kind == MST_K_EMPTY || kind == MST_K_NULL ||
         mst_is_number(mst_place_at(slice, step), 1);
}

static window read_window(mst_place index) {
  window w = {.index = index.node};
  if (mst_kind_of(index.module->tree, index.node) != MST_K_SLICE || !has_unit_step(index)) return w;
  w.is_slice = true;
  w.lower = read_bound(mst_place_at(index, mst_child(index.module->tree, index.node, 0)), false);
  w.upper = read_bound(mst_place_at(index, mst_child(index.module->tree, index.node, 1)), true);
  return w;
}

/* ---- comparing them ---------------------------------------------------------------------------- */

static bool have_same_base(mst_place place, const bound *a, const bound *b) {
  return a->base == b->base &&
         (a->base != FROM_EXPRESSION || mst_same_expression(mst_place_at(place, a->expression),
                                                            mst_place_at(place, b->expression)));
}

/* True when the second window is the first one, moved by a few elements. */
static bool is_shifted(mst_place place, const window *a, const window *b) {
  if (!a->is_slice || !b->is_slice || !have_same_base(place, &a->lower, &b->lower)) return false;
  const long shift = b->lower.offset - a->lower.offset;
  if (shift == 0 || labs(shift) > MOST_OFFSET) return false;
  if (have_same_base(place, &a->upper, &b->upper))
    return b->upper.offset - a->upper.offset == shift;
  /* u[2:] beside u[:n - 2]; but the halves u[:2] and u[2:] are no neighbours. */
  return a->upper.base == FROM_EXPRESSION || b->upper.base == FROM_EXPRESSION;
}

/* Both are slices, or the same index. */
static bool are_alike(mst_place place, const window *a, const window *b) {
  if (a->is_slice != b->is_slice) return false;
  return a->is_slice ||
         mst_same_expression(mst_place_at(place, a->index), mst_place_at(place, b->index)) ||
         mst_kind_of(place.module->tree, a->index) == MST_K_ELLIPSIS;
}

static bool are_neighbours(mst_place place, mst_node_id left, mst_node_id right) {
  const mst_tree *tree = place.module->tree;
  mst_node_id a = mst_node_at(tree, left)->first;
  mst_node_id b = mst_node_at(tree, right)->first;
  if (!mst_same_expression(mst_place_at(place, a), mst_place_at(place, b))) return false;
  bool shifted = false;
  for (;;) {
    a = mst_node_at(tree, a)->next;
    b = mst_node_at(tree, b)->next;
    if (a == 0 || b == 0) return shifted && a == b;
    const window first = read_window(mst_place_at(place, a));
    const window second = read_window(mst_place_at(place, b));
    if (!are_alike(place, &first, &second)) return false;
    shifted = shifted || is_shifted(place, &first, &second);
  }
}

/* ---- the rule ------------------------------------------------------------------------------------ */

static bool is_sliced_array(mst_place place) {
  const mst_tree *tree = place.module->tree;
  const mst_node *node = mst_node_at(tree, place.node);
  if (node->kind != MST_K_SUBSCRIPT || (node->flags & (MST_F_STORE | MST_F_DEL)) != 0) return false;
  if (!mst_is_sure_array(mst_value_at(mst_place_at(place, node->first)))) return false;
  for (mst_node_id i = mst_node_at(tree, node->first)->next; i != 0; i = mst_node_at(tree, i)->next)
    if (mst_kind_of(tree, i) == MST_K_SLICE) return true;
  return false;
}

static unsigned collect(mst_place statement, mst_node_id slices[MOST_SLICES]) {
  const mst_node_id end = mst_subtree_end(statement.module->tree, statement.node);
  unsigned count = 0;
  for (mst_node_id i = statement.node + 1; i < end && count < MOST_SLICES; i++)
    if (is_sliced_array(mst_place_at(statement, i))) slices[count++] = i;
  return count;
}

static mst_node_id first_with_neighbour(mst_place place, const mst_node_id *slices,
                                        unsigned count) {
  for (unsigned i = 0; i < count; i++)
    for (unsigned j = i + 1; j < count; j++)
      if (are_neighbours(place, slices[i], slices[j])) return slices[i];
  return 0;
}

static void visit(mst_rule_context *context, mst_place place) {
  mst_node_id slices[MOST_SLICES];
  const unsigned count = collect(place, slices);
  const mst_node_id found = count > 1 ? first_with_neighbour(place, slices, count) : 0;
  if (found == 0 || mst_is_walk_use(mst_place_at(place, found))) return;
  const mst_place array = mst_place_at(place, mst_node_at(place.module->tree, found)->first);
  mst_add_finding(context, place, mst_value_at(array), "stencil over `%s`, by shifted slices",
                  mst_text_of(context, array));
}

static const uint8_t kinds[] = {MST_K_ASSIGN,     MST_K_AUG_ASSIGN, MST_K_ANN_ASSIGN,
                                MST_K_EXPRESSION, MST_K_RETURN,     MST_K_NONE};

const mst_rule mst_rule_r005 = {
    .id = "R005",
    .name = "stencil slicing",
    .category = MST_SCALES,
    .outcome = MST_OUTCOME_NONE,
    .counts = MST_COUNTS_NEVER,
    .summary = "slices of one array with different small offsets in one expression",
    .why = "The runtime sees from the slices which halo each GPU needs, and exchanges only that.",
    .kinds = kinds,
    .visit = visit,
};
