/* SPDX-License-Identifier: Apache-2.0 */
/* Version of muster's public interface. */
#ifndef MUSTER_VERSION_H
#define MUSTER_VERSION_H

#include <stddef.h>

#define MUSTER_VERSION_MAJOR 0
#define MUSTER_VERSION_MINOR 1
#define MUSTER_VERSION_PATCH 0

/* Raised when a public struct or function changes so that old callers would break. */
#define MUSTER_ABI_VERSION 0

#if defined(__GNUC__)
#define MUSTER_API __attribute__((visibility("default")))
#else
#define MUSTER_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* The version of the library that is running, such as "0.1.0". Static string; any thread. */
MUSTER_API const char *muster_version(void);

/* MUSTER_ABI_VERSION of the library that is running; bindings compare it with theirs. */
MUSTER_API int muster_abi_version(void);

/*
 * Where the library has the fields of its public structs, for bindings that were not made by a C
 * compiler: "muster_error" with its size, then "muster_error.status" with its offset, and so on.
 * Static; any thread.
 */
typedef struct muster_layout {
  const char *name;
  size_t bytes;
} muster_layout;

MUSTER_API const muster_layout *muster_layouts(size_t *count);

#ifdef __cplusplus
}
#endif
#endif
