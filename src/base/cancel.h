/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MST_BASE_CANCEL_H
#define MST_BASE_CANCEL_H

#include <stdbool.h>
#include <stddef.h>

/* True once the caller's flag (NULL: none) is set, by whichever thread or signal handler. */
static inline bool mst_is_cancelled(const volatile int *flag) {
  return flag != NULL && __atomic_load_n(flag, __ATOMIC_RELAXED) != 0;
}

#endif
