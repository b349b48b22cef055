/* SPDX-License-Identifier: Apache-2.0 */
#include "load/listing.h"

#include <string.h>

#include "base/alloc.h"
#include "base/status.h"
#include "formats/format.h"
#include "formats/sidecar.h"
#include "load/order.h"
#include "load/record.h"

#define MAX_LIST ((size_t)256 << 20)

void mst_listing_reset(mst_listing *listing) {
  mst_names_reset(&listing->paths);
  mst_names_reset(&listing->notes);
  for (size_t i = 0; i < listing->faults.length; i++)
    mst_free(listing->faults.data[i]);
  mst_vec_reset(&listing->faults);
  mst_free(listing->folder);
  *listing = (mst_listing){0};
}

/* What kind of input it was decides how it is ordered when nobody says. */
typedef enum mst_input_kind {
  MST_INPUT_SET,
  MST_INPUT_SEQUENCE,
  MST_INPUT_PARTITIONED /* has been ordered */
} mst_input_kind;

/* ---- folders ----------------------------------------------------------------------------------- */

bool mst_is_no_shard(const char *name) {
  static const char *const names[] = {"_SUCCESS",         "lost+found/",     "_metadata",
                                      "_common_metadata", "shard_meta.json", "_meta.json",
                                      MST_WRITE_RECORD,   MST_SEAL_RECORD,   "MD5SUMS",
                                      "SHA1SUMS",         "SHA256SUMS",      "SHA512SUMS"};
  if (name[0] == '.') return true;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(name, names[i]) == 0) return true;
  return mst_has_extension(name, ".md5 .sha1 .sha256 .sha512 .crc .xxh .md5sum .sha256sum");
}

/* What people leave beside their data. Anything else that no format knows is an error. */
static bool is_companion(const char *name) {
  return mst_has_extension(name, ".md .txt .rst .log .json .yaml .yml .toml .xml .html .pdf .py .sh"
                                 " .ipynb .cfg .ini .png .jpg .svg") ||
         strncmp(name, "README", 6) == 0 || strncmp(name, "LICENSE", 7) == 0;
}

static char *joined(const char *folder, const char *name) {
  mst_str path = {0};
  mst_str_add(&path, folder);
  if (!mst_ends_with(folder, "/")) mst_str_add(&path, "/");
  mst_str_add(&path, name);
  if (!path.failed && mst_ends_with(name, "/")) path.data[--path.length] = '\0';
  return mst_str_take(&path);
}

/* So that the last component has a name. */
static char *without_trailing_slashes(const char *path) {
  size_t length = strlen(path);
  while (length > 1 && path[length - 1] == '/')
    length--;
  return mst_strndup(path, length);
}

/* A folder that is named like a shard is kept, and refused later if it is none. */
static bool is_named_like_a_shard(const char *path) {
  for (size_t i = 0; i < mst_format_count(); i++)
    if (mst_has_extension(path, mst_format_at(i)->extensions)) return true;
  return false;
}

static muster_status note_passed_over(mst_listing *listing, size_t count, const char *example,
                                      const char *what, muster_error *error) {
  if (count == 0) return MUSTER_OK;
  mst_str text = {0};
  mst_str_addf(&text, "%zu %s%s passed over, such as %s", count, what, count > 1 ? "s" : "",
               example);
  return mst_names_take(&listing->notes, mst_str_take(&text)) ? MUSTER_OK : mst_fail_memory(error);
}

/* What one folder holds. */
typedef struct mst_folder {
  mst_names files;
  mst_names partitions; /* folders named key=value, in which the files of that value are */
  size_t subfolders;    /* that were passed over */
} mst_folder;

static void folder_reset(mst_folder *folder) {
  mst_names_reset(&folder->files);
  mst_names_reset(&folder->partitions);
}

static bool is_partition(const char *name) {
  const char *sign = strchr(name, '=');
  return sign != NULL && sign > name && mst_ends_with(name, "/");
}

/* What an entry of a folder is to a dataset. */
typedef enum mst_role {
  MST_ROLE_SHARD,
  MST_ROLE_PARTITION,
  MST_ROLE_FOLDER,
  MST_ROLE_FILE
} mst_role;

/* A folder that cannot be looked at may be a shard: that is an error. */
static muster_status find_role(const char *path, const char *name, bool all_are_raw, mst_role *role,
                               muster_error *error) {
  const mst_format *format;
  *role = MST_ROLE_SHARD;
  if (is_partition(name)) *role = MST_ROLE_PARTITION;
  if (!mst_ends_with(name, "/") && !all_are_raw && is_companion(name)) *role = MST_ROLE_FILE;
  if (*role != MST_ROLE_SHARD || !mst_ends_with(name, "/") || is_named_like_a_shard(path))
    return MUSTER_OK;
  const muster_status status = mst_format_of_folder(path, &format, error);
  if (status == MUSTER_OK && format == NULL) *role = MST_ROLE_FOLDER;
  return status;
}

/* The path is kept in one of the lists, or freed. */
static muster_status take_entry(mst_folder *found, char *path, mst_role role, muster_error *error) {
  if (role == MST_ROLE_SHARD || role == MST_ROLE_PARTITION) {
    mst_names *names = role == MST_ROLE_SHARD ? &found->files : &found->partitions;
    return mst_names_take(names, path) ? MUSTER_OK : mst_fail_memory(error);
  }
  mst_free(path);
  return MUSTER_OK;
}

static muster_status take_folder(mst_listing *listing, const char *folder, bool all_are_raw,
                                 mst_folder *found, muster_error *error) {
  mst_names names = {0};
  muster_status status = mst_io_list(folder, &names, error);
  mst_order_by_name(&names); /* notes and faults must not depend on the folder's own order */
  const char *companion = NULL, *subfolder = NULL;
  size_t companions = 0, subfolders = 0;
  for (size_t i = 0; status == MUSTER_OK && i < names.length; i++) {
    const char *name = names.data[i];
    mst_role role = MST_ROLE_SHARD;
    if (mst_is_no_shard(name)) continue;
    char *path = joined(folder, name);
    if (path == NULL)
      status = mst_fail_memory(error);
    else
      status = find_role(path, name, all_are_raw, &role, error);
    if (status != MUSTER_OK) {
      mst_free(path);
      break;
    }
    if (role == MST_ROLE_FOLDER && subfolders++ == 0) subfolder = name;
    if (role == MST_ROLE_FILE && companions++ == 0) companion = name;
    status = take_entry(found, path, role, error);
  }
  if (status == MUSTER_OK)
    status = note_passed_over(listing, companions, companion, "other file", error);
  if (status == MUSTER_OK)
    status = note_passed_over(listing, subfolders, subfolder, "folder", error);
  found->subfolders = subfolders;
  mst_names_reset(&names);
  return status;
}

static muster_status move_names(mst_names *from, mst_names *to, muster_error *error) {
  for (size_t i = 0; i < from->length; i++) {
    char *name = from->data[i];
    from->data[i] = NULL;
    if (!mst_names_take(to, name)) return mst_fail_memory(error);
  }
  return MUSTER_OK;
}

/* By their numbers, if they have any that make an order; holes say nothing here. */
static muster_status order_partitions(mst_names *names, muster_error *error) {
  mst_names notes = {0};
  muster_error fault;
  const muster_status status = mst_order_by_number(names, true, &notes, &fault);
  mst_names_reset(&notes);
  if (status == MUSTER_ERR_MEMORY) return mst_fail_memory(error);
  if (status != MUSTER_OK) mst_order_by_name(names);
  return MUSTER_OK;
}

#define MAX_PARTITION_DEPTH 32

/* The files of a folder, then those of its partitions, one after the other and each in its order.
 * `top`: what the folder itself holds; it is emptied. */
static muster_status take_partitions(mst_listing *listing, const char *folder, mst_folder *top,
                                     bool all_are_raw, int depth, mst_names *batch,
                                     muster_error *error) {
  if (depth == MAX_PARTITION_DEPTH)
    return mst_fail(error, MUSTER_ERR_UNSUPPORTED, folder, "partitions are nested too deep");
  muster_status status = order_partitions(&top->files, error);
  if (status == MUSTER_OK) status = move_names(&top->files, batch, error);
  if (status == MUSTER_OK) status = order_partitions(&top->partitions, error);
  for (size_t i = 0; status == MUSTER_OK && i < top->partitions.length; i++) {
    const char *path = top->partitions.data[i];
    mst_folder found = {0};
    status = take_folder(listing, path, all_are_raw, &found, error);
    if (status == MUSTER_OK)
      status = take_partitions(listing, path, &found, all_are_raw, depth + 1, batch, error);
    folder_reset(&found);
  }
  return status;
}

/* *kind: with partitions the order is settled. */
static muster_status take_tree(mst_listing *listing, const char *folder, bool all_are_raw,
                               mst_names *batch, mst_input_kind *kind, muster_error *error) {
  mst_folder found = {0};
  muster_status status = take_folder(listing, folder, all_are_raw, &found, error);
  if (status == MUSTER_OK && found.partitions.length == 0) {
    status = move_names(&found.files, batch, error);
  } else if (status == MUSTER_OK) {
    *kind = MST_INPUT_PARTITIONED;
    status = take_partitions(listing, folder, &found, all_are_raw, 0, batch, error);
  }
  if (status == MUSTER_OK && batch->length == 0)
    status = mst_fail(
        error, MUSTER_ERR_NOT_FOUND, folder, "no shards in this folder%s",
        found.subfolders > 0 ? ", only folders: name them with a glob, such as '*/*.npy'" : "");
  folder_reset(&found);
  return status;
}

/* ---- lists --------------------------------------------------------------------------------------- */

static char *relative_to(const char *list, const char *name, size_t length) {
  mst_str path = {0};
  if (name[0] != '/') mst_str_add_bytes(&path, list, (size_t)(mst_base_name(list) - list));
  mst_str_add_bytes(&path, name, length);
  return mst_str_take(&path);
}

/* Lines, or names ended by NUL bytes when there is one (as find -print0 writes them). */
static muster_status take_list(const char *list, mst_names *batch, muster_error *error) {
  char *text;
  size_t length;
  muster_status status = mst_io_read_file(list, MAX_LIST, &text, &length, error);
  if (status != MUSTER_OK) return status;
  const char end = memchr(text, '\0', length) != NULL ? '\0' : '\n';
  for (size_t at = 0; status == MUSTER_OK && at < length;) {
    const char *stop = memchr(text + at, end, length - at);
    size_t width = stop != NULL ? (size_t)(stop - (text + at)) : length - at;
    const size_t next = at + width + 1;
    if (end == '\n' && width > 0 && text[at + width - 1] == '\r') width--;
    if (width > 0 && !mst_names_take(batch, relative_to(list, text + at, width)))
      status = mst_fail_memory(error);
    at = next;
  }
  mst_free(text);
  if (status == MUSTER_OK && batch->length == 0)
    status = mst_fail(error, MUSTER_ERR_NOT_FOUND, list, "the list names no files");
  return status;
}

/* ---- any input ------------------------------------------------------------------------------------- */

static muster_status take_glob(const char *pattern, mst_names *batch, muster_error *error) {
  mst_names found = {0};
  muster_status status = mst_io_glob(pattern, &found, error);
  for (size_t i = 0; status == MUSTER_OK && i < found.length; i++) {
    if (mst_is_no_shard(mst_base_name(found.data[i]))) continue;
    if (!mst_names_take(batch, mst_strdup(found.data[i]))) status = mst_fail_memory(error);
  }
  mst_names_reset(&found);
  if (status == MUSTER_OK && batch->length == 0)
    status = mst_fail(error, MUSTER_ERR_NOT_FOUND, pattern, "no file matches this pattern");
  return status;
}

static muster_status refuse_absent(const char *input, muster_error *error) {
  return mst_fail(error, MUSTER_ERR_NOT_FOUND, input,
                  mst_io_is_link(input) ? "is a link to what is not there"
                                        : "no such file or folder");
}

/* "s3://...": a scheme that is no format's. */
static bool has_scheme(const char *input) {
  const size_t length = strspn(input, "abcdefghijklmnopqrstuvwxyz0123456789+.-");
  return length > 0 && strncmp(input + length, "://", 3) == 0;
}

/* A part of the path that is **: to glob it is *, and files in other levels would be left out. */
static bool asks_for_any_depth(const char *pattern) {
  for (const char *at = strstr(pattern, "**"); at != NULL; at = strstr(at + 1, "**"))
    if ((at == pattern || at[-1] == '/') && (at[2] == '/' || at[2] == '\0')) return true;
  return false;
}

/* What can be known of an input that is not there. */
static muster_status check_missing(const char *input, muster_error *error) {
  if (mst_starts_with(input, "file://"))
    return mst_fail(error, MUSTER_ERR_NOT_FOUND, input, "files are named by their paths alone");
  if (has_scheme(input))
    return mst_fail(error, MUSTER_ERR_UNSUPPORTED, input,
                    "remote stores are not read: copy it to a folder, or mount it as one");
  if (strcmp(input, "@") == 0)
    return mst_fail(error, MUSTER_ERR_USAGE, input, "names no list: write @list.txt");
  if (asks_for_any_depth(input))
    return mst_fail(error, MUSTER_ERR_USAGE, input,
                    "** stands for no number of folders here: write one * for each level, or name "
                    "the folder itself if it is partitioned (key=value)");
  return MUSTER_OK;
}

static muster_status take_input(mst_listing *listing, const char *input,
                                const muster_open_options *options, mst_names *batch,
                                mst_input_kind *kind, muster_error *error) {
  *kind = MST_INPUT_SEQUENCE;
  const mst_format *format = mst_format_of_scheme(input);
  if (format != NULL && format->expand != NULL) return format->expand(input, batch, error);
  mst_stat info;
  muster_error fault; /* not the caller's: that a file is not there may not be an error */
  muster_status found = mst_io_stat(input, &info, &fault);
  if (found == MUSTER_OK && info.is_directory) found = mst_format_of_folder(input, &format, &fault);
  if (found == MUSTER_OK && info.is_directory && format == NULL) {
    *kind = MST_INPUT_SET;
    if (listing->paths.length == 0) listing->first_is_folder = true;
    const bool all_are_raw = options->format != NULL && strcmp(options->format, "raw") == 0;
    return take_tree(listing, input, all_are_raw, batch, kind, error);
  }
  if (found == MUSTER_OK) {
    char *path = info.is_directory ? without_trailing_slashes(input) : mst_strdup(input);
    return mst_names_take(batch, path) ? MUSTER_OK : mst_fail_memory(error);
  }
  if (found != MUSTER_ERR_NOT_FOUND) {
    if (error != NULL) *error = fault;
    return found;
  }
  found = check_missing(input, error);
  if (found != MUSTER_OK) return found;
  if (input[0] == '@') return take_list(input + 1, batch, error);
  if (strpbrk(input, "*?[") != NULL) {
    *kind = MST_INPUT_SET;
    return take_glob(input, batch, error);
  }
  if (listing->input_count == 1) return refuse_absent(input, error);
  /* One of many: told together with the faults of the others. */
  return mst_names_take(batch, mst_strdup(input)) ? MUSTER_OK : mst_fail_memory(error);
}

typedef muster_status (*mst_order_fn)(mst_listing *listing, mst_names *paths, bool allow_gaps,
                                      muster_error *error);

static muster_status order_all(mst_listing *listing, mst_names *paths, bool allow_gaps,
                               muster_error *error) {
  return mst_order_by_number(paths, allow_gaps, &listing->notes, error);
}

static muster_status check_followers(mst_listing *listing, mst_names *paths, bool allow_gaps,
                                     muster_error *error) {
  (void)listing;
  return mst_order_check_followers(paths, allow_gaps, error);
}

/* What is wrong with the names is kept, to be told with all else. */
static muster_status keep_fault(mst_listing *listing, mst_names *paths, bool allow_gaps,
                                mst_order_fn order, muster_error *error) {
  muster_error *fault = mst_calloc(1, sizeof *fault);
  if (fault == NULL) return mst_fail_memory(error);
  const muster_status status = order(listing, paths, allow_gaps, fault);
  if (status == MUSTER_ERR_MISMATCH && mst_vec_push(&listing->faults, fault)) return MUSTER_OK;
  mst_free(fault);
  return status == MUSTER_OK ? MUSTER_OK : mst_fail_memory(error);
}

static muster_status order_by_number(mst_listing *listing, mst_names *paths,
                                     const muster_open_options *options, muster_error *error) {
  const size_t faults = listing->faults.length;
  const muster_status status = keep_fault(listing, paths, options->allow_gaps, order_all, error);
  if (status != MUSTER_OK || listing->faults.length == faults) return status;
  return keep_fault(listing, paths, options->allow_gaps, check_followers, error);
}

static muster_status add_input(mst_listing *listing, const char *input,
                               const muster_open_options *options, bool *has_sequence,
                               muster_error *error) {
  mst_names batch = {0};
  mst_input_kind kind;
  muster_status status = take_input(listing, input, options, &batch, &kind, error);
  if (kind == MST_INPUT_SEQUENCE) *has_sequence = true;
  if (status == MUSTER_OK && options->order == MUSTER_ORDER_AUTO && kind == MST_INPUT_SET)
    status = order_by_number(listing, &batch, options, error);
  if (status == MUSTER_OK) status = move_names(&batch, &listing->paths, error);
  mst_names_reset(&batch);
  return status;
}

static muster_status apply_order(mst_listing *listing, const muster_open_options *options,
                                 bool has_sequence, muster_error *error) {
  switch (options->order) {
  case MUSTER_ORDER_NUMBER: return order_by_number(listing, &listing->paths, options, error);
  case MUSTER_ORDER_NAME: mst_order_by_name(&listing->paths); return MUSTER_OK;
  case MUSTER_ORDER_MTIME: return mst_order_by_mtime(&listing->paths, error);
  case MUSTER_ORDER_LIST: return MUSTER_OK;
  case MUSTER_ORDER_AUTO: break;
  default: return mst_fail(error, MUSTER_ERR_USAGE, NULL, "no such order");
  }
  if (!has_sequence || !mst_order_is_textual(&listing->paths)) return MUSTER_OK;
  char *note = mst_strdup("the files are taken in the order given, which sorts their numbers as "
                          "text (10 before 9); --order number sorts them by value");
  return mst_names_take(&listing->notes, note) ? MUSTER_OK : mst_fail_memory(error);
}

static muster_status find_sidecar(mst_listing *listing, muster_error *error) {
  muster_status status = MUSTER_OK;
  for (size_t i = 0; mst_sidecar_names[i] != NULL && !listing->has_sidecar; i++) {
    char *sidecar = joined(listing->folder, mst_sidecar_names[i]);
    if (sidecar == NULL) return mst_fail_memory(error);
    status = mst_io_find(sidecar, &listing->has_sidecar, error);
    mst_free(sidecar);
    if (status != MUSTER_OK) break;
  }
  return status;
}

static muster_status find_folder(mst_listing *listing, const char *first_input,
                                 muster_error *error) {
  const char *path = listing->paths.data[0];
  const size_t length = (size_t)(mst_base_name(path) - path);
  if (listing->first_is_folder)
    listing->folder = mst_strdup(first_input);
  else
    listing->folder = length > 0 ? mst_strndup(path, length) : mst_strdup(".");
  return listing->folder != NULL ? find_sidecar(listing, error) : mst_fail_memory(error);
}

muster_status mst_listing_make(mst_listing *listing, const char *const *inputs, size_t count,
                               const muster_open_options *options, muster_error *error) {
  *listing = (mst_listing){.input_count = count};
  if (count == 0) return mst_fail(error, MUSTER_ERR_USAGE, NULL, "no input was named");
  bool has_sequence = false;
  muster_status status = MUSTER_OK;
  for (size_t i = 0; status == MUSTER_OK && i < count; i++)
    status = add_input(listing, inputs[i], options, &has_sequence, error);
  if (status == MUSTER_OK) status = apply_order(listing, options, has_sequence, error);
  if (status == MUSTER_OK) status = find_folder(listing, inputs[0], error);
  return status;
}
