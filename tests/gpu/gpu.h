/* SPDX-License-Identifier: Apache-2.0 */
/* What tests with the fake driver share. FAKE_CUDA and FAKE_CUFILE are the paths of the fakes. */
#ifndef GPU_GPU_H
#define GPU_GPU_H

#include "unit/shards.h"

#include "support/fake_cuda.h"

/* Device memory for rows of a dataset of shards.h, and where their cells lie in it. */
typedef struct {
  uint64_t address; /* of the first row's first element */
  uint64_t block;
  size_t bytes;
  size_t first; /* of the first element in the block */
  int64_t strides[3];
} device_rows;

typedef enum { DENSE, PADDED_ROWS, BACKWARDS, TRANSPOSED, SCATTERED, LAYOUTS } device_layout;

static inline device_rows device_rows_new(device_layout layout, uint64_t rows, size_t size) {
  device_rows d = {0};
  const int64_t cell = (int64_t)size;
  if (layout == TRANSPOSED) {
    const int64_t column = (int64_t)rows * cell;
    d = (device_rows){.strides = {cell, column * TRAILING_1, column}};
    d.bytes = (size_t)(column * ROW_CELLS);
  } else {
    const int64_t step = layout == SCATTERED ? cell + 3 : cell;
    const int64_t row = ROW_CELLS * step + (layout == DENSE ? 0 : 24);
    d = (device_rows){.strides = {row, TRAILING_1 * step, step}};
    d.bytes = (size_t)((int64_t)rows * row);
    if (layout == BACKWARDS && rows > 0) {
      d.first = (size_t)(((int64_t)rows - 1) * row);
      d.strides[0] = -row;
    }
  }
  d.block = fake_cuda_alloc(d.bytes);
  d.address = d.block + d.first;
  return d;
}

/* Wrong cells, and bytes between the cells that were touched. For any thread. */
static inline uint64_t device_rows_wrong(const device_rows *d, muster_type type, uint64_t lo,
                                         uint64_t hi) {
  const size_t size = muster_type_size(type);
  uint64_t wrong = 0;
  char *block = malloc(d->bytes + 1);
  if (block == NULL) return 1;
  fake_cuda_peek(d->block, block, d->bytes);
  for (uint64_t k = 0; k < (hi - lo) * ROW_CELLS; k++) {
    const int64_t row = (int64_t)(k / ROW_CELLS), b = (int64_t)(k / TRAILING_1 % TRAILING_0),
                  c = (int64_t)(k % TRAILING_1);
    char *at =
        block + (int64_t)d->first + row * d->strides[0] + b * d->strides[1] + c * d->strides[2];
    wrong += !cell_is(at, type, lo * ROW_CELLS + k);
    memset(at, FAKE_CUDA_BLANK, size);
  }
  for (size_t i = 0; i < d->bytes; i++)
    wrong += (unsigned char)block[i] != FAKE_CUDA_BLANK;
  free(block);
  return wrong;
}

static inline void *pointer_to(uint64_t address) {
  void *pointer;
  memcpy(&pointer, &address, sizeof pointer);
  return pointer;
}

static inline muster_gpu *gpu_new(const char *cufile) {
  muster_gpu_options options;
  muster_gpu_options_init(&options);
  options.cuda_library = FAKE_CUDA;
  options.cufile_library = cufile;
  options.direct_storage = cufile != NULL;
  muster_gpu *gpu = NULL;
  muster_error error = {.message = ""};
  CHECK(muster_gpu_open(&options, &gpu, &error) == MUSTER_OK, "%s", error.message);
  return gpu;
}

/* Closes it, and sees to it that all calls were right and all was given back. */
static inline void gpu_end(muster_gpu *gpu) {
  muster_gpu_close(gpu);
  CHECK(fake_cuda_problem()[0] == '\0', "%s", fake_cuda_problem());
  CHECK(fake_cuda_alive() == 0, "%d objects leaked", fake_cuda_alive());
}

#endif
