/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_FUZZ_FUZZ_H
#define TESTS_FUZZ_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "muster/error.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What must hold for any input. */
#define ALWAYS(condition)                                                         \
  do {                                                                            \
    if (!(condition)) {                                                           \
      fprintf(stderr, "%s:%d: not always: %s\n", __FILE__, __LINE__, #condition); \
      abort();                                                                    \
    }                                                                             \
  } while (0)

/* An error says what it is, on one line, and points into the input or nowhere. */
static inline void check_error(muster_status status, const muster_error *error, size_t size) {
  ALWAYS(error->status == status);
  ALWAYS(error->message[0] != '\0');
  for (const char *at = error->message; *at != '\0'; at++)
    ALWAYS((unsigned char)*at >= ' ');
  ALWAYS(error->offset >= -1 && error->offset <= (muster_offset)size);
}

#endif
