/* SPDX-License-Identifier: Apache-2.0 */
/* From the tallies of programs and what happened to files to the result. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "assess/run.h"
#include "base/vec.h"
#include "verdict/doctor.h"
#include "verdict/words.h"

/* ---- diagnostics ---- */

bool mst_add_diagnostic(mst_assess_run *run, mst_site site, const char *kind, const char *message) {
  mst_arena *arena = &run->assessment->arena;
  const mst_diagnostic diagnostic = {
      .site = site, .kind = mst_words_copy(arena, kind), .message = mst_words_copy(arena, message)};
  return mst_vec_push(&run->diagnostics, diagnostic);
}

static bool note_reason(mst_assess_run *run, const mst_unit *unit) {
  const char *path = mst_words_copy(&run->assessment->arena, unit->shown);
  return mst_add_diagnostic(run, (mst_site){.path = path}, unit->kind, unit->reason);
}

/* ---- the result ----------------------------------------------------------------------------------------------- */

static int compare_sites(const mst_site *a, const mst_site *b) {
  const int order = strcmp(a->path, b->path);
  if (order != 0) return order;
  if (a->cell != b->cell) return a->cell < b->cell ? -1 : 1;
  if (a->line != b->line) return a->line < b->line ? -1 : 1;
  return a->column < b->column ? -1 : a->column > b->column;
}

static int by_site_and_rule(const void *left, const void *right) {
  const mst_result_finding *a = left, *b = right;
  const int order = compare_sites(&a->site, &b->site);
  return order != 0 ? order : strcmp(a->rule->id, b->rule->id);
}

static int by_site_and_name(const void *left, const void *right) {
  const mst_result_gap *a = left, *b = right;
  const int order = compare_sites(&a->site, &b->site);
  return order != 0 ? order : strcmp(a->name, b->name);
}

static int by_site_of_loop(const void *left, const void *right) {
  const mst_result_loop *a = left, *b = right;
  const int order = compare_sites(&a->site, &b->site);
  return order != 0 ? order
                    : (a->site.end_line > b->site.end_line) - (a->site.end_line < b->site.end_line);
}

static int by_site_and_kind(const void *left, const void *right) {
  const mst_diagnostic *a = left, *b = right;
  int order = compare_sites(&a->site, &b->site);
  if (order == 0) order = strcmp(a->kind, b->kind);
  return order != 0 ? order : strcmp(a->message, b->message);
}

static void sort(void *data, size_t count, size_t size,
                 int (*compare)(const void *, const void *)) {
  if (count > 1) qsort(data, count, size, compare);
}

static const char *status_of(const mst_unit *unit) {
  if (unit->reason != NULL) return "not assessed";
  return unit->is_relevant ? "assessed" : "skipped";
}

static void take_result_files(mst_assess_run *run, mst_assessment_result *result,
                              mst_arena *arena) {
  result->file_count = run->units.list.length;
  result->files = mst_arena_new(arena, (result->file_count + 1) * sizeof *result->files);
  for (size_t i = 0; i < result->file_count; i++) {
    const mst_unit *unit = &run->units.list.data[i];
    result->files[i] =
        (mst_result_file){.path = mst_words_copy(arena, unit->shown),
                          .lines = unit->lines,
                          .status = status_of(unit),
                          .reason = unit->reason != NULL ? mst_words_copy(arena, unit->reason)
                                    : !unit->is_relevant ? "no NumPy in it"
                                                         : NULL};
  }
}

/* ---- lines ---- */

#define MOST_SHOWN ((size_t)6 << 20) /* bytes of sources that a report shows */
#define BYTES_OF_LINE 64             /* what it puts around a line */

static int by_path_of_text(const void *left, const void *right) {
  return strcmp(((const mst_result_text *)left)->path, ((const mst_result_text *)right)->path);
}

/* How much there is to be said of a file: those that need changes are shown before others. */
static bool has_counting_finding(const mst_assessment_result *result, const char *path) {
  size_t low = 0, high = result->finding_count;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (strcmp(result->findings[middle].site.path, path) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  for (; low < result->finding_count; low++) {
    const mst_result_finding *finding = &result->findings[low];
    if (strcmp(finding->site.path, path) != 0) return false;
    if (finding->counts && finding->rule->category != MST_SCALES) return true;
  }
  return false;
}

/* Files and texts are sorted by path. */
static void take_lines(mst_tally *tally, mst_assessment_result *result) {
  size_t room = MOST_SHOWN;
  if (tally->texts.length == 0) return;
  qsort(tally->texts.data, tally->texts.length, sizeof *tally->texts.data, by_path_of_text);
  for (int counting = 1; counting >= 0; counting--) {
    for (size_t f = 0; f < result->file_count; f++) {
      mst_result_file *file = &result->files[f];
      const mst_result_text wanted = {.path = file->path};
      const mst_result_text *text =
          bsearch(&wanted, tally->texts.data, tally->texts.length, sizeof wanted, by_path_of_text);
      if (text == NULL || has_counting_finding(result, file->path) != (counting != 0)) continue;
      const size_t bytes = text->bytes + text->count * (size_t)BYTES_OF_LINE;
      if (bytes > room) continue;
      file->text = *text;
      room -= bytes;
    }
  }
}

static void take_lists(const mst_tally *tally, mst_assessment_result *result) {
  result->findings = tally->findings.data;
  result->finding_count = tally->findings.length;
  result->gaps = tally->gaps.data;
  result->gap_count = tally->gaps.length;
  result->loops = tally->loops.data;
  result->loop_count = tally->loops.length;
  sort(result->findings, result->finding_count, sizeof *result->findings, by_site_and_rule);
  sort(result->gaps, result->gap_count, sizeof *result->gaps, by_site_and_name);
  sort(result->loops, result->loop_count, sizeof *result->loops, by_site_of_loop);
}

static bool is_repeated(const mst_diagnostic *a, const mst_diagnostic *b) {
  return a->site.cell == b->site.cell && a->site.line == b->site.line &&
         strcmp(a->site.path, b->site.path) == 0 && strcmp(a->kind, b->kind) == 0 &&
         strcmp(a->message, b->message) == 0;
}

/* Of what is said several times of one line, columns apart, the first. */
static void drop_repeated(mst_assessment_result *result) {
  size_t kept = 0;
  for (size_t i = 0; i < result->diagnostic_count; i++) {
    const mst_diagnostic *next = &result->diagnostics[i];
    bool is_new = true;
    for (size_t k = kept; k > 0 && is_new; k--) {
      const mst_site *before = &result->diagnostics[k - 1].site;
      if (before->line != next->site.line || strcmp(before->path, next->site.path) != 0) break;
      is_new = !is_repeated(&result->diagnostics[k - 1], next);
    }
    if (is_new) result->diagnostics[kept++] = *next;
  }
  result->diagnostic_count = kept;
}

static void take_diagnostics(mst_assess_run *run, const mst_tally *tally,
                             mst_assessment_result *result, mst_arena *arena) {
  const size_t of_run = run->diagnostics.length, count = of_run + tally->diagnostics.length;
  result->diagnostic_count = count;
  result->diagnostics = mst_arena_new(arena, (count + 1) * sizeof *result->diagnostics);
  if (of_run > 0)
    memcpy(result->diagnostics, run->diagnostics.data, of_run * sizeof *result->diagnostics);
  if (count > of_run)
    memcpy(result->diagnostics + of_run, tally->diagnostics.data,
           (count - of_run) * sizeof *result->diagnostics);
  sort(result->diagnostics, count, sizeof *result->diagnostics, by_site_and_kind);
  drop_repeated(result);
}

/* ---- what stands around ----------------------------------------------------------------------------------------- */

static const struct {
  const char *module, *name, *tool;
} others[] = {
    {"torch", "PyTorch", "PyTorch itself, with its distributed and compile features"},
    {"tensorflow", "TensorFlow", "TensorFlow itself, on GPUs"},
    {"jax", "JAX", "JAX itself: jit, vmap, sharding"},
    {"keras", "Keras", "the framework itself, on GPUs"},
    {"sklearn", "scikit-learn", "cuML"},
    {"networkx", "graph", "cuGraph, or nx-cugraph behind networkx"},
    {"pandas", "pandas", "cuDF, or Dask-cuDF on several GPUs"},
    {"polars", "Polars", "Polars' GPU engine"},
    {"pycuda", "CUDA kernel", "CUDA itself; numba-cuda, CuPy or cuda.core to launch the kernels"},
    {"numba", "Numba", "numba-cuda for kernels; they are no array code to move"},
    {"cupy", "CuPy", "CuPy itself on one GPU; several GPUs need NumPy code to begin with"},
    {"scipy", "SciPy", "cupyx.scipy on one GPU"}};

static bool imports_module(const mst_unit *unit, const char *module) {
  const size_t length = strlen(module);
  for (size_t i = 0; i < unit->imports.list.length; i++) {
    const mst_import *import = &unit->imports.list.data[i];
    if (import->level > 0 || strncmp(import->path, module, length) != 0) continue;
    if (import->path[length] == '\0' || import->path[length] == '.') return true;
  }
  return false;
}

static mst_surroundings look_around(const mst_assess_run *run, mst_arena *arena) {
  mst_surroundings found = {0};
  size_t best = sizeof others / sizeof *others;
  for (size_t i = 0; i < run->units.list.length; i++) {
    const mst_unit *unit = &run->units.list.data[i];
    if (found.golden_test == NULL && mst_holds_tests(unit->shown))
      found.golden_test = mst_words_copy(arena, unit->shown);
    for (size_t k = 0; k < best; k++)
      if (imports_module(unit, others[k].module)) best = k;
  }
  if (best == sizeof others / sizeof *others) return found;
  found.other_name = others[best].name;
  found.other_tool = others[best].tool;
  return found;
}

static const char *const *copy_ids(const char *const *ids, size_t count, mst_arena *arena) {
  const char **copy = mst_arena_new(arena, (count + 1) * sizeof *copy);
  for (size_t i = 0; i < count; i++)
    copy[i] = mst_words_copy(arena, ids[i]);
  return copy;
}

static void take_filter(const muster_assess_options *options, mst_context *context,
                        mst_arena *arena) {
  if (options->rules != NULL) {
    context->rules = copy_ids(options->rules, options->rule_count, arena);
    context->rule_count = (unsigned)options->rule_count;
  }
  context->ignored_rules = copy_ids(options->ignored_rules, options->ignored_rule_count, arena);
  context->ignored_rule_count = (unsigned)options->ignored_rule_count;
}

static void take_context(const muster_assess_options *options, mst_context *context,
                         mst_arena *arena) {
  *context = (mst_context){.elements = options->elements,
                           .elements_text = mst_words_copy(arena, options->elements_text),
                           .gpus = options->gpus,
                           .nodes = options->nodes,
                           .gpu_model = mst_words_copy(arena, options->gpu_model),
                           .fbmem = options->fbmem,
                           .sysmem = options->sysmem,
                           .cpu_only = options->cpu_only,
                           .pattern = mst_words_copy(arena, options->pattern),
                           .cuda = options->cuda,
                           .os = mst_words_copy(arena, options->os),
                           .date = mst_words_copy(arena, options->date),
                           .unlisted = options->unlisted};
  take_filter(options, context, arena);
  if (options->baseline != NULL)
    context->baseline = mst_words_copy(arena, options->baseline);
  else if (options->baseline_text != NULL)
    context->baseline = "given as text";
  context->changed_since = mst_words_copy(arena, options->changed_since);
  context->configured = copy_ids(options->configured, options->configured_count, arena);
  context->configured_count = (unsigned)options->configured_count;
}

static void take_manifest(const mst_assess_run *run, mst_assessment_result *result,
                          mst_arena *arena) {
  const mst_manifest *manifest = &run->manifest;
  result->manifest_source = mst_words_copy(arena, manifest->source);
  result->manifest_version = mst_words_copy(arena, manifest->cupynumeric);
  result->manifest_date = mst_words_copy(arena, manifest->fetched);
  if (run->options->date == NULL) return;
  char line[512];
  mst_str warning = {0};
  const bool is_old = mst_manifest_add_age_warning(manifest, run->options->date, &warning);
  snprintf(line, sizeof line, "%s", mst_str_text(&warning));
  mst_str_reset(&warning); /* before the arena's way out can be taken */
  if (is_old) result->manifest_warning = mst_words_copy(arena, line);
}

/* The text is in the order of shown paths but for what was handed over: reports are sorted by
 * path, so that lists agree. */
static int by_path(const void *left, const void *right) {
  return strcmp(((const mst_result_file *)left)->path, ((const mst_result_file *)right)->path);
}

static size_t filtered(const mst_context *context, mst_result_finding *findings, size_t count) {
  size_t kept = 0;
  for (size_t i = 0; i < count; i++)
    if (mst_is_listed(context, findings[i].rule->id)) findings[kept++] = findings[i];
  return kept;
}

/* Once the verdict is found: what is left out has been judged. */
static void filter_findings(mst_assessment_result *result) {
  const mst_context *context = &result->context;
  const bool is_one_list = result->all_findings == result->findings;
  result->finding_count = filtered(context, result->findings, result->finding_count);
  result->all_finding_count =
      is_one_list ? result->finding_count
                  : filtered(context, result->all_findings, result->all_finding_count);
}

bool mst_gather_result(mst_assess_run *run) {
  mst_arena *arena = &run->assessment->arena;
  mst_assessment_result *result = &run->assessment->result;
  mst_tally *tally = mst_arena_new(arena, sizeof *tally);
  tally->arena = arena;
  for (size_t i = 0; i < run->parts.length; i++)
    mst_tally_merge(tally, &run->parts.data[i].tally);
  mst_tally_settle(tally);
  for (size_t i = 0; i < run->units.list.length; i++) {
    const mst_unit *unit = &run->units.list.data[i];
    if (unit->reason != NULL && !note_reason(run, unit)) return false;
  }
  take_context(run->options, &result->context, arena);
  take_manifest(run, result, arena);
  take_result_files(run, result, arena);
  sort(result->files, result->file_count, sizeof *result->files, by_path);
  take_lists(tally, result);
  take_diagnostics(run, tally, result, arena);
  take_lines(tally, result);
  if (!mst_set_aside(run)) return false;
  const mst_surroundings surroundings = look_around(run, arena);
  mst_conclude(tally, &surroundings, result, arena);
  if (run->doctor != NULL) mst_doctor_merge(run->doctor, result, arena);
  filter_findings(result);
  return true;
}
