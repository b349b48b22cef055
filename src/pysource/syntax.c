/* SPDX-License-Identifier: Apache-2.0 */
#include "pysource/syntax.h"

#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "pysource/comments.h"
#include "pysource/convert.h"

/* ---- parsing ------------------------------------------------------------------------------------- */

/* What lives across the ways out. */
typedef struct mst_parsing {
  mst_ts_heap heap;
  mst_convert convert;
  jmp_buf callers_way_out;
} mst_parsing;

/* What stands behind the quotes of such a string is no code, and where tree-sitter gives up says
 * little: one fault for all of it. */
static void note_unclosed(mst_convert *convert) {
  const mst_ts_node *nodes = convert->from.nodes;
  size_t at;
  bool is_faulty = false;
  for (uint32_t id = 0; id < convert->from.count && !is_faulty; id++)
    is_faulty = nodes[id].symbol == MST_TS_ERROR || (nodes[id].flags & MST_TS_MISSING) != 0;
  if (!is_faulty || !mst_find_unclosed(convert->source->text, convert->source->length, &at)) return;
  mst_add_fault(convert, (uint32_t)at, "syntax", "the string that begins here is not closed");
  convert->has_unclosed = true;
  convert->unclosed = (uint32_t)at;
}

static bool holds_unclosed(const mst_convert *convert, const mst_ts_node *node) {
  return convert->has_unclosed && node->start <= convert->unclosed && convert->unclosed < node->end;
}

/* Notes what tree-sitter did not understand, and finds the first of it. */
static void note_errors(mst_convert *convert) {
  const mst_ts_node *nodes = convert->from.nodes;
  const uint32_t count = convert->from.count;
  convert->next_error = count;
  for (uint32_t at = 0; at < count;) {
    const bool error = nodes[at].symbol == MST_TS_ERROR;
    if (error && at != 0 && convert->next_error == count) convert->next_error = at;
    if (error && !holds_unclosed(convert, &nodes[at]))
      mst_add_fault(convert, nodes[at].start, "syntax", "is not valid Python here");
    else if ((nodes[at].flags & MST_TS_MISSING) != 0)
      mst_add_fault(convert, nodes[at].start, "syntax",
                    "is not valid Python: something is missing");
    at = error && at != 0 ? nodes[at].next : at + 1;
  }
}

static int by_start(const void *a, const void *b) {
  const mst_syntax_fault *x = a, *y = b;
  if (x->start != y->start) return x->start < y->start ? -1 : 1;
  const int kinds = strcmp(x->kind, y->kind);
  return kinds != 0 ? kinds : strcmp(x->message, y->message);
}

static void convert_module(mst_convert *convert) {
  mst_tree *tree = convert->tree;
  const mst_ts_node *root = &convert->from.nodes[0];
  note_unclosed(convert);
  note_errors(convert);
  mst_open none = {0};
  (void)mst_open_span(convert, &none, MST_K_NONE, 0, 0);
  mst_open module = mst_open_span(convert, &none, MST_K_MODULE, 0, convert->source->length);
  tree->nodes[0] = (mst_node){0};
  module.depth = 0;
  if (root->symbol == MST_TS_ERROR)
    mst_convert_error(convert, &module, 0);
  else
    mst_convert_statements(convert, &module, 0);
}

/* From tree-sitter's heap to the arena, no larger than need be. */
static void keep_nodes(mst_tree *tree, mst_arena *arena) {
  mst_node *nodes = mst_arena_new(arena, tree->count * sizeof *nodes);
  tree->nodes = memcpy(nodes, tree->nodes, tree->count * sizeof *nodes);
}

static void keep_faults(mst_tree *tree) {
  if (tree->faults.length == 0) return;
  qsort(tree->faults.data, tree->faults.length, sizeof *tree->faults.data, by_start);
  if (tree->faults.length > MST_SYNTAX_FAULTS) tree->faults.length = MST_SYNTAX_FAULTS;
}

static void keep_directives(mst_tree *tree, const mst_ts_tree *from, mst_arena *arena) {
  const uint32_t count = from->directives.length;
  if (count == 0) return;
  mst_comment *directives = mst_arena_new(arena, count * sizeof *directives);
  tree->directives = memcpy(directives, from->directives.data, count * sizeof *directives);
  tree->directive_count = count;
}

static muster_status parse(mst_parsing *parsing, const mst_source *source, double seconds,
                           mst_arena *arena, mst_tree *tree, muster_error *error) {
  const muster_status status =
      mst_ts_parse(&parsing->heap, source, seconds, &parsing->convert.from, error);
  if (status != MUSTER_OK) return status;
  parsing->convert.source = source;
  parsing->convert.tree = tree;
  mst_symbols_init(&tree->symbols, arena);
  convert_module(&parsing->convert);
  keep_nodes(tree, arena);
  keep_faults(tree);
  keep_directives(tree, &parsing->convert.from, arena);
  return MUSTER_OK;
}

static void finish(mst_parsing *parsing) {
  mst_ts_heap_use(NULL);
  mst_ts_heap_reset(&parsing->heap);
}

muster_status mst_syntax_parse_in(const mst_parse_room *room, const mst_source *source,
                                  size_t parse_budget, double seconds, mst_arena *arena,
                                  mst_tree *tree, muster_error *error) {
  /* In the arena, so that it is there after a jump. */
  mst_parsing *parsing = mst_arena_new(arena, sizeof *parsing);
  *tree = (mst_tree){.source = source};
  mst_ts_heap_init(&parsing->heap, parse_budget, (size_t)source->length * 16);
  if (room->memory != NULL) mst_ts_heap_lend(&parsing->heap, room->memory, room->bytes);
  memcpy(parsing->callers_way_out, arena->way_out, sizeof arena->way_out);
  if (setjmp(parsing->heap.way_out) != 0) {
    finish(parsing);
    memcpy(arena->way_out, parsing->callers_way_out, sizeof arena->way_out);
    *tree = (mst_tree){.source = source};
    return mst_fail(error, MUSTER_ERR_MEMORY, source->path,
                    "parsing needs more than %zu bytes of memory", parse_budget);
  }
  /* When the arena ends, tree-sitter's memory is to be freed first. */
  if (setjmp(arena->way_out) != 0) {
    finish(parsing);
    memcpy(arena->way_out, parsing->callers_way_out, sizeof arena->way_out);
    longjmp(arena->way_out, 1);
  }
  const muster_status status = parse(parsing, source, seconds, arena, tree, error);
  finish(parsing);
  memcpy(arena->way_out, parsing->callers_way_out, sizeof arena->way_out);
  return status;
}

muster_status mst_syntax_parse(const mst_source *source, size_t parse_budget, double seconds,
                               mst_arena *arena, mst_tree *tree, muster_error *error) {
  const mst_parse_room none = {0};
  return mst_syntax_parse_in(&none, source, parse_budget, seconds, arena, tree, error);
}

/* ---- reading a tree ------------------------------------------------------------------------------ */

bool mst_mentions(const mst_tree *tree, mst_node_id expression, const mst_symbol *names,
                  size_t count) {
  const mst_node_id end = mst_subtree_end(tree, expression);
  for (mst_node_id id = expression; id < end; id++)
    for (size_t i = 0; i < count; i++)
      if (tree->nodes[id].kind == MST_K_NAME && tree->nodes[id].name == names[i]) return true;
  return false;
}

mst_node_id mst_child(const mst_tree *tree, mst_node_id id, unsigned index) {
  mst_node_id child = tree->nodes[id].first;
  while (child != 0 && index-- > 0)
    child = tree->nodes[child].next;
  return child;
}

unsigned mst_child_count(const mst_tree *tree, mst_node_id id) {
  unsigned count = 0;
  MST_EACH_CHILD(tree, child, id) count++;
  return count;
}

mst_node_id mst_last_child(const mst_tree *tree, mst_node_id id) {
  mst_node_id last = 0;
  MST_EACH_CHILD(tree, child, id) last = child;
  return last;
}

bool mst_is_statement(mst_kind kind) {
  switch (kind) {
  case MST_K_BASES:
  case MST_K_PARAMETERS:
  case MST_K_PARAMETER:
  case MST_K_WITH_ITEM:
  case MST_K_EXCEPT:
  case MST_K_ALIAS:
  case MST_K_CASE: return false;
  default: return kind >= MST_K_FUNCTION && kind <= MST_K_ERROR;
  }
}

mst_node_id mst_statement_of(const mst_tree *tree, mst_node_id id) {
  while (id != 0 && !mst_is_statement(mst_kind_of(tree, id)))
    id = tree->nodes[id].parent;
  return id;
}

mst_node_id mst_subtree_end(const mst_tree *tree, mst_node_id id) {
  for (; id != 0; id = tree->nodes[id].parent)
    if (tree->nodes[id].next != 0) return tree->nodes[id].next;
  return tree->count;
}

bool mst_is_within(const mst_tree *tree, mst_node_id inner, mst_node_id outer) {
  return inner >= outer && inner < mst_subtree_end(tree, outer);
}
