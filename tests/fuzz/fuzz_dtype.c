/* SPDX-License-Identifier: Apache-2.0 */
/* Any text as a dtype: what is read is printed as something that reads the same. */
#include <string.h>

#include "base/dtype.h"
#include "fuzz.h"
#include "muster/dataset.h"

static void check_same(const muster_dtype *dtype, const char *printed) {
  muster_dtype again;
  ALWAYS(strlen(printed) < 48);
  ALWAYS(muster_dtype_parse(printed, &again, NULL) == MUSTER_OK);
  ALWAYS(again.type == dtype->type && again.swapped == dtype->swapped);
  ALWAYS(strcmp(again.unit, dtype->unit) == 0);
}

static void check_dtype(const muster_dtype *dtype) {
  char printed[48];
  ALWAYS(dtype->type > MUSTER_NO_TYPE && dtype->type < MUSTER_TYPE_COUNT);
  ALWAYS(muster_type_size(dtype->type) > 0);
  ALWAYS(mst_is_time(dtype->type) == (dtype->unit[0] != '\0'));
  ALWAYS(memchr(dtype->unit, '\0', sizeof dtype->unit) != NULL);
  check_same(dtype, muster_dtype_name(dtype, printed));
  check_same(dtype, mst_dtype_descr(dtype, printed));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  muster_dtype dtype, read;
  size_t opaque = 0;
  muster_error error = {.offset = -1};
  char *text = calloc(size + 1, 1);
  ALWAYS(text != NULL);
  if (size > 0) memcpy(text, data, size);
  const muster_status status = muster_dtype_parse(text, &dtype, &error);
  if (status == MUSTER_OK) check_dtype(&dtype);
  if (status != MUSTER_OK) check_error(status, &error, size);
  /* As it stands in a header, with anything behind it and no end of its own. */
  const bool known = mst_dtype_read((const char *)data, size, &read, &opaque);
  ALWAYS(known || read.type == MUSTER_NO_TYPE);
  if (known && read.type == MUSTER_NO_TYPE) ALWAYS(opaque > 0);
  if (strlen(text) == size) {
    const bool number = known && read.type != MUSTER_NO_TYPE;
    ALWAYS(number == (status == MUSTER_OK));
    if (number) ALWAYS(mst_dtype_equal(&read, &dtype) && read.swapped == dtype.swapped);
  }
  free(text);
  return 0;
}
