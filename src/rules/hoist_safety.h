/* SPDX-License-Identifier: Apache-2.0 */
/* Whether a buffer that is made before the loop does what one made in each turn did. */
#ifndef MST_RULES_HOIST_SAFETY_H
#define MST_RULES_HOIST_SAFETY_H

#include "rules/places.h"

/* `buffer = np.zeros(...)` in the body of the loop that repeats it. */
typedef struct mst_hoist {
  mst_place call, statement, target, loop;
  const mst_value *array; /* what the call makes */
} mst_hoist;

/*
 * True when it is seen that each turn begins with the allocation and is done with the buffer when
 * it ends, that what it is made of is the same in each turn, and that nobody sees the name from
 * elsewhere. Sizes are taken to be sizes: none is negative where the loop has no turn.
 */
bool mst_is_safe_hoist(const mst_hoist *of);
/* True when something in the loop may write to the buffer. */
bool mst_is_buffer_written(const mst_hoist *of);

#endif
