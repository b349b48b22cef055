/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <string.h>
#include <sys/wait.h>

#include "base/alloc.h"
#include "base/status.h"
#include "cli/child.h"
#include "cli/cli.h"
#include "cli/mcp_tools.h"

/* What is kept of what a command prints, and of what it says on stderr. */
#define MOST_TEXT ((size_t)4 << 20)
#define MOST_NOTES ((size_t)256 << 10)

/* ---- the command line ------------------------------------------------------------------------- */

static muster_status refuse(const mst_mcp_argument *argument, const char *wrong,
                            muster_error *error) {
  return mst_fail(error, MUSTER_ERR_USAGE, NULL, "argument '%s' %s", argument->name, wrong);
}

/* Standard input belongs to the client, and a name ends at its first zero byte. */
static const char *wrong_text(const mst_mcp_argument *argument, yyjson_val *value) {
  const char *text = yyjson_get_str(value);
  if (text == NULL)
    return argument->kind == MST_MCP_TEXTS ? "is no list of strings" : "is no string";
  if (strlen(text) != yyjson_get_len(value)) return "has a zero byte in it";
  if (argument->option == NULL && strcmp(text, "-") == 0)
    return "cannot be '-', standard input; a file of that name is './-'";
  return NULL;
}

static muster_status add_text(const mst_mcp_argument *argument, yyjson_val *value, mst_names *words,
                              muster_error *error) {
  const char *wrong = wrong_text(argument, value);
  if (wrong != NULL) return refuse(argument, wrong, error);
  const bool added =
      argument->option != NULL
          ? mst_child_add_word(words, "--%s=%s", argument->option, yyjson_get_str(value))
          : mst_child_add_word(words, "%s", yyjson_get_str(value));
  return added ? MUSTER_OK : mst_fail_memory(error);
}

static muster_status add_texts(const mst_mcp_argument *argument, yyjson_val *list, mst_names *words,
                               muster_error *error) {
  size_t i, count;
  yyjson_val *value;
  muster_status status = MUSTER_OK;
  if (!yyjson_is_arr(list)) return refuse(argument, "is no list of strings", error);
  if (yyjson_arr_size(list) == 0) return refuse(argument, "is empty", error);
  yyjson_arr_foreach(list, i, count, value) {
    status = add_text(argument, value, words, error);
    if (status != MUSTER_OK) break;
  }
  return status;
}

static muster_status add_count(const mst_mcp_argument *argument, yyjson_val *value,
                               mst_names *words, muster_error *error) {
  if (!yyjson_is_uint(value)) return refuse(argument, "is no whole number from 0 on", error);
  const bool added =
      mst_child_add_word(words, "--%s=%" PRIu64, argument->option, yyjson_get_uint(value));
  return added ? MUSTER_OK : mst_fail_memory(error);
}

static muster_status add_flag(const mst_mcp_argument *argument, yyjson_val *value, mst_names *words,
                              muster_error *error) {
  if (!yyjson_is_bool(value)) return refuse(argument, "is neither true nor false", error);
  if (!yyjson_get_bool(value) || mst_child_add_word(words, "--%s", argument->option))
    return MUSTER_OK;
  return mst_fail_memory(error);
}

static muster_status add_argument(const mst_mcp_argument *argument, yyjson_val *arguments,
                                  mst_names *words, muster_error *error) {
  yyjson_val *value = yyjson_obj_get(arguments, argument->name);
  if (value == NULL) return argument->is_needed ? refuse(argument, "is missing", error) : MUSTER_OK;
  switch (argument->kind) {
  case MST_MCP_TEXT: return add_text(argument, value, words, error);
  case MST_MCP_TEXTS: return add_texts(argument, value, words, error);
  case MST_MCP_COUNT: return add_count(argument, value, words, error);
  default: return add_flag(argument, value, words, error);
  }
}

/* Those that are options, or those that are none. */
static muster_status add_arguments(const mst_mcp_tool *tool, yyjson_val *arguments, bool options,
                                   mst_names *words, muster_error *error) {
  muster_status status = MUSTER_OK;
  for (const mst_mcp_argument *argument = tool->arguments;
       status == MUSTER_OK && argument->name != NULL; argument++)
    if ((argument->option != NULL) == options)
      status = add_argument(argument, arguments, words, error);
  return status;
}

static bool has_argument(const mst_mcp_tool *tool, yyjson_val *name) {
  for (const mst_mcp_argument *argument = tool->arguments; argument->name != NULL; argument++)
    if (yyjson_equals_str(name, argument->name)) return true;
  return false;
}

static muster_status check_names(const mst_mcp_tool *tool, yyjson_val *arguments,
                                 muster_error *error) {
  size_t i, count;
  yyjson_val *name, *value;
  if (arguments != NULL && !yyjson_is_obj(arguments))
    return mst_fail(error, MUSTER_ERR_USAGE, NULL, "the arguments are no object");
  yyjson_obj_foreach(arguments, i, count, name, value) {
    if (!has_argument(tool, name))
      return mst_fail(error, MUSTER_ERR_USAGE, NULL, "%s has no argument '%.100s'", tool->name,
                      yyjson_get_str(name));
  }
  return MUSTER_OK;
}

muster_status mst_mcp_make_words(const mst_mcp_tool *tool, yyjson_val *arguments, mst_names *words,
                                 muster_error *error) {
  muster_status status = check_names(tool, arguments, error);
  if (status != MUSTER_OK) return status;
  if (!mst_child_add_word(words, "/proc/self/exe") ||
      !mst_child_add_word(words, "%s", tool->command) ||
      (tool->option != NULL && !mst_child_add_word(words, "%s", tool->option)))
    return mst_fail_memory(error);
  status = add_arguments(tool, arguments, true, words, error);
  if (status == MUSTER_OK && !mst_child_add_word(words, "--")) status = mst_fail_memory(error);
  if (status == MUSTER_OK) status = add_arguments(tool, arguments, false, words, error);
  if (status == MUSTER_OK && !mst_vec_push(words, NULL)) status = mst_fail_memory(error);
  return status;
}

void mst_mcp_free_words(mst_names *words) {
  if (words->length > 0 && words->data[words->length - 1] == NULL) words->length--;
  mst_names_reset(words);
}

/* ---- the run ---------------------------------------------------------------------------------- */

typedef struct outcome {
  mst_str text;
  mst_str notes; /* what it says on stderr, and what is said of the run here */
  bool is_cut;
  bool is_cancelled;
  int errnum; /* why the text is not all that it prints, or 0 */
  int status; /* as from waitpid */
} outcome;

/* What is too much is read all the same: so the command comes to its end. */
static void read_text(mst_child *child, outcome *what) {
  char piece[65536];
  size_t got;
  while (mst_child_read(child, piece, sizeof piece, &got)) {
    const size_t room = MOST_TEXT - what->text.length;
    what->is_cut = what->is_cut || got > room;
    mst_str_add_bytes(&what->text, piece, got < room ? got : room);
  }
}

static int run(const mst_names *words, mst_child_cancel cancel, outcome *what) {
  mst_child child;
  const int failed = mst_child_start_apart(&child, words->data, cancel);
  if (failed != 0) return failed;
  read_text(&child, what);
  what->status = mst_child_end(&child);
  what->is_cancelled = child.is_cancelled;
  what->errnum = child.errnum;
  const bool all = mst_child_take_errors(&child, MOST_NOTES, &what->notes);
  if (!all) mst_str_add(&what->notes, "\nmuster: more was said than is kept here\n");
  if (what->is_cut)
    mst_str_addf(&what->notes, "muster: the text is cut: it is longer than %zu bytes\n", MOST_TEXT);
  if (what->errnum != 0)
    mst_str_addf(&what->notes, "muster: cannot read what the command prints: %s\n",
                 strerror(what->errnum));
  if (WIFSIGNALED(what->status))
    mst_str_addf(&what->notes, "muster: the command was ended by signal %d\n",
                 WTERMSIG(what->status));
  return 0;
}

/* A verdict as bad as --fail-on of a file with options says is none: there is a report. */
static bool is_error(const mst_mcp_tool *tool, const outcome *what) {
  if (what->errnum != 0 || !WIFEXITED(what->status)) return true;
  const int status = WEXITSTATUS(what->status);
  const bool is_verdict = status == MST_EXIT_WRONG && strcmp(tool->command, "assess") == 0;
  return is_verdict ? what->text.length == 0 : status != MST_EXIT_DONE;
}

static void add_item(yyjson_mut_doc *doc, yyjson_mut_val *content, const mst_str *text) {
  yyjson_mut_val *item = yyjson_mut_arr_add_obj(doc, content);
  yyjson_mut_obj_add_str(doc, item, "type", "text");
  mst_json_add_text(doc, item, "text", mst_str_text(text));
}

static void fill(const mst_mcp_tool *tool, outcome *what, int failed, yyjson_mut_doc *doc,
                 yyjson_mut_val *result) {
  if (failed != 0)
    mst_str_addf(&what->notes, "muster: cannot start the command: %s\n", strerror(failed));
  if (what->text.failed || what->notes.failed) {
    mst_str_reset(&what->text);
    mst_str_reset(&what->notes);
    mst_str_add(&what->notes, "muster: out of memory\n");
    failed = 1;
  }
  yyjson_mut_val *content = yyjson_mut_obj_add_arr(doc, result, "content");
  if (what->text.length > 0) add_item(doc, content, &what->text);
  if (what->notes.length > 0) add_item(doc, content, &what->notes);
  yyjson_mut_obj_add_bool(doc, result, "isError", failed != 0 || is_error(tool, what));
}

bool mst_mcp_run(const mst_mcp_tool *tool, const mst_names *words, mst_child_cancel cancel,
                 yyjson_mut_doc *doc, yyjson_mut_val *result) {
  outcome what = {0};
  mst_signals saved;
  mst_signals_begin(&saved);
  const int failed = run(words, cancel, &what);
  mst_signals_end(&saved);
  if (!what.is_cancelled) fill(tool, &what, failed, doc, result);
  mst_str_reset(&what.text);
  mst_str_reset(&what.notes);
  return !what.is_cancelled;
}
