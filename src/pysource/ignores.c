/* SPDX-License-Identifier: Apache-2.0 */
#include "pysource/ignores.h"

#include <string.h>

#include "base/alloc.h"
#include "base/status.h"
#include "base/str.h"
#include "base/vec.h"

#define MAX_IGNORE_FILE ((size_t)1 << 20)

void mst_ignores_reset(mst_ignores *ignores) {
  for (size_t i = 0; i < ignores->length; i++) {
    mst_gitignore_reset(&ignores->data[i]->patterns);
    mst_free(ignores->data[i]);
  }
  mst_vec_reset(ignores);
}

/* `folder/name`, of the first `length` bytes of the folder. */
static char *in_folder(const char *folder, size_t length, const char *name) {
  mst_str path = {0};
  mst_str_add_bytes(&path, folder, length);
  if (length == 0 || folder[length - 1] != '/') mst_str_add(&path, "/");
  mst_str_add(&path, name);
  return mst_str_take(&path);
}

static muster_status add_file(mst_ignores *ignores, char *text, size_t text_length, size_t prefix,
                              const mst_ignore_file *outer, const mst_ignore_file **out,
                              muster_error *error) {
  mst_ignore_file *file = mst_calloc(1, sizeof *file);
  if (file == NULL) {
    mst_free(text);
    return mst_fail_memory(error);
  }
  muster_status status = mst_gitignore_take(&file->patterns, text, text_length, error);
  file->outer = outer;
  file->prefix = prefix;
  if (status == MUSTER_OK && mst_vec_push(ignores, file)) {
    *out = file;
    return MUSTER_OK;
  }
  mst_gitignore_reset(&file->patterns);
  mst_free(file);
  return mst_fail_memory(error);
}

static muster_status read_in(mst_ignores *ignores, const char *folder, size_t length,
                             const mst_ignore_file *outer, const mst_ignore_file **out,
                             muster_error *error) {
  char *text = NULL;
  size_t text_length = 0;
  char *path = in_folder(folder, length, ".gitignore");
  if (path == NULL) return mst_fail_memory(error);
  const muster_status status = mst_io_read_file(path, MAX_IGNORE_FILE, &text, &text_length, error);
  const size_t prefix = strlen(path) - strlen(".gitignore");
  mst_free(path);
  if (status != MUSTER_OK) return status;
  return add_file(ignores, text, text_length, prefix, outer, out, error);
}

muster_status mst_ignores_read(mst_ignores *ignores, const char *folder,
                               const mst_ignore_file *outer, const mst_ignore_file **out,
                               muster_error *error) {
  *out = outer;
  return read_in(ignores, folder, strlen(folder), outer, out, error);
}

/* ---- the folders around ---------------------------------------------------------------------- */

/* Bytes of the path of the folder around the one whose path has `length`; 0: there is none. */
static size_t parent_length(const char *folder, size_t length) {
  if (length <= 1) return 0;
  do {
    length--;
  } while (length > 0 && folder[length] != '/');
  return length > 0 ? length : 1;
}

/* The nearest folder that holds .git; *length is 0 when there is none. */
static muster_status find_repository(const char *folder, size_t *length, muster_error *error) {
  for (*length = strlen(folder); *length > 0; *length = parent_length(folder, *length)) {
    bool found = false;
    char *path = in_folder(folder, *length, ".git");
    if (path == NULL) return mst_fail_memory(error);
    (void)mst_io_find(path, &found, NULL);
    mst_free(path);
    if (found) break;
  }
  return MUSTER_OK;
}

static size_t child_length(const char *folder, size_t length) {
  const size_t from = length + (folder[length] == '/');
  return from + strcspn(folder + from, "/");
}

muster_status mst_ignores_around(mst_ignores *ignores, const char *folder,
                                 const mst_ignore_file **out, muster_error *error) {
  *out = NULL;
  const size_t whole = strlen(folder);
  size_t length;
  muster_status status = find_repository(folder, &length, error);
  if (status != MUSTER_OK || length == 0) return status;
  for (; length < whole; length = child_length(folder, length)) {
    status = read_in(ignores, folder, length, *out, out, error);
    if (status == MUSTER_ERR_MEMORY) return status;
  }
  return MUSTER_OK;
}

/* ---- looking --------------------------------------------------------------------------------- */

bool mst_is_ignored(const mst_ignore_file *innermost, const char *path, bool is_folder) {
  for (const mst_ignore_file *file = innermost; file != NULL; file = file->outer) {
    const mst_ignore_verdict verdict =
        mst_gitignore_look(&file->patterns, path + file->prefix, is_folder);
    if (verdict != MST_IGNORE_UNDECIDED) return verdict == MST_IGNORE_EXCLUDED;
  }
  return false;
}

bool mst_is_passed_over(const char *name, bool is_folder) {
  static const char *const folders[] = {"__pycache__", "node_modules", "build", "dist",
                                        "site-packages"};
  if (name[0] == '.') return true;
  if (!is_folder) return false;
  for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
    if (strcmp(name, folders[i]) == 0) return true;
  return mst_ends_with(name, ".egg-info");
}

bool mst_is_environment(const mst_entries *entries) {
  for (size_t i = 0; i < entries->length; i++) {
    const mst_entry *entry = &entries->data[i];
    if (strcmp(entry->name, "pyvenv.cfg") == 0 && entry->kind != MST_ENTRY_FOLDER) return true;
    if (strcmp(entry->name, "conda-meta") == 0 && entry->kind != MST_ENTRY_FILE) return true;
  }
  return false;
}
