/* SPDX-License-Identifier: Apache-2.0 */
/* Calls of Python's builtins, and of methods of its containers and strings. */
#ifndef MST_PYSOURCE_BUILTINS_H
#define MST_PYSOURCE_BUILTINS_H

#include "pysource/interp.h"

/* A CALL of something that is known by its name. */
typedef struct mst_named_call {
  mst_interp *in;
  mst_node_id node;
  const char *name; /* within its module */
  mst_value first;  /* argument; BOTTOM: none is given */
} mst_named_call;

/* An argument by its position alone. BOTTOM: not given. */
static inline mst_value mst_argument_at(mst_interp *in, mst_node_id call, int position) {
  return mst_argument_value(in, call, position, NULL);
}

mst_value mst_call_builtin(mst_interp *in, mst_node_id node, const char *name);
/* `receiver`: NULL where it is not known. */
mst_value mst_call_container(mst_interp *in, mst_node_id call, const char *method,
                             const mst_value *receiver);
mst_value mst_call_string(mst_interp *in, const char *method);

/* reduce(np.minimum, arrays), of the builtins or of functools. */
mst_value mst_call_reduce(const mst_named_call *call);
/* A container of that kind with all that is in another one. */
mst_value mst_value_collected(mst_interp *in, const mst_value *over, mst_value_kind kind);

#endif
