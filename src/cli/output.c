/* SPDX-License-Identifier: Apache-2.0 */
/* Errors and notes to stderr, results to stdout. */
#include <errno.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <string.h>

#include "base/alloc.h"
#include "base/io.h"
#include "base/status.h"
#include "cli/cli.h"

/* What muster_open tells of at most: with so many there may be more. */
#define MOST_FAULTS 20

static int exit_status(const muster_error *error) {
  return error->status == MUSTER_ERR_USAGE ? MST_EXIT_USAGE : MST_EXIT_WRONG;
}

/* Nothing is to be done when stderr takes no more: the exit status still tells. */
static void to_stderr(const mst_cli *cli, const mst_str *text) {
  fwrite(mst_str_text(text), 1, text->length, cli->err.stream);
  fflush(cli->err.stream);
}

/* The line, which is reset. */
static void print_one(const mst_cli *cli, mst_str *line) {
  mst_str_add(line, "\n");
  if (line->failed)
    fputs("muster: out of memory\n", cli->err.stream);
  else
    to_stderr(cli, line);
  mst_str_reset(line);
}

static void begin_line(const mst_cli *cli, mst_str *line) {
  mst_str_addf(line, "%smuster:%s ", mst_term_style(&cli->err, MST_RED),
               mst_term_style(&cli->err, MST_PLAIN));
}

static void print_line(const mst_cli *cli, const muster_error *error) {
  mst_str line = {0};
  begin_line(cli, &line);
  if (error->path[0] != '\0') {
    mst_add_safe(&line, error->path);
    mst_str_add(&line, ": ");
  }
  mst_add_safe(&line, error->message);
  if (error->offset >= 0) mst_str_addf(&line, " (byte %lld)", (long long)error->offset);
  print_one(cli, &line);
}

/* One object on one line, so that a reader of lines can tell it from progress. */
static bool print_json(const mst_cli *cli, const muster_error *error, int exit) {
  yyjson_mut_doc *doc = mst_json_new();
  if (doc == NULL) return false;
  yyjson_mut_val *root = yyjson_mut_obj(doc);
  yyjson_mut_doc_set_root(doc, root);
  mst_json_add_text(doc, root, "schema", "muster.error/1");
  mst_json_add_text(doc, root, "command", cli->command);
  mst_json_add_text(doc, root, "status", muster_status_name(error->status));
  yyjson_mut_obj_add_int(doc, root, "exit", exit);
  mst_json_add_text(doc, root, "path", error->path[0] != '\0' ? error->path : NULL);
  if (error->offset >= 0) {
    yyjson_mut_obj_add_int(doc, root, "offset", error->offset);
  } else {
    yyjson_mut_obj_add_null(doc, root, "offset");
  }
  yyjson_mut_obj_add_int(doc, root, "errno", error->errnum);
  mst_json_add_text(doc, root, "message", error->message);
  mst_json_add_problems(doc, root, cli, NULL);
  mst_str text = {0};
  const bool done = mst_json_line(doc, &text);
  if (done) to_stderr(cli, &text);
  mst_str_reset(&text);
  yyjson_mut_doc_free(doc);
  return done;
}

static bool are_alike(const muster_error *a, const muster_error *b) {
  return strcmp(a->message, b->message) == 0 && a->offset == b->offset;
}

/* Whether the same was said of a file before. */
static bool is_repeated(const mst_cli *cli, size_t index) {
  for (size_t i = 0; i < index; i++)
    if (are_alike(&cli->faults.data[i], &cli->faults.data[index])) return true;
  return false;
}

/* The files of which the same is to be said, without the folder that they share with the first. */
static void print_alike(const mst_cli *cli, size_t first) {
  const muster_error *said = &cli->faults.data[first];
  const size_t folder = (size_t)(mst_base_name(said->path) - said->path);
  size_t count = 0;
  mst_str names = {0}, line = {0};
  for (size_t i = first + 1; i < cli->faults.length; i++) {
    const char *path = cli->faults.data[i].path;
    if (!are_alike(said, &cli->faults.data[i])) continue;
    const bool is_beside =
        (size_t)(mst_base_name(path) - path) == folder && strncmp(path, said->path, folder) == 0;
    if (count++ > 0) mst_str_add(&names, ", ");
    mst_add_safe(&names, is_beside ? path + folder : path);
  }
  if (count > 0 || names.failed) {
    begin_line(cli, &line);
    mst_str_addf(&line, "and %zu more alike: %s", count, mst_str_text(&names));
    line.failed = line.failed || names.failed;
    print_one(cli, &line);
  }
  mst_str_reset(&names);
}

static void print_faults(const mst_cli *cli, const muster_error *error) {
  const size_t told = cli->faults.length;
  for (size_t i = 0; i < told; i++) {
    if (is_repeated(cli, i)) continue;
    print_line(cli, &cli->faults.data[i]);
    print_alike(cli, i);
  }
  if (told == 0 || cli->faults_lost) {
    print_line(cli, error);
  } else if (told >= MOST_FAULTS) {
    fprintf(cli->err.stream, "muster: no more than %d faults are shown\n", MOST_FAULTS);
  }
}

int mst_cli_fail(mst_cli *cli, const muster_error *error) {
  return mst_cli_fail_with(cli, error, exit_status(error));
}

int mst_cli_fail_with(mst_cli *cli, const muster_error *error, int exit) {
  /* Who pressed Ctrl-C need not be told, and who wants a description says what is wrong. */
  const bool silent = cli->describing != NULL ||
                      (error->status == MUSTER_ERR_CANCELLED && *mst_signals_flag() != 0);
  if (!silent && !(cli->json && print_json(cli, error, exit))) print_faults(cli, error);
  mst_vec_reset(&cli->faults);
  cli->faults_lost = false;
  return exit;
}

int mst_cli_fail_memory(mst_cli *cli) {
  muster_error error;
  (void)mst_fail_memory(&error);
  return mst_cli_fail(cli, &error);
}

void mst_cli_keep_fault(void *user, const muster_error *fault) {
  mst_cli *cli = user;
  if (!mst_vec_push(&cli->faults, *fault)) cli->faults_lost = true;
}

static void add_note(const mst_cli *cli, mst_str *lines, const char *note) {
  mst_str_addf(lines, "muster: %snote:%s ", mst_term_style(&cli->err, MST_YELLOW),
               mst_term_style(&cli->err, MST_PLAIN));
  mst_add_safe(lines, note);
  mst_str_add(lines, "\n");
}

void mst_cli_note(mst_cli *cli, const char *note) {
  if (cli->quiet || cli->json) return;
  mst_str line = {0};
  add_note(cli, &line, note);
  if (line.failed)
    fputs("muster: note: there was no memory for a note\n", cli->err.stream);
  else
    to_stderr(cli, &line);
  mst_str_reset(&line);
}

void mst_cli_take_note(mst_cli *cli, mst_str *note) {
  mst_cli_note(cli, note->failed ? "there was no memory for a note" : mst_str_text(note));
  mst_str_reset(note);
}

void mst_cli_print_notes(mst_cli *cli, const muster_dataset *dataset) {
  if (cli->quiet || cli->json) return;
  mst_str lines = {0};
  for (size_t i = 0; i < muster_dataset_note_count(dataset); i++)
    add_note(cli, &lines, muster_dataset_note(dataset, i));
  if (lines.failed)
    fputs("muster: note: there was no memory for the notes\n", cli->err.stream);
  else
    to_stderr(cli, &lines);
  mst_str_reset(&lines);
}

static void fail_output(mst_cli *cli, int errnum) {
  muster_error error;
  cli->output_failed = true;
  cli->output_closed = errnum == EPIPE;
  if (cli->output_closed && cli->pipe_ends_us) return;
  (void)mst_fail_errno(&error, "standard output", -1, errnum, "write");
  (void)mst_cli_fail(cli, &error);
}

bool mst_cli_flush(mst_cli *cli) {
  if (cli->output_failed) return false;
  const mst_str *text = &cli->result;
  if (text->failed) {
    cli->output_failed = true;
    (void)mst_cli_fail_memory(cli);
    return false;
  }
  errno = 0;
  const size_t done = fwrite(mst_str_text(text), 1, text->length, cli->out.stream);
  if (fflush(cli->out.stream) != 0 || done != text->length) {
    fail_output(cli, errno != 0 ? errno : EIO);
    __fpurge(cli->out.stream);
    clearerr(cli->out.stream);
    return false;
  }
  mst_str_reset(&cli->result);
  return true;
}

muster_status mst_cli_write_file(const char *path, const char *text, muster_error *error) {
  mst_new_file file = {0};
  const size_t length = strlen(text);
  muster_status status = mst_new_file_begin(&file, path, length, error);
  if (status == MUSTER_OK) status = mst_io_write(file.fd, file.temporary, 0, text, length, error);
  if (status == MUSTER_OK) status = mst_new_file_commit(&file, error);
  mst_new_file_reset(&file);
  return status;
}
