/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the commands share. A command is one function, mst_cmd_NAME(cli, argc, argv): it parses its
 * command line, does its work by the public interface of libmuster, adds its result to
 * cli->result, and returns an exit status. It never prints to stdout itself: mst_cli_main does that
 * at the end, so that a failed command leaves no half of a result behind.
 */
#ifndef MST_CLI_CLI_H
#define MST_CLI_CLI_H

#include <argp.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/json.h"
#include "base/shape.h"
#include "base/str.h"
#include "cli/term.h"
#include "base/vec.h"
#include "muster/muster.h"

/* Exit status; 128 + N: the caller shall end itself by signal N. */
enum {
  MST_EXIT_DONE = 0,
  MST_EXIT_WRONG = 1, /* the data is wrong, a check or a system call failed */
  MST_EXIT_USAGE = 2,
  MST_EXIT_SIGNAL = 128
};

/* Not an exit status: the command line was understood, go on. */
#define MST_GO_ON (-1)

struct mst_describing;

typedef struct mst_cli {
  const char *command;                     /* "load"; NULL before a command was found */
  const struct mst_describing *describing; /* mst_cli_parse tells it what there is, and no more */
  mst_term out;
  mst_term err;
  const char *origin;           /* FILE:LINE of an option that is being set; NULL: none is */
  bool json;                    /* --json: the result and errors are JSON objects */
  bool quiet;                   /* --quiet: no notes, no progress */
  bool help;                    /* --help was seen */
  MST_VEC(const char *) paths;  /* arguments that are no options, borrowed from argv */
  mst_str result;               /* what stdout will get */
  bool output_failed;           /* stdout takes no more; that has been said */
  bool output_closed;           /* stdout is a pipe that nobody reads */
  bool pipe_ends_us;            /* SIGPIPE was not ignored when the program began */
  MST_VEC(muster_error) faults; /* told by on_fault and not yet printed */
  bool faults_lost;             /* there was no memory to keep one */
} mst_cli;

/* The whole program, callable from a test: it does not exit, nor leave anything behind. */
int mst_cli_main(int argc, char **argv);

/* Zeroes everything and looks at the terminals. */
void mst_cli_init(mst_cli *cli);
void mst_cli_reset(mst_cli *cli);
/* Runs argv[0] as a command; the result stays in cli->result. */
int mst_cli_run(mst_cli *cli, int argc, char **argv);

/* ---- command lines (args.c) ---- */

typedef struct mst_syntax {
  const struct argp *argp;
  size_t min_paths;
  size_t max_paths; /* 0: any number */
} mst_syntax;

/*
 * Parses; the first argp child must be mst_common_argp or mst_plain_argp with `cli` as its input.
 * Returns MST_GO_ON, or the exit status when the help was asked for or something is wrong, which
 * has been said then.
 */
int mst_cli_parse(mst_cli *cli, const mst_syntax *syntax, int argc, char **argv, void *input);

/* What the tables of all commands are made into: manual pages, completion. */
typedef struct mst_describing {
  void (*command)(void *context, const char *name, const struct argp *argp); /* then its options */
  void (*option)(void *context, const struct argp_option *option);
  void *context;
} mst_describing;

/* Name and one-line summary of a command, in the order of the help; NULL behind the last. */
const char *mst_cli_command(size_t index, const char **summary);
/* Tells of a command: its own first, then those that it shares with others. False: not of all,
 * there was no memory; that is not said. */
bool mst_cli_describe(const char *name, const mst_describing *describing);

/* Whether --json is there: it must be known before the first error. */
bool mst_cli_wants_json(int argc, char **argv);

/* --help, --quiet, --json and the paths; mst_plain_argp is without --json. */
extern const struct argp mst_common_argp;
extern const struct argp mst_plain_argp;
/* For commands that have no options but these; the input is the mst_cli. */
error_t mst_cli_no_options(int key, char *arg, struct argp_state *state);
extern const struct argp_child mst_common_children[], mst_plain_children[];

/* Says "muster COMMAND: ... See 'muster COMMAND --help'." Returns MST_EXIT_USAGE. */
int mst_cli_usage(mst_cli *cli, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* ---- output (output.c) ---- */

/* Prints an error, the faults told before it among it, and returns its exit status. */
int mst_cli_fail(mst_cli *cli, const muster_error *error);
/* The same for a command that has exit statuses of its own. */
int mst_cli_fail_with(mst_cli *cli, const muster_error *error, int exit);
int mst_cli_fail_memory(mst_cli *cli);
/* Prints a note on stderr, unless --quiet or --json; a path in it may be anything. */
void mst_cli_note(mst_cli *cli, const char *note);
/* A muster_fault_fn; user is the mst_cli. The faults are printed by mst_cli_fail. */
void mst_cli_keep_fault(void *user, const muster_error *fault);
/* The same with a text that was put together, which is reset. */
void mst_cli_take_note(mst_cli *cli, mst_str *note);
/* Prints the dataset's notes, unless --quiet or --json (then they are in the result). */
void mst_cli_print_notes(mst_cli *cli, const muster_dataset *dataset);
/* Moves cli->result to stdout. False when that failed, which has been said. */
bool mst_cli_flush(mst_cli *cli);
/* For -o: the file appears whole or not at all; an existing one is replaced. */
muster_status mst_cli_write_file(const char *path, const char *text, muster_error *error);

/* ---- JSON (result.c) ---- */

/* A JSON object to be filled; yyjson_mut_* calls may fail unseen, mst_result_end tells. */
typedef struct mst_result {
  yyjson_mut_doc *doc;
  yyjson_mut_val *root;
} mst_result;

/* False when there is no memory, which has been said. */
bool mst_result_begin(mst_cli *cli, mst_result *result, const char *schema);
/* Adds the object to cli->result, frees it, returns an exit status. */
int mst_result_end(mst_cli *cli, mst_result *result);

/* Appends the document as one line. False when memory ran out. */
bool mst_json_line(yyjson_mut_doc *doc, mst_str *out);

/* All take the object to add to; a NULL text is null. Keys are not copied. */
void mst_json_add_text(yyjson_mut_doc *doc, yyjson_mut_val *object, const char *key,
                       const char *text);
void mst_json_add_dtype(yyjson_mut_doc *doc, yyjson_mut_val *object, const char *key,
                        const muster_dtype *dtype);
void mst_json_add_shape(yyjson_mut_doc *doc, yyjson_mut_val *object, const char *key,
                        const uint64_t *shape, size_t rank);
void mst_json_add_paths(yyjson_mut_doc *doc, yyjson_mut_val *object, const mst_cli *cli);
void mst_json_add_notes(yyjson_mut_doc *doc, yyjson_mut_val *object, const muster_dataset *dataset);
/* "problems": the faults kept; if there are none, the error, which may be NULL. */
void mst_json_add_problems(yyjson_mut_doc *doc, yyjson_mut_val *object, const mst_cli *cli,
                           const muster_error *error);

/* ---- datasets (describe.c) ---- */

/* Bytes of the whole array; UINT64_MAX when they are more. */
uint64_t mst_dataset_bytes(const muster_dataset *dataset);
/* Length of the folder, with its slash, that the paths of all shards begin with. */
size_t mst_common_folder(const muster_dataset *dataset);
/* Appends a shard's path behind the first `folder` bytes, and which array of the file it is. */
void mst_add_shard_name(mst_str *out, const muster_shard *shard, size_t folder);
/* The same as "path" and "member" of a JSON object. */
void mst_json_add_shard(yyjson_mut_doc *doc, yyjson_mut_val *object, const muster_shard *shard);
/* format, shape, rows, dtype, source_dtype, row_bytes, bytes, shard_count; null without dataset. */
void mst_json_add_dataset(yyjson_mut_doc *doc, yyjson_mut_val *object,
                          const muster_dataset *dataset);
/* "float32", and what the files hold if that is something else. */
void mst_add_dtype(mst_str *out, const muster_dataset *dataset);

/* ---- text (text.c) ---- */

/* "1,234,567". */
void mst_add_count(mst_str *out, uint64_t count);
/* "262 MB". */
void mst_add_size(mst_str *out, double bytes);
/* "262 MB (262,144,000)". */
void mst_add_exact_size(mst_str *out, uint64_t bytes);
/* "1 shard", "2 shards". */
void mst_add_counted(mst_str *out, uint64_t count, const char *noun);

/* Lines of cells in aligned columns, the last one not padded. Zeroed memory has no columns. */
typedef struct mst_table {
  const char *align; /* one letter a column: l or r */
  MST_VEC(char *) cells;
  bool failed;
} mst_table;

/* Takes the text and leaves it empty. */
void mst_table_take(mst_table *table, mst_str *cell);
void mst_table_add(mst_table *table, const char *cell);
/* For tables of names and values: a name, and the text taken. */
void mst_table_pair(mst_table *table, const char *name, mst_str *value);
/* Adds the table to out, each line after `indent` spaces, and empties it. */
void mst_table_print(mst_table *table, mst_str *out, int indent);

/* Seconds of a clock that only goes forward. */
double mst_now(void);

/* ---- signals (signals.c) ---- */

#define MST_SIGNAL_COUNT 7

/* What the signals that end a program did before. */
typedef struct mst_signals {
  struct sigaction old[MST_SIGNAL_COUNT];
} mst_signals;

/* From here to mst_signals_end these signals only raise the flag; a second one ends the program. */
void mst_signals_begin(mst_signals *saved);
void mst_signals_end(const mst_signals *saved);
/* For muster_load_options.cancel: the number of the signal that came. */
const volatile int *mst_signals_flag(void);
/* The set of them. */
void mst_signals_all(sigset_t *out);
void mst_signals_forget(void);

#endif
