/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reports of an assessment. One output = one file + one line in reports.def; it sees the result
 * and the descriptors of rules, nothing else.
 */
#ifndef MST_REPORT_REPORT_H
#define MST_REPORT_REPORT_H

#include "base/printable.h"
#include "verdict/result.h"

typedef struct mst_report_options {
  bool colour;    /* escape sequences; text only */
  unsigned width; /* of lines; text only; 0: 80 */
} mst_report_options;

/* Appends the report to out. */
typedef muster_status (*mst_report_fn)(const mst_assessment_result *result,
                                       const mst_report_options *options, mst_str *out,
                                       muster_error *error);

typedef struct mst_report {
  const char *name, *summary;
  mst_report_fn write;
} mst_report;

extern const mst_report mst_reports[];
extern const unsigned mst_report_count;
/* NULL: there is none of that name. */
const mst_report *mst_report_find(const char *name);

#define REPORT(name, summary)                                                     \
  muster_status mst_write_##name(const mst_assessment_result *result,             \
                                 const mst_report_options *options, mst_str *out, \
                                 muster_error *error);
#include "report/reports.def"
#undef REPORT

/* ---- what reports share: common.c --------------------------------------------------------------- */

/* "a.py:12", "a.ipynb, cell 3, line 2". */
void mst_add_place(mst_str *out, const mst_site *site);
/* "1 file", "2 files". */
void mst_add_number_of(mst_str *out, uint64_t count, const char *noun);
const char *mst_gate_status_name(mst_gate_status status);

/* True for what sections 3 and 4 show in full: it has a say in the verdict. */
bool mst_has_a_say(const mst_result_finding *finding);
/* Files of this status. */
size_t mst_files_with(const mst_assessment_result *result, const char *status);

/* What stands where there is no finding, without a full stop. */
const char *mst_none(const mst_assessment_result *result);

/* Findings of one rule that stand side by side in one function. Of more than a few the first is
 * shown, and of the others only the lines. */
typedef struct mst_groups {
  const mst_result_finding *firsts[32];
  unsigned count;
} mst_groups;
/* True when the finding belongs to a group that was begun. */
bool mst_is_in_group(const mst_groups *groups, const mst_result_finding *finding);
/* Begins a group with the finding, if there are enough like it, and appends their lines: "lines 12,
 * 14 and 3 more". Returns how many there are besides the first; 0: it stands alone. */
size_t mst_begin_group(mst_groups *groups, const mst_assessment_result *result, size_t first,
                       mst_str *lines);

/* Appends what a rule, recipe or gate is about; false when there is none of that name: topics.c. */
bool mst_explain_topic(const char *topic, mst_str *out);

#endif
