/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of a dataset into the memory of a GPU: muster/gpu.h. */
#include "muster/gpu.h"

#include <string.h>

#include "base/alloc.h"
#include "base/shape.h"
#include "base/status.h"
#include "formats/flat.h"
#include "gpu/cufile.h"
#include "gpu/staging.h"
#include "load/by_rows.h"
#include "load/read.h"

/* A piece of a flat file: a copy of it costs many times its start, and the next one can begin. */
#define PIECE_BYTES ((uint64_t)2 << 20)
/* Below, to make a file known to cuFile costs more than to read it. */
#define LEAST_DIRECT_BYTES ((uint64_t)1 << 20)

struct muster_gpu {
  mst_cuda cuda;
  mst_cufile *cufile; /* NULL: read as usual */
  mst_staging_pool pool;
};

/* ---- opening and closing ------------------------------------------------------------------------- */

void muster_gpu_options_init(muster_gpu_options *options) {
  *options = (muster_gpu_options){.struct_size = sizeof *options};
}

static muster_status known_options(muster_gpu_options *known, const muster_gpu_options *options,
                                   muster_error *error) {
  muster_gpu_options_init(known);
  if (options != NULL) {
    const muster_status status =
        mst_check_struct(options->struct_size, "muster_gpu_options_init", error);
    if (status != MUSTER_OK) return status;
    memcpy(known, options, (size_t)mst_smaller(options->struct_size, sizeof *known));
  }
  if (known->cuda_library == NULL) known->cuda_library = "libcuda.so.1";
  if (known->cufile_library == NULL) known->cufile_library = "libcufile.so.0";
  return MUSTER_OK;
}

muster_status muster_gpu_open(const muster_gpu_options *options, muster_gpu **out,
                              muster_error *error) {
  *out = NULL;
  muster_gpu_options known;
  muster_status status = known_options(&known, options, error);
  if (status != MUSTER_OK) return status;
  muster_gpu *gpu = mst_calloc(1, sizeof *gpu);
  if (gpu == NULL) return mst_fail_memory(error);
  (void)pthread_mutex_init(&gpu->pool.lock, NULL);
  gpu->pool.cuda = &gpu->cuda;
  status = mst_cuda_open(&gpu->cuda, known.cuda_library, error);
  if (status != MUSTER_OK) {
    muster_gpu_close(gpu);
    return status;
  }
  if (known.direct_storage) gpu->cufile = mst_cufile_open(known.cufile_library);
  *out = gpu;
  return MUSTER_OK;
}

void muster_gpu_close(muster_gpu *gpu) {
  if (gpu == NULL) return;
  mst_staging_pool_reset(&gpu->pool);
  (void)pthread_mutex_destroy(&gpu->pool.lock);
  mst_cufile_close(gpu->cufile);
  mst_cuda_close(&gpu->cuda);
  mst_free(gpu);
}

/* ---- one call ---------------------------------------------------------------------------------- */

typedef struct mst_gpu_job {
  muster_gpu *gpu;
  const muster_dataset *dataset;
  mst_staging *staging;
  mst_cu_address dst;
  const int64_t *strides;
  bool waited; /* for what was in the caller's stream before */
  char *row;   /* a row of a shard by rows that is larger than a buffer; NULL until needed */
} mst_gpu_job;

/* A part of a shard, and where it goes. */
typedef struct mst_gpu_slice {
  mst_gpu_job *job;
  const mst_open_shard *open;
  uint64_t first;    /* element of the shard */
  const char *dense; /* the elements themselves, as the result has them; NULL: in the file */
  mst_cu_address dst;
  mst_strided layout;
} mst_gpu_slice;

static size_t itemsize_of(const mst_gpu_job *job) {
  return muster_type_size(job->dataset->dtype.type);
}

/* `at`: the piece's first element in the slice. */
static muster_status fill(const mst_gpu_slice *slice, const mst_strided *piece, uint64_t at,
                          uint64_t count, const mst_transfer *transfer, char *room,
                          muster_error *error) {
  const muster_dataset *dataset = slice->job->dataset;
  const size_t itemsize = itemsize_of(slice->job);
  char *first = room + transfer->host_first;
  if (slice->dense == NULL)
    return mst_read_box(dataset, slice->open, slice->first + at, piece->rank, piece->shape, first,
                        transfer->host_strides, error);
  mst_strided host;
  mst_strided_init(&host, piece->rank, piece->shape, transfer->host_strides);
  mst_strided_scatter(&host, first, 0, count, slice->dense + at * itemsize, itemsize,
                      mst_copier(itemsize));
  return MUSTER_OK;
}

static muster_status copy_pieces(const mst_gpu_slice *slice, uint64_t elements, uint64_t most,
                                 muster_error *error) {
  mst_staging *staging = slice->job->staging;
  const size_t itemsize = itemsize_of(slice->job);
  const mst_cut cut = mst_cut_of(&slice->layout, most);
  muster_status status = MUSTER_OK;
  for (uint64_t at = 0, count; status == MUSTER_OK && at < elements; at += count) {
    mst_strided piece;
    mst_transfer transfer;
    char *room;
    count = mst_cut_piece(&cut, at, &piece);
    mst_transfer_init(&transfer, &piece, itemsize);
    status = mst_staging_room(staging, (size_t)count * itemsize, &room, error);
    if (status == MUSTER_OK) status = fill(slice, &piece, at, count, &transfer, room, error);
    if (status != MUSTER_OK) break;
    const int64_t offset = mst_strided_offset(&slice->layout, at);
    status = mst_staging_copy(staging, &transfer, room, slice->dst + (mst_cu_address)offset, error);
  }
  return status;
}

/* ---- shards ------------------------------------------------------------------------------------ */

/* Rows that are read whole and are larger than a buffer: one after the other, by memory of the
 * host. */
static muster_status copy_large_rows(mst_gpu_slice *slice, uint64_t rows, muster_error *error) {
  mst_gpu_job *job = slice->job;
  const muster_dataset *dataset = job->dataset;
  const size_t rank = dataset->source.rank;
  uint64_t shape[MUSTER_MAX_RANK];
  int64_t strides[MUSTER_MAX_RANK];
  if (job->row == NULL) job->row = mst_alloc((size_t)dataset->row_bytes);
  if (job->row == NULL) return mst_fail_memory(error);
  mst_slice_shape(dataset, 1, shape);
  mst_dense_strides(rank, shape, itemsize_of(job), strides);
  mst_strided_init(&slice->layout, rank, shape, job->strides);
  slice->dense = job->row;
  muster_status status = MUSTER_OK;
  for (uint64_t i = 0; status == MUSTER_OK && i < rows; i++) {
    status = mst_read_box(dataset, slice->open, slice->first + i * dataset->row_elements, rank,
                          shape, job->row, strides, error);
    if (status == MUSTER_OK)
      status = copy_pieces(slice, dataset->row_elements, PIECE_BYTES / itemsize_of(job), error);
    slice->dst += (mst_cu_address)job->strides[0];
  }
  return status;
}

/* Axes as they are: pieces are whole rows then. */
static muster_status copy_by_rows(mst_gpu_slice *slice, const uint64_t *shape,
                                  muster_error *error) {
  const mst_gpu_job *job = slice->job;
  const muster_dataset *dataset = job->dataset;
  const uint64_t most = MST_STAGING_BYTES / itemsize_of(job);
  if (dataset->row_elements > most) return copy_large_rows(slice, shape[0], error);
  slice->layout.rank = dataset->source.rank;
  for (size_t i = 0; i < slice->layout.rank; i++) {
    slice->layout.shape[i] = shape[i];
    slice->layout.strides[i] = job->strides[i];
  }
  return copy_pieces(slice, shape[0] * dataset->row_elements, most, error);
}

/* Whether the file's bytes are the destination's, one behind the other. */
static bool is_as_in_file(const mst_gpu_slice *slice) {
  const muster_dataset *dataset = slice->job->dataset;
  return dataset->format->read_elements == mst_flat_read_elements && !dataset->converts &&
         !mst_shard_by_rows(dataset, slice->open->shard) && !slice->open->shard->swapped &&
         mst_strided_is_dense(&slice->layout, itemsize_of(slice->job));
}

/* cuFile does not keep to the order of a stream. */
static muster_status wait_for_earlier(mst_gpu_job *job, muster_error *error) {
  if (job->waited) return MUSTER_OK;
  job->waited = true;
  return mst_cuda_check(&job->gpu->cuda, job->gpu->cuda.stream_wait(job->staging->stream),
                        "cuStreamSynchronize", error);
}

static muster_status read_direct(const mst_gpu_slice *slice, uint64_t elements, bool *refused,
                                 muster_error *error) {
  mst_gpu_job *job = slice->job;
  const uint64_t bytes = elements * itemsize_of(job);
  *refused = true;
  if (job->gpu->cufile == NULL || bytes < LEAST_DIRECT_BYTES || !is_as_in_file(slice))
    return MUSTER_OK;
  const muster_status status = wait_for_earlier(job, error);
  if (status != MUSTER_OK) return status;
  const uint64_t offset = slice->open->shard->data_offset + slice->first * itemsize_of(job);
  return mst_cufile_read(job->gpu->cufile, slice->open, offset, slice->dst, bytes, refused, error);
}

static muster_status read_slice(void *context, mst_open_shard *open, uint64_t lo, uint64_t hi,
                                uint64_t done, muster_error *error) {
  mst_gpu_job *job = context;
  const muster_dataset *dataset = job->dataset;
  const uint64_t elements = (hi - lo) * dataset->row_elements;
  uint64_t shape[MUSTER_MAX_RANK];
  mst_slice_shape(dataset, hi - lo, shape);
  mst_gpu_slice slice = {.job = job,
                         .open = open,
                         .first = lo * dataset->row_elements,
                         .dst = job->dst + done * (mst_cu_address)job->strides[0]};
  mst_strided_init(&slice.layout, dataset->source.rank, shape, job->strides);
  bool refused;
  const muster_status status = read_direct(&slice, elements, &refused, error);
  if (status != MUSTER_OK || !refused) return status;
  mst_shard_expect(dataset, open, slice.first, elements);
  if (mst_shard_by_rows(dataset, open->shard)) return copy_by_rows(&slice, shape, error);
  return copy_pieces(&slice, elements, PIECE_BYTES / itemsize_of(job), error);
}

muster_status muster_read_rows_gpu(muster_gpu *gpu, const muster_dataset *dataset, uint64_t row_lo,
                                   uint64_t row_hi, void *device_dst, const int64_t *strides,
                                   void *stream, muster_error *error) {
  int64_t dense[MUSTER_MAX_RANK];
  mst_gpu_job job = {.gpu = gpu,
                     .dataset = dataset,
                     .dst = (uintptr_t)device_dst,
                     .strides = mst_strides_or_dense(dataset, strides, dense)};
  /* Nothing to read: no context is needed, and wrong ranges are told all the same. */
  const bool nothing = row_lo >= row_hi || dataset->row_elements == 0;
  if (nothing) return mst_for_slices(dataset, row_lo, row_hi, read_slice, &job, error);
  muster_status status = mst_staging_take(&gpu->pool, stream, &job.staging, error);
  if (status != MUSTER_OK) return status;
  status = mst_for_slices(dataset, row_lo, row_hi, read_slice, &job, error);
  mst_free(job.row);
  return mst_staging_give_back(&gpu->pool, job.staging, status, error);
}
