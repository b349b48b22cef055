/* SPDX-License-Identifier: Apache-2.0 */
/* Expressions that are computed element by element from one array, and so have its shape. */
#ifndef MST_RULES_ELEMENTWISE_H
#define MST_RULES_ELEMENTWISE_H

#include "rules/places.h"

/* np.sin(a) * 2 + a: of the array, a name or a path, and numbers of the host or the target. */
bool mst_is_elementwise_of(mst_place expression, mst_place array);
/* a < 0, (a > 1) & (a < 2), np.isnan(a): a boolean array that is new and as large as the array. */
bool mst_is_mask_of(mst_place expression, mst_place array);

#endif
