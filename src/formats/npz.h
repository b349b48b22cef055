/* SPDX-License-Identifier: Apache-2.0 */
/* Within the format npz: what is kept of a shard, and how deflated ones are read. */
#ifndef MST_FORMATS_NPZ_H
#define MST_FORMATS_NPZ_H

#include "formats/format.h"
#include "codecs/inflate.h"

/* But for the first two, of a deflated shard only. */
typedef struct mst_npz_detail {
  char *name;
  size_t rank;       /* as the file has it, without the axis that --stack adds */
  mst_deflated data; /* without its fd; of a stored member it has no path */
  uint64_t size;     /* unpacked */
  uint32_t crc;
  uint32_t header; /* bytes of the npy header */
} mst_npz_detail;

static inline bool mst_npz_is_deflated(const mst_shard *shard) {
  return ((const mst_npz_detail *)shard->detail)->data.path != NULL;
}

/* As open, close and read_rows of a format, of deflated shards; a stored one has no state. */
muster_status mst_npz_open(mst_open_shard *open, muster_error *error);
void mst_npz_close(mst_open_shard *open);
muster_status mst_npz_read_rows(const mst_open_shard *open, uint64_t lo, uint64_t hi, void *dst,
                                const int64_t *strides, muster_error *error);

#endif
