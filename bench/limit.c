/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The bare limit that the benchmark compares with: pread from all processors into memory, nothing
 * found out and nothing checked. bench.py calls it through ctypes.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/* What a thread takes at once. Smaller pieces, which set both threads on one file, hamper the
 * kernel's readahead of cold files. */
#define PIECE_BYTES ((uint64_t)64 << 20)
#define BLOCK_BYTES ((uint64_t)1 << 20) /* what one pread reads: other sizes are no faster */
#define PAGE_BYTES ((uintptr_t)4096)
#define MAX_THREADS 256

typedef struct bench_piece {
  const char *path;
  uint64_t offset; /* in the file */
  uint64_t bytes;
  char *dst;
} bench_piece;

typedef struct bench_job {
  bench_piece *pieces;
  size_t count;
  bool populate;
  atomic_size_t next;
  atomic_int errnum;
} bench_job;

static uint64_t smaller(uint64_t a, uint64_t b) { return a < b ? a : b; }

/* Faults the pages in with one call instead of one by one. */
static void populate(char *memory, size_t bytes) {
  char *page = memory - (uintptr_t)memory % PAGE_BYTES;
  (void)madvise(page, (size_t)(memory + bytes - page), MADV_POPULATE_WRITE);
}

static int read_blocks(int fd, const bench_piece *piece, bool populate_first) {
  for (uint64_t done = 0; done < piece->bytes;) {
    const uint64_t bytes = smaller(piece->bytes - done, BLOCK_BYTES);
    if (populate_first) populate(piece->dst + done, bytes);
    const ssize_t got = pread(fd, piece->dst + done, bytes, (off_t)(piece->offset + done));
    if (got <= 0) return got < 0 ? errno : EIO;
    done += (uint64_t)got;
  }
  return 0;
}

static void *run(void *argument) {
  bench_job *job = argument;
  for (;;) {
    const size_t index = atomic_fetch_add(&job->next, 1);
    if (index >= job->count || job->errnum != 0) return NULL;
    const bench_piece *piece = &job->pieces[index];
    const int fd = open(piece->path, O_RDONLY | O_CLOEXEC);
    const int errnum = fd < 0 ? errno : read_blocks(fd, piece, job->populate);
    if (errnum != 0) job->errnum = errnum;
    if (fd >= 0) close(fd);
  }
}

static void run_threads(bench_job *job, unsigned threads) {
  pthread_t others[MAX_THREADS];
  unsigned started = 0; /* besides this one */
  while (started + 1 < threads && started < MAX_THREADS &&
         pthread_create(&others[started], NULL, run, job) == 0)
    started++;
  run(job);
  while (started > 0)
    pthread_join(others[--started], NULL);
}

/* Reads bytes [offset, offset + size) of each file to dst, one after the other. 0, or errno. */
int bench_pread(const char *const *paths, const uint64_t *offsets, const uint64_t *sizes,
                size_t count, char *dst, unsigned threads, bool populate_first) {
  size_t pieces = 0;
  for (size_t i = 0; i < count; i++)
    pieces += (sizes[i] + PIECE_BYTES - 1) / PIECE_BYTES;
  bench_job job = {.pieces = calloc(pieces + 1, sizeof(bench_piece)), .populate = populate_first};
  if (job.pieces == NULL) return ENOMEM;
  for (size_t i = 0; i < count; i++) {
    for (uint64_t at = 0; at < sizes[i]; at += PIECE_BYTES) {
      const uint64_t bytes = smaller(sizes[i] - at, PIECE_BYTES);
      job.pieces[job.count++] = (bench_piece){paths[i], offsets[i] + at, bytes, dst};
      dst += bytes;
    }
  }
  run_threads(&job, threads);
  free(job.pieces);
  return job.errnum;
}

/* Bytes of the file that are in the page cache; -1: unknown. */
int64_t bench_cached(const char *path) {
  const int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return -1;
  const off_t size = lseek(fd, 0, SEEK_END);
  const size_t pages = ((size_t)size + PAGE_BYTES - 1) / PAGE_BYTES;
  void *map = mmap(NULL, (size_t)size, PROT_READ, MAP_SHARED, fd, 0);
  close(fd);
  if (map == MAP_FAILED) return -1;
  unsigned char *present = malloc(pages);
  int64_t cached = -1;
  if (present != NULL && mincore(map, (size_t)size, present) == 0) {
    cached = 0;
    for (size_t i = 0; i < pages; i++)
      cached += (present[i] & 1) * (int64_t)PAGE_BYTES;
  }
  free(present);
  munmap(map, (size_t)size);
  return cached;
}
