/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The parts of the page: html.c, html_text.c (what is safe to write), html_findings.c (sections 2
 * to 5, and the table), html_charts.c (gates and numbers of GPUs), html_source.c (the sources).
 * What comes from the user's files is written by the functions of html_text.c only.
 */
#ifndef MST_REPORT_HTML_H
#define MST_REPORT_HTML_H

#include "report/report.h"

/* Findings that a page holds; of more it tells only how many. */
#define MST_HTML_FINDINGS 4000

typedef struct mst_html {
  mst_str *out;
  const mst_assessment_result *result;
  size_t shown; /* findings, from the front of the list */
} mst_html;

/* ---- text ---------------------------------------------------------------------------------------- */

/* One line of text; what stands between backquotes becomes code. */
void mst_html_text(mst_str *out, const char *text);
/* The same within <code>, whatever is in it. */
void mst_html_code(mst_str *out, const char *text);
/* A line of a source: tabs stay, and all else is as it is in mst_html_text. */
void mst_html_line(mst_str *out, const char *text, size_t length);
/* The place, as a link if its line is shown. */
void mst_html_place(const mst_html *page, const mst_site *site);
/* The same, shown as the line's number only. */
void mst_html_line_number(const mst_html *page, const mst_site *site);
void mst_html_heading(mst_str *out, const char *id, const char *title);
/* "sha256-" and the digest, given in hexadecimal, as base 64. */
void mst_html_digest(mst_str *out, const char *hexadecimal);

/* The file of the path; NULL: none of those that were assessed. */
const mst_result_file *mst_html_file(const mst_html *page, const char *path);
/* Whether what is kept of the file holds this line. */
bool mst_html_has_line(const mst_result_file *file, uint32_t cell, uint32_t line);
/* The line's id: "s3-12", "s3-2-12" with a cell. */
void mst_html_add_line_id(const mst_html *page, const mst_result_file *file, uint32_t cell,
                          uint32_t line);

/* ---- parts --------------------------------------------------------------------------------------- */

/* How a finding is coloured: "raises", "wrong", "host", "cost", "change", "note" or "scales". */
const char *mst_html_kind(const mst_result_finding *finding);
/* Sections 2 to 5, without their headings. */
void mst_html_scales(const mst_html *page);
void mst_html_blocks(const mst_html *page);
void mst_html_refactors(const mst_html *page);
void mst_html_notes(const mst_html *page);
/* The table of all findings that are no praise. */
void mst_html_table(const mst_html *page);
/* A sign for the status of a gate. */
void mst_html_sign(mst_str *out, mst_gate_status status);
void mst_html_reading(const mst_html *page);
void mst_html_sources(const mst_html *page);

#endif
