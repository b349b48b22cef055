/* SPDX-License-Identifier: Apache-2.0 */
#include "manifest/outline.h"

#include <string.h>

/* ---- slices ---------------------------------------------------------------------------------- */

static mst_slice between(const char *begin, const char *end) {
  return (mst_slice){begin, end > begin ? (size_t)(end - begin) : 0};
}

static const char *end_of(mst_slice slice) { return slice.at + slice.length; }

bool mst_slice_is(mst_slice slice, const char *text) {
  return slice.length == strlen(text) &&
         (slice.length == 0 || memcmp(slice.at, text, slice.length) == 0);
}

bool mst_slice_same(mst_slice a, mst_slice b) {
  return a.length == b.length && (a.length == 0 || memcmp(a.at, b.at, a.length) == 0);
}

static bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\\';
}

mst_slice mst_slice_trim(mst_slice slice) {
  while (slice.length > 0 && is_blank(slice.at[0]))
    slice.at++, slice.length--;
  while (slice.length > 0 && is_blank(slice.at[slice.length - 1]))
    slice.length--;
  return slice;
}

static bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (unsigned char)c >= 0x80;
}

static bool is_word(char c) { return is_letter(c) || (c >= '0' && c <= '9'); }

mst_slice mst_slice_identifier(mst_slice slice) {
  size_t length = 0;
  if (slice.length > 0 && is_letter(slice.at[0]))
    while (length < slice.length && is_word(slice.at[length]))
      length++;
  return (mst_slice){slice.at, length};
}

bool mst_slice_has_word(mst_slice slice, mst_slice word) {
  if (slice.length == 0) return false;
  const char *end = end_of(slice);
  for (const char *at = slice.at; word.length > 0 && (size_t)(end - at) >= word.length; at++) {
    const char *found = memmem(at, (size_t)(end - at), word.at, word.length);
    if (found == NULL) return false;
    const char *behind = found + word.length;
    if ((found == slice.at || !is_word(found[-1])) && (behind == end || !is_word(*behind)))
      return true;
    at = found;
  }
  return false;
}

/* ---- tokens ---------------------------------------------------------------------------------- */

/* Behind the string literal whose quote stands at `at`. One that is not closed ends with its line,
 * or with the text when it has three quotes. */
static const char *skip_string(const char *at, const char *end) {
  const char quote = *at;
  const bool triple = end - at >= 3 && at[1] == quote && at[2] == quote;
  at += triple ? 3 : 1;
  while (at < end) {
    if (*at == '\\' && end - at >= 2) {
      at += 2;
    } else if (!triple && (*at == quote || *at == '\n')) {
      return at + (*at == quote);
    } else if (triple && end - at >= 3 && at[0] == quote && at[1] == quote && at[2] == quote) {
      return at + 3;
    } else {
      at++;
    }
  }
  return end;
}

static const char *skip_comment(const char *at, const char *end) {
  const char *stop = memchr(at, '\n', (size_t)(end - at));
  return stop != NULL ? stop : end;
}

/* Behind one token that starts at `at`: a string, a comment, or one byte. */
static const char *skip_token(const char *at, const char *end) {
  if (*at == '"' || *at == '\'') return skip_string(at, end);
  if (*at == '#') return skip_comment(at, end);
  return at + (*at == '\\' && end - at >= 2 ? 2 : 1);
}

static int depth_change(char c) {
  if (c == '(' || c == '[' || c == '{') return 1;
  return c == ')' || c == ']' || c == '}' ? -1 : 0;
}

/* The first of `bytes` outside of strings, comments and brackets; the end when there is none. */
static const char *find_outside(mst_slice slice, const char *bytes) {
  const char *end = end_of(slice);
  long depth = 0;
  for (const char *at = slice.at; at < end; at = skip_token(at, end)) {
    if (depth <= 0 && strchr(bytes, *at) != NULL && *at != '\0') return at;
    depth += depth_change(*at);
  }
  return end;
}

bool mst_next_string(mst_slice *rest, mst_slice *content) {
  if (rest->length == 0) return false;
  const char *end = end_of(*rest);
  for (const char *at = rest->at; at < end;) {
    const char *behind = skip_token(at, end);
    if (*at == '"' || *at == '\'') {
      *content = between(at + 1, behind - 1);
      *rest = between(behind, end);
      return true;
    }
    at = behind;
  }
  rest->length = 0;
  return false;
}

/* ---- lines ----------------------------------------------------------------------------------- */

typedef struct outliner {
  mst_outline *outline;
  const char *end;
  const char *at;     /* where the next line begins */
  mst_slice line;     /* a logical line, without its indent */
  size_t indent;      /* its indent */
  size_t skip;        /* lines that are deeper are passed over; NO_SKIP: none */
  size_t class_deep;  /* lines that are deeper belong to the class */
  size_t class_index; /* or MST_NO_CLASS */
  size_t owner;       /* binding that the lines passed over are the body of, or MST_NO_CLASS */
  bool wants_doc;     /* the owner's or the class's docstring may come */
  bool is_property;   /* by the decorators seen */
  bool failed;
} outliner;

#define NO_SKIP ((size_t)-1)

/* The next line that is not blank; strings and brackets continue it. */
static bool next_line(outliner *o) {
  while (o->at < o->end) {
    const char *begin = o->at;
    while (begin < o->end && (*begin == ' ' || *begin == '\t' || *begin == '\f'))
      begin++;
    long depth = 0;
    const char *at = begin;
    while (at < o->end && !(depth <= 0 && *at == '\n')) {
      depth += depth_change(*at);
      at = skip_token(at, o->end);
    }
    o->indent = (size_t)(begin - o->at);
    o->line = between(begin, at);
    o->at = at < o->end ? at + 1 : o->end;
    if (o->line.length > 0 && *begin != '#' && *begin != '\r') return true;
  }
  return false;
}

static mst_bound_name *add(outliner *o, mst_binding_kind kind, mst_slice name) {
  const mst_bound_name binding = {.kind = kind, .name = name, .in_class = o->class_index};
  if (!mst_vec_push(&o->outline->bindings, binding)) {
    o->failed = true;
    return NULL;
  }
  return &o->outline->bindings.data[o->outline->bindings.length - 1];
}

/* ---- statements ------------------------------------------------------------------------------ */

/* What follows a word of the line, trimmed; empty and at NULL when the line has another word. */
static mst_slice after_word(mst_slice line, const char *word) {
  const mst_slice first = mst_slice_identifier(line);
  if (!mst_slice_is(first, word)) return (mst_slice){0};
  return mst_slice_trim(between(end_of(first), end_of(line)));
}

static void read_function(outliner *o, mst_slice rest) {
  const mst_slice name = mst_slice_identifier(rest);
  mst_bound_name *binding =
      name.length > 0 ? add(o, o->is_property ? MST_BIND_PROPERTY : MST_BIND_FUNCTION, name) : NULL;
  if (binding != NULL) {
    const char *colon = find_outside(o->line, ":");
    binding->body = between(colon < end_of(o->line) ? colon + 1 : colon, end_of(o->line));
  }
  o->owner = binding != NULL ? o->outline->bindings.length - 1 : MST_NO_CLASS;
  o->skip = o->indent;
  o->wants_doc = binding != NULL;
}

static void read_class(outliner *o, mst_slice rest) {
  const mst_slice name = mst_slice_identifier(rest);
  const bool nested = o->class_index != MST_NO_CLASS;
  mst_bound_name *binding = name.length > 0 ? add(o, MST_BIND_CLASS, name) : NULL;
  if (binding == NULL || nested) { /* what a nested class holds is nobody's business */
    o->skip = o->indent;
    o->owner = MST_NO_CLASS;
    return;
  }
  if (end_of(name) < end_of(rest) && *end_of(name) == '(')
    binding->value = between(end_of(name) + 1, end_of(rest));
  o->class_index = o->outline->bindings.length - 1;
  o->class_deep = o->indent;
  o->owner = MST_NO_CLASS;
  o->wants_doc = true;
}

/* One name of an import: "a", "a as b". */
static void read_imported(outliner *o, mst_slice module, mst_slice item) {
  /* A comment may stand before the name. */
  for (item = mst_slice_trim(item); item.length > 0 && *item.at == '#';)
    item = mst_slice_trim(between(skip_comment(item.at, end_of(item)), end_of(item)));
  if (item.length > 0 && *item.at == '*') {
    mst_bound_name *star = add(o, MST_BIND_STAR, (mst_slice){0});
    if (star != NULL) star->module = module;
    return;
  }
  const mst_slice member = mst_slice_identifier(item);
  if (member.length == 0) return;
  const mst_slice tail = mst_slice_trim(between(end_of(member), end_of(item)));
  const mst_slice alias = mst_slice_identifier(after_word(tail, "as"));
  mst_bound_name *binding = add(o, MST_BIND_IMPORT, alias.length > 0 ? alias : member);
  if (binding == NULL) return;
  binding->module = module;
  binding->member = member;
}

static void read_from(outliner *o, mst_slice rest) {
  size_t length = 0;
  while (length < rest.length && (is_word(rest.at[length]) || rest.at[length] == '.'))
    length++;
  const mst_slice module = {rest.at, length};
  mst_slice names = after_word(mst_slice_trim(between(end_of(module), end_of(rest))), "import");
  if (module.length == 0 || names.at == NULL) return;
  if (names.length > 0 && *names.at == '(') names = between(names.at + 1, end_of(names));
  while (names.length > 0) {
    const char *stop = find_outside(names, ",)");
    read_imported(o, module, between(names.at, stop));
    if (stop < end_of(names) && *stop == ')') return;
    names = between(stop < end_of(names) ? stop + 1 : stop, end_of(names));
  }
}

/* import a.b, c as d: binds a and d. */
static void read_import(outliner *o, mst_slice rest) {
  while (rest.length > 0) {
    const char *stop = find_outside(rest, ",");
    const mst_slice item = mst_slice_trim(between(rest.at, stop));
    size_t length = 0;
    while (length < item.length && (is_word(item.at[length]) || item.at[length] == '.'))
      length++;
    const mst_slice tail = mst_slice_trim(between(item.at + length, end_of(item)));
    const mst_slice alias = mst_slice_identifier(after_word(tail, "as"));
    const mst_slice first = mst_slice_identifier(item);
    if (first.length > 0) {
      mst_bound_name *binding = add(o, MST_BIND_IMPORT, alias.length > 0 ? alias : first);
      if (binding != NULL)
        binding->module = alias.length > 0 ? (mst_slice){item.at, length} : first;
    }
    rest = between(stop < end_of(rest) ? stop + 1 : stop, end_of(rest));
  }
}

/* NAME = value, NAME: type = value, NAME = NAME = value; anything else binds nothing. */
static void read_value(outliner *o) {
  mst_slice rest = o->line;
  const size_t first = o->outline->bindings.length;
  for (;;) {
    const mst_slice name = mst_slice_identifier(rest);
    if (name.length == 0) break;
    mst_slice tail = mst_slice_trim(between(end_of(name), end_of(rest)));
    mst_slice type = {0};
    if (tail.length > 0 && *tail.at == ':') {
      const char *stop = find_outside(between(tail.at + 1, end_of(tail)), "=#");
      type = mst_slice_trim(between(tail.at + 1, stop));
      tail = between(stop, end_of(tail));
    }
    const bool assigns =
        tail.length > 0 && *tail.at == '=' && !(tail.length > 1 && tail.at[1] == '=');
    if (!assigns && type.length == 0) break;
    mst_bound_name *binding = add(o, MST_BIND_VALUE, name);
    if (binding == NULL) return;
    binding->type = type;
    if (!assigns) return;
    rest = mst_slice_trim(between(tail.at + 1, end_of(tail)));
  }
  for (size_t i = first; i < o->outline->bindings.length; i++)
    o->outline->bindings.data[i].value = rest;
}

static void read_decorator(outliner *o) {
  const mst_slice text = mst_slice_trim(between(o->line.at + 1, end_of(o->line)));
  const mst_slice first = mst_slice_identifier(text);
  const mst_slice rest = between(end_of(first), end_of(text));
  if (mst_slice_is(first, "property") || mst_slice_is(first, "cached_property") ||
      (rest.length >= 7 && memcmp(rest.at, ".setter", 7) == 0))
    o->is_property = true;
}

static void read_statement(outliner *o) {
  if (*o->line.at == '@') {
    read_decorator(o);
    return;
  }
  const mst_slice async = after_word(o->line, "async");
  const mst_slice line = async.length > 0 ? async : o->line;
  mst_slice rest;
  if ((rest = after_word(line, "def")).at != NULL) {
    read_function(o, rest);
  } else if ((rest = after_word(line, "class")).at != NULL) {
    read_class(o, rest);
  } else if ((rest = after_word(line, "from")).at != NULL) {
    read_from(o, rest);
  } else if ((rest = after_word(line, "import")).at != NULL) {
    read_import(o, rest);
  } else if ((rest = after_word(line, "if")).at != NULL) {
    if (mst_slice_has_word(rest, (mst_slice){"TYPE_CHECKING", 13})) {
      o->skip = o->indent;
      o->owner = MST_NO_CLASS;
    }
  } else {
    read_value(o);
  }
  o->is_property = false;
}

/* ---- all of it ------------------------------------------------------------------------------- */

/* The docstring when the line is one: a literal, perhaps with a prefix such as r. */
static mst_slice literal(mst_slice line) {
  size_t prefix = mst_slice_identifier(line).length;
  if (prefix > 2 || prefix >= line.length) return (mst_slice){0};
  const char quote = line.at[prefix];
  if (quote != '"' && quote != '\'') return (mst_slice){0};
  return between(line.at + prefix, skip_string(line.at + prefix, end_of(line)));
}

static void take_doc(outliner *o, size_t index) {
  if (index != MST_NO_CLASS && o->wants_doc)
    o->outline->bindings.data[index].doc = literal(o->line);
  o->wants_doc = false;
}

static void take_line(outliner *o) {
  if (o->skip != NO_SKIP && o->indent > o->skip) {
    take_doc(o, o->owner);
    if (o->owner != MST_NO_CLASS) {
      mst_slice *body = &o->outline->bindings.data[o->owner].body;
      *body = between(body->at, end_of(o->line));
    }
    return;
  }
  if (o->skip != NO_SKIP) o->wants_doc = false;
  o->skip = NO_SKIP;
  if (o->class_index != MST_NO_CLASS && o->indent <= o->class_deep) {
    o->class_index = MST_NO_CLASS;
    o->wants_doc = false;
  }
  take_doc(o, o->class_index);
  read_statement(o);
}

bool mst_outline_make(mst_outline *outline, const char *text, size_t length) {
  *outline = (mst_outline){0};
  outliner o = {.outline = outline,
                .at = text,
                .end = text + length,
                .skip = NO_SKIP,
                .class_index = MST_NO_CLASS,
                .owner = MST_NO_CLASS};
  while (!o.failed && next_line(&o))
    take_line(&o);
  return !o.failed;
}

void mst_outline_reset(mst_outline *outline) { mst_vec_reset(&outline->bindings); }

const mst_bound_name *mst_outline_find(const mst_outline *outline, size_t in_class,
                                       mst_slice name) {
  for (size_t i = outline->bindings.length; i-- > 0;) {
    const mst_bound_name *binding = &outline->bindings.data[i];
    if (binding->kind != MST_BIND_STAR && binding->in_class == in_class &&
        mst_slice_same(binding->name, name))
      return binding;
  }
  return NULL;
}
