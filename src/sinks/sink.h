/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The sink plug: where the rows of a load go. One destination is one file with a const
 * mst_sink_type and one line in sinks.def.
 *
 * A sink is handed pieces of the array, never files: bytes [offset, offset + length) of the dense
 * C-order array of the result. Pieces come from several threads at once, in any order, each byte
 * once.
 */
#ifndef MST_SINKS_SINK_H
#define MST_SINKS_SINK_H

#include <stddef.h>
#include <stdint.h>

#include "base/strided.h"
#include "muster/dataset.h"

/* The array that will come. */
typedef struct mst_array {
  muster_dtype dtype;
  size_t rank;
  const uint64_t *shape; /* valid as long as the sink */
  uint64_t bytes;
} mst_array;

typedef struct mst_sink mst_sink;

typedef struct mst_sink_type {
  const char *name;
  /* The state of a new sink, or an error. */
  muster_status (*open)(const mst_array *array, const muster_load_options *options, void **state,
                        muster_error *error);
  /* Where a piece belongs, for reading straight into it; NULL, or a NULL result: pieces are put. */
  void *(*place)(void *state, uint64_t offset, size_t length);
  /* Takes a piece. When `data` is what place returned it is where it belongs already. */
  muster_status (*put)(void *state, uint64_t offset, const void *data, size_t length,
                       muster_error *error);
  /* Everything has come. NULL: nothing to do. */
  muster_status (*finish)(void *state, muster_error *error);
  /* Always called once; without a finish before it nothing may stay of the destination. */
  void (*close)(void *state);
} mst_sink_type;

struct mst_sink {
  const mst_sink_type *type;
  void *state;
};

/* Opens the sink that options->to names. */
muster_status mst_sink_open(mst_sink *sink, const mst_array *array,
                            const muster_load_options *options, muster_error *error);

#endif
