/* SPDX-License-Identifier: Apache-2.0 */
/* Every allocation and I/O call of the library's operations fails once: see support.h. */
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

/* ---- datasets ------------------------------------------------------------------------------- */

#define UNEVEN .shards = 3, .rows = {3, 1, 4}
#define EVEN .shards = 3, .rows = {2, 2, 2}
#define WIDE .trailing_rank = 2, .trailing = {2, 3}

static const fixture plain = {"<f4", false, 1, WIDE, UNEVEN, .companions = true};
static const fixture fortran = {"<i4", true, 2, WIDE, UNEVEN};
static const fixture big_endian = {">f8", false, 3, WIDE, UNEVEN};
static const fixture big_fortran = {">i2", true, 1, WIDE, UNEVEN};
static const fixture scalars = {"<f8", false, 1, UNEVEN};
static const fixture equal = {"<i2", false, 1, WIDE, EVEN};
static const fixture raw = {">i4", false, 0, WIDE, UNEVEN};
/* More than one block to read. */
static const fixture large = {"<f4", false, 1, .shards = 1, .rows = {300000}};
/* More than one window of a read past the page cache. */
static const fixture huge = {"<f8", false, 1, .shards = 1, .rows = {1100000}};
/* Lines of 12,000 bytes: a few rows of it are read in pieces. */
static const fixture tall = {"<i4",       true,          1, .trailing_rank = 1, .trailing = {3},
                             .shards = 1, .rows = {3000}};
static const fixture written = {
    "<i8",          false,           1, .trailing_rank = 1, .trailing = {3}, .shards = 2,
    .rows = {2, 3}, .recorded = true};
static const fixture written_raw = {
    "<i8",          false,           0, .trailing_rank = 1, .trailing = {3}, .shards = 2,
    .rows = {2, 3}, .recorded = true};

/* ---- outcomes ------------------------------------------------------------------------------- */

typedef struct report {
  FILE *stream;
  char *text;
  size_t length;
} report;

static void begin_report(report *r) {
  *r = (report){0};
  r->stream = open_memstream(&r->text, &r->length);
  must(r->stream != NULL, "open_memstream");
}

/* Moves what was reported, or the error, into the outcome. */
static void end_report(report *r, outcome *out, muster_status status, const muster_error *error) {
  fclose(r->stream);
  out->done = status == MUSTER_OK;
  out->result = r->text;
  if (out->done) return;
  if (error->status != status)
    problem("returned '%s', the error says '%s'", muster_status_name(status),
            muster_status_name(error->status));
  out->has_error = true;
  out->error = *error;
  out->text = strdup(error->message);
}

/* ---- opening, reading, loading -------------------------------------------------------------- */

typedef enum way { LOAD, READ_ROWS } way;

typedef struct reading {
  const fixture *fixture;
  const char *input; /* NULL: the folder; "/..." is behind its name, "@..." is a list */
  muster_order order;
  const char *dtype; /* of the result; NULL: as stored */
  bool stack;
  way way;
  muster_destination to;
  bool strided; /* every second element of the destination is left alone */
  muster_direct direct;
  int64_t lo, hi; /* rows; both 0: all */
  bool over_old;  /* TO_NPY: a file is there already */
  bool sealed;    /* check the seal first */
} reading;

static const char *result_type(const reading *r) {
  static const struct {
    const char *dtype, *type;
  } types[] = {{"float32", "f4"}, {"float64", "f8"}, {"int64", "i8"}};
  for (size_t i = 0; r->dtype != NULL && i < COUNT_OF(types); i++)
    if (strcmp(types[i].dtype, r->dtype) == 0) return types[i].type;
  return r->fixture->descr + 1;
}

static void prepare_reading(const operation *op) {
  const reading *r = op->detail;
  fixture_make(r->fixture, data_folder);
  fs_print("list.txt", "%s/shard_0000.npy\n%s/shard_0001.npy\n%s/shard_0002.npy\n", data_folder,
           data_folder, data_folder);
  fs_mkdir("deep");
  if (r->over_old) fs_print("out.npy", "an older file\n");
}

static muster_status open_reading(const reading *r, muster_dataset **dataset, muster_error *error) {
  char below[300];
  const char *input = r->input != NULL ? r->input : "";
  snprintf(below, sizeof below, "%s%s", data_folder, input);
  if (input[0] != '@') input = below;
  muster_open_options options;
  muster_open_options_init(&options);
  options.threads = 1;
  options.dtype = r->dtype;
  options.stack = r->stack;
  options.order = r->order;
  options.direct = r->direct;
  if (r->hi > 0) options.rows = (muster_row_range){r->lo, r->hi};
  return muster_open(&input, 1, &options, dataset, error);
}

static void describe(FILE *out, const muster_dataset *dataset) {
  char name[48];
  const muster_dtype dtype = muster_dataset_dtype(dataset);
  fprintf(out, "%s %s", muster_dataset_format(dataset), muster_dtype_name(&dtype, name));
  for (size_t i = 0; i < muster_dataset_rank(dataset); i++)
    fprintf(out, " %llu", (unsigned long long)muster_dataset_shape(dataset)[i]);
  for (size_t i = 0; i < muster_dataset_shard_count(dataset); i++) {
    muster_shard shard;
    (void)muster_dataset_shard(dataset, i, &shard);
    fprintf(out, "\n%s %llu %llu %llu", shard.path, (unsigned long long)shard.rows,
            (unsigned long long)shard.first_row, (unsigned long long)shard.bytes);
  }
  for (size_t i = 0; i < muster_dataset_note_count(dataset); i++)
    fprintf(out, "\n%s", muster_dataset_note(dataset, i));
}

/* The dense result, by arithmetic. */
static unsigned char *expected_bytes(const reading *r, size_t *length) {
  const uint64_t hi = r->hi > 0 ? (uint64_t)r->hi : fixture_rows(r->fixture);
  return fixture_rows_as(r->fixture, result_type(r), (uint64_t)r->lo, hi, length);
}

#define GUARD 0xa5

static void check_memory(const reading *r, const unsigned char *found, const unsigned char *wanted,
                         size_t length) {
  const size_t size = size_of_type(result_type(r));
  const size_t step = r->strided ? 2 * size : size;
  for (size_t i = 0; i < length / size; i++) {
    if (memcmp(found + i * step, wanted + i * size, size) != 0) {
      problem("element %zu is wrong", i);
      return;
    }
    for (size_t k = size; k < step; k++)
      if (found[i * step + k] != GUARD) problem("written beside element %zu", i);
  }
}

/* Strides of memory that holds `step` bytes for each element. */
static void make_strides(const muster_dataset *dataset, size_t step, int64_t *strides) {
  int64_t stride = (int64_t)step;
  for (size_t i = muster_dataset_rank(dataset); i-- > 0;) {
    strides[i] = stride;
    stride *= (int64_t)muster_dataset_shape(dataset)[i];
  }
}

static muster_status load_array(const reading *r, const muster_dataset *dataset, void *dst,
                                const int64_t *strides, muster_load_result *result,
                                muster_error *error) {
  muster_load_options options;
  muster_load_options_init(&options);
  options.to = r->to;
  options.dst = dst;
  options.strides = strides;
  options.populate = strides == NULL;
  options.path = "out.npy";
  options.threads = 1;
  options.over_decompose = 2;
  return muster_load(dataset, &options, result, error);
}

static void check_result(const muster_load_result *result, const unsigned char *wanted,
                         size_t length) {
  if (result->bytes != length || result->checksum != checksum_of(wanted, length))
    problem("result: %llu bytes, checksum %016llx", (unsigned long long)result->bytes,
            (unsigned long long)result->checksum);
}

static void check_npy(const muster_dataset *dataset, const char *type, const unsigned char *wanted,
                      size_t length) {
  char descr[8];
  snprintf(descr, sizeof descr, "<%s", type);
  array a = {.descr = descr, .version = 1, .rank = muster_dataset_rank(dataset)};
  for (size_t i = 0; i < a.rank; i++)
    a.shape[i] = muster_dataset_shape(dataset)[i];
  size_t size = 0, found_size = 0;
  unsigned char *file = array_make(&a, &size);
  char *found = fs_read("out.npy", &found_size);
  if (found == NULL || found_size != size || memcmp(found, file, size - length) != 0 ||
      memcmp(found + size - length, wanted, length) != 0)
    problem("out.npy is not what NumPy would have written");
  free(file);
  free(found);
}

static muster_status read_array(const reading *r, const muster_dataset *dataset, FILE *out,
                                muster_error *error) {
  size_t length;
  int64_t strides[8];
  muster_load_result result = {0};
  unsigned char *wanted = expected_bytes(r, &length);
  unsigned char *dst = memory(2 * length);
  const int64_t *layout = r->strided ? strides : NULL;
  memset(dst, GUARD, 2 * length);
  make_strides(dataset, 2 * size_of_type(result_type(r)), strides);
  const uint64_t rows = muster_dataset_rows(dataset);
  const muster_status status = r->way == READ_ROWS
                                   ? muster_read_rows(dataset, 0, rows, dst, layout, error)
                                   : load_array(r, dataset, dst, layout, &result, error);
  if (status == MUSTER_OK && r->to == MUSTER_TO_MEMORY) check_memory(r, dst, wanted, length);
  if (status == MUSTER_OK && r->to == MUSTER_TO_NPY)
    check_npy(dataset, result_type(r), wanted, length);
  if (status == MUSTER_OK && r->way == LOAD) check_result(&result, wanted, length);
  fprintf(out, "\nchecksum %016llx", (unsigned long long)result.checksum);
  free(dst);
  free(wanted);
  return status;
}

static muster_status check_sealed(const muster_dataset *dataset, FILE *out, muster_error *error) {
  char path[200];
  muster_verify_result result = {0};
  snprintf(path, sizeof path, "%s/_muster_seal.json", data_folder);
  const muster_status status = muster_check_seal(dataset, path, 1, &result, error);
  fprintf(out, "\nsealed %llu", (unsigned long long)result.shards);
  return status;
}

static void run_reading(const operation *op, outcome *out) {
  const reading *r = op->detail;
  muster_dataset *dataset = NULL;
  muster_error error = {0};
  report rep;
  begin_report(&rep);
  muster_status status = open_reading(r, &dataset, &error);
  if (status == MUSTER_OK) describe(rep.stream, dataset);
  if (status == MUSTER_OK && r->sealed) status = check_sealed(dataset, rep.stream, &error);
  if (status == MUSTER_OK) status = read_array(r, dataset, rep.stream, &error);
  muster_dataset_free(dataset);
  end_report(&rep, out, status, &error);
}

/* ---- opening and planning ------------------------------------------------------------------- */

static muster_status plan_all(const muster_dataset *dataset, FILE *out, muster_error *error) {
  muster_plan_options options;
  muster_plan *plan = NULL;
  uint64_t row = 0;
  muster_plan_options_init(&options);
  options.procs = 3;
  const muster_status status = muster_plan_new(dataset, &options, &plan, error);
  if (status != MUSTER_OK) return status;
  for (uint64_t i = 0; i < muster_plan_tile_count(plan); i++) {
    muster_tile tile = {0};
    muster_slice slice = {0};
    if (muster_plan_tile(plan, i, &tile) != MUSTER_OK || tile.row_lo != row)
      problem("tile %llu does not follow", (unsigned long long)i);
    for (size_t k = 0; k < tile.slice_count; k++) {
      if (muster_plan_slice(plan, i, k, &slice) != MUSTER_OK || slice.dst_lo + tile.row_lo != row)
        problem("slice %zu of tile %llu does not follow", k, (unsigned long long)i);
      row += slice.dst_hi - slice.dst_lo;
      fprintf(out, "\n%zu %llu", slice.shard, (unsigned long long)slice.file_lo);
    }
  }
  if (row != muster_dataset_rows(dataset)) problem("rows are missing in the plan");
  muster_plan_free(plan);
  return status;
}

static void run_plan(const operation *op, outcome *out) {
  muster_dataset *dataset = NULL;
  muster_error error = {0};
  report rep;
  begin_report(&rep);
  muster_status status = open_reading(op->detail, &dataset, &error);
  if (status == MUSTER_OK) describe(rep.stream, dataset);
  if (status == MUSTER_OK) status = plan_all(dataset, rep.stream, &error);
  muster_dataset_free(dataset);
  end_report(&rep, out, status, &error);
}

/* ---- the caller's own reader ---------------------------------------------------------------- */

static int releases;

static muster_status reader_rows(void *user, uint64_t shard, uint64_t *rows, muster_error *error) {
  (void)user;
  (void)error;
  *rows = shard + 1;
  return MUSTER_OK;
}

/* Shards of 1, 2 and 3 rows of one value each. */
static muster_status reader_read(void *user, uint64_t shard, uint64_t lo, uint64_t hi, void *dst,
                                 muster_error *error) {
  (void)user;
  (void)error;
  for (uint64_t row = lo; row < hi; row++)
    put_number("i4", value_of(shard * (shard + 1) / 2 + row), (char *)dst + (row - lo) * 4);
  return MUSTER_OK;
}

static void reader_release(void *user) {
  (void)user;
  releases++;
}

static void run_reader(const operation *op, outcome *out) {
  (void)op;
  static const fixture callback = {"<i4", .shards = 3, .rows = {1, 2, 3}};
  static const reading as = {.fixture = &callback, .dtype = "int64"};
  const muster_reader reader = {.struct_size = sizeof reader,
                                .shard_count = 3,
                                .dtype = {.type = MUSTER_INT32},
                                .shard_rows = reader_rows,
                                .read_rows = reader_read,
                                .release = reader_release};
  muster_dataset *dataset = NULL;
  muster_error error = {0};
  muster_open_options options;
  muster_open_options_init(&options);
  options.threads = 1;
  options.dtype = "int64";
  releases = 0;
  report rep;
  begin_report(&rep);
  muster_status status = muster_open_reader(&reader, &options, &dataset, &error);
  if (status == MUSTER_OK) describe(rep.stream, dataset);
  if (status == MUSTER_OK) status = read_array(&as, dataset, rep.stream, &error);
  muster_dataset_free(dataset);
  if (releases != 1) problem("the reader was released %d times", releases);
  end_report(&rep, out, status, &error);
}

static void prepare_nothing(const operation *op) { (void)op; }

/* ---- writing, sealing, verifying, cleaning -------------------------------------------------- */

static void prepare_write(const operation *op) {
  (void)op;
  char parent[128];
  snprintf(parent, sizeof parent, "%.*s", (int)(strlen(new_folder) - strlen("/new")), new_folder);
  fs_mkdir(parent);
}

/* The shards written must be those that are made by hand here. */
static void check_written(const fixture *f) {
  for (size_t i = 0; i < f->shards; i++) {
    char path[200], name[32];
    size_t size, found_size = 0;
    const array a = shard_of(f, i);
    shard_name(f, i, name);
    snprintf(path, sizeof path, "%s/%s", new_folder, name);
    unsigned char *wanted = array_make(&a, &size);
    char *found = fs_read(path, &found_size);
    if (found == NULL || found_size != size || memcmp(found, wanted, size) != 0)
      problem("%s is not what was ordered", path);
    free(wanted);
    free(found);
  }
}

static void run_write(const operation *op, outcome *out) {
  const fixture *f = op->detail;
  muster_write_options options;
  muster_error error = {0};
  muster_write_options_init(&options);
  options.format = f->version == 0 ? "raw" : "npy";
  options.dtype = "int64";
  options.row_shape = f->trailing;
  options.row_rank = f->trailing_rank;
  options.rows = fixture_rows(f);
  options.shard_rows = f->rows;
  options.shard_rows_count = f->shards;
  options.threads = 1;
  report rep;
  begin_report(&rep);
  const muster_status status = muster_write(new_folder, &options, &error);
  if (status == MUSTER_OK) check_written(f);
  end_report(&rep, out, status, &error);
}

static void prepare_recorded(const operation *op) { fixture_make(op->detail, data_folder); }

static void prepare_unsealed(const operation *op) {
  char path[200];
  fixture_make(op->detail, data_folder);
  snprintf(path, sizeof path, "%s/_muster_seal.json", data_folder);
  must(remove(path) == 0, path);
}

static void prepare_old_seal(const operation *op) {
  prepare_unsealed(op);
  fs_print("seal.json", "an older seal\n");
}

static muster_open_options one_thread(void) {
  muster_open_options options;
  muster_open_options_init(&options);
  options.threads = 1;
  return options;
}

static void run_seal_to(const char *output, outcome *out) {
  const muster_open_options options = one_thread();
  muster_error error = {0};
  report rep;
  begin_report(&rep);
  const muster_status status = muster_seal(data_folder, &options, output, &error);
  end_report(&rep, out, status, &error);
}

static void run_seal(const operation *op, outcome *out) {
  (void)op;
  run_seal_to(NULL, out);
}

static void run_seal_elsewhere(const operation *op, outcome *out) {
  (void)op;
  run_seal_to("seal.json", out);
}

static void run_verify(const operation *op, outcome *out) {
  const fixture *f = op->detail;
  const muster_open_options options = one_thread();
  const uint64_t cells = fixture_rows(f) * fixture_row_elements(f);
  muster_verify_result result = {0};
  muster_error error = {0};
  report rep;
  begin_report(&rep);
  const muster_status status = muster_verify(data_folder, &options, &result, &error);
  if (status == MUSTER_OK && (!result.seed_checked || result.cells != cells))
    problem("the seed was not checked");
  if (status == MUSTER_OK && (!result.seal_checked || result.shards != f->shards))
    problem("the seal was not checked");
  end_report(&rep, out, status, &error);
}

static void prepare_clean(const operation *op) {
  char path[200];
  prepare_unsealed(op);
  snprintf(path, sizeof path, "%s/shard_meta.json", data_folder);
  fs_print("bystander", "not ours\n");
}

static void run_clean(const operation *op, outcome *out) {
  (void)op;
  muster_error error = {0};
  uint64_t removed = 0;
  report rep;
  begin_report(&rep);
  const muster_status status = muster_clean(data_folder, &removed, &error);
  if (status == MUSTER_OK && fs_exists(data_folder)) problem("the folder is still there");
  end_report(&rep, out, status, &error);
}

/* ---- the table ------------------------------------------------------------------------------ */

#define READING(name, ...)                                                                 \
  {                                                                                        \
    name, READS, prepare_reading, run_reading, &(const reading) { .fixture = __VA_ARGS__ } \
  }
#define PLANNING(name, ...)                                                             \
  {                                                                                     \
    name, READS, prepare_reading, run_plan, &(const reading) { .fixture = __VA_ARGS__ } \
  }
#define TO_FILE(name, ...)                                           \
  {                                                                  \
    name, REPLACES, prepare_reading, run_reading, &(const reading) { \
      .to = MUSTER_TO_NPY, .fixture = __VA_ARGS__                    \
    }                                                                \
  }

static const operation operations[] = {
    PLANNING("inspect and plan npy", &plain),
    PLANNING("inspect and plan raw", &raw),
    PLANNING("a glob", &plain, .input = "/*.npy"),
    PLANNING("a list of files", &plain, .input = "@list.txt"),
    PLANNING("by time of change", &plain, .input = "/*.npy", .order = MUSTER_ORDER_MTIME),
    READING("load", &plain),
    READING("load raw", &raw),
    READING("load raw as float64", &raw, .dtype = "float64"),
    READING("load as float64", &plain, .dtype = "float64"),
    READING("load strided", &plain, .strided = true),
    READING("load Fortran", &fortran),
    READING("load Fortran, strided, as int64", &fortran, .dtype = "int64", .strided = true),
    READING("load big-endian", &big_endian),
    READING("load big-endian as float32", &big_endian, .dtype = "float32"),
    READING("load big-endian Fortran as float32", &big_fortran, .dtype = "float32"),
    READING("load one value a row", &scalars),
    READING("load stacked", &equal, .stack = true),
    READING("load stacked as float64", &equal, .stack = true, .dtype = "float64"),
    READING("load some rows", &plain, .lo = 2, .hi = 6),
    READING("load several blocks", &large),
    READING("read rows past the page cache", &huge, .way = READ_ROWS,
            .direct = MUSTER_DIRECT_ALWAYS),
    READING("load some rows of long lines", &tall, .lo = 5, .hi = 12),
    READING("load to nowhere", &plain, .to = MUSTER_TO_NULL),
    READING("load Fortran to nowhere as int64", &fortran, .to = MUSTER_TO_NULL, .dtype = "int64"),
    READING("load --verify", &written, .sealed = true),
    READING("read rows", &plain, .way = READ_ROWS),
    READING("read rows, strided, as float64", &plain, .way = READ_ROWS, .strided = true,
            .dtype = "float64"),
    READING("read rows of Fortran", &fortran, .way = READ_ROWS),
    READING("read rows of big-endian Fortran", &big_fortran, .way = READ_ROWS, .strided = true),
    TO_FILE("load to npy", &plain),
    TO_FILE("load to npy over an old file", &plain, .over_old = true),
    TO_FILE("load to npy Fortran as int64", &fortran, .dtype = "int64", .over_old = true),
    TO_FILE("load to npy big-endian", &big_endian, .over_old = true),
    TO_FILE("load to npy stacked", &equal, .stack = true),
    TO_FILE("load to npy raw", &raw, .over_old = true),
    {"the caller's own reader", READS, prepare_nothing, run_reader, NULL},
    {"write npy", REPLACES, prepare_write, run_write, &written},
    {"write raw", REPLACES, prepare_write, run_write, &written_raw},
    {"seal", REPLACES, prepare_unsealed, run_seal, &written},
    {"seal raw", REPLACES, prepare_unsealed, run_seal, &written_raw},
    {"seal elsewhere, over an old file", REPLACES, prepare_old_seal, run_seal_elsewhere, &written},
    {"verify", READS, prepare_recorded, run_verify, &written},
    {"verify raw", READS, prepare_recorded, run_verify, &written_raw},
    {"clean", REMOVES, prepare_clean, run_clean, &written},
    {"clean raw", REMOVES, prepare_clean, run_clean, &written_raw},
};

int main(void) { return sweep("faults in the library", operations, COUNT_OF(operations), false); }
