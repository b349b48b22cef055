/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of the Markdown report: markdown.c, the findings in markdown_findings.c, and what has
 * no say in markdown_aside.c. */
#ifndef MST_REPORT_MARKDOWN_H
#define MST_REPORT_MARKDOWN_H

#include "report/report.h"

void mst_md_text(mst_str *out, const char *text);
void mst_md_cell(mst_str *out, const char *text); /* within a table */
void mst_md_code(mst_str *out, const char *text); /* a name, as a code span */
void mst_md_place(mst_str *out, const mst_site *site);

/* Sections 2 to 5, without their headings. */
void mst_md_scales(const mst_assessment_result *result, mst_str *out);
void mst_md_blocks(const mst_assessment_result *result, mst_str *out);
void mst_md_refactors(const mst_assessment_result *result, mst_str *out);
void mst_md_notes(const mst_assessment_result *result, mst_str *out);
/* The end of section 5, if there is something to say: markdown_doctor.c. */
void mst_md_doctor(const mst_assessment_result *result, mst_str *out);

/* Behind section 5: what has no say. Nothing where there is no such thing. */
void mst_md_aside(const mst_assessment_result *result, mst_str *out);

#endif
