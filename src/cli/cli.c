/* SPDX-License-Identifier: Apache-2.0 */
/* The program but for main(): the command table, and what holds for all commands. */
#include "cli/cli.h"

#include <signal.h>
#include <string.h>

#include "base/alloc.h"
#include "cli/commands.h"

typedef struct command_row {
  const char *name;
  const char *summary;
  int (*run)(mst_cli *cli, int argc, char **argv);
} command_row;

static const command_row commands[] = {
#define COMMAND(name, summary) {#name, summary, mst_cmd_##name},
#include "cli/commands.def"
#undef COMMAND
};

#define COMMAND_COUNT (sizeof commands / sizeof *commands)

static const command_row *find_command(const char *name) {
  for (size_t i = 0; i < COMMAND_COUNT; i++) {
    if (strcmp(commands[i].name, name) == 0) return &commands[i];
  }
  return NULL;
}

/* ---- one run ---- */

void mst_cli_init(mst_cli *cli) {
  *cli = (mst_cli){0};
  mst_term_init(&cli->out, stdout);
  mst_term_init(&cli->err, stderr);
}

void mst_cli_reset(mst_cli *cli) {
  mst_str_reset(&cli->result);
  mst_vec_reset(&cli->paths);
  mst_vec_reset(&cli->faults);
}

static int unknown(mst_cli *cli, const char *what, const char *word, const char *near) {
  cli->command = NULL;
  if (near == NULL) return mst_cli_usage(cli, "unknown %s '%s'", what, word);
  return mst_cli_usage(cli, "unknown %s '%s'; did you mean '%s'?", what, word, near);
}

static int unknown_command(mst_cli *cli, const char *name) {
  const char *names[COMMAND_COUNT + 2];
  for (size_t i = 0; i < COMMAND_COUNT; i++)
    names[i] = commands[i].name;
  names[COMMAND_COUNT] = "help";
  names[COMMAND_COUNT + 1] = NULL;
  return unknown(cli, "command", name, mst_nearest(name, names));
}

int mst_cli_run(mst_cli *cli, int argc, char **argv) {
  const command_row *command = find_command(argv[0]);
  if (command == NULL) return unknown_command(cli, argv[0]);
  cli->command = command->name;
  cli->help = cli->json = cli->quiet = false;
  cli->paths.length = 0;
  return command->run(cli, argc, argv);
}

const char *mst_cli_command(size_t index, const char **summary) {
  if (index >= COMMAND_COUNT) return NULL;
  *summary = commands[index].summary;
  return commands[index].name;
}

bool mst_cli_describe(const char *name, const mst_describing *describing) {
  mst_cli cli;
  mst_cli_init(&cli);
  cli.describing = describing;
  char *arguments[] = {(char *)(uintptr_t)name, NULL};
  const int status = mst_cli_run(&cli, 1, arguments);
  mst_cli_reset(&cli);
  return status == MST_EXIT_DONE;
}

/* ---- what is no command ---- */

static void add_help(mst_cli *cli) {
  mst_str *out = &cli->result;
  mst_table table = {.align = "ll"};
  mst_str_add(out,
              "Usage: muster COMMAND [OPTION...] [PATH...]\n\n"
              "Says whether NumPy code will scale on cuPyNumeric, and loads a dataset that lies\n"
              "on disk as many files into one array, in parallel.\n\n"
              "Commands:\n");
  for (size_t i = 0; i < COMMAND_COUNT; i++) {
    mst_table_add(&table, commands[i].name);
    mst_table_add(&table, commands[i].summary);
  }
  mst_table_print(&table, out, 2);
  mst_str_add(
      out,
      "\nA PATH of data is a file, a folder, a glob in quotes, @list.txt (a file of paths), or\n"
      "null:SHAPE[:DTYPE[:SHARDS]] (zeros without any file).\n\n"
      "  muster COMMAND --help   the options of a command\n"
      "  muster --version        the version\n\n"
      "Exit status: 0 done; 1 the data is wrong or a check failed; 2 wrong usage.\n");
}

static int help_command(mst_cli *cli, int argc, char **argv) {
  if (argc > 1 && argv[1][0] != '-') {
    char help[] = "--help";
    char *arguments[] = {argv[1], help, NULL};
    return mst_cli_run(cli, 2, arguments);
  }
  add_help(cli);
  return MST_EXIT_DONE;
}

static bool is_either(const char *word, const char *a, const char *b) {
  return strcmp(word, a) == 0 || strcmp(word, b) == 0;
}

static int dispatch(mst_cli *cli, int argc, char **argv) {
  static const char *const options[] = {"help", "version", NULL};
  cli->json = mst_cli_wants_json(argc, argv);
  if (argc < 2) return mst_cli_usage(cli, "a command is missing");
  const char *word = argv[1];
  if (is_either(word, "help", "--help") || strcmp(word, "-h") == 0) {
    return help_command(cli, argc - 1, argv + 1);
  }
  if (is_either(word, "--version", "-V")) {
    mst_str_addf(&cli->result, "muster %s\n", muster_version());
    return MST_EXIT_DONE;
  }
  if (word[0] != '-') return mst_cli_run(cli, argc - 1, argv + 1);
  const char *near = mst_starts_with(word, "--") ? mst_nearest(word + 2, options) : NULL;
  if (near == NULL) return unknown(cli, "option", word, NULL);
  return unknown(cli, "option", word, near == options[0] ? "--help" : "--version");
}

/* ---- the whole program ---- */

/* Zero when no signal shall end the program. */
static int ending_signal(const mst_cli *cli) {
  if (*mst_signals_flag() != 0) return *mst_signals_flag();
  return cli->output_closed && cli->pipe_ends_us ? SIGPIPE : 0;
}

int mst_cli_main(int argc, char **argv) {
  /* A reader that goes away must not end us before the half-written file is removed. */
  struct sigaction ignore = {.sa_handler = SIG_IGN};
  struct sigaction old_pipe;
  struct sigaction old_size;
  mst_cli cli;
  mst_cli_init(&cli);
  mst_signals_forget();
  sigemptyset(&ignore.sa_mask);
  sigaction(SIGPIPE, &ignore, &old_pipe);
  sigaction(SIGXFSZ, &ignore, &old_size); /* a limit on file size is an error like a full disk */
  cli.pipe_ends_us = old_pipe.sa_handler == SIG_DFL;
  int status = dispatch(&cli, argc, argv);
  if (!mst_cli_flush(&cli) && status == MST_EXIT_DONE) status = MST_EXIT_WRONG;
  if (ending_signal(&cli) != 0) status = MST_EXIT_SIGNAL + ending_signal(&cli);
  sigaction(SIGPIPE, &old_pipe, NULL);
  sigaction(SIGXFSZ, &old_size, NULL);
  mst_cli_reset(&cli);
  return status;
}
