/* SPDX-License-Identifier: Apache-2.0 */
/* Which table of API support a command uses, and how old it is: the library knows neither. */
#ifndef MST_CLI_MANIFEST_FILE_H
#define MST_CLI_MANIFEST_FILE_H

#include "cli/cli.h"
#include "manifest/table.h"

/* Names the table within the program where a file is asked for. */
#define MST_CARRIED "carried"

/* Where `manifest refresh` puts the table: $XDG_DATA_HOME/muster/api_support.txt, below
 * ~/.local/share when that is unset. *out is NULL when there is no home folder. */
muster_status mst_manifest_home(char **out, muster_error *error);

/* Where a table came from. */
typedef struct mst_manifest_origin {
  char *path;       /* a file, for mst_free; NULL: the carried table */
  bool is_unusable; /* the refreshed table is at `path`, but damaged: the carried one is used */
  muster_error unusable; /* why */
} mst_manifest_origin;

/* `file` is a path or MST_CARRIED. NULL: the refreshed table, unless there is none that can be
 * reached, or the carried one is newer. Without `origin` a damaged one is an error. */
muster_status mst_manifest_open(const char *file, mst_manifest *out, mst_manifest_origin *origin,
                                muster_error *error);

/* Writes the table, whole or not at all; `path` is changed for a while to make its folders. */
muster_status mst_manifest_save(const mst_manifest *manifest, char *path, bool make_folders,
                                muster_error *error);

/* Today's date in UTC, by the clock. */
void mst_today(char out[11]);

/* Says on stderr that the table is old, if it is; not with --quiet or --json. */
void mst_cli_warn_age(mst_cli *cli, const mst_manifest *manifest, const char *today);

#endif
