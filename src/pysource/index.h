/* SPDX-License-Identifier: Apache-2.0 */
/* Places in a list by a number that stands for what is looked for: a symbol, two joined ids. */
#ifndef MST_PYSOURCE_INDEX_H
#define MST_PYSOURCE_INDEX_H

#include <stdint.h>

#include "base/arena.h"

/* Zeroed: empty. */
typedef struct mst_index {
  struct mst_index_cell {
    uint64_t key;
    uint32_t place; /* 0: the cell is free */
  } * cells;
  uint32_t size, count;
} mst_index;

/* From 1; 0: it is not there. */
uint32_t mst_index_find(const mst_index *index, uint64_t key);
/* The key must not be there yet. */
void mst_index_add(mst_arena *arena, mst_index *index, uint64_t key, uint32_t place);

#endif
