/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One program: its model, which one thread makes, and then rules, gaps and tally, slice by slice of
 * its modules. Each slice has an arena and a tally of its own, so that slices of a large program
 * can be looked at by several threads; the slices are the same for any number of them.
 */
#include <stdlib.h>
#include <string.h>

#include "assess/run.h"
#include "base/pool.h"
#include "base/status.h"
#include "rules/gaps.h"

/* Slices are worth a thread's time, and so many that threads end together. */
#define SLICE_NODES 16384
#define MOST_SLICES 64

typedef struct slice {
  mst_module_range modules;
  int64_t largest; /* array of its modules */
  mst_tally tally;
  bool is_too_large;
} slice;

typedef struct look {
  mst_assess_run *run;
  mst_program_part *part;
  mst_program *program; /* in the arena of the model, like the slices */
  slice *slices;
  uint32_t count;
  unsigned worker; /* if one thread does all */
} look;

/* ---- slices ---------------------------------------------------------------------------------------- */

static void cut_slices(look *at, mst_arena *arena) {
  const mst_program *program = at->program;
  uint64_t nodes = 0, least = SLICE_NODES;
  for (uint32_t i = 0; i < program->module_count; i++)
    nodes += program->modules[i].tree->count;
  if (nodes / MOST_SLICES > least) least = nodes / MOST_SLICES;
  at->slices = mst_arena_new(arena, (MOST_SLICES + 1) * sizeof *at->slices);
  nodes = 0;
  for (uint32_t i = 0; i < program->module_count; i++) {
    if (nodes == 0) at->slices[at->count++].modules.first = i;
    at->slices[at->count - 1].modules.end = i + 1;
    nodes += program->modules[i].tree->count;
    if (nodes >= least) nodes = 0;
  }
}

static void look_at_slice(const look *at, slice *part, mst_arena *arena) {
  const mst_assess_run *run = at->run;
  mst_findings findings = {0};
  mst_gaps gaps = {0};
  mst_run_rules(at->program, part->modules, arena, &findings);
  mst_find_gaps(at->program, part->modules, &run->manifest, run->options->unlisted, arena, &gaps);
  mst_tally_add(&part->tally, at->program, part->modules, &findings, &gaps, arena);
  if (run->explained != NULL &&
      !mst_explain_line(at->program, part->modules, &findings, &part->tally, run->explained->shown,
                        run->options, &at->part->explanation))
    at->part->is_wrong_line = true;
}

/* Both arenas may jump here. */
static bool look_within_budget(const look *at, slice *part, mst_arena *arena) {
  if (setjmp(arena->way_out) != 0 || setjmp(part->tally.arena->way_out) != 0) return false;
  look_at_slice(at, part, arena);
  return true;
}

static muster_status do_slice(void *context, uint64_t index, unsigned worker, muster_error *error) {
  const look *at = context;
  slice *part = &at->slices[index];
  mst_worker_state *state = &at->run->workers[at->worker + worker];
  (void)error;
  mst_arena_init(&state->slice, at->run->limits.slice);
  part->tally.arena = state->kept;
  part->tally.keeps_lines = at->run->options->keep_lines;
  part->is_too_large = !look_within_budget(at, part, &state->slice);
  mst_arena_reset(&state->slice);
  return MUSTER_OK;
}

static muster_status find_largest(void *context, uint64_t index, unsigned worker,
                                  muster_error *error) {
  const look *at = context;
  (void)worker;
  (void)error;
  at->slices[index].largest = mst_largest_array(at->program, at->slices[index].modules);
  return MUSTER_OK;
}

static bool do_slices(look *at, unsigned threads) {
  int64_t largest = 0;
  if (at->count > 1) (void)mst_parallel_for(threads, at->count, find_largest, at, NULL);
  for (uint32_t i = 0; i < at->count; i++) {
    at->slices[i].tally.largest_before = largest;
    if (at->slices[i].largest > largest) largest = at->slices[i].largest;
  }
  (void)mst_parallel_for(threads, at->count, do_slice, at, NULL);
  for (uint32_t i = 0; i < at->count; i++)
    if (at->slices[i].is_too_large) return false;
  return true;
}

/* ---- the program ------------------------------------------------------------------------------------- */

static void build(look *at, mst_arena *arena, unsigned threads) {
  const mst_program_part *part = at->part;
  uint32_t count = 0;
  mst_tree **trees = mst_arena_new(arena, part->count * sizeof *trees);
  const char **names = mst_arena_new(arena, part->count * sizeof *names);
  for (uint32_t i = 0; i < part->count; i++) {
    mst_unit *unit = &at->run->units.list.data[at->run->members[part->first + i]];
    if (!unit->is_parsed) continue;
    trees[count] = &unit->tree;
    names[count++] = unit->module;
  }
  if (count == 0) return;
  at->program = mst_arena_new(arena, sizeof *at->program);
  mst_model_build(at->program, arena, trees, names, count, threads);
  cut_slices(at, arena);
}

static bool build_within_budget(look *at, mst_arena *arena, unsigned threads) {
  if (setjmp(arena->way_out) != 0) return false;
  build(at, arena, threads);
  return true;
}

static void join(const look *at) {
  for (uint32_t i = 0; i < at->count; i++)
    mst_tally_join(&at->part->tally, &at->slices[i].tally);
}

static bool join_within_budget(const look *at) {
  if (setjmp(at->part->tally.arena->way_out) != 0) return false;
  join(at);
  return true;
}

muster_status mst_look_at_program(mst_assess_run *run, mst_program_part *part, unsigned worker,
                                  unsigned threads, muster_error *error) {
  mst_worker_state *state = &run->workers[worker];
  look at = {.run = run, .part = part, .worker = worker};
  mst_arena_init(&state->model, run->limits.model);
  part->tally = (mst_tally){.arena = state->kept};
  const bool done = build_within_budget(&at, &state->model, threads) && do_slices(&at, threads) &&
                    join_within_budget(&at);
  part->is_too_large = !done;
  part->is_too_long = !done && at.program != NULL && at.program->is_out_of_steps;
  mst_arena_reset(&state->model);
  const bool failed = part->explanation.failed;
  if (!done) {
    part->tally = (mst_tally){0};
    mst_str_reset(&part->explanation);
    part->is_wrong_line = false;
  }
  return failed ? mst_fail_memory(error) : MUSTER_OK;
}
