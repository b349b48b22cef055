/* SPDX-License-Identifier: Apache-2.0 */
/* Shards that are folders: all that lies in one. */
#ifndef MST_LOAD_TREE_H
#define MST_LOAD_TREE_H

#include "base/io.h"

typedef struct mst_tree {
  mst_names files;   /* paths relative to the folder, in order of their bytes */
  mst_names folders; /* likewise, below it; each behind the one that it is in */
  uint64_t bytes;    /* of all files */
  size_t most;       /* more files than these are an error; 0: any number is right */
} mst_tree;

void mst_tree_reset(mst_tree *tree);

/* Lists what is below a folder; links to folders are refused, not followed. Also after a failure
 * *tree is to be reset. */
muster_status mst_tree_list(const char *folder, mst_tree *tree, muster_error *error);

/* Removes all that was listed, and the folder. */
muster_status mst_tree_remove(const char *folder, const mst_tree *tree, muster_error *error);

/* What is said of a file: its bytes and, of a folder, the files in it. */
typedef struct mst_weight {
  uint64_t bytes;
  uint64_t files; /* 0: it is a file */
} mst_weight;

muster_status mst_weigh(const char *path, mst_weight *weight, muster_error *error);
/* The same; a folder of more than `most` files is an error. */
muster_status mst_weigh_up_to(const char *path, size_t most, mst_weight *weight,
                              muster_error *error);

#endif
