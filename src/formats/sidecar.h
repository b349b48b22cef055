/* SPDX-License-Identifier: Apache-2.0 */
/* shard_meta.json: what raw files hold. docs/formats/raw.md lists the keys. */
#ifndef MST_FORMATS_SIDECAR_H
#define MST_FORMATS_SIDECAR_H

#include "formats/format.h"

typedef struct mst_sidecar {
  muster_dtype dtype; /* byte order included */
  size_t rank;        /* of the trailing shape */
  uint64_t trailing[MUSTER_MAX_RANK];
  uint64_t header_bytes;
  bool has_rows;
  uint64_t *rows; /* of each shard, in order or in the order of `files` */
  size_t rows_count;
  char **files; /* names that the rows belong to; NULL: the order of the dataset */
  size_t files_count;
} mst_sidecar;

/* The names under which a sidecar is looked for, most usual first, NULL at the end. */
extern const char *const mst_sidecar_names[];

/* Parses the text of a sidecar; any bytes may come. Reset also after a failure. */
muster_status mst_sidecar_parse(const char *path, const char *text, size_t length, mst_sidecar *out,
                                muster_error *error);
void mst_sidecar_reset(mst_sidecar *sidecar);

/* Rows of the shard with this number and file name; false when the sidecar does not know it. */
bool mst_sidecar_rows(const mst_sidecar *sidecar, size_t index, const char *name, uint64_t *rows);

#endif
