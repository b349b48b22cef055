/* SPDX-License-Identifier: Apache-2.0 */
#include "manifest/modules.h"

#include <string.h>

#include "base/alloc.h"
#include "base/io.h"
#include "base/status.h"
#include "base/str.h"

#define MAX_MODULE ((size_t)8 << 20)
#define MAX_DEPTH 32
#define MAX_STEPS 20000

static void free_module(mst_package_module *module) {
  mst_outline_reset(&module->outline);
  mst_free(module->text);
  mst_free(module->name);
  mst_free(module);
}

void mst_modules_reset(mst_modules *modules) {
  for (size_t i = 0; i < modules->read.length; i++)
    free_module(modules->read.data[i]);
  mst_vec_reset(&modules->read);
}

/* ---- files ----------------------------------------------------------------------------------- */

static char *file_of(const mst_modules *modules, const char *name, const char *suffix) {
  mst_str path = {0};
  mst_str_addf(&path, "%s/", modules->site);
  for (const char *c = name; *c != '\0'; c++)
    mst_str_add_bytes(&path, *c == '.' ? "/" : c, 1);
  mst_str_add(&path, suffix);
  return mst_str_take(&path);
}

/* A package goes before a module of its name. */
static muster_status read_text(mst_modules *modules, mst_package_module *module,
                               muster_error *error) {
  static const char *const suffixes[] = {"/__init__.pyi", "/__init__.py", ".pyi", ".py"};
  for (size_t i = modules->stubs ? 0 : 1; i < 4; i += modules->stubs ? 1 : 2) {
    char *path = file_of(modules, module->name, suffixes[i]);
    if (path == NULL) return mst_fail_memory(error);
    bool found = false;
    size_t length = 0;
    muster_status status = mst_io_find(path, &found, error);
    if (status == MUSTER_OK && found)
      status = mst_io_read_file(path, MAX_MODULE, &module->text, &length, error);
    mst_free(path);
    if (status != MUSTER_OK) return status;
    if (!found) continue;
    module->is_package = i < 2;
    return mst_outline_make(&module->outline, module->text, length) ? MUSTER_OK
                                                                    : mst_fail_memory(error);
  }
  return MUSTER_OK;
}

muster_status mst_module_read(mst_modules *modules, const char *name,
                              const mst_package_module **out, muster_error *error) {
  for (size_t i = 0; i < modules->read.length; i++) {
    *out = modules->read.data[i];
    if (strcmp((*out)->name, name) == 0) return MUSTER_OK;
  }
  *out = NULL;
  mst_package_module *module = mst_calloc(1, sizeof *module);
  if (module == NULL) return mst_fail_memory(error);
  module->name = mst_strdup(name);
  muster_status status =
      module->name != NULL ? read_text(modules, module, error) : mst_fail_memory(error);
  if (status == MUSTER_OK && !mst_vec_push(&modules->read, module)) status = mst_fail_memory(error);
  if (status != MUSTER_OK) {
    free_module(module);
    return status;
  }
  *out = module;
  return MUSTER_OK;
}

/* ---- imports --------------------------------------------------------------------------------- */

/* The full name of a module that is imported as `written`; NULL: no memory. */
static char *full_name(const mst_package_module *from, mst_slice written) {
  mst_str name = {0};
  size_t dots = 0;
  while (dots < written.length && written.at[dots] == '.')
    dots++;
  if (dots > 0) {
    size_t kept = strlen(from->name);
    for (size_t up = from->is_package ? 1 : 0; up < dots && kept > 0; up++)
      while (kept > 0 && from->name[--kept] != '.') {
      }
    mst_str_add_bytes(&name, from->name, kept);
    if (kept > 0 && dots < written.length) mst_str_add(&name, ".");
  }
  mst_str_add_bytes(&name, written.at + dots, written.length - dots);
  return mst_str_take(&name);
}

static bool same_package(const char *a, const char *b) {
  const size_t length = strcspn(a, ".");
  return length == strcspn(b, ".") && memcmp(a, b, length) == 0;
}

static muster_status find(mst_modules *modules, const mst_package_module *module, mst_slice name,
                          unsigned depth, mst_found *out, muster_error *error);

/* A module of the package, by its full name. */
static muster_status find_module(mst_modules *modules, const char *name, mst_found *out,
                                 muster_error *error) {
  const mst_package_module *module;
  const muster_status status = mst_module_read(modules, name, &module, error);
  if (status == MUSTER_OK && module->text != NULL) *out = (mst_found){.module = module};
  return status;
}

static muster_status find_submodule(mst_modules *modules, const char *package, mst_slice name,
                                    mst_found *out, muster_error *error) {
  mst_str full = {0};
  mst_str_addf(&full, "%s.%.*s", package, (int)name.length, name.at);
  char *text = mst_str_take(&full);
  if (text == NULL) return mst_fail_memory(error);
  const muster_status status = find_module(modules, text, out, error);
  mst_free(text);
  return status;
}

/* Where an import leads; *out stays as it is when it leads out of the package or to nothing. */
static muster_status follow(mst_modules *modules, const mst_package_module *from,
                            const mst_bound_name *binding, unsigned depth, mst_found *out,
                            muster_error *error) {
  char *name = full_name(from, binding->module);
  if (name == NULL) return mst_fail_memory(error);
  muster_status status = MUSTER_OK;
  mst_found target = {0};
  if (same_package(name, from->name)) {
    const mst_package_module *module = NULL;
    if (binding->member.length == 0) {
      status = find_module(modules, name, &target, error);
    } else {
      status = mst_module_read(modules, name, &module, error);
      /* `from package import part` in the package itself means its file. */
      if (status == MUSTER_OK && module != from)
        status = find(modules, module, binding->member, depth + 1, &target, error);
      if (status == MUSTER_OK && target.module == NULL)
        status = find_submodule(modules, name, binding->member, &target, error);
    }
  }
  mst_free(name);
  if (status == MUSTER_OK && target.module != NULL) *out = target;
  return status;
}

static muster_status follow_star(mst_modules *modules, const mst_package_module *from,
                                 const mst_bound_name *star, mst_slice name, unsigned depth,
                                 mst_found *out, muster_error *error) {
  char *full = full_name(from, star->module);
  if (full == NULL) return mst_fail_memory(error);
  const mst_package_module *module = NULL;
  muster_status status = MUSTER_OK;
  if (same_package(full, from->name)) status = mst_module_read(modules, full, &module, error);
  mst_free(full);
  if (status != MUSTER_OK || module == NULL) return status;
  return find(modules, module, name, depth + 1, out, error);
}

/* Later bindings replace earlier ones, so the file is looked through from its end. */
static muster_status find(mst_modules *modules, const mst_package_module *module, mst_slice name,
                          unsigned depth, mst_found *out, muster_error *error) {
  if (depth > MAX_DEPTH || ++modules->steps > MAX_STEPS || name.length == 0) return MUSTER_OK;
  for (size_t i = module->outline.bindings.length; i-- > 0 && out->module == NULL;) {
    const mst_bound_name *binding = &module->outline.bindings.data[i];
    muster_status status = MUSTER_OK;
    if (binding->in_class != MST_NO_CLASS) continue;
    if (binding->kind == MST_BIND_STAR) {
      if (name.at[0] != '_')
        status = follow_star(modules, module, binding, name, depth, out, error);
    } else if (mst_slice_same(binding->name, name)) {
      *out = (mst_found){.module = module, .binding = binding};
      if (binding->kind == MST_BIND_IMPORT)
        status = follow(modules, module, binding, depth, out, error);
    }
    if (status != MUSTER_OK) return status;
  }
  return MUSTER_OK;
}

muster_status mst_module_find(mst_modules *modules, const mst_package_module *module,
                              mst_slice name, mst_found *out, muster_error *error) {
  *out = (mst_found){0};
  modules->steps = 0;
  return find(modules, module, name, 0, out, error);
}

muster_status mst_modules_find(mst_modules *modules, const char *module, const char *name,
                               mst_found *out, muster_error *error) {
  const mst_slice slice = {name, strlen(name)};
  const mst_package_module *read;
  *out = (mst_found){0};
  muster_status status = mst_module_read(modules, module, &read, error);
  if (status == MUSTER_OK) status = mst_module_find(modules, read, slice, out, error);
  /* A submodule is a name of its package once anything has imported it. */
  if (status == MUSTER_OK && out->module == NULL)
    status = find_submodule(modules, module, slice, out, error);
  return status;
}
