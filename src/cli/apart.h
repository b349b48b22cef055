/* SPDX-License-Identifier: Apache-2.0 */
/* Work that may crash, in a process of its own. */
#ifndef MST_CLI_APART_H
#define MST_CLI_APART_H

#include "cli/cli.h"

/*
 * Does the work in a child, and returns the exit status that it returned. The child prints. When it
 * crashes that is the error. `limited`: it may take 4 GiB of memory and two minutes of processor
 * time, and what goes beyond is an error as well. Signals that end this program reach the child
 * first; when that ends by one, the status is MST_EXIT_SIGNAL + its number.
 */
int mst_in_child(mst_cli *cli, bool limited, int (*work)(void *context), void *context);

#endif
