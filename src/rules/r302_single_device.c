/* SPDX-License-Identifier: Apache-2.0 */
#include "rules/places.h"

static void visit(mst_rule_context *context, mst_place place) {
  static const char *const two_d_only[] = {"numpy.linalg.qr", "numpy.linalg.svd", NULL};
  static const char *const batched[] = {"numpy.linalg.eig", "numpy.linalg.eigh",
                                        "numpy.linalg.eigvals", "numpy.linalg.eigvalsh", NULL};
  const char *name = mst_called_name(place);
  const bool is_two_d_only = mst_one_of(name, two_d_only);
  const mst_node_id argument = mst_argument(place, 0, "a");
  if (argument == 0 || (!is_two_d_only && !mst_one_of(name, batched))) return;
  const mst_value *matrix = mst_value_at(mst_place_at(place, argument));
  const bool is_stack = mst_is_array(matrix) && matrix->rank > 2;
  if (is_stack && !is_two_d_only) return; /* batches are what spreads */
  const char *text = mst_text_of(context, mst_place_child(place, 0));
  if (!is_stack) {
    mst_add_finding(context, mst_standing(place), NULL,
                    "`%s` works on one device, whatever the number of GPUs", text);
    return;
  }
  mst_finding *finding =
      mst_add_finding(context, mst_standing(place), NULL,
                      "`%s` takes one matrix at a time on the target: a stack raises", text);
  if (finding != NULL) finding->outcome = MST_OUTCOME_RAISES;
}

const mst_rule mst_rule_r302 = {
    .id = "R302",
    .name = "factorisation on one device",
    .category = MST_INFO,
    .outcome = MST_OUTCOME_COST,
    .counts = MST_COUNTS_NEVER,
    .summary = "`linalg.qr`, `linalg.svd`, and `eig`, `eigh` ... of one matrix",
    .why = "The matrix has to fit on one GPU, and the others wait. For `qr` and `svd` batching is "
           "no way out either: they take two dimensions only.",
    .kinds = (const uint8_t[]){MST_K_CALL, MST_K_NONE},
    .visit = visit,
};
