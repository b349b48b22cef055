/* SPDX-License-Identifier: Apache-2.0 */
/* From the options of an assessment to the assessment: for all commands that make one. */
#ifndef MST_CLI_ASSESSING_H
#define MST_CLI_ASSESSING_H

#include "cli/assess_options.h"

/* Refuses two options of a kind, or one that has no meaning without another. MST_GO_ON, or the
 * status after saying so. */
int mst_assess_check(const mst_assess_args *args);
/* Once the arguments are settled: reads standard input, asks git, chooses the table of API support,
 * and assesses. MST_GO_ON, or the status after telling what is wrong. */
int mst_assess_run_with(mst_assess_args *args, muster_assessment **assessment);

#endif
