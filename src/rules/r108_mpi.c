/* SPDX-License-Identifier: Apache-2.0 */
#include "rules/mpi.h"
#include "rules/places.h"

static void visit(mst_rule_context *context, mst_place place) {
  mst_node_id data = 0;
  if (!mst_is_array_communication(place, &data)) return;
  mst_finding *finding =
      mst_add_finding(context, mst_standing(place), NULL,
                      "`%s` passes array data between processes, which the runtime does by itself",
                      mst_text_of(context, place));
  if (finding == NULL || data == 0) return;
  mst_add_evidence(context, finding, "`%s` is an array",
                   mst_text_of(context, mst_place_at(place, data)));
}

const mst_rule mst_rule_r108 = {
    .id = "R108",
    .name = "mpi4py on array data",
    .category = MST_BLOCKS,
    .outcome = MST_OUTCOME_COST,
    .counts = MST_COUNTS_ANYWHERE,
    .recipe = "RR-mpi",
    .summary = "arrays that are scattered, exchanged or reduced by hand",
    .why = "One program drives all GPUs: arrays are global, and halos and sums travel by "
           "themselves. Code that cuts arrays into pieces by rank has to be written back to whole "
           "arrays.",
    .kinds = (const uint8_t[]){MST_K_CALL, MST_K_NONE},
    .visit = visit,
};
