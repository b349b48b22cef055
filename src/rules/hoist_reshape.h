/* SPDX-License-Identifier: Apache-2.0 */
/* Reshapes that a loop makes anew in each turn, and could have from before it. */
#ifndef MST_RULES_HOIST_RESHAPE_H
#define MST_RULES_HOIST_RESHAPE_H

#include "rules/places.h"

/* Suggests `u_reshaped = u.reshape(n, m)` before the loop around the call, for an array that has a
 * name of its own; nothing where the result is more than read. Says what keeps it from being safe.
 */
void mst_suggest_reshape_hoist(mst_rule_context *context, mst_finding *finding, mst_place call,
                               mst_place array);

#endif
