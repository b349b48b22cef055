/* SPDX-License-Identifier: Apache-2.0 */
#include "pysource/guards.h"

#include <string.h>

#include "pysource/interp.h"

#define MOST_NODES 4096 /* before a test, that are searched for what its names are */

/* What a test says about how often: true every so often, false every so often, or nothing. */
typedef enum mst_turns { MST_TURNS_ANY, MST_TURNS_RARE, MST_TURNS_OFTEN } mst_turns;

typedef struct mst_guard {
  const mst_program *program;
  const mst_module *module;
  const mst_tree *tree;
  const mst_loop *loop;
  int depth;
} mst_guard;

static const char *text_of(const mst_guard *guard, mst_symbol symbol) {
  return mst_symbol_text(&guard->program->symbols, symbol);
}

/* verbose, self.debug, args.verbose */
static bool is_flag(const mst_guard *guard, mst_node_id node) {
  const mst_node *at = &guard->tree->nodes[node];
  if (at->kind != MST_K_NAME && at->kind != MST_K_ATTRIBUTE) return false;
  const char *name = text_of(guard, at->name);
  return strstr(name, "verbose") != NULL || strstr(name, "debug") != NULL ||
         strstr(name, "VERBOSE") != NULL || strstr(name, "DEBUG") != NULL;
}

/* Whether a name counts turns: of a loop around the place, or of the caller's, handed in. */
static bool is_counter_name(const mst_guard *guard, mst_node_id node) {
  const mst_node *at = &guard->tree->nodes[node];
  if (at->kind == MST_K_ATTRIBUTE) return guard->module->values[node].kind == MST_V_NUMBER;
  if (at->kind != MST_K_NAME) return false;
  for (const mst_loop *loop = guard->loop; loop != NULL;
       loop = mst_loop_outside(guard->program, loop))
    for (uint32_t i = 0; i < loop->counter_count; i++)
      if (loop->counters[i] == at->name) return true;
  const mst_function *function = &guard->program->functions.data[guard->module->function_of[node]];
  for (uint32_t i = 0; i < function->parameter_count; i++)
    if (function->parameters[i].name == at->name) return guard->loop == NULL;
  return false;
}

/* `kind == "linear"`, `mode in ("a", "b")`: which one, and not how often. */
static bool is_text(const mst_guard *guard, mst_node_id node) {
  const mst_value *value = &guard->module->values[node];
  if (!mst_is_container(value)) return value->kind == MST_V_STRING;
  return mst_value_any_item(&guard->program->values, value).kind == MST_V_STRING;
}

/* step, step + 1, step - start */
static bool is_counter(const mst_guard *guard, mst_node_id node) {
  if (mst_kind_of(guard->tree, node) == MST_K_BINARY) {
    const mst_op op = (mst_op)guard->tree->nodes[node].op;
    const mst_node_id left = guard->tree->nodes[node].first;
    if (op != MST_OP_ADD && op != MST_OP_SUB) return false;
    return is_counter(guard, left) || is_counter(guard, guard->tree->nodes[left].next);
  }
  return is_counter_name(guard, node);
}

static bool is_one(const mst_guard *guard, mst_node_id node) {
  const mst_value *value = &guard->module->values[node];
  return mst_knows_number(value) && value->number == 1 && (value->flags & MST_VF_FROM_DEFAULT) == 0;
}

/* step % N, N not known to be 1 */
static bool is_remainder(const mst_guard *guard, mst_node_id node) {
  if (mst_kind_of(guard->tree, node) != MST_K_BINARY || guard->tree->nodes[node].op != MST_OP_MOD)
    return false;
  const mst_node_id left = guard->tree->nodes[node].first;
  return is_counter(guard, left) && !is_one(guard, guard->tree->nodes[left].next);
}

bool mst_leaves_turn(const mst_tree *tree, mst_node_id statement) {
  if (mst_kind_of(tree, statement) != MST_K_IF) return false;
  const mst_node_id last = mst_last_child(tree, mst_child(tree, statement, 1));
  const mst_kind kind = mst_kind_of(tree, last);
  return kind == MST_K_CONTINUE || kind == MST_K_RETURN;
}

static mst_turns turns_of(mst_guard *guard, mst_node_id test);

/* The value that a name was last given before: searched in the loop's body. */
static mst_node_id definition(const mst_guard *guard, mst_node_id name, bool *second_of_divmod) {
  const mst_tree *tree = guard->tree;
  const mst_symbol symbol = tree->nodes[name].name;
  const mst_node_id begin =
      guard->loop != NULL ? guard->loop->body
                          : guard->program->functions.data[guard->module->function_of[name]].node;
  *second_of_divmod = false;
  for (mst_node_id id = name; id-- > begin && name - id < MOST_NODES;) {
    if (mst_kind_of(tree, id) != MST_K_ASSIGN) continue;
    const mst_node_id target = tree->nodes[id].first;
    const mst_node_id value = mst_last_child(tree, id);
    if (mst_kind_of(tree, target) == MST_K_NAME && tree->nodes[target].name == symbol) return value;
    if (mst_kind_of(tree, target) != MST_K_TUPLE || mst_kind_of(tree, value) != MST_K_CALL)
      continue;
    const mst_node_id second = mst_child(tree, target, 1);
    if (second == 0 || mst_kind_of(tree, second) != MST_K_NAME ||
        tree->nodes[second].name != symbol)
      continue;
    *second_of_divmod = true;
    return value;
  }
  return 0;
}

/* A remainder, directly or by a name that holds one. */
static bool is_remainder_value(mst_guard *guard, mst_node_id node) {
  if (is_remainder(guard, node)) return true;
  if (mst_kind_of(guard->tree, node) != MST_K_NAME) return false;
  bool second;
  const mst_node_id value = definition(guard, node, &second);
  if (value == 0) return false;
  if (!second) return is_remainder(guard, value);
  const mst_symbol name = guard->module->names[value];
  if (name == 0 || strcmp(text_of(guard, name), "builtins.divmod") != 0) return false;
  const mst_node_id by = mst_argument_node(guard->tree, &guard->program->symbols, value, 1, NULL);
  const mst_node_id of = mst_argument_node(guard->tree, &guard->program->symbols, value, 0, NULL);
  return of != 0 && by != 0 && is_counter(guard, of) && !is_one(guard, by);
}

static mst_turns turns_of_compare(mst_guard *guard, mst_node_id test) {
  const mst_op op = (mst_op)guard->tree->nodes[test].op;
  const mst_node_id left = guard->tree->nodes[test].first;
  const mst_node_id right = guard->tree->nodes[left].next;
  if (guard->tree->nodes[right].next != 0) return MST_TURNS_ANY;
  if (is_flag(guard, left)) return MST_TURNS_RARE;
  const bool remainder = is_remainder_value(guard, left) || is_remainder_value(guard, right);
  if (remainder && op == MST_OP_EQ) return MST_TURNS_RARE;
  if (remainder && (op == MST_OP_NE || op == MST_OP_GT)) return MST_TURNS_OFTEN;
  if (is_text(guard, left) || is_text(guard, right)) return MST_TURNS_ANY;
  const bool counter = is_counter(guard, left) || is_counter(guard, right);
  if (counter && op == MST_OP_EQ) return MST_TURNS_RARE;
  if (counter && op == MST_OP_NE) return MST_TURNS_OFTEN;
  if (counter && op == MST_OP_IN) return MST_TURNS_RARE; /* step in checkpoints */
  return MST_TURNS_ANY;
}

static mst_turns turns_of_boolean(mst_guard *guard, mst_node_id test) {
  const mst_node_id left = guard->tree->nodes[test].first;
  const mst_turns a = turns_of(guard, left);
  const mst_turns b = turns_of(guard, guard->tree->nodes[left].next);
  const bool is_and = guard->tree->nodes[test].op == MST_OP_AND;
  const mst_turns one = is_and ? MST_TURNS_RARE : MST_TURNS_OFTEN;
  const mst_turns both = is_and ? MST_TURNS_OFTEN : MST_TURNS_RARE;
  if (a == one || b == one) return one;
  return a == both && b == both ? both : MST_TURNS_ANY;
}

static mst_turns turns_of(mst_guard *guard, mst_node_id test) {
  if (guard->depth > 8) return MST_TURNS_ANY;
  guard->depth++;
  mst_turns turns = MST_TURNS_ANY;
  switch (mst_kind_of(guard->tree, test)) {
  case MST_K_NOT: {
    const mst_node_id inner = guard->tree->nodes[test].first;
    if (is_flag(guard, inner)) {
      turns = MST_TURNS_OFTEN;
      break;
    }
    turns = turns_of(guard, inner);
    if (turns != MST_TURNS_ANY) turns = turns == MST_TURNS_RARE ? MST_TURNS_OFTEN : MST_TURNS_RARE;
    break;
  }
  case MST_K_BOOLEAN: turns = turns_of_boolean(guard, test); break;
  case MST_K_COMPARE: turns = turns_of_compare(guard, test); break;
  case MST_K_BINARY:
    if (is_remainder(guard, test)) turns = MST_TURNS_OFTEN;
    break;
  case MST_K_NAME:
  case MST_K_ATTRIBUTE:
    if (is_flag(guard, test)) {
      turns = MST_TURNS_RARE;
    } else if (mst_kind_of(guard->tree, test) == MST_K_NAME) {
      bool second;
      const mst_node_id value = definition(guard, test, &second);
      if (second && is_remainder_value(guard, test))
        turns = MST_TURNS_OFTEN;
      else if (value != 0 && !second)
        turns = turns_of(guard, value);
    }
    break;
  default: break;
  }
  guard->depth--;
  return turns;
}

/* `if step % N: continue` before the statement, in the same block. */
static bool is_behind_exit(mst_guard *guard, mst_node_id block, mst_node_id statement) {
  for (mst_node_id child = guard->module->leaving[block]; child != 0 && child < statement;
       child = guard->tree->nodes[child].next)
    if (mst_leaves_turn(guard->tree, child) &&
        turns_of(guard, mst_child(guard->tree, child, 0)) == MST_TURNS_OFTEN)
      return true;
  return false;
}

static bool is_boundary(const mst_guard *guard, mst_node_id node, const mst_loop *loop) {
  if (loop != NULL) return node == loop->node;
  const mst_kind kind = mst_kind_of(guard->tree, node);
  return kind == MST_K_FUNCTION || kind == MST_K_MODULE || kind == MST_K_LAMBDA;
}

bool mst_is_guarded(const mst_program *program, const mst_module *module, mst_node_id node,
                    const mst_loop *loop) {
  mst_guard guard = {.program = program, .module = module, .tree = module->tree, .loop = loop};
  for (mst_node_id at = node; at != 0 && !is_boundary(&guard, at, loop);
       at = module->tree->nodes[at].parent) {
    const mst_node_id parent = module->tree->nodes[at].parent;
    const mst_kind kind = mst_kind_of(module->tree, parent);
    if (kind == MST_K_BLOCK && is_behind_exit(&guard, parent, at)) return true;
    if (kind == MST_K_CONDITIONAL && mst_child(module->tree, parent, 0) == at &&
        turns_of(&guard, mst_child(module->tree, parent, 1)) == MST_TURNS_RARE)
      return true;
    /* `step % N == 0 and err < tol`: the right side is not looked at in other turns. */
    if (kind == MST_K_BOOLEAN && module->tree->nodes[parent].op == MST_OP_AND &&
        mst_child(module->tree, parent, 1) == at &&
        turns_of(&guard, mst_child(module->tree, parent, 0)) == MST_TURNS_RARE)
      return true;
    if (kind != MST_K_IF) continue;
    const mst_turns turns = turns_of(&guard, mst_child(module->tree, parent, 0));
    if (turns == MST_TURNS_RARE && mst_child(module->tree, parent, 1) == at) return true;
    if (turns == MST_TURNS_RARE && mst_child(module->tree, parent, 0) == at &&
        mst_kind_of(module->tree, at) == MST_K_BOOLEAN)
      return true;
    if (turns == MST_TURNS_OFTEN && mst_child(module->tree, parent, 2) == at) return true;
  }
  return false;
}
