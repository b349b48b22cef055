/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/term.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include <utf8proc.h>

#define DEFAULT_COLUMNS 80

static int columns_of(int fd) {
  struct winsize size = {0};
  if (ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  const char *text = getenv("COLUMNS");
  const long columns = text != NULL ? strtol(text, NULL, 10) : 0;
  return columns > 0 && columns < 10000 ? (int)columns : DEFAULT_COLUMNS;
}

void mst_term_init(mst_term *term, FILE *stream) {
  const int fd = fileno(stream);
  *term = (mst_term){.stream = stream, .is_tty = isatty(fd) == 1, .columns = DEFAULT_COLUMNS};
  if (!term->is_tty) return;
  const char *no_colour = getenv("NO_COLOR");
  const char *kind = getenv("TERM");
  term->colour = (no_colour == NULL || *no_colour == '\0') && kind != NULL &&
                 strcmp(kind, "dumb") != 0 && *kind != '\0';
  term->columns = columns_of(fd);
}

const char *mst_term_style(const mst_term *term, mst_style style) {
  if (!term->colour) return "";
  switch (style) {
  case MST_PLAIN: return "\x1b[0m";
  case MST_BOLD: return "\x1b[1m";
  case MST_DIM: return "\x1b[2m";
  case MST_RED: return "\x1b[31m";
  case MST_GREEN: return "\x1b[32m";
  case MST_YELLOW: return "\x1b[33m";
  }
  return "";
}

/* Reads one code point; where there is none, one byte is passed over and *code is negative. */
static size_t next_code(const char *text, size_t length, utf8proc_int32_t *code) {
  const utf8proc_ssize_t used =
      utf8proc_iterate((const utf8proc_uint8_t *)text, (utf8proc_ssize_t)length, code);
  if (used > 0) return (size_t)used;
  *code = -1;
  return 1;
}

size_t mst_text_width(const char *text) {
  size_t width = 0;
  size_t left = strlen(text);
  while (left > 0) {
    utf8proc_int32_t code = 0;
    const size_t used = next_code(text, left, &code);
    width += code < 0 ? 1 : (size_t)utf8proc_charwidth(code);
    text += used;
    left -= used;
  }
  return width;
}

/* Besides control characters: line separators, and what turns the direction of the text around,
 * which would let a name pose as another. */
static bool does_harm(utf8proc_int32_t code) {
  if (code < 0x20 || (code >= 0x7f && code < 0xa0)) return true;
  if (code == 0x61c || code == 0x200e || code == 0x200f || code == 0xfeff) return true;
  return (code >= 0x2028 && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
}

static void add_escape(mst_str *out, const char *name, utf8proc_int32_t code) {
  switch (code) {
  case '\n': mst_str_add(out, "\\n"); return;
  case '\t': mst_str_add(out, "\\t"); return;
  case '\r': mst_str_add(out, "\\r"); return;
  default: break;
  }
  if (code >= 0x80) {
    mst_str_addf(out, "\\u%04x", (unsigned)code);
  } else {
    mst_str_addf(out, "\\x%02x", (unsigned)(unsigned char)*name);
  }
}

void mst_add_safe(mst_str *out, const char *name) {
  size_t left = strlen(name);
  while (left > 0) {
    utf8proc_int32_t code = 0;
    const size_t used = next_code(name, left, &code);
    if (code < 0 || does_harm(code)) {
      add_escape(out, name, code);
    } else {
      mst_str_add_bytes(out, name, used);
    }
    name += used;
    left -= used;
  }
}
