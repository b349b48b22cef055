/* SPDX-License-Identifier: Apache-2.0 */
/* Tests that may be made every so many turns of a loop only: turns that are too many then cost
 * time, and change nothing but how near the solution is. */
#ifndef MST_RULES_CONVERGENCE_H
#define MST_RULES_CONVERGENCE_H

#include "pysource/model.h"

/* True when the test asks for nothing that the loop counts or moves on, such as a time, and is not
 * about the one turn at hand, as in a search. */
bool mst_is_convergence_test(mst_place test, const mst_loop *loop);
/* True for an `if` in the loop with such a test whose branch runs at most once, because it ends by
 * leaving the loop or the function, and that has no other branch. */
bool mst_may_come_late(mst_place statement, const mst_loop *loop);
/* Every how many turns is often enough for a loop; 0: it has too few turns. */
unsigned mst_period_of(mst_place place, const mst_loop *loop);
/* The name that counts the loop's turns one by one; NULL: there is none. */
const char *mst_turn_counter(mst_place place, const mst_loop *loop);

#endif
