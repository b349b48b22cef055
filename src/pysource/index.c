/* SPDX-License-Identifier: Apache-2.0 */
#include "pysource/index.h"

enum { FIRST_CELLS = 8 };

/* The cell that holds the key, or the free one where it would go. */
static struct mst_index_cell *cell_of(const mst_index *index, uint64_t key) {
  const uint64_t hash = key * UINT64_C(0x9e3779b97f4a7c15);
  uint32_t at = (uint32_t)(hash >> 32) & (index->size - 1);
  while (index->cells[at].place != 0 && index->cells[at].key != key)
    at = (at + 1) & (index->size - 1);
  return &index->cells[at];
}

uint32_t mst_index_find(const mst_index *index, uint64_t key) {
  return index->size > 0 ? cell_of(index, key)->place : 0;
}

static void grow(mst_arena *arena, mst_index *index) {
  const mst_index old = *index;
  index->size = old.size > 0 ? old.size * 2 : FIRST_CELLS;
  index->cells = mst_arena_new(arena, index->size * sizeof *index->cells);
  for (uint32_t i = 0; i < old.size; i++)
    if (old.cells[i].place != 0) *cell_of(index, old.cells[i].key) = old.cells[i];
}

void mst_index_add(mst_arena *arena, mst_index *index, uint64_t key, uint32_t place) {
  if (index->count * 4 >= index->size * 3) grow(arena, index);
  *cell_of(index, key) = (struct mst_index_cell){key, place};
  index->count++;
}
