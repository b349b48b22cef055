/* SPDX-License-Identifier: Apache-2.0 */
/* muster config: which options of an assessment are in force, and who said so. */
#include <string.h>

#include "base/alloc.h"
#include "cli/assessing.h"
#include "cli/commands.h"
#include "cli/config.h"

static const struct argp argp = {
    .parser = mst_assess_no_options,
    .args_doc = "[PATH...]",
    .children = mst_assess_children,
    .doc = "Prints the options that 'muster assess' with the same arguments would go by, and where "
           "each comes from: a line of a file, the command line, or the default.\v"
           "Options stand in [tool.muster.assess] of a pyproject.toml, or in muster.toml, in the "
           "folder of the first PATH or above it, up to the top of a repository."};
static const mst_syntax syntax = {.argp = &argp};

/* What stands in the help behind "default: "; "none" where nothing does. NULL: no memory. */
static char *default_of(const struct argp_option *option) {
  static const char mark[] = "(default: ";
  const char *at = strstr(option->doc, mark);
  if (at == NULL) return mst_strdup(option->arg == NULL ? "false" : "none");
  at += sizeof mark - 1;
  const char *end = strrchr(at, ')');
  return mst_strndup(at, end != NULL ? (size_t)(end - at) : strlen(at));
}

static void add_source(const mst_assess_args *args, const mst_setting *setting, mst_str *out) {
  if (setting == NULL)
    mst_str_add(out, "default");
  else if (setting->line == 0)
    mst_str_add(out, "command line");
  else
    mst_str_addf(out, "%s:%u", args->config.path, setting->line);
}

static int print_text(const mst_assess_args *args) {
  mst_table table = {.align = "lll"};
  const struct argp_option *option;
  for (size_t i = 0; (option = mst_assess_option(i)) != NULL; i++) {
    const mst_setting *setting = mst_assess_setting(args, option->name);
    mst_str source = {0}, shown = {0};
    char *fallback = default_of(option);
    if (fallback == NULL)
      shown.failed = true;
    else
      mst_add_safe(&shown, setting != NULL ? setting->value : fallback);
    add_source(args, setting, &source);
    mst_table_add(&table, option->name);
    mst_table_take(&table, &shown);
    mst_table_take(&table, &source);
    mst_free(fallback);
  }
  mst_table_print(&table, &args->cli->result, 0);
  return MST_EXIT_DONE;
}

static void add_option(const mst_assess_args *args, const mst_result *result, yyjson_mut_val *list,
                       const struct argp_option *option) {
  const mst_setting *setting = mst_assess_setting(args, option->name);
  const bool is_of_file = setting != NULL && setting->line > 0;
  yyjson_mut_val *object = yyjson_mut_arr_add_obj(result->doc, list);
  mst_json_add_text(result->doc, object, "name", option->name);
  mst_json_add_text(result->doc, object, "value", setting != NULL ? setting->value : NULL);
  mst_json_add_text(result->doc, object, "source",
                    setting == NULL ? "default"
                    : is_of_file    ? "file"
                                    : "command line");
  mst_json_add_text(result->doc, object, "path", is_of_file ? args->config.path : NULL);
  if (is_of_file)
    yyjson_mut_obj_add_uint(result->doc, object, "line", setting->line);
  else
    yyjson_mut_obj_add_null(result->doc, object, "line");
}

static int print_json(const mst_assess_args *args) {
  mst_result result;
  const struct argp_option *option;
  if (!mst_result_begin(args->cli, &result, "muster.config/1")) return MST_EXIT_WRONG;
  mst_json_add_text(result.doc, result.root, "path", args->config.path);
  yyjson_mut_val *list = yyjson_mut_obj_add_arr(result.doc, result.root, "options");
  for (size_t i = 0; (option = mst_assess_option(i)) != NULL; i++)
    add_option(args, &result, list, option);
  return mst_result_end(args->cli, &result);
}

int mst_cmd_config(mst_cli *cli, int argc, char **argv) {
  mst_assess_args args;
  mst_assess_args_init(&args, cli);
  int status = mst_cli_parse(cli, &syntax, argc, argv, &args);
  if (status == MST_GO_ON) status = mst_config_apply(&args);
  if (status == MST_GO_ON) status = mst_assess_check(&args);
  if (status == MST_GO_ON) status = cli->json ? print_json(&args) : print_text(&args);
  mst_assess_args_reset(&args);
  return status;
}
