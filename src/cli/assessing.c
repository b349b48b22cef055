/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/assessing.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/status.h"
#include "cli/changes.h"
#include "cli/manifest_file.h"

/* A program from standard input; larger ones are not assessed anyway. */
#define MOST_STDIN ((size_t)64 << 20)

/* ---- standard input -------------------------------------------------------------------------------- */

static muster_status read_all(mst_str *out, muster_error *error) {
  char block[65536];
  for (;;) {
    errno = 0;
    const size_t got = fread(block, 1, sizeof block, stdin);
    mst_str_add_bytes(out, block, got);
    if (out->failed) return mst_fail_memory(error);
    if (out->length > MOST_STDIN)
      return mst_fail(error, MUSTER_ERR_FORMAT, "standard input", "more than 64 MiB");
    if (got == sizeof block) continue;
    if (ferror(stdin)) return mst_fail_errno(error, "standard input", -1, errno, "read");
    return MUSTER_OK;
  }
}

/* A notebook is told by its name. */
static bool is_notebook(const mst_str *text) {
  const char *at = mst_str_text(text);
  return at[strspn(at, " \t\r\n")] == '{' && strstr(at, "\"cells\"") != NULL &&
         strstr(at, "\"nbformat\"") != NULL;
}

static muster_status read_stdin(const mst_assess_args *args, mst_str *out, muster_error *error) {
  const muster_status status = read_all(out, error);
  if (status != MUSTER_OK || args->options.text_name != NULL || !is_notebook(out)) return status;
  return mst_fail(error, MUSTER_ERR_USAGE, "standard input",
                  "a notebook: say so by a name, --stdin-name NAME.ipynb");
}

/* Takes "-" out of the paths; *found says whether it was there. */
static void take_dash(mst_cli *cli, bool *found) {
  size_t kept = 0;
  *found = false;
  for (size_t i = 0; i < cli->paths.length; i++) {
    if (strcmp(cli->paths.data[i], "-") == 0)
      *found = true;
    else
      cli->paths.data[kept++] = cli->paths.data[i];
  }
  cli->paths.length = kept;
}

/* ---- the table of API support ------------------------------------------------------------------------- */

static void tell_unusable(mst_cli *cli, const muster_error *fault) {
  mst_str note = {0};
  mst_str_addf(&note,
               "%s: %s: the carried table is used; 'muster manifest refresh' makes a new one",
               fault->path, fault->message);
  mst_cli_take_note(cli, &note);
}

/* Chooses the table, and says when it is old; *path is for mst_free. */
static muster_status choose_manifest(mst_assess_args *args, char **path, muster_error *error) {
  mst_manifest manifest;
  mst_manifest_origin origin;
  char today[11];
  const muster_status status = mst_manifest_open(args->manifest, &manifest, &origin, error);
  *path = origin.path;
  if (status != MUSTER_OK) return status;
  if (origin.is_unusable) tell_unusable(args->cli, &origin.unusable);
  if (args->options.date == NULL) {
    mst_today(today);
    mst_cli_warn_age(args->cli, &manifest, today);
  }
  args->options.manifest = *path;
  args->options.manifest_is_optional = origin.is_unusable;
  mst_manifest_reset(&manifest);
  return MUSTER_OK;
}

/* ---- the assessment ---------------------------------------------------------------------------------- */

/* 1 is for verdicts, but for what says nothing of the command line either. */
static int fail(mst_cli *cli, const muster_error *error) {
  const bool is_memory = error->status == MUSTER_ERR_MEMORY;
  return mst_cli_fail_with(cli, error, is_memory ? MST_EXIT_WRONG : MST_EXIT_USAGE);
}

/* What the library is handed, for as long as it runs. */
typedef struct handed {
  mst_str input;
  char *manifest;
  mst_changes changes;
} handed;

static int find_changes(mst_assess_args *args, handed *with) {
  muster_assess_options *options = &args->options;
  if (args->diff_base == NULL) return MST_GO_ON;
  const int status = mst_changes_find(args->cli, args->diff_base, &with->changes);
  options->changed_since = args->diff_base;
  options->changed = with->changes.lines.data;
  options->changed_count = with->changes.lines.length;
  return status;
}

static int assess(mst_assess_args *args, bool from_stdin, handed *with,
                  muster_assessment **assessment) {
  mst_cli *cli = args->cli;
  muster_error error;
  muster_status status = choose_manifest(args, &with->manifest, &error);
  if (status == MUSTER_OK && from_stdin) {
    status = read_stdin(args, &with->input, &error);
    args->options.text = mst_str_text(&with->input);
    args->options.text_length = with->input.length;
  }
  if (status == MUSTER_OK)
    status = muster_assess(cli->paths.data, cli->paths.length, &args->options, assessment, &error);
  return status == MUSTER_OK ? MST_GO_ON : fail(cli, &error);
}

int mst_assess_run_with(mst_assess_args *args, muster_assessment **assessment) {
  mst_cli *cli = args->cli;
  handed with = {0};
  bool from_stdin;
  take_dash(cli, &from_stdin);
  if (!from_stdin && cli->paths.length == 0 && !mst_vec_push(&cli->paths, "."))
    return mst_cli_fail_memory(cli);
  int status = find_changes(args, &with);
  if (status == MST_GO_ON) status = assess(args, from_stdin, &with, assessment);
  mst_changes_reset(&with.changes);
  mst_str_reset(&with.input);
  mst_free(with.manifest);
  return status;
}

/* ---- options that do not go together ------------------------------------------------------------------ */

static bool has_dash(const mst_cli *cli) {
  for (size_t i = 0; i < cli->paths.length; i++)
    if (strcmp(cli->paths.data[i], "-") == 0) return true;
  return false;
}

/* Two of a kind, or one that has no meaning without another; what would be lost. */
int mst_assess_check(const mst_assess_args *args) {
  const muster_assess_options *options = &args->options;
  if (options->sysmem > 0 && !options->cpu_only)
    return mst_cli_usage(args->cli, "--sysmem has no meaning without --cpu-only");
  if (options->cpu_only && (options->gpus > 0 || options->gpu_model != NULL || options->fbmem > 0))
    return mst_cli_usage(args->cli, "--cpu-only excludes --gpus, --gpu-model and --fbmem");
  if (args->format != NULL && args->cli->json && strcmp(args->format, "json") != 0)
    return mst_cli_usage(args->cli, "--json excludes --format %s", args->format);
  if (options->text_name != NULL && !has_dash(args->cli))
    return mst_cli_usage(args->cli, "--stdin-name has no meaning without -");
  if (args->diff_base != NULL && has_dash(args->cli))
    return mst_cli_usage(args->cli, "--diff-base compares files, not standard input");
  return MST_GO_ON;
}
