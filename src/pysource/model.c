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

/* ---- symbols of all trees in one table -------------------------------------------------------------------- */

static const mst_symbol *adopt_symbols(mst_program *program, mst_tree *tree) {
  mst_symbol *ours = mst_arena_new(program->arena, tree->symbols.count * sizeof *ours);
  for (uint32_t i = 1; i < tree->symbols.count; i++) {
    const char *text = tree->symbols.texts[i];
    ours[i] = i < MST_SYM_KNOWN ? i : mst_symbol_of(&program->symbols, text, strlen(text));
  }
  for (uint32_t i = 1; i < tree->count; i++) {
    tree->nodes[i].name = ours[tree->nodes[i].name];
    tree->nodes[i].path = ours[tree->nodes[i].path];
  }
  return ours;
}

static bool speaks_of_arrays(const mst_module *module) {
  if (module->imports_numpy || module->imports_cupynumeric || module->imports_cupy) return true;
  const mst_tree *tree = module->tree;
  for (mst_node_id id = 1; id < tree->count; id++) {
    const mst_node *node = &tree->nodes[id];
    if (node->kind == MST_K_NAME && (node->name == MST_SYM_np || node->name == MST_SYM_xp))
      return true;
    if (node->kind == MST_K_IMPORT_FROM && (node->flags & MST_F_STAR) != 0) return true;
  }
  return false;
}

/* Which of the libraries a module imports, and whether NumPy stands beside cuPyNumeric under
 * another name; `try: import cupynumeric as np / except: import numpy as np` gives both one. */
static void find_libraries(const mst_program *program, mst_module *module) {
  const mst_tree *tree = module->tree;
  mst_symbol ported[8], plain[8];
  unsigned ported_count = 0, plain_count = 0;
  bool from_ported = false;
  for (mst_node_id id = 1; id < tree->count; id++) {
    const mst_node *node = &tree->nodes[id];
    if (node->kind != MST_K_ALIAS && node->kind != MST_K_IMPORT_FROM) continue;
    const char *path = mst_symbol_text(&program->symbols, node->path);
    const bool is_from =
        node->kind == MST_K_IMPORT_FROM || tree->nodes[node->parent].kind == MST_K_IMPORT_FROM;
    if (path == NULL || (is_from && node->kind == MST_K_ALIAS)) continue;
    if (mst_is_in_package(path, "cupynumeric") || mst_is_in_package(path, "cunumeric")) {
      module->imports_cupynumeric = true;
      from_ported |= is_from;
      if (!is_from && ported_count < 8) ported[ported_count++] = node->name;
    } else if (mst_is_in_package(path, "numpy")) {
      module->imports_numpy = true;
      if (!is_from && plain_count < 8) plain[plain_count++] = node->name;
    } else if (mst_is_in_package(path, "cupy")) {
      module->imports_cupy = true;
    }
  }
  if (!module->imports_cupynumeric) return;
  for (unsigned i = 0; i < plain_count; i++) {
    bool same = false;
    for (unsigned k = 0; k < ported_count; k++)
      same |= plain[i] == ported[k];
    if (!same) module->numpy_is_host = true;
  }
  if (from_ported && plain_count > 0) module->numpy_is_host = true;
}

static void add_modules(mst_program *program, mst_interp *in, mst_tree *const *trees,
                        const char *const *names, uint32_t count) {
  program->modules = mst_arena_new(program->arena, count * sizeof *program->modules);
  program->module_count = count;
  in->notes = mst_arena_new(program->arena, count * sizeof *in->notes);
  uint32_t base = 1;
  for (uint32_t i = 0; i < count; i++) {
    mst_module *module = &program->modules[i];
    const mst_symbol *symbols = adopt_symbols(program, trees[i]);
    const uint32_t nodes = trees[i]->count;
    *module = (mst_module){.tree = trees[i], .name = names[i], .node_base = base};
    module->symbols = symbols;
    module->symbol_count = trees[i]->symbols.count;
    module->symbol = mst_symbol_of(&program->symbols, names[i], strlen(names[i]));
    module->values = mst_arena_new(program->arena, nodes * sizeof *module->values);
    module->names = mst_arena_new(program->arena, nodes * sizeof *module->names);
    module->calls = mst_arena_new(program->arena, nodes * sizeof *module->calls);
    module->loop_of = mst_arena_new(program->arena, nodes * sizeof *module->loop_of);
    module->function_of = mst_arena_new(program->arena, nodes * sizeof *module->function_of);
    module->leaving = mst_arena_new(program->arena, nodes * sizeof *module->leaving);
    base += nodes;
    find_libraries(program, module);
    module->speaks_of_arrays = speaks_of_arrays(module);
  }
}

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
    in->env = mst_take_env(in);
    memset(in->env, 0, in->env_slots * sizeof *in->env);
    mst_presume_parameters(in, index);
    mst_give_env(in, in->env);
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
  mst_find_builtins(in);
}

void mst_model_build(mst_program *program, mst_arena *arena, mst_tree *const *trees,
                     const char *const *names, uint32_t count, unsigned threads) {
  (void)threads;
  memset(program, 0, sizeof *program);
  program->arena = arena;
  mst_symbols_init(&program->symbols, arena);
  mst_values_init(&program->values, arena);
  mst_interp in = {.program = program, .arena = arena, .values = &program->values};
  add_modules(program, &in, trees, names, count);
  make_tables(&in);
  for (uint32_t i = 0; i < count; i++)
    mst_scope_build(&in, i);
  if (program->functions.length <= LARGE)
    for (size_t i = 0; i < program->functions.length; i++)
      program->functions.data[i].is_needed = true;
  for (size_t i = 0; i < program->functions.length; i++)
    if (program->functions.data[i].local_count > in.env_slots)
      in.env_slots = program->functions.data[i].local_count;
  run_all(&in);
  mst_find_loops(program);
  mst_find_heat(program);
  mst_classify_loops(program);
}
