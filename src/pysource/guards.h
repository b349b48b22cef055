/* SPDX-License-Identifier: Apache-2.0 */
/* Guards that let a statement run only every so often. */
#ifndef MST_PYSOURCE_GUARDS_H
#define MST_PYSOURCE_GUARDS_H

#include "pysource/model.h"

/* True when between the node and the head of the loop (NULL: the function) stands a test that is
 * true only every N-th turn, at the last one, or when the user asked for reports. */
bool mst_is_guarded(const mst_program *program, const mst_module *module, mst_node_id node,
                    const mst_loop *loop);
/* True for an IF whose first branch ends in `continue` or `return`. */
bool mst_leaves_turn(const mst_tree *tree, mst_node_id statement);

#endif
