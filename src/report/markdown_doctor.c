/* SPDX-License-Identifier: Apache-2.0 */
/* The part of section 5 that says what a run under cuPyNumeric's Doctor saw. */
#include <string.h>

#include "report/markdown.h"

#define MOST_ROWS 50

static void add_confirmed(const mst_result_finding *finding, mst_str *out) {
  mst_str_add(out, "| ");
  mst_md_place(out, &finding->site);
  mst_str_addf(out, " | %s %s | confirmed |\n", finding->rule->id, finding->rule->name);
}

static void add_runtime_only(const mst_runtime_place *place, mst_str *out) {
  mst_str_add(out, "| ");
  mst_md_place(out, &place->site);
  mst_str_add(out, " | ");
  mst_md_cell(out, place->description);
  mst_str_add(out, " | runtime-only");
  if (place->reason != NULL) mst_str_addf(out, ": %s", place->reason);
  mst_str_add(out, " |\n");
}

void mst_md_doctor(const mst_assessment_result *result, mst_str *out) {
  size_t rows = 0;
  if (!result->has_doctor) return;
  mst_str_add(out, "\n### What the Doctor saw\n\n");
  mst_add_doctor(result, out);
  mst_str_add(out, " The verdict does not depend on it.\n");
  const size_t all = mst_confirmed(result) + result->runtime_only_count;
  if (all == 0) return;
  mst_str_add(out, "\n| Place | What | Doctor |\n|---|---|---|\n");
  for (size_t i = 0; i < result->finding_count && rows < MOST_ROWS; i++) {
    const mst_result_finding *finding = &result->findings[i];
    if (finding->doctor == NULL || strcmp(finding->doctor, "confirmed") != 0) continue;
    add_confirmed(finding, out);
    rows++;
  }
  for (size_t i = 0; i < result->runtime_only_count && rows < MOST_ROWS; i++, rows++)
    add_runtime_only(&result->runtime_only[i], out);
  if (all > rows) mst_str_addf(out, "\n%zu more are in the JSON report.\n", all - rows);
}
