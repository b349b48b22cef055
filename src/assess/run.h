/* SPDX-License-Identifier: Apache-2.0 */
/* One assessment while it is made: shared by assess.c and gather.c. */
#ifndef MST_ASSESS_RUN_H
#define MST_ASSESS_RUN_H

#include "assess/assessment.h"
#include "manifest/table.h"
#include "pysource/walk.h"

typedef struct mst_program_part {
  uint32_t first, count; /* of members */
  mst_tally tally;
  mst_str explanation;
  bool is_too_large;
} mst_program_part;

typedef struct mst_worker_state {
  mst_arena model; /* of the program at hand */
  mst_arena *kept; /* of its tally */
} mst_worker_state;

typedef struct mst_assess_run {
  muster_assessment *assessment;
  const muster_assess_options *options;
  unsigned threads;
  mst_found_files found;
  mst_units units;
  mst_manifest manifest;
  uint32_t *members; /* relevant units, program after program */
  uint32_t member_count;
  MST_VEC(mst_program_part) parts;
  const mst_unit *explained; /* the file whose line is asked for; NULL: none */
  size_t batch;              /* the first part of the batch at hand */
  mst_worker_state *workers;
  MST_VEC(mst_diagnostic) diagnostics; /* texts: the arena of the result */
} mst_assess_run;

/* Finds the file that options.explain_path names: explain.c. */
muster_status mst_explain_find(mst_assess_run *run, muster_error *error);

/* Takes the way out of the result's arena; false: no memory. */
bool mst_add_diagnostic(mst_assess_run *run, mst_site site, const char *kind, const char *message);
/* Merges the tallies and fills the result; likewise. */
bool mst_gather_result(mst_assess_run *run);

#endif
