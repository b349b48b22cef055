/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MST_LOAD_PLAN_H
#define MST_LOAD_PLAN_H

#include <stdbool.h>
#include <stdint.h>

#include "muster/dataset.h"

/* Rows of a tile, at least 1, by the rule of muster_plan_options; false when that has no meaning.
 */
bool mst_tile_rows(uint64_t rows, const muster_plan_options *options, uint64_t *tile_rows);

#endif
