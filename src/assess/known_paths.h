/* SPDX-License-Identifier: Apache-2.0 */
/*
 * By what a baseline knows files, however they are named: by their path from its own folder where
 * the run is in there, else from the folder of the run.
 */
#ifndef MST_ASSESS_KNOWN_PATHS_H
#define MST_ASSESS_KNOWN_PATHS_H

#include "base/str.h"

typedef struct mst_known_paths {
  char *here; /* folder of the run, with a slash at its end; NULL: it is not known */
  char *base; /* of the baseline, the same or one around it */
} mst_known_paths;

/* `file`: the baseline; NULL: it is none. False: no memory. */
bool mst_known_paths_init(mst_known_paths *paths, const char *file);
void mst_known_paths_reset(mst_known_paths *paths);
/* Puts the path from the baseline's folder into `full`, and that from the run's into `plain`.
 * False: no memory. */
bool mst_known_path(const mst_known_paths *paths, const char *shown, mst_str *full, mst_str *plain);

#endif
