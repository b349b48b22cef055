/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/toml.h"

#include <string.h>
#include <time.h>

#include <tree_sitter/api.h>
#include <tree-sitter-toml/symbols.h>

#include "base/alloc.h"
#include "base/status.h"
#include "base/str.h"
#include "pysource/ts_alloc.h"

#define PARSE_BUDGET ((size_t)512 << 20)
#define PARSE_SECONDS 10
#define TEXT_BUDGET ((size_t)64 << 20) /* of keys and values that are kept */

const TSLanguage *tree_sitter_toml(void);

/* Where texts are made: in the arena, as long as they may become. */
typedef struct toml_text {
  char *data;
  size_t length;
} toml_text;

typedef struct toml_reader {
  mst_ts_heap heap;
  const char *path, *text;
  const char *within;
  mst_toml *out;
  muster_error *error;
  bool failed; /* what is wrong has been said */
} toml_reader;

void mst_toml_reset(mst_toml *toml) {
  mst_arena_reset(&toml->arena);
  *toml = (mst_toml){0};
}

static uint32_t line_of(TSNode node) { return ts_node_start_point(node).row + 1; }

static void fail(toml_reader *reader, TSNode node, const char *what) {
  if (!reader->failed)
    (void)mst_fail(reader->error, MUSTER_ERR_FORMAT, reader->path, "line %u: %s", line_of(node),
                   what);
  reader->failed = true;
}

/* ---- texts ---------------------------------------------------------------------------------------- */

static toml_text text_for(const toml_reader *reader, size_t most) {
  return (toml_text){.data = mst_arena_new(&reader->out->arena, most + 1)};
}

static void add_byte(toml_text *out, uint32_t byte) { out->data[out->length++] = (char)byte; }

static void add_text(toml_text *out, const char *text) {
  while (*text != '\0')
    out->data[out->length++] = *text++;
}

static void add_code_point(toml_text *out, uint32_t code) {
  if (code < 0x80) {
    add_byte(out, code);
    return;
  }
  if (code < 0x800) {
    add_byte(out, 0xc0 | code >> 6);
  } else if (code < 0x10000) {
    add_byte(out, 0xe0 | code >> 12);
    add_byte(out, 0x80 | (code >> 6 & 63));
  } else {
    add_byte(out, 0xf0 | code >> 18);
    add_byte(out, 0x80 | (code >> 12 & 63));
    add_byte(out, 0x80 | (code >> 6 & 63));
  }
  add_byte(out, 0x80 | (code & 63));
}

/* Four or eight digits; 0: a NUL, a surrogate, or no digits, none of which a text may hold. */
static uint32_t code_of(const char *digits, size_t count) {
  uint32_t code = 0;
  for (size_t i = 0; i < count; i++) {
    const char *const hex = "0123456789abcdef";
    const char lower = digits[i] >= 'A' && digits[i] <= 'F' ? (char)(digits[i] + 32) : digits[i];
    const char *found = lower != '\0' ? strchr(hex, lower) : NULL;
    if (found == NULL || code > 0x10ffff) return 0;
    code = code * 16 + (uint32_t)(found - hex);
  }
  return code > 0x10ffff || (code >= 0xd800 && code < 0xe000) ? 0 : code;
}

/* Appends what the escape at `at` stands for; returns its end, NULL when it is none. */
static const char *add_escape(toml_text *out, const char *at, const char *end) {
  static const char letters[] = "btnfre\"\\", values[] = "\b\t\n\f\r\033\"\\";
  const char letter = at + 1 < end ? at[1] : '\0';
  const char *found = letter != '\0' ? strchr(letters, letter) : NULL;
  if (found != NULL) {
    add_byte(out, (unsigned char)values[found - letters]);
    return at + 2;
  }
  if (letter == 'u' || letter == 'U') {
    const size_t count = letter == 'u' ? 4 : 8;
    const uint32_t code = (size_t)(end - at) >= count + 2 ? code_of(at + 2, count) : 0;
    if (code == 0) return NULL;
    add_code_point(out, code);
    return at + 2 + count;
  }
  const char *stop = at + 1; /* a line's end, and all blanks behind it */
  while (stop < end && strchr(" \t\r\n", *stop) != NULL)
    stop++;
  return memchr(at, '\n', (size_t)(stop - at)) != NULL ? stop : NULL;
}

/* Of a string between its quotation marks; NULL when it holds what it may not. */
static const char *unquoted(const toml_reader *reader, TSNode node) {
  const char *at = reader->text + ts_node_start_byte(node);
  const char *end = reader->text + ts_node_end_byte(node);
  toml_text out = text_for(reader, (size_t)(end - at));
  const char quote = *at;
  const bool is_long = end - at >= 6 && at[1] == quote && at[2] == quote;
  at += is_long ? 3 : 1;
  end -= is_long ? 3 : 1;
  if (is_long && at < end && *at == '\r') at++;
  if (is_long && at < end && *at == '\n') at++;
  while (at != NULL && at < end) {
    if (*at == '\\' && quote == '"')
      at = add_escape(&out, at, end);
    else
      add_byte(&out, (unsigned char)*at++);
  }
  return at != NULL ? out.data : NULL;
}

static const char *text_of(const toml_reader *reader, TSNode node) {
  const uint32_t start = ts_node_start_byte(node), end = ts_node_end_byte(node);
  return mst_arena_text(&reader->out->arena, reader->text + start, end - start);
}

/* ---- keys ------------------------------------------------------------------------------------------- */

static void add_part(toml_text *out, const char *part) {
  if (out->length > 0) add_byte(out, '.');
  for (; *part != '\0'; part++) {
    if (*part == '.' || *part == '\\') add_byte(out, '\\');
    add_byte(out, (unsigned char)*part);
  }
}

static void add_key_part(toml_reader *reader, TSNode node, toml_text *out) {
  const bool is_quoted = ts_node_symbol(node) == sym_quoted_key;
  const char *part = is_quoted ? unquoted(reader, node) : text_of(reader, node);
  if (part == NULL)
    fail(reader, node, "the key holds what a key may not");
  else
    add_part(out, part);
}

/* Appends all parts of a key, which nests a level for each dot. */
static void add_key(toml_reader *reader, TSNode key, toml_text *out) {
  TSTreeCursor cursor = ts_tree_cursor_new(key);
  bool goes_on = true;
  while (goes_on && !reader->failed) {
    const TSNode node = ts_tree_cursor_current_node(&cursor);
    const TSSymbol symbol = ts_node_symbol(node);
    if (symbol == sym_dotted_key && ts_tree_cursor_goto_first_child(&cursor)) continue;
    if (symbol == sym_bare_key || symbol == sym_quoted_key) add_key_part(reader, node, out);
    while (!(goes_on = ts_tree_cursor_goto_next_sibling(&cursor)) &&
           ts_tree_cursor_goto_parent(&cursor)) {
    }
  }
}

static const char *joined_key(toml_reader *reader, const char *outer, TSNode key) {
  const size_t own = ts_node_end_byte(key) - ts_node_start_byte(key);
  toml_text out = text_for(reader, strlen(outer) + 2 * own + sizeof ".[]");
  add_text(&out, outer);
  add_key(reader, key, &out);
  return out.data;
}

/* ---- values ------------------------------------------------------------------------------------------ */

static void add_entry(toml_reader *reader, const char *key, const char *text, mst_toml_kind kind,
                      TSNode node) {
  if (reader->failed || !mst_starts_with(key, reader->within)) return;
  const mst_toml_entry entry = {key, text, kind, line_of(node)};
  mst_arena_push(&reader->out->arena, &reader->out->entries, entry);
}

static const char *string_of(toml_reader *reader, TSNode node) {
  const char *text = unquoted(reader, node);
  if (text == NULL) fail(reader, node, "the text holds an escape that there is not");
  return text;
}

/* Texts of a list, joined; NULL when it holds other things. */
static const char *joined_list(toml_reader *reader, TSNode list) {
  toml_text out = text_for(reader, ts_node_end_byte(list) - ts_node_start_byte(list));
  TSTreeCursor cursor = ts_tree_cursor_new(list);
  bool goes_on = ts_tree_cursor_goto_first_child(&cursor);
  for (; goes_on; goes_on = ts_tree_cursor_goto_next_sibling(&cursor)) {
    const TSNode node = ts_tree_cursor_current_node(&cursor);
    if (!ts_node_is_named(node) || ts_node_symbol(node) == sym_comment) continue;
    const char *text = ts_node_symbol(node) == sym_string ? string_of(reader, node) : NULL;
    if (text == NULL) return NULL;
    if (out.length > 0) add_byte(&out, ',');
    add_text(&out, text);
  }
  return out.data;
}

static const char *number_of(const toml_reader *reader, TSNode node) {
  toml_text out = text_for(reader, ts_node_end_byte(node) - ts_node_start_byte(node));
  for (const char *at = text_of(reader, node); *at != '\0'; at++)
    if (*at != '_') add_byte(&out, (unsigned char)*at);
  return out.data;
}

static void add_pair(toml_reader *reader, const char *outer, TSNode pair, unsigned depth);

/* The pairs that are children of the node. */
static void add_pairs(toml_reader *reader, const char *key, TSNode node, unsigned depth) {
  TSTreeCursor cursor = ts_tree_cursor_new(node);
  bool goes_on = ts_tree_cursor_goto_first_child(&cursor);
  for (; goes_on && !reader->failed; goes_on = ts_tree_cursor_goto_next_sibling(&cursor)) {
    const TSNode child = ts_tree_cursor_current_node(&cursor);
    if (ts_node_symbol(child) == sym_pair) add_pair(reader, key, child, depth);
  }
}

static void add_list(toml_reader *reader, const char *key, TSNode value) {
  const char *list = joined_list(reader, value);
  if (list != NULL)
    add_entry(reader, key, list, MST_TOML_LIST, value);
  else
    add_entry(reader, key, text_of(reader, value), MST_TOML_OTHER, value);
}

static void add_value(toml_reader *reader, const char *key, TSNode value, unsigned depth) {
  switch (ts_node_symbol(value)) {
  case sym_string: add_entry(reader, key, string_of(reader, value), MST_TOML_TEXT, value); return;
  case sym_integer:
    add_entry(reader, key, number_of(reader, value), MST_TOML_INTEGER, value);
    return;
  case sym_boolean: add_entry(reader, key, text_of(reader, value), MST_TOML_BOOLEAN, value); return;
  case sym_array: add_list(reader, key, value); return;
  case sym_inline_table:
    if (depth == MST_TOML_DEPTH)
      fail(reader, value, "tables are nested too deep");
    else
      add_pairs(reader, key, value, depth + 1);
    return;
  default: add_entry(reader, key, text_of(reader, value), MST_TOML_OTHER, value); return;
  }
}

/* What is beside what is wanted is passed over: keys of large files would be long. */
static bool may_hold(const toml_reader *reader, const char *key) {
  return mst_starts_with(key, reader->within) || mst_starts_with(reader->within, key);
}

/* KEY = VALUE: the first and the last of the named children. */
static void add_pair(toml_reader *reader, const char *outer, TSNode pair, unsigned depth) {
  uint32_t last = ts_node_named_child_count(pair);
  while (last > 1 && ts_node_symbol(ts_node_named_child(pair, last - 1)) == sym_comment)
    last--;
  if (last < 2) return;
  const char *key = joined_key(reader, outer, ts_node_named_child(pair, 0));
  if (may_hold(reader, key)) add_value(reader, key, ts_node_named_child(pair, last - 1), depth);
}

/* ---- tables ------------------------------------------------------------------------------------------ */

static void add_table(toml_reader *reader, TSNode table) {
  char *key = (char *)(uintptr_t)joined_key(reader, "", ts_node_named_child(table, 0));
  if (!may_hold(reader, key)) return;
  if (ts_node_symbol(table) == sym_table_array_element) strcat(key, "[]");
  add_entry(reader, key, "", MST_TOML_EMPTY, table);
  add_pairs(reader, key, table, 0);
}

static void add_document(toml_reader *reader, TSNode root) {
  TSTreeCursor cursor = ts_tree_cursor_new(root);
  bool goes_on = ts_tree_cursor_goto_first_child(&cursor);
  for (; goes_on && !reader->failed; goes_on = ts_tree_cursor_goto_next_sibling(&cursor)) {
    const TSNode node = ts_tree_cursor_current_node(&cursor);
    const TSSymbol symbol = ts_node_symbol(node);
    if (symbol == sym_pair) add_pair(reader, "", node, 0);
    if (symbol == sym_table || symbol == sym_table_array_element) add_table(reader, node);
  }
}

/* The innermost of what is no TOML. */
static TSNode find_fault(TSNode root) {
  TSTreeCursor cursor = ts_tree_cursor_new(root);
  for (;;) {
    const TSNode node = ts_tree_cursor_current_node(&cursor);
    const bool is_here = ts_node_is_error(node) || ts_node_is_missing(node);
    if (is_here || (ts_node_has_error(node) && !ts_tree_cursor_goto_first_child(&cursor)))
      return node;
    if (!ts_node_has_error(node) && !ts_tree_cursor_goto_next_sibling(&cursor)) return node;
  }
}

/* ---- parsing ----------------------------------------------------------------------------------------- */

static bool is_late(TSParseState *state) {
  const double *deadline = state->payload;
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return (double)now.tv_sec > *deadline;
}

typedef struct toml_input {
  const char *text;
  uint32_t length;
} toml_input;

static const char *read_text(void *payload, uint32_t byte, TSPoint point, uint32_t *length) {
  const toml_input *text = payload;
  (void)point;
  *length = byte < text->length ? text->length - byte : 0;
  return *length > 0 ? text->text + byte : "";
}

static void parse(toml_reader *reader, uint32_t length) {
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  double deadline = (double)now.tv_sec + PARSE_SECONDS;
  toml_input text = {reader->text, length};
  TSParser *parser = ts_parser_new();
  const TSInput input = {&text, read_text, TSInputEncodingUTF8, NULL};
  const TSParseOptions options = {&deadline, is_late};
  (void)ts_parser_set_language(parser, tree_sitter_toml());
  TSTree *tree = ts_parser_parse_with_options(parser, NULL, input, options);
  if (tree == NULL) {
    (void)mst_fail(reader->error, MUSTER_ERR_FORMAT, reader->path, "parsing it takes too long");
    reader->failed = true;
    return;
  }
  const TSNode root = ts_tree_root_node(tree);
  if (ts_node_has_error(root))
    fail(reader, find_fault(root), "this is no TOML");
  else
    add_document(reader, root);
}

/* Both the heap and the arena may jump here. */
static bool parse_within_budget(toml_reader *reader, uint32_t length) {
  if (setjmp(reader->heap.way_out) != 0 || setjmp(reader->out->arena.way_out) != 0) return false;
  mst_ts_heap_use(&reader->heap);
  parse(reader, length);
  return true;
}

muster_status mst_toml_parse(mst_toml *toml, const char *path, const char *text, size_t length,
                             const char *within, muster_error *error) {
  if (length > MST_TOML_BYTES)
    return mst_fail(error, MUSTER_ERR_FORMAT, path, "is larger than 1 MiB");
  toml_reader *reader = mst_calloc(1, sizeof *reader);
  if (reader == NULL) return mst_fail_memory(error);
  *reader =
      (toml_reader){.path = path, .text = text, .within = within, .out = toml, .error = error};
  mst_arena_init(&toml->arena, TEXT_BUDGET);
  mst_ts_heap_init(&reader->heap, PARSE_BUDGET, length * 16);
  if (!parse_within_budget(reader, (uint32_t)length)) {
    (void)mst_fail(error, MUSTER_ERR_FORMAT, path, "reading it takes more than the memory allowed");
    reader->failed = true;
  }
  mst_ts_heap_use(NULL);
  mst_ts_heap_reset(&reader->heap);
  const muster_status status = !reader->failed ? MUSTER_OK : error->status;
  mst_free(reader);
  return status;
}
