/* SPDX-License-Identifier: Apache-2.0 */
#include "assess/units.h"

#include <stdlib.h>
#include <string.h>

#include "base/str.h"

#define NO_UNIT UINT32_MAX

void mst_unit_release(mst_unit *unit) {
  if (unit->arena != NULL) mst_arena_reset(unit->arena);
  mst_free(unit->arena);
  unit->arena = NULL;
  mst_source_reset(&unit->source);
}

void mst_units_reset(mst_units *units) {
  for (size_t i = 0; i < units->list.length; i++) {
    mst_unit *unit = &units->list.data[i];
    mst_unit_release(unit);
    mst_imports_reset(&unit->imports);
    mst_free(unit->key);
    mst_free(unit->module);
    mst_free(unit->reason_text);
  }
  mst_vec_reset(&units->list);
  mst_free(units->by_key);
  mst_free(units->by_module);
  *units = (mst_units){0};
}

/* ---- looking up ------------------------------------------------------------------------------------ */

/* The path without "./" at its front, doubled slashes and "/./". */
char *mst_path_key(const char *shown) {
  mst_str key = {0};
  mst_str_add(&key, "");
  for (const char *at = shown; *at != '\0';) {
    const size_t length = strcspn(at, "/");
    const bool is_dot = length == 1 && *at == '.';
    const bool is_root = length == 0 && at == shown;
    if ((length > 0 && !is_dot) || is_root)
      mst_str_add_bytes(&key, at, length + (at[length] == '/'));
    at += length + (at[length] == '/');
  }
  return mst_str_take(&key);
}

static int compare_keys(const void *left, const void *right, void *context) {
  const mst_unit *units = context;
  return strcmp(units[*(const uint32_t *)left].key, units[*(const uint32_t *)right].key);
}

static int compare_modules(const void *left, const void *right, void *context) {
  const mst_unit *units = context;
  const mst_unit *a = &units[*(const uint32_t *)left], *b = &units[*(const uint32_t *)right];
  const int order = strcmp(a->module, b->module);
  return order != 0 ? order : strcmp(a->key, b->key);
}

/* The first unit in order whose key is not below this one; NO_UNIT: there is none. */
static uint32_t find_from(const mst_units *units, const char *key) {
  size_t low = 0, high = units->list.length;
  while (low < high) {
    const size_t middle = (low + high) / 2;
    if (strcmp(units->list.data[units->by_key[middle]].key, key) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return low < units->list.length ? units->by_key[low] : NO_UNIT;
}

static uint32_t find_key(const mst_units *units, const char *key) {
  const uint32_t index = find_from(units, key);
  return index != NO_UNIT && strcmp(units->list.data[index].key, key) == 0 ? index : NO_UNIT;
}

static bool is_any_key_begun(const mst_units *units, const char *start) {
  const uint32_t index = find_from(units, start);
  return index != NO_UNIT && mst_starts_with(units->list.data[index].key, start);
}

/* The first unit of this module name in any folder. */
static uint32_t find_module(const mst_units *units, const char *module) {
  size_t low = 0, high = units->list.length;
  while (low < high) {
    const size_t middle = (low + high) / 2;
    if (strcmp(units->list.data[units->by_module[middle]].module, module) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  if (low == units->list.length) return NO_UNIT;
  const uint32_t index = units->by_module[low];
  return strcmp(units->list.data[index].module, module) == 0 ? index : NO_UNIT;
}

/* ---- names of modules --------------------------------------------------------------------------------- */

/* `folder` is the first `length` bytes of a key and ends in a slash, or is empty. */
static bool is_package(const mst_units *units, const char *key, size_t length, mst_str *scratch) {
  if (length == 0) return false;
  scratch->length = 0;
  mst_str_add_bytes(scratch, key, length);
  mst_str_add(scratch, "__init__.py");
  return !scratch->failed && find_key(units, mst_str_text(scratch)) != NO_UNIT;
}

/* Bytes of the folder around the folder that is `length` bytes long. */
static size_t folder_above(const char *key, size_t length) {
  if (length > 0) length--;
  while (length > 0 && key[length - 1] != '/')
    length--;
  return length;
}

static bool name_unit(const mst_units *units, mst_unit *unit, mst_str *scratch) {
  const char *key = unit->key;
  const char *name = mst_base_name(key);
  unit->root = (size_t)(name - key);
  while (is_package(units, key, unit->root, scratch))
    unit->root = folder_above(key, unit->root);
  mst_str module = {0};
  mst_str_add(&module, key + unit->root);
  if (module.failed) return false;
  char *dot = strrchr(module.data, '.');
  if (dot != NULL && strchr(dot, '/') == NULL && dot > module.data) *dot = '\0';
  const size_t length = strlen(module.data);
  if (mst_ends_with(module.data, "/__init__")) module.data[length - strlen("/__init__")] = '\0';
  for (char *at = module.data; *at != '\0'; at++)
    if (*at == '/') *at = '.';
  unit->module = mst_str_take(&module);
  return unit->module != NULL;
}

bool mst_units_name(mst_units *units) {
  const size_t count = units->list.length;
  bool done = true;
  mst_str scratch = {0};
  units->by_key = mst_calloc(count + 1, sizeof *units->by_key);
  units->by_module = mst_calloc(count + 1, sizeof *units->by_module);
  if (units->by_key == NULL || units->by_module == NULL) return false;
  for (uint32_t i = 0; i < count && done; i++) {
    units->by_key[i] = units->by_module[i] = i;
    units->list.data[i].key = mst_path_key(units->list.data[i].shown);
    done = units->list.data[i].key != NULL;
  }
  if (done) qsort_r(units->by_key, count, sizeof *units->by_key, compare_keys, units->list.data);
  for (uint32_t i = 0; i < count && done; i++)
    done = name_unit(units, &units->list.data[i], &scratch);
  if (done)
    qsort_r(units->by_module, count, sizeof *units->by_module, compare_modules, units->list.data);
  done = done && !scratch.failed;
  mst_str_reset(&scratch);
  return done;
}

/* ---- what an import leads to ------------------------------------------------------------------------------ */

/* The file of a dotted path below a folder: a/b.py or a/b/__init__.py. */
static uint32_t find_below(const mst_units *units, const char *key, size_t folder, const char *path,
                           mst_str *scratch) {
  static const char *const ends[] = {".py", "/__init__.py", ".pyw", ".ipynb"};
  scratch->length = 0;
  mst_str_add_bytes(scratch, key, folder);
  mst_str_add(scratch, path);
  if (scratch->failed) return NO_UNIT;
  for (size_t c = folder; c < scratch->length; c++)
    if (scratch->data[c] == '.') scratch->data[c] = '/';
  /* Most imports are of libraries: one search instead of one for each end. */
  if (!is_any_key_begun(units, mst_str_text(scratch))) return NO_UNIT;
  const size_t length = scratch->length;
  uint32_t found = NO_UNIT;
  for (size_t i = 0; i < sizeof ends / sizeof *ends && found == NO_UNIT; i++) {
    scratch->length = length;
    mst_str_add(scratch, *path == '\0' && ends[i][0] == '/' ? ends[i] + 1 : ends[i]);
    found = find_key(units, mst_str_text(scratch));
  }
  return found;
}

static bool is_init(const mst_unit *unit) {
  return strcmp(mst_base_name(unit->key), "__init__.py") == 0;
}

/* Absolute: beside the importer's root, then in the folders around it, then anywhere. A file
 * outside of packages goes by the name under which it is imported. */
static uint32_t find_absolute(mst_units *units, const mst_unit *unit, const char *path,
                              mst_str *scratch) {
  size_t folder = unit->root;
  for (;;) {
    const uint32_t found = find_below(units, unit->key, folder, path, scratch);
    if (found != NO_UNIT) return found;
    if (folder == 0) break;
    folder = folder_above(unit->key, folder);
  }
  return find_module(units, path);
}

static uint32_t find_relative(const mst_units *units, const mst_unit *unit, unsigned level,
                              const char *path, mst_str *scratch) {
  size_t folder = (size_t)(mst_base_name(unit->key) - unit->key);
  for (; level > 1; level--)
    folder = folder_above(unit->key, folder);
  return find_below(units, unit->key, folder, path, scratch);
}

static uint32_t find_import(mst_units *units, const mst_unit *unit, unsigned level,
                            const char *path, mst_str *scratch) {
  return level > 0 ? find_relative(units, unit, level, path, scratch)
                   : find_absolute(units, unit, path, scratch);
}

/* The module itself, or `from path import name` where name is a module. */
static uint32_t resolve(mst_units *units, const mst_unit *unit, const mst_import *import,
                        mst_str *scratch) {
  if (import->name == NULL) {
    if (*import->path == '\0') return NO_UNIT;
    return find_import(units, unit, import->level, import->path, scratch);
  }
  mst_str path = {0};
  mst_str_add(&path, import->path);
  if (*import->path != '\0') mst_str_add(&path, ".");
  mst_str_add(&path, import->name);
  uint32_t found = find_import(units, unit, import->level, mst_str_text(&path), scratch);
  if (found == NO_UNIT && *import->path == '\0')
    found = find_import(units, unit, import->level, "", scratch);
  if (path.failed) scratch->failed = true;
  mst_str_reset(&path);
  return found;
}

/* Files that lie in no package have the name by which they are known to the one who imports. */
static bool rename_unit(mst_unit *unit, const mst_import *import) {
  const bool in_package = is_init(unit) || strchr(unit->module, '.') != NULL;
  if (in_package || import->level > 0) return true;
  mst_str name = {0};
  mst_str_add(&name, import->path);
  const char *last = strrchr(import->path, '.');
  const bool is_path = strcmp(last != NULL ? last + 1 : import->path, unit->module) == 0;
  if (!is_path && import->name != NULL) mst_str_addf(&name, ".%s", import->name);
  char *text = mst_str_take(&name);
  if (text == NULL) return false;
  mst_free(unit->module);
  unit->module = text;
  return true;
}

/* ---- the graph ---------------------------------------------------------------------------------------------- */

typedef struct import_edge {
  uint32_t from, to;
  const mst_import *import;
} import_edge;

typedef struct edge_list {
  MST_VEC(import_edge) list;
} edge_list;

static bool find_edges(mst_units *units, edge_list *edges) {
  mst_str scratch = {0};
  bool done = true;
  for (uint32_t i = 0; i < units->list.length && done; i++) {
    const mst_unit *unit = &units->list.data[i];
    for (size_t k = 0; k < unit->imports.list.length && done; k++) {
      const mst_import *import = &unit->imports.list.data[k];
      const uint32_t to = resolve(units, unit, import, &scratch);
      if (to == NO_UNIT || to == i) continue;
      done = mst_vec_push(&edges->list, (import_edge){.from = i, .to = to, .import = import});
    }
  }
  done = done && !scratch.failed;
  mst_str_reset(&scratch);
  return done;
}

/* What mentions arrays, what leads there through imports, and what the former import. */
static void mark_relevant(mst_units *units, const edge_list *edges) {
  mst_unit *list = units->list.data;
  for (size_t i = 0; i < units->list.length; i++)
    list[i].is_relevant = list[i].imports.mentions_arrays;
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = edges->list.length; i > 0; i--) {
      const import_edge *edge = &edges->list.data[i - 1];
      if (!list[edge->to].is_relevant || list[edge->from].is_relevant) continue;
      list[edge->from].is_relevant = changed = true;
    }
  }
  for (size_t i = 0; i < edges->list.length; i++) {
    const import_edge *edge = &edges->list.data[i];
    if (list[edge->from].imports.mentions_arrays) list[edge->to].is_relevant = true;
  }
}

static uint32_t root_of(mst_unit *list, uint32_t index) {
  while (list[index].component != index) {
    list[index].component = list[list[index].component].component;
    index = list[index].component;
  }
  return index;
}

static bool join(mst_units *units, const edge_list *edges) {
  mst_unit *list = units->list.data;
  for (uint32_t i = 0; i < units->list.length; i++)
    list[i].component = i;
  for (size_t i = 0; i < edges->list.length; i++) {
    const import_edge *edge = &edges->list.data[i];
    if (!list[edge->from].is_relevant || !list[edge->to].is_relevant) continue;
    if (!rename_unit(&list[edge->to], edge->import)) return false;
    const uint32_t a = root_of(list, edge->from), b = root_of(list, edge->to);
    if (a < b)
      list[b].component = a;
    else
      list[a].component = b;
  }
  for (uint32_t i = 0; i < units->list.length; i++)
    list[i].component = root_of(list, i);
  return true;
}

bool mst_units_group(mst_units *units) {
  edge_list edges = {0};
  bool done = find_edges(units, &edges);
  if (done) {
    mark_relevant(units, &edges);
    done = join(units, &edges);
  }
  mst_vec_reset(&edges.list);
  return done;
}
