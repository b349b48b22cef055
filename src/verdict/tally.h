/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the verdict needs to know of the programs that were assessed: counted while the model of
 * each is there, merged, then concluded from. Everything in it is plain, and lies in its arena.
 */
#ifndef MST_VERDICT_TALLY_H
#define MST_VERDICT_TALLY_H

#include "verdict/result.h"

typedef enum mst_compute_pattern {
#define PATTERN(id, name, words, tool) MST_PATTERN_##id,
#include "verdict/patterns.def"
#undef PATTERN
  MST_PATTERN_COUNT,
  MST_PATTERN_NONE = MST_PATTERN_COUNT
} mst_compute_pattern;

const char *mst_compute_pattern_name(mst_compute_pattern pattern);
/* What does such work better; NULL for patterns that scale. */
const char *mst_compute_pattern_words(mst_compute_pattern pattern);
const char *mst_compute_pattern_tool(mst_compute_pattern pattern);
/* MST_PATTERN_NONE: no such name. */
mst_compute_pattern mst_compute_pattern_by_name(const char *name);
/* The pattern of things with this full name ("networkx.Graph"), or MST_PATTERN_NONE. */
mst_compute_pattern mst_compute_pattern_of_name(const char *name);

#define MST_MOST_SITES 12 /* that are kept as evidence of one thing */

typedef struct mst_sites {
  mst_site data[MST_MOST_SITES];
  unsigned length;
} mst_sites;

/* Work of one kind on the hot path: statements, weighted by loop depth + 1. */
typedef struct mst_work {
  uint64_t weight;
  mst_sites sites;
} mst_work;

/* A place where data leave the runtime or come into it. */
typedef struct mst_touch {
  const char *kind; /* "file", "plot", "print", "scipy", "data frame" */
  const char *name;
  mst_site site;
  mst_heat heat;
} mst_touch;

typedef struct mst_size {
  int64_t elements; /* of the largest array whose size is known; 0: none */
  int64_t slab;     /* elements of one index of its first axis; 0: unknown */
  unsigned item_bytes;
  mst_site site;
  const char *text;        /* of the expression */
  uint64_t known, unknown; /* array expressions */
  uint64_t arrays;         /* different allocations */
} mst_size;

typedef struct mst_weight_of_file {
  const char *path;
  uint64_t weight;
} mst_weight_of_file;

typedef struct mst_tally {
  mst_arena *arena;
  bool keeps_lines;
  int64_t largest_before; /* elements of the largest array in earlier modules of the program */
  struct {
    mst_result_finding *data;
    size_t length, capacity;
  } findings;
  struct {
    mst_result_gap *data;
    size_t length, capacity;
  } gaps;
  struct {
    mst_result_loop *data;
    size_t length, capacity;
  } loops;
  struct {
    mst_diagnostic *data;
    size_t length, capacity;
  } diagnostics; /* of comments: suppress.c */
  struct {
    mst_touch *data;
    size_t length, capacity;
  } touches;
  struct {
    mst_weight_of_file *data;
    size_t length, capacity;
  } weights;
  struct {
    mst_result_text *data;
    size_t length, capacity;
  } texts;
  mst_work patterns[MST_PATTERN_COUNT];
  /* The same off the hot path, for programs that are nothing but scripts. */
  mst_work cold_patterns[MST_PATTERN_COUNT];
  uint64_t cold_array_weight;
  uint64_t array_weight;  /* statements on arrays that belong to no failing pattern */
  uint64_t scipy_weight;  /* of them, those that call SciPy */
  uint64_t array_count;   /* expressions that are the target's arrays, anywhere */
  mst_size hot, anywhere; /* on the hot path, and all */
  bool imports_cupynumeric;
} mst_tally;

/* Adds some modules of a program, of which nothing changes and nothing is kept; `scratch` is for
 * the time of the call. The tallies of a program's ranges, joined in their order, are that of the
 * program. */
void mst_tally_add(mst_tally *tally, const mst_program *program, mst_module_range modules,
                   const mst_findings *findings, const mst_gaps *gaps, mst_arena *scratch);
/* Elements of the largest array in these modules: sizes.c. */
int64_t mst_largest_array(const mst_program *program, mst_module_range modules);
/* Adds what `from` counted in the next modules of the program; texts stay in its arena. */
void mst_tally_join(mst_tally *tally, const mst_tally *from);
/* Adds what `from` counted in another program; likewise. */
void mst_tally_merge(mst_tally *tally, const mst_tally *from);

/* ---- parts of mst_tally_add ------------------------------------------------------------------- */

mst_site mst_site_of(mst_place place);
/* A number that tells lines apart by their text, wherever they stand: lines.c. Of a long line, what
 * is around the place. */
uint64_t mst_line_digest(mst_place place);
/* Where the suggestion for the statement at the place goes; NULL: that cannot be told exactly:
 * replacements.c. */
const mst_replacement *mst_replacement_of(mst_arena *arena, mst_place place,
                                          const mst_suggestion *suggestion);
/* Keeps the lines of a module for reports, if something is to be said of any of them; `scratch` is
 * for the time of the call. */
void mst_tally_lines(mst_tally *tally, const mst_program *program, const mst_module *module,
                     const char *path, const mst_findings *findings, const mst_gaps *gaps,
                     mst_arena *scratch);
/* The first loop of the module, or of one behind it. */
size_t mst_first_loop(const mst_program *program, uint32_t module);
void mst_sites_add(mst_sites *sites, mst_site site);
/* Once all are merged: decides what gate 4 looks at. */
void mst_tally_settle(mst_tally *tally);

/* Tables that all modules of a program share: what one of them writes no other one takes for its
 * own, because functions are numbered through the program. */
typedef struct mst_tally_scratch {
  mst_arena *arena;
  unsigned *made_from;    /* by symbol: what an unknown value was made from ... */
  uint32_t *made_in;      /* ... and the function in which that holds */
  void **arrays;          /* by function: what it has names for */
  atomic_uchar *patterns; /* by symbol, for mst_symbol_ask: the pattern of a name ... */
  atomic_uchar *touches;  /* ... and the kind of touch point */
} mst_tally_scratch;

/* The work of gate 4 in one module: patterns.c. */
void mst_tally_work(mst_tally *tally, const mst_program *program, const mst_module *module,
                    const mst_findings *findings, const mst_tally_scratch *scratch);
/* Arrays and their sizes in one module: sizes.c. */
void mst_tally_sizes(mst_tally *tally, const mst_program *program, const mst_module *module,
                     const mst_tally_scratch *scratch);

/* ---- the conclusion ----------------------------------------------------------------------------- */

/* What is known of the files as such. */
typedef struct mst_surroundings {
  const char *golden_test; /* path of a test among the files; NULL: none */
  const char *other_tool;  /* the right tool for what is there, if no arrays are; NULL: unknown */
  const char *other_name;  /* what that is: "PyTorch" */
} mst_surroundings;

/* Fills the verdict, gates, reading, steps and context lines of `result`, whose findings, gaps,
 * loops, files, diagnostics and context are there. */
void mst_conclude(const mst_tally *tally, const mst_surroundings *surroundings,
                  mst_assessment_result *result, mst_arena *arena);

/* Gates 4 to 8 of the order of verdicts and the demotions, for findings for which `skip` is not
 * set (NULL: all), and with or without the gaps. */
mst_verdict mst_shape_verdict(const mst_assessment_result *result, const bool *skip,
                              bool skip_gaps);
/* Whether a finding has a say in the verdict. */
bool mst_weighs(const mst_result_finding *finding);
/* The rule's id has the say of a REFACTOR id, or of a BLOCKS id. */
bool mst_is_block(const mst_result_finding *finding);

void mst_conclude_size(const mst_tally *tally, mst_assessment_result *result, mst_arena *arena);
mst_compute_pattern mst_main_pattern(const mst_tally *tally, const mst_context *context,
                                     bool *fails, bool *mixed);
void mst_conclude_gates(const mst_tally *tally, const mst_surroundings *surroundings,
                        mst_verdict shape, mst_assessment_result *result, mst_arena *arena);
void mst_conclude_steps(const mst_tally *tally, mst_assessment_result *result, mst_arena *arena);
void mst_conclude_context(const mst_tally *tally, mst_assessment_result *result, mst_arena *arena);

/* The runtime's smallest piece for a GPU, in elements. */
#define MST_GPU_FLOOR 65536
/* GPUs of the target: the smallest number; at least 1. */
uint64_t mst_fewest_gpus(const mst_context *context);
/* Bytes of one GPU; 0: not known. */
uint64_t mst_gpu_memory(const mst_context *context);
bool mst_gate_failed(const mst_assessment_result *result, unsigned number);

#endif
