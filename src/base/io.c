/* SPDX-License-Identifier: Apache-2.0 */
#include "base/io.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "base/alloc.h"
#include "base/shape.h"
#include "base/status.h"
#include "base/system.h"

/* ---- reading --------------------------------------------------------------------------------- */

muster_status mst_io_open(const char *path, int *fd, muster_error *error) {
  *fd = mst_sys_open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK, 0);
  if (*fd >= 0) return MUSTER_OK;
  const int errnum = errno;
  const bool is_broken = errnum == ENOENT && mst_io_is_link(path);
  return mst_fail_errno(error, path, -1, errnum, is_broken ? "follow the link" : "open");
}

bool mst_io_is_link(const char *path) {
  struct stat info;
  return mst_sys_lstat(path, &info) == 0 && S_ISLNK(info.st_mode);
}

/* Measured on cold files: less than this the kernel reads ahead fast enough by itself. */
#define READ_AHEAD_BYTES ((uint64_t)4 << 20)

void mst_io_read_ahead(int fd, uint64_t bytes) {
  if (bytes >= READ_AHEAD_BYTES) (void)posix_fadvise(fd, 0, 0, POSIX_FADV_SEQUENTIAL);
}

int mst_io_open_direct(const char *path) {
  return mst_sys_open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_DIRECT, 0);
}

bool mst_io_is_cached(int fd, uint64_t offset) { return mst_sys_is_cached(fd, offset); }

void mst_io_close(int fd) {
  if (fd >= 0) (void)mst_sys_close(fd);
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
  if (mst_sys_fstat(fd, &info) < 0) return mst_fail_errno(error, path, -1, errno, "stat");
  *out = stat_of(&info);
  return MUSTER_OK;
}

muster_status mst_io_stat(const char *path, mst_stat *out, muster_error *error) {
  struct stat info;
  if (mst_sys_stat(path, &info) < 0) return mst_fail_errno(error, path, -1, errno, "stat");
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
  *found = mst_sys_stat(path, &info) == 0;
  if (*found || errno == ENOENT || errno == ENOTDIR) return MUSTER_OK;
  return mst_fail_errno(error, path, -1, errno, "stat");
}

static muster_status read_straight(int fd, const char *path, uint64_t offset, void *data,
                                   size_t length, size_t *got, muster_error *error) {
  *got = 0;
  while (*got < length) { /* Linux moves at most 0x7ffff000 bytes in one call */
    const ssize_t step = mst_sys_pread(fd, (char *)data + *got, length - *got, offset + *got);
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
  const ssize_t step = mst_sys_read(fd, data, length);
  *got = step > 0 ? (size_t)step : 0;
  *errnum = step < 0 ? errno : 0;
  return step > 0;
}

muster_status mst_io_read_aligned(int fd, const char *path, uint64_t offset, void *data,
                                  size_t length, size_t *got, muster_error *error) {
  *got = 0;
  while (*got < length) {
    const ssize_t step = mst_sys_pread(fd, (char *)data + *got, length - *got, offset + *got);
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

char *mst_io_resolve(const char *path) {
  char *real = mst_sys_realpath(path);
  if (real == NULL) return mst_strdup(path);
  char *copy = mst_strdup(real);
  mst_sys_free_path(real);
  return copy;
}

/* ---- memory ---------------------------------------------------------------------------------- */

/* A number in a small file of the kernel, after `key`; UINT64_MAX when there is none ("max"). */
static uint64_t kernel_number(const char *path, const char *key) {
  char text[4096];
  size_t got = 0;
  const int fd = mst_sys_open(path, O_RDONLY | O_CLOEXEC, 0);
  if (fd < 0) return UINT64_MAX;
  const muster_status status = mst_io_read_some(fd, path, 0, text, sizeof text - 1, &got, NULL);
  (void)mst_sys_close(fd);
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
