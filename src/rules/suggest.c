/* SPDX-License-Identifier: Apache-2.0 */
#include "rules/suggest.h"

#include <string.h>

#include "rules/places.h"

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

/* ---- lines -------------------------------------------------------------------------------------- */

static size_t blanks(const char *line) { return strspn(line, " \t"); }

static size_t line_length(const char *line) { return strcspn(line, "\n"); }

static const char *next_line(const char *line) {
  line += line_length(line);
  return *line == '\n' ? line + 1 : NULL;
}

/* Takes away, in place, so much indentation where there is as much, and blanks at the end of lines.
 */
static void dedent_by(char *text, size_t shared) {
  char *out = text;
  for (const char *line = text; line != NULL;) {
    const char *next = next_line(line);
    size_t length = line_length(line);
    while (length > 0 && (line[length - 1] == ' ' || line[length - 1] == '\t'))
      length--;
    const size_t own = blanks(line) < length ? blanks(line) : length;
    const size_t skip = shared < own ? shared : own;
    memmove(out, line + skip, length - skip);
    out += length - skip;
    if (next != NULL) *out++ = '\n';
    line = next;
  }
  while (out > text && out[-1] == '\n')
    out--;
  *out = '\0';
}

static void dedent(char *text) { dedent_by(text, blanks(text)); }

/* From the beginning of the node's first line if only blanks stand there, to the node's end. */
static uint32_t first_byte(mst_place place, const mst_node *node) {
  uint32_t start = node->start;
  while (start > 0 && (*text_at(place, start - 1) == ' ' || *text_at(place, start - 1) == '\t'))
    start--;
  return start == 0 || *text_at(place, start - 1) == '\n' ? start : node->start;
}

/* f"{max(x)=}" shows the text itself. */
static bool is_shown_as_text(mst_place place) {
  const mst_tree *tree = place.module->tree;
  mst_node_id id = place.node, parent;
  while ((parent = mst_node_at(tree, id)->parent) != 0 &&
         mst_kind_of(tree, parent) != MST_K_FSTRING)
    id = parent;
  if (parent == 0) return false;
  const char *behind = text_at(place, mst_node_at(tree, id)->end);
  return behind[strspn(behind, " \t\n)")] == '=';
}

const char *mst_lines_with(const mst_rule_context *context, mst_place place, const mst_edit *edits,
                           unsigned count) {
  const mst_node *node = mst_node_at(place.module->tree, place.node);
  for (unsigned i = 0; i < count; i++)
    if (is_shown_as_text(mst_place_at(place, edits[i].node))) count = 0;
  char *text = edited(context->arena, place, first_byte(place, node), node->end, edits, count);
  dedent(text);
  return text;
}

const char *mst_lines_of(const mst_rule_context *context, mst_place place) {
  return mst_lines_with(context, place, NULL, 0);
}

const char *mst_decorated_lines(const mst_rule_context *context, mst_place function) {
  const mst_tree *tree = function.module->tree;
  char *text = edited(context->arena, function, mst_decorated_start(function),
                      mst_node_at(tree, function.node)->end, NULL, 0);
  const mst_node *node = mst_node_at(tree, function.node);
  dedent_by(text, node->start - first_byte(function, node));
  return text;
}

uint32_t mst_decorated_start(mst_place function) {
  const mst_tree *tree = function.module->tree;
  const mst_node_id decorator = mst_child(tree, function.node, 3);
  uint32_t start = mst_node_at(tree, decorator != 0 ? decorator : function.node)->start;
  while (decorator != 0 && start > 0 && *text_at(function, start) != '@')
    start--;
  return start;
}

/* One level of indentation where the place stands: a tab, or four blanks. */
static const char *level_at(mst_place place) {
  const mst_node_id statement = mst_statement_of(place.module->tree, place.node);
  const mst_node *node = mst_node_at(place.module->tree, statement);
  const uint32_t start = first_byte(place, node);
  return start < node->start && *text_at(place, start) == '\t' ? "\t" : "    ";
}

static void put_indented(writer *w, const char *lines, const char *level) {
  for (const char *line = lines; line != NULL; line = next_line(line)) {
    if (line != lines) put(w, "\n", 1);
    if (line_length(line) > 0) put(w, level, strlen(level));
    put(w, line, line_length(line));
  }
}

const char *mst_indented(const mst_rule_context *context, mst_place place, const char *lines) {
  const char *level = level_at(place);
  writer w = {0};
  put_indented(&w, lines, level);
  w = (writer){.out = mst_arena_new(context->arena, w.length + 1)};
  put_indented(&w, lines, level);
  return w.out;
}

/* ---- parts of statements --------------------------------------------------------------------------- */

static bool is_atom(mst_kind kind) {
  switch (kind) {
  case MST_K_NAME:
  case MST_K_ATTRIBUTE:
  case MST_K_SUBSCRIPT:
  case MST_K_CALL:
  case MST_K_LIST: return true;
  default: return false;
  }
}

const char *mst_operand_text(const mst_rule_context *context, mst_place place, bool is_operand) {
  const char *text = mst_source_of(context, place);
  const mst_kind kind = mst_kind_of(place.module->tree, place.node);
  const bool is_open = kind == MST_K_WALRUS || kind == MST_K_YIELD || kind == MST_K_GENERATOR;
  const bool needs_parentheses =
      is_open || strchr(text, '\n') != NULL || (is_operand && !is_atom(kind));
  return needs_parentheses ? mst_format_text(context->arena, "(%s)", text) : text;
}

const char *mst_unindented(const mst_rule_context *context, mst_place statement, const char *text) {
  const mst_node *node = mst_node_at(statement.module->tree, statement.node);
  char *copy = mst_arena_text(context->arena, text, strlen(text));
  dedent_by(copy, node->start - first_byte(statement, node));
  return copy;
}

/* The colon that ends the head: none of those in lambdas and slices, which lie within nodes. */
static uint32_t colon_behind(mst_place statement, uint32_t at, uint32_t end) {
  while (at < end && *text_at(statement, at) != ':')
    if (*text_at(statement, at) == '#')
      at += (uint32_t)line_length(text_at(statement, at));
    else
      at++;
  return at;
}

const char *mst_head_of(const mst_rule_context *context, mst_place statement) {
  const mst_tree *tree = statement.module->tree;
  const mst_node *node = mst_node_at(tree, statement.node);
  uint32_t last = node->start;
  MST_EACH_CHILD(tree, child, statement.node) {
    if (mst_kind_of(tree, child) == MST_K_BLOCK) break;
    last = mst_node_at(tree, child)->end;
  }
  const uint32_t start = first_byte(statement, node);
  const uint32_t end = colon_behind(statement, last, node->end);
  char *text = edited(context->arena, statement, start, end, NULL, 0);
  dedent(text);
  return mst_format_text(context->arena, "%s:", text);
}

/* ---- suggestions -------------------------------------------------------------------------------- */

const char *mst_unused_name(const mst_rule_context *context, const char *wish) {
  const char *name = wish;
  while (mst_symbol_find(&context->program->symbols, name) != MST_SYM_NONE)
    name = mst_format_text(context->arena, "%s_", name);
  return name;
}

/* A function around the place has a local of the name. */
static bool is_hidden(mst_place place, mst_symbol name) {
  const mst_program *program = place.program;
  const mst_function *function = mst_function_at(place);
  while (function != &program->functions.data[function->parent]) {
    if (mst_local_slot(function, name) != UINT32_MAX) return true;
    function = &program->functions.data[function->parent];
  }
  return false;
}

const char *mst_numpy_alias(mst_place place) {
  const mst_tree *tree = place.module->tree;
  MST_EACH_CHILD(tree, statement, 1) {
    if (mst_kind_of(tree, statement) != MST_K_IMPORT) continue;
    MST_EACH_CHILD(tree, alias, statement) {
      const mst_node *node = mst_node_at(tree, alias);
      const char *path = mst_symbol_text(&place.program->symbols, node->path);
      const bool is_numpy = strcmp(path, "cupynumeric") == 0 ||
                            (strcmp(path, "numpy") == 0 && !place.module->numpy_is_host);
      if (!is_numpy) continue;
      return is_hidden(place, node->name) ? NULL
                                          : mst_symbol_text(&place.program->symbols, node->name);
    }
  }
  return NULL;
}

static bool is_short(const char *text) {
  unsigned lines = 0;
  for (const char *line = text; line != NULL; line = next_line(line))
    lines++;
  return lines <= MOST_LINES;
}

/* The first of the two that stands in the text; NULL: none. */
static const char *first_of(const char *text, const char *one, const char *other) {
  const char *a = strstr(text, one), *b = strstr(text, other);
  return a == NULL || (b != NULL && b < a) ? b : a;
}

/* What moving lines in and out would do to the text of a string is not worth the trouble. */
static bool has_long_string(const char *text) {
  while ((text = first_of(text, "\"\"\"", "'''")) != NULL) {
    const char quotes[] = {*text, *text, *text, '\0'};
    const char *end = strstr(text + 3, quotes);
    if (end == NULL || memchr(text, '\n', (size_t)(end - text)) != NULL) return true;
    text = end + 3;
  }
  return false;
}

static void give(mst_rule_context *context, mst_finding *finding, const char *before,
                 const char *after, bool is_safe) {
  mst_suggestion *suggestion = mst_arena_new(context->arena, sizeof *suggestion);
  *suggestion = (mst_suggestion){before, after, is_safe};
  finding->suggestion = suggestion;
}

void mst_suggest(mst_rule_context *context, mst_finding *finding, const char *before,
                 const char *after, bool is_safe) {
  if (finding == NULL || strcmp(before, after) == 0 || !is_short(before) || !is_short(after))
    return;
  if (!has_long_string(before)) give(context, finding, before, after, is_safe);
}

void mst_suggest_unmoved(mst_rule_context *context, mst_finding *finding, mst_place statement,
                         const char *before, const char *after, bool is_safe) {
  const mst_node *node = mst_place_node(statement);
  const bool is_moved = first_byte(statement, node) != node->start;
  if (finding == NULL || !is_short(before) || !is_short(after)) return;
  if (!is_moved || !has_long_string(before)) give(context, finding, before, after, is_safe);
}
