/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Commands of the program as operations that faults are injected into. Included by the sources of
 * test programs, behind support.c and sweep.c.
 */
#include <fcntl.h>
#include <sys/mman.h>
#include <time.h>

#include "cli/cli.h"

/* Time stands still: seconds and rates are the same in every run. */
int clock_gettime(clockid_t clock, struct timespec *out) {
  (void)clock;
  *out = (struct timespec){0};
  return 0;
}

/* ---- running a command ---------------------------------------------------------------------- */

#define MOST_WORDS 12

typedef struct command {
  const fixture *fixture;        /* in the folder DATA; NULL: no folder */
  void (*make)(const char *);    /* makes the folder DATA instead; NULL: see above */
  const char *checksum_of;       /* type of the array whose checksum must be printed; NULL: none */
  const char *expect;            /* part of stdout */
  const char *remove;            /* a file of the folder that shall not be there */
  const char *report;            /* a file that is written instead of stdout; NULL: none */
  bool tells;                    /* stdout has something to say after a failure, too */
  bool is_told;                  /* a fault may be told in the result, which is another one then */
  const char *words[MOST_WORDS]; /* DATA, DATA/... and NEW stand for the folders */
} command;

static const char older_report[] = "an older report\n";

static void prepare(const operation *op) {
  const command *c = op->detail;
  char path[200];
  if (c->make != NULL) c->make(data_folder);
  if (c->fixture != NULL) fixture_make(c->fixture, data_folder);
  snprintf(path, sizeof path, "%s/%s", data_folder, c->remove != NULL ? c->remove : "");
  if (c->remove != NULL) must(remove(path) == 0, path);
  snprintf(path, sizeof path, "%.*s", (int)(strlen(new_folder) - strlen("/new")), new_folder);
  fs_mkdir(path);
  fs_print("out.npy", "an older file\n");
  fs_print("seal.json", "an older seal\n");
  if (c->report != NULL) fs_print(c->report, older_report);
}

/* A stream of the process that goes into a file for a while. */
typedef struct capture {
  int stream;
  int kept;
  int file;
} capture;

static capture begin_capture(int stream) {
  capture c = {stream, dup(stream), memfd_create("captured", 0)};
  must(c.kept >= 0 && c.file >= 0 && dup2(c.file, stream) == stream, "capture");
  return c;
}

static char *end_capture(const capture *c) {
  const off_t length = lseek(c->file, 0, SEEK_END);
  char *text = memory((size_t)length);
  must(pread(c->file, text, (size_t)length, 0) == length, "capture");
  must(dup2(c->kept, c->stream) == c->stream, "capture");
  (void)close(c->kept);
  (void)close(c->file);
  return text;
}

static char *spelled(const char *word) {
  char text[300];
  if (strcmp(word, "NEW") == 0) return strdup(new_folder);
  if (strncmp(word, "DATA", strlen("DATA")) != 0) return strdup(word);
  snprintf(text, sizeof text, "%s%s", data_folder, word + strlen("DATA"));
  return strdup(text);
}

/* argv of its own, as a program has it. */
static int make_argv(const command *c, char *argv[MOST_WORDS + 2]) {
  int argc = 0;
  argv[argc++] = strdup("muster");
  for (size_t i = 0; i < MOST_WORDS && c->words[i] != NULL; i++)
    argv[argc++] = spelled(c->words[i]);
  argv[argc] = NULL;
  return argc;
}

/* Takes the lines of progress out, which nobody misses where memory is short. */
static void drop_progress(char *text) {
  static const char begin[] = "{\"schema\":\"muster.progress/1\"";
  char *to = text;
  while (*text != '\0') {
    const size_t length = strcspn(text, "\n") + (strchr(text, '\n') != NULL);
    if (strncmp(text, begin, strlen(begin)) != 0) {
      memmove(to, text, length);
      to += length;
    }
    text += length;
  }
  *to = '\0';
}

static int run_command(const command *c, char **out, char **err) {
  char *argv[MOST_WORDS + 2];
  char *given[MOST_WORDS + 2]; /* argp moves the pointers */
  const int argc = make_argv(c, argv);
  memcpy(given, argv, sizeof given);
  fflush(stdout);
  fflush(stderr);
  const capture on_stdout = begin_capture(STDOUT_FILENO);
  const capture on_stderr = begin_capture(STDERR_FILENO);
  const int status = mst_cli_main(argc, argv);
  fflush(stdout);
  fflush(stderr);
  *err = end_capture(&on_stderr);
  drop_progress(*err);
  *out = end_capture(&on_stdout);
  for (int i = 0; i < argc; i++)
    free(given[i]);
  return status;
}

/* ---- what it said --------------------------------------------------------------------------- */

static void copy_text(char *to, size_t size, yyjson_val *value) {
  const char *text = yyjson_get_str(value);
  snprintf(to, size, "%s", text != NULL ? text : "");
}

/* The error as --json puts it on stderr. False when it is no JSON. */
static bool read_error(const char *text, muster_error *error) {
  /* Stops at the end of the first one: a second one is a finding of its own. */
  yyjson_doc *doc = yyjson_read(text, strlen(text), YYJSON_READ_STOP_WHEN_DONE);
  yyjson_val *root = yyjson_doc_get_root(doc);
  yyjson_val *offset = yyjson_obj_get(root, "offset");
  const char *status = yyjson_get_str(yyjson_obj_get(root, "status"));
  *error = (muster_error){.offset = -1};
  for (int i = MUSTER_OK; status != NULL && i <= MUSTER_ERR_CANCELLED; i++)
    if (strcmp(status, muster_status_name((muster_status)i)) == 0) error->status = (muster_status)i;
  error->errnum = yyjson_get_int(yyjson_obj_get(root, "errno"));
  if (yyjson_is_int(offset)) error->offset = yyjson_get_sint(offset);
  copy_text(error->path, sizeof error->path, yyjson_obj_get(root, "path"));
  copy_text(error->message, sizeof error->message, yyjson_obj_get(root, "message"));
  yyjson_doc_free(doc);
  return status != NULL;
}

static bool is_json(const command *c) {
  for (size_t i = 0; i < MOST_WORDS && c->words[i] != NULL; i++)
    if (strcmp(c->words[i], "--json") == 0) return true;
  return false;
}

static void check_success(const command *c, const char *out, const outcome *result) {
  char checksum[24];
  size_t length;
  if (c->expect != NULL && strstr(out, c->expect) == NULL && !is_told(result))
    problem("'%s' is not in the output:\n%s", c->expect, out);
  if (c->checksum_of == NULL) return;
  unsigned char *bytes =
      fixture_rows_as(c->fixture, c->checksum_of, 0, fixture_rows(c->fixture), &length);
  snprintf(checksum, sizeof checksum, "%016llx", (unsigned long long)checksum_of(bytes, length));
  if (strstr(out, checksum) == NULL) problem("not the checksum %s:\n%s", checksum, out);
  free(bytes);
}

static size_t lines_about_memory(const char *text) {
  size_t lines = 0;
  while ((text = strstr(text, "out of memory")) != NULL) {
    text += strcspn(text, "\n");
    lines++;
  }
  return lines;
}

static void check_failure(const command *c, int status, const char *out, outcome *result) {
  /* That nothing could be read is like a wrong path. */
  const bool is_usage = status == MST_EXIT_USAGE && c->is_told;
  if (status != MST_EXIT_WRONG && !is_usage) problem("exit status %d: %s", status, result->text);
  if (out[0] != '\0' && !c->tells) problem("half a result: %s", out);
  result->has_error = is_json(c) && !is_usage && read_error(result->text, &result->error);
  if (lines_about_memory(result->text) > 1) problem("said twice: %s", result->text);
  if (!result->has_error && !is_usage && strstr(result->text, "muster: ") == NULL)
    problem("no error: %s", result->text);
}

/* What a report was written into: all of the new one after a success, else the older one. The
 * older one is put back, so that nothing on disk has changed. */
static char *take_report(const command *c, bool done, const char *err) {
  size_t length;
  char *text = fs_read(c->report, &length);
  must(text != NULL, c->report);
  const bool same = strcmp(text, older_report) == 0;
  if (same == done && strstr(err, "what was written is in its place") == NULL)
    problem("%s, and the report is %s", done ? "success" : "failure",
            same ? "the older one" : text);
  fs_print(c->report, older_report);
  return text;
}

static void run(const operation *op, outcome *result) {
  const command *c = op->detail;
  char *out, *err;
  const int status = run_command(c, &out, &err);
  if (c->report != NULL) {
    if (out[0] != '\0') problem("a report and an output: %s", out);
    free(out);
    out = take_report(c, status == MST_EXIT_DONE, err);
  }
  result->done = status == MST_EXIT_DONE;
  result->is_told = c->is_told;
  result->result = out;
  if (result->done) {
    result->notes = err;
    check_success(c, out, result);
  } else {
    result->text = err;
    check_failure(c, status, c->report != NULL ? "" : out, result);
  }
}

#define WORDS(...) .words = {__VA_ARGS__}
#define COMMAND(name, effect, ...)                               \
  {                                                              \
    name, effect, prepare, run, &(const command) { __VA_ARGS__ } \
  }
