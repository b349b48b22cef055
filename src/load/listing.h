/* SPDX-License-Identifier: Apache-2.0 */
/* From what a user names to an ordered list of shards. */
#ifndef MST_LOAD_LISTING_H
#define MST_LOAD_LISTING_H

#include "base/io.h"
#include "base/vec.h"
#include "muster/dataset.h"

typedef struct mst_listing {
  size_t input_count;
  bool first_is_folder;
  mst_names paths; /* in order */
  mst_names notes;
  MST_VEC(muster_error *) faults; /* of the names; the paths are in some order all the same */
  char *folder;     /* where a sidecar would lie: the folder, or that of the first file */
  bool has_sidecar; /* one lies there under its usual name */
} mst_listing;

/* Names that do not fit together are faults, not a failure: there may be more to tell. */
muster_status mst_listing_make(mst_listing *listing, const char *const *inputs, size_t count,
                               const muster_open_options *options, muster_error *error);
void mst_listing_reset(mst_listing *listing);

/* Names of a folder that are no shards whatever is in them: hidden files, checksums, sidecars. */
bool mst_is_no_shard(const char *name);

#endif
