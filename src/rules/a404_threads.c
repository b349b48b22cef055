/* SPDX-License-Identifier: Apache-2.0 */
#include "rules/places.h"

static void visit(mst_rule_context *context, mst_place place) {
  static const char *const names[] = {"threading.Thread",
                                      "multiprocessing.Process",
                                      "multiprocessing.Pool",
                                      "multiprocessing.pool.Pool",
                                      "multiprocessing.pool.ThreadPool",
                                      "multiprocessing.dummy.Pool",
                                      "concurrent.futures.ThreadPoolExecutor",
                                      "concurrent.futures.ProcessPoolExecutor",
                                      "concurrent.futures.thread.ThreadPoolExecutor",
                                      "concurrent.futures.process.ProcessPoolExecutor",
                                      "joblib.Parallel",
                                      NULL};
  if (!place.module->imports_numpy && !place.module->imports_cupynumeric) return;
  if (!mst_one_of(mst_called_name(place), names)) return;
  mst_add_finding(context, mst_standing(place), NULL,
                  "`%s` starts threads or processes of its own around array code",
                  mst_text_of(context, mst_place_child(place, 0)));
}

const mst_rule mst_rule_a404 = {
    .id = "A404",
    .name = "explicit threads or processes",
    .category = MST_AUDIT,
    .outcome = MST_OUTCOME_NONE,
    .counts = MST_COUNTS_NEVER,
    .summary = "`threading`, `multiprocessing`, executors and joblib around array code",
    .why = "The runtime is parallel already, and one program drives it: workers compete for its "
           "cores, and processes do not share its arrays.",
    .kinds = (const uint8_t[]){MST_K_CALL, MST_K_NONE},
    .visit = visit,
};
