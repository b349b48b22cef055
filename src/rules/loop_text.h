/* SPDX-License-Identifier: Apache-2.0 */
/* Words for loops, in messages. */
#ifndef MST_RULES_LOOP_TEXT_H
#define MST_RULES_LOOP_TEXT_H

#include "rules/rule.h"

/* "for i in range(n)", "while i < n", or the comprehension itself, cut short. */
const char *mst_loop_text(const mst_rule_context *context, mst_place loop);
/* "`out` and `a`": the arrays that a loop walks; NULL when it walks none. */
const char *mst_walked_text(const mst_rule_context *context, const mst_loop *loop);

#endif
