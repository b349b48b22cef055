/* SPDX-License-Identifier: Apache-2.0 */
/* Lines that differ from a revision, as the program git tells them: assess --diff-base. */
#ifndef MST_CLI_CHANGES_H
#define MST_CLI_CHANGES_H

#include "cli/cli.h"

typedef struct mst_changes {
  MST_VEC(muster_changed_lines) lines; /* paths as they are named in reports */
  MST_VEC(char *) paths;               /* which these point to */
} mst_changes;

void mst_changes_reset(mst_changes *changes);
/* Of the files at and below cli->paths. MST_GO_ON, or the status after telling what is wrong. */
int mst_changes_find(mst_cli *cli, const char *revision, mst_changes *changes);

#endif
