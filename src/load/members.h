/* SPDX-License-Identifier: Apache-2.0 */
/* Files that hold several arrays, each a shard. */
#ifndef MST_LOAD_MEMBERS_H
#define MST_LOAD_MEMBERS_H

#include "load/dataset.h"

/* Makes of each file as many shards as the format lists members of it. */
muster_status mst_members_expand(muster_dataset *dataset, const muster_open_options *options,
                                 muster_error *error);

#endif
