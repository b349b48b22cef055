/* SPDX-License-Identifier: Apache-2.0 */
#include "formats/zip.h"

#include <inttypes.h>
#include <string.h>

#include "base/shape.h"
#include "base/status.h"

#define END_BYTES 22
#define MAX_COMMENT 65535
#define LOCATOR_BYTES 20
#define END64_BYTES 56
#define ENTRY_BYTES 46
/* A million members; what is made of them takes more memory than the directory. */
#define MAX_DIRECTORY ((uint64_t)64 << 20)
#define ESCAPED_16 UINT16_MAX
#define ESCAPED_32 UINT32_MAX

/* What deflate makes of one byte at most, see zlib's "Technical Details". */
#define MAX_EXPANSION 1032

static uint16_t get_16(const unsigned char *at) { return (uint16_t)(at[0] | at[1] << 8); }

static uint32_t get_32(const unsigned char *at) {
  return get_16(at) | (uint32_t)get_16(at + 2) << 16;
}

static uint64_t get_64(const unsigned char *at) {
  return get_32(at) | (uint64_t)get_32(at + 4) << 32;
}

typedef struct mst_zip_file {
  int fd;
  const char *path;
  uint64_t size;
  muster_error *error;
} mst_zip_file;

static muster_status bad(const mst_zip_file *file, uint64_t offset, const char *what) {
  return mst_fail_at(file->error, MUSTER_ERR_FORMAT, file->path, (muster_offset)offset,
                     "damaged zip archive: %s", what);
}

static muster_status read_at(const mst_zip_file *file, uint64_t offset, void *data, size_t length) {
  return mst_io_read(file->fd, file->path, offset, data, length, file->error);
}

/* ---- the end of the archive ----------------------------------------------------------------- */

typedef struct mst_zip_end {
  uint64_t at; /* the directory ends here */
  uint64_t count;
  uint64_t bytes;
  uint64_t offset;
} mst_zip_end;

/* The record is the last thing in the file but for its comment. */
static bool find_end(const unsigned char *tail, size_t length, size_t *at) {
  if (length < END_BYTES) return false;
  for (size_t i = length - END_BYTES + 1; i-- > 0;)
    if (memcmp(tail + i, "PK\005\006", 4) == 0 && i + END_BYTES + get_16(tail + i + 20) == length) {
      *at = i;
      return true;
    }
  return false;
}

/* Archives that are too large for the old record have another one before it. */
static muster_status read_end64(const mst_zip_file *file, uint64_t end_at, mst_zip_end *end) {
  unsigned char locator[LOCATOR_BYTES], record[END64_BYTES];
  if (end_at < LOCATOR_BYTES + END64_BYTES) return MUSTER_OK;
  muster_status status = read_at(file, end_at - LOCATOR_BYTES, locator, sizeof locator);
  if (status != MUSTER_OK || memcmp(locator, "PK\006\007", 4) != 0) return status;
  const uint64_t at = get_64(locator + 8);
  if (at > end_at - LOCATOR_BYTES - END64_BYTES)
    return bad(file, end_at - LOCATOR_BYTES, "its zip64 record is not in it");
  status = read_at(file, at, record, sizeof record);
  if (status != MUSTER_OK) return status;
  if (memcmp(record, "PK\006\006", 4) != 0)
    return bad(file, at, "there is no zip64 record where it should be");
  *end = (mst_zip_end){.at = at,
                       .count = get_64(record + 32),
                       .bytes = get_64(record + 40),
                       .offset = get_64(record + 48)};
  return MUSTER_OK;
}

static muster_status read_end(const mst_zip_file *file, mst_zip_end *end) {
  const size_t length = (size_t)mst_smaller(file->size, END_BYTES + MAX_COMMENT);
  unsigned char *tail = mst_alloc(length + 1);
  if (tail == NULL) return mst_fail_memory(file->error);
  size_t at = 0;
  muster_status status = read_at(file, file->size - length, tail, length);
  if (status == MUSTER_OK && !find_end(tail, length, &at))
    status = bad(file, file->size, "its end is missing: copy the file again");
  if (status == MUSTER_OK) {
    const unsigned char *record = tail + at;
    *end = (mst_zip_end){.at = file->size - length + at,
                         .count = get_16(record + 10),
                         .bytes = get_32(record + 12),
                         .offset = get_32(record + 16)};
    const bool is_split = get_16(record + 4) != get_16(record + 6);
    const bool is_escaped =
        end->count == ESCAPED_16 || end->bytes == ESCAPED_32 || end->offset == ESCAPED_32;
    if (is_escaped)
      status = read_end64(file, end->at, end);
    else if (is_split)
      status = bad(file, end->at, "it is one part of several");
  }
  mst_free(tail);
  return status;
}

/* ---- the directory -------------------------------------------------------------------------- */

/* Replaces the sizes that stand in the extra field, in this order, when they are escaped. */
static bool read_extra(const unsigned char *extra, size_t length, mst_zip_entry *entry) {
  uint64_t *const wide[] = {&entry->size, &entry->packed, &entry->offset};
  size_t needed = 0;
  for (size_t i = 0; i < 3; i++)
    needed += *wide[i] == ESCAPED_32 ? 8 : 0;
  for (size_t at = 0; needed > 0 && length - at >= 4;) {
    const size_t bytes = get_16(extra + at + 2);
    if (bytes > length - at - 4) return false;
    if (get_16(extra + at) == 1) {
      if (bytes < needed) return false;
      const unsigned char *value = extra + at + 4;
      for (size_t i = 0; i < 3; i++) {
        if (*wide[i] != ESCAPED_32) continue;
        *wide[i] = get_64(value);
        value += 8;
      }
      return true;
    }
    at += 4 + bytes;
  }
  /* A size that happens to be the escape. */
  return true;
}

static muster_status read_entry(const mst_zip_file *file, const unsigned char *bytes, size_t left,
                                mst_zip *zip, size_t *taken) {
  if (left < ENTRY_BYTES || memcmp(bytes, "PK\001\002", 4) != 0)
    return bad(file, zip->directory, "its directory is broken");
  const size_t name = get_16(bytes + 28), extra = get_16(bytes + 30), comment = get_16(bytes + 32);
  *taken = ENTRY_BYTES + name + extra + comment;
  if (*taken > left) return bad(file, zip->directory, "its directory is cut off");
  mst_zip_entry entry = {.flags = get_16(bytes + 8),
                         .method = get_16(bytes + 10),
                         .crc = get_32(bytes + 16),
                         .packed = get_32(bytes + 20),
                         .size = get_32(bytes + 24),
                         .offset = get_32(bytes + 42)};
  if (memchr(bytes + ENTRY_BYTES, '\0', name) != NULL ||
      !read_extra(bytes + ENTRY_BYTES + name, extra, &entry))
    return bad(file, zip->directory, "an entry of its directory makes no sense");
  entry.name = mst_strndup((const char *)bytes + ENTRY_BYTES, name);
  if (entry.name != NULL && mst_vec_push(&zip->entries, entry)) return MUSTER_OK;
  mst_free(entry.name);
  return mst_fail_memory(file->error);
}

/* Bytes before the archive, such as a program that unpacks it, move all offsets. */
static muster_status place_directory(const mst_zip_file *file, const mst_zip_end *end, mst_zip *zip,
                                     uint64_t *moved) {
  if (end->bytes > end->at || end->offset > end->at - end->bytes)
    return bad(file, end->at, "its directory is not in it: copy the file again");
  if (end->bytes > MAX_DIRECTORY)
    return mst_fail(file->error, MUSTER_ERR_UNSUPPORTED, file->path,
                    "the directory takes %" PRIu64 " bytes; at most 64 MiB are read", end->bytes);
  zip->directory = end->at - end->bytes;
  *moved = zip->directory - end->offset;
  return MUSTER_OK;
}

static muster_status read_directory(const mst_zip_file *file, const mst_zip_end *end,
                                    mst_zip *zip) {
  uint64_t moved = 0;
  muster_status status = place_directory(file, end, zip, &moved);
  if (status != MUSTER_OK) return status;
  const size_t length = (size_t)end->bytes;
  unsigned char *bytes = mst_alloc(length + 1);
  if (bytes == NULL) return mst_fail_memory(file->error);
  status = read_at(file, zip->directory, bytes, length);
  size_t at = 0;
  while (status == MUSTER_OK && at < length && zip->entries.length < end->count) {
    size_t taken = 0;
    status = read_entry(file, bytes + at, length - at, zip, &taken);
    at += taken;
    if (status != MUSTER_OK) break;
    mst_zip_entry *entry = &zip->entries.data[zip->entries.length - 1];
    if (__builtin_add_overflow(entry->offset, moved, &entry->offset)) entry->offset = UINT64_MAX;
  }
  mst_free(bytes);
  if (status == MUSTER_OK && zip->entries.length != end->count)
    return bad(file, zip->directory, "its directory has fewer entries than it says");
  return status;
}

muster_status mst_zip_read(int fd, const char *path, uint64_t file_size, mst_zip *zip,
                           muster_error *error) {
  *zip = (mst_zip){0};
  const mst_zip_file file = {.fd = fd, .path = path, .size = file_size, .error = error};
  mst_zip_end end = {0};
  const muster_status status = read_end(&file, &end);
  return status == MUSTER_OK ? read_directory(&file, &end, zip) : status;
}

void mst_zip_reset(mst_zip *zip) {
  for (size_t i = 0; i < zip->entries.length; i++)
    mst_free(zip->entries.data[i].name);
  mst_vec_reset(&zip->entries);
}

/* ---- one member ----------------------------------------------------------------------------- */

muster_status mst_zip_find_data(int fd, const char *path, const mst_zip *zip,
                                const mst_zip_entry *entry, uint64_t *offset, muster_error *error) {
  const mst_zip_file file = {.fd = fd, .path = path, .error = error};
  const uint64_t room = zip->directory;
  unsigned char header[MST_ZIP_LOCAL_BYTES];
  if (room < sizeof header || entry->offset > room - sizeof header)
    return bad(&file, zip->directory, "a member is not in it: copy the file again");
  const muster_status status = read_at(&file, entry->offset, header, sizeof header);
  if (status != MUSTER_OK) return status;
  if (memcmp(header, MST_ZIP_LOCAL, 4) != 0)
    return bad(&file, entry->offset, "there is no member where one should be");
  if (get_16(header + 26) != strlen(entry->name))
    return bad(&file, entry->offset, "a member has another name than in the directory");
  const uint64_t data = entry->offset + sizeof header + get_16(header + 26) + get_16(header + 28);
  if (data > room || entry->packed > room - data)
    return mst_fail_at(error, MUSTER_ERR_FORMAT, path, (muster_offset)room,
                       "truncated: '%.100s' takes %" PRIu64 " bytes, %" PRIu64
                       " are there: copy the file again",
                       entry->name, entry->packed, data > room ? 0 : room - data);
  *offset = data;
  return MUSTER_OK;
}

muster_status mst_zip_check(const char *path, const mst_zip_entry *entry, muster_error *error) {
  /* Encrypted, strongly encrypted, directory encrypted. */
  if ((entry->flags & (1 << 0 | 1 << 6 | 1 << 13)) != 0)
    return mst_fail(error, MUSTER_ERR_UNSUPPORTED, path,
                    "'%.100s' is encrypted: unpack it with its password first", entry->name);
  if (entry->method != MST_ZIP_STORED && entry->method != MST_ZIP_DEFLATED)
    return mst_fail(error, MUSTER_ERR_UNSUPPORTED, path,
                    "'%.100s' is packed by method %u; stored and deflated members are read: save "
                    "it again with numpy.savez_compressed",
                    entry->name, entry->method);
  const bool is_stored = entry->method == MST_ZIP_STORED;
  if (is_stored ? entry->packed == entry->size : entry->size / MAX_EXPANSION <= entry->packed)
    return MUSTER_OK;
  return mst_fail(error, MUSTER_ERR_FORMAT, path,
                  "damaged: %" PRIu64 " bytes of '%.100s' cannot be %" PRIu64 " unpacked",
                  entry->packed, entry->name, entry->size);
}
