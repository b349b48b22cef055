/* SPDX-License-Identifier: Apache-2.0 */
/* What the Markdown report says of findings and gaps that have no say: behind the notes. */
#include <string.h>

#include "report/markdown.h"

/* One thing that was set aside: a finding or a gap. */
typedef struct entry {
  const char *id; /* the rule's, or the gap's name */
  const mst_site *site;
  const mst_suppression *suppression;
} entry;

/* The next one of this kind from *at on, over the findings and then the gaps. */
static bool next_entry(const mst_assessment_result *result, mst_aside why, size_t *at, entry *out) {
  const size_t findings = result->all_finding_count;
  for (; *at < findings + result->all_gap_count; ++*at) {
    const bool is_gap = *at >= findings;
    const mst_result_finding *finding = is_gap ? NULL : &result->all_findings[*at];
    const mst_result_gap *gap = is_gap ? &result->all_gaps[*at - findings] : NULL;
    if ((is_gap ? gap->aside : finding->aside) != why) continue;
    if (why != MST_ASIDE_SUPPRESSED && !is_gap && !mst_is_complaint(finding)) continue;
    *out = is_gap ? (entry){gap->name, &gap->site, gap->suppression}
                  : (entry){finding->rule->id, &finding->site, finding->suppression};
    ++*at;
    return true;
  }
  return false;
}

static void add_suppressed(const mst_assessment_result *result, mst_str *out) {
  entry found;
  bool is_first = true;
  for (size_t at = 0; next_entry(result, MST_ASIDE_SUPPRESSED, &at, &found);) {
    if (is_first) mst_str_add(out, "\n### Suppressed\n\n| Id | Where | Reason |\n|---|---|---|\n");
    is_first = false;
    mst_str_add(out, "| ");
    mst_md_cell(out, found.id);
    mst_str_add(out, " | ");
    mst_md_place(out, found.site);
    mst_str_add(out, " | ");
    if (found.suppression->reason != NULL) mst_md_cell(out, found.suppression->reason);
    mst_str_add(out, " |\n");
  }
}

static void add_places(const mst_assessment_result *result, mst_aside why, const char *title,
                       mst_str *out) {
  entry found;
  bool is_first = true;
  for (size_t at = 0; next_entry(result, why, &at, &found);) {
    mst_str_add(out, is_first ? title : ", ");
    is_first = false;
    mst_md_text(out, found.id);
    mst_str_add(out, " ");
    mst_md_place(out, found.site);
  }
  if (!is_first) mst_str_add(out, "\n");
}

static void add_fixed(const mst_assessment_result *result, mst_str *out) {
  if (result->fixed_count == 0) return;
  mst_str_add(out, "\nFixed since the baseline was written: ");
  for (size_t i = 0; i < result->fixed_count; i++) {
    const mst_fixed *fixed = &result->fixed[i];
    const mst_site site = {.path = fixed->path};
    if (i > 0) mst_str_add(out, ", ");
    mst_md_text(out, fixed->name != NULL ? fixed->name : fixed->rule);
    mst_str_add(out, " ");
    mst_md_place(out, &site);
  }
  mst_str_add(out, "\n");
}

void mst_md_aside(const mst_assessment_result *result, mst_str *out) {
  add_suppressed(result, out);
  add_places(result, MST_ASIDE_KNOWN, "\n### Known from the baseline\n\n", out);
  add_places(result, MST_ASIDE_UNCHANGED, "\n### On lines that did not change\n\n", out);
  add_fixed(result, out);
}
