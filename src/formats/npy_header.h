/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The header of an npy file, read and written: shared by the format and the file sink.
 * Source: NumPy's "NEP 1: A Simple File Format for NumPy Arrays" and numpy.lib.format.
 */
#ifndef MST_FORMATS_NPY_HEADER_H
#define MST_FORMATS_NPY_HEADER_H

#include "formats/format.h"

#define MST_NPY_MAGIC "\x93NUMPY"
#define MST_NPY_MAGIC_LENGTH 6
#define MST_NPY_MAX_HEADER ((size_t)1 << 20)

typedef struct mst_npy_header {
  mst_schema schema;
  bool fortran;
  uint64_t data_offset;
  bool ends_in_newline; /* as the format demands; some writers forget it */
} mst_npy_header;

/*
 * How many bytes the header takes, magic and length included, from the first 12 bytes of the
 * file (or fewer, if the file is shorter). `file_size` bounds it.
 */
muster_status mst_npy_header_length(const char *path, const unsigned char *bytes, size_t length,
                                    uint64_t file_size, size_t *header_length, muster_error *error);

/* Reads a whole header. Never allocates; any bytes may come. */
muster_status mst_npy_header_parse(const char *path, const unsigned char *bytes, size_t length,
                                   mst_npy_header *out, muster_error *error);

/* Appends the header of a C-order array, padded to a multiple of 64 bytes as NumPy does. */
void mst_npy_header_write(mst_str *out, const mst_schema *schema);

#endif
