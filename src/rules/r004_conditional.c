/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "rules/common.h"

static bool is_conditional(mst_place call) {
  const mst_api *api = mst_called_api(call);
  if (api == NULL || (api->traits & MST_T_CONDITIONAL) == 0) return false;
  /* With one argument, where is nonzero. */
  return strcmp(api->name, "numpy.where") != 0 || mst_argument(call, 1, "x") != 0;
}

static void visit(mst_rule_context *context, mst_place place) {
  if (!is_conditional(place)) return;
  const mst_value *value = mst_value_at(place);
  if (!mst_is_target_array(value)) { /* putmask returns nothing */
    const mst_node_id array = mst_array_operand(place);
    if (array == 0) return;
    value = mst_value_at(mst_place_at(place, array));
  }
  if (!mst_is_sure_array(value) || mst_is_walk_use(place)) return;
  mst_add_finding(context, mst_standing(place), value, "choice by element: `%s`",
                  mst_text_of(context, place));
}

static const uint8_t kinds[] = {MST_K_CALL, MST_K_NONE};

const mst_rule mst_rule_r004 = {
    .id = "R004",
    .name = "vectorised conditional",
    .category = MST_SCALES,
    .outcome = MST_OUTCOME_NONE,
    .counts = MST_COUNTS_NEVER,
    .summary = "three-argument where, choose, select, putmask",
    .why = "The choice is made on the GPUs, element by element; the host never looks at the data.",
    .kinds = kinds,
    .visit = visit,
};
