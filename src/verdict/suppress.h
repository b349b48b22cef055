/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Comments by which the user takes findings out of the verdict:
 *
 *   x = float(u.max())  # muster: ignore[R104] once a run
 *   # muster: ignore-file[R106, numpy.interp] host code
 *
 * The first form is for the lines of a statement, or for all of a loop's body where it stands on
 * the lines of the loop's head.
 */
#ifndef MST_VERDICT_SUPPRESS_H
#define MST_VERDICT_SUPPRESS_H

#include "verdict/tally.h"

/* The id that stands for all gaps in API support. */
#define MST_GAP_ID "API"

typedef struct mst_suppressions mst_suppressions;

/* Those of a module; NULL: there are none. What is wrong with them becomes a diagnostic of the
 * tally, in whose arena the reasons lie; all else is in `scratch`. */
mst_suppressions *mst_suppressions_read(mst_tally *tally, const mst_module *module,
                                        mst_arena *scratch);
/* The one that a finding of the rule `id`, or a gap of the name `id`, falls under; NULL: none, or
 * `suppressions` is NULL. It counts as used. */
const mst_suppression *mst_suppression_at(mst_suppressions *suppressions, mst_place place,
                                          const char *id, bool is_gap);
/* Those that nothing fell under become diagnostics. NULL is allowed. */
void mst_suppressions_finish(const mst_suppressions *suppressions, mst_tally *tally);

#endif
