/* SPDX-License-Identifier: Apache-2.0 */
/* What a result keeps of the lines of sources, since reports see none. */
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

/* ---- lines that are shown ------------------------------------------------------------------------ */

#define MOST_LINES 3000 /* of a source that is kept as a whole, and of what is kept of another */
#define MOST_BYTES 400  /* of a line */
#define LINES_AROUND 4  /* before a place, and behind it */

/* Which lines of a source are wanted, one bit each. */
typedef struct line_set {
  const mst_tree *tree;
  uint64_t *bits;
  bool any;
} line_set;

static bool is_wanted(const line_set *set, uint32_t line) {
  return (set->bits[line / 64] & UINT64_C(1) << line % 64) != 0;
}

static void want_around(line_set *set, mst_node_id node) {
  const mst_source *source = set->tree->source;
  const uint32_t at = mst_source_line(source, mst_node_at(set->tree, node)->start);
  const uint32_t first = at > LINES_AROUND ? at - LINES_AROUND : 0;
  set->any = true;
  for (uint32_t line = first; line <= at + LINES_AROUND && line < source->line_count; line++)
    set->bits[line / 64] |= UINT64_C(1) << line % 64;
}

static line_set wanted_lines(const mst_program *program, const mst_module *module,
                             const mst_findings *findings, const mst_gaps *gaps,
                             mst_arena *scratch) {
  const uint32_t index = (uint32_t)(module - program->modules);
  line_set set = {.tree = module->tree};
  set.bits = mst_arena_new(scratch, (module->tree->source->line_count / 64 + 1) * sizeof *set.bits);
  for (size_t i = 0; i < findings->length; i++)
    if (findings->data[i].module == module) want_around(&set, findings->data[i].node);
  for (size_t i = 0; i < gaps->length; i++)
    if (gaps->data[i].module == module) want_around(&set, gaps->data[i].node);
  const size_t loops_end = mst_first_loop(program, index + 1);
  for (size_t i = mst_first_loop(program, index); i < loops_end; i++)
    want_around(&set, program->loops.data[i].node);
  return set;
}

/* Where a line of more than MOST_BYTES ends early: between two characters. */
static size_t cut(const char *text, size_t length) {
  if (length <= MOST_BYTES) return length;
  size_t end = MOST_BYTES;
  while (end > 0 && ((unsigned char)text[end] & 0xc0) == 0x80)
    end--;
  return end;
}

static mst_result_line line_of(mst_arena *arena, const mst_source *source, uint32_t line) {
  const uint32_t start = source->line_starts[line];
  const mst_position at = mst_source_position(source, start);
  const char *text = source->text + start;
  const size_t length = strcspn(text, "\n");
  const size_t kept = cut(text, length);
  char *copy = mst_arena_new(arena, kept + 1);
  memcpy(copy, text, kept);
  return (mst_result_line){
      .cell = at.cell, .number = at.line, .is_cut = kept < length, .text = copy};
}

void mst_tally_lines(mst_tally *tally, const mst_program *program, const mst_module *module,
                     const char *path, const mst_findings *findings, const mst_gaps *gaps,
                     mst_arena *scratch) {
  const mst_source *source = module->tree->source;
  const line_set wanted = wanted_lines(program, module, findings, gaps, scratch);
  const bool is_whole = source->line_count <= MOST_LINES;
  if (!wanted.any) return;
  mst_result_text text = {.path = path};
  const uint32_t most = is_whole ? source->line_count : MOST_LINES;
  mst_result_line *lines = mst_arena_new(tally->arena, most * sizeof *lines);
  for (uint32_t line = 0; line < source->line_count && text.count < most; line++) {
    if (!is_whole && !is_wanted(&wanted, line)) continue;
    if (line + 1 == source->line_count && source->line_starts[line] == source->length) continue;
    lines[text.count] = line_of(tally->arena, source, line);
    text.bytes += strlen(lines[text.count++].text);
  }
  text.lines = lines;
  mst_arena_push(tally->arena, &tally->texts, text);
}
