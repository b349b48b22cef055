/* SPDX-License-Identifier: Apache-2.0 */
#include "rules/element_map.h"

#include <string.h>

#include "rules/common.h"
#include "rules/suggest.h"

#define MOST_EDITS 32
#define MOST_STATEMENTS 8

typedef struct element_map {
  mst_place loop;
  mst_symbol counter;
  mst_node_id length_of; /* the array whose length the range has */
  mst_edit edits[MOST_EDITS];
  unsigned edit_count;
  bool covers;   /* that array is among those that are indexed */
  bool is_plain; /* all of them are known to have one axis, and none is another's view */
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
static mst_node_id ranged_array(mst_place iterable) {
  if (mst_kind_of(iterable.module->tree, iterable.node) != MST_K_CALL) return 0;
  const char *name = mst_called_name(iterable);
  if (name == NULL || strcmp(name, "builtins.range") != 0) return 0;
  const unsigned count = mst_positional_count(iterable);
  if (count == 1) return measured_array(mst_place_at(iterable, mst_argument(iterable, 0, NULL)));
  if (count != 2 || !mst_is_number(mst_place_at(iterable, mst_argument(iterable, 0, NULL)), 0))
    return 0;
  return measured_array(mst_place_at(iterable, mst_argument(iterable, 1, NULL)));
}

/* ---- the body ------------------------------------------------------------------------------------- */

static bool is_counter(const element_map *map, mst_node_id id) {
  const mst_node *node = mst_node_at(map->loop.module->tree, id);
  return node->kind == MST_K_NAME && node->name == map->counter;
}

/* a[i]: the array alone, or a[:] where it is written. */
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
  const char *text = mst_source_of(context, array);
  if ((node->flags & MST_F_STORE) != 0) text = mst_format_text(context->arena, "%s[:]", text);
  map->edits[map->edit_count++] = (mst_edit){id, text};
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
  return (node->kind == MST_K_ASSIGN || is_arithmetic(node)) &&
         add_element(context, map, node->first) &&
         add_expression(context, map, mst_child(tree, id, 1));
}

/* ---- the suggestion --------------------------------------------------------------------------------- */

static bool read_loop(mst_rule_context *context, element_map *map, const mst_loop *loop) {
  const mst_tree *tree = map->loop.module->tree;
  const mst_node_id target = mst_node_at(tree, map->loop.node)->first;
  if (mst_kind_of(tree, target) != MST_K_NAME || mst_has_else(map->loop)) return false;
  map->counter = mst_node_at(tree, target)->name;
  map->length_of = ranged_array(mst_place_at(map->loop, loop->iterable));
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
  mst_suggest(context, finding, mst_lines_of(context, place), after, map.is_plain);
}
