/* SPDX-License-Identifier: Apache-2.0 */
#include "formats/hdf5/driver.h"

#include <string.h>

#include "base/alloc.h"
#include "base/status.h"

/* Addresses that a signed offset can hold. */
#define MOST_ADDRESS ((mst_h5_address)INT64_MAX)

typedef struct mst_h5_open_file {
  mst_h5_driver_file head;
  mst_h5_access *access;
  int fd;
  bool is_own; /* another file than that of the access */
  uint64_t size;
  mst_h5_address end; /* as the library wants it */
} mst_h5_open_file;

static mst_h5_open_file *file_of(mst_h5_driver_file *head) { return (mst_h5_open_file *)head; }
static const mst_h5_open_file *const_file_of(const mst_h5_driver_file *head) {
  return (const mst_h5_open_file *)head;
}

static mst_h5_result keep_fault(mst_h5_access *access, const muster_error *fault) {
  if (!access->has_fault) access->fault = *fault;
  access->has_fault = true;
  return -1;
}

/* Zeroed. The library's own words for a lack of memory would be others. */
static void *take_memory(mst_h5_access *access, size_t size) {
  void *memory = mst_calloc(1, size);
  muster_error fault;
  if (memory != NULL) return memory;
  (void)mst_fail_memory(&fault);
  (void)keep_fault(access, &fault);
  return NULL;
}

/* ---- which access a file belongs to ------------------------------------------------------------ */

/* The library hands on copies of what it got with the access list: a pointer to the access. */
static void *copy_info(const void *info) {
  mst_h5_access *const access = *(mst_h5_access *const *)info;
  mst_h5_access **copy = take_memory(access, sizeof *copy);
  if (copy != NULL) *copy = access;
  return copy;
}

static void *get_info(mst_h5_driver_file *head) { return copy_info(&file_of(head)->access); }

static mst_h5_result free_info(void *info) {
  mst_free(info);
  return 0;
}

/* ---- opening ----------------------------------------------------------------------------------- */

bool mst_h5_is_inside(const char *path, const char *other) {
  char *self = mst_io_resolve(path), *real = mst_io_resolve(other);
  bool inside = false;
  if (self != NULL && real != NULL) {
    const size_t folder = (size_t)(mst_base_name(self) - self);
    inside = strncmp(self, real, folder) == 0 && (folder > 0 || strchr(real, '/') == NULL);
  }
  mst_free(self);
  mst_free(real);
  return inside;
}

/* A source of a virtual dataset. The library looks for it in several places. */
static bool open_other(mst_h5_open_file *file, const char *name) {
  mst_h5_access *access = file->access;
  bool found = false;
  mst_stat stat;
  if (mst_io_find(name, &found, NULL) != MUSTER_OK || !found) return false;
  if (!access->follow_external && !mst_h5_is_inside(access->path, name)) return false;
  if (mst_io_open(name, &file->fd, NULL) != MUSTER_OK) return false;
  file->is_own = true;
  if (mst_io_fstat(file->fd, name, &stat, NULL) == MUSTER_OK && stat.is_regular) {
    file->size = stat.size;
    return true;
  }
  mst_io_close(file->fd);
  return false;
}

static mst_h5_driver_file *open_file(const char *name, unsigned flags, mst_h5_id list,
                                     mst_h5_address most) {
  (void)flags, (void)most;
  mst_h5_access *const *info = mst_h5_table()->driver_info(list);
  mst_h5_open_file *file = info != NULL ? take_memory(*info, sizeof *file) : NULL;
  if (file == NULL) return NULL;
  file->access = *info;
  file->fd = file->access->fd;
  file->size = file->access->size;
  if (strcmp(name, file->access->path) == 0 || open_other(file, name)) return &file->head;
  file->access->missed = true;
  mst_free(file);
  return NULL;
}

static mst_h5_result close_file(mst_h5_driver_file *head) {
  if (file_of(head)->is_own) mst_io_close(file_of(head)->fd);
  mst_free(head);
  return 0;
}

static mst_h5_result query(const mst_h5_driver_file *head, unsigned long *features) {
  (void)head;
  *features = MST_H5_ACCUMULATES;
  return 0;
}

/* ---- its extent -------------------------------------------------------------------------------- */

static mst_h5_address get_end(const mst_h5_driver_file *head, mst_h5_enum kind) {
  (void)kind;
  return const_file_of(head)->end;
}

static mst_h5_result set_end(mst_h5_driver_file *head, mst_h5_enum kind, mst_h5_address end) {
  (void)kind;
  file_of(head)->end = end;
  return 0;
}

static mst_h5_address file_end(const mst_h5_driver_file *head, mst_h5_enum kind) {
  (void)kind;
  return const_file_of(head)->size;
}

/* ---- bytes ------------------------------------------------------------------------------------- */

/* Behind its end a file is zeros to the library. */
static mst_h5_result read_bytes(mst_h5_driver_file *head, mst_h5_enum kind, mst_h5_id list,
                                mst_h5_address at, size_t size, void *buffer) {
  (void)list;
  const mst_h5_open_file *file = file_of(head);
  mst_h5_access *access = file->access;
  if (access->only_notes && kind == MST_H5_RAW_DATA) {
    access->has_note = true;
    access->noted_offset = at;
    access->noted_length = size;
    return 0;
  }
  size_t got = 0;
  muster_error fault;
  if (at < file->size &&
      mst_io_read_some(file->fd, access->path, at, buffer, size, &got, &fault) != MUSTER_OK)
    return keep_fault(access, &fault);
  memset((char *)buffer + got, 0, size - got);
  return 0;
}

static mst_h5_result write_bytes(mst_h5_driver_file *head, mst_h5_enum kind, mst_h5_id list,
                                 mst_h5_address at, size_t size, const void *buffer) {
  (void)kind, (void)list;
  mst_h5_open_file *file = file_of(head);
  muster_error fault;
  if (!file->access->is_new) return -1;
  if (mst_io_write(file->fd, file->access->path, at, buffer, size, &fault) != MUSTER_OK)
    return keep_fault(file->access, &fault);
  if (at + size > file->size) file->size = at + size;
  return 0;
}

/* Makes the file as long as the library wants it. */
static mst_h5_result truncate_file(mst_h5_driver_file *head, mst_h5_id list, bool closing) {
  (void)closing;
  mst_h5_open_file *file = file_of(head);
  if (!file->access->is_new || file->size >= file->end) return 0;
  return write_bytes(head, MST_H5_RAW_DATA, list, file->end - 1, 1, "");
}

#define HEAD                                                                            \
  {                                                                                     \
    .name = "muster", .most = MOST_ADDRESS, .close_degree = MST_H5_CLOSE_STRONG,        \
    .info_size = sizeof(mst_h5_access *), .info_get = get_info, .info_copy = copy_info, \
    .info_free = free_info, .open = open_file, .close = close_file, .query = query,     \
    .get_end = get_end, .set_end = set_end, .file_end = file_end, .read = read_bytes,   \
    .write = write_bytes                                                                \
  }
/* Kinds of memory that share free space: metadata, and raw data. */
#define MAP \
  { 1, 1, 1, 3, 3, 1, 1 }

const mst_h5_driver mst_h5_reading = {
    .head = HEAD, .tail = {.truncate = truncate_file}, .map = MAP};

const mst_h5_driver_1_14 mst_h5_reading_1_14 = {.version = MST_H5_DRIVER_VERSION,
                                                .value = MST_H5_DRIVER_VALUE,
                                                .head = HEAD,
                                                .tail = {.truncate = truncate_file},
                                                .map = MAP};
