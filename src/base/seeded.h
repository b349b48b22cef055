/* SPDX-License-Identifier: Apache-2.0 */
/* Deterministic data: any cell of an array can be made by itself, on any machine. */
#ifndef MST_BASE_SEEDED_H
#define MST_BASE_SEEDED_H

#include <stddef.h>
#include <stdint.h>

#include "muster/dataset.h"

/* Fills `out` with cells [first, first + count), dense and in native order. docs/json.md says what
 * each type's cells are. The type is one that a result can have. */
void mst_seeded_fill(void *out, muster_type type, uint64_t seed, uint64_t first, size_t count);

#endif
