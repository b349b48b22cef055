/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rows of a dataset straight into the memory of a GPU.
 *
 *   muster_gpu *gpu = NULL;
 *   if (muster_gpu_open(NULL, &gpu, &error) != MUSTER_OK) ...    no driver, no GPU
 *   muster_read_rows_gpu(gpu, dataset, lo, hi, device_memory, NULL, stream, &error);    any thread
 *   muster_gpu_close(gpu);
 *
 * The CUDA driver library is opened at run time: the library itself runs with and without a GPU.
 * Nothing of the CUDA runtime is needed, no kernel is launched, and contexts are the caller's. The
 * driver's functions used here, and what they want, are those of the CUDA Driver API 13.0 reference
 * ("Memory Management", "Stream Management", "Event Management") in forms that every driver since
 * CUDA 4.0 has; cuFile's are those of the cuFile API reference (GPUDirect Storage 1.15).
 */
#ifndef MUSTER_GPU_H
#define MUSTER_GPU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "muster/dataset.h"
#include "muster/error.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The opened driver, and pinned memory that calls take in turns: 16 MiB for each call under way. */
typedef struct muster_gpu muster_gpu;

typedef struct muster_gpu_options {
  size_t struct_size;
  const char *cuda_library;   /* the driver, as for dlopen; NULL: "libcuda.so.1" */
  const char *cufile_library; /* as for dlopen; NULL: "libcufile.so.0" */
  /*
   * Read by GPUDirect Storage (cuFile) what can be: npy and raw files in C order whose bytes stay
   * as they are, into dense memory, in pieces of 1 MiB and more. Off unless asked for: on file
   * systems without support cuFile goes through memory of its own, which gains nothing. Where it is
   * not there, or refuses a file, the file is read as usual.
   */
  bool direct_storage;
} muster_gpu_options;

MUSTER_API void muster_gpu_options_init(muster_gpu_options *options);

/*
 * Opens the driver. options may be NULL; its strings are not kept. No context is made, nor is one
 * needed yet. On success *out is what the caller closes. MUSTER_ERR_UNSUPPORTED: there is no
 * driver, or no GPU, or the driver does not start; the message says which.
 */
MUSTER_API muster_status muster_gpu_open(const muster_gpu_options *options, muster_gpu **out,
                                         muster_error *error);

/*
 * Gives back all pinned memory. NULL is allowed. No other call on it may be under way, and the
 * contexts that calls were made in must still be there (as primary contexts are, until the process
 * ends or resets them).
 */
MUSTER_API void muster_gpu_close(muster_gpu *gpu);

/*
 * Reads rows [row_lo, row_hi) into device memory, as muster_read_rows does into memory of the host.
 * device_dst: address of the first row's first element, in device or managed memory that the
 * context current on the calling thread may write. strides: rank entries in bytes, negative ones
 * allowed; NULL: dense, in C order. stream: a CUstream (or cudaStream_t) of that context, on which
 * the copies run, after what is in it already; NULL: a stream of the call's own, which waits for
 * none other. All copies are finished when the call returns, also after an error; other work on
 * that memory has to be finished before, unless it is in `stream`, which must not be capturing.
 *
 * The next piece is read from the file while one is being copied. A dense destination takes one
 * copy for some MiB, a pitched or transposed one a two-dimensional copy; the more axes have gaps
 * between their elements, the smaller the pieces, down to single elements.
 *
 * May be called from any number of threads at once, in any contexts. Uses one thread, the pinned
 * memory above, and no memory that grows with the range, except one whole row of more than 8 MiB
 * where the format reads whole rows only (Fortran order, the caller's own reader).
 *
 * Errors as muster_read_rows, and MUSTER_ERR_USAGE: no context is current, or the driver refuses
 * the context, the stream or the memory. MUSTER_ERR_MEMORY: no more memory can be pinned.
 * MUSTER_ERR_IO: any other failure of the driver. The message names the call and the driver's
 * words. After an error the contents of the destination are undefined.
 */
MUSTER_API muster_status muster_read_rows_gpu(muster_gpu *gpu, const muster_dataset *dataset,
                                              uint64_t row_lo, uint64_t row_hi, void *device_dst,
                                              const int64_t *strides, void *stream,
                                              muster_error *error);

#ifdef __cplusplus
}
#endif
#endif
