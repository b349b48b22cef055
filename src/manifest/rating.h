/* SPDX-License-Identifier: Apache-2.0 */
/* The level of one name of cuPyNumeric, by what its source says. */
#ifndef MST_MANIFEST_RATING_H
#define MST_MANIFEST_RATING_H

#include "manifest/modules.h"
#include "manifest/table.h"

typedef struct mst_rating {
  mst_api_level level;
  const char *note; /* static */
  bool implemented; /* the name is there and does not raise at once */
  bool not_said;    /* its source says nothing of availability: the level is a guess */
} mst_rating;

/* What was not found is of level none. */
muster_status mst_rate(mst_modules *modules, const mst_found *found, mst_rating *out,
                       muster_error *error);

/* The note of a transform that is spread over several GPUs in part. */
extern const char mst_note_batch[];

#endif
