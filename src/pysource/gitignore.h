/* SPDX-License-Identifier: Apache-2.0 */
/* The patterns of .gitignore files, as gitignore(5) and wildmatch of git have them. */
#ifndef MST_PYSOURCE_GITIGNORE_H
#define MST_PYSOURCE_GITIGNORE_H

#include <stdbool.h>
#include <stddef.h>

#include "muster/error.h"

typedef struct mst_ignore_pattern {
  const char *text;
  bool is_negated;      /* !pattern */
  bool is_for_folders;  /* pattern/ */
  bool is_for_any_name; /* has no slash: about the last component, at any depth */
} mst_ignore_pattern;

/* One file's patterns. Zeroed memory has none. */
typedef struct mst_gitignore {
  char *text; /* that the patterns lie in */
  struct {
    mst_ignore_pattern *data;
    size_t length, capacity;
  } patterns;
} mst_gitignore;

typedef enum mst_ignore_verdict {
  MST_IGNORE_UNDECIDED,
  MST_IGNORE_EXCLUDED,
  MST_IGNORE_INCLUDED
} mst_ignore_verdict;

/* Takes `text`, a file's bytes with a NUL behind, also when it fails. */
muster_status mst_gitignore_take(mst_gitignore *ignore, char *text, size_t length,
                                 muster_error *error);
void mst_gitignore_reset(mst_gitignore *ignore);

/*
 * What the file says of a path relative to its folder, without slashes at its ends: the last
 * pattern that matches decides. That nothing below an excluded folder can be included again is for
 * the caller to keep: by not looking there.
 */
mst_ignore_verdict mst_gitignore_look(const mst_gitignore *ignore, const char *path,
                                      bool is_folder);

/* A whole text against a pattern. With `is_path` only ** matches slashes. No pattern makes it
 * slower than the square of the text times the pattern. */
bool mst_glob_matches(const char *pattern, const char *text, bool is_path);

#endif
