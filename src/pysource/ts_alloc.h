/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tree-sitter's memory. It aborts when an allocation fails, so it gets allocations that cannot
 * fail: they come from the heap of the parse that runs in this thread, which has a budget, jumps to
 * its way_out when that is spent, and is freed all at once. tree-sitter's own sources are compiled
 * with this header put before them (-include) and MST_IN_TREE_SITTER defined.
 *
 * Pieces come in size classes; a freed piece goes onto the list of its class. No locks: a heap
 * belongs to one thread.
 */
#ifndef MST_PYSOURCE_TS_ALLOC_H
#define MST_PYSOURCE_TS_ALLOC_H

#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum {
  MST_TS_GRAIN = 16,  /* classes up to MST_TS_SMALL are multiples of this */
  MST_TS_SMALL = 512, /* above: powers of two */
  MST_TS_SMALL_CLASSES = MST_TS_SMALL / MST_TS_GRAIN + 1,
  MST_TS_CLASSES = MST_TS_SMALL_CLASSES + 32,
};

typedef struct mst_ts_heap {
  char *at, *end;              /* what is left of the newest block */
  void *freed[MST_TS_CLASSES]; /* each list is linked through the pieces */
  struct mst_ts_block *blocks;
  size_t used, budget; /* bytes of all blocks */
  size_t next_block;
  jmp_buf way_out;
} mst_ts_heap;

/* Set way_out before the first allocation; `expected`: bytes that will probably be needed. */
void mst_ts_heap_init(mst_ts_heap *heap, size_t budget, size_t expected);
/* Lends it aligned memory, which is used first, and is not freed with the heap. */
void mst_ts_heap_lend(mst_ts_heap *heap, void *memory, size_t bytes);
void mst_ts_heap_reset(mst_ts_heap *heap);
/* The heap that tree-sitter allocates from in this thread; NULL: none, and it must not be called.
 */
void mst_ts_heap_use(mst_ts_heap *heap);

void *mst_ts_malloc(size_t bytes);
void *mst_ts_calloc(size_t count, size_t size);
void *mst_ts_realloc(void *memory, size_t bytes);
void mst_ts_free(void *memory);

#ifdef MST_IN_TREE_SITTER
#define ts_malloc mst_ts_malloc
#define ts_calloc mst_ts_calloc
#define ts_realloc mst_ts_realloc
#define ts_free mst_ts_free
/* The grammar's scanner calls these by their plain names. */
#define malloc mst_ts_malloc
#define calloc mst_ts_calloc
#define realloc mst_ts_realloc
#define free mst_ts_free
#endif

#endif
