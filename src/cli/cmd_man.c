/* SPDX-License-Identifier: Apache-2.0 */
/* muster man: manual pages, made of the same tables as the help. */
#include <ctype.h>
#include <string.h>

#include "cli/commands.h"

static const struct argp argp = {
    .parser = mst_cli_no_options,
    .args_doc = "[COMMAND]",
    .children = mst_plain_children,
    .doc = "Prints the manual page of a COMMAND, or of muster as a whole, as roff: "
           "muster man load | man -l -"};
static const mst_syntax syntax = {.argp = &argp, .max_paths = 1};

/* A hyphen that is to be copied is \-; a line must not begin with a dot or a quote. */
static void add_roff(mst_str *out, const char *text) {
  bool begins = out->length == 0 || out->data[out->length - 1] == '\n';
  for (; *text != '\0'; text++) {
    if (begins && (*text == '.' || *text == '\'')) mst_str_add(out, "\\&");
    if (*text == '-')
      mst_str_add(out, "\\-");
    else if (*text == '\\')
      mst_str_add(out, "\\e");
    else if (*text == '\n')
      mst_str_add(out, "\n.br\n");
    else
      mst_str_addf(out, "%c", *text);
    begins = *text == '\n';
  }
}

static void add_title(mst_str *out, const char *command) {
  mst_str_add(out, ".TH MUSTER");
  for (const char *c = command; c != NULL && *c != '\0'; c++)
    mst_str_addf(out, "%s%c", c == command ? "\\-" : "", toupper((unsigned char)*c));
  mst_str_addf(out, " 1 \"\" \"muster %s\" \"User Commands\"\n.SH NAME\nmuster", muster_version());
  if (command != NULL) mst_str_addf(out, "\\-%s", command);
}

/* ---- of a command ---- */

static void page_command(void *context, const char *name, const struct argp *what) {
  mst_str *out = context;
  const char *doc = what->doc != NULL ? what->doc : "";
  const size_t before = strcspn(doc, "\v");
  mst_str_addf(out, ".SH SYNOPSIS\n\\fBmuster %s\\fR [\\fIOPTION\\fR...]", name);
  if (what->args_doc != NULL) {
    mst_str_add(out, " \\fI");
    add_roff(out, what->args_doc);
    mst_str_add(out, "\\fR");
  }
  mst_str_add(out, "\n.SH DESCRIPTION\n");
  mst_str first = {0};
  mst_str_add_bytes(&first, doc, before);
  add_roff(out, mst_str_text(&first));
  mst_str_reset(&first);
  if (doc[before] == '\v') {
    mst_str_add(out, "\n.PP\n");
    add_roff(out, doc + before + 1);
  }
  mst_str_add(out, "\n.SH OPTIONS\n");
}

static void page_option(void *context, const struct argp_option *option) {
  mst_str *out = context;
  mst_str_add(out, ".TP\n");
  if (option->key > 0 && option->key < 128 && isprint(option->key))
    mst_str_addf(out, "\\fB\\-%c\\fR, ", option->key);
  mst_str_add(out, "\\fB\\-\\-");
  add_roff(out, option->name);
  mst_str_add(out, "\\fR");
  if (option->arg != NULL) {
    mst_str_add(out, "=\\fI");
    add_roff(out, option->arg);
    mst_str_add(out, "\\fR");
  }
  mst_str_add(out, "\n");
  add_roff(out, option->doc);
  mst_str_add(out, "\n");
}

static void add_page(mst_str *out, const char *name, const char *summary) {
  const mst_describing describing = {
      .command = page_command, .option = page_option, .context = out};
  add_title(out, name);
  mst_str_add(out, " \\- ");
  add_roff(out, summary);
  mst_str_add(out, "\n");
  if (!mst_cli_describe(name, &describing)) out->failed = true;
  mst_str_add(out, ".SH SEE ALSO\n.BR muster (1)\n");
}

/* ---- of the whole ---- */

static void add_main_page(mst_str *out) {
  const char *name, *summary;
  add_title(out, NULL);
  mst_str_add(out, " \\- assess NumPy code for cuPyNumeric, and load datasets of many files\n"
                   ".SH SYNOPSIS\n"
                   "\\fBmuster\\fR \\fICOMMAND\\fR [\\fIOPTION\\fR...] [\\fIPATH\\fR...]\n"
                   ".SH DESCRIPTION\n"
                   "Says whether NumPy code will scale on cuPyNumeric, and loads a dataset that "
                   "lies on disk as many files into one array, in parallel.\n"
                   ".SH COMMANDS\n");
  for (size_t i = 0; (name = mst_cli_command(i, &summary)) != NULL; i++) {
    mst_str_addf(out, ".TP\n.BR muster\\-%s (1)\n", name);
    add_roff(out, summary);
    mst_str_add(out, "\n");
  }
  mst_str_add(out, ".SH EXIT STATUS\n"
                   "0: done; 1: the data is wrong, or a check failed; 2: wrong usage.\n");
}

int mst_cmd_man(mst_cli *cli, int argc, char **argv) {
  const int status = mst_cli_parse(cli, &syntax, argc, argv, cli);
  if (status != MST_GO_ON) return status;
  const char *wanted = cli->paths.length > 0 ? cli->paths.data[0] : NULL;
  const char *name = NULL, *summary = NULL;
  for (size_t i = 0; wanted != NULL && (name = mst_cli_command(i, &summary)) != NULL; i++)
    if (strcmp(name, wanted) == 0) break;
  if (wanted != NULL && name == NULL)
    return mst_cli_usage(cli, "no command '%s': 'muster help' lists them", wanted);
  if (name == NULL)
    add_main_page(&cli->result);
  else
    add_page(&cli->result, name, summary);
  return MST_EXIT_DONE;
}
