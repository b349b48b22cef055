/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/progress.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

/* Seconds between two pictures: a bar shall move, lines shall not fill a log. */
#define BAR_PAUSE 0.1
#define JSON_PAUSE 1.0
#define LINES_PAUSE 5.0

#define LEAST_BAR 10
#define MOST_BAR 40

bool mst_progress_parse(const char *text, mst_progress_mode *mode) {
  static const char *const names[] = {"auto", "bar", "lines", "json", "none"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    if (strcmp(text, names[i]) != 0) continue;
    *mode = (mst_progress_mode)i;
    return true;
  }
  return false;
}

static mst_progress_mode choose(const mst_cli *cli, mst_progress_mode mode) {
  if (cli->quiet) return MST_PROGRESS_NONE;
  if (mode != MST_PROGRESS_AUTO) return mode;
  const char *kind = getenv("TERM");
  const bool dumb = kind == NULL || *kind == '\0' || strcmp(kind, "dumb") == 0;
  if (cli->err.is_tty && !dumb) return MST_PROGRESS_BAR;
  return cli->json ? MST_PROGRESS_JSON : MST_PROGRESS_LINES;
}

void mst_progress_begin(mst_progress *progress, mst_cli *cli, mst_progress_mode mode) {
  const double now = mst_now();
  *progress = (mst_progress){.cli = cli, .mode = choose(cli, mode), .begun = now, .shown = now};
}

/* ---- numbers ---- */

typedef struct numbers {
  const muster_progress *now;
  double seconds;
  double rate; /* bytes a second */
  double left; /* seconds; negative: unknown */
  int percent;
} numbers;

static numbers count(const mst_progress *progress, const muster_progress *now) {
  numbers n = {.now = now, .seconds = mst_now() - progress->begun, .left = -1, .percent = 100};
  if (n.seconds > 0) n.rate = (double)now->bytes_done / n.seconds;
  const double missing = (double)now->bytes - (double)now->bytes_done;
  if (n.rate > 0) n.left = missing / n.rate;
  if (now->bytes > 0) {
    n.percent = (int)(100.0 * ((double)now->bytes_done / (double)now->bytes));
  }
  return n;
}

/* "1:02:03 left". */
static void add_left(mst_str *out, double left) {
  if (left < 0 || left > 359999) {
    mst_str_add(out, "-:-- left");
    return;
  }
  const unsigned seconds = (unsigned)(left + 0.5);
  if (seconds >= 3600) {
    mst_str_addf(out, "%u:%02u:%02u left", seconds / 3600, seconds / 60 % 60, seconds % 60);
  } else {
    mst_str_addf(out, "%u:%02u left", seconds / 60, seconds % 60);
  }
}

static void add_rate(mst_str *out, double rate) {
  mst_add_size(out, rate);
  mst_str_add(out, "/s");
}

/* ---- the bar ---- */

/* What stands behind the bar: the fewer details, the higher `brevity`. */
static void add_details(mst_str *out, const numbers *n, int brevity) {
  if (brevity >= 4) return;
  if (brevity <= 2) {
    mst_str_add(out, " ");
    mst_add_size(out, (double)n->now->bytes_done);
  }
  if (brevity <= 1) {
    mst_str_add(out, " of ");
    mst_add_size(out, (double)n->now->bytes);
  }
  if (brevity == 0) {
    mst_str_add(out, ", ");
    mst_add_count(out, n->now->rows_done);
    mst_str_add(out, " rows");
  }
  mst_str_add(out, brevity <= 2 ? ", " : " ");
  add_rate(out, n->rate);
  mst_str_add(out, brevity <= 2 ? ", " : " ");
  add_left(out, n->left);
}

static void add_bar(mst_str *out, size_t width, int percent) {
  const size_t full = width * (size_t)percent / 100;
  mst_str_add(out, " [");
  for (size_t i = 0; i < width; i++)
    mst_str_add(out, i < full ? "#" : "-");
  mst_str_add(out, "]");
}

/* The richest line that leaves room for a bar. */
static void add_bar_line(mst_str *out, const numbers *n, size_t columns) {
  for (int brevity = 0; brevity <= 4; brevity++) {
    mst_str details = {0};
    add_details(&details, n, brevity);
    const size_t used = 4 + 3 + details.length; /* "100%", " []" */
    size_t bar = columns > used ? columns - used : 0;
    if (bar > MOST_BAR) bar = MOST_BAR;
    if (bar >= LEAST_BAR || brevity == 4) {
      mst_str_addf(out, "%3d%%", n->percent);
      if (bar >= LEAST_BAR) add_bar(out, bar, n->percent);
      mst_str_add(out, mst_str_text(&details));
      brevity = 4;
    }
    mst_str_reset(&details);
  }
}

/* The window may have changed since. The last column stays free: some terminals wrap there. */
static size_t room(const mst_progress *progress) {
  mst_term term;
  mst_term_init(&term, progress->cli->err.stream);
  return term.columns > 1 ? (size_t)term.columns - 1 : 1;
}

static void add_wiping_line(mst_str *out, const numbers *n, size_t columns) {
  mst_str line = {0};
  add_bar_line(&line, n, columns);
  const int pad = line.length < columns ? (int)(columns - line.length) : 0;
  mst_str_addf(out, "\r%s%*s\r", mst_str_text(&line), pad, "");
  if (line.failed) out->failed = true;
  mst_str_reset(&line);
}

/* ---- lines ---- */

static void add_text_line(mst_str *out, const numbers *n) {
  mst_str_addf(out, "muster: %d%%, ", n->percent);
  mst_add_count(out, n->now->rows_done);
  mst_str_add(out, " of ");
  mst_add_count(out, n->now->rows);
  mst_str_add(out, " rows, ");
  mst_add_size(out, (double)n->now->bytes_done);
  mst_str_add(out, " of ");
  mst_add_size(out, (double)n->now->bytes);
  mst_str_add(out, ", ");
  add_rate(out, n->rate);
  mst_str_add(out, ", ");
  add_left(out, n->left);
  mst_str_add(out, "\n");
}

static void add_json_line(mst_str *out, const numbers *n) {
  yyjson_mut_doc *doc = mst_json_new();
  if (doc == NULL) return;
  yyjson_mut_val *root = yyjson_mut_obj(doc);
  yyjson_mut_doc_set_root(doc, root);
  mst_json_add_text(doc, root, "schema", "muster.progress/1");
  yyjson_mut_obj_add_uint(doc, root, "rows_done", n->now->rows_done);
  yyjson_mut_obj_add_uint(doc, root, "rows", n->now->rows);
  yyjson_mut_obj_add_uint(doc, root, "bytes_done", n->now->bytes_done);
  yyjson_mut_obj_add_uint(doc, root, "bytes", n->now->bytes);
  yyjson_mut_obj_add_real(doc, root, "seconds", n->seconds);
  yyjson_mut_obj_add_real(doc, root, "bytes_per_second", n->rate);
  if (n->left >= 0) {
    yyjson_mut_obj_add_real(doc, root, "seconds_left", n->left);
  } else {
    yyjson_mut_obj_add_null(doc, root, "seconds_left");
  }
  (void)mst_json_line(doc, out);
  yyjson_mut_doc_free(doc);
}

/* ---- showing ---- */

static bool is_due(const mst_progress *progress, bool last) {
  const double since = mst_now() - progress->shown;
  switch (progress->mode) {
  case MST_PROGRESS_BAR: return last || !progress->any || since >= BAR_PAUSE;
  case MST_PROGRESS_JSON: return last || since >= JSON_PAUSE;
  case MST_PROGRESS_LINES: return since >= LINES_PAUSE || (last && progress->any);
  case MST_PROGRESS_AUTO:
  case MST_PROGRESS_NONE: break;
  }
  return false;
}

void mst_progress_show(void *user, const muster_progress *now) {
  mst_progress *progress = user;
  const bool last = now->rows_done == now->rows && now->bytes_done == now->bytes;
  if (!is_due(progress, last)) return;
  const numbers n = count(progress, now);
  mst_str text = {0};
  if (progress->mode == MST_PROGRESS_BAR) add_wiping_line(&text, &n, room(progress));
  if (progress->mode == MST_PROGRESS_LINES) add_text_line(&text, &n);
  if (progress->mode == MST_PROGRESS_JSON) add_json_line(&text, &n);
  /* A picture that cannot be drawn is no reason to stop a load. */
  if (!text.failed) fwrite(mst_str_text(&text), 1, text.length, progress->cli->err.stream);
  fflush(progress->cli->err.stream);
  mst_str_reset(&text);
  progress->shown = mst_now();
  progress->any = true;
}

void mst_progress_end(mst_progress *progress) {
  if (progress->mode != MST_PROGRESS_BAR || !progress->any) return;
  fprintf(progress->cli->err.stream, "\r%*s\r", (int)room(progress), "");
  fflush(progress->cli->err.stream);
}
