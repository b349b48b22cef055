/* SPDX-License-Identifier: Apache-2.0 */
/* muster write: a dataset of seeded values in a new folder. */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "base/alloc.h"
#include "cli/commands.h"
#include "cli/numbers.h"
#include "cli/options.h"

/* 64 MB of float32 in 8 files: large enough to be read in parallel, small enough to be kept. */
#define DEFAULT_ROWS 1000000
#define DEFAULT_SHARDS 8

typedef struct write_args {
  mst_cli *cli;
  muster_write_options options;
  uint64_t row_shape[MUSTER_MAX_RANK];
  mst_counts shard_rows;
  bool rows_set;
  bool shards_set;
} write_args;

enum {
  KEY_ROWS = 0x500,
  KEY_SHARDS,
  KEY_SHARD_ROWS,
  KEY_EQUAL,
  KEY_DTYPE,
  KEY_ROW_SHAPE,
  KEY_FORMAT,
  KEY_SEED
};

static error_t parse_count(write_args *args, const char *option, const char *text, uint64_t low,
                           uint64_t *out, bool *set) {
  *set = true;
  return mst_option_count(args->cli, option, text, low, UINT64_MAX, out);
}

static error_t parse_shape(write_args *args, const char *text) {
  const char *wrong = mst_parse_shape(text, args->row_shape, &args->options.row_rank);
  return mst_option_check(args->cli, "row-shape", text, wrong);
}

static error_t parse_shard_rows(write_args *args, const char *text) {
  args->shard_rows.length = 0;
  const char *wrong = mst_parse_counts(text, &args->shard_rows);
  if (wrong == mst_no_memory) return ENOMEM;
  return mst_option_check(args->cli, "shard-rows", text, wrong);
}

static error_t parse(int key, char *arg, struct argp_state *state) {
  write_args *args = state->input;
  muster_write_options *options = &args->options;
  bool ignored = false;
  switch (key) {
  case ARGP_KEY_INIT: state->child_inputs[0] = args->cli; return 0;
  case KEY_ROWS: return parse_count(args, "rows", arg, 0, &options->rows, &args->rows_set);
  case KEY_SHARDS: return parse_count(args, "shards", arg, 1, &options->shards, &args->shards_set);
  case KEY_SHARD_ROWS: return parse_shard_rows(args, arg);
  case KEY_EQUAL: options->equal = true; return 0;
  case KEY_DTYPE: options->dtype = arg; return 0;
  case KEY_ROW_SHAPE: return parse_shape(args, arg);
  case KEY_FORMAT: options->format = arg; return 0;
  case KEY_SEED: return parse_count(args, "seed", arg, 0, &options->seed, &ignored);
  case 'j': return mst_option_threads(args->cli, arg, &options->threads);
  default: return ARGP_ERR_UNKNOWN;
  }
}

static const struct argp_option options_table[] = {
    {.name = "rows", .key = KEY_ROWS, .arg = "N", .doc = "Rows in total (default: 1M)"},
    {.name = "shards", .key = KEY_SHARDS, .arg = "N", .doc = "Number of files (default: 8)"},
    {.name = "shard-rows", .key = KEY_SHARD_ROWS, .arg = "A,B,C", .doc = "Rows of each file"},
    {.name = "equal", .key = KEY_EQUAL, .doc = "As many rows in each file (default: unequal)"},
    {.name = "dtype",
     .key = KEY_DTYPE,
     .arg = "T",
     .doc = "Such as float32 (default), int64, >f4, datetime64[ns]"},
    {.name = "row-shape",
     .key = KEY_ROW_SHAPE,
     .arg = "S",
     .doc = "Shape of one row, 4,5 or 4x5; () for one value a row (default: 16)"},
    {.name = "format",
     .key = KEY_FORMAT,
     .arg = "NAME",
     .doc = "npy (default), raw, parquet, hdf5 or zarr"},
    {.name = "seed", .key = KEY_SEED, .arg = "N", .doc = "Other values (default: 0)"},
    {.name = "threads", .key = 'j', .arg = "N", .doc = "Threads (default: by the machine)"},
    {0}};
static const struct argp_child children[] = {
    {.argp = &mst_common_argp, .header = "Output:", .group = 2}, {0}};
static const struct argp argp = {
    .options = options_table,
    .parser = parse,
    .args_doc = "DIR",
    .children = children,
    .doc = "Writes a dataset of seeded values into the new folder DIR: the same options give the "
           "same bytes on every machine, and `muster verify` can check each cell."};
static const mst_syntax syntax = {.argp = &argp, .min_paths = 1, .max_paths = 1};

/* ---- what the options come to ---- */

static int take_shard_rows(write_args *args) {
  muster_write_options *options = &args->options;
  uint64_t sum = 0;
  for (size_t i = 0; i < args->shard_rows.length; i++) {
    if (__builtin_add_overflow(sum, args->shard_rows.data[i], &sum)) {
      return mst_cli_usage(args->cli, "--shard-rows: too many rows");
    }
  }
  if (args->rows_set && options->rows != sum) {
    return mst_cli_usage(args->cli,
                         "--shard-rows has %" PRIu64 " rows and --rows %" PRIu64
                         ": leave one of them out",
                         sum, options->rows);
  }
  if (args->shards_set && options->shards != args->shard_rows.length) {
    return mst_cli_usage(
        args->cli, "--shard-rows has %zu files and --shards %" PRIu64 ": leave one of them out",
        args->shard_rows.length, options->shards);
  }
  options->rows = sum;
  options->shards = args->shard_rows.length;
  options->shard_rows = args->shard_rows.data;
  options->shard_rows_count = args->shard_rows.length;
  return MST_GO_ON;
}

static int check_args(write_args *args) {
  if (args->shard_rows.length == 0) return MST_GO_ON;
  if (args->options.equal) {
    return mst_cli_usage(args->cli, "--shard-rows and --equal exclude each other");
  }
  return take_shard_rows(args);
}

/* ---- the report ---- */

typedef struct write_report {
  const char *path;
  muster_dtype dtype;
  uint64_t shape[MUSTER_MAX_RANK + 1];
  size_t rank;
  uint64_t bytes;
  double seconds;
} write_report;

/* The library has written it, so nothing here can overflow or be unknown. */
static void describe(const write_args *args, write_report *report) {
  const muster_write_options *options = &args->options;
  report->path = args->cli->paths.data[0];
  (void)muster_dtype_parse(options->dtype, &report->dtype, NULL);
  report->bytes = muster_type_size(report->dtype.type) * options->rows;
  report->shape[0] = options->rows;
  for (size_t i = 0; i < options->row_rank; i++) {
    report->shape[i + 1] = options->row_shape[i];
    report->bytes *= options->row_shape[i];
  }
  report->rank = options->row_rank + 1;
}

static void print_text(const write_args *args, const write_report *report) {
  const muster_write_options *options = &args->options;
  char name[48];
  mst_str *out = &args->cli->result;
  mst_add_safe(out, report->path);
  mst_str_add(out, ": ");
  mst_add_counted(out, options->shards, "shard");
  mst_str_addf(out, " of %s, %s ", options->format, muster_dtype_name(&report->dtype, name));
  mst_add_shape(out, report->rank, report->shape);
  mst_str_add(out, ", ");
  mst_add_size(out, (double)report->bytes);
  mst_str_addf(out, ", seed %" PRIu64 ", %.3f seconds\n", options->seed, report->seconds);
}

static int print_json(const write_args *args, const write_report *report) {
  const muster_write_options *options = &args->options;
  mst_result result;
  if (!mst_result_begin(args->cli, &result, "muster.write/1")) return MST_EXIT_WRONG;
  yyjson_mut_doc *doc = result.doc;
  yyjson_mut_val *root = result.root;
  mst_json_add_text(doc, root, "path", report->path);
  mst_json_add_text(doc, root, "format", options->format);
  mst_json_add_shape(doc, root, "shape", report->shape, report->rank);
  yyjson_mut_obj_add_uint(doc, root, "rows", options->rows);
  mst_json_add_dtype(doc, root, "dtype", &report->dtype);
  yyjson_mut_obj_add_uint(doc, root, "bytes", report->bytes);
  yyjson_mut_obj_add_uint(doc, root, "shard_count", options->shards);
  yyjson_mut_obj_add_uint(doc, root, "seed", options->seed);
  yyjson_mut_obj_add_real(doc, root, "seconds", report->seconds);
  return mst_result_end(args->cli, &result);
}

/* ---- the command ---- */

static int write_dataset(write_args *args) {
  mst_signals saved;
  muster_error error;
  write_report report = {0};
  const double begun = mst_now();
  mst_signals_begin(&saved);
  const muster_status status = muster_write(args->cli->paths.data[0], &args->options, &error);
  mst_signals_end(&saved);
  report.seconds = mst_now() - begun;
  if (status != MUSTER_OK) return mst_cli_fail(args->cli, &error);
  describe(args, &report);
  if (args->cli->json) return print_json(args, &report);
  print_text(args, &report);
  return MST_EXIT_DONE;
}

static void set_defaults(write_args *args) {
  muster_write_options *options = &args->options;
  muster_write_options_init(options);
  options->format = "npy";
  options->dtype = "float32";
  options->rows = DEFAULT_ROWS;
  options->shards = DEFAULT_SHARDS;
  options->row_shape = args->row_shape;
  options->row_rank = 1;
  args->row_shape[0] = 16;
  options->cancel = mst_signals_flag();
}

int mst_cmd_write(mst_cli *cli, int argc, char **argv) {
  write_args args = {.cli = cli};
  set_defaults(&args);
  int status = mst_cli_parse(cli, &syntax, argc, argv, &args);
  if (status == MST_GO_ON) status = check_args(&args);
  if (status == MST_GO_ON) status = write_dataset(&args);
  mst_vec_reset(&args.shard_rows);
  return status;
}
