/* SPDX-License-Identifier: Apache-2.0 */
#include "load/tree.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/status.h"
#include "load/record.h"

#define MAX_DEPTH 256

void mst_tree_reset(mst_tree *tree) {
  mst_names_reset(&tree->files);
  mst_names_reset(&tree->folders);
  *tree = (mst_tree){0};
}

static muster_status list_below(const char *folder, const char *prefix, unsigned depth,
                                mst_tree *tree, muster_error *error);

static muster_status add_file(const char *path, char *relative, mst_tree *tree,
                              muster_error *error) {
  mst_stat stat = {0};
  muster_status status = MUSTER_OK;
  if (tree->most > 0 && tree->files.length >= tree->most)
    status = mst_fail(error, MUSTER_ERR_UNSUPPORTED, path, "more than %zu files", tree->most);
  if (status == MUSTER_OK) status = mst_io_stat(path, &stat, error);
  if (status == MUSTER_OK && !stat.is_regular)
    status = mst_fail(error, MUSTER_ERR_UNSUPPORTED, path,
                      "is neither a file nor a folder of the shard: put the data themselves here");
  if (status != MUSTER_OK) {
    mst_free(relative);
    return status;
  }
  tree->bytes += stat.size;
  return mst_names_take(&tree->files, relative) ? MUSTER_OK : mst_fail_memory(error);
}

static muster_status add_entry(const char *folder, const char *prefix, const mst_entry *entry,
                               unsigned depth, mst_tree *tree, muster_error *error) {
  char *path = mst_record_path(folder, entry->name);
  mst_str relative = {0};
  mst_str_addf(&relative, "%s%s%s", prefix, prefix[0] != '\0' ? "/" : "", entry->name);
  char *name = mst_str_take(&relative);
  muster_status status;
  if (path == NULL || name == NULL) {
    mst_free(name);
    status = mst_fail_memory(error);
  } else if (entry->kind != MST_ENTRY_FOLDER) {
    status = add_file(path, name, tree, error);
  } else if (!mst_names_take(&tree->folders, name)) {
    status = mst_fail_memory(error);
  } else {
    status = list_below(path, name, depth + 1, tree, error);
  }
  mst_free(path);
  return status;
}

static muster_status list_below(const char *folder, const char *prefix, unsigned depth,
                                mst_tree *tree, muster_error *error) {
  if (depth > MAX_DEPTH)
    return mst_fail(error, MUSTER_ERR_UNSUPPORTED, folder, "folders in more than %d levels",
                    MAX_DEPTH);
  mst_entries entries = {0};
  muster_status status = mst_io_list_entries(folder, &entries, error);
  for (size_t i = 0; status == MUSTER_OK && i < entries.length; i++)
    status = add_entry(folder, prefix, &entries.data[i], depth, tree, error);
  mst_entries_reset(&entries);
  return status;
}

static int compare_names(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

static void sort(mst_names *names) {
  if (names->length > 1) qsort(names->data, names->length, sizeof *names->data, compare_names);
}

static muster_status list_up_to(const char *folder, size_t most, mst_tree *tree,
                                muster_error *error) {
  *tree = (mst_tree){.most = most};
  const muster_status status = list_below(folder, "", 0, tree, error);
  sort(&tree->files);
  sort(&tree->folders);
  return status;
}

muster_status mst_tree_list(const char *folder, mst_tree *tree, muster_error *error) {
  return list_up_to(folder, 0, tree, error);
}

static muster_status remove_one(const char *folder, const char *name, bool is_folder,
                                muster_error *error) {
  bool removed;
  char *path = mst_record_path(folder, name);
  if (path == NULL) return mst_fail_memory(error);
  const muster_status status =
      is_folder ? mst_io_remove_folder(path, &removed, error) : mst_io_remove(path, error);
  mst_free(path);
  return status;
}

muster_status mst_tree_remove(const char *folder, const mst_tree *tree, muster_error *error) {
  muster_status status = MUSTER_OK;
  for (size_t i = 0; status == MUSTER_OK && i < tree->files.length; i++)
    status = remove_one(folder, tree->files.data[i], false, error);
  for (size_t i = tree->folders.length; status == MUSTER_OK && i-- > 0;)
    status = remove_one(folder, tree->folders.data[i], true, error);
  bool removed;
  return status == MUSTER_OK ? mst_io_remove_folder(folder, &removed, error) : status;
}

muster_status mst_weigh_up_to(const char *path, size_t most, mst_weight *weight,
                              muster_error *error) {
  mst_stat stat;
  *weight = (mst_weight){0};
  muster_status status = mst_io_stat(path, &stat, error);
  if (status != MUSTER_OK) return status;
  weight->bytes = stat.size;
  if (!stat.is_directory) return MUSTER_OK;
  mst_tree tree;
  status = list_up_to(path, most, &tree, error);
  *weight = (mst_weight){.bytes = tree.bytes, .files = tree.files.length};
  mst_tree_reset(&tree);
  return status;
}

muster_status mst_weigh(const char *path, mst_weight *weight, muster_error *error) {
  return mst_weigh_up_to(path, 0, weight, error);
}
