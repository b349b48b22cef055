/* SPDX-License-Identifier: Apache-2.0 */
/* The result as one JSON object: docs/json.md, docs/schemas/assess.json. */
#include "base/json.h"
#include "base/status.h"
#include "report/report.h"
#include "verdict/words.h"

typedef struct json_writer {
  yyjson_mut_doc *doc;
  const mst_assessment_result *result;
} json_writer;

static void add_text(const json_writer *writer, yyjson_mut_val *object, const char *key,
                     const char *text) {
  yyjson_mut_obj_add_val(writer->doc, object, key,
                         text != NULL ? mst_json_lasting_name(writer->doc, text)
                                      : yyjson_mut_null(writer->doc));
}

/* Zero says that nothing is known. */
static void add_known(const json_writer *writer, yyjson_mut_val *object, const char *key,
                      uint64_t number) {
  if (number > 0)
    yyjson_mut_obj_add_uint(writer->doc, object, key, number);
  else
    yyjson_mut_obj_add_null(writer->doc, object, key);
}

static void add_signed(const json_writer *writer, yyjson_mut_val *object, const char *key,
                       int64_t number) {
  add_known(writer, object, key, number > 0 ? (uint64_t)number : 0);
}

static void add_place(const json_writer *writer, yyjson_mut_val *object, const mst_site *site) {
  add_text(writer, object, "path", site->path);
  add_known(writer, object, "cell", site->cell);
  add_known(writer, object, "line", site->line);
}

static yyjson_mut_val *add_list(const json_writer *writer, const char *key) {
  yyjson_mut_val *root = yyjson_mut_doc_get_root(writer->doc);
  return yyjson_mut_obj_add_arr(writer->doc, root, key);
}

static void add_texts(const json_writer *writer, yyjson_mut_val *object, const char *key,
                      const char *const *texts, unsigned count) {
  yyjson_mut_val *list = yyjson_mut_obj_add_arr(writer->doc, object, key);
  for (unsigned i = 0; i < count; i++)
    yyjson_mut_arr_append(list, mst_json_lasting_name(writer->doc, texts[i]));
}

/* ---- context ------------------------------------------------------------------------------------------- */

static void add_context(const json_writer *writer, yyjson_mut_val *root) {
  const mst_context *context = &writer->result->context;
  yyjson_mut_doc *doc = writer->doc;
  yyjson_mut_val *object = yyjson_mut_obj_add_obj(doc, root, "context");
  add_known(writer, object, "elements", context->elements);
  add_text(writer, object, "elements_text", context->elements_text);
  add_known(writer, object, "gpus", context->gpus);
  add_known(writer, object, "nodes", context->nodes);
  add_text(writer, object, "gpu_model", context->gpu_model);
  add_known(writer, object, "fbmem", context->fbmem);
  add_known(writer, object, "sysmem", context->sysmem);
  yyjson_mut_obj_add_bool(doc, object, "cpu_only", context->cpu_only);
  add_text(writer, object, "pattern", context->pattern);
  add_known(writer, object, "cuda", context->cuda);
  add_text(writer, object, "os", context->os);
  add_text(writer, object, "date", context->date);
  if (context->rules != NULL)
    add_texts(writer, object, "rules", context->rules, context->rule_count);
  else
    yyjson_mut_obj_add_null(doc, object, "rules");
  add_texts(writer, object, "ignored_rules", context->ignored_rules, context->ignored_rule_count);
  yyjson_mut_val *table = yyjson_mut_obj_add_arr(doc, object, "table");
  for (unsigned i = 0; i < writer->result->context_line_count; i++) {
    const mst_context_line *line = &writer->result->context_lines[i];
    yyjson_mut_val *row = yyjson_mut_arr_add_obj(doc, table);
    add_text(writer, row, "item", line->item);
    add_text(writer, row, "value", line->value);
    yyjson_mut_obj_add_bool(doc, row, "default", line->is_default);
    if (line->is_configured) yyjson_mut_obj_add_bool(doc, row, "configured", true);
  }
}

static void add_manifest(const json_writer *writer, yyjson_mut_val *root) {
  yyjson_mut_val *object = yyjson_mut_obj_add_obj(writer->doc, root, "manifest");
  add_text(writer, object, "source", writer->result->manifest_source);
  add_text(writer, object, "version", writer->result->manifest_version);
  add_text(writer, object, "date", writer->result->manifest_date);
  add_text(writer, object, "warning", writer->result->manifest_warning);
}

static void add_reading(const json_writer *writer, yyjson_mut_val *root) {
  const mst_reading *reading = &writer->result->reading;
  yyjson_mut_val *object = yyjson_mut_obj_add_obj(writer->doc, root, "reading");
  add_signed(writer, object, "elements", reading->elements);
  add_signed(writer, object, "bytes_per_array", reading->bytes_per_array);
  add_signed(writer, object, "arrays_alive", reading->arrays_alive);
  add_signed(writer, object, "bytes_alive", reading->bytes_alive);
  add_signed(writer, object, "bytes_per_gpu", reading->bytes_per_gpu);
  add_signed(writer, object, "halo_bytes", reading->halo_bytes);
  add_signed(writer, object, "masked_copy_bytes", reading->masked_copy_bytes);
  add_signed(writer, object, "smallest_gpus", reading->smallest_gpus);
  add_signed(writer, object, "largest_gpus", reading->largest_gpus);
  add_text(writer, object, "tier", reading->tier);
  add_texts(writer, object, "notes", reading->notes, reading->note_count);
}

static void add_gates(const json_writer *writer) {
  yyjson_mut_val *list = add_list(writer, "gates");
  for (unsigned i = 0; i < 6; i++) {
    const mst_gate *gate = &writer->result->gates[i];
    yyjson_mut_val *object = yyjson_mut_arr_add_obj(writer->doc, list);
    yyjson_mut_obj_add_uint(writer->doc, object, "gate", gate->number);
    add_text(writer, object, "name", gate->name);
    add_text(writer, object, "status", mst_gate_status_name(gate->status));
    add_text(writer, object, "reason", gate->reason);
    add_text(writer, object, "pattern", gate->pattern);
    yyjson_mut_val *sites = yyjson_mut_obj_add_arr(writer->doc, object, "sites");
    for (unsigned s = 0; s < gate->site_count; s++)
      add_place(writer, yyjson_mut_arr_add_obj(writer->doc, sites), &gate->sites[s]);
  }
}

/* ---- findings -------------------------------------------------------------------------------------------- */

static void add_suggestion(const json_writer *writer, yyjson_mut_val *object,
                           const mst_suggestion *suggestion) {
  if (suggestion == NULL) {
    yyjson_mut_obj_add_null(writer->doc, object, "suggestion");
    return;
  }
  yyjson_mut_val *inner = yyjson_mut_obj_add_obj(writer->doc, object, "suggestion");
  add_text(writer, inner, "before", suggestion->before);
  add_text(writer, inner, "after", suggestion->after);
  yyjson_mut_obj_add_bool(writer->doc, inner, "safe", suggestion->is_safe);
}

/* Only where there is something to tell: "suppressed", and "state" when there is a baseline. */
static void add_aside(const json_writer *writer, yyjson_mut_val *object, mst_aside aside,
                      const mst_suppression *suppression) {
  const mst_context *context = &writer->result->context;
  if (suppression != NULL) {
    yyjson_mut_val *inner = yyjson_mut_obj_add_obj(writer->doc, object, "suppressed");
    add_text(writer, inner, "reason", suppression->reason);
    yyjson_mut_obj_add_uint(writer->doc, inner, "line", suppression->line);
  }
  if (context->baseline != NULL || context->changed_since != NULL)
    add_text(writer, object, "state", aside == MST_ASIDE_NOT ? "new" : mst_aside_name(aside));
}

static void add_finding(const json_writer *writer, yyjson_mut_val *list,
                        const mst_result_finding *finding) {
  yyjson_mut_doc *doc = writer->doc;
  yyjson_mut_val *object = yyjson_mut_arr_add_obj(doc, list);
  add_text(writer, object, "id", finding->rule->id);
  add_text(writer, object, "category", mst_category_name(finding->rule->category));
  add_text(writer, object, "effect", mst_outcome_name(finding->outcome));
  add_text(writer, object, "path", finding->site.path);
  yyjson_mut_obj_add_uint(doc, object, "line", finding->site.line);
  yyjson_mut_obj_add_uint(doc, object, "column", finding->site.column);
  yyjson_mut_obj_add_uint(doc, object, "end_line", finding->site.end_line);
  add_known(writer, object, "cell", finding->site.cell);
  add_text(writer, object, "function", finding->function);
  add_text(writer, object, "heat", mst_heat_name(finding->heat));
  add_text(writer, object, "confidence", mst_confidence_name(finding->confidence));
  yyjson_mut_obj_add_bool(doc, object, "counts", finding->counts);
  add_text(writer, object, "message", finding->message);
  add_texts(writer, object, "evidence", finding->evidence, finding->evidence_count);
  add_text(writer, object, "recipe", mst_recipe_name(finding->recipe));
  add_suggestion(writer, object, finding->suggestion);
  add_aside(writer, object, finding->aside, finding->suppression);
  if (writer->result->has_doctor) add_text(writer, object, "doctor", finding->doctor);
}

static void add_findings(const json_writer *writer) {
  yyjson_mut_val *list = add_list(writer, "findings");
  for (size_t i = 0; i < writer->result->all_finding_count; i++)
    add_finding(writer, list, &writer->result->all_findings[i]);
}

/* ---- the other lists ---------------------------------------------------------------------------------------- */

static void add_gaps(const json_writer *writer) {
  yyjson_mut_val *list = add_list(writer, "gaps");
  for (size_t i = 0; i < writer->result->all_gap_count; i++) {
    const mst_result_gap *gap = &writer->result->all_gaps[i];
    yyjson_mut_val *object = yyjson_mut_arr_add_obj(writer->doc, list);
    add_text(writer, object, "name", gap->name);
    add_text(writer, object, "level", gap->level);
    add_place(writer, object, &gap->site);
    add_text(writer, object, "heat", mst_heat_name(gap->heat));
    yyjson_mut_obj_add_bool(writer->doc, object, "raises", gap->raises);
    yyjson_mut_obj_add_bool(writer->doc, object, "central", gap->central);
    add_text(writer, object, "note", gap->note);
    add_aside(writer, object, gap->aside, gap->suppression);
  }
}

static void add_loops(const json_writer *writer) {
  yyjson_mut_val *list = add_list(writer, "loops");
  for (size_t i = 0; i < writer->result->loop_count; i++) {
    const mst_result_loop *loop = &writer->result->loops[i];
    yyjson_mut_val *object = yyjson_mut_arr_add_obj(writer->doc, list);
    add_place(writer, object, &loop->site);
    yyjson_mut_obj_add_uint(writer->doc, object, "end_line", loop->site.end_line);
    add_text(writer, object, "heat", mst_heat_name(loop->heat));
    add_text(writer, object, "status", loop->status);
    add_text(writer, object, "reason", loop->reason);
  }
}

static void add_files(const json_writer *writer) {
  yyjson_mut_val *list = add_list(writer, "files");
  for (size_t i = 0; i < writer->result->file_count; i++) {
    const mst_result_file *file = &writer->result->files[i];
    yyjson_mut_val *object = yyjson_mut_arr_add_obj(writer->doc, list);
    add_text(writer, object, "path", file->path);
    yyjson_mut_obj_add_uint(writer->doc, object, "lines", file->lines);
    add_text(writer, object, "status", file->status);
    add_text(writer, object, "reason", file->reason);
  }
}

static void add_diagnostics(const json_writer *writer) {
  yyjson_mut_val *list = add_list(writer, "diagnostics");
  for (size_t i = 0; i < writer->result->diagnostic_count; i++) {
    const mst_diagnostic *diagnostic = &writer->result->diagnostics[i];
    yyjson_mut_val *object = yyjson_mut_arr_add_obj(writer->doc, list);
    add_place(writer, object, &diagnostic->site);
    add_text(writer, object, "kind", diagnostic->kind);
    add_text(writer, object, "message", diagnostic->message);
  }
}

static void add_doctor(const json_writer *writer, yyjson_mut_val *root) {
  const mst_assessment_result *result = writer->result;
  if (!result->has_doctor) return;
  yyjson_mut_val *doctor = yyjson_mut_obj_add_obj(writer->doc, root, "doctor");
  yyjson_mut_obj_add_uint(writer->doc, doctor, "confirmed", mst_confirmed(result));
  yyjson_mut_val *list = yyjson_mut_obj_add_arr(writer->doc, doctor, "runtime_only");
  for (size_t i = 0; i < result->runtime_only_count; i++) {
    const mst_runtime_place *place = &result->runtime_only[i];
    yyjson_mut_val *object = yyjson_mut_arr_add_obj(writer->doc, list);
    add_text(writer, object, "path", place->site.path);
    yyjson_mut_obj_add_uint(writer->doc, object, "line", place->site.line);
    add_text(writer, object, "description", place->description);
    add_text(writer, object, "source", place->source);
    add_text(writer, object, "reason", place->reason);
  }
}

static void add_steps(const json_writer *writer) {
  yyjson_mut_val *list = add_list(writer, "next_steps");
  for (unsigned i = 0; i < writer->result->next_step_count; i++) {
    const mst_next_step *step = &writer->result->next_steps[i];
    yyjson_mut_val *object = yyjson_mut_arr_add_obj(writer->doc, list);
    add_text(writer, object, "recipe", step->recipe);
    add_texts(writer, object, "rules", step->rules, step->rule_count);
    yyjson_mut_obj_add_uint(writer->doc, object, "sites", step->sites);
    add_text(writer, object, "effort", step->effort);
    add_text(writer, object, "text", step->text);
    add_text(writer, object, "verdict_after", mst_verdict_name(step->verdict_after));
  }
}

/* What the baseline knows and is no more. */
static void add_fixed(const json_writer *writer) {
  if (writer->result->context.baseline == NULL) return;
  yyjson_mut_val *list = add_list(writer, "fixed");
  for (size_t i = 0; i < writer->result->fixed_count; i++) {
    const mst_fixed *fixed = &writer->result->fixed[i];
    yyjson_mut_val *object = yyjson_mut_arr_add_obj(writer->doc, list);
    add_text(writer, object, "rule", fixed->rule);
    add_text(writer, object, "path", fixed->path);
    add_text(writer, object, "function", fixed->function);
    add_text(writer, object, "name", fixed->name);
  }
}

/* ---- the object ------------------------------------------------------------------------------------------------ */

static void add_verdict(const json_writer *writer, yyjson_mut_val *root) {
  const mst_assessment_result *result = writer->result;
  add_text(writer, root, "schema", "muster.assess/1");
  add_text(writer, root, "verdict", mst_verdict_name(result->verdict));
  add_text(writer, root, "reason", result->verdict_sentence);
  add_text(writer, root, "composite", result->composite);
  add_text(writer, root, "composite_reason", result->composite_reason);
  yyjson_mut_obj_add_bool(writer->doc, root, "runs", result->runs);
}

muster_status mst_write_json(const mst_assessment_result *result, const mst_report_options *options,
                             mst_str *out, muster_error *error) {
  (void)options;
  const json_writer writer = {.doc = mst_json_new(), .result = result};
  if (writer.doc == NULL) return mst_fail_memory(error);
  yyjson_mut_val *root = yyjson_mut_obj(writer.doc);
  yyjson_mut_doc_set_root(writer.doc, root);
  add_verdict(&writer, root);
  add_context(&writer, root);
  add_manifest(&writer, root);
  add_gates(&writer);
  add_reading(&writer, root);
  add_findings(&writer);
  add_gaps(&writer);
  add_loops(&writer);
  add_files(&writer);
  add_fixed(&writer);
  add_diagnostics(&writer);
  add_steps(&writer);
  add_doctor(&writer, root);
  add_text(&writer, root, "pilot", result->pilot);
  add_text(&writer, root, "hand_off", result->hand_off);
  const muster_status status = mst_json_text(writer.doc, out, error);
  yyjson_mut_doc_free(writer.doc);
  return status;
}
