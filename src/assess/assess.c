/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The way of an assessment: walk, a first look at each file's bytes, grouping into programs,
 * and then, a batch of programs at a time: parse, model, rules, gaps, tally. At the end the
 * tallies are merged in the order of programs, and the verdict is concluded.
 */
#include <stdlib.h>
#include <string.h>

#include "assess/run.h"
#include "base/pool.h"
#include "base/status.h"
#include "rules/gaps.h"
#include "verdict/words.h"

#define MODEL_BUDGET ((size_t)4 << 30)  /* of the model of one program */
#define RESULT_BUDGET ((size_t)4 << 30) /* of what is found */
#define BATCH_BYTES ((size_t)48 << 20)  /* of source that is looked at together */

/* ---- files ---------------------------------------------------------------------------------------- */

static bool add_unit(mst_assess_run *run, mst_unit unit) {
  return mst_vec_push(&run->units.list, unit);
}

static muster_status take_files(mst_assess_run *run, const char *const *paths, size_t count,
                                muster_error *error) {
  const muster_assess_options *options = run->options;
  const mst_walk_options walk = {.no_ignore = options->no_ignore};
  if (count > 0) {
    const muster_status status = mst_walk(paths, count, &walk, &run->found, error);
    if (status != MUSTER_OK) return status;
  }
  bool done = true;
  for (size_t i = 0; i < run->found.length && done; i++) {
    const mst_found_file *file = &run->found.data[i];
    done = add_unit(run, (mst_unit){.path = file->path,
                                    .shown = file->shown,
                                    .reason = file->reason,
                                    .kind = file->reason != NULL ? "unreadable" : NULL});
  }
  if (done && options->text != NULL)
    done = add_unit(run,
                    (mst_unit){.shown = options->text_name != NULL ? options->text_name : "<stdin>",
                               .text = options->text,
                               .text_length = options->text_length});
  return done && mst_units_name(&run->units) ? MUSTER_OK : mst_fail_memory(error);
}

/* That nothing at all could be read is an error; one bad file among others is not. */
static muster_status check_readable(const mst_assess_run *run, muster_error *error) {
  const size_t count = run->units.list.length;
  const mst_unit *first = NULL;
  for (size_t i = 0; i < count; i++) {
    const mst_unit *unit = &run->units.list.data[i];
    if (unit->reason == NULL) return MUSTER_OK;
    if (first == NULL) first = unit;
  }
  if (count == 1)
    return mst_fail(error, MUSTER_ERR_NOT_FOUND, first->shown, "not assessed: %s", first->reason);
  if (first != NULL)
    return mst_fail(error, MUSTER_ERR_NOT_FOUND, first->shown,
                    "not assessed: %s; nor was any other of the %zu files", first->reason, count);
  return mst_fail(error, MUSTER_ERR_NOT_FOUND, NULL, "no Python files or notebooks are there");
}

/* ---- programs ---------------------------------------------------------------------------------------- */

static int by_component(const void *left, const void *right, void *context) {
  const mst_unit *units = context;
  const uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
  const uint32_t of_a = units[a].component, of_b = units[b].component;
  if (of_a != of_b) return of_a < of_b ? -1 : 1;
  return a < b ? -1 : a > b;
}

static bool make_parts(mst_assess_run *run) {
  const mst_unit *list = run->units.list.data;
  run->members = mst_calloc(run->units.list.length + 1, sizeof *run->members);
  if (run->members == NULL || !mst_units_group(&run->units)) return false;
  for (uint32_t i = 0; i < run->units.list.length; i++)
    if (list[i].is_relevant && list[i].reason == NULL) run->members[run->member_count++] = i;
  qsort_r(run->members, run->member_count, sizeof *run->members, by_component,
          run->units.list.data);
  for (uint32_t i = 0; i < run->member_count; i++) {
    const bool is_new =
        i == 0 || list[run->members[i]].component != list[run->members[i - 1]].component;
    if (is_new && !mst_vec_push(&run->parts, (mst_program_part){.first = i})) return false;
    run->parts.data[run->parts.length - 1].count++;
  }
  return true;
}

/* ---- one program --------------------------------------------------------------------------------------- */

static bool is_among(const char *id, const char *const *ids, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (strcmp(ids[i], id) == 0) return true;
  return false;
}

static void filter(mst_findings *findings, const muster_assess_options *options) {
  size_t kept = 0;
  for (size_t i = 0; i < findings->length; i++) {
    const char *id = findings->data[i].rule->id;
    if (options->rules != NULL && !is_among(id, options->rules, options->rule_count)) continue;
    if (is_among(id, options->ignored_rules, options->ignored_rule_count)) continue;
    findings->data[kept++] = findings->data[i];
  }
  findings->length = kept;
}

static void look_at(const mst_assess_run *run, mst_program_part *part, mst_arena *arena) {
  mst_program *program = mst_arena_new(arena, sizeof *program);
  mst_findings findings = {0};
  mst_gaps gaps = {0};
  uint32_t count = 0;
  mst_tree **trees = mst_arena_new(arena, part->count * sizeof *trees);
  const char **names = mst_arena_new(arena, part->count * sizeof *names);
  for (uint32_t i = 0; i < part->count; i++) {
    mst_unit *unit = &run->units.list.data[run->members[part->first + i]];
    if (!unit->is_parsed) continue;
    trees[count] = &unit->tree;
    names[count++] = unit->module;
  }
  if (count == 0) return;
  mst_model_build(program, arena, trees, names, count);
  mst_run_rules(program, arena, &findings);
  mst_find_gaps(program, &run->manifest, run->options->unlisted, arena, &gaps);
  filter(&findings, run->options);
  mst_tally_add(&part->tally, program, &findings, &gaps);
  if (run->explained != NULL)
    mst_explain_line(program, &findings, run->explained->shown, run->options, &part->explanation);
}

/* Both arenas may jump here. */
static bool look_within_budget(const mst_assess_run *run, mst_program_part *part,
                               mst_worker_state *worker) {
  mst_arena_init(&worker->model, MODEL_BUDGET);
  if (setjmp(worker->model.way_out) != 0 || setjmp(worker->kept->way_out) != 0) return false;
  look_at(run, part, &worker->model);
  return true;
}

static muster_status do_part(void *context, uint64_t index, unsigned worker, muster_error *error) {
  mst_assess_run *run = context;
  mst_program_part *part = &run->parts.data[run->batch + index];
  mst_worker_state *state = &run->workers[worker];
  part->tally.arena = state->kept;
  const bool done = look_within_budget(run, part, state);
  mst_arena_reset(&state->model);
  if (!done) part->tally = (mst_tally){0};
  part->is_too_large = !done;
  return part->explanation.failed ? mst_fail_memory(error) : MUSTER_OK;
}

/* ---- diagnostics ------------------------------------------------------------------------------------------ */

/* Takes the way out of the result's arena. */
static bool note_faults(mst_assess_run *run, const mst_unit *unit) {
  const char *path = mst_words_copy(&run->assessment->arena, unit->shown);
  bool done = true;
  if (unit->source.note != NULL)
    done = mst_add_diagnostic(run, (mst_site){.path = path}, "encoding", unit->source.note);
  for (size_t i = 0; i < unit->tree.faults.length && done; i++) {
    const mst_syntax_fault *fault = &unit->tree.faults.data[i];
    const mst_position at = mst_source_position(&unit->source, fault->start);
    const mst_site site = {path, at.cell, at.line, at.column, at.line};
    done = mst_add_diagnostic(run, site, fault->kind, fault->message);
  }
  return done;
}

/* ---- batches ----------------------------------------------------------------------------------------------- */

static muster_status do_batch(mst_assess_run *run, size_t count, muster_error *error) {
  const mst_program_part *parts = run->parts.data + run->batch;
  const uint32_t first = parts[0].first;
  const uint32_t members = parts[count - 1].first + parts[count - 1].count - first;
  muster_status status =
      mst_parse_units(&run->units, run->members + first, members, run->threads, error);
  if (status == MUSTER_OK) status = mst_parallel_for(run->threads, count, do_part, run, error);
  for (uint32_t i = 0; i < members && status == MUSTER_OK; i++) {
    mst_unit *unit = &run->units.list.data[run->members[first + i]];
    if (unit->is_parsed && !note_faults(run, unit)) status = mst_fail_memory(error);
  }
  for (size_t i = 0; i < count; i++) {
    for (uint32_t m = 0; m < parts[i].count; m++) {
      mst_unit *unit = &run->units.list.data[run->members[parts[i].first + m]];
      mst_unit_release(unit);
      if (!parts[i].is_too_large || unit->reason != NULL) continue;
      unit->reason = "the program it belongs to takes more memory than is allowed";
      unit->kind = "budget";
    }
  }
  return status;
}

static size_t bytes_of(const mst_assess_run *run, const mst_program_part *part) {
  size_t bytes = 0;
  for (uint32_t i = 0; i < part->count; i++)
    bytes += run->units.list.data[run->members[part->first + i]].bytes;
  return bytes;
}

static muster_status do_programs(mst_assess_run *run, muster_error *error) {
  muster_status status = MUSTER_OK;
  while (run->batch < run->parts.length && status == MUSTER_OK) {
    size_t count = 0, bytes = 0;
    while (run->batch + count < run->parts.length && (count == 0 || bytes < BATCH_BYTES))
      bytes += bytes_of(run, &run->parts.data[run->batch + count++]);
    status = do_batch(run, count, error);
    run->batch += count;
  }
  return status;
}

static muster_status take_explanation(mst_assess_run *run, muster_error *error) {
  mst_str absence = {0};
  for (size_t i = 0; i < run->parts.length; i++) {
    mst_str *text = &run->parts.data[i].explanation;
    if (text->length == 0 || run->assessment->explanation != NULL) continue;
    run->assessment->explanation = mst_str_take(text);
    if (run->assessment->explanation == NULL) return mst_fail_memory(error);
  }
  if (run->explained == NULL || run->assessment->explanation != NULL) return MUSTER_OK;
  mst_explain_absence(run->explained, &absence);
  run->assessment->explanation = mst_str_take(&absence);
  return run->assessment->explanation != NULL ? MUSTER_OK : mst_fail_memory(error);
}

/* ---- all of it --------------------------------------------------------------------------------------------------- */

static bool make_workers(mst_assess_run *run) {
  muster_assessment *assessment = run->assessment;
  assessment->worker_arenas = mst_calloc(run->threads, sizeof *assessment->worker_arenas);
  run->workers = mst_calloc(run->threads, sizeof *run->workers);
  if (assessment->worker_arenas == NULL || run->workers == NULL) return false;
  assessment->worker_count = run->threads;
  for (unsigned i = 0; i < run->threads; i++) {
    mst_arena_init(&assessment->worker_arenas[i], RESULT_BUDGET);
    run->workers[i].kept = &assessment->worker_arenas[i];
  }
  return true;
}

static muster_status assess(mst_assess_run *run, const char *const *paths, size_t count,
                            muster_error *error) {
  const char *table = run->options->manifest;
  muster_status status = table != NULL ? mst_manifest_read(table, &run->manifest, error)
                                       : mst_manifest_carried(&run->manifest, error);
  if (status == MUSTER_OK) status = take_files(run, paths, count, error);
  if (status == MUSTER_OK) status = mst_scan_units(&run->units, run->threads, error);
  if (status == MUSTER_OK) status = check_readable(run, error);
  if (status == MUSTER_OK && (!make_workers(run) || !make_parts(run)))
    status = mst_fail_memory(error);
  if (status == MUSTER_OK) status = mst_explain_find(run, error);
  if (status == MUSTER_OK) status = do_programs(run, error);
  if (status == MUSTER_OK) status = check_readable(run, error); /* parsing may have given up */
  if (status == MUSTER_OK && !mst_gather_result(run)) status = mst_fail_memory(error);
  if (status == MUSTER_OK) status = take_explanation(run, error);
  return status;
}

static void reset(mst_assess_run *run) {
  for (size_t i = 0; i < run->parts.length; i++)
    mst_str_reset(&run->parts.data[i].explanation);
  mst_vec_reset(&run->parts);
  mst_vec_reset(&run->diagnostics);
  mst_free(run->members);
  mst_free(run->workers);
  mst_units_reset(&run->units);
  mst_manifest_reset(&run->manifest);
  mst_found_files_reset(&run->found);
}

/* The result's arena may jump here. */
static muster_status assess_in_arena(mst_assess_run *run, const char *const *paths, size_t count,
                                     muster_error *error) {
  mst_arena_init(&run->assessment->arena, RESULT_BUDGET);
  if (setjmp(run->assessment->arena.way_out) != 0) return mst_fail_memory(error);
  return assess(run, paths, count, error);
}

muster_status mst_assessment_make(muster_assessment *assessment, const char *const *paths,
                                  size_t path_count, const muster_assess_options *options,
                                  muster_error *error) {
  mst_assess_run *run = mst_calloc(1, sizeof *run);
  if (run == NULL) return mst_fail_memory(error);
  run->assessment = assessment;
  run->options = options;
  run->threads = options->threads > 0 ? options->threads : mst_default_threads();
  const muster_status status = assess_in_arena(run, paths, path_count, error);
  reset(run);
  mst_free(run);
  return status;
}

void mst_assessment_reset(muster_assessment *assessment) {
  for (unsigned i = 0; i < assessment->worker_count; i++)
    mst_arena_reset(&assessment->worker_arenas[i]);
  mst_free(assessment->worker_arenas);
  mst_free(assessment->explanation);
  mst_arena_reset(&assessment->arena);
  *assessment = (muster_assessment){0};
}
