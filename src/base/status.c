/* SPDX-License-Identifier: Apache-2.0 */
#include "base/status.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *muster_status_name(muster_status status) {
  switch (status) {
  case MUSTER_OK: return "ok";
  case MUSTER_ERR_USAGE: return "usage";
  case MUSTER_ERR_MEMORY: return "out of memory";
  case MUSTER_ERR_IO: return "input/output";
  case MUSTER_ERR_NOT_FOUND: return "not found";
  case MUSTER_ERR_EXISTS: return "exists";
  case MUSTER_ERR_FORMAT: return "damaged";
  case MUSTER_ERR_UNSUPPORTED: return "unsupported";
  case MUSTER_ERR_MISMATCH: return "mismatch";
  case MUSTER_ERR_CHANGED: return "changed";
  case MUSTER_ERR_CHECK: return "check failed";
  case MUSTER_ERR_CANCELLED: return "cancelled";
  }
  return "unknown";
}

static void set_path(muster_error *error, const char *path) {
  if (path == NULL) path = "";
  size_t length = strlen(path);
  if (length >= sizeof error->path) length = sizeof error->path - 1;
  memmove(error->path, path, length); /* path may be error->path itself */
  error->path[length] = '\0';
}

/* One line, and harmless on a terminal, whatever names and values were quoted in it. */
static void flatten(char *message) {
  for (char *at = message; *at != '\0'; at++)
    if ((unsigned char)*at < ' ' || *at == 0x7f) *at = '?';
}

__attribute__((format(printf, 6, 0))) static muster_status
fill(muster_error *error, muster_status status, const char *path, muster_offset offset, int errnum,
     const char *format, va_list args) {
  if (error == NULL) return status;
  /* Formatted aside: an argument may be the old message of the same error. */
  char message[sizeof error->message];
  vsnprintf(message, sizeof message, format, args);
  flatten(message);
  set_path(error, path);
  memcpy(error->message, message, sizeof message);
  error->found[0] = error->expected[0] = '\0';
  error->status = status;
  error->offset = offset;
  error->errnum = errnum;
  return status;
}

muster_status mst_fail(muster_error *error, muster_status status, const char *path,
                       const char *format, ...) {
  va_list args;
  va_start(args, format);
  fill(error, status, path, -1, 0, format, args);
  va_end(args);
  return status;
}

muster_status mst_fail_at(muster_error *error, muster_status status, const char *path,
                          muster_offset offset, const char *format, ...) {
  va_list args;
  va_start(args, format);
  fill(error, status, path, offset, 0, format, args);
  va_end(args);
  return status;
}

static muster_status status_of(int errnum) {
  switch (errnum) {
  case ENOENT:
  case ENOTDIR: return MUSTER_ERR_NOT_FOUND;
  case EEXIST:
  case ENOTEMPTY: return MUSTER_ERR_EXISTS;
  case ENOMEM: return MUSTER_ERR_MEMORY;
  default: return MUSTER_ERR_IO;
  }
}

/* strerror_r keeps the locale out of it only as far as the caller does; the text is glibc's. */
__attribute__((format(printf, 6, 7))) static void fill_errno(muster_error *error,
                                                             muster_status status, const char *path,
                                                             muster_offset offset, int errnum,
                                                             const char *format, ...) {
  va_list args;
  va_start(args, format);
  fill(error, status, path, offset, errnum, format, args);
  va_end(args);
}

muster_status mst_fail_errno(muster_error *error, const char *path, muster_offset offset,
                             int errnum, const char *what) {
  const muster_status status = status_of(errnum);
  char buffer[128];
  fill_errno(error, status, path, offset, errnum, "cannot %s: %s", what,
             strerror_r(errnum, buffer, sizeof buffer));
  return status;
}

muster_status mst_fail_memory(muster_error *error) {
  return mst_fail(error, MUSTER_ERR_MEMORY, NULL, "out of memory");
}

static void set_text(char *out, size_t size, const char *text) {
  snprintf(out, size, "%s", text);
  flatten(out);
}

muster_status mst_tell_found(muster_error *error, muster_status status, const char *found,
                             const char *expected) {
  if (error == NULL) return status;
  set_text(error->found, sizeof error->found, found);
  set_text(error->expected, sizeof error->expected, expected);
  return status;
}

muster_status mst_tell_sizes(muster_error *error, muster_status status, uint64_t found,
                             uint64_t expected) {
  char texts[2][40];
  snprintf(texts[0], sizeof texts[0], "%" PRIu64 " bytes", found);
  snprintf(texts[1], sizeof texts[1], "%" PRIu64 " bytes", expected);
  return mst_tell_found(error, status, texts[0], texts[1]);
}

muster_status mst_check_struct(size_t struct_size, const char *init, muster_error *error) {
  if (struct_size >= sizeof(size_t)) return MUSTER_OK;
  return mst_fail(error, MUSTER_ERR_USAGE, NULL, "struct_size is not set: call %s first", init);
}
