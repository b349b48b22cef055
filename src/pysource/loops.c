/* SPDX-License-Identifier: Apache-2.0 */
/* Loops: what they count with, how often they turn, and what stands in them. */
#include <string.h>

#include "pysource/guards.h"
#include "pysource/interp.h"

#define SMALL_TRIPS 16
#define MOST_AXES 6 /* of an array of the target */

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

static const char *called(const mst_finder *finder, mst_node_id node) {
  const mst_symbol name = finder->module->names[node];
  return name != 0 ? mst_symbol_text(&finder->program->symbols, name) : "";
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

/* ---- how often ----------------------------------------------------------------------------------------- */

static bool is_wrapper(const char *name) {
  return strcmp(name, "builtins.list") == 0 || strcmp(name, "builtins.reversed") == 0 ||
         strcmp(name, "builtins.tuple") == 0 || strcmp(name, "builtins.iter") == 0 ||
         strcmp(name, "builtins.sorted") == 0 || strstr(name, "tqdm") != NULL ||
         strstr(name, "progress") != NULL;
}

/* The iterable without what only wraps it. */
static mst_node_id unwrapped(const mst_finder *finder, mst_node_id node) {
  while (mst_kind_of(finder->tree, node) == MST_K_CALL && is_wrapper(called(finder, node)) &&
         strstr(called(finder, node), "trange") == NULL) {
    const mst_node_id argument =
        mst_argument_node(finder->tree, &finder->program->symbols, node, 0, NULL);
    if (argument == 0) break;
    node = argument;
  }
  return node;
}

static bool is_exact(const mst_value *value) {
  return mst_knows_number(value) && (value->flags & MST_VF_FROM_DEFAULT) == 0;
}

static bool mentions_axis(const mst_finder *finder, mst_node_id node) {
  return node != 0 && (value_at(finder, node)->flags & MST_VF_ITEM_SIZE) != 0 &&
         value_at(finder, node)->kind == MST_V_NUMBER;
}

mst_node_id mst_without_offset(const mst_module *module, mst_node_id node, double *offset) {
  const mst_node *binary = &module->tree->nodes[node];
  *offset = 0;
  if (binary->kind != MST_K_BINARY || (binary->op != MST_OP_ADD && binary->op != MST_OP_SUB))
    return node;
  const mst_value *by = &module->values[module->tree->nodes[binary->first].next];
  if (!mst_knows_number(by)) return node;
  *offset = binary->op == MST_OP_ADD ? by->number : -by->number;
  return binary->first;
}

/* range(n - 2, n): as many turns whatever n is. */
static bool same_but_offset(const mst_finder *finder, mst_node_id a, mst_node_id b, double *lo,
                            double *hi) {
  mst_place low = {.program = finder->program, .module = finder->module};
  mst_place high = low;
  low.node = mst_without_offset(finder->module, a, lo);
  high.node = mst_without_offset(finder->module, b, hi);
  return mst_same_expression(low, high);
}

/* Files, plots, configurations: not many, and each is work by itself. */
static bool is_settings(mst_value_kind item) {
  return item == MST_V_STRING || item == MST_V_INSTANCE || item == MST_V_DICT ||
         item == MST_V_FUNCTION || item == MST_V_CLASS;
}

/* len(names) of a list of such. */
static bool is_length_of_settings(const mst_finder *finder, mst_node_id bound) {
  if (mst_kind_of(finder->tree, bound) != MST_K_CALL ||
      strcmp(called(finder, bound), "builtins.len") != 0)
    return false;
  const mst_node_id of = mst_argument_node(finder->tree, &finder->program->symbols, bound, 0, NULL);
  if (of == 0 || !mst_is_container(value_at(finder, of))) return false;
  const mst_value any = mst_value_any_item(&finder->program->values, value_at(finder, of));
  return is_settings((mst_value_kind)any.kind);
}

/* x.ndim, len(x.shape), len(shape), or a few less. */
static bool is_axis_count(const mst_finder *finder, mst_node_id bound) {
  double offset;
  const mst_node_id node = mst_without_offset(finder->module, bound, &offset);
  const mst_node *at = &finder->tree->nodes[node];
  if (at->kind == MST_K_ATTRIBUTE)
    return at->name == MST_SYM_ndim && mst_is_array(value_at(finder, at->first));
  if (at->kind != MST_K_CALL || strcmp(called(finder, node), "builtins.len") != 0) return false;
  const mst_node_id of = mst_argument_node(finder->tree, &finder->program->symbols, node, 0, NULL);
  if (of == 0 || value_at(finder, of)->kind != MST_V_TUPLE) return false;
  const mst_value any = mst_value_any_item(&finder->program->values, value_at(finder, of));
  return any.kind == MST_V_NUMBER && (any.flags & MST_VF_ITEM_SIZE) != 0;
}

static void count_range(const mst_finder *finder, mst_loop *loop, mst_node_id call) {
  const mst_symbols *symbols = &finder->program->symbols;
  const mst_node_id a = mst_argument_node(finder->tree, symbols, call, 0, NULL);
  const mst_node_id b = mst_argument_node(finder->tree, symbols, call, 1, NULL);
  const mst_node_id c = mst_argument_node(finder->tree, symbols, call, 2, NULL);
  loop->bound_from_axis =
      mentions_axis(finder, b != 0 ? b : a) || (b != 0 && mentions_axis(finder, a));
  if (a == 0) return;
  loop->is_hot = !is_length_of_settings(finder, b != 0 ? b : a);
  if (is_axis_count(finder, b != 0 ? b : a)) loop->trips = MOST_AXES;
  double lo = 0, hi = 0, step = 1;
  const mst_value *x = value_at(finder, a);
  if (b == 0) {
    if (!is_exact(x)) return;
    hi = x->number;
  } else {
    const mst_value *y = value_at(finder, b);
    if (is_exact(x) && is_exact(y)) {
      lo = x->number;
      hi = y->number;
    } else if (!same_but_offset(finder, a, b, &lo, &hi)) {
      return;
    }
  }
  if (c != 0) {
    if (!is_exact(value_at(finder, c)) || value_at(finder, c)->number == 0) return;
    step = value_at(finder, c)->number;
  }
  const double trips = (hi - lo) / step;
  loop->trips = trips < 0 ? 0 : trips <= 1e15 ? (int64_t)(trips + 0.999999) : -1;
}

static void count_all(const mst_finder *finder, mst_loop *loop, mst_node_id iterable);

/* zip stops at the shortest; enumerate goes on to the end. */
static void count_zip(const mst_finder *finder, mst_loop *loop, mst_node_id call) {
  int64_t least = -1;
  bool hot = false, unknown = true;
  for (mst_node_id child = finder->tree->nodes[finder->tree->nodes[call].first].next; child != 0;
       child = finder->tree->nodes[child].next) {
    if (mst_kind_of(finder->tree, child) == MST_K_KEYWORD) continue;
    mst_loop one = {.trips = -1};
    count_all(finder, &one, child);
    if (one.trips >= 0 && (least < 0 || one.trips < least)) least = one.trips;
    hot |= one.is_hot;
    unknown &= one.is_unknown;
    loop->bound_from_axis |= one.bound_from_axis;
  }
  loop->trips = least;
  loop->is_hot = hot;
  loop->is_unknown = !hot && unknown;
}

/* For each turn of `loop` those over one more iterable. */
static void count_within(const mst_finder *finder, mst_loop *loop, mst_node_id iterable) {
  mst_loop one = {.trips = -1};
  count_all(finder, &one, iterable);
  int64_t *trips = &loop->trips;
  if (*trips < 0 || one.trips < 0 || __builtin_mul_overflow(*trips, one.trips, trips)) *trips = -1;
  loop->bound_from_axis |= one.bound_from_axis;
  loop->is_hot |= one.is_hot;
  loop->is_unknown |= one.is_unknown;
}

/* product: as many as all together. */
static void count_product(const mst_finder *finder, mst_loop *loop, mst_node_id call) {
  loop->trips = 1;
  for (mst_node_id child = finder->tree->nodes[finder->tree->nodes[call].first].next; child != 0;
       child = finder->tree->nodes[child].next)
    if (mst_kind_of(finder->tree, child) != MST_K_KEYWORD) count_within(finder, loop, child);
  const mst_node_id repeat =
      mst_argument_node(finder->tree, &finder->program->symbols, call, -1, "repeat");
  if (repeat != 0) loop->trips = -1;
}

/* combinations(items, r), with replacement, permutations: how many there are of `count` items; -1:
 * more than can be told apart. */
static int64_t selections(const char *name, int64_t count, int64_t taken) {
  const bool again = strcmp(name, "itertools.combinations_with_replacement") == 0;
  const bool in_order = strcmp(name, "itertools.permutations") == 0;
  int64_t ways = 1;
  for (int64_t i = 0; i < taken && ways > 0; i++) {
    if (__builtin_mul_overflow(ways, again ? count + i : count - i, &ways)) return -1;
    if (!in_order) ways /= i + 1; /* without rest: it is a binomial coefficient */
  }
  return ways;
}

static void count_selections(const mst_finder *finder, mst_loop *loop, mst_node_id call) {
  const mst_symbols *symbols = &finder->program->symbols;
  const mst_node_id items = mst_argument_node(finder->tree, symbols, call, 0, "iterable");
  const mst_node_id r = mst_argument_node(finder->tree, symbols, call, 1, "r");
  mst_loop one = {.trips = -1};
  if (items != 0) count_all(finder, &one, items);
  loop->bound_from_axis = one.bound_from_axis;
  loop->is_hot = one.is_hot;
  loop->is_unknown = one.is_unknown;
  const bool is_known = r != 0 && one.trips >= 0 && is_exact(value_at(finder, r));
  if (is_known)
    loop->trips = selections(called(finder, call), one.trips, (int64_t)value_at(finder, r)->number);
}

static void count_container(const mst_finder *finder, mst_loop *loop, const mst_value *value) {
  const mst_values *values = &finder->program->values;
  const uint32_t count = mst_value_item_count(values, value);
  if (count > 0) {
    loop->trips = count;
    return;
  }
  const mst_value any = mst_value_any_item(values, value);
  if (value->kind == MST_V_ITERATOR && mst_holds_rows(values, &any)) {
    loop->is_hot = true;
    return;
  }
  const bool settings = is_settings((mst_value_kind)any.kind) || value->kind == MST_V_DICT;
  loop->is_hot = any.kind == MST_V_NUMBER; /* indices, steps: as many as there are data */
  loop->is_unknown = !settings && !loop->is_hot;
}

static void count_all(const mst_finder *finder, mst_loop *loop, mst_node_id iterable) {
  const mst_node_id node = unwrapped(finder, iterable);
  const char *name = mst_kind_of(finder->tree, node) == MST_K_CALL ? called(finder, node) : "";
  const mst_value *value = value_at(finder, node);
  if (strcmp(name, "builtins.zip") == 0) {
    count_zip(finder, loop, node);
    return;
  }
  if (strcmp(name, "builtins.enumerate") == 0) {
    const mst_node_id over =
        mst_argument_node(finder->tree, &finder->program->symbols, node, 0, NULL);
    if (over != 0) count_all(finder, loop, over);
    return;
  }
  if (strcmp(name, "itertools.product") == 0) {
    count_product(finder, loop, node);
    return;
  }
  if (strncmp(name, "itertools.combinations", 22) == 0 ||
      strcmp(name, "itertools.permutations") == 0) {
    count_selections(finder, loop, node);
    return;
  }
  if (strstr(name, "numpy.nd") != NULL) {
    loop->is_hot = true;
    return;
  }
  switch ((mst_value_kind)value->kind) {
  case MST_V_RANGE:
    loop->is_hot = true;
    if (mst_kind_of(finder->tree, node) == MST_K_CALL) count_range(finder, loop, node);
    break;
  case MST_V_ARRAY:
    loop->is_hot = true;
    loop->bound_from_axis = true;
    if (value->rank > 0 && (value->flags & MST_VF_FROM_DEFAULT) == 0)
      loop->trips = mst_extent(&finder->program->values, value, 0);
    break;
  case MST_V_LIST:
  case MST_V_TUPLE:
  case MST_V_SET:
  case MST_V_DICT:
  case MST_V_ITERATOR: count_container(finder, loop, value); break;
  case MST_V_STRING: break;
  default: loop->is_unknown = true; break;
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
    count_all(finder, loop, loop->iterable);
    if (is_comprehension(mst_kind_of(finder->tree, loop->node))) {
      MST_EACH_CHILD(finder->tree, child, loop->node) {
        if (mst_kind_of(finder->tree, child) != MST_K_COMP_FOR) continue;
        const mst_node_id iterable = mst_child(finder->tree, child, 1);
        add_targets(finder, &counters, mst_child(finder->tree, child, 0));
        if (iterable != loop->iterable) count_within(finder, loop, iterable);
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
    loop->bound_from_axis |= mentions_axis(finder, child);
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

/* ---- generators ------------------------------------------------------------------------------------------ */

/* True when something is handed out in a loop that may run many times. */
static bool yields_often(const mst_program *program, const mst_function *function) {
  const mst_module *module = &program->modules[function->module];
  const mst_node_id end = mst_subtree_end(module->tree, function->node);
  for (mst_node_id id = function->node; id < end; id++) {
    if (mst_kind_of(module->tree, id) != MST_K_YIELD) continue;
    const mst_place yield = {program, module, id};
    if (mst_function_at(yield) != function) continue;
    for (const mst_loop *loop = mst_loop_at(yield); loop != NULL;
         loop = mst_loop_outside(program, loop))
      if (loop->is_hot) return true;
  }
  return false;
}

/* A loop over what a function of ours hands out turns as often as that one's own. */
static void count_yields(mst_program *program, mst_loop *loop) {
  if (!loop->is_unknown || loop->iterable == 0) return;
  mst_module *module = &program->modules[loop->module];
  const mst_finder finder = {program, loop->module, module, module->tree};
  mst_node_id node = unwrapped(&finder, loop->iterable);
  if (strcmp(called(&finder, node), "builtins.enumerate") == 0)
    node = mst_argument_node(module->tree, &program->symbols, node, 0, NULL);
  const uint32_t generator = module->calls[node];
  if (generator == 0) return;
  const mst_function *function = &program->functions.data[generator - 1];
  loop->is_hot = function->is_generator && yields_often(program, function);
  loop->is_unknown = !loop->is_hot;
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
    count_yields(program, &program->loops.data[i]);
}
