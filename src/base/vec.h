/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A growing array of any type:
 *
 *   MST_VEC(double) values = {0};
 *   if (!mst_vec_push(&values, 1.5)) ... out of memory
 *   mst_vec_reset(&values);
 */
#ifndef MST_BASE_VEC_H
#define MST_BASE_VEC_H

#include <stdbool.h>
#include <stddef.h>

#include "base/alloc.h"

#define MST_VEC(type) \
  struct {            \
    type *data;       \
    size_t length;    \
    size_t capacity;  \
  }

/*
 * Returns data with room for one element more than length, grown if need be. Without memory it
 * returns data as it is, and *capacity stays at length: that is how a caller sees it.
 */
void *mst_vec_room(void *data, size_t *capacity, size_t length, size_t element);

/* True when the element was added, false when there is no memory. */
#define mst_vec_push(vec, ...)                                                                    \
  ((vec)->data = mst_vec_room((vec)->data, &(vec)->capacity, (vec)->length, sizeof *(vec)->data), \
   (vec)->length < (vec)->capacity && ((vec)->data[(vec)->length++] = (__VA_ARGS__), true))

#define mst_vec_reset(vec) \
  do {                     \
    mst_free((vec)->data); \
    (vec)->data = NULL;    \
    (vec)->length = 0;     \
    (vec)->capacity = 0;   \
  } while (0)

#endif
