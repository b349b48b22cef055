/* SPDX-License-Identifier: Apache-2.0 */
/* muster inspect: what a dataset is, what is wrong with it, and which tool is right for it. */
#include <stdlib.h>
#include <string.h>

#include "cli/apart.h"
#include "cli/commands.h"
#include "cli/contents.h"
#include "cli/options.h"
#include "load/fragile.h"
#include "load/tree.h"

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
  uint64_t folder_bytes; /* of files in shards that are folders */
  uint64_t folder_files;
  bool folders_are_known; /* what is in them was counted */
} row_stats;

/* A store may be millions of files: so many are counted, and are looked at in a second or so. */
#define MOST_FILES_COUNTED 20000

static int compare(const void *a, const void *b) {
  const uint64_t left = *(const uint64_t *)a;
  const uint64_t right = *(const uint64_t *)b;
  return left < right ? -1 : left > right;
}

/* Shards of one file or folder follow each other; it counts once. */
static void add_file(row_stats *stats, const muster_shard *shard) {
  mst_weight weight = {0};
  stats->file_bytes += shard->bytes;
  if (shard->bytes > 0 || !stats->folders_are_known || shard->path[0] == '<') return;
  const uint64_t most = MOST_FILES_COUNTED - stats->folder_files;
  stats->folders_are_known =
      most > 0 && mst_weigh_up_to(shard->path, most, &weight, NULL) == MUSTER_OK;
  stats->folder_bytes += weight.files > 0 ? weight.bytes : 0;
  stats->folder_files += weight.files;
}

/* False when there is no memory. */
static bool measure(const muster_dataset *dataset, row_stats *stats) {
  const size_t count = muster_dataset_shard_count(dataset);
  *stats = (row_stats){.folders_are_known = true};
  if (count == 0) return true;
  uint64_t *rows = mst_calloc(count, sizeof *rows);
  if (rows == NULL) return false;
  const char *file = "";
  for (size_t i = 0; i < count; i++) {
    muster_shard shard = {0};
    if (muster_dataset_shard(dataset, i, &shard) != MUSTER_OK) continue;
    rows[i] = shard.rows;
    if (shard.member == NULL || strcmp(shard.path, file) != 0) add_file(stats, &shard);
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

/* What is told; the dataset is NULL when it could not be opened. */
typedef struct inspection {
  const inspect_args *args;
  const muster_dataset *dataset;
  row_stats stats;
  mst_str advice;
  mst_contents contents;     /* of a file in which one array, or columns, have to be named */
  const muster_error *error; /* NULL: there is a dataset */
} inspection;

/* ---- as text ---- */

/* Wrong order is silent damage: so the order is shown where it can be seen. */
static void add_shard(mst_table *table, const char *label, const inspection *found, size_t index,
                      size_t folder) {
  muster_shard shard;
  mst_str text = {0};
  if (muster_dataset_shard(found->dataset, index, &shard) != MUSTER_OK) return;
  if (shard.member == NULL) shard.member = found->args->data.open.dataset;
  mst_add_shard_name(&text, &shard, folder);
  mst_str_add(&text, ", ");
  mst_add_counted(&text, shard.rows, "row");
  mst_table_pair(table, label, &text);
}

static void add_shards(mst_table *table, const inspection *found) {
  const muster_dataset *dataset = found->dataset;
  const size_t count = muster_dataset_shard_count(dataset);
  const size_t folder = mst_common_folder(dataset);
  mst_str text = {0};
  mst_add_count(&text, count);
  mst_table_pair(table, "shards", &text);
  if (count > 0) add_shard(table, count > 1 ? "  first" : "  the only one", found, 0, folder);
  if (count > 2) add_shard(table, "  second", found, 1, folder);
  if (count > 1) add_shard(table, "  last", found, count - 1, folder);
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

static void add_file_bytes(mst_table *table, const row_stats *stats, uint64_t bytes) {
  const uint64_t found = stats->file_bytes + stats->folder_bytes;
  if (!stats->folders_are_known) {
    mst_table_add(table, "bytes in files");
    mst_table_add(table, "not counted: the folders hold many files");
  } else if (found > 0 || bytes == 0) {
    add_bytes(table, "bytes in files", found);
  }
}

static void print_text(mst_cli *cli, const inspection *found) {
  const muster_dataset *dataset = found->dataset;
  mst_table table = {.align = "ll"};
  mst_str text = {0};
  mst_table_add(&table, "format");
  mst_table_add(&table, muster_dataset_format(dataset));
  add_shards(&table, found);
  mst_add_shape(&text, muster_dataset_rank(dataset), muster_dataset_shape(dataset));
  mst_table_pair(&table, "shape", &text);
  mst_add_dtype(&text, dataset);
  mst_table_pair(&table, "dtype", &text);
  add_rows(&table, &found->stats);
  add_bytes(&table, "bytes", mst_dataset_bytes(dataset));
  add_file_bytes(&table, &found->stats, mst_dataset_bytes(dataset));
  mst_table_add(&table, "right tool");
  mst_table_add(&table, mst_str_text(&found->advice));
  mst_table_print(&table, &cli->result, 0);
  if (found->contents.each.length > 0) mst_str_add(&cli->result, "columns\n");
  mst_add_contents(&cli->result, &found->contents);
}

/* What there is to be named, where an error says that something has to be. */
static void print_contents(mst_cli *cli, const inspection *found) {
  if (found->contents.each.length == 0) return;
  mst_str_add(&cli->result, found->contents.are_columns ? "columns of " : "arrays in ");
  mst_add_safe(&cli->result, found->error->path);
  mst_str_add(&cli->result, "\n");
  mst_add_contents(&cli->result, &found->contents);
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
  if (stats->folders_are_known)
    yyjson_mut_obj_add_uint(doc, root, "folder_bytes", stats->folder_bytes);
  else
    yyjson_mut_obj_add_null(doc, root, "folder_bytes");
}

static void add_json_known(yyjson_mut_doc *doc, yyjson_mut_val *root, const inspection *found) {
  add_json_stats(doc, root, &found->stats);
  add_json_shards(doc, root, found->dataset);
  const other_tool *tool = tool_for(found->dataset);
  mst_json_add_text(doc, root, "tool", tool != NULL ? tool->name : "muster");
  mst_json_add_text(doc, root, "advice", mst_str_text(&found->advice));
}

static void add_json_unknown(yyjson_mut_doc *doc, yyjson_mut_val *root) {
  static const char *const keys[] = {"rows_per_shard", "file_bytes", "folder_bytes",
                                     "shards",         "tool",       "advice"};
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
    yyjson_mut_obj_add_null(doc, root, keys[i]);
  }
}

static int print_json(mst_cli *cli, const inspection *found) {
  mst_result result;
  if (!mst_result_begin(cli, &result, "muster.inspect/1")) return MST_EXIT_WRONG;
  yyjson_mut_doc *doc = result.doc;
  yyjson_mut_val *root = result.root;
  mst_json_add_paths(doc, root, cli);
  mst_json_add_dataset(doc, root, found->dataset);
  if (found->dataset != NULL) add_json_known(doc, root, found);
  if (found->dataset == NULL) add_json_unknown(doc, root);
  mst_json_add_contents(doc, root, &found->contents);
  mst_json_add_notes(doc, root, found->dataset);
  mst_json_add_problems(doc, root, cli, found->error);
  return mst_result_end(cli, &result);
}

/* ---- the command ---- */

/* Of a file, or folder, that holds more than the one array; errors leave the contents empty. */
static void look_into(inspection *found, const char *path) {
  if (path[0] != '\0')
    (void)mst_contents_find(path, &found->args->data.open, &found->contents, NULL);
  const bool is_one = !found->contents.are_columns && found->contents.each.length < 2;
  if (is_one || found->contents.failed) mst_contents_reset(&found->contents);
}

static int inspect_bad(mst_cli *cli, inspection *found) {
  const muster_error *error = found->error;
  /* A wrong option says nothing about the data. */
  if (error->status == MUSTER_ERR_USAGE) return mst_cli_fail(cli, error);
  if (error->status == MUSTER_ERR_MISMATCH || error->status == MUSTER_ERR_NOT_FOUND ||
      error->status == MUSTER_ERR_UNSUPPORTED)
    look_into(found, error->path);
  if (cli->json)
    (void)print_json(cli, found);
  else
    print_contents(cli, found);
  return mst_cli_fail(cli, error);
}

/* Columns are shown always: those of the first file, which the others have as well. */
static void look_at_columns(inspection *found) {
  muster_shard first;
  const mst_format *format = mst_format_named(muster_dataset_format(found->dataset));
  if (format == NULL || (format->takes & MST_TAKES_COLUMNS) == 0) return;
  if (muster_dataset_shard(found->dataset, 0, &first) == MUSTER_OK) look_into(found, first.path);
}

static int inspect_good(mst_cli *cli, inspection *found) {
  add_advice(&found->advice, found->dataset);
  if (found->advice.failed || !measure(found->dataset, &found->stats))
    return mst_cli_fail_memory(cli);
  look_at_columns(found);
  if (cli->json) return print_json(cli, found);
  print_text(cli, found);
  return MST_EXIT_DONE;
}

static int open_and_inspect(void *context) {
  inspect_args *args = context;
  muster_dataset *dataset = NULL;
  muster_error error;
  inspection found = {.args = args};
  int status = mst_data_open(&args->data, &dataset, &error);
  found.dataset = dataset;
  if (status != MST_EXIT_DONE) found.error = &error;
  status = found.error == NULL ? inspect_good(args->cli, &found) : inspect_bad(args->cli, &found);
  mst_contents_reset(&found.contents);
  mst_str_reset(&found.advice);
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
