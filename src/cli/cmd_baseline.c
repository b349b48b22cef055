/* SPDX-License-Identifier: Apache-2.0 */
/* muster baseline: what is known, so that `assess --baseline` tells what is new. */
#include <string.h>

#include "base/io.h"
#include "cli/assessing.h"
#include "cli/commands.h"
#include "cli/config.h"

static const struct argp argp = {
    .parser = mst_assess_no_options,
    .args_doc = "update FILE [PATH...]",
    .children = mst_assess_children,
    .doc = "Writes what an assessment of the PATHs finds to FILE, as what is known: 'muster assess "
           "--baseline FILE' then counts only what is new. What FILE says of other files stays; "
           "what is fixed leaves it.\v"
           "Exit status: 0 done; 1 FILE could not be written; 2 wrong usage, or nothing could be "
           "read."};
static const mst_syntax syntax = {.argp = &argp, .min_paths = 2};

/* ---- the result ------------------------------------------------------------------------------------ */

static muster_status count_entries(const char *file, const char *text, size_t *count,
                                   muster_error *error) {
  yyjson_doc *doc = NULL;
  const muster_status status = mst_json_parse(file, text, strlen(text), &doc, error);
  *count = yyjson_arr_size(yyjson_obj_get(yyjson_doc_get_root(doc), "entries"));
  yyjson_doc_free(doc);
  return status;
}

static int tell(mst_cli *cli, const char *file, size_t entries, size_t fixed) {
  mst_result result;
  if (!cli->json) {
    mst_add_safe(&cli->result, file);
    mst_str_add(&cli->result, ": ");
    mst_add_counted(&cli->result, entries, "known finding");
    mst_str_addf(&cli->result, ", %zu fixed since it was written\n", fixed);
    return MST_EXIT_DONE;
  }
  if (!mst_result_begin(cli, &result, "muster.baseline-update/1")) return MST_EXIT_WRONG;
  mst_json_add_text(result.doc, result.root, "path", file);
  yyjson_mut_obj_add_uint(result.doc, result.root, "entries", entries);
  yyjson_mut_obj_add_uint(result.doc, result.root, "fixed", fixed);
  return mst_result_end(cli, &result);
}

static int write_baseline(mst_assess_args *args, const char *file,
                          const muster_assessment *assessment) {
  char *text = NULL;
  size_t entries = 0;
  muster_error error;
  int exit;
  muster_status status = muster_assessment_baseline(assessment, &text, &error);
  if (status == MUSTER_OK) status = count_entries(file, text, &entries, &error);
  if (status == MUSTER_OK) status = mst_cli_write_file(file, text, &error);
  if (status == MUSTER_OK)
    exit = tell(args->cli, file, entries, muster_assessment_count(assessment, MUSTER_FIXED));
  else
    exit = mst_cli_fail(args->cli, &error);
  muster_text_free(text);
  return exit;
}

/* ---- the command ----------------------------------------------------------------------------------- */

/* Takes `update` and FILE out of the arguments. */
static const char *take_file(mst_cli *cli) {
  const char *file = cli->paths.data[1];
  cli->paths.length -= 2;
  memmove(cli->paths.data, cli->paths.data + 2, cli->paths.length * sizeof *cli->paths.data);
  return file;
}

/* All findings are to be known, and an old baseline is read if there is one: one that cannot be
 * looked at is no reason to lose what it says. */
static int prepare(mst_assess_args *args, const char *file) {
  static const char *const refused[] = {"rule",   "ignore",  "explain",  "diff-base", "output",
                                        "format", "fail-on", "baseline", NULL};
  muster_error error;
  bool is_there;
  for (size_t i = 0; refused[i] != NULL; i++)
    if (mst_assess_setting(args, refused[i]) != NULL &&
        mst_assess_setting(args, refused[i])->line == 0)
      return mst_cli_usage(args->cli, "--%s has no meaning here", refused[i]);
  if (mst_ends_with(file, ".py") || mst_ends_with(file, ".ipynb"))
    return mst_cli_usage(args->cli, "'%s' is a source: name the file of the baseline first", file);
  args->rules.length = args->ignored.length = 0;
  if (mst_io_find(file, &is_there, &error) != MUSTER_OK) return mst_cli_fail(args->cli, &error);
  args->options.baseline = is_there ? file : NULL;
  return MST_GO_ON;
}

int mst_cmd_baseline(mst_cli *cli, int argc, char **argv) {
  mst_assess_args args;
  muster_assessment *assessment = NULL;
  const char *file = NULL;
  mst_assess_args_init(&args, cli);
  int status = mst_cli_parse(cli, &syntax, argc, argv, &args);
  if (status == MST_GO_ON && strcmp(cli->paths.data[0], "update") != 0)
    status = mst_cli_usage(cli, "'%s' is unknown; did you mean 'update'?", cli->paths.data[0]);
  if (status == MST_GO_ON) {
    file = take_file(cli);
    status = mst_config_apply(&args);
  }
  if (status == MST_GO_ON) status = mst_assess_check(&args);
  if (status == MST_GO_ON) status = prepare(&args, file);
  if (status == MST_GO_ON) {
    mst_assess_args_settle(&args);
    status = mst_assess_run_with(&args, &assessment);
  }
  if (status == MST_GO_ON) status = write_baseline(&args, file, assessment);
  muster_assessment_free(assessment);
  mst_assess_args_reset(&args);
  return status;
}
