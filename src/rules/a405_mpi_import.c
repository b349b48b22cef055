/* SPDX-License-Identifier: Apache-2.0 */
#include "rules/mpi.h"
#include "rules/places.h"

static bool communicates(mst_place place) {
  const mst_tree *tree = place.module->tree;
  mst_node_id data;
  for (mst_node_id id = 1; id < tree->count; id++)
    if (mst_kind_of(tree, id) == MST_K_CALL &&
        mst_is_array_communication(mst_place_at(place, id), &data))
      return true;
  return false;
}

static void visit(mst_rule_context *context, mst_place place) {
  mst_node_id import;
  if (!mst_imports_mpi(place.module, place.program, &import) || communicates(place)) return;
  mst_add_finding(context, mst_place_at(place, import), NULL,
                  "mpi4py is imported, and no communication on arrays was found in this file");
}

const mst_rule mst_rule_a405 = {
    .id = "A405",
    .name = "mpi4py without communication on arrays",
    .category = MST_AUDIT,
    .outcome = MST_OUTCOME_NONE,
    .counts = MST_COUNTS_NEVER,
    .summary = "an import of mpi4py beside which no array is sent",
    .why = "The launcher of the runtime starts all processes; ranks and barriers of mpi4py are "
           "not needed, and initialising MPI twice can hang.",
    .kinds = (const uint8_t[]){MST_K_MODULE, MST_K_NONE},
    .visit = visit,
};
