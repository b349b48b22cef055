/* SPDX-License-Identifier: Apache-2.0 */
#include "pysource/magics.h"

#include <stddef.h>
#include <string.h>

/* ---- text ------------------------------------------------------------------------------------ */

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\f'; }

static bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

static bool is_letter(char c) { return is_word(c) && !(c >= '0' && c <= '9'); }

static char *skip_blanks(char *at) {
  while (is_blank(*at))
    at++;
  return at;
}

static char *line_end(char *at) { return at + strcspn(at, "\n"); }

static char *next_line(char *at) {
  at = line_end(at);
  return *at == '\n' ? at + 1 : at;
}

static size_t word_length(const char *at) {
  size_t length = 0;
  while (is_word(at[length]))
    length++;
  return length;
}

static void blank(char *from, const char *to) {
  for (; from < to; from++)
    if (*from != '\n') *from = ' ';
}

/* The end of a command, which goes on behind a backslash at the end of a line. */
static char *command_end(char *at) {
  char *end = line_end(at);
  while (*end == '\n' && end > at && end[-1] == '\\')
    end = line_end(end + 1);
  return end;
}

static char *skip_empty_lines(char *cell) {
  for (;;) {
    char *at = skip_blanks(cell);
    if (*at != '\n') return cell;
    cell = at + 1;
  }
}

uint32_t mst_magics_dedent(char *cell) {
  char *first = skip_empty_lines(cell);
  const size_t indent = (size_t)(skip_blanks(first) - first);
  if (indent == 0 || first[indent] == '\0') return 0;
  char prefix[256];
  if (indent > sizeof prefix) return 0;
  memcpy(prefix, first, indent);
  const char *from = cell;
  char *to = cell;
  while (*from != '\0') {
    if (strncmp(from, prefix, indent) == 0) from += indent;
    while (*from != '\0' && *from != '\n')
      *to++ = *from++;
    if (*from == '\n') *to++ = *from++;
  }
  *to = '\0';
  return (uint32_t)indent;
}

/* ---- magics that run Python ------------------------------------------------------------------ */

typedef struct python_magic {
  const char *name;
  const char *valued; /* options that take a value; NULL: no short options */
  bool has_statement; /* on the line, in %%cell form */
} python_magic;

static const python_magic python_magics[] = {
    {"time", NULL, true},     {"timeit", "nrpv", true}, {"capture", NULL, false},
    {"prun", "lsTD", true},   {"memit", "rti", true},   {"lprun", "fmDTu", true},
    {"mprun", "fT", true},    {"snakeviz", "f", true},  {"pyinstrument", NULL, false},
    {"scalene", NULL, false}, {"debug", "b", false},
};

static const python_magic *python_magic_at(const char *name) {
  const size_t length = word_length(name);
  if (name[length] != '\0' && name[length] != '\n' && !is_blank(name[length])) return NULL;
  for (size_t i = 0; i < sizeof python_magics / sizeof *python_magics; i++) {
    const char *known = python_magics[i].name;
    if (strlen(known) == length && memcmp(known, name, length) == 0) return &python_magics[i];
  }
  return NULL;
}

static char *skip_token(char *at) { return at + strcspn(at, " \t\f\n"); }

/* The statement behind a magic's name and options. */
static char *statement_of(const python_magic *magic, char *name) {
  char *at = skip_blanks(name + strlen(magic->name));
  while (at[0] == '-' && (at[1] == '-' ? is_letter(at[2]) : magic->valued && is_letter(at[1]))) {
    const bool takes_next = is_letter(at[1]) && (at[2] == '\0' || is_blank(at[2])) &&
                            strchr(magic->valued, at[1]) != NULL;
    at = skip_blanks(skip_token(at));
    if (takes_next) at = skip_blanks(skip_token(at));
  }
  return at;
}

/* Length of a keyword that cannot follow "0;"; 0: it is none. */
static size_t compound_keyword(const char *at) {
  static const char *const keywords[] = {"for", "while", "if",    "with",
                                         "try", "def",   "class", "async"};
  const size_t length = word_length(at);
  for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++)
    if (strlen(keywords[i]) == length && memcmp(keywords[i], at, length) == 0) return length;
  return 0;
}

/* Blanks from the magic to its statement, so that the statement begins where the magic did. A
 * magic is longer than any of the keywords that move. */
static void keep_statement(char *magic, char *statement) {
  const size_t keyword = compound_keyword(statement);
  blank(magic, statement);
  if (keyword > 0) {
    memcpy(magic, statement, keyword);
    blank(statement, statement + keyword);
  } else {
    magic[0] = '0';
    magic[1] = ';';
  }
}

/* ---- cells ----------------------------------------------------------------------------------- */

/* Takes %%magics off the top of a cell; returns where Python begins, the end when nowhere. */
static char *take_cell_magics(char *cell) {
  for (;;) {
    char *at = skip_empty_lines(cell);
    if (at[0] != '%' || at[1] != '%') return cell;
    char *end = line_end(at);
    const bool is_help = end[-1] == '?';
    const python_magic *magic = python_magic_at(at + 2);
    if (!is_help && magic == NULL) {
      end = at + strlen(at);
      blank(at, end);
      return end;
    }
    char *statement = is_help || !magic->has_statement ? end : statement_of(magic, at + 2);
    if (statement < end) {
      keep_statement(at, statement);
      return at;
    }
    blank(at, end);
    cell = next_line(at);
  }
}

/* ---- lines ----------------------------------------------------------------------------------- */

/* Where one is in Python's text, at the beginning of a line. */
typedef struct mst_cursor {
  unsigned depth; /* open brackets */
  char quote;     /* of the open string; 0: none */
  bool is_triple;
  bool is_continued; /* the line ended in a backslash */
  char last;         /* the last character of code in the line */
} mst_cursor;

/* A command is nothing, but a block must not become empty by it. */
static void blank_command(char *line, char *from, const char *end) {
  blank(from, end);
  if (from > line) *from = '0';
}

/* At the beginning of a statement; true when the line was a command, and nothing of it is left. */
static bool take_command(char *line) {
  char *at = skip_blanks(line);
  if (*at == '\0' || strchr("%!?,;/", *at) == NULL) return false;
  char *end = command_end(at);
  const python_magic *magic = at[0] == '%' ? python_magic_at(at + 1) : NULL;
  if (magic != NULL && magic->has_statement) {
    char *statement = statement_of(magic, at + 1);
    if (statement < end && *statement != '\n') {
      keep_statement(at, statement);
      return false;
    }
  }
  blank_command(line, at, end);
  return true;
}

/* At an '=' outside of brackets: what is assigned may be a command. */
static void take_assigned(char *equals) {
  char *at = skip_blanks(equals + 1);
  const bool is_magic = at[0] == '%' && is_letter(at[1]);
  if (!is_magic && (at[0] != '!' || at[1] == '=')) return;
  if (is_magic && strncmp(at + 1, "time", 4) == 0 && is_blank(at[5])) {
    blank(at, at + 5);
    return;
  }
  char *end = command_end(at);
  if (end - at < 2) return;
  blank(at, end);
  memcpy(at, "__", 2);
}

/* At a quote outside of strings; returns the last character of what opens the string. */
static char *open_string(mst_cursor *cursor, char *at) {
  cursor->quote = *at;
  cursor->is_triple = at[1] == *at && at[2] == *at;
  return cursor->is_triple ? at + 2 : at;
}

static char *within_string(mst_cursor *cursor, char *at) {
  if (*at == '\\' && at[1] != '\0' && at[1] != '\n') return at + 1;
  if (*at != cursor->quote) return at;
  if (cursor->is_triple && (at[1] != *at || at[2] != *at)) return at;
  at += cursor->is_triple ? 2 : 0;
  cursor->quote = 0;
  return at;
}

static char *within_code(mst_cursor *cursor, char *at) {
  switch (*at) {
  case '#': return line_end(at) - 1;
  case '"':
  case '\'': cursor->last = *at; return open_string(cursor, at);
  case '(':
  case '[':
  case '{': cursor->depth++; break;
  case ')':
  case ']':
  case '}': cursor->depth -= cursor->depth > 0; break;
  case '\\': cursor->is_continued = at[1] == '\n' || at[1] == '\0'; break;
  case '=':
    if (cursor->depth == 0 && strchr("=!<>", cursor->last) == NULL) take_assigned(at);
    break;
  default: break;
  }
  if (!is_blank(*at)) cursor->last = *at;
  return at;
}

/* Goes over one line; returns its end. */
static char *scan_line(mst_cursor *cursor, char *at) {
  const char *const start = at;
  cursor->is_continued = false;
  cursor->last = ' ';
  for (; *at != '\0' && *at != '\n'; at++)
    at = cursor->quote != 0 ? within_string(cursor, at) : within_code(cursor, at);
  const bool goes_on = at > start && at[-1] == '\\';
  if (cursor->quote != 0 && !cursor->is_triple && !goes_on) cursor->quote = 0;
  return at;
}

/* A line "name?" or "name??" asks for help: no Python statement ends so. */
static void take_help(mst_cursor *cursor, char *line, const char *end) {
  if (cursor->last != '?') return;
  blank_command(line, skip_blanks(line), end);
  *cursor = (mst_cursor){0};
}

bool mst_magics_blank(char *cell) {
  mst_cursor cursor = {0};
  char *line = take_cell_magics(cell);
  while (*line != '\0') {
    const bool is_fresh = cursor.depth == 0 && cursor.quote == 0 && !cursor.is_continued;
    if (is_fresh && take_command(line)) {
      line = next_line(command_end(line));
      continue;
    }
    char *end = scan_line(&cursor, line);
    if (is_fresh && cursor.depth == 0 && cursor.quote == 0) take_help(&cursor, line, end);
    /* The cell behind must not become part of this line. */
    if (*end == '\0' && end > line && end[-1] == '\\') end[-1] = ' ';
    line = *end == '\n' ? end + 1 : end;
  }
  if (cursor.depth == 0 && cursor.quote == 0) return true;
  blank(cell, cell + strlen(cell));
  return false;
}
