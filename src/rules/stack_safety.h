/* SPDX-License-Identifier: Apache-2.0 */
/* Whether pieces that are joined once, behind a loop, make what joining each of them in turn did.
 */
#ifndef MST_RULES_STACK_SAFETY_H
#define MST_RULES_STACK_SAFETY_H

#include "rules/places.h"

/* `t = np.vstack([t, x])` or `t = np.append(t, x)` in the body of a loop that reads `t` nowhere
 * else. */
typedef struct mst_stack {
  mst_place call, target, piece, loop;
  bool is_append; /* np.append without an axis: all is flattened */
} mst_stack;

/*
 * NULL when it is seen that both make the same; else, for evidence, what is not seen. Of a piece it
 * looks at type and rank: that the list holds it as it is in its turn is up to who writes it there.
 * Shapes are taken to fit: where they do not, both fail, one of them behind the loop.
 */
const char *mst_stack_doubt(const mst_stack *of);
/* True when nobody else can have the piece, and so nobody writes into it later on. */
bool mst_is_new_piece(mst_place piece);

#endif
