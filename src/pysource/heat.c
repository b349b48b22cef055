/* SPDX-License-Identifier: Apache-2.0 */
/* How often places run: loops, guards, and the ways functions are called. */
#include <string.h>

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

static void find_io(mst_program *program) {
  uint8_t *answers = mst_arena_new(program->arena, program->symbols.count);
  for (uint32_t m = 0; m < program->module_count; m++) {
    const mst_module *module = &program->modules[m];
    for (mst_node_id id = 1; id < module->tree->count; id++) {
      const mst_node *node = &module->tree->nodes[id];
      bool io = node->kind == MST_K_PRINT;
      if (node->kind == MST_K_CALL && module->names[id] != 0)
        io = mst_symbol_ask(&program->symbols, module->names[id], is_io, answers) != 0;
      if (io) program->functions.data[module->function_of[id]].does_io = true;
    }
  }
  for (size_t i = 0; i < program->functions.length; i++) {
    mst_function *function = &program->functions.data[i];
    if (function->name == 0) continue;
    const char *name = mst_symbol_text(&program->symbols, function->name);
    if (strcmp(name, "__repr__") == 0 || strcmp(name, "__str__") == 0) function->does_io = true;
  }
}

/* ---- places --------------------------------------------------------------------------------------------- */

static mst_heat heat_from(const mst_program *program, const mst_module *module, mst_node_id node,
                          const mst_loop *loop) {
  bool unknown = false;
  for (; loop != NULL; loop = mst_loop_outside(program, loop)) {
    if (!loop->is_hot && !loop->is_unknown) continue;
    if (mst_is_guarded(program, module, node, loop))
      return loop->is_hot ? MST_HEAT_PERIODIC : MST_HEAT_BOUNDARY;
    if (loop->is_hot) return MST_HEAT_HOT;
    unknown = true;
  }
  const mst_function *function = &program->functions.data[module->function_of[node]];
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

static bool warm(mst_program *program, uint32_t index) {
  mst_function *function = &program->functions.data[index];
  bool changed = false;
  for (size_t i = 0; i < function->callers.length; i++) {
    const mst_call_site *site = &function->callers.data[i];
    if (site->function == index) continue;
    const mst_function *caller = &program->functions.data[site->function];
    const mst_place place = {
        .program = program, .module = &program->modules[caller->module], .node = site->node};
    unsigned depth = mst_depth_at(place) + (site->driven ? 1 : 0);
    const bool hot = site->driven || mst_heat_at(place) == MST_HEAT_HOT;
    if (!hot) continue;
    if (depth > 8) depth = 8;
    if (function->heat != MST_HEAT_HOT || depth > function->depth) {
      function->heat = MST_HEAT_HOT;
      if (depth > function->depth) function->depth = depth;
      changed = true;
    }
  }
  return changed;
}

void mst_find_heat(mst_program *program) {
  find_io(program);
  for (size_t i = 0; i < program->functions.length; i++) {
    mst_function *function = &program->functions.data[i];
    const bool is_module = function->parent == i;
    function->heat = is_module || function->does_io ? MST_HEAT_BOUNDARY : MST_HEAT_PRESUMED;
  }
  for (int round = 0; round < MAX_ROUNDS; round++) {
    bool changed = false;
    for (uint32_t i = 0; i < program->functions.length; i++)
      changed |= warm(program, i);
    if (!changed) break;
  }
  for (uint32_t i = 0; i < program->module_count; i++)
    program->modules[i].heats = mst_arena_new(program->arena, program->modules[i].tree->count);
}
