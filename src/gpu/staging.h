/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pinned memory of the host, from which the GPU copies by itself: two buffers, of which one is
 * filled while the other is copied. A pool keeps them from one call to the next.
 */
#ifndef MST_GPU_STAGING_H
#define MST_GPU_STAGING_H

#include <pthread.h>
#include <stdbool.h>

#include "gpu/cuda.h"
#include "gpu/cut.h"

/* Large enough for the full rate of a link, small enough for a pair in every thread. */
#define MST_STAGING_BYTES ((size_t)8 << 20)

typedef struct mst_buffer {
  char *memory;
  mst_cu_event copied; /* recorded behind the last copy out of it */
  bool in_copy;        /* there are copies that were not waited for */
} mst_buffer;

/* For one call at a time. Events and streams belong to a context, so all of it does. */
typedef struct mst_staging {
  struct mst_staging *next; /* in the pool */
  const mst_cuda *cuda;
  mst_cu_context context;
  mst_cu_stream own;    /* made when first wanted */
  mst_cu_stream stream; /* of the call */
  mst_buffer buffers[2];
  mst_buffer *filled; /* one of them */
  size_t used;        /* bytes of it */
} mst_staging;

/* Zeroed memory but for `cuda` and the lock. */
typedef struct mst_staging_pool {
  const mst_cuda *cuda;
  pthread_mutex_t lock;
  mst_staging *idle;
} mst_staging_pool;

/* Frees what is idle: all of it, when no call is under way. */
void mst_staging_pool_reset(mst_staging_pool *pool);

/* Buffers for a call whose copies run on `stream` (NULL: an own one), in the context current on
 * this thread. MUSTER_ERR_USAGE when there is none. */
muster_status mst_staging_take(mst_staging_pool *pool, mst_cu_stream stream, mst_staging **out,
                               muster_error *error);

/* Room for that many bytes (at most MST_STAGING_BYTES) which no copy reads any more. */
muster_status mst_staging_room(mst_staging *staging, size_t bytes, char **out, muster_error *error);

/* Starts the copies of a transfer out of room that was given last. `to`: the piece's first element.
 */
muster_status mst_staging_copy(mst_staging *staging, const mst_transfer *transfer, const char *room,
                               mst_cu_address to, muster_error *error);

/* Waits for all copies and gives the buffers back. `status` is that of the work; returns the status
 * of both. */
muster_status mst_staging_give_back(mst_staging_pool *pool, mst_staging *staging,
                                    muster_status status, muster_error *error);

#endif
