/* SPDX-License-Identifier: Apache-2.0 */
/* The lines that a client of muster mcp sends; some are looked at before it is their turn. */
#ifndef MST_CLI_MCP_INPUT_H
#define MST_CLI_MCP_INPUT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"

/* A longer line is dropped; nor is more than this kept of what has come too early. */
#define MST_MCP_MOST_LINE ((size_t)16 << 20)

/* Zeroed memory, but for fd, is one that nothing has come from. */
typedef struct mst_mcp_input {
  int fd;
  mst_str bytes;
  size_t begin;     /* what is before it was taken */
  size_t looked_at; /* what is before it was looked at */
  bool is_dropping; /* what comes next belongs to a line that is too long */
  bool has_ended;
  int errnum; /* why nothing can be read any more, or 0 */
} mst_mcp_input;

/* Without its end; valid until the next line. */
typedef struct mst_mcp_line {
  const char *text;
  size_t length;
  bool is_too_long; /* the text is not all of it, then */
} mst_mcp_line;

/* Waits for the next line. False when there is none: see has_ended, errnum and bytes.failed. */
bool mst_mcp_take_line(mst_mcp_input *input, mst_mcp_line *line);
/* A whole line behind the one that was taken last, and behind those looked at since, if it has come
 * already; its turn is still to come. */
bool mst_mcp_look_ahead(mst_mcp_input *input, mst_mcp_line *line);
/* Lines that wait for their turn are to be looked at once more. */
void mst_mcp_look_again(mst_mcp_input *input);

#endif
