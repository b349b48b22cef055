/* SPDX-License-Identifier: Apache-2.0 */
/* The schema of Arrow that writers put into Parquet files: what Parquet itself has no word for. */
#ifndef MST_FORMATS_ARROW_FIELDS_H
#define MST_FORMATS_ARROW_FIELDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A Flatbuffer, as it was decoded from base64. Zeroed memory is one without fields. */
typedef struct mst_arrow_fields {
  unsigned char *bytes;
  size_t length;
  size_t first; /* where the fields are */
  size_t count;
} mst_arrow_fields;

/* Without sense in the text there are no fields. False: no memory. */
bool mst_arrow_fields_init(mst_arrow_fields *fields, const char *base64, size_t length);
void mst_arrow_fields_reset(mst_arrow_fields *fields);

#define MST_ARROW_MAX_LISTS 8

typedef struct mst_arrow_field {
  size_t lists; /* of fixed size, one within the other */
  uint64_t sizes[MST_ARROW_MAX_LISTS];
  char duration[4]; /* the unit of what is a duration in the end, else "" */
} mst_arrow_field;

/* What it says of column `index`, which must have that name; false: nothing. */
bool mst_arrow_fields_find(const mst_arrow_fields *fields, size_t index, const char *name,
                           size_t name_length, mst_arrow_field *out);

#endif
