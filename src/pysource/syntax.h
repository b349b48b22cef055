/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The syntax tree of one source, in our own words: tree-sitter's is copied into an array of small
 * nodes and freed. Node ids count from 1 in source order (a parent comes before its children);
 * 0 is no node. Parentheses and comments leave no nodes; comments that are meant for us are kept
 * beside them. Depth is bounded, so that the rest of the
 * analysis may recurse.
 */
#ifndef MST_PYSOURCE_SYNTAX_H
#define MST_PYSOURCE_SYNTAX_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "pysource/comments.h"
#include "pysource/source.h"

typedef enum mst_kind {
#define KIND(name, children) MST_K_##name,
#include "pysource/kinds.def"
#undef KIND
  MST_KINDS
} mst_kind;

typedef enum mst_op {
  MST_OP_NONE,
  MST_OP_ADD,
  MST_OP_SUB,
  MST_OP_MUL,
  MST_OP_DIV,
  MST_OP_FLOORDIV,
  MST_OP_MOD,
  MST_OP_POW,
  MST_OP_MATMUL,
  MST_OP_LSHIFT,
  MST_OP_RSHIFT,
  MST_OP_BIT_AND,
  MST_OP_BIT_OR,
  MST_OP_BIT_XOR,
  MST_OP_NEGATE,
  MST_OP_PLUS,
  MST_OP_INVERT,
  MST_OP_AND,
  MST_OP_OR,
  MST_OP_LT,
  MST_OP_LE,
  MST_OP_EQ,
  MST_OP_NE,
  MST_OP_GT,
  MST_OP_GE,
  MST_OP_IN,
  MST_OP_NOT_IN,
  MST_OP_IS,
  MST_OP_IS_NOT
} mst_op;

enum {
  MST_F_STORE = 1, /* NAME, ATTRIBUTE, SUBSCRIPT: bound or written here, not read */
  MST_F_DEL = 2,
  MST_F_STAR = 4,        /* PARAMETER, IMPORT_FROM */
  MST_F_DOUBLE_STAR = 8, /* PARAMETER */
  MST_F_ASYNC = 16,
  MST_F_FLOAT = 32,
  MST_F_IMAGINARY = 64,
  MST_F_BYTES = 128,
  MST_F_AS = 256,
  MST_F_FROM = 512,
  MST_F_TUPLE = 1024,
  MST_F_KEYWORD_ONLY = 2048, /* PARAMETER behind a * */
};

typedef uint32_t mst_node_id; /* 0: none */
typedef uint32_t mst_symbol;  /* an identifier or dotted path, interned; 0: none */

typedef struct mst_node {
  uint8_t kind; /* mst_kind */
  uint8_t op;   /* mst_op; IMPORT_FROM: level */
  uint16_t flags;
  uint32_t start, end; /* bytes of the source's text */
  mst_node_id parent, first, next;
  mst_symbol name;
  mst_symbol path; /* ALIAS, IMPORT_FROM: the dotted path as written, without leading dots */
} mst_node;

/* ---- symbols ---------------------------------------------------------------------------------- */

enum {
  MST_SYM_NONE,
#define SYMBOL(name) MST_SYM_##name,
#include "pysource/symbols.def"
#undef SYMBOL
  MST_SYM_KNOWN /* the first one that is not fixed */
};

typedef struct mst_symbols {
  mst_arena *arena;
  const char **texts; /* by symbol */
  uint32_t *hashes;   /* by symbol */
  uint32_t count, capacity;
  uint32_t *slots; /* open addressing: symbols; 0: free */
  uint32_t slot_count;
} mst_symbols;

/* Empty but for the known ones. */
void mst_symbols_init(mst_symbols *symbols, mst_arena *arena);
mst_symbol mst_symbol_of(mst_symbols *symbols, const char *text, size_t length);
/* The same for a symbol of another table, whose text it shares: that table is to last as long. */
mst_symbol mst_symbol_adopt(mst_symbols *symbols, const mst_symbols *from, mst_symbol symbol);
/* The symbol if it is there, else 0. */
mst_symbol mst_symbol_find(const mst_symbols *symbols, const char *text);
static inline const char *mst_symbol_text(const mst_symbols *symbols, mst_symbol symbol) {
  return symbols->texts[symbol];
}
/* What `ask` says of a symbol's text, below 255; asked once, or by several threads at once, which
 * get the same. `answers`: zeroed, by symbol. */
static inline uint8_t mst_symbol_ask(const mst_symbols *symbols, mst_symbol symbol,
                                     uint8_t (*ask)(const char *text), atomic_uchar *answers) {
  unsigned char answer = atomic_load_explicit(&answers[symbol], memory_order_relaxed);
  if (answer == 0) {
    answer = (unsigned char)(ask(symbols->texts[symbol]) + 1);
    atomic_store_explicit(&answers[symbol], answer, memory_order_relaxed);
  }
  return (uint8_t)(answer - 1);
}

/* ---- trees -------------------------------------------------------------------------------------- */

/* A place that is no Python, or not ours: one line each. */
typedef struct mst_syntax_fault {
  uint32_t start;
  const char *kind;    /* "syntax", "python2", "depth" */
  const char *message; /* one line */
} mst_syntax_fault;

typedef struct mst_tree {
  const mst_source *source;
  mst_node *nodes; /* [0] is NONE, [1] the MODULE */
  uint32_t count;
  mst_symbols symbols; /* the tree's own; a program maps them to its own */
  struct {
    mst_syntax_fault *data;
    size_t length, capacity;
  } faults; /* by start; at most 50, the rest only counted */
  uint32_t fault_count;
  const mst_comment *directives; /* by start */
  uint32_t directive_count;
} mst_tree;

/*
 * Parses. The tree lies in `arena` (whose way_out is taken when memory or its budget ends) and
 * borrows the source. tree-sitter itself gets `parse_budget` bytes in an arena of its own:
 * MUSTER_ERR_MEMORY when that is not enough, MUSTER_ERR_CANCELLED when parsing takes longer than
 * `seconds` of processor time. Broken text gives a tree with ERROR nodes and faults, and MUSTER_OK.
 * Any thread.
 */
muster_status mst_syntax_parse(const mst_source *source, size_t parse_budget, double seconds,
                               mst_arena *arena, mst_tree *tree, muster_error *error);

/* Memory that tree-sitter uses first, kept by a thread from one parse to the next. */
typedef struct mst_parse_room {
  void *memory; /* NULL: none */
  size_t bytes;
} mst_parse_room;

/* The same with such room, which is part of the budget. */
muster_status mst_syntax_parse_in(const mst_parse_room *room, const mst_source *source,
                                  size_t parse_budget, double seconds, mst_arena *arena,
                                  mst_tree *tree, muster_error *error);

static inline const mst_node *mst_node_at(const mst_tree *tree, mst_node_id id) {
  return &tree->nodes[id];
}
static inline mst_kind mst_kind_of(const mst_tree *tree, mst_node_id id) {
  return (mst_kind)tree->nodes[id].kind;
}
/* Child number `index`, or 0. */
mst_node_id mst_child(const mst_tree *tree, mst_node_id id, unsigned index);
unsigned mst_child_count(const mst_tree *tree, mst_node_id id);
mst_node_id mst_last_child(const mst_tree *tree, mst_node_id id);
/* The statement that a node belongs to (itself, if it is one). */
mst_node_id mst_statement_of(const mst_tree *tree, mst_node_id id);
/* True when `inner` is `outer` or lies within it. */
bool mst_is_within(const mst_tree *tree, mst_node_id inner, mst_node_id outer);
/* The first node behind `id` and all that is within it, in id order: the end of its subtree. */
mst_node_id mst_subtree_end(const mst_tree *tree, mst_node_id id);
bool mst_is_statement(mst_kind kind);
/* True when one of the names is read within the expression. */
bool mst_mentions(const mst_tree *tree, mst_node_id expression, const mst_symbol *names,
                  size_t count);

#define MST_EACH_CHILD(tree, child, id)                             \
  for (mst_node_id child = (tree)->nodes[(id)].first; (child) != 0; \
       (child) = (tree)->nodes[(child)].next)

#endif
