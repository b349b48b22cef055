/* SPDX-License-Identifier: Apache-2.0 */
/* The modules of a program: their symbols in one table, room for what is found out about each node,
 * and the libraries that they import. */
#include <string.h>

#include "base/alloc.h"
#include "base/pool.h"
#include "base/str.h"
#include "pysource/interp.h"

/* From here on threads share the faulting in of the room for nodes. */
#define LARGE_ROOM ((size_t)8 << 20)

/* ---- libraries --------------------------------------------------------------------------------------- */

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

/* Without an import of NumPy in the program there are its arrays where the module is handed in or
 * asked for, or may come with a star. */
static bool may_get_numpy(const mst_program *program, const mst_module *module) {
  const mst_symbol asked = mst_symbol_find(&program->symbols, "get_array_module");
  const mst_symbol standard = mst_symbol_find(&program->symbols, "array_namespace");
  const mst_tree *tree = module->tree;
  for (mst_node_id id = 1; id < tree->count; id++) {
    const mst_node *node = &tree->nodes[id];
    switch (node->kind) {
    case MST_K_PARAMETER:
      if (node->name == MST_SYM_np || node->name == MST_SYM_xp) return true;
      break;
    case MST_K_NAME:
    case MST_K_ATTRIBUTE:
      if (node->name != 0 && (node->name == asked || node->name == standard)) return true;
      break;
    case MST_K_IMPORT_FROM:
      if ((node->flags & MST_F_STAR) != 0) return true;
      break;
    default: break;
    }
    const char *path = node->path != 0 ? mst_symbol_text(&program->symbols, node->path) : "";
    if (mst_is_in_package(path, "pylab") || mst_is_in_package(path, "legate")) return true;
  }
  return false;
}

static bool has_numpy(const mst_program *program) {
  for (uint32_t i = 0; i < program->module_count; i++) {
    const mst_module *module = &program->modules[i];
    if (module->imports_numpy || module->imports_cupynumeric || module->imports_cupy) return true;
  }
  for (uint32_t i = 0; i < program->module_count; i++)
    if (may_get_numpy(program, &program->modules[i])) return true;
  return false;
}

#define MOST_NAMES 8

/* The names under which a module imports a library, but for what it takes from within. */
typedef struct imported {
  mst_symbol names[MOST_NAMES];
  unsigned count;
} imported;

static void note_import(imported *library, bool is_from, mst_symbol name) {
  if (!is_from && library->count < MOST_NAMES) library->names[library->count++] = name;
}

static bool has_name(const imported *library, mst_symbol name) {
  for (unsigned i = 0; i < library->count; i++)
    if (library->names[i] == name) return true;
  return false;
}

/* Whether NumPy stands beside cuPyNumeric under another name. */
static bool stands_beside(const imported *numpy, const imported *ported) {
  for (unsigned i = 0; i < numpy->count; i++)
    if (!has_name(ported, numpy->names[i])) return true;
  return false;
}

/* Which of the libraries a module imports, and whether NumPy is the host's there: with
 * `try: import cupynumeric as np / except: import numpy as np` both have one name. */
static void find_libraries(const mst_program *program, mst_module *module) {
  const mst_tree *tree = module->tree;
  imported ported = {0}, numpy = {0};
  for (mst_node_id id = 1; id < tree->count; id++) {
    const mst_node *node = &tree->nodes[id];
    if (node->kind != MST_K_ALIAS && node->kind != MST_K_IMPORT_FROM) continue;
    const char *path = mst_symbol_text(&program->symbols, node->path);
    const bool is_from =
        node->kind == MST_K_IMPORT_FROM || tree->nodes[node->parent].kind == MST_K_IMPORT_FROM;
    if (path == NULL || (is_from && node->kind == MST_K_ALIAS)) continue;
    if (mst_is_in_package(path, "cupynumeric") || mst_is_in_package(path, "cunumeric")) {
      module->imports_cupynumeric = true;
      note_import(&ported, is_from, node->name);
    } else if (mst_is_in_package(path, "numpy")) {
      module->imports_numpy = true;
      note_import(&numpy, is_from, node->name);
    } else if (mst_is_in_package(path, "cupy")) {
      module->imports_cupy = true;
    }
  }
  if (module->imports_cupynumeric) module->numpy_is_host |= stands_beside(&numpy, &ported);
}

/* ---- symbols ----------------------------------------------------------------------------------------- */

/* By symbol of the tree: that of the program. */
static const mst_symbol *adopt_symbols(mst_program *program, const mst_tree *tree) {
  mst_symbol *ours = mst_arena_new(program->arena, tree->symbols.count * sizeof *ours);
  for (uint32_t i = 1; i < tree->symbols.count; i++)
    ours[i] = i < MST_SYM_KNOWN ? i : mst_symbol_adopt(&program->symbols, &tree->symbols, i);
  return ours;
}

static void rename_nodes(mst_module *module) {
  for (uint32_t i = 1; i < module->tree->count; i++) {
    mst_node *node = &module->tree->nodes[i];
    node->name = module->symbols[node->name];
    node->path = module->symbols[node->path];
  }
}

/* ---- room for nodes ---------------------------------------------------------------------------------- */

enum { ALIGNMENT = 16 };

/* The next `bytes` of the room; with room NULL they are only counted. */
static void *carve(char *room, size_t *used, size_t bytes) {
  void *piece = room != NULL ? room + *used : NULL;
  *used += (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  return piece;
}

/* What is known by node; bytes of it. */
static size_t lay_out(mst_module *module, mst_module_notes *notes, char *room) {
  const size_t nodes = module->tree->count;
  size_t used = 0;
  module->values = carve(room, &used, nodes * sizeof *module->values);
  module->names = carve(room, &used, nodes * sizeof *module->names);
  module->calls = carve(room, &used, nodes * sizeof *module->calls);
  module->loop_of = carve(room, &used, nodes * sizeof *module->loop_of);
  module->function_of = carve(room, &used, nodes * sizeof *module->function_of);
  module->leaving = carve(room, &used, nodes * sizeof *module->leaving);
  notes->bindings = carve(room, &used, nodes * sizeof *notes->bindings);
  return used;
}

typedef struct module_work {
  mst_interp *in;
  char **rooms; /* by module, and one more: the end */
  bool is_large;
} module_work;

/* One piece for all modules. */
static void make_rooms(module_work *work) {
  mst_program *program = work->in->program;
  size_t bytes = 0;
  work->rooms = mst_arena_new(program->arena, (program->module_count + 1) * sizeof *work->rooms);
  for (uint32_t i = 0; i < program->module_count; i++)
    bytes += lay_out(&program->modules[i], &work->in->notes[i], NULL);
  char *room = mst_arena_new(program->arena, bytes);
  work->is_large = bytes >= LARGE_ROOM;
  for (uint32_t i = 0; i < program->module_count; i++) {
    work->rooms[i] = room;
    room += lay_out(&program->modules[i], &work->in->notes[i], room);
  }
  work->rooms[program->module_count] = room;
}

/* ---- all modules ------------------------------------------------------------------------------------- */

static muster_status do_module(void *context, uint64_t index, unsigned worker,
                               muster_error *error) {
  const module_work *work = context;
  mst_module *module = &work->in->program->modules[index];
  char *const *room = &work->rooms[index];
  (void)worker;
  (void)error;
  if (work->is_large) mst_pages_populate(room[0], (size_t)(room[1] - room[0]));
  rename_nodes(module);
  find_libraries(work->in->program, module);
  module->speaks_of_arrays = speaks_of_arrays(module);
  return MUSTER_OK;
}

void mst_add_modules(mst_interp *in, mst_tree *const *trees, const char *const *names,
                     uint32_t count, unsigned threads) {
  mst_program *program = in->program;
  program->modules = mst_arena_new(program->arena, count * sizeof *program->modules);
  program->module_count = count;
  in->notes = mst_arena_new(program->arena, count * sizeof *in->notes);
  uint32_t base = 1;
  for (uint32_t i = 0; i < count; i++) {
    mst_module *module = &program->modules[i];
    *module = (mst_module){.tree = trees[i], .name = names[i], .node_base = base};
    module->symbols = adopt_symbols(program, trees[i]);
    module->symbol_count = trees[i]->symbols.count;
    module->symbol = mst_symbol_of(&program->symbols, names[i], strlen(names[i]));
    base += trees[i]->count;
  }
  module_work work = {.in = in};
  make_rooms(&work);
  work.is_large = work.is_large && threads > 1;
  (void)mst_parallel_for(threads, count, do_module, &work, NULL);
  in->has_numpy = has_numpy(program);
}
