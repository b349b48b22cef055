/* SPDX-License-Identifier: Apache-2.0 */
#include "base/python_text.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* ---- strings -------------------------------------------------------------------------------- */

/* What Python has for a byte that is no part of UTF-8: an unpaired surrogate. */
#define ESCAPED_BYTE 0xDC00u

typedef struct mst_utf8_form {
  size_t length;
  uint32_t least; /* smaller ones have a shorter form */
  unsigned char mask, lead;
} mst_utf8_form;

/* The code point that begins at `text`, and the bytes it takes. */
static uint32_t take_code_point(const unsigned char *text, size_t *length) {
  static const mst_utf8_form forms[] = {
      {1, 0, 0x80, 0x00}, {2, 0x80, 0xE0, 0xC0}, {3, 0x800, 0xF0, 0xE0}, {4, 0x10000, 0xF8, 0xF0}};
  for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
    const mst_utf8_form *form = &forms[i];
    if ((text[0] & form->mask) != form->lead) continue;
    uint32_t code = text[0] & (unsigned char)~form->mask;
    size_t taken = 1;
    for (; taken < form->length && (text[taken] & 0xC0) == 0x80; taken++)
      code = code << 6 | (text[taken] & 0x3F);
    const bool is_surrogate = code >= 0xD800 && code <= 0xDFFF;
    if (taken < form->length || code < form->least || code > 0x10FFFF || is_surrogate) break;
    *length = taken;
    return code;
  }
  *length = 1;
  return ESCAPED_BYTE + text[0];
}

static void add_escape(mst_str *out, uint32_t code) {
  static const char letters[] = {['\t'] = 't', ['\n'] = 'n', ['\r'] = 'r'};
  if (code < sizeof letters && letters[code] != '\0')
    mst_str_addf(out, "\\%c", letters[code]);
  else if (code < 0x100)
    mst_str_addf(out, "\\x%02" PRIx32, code);
  else if (code < 0x10000)
    mst_str_addf(out, "\\u%04" PRIx32, code);
  else
    mst_str_addf(out, "\\U%08" PRIx32, code);
}

static size_t count_of(const char *text, char wanted) {
  size_t count = 0;
  for (; *text != '\0'; text++)
    count += *text == wanted;
  return count;
}

void mst_add_python_string(mst_str *out, const char *text) {
  /* Double quotes, unless single ones save a backslash. */
  const char quote = count_of(text, '"') > count_of(text, '\'') ? '\'' : '"';
  mst_str_add_bytes(out, &quote, 1);
  while (*text != '\0') {
    size_t length;
    const uint32_t code = take_code_point((const unsigned char *)text, &length);
    if (code == '\\' || code == (unsigned char)quote)
      mst_str_addf(out, "\\%c", *text);
    else if (code < 0x20 || code > 0x7E)
      add_escape(out, code);
    else
      mst_str_add_bytes(out, text, 1);
    text += length;
  }
  mst_str_add_bytes(out, &quote, 1);
}

/* ---- names that count up -------------------------------------------------------------------- */

/* Fewer names are better seen one by one. */
#define LONG_LIST 50
#define MOST_DIGITS 18 /* fit into 64 bits */

/* head + number + tail; the number is padded with zeros to `width` digits, if it is not 0. */
typedef struct mst_counted_names {
  const char *head;
  int head_length;
  const char *tail;
  int width;
  uint64_t first;
} mst_counted_names;

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* The run of digits in which the second path differs from the first; false: it is none. */
static bool find_number(const char *path, const char *second, mst_counted_names *names) {
  size_t at = 0;
  while (path[at] != '\0' && path[at] == second[at])
    at++;
  while (at > 0 && is_digit(path[at - 1]))
    at--;
  size_t end = at;
  for (; is_digit(path[end]); end++)
    names->first = names->first * 10 + (uint64_t)(path[end] - '0');
  names->head = path;
  names->head_length = (int)at;
  names->tail = path + end;
  names->width = path[at] == '0' && end - at > 1 ? (int)(end - at) : 0;
  return end > at && end - at <= MOST_DIGITS;
}

static bool is_numbered(const mst_counted_names *names, uint64_t number, const char *path) {
  char digits[24];
  const size_t head = (size_t)names->head_length;
  const int length = snprintf(digits, sizeof digits, "%0*" PRIu64, names->width, number);
  return strncmp(path, names->head, head) == 0 &&
         strncmp(path + head, digits, (size_t)length) == 0 &&
         strcmp(path + head + length, names->tail) == 0;
}

/* Characters that mean the same within an f-string. */
static bool is_plain(const char *text) {
  for (; *text != '\0'; text++)
    if (*text < 0x20 || *text > 0x7E || strchr("\"\\{}", *text) != NULL) return false;
  return true;
}

static bool count_up(const char *const *paths, size_t count, mst_counted_names *names) {
  *names = (mst_counted_names){0};
  if (!is_plain(paths[0]) || !find_number(paths[0], paths[1], names)) return false;
  for (size_t i = 0; i < count; i++)
    if (!is_numbered(names, names->first + i, paths[i])) return false;
  return true;
}

static void add_comprehension(mst_str *out, const char *name, const mst_counted_names *names,
                              size_t count) {
  mst_str item = {0}, loop = {0};
  mst_str_addf(&item, "f\"%.*s{i", names->head_length, names->head);
  if (names->width > 0) mst_str_addf(&item, ":0%d", names->width);
  mst_str_addf(&item, "}%s\"", names->tail);
  mst_str_add(&loop, "for i in range(");
  if (names->first > 0) mst_str_addf(&loop, "%" PRIu64 ", ", names->first);
  mst_str_addf(&loop, "%" PRIu64 ")", names->first + count);
  const size_t length = item.length + 1 + loop.length;
  const char *item_text = mst_str_text(&item), *loop_text = mst_str_text(&loop);
  if (strlen(name) + strlen(" = []") + length <= MST_PYTHON_WIDTH)
    mst_str_addf(out, "%s = [%s %s]\n", name, item_text, loop_text);
  else if (strlen("    ") + length <= MST_PYTHON_WIDTH)
    mst_str_addf(out, "%s = [\n    %s %s\n]\n", name, item_text, loop_text);
  else
    mst_str_addf(out, "%s = [\n    %s\n    %s\n]\n", name, item_text, loop_text);
  if (item.failed || loop.failed) out->failed = true;
  mst_str_reset(&item);
  mst_str_reset(&loop);
}

void mst_add_python_list(mst_str *out, const char *name, const char *const *paths, size_t count) {
  mst_counted_names names;
  if (count > LONG_LIST && count_up(paths, count, &names)) {
    add_comprehension(out, name, &names, count);
    return;
  }
  mst_str_addf(out, "%s = [\n", name);
  for (size_t i = 0; i < count; i++) {
    mst_str_add(out, "    ");
    mst_add_python_string(out, paths[i]);
    mst_str_add(out, ",\n");
  }
  mst_str_add(out, "]\n");
}
