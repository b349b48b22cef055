/* SPDX-License-Identifier: Apache-2.0 */
/* muster load: all of a dataset into memory, into one .npy file, nowhere, or into cuPyNumeric. */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "base/alloc.h"
#include "base/io.h"
#include "base/status.h"
#include "cli/apart.h"
#include "cli/commands.h"
#include "cli/legate.h"
#include "cli/options.h"
#include "cli/progress.h"
#include "formats/format.h"
#include "load/fragile.h"
#include "load/output.h"
#include "load/record.h"

typedef struct load_args {
  mst_cli *cli;
  mst_data_options data;
  muster_load_options options;
  const char *output;  /* -o */
  const char *to;      /* --to */
  const char *seal;    /* --seal */
  const char *backend; /* --backend */
  bool verify;
  bool by_legate;
  bool parted;        /* --over-decompose was given */
  mst_names launcher; /* --launcher-args */
  mst_progress_mode progress;
} load_args;

enum {
  KEY_TO = 0x400,
  KEY_BACKEND,
  KEY_LAUNCHER,
  KEY_TILE_ROWS,
  KEY_OVER,
  KEY_NO_CHECKSUM,
  KEY_VERIFY,
  KEY_SEAL,
  KEY_PROGRESS
};

static error_t parse_progress(load_args *args, const char *text) {
  const bool known = mst_progress_parse(text, &args->progress);
  return mst_option_check(args->cli, "progress", text,
                          known ? NULL : "is none of auto, bar, lines, json and none");
}

static error_t parse(int key, char *arg, struct argp_state *state) {
  load_args *args = state->input;
  switch (key) {
  case ARGP_KEY_INIT:
    state->child_inputs[0] = args->cli;
    state->child_inputs[1] = &args->data;
    return 0;
  case 'o': args->output = arg; return 0;
  case KEY_TO: args->to = arg; return 0;
  case KEY_BACKEND: args->backend = arg; return 0;
  case KEY_LAUNCHER: return mst_legate_add_arguments(&args->launcher, arg) ? 0 : ENOMEM;
  case KEY_TILE_ROWS:
    return mst_option_count(args->cli, "tile-rows", arg, 1, UINT64_MAX, &args->options.tile_rows);
  case KEY_OVER:
    args->parted = true;
    return mst_option_count(args->cli, "over-decompose", arg, 1, UINT32_MAX,
                            &args->options.over_decompose);
  case KEY_NO_CHECKSUM: args->options.checksum = false; return 0;
  case KEY_VERIFY: args->verify = true; return 0;
  case KEY_SEAL:
    args->verify = true;
    args->seal = arg;
    return 0;
  case KEY_PROGRESS: return parse_progress(args, arg);
  default: return ARGP_ERR_UNKNOWN;
  }
}

static const struct argp_option options_table[] = {
    {.name = "output",
     .key = 'o',
     .arg = "FILE.npy",
     .doc = "Write the array to this file, which appears whole or not at all"},
    {.name = "to",
     .key = KEY_TO,
     .arg = "WHERE",
     .doc = "memory (default), or null: read and check, keep nothing"},
    {.name = "backend",
     .key = KEY_BACKEND,
     .arg = "NAME",
     .doc = "threads (default), or legate: into an array of cuPyNumeric, by tasks of Legate"},
    {.name = "launcher-args",
     .key = KEY_LAUNCHER,
     .arg = "ARGS",
     .doc = "Arguments of the program legate, such as \"--nodes 2 --launcher srun --gpus 4\"; "
            "without them it takes the GPUs there are, or else as many CPUs as -j says"},
    {.name = "tile-rows", .key = KEY_TILE_ROWS, .arg = "N", .doc = "Rows read by a thread at once"},
    {.name = "over-decompose", .key = KEY_OVER, .arg = "K", .doc = "Tiles a thread"},
    {.name = "no-checksum", .key = KEY_NO_CHECKSUM, .doc = "Do not compute the checksum"},
    {.name = "verify",
     .key = KEY_VERIFY,
     .doc = "First check the files against the folder's _muster_seal.json"},
    {.name = "seal", .key = KEY_SEAL, .arg = "FILE", .doc = "The same with the seal in FILE"},
    {.name = "progress",
     .key = KEY_PROGRESS,
     .arg = "HOW",
     .doc = "auto, bar, lines, json or none; on stderr"},
    {0}};
static const struct argp_child children[] = {
    {.argp = &mst_common_argp, .header = "Output:", .group = 2},
    {.argp = &mst_data_argp, .header = "The dataset:", .group = 1},
    {0}};
static const struct argp argp = {
    .options = options_table,
    .parser = parse,
    .args_doc = "PATH...",
    .children = children,
    .doc = "Loads a dataset in parallel and reports shape, time, rate and a checksum: the same "
           "number for every way to cut and store the same array."};
static const mst_syntax syntax = {.argp = &argp, .min_paths = 1};

/* ---- what the options come to ---- */

static int check_backend(load_args *args) {
  args->by_legate = args->backend != NULL && strcmp(args->backend, "legate") == 0;
  if (args->backend != NULL && !args->by_legate && strcmp(args->backend, "threads") != 0)
    return mst_cli_usage(args->cli, "--backend: '%s' is neither threads nor legate", args->backend);
  if (!args->by_legate && args->launcher.length > 0)
    return mst_cli_usage(args->cli, "--launcher-args are for --backend legate");
  if (args->by_legate && (args->output != NULL || args->to != NULL))
    return mst_cli_usage(args->cli, "the backend legate loads into an array of cuPyNumeric: -o and "
                                    "--to have no meaning there");
  return MST_GO_ON;
}

/* What bears the name of another format is taken for it. */
static int check_output_name(const load_args *args) {
  if (*args->output == '\0' || strcmp(args->output, "-") == 0)
    return mst_cli_usage(args->cli, "-o needs the name of a file");
  if (!mst_is_named_as_data(args->output) || mst_has_extension(args->output, ".npy"))
    return MST_GO_ON;
  return mst_cli_usage(args->cli,
                       "-o writes npy files, and '%s' is named like another kind: "
                       "choose a name that ends in .npy",
                       args->output);
}

static int choose_destination(load_args *args) {
  mst_cli *cli = args->cli;
  muster_load_options *options = &args->options;
  options->to = MUSTER_TO_MEMORY;
  if (args->output != NULL) {
    if (args->to != NULL) return mst_cli_usage(cli, "-o and --to exclude each other");
    options->to = MUSTER_TO_NPY;
    options->path = args->output;
    return check_output_name(args);
  }
  if (args->to != NULL && strcmp(args->to, "null") == 0) {
    options->to = MUSTER_TO_NULL;
  } else if (args->to != NULL && strcmp(args->to, "memory") != 0) {
    return mst_cli_usage(cli, "--to: '%s' is neither memory nor null", args->to);
  }
  return MST_GO_ON;
}

static int check_args(load_args *args) {
  const int status = check_backend(args);
  return status != MST_GO_ON ? status : choose_destination(args);
}

static muster_status check_output(const load_args *args, const muster_dataset *dataset,
                                  muster_error *error) {
  const mst_cli *cli = args->cli;
  if (args->output == NULL) return MUSTER_OK;
  return mst_check_neighbours(dataset, cli->paths.data, cli->paths.length, args->output, error);
}

/* ---- the seal ---- */

static char *seal_beside(const muster_dataset *dataset) {
  mst_str path = {0};
  muster_shard shard;
  if (muster_dataset_shard(dataset, 0, &shard) == MUSTER_OK) {
    const char *slash = strrchr(shard.path, '/');
    if (slash != NULL) mst_str_add_bytes(&path, shard.path, (size_t)(slash - shard.path) + 1);
  }
  mst_str_add(&path, MST_SEAL_RECORD);
  return mst_str_take(&path);
}

static bool names_a_folder(const mst_cli *cli) {
  mst_stat info;
  return mst_io_stat(cli->paths.data[0], &info, NULL) == MUSTER_OK && info.is_directory;
}

static bool is_there(const char *path) {
  bool found = false;
  return path != NULL && mst_io_find(path, &found, NULL) == MUSTER_OK && found;
}

/* The seal given, or the one in the folder that was named, or in that of the first shard. */
static char *seal_path(const load_args *args, const muster_dataset *dataset) {
  if (args->seal != NULL) return mst_strdup(args->seal);
  char *beside = seal_beside(dataset);
  if (beside == NULL || args->cli->paths.length != 1 || !names_a_folder(args->cli)) return beside;
  char *own = mst_record_path(args->cli->paths.data[0], MST_SEAL_RECORD);
  const bool is_beside = !is_there(own) && is_there(beside);
  mst_free(is_beside ? own : beside);
  return is_beside ? beside : own;
}

static muster_status check_seal(const load_args *args, const muster_dataset *dataset,
                                muster_verify_result *verified, muster_error *error) {
  *verified = (muster_verify_result){0};
  if (!args->verify) return MUSTER_OK;
  char *path = seal_path(args, dataset);
  if (path == NULL) return mst_fail_memory(error);
  const muster_status status =
      muster_check_seal(dataset, path, args->data.open.threads, verified, error);
  mst_free(path);
  return status;
}

/* ---- loading ---- */

typedef struct load_report {
  muster_load_result result;
  muster_verify_result verified;
  double seconds;
  bool has_checksum;
  const char *where; /* the processors of Legate; NULL: threads of this process */
} load_report;

static muster_status fail_size(uint64_t bytes, uint64_t available, muster_error *error) {
  char need[24];
  char have[24];
  return mst_fail(error, MUSTER_ERR_MEMORY, NULL,
                  "the array takes %s and there are %s of memory: load a part (--rows LO:HI), "
                  "convert it (--dtype float32), write it to a file (-o FILE.npy) or only check "
                  "it (--to null)",
                  mst_human_bytes((double)bytes, need), mst_human_bytes((double)available, have));
}

static muster_status load_timed(load_args *args, const muster_dataset *dataset, load_report *report,
                                muster_error *error) {
  mst_progress progress;
  muster_load_options *options = &args->options;
  options->threads = args->data.open.threads;
  options->cancel = mst_signals_flag();
  options->progress = mst_progress_show;
  options->progress_user = &progress;
  mst_progress_begin(&progress, args->cli, args->progress);
  const double begun = mst_now();
  const muster_status status = muster_load(dataset, options, &report->result, error);
  report->seconds = mst_now() - begun;
  mst_progress_end(&progress);
  return status;
}

static muster_status load_to_memory(load_args *args, const muster_dataset *dataset,
                                    load_report *report, muster_error *error) {
  const uint64_t bytes = mst_dataset_bytes(dataset);
  const uint64_t available = mst_io_available_memory();
  if (bytes > available || bytes > SIZE_MAX) return fail_size(bytes, available, error);
  void *pages = mst_pages_new((size_t)bytes);
  if (pages == NULL) return fail_size(bytes, available, error);
  args->options.dst = pages;
  args->options.populate = true;
  const muster_status status = load_timed(args, dataset, report, error);
  mst_pages_free(pages, (size_t)bytes);
  return status;
}

static muster_status load_checked(load_args *args, const muster_dataset *dataset,
                                  load_report *report, muster_error *error) {
  muster_status status = check_output(args, dataset, error);
  if (status == MUSTER_OK) status = check_seal(args, dataset, &report->verified, error);
  if (status != MUSTER_OK) return status;
  const bool memory = args->options.to == MUSTER_TO_MEMORY;
  return memory ? load_to_memory(args, dataset, report, error)
                : load_timed(args, dataset, report, error);
}

/* ---- the report ---- */

static double rate_of(const load_report *report) {
  return report->seconds > 0 ? (double)report->result.bytes / report->seconds : 0;
}

static void add_bytes_and_rate(mst_table *table, const load_report *report) {
  mst_str text = {0};
  mst_add_exact_size(&text, report->result.bytes);
  mst_table_pair(table, "bytes", &text);
  mst_str_addf(&text, "%.3f", report->seconds);
  mst_table_pair(table, "seconds", &text);
  mst_add_size(&text, rate_of(report));
  mst_str_add(&text, "/s");
  mst_table_pair(table, "rate", &text);
}

static void print_text(const load_args *args, const muster_dataset *dataset,
                       const load_report *report) {
  mst_table table = {.align = "ll"};
  mst_str text = {0};
  mst_add_shape(&text, muster_dataset_rank(dataset), muster_dataset_shape(dataset));
  mst_table_pair(&table, "shape", &text);
  mst_add_dtype(&text, dataset);
  mst_table_pair(&table, "dtype", &text);
  add_bytes_and_rate(&table, report);
  if (report->has_checksum) {
    mst_str_addf(&text, "%016" PRIx64, report->result.checksum);
    mst_table_pair(&table, "checksum", &text);
  }
  if (args->verify) {
    mst_add_counted(&text, report->verified.shards, "shard");
    mst_str_add(&text, " as sealed");
    mst_table_pair(&table, "verified", &text);
  }
  if (args->output != NULL) {
    mst_add_safe(&text, args->output);
    mst_table_pair(&table, "file", &text);
  }
  if (report->where != NULL) {
    mst_add_safe(&text, report->where);
    mst_table_pair(&table, "Legate", &text);
  }
  mst_table_print(&table, &args->cli->result, 0);
}

static int print_json(const load_args *args, const muster_dataset *dataset,
                      const load_report *report) {
  static const char *const destinations[] = {
      [MUSTER_TO_MEMORY] = "memory", [MUSTER_TO_NPY] = "npy", [MUSTER_TO_NULL] = "null"};
  char checksum[24];
  mst_result result;
  if (!mst_result_begin(args->cli, &result, "muster.load/1")) return MST_EXIT_WRONG;
  yyjson_mut_doc *doc = result.doc;
  yyjson_mut_val *root = result.root;
  snprintf(checksum, sizeof checksum, "%016" PRIx64, report->result.checksum);
  mst_json_add_paths(doc, root, args->cli);
  mst_json_add_dataset(doc, root, dataset);
  mst_json_add_text(doc, root, "to",
                    args->by_legate ? "cupynumeric" : destinations[args->options.to]);
  mst_json_add_text(doc, root, "path", args->output);
  mst_json_add_text(doc, root, "backend", args->by_legate ? "legate" : "threads");
  mst_json_add_text(doc, root, "processors", report->where);
  yyjson_mut_obj_add_real(doc, root, "seconds", report->seconds);
  yyjson_mut_obj_add_real(doc, root, "bytes_per_second", rate_of(report));
  mst_json_add_text(doc, root, "checksum", report->has_checksum ? checksum : NULL);
  if (args->verify) {
    yyjson_mut_obj_add_uint(doc, root, "verified_shards", report->verified.shards);
  } else {
    yyjson_mut_obj_add_null(doc, root, "verified_shards");
  }
  mst_json_add_notes(doc, root, dataset);
  return mst_result_end(args->cli, &result);
}

/* ---- the command ---- */

static int print_report(const load_args *args, const muster_dataset *dataset,
                        const load_report *report) {
  if (args->cli->json) return print_json(args, dataset, report);
  print_text(args, dataset, report);
  return MST_EXIT_DONE;
}

static int load_here(load_args *args, const muster_dataset *dataset) {
  load_report report = {.has_checksum = args->options.checksum};
  mst_signals saved;
  muster_error error;
  mst_signals_begin(&saved);
  const muster_status status = load_checked(args, dataset, &report, &error);
  mst_signals_end(&saved);
  if (status != MUSTER_OK) return mst_cli_fail(args->cli, &error);
  return print_report(args, dataset, &report);
}

/* The seal is checked here, where what it says can be told at once. */
static int load_by_legate(load_args *args, const muster_dataset *dataset) {
  load_report report = {0};
  muster_error error;
  if (check_seal(args, dataset, &report.verified, &error) != MUSTER_OK)
    return mst_cli_fail(args->cli, &error);
  const mst_legate_load load = {.data = &args->data,
                                .options = &args->options,
                                .dataset = dataset,
                                .over_decompose = args->parted ? args->options.over_decompose : 0,
                                .with_progress = args->progress != MST_PROGRESS_NONE,
                                .launcher = args->launcher};
  mst_legate_result result;
  const int status = mst_legate_run(args->cli, &load, &result);
  if (status != MST_EXIT_DONE) return status;
  report.result = (muster_load_result){.rows = muster_dataset_rows(dataset),
                                       .bytes = mst_dataset_bytes(dataset),
                                       .checksum = result.checksum};
  report.seconds = result.seconds;
  report.has_checksum = result.has_checksum;
  report.where = result.where;
  return print_report(args, dataset, &report);
}

/* cuPyNumeric has no dates: they come as the integers that they are. */
static int open_for_legate(load_args *args, muster_dataset **dataset) {
  const muster_type type = muster_dataset_dtype(*dataset).type;
  if (type != MUSTER_DATETIME64 && type != MUSTER_TIMEDELTA64) return MST_EXIT_DONE;
  mst_cli_note(args->cli, "cuPyNumeric has no dates: loaded as int64, counted in their unit");
  muster_dataset_free(*dataset);
  *dataset = NULL;
  args->data.open.dtype = "int64";
  muster_error error;
  const int status = mst_data_open(&args->data, dataset, &error);
  return status == MST_EXIT_DONE ? status : mst_cli_fail(args->cli, &error);
}

static int open_and_load(void *context) {
  load_args *args = context;
  muster_dataset *dataset = NULL;
  int status = mst_data_open(&args->data, &dataset, NULL);
  if (dataset != NULL && args->by_legate) status = open_for_legate(args, &dataset);
  if (dataset != NULL)
    status = args->by_legate ? load_by_legate(args, dataset) : load_here(args, dataset);
  muster_dataset_free(dataset);
  return status;
}

/* Legate reads in processes of its own. */
static int load(load_args *args) {
  const mst_cli *cli = args->cli;
  const char *const *paths = (const char *const *)cli->paths.data;
  const bool is_fragile =
      !args->by_legate && mst_is_fragile(paths, cli->paths.length, &args->data.open);
  return is_fragile ? mst_in_child(args->cli, false, open_and_load, args) : open_and_load(args);
}

int mst_cmd_load(mst_cli *cli, int argc, char **argv) {
  load_args args = {.cli = cli};
  mst_data_options_init(&args.data, cli);
  muster_load_options_init(&args.options);
  args.options.checksum = true;
  int status = mst_cli_parse(cli, &syntax, argc, argv, &args);
  if (status == MST_GO_ON) status = check_args(&args);
  if (status == MST_GO_ON) status = load(&args);
  mst_names_reset(&args.launcher);
  return status;
}
