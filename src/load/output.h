/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MST_LOAD_OUTPUT_H
#define MST_LOAD_OUTPUT_H

#include "load/dataset.h"

/*
 * MUSTER_ERR_USAGE when writing to the file would destroy what the dataset is made of: one of its
 * shards, or the sidecar or record beside them.
 */
muster_status mst_check_output(const muster_dataset *dataset, const char *output,
                               muster_error *error);

/*
 * MUSTER_ERR_USAGE when an npy file there would be taken for a shard the next time: in a folder
 * that was named, or beside shards where all are numbered npy files. `inputs`: what was opened.
 */
muster_status mst_check_neighbours(const muster_dataset *dataset, const char *const *inputs,
                                   size_t count, const char *output, muster_error *error);

#endif
