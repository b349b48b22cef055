/* SPDX-License-Identifier: Apache-2.0 */
/* Lists of names: base/io.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/io.h"
#include "base/status.h"
#include "base/str.h"
#include "base/system.h"
#include "base/vec.h"

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
    *out = mst_sys_readdir(folder);
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
  DIR *opened = mst_sys_opendir(folder);
  if (opened == NULL) return mst_fail_errno(error, folder, -1, errno, "open the folder");
  const muster_status status = list_open_folder(opened, folder, names, error);
  mst_sys_closedir(opened);
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
  if (mst_sys_lstat_in(folder, entry->d_name, &info) < 0) return MST_ENTRY_OTHER;
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
  DIR *opened = mst_sys_opendir(folder);
  if (opened == NULL) return mst_fail_errno(error, folder, -1, errno, "open the folder");
  const muster_status status = list_open_entries(opened, folder, entries, error);
  mst_sys_closedir(opened);
  return status;
}

static int compare_names(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

muster_status mst_io_glob(const char *pattern, mst_names *paths, muster_error *error) {
  glob_t found = {0};
  const int result = mst_sys_glob(pattern, &found);
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
