/* SPDX-License-Identifier: Apache-2.0 */
/* muster recipe: a Python program that loads this dataset where muster is not installed. */
#include <ctype.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/options.h"
#include "load/output.h"
#include "load/recipe.h"

typedef struct recipe_args {
  mst_cli *cli;
  mst_data_options data;
  const char *output;
} recipe_args;

static error_t parse(int key, char *arg, struct argp_state *state) {
  recipe_args *args = state->input;
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
     .arg = "FILE.py",
     .doc = "Write the program to this file, whole or not at all (default: print it)"},
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
    .doc = "Prints a Python program that loads this very dataset into one cuPyNumeric array, in "
           "parallel, and compares it with the files. It needs cuPyNumeric, Legate, NumPy and "
           "what Python reads the format with (h5py, netCDF4, pyarrow, zarr), not muster; its "
           "first lines say how to start it. The names of the files are in it, as "
           "they were found."};
static const mst_syntax syntax = {.argp = &argp, .min_paths = 1};

/* ---- the result ----------------------------------------------------------------------------- */

/* The name as it can stand in a command line and in the program's own words. */
static const char *plain_name(const char *output) {
  if (output == NULL || output[0] == '-') return "recipe.py";
  for (const char *c = output; *c != '\0'; c++)
    if (!isalnum((unsigned char)*c) && strchr("._-+/", *c) == NULL) return "recipe.py";
  return output;
}

static int print_text(const recipe_args *args, const mst_recipe *recipe) {
  mst_str *out = &args->cli->result;
  if (args->output == NULL) {
    mst_str_add(out, mst_str_text(&recipe->text));
    return MST_EXIT_DONE;
  }
  mst_str_add(out, "recipe written to ");
  mst_add_safe(out, args->output);
  mst_str_add(out, "; start it by\n  ");
  mst_recipe_add_command(out, recipe->sysmem, plain_name(args->output));
  mst_str_add(out, "\n");
  return MST_EXIT_DONE;
}

static int print_json(const recipe_args *args, const muster_dataset *dataset,
                      const mst_recipe *recipe) {
  mst_result result;
  if (!mst_result_begin(args->cli, &result, "muster.recipe/1")) return MST_EXIT_WRONG;
  mst_json_add_paths(result.doc, result.root, args->cli);
  mst_json_add_dataset(result.doc, result.root, dataset);
  mst_json_add_dtype(result.doc, result.root, "array_dtype", &recipe->dtype);
  yyjson_mut_obj_add_uint(result.doc, result.root, "sysmem", recipe->sysmem);
  mst_json_add_text(result.doc, result.root, "path", args->output);
  mst_json_add_text(result.doc, result.root, "recipe", mst_str_text(&recipe->text));
  mst_json_add_notes(result.doc, result.root, dataset);
  return mst_result_end(args->cli, &result);
}

/* ---- the command ---------------------------------------------------------------------------- */

static muster_status write_output(const recipe_args *args, const muster_dataset *dataset,
                                  const mst_recipe *recipe, muster_error *error) {
  if (args->output == NULL) return MUSTER_OK;
  const muster_status status = mst_check_output(dataset, args->output, error);
  if (status != MUSTER_OK) return status;
  return mst_cli_write_file(args->output, mst_str_text(&recipe->text), error);
}

static int make(const recipe_args *args, const muster_dataset *dataset) {
  const mst_recipe_options options = {.file = plain_name(args->output),
                                      .stack = args->data.open.stack};
  mst_recipe recipe;
  muster_error error;
  int result;
  muster_status status = mst_recipe_make(dataset, &options, &recipe, &error);
  if (status == MUSTER_OK) status = write_output(args, dataset, &recipe, &error);
  if (status != MUSTER_OK)
    result = mst_cli_fail(args->cli, &error);
  else
    result = args->cli->json ? print_json(args, dataset, &recipe) : print_text(args, &recipe);
  mst_recipe_reset(&recipe);
  return result;
}

int mst_cmd_recipe(mst_cli *cli, int argc, char **argv) {
  recipe_args args = {.cli = cli};
  mst_data_options_init(&args.data, cli);
  int status = mst_cli_parse(cli, &syntax, argc, argv, &args);
  if (status != MST_GO_ON) return status;
  if (args.output != NULL && *args.output == '\0')
    return mst_cli_usage(cli, "-o needs the name of a file");
  muster_dataset *dataset = NULL;
  status = mst_data_open(&args.data, &dataset, NULL);
  if (status == MST_EXIT_DONE) status = make(&args, dataset);
  muster_dataset_free(dataset);
  return status;
}
