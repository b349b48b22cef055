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
        "Exit status: 0 done; 1 by --fail-on, or the report could not be written; 2 wrong usage, "
        "or nothing could be read."};
static const mst_syntax syntax = {.argp = &argp};

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
  if (!note.failed) mst_cli_note(cli, mst_str_text(&note));
  mst_str_reset(&note);
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

/* ---- the report ------------------------------------------------------------------------------------------ */

static const char *format_of(const mst_assess_args *args) {
  if (args->format != NULL) return args->format;
  if (args->cli->json) return "json";
  return args->output == NULL && args->cli->out.is_tty ? "text" : "markdown";
}

/* To the file that was named, or to standard output. */
static muster_status put(mst_assess_args *args, const char *text, muster_error *error) {
  if (args->output != NULL) return mst_cli_write_file(args->output, text, error);
  mst_str_add(&args->cli->result, text);
  return MUSTER_OK;
}

static void tell_notes(mst_cli *cli, char *notes) {
  char *rest = NULL;
  for (char *line = notes != NULL ? strtok_r(notes, "\n", &rest) : NULL; line != NULL;
       line = strtok_r(NULL, "\n", &rest))
    mst_cli_note(cli, line);
}

static muster_status report(mst_assess_args *args, const muster_assessment *assessment,
                            muster_error *error) {
  const mst_term *term = &args->cli->out;
  char *text = NULL, *notes = NULL;
  muster_report_options options;
  muster_report_options_init(&options);
  options.colour = args->output == NULL && term->colour;
  options.width = term->columns > 0 ? (unsigned)term->columns : 80;
  options.unsafe_suggestions = args->unsafe_suggestions;
  options.notes = &notes;
  muster_status status =
      muster_assessment_write(assessment, format_of(args), &options, &text, error);
  if (status == MUSTER_OK) status = put(args, text, error);
  tell_notes(args->cli, notes);
  muster_text_free(text);
  muster_text_free(notes);
  return status;
}

/* ---- an explanation ------------------------------------------------------------------------------------------ */

static muster_status explain_as_text(const char *text, mst_str *out, muster_error *error) {
  for (const char *line = text; *line != '\0';) {
    const size_t length = strcspn(line, "\n");
    char *copy = mst_strndup(line, length);
    if (copy == NULL) return mst_fail_memory(error);
    mst_add_safe(out, copy);
    mst_free(copy);
    mst_str_add(out, "\n");
    line += length + (line[length] == '\n');
  }
  return MUSTER_OK;
}

static muster_status explain_as_json(const mst_assess_args *args, const char *text, mst_str *out,
                                     muster_error *error) {
  const muster_assess_options *options = &args->options;
  yyjson_mut_doc *doc = mst_json_new();
  if (doc == NULL) return mst_fail_memory(error);
  yyjson_mut_val *root = yyjson_mut_obj(doc);
  yyjson_mut_doc_set_root(doc, root);
  mst_json_add_text(doc, root, "schema", "muster.explanation/1");
  mst_json_add_text(doc, root, "path", options->explain_path);
  if (options->explain_cell > 0)
    yyjson_mut_obj_add_uint(doc, root, "cell", options->explain_cell);
  else
    yyjson_mut_obj_add_null(doc, root, "cell");
  yyjson_mut_obj_add_uint(doc, root, "line", options->explain_line);
  mst_json_add_text(doc, root, "text", text);
  const muster_status status = mst_json_text(doc, out, error);
  yyjson_mut_doc_free(doc);
  return status;
}

static int explain(mst_assess_args *args, const muster_assessment *assessment) {
  const char *text = muster_assessment_explanation(assessment);
  mst_cli *cli = args->cli;
  mst_str out = {0};
  muster_error error;
  if (text == NULL)
    return mst_cli_usage(cli, "--explain: no file '%s' is among those named",
                         args->options.explain_path);
  const bool as_json = strcmp(format_of(args), "json") == 0;
  muster_status status =
      as_json ? explain_as_json(args, text, &out, &error) : explain_as_text(text, &out, &error);
  if (status == MUSTER_OK && out.failed) status = mst_fail_memory(&error);
  if (status == MUSTER_OK) status = put(args, mst_str_text(&out), &error);
  mst_str_reset(&out);
  return status == MUSTER_OK ? MST_EXIT_DONE : mst_cli_fail(cli, &error);
}

/* ---- the command ---------------------------------------------------------------------------------------------- */

/* 1 is for verdicts, but for what says nothing of the command line either. */
static int fail(mst_cli *cli, const muster_error *error) {
  const bool is_memory = error->status == MUSTER_ERR_MEMORY;
  return mst_cli_fail_with(cli, error, is_memory ? MST_EXIT_WRONG : MST_EXIT_USAGE);
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
    status = read_stdin(args, &input, &error);
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
  if (has_source_name(output)) return true;
  for (size_t i = 0; i < cli->paths.length; i++)
    if (mst_is_same_file(output, cli->paths.data[i])) return true;
  return false;
}

static int check_output(const mst_assess_args *args) {
  mst_stat there;
  const char *output = args->output;
  if (output == NULL || mst_io_stat(output, &there, NULL) != MUSTER_OK) return MST_GO_ON;
  if (!there.is_regular)
    return mst_cli_usage(args->cli, "-o %s: that is no file: name a file", output);
  if (is_source(args->cli, output))
    return mst_cli_usage(args->cli,
                         "-o %s: that is a source, which a report does not replace: "
                         "give the report another name",
                         output);
  if ((there.mode & 0222) != 0) return MST_GO_ON;
  muster_error error;
  (void)mst_fail(&error, MUSTER_ERR_EXISTS, output, "is write-protected: name another file");
  return mst_cli_fail(args->cli, &error);
}

static int check_explain(const mst_assess_args *args) {
  if (args->explain == NULL) return MST_GO_ON;
  if (args->fail_on != MUSTER_VERDICT_NONE)
    return mst_cli_usage(args->cli, "--explain excludes --fail-on: it gives no verdict");
  if (args->format != NULL && strcmp(args->format, "text") != 0 &&
      strcmp(args->format, "json") != 0)
    return mst_cli_usage(args->cli, "--explain gives text or json, not %s", args->format);
  return MST_GO_ON;
}

static bool has_dash(const mst_cli *cli) {
  for (size_t i = 0; i < cli->paths.length; i++)
    if (strcmp(cli->paths.data[i], "-") == 0) return true;
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
  if (args->unsafe_suggestions && strcmp(format_of(args), "patch") != 0)
    return mst_cli_usage(args->cli, "--unsafe-suggestions has no meaning without --format patch");
  if (options->text_name != NULL && !has_dash(args->cli))
    return mst_cli_usage(args->cli, "--stdin-name has no meaning without -");
  const int status = check_explain(args);
  return status == MST_GO_ON ? check_output(args) : status;
}

int mst_cmd_assess(mst_cli *cli, int argc, char **argv) {
  mst_assess_args args;
  mst_assess_args_init(&args, cli);
  int status = mst_cli_parse(cli, &syntax, argc, argv, &args);
  if (args.output != NULL && strcmp(args.output, "-") == 0) args.output = NULL;
  if (status == MST_GO_ON) status = check(&args);
  if (status == MST_GO_ON) {
    args.options.keep_originals = strcmp(format_of(&args), "patch") == 0;
    mst_assess_args_settle(&args);
    status = assess(&args);
  }
  mst_assess_args_reset(&args);
  return status;
}
