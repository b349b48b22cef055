/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as the beginning of an npy file. */
#include <string.h>

#include "base/alloc.h"
#include "base/dtype.h"
#include "formats/npy_header.h"
#include "fuzz.h"

__extension__ typedef unsigned __int128 wide;

static size_t itemsize_of(const mst_schema *schema) {
  return schema->dtype.type != MUSTER_NO_TYPE ? muster_type_size(schema->dtype.type)
                                              : schema->opaque;
}

/* Zeros in the shape do not excuse the other entries: strides are made of them. */
static void check_schema(const mst_schema *schema) {
  ALWAYS(schema->rank <= MUSTER_MAX_RANK);
  ALWAYS(itemsize_of(schema) > 0);
  ALWAYS(schema->dtype.type < MUSTER_TYPE_COUNT);
  ALWAYS(!schema->dtype.swapped || mst_swap_unit(schema->dtype.type) > 1);
  wide bytes = itemsize_of(schema);
  for (size_t i = 0; i < schema->rank; i++) {
    bytes *= schema->shape[i] > 0 ? schema->shape[i] : 1;
    ALWAYS(bytes <= INT64_MAX);
  }
}

/* What is written again from it reads the same. */
static void check_round_trip(const mst_schema *schema) {
  mst_str written = {0};
  mst_npy_header header;
  if (schema->dtype.type == MUSTER_NO_TYPE) return;
  mst_npy_header_write(&written, schema);
  ALWAYS(mst_npy_header_parse("again.npy", (const unsigned char *)written.data, written.length,
                              &header, NULL) == MUSTER_OK);
  ALWAYS(written.length % 64 == 0 && header.data_offset == written.length);
  ALWAYS(header.ends_in_newline && !header.fortran);
  ALWAYS(header.schema.rank == schema->rank);
  ALWAYS(memcmp(header.schema.shape, schema->shape, schema->rank * sizeof *schema->shape) == 0);
  ALWAYS(mst_dtype_equal(&header.schema.dtype, &schema->dtype));
  ALWAYS(header.schema.dtype.swapped == schema->dtype.swapped);
  mst_str_reset(&written);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  size_t length = 0;
  mst_npy_header header;
  muster_error error = {.offset = -1};
  const size_t head = size < 12 ? size : 12;
  const muster_status found = mst_npy_header_length("any.npy", data, head, size, &length, &error);
  if (found != MUSTER_OK) check_error(found, &error, size);
  if (found == MUSTER_OK) ALWAYS(length <= size && length <= MST_NPY_MAX_HEADER);
  const muster_status parsed = mst_npy_header_parse("any.npy", data, size, &header, &error);
  if (parsed != MUSTER_OK) {
    check_error(parsed, &error, size);
    return 0;
  }
  ALWAYS(found == MUSTER_OK && header.data_offset == length);
  check_schema(&header.schema);
  check_round_trip(&header.schema);
  return 0;
}
