/* SPDX-License-Identifier: Apache-2.0 */
/* muster verify: a folder against what `write` and `seal` recorded in it. */
#include <string.h>

#include "cli/commands.h"
#include "cli/options.h"

typedef struct verify_args {
  mst_cli *cli;
  mst_data_options data;
} verify_args;

static error_t parse(int key, char *arg, struct argp_state *state) {
  verify_args *args = state->input;
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
    .args_doc = "DIR",
    .children = children,
    .doc =
        "Checks a folder, cell by cell, against the seed that `muster write` recorded there, and "
        "file by file against the checksums of `muster seal`; whichever is there."};
static const mst_syntax syntax = {.argp = &argp, .min_paths = 1, .max_paths = 1};

static void add_verdict(mst_str *out, const char *what, uint64_t count, const char *noun,
                        uint64_t wrong) {
  mst_str_addf(out, "%s: ", what);
  mst_add_counted(out, count, noun);
  if (wrong == 0) mst_str_add(out, " compared, all right\n");
  if (wrong > 0) {
    mst_str_add(out, " compared, ");
    mst_add_count(out, wrong);
    mst_str_add(out, " wrong\n");
  }
}

static void print_text(mst_cli *cli, const muster_verify_result *result) {
  mst_str *out = &cli->result;
  if (result->seed_checked) {
    add_verdict(out, "seed", result->cells, "cell", result->wrong_cells);
  }
  if (result->seal_checked) {
    add_verdict(out, "seal", result->shards, "shard", result->wrong_shards);
  }
}

static int print_json(mst_cli *cli, const muster_verify_result *verified, bool right,
                      double seconds) {
  mst_result result;
  if (!mst_result_begin(cli, &result, "muster.verify/1")) return MST_EXIT_WRONG;
  yyjson_mut_doc *doc = result.doc;
  yyjson_mut_val *root = result.root;
  mst_json_add_text(doc, root, "path", cli->paths.data[0]);
  yyjson_mut_obj_add_bool(doc, root, "right", right);
  yyjson_mut_obj_add_bool(doc, root, "seed_checked", verified->seed_checked);
  yyjson_mut_obj_add_bool(doc, root, "seal_checked", verified->seal_checked);
  yyjson_mut_obj_add_uint(doc, root, "cells", verified->cells);
  yyjson_mut_obj_add_uint(doc, root, "wrong_cells", verified->wrong_cells);
  if (verified->wrong_cells > 0) {
    yyjson_mut_obj_add_uint(doc, root, "first_wrong", verified->first_wrong);
  } else {
    yyjson_mut_obj_add_null(doc, root, "first_wrong");
  }
  yyjson_mut_obj_add_uint(doc, root, "shards", verified->shards);
  yyjson_mut_obj_add_uint(doc, root, "wrong_shards", verified->wrong_shards);
  yyjson_mut_obj_add_real(doc, root, "seconds", seconds);
  return mst_result_end(cli, &result);
}

int mst_cmd_verify(mst_cli *cli, int argc, char **argv) {
  verify_args args = {.cli = cli};
  mst_data_options_init(&args.data, cli);
  int status = mst_cli_parse(cli, &syntax, argc, argv, &args);
  if (status == MST_GO_ON) status = mst_data_check_whole(&args.data);
  if (status != MST_GO_ON) return status;
  muster_verify_result result = {0};
  muster_error error;
  const double begun = mst_now();
  const muster_status verdict = muster_verify(cli->paths.data[0], &args.data.open, &result, &error);
  const double seconds = mst_now() - begun;
  if (verdict != MUSTER_OK && verdict != MUSTER_ERR_CHECK) return mst_cli_fail(cli, &error);
  status = MST_EXIT_DONE;
  if (cli->json) {
    status = print_json(cli, &result, verdict == MUSTER_OK, seconds);
  } else {
    print_text(cli, &result);
  }
  return verdict == MUSTER_OK ? status : mst_cli_fail(cli, &error);
}
