/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The tree is read through tree-sitter's internal headers, not through its cursor: that takes a
 * third of the time, and does not recurse. The version of tree-sitter is pinned.
 */
#include "pysource/ts_tree.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <tree_sitter/api.h>
#include <tree-sitter/src/subtree.h>
#include <tree-sitter/src/tree.h>
#include <tree-sitter/src/language.h>

#include "base/status.h"

const TSLanguage *tree_sitter_python(void);

/* ---- parsing ------------------------------------------------------------------------------------ */

/* tree-sitter asks often; reading the clock is a system call. */
enum { CALLS_PER_CLOCK = 16 };

/* The text is handed out in pieces, so that what tree-sitter reads is counted: the scanner of its
 * grammar looks ahead without end, and over the same text as often as it likes. */
enum { PIECE = 512, MOST_READS = 64 }; /* of each piece, on average */

typedef struct mst_ts_reading {
  const char *text;
  uint32_t length;
  uint64_t pieces, most_pieces; /* that were handed out, and may be */
  double deadline;
  unsigned calls;
} mst_ts_reading;

static bool is_spent(const mst_ts_reading *reading) {
  return reading->pieces > reading->most_pieces;
}

static double processor_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static bool is_late(TSParseState *state) {
  mst_ts_reading *reading = state->payload;
  if (is_spent(reading)) return true;
  if (++reading->calls % CALLS_PER_CLOCK != 0) return false;
  return processor_seconds() > reading->deadline;
}

static const char *read_text(void *payload, uint32_t byte, TSPoint point, uint32_t *length) {
  (void)point;
  mst_ts_reading *reading = payload;
  *length = byte < reading->length ? reading->length - byte : 0;
  if (*length > PIECE) *length = PIECE;
  reading->pieces++;
  if (is_spent(reading)) *length = 0;
  return *length > 0 ? reading->text + byte : "";
}

/* The source's own, or a copy without long blocks of comments. */
static const char *text_to_parse(const mst_source *source) {
  if (!mst_has_long_comments(source->text, source->length)) return source->text;
  char *text = mst_ts_malloc((size_t)source->length + 1);
  memcpy(text, source->text, (size_t)source->length + 1);
  mst_blank_comments(text, source->length);
  return text;
}

/* ---- laying out ------------------------------------------------------------------------------- */

/* What tells nothing that the nodes around it do not tell. Nothing within it is kept either. */
static const bool is_noise[] = {
    [sym_comment] = true,         [sym_line_continuation] = true, [sym_string_start] = true,
    [sym_string_content] = true,  [sym_string_end] = true,        [sym_escape_sequence] = true,
    [sym_type_conversion] = true, [anon_sym_LPAREN] = true,       [anon_sym_RPAREN] = true,
    [anon_sym_LBRACK] = true,     [anon_sym_RBRACK] = true,       [anon_sym_LBRACE] = true,
    [anon_sym_RBRACE] = true,     [anon_sym_DOT] = true,          [anon_sym_SEMI] = true,
    [anon_sym_EQ] = true,         [anon_sym_if] = true,           [anon_sym_else] = true,
    [anon_sym_elif] = true,       [anon_sym_for] = true,          [anon_sym_while] = true,
    [anon_sym_def] = true,        [anon_sym_class] = true,        [anon_sym_return] = true,
    [anon_sym_import] = true,     [anon_sym_try] = true,          [anon_sym_except] = true,
    [anon_sym_finally] = true,    [anon_sym_with] = true,         [anon_sym_lambda] = true,
    [anon_sym_pass] = true,       [anon_sym_break] = true,        [anon_sym_continue] = true,
    [anon_sym_del] = true,        [anon_sym_assert] = true,       [anon_sym_raise] = true,
    [anon_sym_yield] = true,
};

/* What is laid out lies all over the heap: asked for some children ahead, it is there in time. */
enum { CHILDREN_AHEAD = 6 };

/* A node of tree-sitter whose children are being laid out. */
typedef struct mst_ts_level {
  const Subtree *children;
  uint32_t count, at;
  uint32_t structural;     /* at, without comments and the like */
  const TSSymbol *aliases; /* names that the children go by here; or NULL */
  uint32_t node;           /* where `next` is to be set; 0: nowhere */
} mst_ts_level;

typedef struct mst_ts_layout {
  const TSLanguage *language;
  const char *text; /* to look for directives in; NULL: there are none */
  mst_ts_tree *tree;
  uint32_t position;
  struct {
    mst_ts_level *data;
    size_t length, capacity;
  } levels;
} mst_ts_layout;

static void fetch(const Subtree *children, uint32_t at, uint32_t count) {
  if (at < count && !children[at].data.is_inline) __builtin_prefetch(&children[at].ptr->symbol);
}

static void descend(mst_ts_layout *layout, Subtree subtree, uint32_t node) {
  if (layout->levels.length == layout->levels.capacity) {
    layout->levels.capacity = layout->levels.capacity * 2 + 64;
    layout->levels.data =
        mst_ts_realloc(layout->levels.data, layout->levels.capacity * sizeof(mst_ts_level));
  }
  const Subtree *children = ts_subtree_children(subtree);
  const uint32_t count = ts_subtree_child_count(subtree);
  for (uint32_t i = 0; i < CHILDREN_AHEAD; i++)
    fetch(children, i, count);
  layout->levels.data[layout->levels.length++] = (mst_ts_level){
      .children = children,
      .count = count,
      .aliases = ts_language_alias_sequence(layout->language, subtree.ptr->production_id),
      .node = node,
  };
}

static uint32_t add_node(mst_ts_layout *layout, Subtree subtree, TSSymbol symbol, bool is_token) {
  mst_ts_tree *tree = layout->tree;
  const uint32_t start = layout->position + ts_subtree_padding(subtree).bytes;
  if (symbol != MST_TS_ERROR) symbol = layout->language->public_symbol_map[symbol];
  tree->nodes[tree->count] = (mst_ts_node){
      .symbol = symbol,
      .flags = (uint16_t)((is_token ? MST_TS_TOKEN : 0) |
                          (ts_subtree_missing(subtree) ? MST_TS_MISSING : 0)),
      .start = start,
      .end = start + ts_subtree_size(subtree).bytes,
      .next = tree->count + 1,
  };
  return tree->count++;
}

static void keep_directive(mst_ts_tree *tree, const char *text, mst_comment comment) {
  mst_comment found;
  if (!mst_find_directive(text, comment, &found)) return;
  if (tree->directives.length == tree->directives.capacity) {
    tree->directives.capacity = tree->directives.capacity * 2 + 16;
    tree->directives.data = mst_ts_realloc(
        tree->directives.data, tree->directives.capacity * sizeof *tree->directives.data);
  }
  tree->directives.data[tree->directives.length++] = found;
}

static void take_child(mst_ts_layout *layout, mst_ts_level *level) {
  const Subtree child = level->children[level->at++];
  fetch(level->children, level->at + CHILDREN_AHEAD - 1, level->count);
  TSSymbol symbol = ts_subtree_symbol(child), alias = 0;
  if (!ts_subtree_extra(child)) {
    if (level->aliases != NULL) alias = level->aliases[level->structural];
    level->structural++;
  }
  if (alias != 0) symbol = alias;
  const uint32_t end = layout->position + ts_subtree_total_bytes(child);
  const bool known = symbol < sizeof is_noise;
  const bool visible = alias != 0 || ts_subtree_visible(child);
  if (known && is_noise[symbol] && visible && !ts_subtree_missing(child)) {
    if (symbol == sym_comment && layout->text != NULL)
      keep_directive(layout->tree, layout->text,
                     (mst_comment){layout->position + ts_subtree_padding(child).bytes, end});
    layout->position = end;
    return;
  }
  uint32_t node = 0;
  if (visible) node = add_node(layout, child, symbol, alias == 0 && !ts_subtree_named(child));
  /* What is not seen may hold what is. */
  if (ts_subtree_visible_child_count(child) > 0)
    descend(layout, child, node);
  else
    layout->position = end;
}

static void lay_out(mst_ts_tree *tree, const TSTree *parsed, const char *text) {
  const Subtree root = parsed->root;
  const size_t most = (size_t)ts_subtree_visible_descendant_count(root) + 1;
  tree->nodes = mst_ts_malloc(most * sizeof(mst_ts_node));
  tree->count = 0;
  tree->directives.length = tree->directives.capacity = 0;
  tree->directives.data = NULL;
  mst_ts_layout layout = {.language = parsed->language, .text = text, .tree = tree};
  add_node(&layout, root, ts_subtree_symbol(root), false);
  if (ts_subtree_child_count(root) > 0) descend(&layout, root, 0);
  while (layout.levels.length > 0) {
    mst_ts_level *level = &layout.levels.data[layout.levels.length - 1];
    if (level->at < level->count) {
      take_child(&layout, level);
      continue;
    }
    if (level->node != 0) tree->nodes[level->node].next = tree->count;
    layout.levels.length--;
  }
  tree->nodes[0].next = tree->count;
}

static int by_start(const void *left, const void *right) {
  const mst_comment *a = left, *b = right;
  return (a->start > b->start) - (a->start < b->start);
}

/* Of comments that the parser was not shown: they are blank in its text, and begin their lines. */
static void keep_hidden_directives(mst_ts_tree *tree, const mst_source *source, const char *shown) {
  const uint32_t before = tree->directives.length;
  for (uint32_t i = 0; i < source->line_count; i++) {
    const uint32_t start = source->line_starts[i];
    const char *line = source->text + start;
    const uint32_t blanks = (uint32_t)strspn(line, " \t\f");
    if (line[blanks] != '#' || shown[start + blanks] == '#') continue;
    const uint32_t length = (uint32_t)strcspn(line, "\n");
    keep_directive(tree, source->text, (mst_comment){start + blanks, start + length});
  }
  if (tree->directives.length > before)
    qsort(tree->directives.data, tree->directives.length, sizeof *tree->directives.data, by_start);
}

muster_status mst_ts_parse(mst_ts_heap *heap, const mst_source *source, double seconds,
                           mst_ts_tree *tree, muster_error *error) {
  mst_ts_heap_use(heap);
  TSParser *parser = ts_parser_new();
  if (!ts_parser_set_language(parser, tree_sitter_python()))
    return mst_fail(error, MUSTER_ERR_UNSUPPORTED, source->path,
                    "the grammar is of another version than tree-sitter");
  mst_ts_reading reading = {.text = text_to_parse(source),
                            .length = source->length,
                            .most_pieces =
                                MOST_READS * (source->length / PIECE + (uint64_t)MOST_READS),
                            .deadline = processor_seconds() + seconds};
  const TSInput input = {&reading, read_text, TSInputEncodingUTF8, NULL};
  const TSParseOptions options = {&reading, is_late};
  const TSTree *parsed = ts_parser_parse_with_options(parser, NULL, input, options);
  if (is_spent(&reading))
    return mst_fail(error, MUSTER_ERR_CANCELLED, source->path,
                    "parsing reads the text more than %d times", MOST_READS);
  if (parsed == NULL)
    return mst_fail(error, MUSTER_ERR_CANCELLED, source->path, "parsing takes longer than %g s",
                    seconds);
  const bool has_directives = mst_may_have_directives(source->text, source->length);
  lay_out(tree, parsed, has_directives ? source->text : NULL);
  if (has_directives && reading.text != source->text)
    keep_hidden_directives(tree, source, reading.text);
  return MUSTER_OK;
}
