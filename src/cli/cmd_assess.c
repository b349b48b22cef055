/* SPDX-License-Identifier: Apache-2.0 */
/* muster assess: will this NumPy code scale on cuPyNumeric, and what must change first? */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/io.h"
#include "base/status.h"
#include "cli/assess_options.h"
#include "cli/commands.h"
#include "cli/manifest_file.h"

/* A program from standard input; larger ones are not assessed anyway. */
#define MOST_STDIN ((size_t)64 << 20)

static error_t parse(int key, char *arg, struct argp_state *state) {
  mst_assess_args *args = state->input;
  (void)arg;
  if (key != ARGP_KEY_INIT) return ARGP_ERR_UNKNOWN;
  state->child_inputs[0] = args;
  state->child_inputs[1] = args->cli;
  return 0;
}

static const struct argp_child children[] = {
    {.argp = &mst_assess_argp, .header = "Assessment:", .group = 1},
    {.argp = &mst_common_argp, .header = "Output:", .group = 2},
    {0}};
static const struct argp argp = {
    .parser = parse,
    .args_doc = "[PATH...]",
    .children = children,
    .doc =
        "Says whether NumPy code will scale on cuPyNumeric, and what has to change first. A PATH "
        "is a Python file, a notebook, a folder of them, or - for standard input (default: the "
        "current folder). The code is read, never run.\v"
        "Exit status: 0 done; 1 by --fail-on; 2 wrong usage, or nothing could be read."};
static const mst_syntax syntax = {.argp = &argp};

/* ---- standard input -------------------------------------------------------------------------------- */

static muster_status read_stdin(mst_str *out, muster_error *error) {
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

static bool is_carried(const mst_manifest *manifest) {
  mst_manifest carried = {0};
  const bool same = mst_manifest_carried(&carried, NULL) == MUSTER_OK &&
                    strcmp(manifest->fetched, carried.fetched) == 0 &&
                    strcmp(manifest->source, carried.source) == 0;
  mst_manifest_reset(&carried);
  return same;
}

/* Chooses the table, and says when it is old; *path is for mst_free. */
static muster_status choose_manifest(mst_assess_args *args, char **path, muster_error *error) {
  mst_manifest manifest = {0};
  char today[11];
  *path = NULL;
  muster_status status = mst_manifest_open(args->manifest, &manifest, error);
  if (status != MUSTER_OK) return status;
  if (args->options.date == NULL) {
    mst_today(today);
    mst_cli_warn_age(args->cli, &manifest, today);
  }
  if (args->manifest == NULL && !is_carried(&manifest))
    status = mst_manifest_home(path, error);
  else if (args->manifest != NULL && strcmp(args->manifest, MST_CARRIED) != 0)
    *path = mst_strdup(args->manifest);
  args->options.manifest = *path;
  mst_manifest_reset(&manifest);
  return status;
}

/* ---- the report ------------------------------------------------------------------------------------------ */

static const char *format_of(const mst_assess_args *args) {
  if (args->format != NULL) return args->format;
  if (args->cli->json) return "json";
  return args->output == NULL && args->cli->out.is_tty ? "text" : "markdown";
}

static muster_status report(mst_assess_args *args, const muster_assessment *assessment,
                            muster_error *error) {
  const mst_term *term = &args->cli->out;
  char *text = NULL;
  muster_report_options options;
  muster_report_options_init(&options);
  options.colour = args->output == NULL && term->colour;
  options.width = term->columns > 0 ? (unsigned)term->columns : 80;
  muster_status status =
      muster_assessment_write(assessment, format_of(args), &options, &text, error);
  if (status == MUSTER_OK && args->output != NULL)
    status = mst_cli_write_file(args->output, text, error);
  else if (status == MUSTER_OK)
    mst_str_add(&args->cli->result, text);
  muster_text_free(text);
  return status;
}

/* ---- an explanation ------------------------------------------------------------------------------------------ */

static int explain(mst_assess_args *args, const muster_assessment *assessment) {
  const char *text = muster_assessment_explanation(assessment);
  mst_cli *cli = args->cli;
  if (text == NULL)
    return mst_cli_usage(cli, "--explain: no file '%s' is among those named",
                         args->options.explain_path);
  for (const char *line = text; *line != '\0';) {
    const size_t length = strcspn(line, "\n");
    char *copy = mst_strndup(line, length);
    if (copy == NULL) return mst_cli_fail_memory(cli);
    mst_add_safe(&cli->result, copy);
    mst_free(copy);
    mst_str_add(&cli->result, "\n");
    line += length + (line[length] == '\n');
  }
  return MST_EXIT_DONE;
}

/* ---- the command ---------------------------------------------------------------------------------------------- */

/* That nothing could be read is the caller's mistake, as is a wrong option. */
static int fail(mst_cli *cli, muster_error *error) {
  if (error->status == MUSTER_ERR_NOT_FOUND) error->status = MUSTER_ERR_USAGE;
  return mst_cli_fail(cli, error);
}

static int conclude(mst_assess_args *args, const muster_assessment *assessment) {
  muster_error error;
  if (args->options.explain_path != NULL) return explain(args, assessment);
  if (report(args, assessment, &error) != MUSTER_OK) return mst_cli_fail(args->cli, &error);
  const bool is_bad = args->fail_on != MUSTER_VERDICT_NONE &&
                      muster_assessment_verdict(assessment) >= args->fail_on;
  return is_bad ? MST_EXIT_WRONG : MST_EXIT_DONE;
}

static int assess(mst_assess_args *args) {
  mst_cli *cli = args->cli;
  muster_error error;
  mst_str input = {0};
  char *manifest = NULL;
  bool from_stdin;
  muster_assessment *assessment = NULL;
  take_dash(cli, &from_stdin);
  if (!from_stdin && cli->paths.length == 0 && !mst_vec_push(&cli->paths, "."))
    return mst_cli_fail_memory(cli);
  muster_status status = choose_manifest(args, &manifest, &error);
  if (status == MUSTER_OK && from_stdin) {
    status = read_stdin(&input, &error);
    args->options.text = mst_str_text(&input);
    args->options.text_length = input.length;
  }
  if (status == MUSTER_OK)
    status = muster_assess(cli->paths.data, cli->paths.length, &args->options, &assessment, &error);
  const int result = status == MUSTER_OK ? conclude(args, assessment) : fail(cli, &error);
  muster_assessment_free(assessment);
  mst_str_reset(&input);
  mst_free(manifest);
  return result;
}

static bool has_source_name(const char *path) {
  static const char *const ends[] = {".py", ".pyw", ".pyi", ".ipynb"};
  for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
    if (mst_ends_with(path, ends[i])) return true;
  return false;
}

/* A report that took the place of what it is about would be a loss. */
static bool is_source(const mst_cli *cli, const char *output) {
  mst_stat there, named;
  if (mst_io_stat(output, &there, NULL) != MUSTER_OK || !there.is_regular) return false;
  if (has_source_name(output)) return true;
  for (size_t i = 0; i < cli->paths.length; i++)
    if (mst_io_stat(cli->paths.data[i], &named, NULL) == MUSTER_OK &&
        named.device == there.device && named.inode == there.inode)
      return true;
  return false;
}

/* Two of a kind, or one that has no meaning without another; what would be lost. */
static int check(const mst_assess_args *args) {
  const muster_assess_options *options = &args->options;
  if (options->sysmem > 0 && !options->cpu_only)
    return mst_cli_usage(args->cli, "--sysmem has no meaning without --cpu-only");
  if (options->cpu_only && (options->gpus > 0 || options->gpu_model != NULL || options->fbmem > 0))
    return mst_cli_usage(args->cli, "--cpu-only excludes --gpus, --gpu-model and --fbmem");
  if (args->format != NULL && args->cli->json && strcmp(args->format, "json") != 0)
    return mst_cli_usage(args->cli, "--json excludes --format %s", args->format);
  if (args->output != NULL && is_source(args->cli, args->output))
    return mst_cli_usage(args->cli,
                         "-o %s: that is a source, which a report does not replace: "
                         "give the report another name",
                         args->output);
  return MST_GO_ON;
}

int mst_cmd_assess(mst_cli *cli, int argc, char **argv) {
  mst_assess_args args;
  mst_assess_args_init(&args, cli);
  int status = mst_cli_parse(cli, &syntax, argc, argv, &args);
  if (status == MST_GO_ON) status = check(&args);
  if (status == MST_GO_ON) {
    mst_assess_args_settle(&args);
    status = assess(&args);
  }
  mst_assess_args_reset(&args);
  return status;
}
