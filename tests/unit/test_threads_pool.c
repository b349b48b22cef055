/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/unit.h"

#include <pthread.h>
#include <stdatomic.h>

#include "base/pool.h"
#include "base/status.h"

#define MOST_PIECES 3000
#define MOST_THREADS 64

/* What the workers saw; assertions are for the main thread only. */
typedef struct {
  atomic_int done[MOST_PIECES];
  atomic_int busy[MOST_THREADS]; /* pieces that a worker is at: never two */
  atomic_int faults;
  atomic_ullong begun;
  unsigned threads;
  const uint64_t *failing; /* indices that fail */
  size_t failing_count;
} work;

static muster_status piece(void *context, uint64_t index, unsigned worker, muster_error *error) {
  work *w = context;
  if (index >= MOST_PIECES || worker >= w->threads || worker >= MOST_THREADS) {
    atomic_fetch_add(&w->faults, 1);
    return MUSTER_OK;
  }
  if (atomic_fetch_add(&w->busy[worker], 1) != 0) atomic_fetch_add(&w->faults, 1);
  atomic_fetch_add(&w->done[index], 1);
  atomic_fetch_add(&w->begun, 1);
  atomic_fetch_sub(&w->busy[worker], 1);
  for (size_t i = 0; i < w->failing_count; i++)
    if (w->failing[i] == index)
      return mst_fail(error, MUSTER_ERR_CHECK, "piece", "number %u", (unsigned)index);
  return MUSTER_OK;
}

static const unsigned thread_counts[] = {1, 2, 3, 8, 64};
static const uint64_t piece_counts[] = {0, 1, 2, 7, 64, MOST_PIECES};

static void test_each_piece_once(void **state) {
  (void)state;
  static work w;
  for (size_t t = 0; t < COUNT(thread_counts); t++)
    for (size_t p = 0; p < COUNT(piece_counts); p++) {
      const uint64_t pieces = piece_counts[p];
      memset(&w, 0, sizeof w);
      w.threads = thread_counts[t];
      assert_int_equal(mst_parallel_for(w.threads, pieces, piece, &w, NULL), MUSTER_OK);
      assert_int_equal(w.faults, 0);
      for (uint64_t i = 0; i < MOST_PIECES; i++)
        CHECK(w.done[i] == (i < pieces), "%u threads, piece %u", w.threads, (unsigned)i);
    }
}

/* Each time anew with many failures: the lowest is reported, and nothing is done twice. */
static void test_lowest_failure(void **state) {
  (void)state;
  static const uint64_t failing[] = {700, 31, 2999, 32, 33, 1500, 34};
  static work w;
  for (size_t t = 0; t < COUNT(thread_counts); t++)
    for (int round = 0; round < 20; round++) {
      muster_error error = {.status = MUSTER_OK};
      memset(&w, 0, sizeof w);
      w.threads = thread_counts[t];
      w.failing = failing;
      w.failing_count = COUNT(failing);
      assert_int_equal(mst_parallel_for(w.threads, MOST_PIECES, piece, &w, &error),
                       MUSTER_ERR_CHECK);
      assert_int_equal(error.status, MUSTER_ERR_CHECK);
      assert_string_equal(error.path, "piece");
      assert_string_equal(error.message, "number 31");
      for (uint64_t i = 0; i <= 31; i++)
        assert_int_equal(w.done[i], 1);
      for (uint64_t i = 32; i < MOST_PIECES; i++)
        assert_true(w.done[i] <= 1);
    }
}

/* After a failure no piece is begun but those under way; with one thread that is exact. */
static void test_stops_after_failure(void **state) {
  (void)state;
  static const uint64_t failing[] = {0};
  static work w;
  memset(&w, 0, sizeof w);
  w.threads = 1;
  w.failing = failing;
  w.failing_count = 1;
  assert_int_equal(mst_parallel_for(1, MOST_PIECES, piece, &w, NULL), MUSTER_ERR_CHECK);
  assert_int_equal(w.begun, 1);
}

/* The error is the caller's only when something failed. */
static void test_error_untouched(void **state) {
  (void)state;
  static work w;
  memset(&w, 0, sizeof w);
  w.threads = 4;
  muster_error error = {.status = MUSTER_ERR_IO, .message = "old"};
  assert_int_equal(mst_parallel_for(4, 100, piece, &w, &error), MUSTER_OK);
  assert_string_equal(error.message, "old");
}

typedef struct {
  pthread_barrier_t barrier;
  pthread_t self[2];
} meeting;

static muster_status meet(void *context, uint64_t index, unsigned worker, muster_error *error) {
  (void)worker;
  (void)error;
  meeting *m = context;
  m->self[index] = pthread_self();
  pthread_barrier_wait(&m->barrier); /* returns only when both pieces are under way */
  return MUSTER_OK;
}

/* Two threads are two threads, and the caller is one of them. */
static void test_runs_at_once(void **state) {
  (void)state;
  meeting m;
  assert_int_equal(pthread_barrier_init(&m.barrier, NULL, 2), 0);
  assert_int_equal(mst_parallel_for(2, 2, meet, &m, NULL), MUSTER_OK);
  assert_false(pthread_equal(m.self[0], m.self[1]));
  assert_true(pthread_equal(m.self[0], pthread_self()) || pthread_equal(m.self[1], pthread_self()));
  pthread_barrier_destroy(&m.barrier);
}

static muster_status nested(void *context, uint64_t index, unsigned worker, muster_error *error) {
  (void)index;
  (void)worker;
  work *w = context;
  static const uint64_t none[] = {0};
  work inner = {.threads = 3, .failing = none};
  const muster_status status = mst_parallel_for(3, 10, piece, &inner, error);
  atomic_fetch_add(&w->begun, inner.begun);
  return status;
}

static void test_nested(void **state) {
  (void)state;
  static work w;
  memset(&w, 0, sizeof w);
  assert_int_equal(mst_parallel_for(4, 20, nested, &w, NULL), MUSTER_OK);
  assert_int_equal(w.begun, 200);
}

static void test_default_threads(void **state) {
  (void)state;
  assert_true(mst_default_threads() >= 2);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_each_piece_once),     cmocka_unit_test(test_lowest_failure),
      cmocka_unit_test(test_stops_after_failure), cmocka_unit_test(test_error_untouched),
      cmocka_unit_test(test_runs_at_once),        cmocka_unit_test(test_nested),
      cmocka_unit_test(test_default_threads),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
