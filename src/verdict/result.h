/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The result of an assessment, as reports see it: plain texts and numbers, sorted, nothing of
 * syntax or values. All of it lies in one arena.
 */
#ifndef MST_VERDICT_RESULT_H
#define MST_VERDICT_RESULT_H

#include "rules/rule.h"

typedef struct mst_site {
  const char *path;
  uint32_t cell;                   /* from 1; 0: not a notebook */
  uint32_t line, column, end_line; /* from 1 */
} mst_site;

/* Where a suggestion belongs in its file, and the text that takes the place of what stands there,
 * indented as that is. */
typedef struct mst_replacement {
  uint32_t line, column, end_line, end_column; /* from 1; the end is behind the last character */
  const char *old_text;
  const char *text;
  const struct mst_replacement *next; /* of the same suggestion; NULL: none */
} mst_replacement;

/* Why a finding or a gap that stands there has no say. */
typedef enum mst_aside {
  MST_ASIDE_NOT,
  MST_ASIDE_SUPPRESSED, /* by a comment */
  MST_ASIDE_KNOWN,      /* it is in the baseline */
  MST_ASIDE_UNCHANGED   /* its lines are those of the revision that is compared with */
} mst_aside;
const char *mst_aside_name(mst_aside aside); /* "suppressed", "known", "unchanged"; NULL */

typedef struct mst_suppression {
  const char *reason; /* NULL: none was given */
  uint32_t line;      /* of the comment, in its file or cell */
} mst_suppression;

/* The same in bytes of the file, in its own encoding and with its own line ends. */
typedef struct mst_change {
  size_t start, end;
  const char *bytes;
  size_t length;
  const struct mst_change *next; /* of the same suggestion */
} mst_change;

typedef struct mst_result_finding {
  const mst_rule *rule;
  mst_site site;
  const char *function; /* "Solver.advance"; NULL: module level */
  mst_outcome outcome;
  mst_heat heat;
  mst_confidence confidence;
  bool counts;
  const char *message;
  const char *const *evidence;
  unsigned evidence_count;
  const char *recipe;
  const char *advice; /* instead of the recipe's text; NULL: that */
  const mst_suggestion *suggestion;
  const mst_replacement *replacement; /* NULL: none, in a notebook, or not of whole statements */
  const mst_change *change;           /* NULL: no replacement, or no originals */
  uint64_t line_digest;               /* of its line, blanks left out: mst_line_digest */
  mst_aside aside;
  const mst_suppression *suppression; /* NULL: none */
  const char *doctor; /* "confirmed", "static-only"; NULL: works, or no output of the Doctor */
} mst_result_finding;

typedef struct mst_result_gap {
  const char *name, *level, *note;
  mst_site site;
  mst_heat heat;
  bool raises;
  bool central; /* in a hot loop, or on every path through its function */
  bool is_used; /* its value goes on, whatever tests say: not what is saved or printed at times */
  bool is_setting; /* touches no array */
  uint64_t line_digest;
  mst_aside aside;
  const mst_suppression *suppression;
} mst_result_gap;

typedef struct mst_result_loop {
  mst_site site;
  mst_heat heat;
  const char *status; /* mst_loop_status_name */
  const char *reason;
} mst_result_loop;

/* A line of a source; what is too long ends early. */
typedef struct mst_result_line {
  uint32_t cell, number; /* from 1; cell 0: not a notebook */
  bool is_cut;
  const char *text; /* UTF-8 that may hold anything */
} mst_result_line;

/* What is kept of a source's text, in order: all of a short one, of a long one what stands around
 * findings, gaps and loops. */
typedef struct mst_result_text {
  const char *path;
  const mst_result_line *lines;
  uint32_t count;
  size_t bytes;
} mst_result_text;

typedef struct mst_result_file {
  const char *path;
  uint32_t lines;
  const char *status;   /* "assessed", "skipped" (no NumPy in it), "not assessed" */
  const char *reason;   /* NULL: none */
  mst_result_text text; /* nothing, unless lines are kept */
} mst_result_file;

typedef struct mst_diagnostic {
  mst_site site;    /* line 0: the file as a whole */
  const char *kind; /* "syntax", "python2", "encoding", "unreadable", "budget", "time" ... */
  const char *message;
} mst_diagnostic;

/* Kinds that tell of comments, not of what could not be read. */
#define MST_SUPPRESSION_FAULT "suppression"
#define MST_SUPPRESSION_UNUSED "unused-suppression"

/* A line that the Doctor reported, and no finding is about. */
typedef struct mst_runtime_place {
  mst_site site;
  const char *description, *source;
  const char *reason; /* NULL: not known */
} mst_runtime_place;

/* A file with replacements as it is, for patches. */
typedef struct mst_original {
  const char *path;
  const char *bytes; /* NULL: the reason says why not */
  size_t length;
  const char *reason;
} mst_original;

typedef enum mst_gate_status { MST_GATE_PASS, MST_GATE_UNCERTAIN, MST_GATE_FAIL } mst_gate_status;

typedef struct mst_gate {
  unsigned number;  /* 1 to 6 */
  const char *name; /* "hardware" ... */
  mst_gate_status status;
  const char *reason;
  const char *pattern; /* gate 4: "stencil" ...; else NULL */
  const mst_site *sites;
  unsigned site_count;
} mst_gate;

typedef enum mst_verdict {
  MST_VERDICT_NONE, /* nothing to assess */
  MST_VERDICT_READY,
  MST_VERDICT_LIGHT,
  MST_VERDICT_SIGNIFICANT,
  MST_VERDICT_NOT_RECOMMENDED
} mst_verdict;
const char *mst_verdict_name(mst_verdict verdict); /* "LIGHT REFACTOR"; NULL for none */

typedef struct mst_next_step {
  const char *recipe;       /* NULL for steps without one */
  const char *const *rules; /* ids */
  unsigned rule_count;
  unsigned sites;
  const char *effort; /* "minutes", "hours", "a day or two", "days" */
  const char *text;
  mst_verdict verdict_after; /* when this and all steps before it are done */
} mst_next_step;

/* A recipe's id as reports give it: NULL for steps without a name. */
const char *mst_recipe_name(const char *id);
/* What to do about findings of one recipe (NULL: none): its text, and the findings' own advice
 * where they have some. */
typedef struct mst_advice {
  const char *general; /* NULL: all of them have advice of their own */
  const char *special; /* NULL: none has */
} mst_advice;
void mst_advice_add(mst_advice *advice, const mst_result_finding *finding);

/* What the user said of the target; zero or NULL: not said. */
typedef struct mst_context {
  uint64_t elements;
  const char *elements_text; /* as written: "16384x16384" */
  unsigned gpus, nodes;
  const char *gpu_model;
  uint64_t fbmem, sysmem; /* bytes */
  bool cpu_only;
  const char *pattern;
  unsigned cuda; /* major version */
  const char *os;
  const char *date; /* "2026-11-30" */
  bool unlisted;
  /* Which findings are listed; all of them are judged. */
  const char *const *rules; /* ids; NULL: all */
  unsigned rule_count;
  const char *const *ignored_rules; /* ids that are left out */
  unsigned ignored_rule_count;
  const char *baseline;      /* what is known already: its file, or "given as text"; NULL: none */
  const char *changed_since; /* only lines that changed since then have a say; NULL: all */
  const char *const *configured; /* names of options that a file of the user's has set */
  unsigned configured_count;
} mst_context;

/* Whether findings of the rule are listed, and whether any are left out. */
bool mst_is_listed(const mst_context *context, const char *rule);
static inline bool mst_is_filtered(const mst_context *context) {
  return context->rules != NULL || context->ignored_rule_count > 0;
}

/* One line of the context table. */
typedef struct mst_context_line {
  const char *item, *value;
  bool is_default;
  bool is_configured; /* said by a file of the user's, not on the command line */
} mst_context_line;

/* An entry of the baseline that nothing in the code is like any more. */
typedef struct mst_fixed {
  const char *rule; /* an id, or "API" */
  const char *path;
  const char *function; /* NULL: module level */
  const char *name;     /* of a gap; else NULL */
} mst_fixed;

/* The multi-GPU reading; -1: unknown, INT64_MAX: that many or more. */
typedef struct mst_reading {
  int64_t elements; /* of the largest array on the hot path */
  int64_t bytes_per_array;
  int64_t arrays_alive; /* at least */
  int64_t bytes_alive;
  int64_t bytes_per_gpu;
  int64_t halo_bytes; /* a step, between two neighbours */
  int64_t masked_copy_bytes;
  int64_t smallest_gpus;    /* that it fits into; 0: unknown */
  int64_t largest_gpus;     /* that keep 65,536 elements each; 0: unknown */
  uint64_t gpu_memory;      /* bytes of one GPU; 0: unknown */
  uint64_t gpus;            /* of the target, the fewest */
  const char *tier;         /* "10M to 100M: faster on one GPU" */
  const char *const *notes; /* further lines */
  unsigned note_count;
} mst_reading;

typedef struct mst_assessment_result {
  mst_verdict verdict;
  bool runs;                      /* nothing raises */
  bool imports_cupynumeric;       /* it has been ported already, or in part */
  bool has_doctor, has_originals; /* what a run saw, and files as they are, were asked for */
  const char *verdict_sentence;   /* section 1's first sentence */
  const char *runs_sentence;      /* and the second: would it run at all */
  const char *composite;          /* "strong go", "weak go", "no go"; NULL without a verdict */
  const char *composite_reason;
  const char *not_applicable; /* why there is no verdict, and the right tool; else NULL */
  mst_context context;
  const mst_context_line *context_lines;
  unsigned context_line_count;
  const char *manifest_source, *manifest_version, *manifest_date, *manifest_warning;
  const mst_gate *gates; /* six */
  mst_reading reading;
  mst_result_finding *findings; /* those that are listed */
  size_t finding_count;
  mst_result_gap *gaps;
  size_t gap_count;
  /* The same, and among them what was set aside; without such they are the same lists. */
  mst_result_finding *all_findings;
  size_t all_finding_count;
  mst_result_gap *all_gaps;
  size_t all_gap_count;
  const mst_fixed *fixed; /* what the baseline knows and is no more */
  size_t fixed_count;
  mst_result_loop *loops;
  size_t loop_count;
  mst_result_file *files;
  size_t file_count;
  mst_diagnostic *diagnostics;
  size_t diagnostic_count;
  mst_runtime_place *runtime_only;
  size_t runtime_only_count;
  mst_original *originals;
  size_t original_count;
  const mst_next_step *next_steps;
  unsigned next_step_count;
  const char *pilot;    /* path of the module to begin with; NULL: none */
  const char *hand_off; /* the Doctor's command line */
} mst_assessment_result;

/* Whether something stands in the code that is not counted: verdict.c. */
bool mst_has_aside(const mst_assessment_result *result);
/* Whether the gap costs a step of the verdict: verdict.c. */
bool mst_gap_demotes(const mst_assessment_result *result, const mst_result_gap *gap);

#endif
