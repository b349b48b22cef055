/* SPDX-License-Identifier: Apache-2.0 */
/* muster demo: the other commands, one after the other, on a dataset of its own. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <sys/random.h>
#include <unistd.h>

#include "base/alloc.h"
#include "cli/commands.h"
#include "cli/options.h"

/* With 16 float32 values a row, about 256 MB. */
#define DEFAULT_ROWS 4000000

typedef struct demo_args {
  mst_cli *cli;
  uint64_t rows;
  bool keep;
  bool quiet;
  char *folder;
  int steps;    /* begun */
  bool ran;     /* the last step's command did its work */
  bool written; /* there is something to clean */
} demo_args;

enum { KEY_ROWS = 0x600, KEY_KEEP };

static error_t parse(int key, char *arg, struct argp_state *state) {
  demo_args *args = state->input;
  switch (key) {
  case ARGP_KEY_INIT: state->child_inputs[0] = args->cli; return 0;
  case KEY_ROWS: return mst_option_count(args->cli, "rows", arg, 0, UINT64_MAX, &args->rows);
  case KEY_KEEP: args->keep = true; return 0;
  default: return ARGP_ERR_UNKNOWN;
  }
}

static const struct argp_option options_table[] = {
    {.name = "rows",
     .key = KEY_ROWS,
     .arg = "N",
     .doc = "Rows of 16 float32 values (default: 4M, 256 MB)"},
    {.name = "keep", .key = KEY_KEEP, .doc = "Leave the dataset there"},
    {0}};
static const struct argp_child children[] = {
    {.argp = &mst_plain_argp, .header = "Output:", .group = 2}, {0}};
static const struct argp argp = {
    .options = options_table,
    .parser = parse,
    .args_doc = "[DIR]",
    .children = children,
    .doc = "Writes a dataset of unequal shards into a new folder (DIR, or one below $TMPDIR or "
           "/tmp), inspects, plans, loads and verifies it, and removes it."};
static const mst_syntax syntax = {.argp = &argp, .max_paths = 1};

/* A name that nothing has: `write` refuses a folder that is there. */
static char *choose_folder(const mst_cli *cli) {
  mst_str name = {0};
  if (cli->paths.length > 0) {
    const char *path = cli->paths.data[0];
    mst_str_addf(&name, "%s%s", path[0] == '-' ? "./" : "", path);
    return mst_str_take(&name);
  }
  const char *parent = getenv("TMPDIR");
  uint32_t number = 0;
  if (getrandom(&number, sizeof number, 0) != sizeof number) number = (uint32_t)getpid();
  mst_str_addf(&name, "%s/muster-demo-%08" PRIx32,
               parent != NULL && *parent != '\0' ? parent : "/tmp", number);
  return mst_str_take(&name);
}

/* ---- one step ---- */

#define MOST_WORDS 8

/* Prints the command line as one would type it, runs it, and prints what it says. */
static int step(demo_args *args, int argc, const char *const *words) {
  args->ran = false;
  mst_cli *cli = args->cli;
  char *argv[MOST_WORDS + 2] = {0};
  mst_str_addf(&cli->result, "%s%s$ muster", args->steps++ > 0 ? "\n" : "",
               mst_term_style(&cli->out, MST_BOLD));
  for (int i = 0; i < argc; i++) {
    mst_str_add(&cli->result, " ");
    mst_add_safe(&cli->result, words[i]);
    argv[i] = (char *)(uintptr_t)words[i]; /* argp reorders the pointers, no more */
  }
  mst_str_addf(&cli->result, "%s\n", mst_term_style(&cli->out, MST_PLAIN));
  if (!mst_cli_flush(cli)) return MST_EXIT_WRONG;
  char quiet[] = "--quiet";
  if (args->quiet) argv[argc++] = quiet;
  const int status = mst_cli_run(cli, argc, argv);
  args->ran = status == MST_EXIT_DONE;
  const bool printed = mst_cli_flush(cli);
  if (status != MST_EXIT_DONE) return status;
  return printed && *mst_signals_flag() == 0 ? MST_EXIT_DONE : MST_EXIT_WRONG;
}

static int write_step(demo_args *args) {
  char rows[24];
  snprintf(rows, sizeof rows, "%" PRIu64, args->rows);
  const char *const words[] = {"write", args->folder, "--rows", rows, "--shards", "6"};
  const int status = step(args, 6, words);
  /* The status may be that of a Ctrl-C after the last file, or of stdout. */
  args->written = args->ran;
  return status;
}

static int check_steps(demo_args *args) {
  const char *const inspect[] = {"inspect", args->folder};
  const char *const plan[] = {"plan", args->folder, "--procs", "4"};
  const char *const load[] = {"load", args->folder};
  const char *const verify[] = {"verify", args->folder};
  int status = step(args, 2, inspect);
  if (status == MST_EXIT_DONE) status = step(args, 4, plan);
  if (status == MST_EXIT_DONE) status = step(args, 2, load);
  if (status == MST_EXIT_DONE) status = step(args, 2, verify);
  return status;
}

/* ---- the end ---- */

/* After a failure nothing is shown but what goes wrong here, too. */
static int clean_after_failure(demo_args *args, int status) {
  muster_error error;
  uint64_t removed = 0;
  if (!args->written || args->keep) return status;
  const muster_status cleaned = muster_clean(args->folder, &removed, &error);
  if (cleaned != MUSTER_OK && cleaned != MUSTER_ERR_NOT_FOUND) {
    (void)mst_cli_fail(args->cli, &error);
  }
  return status;
}

static int run(demo_args *args) {
  int status = write_step(args);
  if (status == MST_EXIT_DONE) status = check_steps(args);
  if (status != MST_EXIT_DONE) return clean_after_failure(args, status);
  if (args->keep) return status;
  const char *const clean[] = {"clean", args->folder};
  return step(args, 2, clean);
}

int mst_cmd_demo(mst_cli *cli, int argc, char **argv) {
  demo_args args = {.cli = cli, .rows = DEFAULT_ROWS};
  int status = mst_cli_parse(cli, &syntax, argc, argv, &args);
  if (status != MST_GO_ON) return status;
  args.quiet = cli->quiet;
  args.folder = choose_folder(cli);
  if (args.folder == NULL) return mst_cli_fail_memory(cli);
  mst_signals saved;
  mst_signals_begin(&saved);
  status = run(&args);
  mst_signals_end(&saved);
  mst_free(args.folder);
  return status;
}
