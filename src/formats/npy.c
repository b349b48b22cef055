/* SPDX-License-Identifier: Apache-2.0 */
/* NumPy's own file format, one array a file. docs/formats/npy.md says what is read and refused. */
#include <inttypes.h>
#include <string.h>

#include "base/alloc.h"
#include "base/shape.h"
#include "base/status.h"
#include "formats/flat.h"
#include "formats/npy_header.h"

static int probe(const mst_probe *p) {
  if (p->head_length >= MST_NPY_MAGIC_LENGTH &&
      memcmp(p->head, MST_NPY_MAGIC, MST_NPY_MAGIC_LENGTH) == 0)
    return MST_PROBE_MAGIC;
  return mst_has_extension(p->path, ".npy") ? MST_PROBE_EXTENSION : MST_PROBE_NO;
}

/* Long headers are read again as a whole; nearly all are in the head already. */
static muster_status read_header(const mst_source *source, mst_npy_header *header,
                                 muster_error *error) {
  size_t length = 0;
  muster_status status = mst_npy_header_length(source->path, source->head, source->head_length,
                                               source->stat->size, &length, error);
  if (status != MUSTER_OK) return status;
  if (length <= source->head_length)
    return mst_npy_header_parse(source->path, source->head, length, header, error);
  unsigned char *bytes = mst_alloc(length);
  if (bytes == NULL) return mst_fail_memory(error);
  status = mst_io_read(source->fd, source->path, 0, bytes, length, error);
  if (status == MUSTER_OK)
    status = mst_npy_header_parse(source->path, bytes, length, header, error);
  mst_free(bytes);
  return status;
}

/* The array must be there as a whole; what lies behind it is only noted. */
static muster_status check_size(const mst_source *source, const mst_npy_header *header,
                                mst_str *note, muster_error *error) {
  const mst_schema *schema = &header->schema;
  const size_t itemsize =
      schema->dtype.type != MUSTER_NO_TYPE ? muster_type_size(schema->dtype.type) : schema->opaque;
  uint64_t elements;
  if (!mst_shape_elements(schema->rank, schema->shape, itemsize, &elements) ||
      elements * itemsize > MST_MAX_BYTES - header->data_offset)
    return mst_fail(error, MUSTER_ERR_FORMAT, source->path, "the shape is too large");
  const uint64_t expected = header->data_offset + elements * itemsize;
  const uint64_t found = source->stat->size;
  if (found < expected) {
    const uint64_t rows = schema->rank > 0 && schema->shape[0] > 0 ? schema->shape[0] : 1;
    const uint64_t row_bytes = elements * itemsize / rows;
    (void)mst_fail_at(error, MUSTER_ERR_FORMAT, source->path, (muster_offset)found,
                      "truncated: expected %" PRIu64 " bytes, found %" PRIu64 " (%" PRIu64
                      " of %" PRIu64 " rows are whole): copy the file again",
                      expected, found, (found - header->data_offset) / row_bytes, rows);
    return mst_tell_sizes(error, MUSTER_ERR_FORMAT, found, expected);
  }
  if (found == expected) return MUSTER_OK;
  if (!header->ends_in_newline)
    return mst_fail_at(error, MUSTER_ERR_FORMAT, source->path, (muster_offset)header->data_offset,
                       "damaged npy header: it does not end in a newline, and %" PRIu64
                       " bytes are too many",
                       found - expected);
  mst_str_addf(note, "%" PRIu64 " bytes behind the array are passed over", found - expected);
  return MUSTER_OK;
}

static muster_status inspect(const mst_source *source, mst_schema *schema, mst_shard *shard,
                             mst_str *note, muster_error *error) {
  mst_npy_header header = {0};
  muster_status status = read_header(source, &header, error);
  if (status == MUSTER_OK) status = check_size(source, &header, note, error);
  if (status != MUSTER_OK) return status;
  *schema = header.schema;
  shard->data_offset = header.data_offset;
  /* With one axis, or none, both orders are the same. */
  shard->fortran = header.fortran && schema->rank > 1;
  return MUSTER_OK;
}

static muster_status write_shard(const mst_new_shard *shard, muster_error *error) {
  mst_str header = {0};
  mst_npy_header_write(&header, &shard->schema);
  const muster_status status = header.failed
                                   ? mst_fail_memory(error)
                                   : mst_flat_write(shard, header.data, header.length, error);
  mst_str_reset(&header);
  return status;
}

/* What NumPy reads unless it is told that a header may be longer. */
#define USUAL_HEADER 10000

static void add_python(const mst_python_shards *python, mst_str *out) {
  bool is_long = false;
  for (size_t i = 0; i < python->count; i++)
    is_long = is_long || python->shards[i].data_offset > USUAL_HEADER;
  mst_str_add(out, "    return np.load(path, mmap_mode=\"r\"");
  if (is_long) mst_str_addf(out, ", max_header_size=%zu", MST_NPY_MAX_HEADER);
  mst_str_addf(out, ")%s\n", python->stack ? "[np.newaxis]" : "");
}

const mst_format mst_format_npy = {
    .name = "npy",
    .summary = "NumPy arrays, versions 1 to 3, C and Fortran order, any byte order",
    .extensions = ".npy",
    .probe = probe,
    .inspect = inspect,
    .read_elements = mst_flat_read_elements,
    .read_rows = mst_flat_read_fortran_rows,
    .write = write_shard,
    .add_python = add_python,
};
