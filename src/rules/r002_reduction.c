/* SPDX-License-Identifier: Apache-2.0 */
#include "rules/common.h"

static bool is_on_target(const mst_value *value) {
  return (mst_is_target_array(value) || mst_is_deferred(value)) && value->confidence >= MST_LIKELY;
}

static void visit(mst_rule_context *context, mst_place place) {
  const mst_api *api = mst_called_api(place);
  if (api == NULL || (api->traits & MST_T_REDUCTION) == 0) return;
  const mst_value *value = mst_value_at(place);
  if (!is_on_target(value) || mst_is_walk_use(place)) return;
  mst_add_finding(context, mst_standing(place), value, "reduction: `%s`",
                  mst_text_of(context, place));
}

static const uint8_t kinds[] = {MST_K_CALL, MST_K_NONE};

const mst_rule mst_rule_r002 = {
    .id = "R002",
    .name = "reduction",
    .category = MST_SCALES,
    .outcome = MST_OUTCOME_NONE,
    .counts = MST_COUNTS_NEVER,
    .summary = "sums, extrema, norms and their like over arrays, as function or method",
    .why = "Each GPU reduces its own part, and only the partial results travel.",
    .kinds = kinds,
    .visit = visit,
};
