/* SPDX-License-Identifier: Apache-2.0 */
#include "pysource/gitignore.h"

#include <string.h>

#include "base/alloc.h"
#include "base/status.h"
#include "base/str.h"
#include "base/vec.h"

/* ---- globs ----------------------------------------------------------------------------------- */

static bool is_between(unsigned char c, char low, char high) {
  return c >= (unsigned char)low && c <= (unsigned char)high;
}

static bool is_letter(unsigned char c) {
  return is_between(c, 'a', 'z') || is_between(c, 'A', 'Z');
}
static bool is_digit(unsigned char c) { return is_between(c, '0', '9'); }
static bool is_graphic(unsigned char c) { return is_between(c, '!', '~'); }

/* Whether c is in [:name:]; false also in *known when there is no such class. In ASCII. */
static bool is_in_class(const char *name, size_t length, unsigned char c, bool *known) {
  const struct {
    const char *name;
    bool has;
  } classes[] = {
      {"alnum", is_letter(c) || is_digit(c)},
      {"alpha", is_letter(c)},
      {"blank", c == ' ' || c == '\t'},
      {"cntrl", c < ' ' || c == 0x7f},
      {"digit", is_digit(c)},
      {"graph", is_graphic(c)},
      {"lower", is_between(c, 'a', 'z')},
      {"print", is_graphic(c) || c == ' '},
      {"punct", is_graphic(c) && !is_letter(c) && !is_digit(c)},
      {"space", c == ' ' || is_between(c, '\t', '\r')},
      {"upper", is_between(c, 'A', 'Z')},
      {"xdigit", is_digit(c) || is_between(c, 'a', 'f') || is_between(c, 'A', 'F')},
  };
  for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
    if (strlen(classes[i].name) == length && memcmp(classes[i].name, name, length) == 0)
      return classes[i].has;
  *known = false;
  return false;
}

/* One member of a set at *at: a character, a range or a class; moves behind it. *low is the
 * character before, that a range may begin with; 0: none. False when the pattern ends here. */
static bool match_member(const char **at, unsigned char c, unsigned char *low, bool *matches) {
  const char *p = *at;
  const bool is_range = *p == '-' && *low != 0 && p[1] != '\0' && p[1] != ']';
  if (is_range) p++;
  if (p[0] == '[' && p[1] == ':' && !is_range) {
    const char *name = p + 2;
    const char *stop = strchr(name, ']');
    bool known = true;
    if (stop == NULL) return false;
    if (stop > name && stop[-1] == ':') {
      *matches |= is_in_class(name, (size_t)(stop - 1 - name), c, &known);
      *low = 0;
      *at = stop + 1;
      return known;
    }
  } else if (*p == '\\') {
    p++;
  }
  const unsigned char high = (unsigned char)*p;
  if (high == '\0') return false;
  *matches |= is_range ? c >= *low && c <= high : c == high;
  *low = is_range ? 0 : high;
  *at = p + 1;
  return true;
}

/* A set [...] at `set`; moves *end behind it. */
static bool match_set(const char *set, unsigned char c, bool is_path, const char **end) {
  const char *at = set + 1;
  const bool is_negated = *at == '!' || *at == '^';
  at += is_negated;
  bool matches = false;
  unsigned char low = 0;
  do { /* a ] at the beginning is a member */
    if (!match_member(&at, c, &low, &matches)) return false;
  } while (*at != ']');
  *end = at + 1;
  return matches != is_negated && !(is_path && c == '/');
}

/* One character against what stands at *at, but no star; moves behind it. */
static bool match_one(const char **at, unsigned char c, bool is_path) {
  const char *p = *at;
  switch (*p) {
  case '?': *at = p + 1; return !(is_path && c == '/');
  case '[': return match_set(p, c, is_path, at);
  case '\\': p++; break;
  default: break;
  }
  *at = p + (*p != '\0');
  return c == (unsigned char)*p;
}

/* A place to come back to when what follows a star does not match. */
typedef struct mst_retry {
  const char *pattern; /* behind the stars; NULL: no such place */
  const char *text;
  bool at_names; /* only where a component begins */
} mst_retry;

/* Whether the stars that end before `behind` are a ** that stands for whole components. */
static bool is_deep(const char *pattern, const char *stars, const char *behind) {
  if (behind - stars < 2) return false;
  if (*behind != '\0' && *behind != '/' && (behind[0] != '\\' || behind[1] != '/')) return false;
  /* git compares the text before the first special character apart, and takes what is left for a
   * pattern of its own: so a ** right behind that text is at the beginning of one. */
  return stars == pattern || stars[-1] == '/' ||
         strcspn(pattern, "*?[\\") == (size_t)(stars - pattern);
}

static bool step_back(mst_retry *retry, bool may_cross) {
  if (retry->pattern == NULL || *retry->text == '\0') return false;
  if (retry->at_names) {
    const char *slash = strchr(retry->text, '/');
    if (slash == NULL) return false;
    retry->text = slash + 1;
    return true;
  }
  if (*retry->text == '/' && !may_cross) return false;
  retry->text++;
  return true;
}

bool mst_glob_matches(const char *pattern, const char *text, bool is_path) {
  mst_retry deep = {0}, shallow = {0};
  const char *p = pattern;
  const char *t = text;
  for (;;) {
    if (*p == '*') {
      const char *stars = p;
      p += strspn(p, "*");
      const bool crosses = !is_path || is_deep(pattern, stars, p);
      const bool at_names = is_path && crosses && *p == '/';
      p += at_names;
      if (crosses) deep = (mst_retry){p, t, at_names};
      shallow = (mst_retry){crosses ? NULL : p, crosses ? NULL : t, false};
      continue;
    }
    if (*p == '\0' && *t == '\0') return true;
    if (*t != '\0' && *p != '\0') {
      const char *behind = p;
      if (match_one(&behind, (unsigned char)*t, is_path)) {
        p = behind;
        t++;
        continue;
      }
    }
    if (step_back(&shallow, false)) {
      p = shallow.pattern;
      t = shallow.text;
    } else if (step_back(&deep, true)) {
      shallow = (mst_retry){0};
      p = deep.pattern;
      t = deep.text;
    } else {
      return false;
    }
  }
}

/* ---- files ----------------------------------------------------------------------------------- */

void mst_gitignore_reset(mst_gitignore *ignore) {
  mst_free(ignore->text);
  mst_vec_reset(&ignore->patterns);
  *ignore = (mst_gitignore){0};
}

/* Blanks at the end do not count, unless there is a backslash before. */
static void trim(char *line) {
  char *end = line; /* behind what stays */
  for (char *at = line; *at != '\0'; at++) {
    if (*at == ' ') continue;
    if (*at == '\\' && at[1] != '\0') at++;
    end = at + 1;
  }
  *end = '\0';
}

static mst_ignore_pattern pattern_of(char *line) {
  mst_ignore_pattern pattern = {.text = line};
  pattern.is_negated = *line == '!';
  line += pattern.is_negated;
  const size_t length = strlen(line);
  pattern.is_for_folders = length > 0 && line[length - 1] == '/';
  if (pattern.is_for_folders) line[length - 1] = '\0';
  pattern.is_for_any_name = strchr(line, '/') == NULL;
  /* It is relative to the folder anyway, with a slash in front or elsewhere. */
  pattern.text = *line == '/' ? line + 1 : line;
  return pattern;
}

muster_status mst_gitignore_take(mst_gitignore *ignore, char *text, size_t length,
                                 muster_error *error) {
  *ignore = (mst_gitignore){.text = text};
  char *const end = text + length;
  char *line = mst_starts_with(text, "\xef\xbb\xbf") ? text + 3 : text;
  while (line < end) {
    char *stop = memchr(line, '\n', (size_t)(end - line));
    char *next = stop != NULL ? stop + 1 : end;
    if (stop == NULL) stop = end;
    if (stop > line && stop[-1] == '\r') stop--;
    *stop = '\0';
    if (*line != '#' && *line != '\0') {
      trim(line);
      if (!mst_vec_push(&ignore->patterns, pattern_of(line))) {
        mst_gitignore_reset(ignore);
        return mst_fail_memory(error);
      }
    }
    line = next;
  }
  return MUSTER_OK;
}

mst_ignore_verdict mst_gitignore_look(const mst_gitignore *ignore, const char *path,
                                      bool is_folder) {
  for (size_t i = ignore->patterns.length; i-- > 0;) {
    const mst_ignore_pattern *pattern = &ignore->patterns.data[i];
    if (pattern->is_for_folders && !is_folder) continue;
    const char *text = pattern->is_for_any_name ? mst_base_name(path) : path;
    if (mst_glob_matches(pattern->text, text, !pattern->is_for_any_name))
      return pattern->is_negated ? MST_IGNORE_INCLUDED : MST_IGNORE_EXCLUDED;
  }
  return MST_IGNORE_UNDECIDED;
}
