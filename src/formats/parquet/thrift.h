/* SPDX-License-Identifier: Apache-2.0 */
/* Thrift's compact protocol, in which Parquet writes its metadata: as much of it as that needs. */
#ifndef MST_FORMATS_PARQUET_THRIFT_H
#define MST_FORMATS_PARQUET_THRIFT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"

enum {
  MST_THRIFT_TRUE = 1,
  MST_THRIFT_FALSE = 2,
  MST_THRIFT_BYTE = 3,
  MST_THRIFT_I32 = 5,
  MST_THRIFT_I64 = 6,
  MST_THRIFT_BINARY = 8,
  MST_THRIFT_LIST = 9,
  MST_THRIFT_STRUCT = 12
};

/* ---- reading ---- */

/* What is damaged sets `failed`, and from then on nothing but zeros is read: look once, at the end.
 */
typedef struct mst_thrift {
  const unsigned char *at, *end;
  bool failed;
  bool ended; /* it failed because the bytes ended: there may be more of them */
} mst_thrift;

/* Zeroed: the begin of a struct. */
typedef struct mst_thrift_field {
  int16_t id;
  uint8_t type;
} mst_thrift_field;

/* The next field of a struct; false at its end. */
bool mst_thrift_next(mst_thrift *thrift, mst_thrift_field *field);
/* The value of a field, which must be of that kind. */
int64_t mst_thrift_int(mst_thrift *thrift, uint8_t type);
int32_t mst_thrift_int32(mst_thrift *thrift, uint8_t type);
bool mst_thrift_bool(mst_thrift *thrift, uint8_t type);
const char *mst_thrift_bytes(mst_thrift *thrift, uint8_t type, size_t *length);
/* The number of elements of a list, which is not more than there are bytes left. */
size_t mst_thrift_list(mst_thrift *thrift, uint8_t type, uint8_t *element);
/* Checks that the field is a struct; its fields come next. */
bool mst_thrift_struct(mst_thrift *thrift, uint8_t type);
void mst_thrift_skip(mst_thrift *thrift, uint8_t type);

/* ---- writing ---- */

/* `last` is the id of the field before in the same struct, 0 at its begin; becomes this one's. */
void mst_thrift_add_int(mst_str *out, int16_t *last, int16_t id, uint8_t type, int64_t value);
void mst_thrift_add_bool(mst_str *out, int16_t *last, int16_t id, bool value);
void mst_thrift_add_text(mst_str *out, int16_t *last, int16_t id, const char *text);
void mst_thrift_add_list(mst_str *out, int16_t *last, int16_t id, uint8_t element, size_t count);
void mst_thrift_add_struct(mst_str *out, int16_t *last, int16_t id);
void mst_thrift_end_struct(mst_str *out);
/* Elements of lists. */
void mst_thrift_add_element(mst_str *out, int64_t value);
void mst_thrift_add_text_element(mst_str *out, const char *text);

#endif
