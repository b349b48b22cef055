/* SPDX-License-Identifier: Apache-2.0 */
/* muster inspect: what a dataset is, what is wrong with it, and which tool is right for it. */
#include <stdlib.h>
#include <string.h>

#include "cli/apart.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "load/fragile.h"

typedef struct inspect_args {
  mst_cli *cli;
  mst_data_options data;
} inspect_args;

static error_t parse(int key, char *arg, struct argp_state *state) {
  inspect_args *args = state->input;
  (void)arg;
  if (key != ARGP_KEY_INIT) return ARGP_ERR_UNKNOWN;
  state->child_inputs[0] = args->cli;
  state->child_inputs[1] = &args->data;
  return 0;
}

static const struct argp_child children[] = {
    {.argp = &mst_common_argp, .header = "Output:", .group = 2},
    {.argp = &mst_data_argp, .header = "The dataset:", .group = 1},
    {0}};
static const struct argp argp = {
    .parser = parse,
    .args_doc = "PATH...",
    .children = children,
    .doc = "Says what a dataset is: format, shards, shape, dtype, bytes, all that keeps the shards "
           "from being one array, and which tool is right for it."};
static const mst_syntax syntax = {.argp = &argp, .min_paths = 1};

/* ---- what it is ---- */

typedef struct row_stats {
  uint64_t min;
  uint64_t median; /* the lower of the two in the middle */
  uint64_t max;
  uint64_t file_bytes;
} row_stats;

static int compare(const void *a, const void *b) {
  const uint64_t left = *(const uint64_t *)a;
  const uint64_t right = *(const uint64_t *)b;
  return left < right ? -1 : left > right;
}

/* False when there is no memory. */
static bool measure(const muster_dataset *dataset, row_stats *stats) {
  const size_t count = muster_dataset_shard_count(dataset);
  *stats = (row_stats){0};
  if (count == 0) return true;
  uint64_t *rows = mst_calloc(count, sizeof *rows);
  if (rows == NULL) return false;
  const char *file = "";
  for (size_t i = 0; i < count; i++) {
    muster_shard shard = {0};
    if (muster_dataset_shard(dataset, i, &shard) != MUSTER_OK) continue;
    rows[i] = shard.rows;
    if (shard.member == NULL || strcmp(shard.path, file) != 0) stats->file_bytes += shard.bytes;
    file = shard.path;
  }
  qsort(rows, count, sizeof *rows, compare);
  stats->min = rows[0];
  stats->median = rows[(count - 1) / 2];
  stats->max = rows[count - 1];
  mst_free(rows);
  return true;
}

/* What serves for a single file of a format as it is. */
typedef struct other_tool {
  const char *format;
  const char *name;
  const char *what;
} other_tool;

static const other_tool other_tools[] = {
    {"npy", "cupynumeric.load", "one .npy file"},
    {"hdf5", "legate.io.hdf5.from_file", "one HDF5 dataset"},
};

static const other_tool *tool_for(const muster_dataset *dataset) {
  const bool as_it_is =
      muster_dataset_shard_count(dataset) == 1 &&
      muster_dataset_dtype(dataset).type == muster_dataset_source_dtype(dataset).type;
  for (size_t i = 0; as_it_is && i < sizeof other_tools / sizeof *other_tools; i++)
    if (strcmp(muster_dataset_format(dataset), other_tools[i].format) == 0) return &other_tools[i];
  return NULL;
}

static void add_advice(mst_str *out, const muster_dataset *dataset) {
  const other_tool *tool = tool_for(dataset);
  if (tool != NULL) {
    mst_str_addf(out, "%s serves for %s; muster load does it in parallel", tool->name, tool->what);
  } else {
    mst_str_add(out, "muster load: one array from ");
    mst_add_counted(out, muster_dataset_shard_count(dataset), "shard");
    mst_str_add(out, ", in parallel");
  }
}

/* ---- as text ---- */

/* Wrong order is silent damage: so the order is shown where it can be seen. */
static void add_shard(mst_table *table, const char *label, const muster_dataset *dataset,
                      size_t index, size_t folder) {
  muster_shard shard;
  mst_str text = {0};
  if (muster_dataset_shard(dataset, index, &shard) != MUSTER_OK) return;
  mst_add_shard_name(&text, &shard, folder);
  mst_str_add(&text, ", ");
  mst_add_counted(&text, shard.rows, "row");
  mst_table_pair(table, label, &text);
}

static void add_shards(mst_table *table, const muster_dataset *dataset) {
  const size_t count = muster_dataset_shard_count(dataset);
  const size_t folder = mst_common_folder(dataset);
  mst_str text = {0};
  mst_add_count(&text, count);
  mst_table_pair(table, "shards", &text);
  if (count > 0) add_shard(table, count > 1 ? "  first" : "  the only one", dataset, 0, folder);
  if (count > 2) add_shard(table, "  second", dataset, 1, folder);
  if (count > 1) add_shard(table, "  last", dataset, count - 1, folder);
}

static void add_rows(mst_table *table, const row_stats *stats) {
  mst_str text = {0};
  mst_str_add(&text, "min ");
  mst_add_count(&text, stats->min);
  mst_str_add(&text, ", median ");
  mst_add_count(&text, stats->median);
  mst_str_add(&text, ", max ");
  mst_add_count(&text, stats->max);
  mst_table_pair(table, "rows a shard", &text);
}

static void add_bytes(mst_table *table, const char *label, uint64_t bytes) {
  mst_str text = {0};
  mst_add_exact_size(&text, bytes);
  mst_table_pair(table, label, &text);
}

static void print_text(mst_cli *cli, const muster_dataset *dataset, const row_stats *stats,
                       const char *advice) {
  mst_table table = {.align = "ll"};
  mst_str text = {0};
  mst_table_add(&table, "format");
  mst_table_add(&table, muster_dataset_format(dataset));
  add_shards(&table, dataset);
  mst_add_shape(&text, muster_dataset_rank(dataset), muster_dataset_shape(dataset));
  mst_table_pair(&table, "shape", &text);
  mst_add_dtype(&text, dataset);
  mst_table_pair(&table, "dtype", &text);
  add_rows(&table, stats);
  add_bytes(&table, "bytes", mst_dataset_bytes(dataset));
  /* Of shards that are folders nobody has counted them. */
  if (stats->file_bytes > 0 || mst_dataset_bytes(dataset) == 0)
    add_bytes(&table, "bytes in files", stats->file_bytes);
  mst_table_add(&table, "right tool");
  mst_table_add(&table, advice);
  mst_table_print(&table, &cli->result, 0);
}

/* ---- as JSON ---- */

static void add_json_shards(yyjson_mut_doc *doc, yyjson_mut_val *root,
                            const muster_dataset *dataset) {
  yyjson_mut_val *list = yyjson_mut_obj_add_arr(doc, root, "shards");
  for (size_t i = 0; i < muster_dataset_shard_count(dataset); i++) {
    muster_shard shard;
    if (muster_dataset_shard(dataset, i, &shard) != MUSTER_OK) continue;
    yyjson_mut_val *item = yyjson_mut_arr_add_obj(doc, list);
    mst_json_add_shard(doc, item, &shard);
    yyjson_mut_obj_add_uint(doc, item, "rows", shard.rows);
    yyjson_mut_obj_add_uint(doc, item, "first_row", shard.first_row);
    yyjson_mut_obj_add_uint(doc, item, "bytes", shard.bytes);
  }
}

static void add_json_stats(yyjson_mut_doc *doc, yyjson_mut_val *root, const row_stats *stats) {
  yyjson_mut_val *rows = yyjson_mut_obj_add_obj(doc, root, "rows_per_shard");
  yyjson_mut_obj_add_uint(doc, rows, "min", stats->min);
  yyjson_mut_obj_add_uint(doc, rows, "median", stats->median);
  yyjson_mut_obj_add_uint(doc, rows, "max", stats->max);
  yyjson_mut_obj_add_uint(doc, root, "file_bytes", stats->file_bytes);
}

static void add_json_known(yyjson_mut_doc *doc, yyjson_mut_val *root, const muster_dataset *dataset,
                           const row_stats *stats, const char *advice) {
  add_json_stats(doc, root, stats);
  add_json_shards(doc, root, dataset);
  const other_tool *tool = tool_for(dataset);
  mst_json_add_text(doc, root, "tool", tool != NULL ? tool->name : "muster");
  mst_json_add_text(doc, root, "advice", advice);
}

static void add_json_unknown(yyjson_mut_doc *doc, yyjson_mut_val *root) {
  static const char *const keys[] = {"rows_per_shard", "file_bytes", "shards", "tool", "advice"};
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
    yyjson_mut_obj_add_null(doc, root, keys[i]);
  }
}

/* The dataset is NULL when it could not be opened. */
static int print_json(mst_cli *cli, const muster_dataset *dataset, const row_stats *stats,
                      const char *advice, const muster_error *error) {
  mst_result result;
  if (!mst_result_begin(cli, &result, "muster.inspect/1")) return MST_EXIT_WRONG;
  yyjson_mut_doc *doc = result.doc;
  yyjson_mut_val *root = result.root;
  mst_json_add_paths(doc, root, cli);
  mst_json_add_dataset(doc, root, dataset);
  if (dataset != NULL) add_json_known(doc, root, dataset, stats, advice);
  if (dataset == NULL) add_json_unknown(doc, root);
  mst_json_add_notes(doc, root, dataset);
  mst_json_add_problems(doc, root, cli, error);
  return mst_result_end(cli, &result);
}

/* ---- the command ---- */

static int inspect_bad(mst_cli *cli, const muster_error *error) {
  /* A wrong option says nothing about the data. */
  if (cli->json && error->status != MUSTER_ERR_USAGE) {
    (void)print_json(cli, NULL, NULL, NULL, error);
  }
  return mst_cli_fail(cli, error);
}

static int inspect(mst_cli *cli, const muster_dataset *dataset) {
  row_stats stats;
  mst_str advice = {0};
  int status = MST_EXIT_DONE;
  add_advice(&advice, dataset);
  if (advice.failed || !measure(dataset, &stats)) {
    status = mst_cli_fail_memory(cli);
  } else if (cli->json) {
    status = print_json(cli, dataset, &stats, mst_str_text(&advice), NULL);
  } else {
    print_text(cli, dataset, &stats, mst_str_text(&advice));
  }
  mst_str_reset(&advice);
  return status;
}

static int open_and_inspect(void *context) {
  inspect_args *args = context;
  muster_dataset *dataset = NULL;
  muster_error error;
  int status = mst_data_open(&args->data, &dataset, &error);
  status = status == MST_EXIT_DONE ? inspect(args->cli, dataset) : inspect_bad(args->cli, &error);
  muster_dataset_free(dataset);
  return status;
}

int mst_cmd_inspect(mst_cli *cli, int argc, char **argv) {
  inspect_args args = {.cli = cli};
  mst_data_options_init(&args.data, cli);
  const int status = mst_cli_parse(cli, &syntax, argc, argv, &args);
  if (status != MST_GO_ON) return status;
  const char *const *paths = (const char *const *)cli->paths.data;
  if (mst_is_fragile(paths, cli->paths.length, &args.data.open))
    return mst_in_child(cli, true, open_and_inspect, &args);
  return open_and_inspect(&args);
}
