/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where suggestions belong in the lines they are for, since reports see no source. What cannot be
 * told exactly is left out.
 */
#include <string.h>

#include "rules/suggest.h"
#include "verdict/tally.h"

static bool is_blank(char byte) {
  return byte == ' ' || byte == '\t' || byte == '\f' || byte == '\r';
}

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

/* ---- replacements ------------------------------------------------------------------------------- */

static const char *line_at(const mst_source *source, const char *at) {
  const uint32_t byte = (uint32_t)(at - source->text);
  return source->text + source->line_starts[mst_source_line(source, byte)];
}

/* Blanks before a statement that begins its line; SIZE_MAX: it does not. */
static size_t margin_of(const mst_source *source, const char *statement) {
  const char *line = line_at(source, statement);
  return skip_blanks(line) == statement ? (size_t)(statement - line) : SIZE_MAX;
}

/* Of what stands from `start` to `end`. */
static mst_replacement *replace(mst_arena *arena, const mst_source *source, const char *start,
                                const char *end, const char *text) {
  const mst_position first = mst_source_position(source, (uint32_t)(start - source->text));
  const mst_position behind = mst_source_position(source, (uint32_t)(end - source->text));
  mst_replacement *replacement = mst_arena_new(arena, sizeof *replacement);
  *replacement = (mst_replacement){.line = first.line,
                                   .column = first.column,
                                   .end_line = behind.line,
                                   .end_column = behind.column,
                                   .old_text = mst_arena_text(arena, start, (size_t)(end - start)),
                                   .text = text};
  return replacement;
}

/* The lines of the statement for others. */
static const mst_replacement *of_statement(mst_arena *arena, mst_place statement,
                                           const mst_suggestion *suggestion) {
  const mst_source *source = statement.module->tree->source;
  const mst_node *node = mst_node_at(statement.module->tree, statement.node);
  const uint32_t first =
      node->kind == MST_K_FUNCTION ? mst_decorated_start(statement) : node->start;
  const char *start = source->text + first, *end = source->text + node->end;
  const size_t blanks = margin_of(source, start);
  const size_t margin = blanks != SIZE_MAX ? blanks : 0;
  if (end_of(start, suggestion->before, margin) != end || !may_end_there(end, suggestion->after))
    return NULL;
  if (blanks == SIZE_MAX && strchr(suggestion->after, '\n') != NULL) return NULL;
  const char *text = with_margin(arena, suggestion->after, line_at(source, start), margin);
  return replace(arena, source, start, end, text);
}

/* ---- heads of compound statements ---------------------------------------------------------------- */

static const char *next_line_end(const char *at) { return at + strcspn(at, "\n"); }

/* The first statement of the body; NULL: it does not begin its line. */
static const char *first_of_body(mst_place compound) {
  const mst_tree *tree = compound.module->tree;
  MST_EACH_CHILD(tree, child, compound.node) {
    if (mst_kind_of(tree, child) != MST_K_BLOCK) continue;
    const mst_node_id first = mst_node_at(tree, child)->first;
    if (first == 0) return NULL;
    const char *at = tree->source->text + mst_node_at(tree, first)->start;
    return margin_of(tree->source, at) != SIZE_MAX ? at : NULL;
  }
  return NULL;
}

/* Inserts lines before a statement that begins its line. */
static mst_replacement *insert_before(mst_arena *arena, const mst_source *source,
                                      const char *statement, const char *lines) {
  const size_t margin = margin_of(source, statement);
  const char *moved = with_margin(arena, lines, statement - margin, margin);
  const char *text = mst_format_text(arena, "%s\n%.*s", moved, (int)margin, statement - margin);
  return replace(arena, source, statement, statement, text);
}

/* A head for another, with statements before it, and one that begins the body. */
static const mst_replacement *of_head(mst_arena *arena, mst_place compound,
                                      const mst_suggestion *suggestion) {
  const mst_source *source = compound.module->tree->source;
  const char *start = source->text + mst_node_at(compound.module->tree, compound.node)->start;
  const size_t margin = margin_of(source, start), length = strlen(suggestion->after);
  const char *body = first_of_body(compound);
  const char *last = strrchr(suggestion->after, '\n');
  /* A statement that belongs before a loop around it is told in a comment. */
  if (margin == SIZE_MAX || body == NULL || strstr(suggestion->after, "  # ") != NULL) return NULL;
  const char *end = end_of(start, suggestion->before, margin);
  if (end == NULL || !may_end_there(end, "\n")) return NULL;
  const bool has_inner = suggestion->after[length - 1] != ':' && last != NULL;
  const size_t outer = has_inner ? (size_t)(last - suggestion->after) : length;
  const char *text = mst_arena_text(arena, suggestion->after, outer);
  mst_replacement *head =
      replace(arena, source, start, end, with_margin(arena, text, line_at(source, start), margin));
  if (has_inner) head->next = insert_before(arena, source, body, skip_blanks(last + 1));
  return head;
}

/* ---- statements of loops -------------------------------------------------------------------------- */

/* The lines after a suggestion: what comes before the loop, in place of the statement, behind. */
typedef struct pieces {
  const char *before, *inner, *behind; /* NULL: nothing */
} pieces;

/* Whether the head stands among the lines, at the beginning of one. */
static const char *find_lines(const char *text, const char *head) {
  const size_t length = strlen(head);
  for (const char *at = text; (at = strstr(at, head)) != NULL; at++)
    if ((at == text || at[-1] == '\n') && (at[length] == '\n' || at[length] == '\0')) return at;
  return NULL;
}

static bool cut(mst_arena *arena, const char *after, const char *head, pieces *out) {
  const char *at = find_lines(after, head);
  *out = (pieces){0};
  if (at == NULL) return false;
  if (at > after) out->before = mst_arena_text(arena, after, (size_t)(at - after) - 1);
  at += strlen(head);
  if (*at == '\0') return true;
  const char *inner = ++at, *end = at;
  while (is_blank(*end)) {
    end = next_line_end(end);
    if (*end == '\n') end++;
  }
  if (end > inner)
    out->inner = mst_arena_text(arena, inner, (size_t)(end - inner) - (*end != '\0'));
  if (*end != '\0') out->behind = end;
  return true;
}

/* Takes the statement out, with its lines: something else is left of the body. */
static mst_replacement *take_out(mst_arena *arena, mst_place statement, const char *end) {
  const mst_tree *tree = statement.module->tree;
  const mst_node *node = mst_node_at(tree, statement.node);
  const char *line = line_at(tree->source, tree->source->text + node->start);
  const char *rest = skip_blanks(end);
  if (mst_child_count(tree, node->parent) < 2 || *rest == ';') return NULL;
  end = next_line_end(end);
  return replace(arena, tree->source, line, *end == '\n' ? end + 1 : end, "");
}

static mst_replacement *put_in_place(mst_arena *arena, mst_place statement, const char *end,
                                     const char *inner) {
  const mst_source *source = statement.module->tree->source;
  const char *start = source->text + mst_node_at(statement.module->tree, statement.node)->start;
  if (inner == NULL) return take_out(arena, statement, end);
  if (strchr(inner, '\n') != NULL || !may_end_there(end, inner)) return NULL;
  return replace(arena, source, start, end, skip_blanks(inner));
}

static const mst_replacement *of_pieces(mst_arena *arena, mst_place loop, mst_place statement,
                                        const char *end, const pieces *parts) {
  const mst_source *source = loop.module->tree->source;
  const mst_node *node = mst_node_at(loop.module->tree, loop.node);
  const char *start = source->text + node->start;
  const size_t margin = margin_of(source, start);
  mst_replacement *inner = put_in_place(arena, statement, end, parts->inner);
  if (inner == NULL || margin == SIZE_MAX) return NULL;
  if (parts->behind != NULL) {
    const char *at = next_line_end(source->text + node->end);
    const char *text = mst_format_text(arena, "\n%.*s%s", (int)margin, start - margin,
                                       with_margin(arena, parts->behind, start - margin, margin));
    inner->next = replace(arena, source, at, at, text);
  }
  if (parts->before == NULL) return inner;
  mst_replacement *before = insert_before(arena, source, start, parts->before);
  before->next = inner;
  return before;
}

/* A statement in the body of a loop, shown beneath the loop's head. */
static const mst_replacement *of_body(mst_arena *arena, mst_place statement, mst_place loop,
                                      const mst_suggestion *suggestion) {
  const mst_rule_context context = {.arena = arena, .program = statement.program};
  const mst_source *source = statement.module->tree->source;
  const mst_node *node = mst_node_at(statement.module->tree, statement.node);
  const char *start = source->text + node->start;
  const size_t margin = margin_of(source, start);
  const char *head = mst_head_of(&context, loop);
  const char *lines = mst_lines_of(&context, statement);
  const char *shown =
      mst_format_text(arena, "%s\n%s", head, mst_indented(&context, statement, lines));
  pieces parts;
  if (margin == SIZE_MAX || strcmp(shown, suggestion->before) != 0) return NULL;
  if (end_of(start, lines, margin) != source->text + node->end) return NULL;
  if (!cut(arena, suggestion->after, head, &parts)) return NULL;
  return of_pieces(arena, loop, statement, source->text + node->end, &parts);
}

static bool is_compound(mst_kind kind) {
  return kind == MST_K_FOR || kind == MST_K_WHILE || kind == MST_K_IF;
}

static const mst_replacement *of_loop_around(mst_arena *arena, mst_place statement,
                                             const mst_suggestion *suggestion) {
  const mst_tree *tree = statement.module->tree;
  const mst_node_id block = mst_node_at(tree, statement.node)->parent;
  const mst_node_id loop = mst_node_at(tree, block)->parent;
  const mst_kind kind = mst_kind_of(tree, loop);
  if (kind != MST_K_FOR && kind != MST_K_WHILE) return NULL;
  return of_body(arena, statement, (mst_place){statement.program, statement.module, loop},
                 suggestion);
}

const mst_replacement *mst_replacement_of(mst_arena *arena, mst_place place,
                                          const mst_suggestion *suggestion) {
  if (suggestion == NULL) return NULL;
  const mst_tree *tree = place.module->tree;
  const mst_place statement = {place.program, place.module, mst_statement_of(tree, place.node)};
  const mst_node *node = mst_node_at(tree, statement.node);
  if (mst_source_position(tree->source, node->start).cell > 0) return NULL;
  const mst_replacement *found = of_statement(arena, statement, suggestion);
  if (found != NULL) return found;
  if (!is_compound(node->kind)) return of_loop_around(arena, statement, suggestion);
  return suggestion->is_safe ? NULL : of_head(arena, statement, suggestion);
}
