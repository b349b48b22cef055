/* SPDX-License-Identifier: Apache-2.0 */
/* Files that hold several arrays by name: which of them is meant. */
#ifndef MST_FORMATS_MEMBERS_H
#define MST_FORMATS_MEMBERS_H

#include "base/io.h"
#include "formats/format.h"
#include "muster/error.h"

/*
 * The index of the array that `wanted` names (slashes at its begin do not count), or of the only
 * one when it is NULL. Otherwise an error that lists what there is: MUSTER_ERR_NOT_FOUND when there
 * is none of that name, or none at all, MUSTER_ERR_MISMATCH when it must be said which. `what` is
 * the format's word for them ("array", "dataset", "variable").
 */
muster_status mst_members_find(const char *path, const mst_names *names, const char *wanted,
                               const char *what, size_t *index, muster_error *error);

/* The error for a pattern that none of the names matches. */
muster_status mst_members_refuse_pattern(const char *path, const mst_names *names,
                                         const char *pattern, muster_error *error);

/* The array's name as Python: a literal where all files have the same, else the variable `member`.
 */
void mst_members_add_python(mst_str *out, const mst_python_shards *python);

#endif
