/* SPDX-License-Identifier: Apache-2.0 */
/* The order of shards, from their names. */
#ifndef MST_LOAD_ORDER_H
#define MST_LOAD_ORDER_H

#include "base/io.h"
#include "muster/dataset.h"

/*
 * Sorts paths by the numbers in which they differ; names without any number by name. Names that
 * follow no common pattern, and holes and duplicates where the numbers are an index (one number
 * differs, and the sequence starts at 0 or 1), are MUSTER_ERR_MISMATCH. Holes that are no error
 * are added to notes. Bytes are compared, never the locale's letters.
 */
muster_status mst_order_by_number(mst_names *paths, bool allow_gaps, mst_names *notes,
                                  muster_error *error);

/*
 * What is wrong with the numbers of those that do follow the pattern of most names, when others do
 * not: as mst_order_by_number, but nothing is sorted.
 */
muster_status mst_order_check_followers(const mst_names *paths, bool allow_gaps,
                                        muster_error *error);

/* Sorts by name, or by time of change, oldest first. */
void mst_order_by_name(mst_names *paths);
muster_status mst_order_by_mtime(mst_names *paths, muster_error *error);

/* True when the paths are numbered and stand in another order than their numbers: a list that a
 * shell sorted. */
bool mst_order_is_textual(const mst_names *paths);

#endif
