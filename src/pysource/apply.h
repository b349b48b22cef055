/* SPDX-License-Identifier: Apache-2.0 */
/* What the results of NumPy's functions are made with: apply.c takes an entry of api.def and calls
 * one of these. */
#ifndef MST_PYSOURCE_APPLY_H
#define MST_PYSOURCE_APPLY_H

#include "pysource/interp.h"

/* A call, seen alike for f(a, ...) and a.f(...). */
typedef struct mst_applied {
  mst_interp *in;
  mst_node_id call;
  const mst_api *api;
  const mst_value *receiver; /* of a method; NULL */
  mst_library library;
} mst_applied;

mst_value mst_apply_given(const mst_applied *applied, int position, const char *keyword);
bool mst_apply_is_given(const mst_value *value);
mst_dtype_class mst_apply_dtype(const mst_applied *applied, int position);
mst_value mst_apply_fresh(const mst_applied *applied, int rank);
mst_value mst_apply_scalar(const mst_applied *applied);
bool mst_may_be_array(const mst_value *value);
mst_confidence mst_apply_trust(const mst_value *value);
mst_value mst_apply_shaped(const mst_applied *applied, mst_value shape);
int mst_rank_of_coordinates(const mst_interp *in, mst_node_id node, uint32_t axes);
mst_value mst_apply_coordinates(const mst_applied *applied);
mst_value mst_apply_drawn(const mst_applied *applied);
mst_value mst_apply_drawn_by_axis(const mst_applied *applied);
void mst_apply_shape_of_lists(mst_interp *in, const mst_value *list, mst_value *to);
mst_value mst_apply_converted(const mst_applied *applied);
int64_t mst_apply_range_extent(const mst_applied *applied, bool is_arange);
mst_value mst_apply_like(const mst_applied *applied, bool same_shape);
mst_value mst_apply_view(const mst_applied *applied, int rank, uint32_t extents);
mst_value mst_apply_elementwise(const mst_applied *applied);
mst_value mst_apply_reduced(const mst_applied *applied);
mst_value mst_apply_scanned(const mst_applied *applied);
mst_value mst_apply_where(const mst_applied *applied);
mst_value mst_apply_product(const mst_applied *applied);
mst_value mst_apply_reshaped(const mst_applied *applied);
mst_value mst_apply_ravelled(const mst_applied *applied);
mst_value mst_apply_diagonal(const mst_applied *applied);
mst_value mst_apply_stacked(const mst_applied *applied);
mst_value mst_apply_expanded(const mst_applied *applied, int by);
mst_value mst_apply_transposed(const mst_applied *applied);
mst_value mst_apply_flipped(const mst_applied *applied);

#endif
