/* SPDX-License-Identifier: Apache-2.0 */
#include "base/io.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/uio.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/fault.h"
#include "base/shape.h"
#include "base/status.h"
#include "base/vec.h"

/* ---- the system calls, each of which a test can make fail ------------------------------------ */

static bool faulted(size_t *length) {
#ifdef MST_FAULTS
  const int errnum = mst_fault_hit_io(length);
  if (errnum != 0) errno = errnum;
  return errnum != 0;
#else
  (void)length;
  return false;
#endif
}

/* Calls until it is not interrupted by a signal. */
#define RETRY(result, call)                 \
  do {                                      \
    (result) = faulted(NULL) ? -1 : (call); \
  } while ((result) < 0 && errno == EINTR)

static int sys_open(const char *path, int flags, mode_t mode) {
  int fd;
  RETRY(fd, open(path, flags, mode));
  return fd;
}

static int sys_fstat(int fd, struct stat *out) {
  int result;
  RETRY(result, fstat(fd, out));
  return result;
}

static int sys_stat(const char *path, struct stat *out) {
  int result;
  RETRY(result, stat(path, out));
  return result;
}

static int sys_lstat_in(DIR *folder, const char *name, struct stat *out) {
  int result;
  RETRY(result, fstatat(dirfd(folder), name, out, AT_SYMLINK_NOFOLLOW));
  return result;
}

static ssize_t sys_pread(int fd, void *data, size_t length, uint64_t offset) {
  ssize_t got;
  do {
    got = faulted(&length) ? -1 : pread(fd, data, length, (off_t)offset);
  } while (got < 0 && errno == EINTR);
  return got;
}

static ssize_t sys_pwrite(int fd, const void *data, size_t length, uint64_t offset) {
  ssize_t put;
  do {
    put = faulted(&length) ? -1 : pwrite(fd, data, length, (off_t)offset);
  } while (put < 0 && errno == EINTR);
  return put;
}

static int sys_fsync(int fd) {
  int result;
  RETRY(result, fsync(fd));
  return result;
}

static int sys_syncfs(int fd) {
  int result;
  RETRY(result, syncfs(fd));
  return result;
}

static int sys_fallocate(int fd, uint64_t size) {
  int result;
  RETRY(result, fallocate(fd, 0, 0, (off_t)size));
  return result;
}

static int sys_ftruncate(int fd, uint64_t size) {
  int result;
  RETRY(result, ftruncate(fd, (off_t)size));
  return result;
}

static int sys_rename(const char *from, const char *to) {
  int result;
  RETRY(result, rename(from, to));
  return result;
}

static int sys_rename_new(const char *from, const char *to) {
  int result;
  RETRY(result, renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE));
  return result;
}

static int sys_unlink(const char *path) {
  int result;
  RETRY(result, unlink(path));
  return result;
}

static int sys_mkdir(const char *path) {
  int result;
  RETRY(result, mkdir(path, 0777));
  return result;
}

static int sys_rmdir(const char *path) {
  int result;
  RETRY(result, rmdir(path));
  return result;
}

static DIR *sys_opendir(const char *path) {
  DIR *folder;
  do {
    folder = faulted(NULL) ? NULL : opendir(path);
  } while (folder == NULL && errno == EINTR);
  return folder;
}

/* NULL with errno 0 at the end. */
static struct dirent *sys_readdir(DIR *folder) {
  struct dirent *entry;
  do {
    errno = 0;
    entry = faulted(NULL) ? NULL : readdir(folder);
  } while (entry == NULL && errno == EINTR);
  return entry;
}

/* Not to be tried again: after EINTR the descriptor is closed all the same on Linux. */
static int sys_close(int fd) {
  const bool fail = faulted(NULL);
  const int injected = errno;
  int result = close(fd);
  if (fail) {
    result = -1;
    errno = injected;
  }
  return result < 0 && errno == EINTR ? 0 : result;
}

/* ---- reading --------------------------------------------------------------------------------- */

muster_status mst_io_open(const char *path, int *fd, muster_error *error) {
  *fd = sys_open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK, 0);
  if (*fd >= 0) return MUSTER_OK;
  const int errnum = errno;
  const bool is_broken = errnum == ENOENT && mst_io_is_link(path);
  return mst_fail_errno(error, path, -1, errnum, is_broken ? "follow the link" : "open");
}

bool mst_io_is_link(const char *path) {
  struct stat info;
  return lstat(path, &info) == 0 && S_ISLNK(info.st_mode);
}

/* Measured on cold files: less than this the kernel reads ahead fast enough by itself. */
#define READ_AHEAD_BYTES ((uint64_t)4 << 20)

void mst_io_read_ahead(int fd, uint64_t bytes) {
  if (bytes >= READ_AHEAD_BYTES) (void)posix_fadvise(fd, 0, 0, POSIX_FADV_SEQUENTIAL);
}

int mst_io_open_direct(const char *path) {
  return sys_open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_DIRECT, 0);
}

bool mst_io_is_cached(int fd, uint64_t offset) {
  char byte;
  const struct iovec one = {.iov_base = &byte, .iov_len = 1};
  return preadv2(fd, &one, 1, (off_t)offset, RWF_NOWAIT) == 1;
}

void mst_io_close(int fd) {
  if (fd >= 0) (void)sys_close(fd);
}

static mst_stat stat_of(const struct stat *info) {
  return (mst_stat){
      .size = (uint64_t)info->st_size,
      .device = info->st_dev,
      .inode = info->st_ino,
      .mtime_ns = (int64_t)info->st_mtim.tv_sec * 1000000000 + info->st_mtim.tv_nsec,
      .mode = info->st_mode & 07777,
      .is_directory = S_ISDIR(info->st_mode),
      .is_regular = S_ISREG(info->st_mode),
  };
}

muster_status mst_io_fstat(int fd, const char *path, mst_stat *out, muster_error *error) {
  struct stat info;
  if (sys_fstat(fd, &info) < 0) return mst_fail_errno(error, path, -1, errno, "stat");
  *out = stat_of(&info);
  return MUSTER_OK;
}

muster_status mst_io_stat(const char *path, mst_stat *out, muster_error *error) {
  struct stat info;
  if (sys_stat(path, &info) < 0) return mst_fail_errno(error, path, -1, errno, "stat");
  *out = stat_of(&info);
  return MUSTER_OK;
}

bool mst_is_same_file(const char *a, const char *b) {
  mst_stat of_a = {0}, of_b = {0};
  if (strcmp(a, b) == 0) return true;
  return mst_io_stat(a, &of_a, NULL) == MUSTER_OK && mst_io_stat(b, &of_b, NULL) == MUSTER_OK &&
         of_a.device == of_b.device && of_a.inode == of_b.inode;
}

muster_status mst_io_find(const char *path, bool *found, muster_error *error) {
  struct stat info;
  *found = sys_stat(path, &info) == 0;
  if (*found || errno == ENOENT || errno == ENOTDIR) return MUSTER_OK;
  return mst_fail_errno(error, path, -1, errno, "stat");
}

/* Linux moves at most 0x7ffff000 bytes in one call. */
#define MAX_TRANSFER ((size_t)1 << 30)

static muster_status read_straight(int fd, const char *path, uint64_t offset, void *data,
                                   size_t length, size_t *got, muster_error *error) {
  *got = 0;
  while (*got < length) {
    const size_t left = length - *got;
    const ssize_t step = sys_pread(fd, (char *)data + *got,
                                   left < MAX_TRANSFER ? left : MAX_TRANSFER, offset + *got);
    if (step < 0) return mst_fail_errno(error, path, (muster_offset)(offset + *got), errno, "read");
    if (step == 0) break;
    *got += (size_t)step;
  }
  return MUSTER_OK;
}

#define PAGE_BYTES ((size_t)4096)
#define DETOUR_BYTES ((size_t)64 << 10)

/*
 * AMD's Zen 3 and its kin copy at two fifths of their rate (`rep movsb`, which the kernel copies
 * with) to where an address within its page is 1 to 31 bytes ahead of where it is read. So are
 * files without a header and large arrays of NumPy, which begin 16 bytes behind a page.
 */
static bool copies_slowly(const void *data, uint64_t offset) {
#ifdef __x86_64__
  const uint64_t ahead = ((uintptr_t)data - offset) % PAGE_BYTES;
  return ahead > 0 && ahead < 32 && __builtin_cpu_is("amdfam19h");
#else
  (void)data;
  (void)offset;
  return false;
#endif
}

/* By memory that stays in the cache, half a page away from the place in the file. */
static muster_status read_by_detour(int fd, const char *path, uint64_t offset, char *data,
                                    size_t length, size_t *got, muster_error *error) {
  char room[DETOUR_BYTES + PAGE_BYTES];
  char *block = room + (offset + PAGE_BYTES / 2 - (uintptr_t)room) % PAGE_BYTES;
  muster_status status = MUSTER_OK;
  size_t step = DETOUR_BYTES;
  for (*got = 0; status == MUSTER_OK && *got < length && step == DETOUR_BYTES; *got += step) {
    const size_t now = (size_t)mst_smaller(DETOUR_BYTES, length - *got);
    status = read_straight(fd, path, offset + *got, block, now, &step, error);
    memcpy(data + *got, block, step);
  }
  return status;
}

muster_status mst_io_read_some(int fd, const char *path, uint64_t offset, void *data, size_t length,
                               size_t *got, muster_error *error) {
  if (length >= DETOUR_BYTES && copies_slowly(data, offset))
    return read_by_detour(fd, path, offset, data, length, got, error);
  return read_straight(fd, path, offset, data, length, got, error);
}

bool mst_io_read_next(int fd, void *data, size_t length, size_t *got, int *errnum) {
  ssize_t step;
  RETRY(step, read(fd, data, length));
  *got = step > 0 ? (size_t)step : 0;
  *errnum = step < 0 ? errno : 0;
  return step > 0;
}

bool mst_io_write_next(int fd, const void *data, size_t length) {
  ssize_t step = 0;
  for (size_t put = 0; put < length; put += (size_t)step) {
    RETRY(step, write(fd, (const char *)data + put, length - put));
    if (step < 0) return false;
  }
  return true;
}

muster_status mst_io_read_aligned(int fd, const char *path, uint64_t offset, void *data,
                                  size_t length, size_t *got, muster_error *error) {
  *got = 0;
  while (*got < length) {
    const ssize_t step = sys_pread(fd, (char *)data + *got, length - *got, offset + *got);
    if (step < 0) return mst_fail_errno(error, path, (muster_offset)(offset + *got), errno, "read");
    *got += (size_t)step;
    /* What is not aligned was cut by the file's end. */
    if (step == 0 || (size_t)step % MST_DIRECT_ALIGNMENT != 0) break;
  }
  return MUSTER_OK;
}

muster_status mst_io_read(int fd, const char *path, uint64_t offset, void *data, size_t length,
                          muster_error *error) {
  size_t got;
  const muster_status status = mst_io_read_some(fd, path, offset, data, length, &got, error);
  if (status != MUSTER_OK || got == length) return status;
  return mst_fail_at(error, MUSTER_ERR_CHANGED, path, (muster_offset)(offset + got),
                     "the file ends here, %zu bytes early: it was cut while it was being read",
                     length - got);
}

static muster_status read_whole(int fd, const char *path, size_t limit, char **data, size_t *length,
                                muster_error *error) {
  mst_stat info = {0};
  muster_status status = mst_io_fstat(fd, path, &info, error);
  if (status != MUSTER_OK) return status;
  if (!info.is_regular) return mst_fail(error, MUSTER_ERR_FORMAT, path, "not a regular file");
  if (info.size > limit)
    return mst_fail(error, MUSTER_ERR_FORMAT, path, "%llu bytes; at most %zu are read",
                    (unsigned long long)info.size, limit);
  *data = mst_alloc((size_t)info.size + 1);
  if (*data == NULL) return mst_fail_memory(error);
  status = mst_io_read_some(fd, path, 0, *data, (size_t)info.size, length, error);
  if (status != MUSTER_OK) {
    mst_free(*data);
    *data = NULL;
    return status;
  }
  (*data)[*length] = '\0';
  return MUSTER_OK;
}

muster_status mst_io_read_file(const char *path, size_t limit, char **data, size_t *length,
                               muster_error *error) {
  *data = NULL;
  *length = 0;
  int fd;
  muster_status status = mst_io_open(path, &fd, error);
  if (status != MUSTER_OK) return status;
  status = read_whole(fd, path, limit, data, length, error);
  mst_io_close(fd);
  return status;
}

/* ---- lists of names -------------------------------------------------------------------------- */

void mst_names_reset(mst_names *names) {
  for (size_t i = 0; i < names->length; i++)
    mst_free(names->data[i]);
  mst_vec_reset(names);
}

bool mst_names_take(mst_names *names, char *name) {
  if (name != NULL && mst_vec_push(names, name)) return true;
  mst_free(name);
  return false;
}

/* The next one but for "." and ".."; *out is NULL at the end. */
static muster_status next_entry(DIR *folder, const char *path, struct dirent **out,
                                muster_error *error) {
  do {
    *out = sys_readdir(folder);
    if (*out == NULL && errno != 0) return mst_fail_errno(error, path, -1, errno, "list");
  } while (*out != NULL && (strcmp((*out)->d_name, ".") == 0 || strcmp((*out)->d_name, "..") == 0));
  return MUSTER_OK;
}

static muster_status list_open_folder(DIR *folder, const char *path, mst_names *names,
                                      muster_error *error) {
  for (;;) {
    struct dirent *entry;
    const muster_status status = next_entry(folder, path, &entry, error);
    if (status != MUSTER_OK || entry == NULL) return status;
    mst_str name = {0};
    mst_str_add(&name, entry->d_name);
    if (entry->d_type == DT_DIR) mst_str_add(&name, "/");
    if (!mst_names_take(names, mst_str_take(&name))) return mst_fail_memory(error);
  }
}

muster_status mst_io_list(const char *folder, mst_names *names, muster_error *error) {
  DIR *opened = sys_opendir(folder);
  if (opened == NULL) return mst_fail_errno(error, folder, -1, errno, "open the folder");
  const muster_status status = list_open_folder(opened, folder, names, error);
  closedir(opened);
  return status;
}

void mst_entries_reset(mst_entries *entries) {
  for (size_t i = 0; i < entries->length; i++)
    mst_free(entries->data[i].name);
  mst_vec_reset(entries);
}

/* Not all file systems tell the kind with the name. */
static mst_entry_kind kind_of(DIR *folder, const struct dirent *entry) {
  struct stat info;
  switch (entry->d_type) {
  case DT_REG: return MST_ENTRY_FILE;
  case DT_DIR: return MST_ENTRY_FOLDER;
  case DT_LNK: return MST_ENTRY_LINK;
  case DT_UNKNOWN: break;
  default: return MST_ENTRY_OTHER;
  }
  if (sys_lstat_in(folder, entry->d_name, &info) < 0) return MST_ENTRY_OTHER;
  if (S_ISREG(info.st_mode)) return MST_ENTRY_FILE;
  if (S_ISDIR(info.st_mode)) return MST_ENTRY_FOLDER;
  return S_ISLNK(info.st_mode) ? MST_ENTRY_LINK : MST_ENTRY_OTHER;
}

static muster_status list_open_entries(DIR *folder, const char *path, mst_entries *entries,
                                       muster_error *error) {
  for (;;) {
    struct dirent *found;
    const muster_status status = next_entry(folder, path, &found, error);
    if (status != MUSTER_OK || found == NULL) return status;
    const mst_entry entry = {mst_strdup(found->d_name), kind_of(folder, found)};
    if (entry.name == NULL || !mst_vec_push(entries, entry)) {
      mst_free(entry.name);
      return mst_fail_memory(error);
    }
  }
}

muster_status mst_io_list_entries(const char *folder, mst_entries *entries, muster_error *error) {
  DIR *opened = sys_opendir(folder);
  if (opened == NULL) return mst_fail_errno(error, folder, -1, errno, "open the folder");
  const muster_status status = list_open_entries(opened, folder, entries, error);
  closedir(opened);
  return status;
}

static int compare_names(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

static int keep_glob_error(const char *path, int errnum) {
  (void)path;
  return errnum == EACCES || errnum == EIO; /* a folder that is no folder simply does not match */
}

/* glob sorts by the locale when it sorts. */
static int sys_glob(const char *pattern, glob_t *found) {
  int result;
  do {
    globfree(found);
    errno = 0;
    result = faulted(NULL) ? GLOB_ABORTED : glob(pattern, GLOB_NOSORT, keep_glob_error, found);
  } while (result == GLOB_ABORTED && errno == EINTR);
  return result;
}

muster_status mst_io_glob(const char *pattern, mst_names *paths, muster_error *error) {
  glob_t found = {0};
  const int result = sys_glob(pattern, &found);
  muster_status status = MUSTER_OK;
  if (result == GLOB_NOSPACE) status = mst_fail_memory(error);
  if (result == GLOB_ABORTED)
    status = mst_fail_errno(error, pattern, -1, errno != 0 ? errno : EIO,
                            "list a folder of this pattern");
  for (size_t i = 0; result == 0 && status == MUSTER_OK && i < found.gl_pathc; i++) {
    if (!mst_names_take(paths, mst_strdup(found.gl_pathv[i]))) status = mst_fail_memory(error);
  }
  globfree(&found);
  if (paths->length > 0) qsort(paths->data, paths->length, sizeof *paths->data, compare_names);
  return status;
}

/* ---- writing --------------------------------------------------------------------------------- */

muster_status mst_io_create(const char *path, int *fd, muster_error *error) {
  *fd = sys_open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (*fd < 0) return mst_fail_errno(error, path, -1, errno, "create the file");
  return MUSTER_OK;
}

muster_status mst_io_close_written(int fd, const char *path, muster_error *error) {
  if (sys_close(fd) < 0) return mst_fail_errno(error, path, -1, errno, "close");
  return MUSTER_OK;
}

muster_status mst_io_write(int fd, const char *path, uint64_t offset, const void *data,
                           size_t length, muster_error *error) {
  size_t put = 0;
  while (put < length) {
    const size_t left = length - put;
    const ssize_t step = sys_pwrite(fd, (const char *)data + put,
                                    left < MAX_TRANSFER ? left : MAX_TRANSFER, offset + put);
    if (step < 0) return mst_fail_errno(error, path, (muster_offset)(offset + put), errno, "write");
    put += (size_t)step;
  }
  return MUSTER_OK;
}

muster_status mst_io_set_mode(int fd, const char *path, uint32_t mode, muster_error *error) {
  int result;
  RETRY(result, fchmod(fd, mode));
  if (result < 0) return mst_fail_errno(error, path, -1, errno, "set the permissions");
  return MUSTER_OK;
}

char *mst_io_resolve(const char *path) {
  char *real = realpath(path, NULL);
  if (real == NULL) return mst_strdup(path);
  char *copy = mst_strdup(real);
  free(real); /* realpath's own memory, not ours. */
  return copy;
}

muster_status mst_io_sync(int fd, const char *path, muster_error *error) {
  if (sys_fsync(fd) < 0) return mst_fail_errno(error, path, -1, errno, "sync");
  return MUSTER_OK;
}

muster_status mst_io_reserve(int fd, const char *path, uint64_t size, muster_error *error) {
  if (size == 0 || sys_fallocate(fd, size) == 0) return MUSTER_OK;
  /* Where space cannot be reserved the size is set all the same: rows arrive in any order. */
  if ((errno == EOPNOTSUPP || errno == ENOSYS) && sys_ftruncate(fd, size) == 0) return MUSTER_OK;
  return mst_fail_errno(error, path, -1, errno, "reserve space for the file");
}

muster_status mst_io_rename(const char *from, const char *to, muster_error *error) {
  if (sys_rename(from, to) < 0) return mst_fail_errno(error, to, -1, errno, "put it in its place");
  return MUSTER_OK;
}

muster_status mst_io_rename_new(const char *from, const char *to, muster_error *error) {
  int result = sys_rename_new(from, to);
  if (result < 0 && (errno == EINVAL || errno == ENOSYS)) {
    /* File systems without that flag: a folder that comes up just now fails unless it is empty. */
    bool found;
    const muster_status status = mst_io_find(to, &found, error);
    if (status != MUSTER_OK) return status;
    errno = EEXIST;
    result = found ? -1 : sys_rename(from, to);
  }
  if (result < 0) return mst_fail_errno(error, to, -1, errno, "put it in its place");
  return MUSTER_OK;
}

muster_status mst_io_make_folder(const char *path, muster_error *error) {
  if (sys_mkdir(path) < 0) return mst_fail_errno(error, path, -1, errno, "create the folder");
  return MUSTER_OK;
}

uint64_t mst_io_free_space(const char *folder) {
  struct statvfs info;
  if (statvfs(folder, &info) != 0 || info.f_blocks == 0) return UINT64_MAX;
  uint64_t bytes;
  return __builtin_mul_overflow(info.f_bavail, info.f_frsize, &bytes) ? UINT64_MAX : bytes;
}

muster_status mst_io_open_folder(const char *folder, int *fd, muster_error *error) {
  *fd = sys_open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);
  if (*fd < 0) return mst_fail_errno(error, folder, -1, errno, "open the folder");
  return MUSTER_OK;
}

muster_status mst_io_sync_folder(int fd, const char *folder, muster_error *error) {
  /* Some network file systems cannot sync a folder: EINVAL says so and is no failure. */
  if (sys_fsync(fd) == 0 || errno == EINVAL) return MUSTER_OK;
  return mst_fail_errno(error, folder, -1, errno,
                        "sync the folder; what was written is in its place");
}

muster_status mst_io_sync_file_system(const char *folder, muster_error *error) {
  int fd;
  muster_status status = mst_io_open_folder(folder, &fd, error);
  if (status != MUSTER_OK) return status;
  if (sys_syncfs(fd) < 0) status = mst_fail_errno(error, folder, -1, errno, "write to the disk");
  (void)sys_close(fd);
  return status;
}

muster_status mst_io_remove(const char *path, muster_error *error) {
  if (sys_unlink(path) < 0) return mst_fail_errno(error, path, -1, errno, "remove");
  return MUSTER_OK;
}

muster_status mst_io_remove_folder(const char *path, bool *removed, muster_error *error) {
  *removed = sys_rmdir(path) == 0;
  if (!*removed && errno != ENOTEMPTY && errno != EEXIST)
    return mst_fail_errno(error, path, -1, errno, "remove the folder");
  return MUSTER_OK;
}

/* ---- memory ---------------------------------------------------------------------------------- */

/* A number in a small file of the kernel, after `key`; UINT64_MAX when there is none ("max"). */
static uint64_t kernel_number(const char *path, const char *key) {
  char text[4096];
  size_t got = 0;
  const int fd = sys_open(path, O_RDONLY | O_CLOEXEC, 0);
  if (fd < 0) return UINT64_MAX;
  const muster_status status = mst_io_read_some(fd, path, 0, text, sizeof text - 1, &got, NULL);
  (void)sys_close(fd);
  if (status != MUSTER_OK) return UINT64_MAX;
  text[got] = '\0';
  const char *at = strstr(text, key);
  if (at == NULL) return UINT64_MAX;
  at += strlen(key);
  while (*at == ' ')
    at++;
  return *at >= '0' && *at <= '9' ? strtoull(at, NULL, 10) : UINT64_MAX;
}

uint64_t mst_io_available_memory(void) {
  uint64_t bytes = kernel_number("/proc/meminfo", "MemAvailable:");
  if (bytes != UINT64_MAX) bytes *= 1024;
  /* Limits of the container, version 2 and 1 of control groups. */
  bytes = mst_smaller(bytes, kernel_number("/sys/fs/cgroup/memory.max", ""));
  bytes = mst_smaller(bytes, kernel_number("/sys/fs/cgroup/memory/memory.limit_in_bytes", ""));
  struct rlimit limit;
  if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
    bytes = mst_smaller(bytes, limit.rlim_cur);
  return bytes;
}
