/* SPDX-License-Identifier: Apache-2.0 */
/* What is behind muster_dataset. After it was opened nothing changes but the bands, which have a
 * lock: any thread may read. */
#ifndef MST_LOAD_DATASET_H
#define MST_LOAD_DATASET_H

#include "base/convert.h"
#include "base/io.h"
#include "formats/format.h"
#include "muster/dataset.h"

struct muster_dataset {
  const mst_format *format;
  void *context; /* the format's, from prepare */

  mst_shard *shards;
  size_t shard_count;
  uint64_t all_rows; /* of all shards; the dataset may stand for a part of them */
  uint64_t row_base; /* the first row of that part */

  mst_schema source;      /* of the files, in native byte order; shape[0] has no meaning */
  muster_dtype dtype;     /* of the result */
  mst_convert_fn convert; /* from source to result */
  bool converts;          /* the bytes change, byte order aside */
  uint64_t row_elements;
  uint64_t row_bytes;                  /* of the result */
  uint64_t shape[MUSTER_MAX_RANK + 1]; /* of the result; source.rank entries */

  struct mst_bands *bands; /* parts of bands for readers to share; NULL: the format has none */
  muster_direct direct;    /* settled: AUTO only where the data are many */

  bool is_folder; /* all shards of one folder */
  bool stacked;   /* each shard is one row */
  mst_names notes;
};

/* The caller's options, which may be NULL or an older, shorter struct, over the defaults. */
muster_status mst_known_open_options(muster_open_options *known, const muster_open_options *options,
                                     muster_error *error);

/* A dataset without shards yet. NULL: no memory. */
muster_dataset *mst_dataset_new(void);

/*
 * When the shards and the source schema are there: sums up rows, settles the result's dtype and
 * shape, and cuts out the rows that the options ask for.
 */
muster_status mst_dataset_complete(muster_dataset *dataset, const muster_open_options *options,
                                   muster_error *error);

/* Takes the note, NULL being out of memory. */
muster_status mst_dataset_take_note(muster_dataset *dataset, char *note, muster_error *error);

/* The shard that holds a row (counted in all shards): the last one that begins at or before it
 * and has rows. */
size_t mst_dataset_shard_of(const muster_dataset *dataset, uint64_t row);

#endif
