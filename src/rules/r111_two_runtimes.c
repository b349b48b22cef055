/* SPDX-License-Identifier: Apache-2.0 */
#include "rules/places.h"

static const mst_value *argument_value(mst_place call) {
  const mst_node_id argument = mst_argument(call, 0, NULL);
  return argument != 0 ? mst_value_at(mst_place_at(call, argument)) : NULL;
}

static bool is_cupy_array(const mst_value *value) {
  return value != NULL && mst_is_array(value) && value->library == MST_LIB_CUPY;
}

/* CuPy takes an array of the target. */
static bool goes_to_cupy(mst_place call) {
  static const char *const takers[] = {"cupy.asarray",
                                       "cupy.array",
                                       "cupy.asanyarray",
                                       "cupy.ascontiguousarray",
                                       "cupy.from_dlpack",
                                       "cupy.fromDlpack",
                                       NULL};
  const mst_value *value = argument_value(call);
  return value != NULL && mst_is_target_array(value) && mst_one_of(mst_called_name(call), takers);
}

/* CuPy gives one away: always a copy on the host, which the target takes in next. */
static bool leaves_cupy(mst_place call) {
  static const char *const givers[] = {"cupy.asnumpy", "cupy.ndarray.get", "cupy.ndarray.toDlpack",
                                       NULL};
  static const char *const takers[] = {"numpy.asarray",     "numpy.array",
                                       "numpy.asanyarray",  "numpy.ascontiguousarray",
                                       "numpy.from_dlpack", NULL};
  if (mst_one_of(mst_called_name(call), givers)) return true;
  return is_cupy_array(argument_value(call)) && mst_one_of(mst_called_name(call), takers);
}

static void visit(mst_rule_context *context, mst_place place) {
  const bool to_cupy = goes_to_cupy(place);
  if (!mst_may_stand(context, place) || (!to_cupy && !leaves_cupy(place))) return;
  mst_add_finding(context, mst_standing(place), to_cupy ? argument_value(place) : NULL,
                  "`%s` moves an array from one runtime to the other in each step",
                  mst_text_of(context, place));
}

const mst_rule mst_rule_r111 = {
    .id = "R111",
    .name = "two runtimes in one hot loop",
    .category = MST_BLOCKS,
    .outcome = MST_OUTCOME_COST,
    .counts = MST_COUNTS_HOT,
    .recipe = "RR-one-runtime",
    .summary = "conversions between CuPy and cuPyNumeric arrays in a hot loop",
    .why = "Each conversion gathers the distributed array in one place and waits for all work that "
           "was queued before; what one runtime has under way the other cannot see.",
    .kinds = (const uint8_t[]){MST_K_CALL, MST_K_NONE},
    .visit = visit,
};
