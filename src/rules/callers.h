/* SPDX-License-Identifier: Apache-2.0 */
/* What hot callers hand to a parameter. */
#ifndef MST_RULES_CALLERS_H
#define MST_RULES_CALLERS_H

#include "pysource/model.h"

/* Asked of the expression that a caller gives. `depth`: calls that may still be followed. */
typedef bool (*mst_argument_test)(mst_place argument, unsigned depth);

/* True when the test holds for what every hot call of the function around `name` gives to the
 * parameter that NAME stands for: also when it is no parameter, is left to its default, or what is
 * given cannot be seen. */
bool mst_callers_agree(mst_place name, unsigned depth, mst_argument_test test);

#endif
