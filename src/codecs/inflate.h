/* SPDX-License-Identifier: Apache-2.0 */
/* Unpacking deflated data of a file from front to back, in pieces of any length. */
#ifndef MST_CODECS_INFLATE_H
#define MST_CODECS_INFLATE_H

#include "base/io.h"

typedef struct mst_inflate mst_inflate;

/* Deflated data without a header. */
typedef struct mst_deflated {
  int fd;
  const char *path;
  uint64_t offset;
  uint64_t packed;
} mst_deflated;

/* Whether this build has zlib. */
bool mst_can_inflate(void);

/* What `data` points to must outlive it. MUSTER_ERR_UNSUPPORTED: this build cannot. */
muster_status mst_inflate_new(const mst_deflated *data, mst_inflate **out, muster_error *error);
void mst_inflate_free(mst_inflate *reader);

/* Unpacked bytes so far, and their CRC-32. */
uint64_t mst_inflate_position(const mst_inflate *reader);
uint32_t mst_inflate_crc(const mst_inflate *reader);

/* The next `length` bytes, all of them; dst NULL: they are passed over. */
muster_status mst_inflate_read(mst_inflate *reader, void *dst, uint64_t length,
                               muster_error *error);
/* MUSTER_ERR_FORMAT when more bytes would come. */
muster_status mst_inflate_end(mst_inflate *reader, muster_error *error);
/* Begins again. */
muster_status mst_inflate_rewind(mst_inflate *reader, muster_error *error);

#endif
