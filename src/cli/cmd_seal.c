/* SPDX-License-Identifier: Apache-2.0 */
/* muster seal: checksums of the shards, for a later verify or load --verify. */
#include "base/alloc.h"
#include "cli/commands.h"
#include "cli/options.h"

typedef struct seal_args {
  mst_cli *cli;
  mst_data_options data;
  const char *output;
} seal_args;

static error_t parse(int key, char *arg, struct argp_state *state) {
  seal_args *args = state->input;
  switch (key) {
  case ARGP_KEY_INIT:
    state->child_inputs[0] = args->cli;
    state->child_inputs[1] = &args->data;
    return 0;
  case 'o': args->output = arg; return 0;
  default: return ARGP_ERR_UNKNOWN;
  }
}

static const struct argp_option options_table[] = {
    {.name = "output",
     .key = 'o',
     .arg = "FILE",
     .doc = "Write the seal here (default: DIR/_muster_seal.json)"},
    {0}};
static const struct argp_child children[] = {
    {.argp = &mst_common_argp, .header = "Output:", .group = 2},
    {.argp = &mst_data_argp, .header = "The dataset:", .group = 1},
    {0}};
static const struct argp argp = {
    .options = options_table,
    .parser = parse,
    .args_doc = "DIR",
    .children = children,
    .doc = "Records size and checksum (XXH3, 128 bits) of each shard, so that `muster verify` and "
           "`muster load --verify` can tell later whether a file has changed. A seal written "
           "elsewhere is for `muster load --seal FILE`."};
static const mst_syntax syntax = {.argp = &argp, .min_paths = 1, .max_paths = 1};

static int report(mst_cli *cli, const char *seal, double seconds) {
  mst_result result;
  if (!cli->json) {
    mst_str_add(&cli->result, "seal written to ");
    mst_add_safe(&cli->result, seal);
    mst_str_addf(&cli->result, ", %.3f seconds\n", seconds);
    return MST_EXIT_DONE;
  }
  if (!mst_result_begin(cli, &result, "muster.seal/1")) return MST_EXIT_WRONG;
  mst_json_add_text(result.doc, result.root, "path", cli->paths.data[0]);
  mst_json_add_text(result.doc, result.root, "seal", seal);
  yyjson_mut_obj_add_real(result.doc, result.root, "seconds", seconds);
  return mst_result_end(cli, &result);
}

static char *seal_name(const seal_args *args) {
  if (args->output != NULL) return mst_strdup(args->output);
  const char *folder = args->cli->paths.data[0];
  mst_str name = {0};
  mst_str_addf(&name, "%s%s_muster_seal.json", folder, mst_ends_with(folder, "/") ? "" : "/");
  return mst_str_take(&name);
}

int mst_cmd_seal(mst_cli *cli, int argc, char **argv) {
  seal_args args = {.cli = cli};
  mst_data_options_init(&args.data, cli);
  int status = mst_cli_parse(cli, &syntax, argc, argv, &args);
  if (status == MST_GO_ON) status = mst_data_check_whole(&args.data);
  if (status != MST_GO_ON) return status;
  if (args.output != NULL && *args.output == '\0') {
    return mst_cli_usage(cli, "-o needs the name of a file");
  }
  muster_error error;
  const double begun = mst_now();
  if (muster_seal(cli->paths.data[0], &args.data.open, args.output, &error) != MUSTER_OK) {
    return mst_cli_fail(cli, &error);
  }
  const double seconds = mst_now() - begun;
  char *name = seal_name(&args);
  status = name != NULL ? report(cli, name, seconds) : mst_cli_fail_memory(cli);
  mst_free(name);
  return status;
}
