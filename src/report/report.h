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
  bool colour;             /* escape sequences; text only */
  unsigned width;          /* of lines; text only; 0: 80 */
  bool unsafe_suggestions; /* patch only */
  mst_str *notes;          /* patch only: what was left out, a line each; NULL: nowhere */
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

/* Findings that a part of a report is about. */
typedef struct mst_selection {
  mst_category category;
  const char *rule;   /* id; NULL: any */
  const char *recipe; /* NULL: any, "": without one */
  bool counting;      /* those that have a say, or the others */
} mst_selection;
bool mst_is_selected(const mst_selection *wanted, const mst_result_finding *finding);

/* True for a diagnostic that tells of a comment of ours, not of what could not be read. */
bool mst_is_of_comment(const mst_diagnostic *diagnostic);
/* Files of this status. */
size_t mst_files_with(const mst_assessment_result *result, const char *status);

/* False for what works (SCALES), where nothing is to be done. */
bool mst_is_complaint(const mst_result_finding *finding);
/* Findings that a run under the Doctor confirmed. */
size_t mst_confirmed(const mst_assessment_result *result);
/* Appends "The Doctor confirms 2 of 5 findings; 1 place was seen by the run alone.". */
void mst_add_doctor(const mst_assessment_result *result, mst_str *out);
/* True for a diagnostic of the table of API support, which is no file of the user's sources. */
bool mst_is_of_manifest(const mst_diagnostic *diagnostic);
/* True for a gap that the verdict or the sentence behind it tells of. */
bool mst_gap_counts(const mst_assessment_result *result, const mst_result_gap *gap);
/* "`numpy.ma` is not implemented on the distributed path, raises: note". */
void mst_add_gap(mst_str *out, const mst_result_gap *gap);

/* What stands where there is no finding, without a full stop. */
const char *mst_none(const mst_assessment_result *result);
/* The same where gaps would stand. */
const char *mst_no_gap(const mst_assessment_result *result);
/* Without next steps: "Nothing has to change first". */
const char *mst_no_step(const mst_assessment_result *result);

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

/* Appends the path as a URI, percent-encoded. False: it does not lie below the folder from which it
 * is seen (it is absolute, or leads out of it): uri.c. */
bool mst_add_uri(mst_str *out, const char *path);

/* fingerprints.c. */
typedef struct mst_fingerprint {
  uint64_t number;  /* the same for findings that look the same */
  uint32_t ordinal; /* of those in one file, from 1 */
  size_t file, index;
} mst_fingerprint;
/* One for each finding, or gap, in their order; mst_free them. NULL: no memory. */
mst_fingerprint *mst_fingerprints_of_findings(const mst_result_finding *findings, size_t count);
mst_fingerprint *mst_fingerprints_of_gaps(const mst_result_gap *gaps, size_t count);

/* Appends what a rule, recipe or gate is about; false when there is none of that name: topics.c. */
bool mst_explain_topic(const char *topic, mst_str *out);

#endif
