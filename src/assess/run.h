/* SPDX-License-Identifier: Apache-2.0 */
/* One assessment while it is made: shared by assess.c, parts.c, program.c and gather.c. */
#ifndef MST_ASSESS_RUN_H
#define MST_ASSESS_RUN_H

#include "assess/assessment.h"
#include "base/json.h"
#include "manifest/table.h"
#include "pysource/walk.h"

/* A program, or a part of one that is too large to be looked at as a whole. */
typedef struct mst_program_part {
  uint32_t first, count; /* of members; none: it was split */
  mst_tally tally;
  mst_str explanation; /* of the line that is asked for; or what is wrong with the question */
  bool is_wrong_line;
  bool is_too_large;
  bool is_too_long; /* and this by what is executed, not by memory */
} mst_program_part;

typedef struct mst_worker_state {
  mst_arena model; /* of the program at hand */
  mst_arena slice; /* of what is found in some of its modules */
  mst_arena *kept; /* of its tally */
} mst_worker_state;

typedef struct mst_assess_run {
  muster_assessment *assessment;
  const char *const *paths; /* that were named */
  size_t path_count;
  const muster_assess_options *options;
  mst_assess_limits limits;
  unsigned threads;
  mst_found_files found;
  mst_units units;
  mst_manifest manifest;
  uint32_t *members; /* relevant units, program after program */
  uint32_t member_count;
  MST_VEC(mst_program_part) parts;
  const mst_unit *explained; /* the file whose line is asked for; NULL: none */
  uint32_t *batch_members;   /* of the parts at hand */
  mst_worker_state *workers;
  MST_VEC(mst_diagnostic) diagnostics; /* texts: the arena of the result */
  yyjson_doc *doctor;                  /* what the Doctor reported; NULL: none */
  char *original; /* bytes of the file that is read again; freed with the run */
} mst_assess_run;

/* Finds the file that options.explain_path names: explain.c. */
muster_status mst_explain_find(mst_assess_run *run, muster_error *error);
/* Which findings of the line have no say, once that is known. */
void mst_explain_aside(const mst_assess_run *run, mst_str *out);
/* Makes parts of the units; those that surely are too large are split: parts.c. Takes the way out
 * of the result's arena; false: no memory. */
bool mst_parts_make(mst_assess_run *run);
/* Splits a part of several units: each folder within the one around them is a part of its own, or
 * each file. Likewise. */
bool mst_part_split(mst_assess_run *run, size_t index);
size_t mst_part_bytes(const mst_assess_run *run, const mst_program_part *part);
/* Fills the tally of a part whose units are parsed, or says that it is too large: program.c.
 * `worker` is the caller's; with several threads, those from it on. */
muster_status mst_look_at_program(mst_assess_run *run, mst_program_part *part, unsigned worker,
                                  unsigned threads, muster_error *error);

/* Takes the way out of the result's arena; false: no memory. */
bool mst_add_diagnostic(mst_assess_run *run, mst_site site, const char *kind, const char *message);
/* Moves what has no say from the lists of the result to those of what is set aside: aside.c.
 * Likewise. */
bool mst_set_aside(mst_assess_run *run);
/* Merges the tallies and fills the result; likewise. */
bool mst_gather_result(mst_assess_run *run);
/* Keeps the files that suggestions are for, and finds where in their bytes these belong:
 * originals.c. Takes the way out of the result's arena. */
void mst_keep_originals(mst_assess_run *run);

#endif
