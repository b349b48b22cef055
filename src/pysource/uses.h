/* SPDX-License-Identifier: Apache-2.0 */
/* What the ways in which a name is used tell of its value. */
#ifndef MST_PYSOURCE_USES_H
#define MST_PYSOURCE_USES_H

#include "pysource/interp.h"

/* Counted over a function's body. */
typedef struct mst_use {
  int array;  /* only arrays are used like this: x.shape, x[i, :], x @ y, np.sum(x) */
  int shared; /* x.mean(), which other kinds of data have, too */
  int ufunc;  /* np.sqrt(x): an array or a number */
  int slice;  /* x[1:] in arithmetic */
  int number; /* range(x), if x > 0, np.zeros(x) */
  int list, dict, string, frame;
  int module; /* np.zeros of a parameter called np */
  mst_node_id evidence;
} mst_use;

/* Counts one place where the parameter, attribute or loop target is read. */
void mst_note_use(mst_interp *in, uint32_t function, mst_use *use, mst_node_id node);
/* What a name is that is used so; UNKNOWN: that does not tell. */
mst_value mst_value_from_use(mst_interp *in, const mst_use *use, mst_symbol name);
/* np, xp: a parameter that may be the module itself. */
bool mst_is_module_name(mst_symbol name);
/* The full name of a dotted expression, from what its first name stands for in its scope. */
const char *mst_dotted_name(mst_interp *in, uint32_t function, mst_node_id node, char *text,
                            size_t size);

#endif
