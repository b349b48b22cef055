/* SPDX-License-Identifier: Apache-2.0 */
/* muster assess: will this NumPy code scale on cuPyNumeric, and what must change first? */
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/io.h"
#include "base/status.h"
#include "cli/assessing.h"
#include "cli/commands.h"
#include "cli/config.h"

static const struct argp argp = {
    .parser = mst_assess_no_options,
    .args_doc = "[PATH...]",
    .children = mst_assess_children,
    .doc =
        "Says whether NumPy code will scale on cuPyNumeric, and what has to change first. A PATH "
        "is a Python file, a notebook, a folder of them, or - for standard input (default: the "
        "current folder). The code is read, never run.\v"
        "Exit status: 0 done; 1 by --fail-on, or the report could not be written; 2 wrong usage, "
        "or nothing could be read."};
static const mst_syntax syntax = {.argp = &argp};

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

static int conclude(mst_assess_args *args, const muster_assessment *assessment) {
  muster_error error;
  if (args->options.explain_path != NULL) return explain(args, assessment);
  if (report(args, assessment, &error) != MUSTER_OK) return mst_cli_fail(args->cli, &error);
  const bool is_bad = args->fail_on != MUSTER_VERDICT_NONE &&
                      muster_assessment_verdict(assessment) >= args->fail_on;
  return is_bad ? MST_EXIT_WRONG : MST_EXIT_DONE;
}

static bool is_plain_word(const char *text) {
  return text[0] != '\0' && text[0] != '-' &&
         strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_+,./@%:-") ==
             strlen(text);
}

#define MOST_PATHS_TOLD 4

/* An update with other PATHs would drop, or take in, what this one did not look at. */
static void add_update(const mst_assess_args *args, mst_str *out) {
  const mst_cli *cli = args->cli;
  bool is_plain = is_plain_word(args->options.baseline) && cli->paths.length <= MOST_PATHS_TOLD;
  for (size_t i = 0; i < cli->paths.length && is_plain; i++)
    is_plain = is_plain_word(cli->paths.data[i]);
  mst_str_addf(out, "'muster baseline update %s", args->options.baseline);
  for (size_t i = 0; i < cli->paths.length && is_plain; i++)
    mst_str_addf(out, " %s", cli->paths.data[i]);
  mst_str_add(out, is_plain ? "'" : "' with the same PATHs");
}

/* A CI log says what may leave the baseline. */
static void tell_fixed(const mst_assess_args *args, const muster_assessment *assessment) {
  const size_t count = muster_assessment_count(assessment, MUSTER_FIXED);
  mst_str note = {0};
  if (count == 0) return;
  mst_add_counted(&note, count, "finding");
  mst_str_addf(&note, " of the baseline %s fixed: ", count == 1 ? "is" : "are");
  add_update(args, &note);
  mst_str_addf(&note, " drops %s", count == 1 ? "it" : "them");
  mst_cli_take_note(args->cli, &note);
}

/* A baseline that fits nothing is most often one of another place. */
static void tell_unknown(const mst_assess_args *args, const muster_assessment *assessment) {
  const char *baseline = args->options.baseline;
  mst_str note = {0};
  if (baseline == NULL || muster_assessment_count(assessment, MUSTER_KNOWN) > 0 ||
      muster_assessment_count(assessment, MUSTER_FIXED) > 0 ||
      muster_assessment_count(assessment, MUSTER_COUNTING_FINDINGS) == 0)
    return;
  mst_str_addf(
      &note,
      "nothing that was found is in the baseline %s, which knows files by their paths from "
      "its folder",
      baseline);
  mst_cli_take_note(args->cli, &note);
}

static int assess(mst_assess_args *args) {
  muster_assessment *assessment = NULL;
  args->options.keep_lines = strcmp(format_of(args), "html") == 0;
  int status = mst_assess_run_with(args, &assessment);
  if (status == MST_GO_ON) {
    tell_fixed(args, assessment);
    tell_unknown(args, assessment);
    status = conclude(args, assessment);
  }
  muster_assessment_free(assessment);
  return status;
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

static int check(const mst_assess_args *args) {
  int status = mst_assess_check(args);
  if (status == MST_GO_ON && args->unsafe_suggestions && strcmp(format_of(args), "patch") != 0)
    status = mst_cli_usage(args->cli, "--unsafe-suggestions has no meaning without --format patch");
  if (status == MST_GO_ON) status = check_explain(args);
  return status == MST_GO_ON ? check_output(args) : status;
}

int mst_cmd_assess(mst_cli *cli, int argc, char **argv) {
  mst_assess_args args;
  mst_assess_args_init(&args, cli);
  int status = mst_cli_parse(cli, &syntax, argc, argv, &args);
  if (args.output != NULL && strcmp(args.output, "-") == 0) args.output = NULL;
  if (status == MST_GO_ON) status = mst_config_apply(&args);
  if (status == MST_GO_ON) status = check(&args);
  if (status == MST_GO_ON) {
    args.options.keep_originals = strcmp(format_of(&args), "patch") == 0;
    mst_assess_args_settle(&args);
    status = assess(&args);
  }
  mst_assess_args_reset(&args);
  return status;
}
