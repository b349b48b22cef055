/* SPDX-License-Identifier: Apache-2.0 */
#include "rules/suggest.h"

#include <string.h>

#define MOST_LINES 30

/* A piece of text being built in an arena: first measured (out is NULL), then written. */
typedef struct writer {
  char *out;
  size_t length;
} writer;

static void put(writer *w, const char *bytes, size_t length) {
  if (w->out != NULL) memcpy(w->out + w->length, bytes, length);
  w->length += length;
}

static const char *text_at(mst_place place, uint32_t byte) {
  return place.module->tree->source->text + byte;
}

const char *mst_source_of(const mst_rule_context *context, mst_place place) {
  const mst_node *node = mst_node_at(place.module->tree, place.node);
  return mst_arena_text(context->arena, text_at(place, node->start), node->end - node->start);
}

static void put_with(writer *w, mst_place place, uint32_t start, uint32_t end,
                     const mst_edit *edits, unsigned count) {
  uint32_t at = start;
  for (unsigned i = 0; i < count; i++) {
    const mst_node *node = mst_node_at(place.module->tree, edits[i].node);
    if (node->start < at || node->end > end) continue;
    put(w, text_at(place, at), node->start - at);
    put(w, edits[i].text, strlen(edits[i].text));
    at = node->end;
  }
  put(w, text_at(place, at), end - at);
}

static char *edited(mst_arena *arena, mst_place place, uint32_t start, uint32_t end,
                    const mst_edit *edits, unsigned count) {
  writer w = {0};
  put_with(&w, place, start, end, edits, count);
  w = (writer){.out = mst_arena_new(arena, w.length + 1)};
  put_with(&w, place, start, end, edits, count);
  return w.out;
}

const char *mst_source_with(const mst_rule_context *context, mst_place place, const mst_edit *edits,
                            unsigned count) {
  const mst_node *node = mst_node_at(place.module->tree, place.node);
  return edited(context->arena, place, node->start, node->end, edits, count);
}

/* ---- lines -------------------------------------------------------------------------------------- */

static size_t blanks(const char *line) { return strspn(line, " \t"); }

static size_t line_length(const char *line) { return strcspn(line, "\n"); }

static const char *next_line(const char *line) {
  line += line_length(line);
  return *line == '\n' ? line + 1 : NULL;
}

/* Takes away, in place, the indentation that all lines share, and blanks at the end of lines. */
static void dedent(char *text) {
  size_t shared = SIZE_MAX;
  for (const char *line = text; line != NULL; line = next_line(line))
    if (blanks(line) < line_length(line) && blanks(line) < shared) shared = blanks(line);
  char *out = text;
  for (const char *line = text; line != NULL;) {
    const char *next = next_line(line);
    size_t length = line_length(line);
    while (length > 0 && (line[length - 1] == ' ' || line[length - 1] == '\t'))
      length--;
    const size_t skip = shared < length ? shared : length;
    memmove(out, line + skip, length - skip);
    out += length - skip;
    if (next != NULL) *out++ = '\n';
    line = next;
  }
  while (out > text && out[-1] == '\n')
    out--;
  *out = '\0';
}

/* From the beginning of the node's first line if only blanks stand there, to the node's end. */
static uint32_t first_byte(mst_place place, const mst_node *node) {
  uint32_t start = node->start;
  while (start > 0 && (*text_at(place, start - 1) == ' ' || *text_at(place, start - 1) == '\t'))
    start--;
  return start == 0 || *text_at(place, start - 1) == '\n' ? start : node->start;
}

const char *mst_lines_with(const mst_rule_context *context, mst_place place, const mst_edit *edits,
                           unsigned count) {
  const mst_node *node = mst_node_at(place.module->tree, place.node);
  char *text = edited(context->arena, place, first_byte(place, node), node->end, edits, count);
  dedent(text);
  return text;
}

const char *mst_lines_of(const mst_rule_context *context, mst_place place) {
  return mst_lines_with(context, place, NULL, 0);
}

static void put_indented(writer *w, const char *lines) {
  for (const char *line = lines; line != NULL; line = next_line(line)) {
    if (line != lines) put(w, "\n", 1);
    if (line_length(line) > 0) put(w, "    ", 4);
    put(w, line, line_length(line));
  }
}

const char *mst_indented(const mst_rule_context *context, const char *lines) {
  writer w = {0};
  put_indented(&w, lines);
  w = (writer){.out = mst_arena_new(context->arena, w.length + 1)};
  put_indented(&w, lines);
  return w.out;
}

/* ---- suggestions -------------------------------------------------------------------------------- */

const char *mst_unused_name(const mst_rule_context *context, const char *wish) {
  const char *name = wish;
  while (mst_symbol_find(&context->program->symbols, name) != MST_SYM_NONE)
    name = mst_format_text(context->arena, "%s_", name);
  return name;
}

static bool is_short(const char *text) {
  unsigned lines = 0;
  for (const char *line = text; line != NULL; line = next_line(line))
    lines++;
  return lines <= MOST_LINES;
}

void mst_suggest(mst_rule_context *context, mst_finding *finding, const char *before,
                 const char *after, bool is_safe) {
  if (finding == NULL || strcmp(before, after) == 0 || !is_short(before) || !is_short(after))
    return;
  mst_suggestion *suggestion = mst_arena_new(context->arena, sizeof *suggestion);
  *suggestion = (mst_suggestion){before, after, is_safe};
  finding->suggestion = suggestion;
}
