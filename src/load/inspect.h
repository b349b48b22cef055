/* SPDX-License-Identifier: Apache-2.0 */
/* Reading the metadata of shards one by one, while a dataset is opened. */
#ifndef MST_LOAD_INSPECT_H
#define MST_LOAD_INSPECT_H

#include "load/dataset.h"
#include "load/listing.h"

typedef struct mst_discovery {
  muster_dataset *dataset;
  const muster_open_options *options;
  const mst_listing *listing;
  muster_error unrecognised; /* why the first file's format could not be found */
  size_t begun;              /* shards inspected one by one before the others */
  bool has_reference;
  size_t reference;      /* the first good shard: what the others must be like */
  muster_error **faults; /* one entry a shard; NULL: it is good */
  char **remarks;        /* likewise, of good shards */
} mst_discovery;

/* The format of a file; NULL: none is recognised. */
muster_status mst_probe_file(const mst_discovery *discovery, const char *path,
                             const mst_format **format, muster_error *error);
/* Reads the metadata of shard `index`; `context`: the discovery, which takes faults: only a lack
 * of memory is returned. */
muster_status mst_inspect_shard(void *context, uint64_t index, unsigned worker,
                                muster_error *error);

#endif
