/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One rule = one file + one line in rules.def. A rule is a const descriptor; everything that is
 * said about rules (muster explain, legends, lists) comes from it.
 */
#ifndef MST_RULES_RULE_H
#define MST_RULES_RULE_H

#include "base/str.h"
#include "pysource/model.h"

typedef enum mst_category {
  MST_SCALES,
  MST_BLOCKS,
  MST_REFACTOR,
  MST_INFO,
  MST_AUDIT
} mst_category;

/* What happens on the target. */
typedef enum mst_outcome {
  MST_OUTCOME_NONE,   /* SCALES and audit notes */
  MST_OUTCOME_RAISES, /* the ported program stops here */
  MST_OUTCOME_WRONG,  /* other values than NumPy */
  MST_OUTCOME_COST    /* runs, does not scale */
} mst_outcome;

/* Where a finding counts in the verdict (it must be certain or likely, too). */
typedef enum mst_counts_where {
  MST_COUNTS_NEVER,
  MST_COUNTS_HOT,      /* in hot places */
  MST_COUNTS_HOT_PATH, /* in hot and presumed ones */
  MST_COUNTS_ANYWHERE
} mst_counts_where;

typedef struct mst_recipe {
  const char *id;   /* "RR-loop" */
  const char *text; /* what to do, a sentence or two */
  bool is_unnamed;  /* reports give the step, but no recipe's name */
} mst_recipe;

typedef struct mst_suggestion {
  const char *before; /* the user's own lines */
  const char *after;
  bool is_safe; /* computes the same, when and how it was computed before */
} mst_suggestion;

typedef struct mst_rule mst_rule;

typedef struct mst_finding {
  const mst_rule *rule;
  const mst_module *module;
  mst_node_id node;  /* where it stands */
  mst_node_id about; /* what it is about, at or within `node`: the heat is that of this place */
  mst_outcome outcome;
  mst_heat heat;
  mst_confidence confidence;
  bool counts;
  const char *message;   /* one line, with the user's names in it */
  const char **evidence; /* lines, first cause first */
  unsigned evidence_count;
  const char *recipe; /* id: the rule's, unless the finding is for another one */
  const char *advice; /* what to do instead of what the recipe says; NULL: what that says */
  const mst_suggestion *suggestion; /* NULL: none */
} mst_finding;

typedef struct mst_findings {
  mst_finding *data;
  size_t length, capacity;
} mst_findings;

typedef struct mst_rule_context {
  const mst_program *program;
  mst_arena *arena; /* of findings and their texts */
  mst_findings *findings;
  const mst_rule *rule; /* whose visit runs */
  mst_node_id node;     /* for which it runs; 0: none */
  uint64_t searches;    /* nodes that rules may still look at in searches of the whole program */
} mst_rule_context;

struct mst_rule {
  const char *id;   /* "R104" */
  const char *name; /* "host materialisation in a hot loop" */
  mst_category category;
  mst_outcome outcome;
  mst_counts_where counts;
  bool is_told_anywhere; /* also where its cost is paid rarely */
  const char *recipe;    /* "RR-sync"; NULL: none */
  const char *summary;   /* one line: what it finds */
  const char *why;       /* one or two sentences: why it matters on Legate */
  const uint8_t *kinds;  /* mst_kind that visit wants to see, ended by MST_K_NONE */
  void (*visit)(mst_rule_context *context, mst_place place);
};

/* All rules, in order of their ids. */
extern const mst_rule *const mst_rules[];
extern const unsigned mst_rule_count;
const mst_rule *mst_rule_find(const char *id);
/* A recipe by id; the list is in the order in which they are applied. */
extern const mst_recipe mst_recipes[];
extern const unsigned mst_recipe_count;
const mst_recipe *mst_recipe_find(const char *id);
const char *mst_category_name(mst_category category); /* "BLOCKS" */
const char *mst_outcome_name(mst_outcome outcome);    /* "raises"; NULL for none */
const char *mst_confidence_name(mst_confidence confidence);

/* Runs all rules over these modules of the program, of which nothing changes; at most one finding
 * for a rule and statement is kept (the hottest, then the surest). Sorted by module, line, column,
 * id. */
void mst_run_rules(const mst_program *program, mst_module_range modules, mst_arena *arena,
                   mst_findings *out);

/*
 * Adds a finding that stands at place.node and is about the node that is being visited, if that
 * lies within (else about place.node), with the heat of what it is about and all of the rule's
 * defaults; `value` gives confidence and evidence (NULL: certain, none). NULL when there is one
 * already that is as good. The caller may change what it gets: after that mst_settle.
 */
mst_finding *mst_add_finding(mst_rule_context *context, mst_place place, const mst_value *value,
                             const char *format, ...) __attribute__((format(printf, 4, 5)));
/* Decides anew whether it counts, after heat, outcome or confidence were changed. What a rule of
 * category BLOCKS or REFACTOR finds where it has nothing to say (its cost in a place that does not
 * run often, unless the rule is told anywhere) is dropped when all rules have run: rules need not
 * look at the heat for that. */
void mst_settle(mst_finding *finding);
void mst_add_evidence(mst_rule_context *context, mst_finding *finding, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* mst_add_path into the arena. */
const char *mst_path_text(mst_arena *arena, const char *path);
/* Source text of a node, at most 60 bytes, in the arena. */
const char *mst_text_of(const mst_rule_context *context, mst_place place);
/* The first line of the statement around a node: where most findings stand. */
mst_place mst_standing(mst_place place);

/* ---- gaps ----------------------------------------------------------------------------------------- */

/* Use of an API that the target lacks or has on one GPU only. */
typedef struct mst_gap {
  const char *name;  /* "numpy.interp", "numpy.add.at", "rank 7" */
  const char *level; /* "none", "single", "partial" */
  const char *note;  /* of the table, or NULL */
  const mst_module *module;
  mst_node_id node;
  mst_heat heat;
  bool raises;     /* a call form that raises */
  bool is_setting; /* touches no array: how numbers are printed, what is done about errors */
} mst_gap;

typedef struct mst_gaps {
  mst_gap *data;
  size_t length, capacity;
} mst_gaps;

#endif
