/* SPDX-License-Identifier: Apache-2.0 */
#include "assess/known_paths.h"

#include <string.h>

#include "assess/units.h"
#include "base/alloc.h"
#include "base/io.h"

/* The folder as it is, or NULL. */
static char *resolved(const char *folder, bool *has_memory) {
  char *real = mst_io_resolve(folder);
  mst_str text = {0};
  if (real == NULL) return NULL;
  mst_str_add(&text, real);
  if (!mst_ends_with(real, "/")) mst_str_add(&text, "/");
  mst_free(real);
  char *taken = mst_str_take(&text);
  *has_memory = *has_memory && taken != NULL;
  return taken;
}

static char *folder_of(const char *file, bool *has_memory) {
  mst_str folder = {0};
  const char *name = mst_base_name(file);
  if (name == file)
    mst_str_add(&folder, ".");
  else
    mst_str_add_bytes(&folder, file, (size_t)(name - file));
  char *found = folder.failed ? NULL : resolved(mst_str_text(&folder), has_memory);
  *has_memory = *has_memory && !folder.failed;
  mst_str_reset(&folder);
  return found;
}

bool mst_known_paths_init(mst_known_paths *paths, const char *file) {
  bool has_memory = true;
  *paths = (mst_known_paths){.here = resolved(".", &has_memory)};
  if (file != NULL && has_memory) paths->base = folder_of(file, &has_memory);
  const bool is_around =
      paths->here != NULL && paths->base != NULL && mst_starts_with(paths->here, paths->base);
  if (!is_around) {
    mst_free(paths->base);
    paths->base = NULL;
  }
  return has_memory;
}

void mst_known_paths_reset(mst_known_paths *paths) {
  mst_free(paths->here);
  mst_free(paths->base);
  *paths = (mst_known_paths){0};
}

/* Behind the folder; NULL: it lies elsewhere. */
static const char *below(const char *path, const char *folder) {
  return folder != NULL && mst_starts_with(path, folder) ? path + strlen(folder) : NULL;
}

/* From the root, without going up; a path that goes up needs the folder of the run. */
static void add_absolute(const mst_known_paths *paths, const char *key, mst_str *out) {
  size_t length = key[0] != '/' && paths->here != NULL ? strlen(paths->here) : 0;
  while (mst_starts_with(key, "../") && length > 1) {
    key += 3;
    for (length--; paths->here[length - 1] != '/';)
      length--;
  }
  if (length > 0) mst_str_add_bytes(out, paths->here, length);
  mst_str_add(out, key);
}

/* What lies outside of the folder is known as it is named. */
bool mst_known_path(const mst_known_paths *paths, const char *shown, mst_str *full,
                    mst_str *plain) {
  char *key = mst_path_key(shown);
  mst_str absolute = {0};
  full->length = plain->length = 0;
  if (key == NULL) return false;
  add_absolute(paths, key, &absolute);
  const char *path = mst_str_text(&absolute);
  const char *from_here = below(path, paths->here);
  const char *from_base = below(path, paths->base);
  mst_str_add(plain, from_here != NULL ? from_here : key);
  mst_str_add(full, from_base != NULL ? from_base : mst_str_text(plain));
  const bool done = !absolute.failed && !full->failed && !plain->failed;
  mst_str_reset(&absolute);
  mst_free(key);
  return done;
}
