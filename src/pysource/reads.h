/* SPDX-License-Identifier: Apache-2.0 */
/* Where names are bound, and which of them a turn reads before: what the turn before has left. */
#ifndef MST_PYSOURCE_READS_H
#define MST_PYSOURCE_READS_H

#include "pysource/model.h"

/* Nodes. Longer bodies are not judged, and definitions not looked for in longer functions: each
 * expression is looked at with all of them. */
#define MST_LONG_BODY 20000

/* The only NAME within `root` that binds the name; 0: none, several, or too much code. */
mst_node_id mst_only_store(const mst_tree *tree, mst_node_id root, mst_symbol name);
/* True when something in the statement, block or expression binds the name. */
bool mst_binds_in(const mst_tree *tree, mst_node_id node, mst_symbol name);
/* True when the statement or block reads the name while it has not surely bound it yet.
 * *assigned: whether it is bound already; set when it is from there on. */
bool mst_reads_before(const mst_tree *tree, mst_node_id node, mst_symbol name, bool *assigned);

#endif
