/* SPDX-License-Identifier: Apache-2.0 */
/* Text of strangers in a page, and links from a place to its line. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "report/html.h"

static void add_escaped(mst_str *out, const char *text, size_t length) {
  for (size_t i = 0; i < length; i++) {
    switch (text[i]) {
    case '&': mst_str_add(out, "&amp;"); break;
    case '<': mst_str_add(out, "&lt;"); break;
    case '>': mst_str_add(out, "&gt;"); break;
    case '"': mst_str_add(out, "&quot;"); break;
    case '\'': mst_str_add(out, "&#39;"); break;
    default: mst_str_add_bytes(out, text + i, 1);
    }
  }
}

static bool is_plain(const char *text, size_t length) {
  for (size_t i = 0; i < length; i++)
    if (text[i] < ' ' || text[i] > '~') return false;
  return true;
}

static void add_line(mst_str *out, const char *text, size_t length) {
  mst_str line = {0};
  if (is_plain(text, length)) { /* nearly all lines */
    add_escaped(out, text, length);
    return;
  }
  mst_add_printable_bytes(&line, text, length);
  add_escaped(out, mst_str_text(&line), line.length);
  if (line.failed) out->failed = true;
  mst_str_reset(&line);
}

void mst_html_text(mst_str *out, const char *text) {
  const char *open = strchr(text, '`');
  while (open != NULL) {
    const char *close = strchr(open + 1, '`');
    if (close == NULL) break;
    add_line(out, text, (size_t)(open - text));
    mst_str_add(out, "<code>");
    add_line(out, open + 1, (size_t)(close - open - 1));
    mst_str_add(out, "</code>");
    text = close + 1;
    open = strchr(text, '`');
  }
  add_line(out, text, strlen(text));
}

void mst_html_code(mst_str *out, const char *text) {
  mst_str_add(out, "<code>");
  add_line(out, text, strlen(text));
  mst_str_add(out, "</code>");
}

void mst_html_line(mst_str *out, const char *text, size_t length) {
  const char *end = text + length;
  while (text < end) {
    const char *tab = memchr(text, '\t', (size_t)(end - text));
    add_line(out, text, (size_t)((tab != NULL ? tab : end) - text));
    if (tab == NULL) return;
    mst_str_add(out, "\t");
    text = tab + 1;
  }
}

void mst_html_heading(mst_str *out, const char *id, const char *title) {
  mst_str_addf(out, "<h2 id=\"%s-title\">%s</h2>\n", id, title);
}

/* ---- digests ------------------------------------------------------------------------------------- */

static unsigned digit(char sign) {
  return sign <= '9' ? (unsigned)(sign - '0') : (unsigned)(sign - 'a' + 10);
}

/* Three digits are twelve bits, two signs; the last byte of 32 is left with one sign and padding.
 */
void mst_html_digest(mst_str *out, const char *hexadecimal) {
  static const char signs[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  mst_str_add(out, "sha256-");
  for (const char *at = hexadecimal; *at != '\0';) {
    unsigned bits = 0, digits = 0;
    for (; digits < 3 && *at != '\0'; digits++)
      bits |= digit(*at++) << (8 - 4 * digits);
    mst_str_addf(out, "%c", signs[bits >> 6]);
    if (digits > 1) mst_str_addf(out, "%c", signs[bits & 63]);
  }
  mst_str_add(out, "=");
}

/* ---- places -------------------------------------------------------------------------------------- */

static int by_path(const void *left, const void *right) {
  return strcmp(((const mst_result_file *)left)->path, ((const mst_result_file *)right)->path);
}

const mst_result_file *mst_html_file(const mst_html *page, const char *path) {
  const mst_result_file wanted = {.path = path};
  if (page->result->file_count == 0) return NULL;
  return bsearch(&wanted, page->result->files, page->result->file_count, sizeof wanted, by_path);
}

static int by_line(const void *left, const void *right) {
  const mst_result_line *a = left, *b = right;
  if (a->cell != b->cell) return a->cell < b->cell ? -1 : 1;
  return (a->number > b->number) - (a->number < b->number);
}

bool mst_html_has_line(const mst_result_file *file, uint32_t cell, uint32_t line) {
  const mst_result_line wanted = {.cell = cell, .number = line};
  if (file == NULL || file->text.count == 0) return false;
  return bsearch(&wanted, file->text.lines, file->text.count, sizeof wanted, by_line) != NULL;
}

void mst_html_add_line_id(const mst_html *page, const mst_result_file *file, uint32_t cell,
                          uint32_t line) {
  mst_str_addf(page->out, "s%zu-", (size_t)(file - page->result->files) + 1);
  if (cell > 0) mst_str_addf(page->out, "%" PRIu32 "-", cell);
  mst_str_addf(page->out, "%" PRIu32, line);
}

/* Whether a link was begun. */
static bool begin_link(const mst_html *page, const mst_site *site) {
  const mst_result_file *file = mst_html_file(page, site->path);
  if (!mst_html_has_line(file, site->cell, site->line)) return false;
  mst_str_add(page->out, "<a href=\"#");
  mst_html_add_line_id(page, file, site->cell, site->line);
  mst_str_add(page->out, "\">");
  return true;
}

void mst_html_place(const mst_html *page, const mst_site *site) {
  mst_str place = {0};
  mst_add_place(&place, site);
  const bool is_link = begin_link(page, site);
  mst_html_code(page->out, mst_str_text(&place));
  if (is_link) mst_str_add(page->out, "</a>");
  if (place.failed) page->out->failed = true;
  mst_str_reset(&place);
}

void mst_html_line_number(const mst_html *page, const mst_site *site) {
  const bool is_link = begin_link(page, site);
  mst_str_addf(page->out, "%" PRIu32 "%s", site->line, is_link ? "</a>" : "");
}
