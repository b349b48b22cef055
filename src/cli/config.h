/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Options of an assessment that stand in a file: `[tool.muster.assess]` of a pyproject.toml, or
 * muster.toml. What the command line says goes first.
 */
#ifndef MST_CLI_CONFIG_H
#define MST_CLI_CONFIG_H

#include "cli/assess_options.h"

/* Finds the file that holds for the paths, unless --isolated, and sets what it says. MST_GO_ON, or
 * the status after telling what is wrong. */
int mst_config_apply(mst_assess_args *args);

#endif
