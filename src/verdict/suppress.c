/* SPDX-License-Identifier: Apache-2.0 */
#include "verdict/suppress.h"

#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "verdict/words.h"

#define MOST_ITEMS 4096 /* ids of one file that suppress something */
#define WHOLE_FILE UINT32_MAX

/* One id of a comment. */
typedef struct item {
  uint32_t line; /* of the text, from 0; or WHOLE_FILE */
  uint32_t order;
  const char *id;
  const mst_suppression *by;
  mst_site site;
  bool is_used;
} item;

struct mst_suppressions {
  struct {
    item *data;
    size_t length, capacity;
  } items; /* by line, then as they stand */
};

/* ---- reading ------------------------------------------------------------------------------------ */

typedef struct reader {
  mst_tally *tally;
  mst_arena *scratch;
  const mst_source *source;
  mst_suppressions *list;
  const char *at, *end; /* what is left of the comment */
  mst_site site;
} reader;

static void complain(const reader *from, const char *message) {
  const mst_diagnostic diagnostic = {
      .site = from->site, .kind = MST_SUPPRESSION_FAULT, .message = message};
  mst_arena_push(from->tally->arena, &from->tally->diagnostics, diagnostic);
}

static void skip_blanks(reader *from) {
  while (from->at < from->end && (*from->at == ' ' || *from->at == '\t'))
    from->at++;
}

/* The text up to `stop`, without blanks at its ends. */
static const char *take_until(reader *from, const char *stop) {
  skip_blanks(from);
  const char *last = stop;
  while (last > from->at && (last[-1] == ' ' || last[-1] == '\t'))
    last--;
  const char *text = mst_arena_text(from->tally->arena, from->at, (size_t)(last - from->at));
  from->at = stop;
  return text;
}

/* Where the id ends that begins here: names of call forms hold brackets, and no comma. */
static const char *end_of_id(const reader *from, const char *list_end) {
  const char *comma = memchr(from->at, ',', (size_t)(list_end - from->at));
  return comma != NULL ? comma : list_end;
}

/* Gaps go by names that no list holds: with a dot, "rank 7" and the like. */
static bool is_known(const char *id) {
  return strcmp(id, MST_GAP_ID) == 0 || mst_rule_find(id) != NULL || mst_starts_with(id, "rank ") ||
         (strchr(id, '.') != NULL && !mst_starts_with(id, "np."));
}

static void complain_of_id(const reader *from, const char *id) {
  const char *names[128] = {MST_GAP_ID};
  mst_arena *arena = from->tally->arena;
  for (unsigned i = 0; i < mst_rule_count && i < 126; i++)
    names[i + 1] = mst_rules[i]->id;
  const char *near = mst_nearest(id, names);
  if (mst_starts_with(id, "np."))
    complain(from, mst_words(arena, "'%s' is no name in full: write 'numpy%s'", id, id + 2));
  else if (near != NULL)
    complain(from, mst_words(arena, "there is no rule '%s'; did you mean '%s'?", id, near));
  else
    complain(from, mst_words(arena,
                             "there is no rule '%s': 'muster explain' lists them; gaps in API "
                             "support are API, or a name in full such as numpy.interp",
                             id));
}

static void add_item(reader *from, const char *id, uint32_t line, const mst_suppression *by) {
  mst_suppressions *list = from->list;
  if (!is_known(id)) {
    complain_of_id(from, id);
  } else if (list->items.length == MOST_ITEMS) {
    complain(from, "no more than 4,096 suppressions of one file are looked at");
  } else {
    const item added = {line, (uint32_t)list->items.length, id, by, from->site, false};
    mst_arena_push(from->scratch, &list->items, added);
  }
}

/* "[R104, R201] reason". */
static void read_list(reader *from, uint32_t line) {
  mst_arena *arena = from->tally->arena;
  skip_blanks(from);
  const bool has_list = from->at < from->end && *from->at == '[';
  const char *end = has_list ? memchr(from->at, ']', (size_t)(from->end - from->at)) : NULL;
  if (has_list && end == NULL) {
    complain(from, "the list of ids has no end: a ']' is missing");
    return;
  }
  mst_suppression *by = mst_arena_new(arena, sizeof *by);
  by->line = from->site.line;
  unsigned count = 0;
  while (has_list && from->at < end) {
    from->at++;
    const char *id = take_until(from, end_of_id(from, end));
    if (*id == '\0') continue;
    add_item(from, id, line, by);
    count++;
  }
  if (count == 0) {
    complain(from, "name the ids that are meant, as in '# muster: ignore[R104] reason'");
    return;
  }
  from->at = end + 1;
  const char *reason = take_until(from, from->end);
  by->reason = *reason != '\0' ? reason : NULL;
}

static bool begins_line(const mst_source *source, uint32_t byte) {
  uint32_t at = source->line_starts[mst_source_line(source, byte)];
  while (source->text[at] == ' ' || source->text[at] == '\t' || source->text[at] == '\f')
    at++;
  return source->text[at] == '#';
}

static void read_directive(reader *from, const mst_comment *comment) {
  static const char *const verbs[] = {"ignore", "ignore-file", NULL};
  const mst_position at = mst_source_position(from->source, comment->start);
  from->site.cell = at.cell;
  from->site.line = from->site.end_line = at.line;
  from->site.column = at.column;
  from->at = from->source->text + comment->start;
  from->end = from->source->text + comment->end;
  skip_blanks(from);
  const char *stop = from->at;
  while (stop < from->end && ((*stop >= 'a' && *stop <= 'z') || *stop == '-'))
    stop++;
  const char *verb = take_until(from, stop);
  if (strcmp(verb, "ignore") == 0) {
    read_list(from, mst_source_line(from->source, comment->start));
  } else if (strcmp(verb, "ignore-file") == 0) {
    if (begins_line(from->source, comment->start))
      read_list(from, WHOLE_FILE);
    else
      complain(from, "'ignore-file' has to begin its line");
  } else {
    const char *near = mst_nearest(verb, verbs); /* else it is no directive, but a remark */
    if (near != NULL)
      complain(from,
               mst_words(from->tally->arena, "'%s' is unknown; did you mean '%s'?", verb, near));
  }
}

static int by_line(const void *left, const void *right) {
  const item *a = left, *b = right;
  if (a->line != b->line) return a->line < b->line ? -1 : 1;
  return a->order < b->order ? -1 : a->order > b->order;
}

mst_suppressions *mst_suppressions_read(mst_tally *tally, const mst_module *module,
                                        mst_arena *scratch) {
  const mst_tree *tree = module->tree;
  if (tree->directive_count == 0) return NULL;
  reader from = {.tally = tally,
                 .scratch = scratch,
                 .source = tree->source,
                 .list = mst_arena_new(scratch, sizeof *from.list),
                 .site.path = mst_words_copy(tally->arena, tree->source->path)};
  for (uint32_t i = 0; i < tree->directive_count; i++)
    read_directive(&from, &tree->directives[i]);
  if (from.list->items.length > 1)
    qsort(from.list->items.data, from.list->items.length, sizeof *from.list->items.data, by_line);
  return from.list;
}

/* ---- what falls under them ------------------------------------------------------------------------ */

typedef struct lines {
  uint32_t first, last; /* of the text, from 0 */
} lines;

/* The index of the first item that stands there or behind. */
static size_t first_from(const mst_suppressions *list, uint32_t line) {
  size_t low = 0, high = list->items.length;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (list->items.data[middle].line < line)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static const mst_suppression *find(mst_suppressions *list, lines within, const char *id,
                                   bool is_gap) {
  for (size_t i = first_from(list, within.first); i < list->items.length; i++) {
    item *at = &list->items.data[i];
    if (at->line > within.last) break;
    if (strcmp(at->id, id) != 0 && !(is_gap && strcmp(at->id, MST_GAP_ID) == 0)) continue;
    at->is_used = true;
    return at->by;
  }
  return NULL;
}

/* The child that the head of a compound statement ends before; 0: it is a simple one. */
static mst_node_id first_block(const mst_tree *tree, mst_node_id statement, mst_node_id *before) {
  *before = 0;
  MST_EACH_CHILD(tree, child, statement) {
    const mst_kind kind = mst_kind_of(tree, child);
    if (kind == MST_K_BLOCK || kind == MST_K_CASE) return child;
    *before = child;
  }
  return 0;
}

/* The colon behind a head: between it and the last expression stand brackets and comments only. */
static uint32_t colon_behind(const mst_source *source, uint32_t at, uint32_t end) {
  for (; at < end && source->text[at] != ':'; at++)
    if (source->text[at] == '#')
      while (at + 1 < end && source->text[at + 1] != '\n')
        at++;
  return at;
}

/* Of a simple statement all lines, of others those of its head. */
static lines lines_of(const mst_tree *tree, mst_node_id statement) {
  mst_node_id before;
  const mst_source *source = tree->source;
  const mst_node *node = mst_node_at(tree, statement);
  const mst_node_id block = first_block(tree, statement, &before);
  uint32_t last = node->end > node->start ? node->end - 1 : node->start;
  if (block != 0) {
    const uint32_t from = before != 0 ? mst_node_at(tree, before)->end : node->start;
    last = colon_behind(source, from, node->end);
  }
  return (lines){mst_source_line(source, node->start), mst_source_line(source, last)};
}

/* By the heads of the loops in whose bodies the statement stands, the innermost first. */
static const mst_suppression *find_by_loops(mst_suppressions *list, const mst_tree *tree,
                                            mst_node_id statement, const char *id, bool is_gap) {
  const mst_suppression *found = NULL;
  for (mst_node_id at = statement; at != 0 && found == NULL;) {
    const mst_node_id outer = mst_node_at(tree, at)->parent;
    const mst_kind kind = mst_kind_of(tree, outer);
    mst_node_id before;
    if ((kind == MST_K_FOR || kind == MST_K_WHILE) && first_block(tree, outer, &before) == at)
      found = find(list, lines_of(tree, outer), id, is_gap);
    at = outer;
  }
  return found;
}

const mst_suppression *mst_suppression_at(mst_suppressions *list, mst_place place, const char *id,
                                          bool is_gap) {
  if (list == NULL || list->items.length == 0) return NULL;
  const mst_tree *tree = place.module->tree;
  const mst_node_id statement = mst_statement_of(tree, place.node);
  const uint32_t own = mst_source_line(tree->source, mst_node_at(tree, place.node)->start);
  const mst_suppression *found = find(list, (lines){own, own}, id, is_gap);
  if (found == NULL && statement != 0) found = find(list, lines_of(tree, statement), id, is_gap);
  if (found == NULL) found = find_by_loops(list, tree, statement, id, is_gap);
  return found != NULL ? found : find(list, (lines){WHOLE_FILE, WHOLE_FILE}, id, is_gap);
}

void mst_suppressions_finish(const mst_suppressions *list, mst_tally *tally) {
  for (size_t i = 0; list != NULL && i < list->items.length; i++) {
    const item *at = &list->items.data[i];
    if (at->is_used) continue;
    const mst_diagnostic diagnostic = {
        .site = at->site,
        .kind = MST_SUPPRESSION_UNUSED,
        .message = mst_words(tally->arena, "nothing of %s is found %s: the suppression can go",
                             at->id, at->line == WHOLE_FILE ? "in this file" : "here")};
    mst_arena_push(tally->arena, &tally->diagnostics, diagnostic);
  }
}
