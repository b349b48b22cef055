/* SPDX-License-Identifier: Apache-2.0 */
/* Writing, and changing what lies where: base/io.h. */
#include <errno.h>
#include <fcntl.h>

#include "base/io.h"
#include "base/status.h"
#include "base/system.h"

muster_status mst_io_create(const char *path, int *fd, muster_error *error) {
  *fd = mst_sys_open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (*fd < 0) return mst_fail_errno(error, path, -1, errno, "create the file");
  return MUSTER_OK;
}

muster_status mst_io_close_written(int fd, const char *path, muster_error *error) {
  if (mst_sys_close(fd) < 0) return mst_fail_errno(error, path, -1, errno, "close");
  return MUSTER_OK;
}

muster_status mst_io_write(int fd, const char *path, uint64_t offset, const void *data,
                           size_t length, muster_error *error) {
  size_t put = 0;
  while (put < length) {
    const ssize_t step = mst_sys_pwrite(fd, (const char *)data + put, length - put, offset + put);
    if (step < 0) return mst_fail_errno(error, path, (muster_offset)(offset + put), errno, "write");
    put += (size_t)step;
  }
  return MUSTER_OK;
}

bool mst_io_write_next(int fd, const void *data, size_t length) {
  for (size_t put = 0; put < length;) {
    const ssize_t step = mst_sys_write(fd, (const char *)data + put, length - put);
    if (step < 0) return false;
    put += (size_t)step;
  }
  return true;
}

muster_status mst_io_set_mode(int fd, const char *path, uint32_t mode, muster_error *error) {
  if (mst_sys_fchmod(fd, mode) < 0)
    return mst_fail_errno(error, path, -1, errno, "set the permissions");
  return MUSTER_OK;
}

muster_status mst_io_sync(int fd, const char *path, muster_error *error) {
  if (mst_sys_fsync(fd) < 0) return mst_fail_errno(error, path, -1, errno, "sync");
  return MUSTER_OK;
}

muster_status mst_io_reserve(int fd, const char *path, uint64_t size, muster_error *error) {
  if (size == 0 || mst_sys_fallocate(fd, size) == 0) return MUSTER_OK;
  /* Where space cannot be reserved the size is set all the same: rows arrive in any order. */
  if ((errno == EOPNOTSUPP || errno == ENOSYS) && mst_sys_ftruncate(fd, size) == 0)
    return MUSTER_OK;
  return mst_fail_errno(error, path, -1, errno, "reserve space for the file");
}

muster_status mst_io_rename(const char *from, const char *to, muster_error *error) {
  if (mst_sys_rename(from, to) < 0)
    return mst_fail_errno(error, to, -1, errno, "put it in its place");
  return MUSTER_OK;
}

muster_status mst_io_rename_new(const char *from, const char *to, muster_error *error) {
  int result = mst_sys_rename_new(from, to);
  if (result < 0 && (errno == EINVAL || errno == ENOSYS)) {
    /* File systems without that flag: a folder that comes up just now fails unless it is empty. */
    bool found;
    const muster_status status = mst_io_find(to, &found, error);
    if (status != MUSTER_OK) return status;
    errno = EEXIST;
    result = found ? -1 : mst_sys_rename(from, to);
  }
  if (result < 0) return mst_fail_errno(error, to, -1, errno, "put it in its place");
  return MUSTER_OK;
}

muster_status mst_io_make_folder(const char *path, muster_error *error) {
  if (mst_sys_mkdir(path) < 0) return mst_fail_errno(error, path, -1, errno, "create the folder");
  return MUSTER_OK;
}

uint64_t mst_io_free_space(const char *folder) {
  struct statvfs info;
  if (mst_sys_statvfs(folder, &info) != 0 || info.f_blocks == 0) return UINT64_MAX;
  uint64_t bytes;
  return __builtin_mul_overflow(info.f_bavail, info.f_frsize, &bytes) ? UINT64_MAX : bytes;
}

muster_status mst_io_open_folder(const char *folder, int *fd, muster_error *error) {
  *fd = mst_sys_open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);
  if (*fd < 0) return mst_fail_errno(error, folder, -1, errno, "open the folder");
  return MUSTER_OK;
}

muster_status mst_io_sync_folder(int fd, const char *folder, muster_error *error) {
  /* Some network file systems cannot sync a folder: EINVAL says so and is no failure. */
  if (mst_sys_fsync(fd) == 0 || errno == EINVAL) return MUSTER_OK;
  return mst_fail_errno(error, folder, -1, errno,
                        "sync the folder; what was written is in its place");
}

muster_status mst_io_sync_file_system(const char *folder, muster_error *error) {
  int fd;
  muster_status status = mst_io_open_folder(folder, &fd, error);
  if (status != MUSTER_OK) return status;
  if (mst_sys_syncfs(fd) < 0)
    status = mst_fail_errno(error, folder, -1, errno, "write to the disk");
  (void)mst_sys_close(fd);
  return status;
}

muster_status mst_io_remove(const char *path, muster_error *error) {
  if (mst_sys_unlink(path) < 0) return mst_fail_errno(error, path, -1, errno, "remove");
  return MUSTER_OK;
}

muster_status mst_io_remove_folder(const char *path, bool *removed, muster_error *error) {
  *removed = mst_sys_rmdir(path) == 0;
  if (!*removed && errno != ENOTEMPTY && errno != EEXIST)
    return mst_fail_errno(error, path, -1, errno, "remove the folder");
  return MUSTER_OK;
}
