/* SPDX-License-Identifier: Apache-2.0 */
#include "pysource/comments.h"

#include <ctype.h>
#include <string.h>

/* ---- directives ------------------------------------------------------------------------------------ */

#define DIRECTIVE "muster:"

bool mst_may_have_directives(const char *text, size_t length) {
  return memmem(text, length, DIRECTIVE, sizeof DIRECTIVE - 1) != NULL;
}

bool mst_find_directive(const char *text, mst_comment comment, mst_comment *directive) {
  const char *const end = text + comment.end;
  for (const char *at = text + comment.start; at < end; at++) {
    at = memchr(at, '#', (size_t)(end - at));
    if (at == NULL) return false;
    const char *word = at + 1;
    while (word < end && (*word == ' ' || *word == '\t'))
      word++;
    const size_t length = sizeof DIRECTIVE - 1;
    if ((size_t)(end - word) < length || memcmp(word, DIRECTIVE, length) != 0) continue;
    *directive =
        (mst_comment){.start = (uint32_t)(word - text) + (uint32_t)length, .end = comment.end};
    return true;
  }
  return false;
}

/* ---- lines ------------------------------------------------------------------------------------------- */

typedef enum line_kind { CODE, EMPTY, COMMENT, CONTINUED } line_kind;

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\f' || c == '\r'; }

static const char *end_of_line(const char *at, const char *end) {
  const char *stop = memchr(at, '\n', (size_t)(end - at));
  return stop != NULL ? stop : end;
}

/* Of the line that begins at `at`, if no string goes on there. */
static line_kind kind_of(const char *at, const char *end) {
  while (at < end && is_blank(*at))
    at++;
  if (at == end || *at == '\n') return EMPTY;
  if (*at == '#') return COMMENT;
  return *at == '\\' && at + 1 < end && at[1] == '\n' ? CONTINUED : CODE;
}

bool mst_has_long_comments(const char *text, size_t length) {
  const char *const end = text + length;
  unsigned count = 0;
  for (const char *at = text; at < end; at = end_of_line(at, end) + 1) {
    const line_kind kind = kind_of(at, end);
    if (kind == CODE)
      count = 0;
    else if (kind != EMPTY && ++count > MST_MOST_COMMENTS)
      return true;
  }
  return false;
}

/* ---- strings ------------------------------------------------------------------------------------------- */

enum { MOST_STRINGS = 32 }; /* within one another */

/* A string that is open. */
typedef struct open_string {
  const char *begin; /* its quotes */
  char quote;
  bool is_triple, is_format, is_in_field; /* in a field between braces stands code */
  unsigned fields;                        /* open ones: formats may hold fields, too */
  unsigned brackets;                      /* open ones of the innermost field */
} open_string;

typedef struct lexer {
  const char *at, *end;
  open_string strings[MOST_STRINGS];
  unsigned depth;
} lexer;

static open_string *innermost(lexer *lex) {
  return lex->depth > 0 ? &lex->strings[lex->depth - 1] : NULL;
}

static bool is_in_code(const lexer *lex) {
  return lex->depth == 0 || lex->strings[lex->depth - 1].is_in_field;
}

static bool is_tripled(const lexer *lex, char quote) {
  return lex->end - lex->at >= 3 && lex->at[0] == quote && lex->at[1] == quote &&
         lex->at[2] == quote;
}

static bool is_word(char c) { return isalnum((unsigned char)c) || c == '_' || (c & 0x80) != 0; }

/* True behind f, rf and the like. */
static bool has_format_prefix(const lexer *lex, const char *begin) {
  bool is_format = false;
  const char *at = lex->at;
  for (; at > begin && is_word(at[-1]); at--) {
    if (at[-1] == '\0' || strchr("fFrRbBuU", at[-1]) == NULL) return false;
    is_format |= at[-1] == 'f' || at[-1] == 'F';
  }
  return is_format && lex->at - at <= 2;
}

static void open_at(lexer *lex, const char *begin) {
  const char quote = *lex->at;
  const bool is_triple = is_tripled(lex, quote);
  if (lex->depth < MOST_STRINGS)
    lex->strings[lex->depth++] = (open_string){.begin = lex->at,
                                               .quote = quote,
                                               .is_triple = is_triple,
                                               .is_format = has_format_prefix(lex, begin)};
  lex->at += is_triple ? 3 : 1;
}

/* One step within the text of a string, or the format of one of its fields. */
static void step_in_string(lexer *lex) {
  open_string *string = innermost(lex);
  const char c = *lex->at;
  const bool has_next = lex->at + 1 < lex->end;
  const bool is_doubled = string->is_format && (c == '{' || c == '}') && has_next &&
                          lex->at[1] == c && string->fields == 0;
  if (is_doubled || (c == '\\' && has_next)) {
    lex->at += 2;
  } else if (c == string->quote && (!string->is_triple || is_tripled(lex, c))) {
    lex->at += string->is_triple ? 3 : 1;
    lex->depth--;
  } else if (c == '\n' && !string->is_triple) {
    lex->at++;
    lex->depth--;
  } else {
    lex->at++;
    if (string->is_format && c == '{') {
      string->fields++;
      string->is_in_field = true;
      string->brackets = 0;
    } else if (c == '}' && string->fields > 0) {
      string->fields--;
    }
  }
}

/* What ends a field, or begins its format. */
static void step_in_field(lexer *lex) {
  open_string *string = innermost(lex);
  const char c = *lex->at++;
  if (string == NULL) return;
  if (c == '(' || c == '[' || c == '{') {
    string->brackets++;
  } else if (c == ')' || c == ']' || c == '}') {
    if (string->brackets > 0) {
      string->brackets--;
    } else if (c == '}') {
      string->fields--;
      string->is_in_field = false;
    }
  } else if (c == ':' && string->brackets == 0) {
    string->is_in_field = false;
  }
}

/* To the next line; true when a backslash in code continues it there. */
static bool pass_line(lexer *lex) {
  const char *const begin = lex->at;
  const char *const stop = end_of_line(begin, lex->end);
  bool is_continued = false;
  while (lex->at <= stop && lex->at < lex->end) {
    const char c = *lex->at;
    if (!is_in_code(lex)) {
      step_in_string(lex);
    } else if (c == '\'' || c == '"') {
      open_at(lex, begin);
    } else if (c == '#') {
      lex->at = stop;
      if (stop < lex->end) lex->at++;
    } else {
      is_continued = c == '\\' && lex->at + 1 == stop;
      step_in_field(lex);
      if (is_continued && lex->at < lex->end) lex->at++; /* the newline */
    }
  }
  return is_continued && is_in_code(lex);
}

/* ---- blocks -------------------------------------------------------------------------------------------- */

/* What stands between two lines of code. */
typedef struct block {
  char *inner, *last; /* behind the first line that counts, and where the last one begins */
  unsigned count;     /* of lines that are not empty */
  bool is_continued;  /* the line of code before it goes on here */
} block;

static void blank_block(const block *found) {
  if (found->count <= MST_MOST_COMMENTS) return;
  bool is_continued = found->is_continued;
  for (char *at = found->inner; at < found->last;) {
    const line_kind kind = kind_of(at, found->last);
    char *stop = memchr(at, '\n', (size_t)(found->last - at));
    if (kind == CONTINUED && is_continued)
      *stop = ' ';
    else
      is_continued = false;
    if (kind != EMPTY) memset(at, ' ', (size_t)(stop - at));
    at = stop + 1;
  }
}

static void add_line(block *found, char *line, char *next, line_kind kind) {
  if (found->count == 0) found->is_continued &= kind == CONTINUED;
  if (kind == EMPTY) return;
  if (found->count++ == 0) found->inner = next;
  found->last = line;
}

void mst_blank_comments(char *text, size_t length) {
  lexer lex = {.at = text, .end = text + length};
  block found = {0};
  while (lex.at < lex.end) {
    char *line = text + (lex.at - text);
    const line_kind kind = is_in_code(&lex) ? kind_of(lex.at, lex.end) : CODE;
    if (kind != CODE) {
      const char *stop = end_of_line(lex.at, lex.end);
      lex.at = stop < lex.end ? stop + 1 : stop;
      add_line(&found, line, text + (lex.at - text), kind);
      continue;
    }
    blank_block(&found);
    found = (block){.is_continued = pass_line(&lex)};
  }
  blank_block(&found);
}

bool mst_find_unclosed(const char *text, size_t length, size_t *at) {
  lexer lex = {.at = text, .end = text + length};
  while (lex.at < lex.end)
    pass_line(&lex);
  for (unsigned i = 0; i < lex.depth; i++) {
    if (!lex.strings[i].is_triple) continue;
    *at = (size_t)(lex.strings[i].begin - text);
    return true;
  }
  return false;
}
