/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/config.h"

#include <string.h>

#include "base/alloc.h"
#include "base/io.h"
#include "base/status.h"
#include "cli/options.h"

#define OWN_NAME "muster.toml"
#define PROJECT_NAME "pyproject.toml"
#define PROJECT_TABLE "tool.muster"

/* ---- where it is ---------------------------------------------------------------------------------- */

static char *join(const char *folder, const char *name) {
  mst_str path = {0};
  const bool is_here = strcmp(folder, ".") == 0;
  const bool has_slash = mst_ends_with(folder, "/");
  mst_str_addf(&path, "%s%s%s", is_here ? "" : folder, is_here || has_slash ? "" : "/", name);
  return mst_str_take(&path);
}

/* The folder of what was named first. */
static char *first_folder(const mst_cli *cli) {
  const char *path = cli->paths.length > 0 ? cli->paths.data[0] : ".";
  mst_stat there;
  if (strcmp(path, "-") == 0) path = ".";
  size_t length = strlen(path);
  if (mst_io_stat(path, &there, NULL) != MUSTER_OK || !there.is_directory)
    length = (size_t)(mst_base_name(path) - path);
  while (length > 1 && path[length - 1] == '/')
    length--;
  return length == 0 ? mst_strdup(".") : mst_strndup(path, length);
}

/* The folder around it, by its name as far as that goes; NULL: there is none, or no memory. */
static char *folder_above(const char *folder) {
  const char *name = mst_base_name(folder);
  if (strcmp(folder, ".") == 0) return mst_strdup("..");
  if (strcmp(name, "..") == 0 || strcmp(name, ".") == 0) {
    char *above = join(folder, "..");
    if (above == NULL || !mst_is_same_file(folder, above)) return above;
    mst_free(above); /* the root */
    return NULL;
  }
  size_t length = (size_t)(name - folder);
  if (*name == '\0') return NULL;
  while (length > 1 && folder[length - 1] == '/')
    length--;
  return length == 0 ? mst_strdup(".") : mst_strndup(folder, length);
}

/* ---- what it says ---------------------------------------------------------------------------------- */

static bool is_of_project(const char *path) {
  return strcmp(mst_base_name(path), PROJECT_NAME) == 0;
}

/* Whether the key is the table's, or within it. */
static bool is_in_table(const char *key, const char *table) {
  const size_t length = strlen(table);
  return mst_starts_with(key, table) && (key[length] == '\0' || strchr(".[", key[length]) != NULL);
}

static bool has_settings(const mst_toml *toml, const char *path) {
  if (!is_of_project(path)) return true;
  for (size_t i = 0; i < toml->entries.length; i++)
    if (is_in_table(toml->entries.data[i].key, PROJECT_TABLE)) return true;
  return false;
}

static muster_status read_config(mst_config *config, const char *path, muster_error *error) {
  char *text = NULL;
  size_t length;
  const char *within = is_of_project(path) ? PROJECT_TABLE : "";
  muster_status status = mst_io_read_file(path, MST_TOML_BYTES, &text, &length, error);
  if (status != MUSTER_OK) return status;
  /* A file of others, which is none of our business, is not even looked at. */
  if (*within == '\0' || strstr(text, "muster") != NULL)
    status = mst_toml_parse(&config->toml, path, text, length, within, error);
  mst_free(text);
  return status;
}

/* Reads the file if it is there and says something; *found tells. Takes the path. */
static muster_status try_file(mst_config *config, char *path, bool *found, muster_error *error) {
  if (path == NULL) return mst_fail_memory(error);
  muster_status status = mst_io_find(path, found, error);
  if (status == MUSTER_OK && *found) {
    status = read_config(config, path, error);
    *found = status == MUSTER_OK && has_settings(&config->toml, path);
    if (!*found) mst_toml_reset(&config->toml);
  }
  if (*found)
    config->path = path;
  else
    mst_free(path);
  return status;
}

static muster_status look_in(mst_config *config, const char *folder, bool *found,
                             muster_error *error) {
  muster_status status = try_file(config, join(folder, OWN_NAME), found, error);
  if (status == MUSTER_OK && !*found)
    status = try_file(config, join(folder, PROJECT_NAME), found, error);
  return status;
}

/* From the folder upwards, to the top of a repository. Takes the folder. */
static muster_status look_upwards(mst_config *config, char *folder, muster_error *error) {
  muster_status status = MUSTER_OK;
  bool found = false;
  while (folder != NULL && status == MUSTER_OK && !found) {
    bool is_top = false;
    char *git = join(folder, ".git");
    status = look_in(config, folder, &found, error);
    if (git != NULL) (void)mst_io_find(git, &is_top, NULL);
    mst_free(git);
    char *above = found || is_top ? NULL : folder_above(folder);
    mst_free(folder);
    folder = above;
  }
  mst_free(folder);
  return status;
}

/* ---- its keys --------------------------------------------------------------------------------------- */

static int complain(const mst_assess_args *args, const mst_toml_entry *entry, const char *what) {
  return mst_cli_usage(args->cli, "%s:%u: %s", args->config.path, entry->line, what);
}

static int complain_of_key(const mst_assess_args *args, const mst_toml_entry *entry,
                           const char *name) {
  const char *names[64];
  mst_str what = {0};
  mst_assess_option_names(names, sizeof names / sizeof *names);
  const char *near = mst_nearest(name, names);
  mst_str_addf(&what, "there is no key '%s'", name);
  if (near != NULL) mst_str_addf(&what, "; did you mean '%s'?", near);
  const int status = complain(args, entry, mst_str_text(&what));
  mst_str_reset(&what);
  return status;
}

/* The option that a key is meant for, as options are written; NULL: the key only begins a table. */
static const char *option_name(const char *path, const char *key) {
  static const char *const tables[] = {PROJECT_TABLE ".assess", PROJECT_TABLE, NULL};
  static const char *const own_tables[] = {"assess", NULL};
  const char *const *table = is_of_project(path) ? tables : own_tables;
  for (; *table != NULL; table++) {
    const size_t length = strlen(*table);
    if (strcmp(key, *table) == 0) return NULL;
    if (mst_starts_with(key, *table) && key[length] == '.') return key + length + 1;
  }
  return key;
}

static const char *wrong_value(const struct argp_option *option, const mst_toml_entry *entry) {
  const bool is_list = strchr(option->arg != NULL ? option->arg : "", ',') != NULL;
  switch (entry->kind) {
  case MST_TOML_BOOLEAN: return option->arg != NULL ? "is no switch: it needs a value" : NULL;
  case MST_TOML_TEXT: break;
  case MST_TOML_INTEGER:
    if (option->arg != NULL && entry->text[strspn(entry->text, "0123456789")] != '\0')
      return "is to be written in decimal digits";
    break;
  case MST_TOML_LIST:
    if (!is_list) return "is one value, no list";
    break;
  case MST_TOML_EMPTY: return "is no table";
  case MST_TOML_OTHER: return "is neither a text nor a whole number";
  }
  return option->arg == NULL ? "is true or false" : NULL;
}

/* Paths in a file are relative to its folder. NULL: no memory. */
static char *value_of(mst_assess_args *args, const char *name, const mst_toml_entry *entry) {
  static const char *const paths[] = {"manifest", "baseline", NULL};
  const char *file = args->config.path;
  const bool is_carried = strcmp(entry->text, "carried") == 0;
  if (!mst_one_of(name, paths) || is_carried || entry->text[0] == '/')
    return mst_strdup(entry->text);
  char *folder = mst_strndup(file, (size_t)(mst_base_name(file) - file));
  char *joined = folder == NULL    ? NULL
                 : *folder == '\0' ? mst_strdup(entry->text)
                                   : join(folder, entry->text);
  mst_free(folder);
  return joined;
}

static int set(mst_assess_args *args, const struct argp_option *option,
               const mst_toml_entry *entry) {
  mst_cli *cli = args->cli;
  char *value = value_of(args, option->name, entry);
  if (value == NULL || !mst_vec_push(&args->words, value)) {
    mst_free(value);
    return mst_cli_fail_memory(cli);
  }
  const bool is_off = option->arg == NULL && strcmp(value, "false") == 0;
  args->config.line = entry->line;
  const error_t failed = mst_assess_option_set(args, option, value, is_off);
  args->config.line = 0;
  if (failed == ENOMEM) return mst_cli_fail_memory(cli);
  return failed == 0 ? MST_GO_ON : MST_EXIT_USAGE;
}

static int set_entry(mst_assess_args *args, const mst_toml_entry *entry) {
  char name[64] = "";
  mst_str what = {0};
  const char *key = option_name(args->config.path, entry->key);
  if (key == NULL) {
    if (entry->kind == MST_TOML_EMPTY) return MST_GO_ON;
    key = entry->key;
  }
  for (size_t i = 0; i + 1 < sizeof name && key[i] != '\0'; i++)
    name[i] = key[i] == '_' ? '-' : key[i];
  const struct argp_option *option = mst_assess_option_find(name);
  if (option == NULL || strlen(key) >= sizeof name) return complain_of_key(args, entry, key);
  const char *wrong = wrong_value(option, entry);
  const mst_setting *before = mst_assess_setting(args, name);
  if (wrong == NULL && before != NULL && before->line > 0) wrong = "is set twice";
  if (wrong == NULL) return mst_assess_is_said(args, name) ? MST_GO_ON : set(args, option, entry);
  mst_str_addf(&what, "'%s' %s", key, wrong);
  const int status = complain(args, entry, mst_str_text(&what));
  mst_str_reset(&what);
  return status;
}

static muster_status find(mst_assess_args *args, muster_error *error) {
  mst_config *config = &args->config;
  if (args->config_file == NULL) {
    char *folder = first_folder(args->cli);
    return folder != NULL ? look_upwards(config, folder, error) : mst_fail_memory(error);
  }
  config->path = mst_strdup(args->config_file);
  return config->path != NULL ? read_config(config, config->path, error) : mst_fail_memory(error);
}

int mst_config_apply(mst_assess_args *args) {
  muster_error error;
  int status = MST_GO_ON;
  if (args->isolated && args->config_file != NULL)
    return mst_cli_usage(args->cli, "--isolated excludes --config");
  if (args->isolated) return MST_GO_ON;
  if (find(args, &error) != MUSTER_OK)
    return error.status == MUSTER_ERR_MEMORY ? mst_cli_fail(args->cli, &error)
                                             : mst_cli_fail_with(args->cli, &error, MST_EXIT_USAGE);
  const mst_toml *toml = &args->config.toml;
  for (size_t i = 0; i < toml->entries.length && status == MST_GO_ON; i++)
    if (!is_of_project(args->config.path) || is_in_table(toml->entries.data[i].key, PROJECT_TABLE))
      status = set_entry(args, &toml->entries.data[i]);
  return status;
}
