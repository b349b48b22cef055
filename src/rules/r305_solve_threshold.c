/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <string.h>

#include "rules/places.h"

static void visit(mst_rule_context *context, mst_place place) {
  static const char *const names[] = {"numpy.linalg.solve", "numpy.linalg.cholesky", NULL};
  const char *name = mst_called_name(place);
  const mst_node_id argument = mst_argument(place, 0, "a");
  if (!mst_one_of(name, names)) return;
  const int least = strcmp(name, "numpy.linalg.solve") == 0 ? 512 : 8192;
  const char *text = mst_text_of(context, mst_place_child(place, 0));
  const mst_value *matrix = argument != 0 ? mst_value_at(mst_place_at(place, argument)) : NULL;
  int64_t rows = -1;
  if (matrix != NULL && mst_is_array(matrix) && matrix->rank == 2)
    rows = mst_extent(&place.program->values, matrix, 0);
  if (rows >= 0)
    mst_add_finding(
        context, mst_standing(place), NULL,
        "`%s` uses several GPUs from dimension %d, with cuSolverMp; here it is %" PRId64, text,
        least, rows);
  else
    mst_add_finding(context, mst_standing(place), NULL,
                    "`%s` uses several GPUs from dimension %d, with cuSolverMp", text, least);
}

const mst_rule mst_rule_r305 = {
    .id = "R305",
    .name = "size from which a solver spreads",
    .category = MST_INFO,
    .outcome = MST_OUTCOME_COST,
    .counts = MST_COUNTS_NEVER,
    .summary = "`linalg.solve` and `linalg.cholesky`",
    .why = "Below the threshold, or without cuSolverMp, the whole system is worked on by one GPU.",
    .kinds = (const uint8_t[]){MST_K_CALL, MST_K_NONE},
    .visit = visit,
};
