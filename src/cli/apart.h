/* SPDX-License-Identifier: Apache-2.0 */
/* Work that may crash, in a process of its own. */
#ifndef MST_CLI_APART_H
#define MST_CLI_APART_H

#include "cli/cli.h"

/*
 * Does the work in a child with limits on memory and processor time, and returns the exit status
 * that it returned. The child prints. When it crashes, or meets a limit, that is the error.
 */
int mst_in_child(mst_cli *cli, int (*work)(void *context), void *context);

#endif
