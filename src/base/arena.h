/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory that is freed all at once, with a budget and a way out: who allocates from an arena need
 * not look for failure, because an allocation that cannot be met jumps to the place that set up
 * the arena. Only arenas and plain values may be alive across such a jump.
 *
 *   mst_arena arena;
 *   mst_arena_init(&arena, 64 << 20);
 *   if (setjmp(arena.way_out) != 0) {
 *     mst_arena_reset(&arena);
 *     return mst_fail_memory(error);
 *   }
 *   ... mst_arena_new(&arena, bytes) ...
 *   mst_arena_reset(&arena);
 */
#ifndef MST_BASE_ARENA_H
#define MST_BASE_ARENA_H

#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct mst_arena {
  struct mst_arena_block *blocks;
  size_t used;   /* bytes of all blocks */
  size_t budget; /* bytes that `used` may reach */
  jmp_buf way_out;
} mst_arena;

/* Set way_out before the first allocation. */
void mst_arena_init(mst_arena *arena, size_t budget);
/* Frees everything. Safe on zeroed memory. */
void mst_arena_reset(mst_arena *arena);
/* Zeroed, aligned for any type. Never NULL: jumps to way_out instead, with the value 1. */
void *mst_arena_new(mst_arena *arena, size_t bytes);
/* A copy with a NUL behind it. */
char *mst_arena_text(mst_arena *arena, const char *text, size_t length);
/* For memory beside the arena that could not be had: takes the way out. */
_Noreturn void mst_arena_give_up(mst_arena *arena);
/* `memory` with room for `bytes`, its first `old` bytes kept; the old place is not reused. */
void *mst_arena_grow(mst_arena *arena, const void *memory, size_t old, size_t bytes);

/*
 * A growing array in an arena: MST_VEC(type) as in base/vec.h, never reset.
 */
#define mst_arena_push(arena, vec, ...)                                                           \
  ((vec)->length == (vec)->capacity                                                               \
       ? ((vec)->data = mst_arena_grow((arena), (vec)->data, (vec)->length * sizeof *(vec)->data, \
                                       ((vec)->capacity * 2 + 8) * sizeof *(vec)->data),          \
          (vec)->capacity = (vec)->capacity * 2 + 8)                                              \
       : 0,                                                                                       \
   (void)((vec)->data[(vec)->length++] = (__VA_ARGS__)))

#endif
