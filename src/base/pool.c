/* SPDX-License-Identifier: Apache-2.0 */
#include "base/pool.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stddef.h>

#include "base/alloc.h"
#include "base/status.h"

typedef struct mst_job {
  mst_work_fn work;
  void *context;
  uint64_t count;
  atomic_ullong next;
  pthread_mutex_t lock; /* of what follows */
  uint64_t failed_index;
  muster_status failed_status;
  muster_error failed_error;
} mst_job;

typedef struct mst_worker {
  mst_job *job;
  unsigned number;
  pthread_t thread;
} mst_worker;

unsigned mst_default_threads(void) {
  cpu_set_t set;
  int count = 0;
  if (sched_getaffinity(0, sizeof set, &set) == 0) count = CPU_COUNT(&set);
  return count < 2 ? 2 : (unsigned)count;
}

static void note_failure(mst_job *job, uint64_t index, muster_status status,
                         const muster_error *error) {
  pthread_mutex_lock(&job->lock);
  if (job->failed_status == MUSTER_OK || index < job->failed_index) {
    job->failed_index = index;
    job->failed_status = status;
    job->failed_error = *error;
  }
  pthread_mutex_unlock(&job->lock);
  /* Nothing new is begun; what is under way has a lower index or does not matter. */
  atomic_store(&job->next, job->count);
}

static void run(mst_job *job, unsigned number) {
  muster_error error = {.offset = -1};
  for (;;) {
    unsigned long long index = atomic_load(&job->next);
    do {
      if (index >= job->count) return;
    } while (!atomic_compare_exchange_weak(&job->next, &index, index + 1));
    const muster_status status = job->work(job->context, index, number, &error);
    if (status != MUSTER_OK) note_failure(job, index, status, &error);
  }
}

static void *run_thread(void *argument) {
  const mst_worker *worker = argument;
  run(worker->job, worker->number);
  return NULL;
}

muster_status mst_parallel_for(unsigned threads, uint64_t count, mst_work_fn work, void *context,
                               muster_error *error) {
  if (threads > count) threads = count > 0 ? (unsigned)count : 1;
  mst_job job = {.work = work, .context = context, .count = count};
  pthread_mutex_init(&job.lock, NULL);
  mst_worker *workers = threads > 1 ? mst_calloc(threads, sizeof *workers) : NULL;
  unsigned started = 0; /* besides the calling thread, which is worker 0 */
  while (workers != NULL && started + 1 < threads) {
    mst_worker *worker = &workers[started];
    *worker = (mst_worker){.job = &job, .number = started + 1};
    if (pthread_create(&worker->thread, NULL, run_thread, worker) != 0) break;
    started++;
  }
  run(&job, 0);
  for (unsigned i = 0; i < started; i++)
    pthread_join(workers[i].thread, NULL);
  mst_free(workers);
  pthread_mutex_destroy(&job.lock);
  if (job.failed_status != MUSTER_OK && error != NULL) *error = job.failed_error;
  return job.failed_status;
}
