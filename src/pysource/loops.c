/* SPDX-License-Identifier: Apache-2.0 */
/* Loops: what they count with, and what stands in them. */
#include "pysource/guards.h"
#include "pysource/interp.h"
#include "pysource/trips.h"

#define SMALL_TRIPS 16

const char *mst_loop_status_name(mst_loop_status status) {
  static const char *const names[] = {"plain",
                                      "vectorised body",
                                      "element loop",
                                      "row loop",
                                      "sweep",
                                      "scan",
                                      "iterates an array",
                                      "recurrence",
                                      "time loop",
                                      "small",
                                      "part of the loop around it"};
  return names[status];
}

typedef struct mst_finder {
  mst_program *program;
  uint32_t module_index;
  mst_module *module;
  const mst_tree *tree;
} mst_finder;

static const mst_value *value_at(const mst_finder *finder, mst_node_id node) {
  return &finder->module->values[node];
}

/* ---- counters ------------------------------------------------------------------------------------------ */

#define MOST_COUNTERS 256 /* of one loop */

typedef struct mst_name_list {
  mst_symbol *data;
  size_t length, capacity;
} mst_name_list;

static void add_name(const mst_finder *finder, mst_name_list *list, mst_symbol name) {
  if (list->length == MOST_COUNTERS) return;
  for (size_t i = 0; i < list->length; i++)
    if (list->data[i] == name) return;
  mst_arena_push(finder->program->arena, list, name);
}

static void add_targets(const mst_finder *finder, mst_name_list *list, mst_node_id target) {
  if (mst_kind_of(finder->tree, target) == MST_K_NAME) {
    const mst_value_kind kind = (mst_value_kind)value_at(finder, target)->kind;
    if (kind == MST_V_NUMBER || kind == MST_V_UNKNOWN || kind == MST_V_BOTTOM)
      add_name(finder, list, finder->tree->nodes[target].name);
    return;
  }
  MST_EACH_CHILD(finder->tree, child, target) add_targets(finder, list, child);
}

/* `i += 1`, `i = i + 1`, `k -= 2` in the body: counted by hand. */
static void add_manual(const mst_finder *finder, mst_name_list *list, mst_node_id body) {
  const mst_node_id end = mst_subtree_end(finder->tree, body);
  for (mst_node_id id = body; id < end; id++) {
    const mst_node *node = &finder->tree->nodes[id];
    if (node->kind == MST_K_FUNCTION || node->kind == MST_K_LAMBDA) {
      id = mst_subtree_end(finder->tree, id) - 1;
      continue;
    }
    mst_node_id target = 0, step = 0;
    mst_op op = MST_OP_NONE;
    if (node->kind == MST_K_AUG_ASSIGN) {
      target = node->first;
      step = finder->tree->nodes[target].next;
      op = (mst_op)node->op;
    } else if (node->kind == MST_K_ASSIGN && mst_child_count(finder->tree, id) == 2) {
      target = node->first;
      const mst_node_id value = finder->tree->nodes[target].next;
      if (mst_kind_of(finder->tree, value) == MST_K_BINARY) {
        const mst_node *left = &finder->tree->nodes[finder->tree->nodes[value].first];
        if (left->kind == MST_K_NAME && left->name == finder->tree->nodes[target].name) {
          step = left->next;
          op = (mst_op)finder->tree->nodes[value].op;
        }
      }
    }
    if (step == 0 || (op != MST_OP_ADD && op != MST_OP_SUB)) continue;
    if (mst_kind_of(finder->tree, target) != MST_K_NAME) continue;
    const mst_value *by = value_at(finder, step);
    if (by->kind == MST_V_NUMBER && !mst_mentions(finder->tree, step, list->data, list->length))
      add_name(finder, list, finder->tree->nodes[target].name);
  }
}

/* ---- finding them ---------------------------------------------------------------------------------------- */

static bool is_comprehension(mst_kind kind) {
  return kind == MST_K_LIST_COMP || kind == MST_K_SET_COMP || kind == MST_K_DICT_COMP ||
         kind == MST_K_GENERATOR;
}

static void complete(const mst_finder *finder, mst_loop *loop) {
  mst_name_list counters = {0};
  if (loop->iterable != 0) {
    mst_count_trips(finder->program, finder->module, loop);
    if (is_comprehension(mst_kind_of(finder->tree, loop->node))) {
      MST_EACH_CHILD(finder->tree, child, loop->node) {
        if (mst_kind_of(finder->tree, child) != MST_K_COMP_FOR) continue;
        const mst_node_id iterable = mst_child(finder->tree, child, 1);
        add_targets(finder, &counters, mst_child(finder->tree, child, 0));
        if (iterable != loop->iterable)
          mst_count_within(finder->program, finder->module, loop, iterable);
      }
    } else {
      add_targets(finder, &counters, mst_child(finder->tree, loop->node, 0));
      add_manual(finder, &counters, loop->body);
    }
  } else {
    loop->is_hot = true;
    add_manual(finder, &counters, loop->body);
    const mst_node_id test = mst_child(finder->tree, loop->node, 0);
    if (mst_kind_of(finder->tree, test) == MST_K_COMPARE) MST_EACH_CHILD(finder->tree, child, test)
    loop->bound_from_axis |= mst_is_item_size(value_at(finder, child));
  }
  loop->is_small = loop->trips >= 0 && loop->trips <= SMALL_TRIPS;
  const mst_place place = {finder->program, finder->module, loop->node};
  loop->only_draws = mst_only_draws(place, loop->body);
  if (loop->is_small || loop->only_draws) loop->is_hot = loop->is_unknown = false;
  loop->counters = counters.data;
  loop->counter_count = (uint32_t)counters.length;
}

static uint32_t add_loop(const mst_finder *finder, mst_node_id node, mst_node_id body,
                         mst_node_id iterable, uint32_t outer) {
  mst_loop loop = {.module = finder->module_index,
                   .function = finder->module->function_of[node],
                   .node = node,
                   .body = body,
                   .iterable = iterable,
                   .outer = outer,
                   .trips = -1};
  mst_arena_push(finder->program->arena, &finder->program->loops, loop);
  return (uint32_t)finder->program->loops.length;
}

static void visit(const mst_finder *finder, mst_node_id id, uint32_t loop);

static void visit_rest(const mst_finder *finder, mst_node_id id, uint32_t loop) {
  MST_EACH_CHILD(finder->tree, child, id) visit(finder, child, loop);
}

static void visit_comprehension(const mst_finder *finder, mst_node_id id, uint32_t loop) {
  const mst_node_id element = finder->tree->nodes[id].first;
  const mst_node_id first = finder->tree->nodes[element].next;
  const mst_node_id iterable = mst_child(finder->tree, first, 1);
  const uint32_t own = add_loop(finder, id, element, iterable, loop);
  visit(finder, element, own);
  for (mst_node_id child = first; child != 0; child = finder->tree->nodes[child].next) {
    finder->module->loop_of[child] = own;
    MST_EACH_CHILD(finder->tree, part, child) visit(finder, part, part == iterable ? loop : own);
  }
}

static void visit(const mst_finder *finder, mst_node_id id, uint32_t loop) {
  const mst_kind kind = mst_kind_of(finder->tree, id);
  finder->module->loop_of[id] = loop;
  if (mst_leaves_turn(finder->tree, id)) {
    mst_node_id *first = &finder->module->leaving[finder->tree->nodes[id].parent];
    if (*first == 0) *first = id;
  }
  if (kind == MST_K_FOR) {
    const mst_node_id target = mst_child(finder->tree, id, 0);
    const mst_node_id iterable = mst_child(finder->tree, id, 1);
    const mst_node_id body = mst_child(finder->tree, id, 2);
    const uint32_t own = add_loop(finder, id, body, iterable, loop);
    visit(finder, target, own);
    visit(finder, iterable, loop);
    visit(finder, body, own);
    if (finder->tree->nodes[body].next != 0) visit(finder, finder->tree->nodes[body].next, loop);
  } else if (kind == MST_K_WHILE) {
    const mst_node_id test = mst_child(finder->tree, id, 0);
    const mst_node_id body = mst_child(finder->tree, id, 1);
    const uint32_t own = add_loop(finder, id, body, 0, loop);
    visit(finder, test, own);
    visit(finder, body, own);
    if (finder->tree->nodes[body].next != 0) visit(finder, finder->tree->nodes[body].next, loop);
  } else if (is_comprehension(kind)) {
    visit_comprehension(finder, id, loop);
  } else if (kind == MST_K_FUNCTION || kind == MST_K_LAMBDA) {
    /* A body runs when it is called, not where it is defined. */
    const mst_node_id body = mst_child(finder->tree, id, kind == MST_K_LAMBDA ? 1 : 2);
    MST_EACH_CHILD(finder->tree, child, id) visit(finder, child, child == body ? 0 : loop);
  } else {
    visit_rest(finder, id, loop);
  }
}

void mst_find_loops(mst_program *program) {
  for (uint32_t i = 0; i < program->module_count; i++) {
    mst_finder finder = {.program = program,
                         .module_index = i,
                         .module = &program->modules[i],
                         .tree = program->modules[i].tree};
    const size_t first = program->loops.length;
    visit_rest(&finder, 1, 0);
    for (size_t k = first; k < program->loops.length; k++)
      complete(&finder, &program->loops.data[k]);
  }
  for (size_t i = 0; i < program->loops.length; i++)
    mst_count_yields(program, &program->loops.data[i]);
}
