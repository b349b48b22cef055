/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The tools of muster mcp: commands of this program, with those of their options that matter. A
 * tool is run by starting the program anew, never by a shell: what goes wrong there ends only that.
 */
#ifndef MST_CLI_MCP_TOOLS_H
#define MST_CLI_MCP_TOOLS_H

#include <stdbool.h>

#include "base/io.h"
#include "base/json.h"
#include "cli/child.h"

typedef enum mst_mcp_kind { MST_MCP_TEXT, MST_MCP_TEXTS, MST_MCP_COUNT, MST_MCP_FLAG } mst_mcp_kind;

typedef struct mst_mcp_argument {
  const char *name;   /* NULL: behind the last one */
  const char *option; /* NULL: it stands behind all options, as paths and topics do */
  const char *doc;    /* NULL: what the command says of the option */
  mst_mcp_kind kind;
  bool is_needed;
} mst_mcp_argument;

typedef struct mst_mcp_tool {
  const char *name;
  const char *title;
  const char *doc;
  const char *command;
  const char *option; /* that is always there, or NULL */
  const mst_mcp_argument *arguments;
} mst_mcp_tool;

/* NULL: there is no such tool. */
const mst_mcp_tool *mst_mcp_find_tool(yyjson_val *name);
/* Adds each tool to the list, as tools/list tells it. False when there is no memory. */
bool mst_mcp_add_tools(yyjson_mut_doc *doc, yyjson_mut_val *list);

/* ---- calls (mcp_call.c) ---- */

/*
 * Makes a command line of the tool's arguments, NULL or an object; behind the last word is NULL.
 * MUSTER_ERR_USAGE says which argument is wrong. Also after a failure: mst_mcp_free_words.
 */
muster_status mst_mcp_make_words(const mst_mcp_tool *tool, yyjson_val *arguments, mst_names *words,
                                 muster_error *error);
void mst_mcp_free_words(mst_names *words);
/* Runs it and fills the result of tools/call. False: it was cancelled. */
bool mst_mcp_run(const mst_mcp_tool *tool, const mst_names *words, mst_child_cancel cancel,
                 yyjson_mut_doc *doc, yyjson_mut_val *result);

#endif
