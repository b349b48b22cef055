/* SPDX-License-Identifier: Apache-2.0 */
/* Filling muster_error: every failure of the library goes through one of these. */
#ifndef MST_BASE_STATUS_H
#define MST_BASE_STATUS_H

#include <stddef.h>
#include <stdint.h>

#include "muster/error.h"

/*
 * Each fills *error (which may be NULL) and returns `status`, so that a caller can write
 * `return mst_fail(...)`. path may be NULL. The message is one line: what was found, what to do.
 */
muster_status mst_fail(muster_error *error, muster_status status, const char *path,
                       const char *format, ...) __attribute__((format(printf, 4, 5)));

/* The same with the byte offset into the file where it was found. */
muster_status mst_fail_at(muster_error *error, muster_status status, const char *path,
                          muster_offset offset, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/* A failed system call: "cannot <what>: <strerror>". offset -1: none. */
muster_status mst_fail_errno(muster_error *error, const char *path, muster_offset offset,
                             int errnum, const char *what);

muster_status mst_fail_memory(muster_error *error);

/* Adds what was found and what was expected, to an error just filled; returns its status. */
muster_status mst_tell_found(muster_error *error, muster_status status, const char *found,
                             const char *expected);
muster_status mst_tell_sizes(muster_error *error, muster_status status, uint64_t found,
                             uint64_t expected);

/* MUSTER_ERR_USAGE when a struct of the caller's was never initialised; `init` says by what. */
muster_status mst_check_struct(size_t struct_size, const char *init, muster_error *error);

#endif
