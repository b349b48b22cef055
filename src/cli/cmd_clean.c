/* SPDX-License-Identifier: Apache-2.0 */
/* muster clean: removes what `write` made. */
#include "cli/commands.h"

static const struct argp argp = {
    .parser = mst_cli_no_options,
    .args_doc = "DIR",
    .children = mst_common_children,
    .doc = "Removes the files that `muster write` recorded in DIR, then DIR if nothing else is in "
           "it. Files that were changed since, and files of others, stay."};
static const mst_syntax syntax = {.argp = &argp, .min_paths = 1, .max_paths = 1};

static int report(mst_cli *cli, uint64_t removed, bool complete) {
  const char *path = cli->paths.data[0];
  mst_result result;
  if (!cli->json) {
    mst_add_safe(&cli->result, path);
    mst_str_add(&cli->result, ": ");
    mst_add_counted(&cli->result, removed, "file");
    mst_str_addf(&cli->result, " removed%s\n", complete ? ", and the folder" : "");
    return MST_EXIT_DONE;
  }
  if (!mst_result_begin(cli, &result, "muster.clean/1")) return MST_EXIT_WRONG;
  mst_json_add_text(result.doc, result.root, "path", path);
  yyjson_mut_obj_add_uint(result.doc, result.root, "removed", removed);
  yyjson_mut_obj_add_bool(result.doc, result.root, "complete", complete);
  return mst_result_end(cli, &result);
}

int mst_cmd_clean(mst_cli *cli, int argc, char **argv) {
  int status = mst_cli_parse(cli, &syntax, argc, argv, cli);
  if (status != MST_GO_ON) return status;
  muster_error error;
  uint64_t removed = 0;
  const muster_status verdict = muster_clean(cli->paths.data[0], &removed, &error);
  const bool partly = verdict == MUSTER_ERR_CHANGED || verdict == MUSTER_ERR_EXISTS;
  if (verdict != MUSTER_OK && !partly) return mst_cli_fail(cli, &error);
  status = report(cli, removed, verdict == MUSTER_OK);
  return partly ? mst_cli_fail(cli, &error) : status;
}
