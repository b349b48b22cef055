/* SPDX-License-Identifier: Apache-2.0 */
/* The caller's memory, dense or strided. */
#include <string.h>

#include "base/alloc.h"
#include "base/status.h"
#include "base/strided.h"
#include "sinks/sink.h"

typedef struct mst_memory {
  char *dst;
  bool dense;
  bool populate;
  size_t itemsize;
  mst_strided layout;
} mst_memory;

static muster_status open_memory(const mst_array *array, const muster_load_options *options,
                                 void **state, muster_error *error) {
  if (options->dst == NULL && array->bytes > 0)
    return mst_fail(error, MUSTER_ERR_USAGE, NULL, "no memory was given to load into");
  mst_memory *memory = mst_calloc(1, sizeof *memory);
  if (memory == NULL) return mst_fail_memory(error);
  memory->dst = options->dst;
  memory->itemsize = muster_type_size(array->dtype.type);
  memory->dense = options->strides == NULL;
  if (!memory->dense) {
    mst_strided_init(&memory->layout, array->rank, array->shape, options->strides);
    memory->dense = mst_strided_is_dense(&memory->layout, memory->itemsize);
  }
  memory->populate = options->populate && memory->dense;
  if (memory->populate) mst_pages_prefer_huge(memory->dst, (size_t)array->bytes);
  *state = memory;
  return MUSTER_OK;
}

static void *place(void *state, uint64_t offset, size_t length) {
  const mst_memory *memory = state;
  if (!memory->dense) return NULL;
  if (memory->populate) mst_pages_populate(memory->dst + offset, length);
  return memory->dst + offset;
}

static muster_status put(void *state, uint64_t offset, const void *data, size_t length,
                         muster_error *error) {
  (void)error;
  mst_memory *memory = state;
  if (memory->dense) return MUSTER_OK; /* it was read in place */
  mst_strided_scatter(&memory->layout, memory->dst, offset / memory->itemsize,
                      length / memory->itemsize, data, memory->itemsize,
                      mst_copier(memory->itemsize));
  return MUSTER_OK;
}

const mst_sink_type mst_sink_memory = {
    .name = "memory", .open = open_memory, .place = place, .put = put, .close = mst_free};
