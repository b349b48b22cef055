/* SPDX-License-Identifier: Apache-2.0 */
/* Many threads read into GPU memory by one muster_gpu, in several contexts and streams. */
#include "gpu/gpu.h"

#include <pthread.h>

#define THREADS 8
#define READS 20 /* of each thread */

static const shard_kind kinds[] = {
    {"C order", STORED_INT16, false, false, false, false, NULL},
    {"Fortran order", STORED_INT16, false, true, false, false, NULL},
    {"everything mixed", STORED_FLOAT64, false, false, true, false, NULL},
    {"everything mixed and converting", STORED_INT16, true, true, true, false, "float32"},
    {"raw, big-endian", STORED_INT16, true, false, false, true, NULL},
};

typedef struct {
  pthread_t thread;
  muster_gpu *gpu;
  const muster_dataset *dataset;
  int number;
  void *shared; /* a stream of context 0 */
  uint64_t wrong;
  muster_status status;
  muster_error error;
} reader_thread;

static void *read_at_random(void *argument) {
  reader_thread *me = argument;
  uint64_t seed = (uint64_t)me->number + 1;
  const muster_type type = muster_dataset_dtype(me->dataset).type;
  const int context = me->number % 3;
  fake_cuda_use(context);
  for (int i = 0; i < READS && me->status == MUSTER_OK; i++) {
    const uint64_t lo = random_below(&seed, ALL_ROWS + 1);
    const uint64_t most = i % 8 == 0 ? ALL_ROWS : 300;
    const uint64_t left = ALL_ROWS - lo;
    const uint64_t hi = lo + random_below(&seed, (left < most ? left : most) + 1);
    const device_rows d = device_rows_new((device_layout)random_below(&seed, LAYOUTS), hi - lo,
                                          muster_type_size(type));
    void *stream = context == 0 && i % 2 == 0 ? me->shared : NULL;
    me->status = muster_read_rows_gpu(me->gpu, me->dataset, lo, hi, pointer_to(d.address),
                                      d.strides, stream, &me->error);
    if (me->status == MUSTER_OK) me->wrong += device_rows_wrong(&d, type, lo, hi);
  }
  return NULL;
}

static void check_reading(const muster_dataset *dataset, const char *what) {
  static reader_thread threads[THREADS];
  fake_cuda_reset();
  muster_gpu *gpu = gpu_new(NULL);
  fake_cuda_use(0);
  void *shared = fake_cuda_stream();
  for (int i = 0; i < THREADS; i++) {
    threads[i] = (reader_thread){.gpu = gpu, .dataset = dataset, .number = i, .shared = shared};
    assert_int_equal(pthread_create(&threads[i].thread, NULL, read_at_random, &threads[i]), 0);
  }
  for (int i = 0; i < THREADS; i++)
    assert_int_equal(pthread_join(threads[i].thread, NULL), 0);
  for (int i = 0; i < THREADS; i++) {
    CHECK(threads[i].status == MUSTER_OK, "%s: %s", what, threads[i].error.message);
    CHECK(threads[i].wrong == 0, "%s: %u cells", what, (unsigned)threads[i].wrong);
  }
  gpu_end(gpu);
}

static void test_files(void **state) {
  (void)state;
  for (size_t i = 0; i < COUNT(kinds); i++) {
    char folder[32];
    snprintf(folder, sizeof folder, "d%zu", i);
    put_dataset(folder, &kinds[i]);
    muster_dataset *dataset = open_folder(folder, kinds[i].dtype);
    check_reading(dataset, kinds[i].what);
    muster_dataset_free(dataset);
  }
}

static void test_own_reader(void **state) {
  (void)state;
  muster_dataset *dataset = open_own_reader("float64");
  check_reading(dataset, "a reader of one's own");
  muster_dataset_free(dataset);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      IN_FOLDER(test_files),
      cmocka_unit_test(test_own_reader),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
