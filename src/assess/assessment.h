/* SPDX-License-Identifier: Apache-2.0 */
/* From paths to a result: what is behind muster_assess. */
#ifndef MST_ASSESS_ASSESSMENT_H
#define MST_ASSESS_ASSESSMENT_H

#include "assess/baseline.h"
#include "assess/units.h"
#include "muster/assess.h"
#include "verdict/tally.h"

struct muster_assessment {
  mst_arena arena;          /* of the result */
  mst_arena *worker_arenas; /* of what the tallies of programs point to */
  unsigned worker_count;
  mst_assessment_result result;
  char *explanation; /* NULL: none */
  mst_baseline baseline;
};

/* Bytes from which on programs are treated otherwise. */
typedef struct mst_assess_limits {
  size_t model; /* of the model of a program: what needs more is looked at in parts */
  size_t slice; /* of what one thread finds in some modules of it; likewise */
  size_t large; /* of source: from here on all threads look at a program together */
} mst_assess_limits;

/* Fills a zeroed assessment; what it holds is freed by mst_assessment_reset, also on failure.
 * `limits`: NULL for the usual ones. */
muster_status mst_assessment_make(muster_assessment *assessment, const char *const *paths,
                                  size_t path_count, const muster_assess_options *options,
                                  const mst_assess_limits *limits, muster_error *error);
void mst_assessment_reset(muster_assessment *assessment);

/* Appends what is known of the line of this file that the options name (the tally holds no more
 * than these findings); nothing when the file is none of these modules. False when it has no such
 * line: then what is wrong is appended, without a line's end: explain.c. */
bool mst_explain_line(const mst_program *program, mst_module_range modules,
                      const mst_findings *findings, const mst_tally *tally, const char *path,
                      const muster_assess_options *options, mst_str *out);
/* Appends why nothing is known of the file. */
void mst_explain_absence(const mst_unit *unit, mst_str *out);

/* ---- parsing: parse.c ------------------------------------------------------------------------------ */

/* Reads and parses these units, whose order is changed, the small ones in parallel; faults stay
 * with the unit. */
muster_status mst_parse_units(mst_units *units, uint32_t *indices, size_t count, unsigned threads,
                              muster_error *error);
/* Reads a unit's text and lets it go again: lines, imports, or the reason why it cannot be read. */
muster_status mst_scan_units(mst_units *units, unsigned threads, muster_error *error);

#endif
