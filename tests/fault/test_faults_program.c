/* SPDX-License-Identifier: Apache-2.0 */
/* Every allocation and I/O call of the program's commands fails once: see support.h. */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "cli/cli.h"
#include "fault/support.h"

/* One source a program: see cmake/tests.cmake. */
#include "fault/support.c"
#include "fault/sweep.c"

/* Time stands still: seconds and rates are the same in every run. */
int clock_gettime(clockid_t clock, struct timespec *out) {
  (void)clock;
  *out = (struct timespec){0};
  return 0;
}

/* ---- datasets ------------------------------------------------------------------------------- */

#define UNEVEN .shards = 3, .rows = {3, 1, 4}
#define WIDE .trailing_rank = 2, .trailing = {2, 3}

static const fixture plain = {"<f4", false, 1, WIDE, UNEVEN, .companions = true};
static const fixture fortran = {">i4", true, 2, WIDE, UNEVEN};
static const fixture equal = {"<i2", false, 1, WIDE, .shards = 2, .rows = {2, 2}};
static const fixture raw = {"<i4", false, 0, WIDE, UNEVEN};
static const fixture written = {
    "<i8",          false,           1, .trailing_rank = 1, .trailing = {3}, .shards = 2,
    .rows = {3, 2}, .recorded = true};
static const fixture written_raw = {
    "<i8",          false,           0, .trailing_rank = 1, .trailing = {3}, .shards = 2,
    .rows = {3, 2}, .recorded = true};

/* ---- running a command ---------------------------------------------------------------------- */

#define MOST_WORDS 12

typedef struct command {
  const fixture *fixture;        /* in the folder DATA; NULL: no folder */
  const char *checksum_of;       /* type of the array whose checksum must be printed; NULL: none */
  const char *expect;            /* part of stdout */
  const char *remove;            /* a file of the folder that shall not be there */
  bool tells;                    /* stdout has something to say after a failure, too */
  const char *words[MOST_WORDS]; /* DATA and NEW stand for the folders */
} command;

static void prepare(const operation *op) {
  const command *c = op->detail;
  char path[200];
  if (c->fixture != NULL) fixture_make(c->fixture, data_folder);
  snprintf(path, sizeof path, "%s/%s", data_folder, c->remove != NULL ? c->remove : "");
  if (c->remove != NULL) must(remove(path) == 0, path);
  snprintf(path, sizeof path, "%.*s", (int)(strlen(new_folder) - strlen("/new")), new_folder);
  fs_mkdir(path);
  fs_print("out.npy", "an older file\n");
  fs_print("seal.json", "an older seal\n");
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

/* argv of its own, as a program has it. */
static int make_argv(const command *c, char *argv[MOST_WORDS + 2]) {
  int argc = 0;
  argv[argc++] = strdup("muster");
  for (size_t i = 0; i < MOST_WORDS && c->words[i] != NULL; i++) {
    const char *word = c->words[i];
    if (strcmp(word, "DATA") == 0) word = data_folder;
    if (strcmp(word, "NEW") == 0) word = new_folder;
    argv[argc++] = strdup(word);
  }
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

static void check_success(const command *c, const char *out) {
  char checksum[24];
  size_t length;
  if (c->expect != NULL && strstr(out, c->expect) == NULL)
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
  if (status != MST_EXIT_WRONG) problem("exit status %d: %s", status, result->text);
  if (out[0] != '\0' && !c->tells) problem("half a result: %s", out);
  result->has_error = is_json(c) && read_error(result->text, &result->error);
  if (lines_about_memory(result->text) > 1) problem("said twice: %s", result->text);
  if (!result->has_error && strstr(result->text, "muster: ") == NULL)
    problem("no error: %s", result->text);
}

static void run(const operation *op, outcome *result) {
  const command *c = op->detail;
  char *out, *err;
  const int status = run_command(c, &out, &err);
  result->done = status == MST_EXIT_DONE;
  result->result = out;
  if (result->done) {
    result->notes = err;
    check_success(c, out);
  } else {
    result->text = err;
    check_failure(c, status, out, result);
  }
}

/* ---- the table ------------------------------------------------------------------------------ */

#define WORDS(...) .words = {__VA_ARGS__}
#define COMMAND(name, effect, ...)                               \
  {                                                              \
    name, effect, prepare, run, &(const command) { __VA_ARGS__ } \
  }

static const operation operations[] = {
    COMMAND("inspect", READS, .fixture = &plain, .expect = "(8, 2, 3)",
            WORDS("inspect", "DATA", "-j1")),
    COMMAND("inspect --json", READS, .fixture = &plain, .expect = "\"float32\"", .tells = true,
            WORDS("inspect", "DATA", "-j1", "--json")),
    COMMAND("inspect raw --json", READS, .fixture = &raw, .expect = "\"int32\"", .tells = true,
            WORDS("inspect", "DATA", "-j1", "--json")),
    COMMAND("plan", READS, .fixture = &plain, .expect = "3 tiles for 3 processors",
            WORDS("plan", "DATA", "-j1", "--procs", "3")),
    COMMAND("plan --json", READS, .fixture = &fortran, .expect = "\"tile_count\": 3",
            WORDS("plan", "DATA", "-j1", "--procs", "3", "--json")),
    COMMAND("load", READS, .fixture = &plain, .checksum_of = "f4", WORDS("load", "DATA", "-j1")),
    COMMAND("load --json", READS, .fixture = &raw, .checksum_of = "i4",
            WORDS("load", "DATA", "-j1", "--json")),
    COMMAND("load --dtype float64 --to null", READS, .fixture = &fortran, .checksum_of = "f8",
            WORDS("load", "DATA", "-j1", "--dtype", "float64", "--to", "null")),
    COMMAND("load --stack", READS, .fixture = &equal, .checksum_of = "i2", .expect = "(2, 2, 2, 3)",
            WORDS("load", "DATA", "-j1", "--stack")),
    COMMAND("load --verify", READS, .fixture = &written, .checksum_of = "i8",
            .expect = "2 shards as sealed", WORDS("load", "DATA", "-j1", "--verify")),
    COMMAND("load -o", REPLACES, .fixture = &plain, .checksum_of = "f4",
            WORDS("load", "DATA", "-j1", "-o", "out.npy")),
    COMMAND("load -o --json", REPLACES, .fixture = &fortran, .checksum_of = "i8",
            WORDS("load", "DATA", "-j1", "--dtype", "int64", "-o", "out.npy", "--json")),
    COMMAND("write", REPLACES, .expect = "2 shards",
            WORDS("write", "NEW", "-j1", "--dtype", "int64", "--row-shape", "3", "--shard-rows",
                  "3,2")),
    COMMAND(
        "write --format raw --json", REPLACES, .expect = "\"raw\"",
        WORDS("write", "NEW", "-j1", "--format", "raw", "--rows", "9", "--shards", "2", "--json")),
    COMMAND("seal", REPLACES, .fixture = &written, .remove = "_muster_seal.json", .expect = "seal",
            WORDS("seal", "DATA", "-j1")),
    COMMAND("seal -o --json", REPLACES, .fixture = &written_raw, .expect = "muster.seal/1",
            WORDS("seal", "DATA", "-j1", "-o", "seal.json", "--json")),
    COMMAND("verify", READS, .fixture = &written, .expect = "seed: 15 cells",
            WORDS("verify", "DATA", "-j1")),
    COMMAND("verify --json", READS, .fixture = &written_raw, .expect = "\"right\": true",
            WORDS("verify", "DATA", "-j1", "--json")),
    COMMAND("clean", REMOVES, .fixture = &written, .remove = "_muster_seal.json",
            .expect = "removed, and the folder", WORDS("clean", "DATA")),
    COMMAND("clean --json", REMOVES, .fixture = &written_raw, .remove = "_muster_seal.json",
            .expect = "\"complete\": true", WORDS("clean", "DATA", "--json")),
    COMMAND("formats", READS, .expect = "npy", WORDS("formats")),
    COMMAND("formats --json", READS, .expect = "muster.formats/1", WORDS("formats", "--json")),
};

int main(void) { return sweep("faults in the program", operations, COUNT_OF(operations), true); }
