/* SPDX-License-Identifier: Apache-2.0 */
#include "rules/places.h"

static void visit(mst_rule_context *context, mst_place place) {
  const mst_api *api = mst_called_api(place);
  if (api == NULL || (api->traits & MST_T_FFT) == 0 || !mst_is_called_under(place, "numpy.fft."))
    return;
  mst_add_finding(context, mst_standing(place), NULL,
                  "`%s`: one transform uses one GPU, only a batch of them spreads",
                  mst_text_of(context, mst_place_child(place, 0)));
}

const mst_rule mst_rule_r303 = {
    .id = "R303",
    .name = "Fourier transform",
    .category = MST_INFO,
    .outcome = MST_OUTCOME_COST,
    .counts = MST_COUNTS_NEVER,
    .summary = "transforms of `numpy.fft`",
    .why = "A single transform runs on one GPU and must fit there; transforms along one axis of a "
           "larger array are spread over the others.",
    .kinds = (const uint8_t[]){MST_K_CALL, MST_K_NONE},
    .visit = visit,
};
