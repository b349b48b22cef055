/* SPDX-License-Identifier: Apache-2.0 */
/* From what the user names to the list of Python files and notebooks to look at. */
#ifndef MST_PYSOURCE_WALK_H
#define MST_PYSOURCE_WALK_H

#include <stdbool.h>
#include <stddef.h>

#include "muster/error.h"

typedef struct mst_found_file {
  char *path;   /* to open */
  char *shown;  /* to report: relative to what was named, joined to it as the user wrote it */
  char *reason; /* why it is not assessed ("not a regular file", ...), or NULL */
  bool named;   /* the user named the file itself */
} mst_found_file;

typedef struct mst_found_files {
  mst_found_file *data;
  size_t length, capacity;
} mst_found_files;

typedef struct mst_walk_options {
  bool no_ignore; /* look also at what .gitignore, hidden names and the like would hide */
} mst_walk_options;

/*
 * Files that are named are taken whatever their name. Folders give *.py, *.pyw and *.ipynb, with
 * their folders; skipped unless no_ignore: hidden names, .gitignore'd ones (the files of the
 * folder, its parents up to the one that holds .git, and its subfolders; full pattern syntax:
 * negation, anchors, **, folders only), virtual environments (pyvenv.cfg, conda-meta),
 * __pycache__, node_modules, build, dist, *.egg-info, site-packages. Links to folders are followed
 * unless they lead to a folder that is being walked already; FIFOs, sockets and devices are
 * skipped. A folder that cannot be listed, or a named path that does not exist, is an entry with a
 * reason. Sorted bytewise by `shown`, each file once; the order of the paths does not matter.
 */
muster_status mst_walk(const char *const *paths, size_t path_count, const mst_walk_options *options,
                       mst_found_files *out, muster_error *error);
void mst_found_files_reset(mst_found_files *files);

/* Whether pytest would look for tests in a file of this name. */
bool mst_holds_tests(const char *path);

#endif
