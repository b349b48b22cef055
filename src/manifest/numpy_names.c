/* SPDX-License-Identifier: Apache-2.0 */
#include "manifest/numpy_names.h"

#include <string.h>

#include "base/alloc.h"
#include "base/status.h"

#define MAX_ALIASES 8

muster_status mst_public_names(mst_modules *modules, const char *module, mst_names *names,
                               muster_error *error) {
  mst_found found;
  muster_status status = mst_modules_find(modules, module, "__all__", &found, error);
  if (status != MUSTER_OK || found.binding == NULL) return status;
  mst_slice rest = found.binding->value, name;
  while (mst_next_string(&rest, &name))
    if (!mst_names_take(names, mst_strndup(name.at, name.length))) return mst_fail_memory(error);
  return MUSTER_OK;
}

/* ---- classes --------------------------------------------------------------------------------- */

/* The first base of the class when it is one of the same file; MST_NO_CLASS when not. */
static size_t base_of(const mst_outline *outline, size_t class_index) {
  const mst_slice name = mst_slice_identifier(outline->bindings.data[class_index].value);
  const mst_bound_name *base = mst_outline_find(outline, MST_NO_CLASS, name);
  if (name.length == 0 || base == NULL || base->kind != MST_BIND_CLASS) return MST_NO_CLASS;
  const size_t index = (size_t)(base - outline->bindings.data);
  return index < class_index ? index : MST_NO_CLASS; /* so that no chain is a circle */
}

static bool is_among(const mst_names *names, mst_slice name) {
  for (size_t i = 0; i < names->length; i++)
    if (mst_slice_is(name, names->data[i])) return true;
  return false;
}

static muster_status add_methods(const mst_outline *outline, size_t class_index, mst_names *names,
                                 muster_error *error) {
  for (size_t i = 0; i < outline->bindings.length; i++) {
    const mst_bound_name *member = &outline->bindings.data[i];
    if (member->in_class != class_index || member->kind != MST_BIND_FUNCTION ||
        member->name.at[0] == '_' || is_among(names, member->name)) /* overloads, and bases' */
      continue;
    if (!mst_names_take(names, mst_strndup(member->name.at, member->name.length)))
      return mst_fail_memory(error);
  }
  return MUSTER_OK;
}

muster_status mst_public_methods(const mst_found *found, mst_names *names, muster_error *error) {
  const mst_outline *outline = &found->module->outline;
  muster_status status = MUSTER_OK;
  for (size_t c = (size_t)(found->binding - outline->bindings.data);
       status == MUSTER_OK && c != MST_NO_CLASS; c = base_of(outline, c))
    status = add_methods(outline, c, names, error);
  return status;
}

bool mst_class_has(const mst_found *found, const char *name) {
  const mst_outline *outline = &found->module->outline;
  const mst_slice slice = {name, strlen(name)};
  for (size_t c = (size_t)(found->binding - outline->bindings.data); c != MST_NO_CLASS;
       c = base_of(outline, c))
    if (mst_outline_find(outline, c, slice) != NULL) return true;
  return false;
}

/* ---- what can be called ---------------------------------------------------------------------- */

static mst_slice behind(mst_slice whole, mst_slice part) {
  if (whole.length == 0) return whole;
  const char *end = part.at + part.length;
  return mst_slice_trim((mst_slice){end, (size_t)(whole.at + whole.length - end)});
}

/* Final[X], X: the X. Empty for a bare Final and for TypeAlias, where the value tells. */
static mst_slice bare_type(mst_slice type) {
  const mst_slice head = mst_slice_identifier(type);
  if (mst_slice_is(head, "TypeAlias")) return (mst_slice){0};
  if (!mst_slice_is(head, "Final")) return type;
  const mst_slice rest = behind(type, head);
  if (rest.length == 0 || *rest.at != '[') return (mst_slice){0};
  return (mst_slice){rest.at + 1, rest.length - 1};
}

static muster_status is_callable(mst_modules *modules, const mst_found *found, unsigned depth,
                                 bool *callable, muster_error *error);

/* A type whose instances can be called: Callable, or a class with __call__. */
static muster_status type_is_callable(mst_modules *modules, const mst_package_module *module,
                                      mst_slice type, bool *callable, muster_error *error) {
  const mst_slice head = mst_slice_identifier(type);
  mst_found found;
  if (mst_slice_is(head, "Callable")) {
    *callable = true;
    return MUSTER_OK;
  }
  const muster_status status = mst_module_find(modules, module, head, &found, error);
  if (status == MUSTER_OK && found.binding != NULL && found.binding->kind == MST_BIND_CLASS)
    *callable = mst_class_has(&found, "__call__");
  return status;
}

static muster_status value_is_callable(mst_modules *modules, const mst_found *found, unsigned depth,
                                       bool *callable, muster_error *error) {
  const mst_bound_name *value = found->binding;
  const mst_slice type = bare_type(value->type);
  if (type.length > 0) return type_is_callable(modules, found->module, type, callable, error);
  const mst_slice head = mst_slice_identifier(value->value);
  const mst_slice rest = behind(value->value, head);
  if (head.length > 0 && rest.length > 0 && *rest.at == '.') {
    *callable = true; /* beta = _rand.beta: a method of an object */
    return MUSTER_OK;
  }
  mst_found target;
  const muster_status status = mst_module_find(modules, found->module, head, &target, error);
  if (status != MUSTER_OK || target.module == NULL) return status;
  return is_callable(modules, &target, depth + 1, callable, error);
}

static muster_status is_callable(mst_modules *modules, const mst_found *found, unsigned depth,
                                 bool *callable, muster_error *error) {
  if (found->binding == NULL || depth > MAX_ALIASES) return MUSTER_OK;
  switch (found->binding->kind) {
  case MST_BIND_FUNCTION:
  case MST_BIND_CLASS: *callable = true; return MUSTER_OK;
  case MST_BIND_VALUE: return value_is_callable(modules, found, depth, callable, error);
  default: return MUSTER_OK;
  }
}

muster_status mst_is_callable(mst_modules *modules, const mst_found *found, bool *callable,
                              muster_error *error) {
  *callable = false;
  return is_callable(modules, found, 0, callable, error);
}
