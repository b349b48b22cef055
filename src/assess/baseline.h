/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is known of a program's findings: docs/schemas/baseline.json. An entry holds no line, but
 * what tells a finding from others wherever it stands.
 */
#ifndef MST_ASSESS_BASELINE_H
#define MST_ASSESS_BASELINE_H

#include "assess/known_paths.h"
#include "base/json.h"
#include "base/vec.h"
#include "muster/assess.h"
#include "verdict/result.h"

typedef struct mst_known {
  const char *path, *rule; /* see known_paths.h; an id, or "API" */
  const char *function, *name;
  uint64_t hash;
  uint32_t ordinal; /* from 1, of those in one file that have the same hash */
  bool is_found;
} mst_known;

/* A file of the result, and what it goes by. */
typedef struct mst_known_file {
  const mst_result_file *file;
  char *full, *plain;     /* see known_paths.h */
  const char *moved_from; /* path of the entries that are its own now; NULL: it was not moved */
} mst_known_file;

typedef MST_VEC(mst_known_file) mst_known_files;

typedef struct mst_baseline {
  bool is_there;
  mst_known_paths paths;
  mst_known_files files;   /* in the order of the result's */
  yyjson_doc *doc;         /* which holds the texts */
  MST_VEC(mst_known) list; /* by path, rule, hash, ordinal; each once */
} mst_baseline;

void mst_baseline_reset(mst_baseline *baseline);
/* Reads what the options name; without such it stays zeroed. */
muster_status mst_baseline_read(mst_baseline *baseline, const muster_assess_options *options,
                                muster_error *error);
/* Sets aside what is known among the result's findings and gaps. False: no memory. */
bool mst_baseline_apply(mst_baseline *baseline, mst_assessment_result *result);
/* Lists what was looked for and not found: of files that were assessed, or that are gone from below
 * the paths that were named. False: no memory. */
bool mst_baseline_find_fixed(mst_baseline *baseline, const char *const *paths, size_t count,
                             mst_assessment_result *result, mst_arena *arena);
/* Appends the baseline of a result; what the old one says of files that are not in it stays. */
muster_status mst_baseline_write(const mst_assessment_result *result, const mst_baseline *old,
                                 mst_str *out, muster_error *error);

#endif
