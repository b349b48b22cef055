/* SPDX-License-Identifier: Apache-2.0 */
#include "base/system.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/uio.h>
#include <unistd.h>

#include "base/fault.h"

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

int mst_sys_open(const char *path, int flags, mode_t mode) {
  int fd;
  RETRY(fd, open(path, flags, mode));
  return fd;
}

int mst_sys_fstat(int fd, struct stat *out) {
  int result;
  RETRY(result, fstat(fd, out));
  return result;
}

int mst_sys_stat(const char *path, struct stat *out) {
  int result;
  RETRY(result, stat(path, out));
  return result;
}

int mst_sys_lstat_in(DIR *folder, const char *name, struct stat *out) {
  int result;
  RETRY(result, fstatat(dirfd(folder), name, out, AT_SYMLINK_NOFOLLOW));
  return result;
}

ssize_t mst_sys_pread(int fd, void *data, size_t length, uint64_t offset) {
  ssize_t got;
  do {
    got = faulted(&length) ? -1 : pread(fd, data, length, (off_t)offset);
  } while (got < 0 && errno == EINTR);
  return got;
}

ssize_t mst_sys_pwrite(int fd, const void *data, size_t length, uint64_t offset) {
  ssize_t put;
  do {
    put = faulted(&length) ? -1 : pwrite(fd, data, length, (off_t)offset);
  } while (put < 0 && errno == EINTR);
  return put;
}

int mst_sys_lstat(const char *path, struct stat *out) { return lstat(path, out); }

bool mst_sys_is_cached(int fd, uint64_t offset) {
  char byte;
  const struct iovec one = {.iov_base = &byte, .iov_len = 1};
  return preadv2(fd, &one, 1, (off_t)offset, RWF_NOWAIT) == 1;
}

ssize_t mst_sys_read(int fd, void *data, size_t length) {
  ssize_t got;
  RETRY(got, read(fd, data, length));
  return got;
}

ssize_t mst_sys_write(int fd, const void *data, size_t length) {
  ssize_t put;
  RETRY(put, write(fd, data, length));
  return put;
}

int mst_sys_fchmod(int fd, uint32_t mode) {
  int result;
  RETRY(result, fchmod(fd, mode));
  return result;
}

int mst_sys_statvfs(const char *folder, struct statvfs *out) { return statvfs(folder, out); }

char *mst_sys_realpath(const char *path) { return realpath(path, NULL); }

void mst_sys_free_path(char *path) { free(path); }

int mst_sys_fsync(int fd) {
  int result;
  RETRY(result, fsync(fd));
  return result;
}

int mst_sys_syncfs(int fd) {
  int result;
  RETRY(result, syncfs(fd));
  return result;
}

int mst_sys_fallocate(int fd, uint64_t size) {
  int result;
  RETRY(result, fallocate(fd, 0, 0, (off_t)size));
  return result;
}

int mst_sys_ftruncate(int fd, uint64_t size) {
  int result;
  RETRY(result, ftruncate(fd, (off_t)size));
  return result;
}

int mst_sys_rename(const char *from, const char *to) {
  int result;
  RETRY(result, rename(from, to));
  return result;
}

int mst_sys_rename_new(const char *from, const char *to) {
  int result;
  RETRY(result, renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE));
  return result;
}

int mst_sys_unlink(const char *path) {
  int result;
  RETRY(result, unlink(path));
  return result;
}

int mst_sys_mkdir(const char *path) {
  int result;
  RETRY(result, mkdir(path, 0777));
  return result;
}

int mst_sys_rmdir(const char *path) {
  int result;
  RETRY(result, rmdir(path));
  return result;
}

DIR *mst_sys_opendir(const char *path) {
  DIR *folder;
  do {
    folder = faulted(NULL) ? NULL : opendir(path);
  } while (folder == NULL && errno == EINTR);
  return folder;
}

void mst_sys_closedir(DIR *folder) { (void)closedir(folder); }

struct dirent *mst_sys_readdir(DIR *folder) {
  struct dirent *entry;
  do {
    errno = 0;
    entry = faulted(NULL) ? NULL : readdir(folder);
  } while (entry == NULL && errno == EINTR);
  return entry;
}

/* Not to be tried again: after EINTR the descriptor is closed all the same on Linux. */
int mst_sys_close(int fd) {
  const bool fail = faulted(NULL);
  const int injected = errno;
  int result = close(fd);
  if (fail) {
    result = -1;
    errno = injected;
  }
  return result < 0 && errno == EINTR ? 0 : result;
}

static int keep_glob_error(const char *path, int errnum) {
  (void)path;
  return errnum == EACCES || errnum == EIO; /* a folder that is no folder simply does not match */
}

int mst_sys_glob(const char *pattern, glob_t *found) {
  int result;
  do {
    globfree(found);
    errno = 0;
    result = faulted(NULL) ? GLOB_ABORTED : glob(pattern, GLOB_NOSORT, keep_glob_error, found);
  } while (result == GLOB_ABORTED && errno == EINTR);
  return result;
}
