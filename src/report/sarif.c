/* SPDX-License-Identifier: Apache-2.0 */
/* The result as one run of SARIF 2.1.0, for code scanning and editors: docs/assess.md. */
#include "report/sarif.h"

#include <ctype.h>
#include <string.h>

#include "base/status.h"
#include "muster/version.h"

#define SCHEMA \
  "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
#define ROOT "%SRCROOT%"

/* ---- texts ----------------------------------------------------------------------------------------- */

void mst_sarif_text(mst_sarif *sarif, yyjson_mut_val *object, const char *key, const char *text) {
  yyjson_mut_obj_add_val(sarif->doc, object, key,
                         text != NULL ? mst_json_lasting_name(sarif->doc, text)
                                      : yyjson_mut_null(sarif->doc));
}

void mst_sarif_texts(mst_sarif *sarif, yyjson_mut_val *object, const char *key,
                     const char *const *texts, unsigned count) {
  yyjson_mut_val *list = yyjson_mut_obj_add_arr(sarif->doc, object, key);
  for (unsigned i = 0; i < count; i++)
    yyjson_mut_arr_append(list, mst_json_lasting_name(sarif->doc, texts[i]));
}

void mst_sarif_take(mst_sarif *sarif, yyjson_mut_val *object, const char *key) {
  yyjson_mut_obj_add_val(sarif->doc, object, key,
                         mst_json_name(sarif->doc, mst_str_text(&sarif->scratch)));
  if (!sarif->scratch.failed) mst_str_reset(&sarif->scratch);
}

/* Where the last "](" of the text is: before it, brackets might be taken for a link. */
static const char *last_link(const char *text) {
  const char *last = text;
  for (const char *at = text; (at = strstr(at, "](")) != NULL; at++)
    last = at;
  return last;
}

/* "{0}" would be a placeholder, and "[a](b)" a link. */
static void add_literally(mst_str *out, const char *text) {
  const char *last = last_link(text);
  for (const char *at = text; *at != '\0'; at++) {
    const size_t digits = *at == '{' ? strspn(at + 1, "0123456789") : 0;
    if (digits > 0 && at[1 + digits] == '}') {
      mst_str_add(out, "{");
      mst_str_add_bytes(out, at, digits + 2);
      mst_str_add(out, "}");
      at += digits + 1;
      continue;
    }
    if (*at == '[' && at < last) mst_str_add(out, "\\");
    mst_str_add_bytes(out, at, 1);
  }
}

void mst_sarif_take_message(mst_sarif *sarif, yyjson_mut_val *object, const char *key) {
  mst_str text = {0};
  yyjson_mut_val *message = yyjson_mut_obj_add_obj(sarif->doc, object, key);
  add_literally(&text, mst_str_text(&sarif->scratch));
  yyjson_mut_obj_add_val(sarif->doc, message, "text",
                         mst_json_name(sarif->doc, mst_str_text(&text)));
  if (text.failed) sarif->scratch.failed = true;
  if (!sarif->scratch.failed) mst_str_reset(&sarif->scratch);
  mst_str_reset(&text);
}

void mst_sarif_message(mst_sarif *sarif, yyjson_mut_val *object, const char *key,
                       const char *text) {
  mst_add_printable(&sarif->scratch, text);
  mst_sarif_take_message(sarif, object, key);
}

/* ---- places ---------------------------------------------------------------------------------------- */

void mst_sarif_artifact(mst_sarif *sarif, yyjson_mut_val *object, const char *key,
                        const char *path) {
  yyjson_mut_val *location = yyjson_mut_obj_add_obj(sarif->doc, object, key);
  const bool is_below = mst_add_uri(&sarif->scratch, path);
  mst_sarif_take(sarif, location, "uri");
  if (is_below) mst_sarif_text(sarif, location, "uriBaseId", ROOT);
}

static void add_logical(mst_sarif *sarif, yyjson_mut_val *location, const mst_site *site,
                        const char *function) {
  if (site->cell == 0 && function == NULL) return;
  yyjson_mut_val *list = yyjson_mut_obj_add_arr(sarif->doc, location, "logicalLocations");
  if (function != NULL) {
    yyjson_mut_val *of_function = yyjson_mut_arr_add_obj(sarif->doc, list);
    mst_sarif_text(sarif, of_function, "fullyQualifiedName", function);
    mst_sarif_text(sarif, of_function, "kind", "function");
  }
  if (site->cell == 0) return;
  yyjson_mut_val *of_cell = yyjson_mut_arr_add_obj(sarif->doc, list);
  mst_str_addf(&sarif->scratch, "cell %u", site->cell);
  mst_sarif_take(sarif, of_cell, "name");
  mst_sarif_text(sarif, of_cell, "kind", "cell");
}

static void add_region(mst_sarif *sarif, yyjson_mut_val *location, yyjson_mut_val *physical,
                       const mst_site *site) {
  const bool in_cell = site->cell > 0;
  if (site->line == 0) return;
  yyjson_mut_val *region = in_cell ? yyjson_mut_obj_add_obj(sarif->doc, location, "properties")
                                   : yyjson_mut_obj_add_obj(sarif->doc, physical, "region");
  if (in_cell) yyjson_mut_obj_add_uint(sarif->doc, region, "cell", site->cell);
  yyjson_mut_obj_add_uint(sarif->doc, region, "startLine", site->line);
  if (site->column > 0) yyjson_mut_obj_add_uint(sarif->doc, region, "startColumn", site->column);
  if (site->end_line > site->line)
    yyjson_mut_obj_add_uint(sarif->doc, region, "endLine", site->end_line);
}

void mst_sarif_location(mst_sarif *sarif, yyjson_mut_val *object, const mst_site *site,
                        const char *function) {
  yyjson_mut_val *list = yyjson_mut_obj_add_arr(sarif->doc, object, "locations");
  yyjson_mut_val *location = yyjson_mut_arr_add_obj(sarif->doc, list);
  yyjson_mut_val *physical = yyjson_mut_obj_add_obj(sarif->doc, location, "physicalLocation");
  mst_sarif_artifact(sarif, physical, "artifactLocation", site->path);
  add_region(sarif, location, physical, site);
  add_logical(sarif, location, site, function);
}

/* ---- the tool -------------------------------------------------------------------------------------- */

/* "HostMaterialisationInAHotLoop". */
static void add_rule_name(mst_sarif *sarif, yyjson_mut_val *object, const char *name) {
  bool begins = true;
  for (const char *at = name; *at != '\0'; at++) {
    const unsigned char byte = (unsigned char)*at;
    const char letter = (char)(begins ? toupper(byte) : byte);
    if (isalnum(byte) != 0) mst_str_add_bytes(&sarif->scratch, &letter, 1);
    begins = isalnum(byte) == 0;
  }
  mst_sarif_take(sarif, object, "name");
}

static void add_descriptor(mst_sarif *sarif, yyjson_mut_val *list, const char *id, const char *name,
                           const char *summary, const char *help, const char *level) {
  yyjson_mut_val *object = yyjson_mut_arr_add_obj(sarif->doc, list);
  mst_sarif_text(sarif, object, "id", id);
  add_rule_name(sarif, object, name);
  mst_sarif_message(sarif, object, "shortDescription", name);
  mst_sarif_message(sarif, object, "fullDescription", summary);
  mst_sarif_message(sarif, object, "help", help);
  yyjson_mut_val *configuration =
      yyjson_mut_obj_add_obj(sarif->doc, object, "defaultConfiguration");
  mst_sarif_text(sarif, configuration, "level", level);
}

static void add_rule(mst_sarif *sarif, yyjson_mut_val *list, const mst_rule *rule) {
  const mst_recipe *recipe = rule->recipe != NULL ? mst_recipe_find(rule->recipe) : NULL;
  mst_str help = {0};
  mst_str_add(&help, rule->why);
  if (recipe != NULL) mst_str_addf(&help, " %s", recipe->text);
  const bool counts = rule->counts != MST_COUNTS_NEVER;
  add_descriptor(sarif, list, rule->id, rule->name, rule->summary, mst_str_text(&help),
                 mst_sarif_level_of(rule->outcome, counts));
  if (help.failed) sarif->scratch.failed = true;
  mst_str_reset(&help);
}

static void add_tool(mst_sarif *sarif, yyjson_mut_val *run) {
  yyjson_mut_val *tool = yyjson_mut_obj_add_obj(sarif->doc, run, "tool");
  yyjson_mut_val *driver = yyjson_mut_obj_add_obj(sarif->doc, tool, "driver");
  mst_sarif_text(sarif, driver, "name", "muster");
  mst_sarif_text(sarif, driver, "semanticVersion", muster_version());
  yyjson_mut_val *rules = yyjson_mut_obj_add_arr(sarif->doc, driver, "rules");
  for (unsigned i = 0; i < mst_rule_count; i++)
    add_rule(sarif, rules, mst_rules[i]);
  add_descriptor(sarif, rules, MST_SARIF_GAP_RULE, "API support gap",
                 "A name or a form of call that cuPyNumeric does not support, or not on several "
                 "GPUs.",
                 "Use another function, or keep the call out of hot loops. The names are those of "
                 "the table of API support: muster manifest show NAME.",
                 "warning");
}

/* ---- the run --------------------------------------------------------------------------------------- */

static void add_notification(mst_sarif *sarif, yyjson_mut_val *list, const char *kind,
                             const char *message) {
  yyjson_mut_val *object = yyjson_mut_arr_add_obj(sarif->doc, list);
  yyjson_mut_val *descriptor = yyjson_mut_obj_add_obj(sarif->doc, object, "descriptor");
  mst_sarif_text(sarif, descriptor, "id", kind);
  mst_sarif_text(sarif, object, "level", "warning");
  mst_sarif_message(sarif, object, "message", message);
}

static void add_invocation(mst_sarif *sarif, yyjson_mut_val *run) {
  const mst_assessment_result *result = sarif->result;
  yyjson_mut_val *invocations = yyjson_mut_obj_add_arr(sarif->doc, run, "invocations");
  yyjson_mut_val *object = yyjson_mut_arr_add_obj(sarif->doc, invocations);
  yyjson_mut_obj_add_bool(sarif->doc, object, "executionSuccessful", true);
  yyjson_mut_val *list = yyjson_mut_obj_add_arr(sarif->doc, object, "toolExecutionNotifications");
  if (result->manifest_warning != NULL)
    add_notification(sarif, list, "manifest", result->manifest_warning);
  for (size_t i = 0; i < result->diagnostic_count; i++) {
    const mst_diagnostic *diagnostic = &result->diagnostics[i];
    add_notification(sarif, list, diagnostic->kind, diagnostic->message);
    if (!mst_is_of_manifest(diagnostic))
      mst_sarif_location(sarif, yyjson_mut_arr_get_last(list), &diagnostic->site, NULL);
  }
}

static void add_root(mst_sarif *sarif, yyjson_mut_val *run) {
  yyjson_mut_val *bases = yyjson_mut_obj_add_obj(sarif->doc, run, "originalUriBaseIds");
  yyjson_mut_val *root = yyjson_mut_obj_add_obj(sarif->doc, bases, ROOT);
  mst_sarif_message(sarif, root, "description", "The folder in which muster was run.");
}

static void add_gates(mst_sarif *sarif, yyjson_mut_val *bag) {
  yyjson_mut_val *list = yyjson_mut_obj_add_arr(sarif->doc, bag, "gates");
  for (unsigned i = 0; i < 6; i++) {
    const mst_gate *gate = &sarif->result->gates[i];
    yyjson_mut_val *object = yyjson_mut_arr_add_obj(sarif->doc, list);
    yyjson_mut_obj_add_uint(sarif->doc, object, "gate", gate->number);
    mst_sarif_text(sarif, object, "name", gate->name);
    mst_sarif_text(sarif, object, "status", mst_gate_status_name(gate->status));
    mst_sarif_text(sarif, object, "reason", gate->reason);
    mst_sarif_text(sarif, object, "pattern", gate->pattern);
  }
}

static void add_steps(mst_sarif *sarif, yyjson_mut_val *bag) {
  yyjson_mut_val *list = yyjson_mut_obj_add_arr(sarif->doc, bag, "nextSteps");
  for (unsigned i = 0; i < sarif->result->next_step_count; i++) {
    const mst_next_step *step = &sarif->result->next_steps[i];
    yyjson_mut_val *object = yyjson_mut_arr_add_obj(sarif->doc, list);
    mst_sarif_text(sarif, object, "recipe", step->recipe);
    mst_sarif_texts(sarif, object, "rules", step->rules, step->rule_count);
    yyjson_mut_obj_add_uint(sarif->doc, object, "sites", step->sites);
    mst_sarif_text(sarif, object, "effort", step->effort);
    mst_sarif_text(sarif, object, "text", step->text);
    mst_sarif_text(sarif, object, "verdictAfter", mst_verdict_name(step->verdict_after));
  }
}

static void add_properties(mst_sarif *sarif, yyjson_mut_val *run) {
  const mst_assessment_result *result = sarif->result;
  yyjson_mut_val *bag = yyjson_mut_obj_add_obj(sarif->doc, run, "properties");
  mst_sarif_text(sarif, bag, "verdict", mst_verdict_name(result->verdict));
  mst_sarif_text(sarif, bag, "reason", result->verdict_sentence);
  yyjson_mut_obj_add_bool(sarif->doc, bag, "runs", result->runs);
  mst_sarif_text(sarif, bag, "composite", result->composite);
  mst_sarif_text(sarif, bag, "compositeReason", result->composite_reason);
  mst_sarif_text(sarif, bag, "manifestVersion", result->manifest_version);
  add_gates(sarif, bag);
  add_steps(sarif, bag);
}

static bool add_run(mst_sarif *sarif, yyjson_mut_val *root) {
  yyjson_mut_val *runs = yyjson_mut_obj_add_arr(sarif->doc, root, "runs");
  yyjson_mut_val *run = yyjson_mut_arr_add_obj(sarif->doc, runs);
  add_tool(sarif, run);
  add_invocation(sarif, run);
  add_root(sarif, run);
  mst_sarif_text(sarif, run, "columnKind", "unicodeCodePoints");
  mst_sarif_text(sarif, run, "defaultSourceLanguage", "python");
  if (!mst_sarif_add_results(sarif, run)) return false;
  add_properties(sarif, run);
  return true;
}

muster_status mst_write_sarif(const mst_assessment_result *result,
                              const mst_report_options *options, mst_str *out,
                              muster_error *error) {
  (void)options;
  mst_sarif sarif = {.doc = mst_json_new(), .result = result};
  if (sarif.doc == NULL) return mst_fail_memory(error);
  yyjson_mut_val *root = yyjson_mut_obj(sarif.doc);
  yyjson_mut_doc_set_root(sarif.doc, root);
  mst_sarif_text(&sarif, root, "$schema", SCHEMA);
  mst_sarif_text(&sarif, root, "version", "2.1.0");
  const bool done = add_run(&sarif, root) && !sarif.scratch.failed;
  const muster_status status = done ? mst_json_text(sarif.doc, out, error) : mst_fail_memory(error);
  mst_str_reset(&sarif.scratch);
  yyjson_mut_doc_free(sarif.doc);
  return status;
}
