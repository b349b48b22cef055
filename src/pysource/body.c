/* SPDX-License-Identifier: Apache-2.0 */
/* What the body of a loop does: to elements and rows of walked arrays, and to whole arrays. */
#include <string.h>

#include "pysource/walks.h"

#define SMALL_OPERAND 1024 /* elements: a kernel or weights, no array that a body works on */

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
  case MST_K_AUG_ASSIGN: return true;
  case MST_K_COMPARE:
    return walk->tree->nodes[id].op >= MST_OP_LT && walk->tree->nodes[id].op <= MST_OP_GE;
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

/* items[i], which a list may have as well: no slice, no second index. */
static bool is_plain_item(const mst_walk *walk, mst_node_id node) {
  if (mst_kind_of(walk->tree, node) != MST_K_SUBSCRIPT) return false;
  const mst_kind index = mst_kind_of(walk->tree, mst_child(walk->tree, node, 1));
  return index == MST_K_NAME || index == MST_K_BINARY || index == MST_K_NUMBER;
}

/* distance(items[i], items[j]) with arrays in a list, which the function says they are. */
static bool hands_listed_arrays(const mst_walk *walk, mst_node_id call) {
  const uint32_t index = walk->module->calls[call];
  if (mst_kind_of(walk->tree, call) != MST_K_CALL || index == 0) return false;
  const mst_function *function = &walk->program->functions.data[index - 1];
  const mst_node *callee = &walk->tree->nodes[walk->tree->nodes[call].first];
  if (function->class_ != 0) return false;
  mst_node_id argument = callee->next;
  for (uint32_t i = 0; i < function->parameter_count && argument != 0; i++) {
    const mst_node *given = &walk->tree->nodes[argument];
    if (is_plain_item(walk, argument) && !mst_is_arrayish(&walk->module->values[argument]) &&
        !mst_is_arrayish(&walk->module->values[given->first]) &&
        mst_is_target_array(&function->parameters[i].presumed))
      return true;
    if (given->kind == MST_K_KEYWORD || given->kind == MST_K_STAR) return false;
    argument = given->next;
  }
  return false;
}

static void look_at_work(const mst_walk *walk, mst_body *body, mst_node_id begin, mst_node_id end) {
  for (mst_node_id id = begin; id < end; id++) {
    const mst_kind kind = mst_kind_of(walk->tree, id);
    if (kind == MST_K_FUNCTION || kind == MST_K_LAMBDA) {
      id = mst_subtree_end(walk->tree, id) - 1;
      continue;
    }
    body->any_array |= mst_is_target_array(&walk->module->values[id]);
    if (kind == MST_K_YIELD && touches_walked(walk, id)) body->stores_walked = true;
    if (kind == MST_K_CALL && walk->module->names[id] != 0 &&
        strcmp(mst_symbol_text(&walk->program->symbols, walk->module->names[id]), "list.append") ==
            0)
      body->stores_walked = true;
    const bool works = is_work(walk, id);
    if ((works && has_operand(walk, id, is_whole)) || needs_arrays(walk, id) ||
        hands_listed_arrays(walk, id))
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

mst_body mst_walk_body(mst_walk *walk) {
  find_row_names(walk);
  mst_body body = {.only_shifts = true};
  const bool is_statement = mst_kind_of(walk->tree, walk->loop->node) == MST_K_FOR ||
                            mst_kind_of(walk->tree, walk->loop->node) == MST_K_WHILE;
  for (size_t i = 0; i < walk->accesses.length; i++) {
    const mst_access *access = &walk->accesses.data[i];
    if (access->is_list) continue;
    body.any_array = true;
    if (access->follow == MST_FOLLOW_NOT || access->follow == MST_FOLLOW_CHUNK) continue;
    if (access->follow == MST_FOLLOW_REST && !is_stepped_through(walk, access)) continue;
    body.shifts |= access->follow == MST_FOLLOW_SHIFT;
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
