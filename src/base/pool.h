/* SPDX-License-Identifier: Apache-2.0 */
/* A parallel loop over independent pieces of work. */
#ifndef MST_BASE_POOL_H
#define MST_BASE_POOL_H

#include <stdint.h>

#include "muster/error.h"

/* Piece `index` of the work, done by worker `worker` (0 .. threads - 1, for scratch memory). */
typedef muster_status (*mst_work_fn)(void *context, uint64_t index, unsigned worker,
                                     muster_error *error);

/* Processors that this process may use, at least 2: one reads while the other waits. */
unsigned mst_default_threads(void);

/*
 * Runs work(0) .. work(count - 1) on up to `threads` threads, the calling one among them; pieces
 * are begun in order. After a failure no new piece is begun, and the failure with the lowest index
 * is returned: it does not depend on the number of threads. With fewer threads than asked for
 * (the system refused some) all work is done all the same. threads is at least 1.
 */
muster_status mst_parallel_for(unsigned threads, uint64_t count, mst_work_fn work, void *context,
                               muster_error *error);

#endif
