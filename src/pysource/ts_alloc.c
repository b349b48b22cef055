/* SPDX-License-Identifier: Apache-2.0 */
#include "pysource/ts_alloc.h"

#include "base/alloc.h"

/* Before each piece: its class, which says how large it is. */
typedef struct mst_ts_piece {
  uint64_t class;
} mst_ts_piece;

typedef struct mst_ts_block {
  struct mst_ts_block *next;
  uint64_t padding; /* so that data begins like a piece */
} mst_ts_block;

#define LARGEST_BLOCK ((size_t)4 << 20)
#define SMALLEST_BLOCK ((size_t)32 << 10)

/* tree-sitter passes nothing through its allocator that could tell parses apart. */
static _Thread_local mst_ts_heap *current;

void mst_ts_heap_use(mst_ts_heap *heap) { current = heap; }

void mst_ts_heap_init(mst_ts_heap *heap, size_t budget, size_t expected) {
  memset(heap, 0, sizeof *heap);
  heap->budget = budget;
  heap->next_block = expected < SMALLEST_BLOCK  ? SMALLEST_BLOCK
                     : expected > LARGEST_BLOCK ? LARGEST_BLOCK
                                                : expected;
}

void mst_ts_heap_lend(mst_ts_heap *heap, void *memory, size_t bytes) {
  if (bytes > heap->budget) return;
  heap->used += bytes;
  heap->at = (char *)memory + sizeof(mst_ts_piece); /* data is aligned, not what is before it */
  heap->end = (char *)memory + bytes;
}

void mst_ts_heap_reset(mst_ts_heap *heap) {
  while (heap->blocks != NULL) {
    mst_ts_block *next = heap->blocks->next;
    mst_free(heap->blocks);
    heap->blocks = next;
  }
}

static inline unsigned class_of(size_t bytes) {
  if (bytes <= MST_TS_SMALL) return (unsigned)((bytes + MST_TS_GRAIN - 1) / MST_TS_GRAIN);
  return (unsigned)(MST_TS_SMALL_CLASSES + 64 - __builtin_clzll(bytes - 1) - 10);
}

static inline size_t class_bytes(unsigned class) {
  if (class < MST_TS_SMALL_CLASSES) return (size_t) class * MST_TS_GRAIN;
  return (size_t)1 << (class - MST_TS_SMALL_CLASSES + 10);
}

/* A new block for a piece that the newest one has no room for; what is left there is given up. */
static void add_block(mst_ts_heap *heap, size_t room) {
  size_t size = heap->next_block > room + sizeof(mst_ts_block) ? heap->next_block
                                                               : room + sizeof(mst_ts_block);
  if (size > heap->budget - heap->used) size = room + sizeof(mst_ts_block);
  if (size > heap->budget - heap->used) longjmp(heap->way_out, 1);
  mst_ts_block *block = mst_alloc(size);
  if (block == NULL) longjmp(heap->way_out, 1);
  heap->used += size;
  if (heap->next_block < LARGEST_BLOCK) heap->next_block *= 2;
  block->next = heap->blocks;
  heap->blocks = block;
  heap->at = (char *)(block + 1);
  heap->end = (char *)block + size;
}

static void *carve(mst_ts_heap *heap, unsigned class) {
  const size_t room = sizeof(mst_ts_piece) + class_bytes(class);
  if ((size_t)(heap->end - heap->at) < room) add_block(heap, room);
  mst_ts_piece *piece = (mst_ts_piece *)(void *)heap->at;
  heap->at += room;
  piece->class = class;
  return piece + 1;
}

void *mst_ts_malloc(size_t bytes) {
  mst_ts_heap *heap = current;
  if (bytes == 0) bytes = 1;
  if (bytes > heap->budget) longjmp(heap->way_out, 1);
  const unsigned class = class_of(bytes);
  void *memory = heap->freed[class];
  if (memory == NULL) return carve(heap, class);
  memcpy(&heap->freed[class], memory, sizeof(void *));
  return memory;
}

void *mst_ts_calloc(size_t count, size_t size) {
  size_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes)) longjmp(current->way_out, 1);
  return memset(mst_ts_malloc(bytes), 0, bytes);
}

void mst_ts_free(void *memory) {
  if (memory == NULL) return;
  mst_ts_heap *heap = current;
  const uint64_t class = ((mst_ts_piece *)memory - 1)->class;
  memcpy(memory, &heap->freed[class], sizeof(void *));
  heap->freed[class] = memory;
}

void *mst_ts_realloc(void *memory, size_t bytes) {
  if (memory == NULL) return mst_ts_malloc(bytes);
  const size_t old = class_bytes((unsigned)((mst_ts_piece *)memory - 1)->class);
  if (bytes <= old) return memory;
  void *grown = memcpy(mst_ts_malloc(bytes), memory, old);
  mst_ts_free(memory);
  return grown;
}
