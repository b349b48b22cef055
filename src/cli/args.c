/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Command lines, by argp. Its own messages name neither a near option nor the command's help, so
 * the options are looked over before argp sees them, and argp is kept from printing and exiting.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/status.h"
#include "cli/cli.h"

/* ---- what every command has ---- */

enum { KEY_JSON = 0x100 };

static error_t parse_common(int key, char *arg, struct argp_state *state) {
  mst_cli *cli = state->input;
  switch (key) {
  case 'h': cli->help = true; return 0;
  case 'q': cli->quiet = true; return 0;
  case KEY_JSON: cli->json = true; return 0;
  case ARGP_KEY_ARG: return mst_vec_push(&cli->paths, arg) ? 0 : ENOMEM;
  default: return ARGP_ERR_UNKNOWN;
  }
}

#define HELP_OPTION \
  { .name = "help", .key = 'h', .doc = "Print this help" }
#define QUIET_OPTION \
  { .name = "quiet", .key = 'q', .doc = "Print no notes and no progress" }
#define JSON_OPTION \
  { .name = "json", .key = KEY_JSON, .doc = "Print the result, and any error, as JSON" }

static const struct argp_option common_options[] = {HELP_OPTION, QUIET_OPTION, JSON_OPTION, {0}};
static const struct argp_option plain_options[] = {HELP_OPTION, QUIET_OPTION, {0}};
const struct argp mst_common_argp = {.options = common_options, .parser = parse_common};
const struct argp mst_plain_argp = {.options = plain_options, .parser = parse_common};
const struct argp_child mst_common_children[] = {
    {.argp = &mst_common_argp, .header = "Output:", .group = 2}, {0}};
const struct argp_child mst_plain_children[] = {
    {.argp = &mst_plain_argp, .header = "Output:", .group = 2}, {0}};

error_t mst_cli_no_options(int key, char *arg, struct argp_state *state) {
  (void)arg;
  if (key != ARGP_KEY_INIT) return ARGP_ERR_UNKNOWN;
  state->child_inputs[0] = state->input;
  return 0;
}

/* ---- usage errors ---- */

/* Of an option in a file the key is told, not the option. */
static void put_origin(const char *origin, muster_error *error) {
  mst_str line = {0};
  mst_str_addf(&line, "%s: %s", origin,
               error->message + (mst_starts_with(error->message, "--") ? 2 : 0));
  if (!line.failed) {
    const size_t length =
        line.length < sizeof error->message ? line.length : sizeof error->message - 1;
    memcpy(error->message, line.data, length);
    error->message[length] = '\0';
  }
  mst_str_reset(&line);
}

int mst_cli_usage(mst_cli *cli, const char *format, ...) {
  muster_error error = {.status = MUSTER_ERR_USAGE, .offset = -1};
  va_list args;
  va_start(args, format);
  vsnprintf(error.message, sizeof error.message, format, args);
  va_end(args);
  if (cli->origin != NULL) put_origin(cli->origin, &error);
  if (cli->json) return mst_cli_fail(cli, &error);
  mst_str line = {0};
  const char *space = cli->command != NULL ? " " : "";
  const char *command = cli->command != NULL ? cli->command : "";
  mst_str_addf(&line, "muster%s%s: ", space, command);
  mst_add_safe(&line, error.message);
  const bool question = line.length > 0 && line.data[line.length - 1] == '?';
  mst_str_addf(&line, "%s See 'muster%s%s --help'.\n", question ? "" : ".", space, command);
  fputs(mst_str_text(&line), cli->err.stream);
  fflush(cli->err.stream);
  mst_str_reset(&line);
  return MST_EXIT_USAGE;
}

/* ---- looking the options over ---- */

typedef MST_VEC(const struct argp_option *) option_list;

static bool add_options(option_list *list, const struct argp *argp) {
  for (const struct argp_option *o = argp->options; o != NULL && o->name != NULL; o++) {
    if (!mst_vec_push(list, o)) return false;
  }
  return true;
}

/* The children of our parsers have no children themselves. */
static bool collect(option_list *list, const struct argp *argp) {
  bool done = add_options(list, argp);
  for (const struct argp_child *c = argp->children; done && c->argp != NULL; c++) {
    done = add_options(list, c->argp);
  }
  return done;
}

typedef struct arg_scan {
  mst_cli *cli;
  option_list options;
  const char *next; /* the argument after the one looked at, or NULL */
  bool takes_next;  /* it is a value */
} arg_scan;

/* "did you mean" for a long option; the names it points to are the tables' own. */
static int unknown_long(arg_scan *scan, const char *name) {
  const char *names[128];
  size_t count = 0;
  for (size_t i = 0; i < scan->options.length && count < 127; i++) {
    names[count++] = scan->options.data[i]->name;
  }
  names[count] = NULL;
  const char *near = mst_nearest(name, names);
  if (near == NULL) return mst_cli_usage(scan->cli, "unknown option '--%s'", name);
  return mst_cli_usage(scan->cli, "unknown option '--%s'; did you mean '--%s'?", name, near);
}

/* Finds a long option as getopt does: the exact name, or the only one that begins so. */
static const struct argp_option *find_long(const arg_scan *scan, const char *name,
                                           bool *ambiguous) {
  const struct argp_option *found = NULL;
  *ambiguous = false;
  for (size_t i = 0; i < scan->options.length; i++) {
    const struct argp_option *option = scan->options.data[i];
    if (strcmp(option->name, name) == 0) {
      *ambiguous = false;
      return option;
    }
    if (!mst_starts_with(option->name, name)) continue;
    if (found != NULL) *ambiguous = true;
    found = option;
  }
  return found;
}

static int check_long(arg_scan *scan, const char *text) {
  char name[64];
  const size_t length = strcspn(text, "=");
  if (length == 0 || length >= sizeof name) {
    return mst_cli_usage(scan->cli, "unknown option '--%s'", text);
  }
  memcpy(name, text, length);
  name[length] = '\0';
  bool ambiguous = false;
  const struct argp_option *option = find_long(scan, name, &ambiguous);
  if (ambiguous) return mst_cli_usage(scan->cli, "'--%s' may stand for several options", name);
  if (option == NULL) return unknown_long(scan, name);
  if (option->arg == NULL && text[length] == '=') {
    return mst_cli_usage(scan->cli, "'--%s' takes no value", option->name);
  }
  if (option->arg != NULL && text[length] == '\0') {
    if (scan->next == NULL) {
      return mst_cli_usage(scan->cli, "'--%s' needs a value, %s", option->name, option->arg);
    }
    scan->takes_next = true;
  }
  return MST_GO_ON;
}

static const struct argp_option *find_short(const arg_scan *scan, char letter) {
  for (size_t i = 0; i < scan->options.length; i++) {
    if (scan->options.data[i]->key == letter) return scan->options.data[i];
  }
  return NULL;
}

static int check_short(arg_scan *scan, const char *letters) {
  for (; *letters != '\0'; letters++) {
    const struct argp_option *option = find_short(scan, *letters);
    if (option == NULL) return mst_cli_usage(scan->cli, "unknown option '-%c'", *letters);
    if (option->arg == NULL) continue;
    if (letters[1] == '\0' && scan->next == NULL) {
      return mst_cli_usage(scan->cli, "'-%c' needs a value, %s", *letters, option->arg);
    }
    scan->takes_next = letters[1] == '\0';
    break;
  }
  return MST_GO_ON;
}

static int check_options(mst_cli *cli, const struct argp *argp, int argc, char **argv) {
  arg_scan scan = {.cli = cli};
  int status = collect(&scan.options, argp) ? MST_GO_ON : mst_cli_fail_memory(cli);
  for (int i = 1; i < argc && status == MST_GO_ON; i++) {
    const char *text = argv[i];
    if (strcmp(text, "--") == 0) break;
    if (text[0] != '-' || text[1] == '\0') continue;
    scan.next = i + 1 < argc ? argv[i + 1] : NULL;
    scan.takes_next = false;
    status = text[1] == '-' ? check_long(&scan, text + 2) : check_short(&scan, text + 1);
    if (scan.takes_next) i++;
  }
  mst_vec_reset(&scan.options);
  return status;
}

bool mst_cli_wants_json(int argc, char **argv) {
  for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
    if (strcmp(argv[i], "--json") == 0) return true;
  }
  return false;
}

/* ---- parsing ---- */

/* argp's note that values of long options are those of short ones tells nobody anything. */
static char *without_note(int key, const char *text, void *input) {
  (void)input;
  return key == ARGP_KEY_HELP_DUP_ARGS_NOTE ? NULL : (char *)(uintptr_t)text;
}

static int print_help(mst_cli *cli, const struct argp *argp) {
  char name[64];
  snprintf(name, sizeof name, "muster %s", cli->command);
  struct argp shown = *argp;
  shown.help_filter = without_note;
  argp_help(&shown, cli->out.stream, ARGP_HELP_SHORT_USAGE | ARGP_HELP_LONG | ARGP_HELP_DOC, name);
  return mst_cli_flush(cli) ? MST_EXIT_DONE : MST_EXIT_WRONG;
}

static int check_paths(mst_cli *cli, const mst_syntax *syntax) {
  const size_t count = cli->paths.length;
  if (count < syntax->min_paths) {
    const char *name = syntax->argp->args_doc;
    return mst_cli_usage(cli, "a %.*s is missing", (int)strcspn(name, ". "), name);
  }
  if (syntax->max_paths > 0 && count > syntax->max_paths) {
    return mst_cli_usage(cli, "'%s' is one argument too many", cli->paths.data[syntax->max_paths]);
  }
  for (size_t i = 0; i < count; i++) {
    if (*cli->paths.data[i] == '\0') return mst_cli_usage(cli, "an argument is empty");
  }
  return MST_GO_ON;
}

static int describe(const mst_cli *cli, const struct argp *argp) {
  const mst_describing *to = cli->describing;
  option_list options = {0};
  to->command(to->context, cli->command, argp);
  const bool done = collect(&options, argp);
  for (size_t i = 0; done && i < options.length; i++)
    to->option(to->context, options.data[i]);
  mst_vec_reset(&options);
  return done ? MST_EXIT_DONE : MST_EXIT_WRONG;
}

int mst_cli_parse(mst_cli *cli, const mst_syntax *syntax, int argc, char **argv, void *input) {
  if (cli->describing != NULL) return describe(cli, syntax->argp);
  cli->json = mst_cli_wants_json(argc, argv);
  int status = check_options(cli, syntax->argp, argc, argv);
  if (status != MST_GO_ON) return status;
  const unsigned flags = ARGP_NO_EXIT | ARGP_NO_ERRS | ARGP_NO_HELP;
  const error_t failed = argp_parse(syntax->argp, argc, argv, flags, NULL, input);
  if (failed == ENOMEM) return mst_cli_fail_memory(cli);
  if (failed != 0) return MST_EXIT_USAGE; /* the option's own parser has said why */
  if (cli->help) return print_help(cli, syntax->argp);
  return check_paths(cli, syntax);
}
