/* SPDX-License-Identifier: Apache-2.0 */
/* muster_load: several at once, its progress, its cancellation, its first fault. */
#include "unit/shards.h"

#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

#include "unit/naive_checksum.h"

#define LOADERS 4

static void sleep_ms(long milliseconds) {
  const struct timespec time = {milliseconds / 1000, milliseconds % 1000 * 1000000};
  (void)nanosleep(&time, NULL);
}

#define ALL_CELLS ((uint64_t)ALL_ROWS * ROW_CELLS)

/* Of the whole array, made by hand, as int16 or float64. */
static uint64_t checksum_as(muster_type type) {
  const size_t size = muster_type_size(type);
  unsigned char *cells = malloc(ALL_CELLS * size);
  assert_non_null(cells);
  for (uint64_t i = 0; i < ALL_CELLS; i++)
    put_cell(cells + i * size, i, type == MUSTER_INT16 ? STORED_INT16 : STORED_FLOAT64, false);
  const uint64_t checksum = naive_checksum(cells, ALL_CELLS * size);
  free(cells);
  return checksum;
}

/* ---- several loads of one dataset at once ---- */

typedef struct {
  pthread_t thread;
  const muster_dataset *dataset;
  unsigned number;
  uint64_t wrong;
  muster_status status;
  muster_load_result results[6];
} loader;

static void *load_often(void *argument) {
  loader *me = argument;
  const muster_type type = muster_dataset_dtype(me->dataset).type;
  char *rows = malloc(ALL_CELLS * sizeof(double));
  for (unsigned i = 0; i < COUNT(me->results) && rows != NULL && me->status == MUSTER_OK; i++) {
    muster_load_options options;
    muster_load_options_init(&options);
    options.to = i % 3 == 2 ? MUSTER_TO_NULL : MUSTER_TO_MEMORY;
    options.dst = rows;
    options.threads = 1 + (i + me->number) % 4;
    options.tile_rows = i * 7;
    me->status = muster_load(me->dataset, &options, &me->results[i], NULL);
    if (options.to == MUSTER_TO_MEMORY) me->wrong += wrong_cells(rows, type, 0, ALL_ROWS);
  }
  free(rows);
  return NULL;
}

static void check_loads(const muster_dataset *dataset) {
  static loader threads[LOADERS];
  const muster_type type = muster_dataset_dtype(dataset).type;
  const uint64_t checksum = checksum_as(type);
  for (unsigned i = 0; i < LOADERS; i++) {
    threads[i] = (loader){.dataset = dataset, .number = i};
    assert_int_equal(pthread_create(&threads[i].thread, NULL, load_often, &threads[i]), 0);
  }
  for (size_t i = 0; i < LOADERS; i++)
    assert_int_equal(pthread_join(threads[i].thread, NULL), 0);
  for (size_t i = 0; i < LOADERS; i++) {
    assert_int_equal(threads[i].status, MUSTER_OK);
    assert_int_equal(threads[i].wrong, 0);
    for (size_t k = 0; k < COUNT(threads[i].results); k++) {
      assert_true(threads[i].results[k].checksum == checksum);
      assert_int_equal(threads[i].results[k].rows, ALL_ROWS);
      assert_int_equal(threads[i].results[k].bytes, ALL_CELLS * muster_type_size(type));
    }
  }
}

static void test_at_once(void **state) {
  (void)state;
  static const shard_kind kinds[] = {
      {"plain", STORED_FLOAT64, false, false, false, false, NULL},
      {"mixed", STORED_INT16, true, true, true, false, "float64"},
      {"raw", STORED_FLOAT64, true, false, false, true, NULL},
      /* Rows of 30 bytes: tiles that begin anywhere would share words of the checksum. */
      {"narrow", STORED_INT16, false, false, true, false, NULL},
  };
  for (size_t i = 0; i < COUNT(kinds); i++) {
    put_dataset(kinds[i].what, &kinds[i]);
    muster_dataset *dataset = open_folder(kinds[i].what, kinds[i].dtype);
    check_loads(dataset);
    muster_dataset_free(dataset);
  }
  muster_dataset *dataset = open_own_reader("float64");
  check_loads(dataset);
  muster_dataset_free(dataset);
}

/* ---- a slow reader, to look at what happens meanwhile ---- */

#define SLOW_SHARDS 400

typedef struct {
  atomic_int started;
  int held_from; /* reads from this number on wait until `let_go`; 0: none does */
  atomic_bool let_go;
  uint64_t failing[3]; /* shards that cannot be read; 0: none */
} slow;

/* Relaxed: what waits here learns nothing else from the thread that lets it go. */
static void wait_for(const slow *s, int number) {
  if (s->held_from == 0 || number < s->held_from) return;
  while (!atomic_load_explicit(&s->let_go, memory_order_relaxed))
    sleep_ms(1);
}

static muster_status slow_rows(void *user, uint64_t shard, uint64_t *rows, muster_error *error) {
  (void)user;
  (void)shard;
  (void)error;
  *rows = 1;
  return MUSTER_OK;
}

static muster_status slow_read(void *user, uint64_t shard, uint64_t lo, uint64_t hi, void *dst,
                               muster_error *error) {
  slow *s = user;
  (void)lo;
  (void)hi;
  wait_for(s, atomic_fetch_add(&s->started, 1) + 1);
  sleep_ms(4);
  memset(dst, (int)shard & 0xff, 64);
  for (size_t i = 0; i < COUNT(s->failing); i++) {
    if (s->failing[i] != shard || shard == 0) continue;
    *error = (muster_error){.status = MUSTER_ERR_FORMAT, .offset = -1};
    snprintf(error->message, sizeof error->message, "shard %u is bad", (unsigned)shard);
    return MUSTER_ERR_FORMAT;
  }
  return MUSTER_OK;
}

static muster_dataset *open_slow(slow *s) {
  static const uint64_t trailing[] = {64};
  const muster_reader reader = {.struct_size = sizeof reader,
                                .user = s,
                                .shard_count = SLOW_SHARDS,
                                .trailing_rank = 1,
                                .trailing_shape = trailing,
                                .dtype = {.type = MUSTER_UINT8},
                                .shard_rows = slow_rows,
                                .read_rows = slow_read};
  muster_dataset *dataset = NULL;
  assert_int_equal(muster_open_reader(&reader, NULL, &dataset, NULL), MUSTER_OK);
  return dataset;
}

/* ---- progress ---- */

typedef struct {
  atomic_int inside;
  atomic_int calls;
  atomic_int faults;
  muster_progress last;
} watcher;

/* Slower than the pace of the calls, so that a second thread would come in while one is here. */
static void watch(void *user, const muster_progress *progress) {
  watcher *w = user;
  if (atomic_fetch_add(&w->inside, 1) != 0) atomic_fetch_add(&w->faults, 1);
  if (progress->rows != SLOW_SHARDS || progress->bytes != SLOW_SHARDS * 64 ||
      progress->rows_done > progress->rows || progress->bytes_done > progress->bytes)
    atomic_fetch_add(&w->faults, 1);
  sleep_ms(130);
  w->last = *progress; /* a race for the sanitizer to see, if two threads come here */
  atomic_fetch_add(&w->calls, 1);
  atomic_fetch_sub(&w->inside, 1);
}

static void test_progress(void **state) {
  (void)state;
  slow s = {.failing = {0}};
  watcher w = {.calls = 0};
  muster_dataset *dataset = open_slow(&s);
  muster_load_options options;
  muster_load_options_init(&options);
  options.to = MUSTER_TO_NULL;
  options.threads = 8;
  options.tile_rows = 1;
  options.progress = watch;
  options.progress_user = &w;
  assert_int_equal(muster_load(dataset, &options, NULL, NULL), MUSTER_OK);
  assert_int_equal(w.faults, 0);
  assert_true(w.calls >= 2);
  /* The last call is about the whole. */
  assert_int_equal(w.last.rows_done, SLOW_SHARDS);
  assert_int_equal(w.last.bytes_done, SLOW_SHARDS * 64);
  muster_dataset_free(dataset);
}

/* ---- cancelling ---- */

#define CANCELLED_AT 20
#define CANCEL_THREADS 4

typedef struct {
  volatile int flag;
  slow *slow;
} canceller;

static void *cancel_soon(void *argument) {
  canceller *c = argument;
  while (atomic_load(&c->slow->started) < CANCELLED_AT)
    sleep_ms(1);
  __atomic_store_n(&c->flag, 1, __ATOMIC_RELAXED);
  atomic_store_explicit(&c->slow->let_go, true, memory_order_relaxed);
  return NULL;
}

static muster_status load_and_cancel(const char *path, slow *s) {
  canceller c = {.flag = 0, .slow = s};
  muster_dataset *dataset = open_slow(s);
  muster_load_options options;
  muster_load_options_init(&options);
  options.to = path != NULL ? MUSTER_TO_NPY : MUSTER_TO_NULL;
  options.path = path;
  options.threads = CANCEL_THREADS;
  options.cancel = &c.flag;
  muster_error error = {.status = MUSTER_OK};
  pthread_t thread;
  assert_int_equal(pthread_create(&thread, NULL, cancel_soon, &c), 0);
  const muster_status status = muster_load(dataset, &options, NULL, &error);
  assert_int_equal(pthread_join(thread, NULL), 0);
  assert_int_equal(error.status, status);
  muster_dataset_free(dataset);
  return status;
}

/* Soon: each thread ends what it is at. */
static void test_cancel(void **state) {
  (void)state;
  slow s = {.held_from = CANCELLED_AT};
  assert_int_equal(load_and_cancel(NULL, &s), MUSTER_ERR_CANCELLED);
  assert_true(s.started <= CANCELLED_AT + CANCEL_THREADS);
}

/* No file appears, and one that is there stays. */
static void test_cancel_file(void **state) {
  (void)state;
  slow s = {.held_from = CANCELLED_AT}, again = {.held_from = CANCELLED_AT};
  assert_int_equal(load_and_cancel("new.npy", &s), MUSTER_ERR_CANCELLED);
  assert_int_equal(names_here(), 0);
  put_text("old.npy", "old");
  assert_int_equal(load_and_cancel("old.npy", &again), MUSTER_ERR_CANCELLED);
  check_file("old.npy", "old");
  assert_int_equal(names_here(), 1);
}

static void *cancel_now(void *argument) {
  sleep_ms(2);
  __atomic_store_n((volatile int *)argument, 1, __ATOMIC_RELAXED);
  return NULL;
}

/* The folder is there as a whole, or not at all. */
static void test_cancel_writing(void **state) {
  (void)state;
  const uint64_t row_shape[] = {500};
  volatile int flag = 0;
  muster_write_options options;
  muster_write_options_init(&options);
  options.format = "npy";
  options.dtype = "float64";
  options.row_shape = row_shape;
  options.row_rank = 1;
  options.shards = 6;
  options.rows = 6000;
  options.threads = 3;
  options.cancel = &flag;
  pthread_t thread;
  assert_int_equal(pthread_create(&thread, NULL, cancel_now, (void *)(uintptr_t)&flag), 0);
  const muster_status status = muster_write("written", &options, NULL);
  assert_int_equal(pthread_join(thread, NULL), 0);
  assert_true(status == MUSTER_OK || status == MUSTER_ERR_CANCELLED);
  assert_int_equal(names_here(), status == MUSTER_OK ? 1 : 0);
  flag = 1;
  assert_int_equal(muster_write("again", &options, NULL), MUSTER_ERR_CANCELLED);
  assert_int_equal(names_here(), status == MUSTER_OK ? 1 : 0);
}

/* ---- faults ---- */

/* With several faults that of the first row is reported, from any number of threads. */
static void test_first_fault(void **state) {
  (void)state;
  for (unsigned threads = 1; threads <= 8; threads *= 2) {
    slow s = {.failing = {31, 30, 32}};
    muster_dataset *dataset = open_slow(&s);
    muster_load_options options;
    muster_load_options_init(&options);
    options.to = MUSTER_TO_NULL;
    options.threads = threads;
    options.tile_rows = 1;
    muster_error error;
    assert_int_equal(muster_load(dataset, &options, NULL, &error), MUSTER_ERR_FORMAT);
    assert_string_equal(error.message, "shard 30 is bad");
    assert_true(s.started < SLOW_SHARDS);
    muster_dataset_free(dataset);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      IN_FOLDER(test_at_once),        cmocka_unit_test(test_progress),
      cmocka_unit_test(test_cancel),  IN_FOLDER(test_cancel_file),
      IN_FOLDER(test_cancel_writing), cmocka_unit_test(test_first_fault),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
