/* SPDX-License-Identifier: Apache-2.0 */
#include "rules/places.h"

static void visit(mst_rule_context *context, mst_place place) {
  if (!mst_is_called_under(place, "numpy.random.")) return;
  mst_add_finding(context, mst_standing(place), NULL,
                  "`%s`: the numbers are the same again only with the same number of GPUs",
                  mst_text_of(context, mst_place_child(place, 0)));
}

const mst_rule mst_rule_r304 = {
    .id = "R304",
    .name = "random numbers",
    .category = MST_INFO,
    .outcome = MST_OUTCOME_COST,
    .counts = MST_COUNTS_NEVER,
    .summary = "`numpy.random`, and methods of its generators",
    .why = "Each GPU draws from a stream of its own, so a seed gives the same numbers only for a "
           "fixed number of GPUs, and never NumPy's.",
    .kinds = (const uint8_t[]){MST_K_CALL, MST_K_NONE},
    .visit = visit,
};
