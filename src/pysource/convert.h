/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From tree-sitter's nodes to ours: what the files convert_*.c share. Recursion is bounded by the
 * depth of our tree; all else are loops.
 */
#ifndef MST_PYSOURCE_CONVERT_H
#define MST_PYSOURCE_CONVERT_H

#include "pysource/syntax.h"
#include "pysource/ts_tree.h"

enum {
  MST_SYNTAX_DEPTH = 400, /* levels of our tree */
  MST_SYNTAX_FAULTS = 50,
  MST_TS_TYPE_CALL = MST_TS_ERROR - 1, /* a symbol of our own: the arguments of type() */
};

typedef struct mst_convert {
  const mst_source *source;
  mst_ts_tree from;
  uint32_t next_error; /* the next outermost error that is in no node of ours yet; or the count */
  mst_tree *tree;
  bool has_unclosed; /* in faulty text: a string in triple quotes that goes on to the end */
  uint32_t unclosed; /* where it begins */
  uint32_t capacity; /* of tree->nodes, which lie in tree-sitter's heap until they are complete */
} mst_convert;

/* A node of ours whose children are being added. */
typedef struct mst_open {
  mst_node_id id, last;
  unsigned depth;
} mst_open;

typedef void (*mst_converter)(mst_convert *convert, mst_open *parent, uint32_t at);

/* ---- adding nodes (convert.c) ------------------------------------------------------------------- */

/* Adds a child with the extent of the node `at`. */
mst_open mst_open_node(mst_convert *convert, mst_open *parent, mst_kind kind, uint32_t at);
/* The same for a child that has none. */
mst_open mst_open_span(mst_convert *convert, mst_open *parent, mst_kind kind, uint32_t start,
                       uint32_t end);
/* Stands where an optional child is missing: behind the last child of the parent. */
void mst_add_empty(mst_convert *convert, mst_open *parent);
void mst_add_fault(mst_convert *convert, uint32_t start, const char *kind, const char *message);
static inline mst_node *mst_opened(mst_convert *convert, mst_open open) {
  return &convert->tree->nodes[open.id];
}

/* ---- tree-sitter's nodes (convert.c) ------------------------------------------------------------ */

static inline const mst_ts_node *mst_ts_at(const mst_convert *convert, uint32_t at) {
  return &convert->from.nodes[at];
}
static inline uint16_t mst_ts_symbol(const mst_convert *convert, uint32_t at) {
  return convert->from.nodes[at].symbol;
}
/* The first child of `at` from `child` on that is no token and no error; 0: there is none. */
uint32_t mst_ts_seek(const mst_convert *convert, uint32_t at, uint32_t child);
static inline uint32_t mst_ts_first(const mst_convert *convert, uint32_t at) {
  return mst_ts_seek(convert, at, at + 1);
}
static inline uint32_t mst_ts_next(const mst_convert *convert, uint32_t at, uint32_t child) {
  return child == 0 ? 0 : mst_ts_seek(convert, at, mst_ts_at(convert, child)->next);
}
/* The first child with that symbol, token or not; 0: there is none. */
uint32_t mst_ts_find(const mst_convert *convert, uint32_t at, uint16_t symbol);
uint32_t mst_ts_count(const mst_convert *convert, uint32_t at);

#define MST_EACH_TS(convert, child, at)                              \
  for (uint32_t child = mst_ts_first((convert), (at)); (child) != 0; \
       (child) = mst_ts_next((convert), (at), (child)))

/* The text of a node as a symbol; of a dotted name without the blanks that may be in it. */
mst_symbol mst_ts_name(mst_convert *convert, uint32_t at);
mst_symbol mst_ts_path(mst_convert *convert, uint32_t at);

/* ---- statements (convert_statement.c, convert_definition.c, convert_match.c) ---------------------- */

bool mst_ts_is_statement(uint16_t symbol);
void mst_convert_statement(mst_convert *convert, mst_open *parent, uint32_t at);
/* The statements within a block or module. */
void mst_convert_statements(mst_convert *convert, mst_open *parent, uint32_t at);
/* A BLOCK of ours; at 0: EMPTY. */
void mst_convert_block(mst_convert *convert, mst_open *parent, uint32_t at);
void mst_convert_definition(mst_convert *convert, mst_open *parent, uint32_t at);
void mst_convert_decorated(mst_convert *convert, mst_open *parent, uint32_t at);
void mst_convert_parameters(mst_convert *convert, mst_open *parent, uint32_t at);
void mst_convert_import(mst_convert *convert, mst_open *parent, uint32_t at);
void mst_convert_import_from(mst_convert *convert, mst_open *parent, uint32_t at);
void mst_convert_match(mst_convert *convert, mst_open *parent, uint32_t at);
/* An ERROR with what can be understood within the node. */
void mst_convert_error(mst_convert *convert, mst_open *parent, uint32_t at);

/* ---- expressions (convert_expression.c, convert_string.c) --------------------------------------- */

/* What is worth having where nothing around it was understood. */
bool mst_ts_is_expression(uint16_t symbol);
/* The first operator among the children. */
mst_op mst_ts_operator(const mst_convert *convert, uint32_t at);
/* True when our tree is as deep as it may be: then an ERROR stands for the node `at`. */
bool mst_convert_is_deep(mst_convert *convert, mst_open *parent, uint32_t at);
/* Flags: MST_F_STORE or MST_F_DEL for targets, else 0. at 0: EMPTY. */
void mst_convert_expression(mst_convert *convert, mst_open *parent, uint32_t at, uint16_t flags);
/* Arguments of a call, or bases of a class: the children of an argument_list. */
void mst_convert_arguments(mst_convert *convert, mst_open *parent, uint32_t at);
/* The children of `at` from `first` on, as one: itself if it is alone and no comma follows, else a
 * TUPLE; EMPTY when first is 0. */
void mst_convert_list(mst_convert *convert, mst_open *parent, uint32_t at, uint32_t first);
void mst_convert_string(mst_convert *convert, mst_open *parent, uint32_t at);
void mst_convert_number(mst_convert *convert, mst_open *parent, uint32_t at);

#endif
