/* SPDX-License-Identifier: Apache-2.0 */
/* cuFile (GPUDirect Storage), opened at run time: reads from a file into the memory of a GPU. */
#ifndef MST_GPU_CUFILE_H
#define MST_GPU_CUFILE_H

#include <stdbool.h>
#include <sys/types.h>

#include "formats/format.h"
#include "gpu/cuda.h"

enum {
  MST_CUFILE_SUCCESS = 0,
  MST_CUFILE_DRIVER_ALREADY_OPEN = 5026,
  MST_CUFILE_OPAQUE_FD = 1,
};

typedef void *mst_cufile_handle; /* CUfileHandle_t */

typedef struct mst_cufile_result { /* CUfileError_t */
  int code;
  mst_cu_result cuda;
} mst_cufile_result;

typedef struct mst_cufile_descriptor { /* CUfileDescr_t */
  int type;
  union {
    int fd;
    void *handle;
  } file;
  const void *operations;
} mst_cufile_descriptor;

typedef struct mst_cufile mst_cufile;

/* NULL: it is not on this machine, or there is no memory. */
mst_cufile *mst_cufile_open(const char *library);
/* NULL is allowed. cuFile's own driver stays open: it is the whole process's. */
void mst_cufile_close(mst_cufile *cufile);

/*
 * Reads `length` bytes at `offset` of a shard's file into memory of the current context. Any
 * thread. *refused: nothing was read, because cuFile or the file system cannot; read it in another
 * way.
 */
muster_status mst_cufile_read(mst_cufile *cufile, const mst_open_shard *open, uint64_t offset,
                              mst_cu_address to, uint64_t length, bool *refused,
                              muster_error *error);

#endif
