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
  const char *corpus;     /* a file of it; NULL: muster_write makes the files */
  size_t skip;            /* bytes at its begin that are for the fuzzer */
  const char *name;       /* of the copy, or of the format that is written */
  const char *chunk;      /* Zarr: the file is cut into `name`, the metadata, and this */
  size_t arrays;          /* of a group, each one that file; 0: no group */
  const char *columns[2]; /* of a table, two as float64; NULL: all, as they are */
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

static char *read_corpus(const subject *s, size_t *length) {
  const char *source = getenv("MUSTER_SOURCE");
  char path[1024];
  snprintf(path, sizeof path, "%s/tests/fuzz/corpus/%s", source != NULL ? source : "..", s->corpus);
  char *content = fs_read(path, length);
  must(content != NULL, path);
  return content;
}

static void write_in(const char *folder, const char *name, const void *data, size_t length) {
  char path[1024];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  for (char *slash = path; (slash = strchr(slash, '/')) != NULL; *slash++ = '/') {
    *slash = '\0';
    if (!fs_exists(path)) fs_mkdir(path);
  }
  fs_write(path, data, length);
}

static void copy_corpus(const subject *s) {
  size_t length;
  char *content = read_corpus(s, &length);
  write_in(data_folder, s->name, content + s->skip, length - s->skip);
  free(content);
}

/* An array of Zarr, whose first chunk is there, or a group of such. */
static void copy_zarr(const subject *s) {
  static const char group[] = "{\"zarr_format\": 3, \"node_type\": \"group\"}";
  size_t length;
  char *content = read_corpus(s, &length), folder[200];
  const size_t metadata = strlen(content);
  if (s->arrays > 0) write_in(data_folder, "zarr.json", group, strlen(group));
  for (size_t i = 0; i == 0 || i < s->arrays; i++) {
    snprintf(folder, sizeof folder, "%s/array%zu", data_folder, i);
    const char *below = s->arrays > 0 ? folder : data_folder;
    write_in(below, s->name, content, metadata);
    write_in(below, s->chunk, content + metadata + 1, length - metadata - 1);
  }
  free(content);
}

static void prepare(const operation *op) {
  const subject *s = op->detail;
  muster_error error;
  if (s->chunk != NULL)
    copy_zarr(s);
  else if (s->corpus != NULL)
    copy_corpus(s);
  else if (write_files(s->name, &error) != MUSTER_OK)
    fail_msg("%s", error.message);
}

static muster_status open_data(const subject *s, muster_dataset **dataset, muster_error *error) {
  const char *input = data_folder;
  muster_open_options options;
  muster_open_options_init(&options);
  options.threads = 1;
  if (s->columns[0] != NULL) {
    options.columns = s->columns;
    options.column_count = s->columns[1] != NULL ? 2 : 1;
    if (s->columns[1] != NULL) options.dtype = "float64";
  }
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
  muster_dataset *dataset = NULL;
  muster_error error = {0};
  char *text = NULL;
  size_t length;
  FILE *report = open_memstream(&text, &length);
  must(report != NULL, "open_memstream");
  muster_status status = open_data(op->detail, &dataset, &error);
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
    OPENING("npz, stored", .corpus = "npz/C0", .name = "a.npz"),
    OPENING("npz, deflated, Fortran order", .corpus = "npz/F1", .name = "a.npz"),
    OPENING("npz, several arrays", .corpus = "npz/numbered", .name = "a.npz"),
    OPENING("Parquet, plain", .corpus = "parquet/plain", .name = "a.parquet"),
    OPENING("Parquet, lists", .corpus = "parquet/lists", .name = "a.parquet"),
    OPENING("Parquet, gzip", .corpus = "parquet/gzip", .name = "a.parquet"),
    OPENING("Parquet, lz4", .corpus = "parquet/lz4", .name = "a.parquet"),
    OPENING("Parquet, written", .name = "parquet"),
    OPENING("HDF5, written", .name = "hdf5"),
    OPENING("Arrow, file", .corpus = "arrow/plain_file_None_1", .columns = {"a", "b"}, .skip = 1,
            .name = "a.arrow"),
    OPENING("Arrow, dictionaries in a stream", .corpus = "arrow/dict_stream_None_1",
            .columns = {"a"}, .skip = 1, .name = "a.arrows"),
    OPENING("Arrow, lz4", .corpus = "arrow/dict_file_lz4_1", .columns = {"c"}, .skip = 1,
            .name = "a.arrow"),
    OPENING("Arrow, zstd", .corpus = "arrow/plain_stream_zstd_1", .columns = {"a", "b"}, .skip = 1,
            .name = "a.arrows"),
    OPENING("Zarr 2", .corpus = "zarr/v2-F-lz4-crc32", .name = ".zarray", .chunk = "0"),
    OPENING("Zarr 2, chunks that are missing", .corpus = "zarr/v2-C-gzip", .name = ".zarray",
            .chunk = "0/0"),
    OPENING("Zarr 3, shards", .corpus = "zarr/shard-transpose-bytes-gzip-crc32c",
            .name = "zarr.json", .chunk = "0.0.0"),
    OPENING("Zarr 3, shards within shards", .corpus = "zarr/shard-shard-bytes-zstd",
            .name = "zarr.json", .chunk = "c/0/0"),
    OPENING("Zarr 2, bz2", .corpus = "zarr/v2-C-bz2", .name = ".zarray", .chunk = "0.0"),
    OPENING("Zarr 2, lzma", .corpus = "zarr/v2-C-lzma", .name = ".zarray", .chunk = "0.0"),
    OPENING("Zarr 3, a group", .corpus = "zarr/delta-bytes-shuffle-zlib", .name = "zarr.json",
            .chunk = "0", .arrays = 2),
    OPENING("Zarr, written", .name = "zarr"),
};

int main(void) { return sweep("faults in formats", operations, COUNT_OF(operations), false); }
