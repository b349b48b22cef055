/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The report as one page for a browser, which asks for nothing from anywhere: the eight sections,
 * a table of findings that can be sorted, and the sources with what is said of their lines. All of
 * it can be read without the script.
 */
#include <inttypes.h>
#include <string.h>

#include "base/status.h"
#include "report/html.h"
#include "report/html_assets.h"

/* ---- the head ------------------------------------------------------------------------------------ */

static void add_asset(mst_str *out, const char *element, const unsigned char *bytes,
                      size_t length) {
  mst_str_addf(out, "<%s>", element);
  mst_str_add_bytes(out, (const char *)bytes, length);
  mst_str_addf(out, "</%s>\n", element);
}

/* No style, script, image or font but the two that are carried, whatever the text may hold. */
static void add_head(mst_str *out) {
  mst_str_add(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                   "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                   "base-uri 'none'; form-action 'none'; style-src '");
  mst_html_digest(out, mst_html_css_sha256);
  mst_str_add(out, "'; script-src '");
  mst_html_digest(out, mst_html_js_sha256);
  mst_str_add(out, "'\">\n<meta name=\"viewport\" content=\"width=device-width, "
                   "initial-scale=1\">\n<meta name=\"color-scheme\" content=\"light dark\">\n"
                   "<meta name=\"referrer\" content=\"no-referrer\">\n"
                   "<title>muster assess</title>\n");
  add_asset(out, "style", mst_html_css, mst_html_css_length);
  mst_str_add(out, "</head>\n");
}

static const struct part {
  const char *id, *title;
} parts[] = {{"verdict", "1. Verdict"},
             {"scales", "2. What works (SCALES)"},
             {"blocks", "3. What blocks (BLOCKS)"},
             {"refactor", "4. What's fixable (REFACTOR)"},
             {"notes", "5. Compatibility and cost notes (INFO)"},
             {"gaps", "6. API support gaps"},
             {"gates", "7. Decision-framework summary"},
             {"steps", "8. Recommended next steps"},
             {"findings", "All findings"},
             {"sources", "Sources"}};

static void add_banner(mst_str *out) {
  mst_str_add(out, "<body>\n<a class=\"skip-link\" href=\"#main\">To the report</a>\n"
                   "<header><h1>muster assess: will this NumPy code scale on cuPyNumeric?</h1>\n"
                   "<button type=\"button\" id=\"theme\" hidden>Dark</button></header>\n"
                   "<nav aria-label=\"Sections\"><ul>\n");
  for (unsigned i = 0; i < sizeof parts / sizeof *parts; i++)
    mst_str_addf(out, "<li><a href=\"#%s\">%s</a></li>\n", parts[i].id, parts[i].title);
  mst_str_add(out, "</ul></nav>\n<main id=\"main\">\n");
}

/* ---- the top ------------------------------------------------------------------------------------- */

static void begin_row(mst_str *out, const char *item) {
  mst_str_addf(out, "<tr><th scope=\"row\">%s</th><td>", item);
}

static void add_files(const mst_html *page) {
  const size_t skipped = mst_files_with(page->result, "skipped");
  const size_t left = mst_files_with(page->result, "not assessed");
  begin_row(page->out, "files");
  mst_str_addf(page->out, "%zu assessed", mst_files_with(page->result, "assessed"));
  if (skipped > 0) mst_str_addf(page->out, ", %zu without NumPy", skipped);
  if (left > 0) mst_str_addf(page->out, ", %zu not assessed", left);
  mst_str_add(page->out, "</td><td></td></tr>\n");
}

static void add_manifest(const mst_html *page) {
  const mst_assessment_result *result = page->result;
  begin_row(page->out, "API support");
  mst_str_add(page->out, "cuPyNumeric ");
  mst_html_text(page->out, result->manifest_version != NULL ? result->manifest_version : "unknown");
  if (result->manifest_date != NULL) {
    mst_str_add(page->out, ", fetched ");
    mst_html_text(page->out, result->manifest_date);
  }
  mst_str_add(page->out, "</td><td></td></tr>\n");
}

static void add_context(const mst_html *page) {
  mst_str *out = page->out;
  mst_str_add(out,
              "<section id=\"context\" aria-label=\"Context\"><table><caption>Context</caption>"
              "<thead><tr><th scope=\"col\">Item</th><th scope=\"col\">Value</th>"
              "<th scope=\"col\">Where from</th></tr></thead><tbody>\n");
  for (unsigned i = 0; i < page->result->context_line_count; i++) {
    const mst_context_line *line = &page->result->context_lines[i];
    begin_row(out, line->item);
    mst_html_text(out, line->value);
    mst_str_addf(out, "</td><td>%s</td></tr>\n",
                 line->is_default      ? "default"
                 : line->is_configured ? "configured"
                                       : "given");
  }
  add_files(page);
  add_manifest(page);
  mst_str_add(out, "</tbody></table>\n");
  if (page->result->manifest_warning != NULL) {
    mst_str_add(out, "<p class=\"warning\">");
    mst_html_text(out, page->result->manifest_warning);
    mst_str_add(out, "</p>\n");
  }
}

static void add_diagnostics(const mst_html *page) {
  mst_str *out = page->out;
  const mst_assessment_result *result = page->result;
  if (result->diagnostic_count > 0) {
    mst_str_add(out, "<p>Not all could be read:</p>\n<ul>\n");
    for (size_t i = 0; i < result->diagnostic_count; i++) {
      mst_str_add(out, "<li>");
      mst_html_place(page, &result->diagnostics[i].site);
      mst_str_add(out, ": ");
      mst_html_text(out, result->diagnostics[i].message);
      mst_str_add(out, "</li>\n");
    }
    mst_str_add(out, "</ul>\n");
  }
  mst_str_add(out, "</section>\n");
}

static const char *verdict_class(mst_verdict verdict) {
  switch (verdict) {
  case MST_VERDICT_READY: return "ready";
  case MST_VERDICT_LIGHT: return "light";
  case MST_VERDICT_SIGNIFICANT: return "significant";
  case MST_VERDICT_NOT_RECOMMENDED: return "refused";
  case MST_VERDICT_NONE: break;
  }
  return "none";
}

static void add_verdict(const mst_html *page) {
  mst_str *out = page->out;
  const mst_assessment_result *result = page->result;
  const char *name = mst_verdict_name(result->verdict), *sentence = result->verdict_sentence;
  mst_str_addf(out, "<div class=\"verdict %s\"><p>", verdict_class(result->verdict));
  if (name != NULL && mst_starts_with(sentence, name)) {
    mst_str_addf(out, "<strong>%s</strong>", name);
    sentence += strlen(name);
  }
  mst_html_text(out, sentence);
  mst_str_add(out, "</p>\n<p>");
  mst_html_text(out, result->runs_sentence);
  mst_str_add(out, "</p></div>\n");
  if (result->composite != NULL) {
    mst_str_addf(out, "<p>Altogether: <strong>%s</strong> (", result->composite);
    mst_html_text(out, result->composite_reason);
    mst_str_add(out, ").</p>\n");
  }
  if (result->imports_cupynumeric)
    mst_str_add(out, "<p>The code imports cupynumeric already: questions about its measured speed "
                     "belong to <code>legate --profile</code>.</p>\n");
}

/* ---- 6: gaps ------------------------------------------------------------------------------------- */

static void add_gap(const mst_html *page, const mst_result_gap *gap) {
  mst_str *out = page->out;
  mst_str_add(out, "<tr><td>");
  mst_html_code(out, gap->name);
  mst_str_addf(out, "</td><td>%s%s</td><td>", gap->level, gap->raises ? ", raises" : "");
  mst_html_place(page, &gap->site);
  mst_str_addf(out, "</td><td>%s%s</td><td>", mst_heat_name(gap->heat),
               gap->central ? ", central" : "");
  if (gap->note != NULL) mst_html_text(out, gap->note);
  mst_str_add(out, "</td></tr>\n");
}

static void add_gaps(const mst_html *page) {
  const mst_assessment_result *result = page->result;
  if (result->gap_count == 0) {
    mst_str_addf(page->out, "<p>%s.</p>\n", mst_no_gap(page->result));
    return;
  }
  mst_str_add(page->out,
              "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"API support gaps\">"
              "<table><thead><tr><th scope=\"col\">Name</th><th scope=\"col\">Level</th>"
              "<th scope=\"col\">Where</th><th scope=\"col\">Heat</th><th scope=\"col\">Note</th>"
              "</tr></thead><tbody>\n");
  for (size_t i = 0; i < result->gap_count && i < MST_HTML_FINDINGS; i++)
    add_gap(page, &result->gaps[i]);
  mst_str_add(page->out, "</tbody></table></div>\n");
  if (result->gap_count > MST_HTML_FINDINGS)
    mst_str_addf(page->out, "<p>and %zu more: <code>--format json</code> has all.</p>\n",
                 result->gap_count - MST_HTML_FINDINGS);
}

/* ---- 7: gates ------------------------------------------------------------------------------------ */

static void add_gate(const mst_html *page, const mst_gate *gate) {
  mst_str *out = page->out;
  mst_str_addf(out, "<tr><th scope=\"row\">%u %s</th><td>", gate->number, gate->name);
  mst_html_sign(out, gate->status);
  mst_str_add(out, "</td><td>");
  mst_html_text(out, gate->reason);
  if (gate->site_count > 0) mst_str_add(out, "<br>Evidence: ");
  for (unsigned i = 0; i < gate->site_count; i++) {
    mst_str_add(out, i > 0 ? ", " : "");
    mst_html_place(page, &gate->sites[i]);
  }
  mst_str_add(out, "</td></tr>\n");
}

static void add_gates(const mst_html *page) {
  mst_str_add(page->out,
              "<table><thead><tr><th scope=\"col\">Gate</th><th scope=\"col\">Status</th>"
              "<th scope=\"col\">Reason</th></tr></thead><tbody>\n");
  for (unsigned i = 0; i < 6; i++)
    add_gate(page, &page->result->gates[i]);
  mst_str_add(page->out, "</tbody></table>\n");
  if (page->result->verdict != MST_VERDICT_NONE) mst_html_reading(page);
}

/* ---- 8: next steps ------------------------------------------------------------------------------- */

static void add_step(mst_str *out, const mst_next_step *step) {
  mst_str_add(out, "<li>");
  if (step->recipe != NULL) mst_str_addf(out, "<b>%s</b> ", step->recipe);
  for (unsigned i = 0; i < step->rule_count; i++)
    mst_str_addf(out, "%s%s%s", i > 0 ? ", " : "(", step->rules[i],
                 i + 1 == step->rule_count ? ") " : "");
  mst_html_text(out, step->text);
  mst_str_add(out, " ");
  mst_add_number_of(out, step->sites, "place");
  mst_str_addf(out, ", %s; then the verdict is <strong>%s</strong>.</li>\n", step->effort,
               mst_verdict_name(step->verdict_after));
}

static void add_steps(const mst_html *page) {
  mst_str *out = page->out;
  const mst_assessment_result *result = page->result;
  if (result->verdict == MST_VERDICT_NONE) {
    mst_str_add(out, "<p>n/a - see verdict</p>\n");
    return;
  }
  if (result->next_step_count == 0) mst_str_addf(out, "<p>%s.</p>\n", mst_no_step(result));
  if (result->next_step_count > 0) mst_str_add(out, "<ol>\n");
  for (unsigned i = 0; i < result->next_step_count; i++)
    add_step(out, &result->next_steps[i]);
  if (result->next_step_count > 0) mst_str_add(out, "</ol>\n");
  if (result->pilot != NULL) {
    mst_str_add(out, "<p>Pilot: begin with ");
    mst_html_place(page, &(mst_site){.path = result->pilot});
    mst_str_add(out, ", which does most of the array work.</p>\n");
  }
  mst_str_add(out, "<p>Then let cuPyNumeric's own Doctor watch a short run of it (put your program "
                   "in the place of <code>main.py</code>):</p>\n<pre tabindex=\"0\">");
  mst_html_line(out, result->hand_off, strlen(result->hand_off));
  mst_str_add(out, "</pre>\n<p>In <code>doctor.json</code> look for accesses to single elements, "
                   "operations that went to the host, and repeated warnings with the same file and "
                   "line: each should be a place that is named above. Branches on array data "
                   "(R105) it does not report.</p>\n");
}

/* ---- all of it ----------------------------------------------------------------------------------- */

muster_status mst_write_html(const mst_assessment_result *result, const mst_report_options *options,
                             mst_str *out, muster_error *error) {
  static void (*const writers[])(const mst_html *page) = {
      add_verdict, mst_html_scales, mst_html_blocks, mst_html_refactors, mst_html_notes,
      add_gaps,    add_gates,       add_steps,       mst_html_table,     mst_html_sources};
  const size_t count = result->finding_count;
  const mst_html page = {out, result, count < MST_HTML_FINDINGS ? count : MST_HTML_FINDINGS};
  (void)options;
  add_head(out);
  add_banner(out);
  add_context(&page);
  add_diagnostics(&page);
  for (unsigned i = 0; i < sizeof parts / sizeof *parts; i++) {
    mst_str_addf(out, "<section id=\"%s\" aria-labelledby=\"%s-title\">\n", parts[i].id,
                 parts[i].id);
    mst_html_heading(out, parts[i].id, parts[i].title);
    writers[i](&page);
    mst_str_add(out, "</section>\n");
  }
  mst_str_add(out, "</main>\n");
  add_asset(out, "script", mst_html_js, mst_html_js_length);
  mst_str_add(out, "</body>\n</html>\n");
  return out->failed ? mst_fail_memory(error) : MUSTER_OK;
}
