/* SPDX-License-Identifier: Apache-2.0 */
/* Builds the model: symbols, scopes, values to a fixpoint, loops, heat. */
#include "base/str.h"
#include "pysource/model.h"

#include <string.h>

#include "pysource/interp.h"

#define MAX_ROUNDS 7
/* Programs of this many functions get fewer rounds: chains of calls in them are no longer, and time
 * goes with functions times rounds. Of their functions only those are run that stand in modules
 * where arrays are spoken of, or that are called from there. */
#define LARGE 2000
#define MAX_ROUNDS_LARGE 2
/* A program is given up when more is executed and evaluated. Usual ones take up to 3 for a node. */
#define LEAST_STEPS ((uint64_t)16 << 20)
#define STEPS_OF_NODE 32

/* ---- fixpoint ------------------------------------------------------------------------------------------------ */

static void enter(mst_interp *in, uint32_t index) {
  const mst_function *function = &in->program->functions.data[index];
  in->function_index = index;
  in->module_index = function->module;
  in->module = &in->program->modules[function->module];
  in->unit = &in->notes[function->module];
  in->tree = in->module->tree;
}

static void run_function(mst_interp *in, uint32_t index) {
  mst_function *function = &in->program->functions.data[index];
  function->is_dirty = false;
  in->now++;
  if (function->last_run == 0 && function->parent != index) {
    enter(in, index);
    mst_states_begin(&in->states, function->local_count);
    in->env = mst_state_new(&in->states);
    mst_presume_parameters(in, index);
    mst_state_drop(&in->states, in->env);
  }
  function = &in->program->functions.data[index];
  function->last_run = in->now;
  const mst_value before = function->result;
  mst_exec_function(in, index);
  function = &in->program->functions.data[index];
  if (mst_value_equal(&before, &function->result)) return;
  mst_note_change(in, function->name);
  for (size_t i = 0; i < function->callers.length; i++)
    in->program->functions.data[function->callers.data[i].function].is_dirty = true;
}

/* True when a name that the function mentions has changed since it ran. */
static bool is_stale(const mst_interp *in, uint32_t index) {
  const mst_function *function = &in->program->functions.data[index];
  if (!function->is_needed) return false;
  if (function->is_dirty) return true;
  const mst_module *module = &in->program->modules[function->module];
  const mst_tree *tree = module->tree;
  const mst_node_id end = mst_subtree_end(tree, function->node);
  for (mst_node_id id = function->node; id < end; id++) {
    const mst_node *node = &tree->nodes[id];
    if (node->name < in->symbol_count && in->stamps[node->name] > function->last_run) return true;
  }
  return false;
}

static void presume_attributes(mst_interp *in) {
  for (uint32_t i = 0; i < in->program->classes.length; i++) {
    enter(in, in->program->modules[in->program->classes.data[i].module].function);
    mst_presume_attributes(in, i);
  }
}

static void run_all(mst_interp *in) {
  mst_program *program = in->program;
  for (uint32_t i = 0; i < program->module_count; i++)
    run_function(in, program->modules[i].function);
  const int rounds = program->functions.length > LARGE ? MAX_ROUNDS_LARGE : MAX_ROUNDS;
  for (int round = 0; round < rounds; round++) {
    bool any = false;
    for (uint32_t i = 0; i < program->functions.length; i++) {
      if (!is_stale(in, i)) continue;
      any = true;
      run_function(in, i);
    }
    if (round == 0)
      presume_attributes(in);
    else if (!any)
      break;
  }
}

void mst_end_of_steps(mst_interp *in) {
  in->program->is_out_of_steps = true;
  longjmp(in->arena->way_out, 1);
}

/* Tables by symbol; all symbols of the trees and the modules' names are there by now. */
static void make_tables(mst_interp *in) {
  mst_program *program = in->program;
  const uint32_t count = in->symbol_count = program->symbols.count;
  in->slot_by_symbol = mst_arena_new(in->arena, count * sizeof *in->slot_by_symbol);
  in->stamps = mst_arena_new(in->arena, count * sizeof *in->stamps);
  in->builtins = mst_arena_new(in->arena, count);
  in->modules = mst_arena_new(in->arena, count * sizeof *in->modules);
  in->next_module = mst_arena_new(in->arena, program->module_count * sizeof *in->next_module);
  for (uint32_t i = program->module_count; i-- > 0;) {
    uint32_t *first = &in->modules[program->modules[i].symbol];
    in->next_module[i] = *first;
    *first = i + 1;
  }
  uint32_t most_nodes = 0;
  in->most_steps = LEAST_STEPS;
  for (uint32_t i = 0; i < program->module_count; i++) {
    const uint32_t nodes = program->modules[i].tree->count;
    if (nodes > most_nodes) most_nodes = nodes;
    in->most_steps += (uint64_t)nodes * STEPS_OF_NODE;
  }
  in->next_use = mst_arena_new(in->arena, most_nodes * sizeof *in->next_use);
  mst_find_builtins(in);
}

void mst_model_build(mst_program *program, mst_arena *arena, mst_tree *const *trees,
                     const char *const *names, uint32_t count, unsigned threads) {
  memset(program, 0, sizeof *program);
  program->arena = arena;
  mst_symbols_init(&program->symbols, arena);
  mst_values_init(&program->values, arena);
  mst_interp in = {.program = program, .arena = arena, .values = &program->values};
  in.states.values = in.values;
  mst_add_modules(&in, trees, names, count, threads);
  make_tables(&in);
  for (uint32_t i = 0; i < count; i++)
    mst_scope_build(&in, i);
  if (program->functions.length <= LARGE)
    for (size_t i = 0; i < program->functions.length; i++)
      program->functions.data[i].is_needed = true;
  run_all(&in);
  mst_find_loops(program);
  mst_find_heat(program, threads);
  mst_classify_loops(program);
}
