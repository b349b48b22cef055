/* SPDX-License-Identifier: Apache-2.0 */
/* What a result keeps of the lines that findings stand on, since reports see no source. */
#include <string.h>

#include "verdict/tally.h"

#define MOST_AROUND ((uint32_t)512) /* bytes of a line, before a place and behind it */

static bool is_blank(char byte) {
  return byte == ' ' || byte == '\t' || byte == '\f' || byte == '\r';
}

/* FNV-1a. Where blanks stand is a matter of formatting. */
uint64_t mst_line_digest(mst_place place) {
  const mst_tree *tree = place.module->tree;
  const mst_source *source = tree->source;
  const uint32_t at = mst_node_at(tree, place.node)->start;
  uint32_t byte = source->line_starts[mst_source_line(source, at)];
  uint64_t digest = UINT64_C(14695981039346656037);
  if (at - byte > MOST_AROUND) byte = at - MOST_AROUND;
  for (; byte < source->length && byte < at + MOST_AROUND && source->text[byte] != '\n'; byte++)
    if (!is_blank(source->text[byte]))
      digest = (digest ^ (unsigned char)source->text[byte]) * UINT64_C(1099511628211);
  return digest;
}

/* ---- replacements ------------------------------------------------------------------------------- */

static const char *skip_blanks(const char *text) {
  while (is_blank(*text))
    text++;
  return text;
}

/* Where `lines`, from which `margin` blanks of indentation and those at the ends of lines were
 * taken, ends in the text; NULL: they are not what stands there. */
static const char *end_of(const char *text, const char *lines, size_t margin) {
  for (;;) {
    const size_t length = strcspn(lines, "\n");
    if (strncmp(text, lines, length) != 0) return NULL;
    text += length;
    lines += length;
    if (*lines == '\0') return text;
    lines++;
    text = skip_blanks(text);
    if (*text != '\n') return NULL;
    text++;
    for (size_t i = 0; i < margin && is_blank(*text); i++)
      text++;
  }
}

/* Whether nothing but a comment follows on the line, or a statement that a single line may precede.
 */
static bool may_end_there(const char *end, const char *after) {
  end = skip_blanks(end);
  if (*end == '\n' || *end == '\0' || *end == '#') return true;
  return *end == ';' && strchr(after, '\n') == NULL;
}

/* `lines` with the margin before each but the first, and empty ones. */
static const char *with_margin(mst_arena *arena, const char *lines, const char *margin,
                               size_t length) {
  size_t count = 0, bytes = 0;
  for (const char *at = lines; *at != '\0'; at++)
    count += *at == '\n';
  char *text = mst_arena_new(arena, strlen(lines) + count * length + 1);
  for (const char *at = lines; *at != '\0'; at++) {
    text[bytes++] = *at;
    if (*at != '\n' || at[1] == '\n' || at[1] == '\0') continue;
    memcpy(text + bytes, margin, length);
    bytes += length;
  }
  return text;
}

const mst_replacement *mst_replacement_of(mst_arena *arena, mst_place place,
                                          const mst_suggestion *suggestion) {
  if (suggestion == NULL || !suggestion->is_safe) return NULL;
  const mst_tree *tree = place.module->tree;
  const mst_source *source = tree->source;
  const mst_node *node = mst_node_at(tree, mst_statement_of(tree, place.node));
  const mst_position start = mst_source_position(source, node->start);
  if (start.cell > 0) return NULL;
  const char *statement = source->text + node->start;
  const char *line = source->text + source->line_starts[mst_source_line(source, node->start)];
  const bool is_first = skip_blanks(line) == statement;
  const size_t margin = is_first ? (size_t)(statement - line) : 0;
  const char *end = end_of(statement, suggestion->before, margin);
  if (end == NULL || end != source->text + node->end || !may_end_there(end, suggestion->after))
    return NULL;
  if (!is_first && strchr(suggestion->after, '\n') != NULL) return NULL;
  const mst_position behind = mst_source_position(source, node->end);
  mst_replacement *replacement = mst_arena_new(arena, sizeof *replacement);
  *replacement = (mst_replacement){.line = start.line,
                                   .column = start.column,
                                   .end_line = behind.line,
                                   .end_column = behind.column,
                                   .text = with_margin(arena, suggestion->after, line, margin)};
  return replacement;
}
