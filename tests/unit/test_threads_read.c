/* SPDX-License-Identifier: Apache-2.0 */
/* Many threads read rows of one dataset at once, and every cell is looked at. */
#include "unit/shards.h"

#include <pthread.h>
#include <stdatomic.h>

#define THREADS 8
#define READS 60 /* of each thread */

static const shard_kind kinds[] = {
    {"C order", STORED_INT16, false, false, false, false, NULL},
    {"Fortran order", STORED_INT16, false, true, false, false, NULL},
    {"big-endian", STORED_FLOAT64, true, false, false, false, NULL},
    {"big-endian in Fortran order", STORED_INT16, true, true, false, false, NULL},
    {"everything mixed", STORED_FLOAT64, false, false, true, false, NULL},
    {"converting", STORED_INT16, false, false, false, false, "float64"},
    {"everything mixed and converting", STORED_INT16, true, true, true, false, "float32"},
    {"raw", STORED_INT16, false, false, false, true, NULL},
    {"raw, big-endian, converting", STORED_INT16, true, false, false, true, "float32"},
};

typedef struct {
  pthread_t thread;
  const muster_dataset *dataset;
  uint64_t seed;
  uint64_t wrong;
  muster_status status;
  muster_error error;
} reader_thread;

/* Rows into padded memory, the rows themselves last to first; then packed for the look. */
static muster_status read_backwards(const muster_dataset *dataset, uint64_t lo, uint64_t hi,
                                    char *packed, muster_error *error) {
  const size_t size = muster_type_size(muster_dataset_dtype(dataset).type);
  const size_t cell = size + 1, row = ROW_CELLS * cell + 7;
  const int64_t strides[] = {-(int64_t)row, (int64_t)(TRAILING_1 * cell), (int64_t)cell};
  char *padded = malloc((hi - lo) * row + 1);
  if (padded == NULL) return MUSTER_ERR_MEMORY;
  char *last = padded + (hi > lo ? (hi - lo - 1) * row : 0);
  const muster_status status = muster_read_rows(dataset, lo, hi, last, strides, error);
  for (uint64_t k = 0; status == MUSTER_OK && k < (hi - lo) * ROW_CELLS; k++)
    memcpy(packed + k * size,
           last - (int64_t)(k / ROW_CELLS * row) + (int64_t)(k % ROW_CELLS * cell), size);
  free(padded);
  return status;
}

static void *read_at_random(void *argument) {
  reader_thread *me = argument;
  const muster_type type = muster_dataset_dtype(me->dataset).type;
  char *rows = malloc(ALL_ROWS * ROW_CELLS * muster_type_size(type));
  for (int i = 0; i < READS && rows != NULL && me->status == MUSTER_OK; i++) {
    const uint64_t most = i % 16 == 0 ? ALL_ROWS : 300;
    const uint64_t lo = random_below(&me->seed, i % 2 == 0 ? ALL_ROWS + 1 : 300);
    const uint64_t left = ALL_ROWS - lo;
    const uint64_t hi = lo + random_below(&me->seed, (left < most ? left : most) + 1);
    me->status = i % 3 == 0 ? read_backwards(me->dataset, lo, hi, rows, &me->error)
                            : muster_read_rows(me->dataset, lo, hi, rows, NULL, &me->error);
    if (me->status == MUSTER_OK) me->wrong += wrong_cells(rows, type, lo, hi);
  }
  free(rows);
  return NULL;
}

static void check_reading(const muster_dataset *dataset, const char *what) {
  static reader_thread threads[THREADS];
  assert_int_equal(muster_dataset_rows(dataset), ALL_ROWS);
  for (size_t i = 0; i < THREADS; i++) {
    threads[i] = (reader_thread){.dataset = dataset, .seed = i + 1};
    assert_int_equal(pthread_create(&threads[i].thread, NULL, read_at_random, &threads[i]), 0);
  }
  for (size_t i = 0; i < THREADS; i++)
    assert_int_equal(pthread_join(threads[i].thread, NULL), 0);
  for (size_t i = 0; i < THREADS; i++) {
    CHECK(threads[i].status == MUSTER_OK, "%s: %s", what, threads[i].error.message);
    CHECK(threads[i].wrong == 0, "%s: %u cells", what, (unsigned)threads[i].wrong);
  }
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
  static const char *const dtypes[] = {NULL, "float64"};
  for (size_t i = 0; i < COUNT(dtypes); i++) {
    muster_dataset *dataset = open_own_reader(dtypes[i]);
    check_reading(dataset, "a reader of one's own");
    muster_dataset_free(dataset);
  }
}

/* ---- opening in several threads ---- */

typedef struct {
  pthread_t thread;
  size_t number;
  const char *const *folders;
  size_t folder_count;
  atomic_int *faults;
} opener;

/* Each opens, reads and frees datasets of its own, of the same folders as the others. */
static void *open_and_read(void *argument) {
  const opener *me = argument;
  static const uint64_t bytes = ALL_ROWS * ROW_CELLS * 8;
  char *rows = malloc(bytes);
  for (size_t i = 0; i < 6 && rows != NULL; i++) {
    const size_t k = (i + me->number) % me->folder_count;
    muster_open_options options;
    muster_open_options_init(&options);
    options.dtype = "float64";
    options.threads = 1 + (unsigned)(i % 3);
    muster_dataset *dataset;
    if (muster_open(&me->folders[k], 1, &options, &dataset, NULL) != MUSTER_OK ||
        muster_read_rows(dataset, 0, ALL_ROWS, rows, NULL, NULL) != MUSTER_OK ||
        wrong_cells(rows, MUSTER_FLOAT64, 0, ALL_ROWS) != 0)
      atomic_fetch_add(me->faults, 1);
    muster_dataset_free(dataset);
  }
  free(rows);
  return NULL;
}

static void test_opening(void **state) {
  (void)state;
  static const char *const folders[] = {"a", "b", "c"};
  put_dataset("a", &kinds[0]);
  put_dataset("b", &kinds[6]);
  put_dataset("c", &kinds[7]);
  atomic_int faults = 0;
  opener threads[THREADS];
  for (size_t i = 0; i < THREADS; i++) {
    threads[i] = (opener){.number = i, .folders = folders, .folder_count = 3, .faults = &faults};
    assert_int_equal(pthread_create(&threads[i].thread, NULL, open_and_read, &threads[i]), 0);
  }
  for (size_t i = 0; i < THREADS; i++)
    assert_int_equal(pthread_join(threads[i].thread, NULL), 0);
  assert_int_equal(faults, 0);
}

/* Many faults, found by several threads: told in the order of the shards, by one thread. */
typedef struct {
  pthread_t caller;
  size_t count;
  bool ordered;
  char last[4096];
} told;

static void note_fault(void *user, const muster_error *fault) {
  told *t = user;
  if (!pthread_equal(t->caller, pthread_self())) t->ordered = false;
  if (t->count > 0 && strcmp(t->last, fault->path) >= 0) t->ordered = false;
  snprintf(t->last, sizeof t->last, "%s", fault->path);
  t->count++;
}

static void test_faults_in_order(void **state) {
  (void)state;
  char path[64];
  assert_int_equal(mkdir("bad", 0777), 0);
  for (int i = 10; i < 60; i++) {
    snprintf(path, sizeof path, "bad/s%d.npy", i);
    put_text(path, "\x93NUMPY, but no more");
  }
  for (unsigned threads = 1; threads <= 8; threads *= 2) {
    told t = {.caller = pthread_self(), .ordered = true};
    muster_open_options options;
    muster_open_options_init(&options);
    options.threads = threads;
    options.on_fault = note_fault;
    options.on_fault_user = &t;
    const char *input = "bad";
    muster_dataset *dataset;
    muster_error error;
    assert_int_not_equal(muster_open(&input, 1, &options, &dataset, &error), MUSTER_OK);
    assert_null(dataset);
    assert_int_equal(t.count, 20);
    assert_true(t.ordered);
    assert_string_equal(error.path, "bad/s10.npy");
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      IN_FOLDER(test_files),
      cmocka_unit_test(test_own_reader),
      IN_FOLDER(test_opening),
      IN_FOLDER(test_faults_in_order),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
