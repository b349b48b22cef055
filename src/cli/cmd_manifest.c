/* SPDX-License-Identifier: Apache-2.0 */
/* muster manifest: which names of NumPy cuPyNumeric has, and how far each scales. */
#include <string.h>

#include "base/alloc.h"
#include "base/io.h"
#include "base/status.h"
#include "cli/commands.h"
#include "cli/manifest_file.h"

#define MAX_PAGE ((size_t)4 << 20)

typedef struct manifest_args {
  mst_cli *cli;
  const char *package; /* --from-package */
  const char *html;    /* --from-html */
  const char *output;
  const char *manifest;
  const char *date;
  char today[11];
} manifest_args;

enum { KEY_PACKAGE = 0x200, KEY_HTML, KEY_MANIFEST, KEY_DATE };

static error_t parse(int key, char *arg, struct argp_state *state) {
  manifest_args *args = state->input;
  switch (key) {
  case ARGP_KEY_INIT: state->child_inputs[0] = args->cli; return 0;
  case KEY_PACKAGE: args->package = arg; return 0;
  case KEY_HTML: args->html = arg; return 0;
  case KEY_MANIFEST: args->manifest = arg; return 0;
  case KEY_DATE: args->date = arg; return 0;
  case 'o': args->output = arg; return 0;
  default: return ARGP_ERR_UNKNOWN;
  }
}

static const struct argp_option options_table[] = {
    {.name = "manifest",
     .key = KEY_MANIFEST,
     .arg = "FILE",
     .doc = "show: this table instead of the refreshed or the carried one; 'carried' is the one "
            "within the program"},
    {.name = "from-package",
     .key = KEY_PACKAGE,
     .arg = "DIR",
     .doc = "refresh: by the docstrings of the cuPyNumeric in this virtual environment or folder, "
            "which are read as text; nothing is imported"},
    {.name = "from-html",
     .key = KEY_HTML,
     .arg = "FILE|URL",
     .doc = "refresh: by the comparison page of the documentation"},
    {.name = "output",
     .key = 'o',
     .arg = "FILE",
     .doc = "refresh: write the table here (default: muster/api_support.txt in $XDG_DATA_HOME)"},
    {.name = "date",
     .key = KEY_DATE,
     .arg = "DATE",
     .doc = "What day it is, such as 2026-01-31 (default: by the clock)"},
    {0}};
static const struct argp_child children[] = {
    {.argp = &mst_common_argp, .header = "Output:", .group = 2}, {0}};
static const struct argp argp = {
    .options = options_table,
    .parser = parse,
    .args_doc = "show [NAME...]\ndiff OLD NEW\nrefresh",
    .children = children,
    .doc =
        "Shows the table of API support that `muster assess` judges by, compares two of them, or "
        "makes a new one from an installed cuPyNumeric or its documentation."};
static const mst_syntax syntax = {.argp = &argp};

/* ---- JSON ------------------------------------------------------------------------------------ */

static void add_origin(yyjson_mut_doc *doc, yyjson_mut_val *object, const mst_manifest *manifest) {
  mst_json_add_text(doc, object, "source", manifest->source);
  mst_json_add_text(doc, object, "cupynumeric", manifest->cupynumeric);
  mst_json_add_text(doc, object, "numpy", manifest->numpy);
  mst_json_add_text(doc, object, "fetched", manifest->fetched);
}

static size_t count_level(const mst_manifest *manifest, mst_api_level level) {
  size_t count = 0;
  for (int section = 0; section < MST_API_SECTIONS; section++)
    count += mst_manifest_count(manifest, (mst_api_section)section, level);
  return count;
}

static void add_counts(yyjson_mut_doc *doc, yyjson_mut_val *object, const mst_manifest *manifest) {
  yyjson_mut_val *counts = yyjson_mut_obj_add_obj(doc, object, "counts");
  for (int level = MST_API_MULTI; level >= MST_API_NONE; level--)
    yyjson_mut_obj_add_uint(doc, counts, mst_api_level_name((mst_api_level)level),
                            count_level(manifest, (mst_api_level)level));
}

static const char *text_or_null(const char *text) { return text[0] != '\0' ? text : NULL; }

static void add_entry(yyjson_mut_doc *doc, yyjson_mut_val *list, const char *asked,
                      const mst_api_support *entry) {
  yyjson_mut_val *item = yyjson_mut_arr_add_obj(doc, list);
  const mst_api_level level = entry != NULL ? entry->level : MST_API_UNLISTED;
  mst_json_add_text(doc, item, "asked", asked);
  mst_json_add_text(doc, item, "section",
                    entry != NULL ? mst_api_section_id(entry->section) : NULL);
  mst_json_add_text(doc, item, "name", entry != NULL ? entry->name : NULL);
  mst_json_add_text(doc, item, "cupynumeric", entry != NULL ? entry->cupynumeric_name : NULL);
  mst_json_add_text(doc, item, "level", mst_api_level_name(level));
  mst_json_add_text(doc, item, "note", entry != NULL ? text_or_null(entry->note) : NULL);
}

/* ---- show ------------------------------------------------------------------------------------ */

/* "np.interp" and "interp" stand for numpy.interp. */
static char *full_name(const char *asked) {
  mst_str name = {0};
  if (mst_starts_with(asked, "np.")) asked += strlen("np.");
  if (!mst_starts_with(asked, "numpy.") && !mst_starts_with(asked, "ndarray."))
    mst_str_add(&name, "numpy.");
  mst_str_add(&name, asked);
  return mst_str_take(&name);
}

static void add_line(mst_table *table, const char *name, const mst_api_support *entry) {
  const mst_api_level level = entry != NULL ? entry->level : MST_API_UNLISTED;
  mst_str text = {0};
  mst_table_add(table, mst_api_level_glyph(level));
  mst_table_add(table, mst_api_level_name(level));
  mst_add_safe(&text, name);
  if (entry != NULL && strcmp(entry->name, name) != 0) mst_str_addf(&text, " = %s", entry->name);
  if (entry != NULL && entry->note[0] != '\0') {
    mst_str_add(&text, ": ");
    mst_add_safe(&text, entry->note);
  }
  mst_table_take(table, &text);
}

static void print_origin(mst_str *out, const mst_manifest *manifest) {
  mst_str text = {0};
  mst_str_addf(&text, "cuPyNumeric %s, NumPy %s, by the %s, fetched %s", manifest->cupynumeric,
               manifest->numpy, manifest->source, manifest->fetched);
  mst_add_safe(out, mst_str_text(&text));
  mst_str_reset(&text);
  mst_str_add(out, "\n");
}

static void print_counts(mst_str *out, const mst_manifest *manifest) {
  mst_table table = {.align = "lrrrr"};
  mst_table_add(&table, "");
  for (int level = MST_API_MULTI; level >= MST_API_NONE; level--)
    mst_table_add(&table, mst_api_level_name((mst_api_level)level));
  for (int section = 0; section < MST_API_SECTIONS; section++) {
    mst_table_add(&table, mst_api_section_id((mst_api_section)section));
    for (int level = MST_API_MULTI; level >= MST_API_NONE; level--) {
      mst_str count = {0};
      mst_add_count(&count,
                    mst_manifest_count(manifest, (mst_api_section)section, (mst_api_level)level));
      mst_table_take(&table, &count);
    }
  }
  mst_table_print(&table, out, 0);
}

static void print_all(mst_cli *cli, const mst_manifest *manifest) {
  print_origin(&cli->result, manifest);
  mst_str_add(&cli->result, "\n");
  print_counts(&cli->result, manifest);
  for (int section = 0; section < MST_API_SECTIONS; section++) {
    mst_table table = {.align = "lll"};
    for (size_t i = 0; i < manifest->length; i++)
      if ((int)manifest->entries[i].section == section)
        add_line(&table, manifest->entries[i].name, &manifest->entries[i]);
    mst_str_addf(&cli->result, "\n%s\n", mst_api_section_id((mst_api_section)section));
    mst_table_print(&table, &cli->result, 2);
  }
}

/* False when memory ran out. */
static bool show_asked(mst_cli *cli, const mst_manifest *manifest, mst_table *table,
                       mst_result *result, yyjson_mut_val *list) {
  for (size_t i = 1; i < cli->paths.length; i++) {
    char *name = full_name(cli->paths.data[i]);
    if (name == NULL) return false;
    const mst_api_support *entry = mst_manifest_find(manifest, name);
    if (table != NULL) add_line(table, name, entry);
    if (list != NULL) add_entry(result->doc, list, cli->paths.data[i], entry);
    mst_free(name);
  }
  return true;
}

static int show_json(mst_cli *cli, const mst_manifest *manifest) {
  mst_result result;
  if (!mst_result_begin(cli, &result, "muster.manifest/1")) return MST_EXIT_WRONG;
  add_origin(result.doc, result.root, manifest);
  add_counts(result.doc, result.root, manifest);
  yyjson_mut_val *list = yyjson_mut_obj_add_arr(result.doc, result.root, "names");
  for (size_t i = 0; cli->paths.length == 1 && i < manifest->length; i++)
    if (manifest->entries[i].level != MST_API_UNLISTED)
      add_entry(result.doc, list, NULL, &manifest->entries[i]);
  if (!show_asked(cli, manifest, NULL, &result, list)) {
    yyjson_mut_doc_free(result.doc);
    return mst_cli_fail_memory(cli);
  }
  return mst_result_end(cli, &result);
}

static int show_text(mst_cli *cli, const mst_manifest *manifest) {
  mst_table table = {.align = "lll"};
  if (cli->paths.length == 1) {
    print_all(cli, manifest);
    return MST_EXIT_DONE;
  }
  const bool done = show_asked(cli, manifest, &table, NULL, NULL);
  mst_table_print(&table, &cli->result, 0);
  return done ? MST_EXIT_DONE : mst_cli_fail_memory(cli);
}

static int show(manifest_args *args) {
  mst_cli *cli = args->cli;
  mst_manifest manifest = {0};
  muster_error error;
  if (mst_manifest_open(args->manifest, &manifest, NULL, &error) != MUSTER_OK)
    return mst_cli_fail(cli, &error);
  const int status = cli->json ? show_json(cli, &manifest) : show_text(cli, &manifest);
  mst_cli_warn_age(cli, &manifest, args->today);
  mst_manifest_reset(&manifest);
  return status;
}

/* ---- diff ------------------------------------------------------------------------------------ */

typedef struct diff_text {
  mst_table table;
  size_t count;
} diff_text;

static void add_side(mst_str *text, const mst_api_support *entry) {
  mst_str_add(text, mst_api_level_name(entry->level));
  if (entry->note[0] == '\0') return;
  mst_str_add(text, " (");
  mst_add_safe(text, entry->note);
  mst_str_add(text, ")");
}

static void tell_text(void *context, const mst_api_support *old, const mst_api_support *new) {
  diff_text *diff = context;
  const mst_api_support *either = old != NULL ? old : new;
  mst_str text = {0};
  diff->count++;
  mst_table_add(&diff->table, old == NULL ? "+" : new == NULL ? "-" : "~");
  mst_table_add(&diff->table, either->name);
  if (old != NULL) add_side(&text, old);
  if (old != NULL && new != NULL) mst_str_add(&text, " -> ");
  if (new != NULL) add_side(&text, new);
  mst_table_take(&diff->table, &text);
}

static void print_diff(mst_cli *cli, const mst_manifest *old, const mst_manifest *new) {
  diff_text diff = {.table = {.align = "lll"}};
  mst_str_add(&cli->result, "old: ");
  print_origin(&cli->result, old);
  mst_str_add(&cli->result, "new: ");
  print_origin(&cli->result, new);
  mst_manifest_compare(old, new, tell_text, &diff);
  mst_table_print(&diff.table, &cli->result, 0);
  if (diff.count == 0) mst_str_add(&cli->result, "no name differs\n");
}

typedef struct diff_json {
  yyjson_mut_doc *doc;
  yyjson_mut_val *names;
} diff_json;

static void add_level(const diff_json *diff, yyjson_mut_val *item, const char *level_key,
                      const char *note_key, const mst_api_support *entry) {
  mst_json_add_text(diff->doc, item, level_key,
                    entry != NULL ? mst_api_level_name(entry->level) : NULL);
  mst_json_add_text(diff->doc, item, note_key, entry != NULL ? text_or_null(entry->note) : NULL);
}

static void tell_json(void *context, const mst_api_support *old, const mst_api_support *new) {
  const diff_json *diff = context;
  yyjson_mut_val *item = yyjson_mut_arr_add_obj(diff->doc, diff->names);
  mst_json_add_text(diff->doc, item, "name", old != NULL ? old->name : new->name);
  add_level(diff, item, "old_level", "old_note", old);
  add_level(diff, item, "new_level", "new_note", new);
}

static int diff_as_json(mst_cli *cli, const mst_manifest *old, const mst_manifest *new) {
  mst_result result;
  if (!mst_result_begin(cli, &result, "muster.manifest-diff/1")) return MST_EXIT_WRONG;
  add_origin(result.doc, yyjson_mut_obj_add_obj(result.doc, result.root, "old"), old);
  add_origin(result.doc, yyjson_mut_obj_add_obj(result.doc, result.root, "new"), new);
  diff_json diff = {.doc = result.doc,
                    .names = yyjson_mut_obj_add_arr(result.doc, result.root, "names")};
  mst_manifest_compare(old, new, tell_json, &diff);
  return mst_result_end(cli, &result);
}

static int diff(manifest_args *args) {
  mst_cli *cli = args->cli;
  mst_manifest old = {0}, new = {0};
  muster_error error;
  if (cli->paths.length != 3) return mst_cli_usage(cli, "diff compares two tables: OLD and NEW");
  muster_status read = mst_manifest_open(cli->paths.data[1], &old, NULL, &error);
  if (read == MUSTER_OK) read = mst_manifest_open(cli->paths.data[2], &new, NULL, &error);
  int status = MST_EXIT_DONE;
  if (read != MUSTER_OK)
    status = mst_cli_fail(cli, &error);
  else if (cli->json)
    status = diff_as_json(cli, &old, &new);
  else
    print_diff(cli, &old, &new);
  mst_manifest_reset(&old);
  mst_manifest_reset(&new);
  return status;
}

/* ---- refresh --------------------------------------------------------------------------------- */

static muster_status read_html(const manifest_args *args, mst_manifest *out, muster_error *error) {
  char *html = NULL;
  size_t length = 0;
  mst_manifest known = {0};
  muster_status status;
  if (mst_manifest_is_url(args->html))
    status = mst_manifest_fetch(args->html, &html, &length, error);
  else
    status = mst_io_read_file(args->html, MAX_PAGE, &html, &length, error);
  if (status == MUSTER_OK) status = mst_manifest_carried(&known, error);
  if (status == MUSTER_OK)
    status = mst_manifest_from_html(args->html, html, length, args->today, &known, out, error);
  mst_manifest_reset(&known);
  mst_free(html);
  return status;
}

static int report(mst_cli *cli, const mst_manifest *manifest, const char *path) {
  const size_t implemented = mst_manifest_implemented(manifest);
  const size_t listed = implemented + count_level(manifest, MST_API_NONE);
  if (!cli->json) {
    mst_str_add(&cli->result, "API support of cuPyNumeric ");
    mst_add_safe(&cli->result, manifest->cupynumeric);
    mst_str_addf(&cli->result, ": %zu of %zu names are implemented; written to ", implemented,
                 listed);
    mst_add_safe(&cli->result, path);
    mst_str_add(&cli->result, "\n");
    return MST_EXIT_DONE;
  }
  mst_result result;
  if (!mst_result_begin(cli, &result, "muster.manifest-refresh/1")) return MST_EXIT_WRONG;
  mst_json_add_text(result.doc, result.root, "path", path);
  add_origin(result.doc, result.root, manifest);
  add_counts(result.doc, result.root, manifest);
  return mst_result_end(cli, &result);
}

static int refresh_into(const manifest_args *args, char *path) {
  mst_manifest manifest = {0};
  muster_error error;
  muster_status made;
  if (args->package != NULL)
    made = mst_manifest_from_package(args->package, args->today, &manifest, &error);
  else
    made = read_html(args, &manifest, &error);
  if (made == MUSTER_OK) made = mst_manifest_save(&manifest, path, args->output == NULL, &error);
  const int status =
      made == MUSTER_OK ? report(args->cli, &manifest, path) : mst_cli_fail(args->cli, &error);
  mst_manifest_reset(&manifest);
  return status;
}

static int refresh(manifest_args *args) {
  mst_cli *cli = args->cli;
  if (cli->paths.length > 1)
    return mst_cli_usage(cli, "'%s' is one argument too many", cli->paths.data[1]);
  if (args->package != NULL && args->html != NULL)
    return mst_cli_usage(cli, "--from-package excludes --from-html");
  if (args->package == NULL && args->html == NULL)
    return mst_cli_usage(cli, "refresh needs --from-package DIR or --from-html FILE");
  if (args->output != NULL && *args->output == '\0')
    return mst_cli_usage(cli, "-o needs the name of a file");
  if (args->output != NULL && args->html != NULL && mst_is_same_file(args->output, args->html))
    return mst_cli_usage(cli, "-o %s: that is the page itself: give the table another name",
                         args->output);
  muster_error error;
  char *path = args->output != NULL ? mst_strdup(args->output) : NULL;
  if (args->output != NULL && path == NULL) return mst_cli_fail_memory(cli);
  if (path == NULL && mst_manifest_home(&path, &error) != MUSTER_OK)
    return mst_cli_fail(cli, &error);
  if (path == NULL) return mst_cli_usage(cli, "there is no home folder: name the file by -o");
  const int status = refresh_into(args, path);
  mst_free(path);
  return status;
}

/* ---- the command ----------------------------------------------------------------------------- */

typedef struct action_row {
  const char *name;
  int (*run)(manifest_args *args);
} action_row;

static const action_row actions[] = {{"show", show}, {"diff", diff}, {"refresh", refresh}};

#define ACTION_COUNT (sizeof actions / sizeof *actions)

static int check_options(const manifest_args *args, const char *action) {
  mst_cli *cli = args->cli;
  const bool makes = strcmp(action, "refresh") == 0;
  if (!makes && (args->package != NULL || args->html != NULL || args->output != NULL))
    return mst_cli_usage(cli, "--from-package, --from-html and -o are for refresh");
  if (args->manifest != NULL && strcmp(action, "show") != 0)
    return mst_cli_usage(cli, "--manifest is for show");
  if (args->date != NULL && !mst_is_date(args->date))
    return mst_cli_usage(cli, "--date: '%s' is no date such as 2026-01-31", args->date);
  return MST_GO_ON;
}

int mst_cmd_manifest(mst_cli *cli, int argc, char **argv) {
  manifest_args args = {.cli = cli};
  const char *names[ACTION_COUNT + 1] = {NULL};
  int status = mst_cli_parse(cli, &syntax, argc, argv, &args);
  if (status != MST_GO_ON) return status;
  if (cli->paths.length == 0) return mst_cli_usage(cli, "what to do: show, diff or refresh?");
  const char *action = cli->paths.data[0];
  status = check_options(&args, action);
  if (status != MST_GO_ON) return status;
  mst_today(args.today);
  if (args.date != NULL) memcpy(args.today, args.date, sizeof args.today);
  for (size_t i = 0; i < ACTION_COUNT; i++) {
    names[i] = actions[i].name;
    if (strcmp(actions[i].name, action) == 0) return actions[i].run(&args);
  }
  const char *near = mst_nearest(action, names);
  if (near == NULL) return mst_cli_usage(cli, "cannot '%s': show, diff or refresh", action);
  return mst_cli_usage(cli, "cannot '%s'; did you mean '%s'?", action, near);
}
