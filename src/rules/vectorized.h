/* SPDX-License-Identifier: Apache-2.0 */
/* What np.vectorize and np.frompyfunc make of a Python function, as one of whole arrays. */
#ifndef MST_RULES_VECTORIZED_H
#define MST_RULES_VECTORIZED_H

#include "rules/places.h"

#define MST_MOST_CALLS 32

/* Where the result is used. */
typedef struct mst_vectorized_uses {
  mst_place calls[MST_MOST_CALLS]; /* of it */
  unsigned count;
  bool is_elsewhere; /* handed on, or called more often than that, or not all is seen */
} mst_vectorized_uses;

/* Suggests whole-array operations for the construction at `made`, a call or a decorator; nothing
 * where the function has no such form. Says what keeps it from being safe. */
void mst_suggest_whole_arrays(mst_rule_context *context, mst_finding *finding, mst_place made,
                              const mst_vectorized_uses *uses);

#endif
