/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The one seam to the file system: no other file of the library calls open, pread, write, rename
 * and their like, so that a test can make any one of them fail. Every function names the file in
 * its error. EINTR is retried and short transfers are continued here, nowhere else.
 */
#ifndef MST_BASE_IO_H
#define MST_BASE_IO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"
#include "muster/error.h"

/* What fstat says of a file: enough to see that it is still the same one. */
typedef struct mst_stat {
  uint64_t size;
  uint64_t device;
  uint64_t inode;
  int64_t mtime_ns;
  uint32_t mode; /* permissions */
  bool is_directory;
  bool is_regular;
} mst_stat;

/* ---- reading ---- */

/* Opens for reading; *fd is -1 on failure. A FIFO or a device does not block here. */
muster_status mst_io_open(const char *path, int *fd, muster_error *error);
/* Whether the name is that of a symbolic link, also of one that leads nowhere. */
bool mst_io_is_link(const char *path);
/* Says that so many bytes are read from front to back: if they are many, the kernel then reads
 * further ahead. A hint; nothing comes of it where it is not understood. */
void mst_io_read_ahead(int fd, uint64_t bytes);
/* Opens for reads past the page cache, which take offsets, lengths and addresses that are multiples
 * of MST_DIRECT_ALIGNMENT only. -1: the file system cannot. */
#define MST_DIRECT_ALIGNMENT ((size_t)4096)
int mst_io_open_direct(const char *path);
/* Whether the byte at the offset is in the page cache; false where the kernel does not tell. */
bool mst_io_is_cached(int fd, uint64_t offset);
/* Closes a file that was read from; -1 is allowed. */
void mst_io_close(int fd);
muster_status mst_io_fstat(int fd, const char *path, mst_stat *out, muster_error *error);
/* Follows links. MUSTER_ERR_NOT_FOUND when there is nothing. */
muster_status mst_io_stat(const char *path, mst_stat *out, muster_error *error);
/* Two names of one thing; what is not there has but one. */
bool mst_is_same_file(const char *a, const char *b);
/* Whether there is something; a broken link is nothing. Failing to look is not finding nothing. */
muster_status mst_io_find(const char *path, bool *found, muster_error *error);
/* Reads up to length bytes at offset; *got is less only at the end of the file. */
muster_status mst_io_read_some(int fd, const char *path, uint64_t offset, void *data, size_t length,
                               size_t *got, muster_error *error);
/* Reads exactly length bytes; MUSTER_ERR_CHANGED when the file ends before. */
muster_status mst_io_read(int fd, const char *path, uint64_t offset, void *data, size_t length,
                          muster_error *error);
/* What comes next out of a pipe, at least one byte; false at its end, and when it cannot be read:
 * then *errnum says why, and is 0 else. */
bool mst_io_read_next(int fd, void *data, size_t length, size_t *got, int *errnum);
/* Into a pipe, all of it; false when that fails. */
bool mst_io_write_next(int fd, const void *data, size_t length);
/* As mst_io_read_some, of a file opened for reads past the page cache. */
muster_status mst_io_read_aligned(int fd, const char *path, uint64_t offset, void *data,
                                  size_t length, size_t *got, muster_error *error);
/* The whole of a small file; MUSTER_ERR_FORMAT when it is larger than limit. Free with mst_free. */
muster_status mst_io_read_file(const char *path, size_t limit, char **data, size_t *length,
                               muster_error *error);
/* The names in a folder but for "." and "..", in no order; those of folders end in a slash where
 * the file system tells without a further look. */
typedef struct mst_names {
  char **data;
  size_t length;
  size_t capacity;
} mst_names;

void mst_names_reset(mst_names *names);
/* Takes `name`, also when it fails; a NULL name counts as out of memory. */
bool mst_names_take(mst_names *names, char *name);
muster_status mst_io_list(const char *folder, mst_names *names, muster_error *error);
/* The same with what each of them is; links are not followed. */
typedef enum mst_entry_kind {
  MST_ENTRY_FILE,
  MST_ENTRY_FOLDER,
  MST_ENTRY_LINK,
  MST_ENTRY_OTHER /* a FIFO, a socket, a device, or not to be found out */
} mst_entry_kind;

typedef struct mst_entry {
  char *name;
  mst_entry_kind kind;
} mst_entry;

typedef struct mst_entries {
  mst_entry *data;
  size_t length;
  size_t capacity;
} mst_entries;

void mst_entries_reset(mst_entries *entries);
/* Also after a failure *entries is to be reset. */
muster_status mst_io_list_entries(const char *folder, mst_entries *entries, muster_error *error);
/* The paths that a glob matches, bytewise ordered; none is no error. */
muster_status mst_io_glob(const char *pattern, mst_names *paths, muster_error *error);

/* ---- writing ---- */

/* Creates a file that does not exist yet, to be written; for a folder that is not in its place. */
muster_status mst_io_create(const char *path, int *fd, muster_error *error);
/* Closes a file that was written: a full disk may show only now. */
muster_status mst_io_close_written(int fd, const char *path, muster_error *error);
/* Writes all of it at the offset. */
muster_status mst_io_write(int fd, const char *path, uint64_t offset, const void *data,
                           size_t length, muster_error *error);

/* The permissions of an open file. */
muster_status mst_io_set_mode(int fd, const char *path, uint32_t mode, muster_error *error);

/* Where a path leads: a link to a file is kept, and the file behind it replaced. NULL: no memory.
 */
char *mst_io_resolve(const char *path);

/* Bytes that this user may still write below the folder; UINT64_MAX when nobody tells. */
uint64_t mst_io_free_space(const char *folder);

/* Single steps, of which what follows is made. */
muster_status mst_io_sync(int fd, const char *path, muster_error *error);
/* Takes the space of a file at once, so that a full disk is found before the work. */
muster_status mst_io_reserve(int fd, const char *path, uint64_t size, muster_error *error);
/* Replaces what stands at `to`. */
muster_status mst_io_rename(const char *from, const char *to, muster_error *error);
/* MUSTER_ERR_EXISTS when something stands at `to`. */
muster_status mst_io_rename_new(const char *from, const char *to, muster_error *error);
muster_status mst_io_make_folder(const char *path, muster_error *error);
/* To sync a folder after a rename in it; opened before, so that only the sync can still fail. */
muster_status mst_io_open_folder(const char *folder, int *fd, muster_error *error);
muster_status mst_io_sync_folder(int fd, const char *folder, muster_error *error);
/* Everything that was written to the file system of the folder. */
muster_status mst_io_sync_file_system(const char *folder, muster_error *error);

/*
 * A file that appears whole or not at all: written beside its place under another name, then
 * synced, renamed, and its folder synced. Zeroed memory is one that was never begun.
 */
typedef struct mst_new_file {
  int fd; /* for mst_io_write, from any thread */
  char *path;
  char *temporary; /* also the path to name in errors of writing: see mst_io_write */
} mst_new_file;

/* size > 0 reserves the space at once, so that a full disk is found before the work. Of a link the
 * file behind it is replaced; an old file's permissions are kept. */
muster_status mst_new_file_begin(mst_new_file *file, const char *path, uint64_t size,
                                 muster_error *error);
/* Replaces what stood at the path. After a failure nothing has changed there, but for one: when
 * the folder cannot be synced the new file is there, whole, and the error says so. */
muster_status mst_new_file_commit(mst_new_file *file, muster_error *error);
/* Forgets it, if it was begun and not committed. Always safe to call last. */
void mst_new_file_reset(mst_new_file *file);
/* All at once: begin, write, commit. A link at the path is replaced, not followed: for files whose
 * names are ours, in folders that are not. */
muster_status mst_io_write_file(const char *path, const void *data, size_t length,
                                muster_error *error);

/*
 * A folder that appears whole or not at all, at a path where nothing is yet.
 */
typedef struct mst_new_folder {
  char *path;
  char *temporary; /* put the files here */
} mst_new_folder;

muster_status mst_new_folder_begin(mst_new_folder *folder, const char *path, muster_error *error);
muster_status mst_new_folder_commit(mst_new_folder *folder, muster_error *error);
/* Removes all that is in it and the folder, if it was not committed. */
void mst_new_folder_reset(mst_new_folder *folder);

/* Removes a file. */
muster_status mst_io_remove(const char *path, muster_error *error);
/* Removes a folder if it is empty; *removed says whether. */
muster_status mst_io_remove_folder(const char *path, bool *removed, muster_error *error);

/* Bytes that the process may still allocate, by what the kernel says; UINT64_MAX: unknown. */
uint64_t mst_io_available_memory(void);

#endif
