/* SPDX-License-Identifier: Apache-2.0 */
#include "rules/common.h"

#include <string.h>
#include <strings.h>

#define SMALL_AXIS 16

/* ---- values -------------------------------------------------------------------------------------- */

bool mst_is_sure_array(const mst_value *value) {
  return mst_is_target_array(value) && value->confidence >= MST_LIKELY;
}

bool mst_is_waited_for(const mst_value *value) {
  return mst_is_deferred(value) ||
         (mst_is_target_array(value) && (value->flags & MST_VF_MAYBE_ELEMENT) != 0);
}

/* The expression of an argument: what stands behind `name=` or `*`. */
static mst_node_id argument_value(const mst_tree *tree, mst_node_id argument) {
  switch (mst_kind_of(tree, argument)) {
  case MST_K_KEYWORD:
  case MST_K_STAR: return mst_node_at(tree, argument)->first;
  case MST_K_DOUBLE_STAR: return 0;
  default: return argument;
  }
}

static bool is_array_at(mst_place place, mst_node_id node) {
  return node != 0 && mst_is_target_array(mst_value_at(mst_place_at(place, node)));
}

mst_node_id mst_array_operand(mst_place call) {
  const mst_tree *tree = call.module->tree;
  const mst_node_id receiver = mst_receiver(call);
  if (is_array_at(call, receiver)) return receiver;
  const mst_node_id function = mst_node_at(tree, call.node)->first;
  for (mst_node_id arg = mst_node_at(tree, function)->next; arg != 0;
       arg = mst_node_at(tree, arg)->next) {
    const mst_node_id value = argument_value(tree, arg);
    if (is_array_at(call, value)) return value;
  }
  return 0;
}

/* ---- texts ---------------------------------------------------------------------------------------- */

/* Name of the method or attribute that a CALL calls: x.name(); "" for other calls. */
static const char *method_name(mst_place call) {
  const mst_tree *tree = call.module->tree;
  const mst_node *function = mst_node_at(tree, mst_node_at(tree, call.node)->first);
  return function->kind == MST_K_ATTRIBUTE ? mst_symbol_text(&call.program->symbols, function->name)
                                           : "";
}

static bool is_logger(mst_place object) {
  char text[MST_PATH_BYTES];
  const char *path = object.node != 0 ? mst_path_of(object, text) : NULL;
  if (path == NULL) return false;
  const char *dot = strrchr(path, '.');
  const char *name = dot != NULL ? dot + 1 : path;
  while (*name == '_')
    name++;
  return strcasecmp(name, "log") == 0 || strcasecmp(name, "logger") == 0 ||
         strcasecmp(name, "logging") == 0;
}

static bool is_formatting_call(mst_place call) {
  static const char *const levels[] = {"debug", "info",     "warning",   "warn", "error",
                                       "log",   "critical", "exception", NULL};
  static const char *const printers[] = {"builtins.print", "builtins.format", NULL};
  const char *name = mst_called_name(call);
  if (mst_one_of(name, printers) || (name != NULL && mst_starts_with(name, "logging.")))
    return true;
  const char *method = method_name(call);
  if (strcmp(method, "format") == 0) return true;
  const mst_tree *tree = call.module->tree;
  const mst_node_id function = mst_node_at(tree, call.node)->first;
  return mst_one_of(method, levels) &&
         is_logger(mst_place_at(call, mst_node_at(tree, function)->first));
}

bool mst_is_formatted(mst_place place) {
  const mst_tree *tree = place.module->tree;
  mst_node_id id = mst_node_at(tree, place.node)->parent;
  for (; id != 0; id = mst_node_at(tree, id)->parent) {
    const mst_node *node = mst_node_at(tree, id);
    switch (node->kind) {
    case MST_K_FSTRING:
    case MST_K_PRINT: return true;
    case MST_K_LAMBDA: return false;
    case MST_K_BINARY:
      if (node->op == MST_OP_MOD && mst_kind_of(tree, node->first) == MST_K_STRING) return true;
      break;
    case MST_K_CALL:
      if (is_formatting_call(mst_place_at(place, id))) return true;
      break;
    default:
      if (mst_is_statement((mst_kind)node->kind)) return false;
    }
  }
  return false;
}

/* ---- tests ---------------------------------------------------------------------------------------- */

/* A number that such a call makes of its argument is still the argument's for a test. */
static bool is_conversion(mst_place call) {
  static const char *const conversions[] = {"builtins.float",
                                            "builtins.int",
                                            "builtins.bool",
                                            "builtins.complex",
                                            "builtins.round",
                                            "builtins.abs",
                                            "builtins.max",
                                            "builtins.min",
                                            "builtins.pow",
                                            "ndarray.item",
                                            NULL};
  const char *name = mst_called_name(call);
  if (name == NULL) return false;
  if (mst_one_of(name, conversions) || mst_starts_with(name, "math.")) return true;
  const mst_api *api = mst_called_api(call);
  return api != NULL && (api->traits & (MST_T_ELEMENTWISE | MST_T_UFUNC)) != 0;
}

/* True when a test that waits for a child of the node waits for it through the node. */
static bool is_transparent(mst_place place) {
  const mst_node *node = mst_node_at(place.module->tree, place.node);
  switch (node->kind) {
  case MST_K_BOOLEAN:
  case MST_K_NOT:
  case MST_K_BINARY:
  case MST_K_UNARY:
  case MST_K_KEYWORD:
  case MST_K_WALRUS: return true;
  case MST_K_COMPARE: return node->op >= MST_OP_LT && node->op <= MST_OP_GE;
  case MST_K_CALL: return is_conversion(place);
  default: return false;
  }
}

/* Operands of and/or/not and comparisons are looked at before the whole, to name the one. */
static bool is_truth_operator(mst_kind kind) {
  return kind == MST_K_BOOLEAN || kind == MST_K_NOT || kind == MST_K_COMPARE;
}

static mst_confidence confidence_at(mst_place place, mst_node_id id) {
  return (mst_confidence)mst_value_at(mst_place_at(place, id))->confidence;
}

/* What is surest to be waited for, of several the first. */
static mst_node_id waited_child(mst_place place) {
  const mst_tree *tree = place.module->tree;
  if (mst_kind_of(tree, place.node) == MST_K_CALL) {
    const mst_node_id receiver = mst_receiver(place);
    const mst_node_id found = receiver != 0 ? mst_waited_in_test(mst_place_at(place, receiver)) : 0;
    if (found != 0) return found;
  }
  mst_node_id best = 0;
  MST_EACH_CHILD(tree, child, place.node) {
    const mst_node_id found = mst_waited_in_test(mst_place_at(place, child));
    if (found == 0) continue;
    if (best == 0 || confidence_at(place, found) > confidence_at(place, best)) best = found;
  }
  return best;
}

mst_node_id mst_waited_in_test(mst_place test) {
  const mst_kind kind = mst_kind_of(test.module->tree, test.node);
  const bool is_waited = mst_is_waited_for(mst_value_at(test));
  const bool is_open = is_transparent(test);
  if (is_waited && !(is_open && is_truth_operator(kind))) return test.node;
  const mst_node_id found = is_open ? waited_child(test) : 0;
  if (found != 0) return found;
  /* NumPy tests no array but of one element: so it is one, of whatever rank. */
  const mst_value *value = mst_value_at(test);
  const bool is_tested = kind == MST_K_COMPARE && mst_is_target_array(value) && value->rank > 0 &&
                         value->confidence == MST_CERTAIN;
  return is_waited || is_tested ? test.node : 0;
}

bool mst_is_part_of_test(mst_place place) {
  const mst_tree *tree = place.module->tree;
  mst_node_id child = place.node;
  for (;;) {
    const mst_node_id parent = mst_node_at(tree, child)->parent;
    switch (mst_kind_of(tree, parent)) {
    case MST_K_IF:
    case MST_K_WHILE:
    case MST_K_ASSERT: return mst_child(tree, parent, 0) == child;
    case MST_K_CONDITIONAL: return mst_child(tree, parent, 1) == child;
    case MST_K_COMP_IF:
    case MST_K_NOT: return true;
    case MST_K_BOOLEAN:
      if (mst_child(tree, parent, 0) == child) return true;
      break;
    default:
      if (!is_transparent(mst_place_at(place, parent))) return false;
    }
    child = parent;
  }
}

/* ---- loops ---------------------------------------------------------------------------------------- */

bool mst_has_else(mst_place statement) {
  const mst_tree *tree = statement.module->tree;
  const bool is_for = mst_kind_of(tree, statement.node) == MST_K_FOR;
  const mst_node_id block = mst_child(tree, statement.node, is_for ? 3 : 2);
  return block != 0 && mst_kind_of(tree, block) == MST_K_BLOCK;
}

bool mst_is_reported_loop(const mst_loop *loop) {
  switch (loop->status) {
  case MST_LOOP_ELEMENTS:
  case MST_LOOP_ROWS:
  case MST_LOOP_SWEEP:
  case MST_LOOP_SCAN:
  case MST_LOOP_ITERATES: return true;
  default: return false;
  }
}

static bool is_small(mst_place place, mst_node_id array) {
  const int64_t extent =
      mst_extent(&place.program->values, mst_value_at(mst_place_at(place, array)), 0);
  return extent >= 0 && extent <= SMALL_AXIS;
}

/* a.shape, or numbers that come from it. */
static mst_node_id shape_of_array(mst_place argument) {
  const mst_tree *tree = argument.module->tree;
  const mst_node *node = mst_node_at(tree, argument.node);
  if (node->kind == MST_K_ATTRIBUTE && node->name == MST_SYM_shape)
    return is_array_at(argument, node->first) ? node->first : 0;
  const mst_value *value = mst_value_at(argument);
  mst_value number = *value;
  if (mst_is_container(value)) number = mst_value_any_item(&argument.program->values, value);
  return number.kind == MST_V_NUMBER && (number.flags & MST_VF_ITEM_SIZE) != 0 ? argument.node : 0;
}

static mst_node_id iterated_operand(mst_place call, int first) {
  for (int i = first; i < (int)mst_positional_count(call); i++) {
    const mst_node_id argument = mst_argument(call, i, NULL);
    if (is_array_at(call, argument) && !is_small(call, argument)) return argument;
  }
  return 0;
}

/* np.nditer takes an array, or several in a list or tuple. */
static mst_node_id operand_of_nditer(mst_place call) {
  const mst_tree *tree = call.module->tree;
  const mst_node_id argument = mst_argument(call, 0, "op");
  if (argument == 0 || is_array_at(call, argument)) return argument;
  const mst_kind kind = mst_kind_of(tree, argument);
  if (kind != MST_K_LIST && kind != MST_K_TUPLE) return 0;
  MST_EACH_CHILD(tree, child, argument) {
    if (is_array_at(call, child)) return child;
  }
  return 0;
}

static mst_node_id operand_of_ndindex(mst_place call) {
  const mst_tree *tree = call.module->tree;
  const mst_node_id function = mst_node_at(tree, call.node)->first;
  for (mst_node_id arg = mst_node_at(tree, function)->next; arg != 0;
       arg = mst_node_at(tree, arg)->next) {
    const mst_node_id value = argument_value(tree, arg);
    const mst_node_id found = value != 0 ? shape_of_array(mst_place_at(call, value)) : 0;
    if (found != 0) return found;
  }
  return 0;
}

bool mst_is_iterating_call(mst_place call, mst_node_id *array) {
  const char *name = mst_called_name(call);
  *array = 0;
  if (name == NULL) return false;
  if (strcmp(name, "builtins.map") == 0 || strcmp(name, "builtins.filter") == 0)
    *array = iterated_operand(call, 1);
  else if (strcmp(name, "numpy.ndenumerate") == 0)
    *array = iterated_operand(call, 0);
  else if (strcmp(name, "numpy.nditer") == 0)
    *array = operand_of_nditer(call);
  else if (strcmp(name, "numpy.ndindex") == 0)
    *array = operand_of_ndindex(call);
  return *array != 0;
}
