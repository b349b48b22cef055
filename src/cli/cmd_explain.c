/* SPDX-License-Identifier: Apache-2.0 */
/* muster explain: what a rule, a recipe or a gate is about. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "cli/commands.h"
#include "rules/rule.h"

static const struct argp argp = {
    .parser = mst_cli_no_options,
    .args_doc = "[TOPIC]",
    .children = mst_common_children,
    .doc = "Explains a rule (R104), a recipe (RR-loop) or a gate ('gate 2') of muster assess. "
           "Without a topic it lists them."};
static const mst_syntax syntax = {.argp = &argp, .max_paths = 2};

/* ---- the list ----------------------------------------------------------------------------------------- */

static void add_list(mst_cli *cli) {
  mst_table table = {.align = "lll"};
  mst_str_add(&cli->result, "Rules\n");
  for (unsigned i = 0; i < mst_rule_count; i++) {
    mst_table_add(&table, mst_rules[i]->id);
    mst_table_add(&table, mst_category_name(mst_rules[i]->category));
    mst_table_add(&table, mst_rules[i]->name);
  }
  mst_table_print(&table, &cli->result, 2);
  mst_str_add(&cli->result, "\nRecipes, in the order in which they are applied\n");
  for (unsigned i = 0; i < mst_recipe_count; i++)
    if (!mst_recipes[i].is_unnamed) mst_str_addf(&cli->result, "  %s\n", mst_recipes[i].id);
  mst_str_add(&cli->result, "\nGates\n  gate 1 to gate 6\n");
}

/* ---- one topic -------------------------------------------------------------------------------------------- */

static const char *near_topic(const char *topic) {
  const char *names[128];
  size_t count = 0;
  for (unsigned i = 0; i < mst_rule_count && count < 96; i++)
    names[count++] = mst_rules[i]->id;
  for (unsigned i = 0; i < mst_recipe_count && count < 127; i++)
    if (!mst_recipes[i].is_unnamed) names[count++] = mst_recipes[i].id;
  names[count] = NULL;
  return mst_nearest(topic, names);
}

static int unknown(mst_cli *cli, const char *topic) {
  const char *near = near_topic(topic);
  if (near == NULL) return mst_cli_usage(cli, "there is no rule, recipe or gate '%s'", topic);
  return mst_cli_usage(cli, "there is no '%s'; did you mean '%s'?", topic, near);
}

static int print_json(mst_cli *cli, const char *topic, const char *text) {
  mst_result result;
  if (!mst_result_begin(cli, &result, "muster.explain/1")) return MST_EXIT_WRONG;
  mst_json_add_text(result.doc, result.root, "topic", topic);
  mst_json_add_text(result.doc, result.root, "text", text);
  return mst_result_end(cli, &result);
}

static int explain(mst_cli *cli, const char *topic) {
  char *text = NULL;
  muster_error error;
  const muster_status status = muster_explain(topic, &text, &error);
  if (status == MUSTER_ERR_NOT_FOUND) return unknown(cli, topic);
  if (status != MUSTER_OK) return mst_cli_fail(cli, &error);
  int result = MST_EXIT_DONE;
  if (cli->json)
    result = print_json(cli, topic, text);
  else
    mst_str_add(&cli->result, text);
  muster_text_free(text);
  return result;
}

static int list(mst_cli *cli) {
  add_list(cli);
  if (!cli->json) return MST_EXIT_DONE;
  char *text = mst_str_take(&cli->result);
  if (text == NULL) return mst_cli_fail_memory(cli);
  const int status = print_json(cli, NULL, text);
  mst_free(text);
  return status;
}

int mst_cmd_explain(mst_cli *cli, int argc, char **argv) {
  const int status = mst_cli_parse(cli, &syntax, argc, argv, cli);
  if (status != MST_GO_ON) return status;
  if (cli->paths.length == 0) return list(cli);
  mst_str topic = {0};
  mst_str_addf(&topic, "%s%s%s", cli->paths.data[0], cli->paths.length > 1 ? " " : "",
               cli->paths.length > 1 ? cli->paths.data[1] : "");
  const int result = topic.failed ? mst_cli_fail_memory(cli) : explain(cli, mst_str_text(&topic));
  mst_str_reset(&topic);
  return result;
}
