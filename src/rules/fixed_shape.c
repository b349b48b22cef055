/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whether a shape stays the same from turn to turn. Names are followed to what is bound to them
 * within the turn; an array that is met again while it is being followed is taken to stay, so that
 * `q = q - flux` with `flux = zeros_like(q)` holds; a number that is made of itself does not. A
 * parameter stays if what callers give does. What cannot be followed does not stay.
 */
#include <string.h>

#include "rules/callers.h"
#include "rules/places.h"
#include "rules/turns.h"

#define MAX_OPEN 8
#define MAX_CALLS 4

typedef struct mst_shape_question {
  mst_turns turns;
  mst_symbol open[MAX_OPEN];     /* names that are being followed */
  unsigned open_parts[MAX_OPEN]; /* `parts` when they were met */
  unsigned open_count;
  unsigned parts; /* slices on the way: what is made of a part of itself gets shorter */
  unsigned depth; /* calls that may still be followed */
} mst_shape_question;

static bool stays(mst_shape_question *question, mst_node_id id);

static mst_place at(const mst_shape_question *question, mst_node_id id) {
  return mst_place_at(question->turns.place, id);
}

static bool children_stay(mst_shape_question *question, mst_node_id id, bool arrays_only) {
  MST_EACH_CHILD(question->turns.place.module->tree, child, id) {
    if (arrays_only && !mst_is_array(mst_value_at(at(question, child)))) continue;
    if (!stays(question, child)) return false;
  }
  return true;
}

/* ---- names ------------------------------------------------------------------------------------- */

/* The part of an assigned value that goes to the target at this place of a tuple. */
static mst_node_id part_of_value(mst_place tuple, mst_node_id target, mst_node_id value) {
  const mst_tree *tree = tuple.module->tree;
  const mst_kind kind = mst_kind_of(tree, value);
  if (kind != MST_K_TUPLE && kind != MST_K_LIST) return value;
  if (mst_child_count(tree, value) != mst_child_count(tree, tuple.node)) return value;
  mst_node_id part = tree->nodes[value].first;
  MST_EACH_CHILD(tree, child, tuple.node) {
    if (child == target) return part;
    part = tree->nodes[part].next;
  }
  return value;
}

static bool arguments_stay(mst_shape_question *question, mst_place call, bool arrays_only);

/* a, b = f(x): what a function of ours hands back stays if the arrays that it is given do. */
static bool result_stays(mst_shape_question *question, mst_place value) {
  if (!mst_place_is(value, MST_K_CALL) || mst_called_function(value) == NULL ||
      mst_called_api(value) != NULL)
    return stays(question, value.node);
  return arguments_stay(question, value, true);
}

static bool store_stays(mst_shape_question *question, mst_node_id store) {
  const mst_tree *tree = question->turns.place.module->tree;
  mst_place parent = mst_place_parent(at(question, store));
  const mst_kind kind = mst_place_kind(parent);
  if (kind == MST_K_TUPLE || kind == MST_K_LIST) {
    const mst_place statement = mst_place_parent(parent);
    if (mst_place_kind(statement) != MST_K_ASSIGN) return false;
    const mst_node_id value = mst_last_child(tree, statement.node);
    const mst_node_id part = part_of_value(parent, store, value);
    return mst_is_array(mst_value_at(at(question, store)))
               ? result_stays(question, at(question, part))
               : stays(question, part);
  }
  switch (kind) {
  case MST_K_ASSIGN:
  case MST_K_ANN_ASSIGN:
  case MST_K_WALRUS: {
    const mst_node_id value = mst_last_child(tree, parent.node);
    return !mst_is_stacking(at(question, value)) && stays(question, value);
  }
  case MST_K_AUG_ASSIGN: return mst_is_array(mst_value_at(at(question, store)));
  case MST_K_FOR:
  case MST_K_COMP_FOR: return mst_is_array(mst_value_at(mst_place_child(parent, 1))); /* its rows */
  default: return false;
  }
}

static bool argument_stays(mst_place argument, unsigned depth) {
  mst_shape_question question = {.depth = depth};
  return mst_turns_find(&question.turns, argument) && stays(&question, argument.node);
}

static bool name_stays(mst_shape_question *question, mst_node_id id) {
  const mst_node *node = mst_node_at(question->turns.place.module->tree, id);
  for (unsigned i = 0; i < question->open_count; i++)
    if (question->open[i] == node->name)
      return mst_is_array(mst_value_at(at(question, id))) &&
             question->open_parts[i] == question->parts;
  if (question->open_count == MAX_OPEN) return false;
  question->open_parts[question->open_count] = question->parts;
  question->open[question->open_count++] = node->name;
  bool all = true;
  for (mst_node_id store = 0; all && mst_next_store(&question->turns, node->name, &store);)
    all = store_stays(question, store);
  question->open_count--;
  if (!all || question->turns.is_spent) return false;
  return question->turns.loop != NULL || node->kind != MST_K_NAME ||
         mst_callers_agree(at(question, id), question->depth, argument_stays);
}

/* ---- expressions -------------------------------------------------------------------------------- */

/* The arguments that the shape of a fresh array is made of; false: all of them. */
static bool shape_argument(mst_place call, const mst_api *api, mst_node_id *out) {
  switch (api->effect) {
  case MST_E_SHAPED:
    *out = mst_argument(call, 0, "shape");
    return strcmp(api->name, "numpy.fromfunction") != 0;
  case MST_E_LIKE: *out = mst_subject(call); return mst_argument(call, -1, "shape") == 0;
  case MST_E_DRAW: {
    const unsigned count = mst_positional_count(call);
    *out = mst_argument(call, -1, "size");
    if (*out == 0 && count > 0) *out = mst_argument(call, (int)count - 1, NULL);
    return true;
  }
  default: return false;
  }
}

static bool arguments_stay(mst_shape_question *question, mst_place call, bool arrays_only) {
  const mst_tree *tree = call.module->tree;
  const mst_node_id receiver = mst_is_called_under(call, "ndarray.") ? mst_receiver(call) : 0;
  if (receiver != 0 && !stays(question, receiver)) return false;
  for (mst_node_id child = tree->nodes[mst_place_node(call)->first].next; child != 0;
       child = tree->nodes[child].next) {
    const bool is_keyword = mst_kind_of(tree, child) == MST_K_KEYWORD;
    const mst_node_id value = is_keyword ? tree->nodes[child].first : child;
    if (arrays_only && !mst_is_array(mst_value_at(mst_place_at(call, value)))) continue;
    if (!stays(question, value)) return false;
  }
  return true;
}

/* errs.append(e), del errs[0]: the turn makes the list longer or shorter. */
static bool is_resized(mst_shape_question *question, mst_node_id list) {
  static const char *const methods[] = {"append", "extend", "insert", "pop",
                                        "remove", "clear",  NULL};
  const mst_tree *tree = question->turns.place.module->tree;
  const mst_symbol name = mst_node_at(tree, list)->name;
  for (mst_node_id use = 0; mst_next_read(&question->turns, name, &use);) {
    const mst_place around = mst_place_parent(at(question, use));
    if (mst_place_is(around, MST_K_SUBSCRIPT) && (mst_place_node(around)->flags & MST_F_DEL) != 0)
      return true;
    if (mst_place_is(around, MST_K_ATTRIBUTE) && mst_one_of(mst_place_name(around), methods))
      return true;
  }
  return false;
}

static bool length_stays(mst_shape_question *question, mst_place call) {
  const mst_node_id argument = mst_argument(call, 0, NULL);
  if (argument == 0) return false;
  const mst_value *value = mst_value_at(at(question, argument));
  if (mst_is_array(value)) return stays(question, argument);
  if (value->kind == MST_V_INSTANCE) return true; /* __len__ of an object */
  const mst_loop *loop = question->turns.loop;
  return loop != NULL && !is_resized(question, argument) &&
         mst_is_invariant(at(question, argument), loop);
}

static bool depends_on_data(const mst_api *api) {
  return api->effect == MST_E_INDICES || api->effect == MST_E_INDEX ||
         api->effect == MST_E_VECTOR || api->effect == MST_E_LOADED;
}

static bool number_call_stays(mst_shape_question *question, mst_place call) {
  static const char *const length[] = {"builtins.len", NULL};
  static const char *const plain[] = {"builtins.int", "builtins.float", "builtins.min",
                                      "builtins.max", "builtins.abs",   "builtins.round",
                                      "builtins.sum", "builtins.tuple", "numpy.shape",
                                      "numpy.size",   "numpy.ndim",     NULL};
  if (mst_one_of(mst_called_name(call), length)) return length_stays(question, call);
  return (mst_one_of(mst_called_name(call), plain) || mst_is_called_under(call, "math.")) &&
         arguments_stay(question, call, false);
}

static bool call_stays(mst_shape_question *question, mst_place call) {
  if (!mst_is_array(mst_value_at(call))) return number_call_stays(question, call);
  const mst_api *api = mst_called_api(call);
  if (api == NULL) return mst_called_function(call) != NULL && arguments_stay(question, call, true);
  if (depends_on_data(api)) return false;
  mst_node_id argument = 0;
  if (shape_argument(call, api, &argument)) return argument != 0 && stays(question, argument);
  const bool fresh = (api->traits & (MST_T_CREATES | MST_T_RANDOM)) != 0;
  const bool shaped = api->effect == MST_E_RESHAPED || api->effect == MST_E_ARRAY;
  return arguments_stay(question, call, !fresh && !shaped);
}

/* q[1:], not q[:] */
static bool takes_part(const mst_tree *tree, mst_node_id subscript) {
  const mst_node_id end = mst_subtree_end(tree, subscript);
  for (mst_node_id id = subscript; id < end; id++) {
    if (mst_kind_of(tree, id) != MST_K_SLICE) continue;
    if (mst_kind_of(tree, mst_child(tree, id, 0)) != MST_K_EMPTY ||
        mst_kind_of(tree, mst_child(tree, id, 1)) != MST_K_EMPTY)
      return true;
  }
  return false;
}

static bool index_stays(mst_shape_question *question, mst_node_id index, bool of_array) {
  const mst_value *value = mst_value_at(at(question, index));
  if (mst_is_array(value) && (value->dtype == MST_D_BOOL || (value->flags & MST_VF_INDEX) != 0))
    return false;
  if (of_array && (value->kind == MST_V_NUMBER || value->kind == MST_V_DEFERRED)) return true;
  if (!mst_place_is(at(question, index), MST_K_TUPLE)) return stays(question, index);
  MST_EACH_CHILD(question->turns.place.module->tree, child, index) {
    if (!index_stays(question, child, of_array)) return false;
  }
  return true;
}

/* a[i] of an array is of the same shape whatever i, a[i:j] is not, a[mask] never. */
static bool subscript_stays(mst_shape_question *question, mst_node_id id) {
  const mst_tree *tree = question->turns.place.module->tree;
  const mst_node_id object = tree->nodes[id].first;
  const bool of_array = mst_is_array(mst_value_at(at(question, object)));
  const unsigned parts = takes_part(tree, id) ? 1 : 0;
  question->parts += parts;
  const bool object_stays = stays(question, object);
  question->parts -= parts;
  if (!object_stays) return false;
  for (mst_node_id index = tree->nodes[object].next; index != 0; index = tree->nodes[index].next)
    if (!index_stays(question, index, of_array)) return false;
  return true;
}

static bool attribute_stays(mst_shape_question *question, mst_node_id id) {
  return name_stays(question, id) &&
         stays(question, mst_node_at(question->turns.place.module->tree, id)->first);
}

static bool is_constant(mst_kind kind) {
  return kind == MST_K_NUMBER || kind == MST_K_STRING || kind == MST_K_TRUE ||
         kind == MST_K_FALSE || kind == MST_K_NULL || kind == MST_K_ELLIPSIS;
}

static bool stays(mst_shape_question *question, mst_node_id id) {
  const mst_place place = at(question, id);
  const mst_value *value = mst_value_at(place);
  if (value->kind == MST_V_DEFERRED) return false;
  if (is_constant(mst_place_kind(place))) return true;
  switch (mst_place_kind(place)) {
  case MST_K_NAME: return name_stays(question, id);
  case MST_K_ATTRIBUTE: return attribute_stays(question, id);
  case MST_K_SUBSCRIPT: return subscript_stays(question, id);
  case MST_K_CALL: return call_stays(question, place);
  case MST_K_BINARY:
  case MST_K_UNARY:
  case MST_K_COMPARE: return children_stay(question, id, mst_is_array(value));
  case MST_K_TUPLE:
  case MST_K_LIST:
  case MST_K_STAR:
  case MST_K_SLICE:
  case MST_K_EMPTY:
  case MST_K_CONDITIONAL: return children_stay(question, id, false);
  default: return false;
  }
}

bool mst_has_fixed_shape(mst_place expression) {
  mst_shape_question question = {.depth = MAX_CALLS};
  return mst_turns_find(&question.turns, expression) && stays(&question, expression.node);
}
