/* SPDX-License-Identifier: Apache-2.0 */
/* Questions that several rules ask. */
#ifndef MST_RULES_COMMON_H
#define MST_RULES_COMMON_H

#include "rules/rule.h"

/* True when the value is a target array, likely or certain: what SCALES rules stand on. */
bool mst_is_sure_array(const mst_value *value);
/* True for a 0-d value, and for an element or row of unknown rank. */
bool mst_is_waited_for(const mst_value *value);

/* First of the receiver and the arguments of a CALL (keywords too) that is a target array; 0: none.
 */
mst_node_id mst_array_operand(mst_place call);

/* True inside an f-string, `%` or .format() on a string, print() or a call of a logger. */
bool mst_is_formatted(mst_place place);

/*
 * The value on the target that the truth of a test waits for: the test itself, an operand of its
 * and/or/not or comparison, or what is converted to a number within it. 0: it waits for nothing.
 */
mst_node_id mst_waited_in_test(mst_place test);
/* True when the expression is such a part of the test of an `if`, `while`, `assert`, conditional
 * expression or comprehension, or an operand of and/or/not. */
bool mst_is_part_of_test(mst_place place);

/* True when a CALL walks a target array element by element: nditer, ndenumerate, ndindex over its
 * shape, map, filter. *array: the node that says so. */
bool mst_is_iterating_call(mst_place call, mst_node_id *array);

/* True when a FOR, WHILE or IF has an else (for IF also: an elif). */
bool mst_has_else(mst_place statement);
/* True for a loop that R101 or R103 reports. */
bool mst_is_reported_loop(const mst_loop *loop);

#endif
