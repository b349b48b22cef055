/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Compiled, never run, where NVIDIA's headers are: what src/gpu declares of the driver and of
 * cuFile is what they declare. Each function of the .def files is assigned to a pointer of its
 * parameters, spelt with the real types; sizes, offsets and numbers are compared with ours.
 */
#include <stddef.h>

#include <cuda.h>
#ifdef WITH_CUFILE
#include <cufile.h>
#endif

/* Ours, beside the real ones, which have the same tags for their handles. */
#include "gpu/cuda.h"

#define SAME_SIZE(ours, theirs) _Static_assert(sizeof(ours) == sizeof(theirs), #theirs)
#define SAME_FIELD(ours, mine, theirs, field)                                   \
  _Static_assert(offsetof(ours, mine) == offsetof(theirs, field) &&             \
                     sizeof(((ours *)0)->mine) == sizeof(((theirs *)0)->field), \
                 #field)
#define SAME_NUMBER(mine, theirs) _Static_assert((int)(mine) == (int)(theirs), #theirs)

SAME_SIZE(mst_cu_result, CUresult);
SAME_SIZE(mst_cu_address, CUdeviceptr);
SAME_SIZE(mst_cu_memory, CUmemorytype);
_Static_assert(_Generic((mst_cu_address)0, CUdeviceptr : 1, default : 0), "CUdeviceptr");
_Static_assert(_Generic((mst_cu_context)0, CUcontext : 1, default : 0), "CUcontext");
_Static_assert(_Generic((mst_cu_stream)0, CUstream : 1, default : 0), "CUstream");
_Static_assert(_Generic((mst_cu_event)0, CUevent : 1, default : 0), "CUevent");

SAME_SIZE(mst_cu_copy_2d, CUDA_MEMCPY2D);
#define COPY_FIELD(mine, field) SAME_FIELD(mst_cu_copy_2d, mine, CUDA_MEMCPY2D, field)
COPY_FIELD(from_x, srcXInBytes);
COPY_FIELD(from_y, srcY);
COPY_FIELD(from_memory, srcMemoryType);
COPY_FIELD(from_host, srcHost);
COPY_FIELD(from_device, srcDevice);
COPY_FIELD(from_array, srcArray);
COPY_FIELD(from_pitch, srcPitch);
COPY_FIELD(to_x, dstXInBytes);
COPY_FIELD(to_y, dstY);
COPY_FIELD(to_memory, dstMemoryType);
COPY_FIELD(to_host, dstHost);
COPY_FIELD(to_device, dstDevice);
COPY_FIELD(to_array, dstArray);
COPY_FIELD(to_pitch, dstPitch);
COPY_FIELD(width, WidthInBytes);
COPY_FIELD(height, Height);

SAME_NUMBER(MST_CU_SUCCESS, CUDA_SUCCESS);
SAME_NUMBER(MST_CU_INVALID_VALUE, CUDA_ERROR_INVALID_VALUE);
SAME_NUMBER(MST_CU_OUT_OF_MEMORY, CUDA_ERROR_OUT_OF_MEMORY);
SAME_NUMBER(MST_CU_INVALID_CONTEXT, CUDA_ERROR_INVALID_CONTEXT);
SAME_NUMBER(MST_CU_INVALID_HANDLE, CUDA_ERROR_INVALID_HANDLE);
SAME_NUMBER(MST_CU_ILLEGAL_ADDRESS, CUDA_ERROR_ILLEGAL_ADDRESS);
SAME_NUMBER(MST_CU_CONTEXT_IS_DESTROYED, CUDA_ERROR_CONTEXT_IS_DESTROYED);
SAME_NUMBER(MST_CU_LAUNCH_FAILED, CUDA_ERROR_LAUNCH_FAILED);
SAME_NUMBER(MST_CU_STREAM_CAPTURE_UNSUPPORTED, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
SAME_NUMBER(MST_CU_MEMORY_HOST, CU_MEMORYTYPE_HOST);
SAME_NUMBER(MST_CU_MEMORY_DEVICE, CU_MEMORYTYPE_DEVICE);
SAME_NUMBER(MST_CU_HOST_ALLOC_PORTABLE, CU_MEMHOSTALLOC_PORTABLE);
SAME_NUMBER(MST_CU_STREAM_NON_BLOCKING, CU_STREAM_NON_BLOCKING);
SAME_NUMBER(MST_CU_EVENT_BLOCKING_SYNC, CU_EVENT_BLOCKING_SYNC);
SAME_NUMBER(MST_CU_EVENT_DISABLE_TIMING, CU_EVENT_DISABLE_TIMING);

#ifdef WITH_CUFILE
#include "gpu/cufile.h"

SAME_SIZE(mst_cufile_handle, CUfileHandle_t);
SAME_SIZE(mst_cufile_result, CUfileError_t);
SAME_FIELD(mst_cufile_result, code, CUfileError_t, err);
SAME_FIELD(mst_cufile_result, cuda, CUfileError_t, cu_err);
SAME_SIZE(mst_cufile_descriptor, CUfileDescr_t);
SAME_FIELD(mst_cufile_descriptor, type, CUfileDescr_t, type);
SAME_FIELD(mst_cufile_descriptor, file, CUfileDescr_t, handle);
SAME_FIELD(mst_cufile_descriptor, operations, CUfileDescr_t, fs_ops);
SAME_NUMBER(MST_CUFILE_SUCCESS, CU_FILE_SUCCESS);
SAME_NUMBER(MST_CUFILE_DRIVER_ALREADY_OPEN, CU_FILE_DRIVER_ALREADY_OPEN);
SAME_NUMBER(MST_CUFILE_OPAQUE_FD, CU_FILE_HANDLE_TYPE_OPAQUE_FD);
#endif

/* From here on our names stand for the real types. */
#define mst_cu_result CUresult
#define mst_cu_copy_2d CUDA_MEMCPY2D
#define CUDA_FUNCTION(member, symbol, parameters) \
  CUresult(*const declared_##member) parameters = symbol;
#include "gpu/cuda.def"

#ifdef WITH_CUFILE
#define mst_cufile_handle CUfileHandle_t
#define mst_cufile_result CUfileError_t
#define mst_cufile_descriptor CUfileDescr_t
#define CUFILE_FUNCTION(member, result, symbol, parameters) \
  result(*const declared_cufile_##member) parameters = symbol;
#include "gpu/cufile.def"
#endif
