/* SPDX-License-Identifier: Apache-2.0 */
#include "pysource/walk.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/io.h"
#include "base/status.h"
#include "base/str.h"
#include "base/vec.h"
#include "pysource/ignores.h"

/* Which of several ways to one file is kept: the lowest. */
typedef enum file_rank { RANK_NAMED, RANK_FOUND, RANK_LINK } file_rank;

typedef struct candidate {
  mst_found_file file;
  char *real; /* the path without links: two ways to one file have the same */
  file_rank rank;
} candidate;

typedef struct mst_folder {
  char *path;
  char *real;
  const mst_ignore_file *ignore; /* what holds there beside its own file */
  bool is_named, is_linked;      /* a place to start from: the files around it were not read */
} mst_folder;

typedef struct folder_list {
  mst_folder *data;
  size_t length, capacity;
} folder_list;

typedef struct mst_walker {
  bool no_ignore;
  MST_VEC(candidate) candidates;
  folder_list folders; /* those from `done` on are still to be looked at */
  folder_list links;   /* to folders: the folders themselves come first */
  size_t folders_done, links_done;
  mst_ignores ignores;
  const char **seen; /* open addressing: real paths of folders that were looked at */
  size_t seen_count, seen_slots;
} mst_walker;

/* ---- ownership ------------------------------------------------------------------------------- */

static void file_reset(mst_found_file *file) {
  mst_free(file->path);
  mst_free(file->shown);
  mst_free(file->reason);
}

void mst_found_files_reset(mst_found_files *files) {
  for (size_t i = 0; i < files->length; i++)
    file_reset(&files->data[i]);
  mst_vec_reset(files);
}

static void folders_reset(folder_list *list) {
  for (size_t i = 0; i < list->length; i++) {
    mst_free(list->data[i].path);
    mst_free(list->data[i].real);
  }
  mst_vec_reset(list);
}

static void walker_reset(mst_walker *walker) {
  for (size_t i = 0; i < walker->candidates.length; i++) {
    file_reset(&walker->candidates.data[i].file);
    mst_free(walker->candidates.data[i].real);
  }
  mst_vec_reset(&walker->candidates);
  folders_reset(&walker->folders);
  folders_reset(&walker->links);
  mst_ignores_reset(&walker->ignores);
  mst_free(walker->seen);
}

/* Takes what the folder owns, also when it fails. */
static muster_status take_folder(folder_list *list, mst_folder folder, muster_error *error) {
  if (folder.path != NULL && folder.real != NULL && mst_vec_push(list, folder)) return MUSTER_OK;
  mst_free(folder.path);
  mst_free(folder.real);
  return mst_fail_memory(error);
}

/* Takes `real`, also when it fails. */
static muster_status take_file(mst_walker *walker, const char *path, char *real, const char *reason,
                               file_rank rank, muster_error *error) {
  const candidate next = {.file = {.path = mst_strdup(path),
                                   .shown = mst_strdup(path),
                                   .reason = reason != NULL ? mst_strdup(reason) : NULL,
                                   .named = rank == RANK_NAMED},
                          .real = real,
                          .rank = rank};
  if (next.file.path != NULL && next.file.shown != NULL && real != NULL &&
      (reason == NULL || next.file.reason != NULL) && mst_vec_push(&walker->candidates, next))
    return MUSTER_OK;
  mst_found_file file = next.file;
  file_reset(&file);
  mst_free(real);
  return mst_fail_memory(error);
}

/* ---- folders that were looked at ------------------------------------------------------------- */

static size_t slot_of(const mst_walker *walker, const char *real) {
  uint64_t hash = 14695981039346656037u; /* FNV-1a */
  for (const char *at = real; *at != '\0'; at++)
    hash = (hash ^ (unsigned char)*at) * 1099511628211u;
  size_t slot = (size_t)(hash ^ hash >> 32) & (walker->seen_slots - 1);
  while (walker->seen[slot] != NULL && strcmp(walker->seen[slot], real) != 0)
    slot = (slot + 1) & (walker->seen_slots - 1);
  return slot;
}

static bool grow_seen(mst_walker *walker) {
  const char **old = walker->seen;
  const size_t old_slots = walker->seen_slots;
  const size_t slots = old_slots > 0 ? old_slots * 2 : 64;
  const char **grown = mst_calloc(slots, sizeof *grown);
  if (grown == NULL) return false;
  walker->seen = grown;
  walker->seen_slots = slots;
  for (size_t i = 0; i < old_slots; i++)
    if (old[i] != NULL) grown[slot_of(walker, old[i])] = old[i];
  mst_free(old);
  return true;
}

/* Notes that the folder is looked at; *is_new says whether for the first time. Borrows `real`. */
static muster_status see(mst_walker *walker, const char *real, bool *is_new, muster_error *error) {
  if (walker->seen_count * 2 >= walker->seen_slots && !grow_seen(walker))
    return mst_fail_memory(error);
  const size_t slot = slot_of(walker, real);
  *is_new = walker->seen[slot] == NULL;
  if (!*is_new) return MUSTER_OK;
  walker->seen[slot] = real;
  walker->seen_count++;
  return MUSTER_OK;
}

/* ---- one folder ------------------------------------------------------------------------------ */

/* What is in the working directory goes by its bare name. */
static char *joined(const char *folder, const char *name) {
  mst_str path = {0};
  if (strcmp(folder, ".") != 0) {
    mst_str_add(&path, folder);
    if (!mst_ends_with(folder, "/")) mst_str_add(&path, "/");
  }
  mst_str_add(&path, name);
  return mst_str_take(&path);
}

static bool is_source(const char *name) {
  return mst_ends_with(name, ".py") || mst_ends_with(name, ".pyw") || mst_ends_with(name, ".ipynb");
}

/* An entry of a folder and what is behind it, if it is a link. */
typedef struct looked_at {
  char *path;
  char *real; /* of the entry itself, not of what a link leads to */
  bool is_link, is_folder;
  const char *reason; /* why it is no file to read; NULL: none */
  muster_error fault;
} looked_at;

static void look_behind(looked_at *entry, mst_entry_kind kind) {
  entry->is_link = kind == MST_ENTRY_LINK;
  entry->is_folder = kind == MST_ENTRY_FOLDER;
  entry->reason = kind == MST_ENTRY_OTHER ? "not a regular file" : NULL;
  if (!entry->is_link) return;
  mst_stat info = {0};
  if (mst_io_stat(entry->path, &info, &entry->fault) != MUSTER_OK)
    entry->reason =
        entry->fault.status == MUSTER_ERR_NOT_FOUND ? "a broken link" : entry->fault.message;
  else if (!info.is_directory && !info.is_regular)
    entry->reason = "not a regular file";
  entry->is_folder = info.is_directory;
}

/* A link to a folder around it is a loop, and the way out of what was named. */
static bool is_around(const char *folder, const char *path) {
  return mst_starts_with(path, folder) &&
         (mst_ends_with(folder, "/") || path[strlen(folder)] == '/');
}

static muster_status take_looked_at(mst_walker *walker, looked_at *entry, const char *name,
                                    const mst_ignore_file *ignore, muster_error *error) {
  if (entry->path == NULL || entry->real == NULL) return mst_fail_memory(error);
  if (!entry->is_folder && !is_source(name)) return MUSTER_OK;
  if (!walker->no_ignore && (mst_is_passed_over(name, entry->is_folder) ||
                             mst_is_ignored(ignore, entry->real, entry->is_folder)))
    return MUSTER_OK;
  char *real = entry->is_link ? mst_io_resolve(entry->path) : entry->real;
  if (entry->is_link && real != NULL && is_around(real, entry->real)) {
    mst_free(real);
    return MUSTER_OK;
  }
  if (!entry->is_link) entry->real = NULL;
  if (!entry->is_folder)
    return take_file(walker, entry->path, real, entry->reason,
                     entry->is_link ? RANK_LINK : RANK_FOUND, error);
  const mst_folder folder = {
      .path = entry->path, .real = real, .ignore = ignore, .is_linked = entry->is_link};
  entry->path = NULL;
  return take_folder(entry->is_link ? &walker->links : &walker->folders, folder, error);
}

static muster_status take_entry(mst_walker *walker, const mst_folder *folder,
                                const mst_entry *found, const mst_ignore_file *ignore,
                                muster_error *error) {
  if (found->kind != MST_ENTRY_FOLDER && found->kind != MST_ENTRY_LINK && !is_source(found->name))
    return MUSTER_OK;
  if (!walker->no_ignore && found->name[0] == '.') return MUSTER_OK;
  looked_at entry = {.path = joined(folder->path, found->name),
                     .real = joined(folder->real, found->name)};
  if (entry.path != NULL) look_behind(&entry, found->kind);
  const muster_status status = take_looked_at(walker, &entry, found->name, ignore, error);
  mst_free(entry.path);
  mst_free(entry.real);
  return status;
}

static bool holds(const mst_entries *entries, const char *name, const mst_entry_kind *kind) {
  for (size_t i = 0; i < entries->length; i++)
    if (strcmp(entries->data[i].name, name) == 0)
      return kind == NULL || entries->data[i].kind == *kind;
  return false;
}

/* A file or folder that cannot be looked at is told, and the walk goes on. */
static muster_status tell(mst_walker *walker, const char *path, char *real, muster_error *fault,
                          muster_error *error) {
  if (fault->status != MUSTER_ERR_MEMORY)
    return take_file(walker, path, real, fault->message, RANK_FOUND, error);
  mst_free(real);
  return mst_fail_memory(error);
}

/* The patterns that hold in the folder. Those from outside a repository do not. */
static muster_status ignore_in(mst_walker *walker, const mst_folder *folder,
                               const mst_entries *entries, const mst_ignore_file **out,
                               muster_error *error) {
  *out = folder->ignore;
  if (walker->no_ignore) return MUSTER_OK;
  if (holds(entries, ".git", NULL)) *out = NULL;
  /* As git, which does not follow a link there. */
  if (!holds(entries, ".gitignore", &(const mst_entry_kind){MST_ENTRY_FILE})) return MUSTER_OK;
  muster_error fault;
  if (mst_ignores_read(&walker->ignores, folder->real, *out, out, &fault) == MUSTER_OK)
    return MUSTER_OK;
  char *path = joined(folder->path, ".gitignore");
  const muster_status status =
      path != NULL ? tell(walker, path, joined(folder->real, ".gitignore"), &fault, error)
                   : mst_fail_memory(error);
  mst_free(path);
  return status;
}

static int compare_entries(const void *a, const void *b) {
  return strcmp(((const mst_entry *)a)->name, ((const mst_entry *)b)->name);
}

static muster_status take_entries(mst_walker *walker, const mst_folder *folder,
                                  mst_entries *entries, muster_error *error) {
  if (!walker->no_ignore && !folder->is_named && mst_is_environment(entries)) return MUSTER_OK;
  if (entries->length > 0)
    qsort(entries->data, entries->length, sizeof *entries->data, compare_entries);
  const mst_ignore_file *ignore;
  muster_status status = ignore_in(walker, folder, entries, &ignore, error);
  for (size_t i = 0; status == MUSTER_OK && i < entries->length; i++)
    status = take_entry(walker, folder, &entries->data[i], ignore, error);
  return status;
}

/* By value: the list that it comes from grows meanwhile. */
static muster_status look_into(mst_walker *walker, mst_folder folder, muster_error *error) {
  bool is_new = false;
  muster_status status = see(walker, folder.real, &is_new, error);
  if (status != MUSTER_OK || !is_new) return status;
  if ((folder.is_named || folder.is_linked) && !walker->no_ignore)
    status = mst_ignores_around(&walker->ignores, folder.real, &folder.ignore, error);
  if (status != MUSTER_OK) return status;
  mst_entries entries = {0};
  muster_error fault;
  if (mst_io_list_entries(folder.path, &entries, &fault) == MUSTER_OK)
    status = take_entries(walker, &folder, &entries, error);
  else
    status = tell(walker, folder.path, mst_strdup(folder.real), &fault, error);
  mst_entries_reset(&entries);
  return status;
}

/* ---- all of them ----------------------------------------------------------------------------- */

static muster_status take_named(mst_walker *walker, const char *path, muster_error *error) {
  mst_stat info = {0};
  muster_error fault;
  const muster_status status = mst_io_stat(path, &info, &fault);
  if (status == MUSTER_ERR_MEMORY) return mst_fail_memory(error);
  if (status == MUSTER_OK && info.is_directory)
    return take_folder(
        &walker->folders,
        (mst_folder){.path = mst_strdup(path), .real = mst_io_resolve(path), .is_named = true},
        error);
  const char *reason = status == MUSTER_ERR_NOT_FOUND ? "no such file or folder"
                       : status != MUSTER_OK          ? fault.message
                       : info.is_regular              ? NULL
                                                      : "not a regular file";
  return take_file(walker, path, mst_io_resolve(path), reason, RANK_NAMED, error);
}

typedef struct named_path {
  const char *path;
  bool is_link; /* or written with more dots than it needs */
} named_path;

static int compare_named(const void *a, const void *b) {
  const named_path *left = a, *right = b;
  return left->is_link != right->is_link ? left->is_link - right->is_link
                                         : strcmp(left->path, right->path);
}

/* Sorts them, so that their order does not show: of two ways to one folder the first is taken. */
static muster_status sort_named(named_path *named, const char *const *paths, size_t count,
                                muster_error *error) {
  for (size_t i = 0; i < count; i++) {
    char *real = mst_io_resolve(paths[i]);
    if (real == NULL) return mst_fail_memory(error);
    named[i] = (named_path){.path = paths[i], .is_link = !mst_ends_with(real, paths[i])};
    mst_free(real);
  }
  qsort(named, count, sizeof *named, compare_named);
  return MUSTER_OK;
}

static muster_status take_all_named(mst_walker *walker, const char *const *paths, size_t count,
                                    muster_error *error) {
  named_path *named = mst_calloc(count + 1, sizeof *named);
  if (named == NULL) return mst_fail_memory(error);
  muster_status status = sort_named(named, paths, count, error);
  for (size_t i = 0; status == MUSTER_OK && i < count; i++)
    status = take_named(walker, named[i].path, error);
  mst_free(named);
  return status;
}

static muster_status walk_all(mst_walker *walker, muster_error *error) {
  muster_status status = MUSTER_OK;
  while (status == MUSTER_OK) {
    if (walker->folders_done < walker->folders.length)
      status = look_into(walker, walker->folders.data[walker->folders_done++], error);
    else if (walker->links_done < walker->links.length)
      status = look_into(walker, walker->links.data[walker->links_done++], error);
    else
      break;
  }
  return status;
}

static int compare_candidates(const void *a, const void *b) {
  const candidate *left = a, *right = b;
  const int order = strcmp(left->real, right->real);
  if (order != 0) return order;
  if (left->rank != right->rank) return left->rank < right->rank ? -1 : 1;
  return strcmp(left->file.shown, right->file.shown);
}

static int compare_shown(const void *a, const void *b) {
  return strcmp(((const mst_found_file *)a)->shown, ((const mst_found_file *)b)->shown);
}

/* Moves the files out, each once. */
static muster_status hand_over(mst_walker *walker, mst_found_files *out, muster_error *error) {
  candidate *data = walker->candidates.data;
  const size_t length = walker->candidates.length;
  if (length == 0) return MUSTER_OK;
  qsort(data, length, sizeof *data, compare_candidates);
  for (size_t i = 0; i < length; i++) {
    if (i > 0 && strcmp(data[i].real, data[i - 1].real) == 0) continue;
    if (!mst_vec_push(out, data[i].file)) return mst_fail_memory(error);
    data[i].file = (mst_found_file){0};
  }
  qsort(out->data, out->length, sizeof *out->data, compare_shown);
  return MUSTER_OK;
}

muster_status mst_walk(const char *const *paths, size_t path_count, const mst_walk_options *options,
                       mst_found_files *out, muster_error *error) {
  *out = (mst_found_files){0};
  mst_walker walker = {.no_ignore = options != NULL && options->no_ignore};
  muster_status status = take_all_named(&walker, paths, path_count, error);
  if (status == MUSTER_OK) status = walk_all(&walker, error);
  if (status == MUSTER_OK) status = hand_over(&walker, out, error);
  if (status != MUSTER_OK) mst_found_files_reset(out);
  walker_reset(&walker);
  return status;
}

bool mst_holds_tests(const char *path) {
  const char *name = mst_base_name(path);
  return mst_starts_with(name, "test_") || mst_ends_with(name, "_test.py");
}
