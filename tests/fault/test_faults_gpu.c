/* SPDX-License-Identifier: Apache-2.0 */
/* Every allocation and I/O call on the way into GPU memory fails once. The driver's own calls are
 * made to fail by tests/gpu. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "fault/support.h"
#include "support/fake_cuda.h"
#include "support/fake_cufile.h"

/* One source a program: see cmake/tests.cmake. */
#include "fault/support.c"
#include "fault/sweep.c"

#define WIDE .trailing_rank = 2, .trailing = {2, 3}
#define UNEVEN .shards = 3, .rows = {3, 1, 4}

static const fixture plain = {"<f4", false, 1, WIDE, UNEVEN};
static const fixture big_fortran = {">i2", true, 1, WIDE, UNEVEN};
/* Enough for cuFile. */
static const fixture large = {"<f4", false, 1, .shards = 1, .rows = {300000}};
/* A row is more than a buffer holds. Of no file: the sweep would copy it time and again. */
static const fixture wide = {"<i4", .trailing_rank = 1, .trailing = {2200001}, .shards = 1,
                             .rows = {1}};

typedef struct reading {
  const fixture *fixture;
  const char *dtype, *type; /* of the result */
  bool direct, by_reader;
} reading;

static void prepare(const operation *op) {
  const reading *r = op->detail;
  if (!r->by_reader) fixture_make(r->fixture, data_folder);
}

static muster_status reader_rows(void *user, uint64_t shard, uint64_t *rows, muster_error *error) {
  (void)error;
  *rows = ((const fixture *)user)->rows[shard];
  return MUSTER_OK;
}

static muster_status reader_read(void *user, uint64_t shard, uint64_t lo, uint64_t hi, void *dst,
                                 muster_error *error) {
  size_t length;
  (void)shard;
  (void)error;
  unsigned char *rows = fixture_rows_as(user, "i4", lo, hi, &length);
  memcpy(dst, rows, length);
  free(rows);
  return MUSTER_OK;
}

static muster_status open_reader(const fixture *f, muster_dataset **dataset, muster_error *error) {
  const muster_reader reader = {.struct_size = sizeof reader,
                                .user = (void *)(uintptr_t)f,
                                .shard_count = f->shards,
                                .trailing_rank = f->trailing_rank,
                                .trailing_shape = f->trailing,
                                .dtype = {.type = MUSTER_INT32},
                                .shard_rows = reader_rows,
                                .read_rows = reader_read};
  muster_open_options options;
  muster_open_options_init(&options);
  options.threads = 1;
  return muster_open_reader(&reader, &options, dataset, error);
}

static muster_status open_all(const reading *r, muster_gpu **gpu, muster_dataset **dataset,
                              muster_error *error) {
  muster_gpu_options options;
  muster_gpu_options_init(&options);
  options.cuda_library = FAKE_CUDA;
  options.cufile_library = FAKE_CUFILE;
  options.direct_storage = r->direct;
  const muster_status status = muster_gpu_open(&options, gpu, error);
  if (status != MUSTER_OK) return status;
  if (r->by_reader) return open_reader(r->fixture, dataset, error);
  const char *input = data_folder;
  muster_open_options open;
  muster_open_options_init(&open);
  open.threads = 1;
  open.dtype = r->dtype;
  return muster_open(&input, 1, &open, dataset, error);
}

static muster_status read_all(const reading *r, muster_gpu *gpu, const muster_dataset *dataset,
                              muster_error *error) {
  size_t length;
  const uint64_t rows = fixture_rows(r->fixture);
  unsigned char *wanted = fixture_rows_as(r->fixture, r->type, 0, rows, &length);
  unsigned char *found = memory(length);
  const uint64_t address = fake_cuda_alloc(length);
  void *device;
  memcpy(&device, &address, sizeof device);
  const muster_status status =
      muster_read_rows_gpu(gpu, dataset, 0, rows, device, NULL, NULL, error);
  fake_cuda_peek(address, found, length);
  if (status == MUSTER_OK && memcmp(found, wanted, length) != 0) problem("wrong data");
  free(found);
  free(wanted);
  return status;
}

static void run(const operation *op, outcome *out) {
  muster_gpu *gpu = NULL;
  muster_dataset *dataset = NULL;
  muster_error error = {0};
  fake_cuda_reset();
  fake_cufile_reset();
  fake_cuda_use(0);
  muster_status status = open_all(op->detail, &gpu, &dataset, &error);
  if (status == MUSTER_OK) status = read_all(op->detail, gpu, dataset, &error);
  if (status != MUSTER_OK && error.status != status) problem("another status in the error");
  muster_dataset_free(dataset);
  muster_gpu_close(gpu);
  if (fake_cuda_alive() + fake_cufile_alive() != 0) problem("objects of the driver leaked");
  if (fake_cuda_problem()[0] != '\0') problem("%s", fake_cuda_problem());
  *out = (outcome){.done = status == MUSTER_OK, .has_error = status != MUSTER_OK, .error = error};
  if (!out->done) out->text = strdup(error.message);
}

#define READING(name, ...)                                      \
  {                                                             \
    name, READS, prepare, run, &(const reading) { __VA_ARGS__ } \
  }

static const operation operations[] = {
    READING("read", &plain, NULL, "f4", false, false),
    READING("read converting", &plain, "float64", "f8", false, false),
    READING("read big-endian Fortran", &big_fortran, NULL, "i2", false, false),
    READING("read several pieces", &large, NULL, "f4", false, false),
    READING("read by cuFile", &large, NULL, "f4", true, false),
    READING("read rows larger than a buffer", &wide, NULL, "i4", false, true),
};

int main(void) {
  return sweep("faults on the way to a GPU", operations, COUNT_OF(operations), false);
}
