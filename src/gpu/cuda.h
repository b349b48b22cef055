/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The CUDA driver, opened at run time. Types and numbers are declared here, so that nothing of CUDA
 * is needed to build; tests/gpu compares them with its own header.
 */
#ifndef MST_GPU_CUDA_H
#define MST_GPU_CUDA_H

#include <stddef.h>

#include "muster/error.h"

typedef int mst_cu_result;                 /* CUresult */
typedef unsigned long long mst_cu_address; /* CUdeviceptr */
typedef struct CUctx_st *mst_cu_context;
typedef struct CUstream_st *mst_cu_stream;
typedef struct CUevent_st *mst_cu_event;
typedef int mst_cu_memory; /* CUmemorytype */

enum {
  MST_CU_SUCCESS = 0,
  MST_CU_INVALID_VALUE = 1,
  MST_CU_OUT_OF_MEMORY = 2,
  MST_CU_INVALID_CONTEXT = 201,
  MST_CU_INVALID_HANDLE = 400,
  MST_CU_ILLEGAL_ADDRESS = 700,
  MST_CU_CONTEXT_IS_DESTROYED = 709,
  MST_CU_LAUNCH_FAILED = 719,
  MST_CU_STREAM_CAPTURE_UNSUPPORTED = 900
};

enum {
  MST_CU_MEMORY_HOST = 1,
  MST_CU_MEMORY_DEVICE = 2,
  MST_CU_HOST_ALLOC_PORTABLE = 1,
  MST_CU_STREAM_NON_BLOCKING = 1,
  MST_CU_EVENT_BLOCKING_SYNC = 1,
  MST_CU_EVENT_DISABLE_TIMING = 2
};

/* CUDA_MEMCPY2D_v2: offsets, widths and pitches in bytes. */
typedef struct mst_cu_copy_2d {
  size_t from_x, from_y;
  mst_cu_memory from_memory;
  const void *from_host;
  mst_cu_address from_device;
  void *from_array;
  size_t from_pitch;
  size_t to_x, to_y;
  mst_cu_memory to_memory;
  void *to_host;
  mst_cu_address to_device;
  void *to_array;
  size_t to_pitch;
  size_t width, height;
} mst_cu_copy_2d;

typedef struct mst_cuda {
  void *library;
/* A declarator takes no more parentheses. NOLINTNEXTLINE(bugprone-macro-parentheses) */
#define CUDA_FUNCTION(member, symbol, parameters) mst_cu_result(*member) parameters;
#include "gpu/cuda.def"
#undef CUDA_FUNCTION
} mst_cuda;

/* MUSTER_ERR_UNSUPPORTED when there is no driver, no device, or a driver that is too old. Also
 * after a failure *cuda is to be closed. */
muster_status mst_cuda_open(mst_cuda *cuda, const char *library, muster_error *error);
void mst_cuda_close(mst_cuda *cuda);

/* MUSTER_OK for MST_CU_SUCCESS; else an error that names the call, and says what to do. */
muster_status mst_cuda_check(const mst_cuda *cuda, mst_cu_result code, const char *call,
                             muster_error *error);

#endif
