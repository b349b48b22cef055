/* SPDX-License-Identifier: Apache-2.0 */
/* Which names a walk passes over. Paths here are absolute, without links in them. */
#ifndef MST_PYSOURCE_IGNORES_H
#define MST_PYSOURCE_IGNORES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/io.h"
#include "muster/error.h"
#include "pysource/gitignore.h"

/* One .gitignore, and the next one outwards that holds in its folder as well. */
typedef struct mst_ignore_file {
  const struct mst_ignore_file *outer;
  size_t prefix; /* bytes of a path in its folder that stand before the name there */
  mst_gitignore patterns;
} mst_ignore_file;

/* All that were read. Zeroed memory is none. */
typedef struct mst_ignores {
  mst_ignore_file **data;
  size_t length, capacity;
} mst_ignores;

void mst_ignores_reset(mst_ignores *ignores);

/* Reads the folder's .gitignore; *out is then the innermost one. */
muster_status mst_ignores_read(mst_ignores *ignores, const char *folder,
                               const mst_ignore_file *outer, const mst_ignore_file **out,
                               muster_error *error);
/* Reads those of the folders around `folder`, up to the one that holds .git; none of them when
 * there is no such folder. *out is NULL when there are none. Those that cannot be read are none. */
muster_status mst_ignores_around(mst_ignores *ignores, const char *folder,
                                 const mst_ignore_file **out, muster_error *error);
/* Whether the path is excluded by the innermost file that says something about it. */
bool mst_is_ignored(const mst_ignore_file *innermost, const char *path, bool is_folder);

/* Hidden names, and folders of what is made or installed, not written. */
bool mst_is_passed_over(const char *name, bool is_folder);
/* A virtual environment, by what is in it. */
bool mst_is_environment(const mst_entries *entries);

#endif
