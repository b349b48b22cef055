/* SPDX-License-Identifier: Apache-2.0 */
/* How often places run: loops, guards, and the ways functions are called. */
#include <string.h>

#include "base/pool.h"
#include "pysource/guards.h"
#include "pysource/interp.h"

#define MAX_ROUNDS 12

const char *mst_heat_name(mst_heat heat) {
  static const char *const names[] = {"boundary", "periodic", "unknown", "presumed", "hot"};
  return names[heat];
}

/* ---- input and output ------------------------------------------------------------------------------------ */

static uint8_t is_io(const char *name) {
  static const char *const begins[] = {
      "matplotlib.", "pylab.", "seaborn.", "plotly.",  "h5py.",     "json.",  "pickle.", "csv.",
      "imageio.",    "PIL.",   "mayavi.",  "pyvista.", "requests.", "httpx.", "urllib.", NULL};
  static const char *const exact[] = {"builtins.print",   "builtins.open",
                                      "builtins.input",   "numpy.save",
                                      "numpy.savez",      "numpy.savetxt",
                                      "numpy.load",       "numpy.loadtxt",
                                      "numpy.genfromtxt", "numpy.savez_compressed",
                                      "ndarray.tofile",   "numpy.fromfile",
                                      "sys.stdout.write", NULL};
  for (int i = 0; begins[i] != NULL; i++)
    if (strncmp(name, begins[i], strlen(begins[i])) == 0) return true;
  for (int i = 0; exact[i] != NULL; i++)
    if (strcmp(name, exact[i]) == 0) return true;
  return strstr(name, "pyplot") != NULL || strstr(name, "imread") != NULL ||
         strstr(name, "read_csv") != NULL || strstr(name, "loadmat") != NULL;
}

typedef struct io_search {
  mst_program *program;
  atomic_uchar *answers; /* by symbol */
} io_search;

static muster_status find_io_in_module(void *context, uint64_t index, unsigned worker,
                                       muster_error *error) {
  const io_search *search = context;
  const mst_module *module = &search->program->modules[index];
  (void)worker;
  (void)error;
  for (mst_node_id id = 1; id < module->tree->count; id++) {
    const mst_node *node = &module->tree->nodes[id];
    bool io = node->kind == MST_K_PRINT;
    if (node->kind == MST_K_CALL && module->names[id] != 0)
      io =
          mst_symbol_ask(&search->program->symbols, module->names[id], is_io, search->answers) != 0;
    if (io) search->program->functions.data[module->function_of[id]].does_io = true;
  }
  return MUSTER_OK;
}

static void find_io(mst_program *program, unsigned threads) {
  io_search search = {.program = program};
  search.answers = mst_arena_new(program->arena, program->symbols.count * sizeof *search.answers);
  (void)mst_parallel_for(threads, program->module_count, find_io_in_module, &search, NULL);
  const mst_symbol repr = mst_symbol_find(&program->symbols, "__repr__");
  const mst_symbol str = mst_symbol_find(&program->symbols, "__str__");
  for (size_t i = 0; i < program->functions.length; i++) {
    mst_function *function = &program->functions.data[i];
    if (function->name != 0 && (function->name == repr || function->name == str))
      function->does_io = true;
  }
}

/* ---- places --------------------------------------------------------------------------------------------- */

/* In a loop over plots that is in no other loop. */
static bool is_drawn(const mst_program *program, const mst_loop *loop) {
  bool drawn = false;
  for (; loop != NULL; loop = mst_loop_outside(program, loop)) {
    if (loop->only_draws)
      drawn = true;
    else if (drawn && loop->is_hot)
      return false;
  }
  return drawn;
}

static mst_heat heat_from(const mst_program *program, const mst_module *module, mst_node_id node,
                          const mst_loop *loop) {
  const mst_function *function = &program->functions.data[module->function_of[node]];
  if (function->heat != MST_HEAT_HOT && is_drawn(program, loop)) return MST_HEAT_BOUNDARY;
  bool unknown = false;
  for (; loop != NULL; loop = mst_loop_outside(program, loop)) {
    if (!loop->is_hot && !loop->is_unknown) continue;
    if (mst_is_guarded(program, module, node, loop))
      return loop->is_hot ? MST_HEAT_PERIODIC : MST_HEAT_BOUNDARY;
    if (loop->is_hot) return MST_HEAT_HOT;
    unknown = true;
  }
  if (function->heat == MST_HEAT_HOT && mst_is_guarded(program, module, node, NULL))
    return MST_HEAT_PERIODIC;
  if (unknown && function->heat != MST_HEAT_HOT) return MST_HEAT_UNKNOWN;
  return function->heat;
}

/* True when a node runs whenever what is around it does. */
static bool runs_with_parent(const mst_module *module, mst_node_id node, mst_node_id parent) {
  if (mst_is_statement(mst_kind_of(module->tree, node))) return false;
  switch (mst_kind_of(module->tree, parent)) {
  case MST_K_BLOCK:
  case MST_K_IF:
  case MST_K_WHILE:
  case MST_K_CONDITIONAL:
  case MST_K_BOOLEAN: return false;
  default:
    return module->loop_of[node] == module->loop_of[parent] &&
           module->function_of[node] == module->function_of[parent];
  }
}

mst_heat mst_heat_at(mst_place place) {
  const mst_module *module = place.module;
  if (module->heats == NULL)
    return heat_from(place.program, module, place.node, mst_loop_at(place));
  /* Threads that ask at once find the same. */
  atomic_uchar *kept = &module->heats[place.node];
  const unsigned char known = atomic_load_explicit(kept, memory_order_relaxed);
  if (known != 0) return (mst_heat)(known - 1);
  const mst_node_id parent = module->tree->nodes[place.node].parent;
  const mst_heat heat = parent != 0 && runs_with_parent(module, place.node, parent)
                            ? mst_heat_at(mst_place_at(place, parent))
                            : heat_from(place.program, module, place.node, mst_loop_at(place));
  atomic_store_explicit(kept, (unsigned char)(heat + 1), memory_order_relaxed);
  return heat;
}

mst_heat mst_loop_heat(mst_place place) {
  const mst_loop *loop = mst_loop_by_node(place);
  if (loop == NULL) return mst_heat_at(place);
  if (is_drawn(place.program, loop)) return mst_heat_at(mst_place_at(place, loop->body));
  if (loop->is_hot) {
    /* A guard around the loop holds for its body, too. */
    const mst_heat outside = mst_heat_at(place);
    return outside == MST_HEAT_PERIODIC ? MST_HEAT_PERIODIC : MST_HEAT_HOT;
  }
  if (loop->is_unknown) {
    const mst_heat outside = mst_heat_at(place);
    return outside == MST_HEAT_HOT ? MST_HEAT_HOT : MST_HEAT_UNKNOWN;
  }
  return mst_heat_at(place);
}

static unsigned own_depth(mst_place place) {
  unsigned depth = 0;
  for (const mst_loop *loop = mst_loop_at(place); loop != NULL;
       loop = mst_loop_outside(place.program, loop))
    depth += loop->is_hot;
  return depth;
}

unsigned mst_depth_at(mst_place place) { return own_depth(place) + mst_function_at(place)->depth; }

/* ---- functions -------------------------------------------------------------------------------------------- */

enum { MOST_DEPTH = 8 };

typedef enum call_heat {
  CALL_NOT_HOT,
  CALL_IF_UNGUARDED, /* hot if the function is in which it stands, and no guard is around it */
  CALL_IF_HOT,       /* hot if the function is in which it stands */
  CALL_HOT
} call_heat;

/* What does not change of a call while functions get warm. */
typedef struct heat_call {
  uint32_t caller;
  mst_node_id node;
  uint8_t heat; /* call_heat */
  uint8_t depth;
} heat_call;

typedef struct warming {
  mst_program *program;
  uint32_t *first; /* by function, and one more: of its calls */
  heat_call *calls;
  uint8_t *is_hot, *depths; /* by function */
} warming;

static call_heat heat_of_call(const mst_program *program, const mst_module *module,
                              mst_node_id node) {
  const mst_loop *loop = mst_loop_at((mst_place){program, module, node});
  for (; loop != NULL; loop = mst_loop_outside(program, loop)) {
    if (!loop->is_hot && !loop->is_unknown) continue;
    if (mst_is_guarded(program, module, node, loop)) return CALL_NOT_HOT;
    if (loop->is_hot) return CALL_HOT;
  }
  return CALL_IF_UNGUARDED;
}

static void take_calls(const warming *at, uint32_t index) {
  const mst_program *program = at->program;
  const mst_function *function = &program->functions.data[index];
  heat_call *call = &at->calls[at->first[index]];
  for (size_t i = 0; i < function->callers.length; i++) {
    const mst_call_site *site = &function->callers.data[i];
    if (site->function == index) continue;
    const uint32_t module_index = program->functions.data[site->function].module;
    const mst_module *module = &program->modules[module_index];
    const unsigned depth = own_depth((mst_place){program, module, site->node}) + site->driven;
    *call++ = (heat_call){
        .caller = module->function_of[site->node],
        .node = site->node,
        .heat = (uint8_t)(site->driven ? CALL_HOT : heat_of_call(program, module, site->node)),
        .depth = (uint8_t)(depth < MOST_DEPTH ? depth : MOST_DEPTH)};
  }
}

/* Functions that one thread takes at once. */
enum { FUNCTIONS_AT_ONCE = 256 };

static muster_status take_some_calls(void *context, uint64_t index, unsigned worker,
                                     muster_error *error) {
  const warming *at = context;
  const uint32_t count = (uint32_t)at->program->functions.length;
  const uint32_t first = (uint32_t)index * FUNCTIONS_AT_ONCE;
  (void)worker;
  (void)error;
  for (uint32_t i = first; i < count && i < first + FUNCTIONS_AT_ONCE; i++)
    take_calls(at, i);
  return MUSTER_OK;
}

static void warming_init(warming *at, mst_program *program, unsigned threads) {
  const uint32_t count = (uint32_t)program->functions.length;
  *at = (warming){.program = program};
  at->is_hot = mst_arena_new(program->arena, count);
  at->depths = mst_arena_new(program->arena, count);
  at->first = mst_arena_new(program->arena, (count + 1) * sizeof *at->first);
  for (uint32_t i = 0; i < count; i++) {
    const mst_function *function = &program->functions.data[i];
    at->first[i + 1] = at->first[i];
    for (size_t k = 0; k < function->callers.length; k++)
      at->first[i + 1] += function->callers.data[k].function != i;
  }
  at->calls = mst_arena_new(program->arena, at->first[count] * sizeof *at->calls);
  (void)mst_parallel_for(threads, (count + FUNCTIONS_AT_ONCE - 1) / FUNCTIONS_AT_ONCE,
                         take_some_calls, at, NULL);
}

/* Guards are looked for once a call would be hot without. */
static bool is_call_hot(const warming *at, heat_call *call) {
  if (call->heat == CALL_HOT) return true;
  if (call->heat == CALL_NOT_HOT || at->is_hot[call->caller] == 0) return false;
  if (call->heat == CALL_IF_UNGUARDED) {
    const mst_program *program = at->program;
    const mst_module *module = &program->modules[program->functions.data[call->caller].module];
    const bool is_guarded = mst_is_guarded(program, module, call->node, NULL);
    call->heat = is_guarded ? CALL_NOT_HOT : CALL_IF_HOT;
  }
  return call->heat == CALL_IF_HOT;
}

/* Heat and depth of a function by the calls of `called`: itself, or a method that it overrides. */
static bool warm_by(const warming *at, uint32_t index, uint32_t called) {
  bool changed = false;
  for (uint32_t i = at->first[called]; i < at->first[called + 1]; i++) {
    heat_call *call = &at->calls[i];
    if (!is_call_hot(at, call)) continue;
    unsigned depth = call->depth + at->depths[call->caller];
    if (depth > MOST_DEPTH) depth = MOST_DEPTH;
    if (at->is_hot[index] != 0 && depth <= at->depths[index]) continue;
    at->is_hot[index] = 1;
    if (depth > at->depths[index]) at->depths[index] = (uint8_t)depth;
    changed = true;
  }
  return changed;
}

/* A call of a method of a base class may mean any class's own. */
static bool warm_by_bases(const warming *at, uint32_t index) {
  const mst_program *program = at->program;
  const mst_function *function = &program->functions.data[index];
  uint32_t line[MST_MOST_BASES];
  const uint32_t count = mst_class_line(program, function->class_ - 1, line);
  bool changed = false;
  for (uint32_t i = 1; i < count; i++) {
    const mst_value *method = mst_own_attribute(&program->classes.data[line[i]], function->name);
    if (method != NULL && method->kind == MST_V_FUNCTION && method->ref != index)
      changed |= warm_by(at, index, method->ref);
  }
  return changed;
}

static bool warm(const warming *at, uint32_t index) {
  const mst_function *function = &at->program->functions.data[index];
  const bool changed = warm_by(at, index, index);
  if (function->class_ == 0 || function->name == MST_SYM___init__) return changed;
  return warm_by_bases(at, index) || changed;
}

static void find_hot_functions(mst_program *program, unsigned threads) {
  warming at;
  warming_init(&at, program, threads);
  bool changed = true;
  for (int round = 0; round < MAX_ROUNDS && changed; round++) {
    changed = false;
    for (uint32_t i = 0; i < program->functions.length; i++)
      changed |= warm(&at, i);
  }
  for (size_t i = 0; i < program->functions.length; i++) {
    mst_function *function = &program->functions.data[i];
    const bool is_module = function->parent == i;
    function->depth = at.depths[i];
    function->heat = at.is_hot[i] != 0                ? MST_HEAT_HOT
                     : is_module || function->does_io ? MST_HEAT_BOUNDARY
                                                      : MST_HEAT_PRESUMED;
  }
}

void mst_find_heat(mst_program *program, unsigned threads) {
  find_io(program, threads);
  find_hot_functions(program, threads);
  for (uint32_t i = 0; i < program->module_count; i++) {
    mst_module *module = &program->modules[i];
    module->heats = mst_arena_new(program->arena, module->tree->count * sizeof *module->heats);
  }
}
