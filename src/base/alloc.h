/* SPDX-License-Identifier: Apache-2.0 */
/* All memory of the library: so that a test can make any one allocation fail. */
#ifndef MST_BASE_ALLOC_H
#define MST_BASE_ALLOC_H

#include <stdbool.h>
#include <stddef.h>

/* As malloc, calloc, realloc, free, strdup; NULL when there is no memory. Any thread. */
void *mst_alloc(size_t bytes);
void *mst_calloc(size_t count, size_t size);
void *mst_realloc(void *memory, size_t bytes);
void mst_free(void *memory);
char *mst_strdup(const char *text);
char *mst_strndup(const char *text, size_t length);

/*
 * Fresh zero pages for large arrays, aligned to huge pages; NULL when there is no memory.
 * Freed with mst_pages_free and the same size.
 */
void *mst_pages_new(size_t bytes);
void mst_pages_free(void *pages, size_t bytes);

/* Asks for huge pages in fresh memory, where the kernel has them. */
void mst_pages_prefer_huge(void *memory, size_t bytes);

/* Whether the page of the address was touched before; true where the kernel does not tell. */
bool mst_pages_are_there(const void *memory);

/* Faults the whole pages of [memory, memory + bytes) in at once, where the kernel can. */
void mst_pages_populate(void *memory, size_t bytes);

#endif
