/* SPDX-License-Identifier: Apache-2.0 */
/* What cuPyNumeric's Doctor reported of a run, beside what was found in the source:
 * docs/doctor.md. */
#ifndef MST_VERDICT_DOCTOR_H
#define MST_VERDICT_DOCTOR_H

#include "base/json.h"
#include "verdict/result.h"

/* MUSTER_ERR_FORMAT: the document is no output of the Doctor. `path` is for the error. */
muster_status mst_doctor_check(const char *path, yyjson_doc *doc, muster_error *error);
/* Says of each finding whether the run confirmed it, and lists what only the run saw. The document
 * was checked; texts are copied into the arena. */
void mst_doctor_merge(yyjson_doc *doc, mst_assessment_result *result, mst_arena *arena);

#endif
