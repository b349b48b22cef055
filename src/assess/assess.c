/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The way of an assessment: walk, a first look at each file's bytes, grouping into programs,
 * and then, a batch of programs at a time: parsing, and what program.c does. At the end the
 * tallies are merged in the order of programs, and the verdict is concluded.
 */
#include <stdio.h>
#include <string.h>

#include "assess/run.h"
#include "base/pool.h"
#include "base/status.h"
#include "pysource/convert.h"
#include "verdict/doctor.h"
#include "verdict/words.h"

#define MODEL_BUDGET ((size_t)1200 << 20) /* of the model of one program */
#define LARGE_PROGRAM ((size_t)512 << 10) /* bytes of source from which all threads share it */
#define RESULT_BUDGET ((size_t)4 << 30)   /* of what is found */
#define BATCH_PARTS 256                   /* trees of small programs are small, but not nothing */
#define BATCH_BYTES ((size_t)48 << 20)    /* of source that is looked at together */

/* ---- files ---------------------------------------------------------------------------------------- */

static bool add_unit(mst_assess_run *run, mst_unit unit) {
  return mst_vec_push(&run->units.list, unit);
}

static muster_status take_files(mst_assess_run *run, const char *const *paths, size_t count,
                                muster_error *error) {
  const muster_assess_options *options = run->options;
  const mst_walk_options walk = {.no_ignore = options->no_ignore};
  const char *text_name = options->text_name != NULL ? options->text_name : "<stdin>";
  if (count > 0) {
    const muster_status status = mst_walk(paths, count, &walk, &run->found, error);
    if (status != MUSTER_OK) return status;
  }
  bool done = true;
  for (size_t i = 0; i < run->found.length && done; i++) {
    const mst_found_file *file = &run->found.data[i];
    if (options->text != NULL && strcmp(file->shown, text_name) == 0) continue;
    done = add_unit(run, (mst_unit){.path = file->path,
                                    .shown = file->shown,
                                    .reason = file->reason,
                                    .kind = file->reason != NULL ? "unreadable" : NULL});
  }
  if (done && options->text != NULL)
    done = add_unit(
        run,
        (mst_unit){.shown = text_name, .text = options->text, .text_length = options->text_length});
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

/* ---- diagnostics ------------------------------------------------------------------------------------------ */

static bool note_cells(mst_assess_run *run, const mst_source *source, const char *path) {
  unsigned told = 0;
  for (uint32_t i = 0; i < source->cell_count && told < MST_SYNTAX_FAULTS; i++) {
    const mst_cell *cell = &source->cells[i];
    if (!cell->is_left_out) continue;
    const mst_site site = {path, cell->number, 1, 1, 1};
    if (!mst_add_diagnostic(run, site, "syntax",
                            "the cell is left out: a string or bracket is not closed"))
      return false;
    told++;
  }
  return true;
}

/* Takes the way out of the result's arena. */
static bool note_faults(mst_assess_run *run, const mst_unit *unit) {
  const char *path = mst_words_copy(&run->assessment->arena, unit->shown);
  bool done = true;
  if (unit->source.note != NULL)
    done = mst_add_diagnostic(run, (mst_site){.path = path}, "encoding", unit->source.note);
  done = done && note_cells(run, &unit->source, path);
  for (size_t i = 0; i < unit->tree.faults.length && done; i++) {
    const mst_syntax_fault *fault = &unit->tree.faults.data[i];
    const mst_position at = mst_source_position(&unit->source, fault->start);
    const mst_site site = {path, at.cell, at.line, at.column, at.line};
    done = mst_add_diagnostic(run, site, fault->kind, fault->message);
  }
  return done;
}

/* ---- batches ----------------------------------------------------------------------------------------------- */

/* Parts that are looked at together: their trees are there at once. */
typedef struct batch {
  mst_assess_run *run;
  size_t first, count;
  uint32_t *members; /* of all of them */
  size_t member_count;
} batch;

static bool is_large(const mst_assess_run *run, const mst_program_part *part) {
  return mst_part_bytes(run, part) >= run->limits.large;
}

static muster_status do_small(void *context, uint64_t index, unsigned worker, muster_error *error) {
  const batch *at = context;
  mst_program_part *part = &at->run->parts.data[at->first + index];
  if (part->count == 0 || is_large(at->run, part)) return MUSTER_OK;
  return mst_look_at_program(at->run, part, worker, 1, error);
}

/* Large programs one after the other, by all threads; small ones in parallel, each by one. */
static muster_status do_parts(batch *at, muster_error *error) {
  mst_assess_run *run = at->run;
  muster_status status = MUSTER_OK;
  for (size_t i = 0; i < at->count && status == MUSTER_OK; i++) {
    mst_program_part *part = &run->parts.data[at->first + i];
    if (part->count > 0 && is_large(run, part))
      status = mst_look_at_program(run, part, 0, run->threads, error);
  }
  return status != MUSTER_OK ? status
                             : mst_parallel_for(run->threads, at->count, do_small, at, error);
}

/* A program that was too large is tried again in parts, with the batches to come. */
static bool finish_part(mst_assess_run *run, size_t index) {
  const mst_program_part part = run->parts.data[index];
  const bool is_tried_again = part.is_too_large && part.count > 1;
  bool done = true;
  for (uint32_t i = 0; i < part.count; i++) {
    mst_unit *unit = &run->units.list.data[run->members[part.first + i]];
    if (done && unit->is_parsed && !is_tried_again) done = note_faults(run, unit);
    mst_unit_release(unit);
    if (!part.is_too_large || is_tried_again || unit->reason != NULL) continue;
    unit->reason = part.is_too_long ? "its model takes more steps than are allowed"
                                    : "its model takes more memory than is allowed";
    unit->kind = "budget";
  }
  return done && (!is_tried_again || mst_part_split(run, index));
}

static muster_status do_batch(batch *at, muster_error *error) {
  mst_assess_run *run = at->run;
  muster_status status =
      mst_parse_units(&run->units, at->members, at->member_count, run->threads, error);
  if (status == MUSTER_OK) status = do_parts(at, error);
  for (size_t i = 0; i < at->count && status == MUSTER_OK; i++)
    if (!finish_part(run, at->first + i)) status = mst_fail_memory(error);
  return status;
}

/* The next parts, up to BATCH_BYTES of source and BATCH_PARTS. */
static void fill(batch *at) {
  const mst_assess_run *run = at->run;
  size_t bytes = 0;
  at->first += at->count;
  at->count = at->member_count = 0;
  while (at->first + at->count < run->parts.length && at->count < BATCH_PARTS &&
         (at->count == 0 || bytes < BATCH_BYTES)) {
    const mst_program_part *part = &run->parts.data[at->first + at->count++];
    bytes += mst_part_bytes(run, part);
    for (uint32_t i = 0; i < part->count; i++)
      at->members[at->member_count++] = run->members[part->first + i];
  }
}

static muster_status do_programs(mst_assess_run *run, muster_error *error) {
  batch at = {.run = run, .members = mst_calloc(run->member_count + 1, sizeof *at.members)};
  run->batch_members = at.members; /* freed with the run, also when the way out is taken */
  if (at.members == NULL) return mst_fail_memory(error);
  muster_status status = MUSTER_OK;
  for (fill(&at); at.count > 0 && status == MUSTER_OK; fill(&at))
    status = do_batch(&at, error);
  return status;
}

static muster_status take_explanation(mst_assess_run *run, muster_error *error) {
  mst_str absence = {0};
  for (size_t i = 0; i < run->parts.length; i++) {
    mst_str *text = &run->parts.data[i].explanation;
    if (text->length == 0 || run->assessment->explanation != NULL) continue;
    if (run->parts.data[i].is_wrong_line)
      return mst_fail(error, MUSTER_ERR_USAGE, run->explained->shown, "%s", mst_str_text(text));
    mst_explain_aside(run, text);
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

/* Takes the way out of the result's arena. */
static muster_status take_manifest(mst_assess_run *run, muster_error *error) {
  const char *table = run->options->manifest;
  muster_error fault;
  char message[sizeof fault.message + 80];
  if (table == NULL) return mst_manifest_carried(&run->manifest, error);
  if (!run->options->manifest_is_optional) return mst_manifest_read(table, &run->manifest, error);
  const muster_status status = mst_manifest_read(table, &run->manifest, &fault);
  if (status == MUSTER_OK) return MUSTER_OK;
  if (status == MUSTER_ERR_MEMORY) return mst_fail_memory(error);
  snprintf(message, sizeof message, "the carried table of API support is used: %s", fault.message);
  /* Where the user keeps it is no part of a report. */
  const mst_site site = {.path = mst_words_copy(&run->assessment->arena, mst_base_name(table))};
  if (!mst_add_diagnostic(run, site, "manifest", message)) return mst_fail_memory(error);
  return mst_manifest_carried(&run->manifest, error);
}

static muster_status take_doctor(mst_assess_run *run, muster_error *error) {
  const char *path = run->options->doctor;
  if (path == NULL) return MUSTER_OK;
  const muster_status status = mst_json_read_file(path, &run->doctor, error);
  return status == MUSTER_OK ? mst_doctor_check(path, run->doctor, error) : status;
}

static muster_status assess(mst_assess_run *run, const char *const *paths, size_t count,
                            muster_error *error) {
  muster_status status = take_manifest(run, error);
  if (status == MUSTER_OK)
    status = mst_baseline_read(&run->assessment->baseline, run->options, error);
  if (status == MUSTER_OK) status = take_doctor(run, error);
  if (status == MUSTER_OK) status = take_files(run, paths, count, error);
  if (status == MUSTER_OK) status = mst_scan_units(&run->units, run->threads, error);
  if (status == MUSTER_OK) status = check_readable(run, error);
  if (status == MUSTER_OK && (!make_workers(run) || !mst_parts_make(run)))
    status = mst_fail_memory(error);
  if (status == MUSTER_OK) status = mst_explain_find(run, error);
  if (status == MUSTER_OK) status = do_programs(run, error);
  if (status == MUSTER_OK) status = check_readable(run, error); /* parsing may have given up */
  if (status == MUSTER_OK && !mst_gather_result(run)) status = mst_fail_memory(error);
  if (status == MUSTER_OK && run->options->keep_originals) mst_keep_originals(run);
  if (status == MUSTER_OK) status = take_explanation(run, error);
  return status;
}

static void reset(mst_assess_run *run) {
  for (size_t i = 0; i < run->parts.length; i++)
    mst_str_reset(&run->parts.data[i].explanation);
  mst_vec_reset(&run->parts);
  mst_vec_reset(&run->diagnostics);
  yyjson_doc_free(run->doctor);
  mst_free(run->original);
  mst_free(run->members);
  mst_free(run->batch_members);
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
                                  const mst_assess_limits *limits, muster_error *error) {
  static const mst_assess_limits usual = {
      .model = MODEL_BUDGET, .slice = MODEL_BUDGET, .large = LARGE_PROGRAM};
  mst_assess_run *run = mst_calloc(1, sizeof *run);
  if (run == NULL) return mst_fail_memory(error);
  run->assessment = assessment;
  run->paths = paths;
  run->path_count = path_count;
  run->options = options;
  run->limits = limits != NULL ? *limits : usual;
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
  mst_baseline_reset(&assessment->baseline);
  mst_arena_reset(&assessment->arena);
  *assessment = (muster_assessment){0};
}
