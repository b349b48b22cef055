/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rows of zeros without any file, for measuring what everything but the reading costs.
 * "null:SHAPE[:DTYPE[:SHARDS]]", such as null:1000000x16:float32:8.
 */
#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "base/alloc.h"
#include "base/dtype.h"
#include "base/shape.h"
#include "base/status.h"
#include "formats/format.h"

#define SCHEME "null:"
#define MAX_SHARDS 1000000u

static muster_status bad(const char *input, muster_error *error) {
  return mst_fail(error, MUSTER_ERR_USAGE, input,
                  "write null:SHAPE[:DTYPE[:SHARDS]], such as null:1000000x16:float32:8");
}

static bool take_number(const char **at, uint64_t *out) {
  if (!isdigit((unsigned char)**at)) return false;
  for (*out = 0; isdigit((unsigned char)**at); (*at)++) {
    if (__builtin_mul_overflow(*out, (uint64_t)10, out) ||
        __builtin_add_overflow(*out, (uint64_t)(**at - '0'), out))
      return false;
  }
  return true;
}

static bool take_shape(const char **at, mst_schema *schema) {
  for (schema->rank = 0; schema->rank < MUSTER_MAX_RANK;) {
    if (!take_number(at, &schema->shape[schema->rank])) return false;
    schema->rank++;
    if (**at != 'x' && **at != ',') return true;
    (*at)++;
  }
  return false;
}

static muster_status parse(const char *input, mst_schema *schema, uint64_t *shards,
                           muster_error *error) {
  *schema = (mst_schema){.dtype = {.type = MUSTER_FLOAT64}};
  *shards = 1;
  const char *at = input + strlen(SCHEME);
  if (!take_shape(&at, schema)) return bad(input, error);
  if (*at == ':') {
    at++;
    const size_t length = strcspn(at, ":");
    if (!mst_dtype_read(at, length, &schema->dtype, &schema->opaque) ||
        schema->dtype.type == MUSTER_NO_TYPE)
      return bad(input, error);
    at += length;
  }
  if (*at == ':') {
    at++;
    if (!take_number(&at, shards) || *shards == 0 || *shards > MAX_SHARDS) return bad(input, error);
  }
  uint64_t elements;
  if (*at != '\0' || !mst_shape_elements(schema->rank, schema->shape,
                                         muster_type_size(schema->dtype.type), &elements))
    return bad(input, error);
  return MUSTER_OK;
}

/* Each shard is an input of its own with its part of the rows. */
static muster_status expand(const char *input, mst_names *paths, muster_error *error) {
  mst_schema schema;
  uint64_t shards;
  muster_status status = parse(input, &schema, &shards, error);
  for (uint64_t i = 0; status == MUSTER_OK && i < shards; i++) {
    const uint64_t extra = i < schema.shape[0] % shards;
    mst_str path = {0};
    mst_str_addf(&path, SCHEME "%" PRIu64, schema.shape[0] / shards + extra);
    for (size_t k = 1; k < schema.rank; k++)
      mst_str_addf(&path, "x%" PRIu64, schema.shape[k]);
    char name[48];
    mst_str_addf(&path, ":%s", muster_dtype_name(&schema.dtype, name));
    if (!mst_names_take(paths, mst_str_take(&path))) status = mst_fail_memory(error);
  }
  return status;
}

static muster_status inspect(const mst_source *source, mst_schema *schema, mst_shard *shard,
                             mst_str *note, muster_error *error) {
  (void)shard;
  (void)note;
  uint64_t shards;
  return parse(source->path, schema, &shards, error);
}

static muster_status read_elements(const mst_open_shard *open, uint64_t first, uint64_t count,
                                   void *dst, muster_error *error) {
  (void)first;
  (void)error;
  memset(dst, 0, (size_t)count * muster_type_size(open->schema->dtype.type));
  return MUSTER_OK;
}

const mst_format mst_format_null = {
    .name = "null",
    .summary = "zeros without a file, to measure overhead: null:1000000x16:float32:8",
    .extensions = "",
    .scheme = SCHEME,
    .expand = expand,
    .inspect = inspect,
    .read_elements = read_elements,
};
