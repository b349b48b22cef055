/* SPDX-License-Identifier: Apache-2.0 */
/* What is run again each time a place is reached: a loop, or the function around it. */
#ifndef MST_RULES_TURNS_H
#define MST_RULES_TURNS_H

#include "pysource/model.h"

typedef struct mst_turns {
  mst_place place;
  const mst_loop *loop;   /* NULL: the function */
  mst_node_id begin, end; /* of its nodes */
  unsigned budget;        /* nodes that may still be looked at */
  bool is_spent;          /* the budget was used up: answers are not to be trusted */
} mst_turns;

/* False when there is too much code to look through. */
bool mst_turns_find(mst_turns *turns, mst_place place);
/* The same with the function even where a loop is around the place. */
bool mst_function_turns(mst_turns *turns, mst_place place);
/* The same with the node itself: a loop, a function, any other piece of code. */
bool mst_turns_of(mst_turns *turns, mst_place root);
/* The next NAME or ATTRIBUTE of that name behind *id (0: the first) that is bound, or read. */
bool mst_next_store(mst_turns *turns, mst_symbol name, mst_node_id *id);
bool mst_next_read(mst_turns *turns, mst_symbol name, mst_node_id *id);

#endif
