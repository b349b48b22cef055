/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tree-sitter's tree of one source, laid out flat in source order: a node, then all that is within
 * it. Comments, brackets and the like are left out, but for comments that are meant for us; see
 * ts_tree.c.
 */
#ifndef MST_PYSOURCE_TS_TREE_H
#define MST_PYSOURCE_TS_TREE_H

#include <stdbool.h>
#include <stdint.h>

#include <tree-sitter-python/symbols.h>

#include "muster/error.h"
#include "pysource/comments.h"
#include "pysource/source.h"
#include "pysource/ts_alloc.h"

enum {
  MST_TS_TOKEN = 1,   /* an operator, a comma, a keyword */
  MST_TS_MISSING = 2, /* not in the text: put in by error recovery */
};

enum { MST_TS_ERROR = UINT16_MAX }; /* the symbol of what is no Python */

typedef struct mst_ts_node {
  uint16_t symbol; /* enum ts_symbol_identifiers, or MST_TS_ERROR */
  uint16_t flags;
  uint32_t start, end; /* bytes of the source's text */
  uint32_t next;       /* the index behind all that is within this node */
} mst_ts_node;

typedef struct mst_ts_tree {
  mst_ts_node *nodes; /* [0] is the root; in the heap */
  uint32_t count;
  struct {
    mst_comment *data;
    uint32_t length, capacity;
  } directives; /* by start; in the heap */
} mst_ts_tree;

/*
 * Parses with memory of `heap`, whose way_out is taken when that ends. MUSTER_ERR_CANCELLED when
 * it takes more than `seconds` of processor time.
 */
muster_status mst_ts_parse(mst_ts_heap *heap, const mst_source *source, double seconds,
                           mst_ts_tree *tree, muster_error *error);

#endif
