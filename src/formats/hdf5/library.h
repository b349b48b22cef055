/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The HDF5 library, opened at run time: a process may hold others (h5py and Legate carry their
 * own), and this way none of their names meet. Types and numbers are those of its versions 1.10,
 * and but for drivers those of 1.12 and 1.14, declared here so that nothing of it is needed to
 * build; tests/formats compares them with its own headers, and reads files by 1.14 where that is.
 *
 * The library serves one thread at a time. Everything here but mst_h5_use needs its lock: between
 * mst_h5_use and mst_h5_leave.
 */
#ifndef MST_FORMATS_HDF5_LIBRARY_H
#define MST_FORMATS_HDF5_LIBRARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "muster/error.h"

typedef int64_t mst_h5_id;                 /* hid_t; negative: none */
typedef int mst_h5_result;                 /* herr_t and htri_t; negative: failed */
typedef int mst_h5_enum;                   /* any of its enums */
typedef unsigned long long mst_h5_size;    /* hsize_t */
typedef unsigned long mst_h5_address;      /* haddr_t */
#define MST_H5_NO_ADDRESS UINT64_MAX       /* HADDR_UNDEF */
#define MST_H5_UNLIMITED ((mst_h5_size)-1) /* H5S_UNLIMITED */
#define MST_H5_MAX_RANK 32                 /* H5S_MAX_RANK */
#define MST_H5_DEFAULT 0                   /* H5P_DEFAULT, H5E_DEFAULT, H5S_ALL */

enum { /* unsigned flags of H5Fopen and H5Fcreate */
       MST_H5_READ_ONLY = 0,
       MST_H5_TRUNCATE = 2
};
enum { MST_H5_CLOSE_STRONG = 3 };
enum { MST_H5_COMPACT = 0, MST_H5_CONTIGUOUS = 1, MST_H5_CHUNKED = 2, MST_H5_VIRTUAL = 3 };
enum { MST_H5_PARTIAL_UNFILTERED = 2 };
enum { MST_H5_ALLOC_EARLY = 1 };
enum { MST_H5_FILL_NEVER = 1 };
enum { MST_H5_FILL_UNDEFINED = 0 };
enum { MST_H5_SCALAR = 0, MST_H5_SIMPLE = 1, MST_H5_NULL = 2 };
enum { MST_H5_SELECT_SET = 0 };
enum { MST_H5_LITTLE = 0, MST_H5_BIG = 1 };
enum { MST_H5_UNSIGNED = 0 };
enum { MST_H5_NORM_IMPLIED = 0 };
enum { MST_H5_ASCENDING = 1 };
enum { MST_H5_BY_NAME = 0, MST_H5_INCREASING = 0 };
enum { MST_H5_HARD_LINK = 0 };
enum { MST_H5_IS_GROUP = 2, MST_H5_IS_DATASET = 5 };
enum {
  MST_H5_INTEGER = 0,
  MST_H5_FLOAT = 1,
  MST_H5_TIME = 2,
  MST_H5_STRING = 3,
  MST_H5_BITS = 4,
  MST_H5_OPAQUE = 5,
  MST_H5_COMPOUND = 6,
  MST_H5_REFERENCE = 7,
  MST_H5_ENUMERATED = 8,
  MST_H5_VARIABLE = 9,
  MST_H5_ARRAY = 10
};

typedef struct mst_h5_error { /* H5E_error2_t */
  mst_h5_id library, major, minor;
  unsigned line;
  const char *function;
  const char *file;
  const char *text;
} mst_h5_error;
typedef mst_h5_result (*mst_h5_error_fn)(unsigned n, const mst_h5_error *error, void *data);

typedef struct mst_h5_link { /* H5L_info_t */
  mst_h5_enum kind;
  bool is_ordered;
  int64_t order;
  mst_h5_enum characters;
  mst_h5_address address; /* of hard links */
} mst_h5_link;
typedef mst_h5_result (*mst_h5_link_fn)(mst_h5_id group, const char *name, const mst_h5_link *link,
                                        void *data);
typedef mst_h5_result (*mst_h5_external_link_fn)(const char *parent_file, const char *parent_group,
                                                 const char *file, const char *object,
                                                 unsigned *flags, mst_h5_id list, void *data);

typedef struct mst_h5_variable { /* hvl_t */
  size_t length;
  void *data;
} mst_h5_variable;

/* What each driver's files begin with: H5FD_t. The library fills it. */
typedef struct mst_h5_driver_file {
  mst_h5_id driver;
  const void *kind;
  unsigned long number;
  unsigned flags;
  unsigned long features;
  mst_h5_address most;
  mst_h5_address base;
  mst_h5_size threshold;
  mst_h5_size alignment;
  bool in_pages;
} mst_h5_driver_file;

#define MST_H5_MEMORY_KINDS 7  /* H5FD_MEM_NTYPES */
#define MST_H5_RAW_DATA 3      /* H5FD_MEM_DRAW */
#define MST_H5_ACCUMULATES 0x7 /* H5FD_FEAT_AGGREGATE_METADATA | _ACCUMULATE_METADATA */

/* H5FD_class_t, in two parts that all versions have in common. */
typedef struct mst_h5_driver_head {
  const char *name;
  mst_h5_address most;
  mst_h5_enum close_degree;
  mst_h5_result (*terminate)(void);
  mst_h5_size (*superblock_size)(mst_h5_driver_file *file);
  mst_h5_result (*superblock_encode)(mst_h5_driver_file *file, char *name, unsigned char *to);
  mst_h5_result (*superblock_decode)(mst_h5_driver_file *file, const char *name,
                                     const unsigned char *from);
  size_t info_size;
  void *(*info_get)(mst_h5_driver_file *file);
  void *(*info_copy)(const void *info);
  mst_h5_result (*info_free)(void *info);
  size_t transfer_size;
  void *(*transfer_copy)(const void *transfer);
  mst_h5_result (*transfer_free)(void *transfer);
  mst_h5_driver_file *(*open)(const char *name, unsigned flags, mst_h5_id list,
                              mst_h5_address most);
  mst_h5_result (*close)(mst_h5_driver_file *file);
  int (*compare)(const mst_h5_driver_file *a, const mst_h5_driver_file *b);
  mst_h5_result (*query)(const mst_h5_driver_file *file, unsigned long *features);
  mst_h5_result (*type_map)(const mst_h5_driver_file *file, mst_h5_enum *map);
  mst_h5_address (*allocate)(mst_h5_driver_file *file, mst_h5_enum kind, mst_h5_id list,
                             mst_h5_size size);
  mst_h5_result (*release)(mst_h5_driver_file *file, mst_h5_enum kind, mst_h5_id list,
                           mst_h5_address at, mst_h5_size size);
  mst_h5_address (*get_end)(const mst_h5_driver_file *file, mst_h5_enum kind);
  mst_h5_result (*set_end)(mst_h5_driver_file *file, mst_h5_enum kind, mst_h5_address end);
  mst_h5_address (*file_end)(const mst_h5_driver_file *file, mst_h5_enum kind);
  mst_h5_result (*handle)(mst_h5_driver_file *file, mst_h5_id list, void **handle);
  mst_h5_result (*read)(mst_h5_driver_file *file, mst_h5_enum kind, mst_h5_id list,
                        mst_h5_address at, size_t size, void *buffer);
  mst_h5_result (*write)(mst_h5_driver_file *file, mst_h5_enum kind, mst_h5_id list,
                         mst_h5_address at, size_t size, const void *buffer);
} mst_h5_driver_head;

typedef struct mst_h5_driver_tail {
  mst_h5_result (*flush)(mst_h5_driver_file *file, mst_h5_id list, bool closing);
  mst_h5_result (*truncate)(mst_h5_driver_file *file, mst_h5_id list, bool closing);
  mst_h5_result (*lock)(mst_h5_driver_file *file, bool exclusive);
  mst_h5_result (*unlock)(mst_h5_driver_file *file);
} mst_h5_driver_tail;

typedef struct mst_h5_driver { /* of 1.10 and 1.12 */
  mst_h5_driver_head head;
  mst_h5_driver_tail tail;
  mst_h5_enum map[MST_H5_MEMORY_KINDS];
} mst_h5_driver;

typedef struct mst_h5_driver_1_14 {
  unsigned version;  /* MST_H5_DRIVER_VERSION */
  mst_h5_enum value; /* any, of those that nobody has registered */
  mst_h5_driver_head head;
  void (*many[4])(void); /* reads and writes of several pieces at once: not needed */
  mst_h5_driver_tail tail;
  void (*other[2])(void);
  mst_h5_enum map[MST_H5_MEMORY_KINDS];
} mst_h5_driver_1_14;

#define MST_H5_DRIVER_VERSION 1
#define MST_H5_DRIVER_VALUE 513

typedef struct mst_h5 {
/* A declarator takes no more parentheses. NOLINTNEXTLINE(bugprone-macro-parentheses) */
#define HDF5_FUNCTION(result, member, symbol, parameters) result(*member) parameters;
#define HDF5_VARIABLE(member, symbol) mst_h5_id member;
#include "formats/hdf5/library.def"
#undef HDF5_FUNCTION
  mst_h5_id driver; /* that of driver.h */
  char release[16]; /* "1.10.8" */
} mst_h5;

/* Opens the library when it is first asked for, and takes its lock. MUSTER_ERR_UNSUPPORTED: there
 * is none, or of a version that is not known; then the lock is not held. */
muster_status mst_h5_use(const mst_h5 **library, const char *path, muster_error *error);
void mst_h5_leave(void);
/* For callbacks of the library, which run under the lock. */
const mst_h5 *mst_h5_table(void);

/* Whether the call that just failed did so because no such chunk was ever written. */
bool mst_h5_has_no_chunk(const mst_h5 *library);

/* What the library says of the call that just failed; `what` is what was tried ("open it"). */
muster_status mst_h5_fail(const mst_h5 *library, const char *path, const char *what,
                          muster_error *error);

#endif
