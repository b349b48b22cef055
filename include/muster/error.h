/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Errors of libmuster.
 *
 * Every function that can fail returns a muster_status; its last parameter is an optional
 * muster_error, owned by the caller, that is filled only when the status is not MUSTER_OK.
 * The library never prints, exits, aborts, installs signal handlers, changes the locale or reads
 * environment variables.
 */
#ifndef MUSTER_ERROR_H
#define MUSTER_ERROR_H

#include <stdint.h>

#include "muster/version.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum muster_status {
  MUSTER_OK = 0,
  MUSTER_ERR_USAGE,       /* an argument or option makes no sense: the caller's fault */
  MUSTER_ERR_MEMORY,      /* an allocation failed, or the array does not fit into memory */
  MUSTER_ERR_IO,          /* a system call failed (see muster_error.errnum), or the CUDA driver */
  MUSTER_ERR_NOT_FOUND,   /* no such file, or no shards in that folder */
  MUSTER_ERR_EXISTS,      /* what would be written exists already */
  MUSTER_ERR_FORMAT,      /* the file is not what it claims to be: damaged, truncated, hostile */
  MUSTER_ERR_UNSUPPORTED, /* a legal file that muster refuses to read; the message says why */
  MUSTER_ERR_MISMATCH,    /* shards do not fit together, or do not fit what was asked for */
  MUSTER_ERR_CHANGED,     /* a file changed or vanished since it was discovered */
  MUSTER_ERR_CHECK,       /* the data differ from the recorded checksum or seed */
  MUSTER_ERR_CANCELLED    /* the caller asked to stop */
} muster_status;

/* Where in a file an error was found; -1: no place in particular. */
typedef int64_t muster_offset;

typedef struct muster_error {
  muster_status status;
  int errnum;           /* errno of the failed system call, else 0 */
  muster_offset offset; /* byte offset into the file `path`, or -1 */
  char path[4096];      /* the file concerned, or "" */
  char message[512];    /* what was found and what to do, one line, without the path */
  char found[128];      /* where two things should agree, this one ("float32", "500 bytes"), and */
  char expected[128];   /* what it should have been; else "" */
} muster_error;

/* A short name of the status ("not found"). Static string, never NULL; any thread. */
MUSTER_API const char *muster_status_name(muster_status status);

#ifdef __cplusplus
}
#endif
#endif
