/* SPDX-License-Identifier: Apache-2.0 */
/* Sections 2 to 5 of the page, and the table of findings. */
#include <inttypes.h>
#include <string.h>

#include "report/html.h"

const char *mst_html_kind(const mst_result_finding *finding) {
  if (finding->rule->category == MST_SCALES) return "scales";
  if (finding->outcome == MST_OUTCOME_RAISES) return "raises";
  if (finding->outcome == MST_OUTCOME_WRONG) return "wrong";
  if (strcmp(finding->rule->id, "R301") == 0) return "host";
  if (finding->rule->category == MST_BLOCKS) return "cost";
  return finding->rule->category == MST_REFACTOR ? "change" : "note";
}

static bool is_nothing(const mst_html *page) {
  if (page->result->verdict != MST_VERDICT_NONE) return false;
  mst_str_add(page->out, "<p>n/a - see verdict</p>\n");
  return true;
}

static void add_none(const mst_html *page) {
  mst_str_addf(page->out, "<p>%s.</p>\n", mst_none(page->result));
}

static void add_badge(mst_str *out, const char *kind, const char *word) {
  mst_str_addf(out, " <span class=\"badge %s\">%s</span>", kind, word);
}

/* ---- one finding --------------------------------------------------------------------------------- */

static void add_diff(mst_str *out, const char *code, char sign) {
  const char *element = sign == '-' ? "del" : "ins";
  for (const char *line = code; *line != '\0';) {
    const size_t length = strcspn(line, "\n");
    mst_str_addf(out, "<%s>%c ", element, sign);
    mst_html_line(out, line, length);
    mst_str_addf(out, "</%s>\n", element);
    line += length + (line[length] == '\n');
  }
}

static void add_suggestion(mst_str *out, const mst_suggestion *suggestion) {
  mst_str_add(out, "<p>Before and after:</p>\n<pre class=\"diff\" tabindex=\"0\">");
  add_diff(out, suggestion->before, '-');
  add_diff(out, suggestion->after, '+');
  mst_str_add(out, "</pre>\n");
  if (!suggestion->is_safe)
    mst_str_add(out, "<p>Look first: this is not the same in every case.</p>\n");
}

static void add_evidence(mst_str *out, const mst_result_finding *finding) {
  mst_str_add(out, "<ol class=\"evidence\">\n");
  for (unsigned i = 0; i < finding->evidence_count; i++) {
    if (strcmp(finding->evidence[i], mst_heat_name(finding->heat)) == 0) continue; /* said below */
    mst_str_add(out, "<li>");
    mst_html_text(out, finding->evidence[i]);
    mst_str_add(out, "</li>\n");
  }
  mst_str_addf(out, "<li>%s place, %s</li>\n</ol>\n", mst_heat_name(finding->heat),
               mst_confidence_name(finding->confidence));
}

static void add_finding(const mst_html *page, size_t index) {
  mst_str *out = page->out;
  const mst_result_finding *finding = &page->result->findings[index];
  const char *effect = mst_outcome_name(finding->outcome);
  const char *recipe = mst_recipe_name(finding->recipe);
  mst_str_addf(out, "<details class=\"finding %s\"><summary>%s ", mst_html_kind(finding),
               finding->rule->id);
  mst_html_place(page, &finding->site);
  mst_str_add(out, ": ");
  mst_html_text(out, finding->message);
  if (effect != NULL) add_badge(out, mst_html_kind(finding), effect);
  add_badge(out, "plain", mst_heat_name(finding->heat));
  mst_str_addf(out, "</summary>\n<div class=\"more\" id=\"f%zu\" tabindex=\"-1\">\n", index + 1);
  if (finding->function != NULL) {
    mst_str_add(out, "<p>In ");
    mst_html_code(out, finding->function);
    mst_str_addf(out, "%s%s.</p>\n", recipe != NULL ? "; recipe " : "",
                 recipe != NULL ? recipe : "");
  }
  add_evidence(out, finding);
  if (finding->advice != NULL) {
    mst_str_add(out, "<p>");
    mst_html_text(out, finding->advice);
    mst_str_add(out, "</p>\n");
  }
  if (finding->suggestion != NULL) add_suggestion(out, finding->suggestion);
  mst_str_add(out, "</div></details>\n");
}

/* ---- which findings ------------------------------------------------------------------------------ */

static size_t count_selected(const mst_html *page, const mst_selection *wanted) {
  size_t count = 0;
  for (size_t i = 0; i < page->shown; i++)
    count += mst_is_selected(wanted, &page->result->findings[i]);
  return count;
}

static void add_selected(const mst_html *page, const mst_selection *wanted) {
  for (size_t i = 0; i < page->shown; i++)
    if (mst_is_selected(wanted, &page->result->findings[i])) add_finding(page, i);
}

static void begin_group(const mst_html *page, const char *id, const char *name, size_t count) {
  mst_str_addf(page->out, "<h3>%s%s%s <span class=\"count\">", id, *id != '\0' ? " " : "", name);
  mst_add_number_of(page->out, count, "place");
  mst_str_add(page->out, "</span></h3>\n");
}

static void add_paragraph(const mst_html *page, const char *text) {
  mst_str_add(page->out, "<p>");
  mst_html_text(page->out, text);
  mst_str_add(page->out, "</p>\n");
}

/* What has no say stands apart, closed. */
static void add_worth_a_look(const mst_html *page, mst_category category) {
  const mst_selection wanted = {.category = category, .counting = false};
  const size_t count = count_selected(page, &wanted);
  if (count == 0) return;
  mst_str_add(page->out, "<details class=\"group\"><summary>Worth a look; not in the verdict (");
  mst_add_number_of(page->out, count, "place");
  mst_str_add(page->out, ")</summary>\n");
  add_selected(page, &wanted);
  mst_str_add(page->out, "</details>\n");
}

/* ---- 2: what works ------------------------------------------------------------------------------- */

static bool is_same_function(const mst_result_finding *a, const mst_result_finding *b) {
  const char *of_a = a->function != NULL ? a->function : "";
  const char *of_b = b->function != NULL ? b->function : "";
  return strcmp(a->site.path, b->site.path) == 0 && strcmp(of_a, of_b) == 0;
}

/* One behind the last of the findings that follow one another in one function, others passed over.
 */
static size_t end_of_run(const mst_html *page, size_t first) {
  const mst_result_finding *findings = page->result->findings;
  size_t end = first + 1;
  for (size_t i = end; i < page->shown; i++) {
    if (findings[i].rule->category != MST_SCALES) continue;
    if (!is_same_function(&findings[i], &findings[first])) break;
    end = i + 1;
  }
  return end;
}

static void add_rule_of_run(const mst_html *page, const mst_rule *rule, size_t first, size_t end) {
  bool any = false;
  for (size_t i = first; i < end; i++) {
    const mst_result_finding *finding = &page->result->findings[i];
    if (finding->rule != rule) continue;
    if (!any)
      mst_str_addf(page->out, " <span class=\"praise\"><b>%s</b> %s, line ", rule->id, rule->name);
    else
      mst_str_add(page->out, ", ");
    mst_html_line_number(page, &finding->site);
    any = true;
  }
  if (any) mst_str_add(page->out, "</span>");
}

static void add_run(const mst_html *page, size_t first, size_t end) {
  const mst_result_finding *finding = &page->result->findings[first];
  mst_str_add(page->out, "<li>");
  mst_html_code(page->out, finding->function != NULL ? finding->function : "module level");
  mst_str_add(page->out, " (");
  mst_html_place(page, &finding->site);
  mst_str_add(page->out, "):");
  for (unsigned r = 0; r < mst_rule_count; r++)
    if (mst_rules[r]->category == MST_SCALES) add_rule_of_run(page, mst_rules[r], first, end);
  mst_str_add(page->out, "</li>\n");
}

void mst_html_scales(const mst_html *page) {
  bool any = false;
  if (is_nothing(page)) return;
  for (size_t i = 0; i < page->shown; i++) {
    if (page->result->findings[i].rule->category != MST_SCALES) continue;
    const size_t end = end_of_run(page, i);
    if (!any) mst_str_add(page->out, "<ul class=\"scales-list\">\n");
    add_run(page, i, end);
    any = true;
    i = end - 1;
  }
  if (any)
    mst_str_add(page->out, "</ul>\n");
  else
    add_none(page);
}

/* ---- 3: what blocks ------------------------------------------------------------------------------ */

static void add_recipes_of(const mst_html *page, const mst_selection *wanted) {
  for (unsigned r = 0; r < mst_recipe_count; r++) {
    const mst_recipe *recipe = &mst_recipes[r];
    mst_selection of_recipe = *wanted;
    mst_advice advice = {0};
    of_recipe.recipe = recipe->id;
    for (size_t i = 0; i < page->shown; i++)
      if (mst_is_selected(&of_recipe, &page->result->findings[i]))
        mst_advice_add(&advice, &page->result->findings[i]);
    if (advice.general == NULL) continue;
    mst_str_add(page->out, "<p class=\"recipe\">");
    if (!recipe->is_unnamed) mst_str_addf(page->out, "<b>%s</b>: ", recipe->id);
    mst_html_text(page->out, advice.general);
    mst_str_add(page->out, "</p>\n");
  }
}

void mst_html_blocks(const mst_html *page) {
  bool any = false;
  if (is_nothing(page)) return;
  for (unsigned r = 0; r < mst_rule_count; r++) {
    const mst_rule *rule = mst_rules[r];
    const mst_selection wanted = {MST_BLOCKS, rule->id, NULL, true};
    const size_t count = count_selected(page, &wanted);
    if (count == 0) continue;
    begin_group(page, rule->id, rule->name, count);
    add_paragraph(page, rule->why);
    add_recipes_of(page, &wanted);
    add_selected(page, &wanted);
    any = true;
  }
  if (!any) add_none(page);
  add_worth_a_look(page, MST_BLOCKS);
}

/* ---- 4: what is fixable -------------------------------------------------------------------------- */

/* A recipe without a name goes by the rule that it is for. */
static const char *title_of(const mst_html *page, const mst_selection *wanted) {
  const char *name = mst_recipe_name(wanted->recipe);
  if (name != NULL && *name != '\0') return name;
  for (size_t i = 0; i < page->shown; i++)
    if (mst_is_selected(wanted, &page->result->findings[i]))
      return page->result->findings[i].rule->name;
  return "";
}

static bool add_recipe(const mst_html *page, const char *id, const char *text) {
  const mst_selection wanted = {MST_REFACTOR, NULL, id, true};
  const size_t count = count_selected(page, &wanted);
  if (count == 0) return false;
  begin_group(page, "", title_of(page, &wanted), count);
  add_paragraph(page, text);
  add_selected(page, &wanted);
  return true;
}

void mst_html_refactors(const mst_html *page) {
  bool any = false;
  if (is_nothing(page)) return;
  for (unsigned i = 0; i < mst_recipe_count; i++)
    any = add_recipe(page, mst_recipes[i].id, mst_recipes[i].text) || any;
  any = add_recipe(page, "", "Each place says what to do.") || any;
  if (!any) add_none(page);
  add_worth_a_look(page, MST_REFACTOR);
}

/* ---- 5: notes ------------------------------------------------------------------------------------ */

void mst_html_notes(const mst_html *page) {
  bool any = false;
  if (is_nothing(page)) return;
  for (unsigned r = 0; r < mst_rule_count; r++) {
    const mst_rule *rule = mst_rules[r];
    if (rule->category != MST_INFO && rule->category != MST_AUDIT) continue;
    for (int counting = 1; counting >= 0; counting--) {
      const mst_selection wanted = {rule->category, rule->id, NULL, counting != 0};
      const size_t count = count_selected(page, &wanted);
      if (count == 0) continue;
      begin_group(page, rule->id, rule->name, count);
      if (counting != 0) mst_str_add(page->out, "<p>Counts in the verdict.</p>\n");
      add_paragraph(page, rule->why);
      add_selected(page, &wanted);
      any = true;
    }
  }
  if (!any) add_none(page);
}

/* ---- the table ----------------------------------------------------------------------------------- */

/* By how bad it is, for sorting. */
static unsigned rank_of(const mst_result_finding *finding) {
  static const unsigned ranks[] = {[MST_OUTCOME_RAISES] = 0,
                                   [MST_OUTCOME_WRONG] = 1,
                                   [MST_OUTCOME_COST] = 2,
                                   [MST_OUTCOME_NONE] = 3};
  return ranks[finding->outcome];
}

static void add_row(const mst_html *page, size_t index, size_t number) {
  mst_str *out = page->out;
  const mst_result_finding *finding = &page->result->findings[index];
  const char *effect = mst_outcome_name(finding->outcome);
  mst_str_addf(out, "<tr class=\"%s\"><td data-key=\"%zu\">", mst_html_kind(finding), number);
  mst_html_place(page, &finding->site);
  mst_str_addf(out, "</td><td><abbr title=\"%s\">%s</abbr></td><td data-key=\"%u\">",
               finding->rule->name, finding->rule->id, rank_of(finding));
  mst_str_addf(out, "<span class=\"badge %s\">%s</span></td>", mst_html_kind(finding),
               effect != NULL ? effect : "note");
  mst_str_addf(out, "<td data-key=\"%d\">%s</td><td data-key=\"%d\">%s</td>",
               MST_HEAT_HOT - (int)finding->heat, mst_heat_name(finding->heat),
               finding->counts ? 0 : 1, finding->counts ? "yes" : "no");
  mst_str_addf(out, "<td><a href=\"#f%zu\">", index + 1);
  mst_html_text(out, finding->message);
  mst_str_add(out, "</a></td></tr>\n");
}

static const char table_head[] =
    "<form class=\"filter\" role=\"search\" hidden><label for=\"filter\">Filter by text</label> "
    "<input id=\"filter\" type=\"search\" autocomplete=\"off\"> "
    "<output id=\"matches\" for=\"filter\"></output></form>\n"
    "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"Table of findings\">"
    "<table id=\"findings-table\"><caption>Every finding that asks for something; the last column "
    "leads to its evidence.</caption><thead><tr>"
    "<th scope=\"col\" aria-sort=\"ascending\">Place</th><th scope=\"col\">Rule</th>"
    "<th scope=\"col\">Effect</th><th scope=\"col\">Heat</th><th scope=\"col\">Counts</th>"
    "<th scope=\"col\">Finding</th></tr></thead><tbody>\n";

void mst_html_table(const mst_html *page) {
  size_t count = 0;
  for (size_t i = 0; i < page->shown; i++)
    count += mst_is_complaint(&page->result->findings[i]);
  if (is_nothing(page)) return;
  if (count == 0) {
    add_none(page);
    return;
  }
  mst_str_add(page->out, table_head);
  count = 0;
  for (size_t i = 0; i < page->shown; i++)
    if (mst_is_complaint(&page->result->findings[i])) add_row(page, i, count++);
  mst_str_add(page->out, "</tbody></table></div>\n");
  if (page->shown < page->result->finding_count)
    mst_str_addf(page->out,
                 "<p>%zu more findings are left out of this page: <code>--format json</code> has "
                 "all.</p>\n",
                 page->result->finding_count - page->shown);
}
