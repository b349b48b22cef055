/* SPDX-License-Identifier: Apache-2.0 */
/* Sections 2 to 5 of the Markdown report: the findings. */
#include <string.h>

#include "report/markdown.h"

#define FULL_FINDINGS 12 /* of one rule, with evidence; of further ones only the places */
#define SCALES_FUNCTIONS 12
#define SCALES_LINES 4

static bool is_nothing(const mst_assessment_result *result, mst_str *out) {
  if (result->verdict == MST_VERDICT_NONE) mst_str_add(out, "n/a - see verdict\n");
  return result->verdict == MST_VERDICT_NONE;
}

static void add_none(const mst_assessment_result *result, mst_str *out) {
  mst_str_addf(out, "%s.\n", mst_none(result));
}

/* ---- one finding ------------------------------------------------------------------------------------ */

/* Tabs may stay: they stand for the user's own indentation. */
static void add_code(mst_str *out, const char *line, size_t length) {
  for (size_t at = 0; at < length; at++) {
    const char *tab = memchr(line + at, '\t', length - at);
    const size_t until = tab != NULL ? (size_t)(tab - line) : length;
    mst_add_printable_bytes(out, line + at, until - at);
    if (tab != NULL) mst_str_add(out, "\t");
    at = until;
  }
}

static void add_fenced(mst_str *out, const char *code, char sign) {
  for (const char *line = code; *line != '\0';) {
    const size_t length = strcspn(line, "\n");
    mst_str_addf(out, "  %c ", sign);
    add_code(out, line, length);
    mst_str_add(out, "\n");
    line += length + (line[length] == '\n');
  }
}

/* What is said of the first in a list is said in short of the others. */
static void add_suggestion(mst_str *out, const mst_suggestion *suggestion, bool *is_warned) {
  const bool has_fence = strstr(suggestion->before, "```") != NULL;
  const char *fence = has_fence ? "~~~~" : "```";
  mst_str_addf(out, "\n  %sdiff\n", fence);
  add_fenced(out, suggestion->before, '-');
  add_fenced(out, suggestion->after, '+');
  mst_str_addf(out, "  %s\n", fence);
  if (suggestion->is_safe) return;
  mst_str_add(out, *is_warned ? "  Look first.\n"
                              : "  Look first: this is not the same in every case.\n");
  *is_warned = true;
}

static void add_where(mst_str *out, const mst_result_finding *finding) {
  mst_md_place(out, &finding->site);
  if (finding->function == NULL) return;
  mst_str_add(out, " in ");
  mst_md_code(out, finding->function);
}

static void add_finding(mst_str *out, const mst_result_finding *finding, bool with_id,
                        bool *is_warned) {
  mst_str_add(out, "- ");
  if (with_id) mst_str_addf(out, "%s ", finding->rule->id);
  add_where(out, finding);
  mst_str_add(out, ": ");
  mst_md_text(out, finding->message);
  const char *effect = mst_outcome_name(finding->outcome);
  mst_str_addf(out, " (%s%s%s, %s)\n", effect != NULL ? effect : "", effect != NULL ? ", " : "",
               mst_heat_name(finding->heat), mst_confidence_name(finding->confidence));
  for (unsigned i = 0; i < finding->evidence_count; i++) {
    if (strcmp(finding->evidence[i], mst_heat_name(finding->heat)) == 0) continue; /* said above */
    mst_str_add(out, "  - ");
    mst_md_text(out, finding->evidence[i]);
    mst_str_add(out, "\n");
  }
  if (finding->suggestion != NULL) add_suggestion(out, finding->suggestion, is_warned);
}

/* ---- which findings ------------------------------------------------------------------------------------- */

static size_t count_selected(const mst_assessment_result *result, const mst_selection *wanted) {
  size_t count = 0;
  for (size_t i = 0; i < result->finding_count; i++)
    if (mst_is_selected(wanted, &result->findings[i])) count++;
  return count;
}

/* The others of a group, below its first. */
static void add_others(const mst_assessment_result *result, size_t first, mst_groups *groups,
                       mst_str *out) {
  mst_str lines = {0};
  const size_t count = mst_begin_group(groups, result, first, &lines);
  if (count > 0) {
    mst_str_add(out, "  - likewise at ");
    mst_add_number_of(out, count, "other place");
    mst_str_addf(out, "%s: %s\n",
                 result->findings[first].function != NULL ? " of this function" : "",
                 mst_str_text(&lines));
  }
  if (lines.failed) out->failed = true;
  mst_str_reset(&lines);
}

static void add_selected(const mst_assessment_result *result, const mst_selection *wanted,
                         mst_str *out) {
  mst_groups groups = {0};
  bool is_warned = false;
  size_t shown = 0;
  for (size_t i = 0; i < result->finding_count; i++) {
    const mst_result_finding *finding = &result->findings[i];
    if (!mst_is_selected(wanted, finding) || mst_is_in_group(&groups, finding)) continue;
    if (shown++ < FULL_FINDINGS) {
      add_finding(out, finding, wanted->rule == NULL, &is_warned);
      add_others(result, i, &groups, out);
      continue;
    }
    mst_str_add(out, shown == FULL_FINDINGS + 1 ? "- also " : ", ");
    mst_md_place(out, &finding->site);
  }
  if (shown > FULL_FINDINGS) mst_str_add(out, "\n");
}

/* Findings that have no say: places only. */
static void add_worth_a_look(const mst_assessment_result *result, mst_category category,
                             mst_str *out) {
  const mst_selection wanted = {.category = category, .counting = false};
  if (count_selected(result, &wanted) == 0) return;
  mst_str_add(out, "\nWorth a look; not in the verdict:\n\n");
  for (unsigned r = 0; r < mst_rule_count; r++) {
    const mst_selection of_rule = {category, mst_rules[r]->id, NULL, false};
    if (count_selected(result, &of_rule) == 0) continue;
    mst_str_addf(out, "- %s %s:", mst_rules[r]->id, mst_rules[r]->name);
    bool first = true;
    for (size_t i = 0; i < result->finding_count; i++) {
      if (!mst_is_selected(&of_rule, &result->findings[i])) continue;
      mst_str_add(out, first ? " " : ", ");
      mst_md_place(out, &result->findings[i].site);
      first = false;
    }
    mst_str_add(out, "\n");
  }
}

/* ---- 2: what works ------------------------------------------------------------------------------------------ */

static bool same_function(const mst_result_finding *a, const mst_result_finding *b) {
  const char *of_a = a->function != NULL ? a->function : "";
  const char *of_b = b->function != NULL ? b->function : "";
  return strcmp(a->site.path, b->site.path) == 0 && strcmp(of_a, of_b) == 0;
}

/* Whether an earlier finding of the same function has the rule, or any rule (NULL). */
static bool is_repeated(const mst_assessment_result *result, size_t index, const mst_rule *rule) {
  for (size_t i = index; i > 0; i--) {
    const mst_result_finding *earlier = &result->findings[i - 1];
    if (strcmp(earlier->site.path, result->findings[index].site.path) != 0) break;
    if (earlier->rule->category != MST_SCALES) continue;
    if (!same_function(earlier, &result->findings[index])) continue;
    if (rule == NULL || earlier->rule == rule) return true;
  }
  return false;
}

/* "R005 stencil slicing, lines 12, 14 and 3 more". */
static void add_lines_of(const mst_assessment_result *result, size_t first, mst_str *out) {
  const mst_result_finding *of = &result->findings[first];
  mst_str lines = {0};
  unsigned shown = 0, all = 0;
  for (size_t i = first; i < result->finding_count; i++) {
    const mst_result_finding *finding = &result->findings[i];
    if (strcmp(finding->site.path, of->site.path) != 0) break;
    if (finding->rule != of->rule || !same_function(finding, of)) continue;
    if (++all > SCALES_LINES) continue;
    mst_str_addf(&lines, "%s%u", shown++ > 0 ? ", " : "", finding->site.line);
  }
  if (all > shown) mst_str_addf(&lines, " and %u more", all - shown);
  mst_str_addf(out, "%s %s, line%s %s", of->rule->id, of->rule->name, all > 1 ? "s" : "",
               mst_str_text(&lines));
  if (lines.failed) out->failed = true;
  mst_str_reset(&lines);
}

static void add_function(const mst_assessment_result *result, size_t first, mst_str *out) {
  const mst_result_finding *of = &result->findings[first];
  bool any = false;
  mst_str_add(out, "- ");
  mst_md_code(out, of->function != NULL ? of->function : "module level");
  mst_str_add(out, " (");
  mst_md_place(out, &of->site);
  mst_str_add(out, "): ");
  for (size_t i = first; i < result->finding_count; i++) {
    const mst_result_finding *finding = &result->findings[i];
    if (strcmp(finding->site.path, of->site.path) != 0) break;
    if (finding->rule->category != MST_SCALES || !same_function(finding, of)) continue;
    if (is_repeated(result, i, finding->rule)) continue;
    mst_str_add(out, any ? "; " : "");
    add_lines_of(result, i, out);
    any = true;
  }
  mst_str_add(out, "\n");
}

void mst_md_scales(const mst_assessment_result *result, mst_str *out) {
  size_t functions = 0;
  if (is_nothing(result, out)) return;
  for (size_t i = 0; i < result->finding_count; i++) {
    if (result->findings[i].rule->category != MST_SCALES) continue;
    if (is_repeated(result, i, NULL)) continue;
    if (functions++ < SCALES_FUNCTIONS) add_function(result, i, out);
  }
  if (functions == 0) add_none(result, out);
  if (functions > SCALES_FUNCTIONS)
    mst_str_addf(out, "- and %zu more functions\n", functions - SCALES_FUNCTIONS);
}

/* ---- 3: what blocks ------------------------------------------------------------------------------------------ */

/* A rule's findings may be for several recipes, and some may have advice of their own. What an
 * earlier rule's findings were told is not said again. */
static void add_recipes_of(const mst_assessment_result *result, const mst_selection *wanted,
                           uint64_t *told, mst_str *out) {
  for (unsigned r = 0; r < mst_recipe_count; r++) {
    const mst_recipe *recipe = &mst_recipes[r];
    mst_selection of_recipe = *wanted;
    mst_advice advice = {0};
    of_recipe.recipe = recipe->id;
    for (size_t i = 0; i < result->finding_count; i++)
      if (mst_is_selected(&of_recipe, &result->findings[i]))
        mst_advice_add(&advice, &result->findings[i]);
    if (advice.general == NULL && advice.special == NULL) continue;
    if (!recipe->is_unnamed) mst_str_addf(out, " %s:", recipe->id);
    const bool is_told = r < 64 && (*told & UINT64_C(1) << r) != 0;
    if (advice.general != NULL) mst_str_addf(out, " %s", is_told ? "as above." : advice.general);
    if (advice.general != NULL && r < 64) *told |= UINT64_C(1) << r;
    if (advice.special != NULL) mst_str_addf(out, " %s", advice.special);
  }
  mst_str_add(out, "\n\n");
}

void mst_md_blocks(const mst_assessment_result *result, mst_str *out) {
  bool any = false;
  uint64_t told = 0; /* recipes, by their place in the order */
  if (is_nothing(result, out)) return;
  for (unsigned r = 0; r < mst_rule_count; r++) {
    const mst_rule *rule = mst_rules[r];
    const mst_selection wanted = {MST_BLOCKS, rule->id, NULL, true};
    const size_t count = count_selected(result, &wanted);
    if (count == 0) continue;
    mst_str_addf(out, "%s### %s %s (", any ? "\n" : "", rule->id, rule->name);
    mst_add_number_of(out, count, "place");
    mst_str_addf(out, ")\n\n%s", rule->why);
    add_recipes_of(result, &wanted, &told, out);
    add_selected(result, &wanted, out);
    any = true;
  }
  if (!any) add_none(result, out);
  add_worth_a_look(result, MST_BLOCKS, out);
}

/* ---- 4: what is fixable ------------------------------------------------------------------------------------ */

/* A recipe without a name goes by the rule that it is for. */
static const char *title_of(const mst_assessment_result *result, const mst_selection *wanted) {
  const char *name = mst_recipe_name(wanted->recipe);
  if (name != NULL && *name != '\0') return name;
  for (size_t i = 0; i < result->finding_count; i++)
    if (mst_is_selected(wanted, &result->findings[i])) return result->findings[i].rule->name;
  return "";
}

static bool add_recipe(const mst_assessment_result *result, const char *id, const char *text,
                       bool first, mst_str *out) {
  const mst_selection wanted = {MST_REFACTOR, NULL, id, true};
  if (count_selected(result, &wanted) == 0) return false;
  mst_str_addf(out, "%s### %s\n\n%s\n\n", first ? "" : "\n", title_of(result, &wanted), text);
  add_selected(result, &wanted, out);
  return true;
}

void mst_md_refactors(const mst_assessment_result *result, mst_str *out) {
  bool any = false;
  if (is_nothing(result, out)) return;
  for (unsigned i = 0; i < mst_recipe_count; i++)
    any = add_recipe(result, mst_recipes[i].id, mst_recipes[i].text, !any, out) || any;
  any = add_recipe(result, "", "Each place says what to do.", !any, out) || any;
  if (!any) add_none(result, out);
  add_worth_a_look(result, MST_REFACTOR, out);
}

/* ---- 5: notes ------------------------------------------------------------------------------------------------ */

void mst_md_notes(const mst_assessment_result *result, mst_str *out) {
  bool any = false;
  if (is_nothing(result, out)) return;
  for (unsigned r = 0; r < mst_rule_count; r++) {
    const mst_rule *rule = mst_rules[r];
    if (rule->category != MST_INFO && rule->category != MST_AUDIT) continue;
    for (int counting = 1; counting >= 0; counting--) {
      const mst_selection wanted = {rule->category, rule->id, NULL, counting != 0};
      if (count_selected(result, &wanted) == 0) continue;
      mst_str_addf(out, "%s**%s %s**%s: %s\n\n", any ? "\n" : "", rule->id, rule->name,
                   counting != 0 ? " (counts in the verdict)" : "", rule->why);
      add_selected(result, &wanted, out);
      any = true;
    }
  }
  if (!any) add_none(result, out);
}
