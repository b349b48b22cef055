/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The bare parse that the benchmark of assess compares with: reads files into memory, then parses
 * each and forgets the tree. assess.py runs it as
 *
 *   bench-parse THREADS LIST     LIST names a file in each line
 *
 * and gets one line: seconds, processor seconds and bytes, all of the parse alone. Built twice:
 * with tree-sitter as it is, on malloc; and, with BENCH_OURS, by mst_syntax_parse.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MAX_THREADS 256

typedef struct bench_text {
  char *data;
  size_t length;
} bench_text;

typedef struct bench_job {
  char **paths;
  bench_text *texts;
  size_t count;
  unsigned threads;
  atomic_size_t next;
  atomic_size_t failed;
} bench_job;

#ifdef BENCH_OURS

#include "base/arena.h"
#include "pysource/source.h"
#include "pysource/syntax.h"

#define BUDGET ((size_t)1 << 30)
#define MOST_SECONDS 60.0

/* A source takes the place of the bytes: what it does to the text is no part of the parse. */
static bool read_text(const char *path, bench_text *text) {
  muster_error error;
  mst_source *source = malloc(sizeof *source);
  if (source == NULL || mst_source_read(source, path, path, &error) != MUSTER_OK) return false;
  *text = (bench_text){(char *)source, source->length};
  return true;
}

static bool parse(const bench_text *text, mst_arena *arena) {
  mst_tree tree;
  muster_error error;
  const mst_source *source = (const mst_source *)(void *)text->data;
  mst_arena_init(arena, BUDGET);
  if (setjmp(arena->way_out) != 0) return false;
  return mst_syntax_parse(source, BUDGET, MOST_SECONDS, arena, &tree, &error) == MUSTER_OK;
}

static void parse_texts(bench_job *job) {
  mst_arena *arena = malloc(sizeof *arena);
  for (size_t i; arena != NULL && (i = atomic_fetch_add(&job->next, 1)) < job->count;) {
    if (!parse(&job->texts[i], arena)) job->failed++;
    mst_arena_reset(arena);
  }
  if (arena == NULL) job->failed++;
  free(arena);
}

#else

#include <tree_sitter/api.h>

const TSLanguage *tree_sitter_python(void);

static bool read_text(const char *path, bench_text *text) {
  FILE *file = fopen(path, "rb");
  if (file == NULL) return false;
  bool done = fseek(file, 0, SEEK_END) == 0;
  const long size = ftell(file);
  rewind(file);
  if (done && size >= 0) text->data = malloc((size_t)size + 1);
  done = done && text->data != NULL && fread(text->data, 1, (size_t)size, file) == (size_t)size;
  text->length = (size_t)size;
  fclose(file);
  return done;
}

static void parse_texts(bench_job *job) {
  TSParser *parser = ts_parser_new();
  if (!ts_parser_set_language(parser, tree_sitter_python())) job->failed++;
  for (size_t i; (i = atomic_fetch_add(&job->next, 1)) < job->count;) {
    const bench_text *text = &job->texts[i];
    TSTree *tree = ts_parser_parse_string(parser, NULL, text->data, (uint32_t)text->length);
    if (tree == NULL)
      job->failed++;
    else
      ts_tree_delete(tree);
  }
  ts_parser_delete(parser);
}

#endif

static void *run(void *job) {
  parse_texts(job);
  return NULL;
}

static void run_threads(bench_job *job) {
  pthread_t others[MAX_THREADS];
  unsigned started = 0; /* besides this one */
  while (started + 1 < job->threads && started < MAX_THREADS &&
         pthread_create(&others[started], NULL, run, job) == 0)
    started++;
  run(job);
  while (started > 0)
    pthread_join(others[--started], NULL);
}

static bool take_paths(bench_job *job, const char *list) {
  char *line = NULL;
  size_t room = 0;
  FILE *file = fopen(list, "r");
  if (file == NULL) return false;
  for (ssize_t length; (length = getline(&line, &room, file)) > 0;) {
    if (line[length - 1] == '\n') line[length - 1] = '\0';
    job->paths = realloc(job->paths, (job->count + 1) * sizeof *job->paths);
    if (job->paths == NULL || (job->paths[job->count++] = strdup(line)) == NULL) return false;
  }
  free(line);
  fclose(file);
  return true;
}

static double seconds(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

int main(int argc, char **argv) {
  bench_job job = {0};
  size_t bytes = 0;
  if (argc != 3 || !take_paths(&job, argv[2])) return 2;
  job.threads = (unsigned)strtoul(argv[1], NULL, 10);
  job.texts = calloc(job.count + 1, sizeof *job.texts);
  for (size_t i = 0; i < job.count; i++) {
    if (job.texts == NULL || !read_text(job.paths[i], &job.texts[i])) return 1;
    bytes += job.texts[i].length;
  }
  const double begin = seconds(CLOCK_MONOTONIC), cpu_begin = seconds(CLOCK_PROCESS_CPUTIME_ID);
  run_threads(&job);
  const double wall = seconds(CLOCK_MONOTONIC) - begin;
  printf("%.6f %.6f %zu\n", wall, seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu_begin, bytes);
  return job.failed > 0;
}
