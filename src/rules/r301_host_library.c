/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "rules/places.h"

/* Libraries that compute on the host. Those that only plot, read, write or report are none. */
static const char *const libraries[] = {"scipy",      "sklearn", "cv2",     "skimage",
                                        "PIL",        "pandas",  "imageio", "pyfftw",
                                        "bottleneck", "numexpr", NULL};

/* Parts of SciPy that walk data on one core. */
static bool is_rarely_viable(const char *name) {
  return mst_starts_with(name, "scipy.sparse") || mst_starts_with(name, "scipy.optimize") ||
         mst_starts_with(name, "scipy.spatial");
}

static bool is_of_library(const char *name) {
  const size_t length = strcspn(name, ".");
  for (size_t i = 0; libraries[i] != NULL; i++)
    if (strlen(libraries[i]) == length && strncmp(name, libraries[i], length) == 0)
      return name[length] == '.';
  return false;
}

/* A function or class of the library itself, not a method of what it returned. */
static bool is_function(mst_place callee) {
  const mst_value *value = mst_value_at(callee);
  if (value->kind == MST_V_API || value->kind == MST_V_MODULE) return true;
  return mst_expression_name(callee) != NULL && value->kind != MST_V_OBJECT;
}

static bool is_of_method(mst_place callee) {
  if (!mst_place_is(callee, MST_K_ATTRIBUTE)) return false;
  const mst_value *object = mst_value_at(mst_place_child(callee, 0));
  return object->kind != MST_V_MODULE && object->kind != MST_V_API;
}

static bool is_compiled_by_numba(mst_place call) {
  const mst_function *function = mst_called_function(call);
  if (function != NULL) return function->is_jit;
  const mst_value *callee = mst_value_at(mst_place_child(call, 0));
  return callee->kind == MST_V_FUNCTION && (callee->flags & MST_VF_JIT) != 0;
}

/* Arrays of any library, and what such a library has made: matrices, tables, models. */
static bool holds_array(const mst_values *values, const mst_value *value) {
  if (mst_is_container(value)) {
    const mst_value any = mst_value_any_item(values, value);
    return mst_is_container(&any) || holds_array(values, &any);
  }
  return mst_is_arrayish(value) || value->kind == MST_V_OBJECT;
}

/* Packages whose functions work on arrays, whatever the caller calls them. */
static bool is_of_arrays(const char *name) {
  static const char *const packages[] = {"scipy.fft",       "scipy.fftpack", "scipy.linalg",
                                         "scipy.signal",    "scipy.ndimage", "scipy.sparse",
                                         "scipy.spatial",   "scipy.cluster", "cv2",
                                         "skimage",         "scipy.odr",     "scipy.interpolate",
                                         "scipy.integrate", "pyfftw",        "scipy.optimize",
                                         "bottleneck",      "numexpr",       NULL};
  for (size_t i = 0; packages[i] != NULL; i++)
    if (mst_is_in_package(name, packages[i])) return true;
  return false;
}

/* Some argument is one, or may be one where that goes without saying. */
static bool takes_array(mst_place call, const char *name) {
  const mst_tree *tree = call.module->tree;
  const bool is_open = is_of_arrays(name);
  if (mst_is_in_package(name, "scipy.weave")) return true; /* by names within strings */
  for (mst_node_id child = tree->nodes[mst_place_node(call)->first].next; child != 0;
       child = tree->nodes[child].next) {
    const mst_kind kind = mst_kind_of(tree, child);
    const mst_node_id given = kind == MST_K_KEYWORD ? tree->nodes[child].first : child;
    if (kind == MST_K_STAR || kind == MST_K_DOUBLE_STAR) return true;
    const mst_value *value = mst_value_at(mst_place_at(call, given));
    if (holds_array(&call.program->values, value)) return true;
    const mst_value any =
        mst_is_container(value) ? mst_value_any_item(&call.program->values, value) : *value;
    if (is_open && any.kind == MST_V_UNKNOWN) return true;
  }
  return false;
}

static void visit(mst_rule_context *context, mst_place place) {
  const mst_place callee = mst_place_child(place, 0);
  const char *name = mst_called_name(place);
  const bool is_host = name != NULL && is_of_library(name) && !mst_is_type_test(name) &&
                       is_function(callee) && !is_of_method(callee);
  if (!is_host && !is_compiled_by_numba(place)) return;
  const char *text = mst_text_of(context, callee);
  const bool is_about_arrays = !is_host || takes_array(place, name);
  mst_finding *finding;
  if (!is_host)
    finding = mst_add_finding(context, mst_standing(place), NULL,
                              "`%s` is compiled by numba and runs on the host", text);
  else if (!is_about_arrays)
    finding = mst_add_finding(context, mst_standing(place), NULL,
                              "`%s` runs on the host; no array is seen to be handed to it", text);
  else if (is_rarely_viable(name))
    finding =
        mst_add_finding(context, mst_standing(place), NULL,
                        "`%s` runs on the host; in a hot loop it is usually not viable", text);
  else
    finding =
        mst_add_finding(context, mst_standing(place), NULL,
                        "`%s` runs on the host: arrays are gathered for it and sent back", text);
  if (finding == NULL || is_about_arrays) return;
  finding->confidence = MST_POSSIBLE;
  mst_settle(finding);
}

const mst_rule mst_rule_r301 = {
    .id = "R301",
    .name = "call of a host library",
    .category = MST_INFO,
    .outcome = MST_OUTCOME_COST,
    .counts = MST_COUNTS_HOT,
    .recipe = "RR-host-fallback",
    .summary = "SciPy, scikit-learn, OpenCV, pandas, functions compiled by numba",
    .why = "Such a library knows nothing of distributed arrays: each array is gathered in the "
           "memory of one host, worked on by its cores and sent back. At set-up that is fine, in "
           "a hot loop it is what the time goes into.",
    .kinds = (const uint8_t[]){MST_K_CALL, MST_K_NONE},
    .visit = visit,
};
