/* SPDX-License-Identifier: Apache-2.0 */
#include "load/read.h"

#include <inttypes.h>

#include "base/alloc.h"
#include "base/shape.h"
#include "base/status.h"
#include "base/strided.h"
#include "load/by_rows.h"

/* Measured: a block that stays in the cache between reading and converting. */
#define BLOCK_BYTES ((uint64_t)1 << 20)
/* Runs of the destination from here on are read into without a detour. */
#define DIRECT_RUN_BYTES ((uint64_t)64 << 10)

static size_t source_itemsize(const muster_dataset *dataset) {
  return muster_type_size(dataset->source.dtype.type);
}

/* ---- opening and closing ---------------------------------------------------------------------- */

static muster_status check_unchanged(const mst_open_shard *open, muster_error *error) {
  const mst_stat *then = &open->shard->stat;
  mst_stat now;
  const muster_status status = mst_io_fstat(open->fd, open->shard->path, &now, error);
  if (status != MUSTER_OK) return status;
  if (now.size == then->size && now.mtime_ns == then->mtime_ns && now.inode == then->inode &&
      now.device == then->device)
    return MUSTER_OK;
  return mst_fail(error, MUSTER_ERR_CHANGED, open->shard->path,
                  "was changed since the dataset was opened: open it again");
}

static muster_status check_and_close(const mst_open_shard *open, muster_status status,
                                     muster_error *error) {
  muster_error change = {.offset = -1};
  const muster_status now = check_unchanged(open, &change);
  /* A read that failed may have failed because the file was changed: then that is the news. */
  if (now != MUSTER_OK && (status == MUSTER_OK || now == MUSTER_ERR_CHANGED)) {
    status = now;
    if (error != NULL) *error = change;
  }
  mst_io_close(open->fd);
  return status;
}

muster_status mst_shard_open(const muster_dataset *dataset, size_t index, mst_open_shard *open,
                             muster_error *error) {
  const mst_shard *shard = &dataset->shards[index];
  *open = (mst_open_shard){
      .shard = shard, .schema = &dataset->source, .fd = -1, .context = dataset->context};
  const mst_format *format = dataset->format;
  if (format->scheme != NULL) return MUSTER_OK;
  muster_status status = mst_io_open(shard->path, &open->fd, error);
  if (status == MUSTER_ERR_NOT_FOUND)
    return mst_fail(error, MUSTER_ERR_CHANGED, shard->path,
                    "vanished since the dataset was opened: open it again");
  if (status != MUSTER_OK || format->open == NULL) return status;
  status = format->open(open, error);
  return status == MUSTER_OK ? MUSTER_OK : check_and_close(open, status, error);
}

void mst_shard_expect(const muster_dataset *dataset, mst_open_shard *open, uint64_t first,
                      uint64_t count) {
  if (open->fd < 0 || mst_shard_by_rows(dataset, open->shard)) return;
  const uint64_t begin = open->shard->data_offset + first * source_itemsize(dataset);
  const uint64_t end = begin + count * source_itemsize(dataset);
  if (dataset->direct != MUSTER_DIRECT_NEVER && open->kept != NULL &&
      mst_direct_begin(open->kept, open->fd, open->shard->path, begin, end,
                       dataset->direct == MUSTER_DIRECT_AUTO))
    open->direct = *open->kept;
  if (open->direct == NULL) mst_io_read_ahead(open->fd, end - begin);
}

muster_status mst_shard_close(const muster_dataset *dataset, mst_open_shard *open,
                              muster_status status, muster_error *error) {
  if (open->fd < 0) return status;
  if (dataset->format->close != NULL) dataset->format->close(open);
  mst_direct_end(open->direct);
  return check_and_close(open, status, error);
}

/* ---- dense --------------------------------------------------------------------------------------- */

uint64_t mst_block_elements(const muster_dataset *dataset, const mst_shard *shard, uint64_t first) {
  const uint64_t itemsize =
      mst_larger(source_itemsize(dataset), muster_type_size(dataset->dtype.type));
  if (!mst_shard_by_rows(dataset, shard)) return BLOCK_BYTES / itemsize;
  return mst_rows_at_once(dataset, shard, first / dataset->row_elements) * dataset->row_elements;
}

/* The file's elements, in native byte order. */
static muster_status read_source(const muster_dataset *dataset, const mst_open_shard *open,
                                 uint64_t first, uint64_t count, void *dst, muster_error *error) {
  muster_status status;
  if (mst_shard_by_rows(dataset, open->shard)) {
    int64_t strides[MUSTER_MAX_RANK];
    mst_dense_strides(dataset->source.rank, dataset->source.shape, source_itemsize(dataset),
                      strides);
    const uint64_t row = first / dataset->row_elements;
    status = mst_read_by_rows(dataset, open, row, row + count / dataset->row_elements, dst, strides,
                              error);
  } else {
    status = dataset->format->read_elements(open, first, count, dst, error);
  }
  if (status == MUSTER_OK && open->shard->swapped)
    mst_swap_bytes(dst, (size_t)count, dataset->source.dtype.type);
  return status;
}

muster_status mst_read_dense(const muster_dataset *dataset, const mst_open_shard *open,
                             uint64_t first, uint64_t count, void *dst, void *scratch,
                             muster_error *error) {
  if (!dataset->converts) return read_source(dataset, open, first, count, dst, error);
  const muster_status status = read_source(dataset, open, first, count, scratch, error);
  if (status == MUSTER_OK)
    dataset->convert(scratch, dst, (int64_t)muster_type_size(dataset->dtype.type), (size_t)count);
  return status;
}

/* ---- strided --------------------------------------------------------------------------------------- */

/* Elements of one shard from `first` on, and where they go. */
typedef struct mst_box_job {
  const muster_dataset *dataset;
  const mst_open_shard *open;
  uint64_t first, elements;
  char *dst;
  mst_strided layout;
} mst_box_job;

static muster_status read_staged(const mst_box_job *job, muster_error *error) {
  const muster_dataset *dataset = job->dataset;
  const size_t itemsize = source_itemsize(dataset);
  void *block = NULL;
  uint64_t room = 0;
  muster_status status = MUSTER_OK;
  for (uint64_t at = 0, count; status == MUSTER_OK && at < job->elements; at += count) {
    count = mst_smaller(mst_block_elements(dataset, job->open->shard, job->first + at),
                        job->elements - at);
    if (count > room) {
      mst_free(block);
      block = mst_alloc((size_t)(count * itemsize));
      room = count;
      if (block == NULL) return mst_fail_memory(error);
    }
    status = read_source(dataset, job->open, job->first + at, count, block, error);
    if (status == MUSTER_OK)
      mst_strided_scatter(&job->layout, job->dst, at, count, block, itemsize, dataset->convert);
  }
  mst_free(block);
  return status;
}

/* Piece by piece into runs of the destination that are long enough. */
static muster_status read_runs(const mst_box_job *job, uint64_t run, muster_error *error) {
  const uint64_t at_once = mst_block_elements(job->dataset, job->open->shard, job->first);
  muster_status status = MUSTER_OK;
  for (uint64_t at = 0; status == MUSTER_OK && at < job->elements;) {
    const uint64_t count = mst_smaller(at_once, run - at % run);
    status = read_source(job->dataset, job->open, job->first + at, count,
                         job->dst + mst_strided_offset(&job->layout, at), error);
    at += count;
  }
  return status;
}

muster_status mst_read_box(const muster_dataset *dataset, const mst_open_shard *open,
                           uint64_t first, size_t rank, const uint64_t *shape, void *dst,
                           const int64_t *strides, muster_error *error) {
  mst_box_job job = {.dataset = dataset, .open = open, .first = first, .elements = 1, .dst = dst};
  for (size_t i = 0; i < rank; i++)
    job.elements *= shape[i];
  if (job.elements == 0) return MUSTER_OK;
  mst_strided_init(&job.layout, rank, shape, strides);
  if (dataset->converts) return read_staged(&job, error);
  if (mst_shard_by_rows(dataset, open->shard)) {
    if (open->shard->swapped) return read_staged(&job, error);
    const uint64_t row = first / dataset->row_elements;
    return mst_read_by_rows(dataset, open, row, row + shape[0], dst, strides, error);
  }
  const size_t itemsize = source_itemsize(dataset);
  const uint64_t run = mst_strided_is_dense(&job.layout, itemsize)
                           ? job.elements
                           : mst_strided_run(&job.layout, itemsize);
  if (run == job.elements || run * itemsize >= DIRECT_RUN_BYTES) return read_runs(&job, run, error);
  return read_staged(&job, error);
}

/* ---- rows of all shards ---------------------------------------------------------------------------- */

static muster_status for_slices(const muster_dataset *dataset, uint64_t lo, uint64_t hi,
                                mst_slice_fn visit, void *context, muster_error *error) {
  muster_status status = MUSTER_OK;
  uint64_t done = 0;
  mst_direct *direct = NULL;
  for (size_t i = mst_dataset_shard_of(dataset, lo); status == MUSTER_OK && lo < hi; i++) {
    const mst_shard *shard = &dataset->shards[i];
    if (shard->rows == 0) continue;
    const uint64_t end = mst_smaller(hi, shard->first_row + shard->rows);
    mst_open_shard open;
    status = mst_shard_open(dataset, i, &open, error);
    if (status != MUSTER_OK) break;
    open.kept = &direct;
    status = visit(context, &open, lo - shard->first_row, end - shard->first_row, done, error);
    status = mst_shard_close(dataset, &open, status, error);
    done += end - lo;
    lo = end;
  }
  mst_direct_free(direct);
  return status;
}

muster_status mst_for_slices(const muster_dataset *dataset, uint64_t row_lo, uint64_t row_hi,
                             mst_slice_fn visit, void *context, muster_error *error) {
  if (row_lo > row_hi || row_hi > dataset->shape[0])
    return mst_fail(error, MUSTER_ERR_USAGE, NULL,
                    "rows %" PRIu64 " to %" PRIu64 " are not in the dataset, which has %" PRIu64,
                    row_lo, row_hi, dataset->shape[0]);
  if (row_lo == row_hi || dataset->row_elements == 0) return MUSTER_OK;
  return for_slices(dataset, dataset->row_base + row_lo, dataset->row_base + row_hi, visit, context,
                    error);
}

void mst_slice_shape(const muster_dataset *dataset, uint64_t rows, uint64_t *shape) {
  shape[0] = rows;
  for (size_t i = 1; i < dataset->source.rank; i++)
    shape[i] = dataset->source.shape[i];
}

const int64_t *mst_strides_or_dense(const muster_dataset *dataset, const int64_t *strides,
                                    int64_t *dense) {
  if (strides != NULL) return strides;
  mst_dense_strides(dataset->source.rank, dataset->shape, muster_type_size(dataset->dtype.type),
                    dense);
  return dense;
}

typedef struct mst_destination {
  const muster_dataset *dataset;
  char *dst;
  const int64_t *strides;
} mst_destination;

static muster_status read_slice(void *context, mst_open_shard *open, uint64_t lo, uint64_t hi,
                                uint64_t done, muster_error *error) {
  const mst_destination *to = context;
  const uint64_t first = lo * to->dataset->row_elements;
  uint64_t shape[MUSTER_MAX_RANK] = {0};
  mst_slice_shape(to->dataset, hi - lo, shape);
  mst_shard_expect(to->dataset, open, first, (hi - lo) * to->dataset->row_elements);
  return mst_read_box(to->dataset, open, first, to->dataset->source.rank, shape,
                      to->dst + (int64_t)done * to->strides[0], to->strides, error);
}

muster_status muster_read_rows(const muster_dataset *dataset, uint64_t row_lo, uint64_t row_hi,
                               void *dst, const int64_t *strides, muster_error *error) {
  int64_t dense[MUSTER_MAX_RANK];
  mst_destination to = {
      .dataset = dataset, .dst = dst, .strides = mst_strides_or_dense(dataset, strides, dense)};
  return mst_for_slices(dataset, row_lo, row_hi, read_slice, &to, error);
}
