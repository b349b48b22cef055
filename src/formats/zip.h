/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The directory of a zip archive. Source: PKWARE's APPNOTE.TXT, sections 4.3 and 4.5. Sizes are
 * those of the directory: the headers before the members may leave them to a data descriptor.
 */
#ifndef MST_FORMATS_ZIP_H
#define MST_FORMATS_ZIP_H

#include "base/io.h"
#include "base/vec.h"

#define MST_ZIP_LOCAL "PK\003\004"
#define MST_ZIP_LOCAL_BYTES 30

enum { MST_ZIP_STORED = 0, MST_ZIP_DEFLATED = 8 };

typedef struct mst_zip_entry {
  char *name;
  uint16_t flags;
  uint16_t method;
  uint32_t crc;
  uint64_t packed; /* bytes in the archive */
  uint64_t size;   /* bytes when unpacked */
  uint64_t offset; /* of the header before the data */
} mst_zip_entry;

typedef struct mst_zip {
  MST_VEC(mst_zip_entry) entries; /* in the order of the directory */
  uint64_t directory;             /* where it begins: all data lie before */
} mst_zip;

/* Reads the directory; any bytes may come. To be reset also after an error. */
muster_status mst_zip_read(int fd, const char *path, uint64_t file_size, mst_zip *zip,
                           muster_error *error);
void mst_zip_reset(mst_zip *zip);

/* Where the data of an entry begin, all of which lie in the file. */
muster_status mst_zip_find_data(int fd, const char *path, const mst_zip *zip,
                                const mst_zip_entry *entry, uint64_t *offset, muster_error *error);

/* MUSTER_ERR_UNSUPPORTED when the entry is encrypted or packed by another method than deflate;
 * MUSTER_ERR_FORMAT when its sizes cannot be true. */
muster_status mst_zip_check(const char *path, const mst_zip_entry *entry, muster_error *error);

#endif
