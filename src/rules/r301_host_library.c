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

static void visit(mst_rule_context *context, mst_place place) {
  const mst_place callee = mst_place_child(place, 0);
  const char *name = mst_called_name(place);
  const bool is_host =
      name != NULL && is_of_library(name) && is_function(callee) && !is_of_method(callee);
  if (!is_host && !is_compiled_by_numba(place)) return;
  const char *text = mst_text_of(context, callee);
  if (!is_host)
    mst_add_finding(context, mst_standing(place), NULL,
                    "`%s` is compiled by numba and runs on the host", text);
  else if (is_rarely_viable(name))
    mst_add_finding(context, mst_standing(place), NULL,
                    "`%s` runs on the host; in a hot loop it is usually not viable", text);
  else
    mst_add_finding(context, mst_standing(place), NULL,
                    "`%s` runs on the host: arrays are gathered for it and sent back", text);
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
