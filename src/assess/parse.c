/* SPDX-License-Identifier: Apache-2.0 */
/* Reading and parsing the units of an assessment, under one budget for all parses. */
#include <stdlib.h>
#include <string.h>

#include "assess/assessment.h"
#include "base/pool.h"
#include "base/status.h"

#define PARSE_BUDGET ((size_t)1 << 30) /* of the parser, for all parses that run at once */
#define TREE_BUDGET ((size_t)1 << 30)  /* of one tree */
#define PARSE_BYTES_PER_BYTE 256       /* the parser takes about 180 for a byte of source */
#define PARSE_SECONDS 60.0
#define ROOM_BYTES ((size_t)16 << 20) /* of a thread's parser */
#define ROOM_PAYS ((size_t)1 << 20)   /* of source from which on it is made */

static muster_status read_unit(mst_unit *unit, muster_error *error) {
  if (unit->text != NULL)
    return mst_source_from_bytes(&unit->source, unit->shown, unit->text, unit->text_length, error);
  return mst_source_read(&unit->source, unit->path, unit->shown, error);
}

static const char *kind_of(muster_status status) {
  switch (status) {
  case MUSTER_ERR_FORMAT: return "format";
  case MUSTER_ERR_MEMORY: return "budget";
  case MUSTER_ERR_CANCELLED: return "time"; /* more memory would not help */
  default: return "unreadable";
  }
}

/* Keeps why the unit is not assessed. */
static muster_status give_up(mst_unit *unit, const muster_error *fault, const char *message,
                             muster_error *error) {
  mst_free(unit->reason_text);
  unit->reason_text = mst_strdup(message != NULL ? message : fault->message);
  unit->reason = unit->reason_text;
  unit->kind = kind_of(fault->status);
  return unit->reason_text != NULL ? MUSTER_OK : mst_fail_memory(error);
}

/* ---- the first look ------------------------------------------------------------------------------- */

static muster_status scan_unit(void *context, uint64_t index, unsigned worker,
                               muster_error *error) {
  mst_units *units = context;
  mst_unit *unit = &units->list.data[index];
  muster_error fault;
  (void)worker;
  if (unit->reason != NULL) return MUSTER_OK;
  const muster_status status = read_unit(unit, &fault);
  if (status != MUSTER_OK) return give_up(unit, &fault, NULL, error);
  unit->lines = unit->source.length > 0 ? unit->source.line_count : 0;
  unit->bytes = unit->source.length;
  const bool done = mst_imports_scan(&unit->imports, &unit->source);
  mst_source_reset(&unit->source);
  return done ? MUSTER_OK : mst_fail_memory(error);
}

muster_status mst_scan_units(mst_units *units, unsigned threads, muster_error *error) {
  return mst_parallel_for(threads, units->list.length, scan_unit, units, error);
}

/* ---- parsing ------------------------------------------------------------------------------------------ */

typedef struct parse_job {
  mst_units *units;
  const uint32_t *indices;
  size_t budget;         /* of one parse */
  mst_parse_room *rooms; /* by thread; NULL: none */
} parse_job;

static const mst_parse_room no_room = {0};

/* The arena may jump out of the parser to here. */
static muster_status parse_in_arena(mst_unit *unit, size_t budget, const mst_parse_room *room,
                                    muster_error *fault) {
  mst_arena_init(unit->arena, TREE_BUDGET);
  if (setjmp(unit->arena->way_out) != 0) return mst_fail_memory(fault);
  return mst_syntax_parse_in(room, &unit->source, budget, PARSE_SECONDS, unit->arena, &unit->tree,
                             fault);
}

static muster_status parse_unit(mst_unit *unit, size_t budget, const mst_parse_room *room,
                                muster_error *error) {
  muster_error fault;
  muster_status status = read_unit(unit, &fault);
  if (status != MUSTER_OK) return give_up(unit, &fault, NULL, error);
  unit->arena = mst_calloc(1, sizeof *unit->arena);
  if (unit->arena == NULL) return mst_fail_memory(error);
  status = parse_in_arena(unit, budget, room, &fault);
  unit->is_parsed = status == MUSTER_OK;
  if (unit->is_parsed) return MUSTER_OK;
  mst_unit_release(unit);
  return give_up(unit, &fault,
                 status == MUSTER_ERR_MEMORY      ? "parsing it takes more than the memory allowed"
                 : status == MUSTER_ERR_CANCELLED ? "parsing it takes too long"
                                                  : NULL,
                 error);
}

static bool fits(const mst_unit *unit, size_t budget) {
  return (size_t)unit->bytes * PARSE_BYTES_PER_BYTE < budget;
}

static muster_status parse_small(void *context, uint64_t index, unsigned worker,
                                 muster_error *error) {
  const parse_job *job = context;
  mst_unit *unit = &job->units->list.data[job->indices[index]];
  const mst_parse_room *room = job->rooms != NULL ? &job->rooms[worker] : &no_room;
  return fits(unit, job->budget) ? parse_unit(unit, job->budget, room, error) : MUSTER_OK;
}

/* A file that turned out to need more than its share is tried once more with all of it, so that
 * the outcome does not depend on the number of threads. */
static bool needs_another_try(const mst_unit *unit) {
  return !unit->is_parsed &&
         (unit->reason == NULL || (unit->kind != NULL && strcmp(unit->kind, "budget") == 0));
}

/* The largest first, so that threads end together. */
static int by_size(const void *left, const void *right, void *context) {
  const mst_unit *units = context;
  const uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
  if (units[a].bytes != units[b].bytes) return units[a].bytes > units[b].bytes ? -1 : 1;
  return a < b ? -1 : a > b;
}

/* Large pages, faulted in once: with memory of its own each parse takes a tenth longer. */
static void make_rooms(parse_job *job, size_t count, unsigned threads) {
  size_t bytes = 0;
  for (size_t i = 0; i < count; i++)
    bytes += job->units->list.data[job->indices[i]].bytes;
  if (bytes < ROOM_PAYS || ROOM_BYTES > job->budget / 2) return;
  job->rooms = mst_calloc(threads, sizeof *job->rooms);
  for (unsigned i = 0; job->rooms != NULL && i < threads; i++)
    job->rooms[i] = (mst_parse_room){mst_pages_new(ROOM_BYTES), ROOM_BYTES};
}

static void free_rooms(const parse_job *job, unsigned threads) {
  for (unsigned i = 0; job->rooms != NULL && i < threads; i++)
    mst_pages_free(job->rooms[i].memory, ROOM_BYTES);
  mst_free(job->rooms);
}

muster_status mst_parse_units(mst_units *units, uint32_t *indices, size_t count, unsigned threads,
                              muster_error *error) {
  qsort_r(indices, count, sizeof *indices, by_size, units->list.data);
  parse_job job = {units, indices, PARSE_BUDGET / threads, NULL};
  make_rooms(&job, count, threads);
  muster_status status = mst_parallel_for(threads, count, parse_small, &job, error);
  free_rooms(&job, threads);
  for (size_t i = 0; i < count && status == MUSTER_OK; i++) {
    mst_unit *unit = &units->list.data[indices[i]];
    if (!needs_another_try(unit)) continue;
    unit->reason = unit->kind = NULL;
    status = parse_unit(unit, PARSE_BUDGET, &no_room, error);
  }
  return status;
}
