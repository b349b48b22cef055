/* SPDX-License-Identifier: Apache-2.0 */
/* How often loops turn: `trips`, `is_hot`, `is_unknown` and `bound_from_axis` of a loop. */
#ifndef MST_PYSOURCE_TRIPS_H
#define MST_PYSOURCE_TRIPS_H

#include "pysource/model.h"

/* By the loop's iterable. */
void mst_count_trips(mst_program *program, mst_module *module, mst_loop *loop);
/* For each turn of the loop those over one more iterable. */
void mst_count_within(mst_program *program, mst_module *module, mst_loop *loop,
                      mst_node_id iterable);
/* A loop over what a function of ours hands out turns as often as that one's own loops, which are
 * to be known by then. */
void mst_count_yields(mst_program *program, mst_loop *loop);

#endif
