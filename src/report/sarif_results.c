/* SPDX-License-Identifier: Apache-2.0 */
/* Findings and gaps as results of SARIF. What works (SCALES) is none: nothing is to be done there.
 */
#include <inttypes.h>

#include "base/alloc.h"
#include "report/sarif.h"

const char *mst_sarif_level_of(mst_outcome outcome, bool counts) {
  if (!counts) return "note";
  return outcome == MST_OUTCOME_RAISES || outcome == MST_OUTCOME_WRONG ? "error" : "warning";
}

/* ---- what both have ---------------------------------------------------------------------------- */

static yyjson_mut_val *begin_result(mst_sarif *sarif, yyjson_mut_val *list, const char *rule,
                                    unsigned index, const char *level) {
  yyjson_mut_val *object = yyjson_mut_arr_add_obj(sarif->doc, list);
  mst_sarif_text(sarif, object, "ruleId", rule);
  yyjson_mut_obj_add_uint(sarif->doc, object, "ruleIndex", index);
  mst_sarif_text(sarif, object, "level", level);
  return object;
}

/* Lines of a notebook are no lines of its file, so the message says where in it. */
static void begin_message(mst_sarif *sarif, const mst_site *site) {
  if (site->cell > 0)
    mst_str_addf(&sarif->scratch, "cell %" PRIu32 ", line %" PRIu32 ": ", site->cell, site->line);
}

static void add_fingerprint(mst_sarif *sarif, yyjson_mut_val *object,
                            const mst_fingerprint *print) {
  yyjson_mut_val *prints = yyjson_mut_obj_add_obj(sarif->doc, object, "partialFingerprints");
  mst_str_addf(&sarif->scratch, "%016" PRIx64 ":%" PRIu32, print->number, print->ordinal);
  mst_sarif_take(sarif, prints, "muster/v1");
}

/* Code scanning shows what is suppressed as dismissed, and only what is new as new. */
static void add_aside(mst_sarif *sarif, yyjson_mut_val *object, mst_aside aside,
                      const mst_suppression *suppression) {
  const mst_context *context = &sarif->result->context;
  if (suppression != NULL) {
    yyjson_mut_val *list = yyjson_mut_obj_add_arr(sarif->doc, object, "suppressions");
    yyjson_mut_val *inner = yyjson_mut_arr_add_obj(sarif->doc, list);
    mst_sarif_text(sarif, inner, "kind", "inSource");
    if (suppression->reason != NULL)
      mst_sarif_text(sarif, inner, "justification", suppression->reason);
  } else if (context->baseline != NULL || context->changed_since != NULL) {
    mst_sarif_text(sarif, object, "baselineState", aside == MST_ASIDE_NOT ? "new" : "unchanged");
  }
}

/* ---- findings -------------------------------------------------------------------------------------- */

static void add_replacement(mst_sarif *sarif, yyjson_mut_val *list,
                            const mst_replacement *replacement) {
  yyjson_mut_doc *doc = sarif->doc;
  yyjson_mut_val *inner = yyjson_mut_arr_add_obj(doc, list);
  yyjson_mut_val *region = yyjson_mut_obj_add_obj(doc, inner, "deletedRegion");
  yyjson_mut_obj_add_uint(doc, region, "startLine", replacement->line);
  yyjson_mut_obj_add_uint(doc, region, "startColumn", replacement->column);
  yyjson_mut_obj_add_uint(doc, region, "endLine", replacement->end_line);
  yyjson_mut_obj_add_uint(doc, region, "endColumn", replacement->end_column);
  yyjson_mut_val *content = yyjson_mut_obj_add_obj(doc, inner, "insertedContent");
  mst_sarif_text(sarif, content, "text", replacement->text);
}

static void add_fix(mst_sarif *sarif, yyjson_mut_val *object, const mst_result_finding *finding) {
  const mst_replacement *replacement = finding->replacement;
  yyjson_mut_doc *doc = sarif->doc;
  if (replacement == NULL || !finding->suggestion->is_safe) return;
  yyjson_mut_val *fixes = yyjson_mut_obj_add_arr(doc, object, "fixes");
  yyjson_mut_val *fix = yyjson_mut_arr_add_obj(doc, fixes);
  const mst_recipe *recipe = finding->recipe != NULL ? mst_recipe_find(finding->recipe) : NULL;
  const char *advice = finding->advice != NULL ? finding->advice
                       : recipe != NULL        ? recipe->text
                                               : finding->rule->summary;
  mst_sarif_message(sarif, fix, "description", advice);
  yyjson_mut_val *changes = yyjson_mut_obj_add_arr(doc, fix, "artifactChanges");
  yyjson_mut_val *change = yyjson_mut_arr_add_obj(doc, changes);
  mst_sarif_artifact(sarif, change, "artifactLocation", finding->site.path);
  yyjson_mut_val *list = yyjson_mut_obj_add_arr(doc, change, "replacements");
  for (; replacement != NULL; replacement = replacement->next)
    add_replacement(sarif, list, replacement);
}

static void add_suggestion(mst_sarif *sarif, yyjson_mut_val *object,
                           const mst_suggestion *suggestion) {
  if (suggestion == NULL) return;
  yyjson_mut_val *inner = yyjson_mut_obj_add_obj(sarif->doc, object, "suggestion");
  mst_sarif_text(sarif, inner, "before", suggestion->before);
  mst_sarif_text(sarif, inner, "after", suggestion->after);
  yyjson_mut_obj_add_bool(sarif->doc, inner, "safe", suggestion->is_safe);
}

static void add_properties(mst_sarif *sarif, yyjson_mut_val *object,
                           const mst_result_finding *finding) {
  yyjson_mut_val *bag = yyjson_mut_obj_add_obj(sarif->doc, object, "properties");
  yyjson_mut_obj_add_bool(sarif->doc, bag, "counts", finding->counts);
  mst_sarif_text(sarif, bag, "category", mst_category_name(finding->rule->category));
  mst_sarif_text(sarif, bag, "effect", mst_outcome_name(finding->outcome));
  mst_sarif_text(sarif, bag, "heat", mst_heat_name(finding->heat));
  mst_sarif_text(sarif, bag, "confidence", mst_confidence_name(finding->confidence));
  mst_sarif_text(sarif, bag, "recipe", mst_recipe_name(finding->recipe));
  mst_sarif_texts(sarif, bag, "evidence", finding->evidence, finding->evidence_count);
  add_suggestion(sarif, bag, finding->suggestion);
}

static unsigned index_of(const mst_rule *rule) {
  unsigned index = 0;
  while (index < mst_rule_count && mst_rules[index] != rule)
    index++;
  return index;
}

static void add_finding(mst_sarif *sarif, yyjson_mut_val *list, const mst_result_finding *finding,
                        const mst_fingerprint *print) {
  const char *level = mst_sarif_level_of(finding->outcome, finding->counts);
  yyjson_mut_val *object =
      begin_result(sarif, list, finding->rule->id, index_of(finding->rule), level);
  begin_message(sarif, &finding->site);
  mst_add_printable(&sarif->scratch, finding->message);
  mst_sarif_take_message(sarif, object, "message");
  mst_sarif_location(sarif, object, &finding->site, finding->function);
  add_fingerprint(sarif, object, print);
  add_aside(sarif, object, finding->aside, finding->suppression);
  add_fix(sarif, object, finding);
  add_properties(sarif, object, finding);
}

static bool add_findings(mst_sarif *sarif, yyjson_mut_val *list) {
  const mst_assessment_result *result = sarif->result;
  const size_t count = result->all_finding_count;
  mst_fingerprint *prints = mst_fingerprints_of_findings(result->all_findings, count);
  if (prints == NULL) return false;
  for (size_t i = 0; i < count; i++)
    if (mst_is_complaint(&result->all_findings[i]))
      add_finding(sarif, list, &result->all_findings[i], &prints[i]);
  mst_free(prints);
  return true;
}

/* ---- gaps ---------------------------------------------------------------------------------------- */

static void add_gap(mst_sarif *sarif, yyjson_mut_val *list, const mst_result_gap *gap,
                    const mst_fingerprint *print) {
  const mst_outcome outcome = gap->raises ? MST_OUTCOME_RAISES : MST_OUTCOME_COST;
  const bool counts = gap->aside == MST_ASIDE_NOT && mst_gap_counts(sarif->result, gap);
  yyjson_mut_val *object = begin_result(sarif, list, MST_SARIF_GAP_RULE, mst_rule_count,
                                        mst_sarif_level_of(outcome, counts));
  begin_message(sarif, &gap->site);
  mst_add_gap(&sarif->scratch, gap);
  mst_sarif_take_message(sarif, object, "message");
  mst_sarif_location(sarif, object, &gap->site, NULL);
  add_fingerprint(sarif, object, print);
  add_aside(sarif, object, gap->aside, gap->suppression);
  yyjson_mut_val *bag = yyjson_mut_obj_add_obj(sarif->doc, object, "properties");
  mst_sarif_text(sarif, bag, "name", gap->name);
  mst_sarif_text(sarif, bag, "supportLevel", gap->level);
  mst_sarif_text(sarif, bag, "heat", mst_heat_name(gap->heat));
  yyjson_mut_obj_add_bool(sarif->doc, bag, "central", gap->central);
}

static bool add_gaps(mst_sarif *sarif, yyjson_mut_val *list) {
  const mst_assessment_result *result = sarif->result;
  const size_t count = result->all_gap_count;
  mst_fingerprint *prints = mst_fingerprints_of_gaps(result->all_gaps, count);
  if (prints == NULL) return false;
  for (size_t i = 0; i < count; i++)
    add_gap(sarif, list, &result->all_gaps[i], &prints[i]);
  mst_free(prints);
  return true;
}

bool mst_sarif_add_results(mst_sarif *sarif, yyjson_mut_val *run) {
  yyjson_mut_val *list = yyjson_mut_obj_add_arr(sarif->doc, run, "results");
  return add_findings(sarif, list) && add_gaps(sarif, list);
}
