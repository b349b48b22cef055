/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every allocation and I/O call of opening and loading one small file of each format fails once:
 * see support.h. The files are those of the fuzzers' corpus, which the formats' own libraries
 * wrote, or written here. What loads right is the business of other tests: here it must come again.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "fault/support.h"

/* One source a program: see cmake/tests.cmake. */
#include "fault/support.c"
#include "fault/sweep.c"

typedef struct subject {
  const char *corpus; /* a file of it; NULL: muster_write makes the files */
  const char *name;   /* of the copy, or of the format that is written */
} subject;

static muster_status write_files(const char *format, muster_error *error) {
  static const uint64_t row_shape[] = {3};
  muster_write_options options;
  muster_write_options_init(&options);
  options.format = format;
  options.dtype = "int32";
  options.row_shape = row_shape;
  options.row_rank = 1;
  options.rows = 20;
  options.shards = 2;
  options.threads = 1;
  return muster_write(data_folder, &options, error);
}

static void copy_corpus(const subject *s) {
  const char *source = getenv("MUSTER_SOURCE");
  char path[1024];
  size_t length;
  snprintf(path, sizeof path, "%s/tests/fuzz/corpus/%s", source != NULL ? source : "..", s->corpus);
  char *content = fs_read(path, &length);
  must(content != NULL, path);
  fs_mkdir(data_folder);
  snprintf(path, sizeof path, "%s/%s", data_folder, s->name);
  fs_write(path, content, length);
  free(content);
}

static void prepare(const operation *op) {
  const subject *s = op->detail;
  muster_error error;
  if (s->corpus != NULL)
    copy_corpus(s);
  else if (write_files(s->name, &error) != MUSTER_OK)
    fail_msg("%s", error.message);
}

static muster_status open_data(muster_dataset **dataset, muster_error *error) {
  const char *input = data_folder;
  muster_open_options options;
  muster_open_options_init(&options);
  options.threads = 1;
  return muster_open(&input, 1, &options, dataset, error);
}

/* Once as a whole, and once by tasks that ask for a few rows each. */
static muster_status read_data(const muster_dataset *dataset, FILE *out, muster_error *error) {
  const uint64_t rows = muster_dataset_rows(dataset), row_bytes = muster_dataset_row_bytes(dataset);
  const uint64_t step = rows / 3 + 1;
  unsigned char *whole = memory(rows * row_bytes), *parts = memory(rows * row_bytes);
  muster_load_options options;
  muster_load_options_init(&options);
  options.dst = whole;
  options.threads = 1;
  muster_status status = muster_load(dataset, &options, NULL, error);
  for (uint64_t lo = 0; lo < rows && status == MUSTER_OK; lo += step) {
    const uint64_t hi = lo + step < rows ? lo + step : rows;
    status = muster_read_rows(dataset, lo, hi, parts + lo * row_bytes, NULL, error);
  }
  if (status == MUSTER_OK && memcmp(whole, parts, rows * row_bytes) != 0)
    problem("the parts are not the whole");
  fprintf(out, "%llu rows, checksum %016llx", (unsigned long long)rows,
          (unsigned long long)checksum_of(whole, rows * row_bytes));
  free(whole);
  free(parts);
  return status;
}

static void run(const operation *op, outcome *out) {
  (void)op;
  muster_dataset *dataset = NULL;
  muster_error error = {0};
  char *text = NULL;
  size_t length;
  FILE *report = open_memstream(&text, &length);
  must(report != NULL, "open_memstream");
  muster_status status = open_data(&dataset, &error);
  if (status == MUSTER_OK) status = read_data(dataset, report, &error);
  muster_dataset_free(dataset);
  fclose(report);
  out->result = text;
  out->done = status == MUSTER_OK;
  if (out->done) return;
  out->has_error = true;
  out->error = error;
  out->text = strdup(error.message);
}

#define OPENING(name, ...)                                      \
  {                                                             \
    name, READS, prepare, run, &(const subject) { __VA_ARGS__ } \
  }

static const operation operations[] = {
    OPENING("npz, stored", "npz/C0", "a.npz"),
    OPENING("npz, deflated, Fortran order", "npz/F1", "a.npz"),
    OPENING("npz, several arrays", "npz/numbered", "a.npz"),
    OPENING("Parquet, plain", "parquet/plain", "a.parquet"),
    OPENING("Parquet, lists", "parquet/lists", "a.parquet"),
    OPENING("Parquet, gzip", "parquet/gzip", "a.parquet"),
    OPENING("Parquet, lz4", "parquet/lz4", "a.parquet"),
    OPENING("Parquet, written", NULL, "parquet"),
    OPENING("HDF5, written", NULL, "hdf5"),
};

int main(void) { return sweep("faults in formats", operations, COUNT_OF(operations), false); }
