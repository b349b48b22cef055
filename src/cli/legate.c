/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/legate.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#include "base/alloc.h"
#include "base/pool.h"
#include "base/status.h"
#include "cli/child.h"

/* Beside the array, Legate needs some of its memory for itself. */
#define SPARE_BYTES ((uint64_t)256 << 20)
#define RESULT "muster-result: "

/* ---- the command line ------------------------------------------------------------------------- */

bool mst_legate_add_arguments(mst_names *launcher, const char *text) {
  while (*(text += strspn(text, " \t\n")) != '\0') {
    const size_t length = strcspn(text, " \t\n");
    if (!mst_names_take(launcher, mst_strndup(text, length))) return false;
    text += length;
  }
  return true;
}

/* Legate sizes itself by the GPUs, but cannot where there are none. */
static bool add_size(mst_names *words, const mst_legate_load *load) {
  bool has_gpu = false;
  (void)mst_io_find("/dev/nvidiactl", &has_gpu, NULL);
  if (has_gpu || load->launcher.length > 0) return true;
  const uint64_t bytes = mst_dataset_bytes(load->dataset);
  const unsigned threads = load->data->open.threads;
  return mst_child_add_word(words, "--cpus") &&
         mst_child_add_word(words, "%u", threads > 0 ? threads : mst_default_threads()) &&
         mst_child_add_word(words, "--gpus") && mst_child_add_word(words, "0") &&
         mst_child_add_word(words, "--sysmem") &&
         mst_child_add_word(words, "%" PRIu64, (bytes + bytes / 4 + SPARE_BYTES) >> 20);
}

static bool add_text(mst_names *words, const char *option, const char *value) {
  return value == NULL || mst_child_add_word(words, "--%s=%s", option, value);
}

static bool add_count(mst_names *words, const char *option, uint64_t count) {
  return count == 0 || mst_child_add_word(words, "--%s=%" PRIu64, option, count);
}

static bool add_flag(mst_names *words, const char *option, bool flag) {
  return !flag || mst_child_add_word(words, "--%s", option);
}

static bool add_row_shape(mst_names *words, const muster_open_options *open) {
  if (!open->row_shape_set) return true;
  mst_str word = {0};
  mst_str_add(&word, "--row-shape=");
  for (size_t i = 0; i < open->row_rank; i++)
    mst_str_addf(&word, "%" PRIu64 ",", open->row_shape[i]);
  return mst_names_take(words, mst_str_take(&word));
}

static bool add_columns(mst_names *words, const muster_open_options *open) {
  if (open->column_count == 0) return true;
  mst_str word = {0};
  mst_str_add(&word, "--columns=");
  for (size_t i = 0; i < open->column_count; i++) {
    if (i > 0) mst_str_add(&word, ",");
    for (const char *at = open->columns[i]; *at != '\0'; at++)
      mst_str_addf(&word, "%s%c", *at == ',' ? "\\" : "", *at);
  }
  return mst_names_take(words, mst_str_take(&word));
}

static bool add_tables(mst_names *words, const muster_open_options *open) {
  return add_text(words, "dataset", open->dataset) && add_columns(words, open) &&
         add_text(words, "null", open->null_value) && add_flag(words, "strict", open->strict) &&
         add_flag(words, "decode-cf", open->decode_cf) &&
         add_flag(words, "follow-external", open->follow_external);
}

static bool add_dataset(mst_names *words, const muster_open_options *open) {
  return add_text(words, "format", open->format) && add_text(words, "sidecar", open->sidecar) &&
         add_text(words, "source-dtype", open->source_dtype) &&
         add_text(words, "dtype", open->dtype) && add_row_shape(words, open) &&
         (!open->header_bytes_set ||
          mst_child_add_word(words, "--header-bytes=%" PRIu64, open->header_bytes)) &&
         add_text(words, "order", mst_order_word(open->order)) &&
         add_text(words, "direct", mst_direct_word(open->direct)) &&
         add_flag(words, "allow-gaps", open->allow_gaps) && add_flag(words, "stack", open->stack) &&
         mst_child_add_word(words, "--rows=%" PRId64 ":%" PRId64, open->rows.lo, open->rows.hi) &&
         add_count(words, "threads", open->threads) && add_tables(words, open);
}

static bool make_words(const mst_cli *cli, const mst_legate_load *load, mst_names *words) {
  const muster_load_options *options = load->options;
  bool done = mst_child_add_word(words, "legate") && add_size(words, load);
  for (size_t i = 0; done && i < load->launcher.length; i++)
    done = mst_child_add_word(words, "%s", load->launcher.data[i]);
  done = done && mst_child_add_word(words, "--module") &&
         mst_child_add_word(words, "muster._command") && add_dataset(words, &load->data->open) &&
         add_flag(words, "no-checksum", !options->checksum) &&
         add_flag(words, "no-progress", !load->with_progress) &&
         add_count(words, "tile-rows", options->tile_rows) &&
         add_count(words, "over-decompose", load->over_decompose) &&
         mst_child_add_word(words, "--");
  for (size_t i = 0; done && i < cli->paths.length; i++)
    done = mst_child_add_word(words, "%s", cli->paths.data[i]);
  return done && mst_vec_push(words, NULL);
}

/* ---- the process ------------------------------------------------------------------------------ */

static int fail_to_start(mst_cli *cli, int errnum) {
  muster_error error;
  if (errnum == ENOENT)
    (void)mst_fail(&error, MUSTER_ERR_NOT_FOUND, "legate",
                   "is in no folder of PATH: install cuPyNumeric and this package into one "
                   "environment of Python, and activate it");
  else
    (void)mst_fail_errno(&error, "legate", -1, errnum, "start");
  return mst_cli_fail(cli, &error);
}

/* The result is taken out of what the child prints; the rest is for the user. */
static void sort_line(const char *line, size_t length, mst_str *result) {
  if (length > strlen(RESULT) && memcmp(line, RESULT, strlen(RESULT)) == 0)
    mst_str_add_bytes(result, line + strlen(RESULT), length - strlen(RESULT));
  else
    fwrite(line, 1, length, stderr);
}

/* All whole lines of the text, which is left with what is behind them. */
static void sort_lines(mst_str *text, mst_str *result) {
  size_t at = 0;
  const char *end;
  while ((end = memchr(text->data + at, '\n', text->length - at)) != NULL) {
    const size_t length = (size_t)(end - text->data) + 1 - at;
    sort_line(text->data + at, length, result);
    at += length;
  }
  memmove(text->data, text->data + at, text->length - at);
  text->length -= at;
}

static void sort_output(mst_child *child, mst_str *result) {
  char piece[4096];
  size_t got;
  mst_str text = {0};
  while (!text.failed && mst_child_read(child, piece, sizeof piece, &got)) {
    mst_str_add_bytes(&text, piece, got);
    if (!text.failed) sort_lines(&text, result);
  }
  if (text.length > 0) sort_line(text.data, text.length, result);
  result->failed = result->failed || text.failed;
  mst_str_reset(&text);
}

static int fail_without_result(mst_cli *cli, const mst_child *child, int status) {
  muster_error error;
  if (*mst_signals_flag() != 0)
    (void)mst_fail(&error, MUSTER_ERR_CANCELLED, "legate", "was ended by a signal to this program");
  else if (child->errnum != 0)
    (void)mst_fail_errno(&error, "legate", -1, child->errnum, "read what it prints");
  else if (WIFSIGNALED(status))
    (void)mst_fail(&error, MUSTER_ERR_IO, "legate", "was ended by signal %d", WTERMSIG(status));
  else
    (void)mst_fail(&error, MUSTER_ERR_IO, "legate",
                   "ended with status %d and without a result; see above, and whether this runs: "
                   "legate --module muster._command --help",
                   WEXITSTATUS(status));
  return mst_cli_fail(cli, &error);
}

static int run(mst_cli *cli, char *const *words, mst_str *result) {
  mst_child child;
  const int failed = mst_child_start(&child, words, mst_child_until_signal);
  if (failed != 0) return fail_to_start(cli, failed);
  sort_output(&child, result);
  const int status = mst_child_end(&child);
  if (result->length > 0 && *mst_signals_flag() == 0 && child.errnum == 0) return MST_EXIT_DONE;
  return fail_without_result(cli, &child, status);
}

/* ---- the result ------------------------------------------------------------------------------- */

static muster_status status_named(const char *name) {
  for (int status = MUSTER_ERR_USAGE; status <= MUSTER_ERR_CANCELLED; status++)
    if (strcmp(name, muster_status_name((muster_status)status)) == 0) return (muster_status)status;
  return MUSTER_ERR_IO;
}

static const char *text_of(yyjson_val *object, const char *key) {
  const char *text = yyjson_get_str(yyjson_obj_get(object, key));
  return text != NULL ? text : "";
}

static int tell_error(mst_cli *cli, yyjson_val *told) {
  muster_error error;
  (void)mst_fail_at(&error, status_named(text_of(told, "status")), text_of(told, "path"),
                    yyjson_get_sint(yyjson_obj_get(told, "offset")), "%s",
                    text_of(told, "message"));
  error.errnum = (int)yyjson_get_int(yyjson_obj_get(told, "errno"));
  return mst_cli_fail(cli, &error);
}

static int take_result(mst_cli *cli, const muster_dataset *dataset, const mst_str *text,
                       mst_legate_result *result) {
  yyjson_doc *doc = NULL;
  muster_error error;
  if (mst_json_parse("legate", text->data, text->length, &doc, &error) != MUSTER_OK)
    return mst_cli_fail(cli, &error);
  yyjson_val *root = yyjson_doc_get_root(doc);
  yyjson_val *told = yyjson_obj_get(root, "error");
  int exit = MST_EXIT_DONE;
  const uint64_t rows = yyjson_get_uint(yyjson_obj_get(root, "rows"));
  if (told != NULL) {
    exit = tell_error(cli, told);
  } else if (rows != muster_dataset_rows(dataset)) {
    (void)mst_fail(&error, MUSTER_ERR_CHANGED, cli->paths.data[0],
                   "has %" PRIu64 " rows now: it was changed since it was looked at", rows);
    exit = mst_cli_fail(cli, &error);
  } else {
    yyjson_val *checksum = yyjson_obj_get(root, "checksum");
    result->seconds = yyjson_get_num(yyjson_obj_get(root, "seconds"));
    result->has_checksum = yyjson_is_uint(checksum);
    result->checksum = yyjson_get_uint(checksum);
    snprintf(result->where, sizeof result->where, "%s", text_of(root, "where"));
  }
  yyjson_doc_free(doc);
  return exit;
}

int mst_legate_run(mst_cli *cli, const mst_legate_load *load, mst_legate_result *result) {
  mst_names words = {0};
  mst_str text = {0};
  *result = (mst_legate_result){0};
  int exit = MST_EXIT_WRONG;
  mst_signals saved;
  mst_signals_begin(&saved);
  if (make_words(cli, load, &words))
    exit = run(cli, words.data, &text);
  else
    exit = mst_cli_fail_memory(cli);
  mst_signals_end(&saved);
  if (exit == MST_EXIT_DONE && text.failed) exit = mst_cli_fail_memory(cli);
  if (exit == MST_EXIT_DONE) exit = take_result(cli, load->dataset, &text, result);
  if (words.length > 0 && words.data[words.length - 1] == NULL) words.length--;
  mst_names_reset(&words);
  mst_str_reset(&text);
  return exit;
}
