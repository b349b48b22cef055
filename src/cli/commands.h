/* SPDX-License-Identifier: Apache-2.0 */
/* The commands' functions, from the table of commands. */
#ifndef MST_CLI_COMMANDS_H
#define MST_CLI_COMMANDS_H

#include "cli/cli.h"

#define COMMAND(name, summary) int mst_cmd_##name(mst_cli *cli, int argc, char **argv);
#include "cli/commands.def"
#undef COMMAND

#endif
