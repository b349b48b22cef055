/* SPDX-License-Identifier: Apache-2.0 */
#include "pysource/decode.h"

#include <stdint.h>
#include <string.h>

#include "base/status.h"

/* ---- the declaration of PEP 263 -------------------------------------------------------------- */

#define MAX_NAME 40

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\f'; }

static bool is_name_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
         c == '_' || c == '.';
}

static size_t line_length(const char *text, size_t length) {
  size_t at = 0;
  while (at < length && text[at] != '\n' && text[at] != '\r')
    at++;
  return at;
}

static size_t skip_blanks(const char *line, size_t length, size_t at) {
  while (at < length && is_blank(line[at]))
    at++;
  return at;
}

/* The name behind "coding:" or "coding=" in a comment, in lower case with '-' for '_'. */
static bool find_declaration(const char *line, size_t length, char name[MAX_NAME]) {
  size_t at = skip_blanks(line, length, 0);
  if (at == length || line[at] != '#') return false;
  for (; at + 7 < length; at++) {
    if (memcmp(line + at, "coding", 6) != 0 || (line[at + 6] != ':' && line[at + 6] != '='))
      continue;
    size_t from = at + 7, count = 0;
    while (from < length && (line[from] == ' ' || line[from] == '\t'))
      from++;
    for (; from < length && is_name_character(line[from]); from++) {
      const char c = line[from];
      if (count + 1 < MAX_NAME)
        name[count++] = c == '_' ? '-' : (char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
    }
    name[count] = '\0';
    if (count > 0) return true;
  }
  return false;
}

/* The second line counts only behind a blank one or a comment. */
static bool is_declared(const char *text, size_t length, char name[MAX_NAME]) {
  const size_t first = line_length(text, length);
  if (find_declaration(text, first, name)) return true;
  const size_t code = skip_blanks(text, first, 0);
  if (first == length || (code < first && text[code] != '#')) return false;
  size_t second = first + 1;
  if (text[first] == '\r' && second < length && text[second] == '\n') second++;
  return find_declaration(text + second, line_length(text + second, length - second), name);
}

/* "latin-1-unix" is Latin-1: what stands behind a name is the editor's. */
static bool is_named(const char *name, const char *known) {
  const size_t length = strlen(known);
  return strncmp(name, known, length) == 0 && (name[length] == '\0' || name[length] == '-');
}

static mst_encoding encoding_named(const char *name) {
  static const struct {
    const char *name;
    mst_encoding encoding;
  } known[] = {
      {"utf-8", MST_UTF_8},         {"utf8", MST_UTF_8},         {"u8", MST_UTF_8},
      {"ascii", MST_UTF_8},         {"us-ascii", MST_UTF_8},     {"latin-1", MST_LATIN_1},
      {"latin1", MST_LATIN_1},      {"iso-8859-1", MST_LATIN_1}, {"iso8859-1", MST_LATIN_1},
      {"iso-latin-1", MST_LATIN_1}, {"l1", MST_LATIN_1},         {"windows-1252", MST_WINDOWS_1252},
      {"cp1252", MST_WINDOWS_1252}, {"1252", MST_WINDOWS_1252},
  };
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (is_named(name, known[i].name)) return known[i].encoding;
  return MST_ENCODING_UNKNOWN;
}

/* ---- UTF-8 ----------------------------------------------------------------------------------- */

/* Bytes of the well-formed character at `at`; 0: there is none (table 3-7 of the Unicode standard).
 */
static size_t character_length(const unsigned char *at, size_t left) {
  const unsigned lead = at[0];
  if (lead < 0x80) return 1;
  if (lead < 0xc2 || lead > 0xf4) return 0;
  const size_t length = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  if (length > left) return 0;
  const unsigned lowest = lead == 0xe0 ? 0xa0 : lead == 0xf0 ? 0x90 : 0x80;
  const unsigned highest = lead == 0xed ? 0x9f : lead == 0xf4 ? 0x8f : 0xbf;
  if (at[1] < lowest || at[1] > highest) return 0;
  for (size_t i = 2; i < length; i++)
    if ((at[i] & 0xc0) != 0x80) return 0;
  return length;
}

/* The first byte that is in no well-formed character; `length` when all are. */
static size_t first_malformed(const char *bytes, size_t length) {
  const unsigned char *text = (const unsigned char *)bytes;
  size_t at = 0;
  while (at < length) {
    uint64_t word;
    while (length - at >= sizeof word) {
      memcpy(&word, text + at, sizeof word);
      if ((word & 0x8080808080808080u) != 0) break;
      at += sizeof word;
    }
    if (at == length) break;
    const size_t step = character_length(text + at, length - at);
    if (step == 0) return at;
    at += step;
  }
  return length;
}

static void add_character(mst_str *text, uint32_t c) {
  char out[4];
  size_t length = 0;
  if (c < 0x80) {
    out[length++] = (char)c;
  } else {
    if (c < 0x800) {
      out[length++] = (char)(0xc0 | c >> 6);
    } else {
      if (c < 0x10000) {
        out[length++] = (char)(0xe0 | c >> 12);
      } else {
        out[length++] = (char)(0xf0 | c >> 18);
        out[length++] = (char)(0x80 | (c >> 12 & 0x3f));
      }
      out[length++] = (char)(0x80 | (c >> 6 & 0x3f));
    }
    out[length++] = (char)(0x80 | (c & 0x3f));
  }
  mst_str_add_bytes(text, out, length);
}

/* ---- the others ------------------------------------------------------------------------------ */

/* 0x80 to 0x9f of Windows-1252; the five places without a character keep their number. */
static const uint16_t windows_1252[32] = {
    0x20ac, 0x0081, 0x201a, 0x0192, 0x201e, 0x2026, 0x2020, 0x2021, 0x02c6, 0x2030, 0x0160,
    0x2039, 0x0152, 0x008d, 0x017d, 0x008f, 0x0090, 0x2018, 0x2019, 0x201c, 0x201d, 0x2022,
    0x2013, 0x2014, 0x02dc, 0x2122, 0x0161, 0x203a, 0x0153, 0x009d, 0x017e, 0x0178};

static void add_single_bytes(mst_str *text, const char *bytes, size_t length, bool is_windows) {
  for (size_t at = 0; at < length;) {
    size_t ascii = at;
    while (ascii < length && (unsigned char)bytes[ascii] < 0x80)
      ascii++;
    mst_str_add_bytes(text, bytes + at, ascii - at);
    at = ascii;
    if (at == length) break;
    const unsigned char byte = (unsigned char)bytes[at++];
    add_character(text, is_windows && byte < 0xa0 ? windows_1252[byte - 0x80] : byte);
  }
}

/* False when something was no character; U+FFFD then stands for it. */
static bool add_utf_16(mst_str *text, const char *bytes, size_t length, bool is_big) {
  const unsigned char *data = (const unsigned char *)bytes;
  bool fine = length % 2 == 0;
  uint32_t high = 0; /* the first half of a pair */
  for (size_t at = 0; at + 1 < length; at += 2) {
    const uint32_t unit =
        is_big ? (uint32_t)data[at] << 8 | data[at + 1] : (uint32_t)data[at + 1] << 8 | data[at];
    const bool is_low = unit >= 0xdc00 && unit < 0xe000;
    if (high != 0 && !is_low) add_character(text, 0xfffd);
    if ((high != 0) != is_low) fine = false;
    if (is_low)
      add_character(text, high != 0 ? 0x10000 + ((high - 0xd800) << 10) + (unit - 0xdc00) : 0xfffd);
    high = unit >= 0xd800 && unit < 0xdc00 ? unit : 0;
    if (high == 0 && !is_low) add_character(text, unit);
  }
  if (high != 0 || length % 2 != 0) add_character(text, 0xfffd);
  return fine && high == 0;
}

static void unify_newlines(mst_str *text, size_t from) {
  if (text->failed || text->length == from) return;
  char *to = memchr(text->data + from, '\r', text->length - from);
  if (to == NULL) return;
  const char *const end = text->data + text->length;
  for (const char *at = to; at < end; at++) {
    if (*at == '\r' && at + 1 < end && at[1] == '\n') continue;
    *to++ = *at == '\r' ? '\n' : *at;
  }
  *to = '\0';
  text->length = (size_t)(to - text->data);
}

/* ---- all together ---------------------------------------------------------------------------- */

/* What the file begins with; *mark is the bytes of it. */
static mst_encoding encoding_of_mark(const char *bytes, size_t length, size_t *mark) {
  *mark = 0;
  if (length >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0) {
    *mark = 3;
    return MST_UTF_8;
  }
  if (length < 2) return MST_ENCODING_UNKNOWN;
  *mark = 2;
  if (memcmp(bytes, "\xff\xfe", 2) == 0) return MST_UTF_16_LE;
  if (memcmp(bytes, "\xfe\xff", 2) == 0) return MST_UTF_16_BE;
  *mark = 0;
  return MST_ENCODING_UNKNOWN;
}

/* Text in an encoding whose first 128 characters are those of ASCII. */
static void add_bytes(const char *bytes, size_t length, mst_encoding encoding, const char *name,
                      mst_str *text, mst_str *note) {
  if (encoding == MST_LATIN_1 || encoding == MST_WINDOWS_1252) {
    add_single_bytes(text, bytes, length, encoding == MST_WINDOWS_1252);
    return;
  }
  const size_t bad = first_malformed(bytes, length);
  if (encoding == MST_UTF_8 && bad == length) {
    mst_str_add_bytes(text, bytes, length);
    return;
  }
  const size_t before = text->length;
  add_single_bytes(text, bytes, length, false);
  if (encoding == MST_UTF_8)
    mst_str_addf(note, "not UTF-8 (first at byte %zu): read as Latin-1", bad);
  else if (text->length - before != length) /* else it is ASCII, and it does not matter */
    mst_str_addf(note, "declared as %s, which is not known here: read as Latin-1", name);
}

/* By mark or declaration, whatever the bytes are; *name is what is declared. */
static mst_encoding claimed_encoding(const char *bytes, size_t length, bool follow_declaration,
                                     size_t *mark, char name[MAX_NAME]) {
  const mst_encoding encoding = encoding_of_mark(bytes, length, mark);
  name[0] = '\0';
  if (encoding != MST_ENCODING_UNKNOWN) return encoding;
  return follow_declaration && is_declared(bytes, length, name) ? encoding_named(name) : MST_UTF_8;
}

mst_encoding mst_encoding_of(const char *bytes, size_t length, size_t *mark) {
  char name[MAX_NAME] = "";
  const mst_encoding encoding = claimed_encoding(bytes, length, true, mark, name);
  if (encoding == MST_ENCODING_UNKNOWN) return MST_LATIN_1;
  if (encoding != MST_UTF_8) return encoding;
  const size_t left = length - *mark;
  return first_malformed(bytes + *mark, left) == left ? MST_UTF_8 : MST_LATIN_1;
}

muster_status mst_decode(const char *path, const char *bytes, size_t length,
                         bool follow_declaration, mst_str *text, mst_str *note,
                         muster_error *error) {
  const size_t before = text->length;
  size_t mark;
  char name[MAX_NAME] = "";
  const mst_encoding encoding = claimed_encoding(bytes, length, follow_declaration, &mark, name);
  const char *body = bytes + mark;
  const size_t left = length - mark;
  if (encoding == MST_UTF_16_LE || encoding == MST_UTF_16_BE) {
    if (!add_utf_16(text, body, left, encoding == MST_UTF_16_BE))
      mst_str_add(note, "not UTF-16 throughout: what is no character is read as U+FFFD");
    if (!text->failed && text->length > before &&
        memchr(text->data + before, '\0', text->length - before) != NULL)
      return mst_fail(error, MUSTER_ERR_FORMAT, path, "a binary file: it has NUL characters");
  } else {
    const char *nul = length > 0 ? memchr(bytes, '\0', length) : NULL;
    if (nul != NULL)
      return mst_fail_at(error, MUSTER_ERR_FORMAT, path, (muster_offset)(nul - bytes),
                         "a binary file: it has NUL bytes");
    add_bytes(body, left, encoding, name, text, note);
  }
  unify_newlines(text, before);
  return text->failed || note->failed ? mst_fail_memory(error) : MUSTER_OK;
}

/* ---- the way back ---------------------------------------------------------------------------- */

/* The character at `at`, which is well formed; *at moves behind it. */
static uint32_t next_character(const char **at) {
  const unsigned char *bytes = (const unsigned char *)*at;
  const size_t length = character_length(bytes, 4);
  uint32_t c = length < 2 ? bytes[0] : bytes[0] & (0x7fu >> length);
  for (size_t i = 1; i < length; i++)
    c = c << 6 | (bytes[i] & 0x3f);
  *at += length > 0 ? length : 1;
  return c;
}

/* The byte of a character; -1: there is none. */
static int single_byte(uint32_t c, bool is_windows) {
  for (int i = 0; i < 32 && is_windows; i++)
    if (windows_1252[i] == c) return 0x80 + i;
  return c <= 0xff ? (int)c : -1;
}

size_t mst_encode(mst_encoding encoding, const char *text, char *out) {
  const size_t length = strlen(text);
  if (encoding == MST_UTF_8) {
    /* What is written has no end of text. NOLINTNEXTLINE(bugprone-not-null-terminated-result) */
    memcpy(out, text, length);
    return length;
  }
  if (encoding != MST_LATIN_1 && encoding != MST_WINDOWS_1252) return SIZE_MAX;
  size_t count = 0;
  for (const char *at = text; at < text + length;) {
    const int byte = single_byte(next_character(&at), encoding == MST_WINDOWS_1252);
    if (byte < 0) return SIZE_MAX;
    out[count++] = (char)byte;
  }
  return count;
}
