/* SPDX-License-Identifier: Apache-2.0 */
#include "formats/hdf5/library.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "base/status.h"
#include "base/str.h"
#include "formats/hdf5/driver.h"

/* Names of the library's versions 1.10, 1.14 and 1.12: alike in what is called here, but for the
 * struct of drivers, and names that ended in nothing once and end in 1 now. */
static const char *const names[] = {"libhdf5_serial.so.103", "libhdf5.so.103",
                                    "libhdf5_serial.so.310", "libhdf5.so.310",
                                    "libhdf5_serial.so.200", "libhdf5.so.200"};

/* Its own names shall come before those of an HDF5 library that others made global. Sanitizers
 * refuse that. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define OPEN_FLAGS (RTLD_NOW | RTLD_LOCAL)
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define OPEN_FLAGS (RTLD_NOW | RTLD_LOCAL)
#endif
#endif
#ifndef OPEN_FLAGS
#define OPEN_FLAGS (RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND)
#endif

static const struct {
  const char *symbol;
  size_t offset; /* of the member */
  bool is_variable;
} members[] = {
#define HDF5_FUNCTION(result, member, symbol, parameters) \
  {#symbol, offsetof(mst_h5, member), false},
#define HDF5_VARIABLE(member, symbol) {#symbol, offsetof(mst_h5, member), true},
#include "formats/hdf5/library.def"
#undef HDF5_FUNCTION
};

/* The one mutable state of the process that muster has: libhdf5 is not for two threads at once, and
 * is never closed. */
static struct {
  pthread_mutex_t lock;
  void *handle;
  bool is_ready;
  mst_h5 table;
} the = {.lock = PTHREAD_MUTEX_INITIALIZER};

static muster_status find_library(muster_error *error) {
  for (size_t i = 0; the.handle == NULL && i < sizeof names / sizeof *names; i++)
    the.handle = dlopen(names[i], OPEN_FLAGS);
  if (the.handle != NULL) return MUSTER_OK;
  return mst_fail(error, MUSTER_ERR_UNSUPPORTED, NULL,
                  "HDF5 files are read by the HDF5 library 1.10, 1.12 or 1.14, and none is there "
                  "(%s, %s): install it (Debian: libhdf5-103-1 or libhdf5-310)",
                  names[0], names[2]);
}

static muster_status refuse_version(const char *why, muster_error *error) {
  return mst_fail(
      error, MUSTER_ERR_UNSUPPORTED, NULL,
      "the HDF5 library %s cannot be used: %s: install version 1.10, 1.12 or 1.14 of it",
      the.table.release, why);
}

static void *find_symbol(const char *symbol) {
  char numbered[64];
  void *const found = dlsym(the.handle, symbol);
  if (found != NULL) return found;
  snprintf(numbered, sizeof numbered, "%s1", symbol);
  return dlsym(the.handle, numbered);
}

static muster_status resolve(bool variables, muster_error *error) {
  for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
    if (members[i].is_variable != variables) continue;
    void *const found = find_symbol(members[i].symbol);
    if (found == NULL) return refuse_version(members[i].symbol, error);
    char *place = (char *)&the.table + members[i].offset;
    if (variables)
      memcpy(place, found, sizeof(mst_h5_id));
    else
      memcpy(place, &found, sizeof found);
  }
  return MUSTER_OK;
}

static muster_status make_ready(muster_error *error) {
  mst_h5 *table = &the.table;
  muster_status status = find_library(error);
  if (status == MUSTER_OK) status = resolve(false, error);
  if (status != MUSTER_OK) return status;
  /* It shall not close itself at exit: other threads may be at work until the very end. */
  (void)table->no_atexit();
  unsigned major = 0, minor = 0, release = 0;
  (void)table->version(&major, &minor, &release);
  snprintf(table->release, sizeof table->release, "%hu.%hu.%hu", (unsigned short)major,
           (unsigned short)minor, (unsigned short)release);
  if (major != 1 || (minor != 10 && minor != 12 && minor != 14))
    return refuse_version("it is another", error);
  if (table->open_library() < 0) return refuse_version("it does not start", error);
  status = resolve(true, error);
  if (status != MUSTER_OK) return status;
  const bool is_old = minor < 14;
  table->driver =
      table->register_driver(is_old ? (const void *)&mst_h5_reading : &mst_h5_reading_1_14);
  if (table->driver < 0) return refuse_version("it takes no driver", error);
  the.is_ready = true;
  return MUSTER_OK;
}

muster_status mst_h5_use(const mst_h5 **library, const char *path, muster_error *error) {
  pthread_mutex_lock(&the.lock);
  const muster_status status = the.is_ready ? MUSTER_OK : make_ready(error);
  *library = &the.table;
  if (status == MUSTER_OK) {
    /* Each thread has a setting of its own. */
    (void)the.table.set_printing(MST_H5_DEFAULT, NULL, NULL);
    return MUSTER_OK;
  }
  pthread_mutex_unlock(&the.lock);
  if (error != NULL) snprintf(error->path, sizeof error->path, "%s", path);
  return status;
}

void mst_h5_leave(void) { pthread_mutex_unlock(&the.lock); }

const mst_h5 *mst_h5_table(void) { return &the.table; }

/* ---- errors ------------------------------------------------------------------------------------ */

/* The innermost comes first, and says what was found. */
static mst_h5_result take_first(unsigned n, const mst_h5_error *error, void *data) {
  char *text = data;
  if (n == 0 && error->text != NULL) snprintf(text, 160, "%s", error->text);
  return 0;
}

static void take_text(const mst_h5 *library, char text[160]) {
  snprintf(text, 160, "it does not say why");
  (void)library->walk_errors(MST_H5_DEFAULT, 0, take_first, text);
}

/* Versions 1.10 tell the one from a damaged index by their words only. */
bool mst_h5_has_no_chunk(const mst_h5 *library) {
  char text[160];
  take_text(library, text);
  return strcmp(text, "chunk address isn't defined") == 0 ||
         strcmp(text, "storage is not initialized") == 0;
}

static const char *advice_for(const char *text) {
  if (strstr(text, "version") != NULL || strstr(text, "unknown") != NULL)
    return "; if a newer HDF5 wrote it, write it again for older ones (h5py: libver='v110', or "
           "h5repack)";
  if (strstr(text, "truncated") != NULL) return "; copy the file again";
  return "";
}

muster_status mst_h5_fail(const mst_h5 *library, const char *path, const char *what,
                          muster_error *error) {
  char text[160];
  take_text(library, text);
  return mst_fail(error, MUSTER_ERR_FORMAT, path, "the HDF5 library %s cannot %s: %s%s",
                  library->release, what, text, advice_for(text));
}
