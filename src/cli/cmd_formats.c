/* SPDX-License-Identifier: Apache-2.0 */
/* muster formats: what can be read and written, and why the rest cannot. */
#include <string.h>

#include "cli/commands.h"

static const struct argp argp = {.parser = mst_cli_no_options,
                                 .children = mst_common_children,
                                 .doc = "Lists the file formats of this build."};
static const mst_syntax syntax = {.argp = &argp};

static void print_text(mst_cli *cli) {
  mst_table table = {.align = "llll"};
  static const char *const heads[] = {"format", "files", "can", "what it is"};
  for (size_t i = 0; i < 4; i++)
    mst_table_add(&table, heads[i]);
  for (size_t i = 0; i < muster_format_count(); i++) {
    muster_format_info info;
    mst_str text = {0};
    if (muster_format(i, &info) != MUSTER_OK) continue;
    mst_table_add(&table, info.name);
    mst_table_add(&table, info.extensions[0] != '\0' ? info.extensions : "-");
    mst_table_add(&table, info.unavailable != NULL ? "-" : info.can_write ? "read, write" : "read");
    mst_str_add(&text, info.summary);
    if (info.unavailable != NULL) mst_str_addf(&text, " (not here: %s)", info.unavailable);
    mst_table_take(&table, &text);
  }
  mst_table_print(&table, &cli->result, 0);
}

static void add_extensions(yyjson_mut_doc *doc, yyjson_mut_val *item, const char *extensions) {
  yyjson_mut_val *list = yyjson_mut_obj_add_arr(doc, item, "extensions");
  for (const char *c = extensions; *c != '\0';) {
    const size_t length = strcspn(c, " ");
    if (length > 0) yyjson_mut_arr_add_strncpy(doc, list, c, length);
    c += length + (c[length] == ' ');
  }
}

static int print_json(mst_cli *cli) {
  mst_result result;
  if (!mst_result_begin(cli, &result, "muster.formats/1")) return MST_EXIT_WRONG;
  yyjson_mut_doc *doc = result.doc;
  yyjson_mut_val *list = yyjson_mut_obj_add_arr(doc, result.root, "formats");
  for (size_t i = 0; i < muster_format_count(); i++) {
    muster_format_info info;
    if (muster_format(i, &info) != MUSTER_OK) continue;
    yyjson_mut_val *item = yyjson_mut_arr_add_obj(doc, list);
    mst_json_add_text(doc, item, "name", info.name);
    mst_json_add_text(doc, item, "summary", info.summary);
    add_extensions(doc, item, info.extensions);
    yyjson_mut_obj_add_bool(doc, item, "can_write", info.can_write);
    mst_json_add_text(doc, item, "unavailable", info.unavailable);
  }
  return mst_result_end(cli, &result);
}

int mst_cmd_formats(mst_cli *cli, int argc, char **argv) {
  const int status = mst_cli_parse(cli, &syntax, argc, argv, cli);
  if (status != MST_GO_ON) return status;
  if (cli->paths.length > 0) {
    return mst_cli_usage(cli, "'%s' is one argument too many", cli->paths.data[0]);
  }
  if (cli->json) return print_json(cli);
  print_text(cli);
  return MST_EXIT_DONE;
}
