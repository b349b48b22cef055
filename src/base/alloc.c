/* SPDX-License-Identifier: Apache-2.0 */
#include "base/alloc.h"

#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/fault.h"

#ifdef MST_FAULTS
/* malloc(0) may be NULL, and a tracked block needs a size: both are settled by asking for 1. */
static bool may_fail(void) { return mst_fault_hit_alloc(); }
static void track(void *memory, int sign) {
  if (memory != NULL) mst_fault_track(sign * (int64_t)malloc_usable_size(memory));
}
#else
static bool may_fail(void) { return false; }
static void track(void *memory, int sign) {
  (void)memory;
  (void)sign;
}
#endif

void *mst_alloc(size_t bytes) {
  if (may_fail()) return NULL;
  void *memory = malloc(bytes > 0 ? bytes : 1);
  track(memory, 1);
  return memory;
}

void *mst_calloc(size_t count, size_t size) {
  if (may_fail()) return NULL;
  void *memory = count > 0 && size > 0 ? calloc(count, size) : calloc(1, 1);
  track(memory, 1);
  return memory;
}

void *mst_realloc(void *memory, size_t bytes) {
  if (may_fail()) return NULL;
  track(memory, -1);
  void *grown = realloc(memory, bytes > 0 ? bytes : 1);
  track(grown != NULL ? grown : memory, 1);
  return grown;
}

void mst_free(void *memory) {
  track(memory, -1);
  free(memory);
}

char *mst_strndup(const char *text, size_t length) {
  char *copy = mst_alloc(length + 1);
  if (copy == NULL) return NULL;
  memcpy(copy, text, length);
  copy[length] = '\0';
  return copy;
}

char *mst_strdup(const char *text) { return mst_strndup(text, strlen(text)); }

/* Huge pages only pay where several of them fit. */
#define HUGE_PAGE ((size_t)2 << 20)

static size_t whole_pages(size_t bytes) { return (bytes + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE; }

void *mst_pages_new(size_t bytes) {
  if (bytes > SIZE_MAX - 2 * HUGE_PAGE || may_fail()) return NULL;
  const size_t size = whole_pages(bytes > 0 ? bytes : 1);
  char *raw =
      mmap(NULL, size + HUGE_PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (raw == MAP_FAILED) return NULL;
  /* Cut the mapping to the aligned part. */
  char *aligned = (char *)whole_pages((size_t)(uintptr_t)raw);
  if (aligned > raw) munmap(raw, (size_t)(aligned - raw));
  const size_t tail = (size_t)(raw + size + HUGE_PAGE - (aligned + size));
  if (tail > 0) munmap(aligned + size, tail);
  madvise(aligned, size, MADV_HUGEPAGE);
  return aligned;
}

void mst_pages_free(void *pages, size_t bytes) {
  if (pages != NULL) munmap(pages, whole_pages(bytes > 0 ? bytes : 1));
}

/* The whole pages of a piece of memory; false when there are none. */
static bool inner_pages(void *memory, size_t bytes, void **first, size_t *length) {
  const uintptr_t page = 4096;
  const uintptr_t begin = ((uintptr_t)memory + page - 1) / page * page;
  const uintptr_t end = ((uintptr_t)memory + bytes) / page * page;
  *first = (void *)begin;
  *length = end > begin ? end - begin : 0;
  return end > begin;
}

void mst_pages_prefer_huge(void *memory, size_t bytes) {
  void *first;
  size_t length;
  if (inner_pages(memory, bytes, &first, &length)) (void)madvise(first, length, MADV_HUGEPAGE);
}

bool mst_pages_are_there(const void *memory) {
  unsigned char there = 1;
  const uintptr_t page = (uintptr_t)memory / 4096 * 4096;
  return mincore((void *)page, 1, &there) != 0 || (there & 1) != 0;
}

void mst_pages_populate(void *memory, size_t bytes) {
#ifdef MADV_POPULATE_WRITE
  void *first;
  size_t length;
  /* A hint: where the kernel is older than 5.14 the pages come at the first touch, as ever. */
  if (inner_pages(memory, bytes, &first, &length))
    (void)madvise(first, length, MADV_POPULATE_WRITE);
#else
  (void)memory;
  (void)bytes;
#endif
}
