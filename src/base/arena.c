/* SPDX-License-Identifier: Apache-2.0 */
#include "base/arena.h"

#include <stdalign.h>
#include <string.h>

#include "base/alloc.h"

#define BLOCK_BYTES ((size_t)256 << 10)
/* Large arenas take their memory in huge pages: faulting it in by small ones is a tenth of the time
 * of an assessment of a large package. */
#define LARGE_ARENA_BYTES ((size_t)16 << 20)
#define LARGE_BLOCK_BYTES ((size_t)4 << 20)

struct mst_arena_block {
  struct mst_arena_block *next;
  size_t size, filled;
  bool in_pages; /* of mst_pages_new */
  alignas(max_align_t) char data[];
};

void mst_arena_init(mst_arena *arena, size_t budget) {
  memset(arena, 0, sizeof *arena);
  arena->budget = budget;
}

void mst_arena_reset(mst_arena *arena) {
  while (arena->blocks != NULL) {
    struct mst_arena_block *block = arena->blocks;
    arena->blocks = block->next;
    if (block->in_pages)
      mst_pages_free(block, sizeof *block + block->size);
    else
      mst_free(block);
  }
  arena->used = 0;
}

void mst_arena_give_up(mst_arena *arena) { longjmp(arena->way_out, 1); }

static struct mst_arena_block *new_block(size_t size) {
  struct mst_arena_block *block;
  const size_t bytes = sizeof *block + size;
  const bool in_pages = bytes >= LARGE_BLOCK_BYTES;
  block = in_pages ? mst_pages_new(bytes) : mst_calloc(1, bytes);
  if (block != NULL) *block = (struct mst_arena_block){.size = size, .in_pages = in_pages};
  return block;
}

/* Room at the front; a block that still has room stays there when a large piece gets its own. */
static struct mst_arena_block *add_block(mst_arena *arena, size_t bytes) {
  const size_t left = arena->used < arena->budget ? arena->budget - arena->used : 0;
  size_t usual = BLOCK_BYTES;
  if (arena->used >= LARGE_ARENA_BYTES && left >= LARGE_BLOCK_BYTES)
    usual = LARGE_BLOCK_BYTES - sizeof(struct mst_arena_block);
  const size_t size = bytes > usual / 4 ? bytes : usual;
  struct mst_arena_block *block = size <= left ? new_block(size) : NULL;
  if (block == NULL) longjmp(arena->way_out, 1);
  arena->used += size;
  if (size != usual && arena->blocks != NULL) {
    block->next = arena->blocks->next;
    arena->blocks->next = block;
  } else {
    block->next = arena->blocks;
    arena->blocks = block;
  }
  return block;
}

void *mst_arena_new(mst_arena *arena, size_t bytes) {
  if (bytes > arena->budget) longjmp(arena->way_out, 1);
  const size_t rounded = (bytes + alignof(max_align_t) - 1) & ~(alignof(max_align_t) - 1);
  struct mst_arena_block *block = arena->blocks;
  if (block == NULL || block->size - block->filled < rounded) block = add_block(arena, rounded);
  void *memory = block->data + block->filled;
  block->filled += rounded;
  return memory;
}

char *mst_arena_text(mst_arena *arena, const char *text, size_t length) {
  char *copy = mst_arena_new(arena, length + 1);
  if (length > 0) memcpy(copy, text, length);
  return copy;
}

void *mst_arena_grow(mst_arena *arena, const void *memory, size_t old, size_t bytes) {
  void *grown = mst_arena_new(arena, bytes);
  if (old > 0) memcpy(grown, memory, old);
  return grown;
}
