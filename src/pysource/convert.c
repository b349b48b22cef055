/* SPDX-License-Identifier: Apache-2.0 */
#include "pysource/convert.h"

#include <string.h>

/* ---- adding nodes ------------------------------------------------------------------------------- */

static void grow(mst_convert *convert) {
  convert->capacity = convert->capacity * 2 + 64;
  convert->tree->nodes = mst_ts_realloc(convert->tree->nodes, convert->capacity * sizeof(mst_node));
}

mst_open mst_open_span(mst_convert *convert, mst_open *parent, mst_kind kind, uint32_t start,
                       uint32_t end) {
  mst_tree *tree = convert->tree;
  if (tree->count == convert->capacity) grow(convert);
  const mst_node_id id = tree->count++;
  tree->nodes[id] =
      (mst_node){.kind = (uint8_t)kind, .start = start, .end = end, .parent = parent->id};
  if (parent->last != 0)
    tree->nodes[parent->last].next = id;
  else
    tree->nodes[parent->id].first = id;
  parent->last = id;
  return (mst_open){.id = id, .depth = parent->depth + 1};
}

mst_open mst_open_node(mst_convert *convert, mst_open *parent, mst_kind kind, uint32_t at) {
  const mst_ts_node *node = mst_ts_at(convert, at);
  return mst_open_span(convert, parent, kind, node->start, node->end);
}

void mst_add_empty(mst_convert *convert, mst_open *parent) {
  const mst_node *nodes = convert->tree->nodes;
  const uint32_t place = parent->last != 0 ? nodes[parent->last].end : nodes[parent->id].start;
  mst_open_span(convert, parent, MST_K_EMPTY, place, place);
}

void mst_add_fault(mst_convert *convert, uint32_t start, const char *kind, const char *message) {
  mst_tree *tree = convert->tree;
  if (convert->has_unclosed && start >= convert->unclosed) return;
  tree->fault_count++;
  /* Those of tree-sitter are noted before those of the conversion. */
  if (tree->faults.length >= (size_t)2 * MST_SYNTAX_FAULTS) return;
  const mst_syntax_fault fault = {start, kind, message};
  mst_arena_push(tree->symbols.arena, &tree->faults, fault);
}

/* ---- tree-sitter's nodes ------------------------------------------------------------------------ */

uint32_t mst_ts_seek(const mst_convert *convert, uint32_t at, uint32_t child) {
  const mst_ts_node *nodes = convert->from.nodes;
  const uint32_t end = nodes[at].next;
  for (; child < end; child = nodes[child].next)
    if ((nodes[child].flags & MST_TS_TOKEN) == 0 && nodes[child].symbol != MST_TS_ERROR)
      return child;
  return 0;
}

uint32_t mst_ts_find(const mst_convert *convert, uint32_t at, uint16_t symbol) {
  const mst_ts_node *nodes = convert->from.nodes;
  for (uint32_t child = at + 1; child < nodes[at].next; child = nodes[child].next)
    if (nodes[child].symbol == symbol) return child;
  return 0;
}

uint32_t mst_ts_count(const mst_convert *convert, uint32_t at) {
  uint32_t count = 0;
  MST_EACH_TS(convert, child, at) count++;
  return count;
}

mst_symbol mst_ts_name(mst_convert *convert, uint32_t at) {
  if (at == 0) return 0;
  const mst_ts_node *node = mst_ts_at(convert, at);
  return mst_symbol_of(&convert->tree->symbols, convert->source->text + node->start,
                       node->end - node->start);
}

static bool is_word_byte(char byte) {
  return byte == '_' || byte == '.' || (byte >= '0' && byte <= '9') ||
         (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || (unsigned char)byte >= 128;
}

mst_symbol mst_ts_path(mst_convert *convert, uint32_t at) {
  if (at == 0) return 0;
  const mst_ts_node *node = mst_ts_at(convert, at);
  const char *text = convert->source->text + node->start;
  const size_t length = node->end - node->start;
  size_t plain = 0;
  while (plain < length && is_word_byte(text[plain]))
    plain++;
  if (plain == length) return mst_ts_name(convert, at);
  char *path = mst_ts_malloc(length + 1);
  size_t used = 0;
  MST_EACH_TS(convert, part, at) {
    const mst_ts_node *word = mst_ts_at(convert, part);
    if (used > 0) path[used++] = '.';
    memcpy(path + used, convert->source->text + word->start, word->end - word->start);
    used += word->end - word->start;
  }
  const mst_symbol symbol = mst_symbol_of(&convert->tree->symbols, path, used);
  mst_ts_free(path);
  return symbol;
}
