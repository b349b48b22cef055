/* SPDX-License-Identifier: Apache-2.0 */
/* Hunks of a unified diff, of bytes and what is changed of them. */
#ifndef MST_REPORT_HUNKS_H
#define MST_REPORT_HUNKS_H

#include "base/str.h"
#include "verdict/result.h"

/* Appends the hunks, each with up to three lines of context; nothing when all stays as it is. The
 * changes (their `next` does not matter) are in the order of their places and do not overlap.
 * False: no memory. */
bool mst_add_hunks(mst_str *out, const mst_original *original, const mst_change *const *changes,
                   size_t count);

#endif
