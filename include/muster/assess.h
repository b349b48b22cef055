/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Assessing NumPy code: will it scale on cuPyNumeric, and what has to change first?
 *
 * Static and read-only: the code is never imported, run or changed, and nothing is fetched. The
 * same bytes and options give the same result, whatever the number of threads, the working
 * directory or the locale; no clock is read.
 *
 *   const char *path = "solver/";
 *   muster_assessment *assessment = NULL;
 *   char *report = NULL;
 *   if (muster_assess(&path, 1, NULL, &assessment, &error) != MUSTER_OK) ...
 *   muster_assessment_write(assessment, "markdown", NULL, &report, &error);
 *   muster_text_free(report);
 *   muster_assessment_free(assessment);
 */
#ifndef MUSTER_ASSESS_H
#define MUSTER_ASSESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "muster/error.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- options ------------------------------------------------------------------------------- */

/* Lines of a file that are new. Of a notebook, where lines of the file are no lines of cells, any
 * such entry makes all of it new. */
typedef struct muster_changed_lines {
  const char *path;     /* as it is reported; a leading "./" does not matter */
  uint32_t first, last; /* from 1; last UINT32_MAX: to the end */
} muster_changed_lines;

/* What is not said (0, NULL) is found in the code or assumed; reports tell which. */
typedef struct muster_assess_options {
  size_t struct_size;
  /* the problem */
  uint64_t elements;         /* of the arrays on the hot path */
  const char *elements_text; /* the same as the user wrote it ("16384x16384"), for reports */
  const char *pattern;       /* "stencil", "gemm", ...: see muster_assess_pattern */
  /* the target */
  unsigned gpus;         /* on each node */
  unsigned nodes;        /* */
  const char *gpu_model; /* "H100" */
  uint64_t fbmem;        /* bytes of memory of one GPU */
  uint64_t sysmem;       /* bytes of memory of one node, with cpu_only */
  bool cpu_only;
  unsigned cuda;  /* major version */
  const char *os; /* "linux", "macos", "windows" */
  /* what is looked at, and how */
  const char *manifest; /* file with a table of API support; NULL: the one that muster carries */
  const char *date;     /* "2026-11-30": stands in reports, and tells the table's age; NULL */
  bool manifest_is_optional; /* a damaged one is a diagnostic, and the carried one used */
  bool unlisted;             /* gaps also for names that the table does not list */
  bool no_ignore;            /* also what .gitignore and the like hide */
  /* Which findings are listed: all of them are judged, whatever is listed. */
  const char *const *rules; /* only those of these ids; NULL: all */
  size_t rule_count;
  const char *const *ignored_rules; /* none of these ids */
  size_t ignored_rule_count;
  /* JSON that cuPyNumeric's Doctor wrote of a run of this code; NULL: none. It adds to reports
   * which findings the run confirmed and what only the run saw; the verdict stays what it is. */
  const char *doctor;
  unsigned threads; /* 0: sized to the machine */
  /* Files with suggestions are kept as they are, for the report "patch"; at most 256 MiB. */
  bool keep_originals;
  /* one program that is no file */
  const char *text;      /* its bytes; NULL: none */
  size_t text_length;    /* */
  const char *text_name; /* what reports call it, instead of a file of that name; NULL: "<stdin>" */
  /* muster_assessment_explanation */
  const char *explain_path; /* a file as reports name it, or the end of its path; NULL: none */
  uint32_t explain_line;    /* from 1 */
  uint32_t explain_cell;    /* from 1, over all cells of a notebook; 0: no notebook */
  /* What is known already: reports list it apart, and verdict, gates and steps leave it out. */
  const char *baseline;      /* file with a text of muster_assessment_baseline; NULL: none */
  const char *baseline_text; /* the same as text, instead of a file; NULL: none */
  size_t baseline_length;
  /* Only what stands on these lines counts, unless changed_since is NULL. */
  const char *changed_since; /* what reports call the state that the lines differ from */
  const muster_changed_lines *changed;
  size_t changed_count;
  /* Names of options ("gpus", "gpu-model") that a file of the user's has set: reports say so. */
  const char *const *configured;
  size_t configured_count;
  /* For the report "html", which shows the sources: their lines are kept with the assessment, up to
   * some megabytes of them. Without, that report has none. */
  bool keep_lines;
} muster_assess_options;

MUSTER_API void muster_assess_options_init(muster_assess_options *options);

/* Names of patterns, by index from 0; NULL behind the last one. Static. Any thread. */
MUSTER_API const char *muster_assess_pattern(size_t index);

/* ---- assessing ----------------------------------------------------------------------------- */

typedef struct muster_assessment muster_assessment;

/*
 * Assesses Python files, notebooks and folders of them, which together are one program or several.
 * Paths are reported as they are written. options may be NULL; its strings are copied. A path that
 * does not exist, or cannot be read or understood, is a diagnostic of the result, and the others
 * are assessed.
 *
 * On success *out is an assessment that the caller frees. MUSTER_ERR_NOT_FOUND: nothing that was
 * named could be read. MUSTER_ERR_USAGE: an option makes no sense, nothing was named, or the line
 * to explain does not exist. MUSTER_ERR_FORMAT, _IO: the table of API support, the baseline, or
 * the Doctor's output. MUSTER_ERR_MEMORY.
 */
MUSTER_API muster_status muster_assess(const char *const *paths, size_t path_count,
                                       const muster_assess_options *options,
                                       muster_assessment **out, muster_error *error);
/* NULL is allowed. */
MUSTER_API void muster_assessment_free(muster_assessment *assessment);

/* An assessment never changes: the functions below may be called by any thread. */

typedef enum muster_verdict {
  MUSTER_VERDICT_NONE = 0, /* there are no arrays to assess */
  MUSTER_VERDICT_READY,
  MUSTER_VERDICT_LIGHT,
  MUSTER_VERDICT_SIGNIFICANT,
  MUSTER_VERDICT_NOT_RECOMMENDED
} muster_verdict;

MUSTER_API muster_verdict muster_assessment_verdict(const muster_assessment *assessment);
/* "LIGHT REFACTOR"; NULL for none. Static. Any thread. */
MUSTER_API const char *muster_verdict_name(muster_verdict verdict);
/* The verdict and its reason, one line; valid as long as the assessment. */
MUSTER_API const char *muster_assessment_sentence(const muster_assessment *assessment);
/* False when something in the code is known to raise on the target. */
MUSTER_API bool muster_assessment_runs(const muster_assessment *assessment);

typedef enum muster_assessment_list {
  MUSTER_FINDINGS = 0,      /* those that are listed */
  MUSTER_COUNTING_FINDINGS, /* of them, those that count in the verdict */
  MUSTER_GAPS,
  MUSTER_LOOPS,
  MUSTER_FILES,
  MUSTER_ASSESSED_FILES,
  MUSTER_DIAGNOSTICS,
  MUSTER_SUPPRESSED, /* findings and gaps that a comment takes out: see docs/assess.md */
  MUSTER_KNOWN,      /* those that are in the baseline */
  MUSTER_UNCHANGED,  /* those on lines that did not change */
  MUSTER_FIXED       /* entries of the baseline that nothing is like any more */
} muster_assessment_list;

/* Number of entries of a list; 0 for what is no list. */
MUSTER_API size_t muster_assessment_count(const muster_assessment *assessment,
                                          muster_assessment_list list);

/* ---- reports --------------------------------------------------------------------------------- */

typedef struct muster_report_options {
  size_t struct_size;
  bool colour;    /* escape sequences of terminals, for "text" */
  unsigned width; /* of lines of "text"; 0: 80 */
  /* "patch": also suggestions that change when or how something is computed */
  bool unsafe_suggestions;
  /* "patch": where to put what was left out and why, a line for each, or "": a new text that the
   * caller frees by muster_text_free; NULL: nowhere */
  char **notes;
} muster_report_options;

MUSTER_API void muster_report_options_init(muster_report_options *options);

/* Names of the formats, by index from 0; NULL behind the last one. Static. Any thread. */
MUSTER_API const char *muster_report_format(size_t index);

/*
 * Writes a report in the format into a new string, UTF-8 and NUL-terminated, which the caller
 * frees by muster_text_free. options may be NULL. A "patch" has the bytes of the files, whatever
 * their encoding, and needs keep_originals. MUSTER_ERR_USAGE: no such format, or no originals.
 */
MUSTER_API muster_status muster_assessment_write(const muster_assessment *assessment,
                                                 const char *format,
                                                 const muster_report_options *options, char **out,
                                                 muster_error *error);

/*
 * What an assessment finds, as a baseline for later ones: JSON, sorted, which the caller frees by
 * muster_text_free. Findings are known again by their rule, path and function, the text of their
 * line, blanks left out, and which of several alike it is; so lines may move. What works (SCALES)
 * and what a comment suppresses is not in it. Entries of options.baseline for files that were not
 * looked at stay in it.
 */
MUSTER_API muster_status muster_assessment_baseline(const muster_assessment *assessment, char **out,
                                                    muster_error *error);

/*
 * What options.explain_path and explain_line asked for: the findings there, what is known of the
 * names on that line, the loops around it, and how hot it is; or why the file was not assessed.
 * Valid as long as the assessment; NULL when nothing was asked for, or no file has that name.
 */
MUSTER_API const char *muster_assessment_explanation(const muster_assessment *assessment);

/*
 * What a rule ("R104"), a recipe ("RR-loop") or a gate ("gate 2") is about, as text that the
 * caller frees by muster_text_free. MUSTER_ERR_NOT_FOUND: there is none of that name. Any thread.
 */
MUSTER_API muster_status muster_explain(const char *topic, char **out, muster_error *error);

/* Frees a text of this header; NULL is allowed. */
MUSTER_API void muster_text_free(char *text);

#ifdef __cplusplus
}
#endif
#endif
