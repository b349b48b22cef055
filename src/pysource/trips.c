/* SPDX-License-Identifier: Apache-2.0 */
/* How often loops turn, by what they go over. */
#include "pysource/trips.h"

#include <string.h>

#include "pysource/guards.h"
#include "pysource/interp.h"

#define MOST_AXES 6 /* of an array of the target */

typedef struct mst_counted {
  mst_program *program;
  mst_module *module;
  const mst_tree *tree;
} mst_counted;

static const mst_value *value_at(const mst_counted *of, mst_node_id node) {
  return &of->module->values[node];
}

static const char *called(const mst_counted *of, mst_node_id node) {
  const mst_symbol name = of->module->names[node];
  return name != 0 ? mst_symbol_text(&of->program->symbols, name) : "";
}

/* ---- iterables ------------------------------------------------------------------------------------------- */

static bool is_wrapper(const char *name) {
  return strcmp(name, "builtins.list") == 0 || strcmp(name, "builtins.reversed") == 0 ||
         strcmp(name, "builtins.tuple") == 0 || strcmp(name, "builtins.iter") == 0 ||
         strcmp(name, "builtins.sorted") == 0 || strstr(name, "tqdm") != NULL ||
         strstr(name, "progress") != NULL;
}

/* The iterable without what only wraps it. */
static mst_node_id unwrapped(const mst_counted *of, mst_node_id node) {
  while (mst_kind_of(of->tree, node) == MST_K_CALL && is_wrapper(called(of, node)) &&
         strstr(called(of, node), "trange") == NULL) {
    const mst_node_id argument = mst_argument_node(of->tree, &of->program->symbols, node, 0, NULL);
    if (argument == 0) break;
    node = argument;
  }
  return node;
}

static bool is_exact(const mst_value *value) {
  return mst_knows_number(value) && (value->flags & MST_VF_FROM_DEFAULT) == 0;
}

static bool mentions_axis(const mst_counted *of, mst_node_id node) {
  return node != 0 && mst_is_item_size(value_at(of, node));
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
static bool same_but_offset(const mst_counted *of, mst_node_id a, mst_node_id b, double *lo,
                            double *hi) {
  mst_place low = {.program = of->program, .module = of->module};
  mst_place high = low;
  low.node = mst_without_offset(of->module, a, lo);
  high.node = mst_without_offset(of->module, b, hi);
  return mst_same_expression(low, high);
}

/* Files, plots, configurations: not many, and each is work by itself. */
static bool is_settings(mst_value_kind item) {
  return item == MST_V_STRING || item == MST_V_INSTANCE || item == MST_V_DICT ||
         item == MST_V_FUNCTION || item == MST_V_CLASS;
}

/* len(names) of a list of such. */
static bool is_length_of_settings(const mst_counted *of, mst_node_id bound) {
  if (mst_kind_of(of->tree, bound) != MST_K_CALL || strcmp(called(of, bound), "builtins.len") != 0)
    return false;
  const mst_node_id list = mst_argument_node(of->tree, &of->program->symbols, bound, 0, NULL);
  if (list == 0 || !mst_is_container(value_at(of, list))) return false;
  const mst_value any = mst_value_any_item(&of->program->values, value_at(of, list));
  return is_settings((mst_value_kind)any.kind);
}

/* x.ndim, len(x.shape), len(shape), or a few less. */
static bool is_axis_count(const mst_counted *of, mst_node_id bound) {
  double offset;
  const mst_node_id node = mst_without_offset(of->module, bound, &offset);
  const mst_node *at = &of->tree->nodes[node];
  if (at->kind == MST_K_ATTRIBUTE)
    return at->name == MST_SYM_ndim && mst_is_array(value_at(of, at->first));
  if (at->kind != MST_K_CALL || strcmp(called(of, node), "builtins.len") != 0) return false;
  const mst_node_id shape = mst_argument_node(of->tree, &of->program->symbols, node, 0, NULL);
  if (shape == 0 || value_at(of, shape)->kind != MST_V_TUPLE) return false;
  const mst_value any = mst_value_any_item(&of->program->values, value_at(of, shape));
  return mst_is_item_size(&any);
}

static void count_range(const mst_counted *of, mst_loop *loop, mst_node_id call) {
  const mst_symbols *symbols = &of->program->symbols;
  const mst_node_id a = mst_argument_node(of->tree, symbols, call, 0, NULL);
  const mst_node_id b = mst_argument_node(of->tree, symbols, call, 1, NULL);
  const mst_node_id c = mst_argument_node(of->tree, symbols, call, 2, NULL);
  loop->bound_from_axis = mentions_axis(of, b != 0 ? b : a) || (b != 0 && mentions_axis(of, a));
  if (a == 0) return;
  loop->is_hot = !is_length_of_settings(of, b != 0 ? b : a);
  if (is_axis_count(of, b != 0 ? b : a)) loop->trips = MOST_AXES;
  double lo = 0, hi = 0, step = 1;
  const mst_value *x = value_at(of, a);
  if (b == 0) {
    if (!is_exact(x)) return;
    hi = x->number;
  } else {
    const mst_value *y = value_at(of, b);
    if (is_exact(x) && is_exact(y)) {
      lo = x->number;
      hi = y->number;
    } else if (!same_but_offset(of, a, b, &lo, &hi)) {
      return;
    }
  }
  if (c != 0) {
    if (!is_exact(value_at(of, c)) || value_at(of, c)->number == 0) return;
    step = value_at(of, c)->number;
  }
  const double trips = (hi - lo) / step;
  loop->trips = trips < 0 ? 0 : trips <= 1e15 ? (int64_t)(trips + 0.999999) : -1;
}

static void count_all(const mst_counted *of, mst_loop *loop, mst_node_id iterable);

/* zip stops at the shortest; enumerate goes on to the end. */
static void count_zip(const mst_counted *of, mst_loop *loop, mst_node_id call) {
  int64_t least = -1;
  bool hot = false, unknown = true;
  for (mst_node_id child = of->tree->nodes[of->tree->nodes[call].first].next; child != 0;
       child = of->tree->nodes[child].next) {
    if (mst_kind_of(of->tree, child) == MST_K_KEYWORD) continue;
    mst_loop one = {.trips = -1};
    count_all(of, &one, child);
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
static void count_within(const mst_counted *of, mst_loop *loop, mst_node_id iterable) {
  mst_loop one = {.trips = -1};
  count_all(of, &one, iterable);
  int64_t *trips = &loop->trips;
  if (*trips < 0 || one.trips < 0 || __builtin_mul_overflow(*trips, one.trips, trips)) *trips = -1;
  loop->bound_from_axis |= one.bound_from_axis;
  loop->is_hot |= one.is_hot;
  loop->is_unknown |= one.is_unknown;
}

/* product: as many as all together. */
static void count_product(const mst_counted *of, mst_loop *loop, mst_node_id call) {
  loop->trips = 1;
  for (mst_node_id child = of->tree->nodes[of->tree->nodes[call].first].next; child != 0;
       child = of->tree->nodes[child].next)
    if (mst_kind_of(of->tree, child) != MST_K_KEYWORD) count_within(of, loop, child);
  const mst_node_id repeat = mst_argument_node(of->tree, &of->program->symbols, call, -1, "repeat");
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

static void count_selections(const mst_counted *of, mst_loop *loop, mst_node_id call) {
  const mst_symbols *symbols = &of->program->symbols;
  const mst_node_id items = mst_argument_node(of->tree, symbols, call, 0, "iterable");
  const mst_node_id r = mst_argument_node(of->tree, symbols, call, 1, "r");
  mst_loop one = {.trips = -1};
  if (items != 0) count_all(of, &one, items);
  loop->bound_from_axis = one.bound_from_axis;
  loop->is_hot = one.is_hot;
  loop->is_unknown = one.is_unknown;
  const bool is_known = r != 0 && one.trips >= 0 && is_exact(value_at(of, r));
  if (is_known)
    loop->trips = selections(called(of, call), one.trips, (int64_t)value_at(of, r)->number);
}

static void count_container(const mst_counted *of, mst_loop *loop, const mst_value *value) {
  const mst_values *values = &of->program->values;
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

static void count_all(const mst_counted *of, mst_loop *loop, mst_node_id iterable) {
  const mst_node_id node = unwrapped(of, iterable);
  const char *name = mst_kind_of(of->tree, node) == MST_K_CALL ? called(of, node) : "";
  const mst_value *value = value_at(of, node);
  if (strcmp(name, "builtins.zip") == 0) {
    count_zip(of, loop, node);
    return;
  }
  if (strcmp(name, "builtins.enumerate") == 0) {
    const mst_node_id over = mst_argument_node(of->tree, &of->program->symbols, node, 0, NULL);
    if (over != 0) count_all(of, loop, over);
    return;
  }
  if (strcmp(name, "itertools.product") == 0) {
    count_product(of, loop, node);
    return;
  }
  if (strncmp(name, "itertools.combinations", 22) == 0 ||
      strcmp(name, "itertools.permutations") == 0) {
    count_selections(of, loop, node);
    return;
  }
  if (strstr(name, "numpy.nd") != NULL) {
    loop->is_hot = true;
    return;
  }
  switch ((mst_value_kind)value->kind) {
  case MST_V_RANGE:
    loop->is_hot = true;
    if (mst_kind_of(of->tree, node) == MST_K_CALL) count_range(of, loop, node);
    break;
  case MST_V_ARRAY:
    loop->is_hot = true;
    loop->bound_from_axis = true;
    if (value->rank > 0 && (value->flags & MST_VF_FROM_DEFAULT) == 0)
      loop->trips = mst_extent(&of->program->values, value, 0);
    break;
  case MST_V_LIST:
  case MST_V_TUPLE:
  case MST_V_SET:
  case MST_V_DICT:
  case MST_V_ITERATOR: count_container(of, loop, value); break;
  case MST_V_STRING: break;
  default: loop->is_unknown = true; break;
  }
}

void mst_count_trips(mst_program *program, mst_module *module, mst_loop *loop) {
  const mst_counted of = {program, module, module->tree};
  count_all(&of, loop, loop->iterable);
}

void mst_count_within(mst_program *program, mst_module *module, mst_loop *loop,
                      mst_node_id iterable) {
  const mst_counted of = {program, module, module->tree};
  count_within(&of, loop, iterable);
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
void mst_count_yields(mst_program *program, mst_loop *loop) {
  if (!loop->is_unknown || loop->iterable == 0) return;
  mst_module *module = &program->modules[loop->module];
  const mst_counted of = {program, module, module->tree};
  mst_node_id node = unwrapped(&of, loop->iterable);
  if (strcmp(called(&of, node), "builtins.enumerate") == 0)
    node = mst_argument_node(module->tree, &program->symbols, node, 0, NULL);
  const uint32_t generator = module->calls[node];
  if (generator == 0) return;
  const mst_function *function = &program->functions.data[generator - 1];
  loop->is_hot = function->is_generator && yields_often(program, function);
  loop->is_unknown = !loop->is_hot;
}
