/* SPDX-License-Identifier: Apache-2.0 */
/* muster completion: scripts for shells, made of the same tables as the help. */
#include <ctype.h>
#include <string.h>

#include "base/status.h"
#include "cli/commands.h"

static const struct argp argp = {
    .parser = mst_cli_no_options,
    .args_doc = "SHELL",
    .children = mst_plain_children,
    .doc = "Prints a script that makes a SHELL (bash, zsh or fish) complete commands and "
           "options.\v"
           "bash:  muster completion bash > ~/.local/share/bash-completion/completions/muster\n"
           "zsh:   muster completion zsh > \"${fpath[1]}/_muster\"\n"
           "fish:  muster completion fish > ~/.config/fish/completions/muster.fish"};
static const mst_syntax syntax = {.argp = &argp, .min_paths = 1, .max_paths = 1};

static bool has_letter(const struct argp_option *option) {
  return option->key > 0 && option->key < 128 && isprint(option->key);
}

/* Within '...' of a POSIX shell. */
static void add_quoted(mst_str *out, const char *text) {
  for (; *text != '\0'; text++)
    mst_str_addf(out, *text == '\'' ? "'\\'%c" : "%c", *text);
}

/* ---- bash ---- */

static void bash_command(void *context, const char *name, const struct argp *what) {
  (void)what;
  mst_str_addf(context, "    %s) options='", name);
}

/* An option that takes a value is completed up to it. */
static void bash_option(void *context, const struct argp_option *option) {
  mst_str *out = context;
  if (has_letter(option)) mst_str_addf(out, "-%c ", option->key);
  mst_str_addf(out, "--%s%s ", option->name, option->arg != NULL ? "=" : "");
}

static void add_bash(mst_str *out) {
  const mst_describing describing = {
      .command = bash_command, .option = bash_option, .context = out};
  const char *name, *summary;
  mst_str_add(out, "# Completion of muster for bash. Made by: muster completion bash\n"
                   "_muster() {\n"
                   "  local word=${COMP_WORDS[COMP_CWORD]} command=${COMP_WORDS[1]} options\n"
                   "  COMPREPLY=()\n"
                   "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
                   "    mapfile -t COMPREPLY < <(compgen -W '");
  for (size_t i = 0; (name = mst_cli_command(i, &summary)) != NULL; i++)
    mst_str_addf(out, "%s ", name);
  mst_str_add(out, "help --version' -- \"$word\")\n"
                   "    return\n"
                   "  fi\n"
                   "  [[ $word == -* ]] || return\n"
                   "  case $command in\n");
  for (size_t i = 0; (name = mst_cli_command(i, &summary)) != NULL; i++) {
    if (!mst_cli_describe(name, &describing)) out->failed = true;
    mst_str_add(out, "' ;;\n");
  }
  mst_str_add(out, "  esac\n"
                   "  mapfile -t COMPREPLY < <(compgen -W \"$options\" -- \"$word\")\n"
                   "  [[ ${COMPREPLY[0]} != *= ]] || compopt -o nospace\n"
                   "}\n"
                   "complete -o default -F _muster muster\n");
}

/* ---- zsh ---- */

static void zsh_command(void *context, const char *name, const struct argp *what) {
  (void)what;
  mst_str_addf(context, "    %s) _arguments", name);
}

/* What _arguments gives a meaning is escaped. */
static void add_zsh_text(mst_str *out, const char *text) {
  char piece[3] = "";
  for (; *text != '\0'; text++) {
    const bool special = strchr("[]:\\", *text) != NULL;
    piece[0] = special ? '\\' : *text;
    piece[1] = special ? *text : '\0';
    add_quoted(out, piece);
  }
}

static void add_zsh_option(mst_str *out, const char *dashes, const char *name,
                           const struct argp_option *option) {
  const char *before = option->arg == NULL ? "" : dashes[1] == '-' ? "=" : "+";
  mst_str_addf(out, " \\\n      '%s%s%s[", dashes, name, before);
  add_zsh_text(out, option->doc);
  mst_str_add(out, "]");
  if (option->arg != NULL) {
    mst_str_add(out, ":");
    add_zsh_text(out, option->arg);
    mst_str_add(out, ":_files");
  }
  mst_str_add(out, "'");
}

static void zsh_option(void *context, const struct argp_option *option) {
  const char letter[2] = {(char)option->key, '\0'};
  if (has_letter(option)) add_zsh_option(context, "-", letter, option);
  add_zsh_option(context, "--", option->name, option);
}

static void add_zsh(mst_str *out) {
  const mst_describing describing = {.command = zsh_command, .option = zsh_option, .context = out};
  const char *name, *summary;
  mst_str_add(out, "#compdef muster\n"
                   "# Completion of muster for zsh. Made by: muster completion zsh\n"
                   "_muster() {\n"
                   "  local -a commands\n"
                   "  commands=(\n");
  for (size_t i = 0; (name = mst_cli_command(i, &summary)) != NULL; i++) {
    mst_str_addf(out, "    '%s:", name);
    add_zsh_text(out, summary);
    mst_str_add(out, "'\n");
  }
  mst_str_add(out, "    'help:print the commands'\n"
                   "  )\n"
                   "  if ((CURRENT == 2)); then\n"
                   "    _describe command commands\n"
                   "    return\n"
                   "  fi\n"
                   "  local command=${words[2]}\n"
                   "  shift words\n"
                   "  ((CURRENT--))\n"
                   "  case $command in\n");
  for (size_t i = 0; (name = mst_cli_command(i, &summary)) != NULL; i++) {
    if (!mst_cli_describe(name, &describing)) out->failed = true;
    mst_str_add(out, " \\\n      '*:file:_files' ;;\n");
  }
  mst_str_add(out, "  esac\n"
                   "}\n"
                   "_muster \"$@\"\n");
}

/* ---- fish ---- */

typedef struct fish {
  mst_str *out;
  const char *command;
} fish;

static void fish_command(void *context, const char *name, const struct argp *what) {
  (void)what;
  ((fish *)context)->command = name;
}

static void fish_option(void *context, const struct argp_option *option) {
  const fish *to = context;
  mst_str_addf(to->out, "complete -c muster -n '__fish_seen_subcommand_from %s'", to->command);
  if (has_letter(option)) mst_str_addf(to->out, " -s %c", option->key);
  mst_str_addf(to->out, " -l %s%s -d '", option->name, option->arg != NULL ? " -r" : "");
  for (const char *c = option->doc; *c != '\0'; c++)
    mst_str_addf(to->out, strchr("'\\", *c) != NULL ? "\\%c" : "%c", *c);
  mst_str_add(to->out, "'\n");
}

static void add_fish(mst_str *out) {
  fish to = {.out = out};
  const mst_describing describing = {
      .command = fish_command, .option = fish_option, .context = &to};
  const char *name, *summary;
  mst_str_add(out, "# Completion of muster for fish. Made by: muster completion fish\n");
  for (size_t i = 0; (name = mst_cli_command(i, &summary)) != NULL; i++) {
    mst_str_addf(out, "complete -c muster -n __fish_use_subcommand -f -a %s -d '", name);
    for (const char *c = summary; *c != '\0'; c++)
      mst_str_addf(out, strchr("'\\", *c) != NULL ? "\\%c" : "%c", *c);
    mst_str_add(out, "'\n");
    if (!mst_cli_describe(name, &describing)) out->failed = true;
  }
}

/* ---- the command ---- */

int mst_cmd_completion(mst_cli *cli, int argc, char **argv) {
  static const char *const shells[] = {"bash", "zsh", "fish", NULL};
  static void (*const add[])(mst_str * out) = {add_bash, add_zsh, add_fish};
  const int status = mst_cli_parse(cli, &syntax, argc, argv, cli);
  if (status != MST_GO_ON) return status;
  for (size_t i = 0; shells[i] != NULL; i++) {
    if (strcmp(cli->paths.data[0], shells[i]) != 0) continue;
    add[i](&cli->result);
    return MST_EXIT_DONE;
  }
  return mst_cli_usage(cli, "no completion for '%s': bash, zsh or fish", cli->paths.data[0]);
}
