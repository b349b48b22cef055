/* SPDX-License-Identifier: Apache-2.0 */
/* What the page draws: signs of gates, and what more GPUs mean for memory and for their work. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report/html.h"
#include "verdict/words.h"

#define ROWS 7
#define ROW_HEIGHT 24
#define TOP 34 /* above the first bar: names of the marks */
#define LEFT 84
#define SPAN 400 /* of the longest bar */
#define WIDTH 600
#define FLOOR 65536.0
#define FULL 1e6 /* elements for a GPU from which on it has enough to do */

void mst_html_sign(mst_str *out, mst_gate_status status) {
  static const char *const shapes[] = {[MST_GATE_PASS] = "<path d=\"M5 10.5l3.5 3.5L15 7\"/>",
                                       [MST_GATE_UNCERTAIN] = "<path d=\"M10 5.5v5.5M10 14v.5\"/>",
                                       [MST_GATE_FAIL] =
                                           "<path d=\"M6.5 6.5l7 7M13.5 6.5l-7 7\"/>"};
  const char *name = mst_gate_status_name(status);
  mst_str_addf(out,
               "<span class=\"gate %s\"><svg viewBox=\"0 0 20 20\" width=\"20\" height=\"20\" "
               "aria-hidden=\"true\"><circle cx=\"10\" cy=\"10\" r=\"9\"/>%s</svg> %s</span>",
               name, shapes[status], name);
}

/* ---- bars ---------------------------------------------------------------------------------------- */

/* One bar for each number of GPUs. */
typedef struct chart {
  const char *id, *title;
  uint64_t first; /* number of GPUs of the first row; each row has twice as many */
  double whole;   /* what they share */
  double low;     /* logarithmic from here; 0: linear */
  double most;    /* the end of the scale */
  double marks[2];
  const char *mark_names[2]; /* NULL: none */
  bool is_limit;             /* marks[0] is not to be exceeded; else to be reached */
  void (*add_value)(mst_str *out, double value);
  const char *description;
} chart;

static unsigned at(const chart *drawn, double value) {
  if (value <= drawn->low) return 0;
  const double part = drawn->low > 0 ? log(value / drawn->low) / log(drawn->most / drawn->low)
                                     : value / drawn->most;
  return (unsigned)(SPAN * (part > 1 ? 1 : part));
}

static const char *fit(const chart *drawn, double value) {
  if (drawn->mark_names[0] == NULL) return "plain";
  if (drawn->is_limit) return value <= drawn->marks[0] ? "good" : "bad";
  return value >= FULL ? "good" : value >= FLOOR ? "fair" : "bad";
}

static void add_bar(mst_str *out, const chart *drawn, unsigned row, uint64_t target) {
  const uint64_t gpus = drawn->first << row;
  const double value = drawn->whole / (double)gpus;
  const unsigned width = at(drawn, value), top = TOP + row * ROW_HEIGHT;
  mst_str_addf(out, "<text class=\"row%s\" x=\"%d\" y=\"%u\" text-anchor=\"end\">%" PRIu64 " GPU%s",
               gpus == target ? " target" : "", LEFT - 8, top + 15, gpus, gpus == 1 ? "" : "s");
  mst_str_addf(out, "</text><rect class=\"%s\" x=\"%d\" y=\"%u\" width=\"%u\" height=\"16\"/>\n",
               fit(drawn, value), LEFT, top + 3, width > 0 ? width : 1);
}

/* Above the marks, which may stand where it does. */
static void add_value(mst_str *out, const chart *drawn, unsigned row) {
  const double value = drawn->whole / (double)(drawn->first << row);
  mst_str_addf(out, "<text x=\"%u\" y=\"%u\">", LEFT + at(drawn, value) + 6,
               TOP + row * ROW_HEIGHT + 15);
  drawn->add_value(out, value);
  mst_str_add(out, "</text>\n");
}

static void add_mark(mst_str *out, const chart *drawn, unsigned mark) {
  if (drawn->mark_names[mark] == NULL) return;
  const unsigned x = LEFT + at(drawn, drawn->marks[mark]);
  mst_str_addf(out,
               "<line class=\"mark\" x1=\"%u\" y1=\"%d\" x2=\"%u\" y2=\"%d\"/>"
               "<text class=\"mark\" x=\"%u\" y=\"%d\" text-anchor=\"middle\">%s</text>\n",
               x, TOP - 8, x, TOP + ROWS * ROW_HEIGHT, x, TOP - 14, drawn->mark_names[mark]);
}

static void add_chart(mst_str *out, const chart *drawn, uint64_t target) {
  mst_str_addf(out,
               "<figure><figcaption>%s</figcaption>\n<svg class=\"chart\" viewBox=\"0 0 %d %d\" "
               "role=\"img\" aria-labelledby=\"%s-title %s-text\"><title id=\"%s-title\">%s</title>"
               "<desc id=\"%s-text\">%s</desc>\n",
               drawn->title, WIDTH, TOP + ROWS * ROW_HEIGHT + 6, drawn->id, drawn->id, drawn->id,
               drawn->title, drawn->id, drawn->description);
  for (unsigned row = 0; row < ROWS; row++)
    add_bar(out, drawn, row, target);
  for (unsigned mark = 0; mark < 2; mark++)
    add_mark(out, drawn, mark);
  for (unsigned row = 0; row < ROWS; row++)
    add_value(out, drawn, row);
  mst_str_add(out, "</svg></figure>\n");
}

/* ---- the two charts ------------------------------------------------------------------------------ */

static void add_bytes(mst_str *out, double value) {
  char text[24];
  mst_str_add(out, mst_human_bytes(value, text));
}

static void add_count(mst_str *out, double value) {
  char text[24];
  mst_str_add(out, mst_words_count((uint64_t)value, text));
}

/* The row of `wanted` GPUs shall be among the first five. */
static uint64_t first_row(uint64_t wanted) {
  uint64_t first = 1;
  while (first < UINT64_C(1) << 40 && first << 4 < wanted)
    first *= 2;
  return first;
}

static void add_memory(mst_str *out, const mst_reading *reading) {
  char memory[24], name[40];
  chart drawn = {.id = "memory",
                 .title = "Memory for each GPU, at least",
                 .whole = (double)reading->bytes_alive,
                 .is_limit = true,
                 .add_value = add_bytes,
                 .description = "One bar for each number of GPUs: bytes of the arrays that are "
                                "alive, divided by it."};
  const int64_t fewest = reading->smallest_gpus > 0 ? reading->smallest_gpus : 1;
  drawn.first = first_row((uint64_t)fewest);
  drawn.most = drawn.whole / (double)drawn.first;
  if (reading->gpu_memory > 0) {
    drawn.marks[0] = (double)reading->gpu_memory;
    snprintf(name, sizeof name, "a GPU has %s", mst_human_bytes(drawn.marks[0], memory));
    drawn.mark_names[0] = name;
    if (drawn.marks[0] > drawn.most) drawn.most = drawn.marks[0];
  }
  add_chart(out, &drawn, reading->gpus);
  if (reading->gpu_memory == 0)
    mst_str_add(out, "<p>The memory of a GPU is not known: <code>--fbmem</code> or "
                     "<code>--gpu-model</code> draws its line.</p>\n");
}

static void add_elements(mst_str *out, const mst_reading *reading) {
  chart drawn = {.id = "elements",
                 .title = "Elements for each GPU (logarithmic)",
                 .first = 1,
                 .whole = (double)reading->elements,
                 .low = 1000,
                 .marks = {FLOOR, FULL},
                 .mark_names = {"floor: 65,536", "1M"},
                 .add_value = add_count,
                 .description = "One bar for each number of GPUs: elements of the largest array, "
                                "divided by it. Below 65,536 a GPU gets nothing of its own; from "
                                "one million on it has enough to do."};
  drawn.most = drawn.whole > 2 * FULL ? drawn.whole : 2 * FULL;
  add_chart(out, &drawn, reading->gpus);
}

/* ---- the numbers --------------------------------------------------------------------------------- */

static void add_number(mst_str *out, const char *item, int64_t number, bool is_bytes) {
  if (number <= 0) return;
  mst_str_addf(out, "<tr><th scope=\"row\">%s</th><td>", item);
  if (is_bytes)
    add_bytes(out, (double)number);
  else
    mst_str_addf(out, "%" PRId64, number);
  mst_str_add(out, "</td></tr>\n");
}

static void add_numbers(mst_str *out, const mst_reading *reading) {
  mst_str_add(out, "<table class=\"numbers\" aria-labelledby=\"reading\"><tbody>\n");
  add_number(out, "elements of the largest array", reading->elements, false);
  if (reading->tier != NULL)
    mst_str_addf(out, "<tr><th scope=\"row\">tier</th><td>%s</td></tr>\n", reading->tier);
  add_number(out, "bytes of an array", reading->bytes_per_array, true);
  add_number(out, "arrays alive, at least", reading->arrays_alive, false);
  add_number(out, "bytes alive, at least", reading->bytes_alive, true);
  add_number(out, "bytes for each GPU", reading->bytes_per_gpu, true);
  add_number(out, "halo exchanged in a step, for each GPU", reading->halo_bytes, true);
  add_number(out, "fewest GPUs that hold it", reading->smallest_gpus, false);
  add_number(out, "most GPUs that stay above the floor of 65,536 elements", reading->largest_gpus,
             false);
  mst_str_add(out, "</tbody></table>\n");
}

void mst_html_reading(const mst_html *page) {
  mst_str *out = page->out;
  const mst_reading *reading = &page->result->reading;
  mst_str_add(out, "<h3 id=\"reading\">Multi-GPU reading</h3>\n");
  if (reading->elements <= 0) {
    mst_str_add(out, "<p>The sizes are not known; say them by <code>--elements</code>.</p>\n");
    return;
  }
  add_numbers(out, reading);
  if (!page->result->context.cpu_only) {
    mst_str_add(out, "<div class=\"charts\">\n");
    if (reading->bytes_alive > 0) add_memory(out, reading);
    add_elements(out, reading);
    mst_str_add(out, "</div>\n");
  }
  if (reading->note_count == 0) return;
  mst_str_add(out, "<ul>\n");
  for (unsigned i = 0; i < reading->note_count; i++) {
    mst_str_add(out, "<li>");
    mst_html_text(out, reading->notes[i]);
    mst_str_add(out, "</li>\n");
  }
  mst_str_add(out, "</ul>\n");
}
