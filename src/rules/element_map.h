/* SPDX-License-Identifier: Apache-2.0 */
/* Loops that only compute element i of one array from elements i of others. */
#ifndef MST_RULES_ELEMENT_MAP_H
#define MST_RULES_ELEMENT_MAP_H

#include "rules/rule.h"

/* Suggests `out[:] = f(a)` for `for i in range(len(a)): out[i] = f(a[i])`; nothing for loops that
 * do anything else. */
void mst_suggest_element_map(mst_rule_context *context, mst_finding *finding, mst_place place,
                             const mst_loop *loop);

#endif
