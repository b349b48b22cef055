/* SPDX-License-Identifier: Apache-2.0 */
/* match statements: patterns become the expressions that look like them. */
#include "pysource/convert.h"

/* Recursion ends at MST_SYNTAX_DEPTH. */

static void convert_pattern(mst_convert *convert, mst_open *parent, uint32_t at);

static bool has_token(const mst_convert *convert, uint32_t at, uint16_t token) {
  return mst_ts_find(convert, at, token) != 0;
}

static uint32_t part_number(const mst_convert *convert, uint32_t dotted, uint32_t number) {
  uint32_t part = mst_ts_first(convert, dotted);
  while (number-- > 0)
    part = mst_ts_next(convert, dotted, part);
  return part;
}

/* a.b.c is looked up: the attribute c of the attribute b of a. */
static void convert_lookup(mst_convert *convert, mst_open *parent, uint32_t at) {
  const uint32_t start = mst_ts_at(convert, at)->start;
  mst_open open = {0};
  for (uint32_t number = mst_ts_count(convert, at); number > 1; number--) {
    const uint32_t part = part_number(convert, at, number - 1);
    if (mst_convert_is_deep(convert, parent, part)) return;
    const mst_symbol name = mst_ts_name(convert, part);
    open = mst_open_span(convert, parent, MST_K_ATTRIBUTE, start, mst_ts_at(convert, part)->end);
    mst_opened(convert, open)->name = name;
    parent = &open;
  }
  mst_convert_expression(convert, parent, mst_ts_first(convert, at), 0);
}

/* A name alone is bound. */
static void convert_dotted(mst_convert *convert, mst_open *parent, uint32_t at) {
  if (mst_ts_count(convert, at) > 1)
    convert_lookup(convert, parent, at);
  else
    mst_convert_expression(convert, parent, mst_ts_first(convert, at), MST_F_STORE);
}

static void convert_patterns(mst_convert *convert, mst_open *parent, mst_kind kind, uint32_t at) {
  mst_open open = mst_open_node(convert, parent, kind, at);
  MST_EACH_TS(convert, child, at) convert_pattern(convert, &open, child);
}

/* a | b | c: nested to the right, because that can be done in one pass. */
static void convert_union(mst_convert *convert, mst_open *parent, uint32_t at) {
  const uint32_t end = mst_ts_at(convert, at)->end;
  mst_open open = {0};
  for (uint32_t child = mst_ts_first(convert, at), next; child != 0; child = next) {
    next = mst_ts_next(convert, at, child);
    if (mst_convert_is_deep(convert, parent, child)) return;
    if (next != 0) {
      open = mst_open_span(convert, parent, MST_K_BINARY, mst_ts_at(convert, child)->start, end);
      parent = &open;
      mst_opened(convert, open)->op = MST_OP_BIT_OR;
    }
    convert_pattern(convert, parent, child);
  }
}

static void convert_dict(mst_convert *convert, mst_open *parent, uint32_t at) {
  mst_open open = mst_open_node(convert, parent, MST_K_DICT, at);
  for (uint32_t key = mst_ts_first(convert, at); key != 0; key = mst_ts_next(convert, at, key)) {
    const uint32_t value = mst_ts_next(convert, at, key);
    if (mst_ts_symbol(convert, key) == sym_splat_pattern || value == 0) {
      convert_pattern(convert, &open, key);
      continue;
    }
    mst_open pair = mst_open_span(convert, &open, MST_K_PAIR, mst_ts_at(convert, key)->start,
                                  mst_ts_at(convert, value)->end);
    convert_pattern(convert, &pair, key);
    convert_pattern(convert, &pair, value);
    key = value;
  }
}

static void convert_class_pattern(mst_convert *convert, mst_open *parent, uint32_t at) {
  mst_open open = mst_open_node(convert, parent, MST_K_CALL, at);
  const uint32_t class = mst_ts_first(convert, at);
  if (class != 0) convert_lookup(convert, &open, class);
  for (uint32_t child = mst_ts_next(convert, at, class); child != 0;
       child = mst_ts_next(convert, at, child))
    convert_pattern(convert, &open, child);
}

static void convert_keyword_pattern(mst_convert *convert, mst_open *parent, uint32_t at) {
  mst_open open = mst_open_node(convert, parent, MST_K_KEYWORD, at);
  const uint32_t name = mst_ts_first(convert, at);
  const mst_symbol symbol = mst_ts_name(convert, name);
  mst_opened(convert, open)->name = symbol;
  const uint32_t value = mst_ts_next(convert, at, name);
  if (value != 0)
    convert_pattern(convert, &open, value);
  else
    mst_add_empty(convert, &open);
}

static void convert_splat(mst_convert *convert, mst_open *parent, uint32_t at) {
  const bool two = has_token(convert, at, anon_sym_STAR_STAR);
  mst_open open = mst_open_node(convert, parent, two ? MST_K_DOUBLE_STAR : MST_K_STAR, at);
  mst_convert_expression(convert, &open, mst_ts_first(convert, at), MST_F_STORE);
}

/* `pattern as name` is the name first, like name := value. */
static void convert_as(mst_convert *convert, mst_open *parent, uint32_t at) {
  mst_open open = mst_open_node(convert, parent, MST_K_WALRUS, at);
  const uint32_t pattern = mst_ts_first(convert, at);
  mst_convert_expression(convert, &open, mst_ts_next(convert, at, pattern), MST_F_STORE);
  if (pattern != 0) convert_pattern(convert, &open, pattern);
}

/* The pattern within parentheses and the like. */
static uint32_t unwrap(const mst_convert *convert, uint32_t at) {
  for (;;) {
    const uint32_t first = mst_ts_first(convert, at);
    const uint16_t symbol = mst_ts_symbol(convert, at);
    const bool wraps = symbol == sym_case_pattern
                           ? first != 0 && !has_token(convert, at, anon_sym_DASH)
                           : symbol == sym_tuple_pattern && mst_ts_count(convert, at) == 1 &&
                                 !has_token(convert, at, anon_sym_COMMA);
    if (!wraps) return at;
    at = first;
  }
}

/* What is left of these: `-` and a number, or `_`, which binds nothing. */
static void convert_case_pattern(mst_convert *convert, mst_open *parent, uint32_t at) {
  if (!has_token(convert, at, anon_sym_DASH)) {
    mst_open_node(convert, parent, MST_K_EMPTY, at);
    return;
  }
  mst_open open = mst_open_node(convert, parent, MST_K_UNARY, at);
  mst_opened(convert, open)->op = MST_OP_NEGATE;
  mst_convert_expression(convert, &open, mst_ts_first(convert, at), 0);
}

/* 1 + 2j, -1 - 2j */
static void convert_complex(mst_convert *convert, mst_open *parent, uint32_t at) {
  const mst_ts_node *nodes = convert->from.nodes;
  const uint32_t first = mst_ts_first(convert, at);
  mst_open open = mst_open_node(convert, parent, MST_K_BINARY, at);
  if (first == 0) return;
  const bool plus = has_token(convert, at, anon_sym_PLUS);
  mst_opened(convert, open)->op = plus ? MST_OP_ADD : MST_OP_SUB;
  if (nodes[at].start < nodes[first].start) {
    mst_open minus = mst_open_span(convert, &open, MST_K_UNARY, nodes[at].start, nodes[first].end);
    mst_opened(convert, minus)->op = MST_OP_NEGATE;
    mst_convert_expression(convert, &minus, first, 0);
  } else {
    mst_convert_expression(convert, &open, first, 0);
  }
  mst_convert_expression(convert, &open, mst_ts_next(convert, at, first), 0);
}

static void convert_pattern(mst_convert *convert, mst_open *parent, uint32_t at) {
  at = unwrap(convert, at);
  if (mst_convert_is_deep(convert, parent, at)) return;
  switch (mst_ts_symbol(convert, at)) {
  case sym_case_pattern: convert_case_pattern(convert, parent, at); break;
  case sym_dotted_name: convert_dotted(convert, parent, at); break;
  case sym_tuple_pattern: convert_patterns(convert, parent, MST_K_TUPLE, at); break;
  case sym_list_pattern: convert_patterns(convert, parent, MST_K_LIST, at); break;
  case sym_union_pattern: convert_union(convert, parent, at); break;
  case sym_dict_pattern: convert_dict(convert, parent, at); break;
  case sym_class_pattern: convert_class_pattern(convert, parent, at); break;
  case sym_keyword_pattern: convert_keyword_pattern(convert, parent, at); break;
  case sym_splat_pattern: convert_splat(convert, parent, at); break;
  case sym_as_pattern: convert_as(convert, parent, at); break;
  case sym_complex_pattern: convert_complex(convert, parent, at); break;
  default: mst_convert_expression(convert, parent, at, 0);
  }
}

/* The children before `behind`, as a tuple if there are several. */
static void convert_subject(mst_convert *convert, mst_open *parent, uint32_t at, uint32_t behind,
                            mst_converter one) {
  const uint32_t first = mst_ts_first(convert, at);
  if (first == 0 || first == behind) {
    mst_add_empty(convert, parent);
  } else if (mst_ts_next(convert, at, first) == behind && !has_token(convert, at, anon_sym_COMMA)) {
    one(convert, parent, first);
  } else {
    mst_open tuple = mst_open_node(convert, parent, MST_K_TUPLE, first);
    for (uint32_t child = first; child != behind; child = mst_ts_next(convert, at, child)) {
      mst_opened(convert, tuple)->end = mst_ts_at(convert, child)->end;
      one(convert, &tuple, child);
    }
  }
}

static void convert_plain(mst_convert *convert, mst_open *parent, uint32_t at) {
  mst_convert_expression(convert, parent, at, 0);
}

static void convert_case(mst_convert *convert, mst_open *parent, uint32_t at) {
  mst_open open = mst_open_node(convert, parent, MST_K_CASE, at);
  uint32_t behind = mst_ts_first(convert, at);
  while (behind != 0 && mst_ts_symbol(convert, behind) == sym_case_pattern)
    behind = mst_ts_next(convert, at, behind);
  convert_subject(convert, &open, at, behind, convert_pattern);
  const uint32_t guard = mst_ts_find(convert, at, sym_if_clause);
  mst_convert_expression(convert, &open, guard != 0 ? mst_ts_first(convert, guard) : 0, 0);
  mst_convert_block(convert, &open, mst_ts_find(convert, at, sym_block));
}

void mst_convert_match(mst_convert *convert, mst_open *parent, uint32_t at) {
  mst_open open = mst_open_node(convert, parent, MST_K_MATCH, at);
  const uint32_t body = mst_ts_find(convert, at, sym_block);
  convert_subject(convert, &open, at, body, convert_plain);
  if (body == 0) return;
  MST_EACH_TS(convert, child, body)
  if (mst_ts_symbol(convert, child) == sym_case_clause) convert_case(convert, &open, child);
}
