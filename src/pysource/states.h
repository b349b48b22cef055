/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the locals of the function at hand are worth at a place, by slot. Branches and loops put
 * states aside and join them over and over; a file may have as many of them as it has names. So a
 * state is a tree whose parts are shared until they change: putting one aside costs nothing, and a
 * join only looks at what differs.
 */
#ifndef MST_PYSOURCE_STATES_H
#define MST_PYSOURCE_STATES_H

#include "pysource/values.h"

/* A node of such a tree; a state is its root. Counted references: who holds one drops it. */
typedef struct mst_state mst_state;

enum { MST_STATE_LEVELS = 9 }; /* 16 to the power of that: more than 2^32 slots */

typedef struct mst_states {
  mst_values *values;
  unsigned height;                       /* levels above the leaves, of the function at hand */
  uint64_t looks;                        /* at leaves that were joined */
  uint64_t versions;                     /* counts what was ever in a node */
  mst_state *bottom[MST_STATE_LEVELS];   /* by level: all slots BOTTOM */
  mst_state *spare_leaves, *spare_inner; /* nodes that can be used again */
} mst_states;

/* For a function of so many slots; no state of another one may be alive. Takes the way out of the
 * values' arena, as all that make or change states do. */
void mst_states_begin(mst_states *states, uint32_t slots);
/* All slots BOTTOM. */
mst_state *mst_state_new(mst_states *states);
/* One more reference to it. */
mst_state *mst_state_share(mst_state *state);
void mst_state_drop(mst_states *states, mst_state *state);

const mst_value *mst_state_get(const mst_states *states, const mst_state *state, uint32_t slot);
void mst_state_set(mst_states *states, mst_state **state, uint32_t slot, mst_value value);
/* into = into or other; true when that changed it. */
bool mst_state_join(mst_states *states, mst_state **into, mst_state *other);

#endif
