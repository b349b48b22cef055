/* SPDX-License-Identifier: Apache-2.0 */
/* Buffers that a loop makes anew in each turn, and could have from before it. */
#ifndef MST_RULES_HOIST_H
#define MST_RULES_HOIST_H

#include "rules/places.h"

/* The array that a call copies as a whole; 0: it copies none. */
mst_node_id mst_copied_array(mst_place call);
/* Suggests `b = np.zeros(n)` before the loop and `b.fill(0)` in it, for the call that allocates;
 * nothing where the statement is another one, or where the buffer outlives its turn. */
void mst_suggest_hoist(mst_rule_context *context, mst_finding *finding, mst_place call);

#endif
