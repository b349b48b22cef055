/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The system calls about files, each of which a test can make fail (base/fault.h), tried again when
 * a signal interrupts them. They return what those of their names do, with errno. For base/io.h,
 * which says what went wrong.
 */
#ifndef MST_BASE_SYSTEM_H
#define MST_BASE_SYSTEM_H

#include <dirent.h>
#include <glob.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/types.h>

int mst_sys_open(const char *path, int flags, mode_t mode);
int mst_sys_close(int fd);
ssize_t mst_sys_read(int fd, void *data, size_t length);
ssize_t mst_sys_write(int fd, const void *data, size_t length);
ssize_t mst_sys_pread(int fd, void *data, size_t length, uint64_t offset);
ssize_t mst_sys_pwrite(int fd, const void *data, size_t length, uint64_t offset);
/* Whether the byte can be read at once. */
bool mst_sys_is_cached(int fd, uint64_t offset);
int mst_sys_fstat(int fd, struct stat *out);
int mst_sys_stat(const char *path, struct stat *out);
int mst_sys_lstat(const char *path, struct stat *out);
int mst_sys_lstat_in(DIR *folder, const char *name, struct stat *out);
int mst_sys_statvfs(const char *folder, struct statvfs *out);
int mst_sys_fchmod(int fd, uint32_t mode);
int mst_sys_fsync(int fd);
int mst_sys_syncfs(int fd);
int mst_sys_fallocate(int fd, uint64_t size);
int mst_sys_ftruncate(int fd, uint64_t size);
int mst_sys_rename(const char *from, const char *to);
int mst_sys_rename_new(const char *from, const char *to);
int mst_sys_unlink(const char *path);
int mst_sys_mkdir(const char *path);
int mst_sys_rmdir(const char *path);
/* Free it by mst_sys_free_path: it is not of our memory. */
char *mst_sys_realpath(const char *path);
void mst_sys_free_path(char *path);
DIR *mst_sys_opendir(const char *path);
void mst_sys_closedir(DIR *folder);
/* NULL with errno 0 at the end. */
struct dirent *mst_sys_readdir(DIR *folder);
/* As glob(3), not sorted: it would sort by the locale. Free what is found by globfree. */
int mst_sys_glob(const char *pattern, glob_t *found);

#endif
