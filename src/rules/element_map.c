/* SPDX-License-Identifier: Apache-2.0 */
#include "rules/element_map.h"

#include <string.h>

#include "rules/common.h"
#include "rules/suggest.h"
#include "rules/turns.h"

#define MOST_EDITS 32
#define MOST_STATEMENTS 8

typedef struct element_map {
  mst_place loop;
  mst_symbol counter;
  mst_node_id length;    /* the end of the range */
  mst_node_id length_of; /* the array whose length that is */
  mst_edit edits[MOST_EDITS];
  unsigned edit_count;
  mst_symbol first;   /* the array that is indexed first ... */
  bool has_others;    /* ... and whether there are others */
  bool covers;        /* the measured array is among those that are indexed */
  bool is_plain;      /* all of them are known to have one axis, and none is another's view */
  bool may_be_shared; /* one came in as a parameter: others may be views of it */
} element_map;

/* ---- the range ------------------------------------------------------------------------------------ */

/* a of len(a), a.size, a.shape[0]; 0 for anything else. */
static mst_node_id measured_array(mst_place length) {
  const mst_tree *tree = length.module->tree;
  const mst_node *node = mst_node_at(tree, length.node);
  const char *name = node->kind == MST_K_CALL ? mst_called_name(length) : NULL;
  mst_node_id array = 0;
  if (name != NULL && strcmp(name, "builtins.len") == 0) {
    array = mst_argument(length, 0, NULL);
  } else if (node->kind == MST_K_ATTRIBUTE && node->name == MST_SYM_size) {
    array = node->first;
  } else if (node->kind == MST_K_SUBSCRIPT) {
    const mst_node *shape = mst_node_at(tree, node->first);
    const mst_node_id axis = mst_child(tree, length.node, 1);
    if (shape->kind == MST_K_ATTRIBUTE && shape->name == MST_SYM_shape &&
        mst_is_number(mst_place_at(length, axis), 0))
      array = shape->first;
  }
  return array != 0 && mst_is_target_array(mst_value_at(mst_place_at(length, array))) ? array : 0;
}

/* range(n) and range(0, n), where n is an array's length. */
static mst_node_id ranged_array(mst_place iterable, mst_node_id *length) {
  if (mst_kind_of(iterable.module->tree, iterable.node) != MST_K_CALL) return 0;
  const char *name = mst_called_name(iterable);
  if (name == NULL || strcmp(name, "builtins.range") != 0) return 0;
  const unsigned count = mst_positional_count(iterable);
  if (count != 1 &&
      (count != 2 || !mst_is_number(mst_place_at(iterable, mst_argument(iterable, 0, NULL)), 0)))
    return 0;
  *length = mst_argument(iterable, (int)count - 1, NULL);
  return measured_array(mst_place_at(iterable, *length));
}

/* ---- the body ------------------------------------------------------------------------------------- */

static bool is_counter(const element_map *map, mst_node_id id) {
  const mst_node *node = mst_node_at(map->loop.module->tree, id);
  return node->kind == MST_K_NAME && node->name == map->counter;
}

static bool has_source_of(mst_place place, mst_node_id other) {
  const mst_tree *tree = place.module->tree;
  const mst_node *a = mst_node_at(tree, place.node), *b = mst_node_at(tree, other);
  const char *text = tree->source->text;
  return a->end - a->start == b->end - b->start &&
         memcmp(text + a->start, text + b->start, a->end - a->start) == 0;
}

/* The name is bound once, or is a parameter that is never bound anew. */
static bool is_settled(mst_place name, mst_node_id *value) {
  const mst_tree *tree = name.module->tree;
  mst_turns turns;
  unsigned stores = 0;
  *value = 0;
  if (mst_kind_of(tree, name.node) != MST_K_NAME || !mst_function_turns(&turns, name)) return false;
  for (mst_node_id id = 0; mst_next_store(&turns, mst_node_at(tree, name.node)->name, &id);) {
    const mst_node_id statement = mst_node_at(tree, id)->parent;
    if (mst_kind_of(tree, statement) == MST_K_ASSIGN) *value = mst_last_child(tree, statement);
    stores++;
  }
  return stores <= 1 && !turns.is_spent;
}

/* out = np.zeros_like(a) and out = np.zeros(len(a)), where len(a) is the range's length. */
static bool is_made_as_long(const element_map *map, mst_place array, mst_place measured) {
  mst_node_id value, other;
  if (!is_settled(array, &value) || value == 0 || !is_settled(measured, &other)) return false;
  const mst_place call = mst_place_at(array, value);
  const mst_api *api =
      mst_kind_of(array.module->tree, value) == MST_K_CALL ? mst_called_api(call) : NULL;
  if (api == NULL || mst_argument(call, -1, "shape") != 0) return false;
  const mst_node_id first = mst_argument(call, 0, NULL);
  if (first == 0) return false;
  const mst_place argument = mst_place_at(call, first);
  return (api->effect == MST_E_LIKE && mst_same_expression(argument, measured)) ||
         (api->effect == MST_E_SHAPED && has_source_of(argument, map->length));
}

/* As long as the range by what is known: the measured array itself, or one of the same shape. */
static bool is_as_long(const element_map *map, mst_place array) {
  const mst_place measured = mst_place_at(map->loop, map->length_of);
  const mst_value *own = mst_value_at(array), *other = mst_value_at(measured);
  if (mst_same_expression(array, measured)) return true;
  if (is_made_as_long(map, array, measured)) return true;
  if (own->rank != 1 || other->rank != 1) return false;
  const mst_values *values = &array.program->values;
  const int64_t length = mst_extent(values, own, 0);
  return length >= 0 && length == mst_extent(values, other, 0);
}

/* a[i]: the array alone, or a[:] where it is written; of one that may be longer the beginning. */
static const char *whole_text(mst_rule_context *context, const element_map *map, mst_place array,
                              bool is_stored) {
  const char *text = mst_source_of(context, array);
  if (is_as_long(map, array))
    return is_stored ? mst_format_text(context->arena, "%s[:]", text) : text;
  return mst_format_text(context->arena, "%s[:%s]", text,
                         mst_source_of(context, mst_place_at(map->loop, map->length)));
}

static bool add_element(mst_rule_context *context, element_map *map, mst_node_id id) {
  const mst_tree *tree = map->loop.module->tree;
  const mst_node *node = mst_node_at(tree, id);
  const mst_node_id index = mst_child(tree, id, 1);
  const mst_place array = mst_place_at(map->loop, node->first);
  const mst_value *value = mst_value_at(array);
  if (mst_child_count(tree, id) != 2 || !is_counter(map, index)) return false;
  char path[MST_PATH_BYTES];
  if (!mst_is_target_array(value) || mst_path_of(array, path) == NULL) return false;
  if (map->edit_count == MOST_EDITS) return false;
  const mst_symbol name = mst_node_at(tree, array.node)->name;
  map->edits[map->edit_count++] =
      (mst_edit){id, whole_text(context, map, array, (node->flags & MST_F_STORE) != 0)};
  if (map->first == 0) map->first = name;
  map->has_others = map->has_others || name != map->first;
  map->may_be_shared = map->may_be_shared || (value->flags & MST_VF_PARAMETER) != 0;
  map->is_plain = map->is_plain && value->rank == 1 && (value->flags & MST_VF_VIEW) == 0;
  map->covers = map->covers || mst_same_expression(array, mst_place_at(map->loop, map->length_of));
  return true;
}

/* Numbers of the host that do not depend on the turn. */
static bool is_constant(const element_map *map, mst_node_id id) {
  const mst_tree *tree = map->loop.module->tree;
  const mst_node *node = mst_node_at(tree, id);
  if (node->kind == MST_K_NUMBER) return true;
  if (node->kind != MST_K_NAME || node->name == map->counter) return false;
  return mst_value_at(mst_place_at(map->loop, id))->kind == MST_V_NUMBER;
}

static bool is_arithmetic(const mst_node *node) {
  return node->kind == MST_K_UNARY ? node->op != MST_OP_INVERT
                                   : node->op >= MST_OP_ADD && node->op <= MST_OP_POW;
}

static bool is_ufunc(mst_place call) {
  const char *name = mst_called_name(call);
  const mst_api *api = mst_called_api(call);
  if (name == NULL || api == NULL || (api->traits & (MST_T_ELEMENTWISE | MST_T_UFUNC)) == 0)
    return false;
  return mst_starts_with(name, "numpy.") &&
         mst_positional_count(call) + 1 == mst_child_count(call.module->tree, call.node);
}

static bool add_expression(mst_rule_context *context, element_map *map, mst_node_id id);

static bool add_operands(mst_rule_context *context, element_map *map, mst_node_id first) {
  const mst_tree *tree = map->loop.module->tree;
  for (mst_node_id id = first; id != 0; id = mst_node_at(tree, id)->next)
    if (!add_expression(context, map, id)) return false;
  return true;
}

static bool add_expression(mst_rule_context *context, element_map *map, mst_node_id id) {
  const mst_tree *tree = map->loop.module->tree;
  const mst_node *node = mst_node_at(tree, id);
  switch (node->kind) {
  case MST_K_SUBSCRIPT: return add_element(context, map, id);
  case MST_K_BINARY:
  case MST_K_UNARY: return is_arithmetic(node) && add_operands(context, map, node->first);
  case MST_K_CALL:
    return is_ufunc(mst_place_at(map->loop, id)) &&
           add_operands(context, map, mst_node_at(tree, node->first)->next);
  default: return is_constant(map, id);
  }
}

static bool add_statement(mst_rule_context *context, element_map *map, mst_node_id id) {
  const mst_tree *tree = map->loop.module->tree;
  const mst_node *node = mst_node_at(tree, id);
  if (node->kind != MST_K_ASSIGN && node->kind != MST_K_AUG_ASSIGN) return false;
  if (mst_child_count(tree, id) != 2 || mst_kind_of(tree, node->first) != MST_K_SUBSCRIPT)
    return false;
  /* a[:] += ... of whole numbers refuses what a[i] += ... cuts off. */
  const mst_place array = mst_place_at(map->loop, mst_node_at(tree, node->first)->first);
  if (node->kind == MST_K_AUG_ASSIGN && mst_value_at(array)->dtype != MST_D_FLOAT)
    map->is_plain = false;
  if (node->kind == MST_K_AUG_ASSIGN && mst_value_at(array)->dtype == MST_D_INT) return false;
  return (node->kind == MST_K_ASSIGN || is_arithmetic(node)) &&
         add_element(context, map, node->first) &&
         add_expression(context, map, mst_child(tree, id, 1));
}

/* What a loop or comprehension binds in each turn; 0: nothing. */
static mst_node_id target_of(const mst_tree *tree, const mst_loop *loop) {
  switch (mst_kind_of(tree, loop->node)) {
  case MST_K_FOR: return tree->nodes[loop->node].first;
  case MST_K_WHILE: return 0;
  default: return tree->nodes[mst_child(tree, loop->node, 1)].first;
  }
}

static bool binds(const mst_tree *tree, const mst_loop *loop, mst_symbol name) {
  const mst_node_id target = target_of(tree, loop);
  return target != 0 && mst_mentions(tree, target, &name, 1);
}

/* True when the counter's last value is read outside of the loop, and not only in loops that count
 * by the same name. */
static bool is_read_outside(mst_place loop, mst_symbol counter) {
  const mst_tree *tree = loop.module->tree;
  const mst_node_id end = mst_subtree_end(tree, loop.node);
  mst_turns turns;
  if (!mst_function_turns(&turns, loop)) return true;
  for (mst_node_id id = 0; mst_next_read(&turns, counter, &id);) {
    if (id >= loop.node && id < end) continue;
    const mst_loop *other = mst_loop_at(mst_place_at(loop, id));
    while (other != NULL && !binds(tree, other, counter))
      other = mst_loop_outside(loop.program, other);
    if (other == NULL) return true;
  }
  return turns.is_spent;
}

/* ---- the suggestion --------------------------------------------------------------------------------- */

static bool read_loop(mst_rule_context *context, element_map *map, const mst_loop *loop) {
  const mst_tree *tree = map->loop.module->tree;
  const mst_node_id target = mst_node_at(tree, map->loop.node)->first;
  if (mst_kind_of(tree, target) != MST_K_NAME || mst_has_else(map->loop)) return false;
  map->counter = mst_node_at(tree, target)->name;
  map->length_of = ranged_array(mst_place_at(map->loop, loop->iterable), &map->length);
  if (is_read_outside(map->loop, map->counter)) return false;
  if (map->length_of == 0 || mst_child_count(tree, loop->body) > MOST_STATEMENTS) return false;
  MST_EACH_CHILD(tree, statement, loop->body) {
    if (!add_statement(context, map, statement)) return false;
  }
  return map->covers;
}

/* The statements of the body, one below the other, with their edits. */
static const char *rewritten_body(const mst_rule_context *context, const element_map *map,
                                  mst_node_id body) {
  const mst_tree *tree = map->loop.module->tree;
  const char *text = NULL;
  unsigned done = 0;
  MST_EACH_CHILD(tree, statement, body) {
    unsigned end = done;
    while (end < map->edit_count && mst_is_within(tree, map->edits[end].node, statement))
      end++;
    const char *lines =
        mst_lines_with(context, mst_place_at(map->loop, statement), map->edits + done, end - done);
    text = text == NULL ? lines : mst_format_text(context->arena, "%s\n%s", text, lines);
    done = end;
  }
  return text;
}

void mst_suggest_element_map(mst_rule_context *context, mst_finding *finding, mst_place place,
                             const mst_loop *loop) {
  if (mst_kind_of(place.module->tree, place.node) != MST_K_FOR) return;
  element_map map = {.loop = place, .is_plain = true};
  if (!read_loop(context, &map, loop)) return;
  const char *after = rewritten_body(context, &map, loop->body);
  if (after == NULL) return;
  /* Of rows it may mean something else: m[i] * w[i] is not m * w; and what is written may be read
   * through a view. */
  mst_suggest(context, finding, mst_lines_of(context, place), after,
              map.is_plain && !(map.has_others && map.may_be_shared));
}
