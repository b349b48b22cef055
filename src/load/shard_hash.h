/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Checksums of whole files: XXH3-128, which is faster than any disk and no signature. Of a shard
 * that is a folder it is taken over all files below it, each behind its name and its size.
 */
#ifndef MST_LOAD_SHARD_HASH_H
#define MST_LOAD_SHARD_HASH_H

#include "load/dataset.h"

#define MST_HASH_TEXT 33 /* 32 hexadecimal digits */

typedef struct mst_hash {
  char text[MST_HASH_TEXT];
  uint64_t bytes; /* of the file, or of all files of the folder */
} mst_hash;

muster_status mst_hash_shard(const muster_dataset *dataset, size_t index, mst_hash *out,
                             muster_error *error);

#endif
