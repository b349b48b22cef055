/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/staging.h"

#include "base/alloc.h"
#include "base/status.h"

/* Pieces begin where the GPU reads whole lines. */
#define ROOM_ALIGNMENT ((size_t)512)

/* ---- making and freeing ------------------------------------------------------------------------ */

/* In its context, which must be current. What fails here cannot be mended any more. */
static void free_in_context(mst_staging *staging) {
  const mst_cuda *cuda = staging->cuda;
  for (size_t i = 0; i < 2; i++) {
    const mst_buffer *buffer = &staging->buffers[i];
    if (buffer->copied != NULL) (void)cuda->event_free(buffer->copied);
    if (buffer->memory != NULL) (void)cuda->host_free(buffer->memory);
  }
  if (staging->own != NULL) (void)cuda->stream_free(staging->own);
  mst_free(staging);
}

void mst_staging_pool_reset(mst_staging_pool *pool) {
  while (pool->idle != NULL) {
    mst_staging *staging = pool->idle;
    pool->idle = staging->next;
    mst_cu_context popped;
    if (pool->cuda->context_push(staging->context) == MST_CU_SUCCESS) {
      free_in_context(staging);
      (void)pool->cuda->context_pop(&popped);
    } else {
      mst_free(staging); /* the context is lost, and what was in it */
    }
  }
}

static muster_status make_buffer(const mst_cuda *cuda, mst_buffer *buffer, muster_error *error) {
  void *memory = NULL;
  muster_status status =
      mst_cuda_check(cuda, cuda->host_alloc(&memory, MST_STAGING_BYTES, MST_CU_HOST_ALLOC_PORTABLE),
                     "cuMemHostAlloc", error);
  if (status != MUSTER_OK) return status;
  buffer->memory = memory;
  /* Who waits leaves the processor to the threads that read. */
  const unsigned flags = MST_CU_EVENT_BLOCKING_SYNC | MST_CU_EVENT_DISABLE_TIMING;
  return mst_cuda_check(cuda, cuda->event_new(&buffer->copied, flags), "cuEventCreate", error);
}

static muster_status make(const mst_cuda *cuda, mst_cu_context context, mst_staging **out,
                          muster_error *error) {
  mst_staging *staging = mst_calloc(1, sizeof *staging);
  if (staging == NULL) return mst_fail_memory(error);
  staging->cuda = cuda;
  staging->context = context;
  muster_status status = make_buffer(cuda, &staging->buffers[0], error);
  if (status == MUSTER_OK) status = make_buffer(cuda, &staging->buffers[1], error);
  if (status == MUSTER_OK)
    *out = staging;
  else
    free_in_context(staging);
  return status;
}

/* ---- taking and giving back --------------------------------------------------------------------- */

static mst_staging *take_idle(mst_staging_pool *pool, mst_cu_context context) {
  (void)pthread_mutex_lock(&pool->lock);
  mst_staging **at = &pool->idle;
  while (*at != NULL && (*at)->context != context)
    at = &(*at)->next;
  mst_staging *found = *at;
  if (found != NULL) *at = found->next;
  (void)pthread_mutex_unlock(&pool->lock);
  return found;
}

static void put_idle(mst_staging_pool *pool, mst_staging *staging) {
  (void)pthread_mutex_lock(&pool->lock);
  staging->next = pool->idle;
  pool->idle = staging;
  (void)pthread_mutex_unlock(&pool->lock);
}

static muster_status use_own_stream(mst_staging *staging, muster_error *error) {
  const mst_cuda *cuda = staging->cuda;
  if (staging->own == NULL) {
    const muster_status status = mst_cuda_check(
        cuda, cuda->stream_new(&staging->own, MST_CU_STREAM_NON_BLOCKING), "cuStreamCreate", error);
    if (status != MUSTER_OK) return status;
  }
  staging->stream = staging->own;
  return MUSTER_OK;
}

muster_status mst_staging_take(mst_staging_pool *pool, mst_cu_stream stream, mst_staging **out,
                               muster_error *error) {
  const mst_cuda *cuda = pool->cuda;
  mst_cu_context context = NULL;
  muster_status status =
      mst_cuda_check(cuda, cuda->context_current(&context), "cuCtxGetCurrent", error);
  if (status != MUSTER_OK) return status;
  if (context == NULL)
    return mst_fail(error, MUSTER_ERR_USAGE, NULL,
                    "no CUDA context is current on this thread: make one current (cuCtxSetCurrent, "
                    "or cudaSetDevice) before reading into GPU memory");
  mst_staging *staging = take_idle(pool, context);
  if (staging == NULL) {
    status = make(cuda, context, &staging, error);
    if (status != MUSTER_OK) return status;
  }
  staging->stream = stream;
  staging->filled = &staging->buffers[0];
  staging->used = 0;
  if (stream == NULL) status = use_own_stream(staging, error);
  if (status == MUSTER_OK)
    *out = staging;
  else
    put_idle(pool, staging);
  return status;
}

/* ---- copies ------------------------------------------------------------------------------------ */

/* Marks the end of the copies out of the filled buffer. */
static muster_status mark(mst_staging *staging, muster_error *error) {
  if (!staging->filled->in_copy) return MUSTER_OK;
  return mst_cuda_check(staging->cuda,
                        staging->cuda->event_record(staging->filled->copied, staging->stream),
                        "cuEventRecord", error);
}

static muster_status wait_for(const mst_staging *staging, mst_buffer *buffer, muster_error *error) {
  if (!buffer->in_copy) return MUSTER_OK;
  const muster_status status = mst_cuda_check(
      staging->cuda, staging->cuda->event_wait(buffer->copied), "cuEventSynchronize", error);
  if (status == MUSTER_OK) buffer->in_copy = false;
  return status;
}

muster_status mst_staging_room(mst_staging *staging, size_t bytes, char **out,
                               muster_error *error) {
  if (bytes > MST_STAGING_BYTES - staging->used) {
    muster_status status = mark(staging, error);
    if (status != MUSTER_OK) return status;
    staging->filled = &staging->buffers[staging->filled == &staging->buffers[0]];
    staging->used = 0;
    status = wait_for(staging, staging->filled, error);
    if (status != MUSTER_OK) return status;
  }
  *out = staging->filled->memory + staging->used;
  const size_t end = staging->used + bytes;
  staging->used = end + (ROOM_ALIGNMENT - end % ROOM_ALIGNMENT) % ROOM_ALIGNMENT;
  return MUSTER_OK;
}

static muster_status copy_lines(const mst_staging *staging, const mst_transfer *transfer,
                                const char *from, mst_cu_address to, muster_error *error) {
  const mst_cuda *cuda = staging->cuda;
  if (transfer->height == 1)
    return mst_cuda_check(cuda, cuda->copy(to, from, transfer->width, staging->stream),
                          "cuMemcpyHtoDAsync", error);
  const mst_cu_copy_2d copy = {.from_memory = MST_CU_MEMORY_HOST,
                               .from_host = from,
                               .from_pitch = transfer->host_pitch,
                               .to_memory = MST_CU_MEMORY_DEVICE,
                               .to_device = to,
                               .to_pitch = transfer->device_pitch,
                               .width = transfer->width,
                               .height = transfer->height};
  return mst_cuda_check(cuda, cuda->copy_2d(&copy, staging->stream), "cuMemcpy2DAsync", error);
}

muster_status mst_staging_copy(mst_staging *staging, const mst_transfer *transfer, const char *room,
                               mst_cu_address to, muster_error *error) {
  const mst_cu_address lowest = to + (mst_cu_address)transfer->device_lowest;
  muster_status status = MUSTER_OK;
  staging->filled->in_copy = true;
  for (uint64_t i = 0; status == MUSTER_OK && i < transfer->copies; i++) {
    size_t host, device;
    mst_transfer_copy(transfer, i, &host, &device);
    status = copy_lines(staging, transfer, room + host, lowest + device, error);
  }
  return status;
}

/* ---- the end of a call -------------------------------------------------------------------------- */

static muster_status wait_for_all(mst_staging *staging, muster_error *error) {
  muster_status status = mark(staging, error);
  for (size_t i = 0; status == MUSTER_OK && i < 2; i++)
    status = wait_for(staging, &staging->buffers[i], error);
  return status;
}

muster_status mst_staging_give_back(mst_staging_pool *pool, mst_staging *staging,
                                    muster_status status, muster_error *error) {
  const mst_cuda *cuda = staging->cuda;
  if (status == MUSTER_OK) status = wait_for_all(staging, error);
  const bool in_copy = staging->buffers[0].in_copy || staging->buffers[1].in_copy;
  /* After an error no event may stand behind the last copy, so all of the stream is waited for. */
  if (in_copy && cuda->stream_wait(staging->stream) != MST_CU_SUCCESS) {
    free_in_context(staging);
    return status;
  }
  staging->buffers[0].in_copy = staging->buffers[1].in_copy = false;
  put_idle(pool, staging);
  return status;
}
