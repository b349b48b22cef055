/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/mcp_input.h"

#include <poll.h>
#include <string.h>

#include "base/io.h"

/* Moves what was not taken to the front, when that is less than what was. */
static void close_up(mst_mcp_input *input) {
  const size_t left = input->bytes.length - input->begin;
  if (input->begin <= left) return;
  memmove(input->bytes.data, input->bytes.data + input->begin, left);
  input->bytes.length = left;
  input->looked_at -= input->begin;
  input->begin = 0;
}

static bool read_more(mst_mcp_input *input) {
  char piece[65536];
  size_t got;
  if (input->has_ended || input->bytes.failed) return false;
  input->has_ended = !mst_io_read_next(input->fd, piece, sizeof piece, &got, &input->errnum);
  if (input->has_ended) return false;
  close_up(input);
  mst_str_add_bytes(&input->bytes, piece, got);
  return !input->bytes.failed;
}

static bool has_come(const mst_mcp_input *input) {
  struct pollfd file = {.fd = input->fd, .events = POLLIN};
  return !input->has_ended && poll(&file, 1, 0) > 0;
}

/* `end`: bytes behind the line. */
static void take(mst_mcp_input *input, size_t length, size_t end, mst_mcp_line *line) {
  const bool is_too_long = input->is_dropping || length > MST_MCP_MOST_LINE;
  *line = (mst_mcp_line){mst_str_text(&input->bytes) + input->begin, length, is_too_long};
  input->is_dropping = false;
  input->begin += length + end;
  mst_mcp_look_again(input);
}

static void drop(mst_mcp_input *input) {
  input->is_dropping = true;
  input->begin = input->bytes.length;
  mst_mcp_look_again(input);
}

bool mst_mcp_take_line(mst_mcp_input *input, mst_mcp_line *line) {
  size_t length, searched = 0;
  do {
    const char *text = mst_str_text(&input->bytes) + input->begin;
    length = input->bytes.length - input->begin;
    const char *end = memchr(text + searched, '\n', length - searched);
    if (end != NULL) {
      take(input, (size_t)(end - text), 1, line);
      return true;
    }
    if (length > MST_MCP_MOST_LINE) drop(input);
    searched = input->bytes.length - input->begin;
  } while (read_more(input));
  /* The last one may lack its end. */
  if (input->errnum != 0 || input->bytes.failed || (searched == 0 && !input->is_dropping))
    return false;
  take(input, searched, 0, line);
  return true;
}

bool mst_mcp_look_ahead(mst_mcp_input *input, mst_mcp_line *line) {
  do {
    const char *text = mst_str_text(&input->bytes) + input->looked_at;
    const char *end = memchr(text, '\n', input->bytes.length - input->looked_at);
    if (end != NULL) {
      *line = (mst_mcp_line){.text = text, .length = (size_t)(end - text)};
      input->looked_at += line->length + 1;
      return true;
    }
  } while (input->bytes.length - input->begin <= MST_MCP_MOST_LINE && has_come(input) &&
           read_more(input));
  return false;
}

void mst_mcp_look_again(mst_mcp_input *input) { input->looked_at = input->begin; }
