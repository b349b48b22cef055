/* SPDX-License-Identifier: Apache-2.0 */
/* Files and folders that appear whole or not at all: declared in io.h, made of its single steps. */
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/io.h"
#include "base/status.h"

/* The folder that a path lies in ("." for a bare name). */
static char *folder_of(const char *path) {
  const char *name = mst_base_name(path);
  if (name == path) return mst_strdup(path[0] == '/' ? "/" : ".");
  return mst_strndup(path, (size_t)(name - path));
}

/* A hidden name in the same folder, short so that long names stay legal; other runs use others. */
static char *temporary_beside(const char *path) {
  uint64_t random = 0;
  if (getrandom(&random, sizeof random, 0) != (ssize_t)sizeof random) random = (uint64_t)getpid();
  mst_str text = {0};
  mst_str_add_bytes(&text, path, (size_t)(mst_base_name(path) - path));
  mst_str_addf(&text, ".muster-%016llx.tmp", (unsigned long long)random);
  return mst_str_take(&text);
}

/*
 * The last steps of both: `place` moves the temporary thing to its path, then the folder around it
 * is synced, which was opened before.
 */
static muster_status place_durably(const char *temporary, const char *path,
                                   muster_status (*place)(const char *from, const char *to,
                                                          muster_error *error),
                                   bool *placed, muster_error *error) {
  *placed = false;
  char *folder = folder_of(path);
  if (folder == NULL) return mst_fail_memory(error);
  int fd = -1;
  muster_status status = mst_io_open_folder(folder, &fd, error);
  if (status == MUSTER_OK) status = place(temporary, path, error);
  *placed = status == MUSTER_OK;
  if (status == MUSTER_OK) status = mst_io_sync_folder(fd, folder, error);
  mst_io_close(fd);
  mst_free(folder);
  return status;
}

/* ---- files ---------------------------------------------------------------------------------- */

/* Errors name the path that the user knows, not the temporary one. */
static muster_status rename_path(muster_status status, const char *path, muster_error *error) {
  if (status == MUSTER_OK || error == NULL) return status;
  return mst_fail_errno(error, path, -1, error->errnum, "create it");
}

static muster_status create(mst_new_file *file, const char *path, uint64_t size,
                            const mst_stat *old, muster_error *error) {
  muster_status status = rename_path(mst_io_create(file->temporary, &file->fd, error), path, error);
  if (status == MUSTER_OK && old != NULL)
    status = mst_io_set_mode(file->fd, path, old->mode, error);
  if (status == MUSTER_OK) status = mst_io_reserve(file->fd, path, size, error);
  return status;
}

/* Takes the resolved path, NULL being out of memory. */
static muster_status begin(mst_new_file *file, char *resolved, const char *path, uint64_t size,
                           muster_error *error) {
  *file = (mst_new_file){.fd = -1, .path = resolved};
  mst_stat old;
  muster_status status = mst_io_stat(path, &old, error);
  const bool replaces = status == MUSTER_OK;
  if (status == MUSTER_ERR_NOT_FOUND) status = MUSTER_OK;
  if (replaces && !old.is_regular)
    status = mst_fail(error, MUSTER_ERR_EXISTS, path, "exists and is not a file: name a file");
  if (status == MUSTER_OK) {
    file->temporary = resolved != NULL ? temporary_beside(resolved) : NULL;
    status = file->temporary != NULL ? create(file, path, size, replaces ? &old : NULL, error)
                                     : mst_fail_memory(error);
  }
  if (status != MUSTER_OK) mst_new_file_reset(file);
  return status;
}

muster_status mst_new_file_begin(mst_new_file *file, const char *path, uint64_t size,
                                 muster_error *error) {
  return begin(file, mst_io_resolve(path), path, size, error);
}

muster_status mst_new_file_commit(mst_new_file *file, muster_error *error) {
  muster_status status = mst_io_sync(file->fd, file->path, error);
  if (status != MUSTER_OK) return status;
  status = mst_io_close_written(file->fd, file->path, error);
  file->fd = -1;
  bool placed = false;
  if (status == MUSTER_OK)
    status = place_durably(file->temporary, file->path, mst_io_rename, &placed, error);
  if (!placed) (void)mst_io_remove(file->temporary, NULL);
  if (status == MUSTER_OK) mst_new_file_reset(file);
  return status;
}

void mst_new_file_reset(mst_new_file *file) {
  /* Of zeroed memory the descriptor is no file of ours. */
  if (file->temporary != NULL && file->fd >= 0) {
    mst_io_close(file->fd);
    (void)mst_io_remove(file->temporary, NULL);
  }
  mst_free(file->path);
  mst_free(file->temporary);
  *file = (mst_new_file){.fd = -1};
}

muster_status mst_io_write_file(const char *path, const void *data, size_t length,
                                muster_error *error) {
  mst_new_file file;
  muster_status status = begin(&file, mst_strdup(path), path, 0, error);
  if (status == MUSTER_OK) status = mst_io_write(file.fd, path, 0, data, length, error);
  if (status == MUSTER_OK) status = mst_new_file_commit(&file, error);
  mst_new_file_reset(&file);
  return status;
}

/* ---- folders -------------------------------------------------------------------------------- */

static char *without_trailing_slashes(const char *path) {
  size_t length = strlen(path);
  while (length > 1 && path[length - 1] == '/')
    length--;
  return mst_strndup(path, length);
}

muster_status mst_new_folder_begin(mst_new_folder *folder, const char *path, muster_error *error) {
  *folder = (mst_new_folder){0};
  bool found;
  muster_status status = mst_io_find(path, &found, error);
  if (status != MUSTER_OK) return status;
  if (found) return mst_fail(error, MUSTER_ERR_EXISTS, path, "exists already: name a new folder");
  folder->path = without_trailing_slashes(path);
  char *temporary = folder->path != NULL ? temporary_beside(folder->path) : NULL;
  if (temporary == NULL) {
    mst_new_folder_reset(folder);
    return mst_fail_memory(error);
  }
  status = rename_path(mst_io_make_folder(temporary, error), path, error);
  if (status == MUSTER_OK) {
    folder->temporary = temporary;
    return MUSTER_OK;
  }
  mst_free(temporary);
  mst_new_folder_reset(folder);
  return status;
}

muster_status mst_new_folder_commit(mst_new_folder *folder, muster_error *error) {
  /* One sync of the file system rather than one for each of thousands of files. */
  muster_status status = mst_io_sync_file_system(folder->temporary, error);
  bool placed = false;
  if (status == MUSTER_OK)
    status = place_durably(folder->temporary, folder->path, mst_io_rename_new, &placed, error);
  if (placed) {
    mst_free(folder->temporary);
    folder->temporary = NULL;
  }
  mst_new_folder_reset(folder);
  return status;
}

static void remove_tree(const char *folder) {
  mst_entries entries = {0};
  (void)mst_io_list_entries(folder, &entries, NULL);
  for (size_t i = 0; i < entries.length; i++) {
    mst_str path = {0};
    mst_str_addf(&path, "%s/%s", folder, entries.data[i].name);
    if (!path.failed && entries.data[i].kind == MST_ENTRY_FOLDER)
      remove_tree(path.data);
    else if (!path.failed)
      (void)mst_io_remove(path.data, NULL);
    mst_str_reset(&path);
  }
  mst_entries_reset(&entries);
  bool removed;
  (void)mst_io_remove_folder(folder, &removed, NULL);
}

void mst_new_folder_reset(mst_new_folder *folder) {
  if (folder->temporary != NULL) remove_tree(folder->temporary);
  mst_free(folder->path);
  mst_free(folder->temporary);
  *folder = (mst_new_folder){0};
}
