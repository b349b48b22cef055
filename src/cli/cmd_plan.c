/* SPDX-License-Identifier: Apache-2.0 */
/* muster plan: how the rows are cut into tiles, and what each processor gets. */
#include <errno.h>
#include <inttypes.h>

#include "cli/commands.h"
#include "cli/options.h"

/* A list of processors is printed, so there is a limit; no machine is near it. */
#define MOST_PROCS 10000000

/* Lines of the table that fit a screen. */
#define SHORT_TABLE 40

typedef struct plan_args {
  mst_cli *cli;
  mst_data_options data;
  muster_plan_options options;
  bool procs_set;
  bool all;
} plan_args;

enum { KEY_OVER = 0x300, KEY_TILE_ROWS, KEY_ALL };

static error_t parse(int key, char *arg, struct argp_state *state) {
  plan_args *args = state->input;
  muster_plan_options *options = &args->options;
  switch (key) {
  case ARGP_KEY_INIT:
    state->child_inputs[0] = args->cli;
    state->child_inputs[1] = &args->data;
    return 0;
  case 'p':
    args->procs_set = true;
    return mst_option_count(args->cli, "procs", arg, 1, MOST_PROCS, &options->procs);
  case KEY_OVER:
    return mst_option_count(args->cli, "over-decompose", arg, 1, UINT32_MAX,
                            &options->over_decompose);
  case KEY_TILE_ROWS:
    return mst_option_count(args->cli, "tile-rows", arg, 1, UINT64_MAX, &options->tile_rows);
  case KEY_ALL: args->all = true; return 0;
  default: return ARGP_ERR_UNKNOWN;
  }
}

static const struct argp_option options_table[] = {
    {.name = "procs", .key = 'p', .arg = "P", .doc = "Processors that share the rows (needed)"},
    {.name = "over-decompose",
     .key = KEY_OVER,
     .arg = "K",
     .doc = "Tiles a processor (default: 1)"},
    {.name = "tile-rows",
     .key = KEY_TILE_ROWS,
     .arg = "N",
     .doc = "Rows of a tile (default: rows / (P * K))"},
    {.name = "all", .key = KEY_ALL, .doc = "The whole table, also on a terminal"},
    {0}};
static const struct argp_child children[] = {
    {.argp = &mst_common_argp, .header = "Output:", .group = 2},
    {.argp = &mst_data_argp, .header = "The dataset:", .group = 1},
    {0}};
static const struct argp argp = {
    .options = options_table,
    .parser = parse,
    .args_doc = "PATH... --procs P",
    .children = children,
    .doc = "Shows how the rows are cut into tiles: which rows of which shards each one reads, and "
           "how evenly the processors are served. Row ranges are half open, as in Python."};
static const mst_syntax syntax = {.argp = &argp, .min_paths = 1};

/* ---- what a processor gets ---- */

/* Tiles are dealt in blocks, the first processors getting the rest. */
typedef struct plan_view {
  const muster_dataset *dataset;
  const muster_plan *plan;
  uint64_t procs;
  uint64_t tiles;
  uint64_t row_bytes;
} plan_view;

static uint64_t first_tile(const plan_view *view, uint64_t proc) {
  const uint64_t rest = view->tiles % view->procs;
  return view->tiles / view->procs * proc + (proc < rest ? proc : rest);
}

static uint64_t rows_of(const plan_view *view, uint64_t proc) {
  muster_tile first;
  muster_tile last;
  const uint64_t low = first_tile(view, proc);
  const uint64_t high = first_tile(view, proc + 1);
  if (low == high) return 0;
  if (muster_plan_tile(view->plan, low, &first) != MUSTER_OK) return 0;
  if (muster_plan_tile(view->plan, high - 1, &last) != MUSTER_OK) return 0;
  return last.row_hi - first.row_lo;
}

typedef struct balance {
  uint64_t min_rows;
  uint64_t max_rows;
  double mean_rows;
  double ratio; /* max / mean; 1 when there are no rows */
} balance;

static balance weigh(const plan_view *view) {
  balance b = {.min_rows = UINT64_MAX, .ratio = 1};
  for (uint64_t proc = 0; proc < view->procs; proc++) {
    const uint64_t rows = rows_of(view, proc);
    if (rows < b.min_rows) b.min_rows = rows;
    if (rows > b.max_rows) b.max_rows = rows;
  }
  b.mean_rows = (double)muster_dataset_rows(view->dataset) / (double)view->procs;
  if (b.mean_rows > 0) b.ratio = (double)b.max_rows / b.mean_rows;
  return b;
}

/* ---- as text ---- */

/* Calls line() for each slice, in order; a tile without slices has one line, too. */
typedef struct table_view {
  const plan_view *plan;
  size_t folder; /* bytes of the paths that all shards share */
  int tile_width;
  int row_width;
  uint64_t left; /* lines that may still be printed */
  bool cut;
} table_view;

static int digits(uint64_t number) {
  int count = 1;
  for (; number >= 10; number /= 10)
    count++;
  return count;
}

static void add_tile_cells(mst_str *out, const table_view *view, uint64_t tile,
                           const muster_tile *rows) {
  char range[48];
  if (rows == NULL) {
    mst_str_addf(out, "%*s  %*s", view->tile_width, "", view->row_width, "");
    return;
  }
  snprintf(range, sizeof range, "%" PRIu64 ":%" PRIu64, rows->row_lo, rows->row_hi);
  mst_str_addf(out, "%*" PRIu64 "  %*s", view->tile_width, tile, view->row_width, range);
}

static void add_slice_cells(mst_str *out, const table_view *view, const muster_slice *slice) {
  char range[48];
  muster_shard shard;
  if (muster_dataset_shard(view->plan->dataset, slice->shard, &shard) != MUSTER_OK) return;
  snprintf(range, sizeof range, "%" PRIu64 ":%" PRIu64, slice->file_lo, slice->file_hi);
  mst_str_addf(out, "  %*s  ", view->row_width, range);
  mst_add_shard_name(out, &shard, view->folder);
}

static void add_tile(mst_str *out, table_view *view, uint64_t number) {
  muster_tile tile;
  const muster_plan *plan = view->plan->plan;
  if (muster_plan_tile(plan, number, &tile) != MUSTER_OK) return;
  for (size_t i = 0; i == 0 || i < tile.slice_count; i++) {
    muster_slice slice;
    if (view->left == 0) {
      view->cut = true;
      return;
    }
    view->left--;
    add_tile_cells(out, view, number, i == 0 ? &tile : NULL);
    if (muster_plan_slice(plan, number, i, &slice) == MUSTER_OK) add_slice_cells(out, view, &slice);
    mst_str_add(out, "\n");
  }
}

/* Long tables go out piece by piece: they may be larger than the dataset's own description. */
static bool print_table(mst_cli *cli, table_view *view) {
  mst_str *out = &cli->result;
  mst_str_addf(out, "%*s  %*s  %*s  shard\n", view->tile_width, "tile", view->row_width, "rows",
               view->row_width, "of the shard");
  for (uint64_t tile = 0; tile < view->plan->tiles && !view->cut; tile++) {
    add_tile(out, view, tile);
    if (out->length > ((size_t)1 << 16) && !mst_cli_flush(cli)) return false;
  }
  if (view->cut) mst_str_add(out, "... cut here for the terminal; --all prints everything\n");
  return true;
}

static void add_summary(mst_cli *cli, const plan_view *view) {
  const balance b = weigh(view);
  const double bytes = (double)view->row_bytes;
  mst_str *out = &cli->result;
  mst_str_add(out, "\n");
  mst_add_counted(out, view->tiles, "tile");
  mst_str_add(out, " for ");
  mst_add_counted(out, view->procs, "processor");
  mst_str_add(out, "; bytes a processor: min ");
  mst_add_size(out, (double)b.min_rows * bytes);
  mst_str_add(out, ", mean ");
  mst_add_size(out, b.mean_rows * bytes);
  mst_str_add(out, ", max ");
  mst_add_size(out, (double)b.max_rows * bytes);
  mst_str_addf(out, "; balance (max / mean) %.3f\n", b.ratio);
}

static int print_text(mst_cli *cli, const plan_view *view, bool all) {
  const int rows = digits(muster_dataset_rows(view->dataset)) * 2 + 1;
  table_view table = {.plan = view,
                      .folder = mst_common_folder(view->dataset),
                      .tile_width = digits(view->tiles) > 4 ? digits(view->tiles) : 4,
                      .row_width = rows > 12 ? rows : 12,
                      .left = cli->out.is_tty && !all ? SHORT_TABLE : UINT64_MAX};
  if (!print_table(cli, &table)) return MST_EXIT_WRONG;
  add_summary(cli, view);
  return MST_EXIT_DONE;
}

/* ---- as JSON ---- */

static void add_json_slices(yyjson_mut_doc *doc, yyjson_mut_val *item, const plan_view *view,
                            uint64_t tile, size_t count) {
  yyjson_mut_val *list = yyjson_mut_obj_add_arr(doc, item, "slices");
  for (size_t i = 0; i < count; i++) {
    muster_slice slice;
    muster_shard shard;
    if (muster_plan_slice(view->plan, tile, i, &slice) != MUSTER_OK) continue;
    if (muster_dataset_shard(view->dataset, slice.shard, &shard) != MUSTER_OK) continue;
    yyjson_mut_val *one = yyjson_mut_arr_add_obj(doc, list);
    yyjson_mut_obj_add_uint(doc, one, "shard", slice.shard);
    mst_json_add_shard(doc, one, &shard);
    yyjson_mut_obj_add_uint(doc, one, "file_lo", slice.file_lo);
    yyjson_mut_obj_add_uint(doc, one, "file_hi", slice.file_hi);
    yyjson_mut_obj_add_uint(doc, one, "dst_lo", slice.dst_lo);
    yyjson_mut_obj_add_uint(doc, one, "dst_hi", slice.dst_hi);
  }
}

static void add_json_tiles(yyjson_mut_doc *doc, yyjson_mut_val *root, const plan_view *view) {
  yyjson_mut_val *list = yyjson_mut_obj_add_arr(doc, root, "tiles");
  for (uint64_t number = 0; number < view->tiles; number++) {
    muster_tile tile;
    if (muster_plan_tile(view->plan, number, &tile) != MUSTER_OK) continue;
    yyjson_mut_val *item = yyjson_mut_arr_add_obj(doc, list);
    /* Out of memory: mst_result_end will say so, and there is no use in going on till then. */
    if (item == NULL) return;
    yyjson_mut_obj_add_uint(doc, item, "tile", number);
    yyjson_mut_obj_add_uint(doc, item, "row_lo", tile.row_lo);
    yyjson_mut_obj_add_uint(doc, item, "row_hi", tile.row_hi);
    add_json_slices(doc, item, view, number, tile.slice_count);
  }
}

static void add_json_procs(yyjson_mut_doc *doc, yyjson_mut_val *root, const plan_view *view) {
  yyjson_mut_val *list = yyjson_mut_obj_add_arr(doc, root, "processors");
  for (uint64_t proc = 0; proc < view->procs; proc++) {
    const uint64_t rows = rows_of(view, proc);
    yyjson_mut_val *item = yyjson_mut_arr_add_obj(doc, list);
    if (item == NULL) return;
    yyjson_mut_obj_add_uint(doc, item, "first_tile", first_tile(view, proc));
    yyjson_mut_obj_add_uint(doc, item, "tiles",
                            first_tile(view, proc + 1) - first_tile(view, proc));
    yyjson_mut_obj_add_uint(doc, item, "rows", rows);
    yyjson_mut_obj_add_uint(doc, item, "bytes", rows * view->row_bytes);
  }
}

static int print_json(mst_cli *cli, const plan_view *view, const muster_plan_options *options) {
  mst_result result;
  if (!mst_result_begin(cli, &result, "muster.plan/1")) return MST_EXIT_WRONG;
  yyjson_mut_doc *doc = result.doc;
  yyjson_mut_val *root = result.root;
  mst_json_add_paths(doc, root, cli);
  mst_json_add_dataset(doc, root, view->dataset);
  yyjson_mut_obj_add_uint(doc, root, "procs", view->procs);
  yyjson_mut_obj_add_uint(doc, root, "over_decompose", options->over_decompose);
  yyjson_mut_obj_add_uint(doc, root, "tile_count", view->tiles);
  yyjson_mut_obj_add_real(doc, root, "balance", weigh(view).ratio);
  add_json_tiles(doc, root, view);
  add_json_procs(doc, root, view);
  mst_json_add_notes(doc, root, view->dataset);
  return mst_result_end(cli, &result);
}

/* ---- the command ---- */

static int plan_dataset(plan_args *args, const muster_dataset *dataset) {
  muster_plan *plan = NULL;
  muster_error error;
  if (muster_plan_new(dataset, &args->options, &plan, &error) != MUSTER_OK) {
    return mst_cli_fail(args->cli, &error);
  }
  const plan_view view = {.dataset = dataset,
                          .plan = plan,
                          .procs = args->options.procs,
                          .tiles = muster_plan_tile_count(plan),
                          .row_bytes = muster_dataset_row_bytes(dataset)};
  const int status = args->cli->json ? print_json(args->cli, &view, &args->options)
                                     : print_text(args->cli, &view, args->all);
  muster_plan_free(plan);
  return status;
}

int mst_cmd_plan(mst_cli *cli, int argc, char **argv) {
  plan_args args = {.cli = cli};
  mst_data_options_init(&args.data, cli);
  muster_plan_options_init(&args.options);
  int status = mst_cli_parse(cli, &syntax, argc, argv, &args);
  if (status != MST_GO_ON) return status;
  if (!args.procs_set) return mst_cli_usage(cli, "--procs P is missing: how many processors?");
  muster_dataset *dataset = NULL;
  status = mst_data_open(&args.data, &dataset, NULL);
  if (status == MST_EXIT_DONE) status = plan_dataset(&args, dataset);
  muster_dataset_free(dataset);
  return status;
}
