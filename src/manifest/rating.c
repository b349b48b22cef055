/* SPDX-License-Identifier: Apache-2.0 */
#include "manifest/rating.h"

#include <string.h>

#include "base/status.h"
#include "manifest/availability.h"

#define MAX_ALIASES 8

const char mst_note_batch[] = "data-parallel over a batch axis only";

static void rate_silent(mst_rating *out, const char *note) {
  *out = (mst_rating){.level = MST_API_MULTI, .note = note, .implemented = true, .not_said = true};
}

/* False when the docstring says nothing that is known. */
static bool rate_doc(mst_slice doc, mst_rating *out) {
  mst_rating rating = {.implemented = true};
  if (!mst_availability_level(mst_availability_text(doc), &rating.level, &rating.note))
    return false;
  /* What "partial" means is said in the notes of the docstring. */
  if (rating.level == MST_API_PARTIAL && mst_slice_has_word(doc, (mst_slice){"batching", 8}))
    rating.note = mst_note_batch;
  *out = rating;
  return true;
}

/* A body that begins with `raise NotImplementedError`, behind the docstring if there is one. */
static bool raises_at_once(const mst_bound_name *function) {
  static const char raise[] = "raise NotImplementedError";
  mst_slice body = function->body;
  if (function->doc.length > 0) {
    const char *end = body.at + body.length;
    body.at = function->doc.at + function->doc.length;
    body.length = end > body.at ? (size_t)(end - body.at) : 0;
  }
  body = mst_slice_trim(body);
  return body.length >= strlen(raise) && memcmp(body.at, raise, strlen(raise)) == 0;
}

static void rate_function(const mst_bound_name *function, mst_rating *out) {
  if (raises_at_once(function)) {
    *out = (mst_rating){.level = MST_API_NONE, .note = ""};
  } else if (!rate_doc(function->doc, out)) {
    rate_silent(out, "availability not stated");
  }
}

static bool has_public_member(const mst_outline *outline, const mst_bound_name *class) {
  for (const mst_bound_name *member = class + 1;
       member < outline->bindings.data + outline->bindings.length; member++)
    if (member->in_class == (size_t)(class - outline->bindings.data) && member->name.length > 0 &&
        member->name.at[0] != '_')
      return true;
  return false;
}

static void rate_class(const mst_found *found, mst_rating *out) {
  if (rate_doc(found->binding->doc, out)) return;
  rate_silent(out, "availability not stated");
  if (!has_public_member(&found->module->outline, found->binding)) {
    out->level = MST_API_PARTIAL;
    out->note = "the class only, without its methods";
  }
}

/* x = make("...", ...): the docstring is a template that the function `make` names. */
static muster_status rate_made(mst_modules *modules, const mst_found *found, mst_slice maker,
                               mst_rating *out, muster_error *error) {
  mst_found function;
  rate_silent(out, "availability not stated");
  const muster_status status = mst_module_find(modules, found->module, maker, &function, error);
  if (status != MUSTER_OK || function.binding == NULL ||
      function.binding->kind != MST_BIND_FUNCTION)
    return status;
  const mst_outline *outline = &function.module->outline;
  for (size_t i = 0; i < outline->bindings.length; i++) {
    const mst_bound_name *value = &outline->bindings.data[i];
    if (value->kind == MST_BIND_VALUE && value->in_class == MST_NO_CLASS &&
        value->value.length > 0 && strchr("\"'", value->value.at[0]) != NULL &&
        mst_slice_has_word(function.binding->body, value->name) && rate_doc(value->value, out))
      return MUSTER_OK;
  }
  return MUSTER_OK;
}

static muster_status rate(mst_modules *modules, const mst_found *found, unsigned depth,
                          mst_rating *out, muster_error *error);

/* x = y takes what y has; x = make(...) what make gives. */
static muster_status rate_value(mst_modules *modules, const mst_found *found, unsigned depth,
                                mst_rating *out, muster_error *error) {
  const mst_slice value = found->binding->value;
  rate_silent(out, "availability not stated");
  if (value.length == 0) return MUSTER_OK;
  const mst_slice head = mst_slice_identifier(value);
  const mst_slice rest =
      mst_slice_trim((mst_slice){head.at + head.length, value.length - head.length});
  if (head.length > 0 && rest.length > 0 && *rest.at == '(')
    return rate_made(modules, found, head, out, error);
  if (head.length == 0 || (rest.length > 0 && *rest.at != '#')) return MUSTER_OK;
  mst_found target;
  const muster_status status = mst_module_find(modules, found->module, head, &target, error);
  if (status != MUSTER_OK || target.module == NULL) return status;
  return rate(modules, &target, depth + 1, out, error);
}

static muster_status rate(mst_modules *modules, const mst_found *found, unsigned depth,
                          mst_rating *out, muster_error *error) {
  if (found->module == NULL) {
    *out = (mst_rating){.level = MST_API_NONE, .note = ""};
    return MUSTER_OK;
  }
  rate_silent(out, "availability not stated");
  if (found->binding == NULL || depth > MAX_ALIASES) return MUSTER_OK;
  switch (found->binding->kind) {
  case MST_BIND_FUNCTION: rate_function(found->binding, out); return MUSTER_OK;
  case MST_BIND_CLASS: rate_class(found, out); return MUSTER_OK;
  case MST_BIND_VALUE: return rate_value(modules, found, depth, out, error);
  case MST_BIND_IMPORT: rate_silent(out, "NumPy's own object"); return MUSTER_OK;
  default: return MUSTER_OK;
  }
}

muster_status mst_rate(mst_modules *modules, const mst_found *found, mst_rating *out,
                       muster_error *error) {
  return rate(modules, found, 0, out, error);
}
