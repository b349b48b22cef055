/* SPDX-License-Identifier: Apache-2.0 */
/*
 * NumPy's archives of npy files. What is stored lies in the archive as in a file of its own; what
 * is deflated can be read from its beginning only. docs/formats/npz.md.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/shape.h"
#include "base/status.h"
#include "base/vec.h"
#include "formats/flat.h"
#include "formats/members.h"
#include "formats/npy_header.h"
#include "formats/npz.h"
#include "formats/zip.h"

/* Enough for nearly every npy header. */
#define HEAD_BYTES 1024

static int probe(const mst_probe *p) {
  const bool is_zip =
      p->head_length >= MST_ZIP_LOCAL_BYTES && memcmp(p->head, MST_ZIP_LOCAL, 4) == 0;
  if (is_zip) {
    const size_t length = (size_t)(p->head[26] | p->head[27] << 8);
    const char *name = (const char *)p->head + MST_ZIP_LOCAL_BYTES;
    if (length >= 4 && length <= p->head_length - MST_ZIP_LOCAL_BYTES &&
        memcmp(name + length - 4, ".npy", 4) == 0)
      return MST_PROBE_MAGIC;
  }
  return mst_has_extension(p->path, ".npz") ? MST_PROBE_EXTENSION : MST_PROBE_NO;
}

/* ---- the members ---------------------------------------------------------------------------- */

/* An archive whose directory was read. */
typedef struct mst_npz {
  int fd;
  const char *path;
  mst_zip zip;
} mst_npz;

/* A member, and where it lies. */
typedef struct mst_npz_member {
  const mst_zip_entry *entry;
  uint64_t offset;
  mst_npy_header header;
} mst_npz_member;

/* The first bytes of a member, as many as it has, into memory of its own. */
static muster_status read_start(const mst_npz *npz, const mst_npz_member *member, size_t length,
                                unsigned char *bytes, muster_error *error) {
  if (member->entry->method == MST_ZIP_STORED)
    return mst_io_read(npz->fd, npz->path, member->offset, bytes, length, error);
  const mst_deflated data = {
      .fd = npz->fd, .path = npz->path, .offset = member->offset, .packed = member->entry->packed};
  mst_inflate *reader;
  muster_status status = mst_inflate_new(&data, &reader, error);
  if (status == MUSTER_OK) status = mst_inflate_read(reader, bytes, length, error);
  mst_inflate_free(reader);
  return status;
}

static muster_status parse_header(const mst_npz *npz, mst_npz_member *member,
                                  const unsigned char *head, size_t head_length,
                                  muster_error *error) {
  size_t length = 0;
  muster_status status =
      mst_npy_header_length(npz->path, head, head_length, member->entry->size, &length, error);
  if (status != MUSTER_OK) return status;
  if (length <= head_length)
    return mst_npy_header_parse(npz->path, head, length, &member->header, error);
  unsigned char *bytes = mst_alloc(length);
  if (bytes == NULL) return mst_fail_memory(error);
  status = read_start(npz, member, length, bytes, error);
  if (status == MUSTER_OK)
    status = mst_npy_header_parse(npz->path, bytes, length, &member->header, error);
  mst_free(bytes);
  return status;
}

/* Offsets that an npy header tells are those within the member. */
static muster_status say_which(const mst_npz_member *member, muster_status status,
                               muster_error *error) {
  if (error != NULL && status != MUSTER_OK && status != MUSTER_ERR_MEMORY) {
    const muster_error inner = *error;
    snprintf(error->message, sizeof error->message, "'%.100s': %.380s", member->entry->name,
             inner.message);
    if (status != MUSTER_ERR_IO) error->offset = -1;
  }
  return status;
}

static muster_status read_member(const mst_npz *npz, const mst_zip_entry *entry,
                                 mst_npz_member *member, muster_error *error) {
  unsigned char head[HEAD_BYTES];
  *member = (mst_npz_member){.entry = entry};
  muster_status status = mst_zip_check(npz->path, entry, error);
  if (status == MUSTER_OK)
    status = mst_zip_find_data(npz->fd, npz->path, &npz->zip, entry, &member->offset, error);
  if (status != MUSTER_OK) return status;
  const size_t length = (size_t)mst_smaller(entry->size, sizeof head);
  status = read_start(npz, member, length, head, error);
  if (status == MUSTER_OK) status = parse_header(npz, member, head, length, error);
  return say_which(member, status, error);
}

/* The name without its ".npy"; NULL: it has none, and is no array. */
static char *array_name(const mst_zip_entry *entry, bool *is_array) {
  const size_t length = strlen(entry->name);
  *is_array = length > 4 && memcmp(entry->name + length - 4, ".npy", 4) == 0;
  return *is_array ? mst_strndup(entry->name, length - 4) : NULL;
}

typedef MST_VEC(const mst_zip_entry *) mst_zip_entries;

/* All arrays, or those of numbers. What is damaged is not left out, but told by inspect. */
static muster_status list_arrays(const mst_npz *npz, bool only_numbers, mst_names *names,
                                 mst_zip_entries *entries, muster_error *error) {
  for (size_t i = 0; i < npz->zip.entries.length; i++) {
    const mst_zip_entry *entry = &npz->zip.entries.data[i];
    bool is_array;
    char *name = array_name(entry, &is_array);
    if (!is_array) continue;
    mst_npz_member member;
    muster_status status = MUSTER_OK;
    if (name != NULL && only_numbers) status = read_member(npz, entry, &member, NULL);
    if (status == MUSTER_ERR_UNSUPPORTED && entry->method <= MST_ZIP_DEFLATED) {
      mst_free(name);
      continue;
    }
    if (!mst_names_take(names, name) || !mst_vec_push(entries, entry))
      return mst_fail_memory(error);
  }
  return MUSTER_OK;
}

static muster_status list_members(const char *path, const muster_open_options *options,
                                  mst_names *members, muster_error *error) {
  (void)options;
  mst_npz npz = {.path = path};
  mst_stat stat;
  mst_zip_entries entries = {0};
  muster_status status = mst_io_open(path, &npz.fd, error);
  if (status == MUSTER_OK) status = mst_io_fstat(npz.fd, path, &stat, error);
  if (status == MUSTER_OK) status = mst_zip_read(npz.fd, path, stat.size, &npz.zip, error);
  if (status == MUSTER_OK) status = list_arrays(&npz, true, members, &entries, error);
  mst_vec_reset(&entries);
  mst_zip_reset(&npz.zip);
  mst_io_close(npz.fd);
  return status;
}

/* NumPy takes the last of several with one name; here it is the sign of a mistake. */
static muster_status check_once(const mst_npz *npz, const mst_names *names, size_t index,
                                muster_error *error) {
  for (size_t i = 0; i < names->length; i++)
    if (i != index && strcmp(names->data[i], names->data[index]) == 0)
      return mst_fail(error, MUSTER_ERR_FORMAT, npz->path,
                      "holds '%.100s' more than once: save it again", names->data[index]);
  return MUSTER_OK;
}

/* *name is the caller's. */
static muster_status choose_member(const mst_npz *npz, const char *wanted,
                                   const mst_zip_entry **entry, char **name, muster_error *error) {
  mst_names names = {0};
  mst_zip_entries entries = {0};
  size_t index = 0;
  muster_status status = list_arrays(npz, wanted == NULL, &names, &entries, error);
  /* Nothing but text and objects: the first says why it is not read. */
  if (status == MUSTER_OK && names.length == 0 && wanted == NULL)
    status = list_arrays(npz, false, &names, &entries, error);
  if (status == MUSTER_OK)
    status = mst_members_find(npz->path, &names, wanted, "array", &index, error);
  if (status == MUSTER_OK) status = check_once(npz, &names, index, error);
  if (status == MUSTER_OK) {
    *entry = entries.data[index];
    *name = names.data[index];
    names.data[index] = NULL;
  }
  mst_vec_reset(&entries);
  mst_names_reset(&names);
  return status;
}

/* ---- the metadata --------------------------------------------------------------------------- */

static muster_status check_size(const char *path, const mst_npz_member *member, mst_str *note,
                                muster_error *error) {
  const mst_schema *schema = &member->header.schema;
  const size_t itemsize =
      schema->dtype.type != MUSTER_NO_TYPE ? muster_type_size(schema->dtype.type) : schema->opaque;
  uint64_t elements;
  if (!mst_shape_elements(schema->rank, schema->shape, itemsize, &elements) ||
      elements * itemsize > MST_MAX_BYTES - member->header.data_offset)
    return mst_fail(error, MUSTER_ERR_FORMAT, path, "the shape is too large");
  const uint64_t expected = member->header.data_offset + elements * itemsize;
  const uint64_t found = member->entry->size;
  if (found < expected) {
    (void)mst_fail(error, MUSTER_ERR_FORMAT, path,
                   "truncated: expected %" PRIu64 " bytes, found %" PRIu64 ": save it again",
                   expected, found);
    return mst_tell_sizes(error, MUSTER_ERR_FORMAT, found, expected);
  }
  if (found > expected)
    mst_str_addf(note, "%" PRIu64 " bytes behind the array are passed over", found - expected);
  return MUSTER_OK;
}

static muster_status keep_detail(const mst_npz_member *member, char *name, mst_shard *shard,
                                 muster_error *error) {
  mst_npz_detail *detail = mst_calloc(1, sizeof *detail);
  shard->detail = detail;
  if (detail != NULL) detail->name = mst_strdup(name);
  if (detail == NULL || detail->name == NULL) return mst_fail_memory(error);
  detail->rank = member->header.schema.rank;
  if (member->entry->method == MST_ZIP_STORED) return MUSTER_OK;
  shard->by_rows = true;
  detail->data = (mst_deflated){
      .fd = -1, .path = shard->path, .offset = member->offset, .packed = member->entry->packed};
  detail->size = member->entry->size;
  detail->crc = member->entry->crc;
  detail->header = (uint32_t)member->header.data_offset;
  return MUSTER_OK;
}

static muster_status inspect_member(const mst_npz *npz, const char *wanted, mst_schema *schema,
                                    mst_shard *shard, mst_str *note, muster_error *error) {
  const mst_zip_entry *entry = NULL;
  char *name = NULL;
  mst_npz_member member = {0};
  muster_status status = choose_member(npz, wanted, &entry, &name, error);
  if (status == MUSTER_OK) status = read_member(npz, entry, &member, error);
  if (status == MUSTER_OK)
    status = say_which(&member, check_size(npz->path, &member, note, error), error);
  if (status == MUSTER_OK) {
    *schema = member.header.schema;
    shard->data_offset = member.offset + member.header.data_offset;
    shard->fortran = member.header.fortran && schema->rank > 1;
    status = keep_detail(&member, name, shard, error);
  }
  mst_free(name);
  return status;
}

static muster_status inspect(const mst_source *source, mst_schema *schema, mst_shard *shard,
                             mst_str *note, muster_error *error) {
  mst_npz npz = {.fd = source->fd, .path = source->path};
  const char *wanted = source->member != NULL ? source->member : source->options->dataset;
  muster_status status = mst_zip_read(npz.fd, npz.path, source->stat->size, &npz.zip, error);
  if (status == MUSTER_OK) status = inspect_member(&npz, wanted, schema, shard, note, error);
  mst_zip_reset(&npz.zip);
  return status;
}

static void forget(void *kept) {
  mst_npz_detail *detail = kept;
  mst_free(detail->name);
  mst_free(detail);
}

/* ---- reading -------------------------------------------------------------------------------- */

static bool band(const mst_shard *shard, uint64_t row, uint64_t *lo, uint64_t *hi) {
  (void)row;
  *lo = 0;
  *hi = shard->rows;
  return mst_npz_is_deflated(shard);
}

static muster_status read_rows(const mst_open_shard *open, uint64_t lo, uint64_t hi, void *dst,
                               const int64_t *strides, muster_error *error) {
  return mst_npz_is_deflated(open->shard)
             ? mst_npz_read_rows(open, lo, hi, dst, strides, error)
             : mst_flat_read_fortran_rows(open, lo, hi, dst, strides, error);
}

/* ---- recipes -------------------------------------------------------------------------------- */

static const char *python_member(const mst_shard *shard) {
  return ((const mst_npz_detail *)shard->detail)->name;
}

static void add_python(const mst_python_shards *python, mst_str *out) {
  mst_str_add(out, "    with np.load(path) as archive:  # an array is read as a whole\n"
                   "        return archive[");
  mst_members_add_python(out, python);
  mst_str_addf(out, "]%s\n", python->stack ? "[np.newaxis]" : "");
}

const mst_format mst_format_npz = {
    .name = "npz",
    .summary = "NumPy's archives of arrays, stored or deflated",
    .extensions = ".npz",
    .probe = probe,
    .list_members = list_members,
    .inspect = inspect,
    .forget = forget,
    .open = mst_npz_open,
    .close = mst_npz_close,
    .band = band,
    .read_elements = mst_flat_read_elements,
    .read_rows = read_rows,
    .python_member = python_member,
    .add_python = add_python,
};
