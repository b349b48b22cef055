/* SPDX-License-Identifier: Apache-2.0 */
#include "pysource/convert.h"

/* Recursion ends at MST_SYNTAX_DEPTH. */

/* By symbol of tree-sitter; tokens that are no operator give MST_OP_NONE. */
static const uint8_t operators[] = {
    [anon_sym_PLUS] = MST_OP_ADD,
    [anon_sym_DASH] = MST_OP_SUB,
    [anon_sym_STAR] = MST_OP_MUL,
    [anon_sym_SLASH] = MST_OP_DIV,
    [anon_sym_SLASH_SLASH] = MST_OP_FLOORDIV,
    [anon_sym_PERCENT] = MST_OP_MOD,
    [anon_sym_STAR_STAR] = MST_OP_POW,
    [anon_sym_AT] = MST_OP_MATMUL,
    [anon_sym_LT_LT] = MST_OP_LSHIFT,
    [anon_sym_GT_GT] = MST_OP_RSHIFT,
    [anon_sym_AMP] = MST_OP_BIT_AND,
    [anon_sym_PIPE] = MST_OP_BIT_OR,
    [anon_sym_CARET] = MST_OP_BIT_XOR,
    [anon_sym_TILDE] = MST_OP_INVERT,
    [anon_sym_and] = MST_OP_AND,
    [anon_sym_or] = MST_OP_OR,
    [anon_sym_LT] = MST_OP_LT,
    [anon_sym_LT_EQ] = MST_OP_LE,
    [anon_sym_EQ_EQ] = MST_OP_EQ,
    [anon_sym_BANG_EQ] = MST_OP_NE,
    [anon_sym_LT_GT] = MST_OP_NE,
    [anon_sym_GT] = MST_OP_GT,
    [anon_sym_GT_EQ] = MST_OP_GE,
    [anon_sym_in] = MST_OP_IN,
    [sym__not_in] = MST_OP_NOT_IN,
    [anon_sym_is] = MST_OP_IS,
    [sym__is_not] = MST_OP_IS_NOT,
    [anon_sym_PLUS_EQ] = MST_OP_ADD,
    [anon_sym_DASH_EQ] = MST_OP_SUB,
    [anon_sym_STAR_EQ] = MST_OP_MUL,
    [anon_sym_SLASH_EQ] = MST_OP_DIV,
    [anon_sym_SLASH_SLASH_EQ] = MST_OP_FLOORDIV,
    [anon_sym_PERCENT_EQ] = MST_OP_MOD,
    [anon_sym_STAR_STAR_EQ] = MST_OP_POW,
    [anon_sym_AT_EQ] = MST_OP_MATMUL,
    [anon_sym_LT_LT_EQ] = MST_OP_LSHIFT,
    [anon_sym_GT_GT_EQ] = MST_OP_RSHIFT,
    [anon_sym_AMP_EQ] = MST_OP_BIT_AND,
    [anon_sym_PIPE_EQ] = MST_OP_BIT_OR,
    [anon_sym_CARET_EQ] = MST_OP_BIT_XOR,
};

mst_op mst_ts_operator(const mst_convert *convert, uint32_t at) {
  const mst_ts_node *nodes = convert->from.nodes;
  for (uint32_t child = at + 1; child < nodes[at].next; child = nodes[child].next) {
    const uint16_t symbol = nodes[child].symbol;
    if (symbol < sizeof operators && operators[symbol] != MST_OP_NONE)
      return (mst_op)operators[symbol];
  }
  return MST_OP_NONE;
}

/* ---- shapes that many kinds have ---------------------------------------------------------------- */

/* A node whose children are those of tree-sitter's, all of them expressions. */
static mst_open convert_all(mst_convert *convert, mst_open *parent, mst_kind kind, uint32_t at,
                            uint16_t flags) {
  mst_open open = mst_open_node(convert, parent, kind, at);
  MST_EACH_TS(convert, child, at) mst_convert_expression(convert, &open, child, flags);
  return open;
}

static void convert_operation(mst_convert *convert, mst_open *parent, mst_kind kind, uint32_t at) {
  const mst_op op = mst_ts_operator(convert, at);
  const mst_open open = convert_all(convert, parent, kind, at, 0);
  mst_opened(convert, open)->op = (uint8_t)op;
}

void mst_convert_list(mst_convert *convert, mst_open *parent, uint32_t at, uint32_t first) {
  const mst_ts_node *nodes = convert->from.nodes;
  bool comma = false;
  uint32_t last = first;
  for (uint32_t child = first; child != 0 && child < nodes[at].next; child = nodes[child].next) {
    if (nodes[child].symbol == anon_sym_COMMA)
      comma = true;
    else if ((nodes[child].flags & MST_TS_TOKEN) == 0 && nodes[child].symbol != MST_TS_ERROR)
      last = child;
  }
  if (first == last && !comma) {
    mst_convert_expression(convert, parent, first, 0);
    return;
  }
  mst_open tuple = mst_open_span(convert, parent, MST_K_TUPLE, nodes[first].start, nodes[last].end);
  for (uint32_t child = first; child != 0; child = mst_ts_next(convert, at, child))
    mst_convert_expression(convert, &tuple, child, 0);
}

static void convert_binary(mst_convert *convert, mst_open *parent, uint32_t at) {
  convert_operation(convert, parent, MST_K_BINARY, at);
}

static void convert_boolean(mst_convert *convert, mst_open *parent, uint32_t at) {
  convert_operation(convert, parent, MST_K_BOOLEAN, at);
}

/* ---- kinds --------------------------------------------------------------------------------------- */

static void convert_name(mst_convert *convert, mst_open *parent, uint32_t at, uint16_t flags) {
  const mst_symbol name = mst_ts_name(convert, at);
  mst_node *node = mst_opened(convert, mst_open_node(convert, parent, MST_K_NAME, at));
  node->name = name;
  node->flags = flags;
}

static bool is_starred(const mst_convert *convert, uint32_t at) {
  return convert->source->text[mst_ts_at(convert, at)->start] == '*';
}

/* *f(x) is what tree-sitter takes for (*f)(x). The star is taken out of the nodes that begin with
 * it. */
static void convert_starred(mst_convert *convert, mst_open *parent, uint32_t at, uint16_t flags) {
  mst_open open = mst_open_node(convert, parent, MST_K_STAR, at);
  mst_ts_node *nodes = convert->from.nodes;
  uint32_t star = at;
  while (nodes[star].symbol != sym_list_splat && mst_ts_first(convert, star) == star + 1)
    star++;
  const uint32_t operand = mst_ts_first(convert, star);
  for (uint32_t node = at; node <= star; node++)
    nodes[node].start = nodes[operand != 0 ? operand : at].start;
  nodes[star].symbol = sym_parenthesized_expression;
  mst_convert_expression(convert, &open, at, flags);
}

static void convert_attribute(mst_convert *convert, mst_open *parent, uint32_t at, uint16_t flags) {
  mst_open open = mst_open_node(convert, parent, MST_K_ATTRIBUTE, at);
  const uint32_t object = mst_ts_first(convert, at);
  const mst_symbol name = mst_ts_name(convert, mst_ts_next(convert, at, object));
  mst_opened(convert, open)->name = name;
  mst_opened(convert, open)->flags = flags;
  mst_convert_expression(convert, &open, object, 0);
}

static void convert_subscript(mst_convert *convert, mst_open *parent, uint32_t at, uint16_t flags) {
  mst_open open = mst_open_node(convert, parent, MST_K_SUBSCRIPT, at);
  const uint32_t object = mst_ts_first(convert, at);
  const uint32_t index = mst_ts_next(convert, at, object);
  const bool single = mst_ts_next(convert, at, index) == 0;
  const bool tuple =
      mst_ts_find(convert, at, anon_sym_COMMA) != 0 || (index != 0 && is_starred(convert, index));
  mst_opened(convert, open)->flags = (uint16_t)(flags | (single && tuple ? MST_F_TUPLE : 0));
  mst_convert_expression(convert, &open, object, 0);
  for (uint32_t child = index; child != 0; child = mst_ts_next(convert, at, child))
    mst_convert_expression(convert, &open, child, 0);
}

/* type(a) where tree-sitter saw the keyword `type`: see convert_type_alias. */
static void convert_type_call(mst_convert *convert, mst_open *parent, uint32_t at) {
  const uint32_t start = mst_ts_at(convert, at)->start;
  mst_open open = mst_open_node(convert, parent, MST_K_CALL, at);
  const mst_symbol name = mst_symbol_of(&convert->tree->symbols, "type", 4);
  const mst_open function = mst_open_span(convert, &open, MST_K_NAME, start, start + 4);
  mst_opened(convert, function)->name = name;
  mst_convert_arguments(convert, &open, at);
}

static void convert_slice(mst_convert *convert, mst_open *parent, uint32_t at) {
  const mst_ts_node *nodes = convert->from.nodes;
  mst_open open = mst_open_node(convert, parent, MST_K_SLICE, at);
  uint32_t part[3] = {0, 0, 0};
  unsigned number = 0;
  for (uint32_t child = at + 1; child < nodes[at].next; child = nodes[child].next) {
    if (nodes[child].symbol == anon_sym_COLON)
      number += number < 2;
    else if ((nodes[child].flags & MST_TS_TOKEN) == 0 && nodes[child].symbol != MST_TS_ERROR)
      part[number] = child;
  }
  for (number = 0; number < 3; number++)
    mst_convert_expression(convert, &open, part[number], 0);
}

static void convert_keyword(mst_convert *convert, mst_open *parent, uint32_t at) {
  mst_open open = mst_open_node(convert, parent, MST_K_KEYWORD, at);
  const uint32_t name = mst_ts_first(convert, at);
  const mst_symbol symbol = mst_ts_name(convert, name);
  mst_opened(convert, open)->name = symbol;
  mst_convert_expression(convert, &open, mst_ts_next(convert, at, name), 0);
}

void mst_convert_arguments(mst_convert *convert, mst_open *parent, uint32_t at) {
  MST_EACH_TS(convert, child, at) mst_convert_expression(convert, parent, child, 0);
}

static void convert_call(mst_convert *convert, mst_open *parent, uint32_t at) {
  mst_open open = mst_open_node(convert, parent, MST_K_CALL, at);
  const uint32_t function = mst_ts_first(convert, at);
  const uint32_t arguments = mst_ts_next(convert, at, function);
  mst_convert_expression(convert, &open, function, 0);
  if (arguments != 0 && mst_ts_symbol(convert, arguments) == sym_argument_list)
    mst_convert_arguments(convert, &open, arguments);
  else if (arguments != 0)
    mst_convert_expression(convert, &open, arguments, 0);
}

static void convert_comparison(mst_convert *convert, mst_open *parent, uint32_t at) {
  const uint32_t old = mst_ts_find(convert, at, anon_sym_LT_GT);
  if (old != 0)
    mst_add_fault(convert, mst_ts_at(convert, old)->start, "python2",
                  "'<>' is Python 2: write '!='");
  convert_operation(convert, parent, MST_K_COMPARE, at);
}

static void convert_unary(mst_convert *convert, mst_open *parent, uint32_t at) {
  const mst_op op = mst_ts_operator(convert, at);
  const mst_open open = convert_all(convert, parent, MST_K_UNARY, at, 0);
  mst_opened(convert, open)->op = op == MST_OP_ADD   ? MST_OP_PLUS
                                  : op == MST_OP_SUB ? MST_OP_NEGATE
                                                     : (uint8_t)op;
}

static void convert_lambda(mst_convert *convert, mst_open *parent, uint32_t at) {
  mst_open open = mst_open_node(convert, parent, MST_K_LAMBDA, at);
  const uint32_t parameters = mst_ts_find(convert, at, sym_lambda_parameters);
  mst_convert_parameters(convert, &open, parameters);
  const uint32_t body = mst_ts_first(convert, at);
  mst_convert_expression(convert, &open, body == parameters ? mst_ts_next(convert, at, body) : body,
                         0);
}

static void convert_yield(mst_convert *convert, mst_open *parent, uint32_t at) {
  mst_open open = mst_open_node(convert, parent, MST_K_YIELD, at);
  if (mst_ts_find(convert, at, anon_sym_from) != 0) mst_opened(convert, open)->flags = MST_F_FROM;
  mst_convert_expression(convert, &open, mst_ts_first(convert, at), 0);
}

static void convert_walrus(mst_convert *convert, mst_open *parent, uint32_t at) {
  mst_open open = mst_open_node(convert, parent, MST_K_WALRUS, at);
  const uint32_t name = mst_ts_first(convert, at);
  mst_convert_expression(convert, &open, name, MST_F_STORE);
  mst_convert_expression(convert, &open, mst_ts_next(convert, at, name), 0);
}

static void convert_comp_for(mst_convert *convert, mst_open *parent, uint32_t at) {
  mst_open open = mst_open_node(convert, parent, MST_K_COMP_FOR, at);
  if (mst_ts_find(convert, at, anon_sym_async) != 0) mst_opened(convert, open)->flags = MST_F_ASYNC;
  const uint32_t target = mst_ts_first(convert, at);
  mst_convert_expression(convert, &open, target, MST_F_STORE);
  mst_convert_list(convert, &open, at, mst_ts_next(convert, at, target));
}

/* ---- annotations --------------------------------------------------------------------------------- */

static void convert_generic_type(mst_convert *convert, mst_open *parent, uint32_t at) {
  mst_open open = mst_open_node(convert, parent, MST_K_SUBSCRIPT, at);
  const uint32_t object = mst_ts_first(convert, at);
  const uint32_t indices = mst_ts_next(convert, at, object);
  mst_convert_expression(convert, &open, object, 0);
  if (indices == 0) return;
  const uint32_t first = mst_ts_first(convert, indices);
  if (first != 0 && mst_ts_next(convert, indices, first) == 0 &&
      (is_starred(convert, first) || mst_ts_find(convert, indices, anon_sym_COMMA) != 0))
    mst_opened(convert, open)->flags = MST_F_TUPLE;
  MST_EACH_TS(convert, index, indices) mst_convert_expression(convert, &open, index, 0);
}

static void convert_union_type(mst_convert *convert, mst_open *parent, uint32_t at) {
  const mst_open open = convert_all(convert, parent, MST_K_BINARY, at, 0);
  mst_opened(convert, open)->op = MST_OP_BIT_OR;
}

/* dict[str: int], which is a slice. */
static void convert_constrained_type(mst_convert *convert, mst_open *parent, uint32_t at) {
  mst_open open = convert_all(convert, parent, MST_K_SLICE, at, 0);
  mst_add_empty(convert, &open);
}

/* ---- all of them --------------------------------------------------------------------------------- */

/* What leaves no node of its own. */
static bool is_wrapper(const mst_convert *convert, uint32_t at) {
  switch (mst_ts_symbol(convert, at)) {
  case sym_parenthesized_expression:
  case sym_parenthesized_list_splat:
  case alias_sym_as_pattern_target:
  case sym_type: return true;
  case sym_tuple_pattern:
    return mst_ts_find(convert, at, anon_sym_COMMA) == 0 && mst_ts_count(convert, at) == 1;
  default: return false;
  }
}

static void convert_too_deep(mst_convert *convert, mst_open *parent, uint32_t at) {
  mst_add_fault(convert, mst_ts_at(convert, at)->start, "depth",
                "is nested too deeply to be assessed");
  mst_open_node(convert, parent, MST_K_ERROR, at);
}

bool mst_convert_is_deep(mst_convert *convert, mst_open *parent, uint32_t at) {
  /* Children that are not asked about, such as parameters, lie a few levels deeper. */
  if (parent->depth < MST_SYNTAX_DEPTH - 4) return false;
  convert_too_deep(convert, parent, at);
  return true;
}

/* Kinds that may begin with the star of what is all around them. */
static bool hides_star(const mst_convert *convert, uint32_t at) {
  switch (mst_ts_symbol(convert, at)) {
  case sym_call:
  case sym_attribute:
  case sym_subscript:
  case sym_binary_operator: return is_starred(convert, at);
  default: return false;
  }
}

/* Kinds whose children are those of tree-sitter's, in the same order. */
static const uint8_t plain_kinds[] = {
    [sym_true] = MST_K_TRUE,
    [sym_false] = MST_K_FALSE,
    [sym_none] = MST_K_NULL,
    [sym_ellipsis] = MST_K_ELLIPSIS,
    [sym_not_operator] = MST_K_NOT,
    [sym_conditional_expression] = MST_K_CONDITIONAL,
    [sym_tuple] = MST_K_TUPLE,
    [sym_expression_list] = MST_K_TUPLE,
    [sym_pattern_list] = MST_K_TUPLE,
    [sym_tuple_pattern] = MST_K_TUPLE,
    [sym_list] = MST_K_LIST,
    [sym_list_pattern] = MST_K_LIST,
    [sym_set] = MST_K_SET,
    [sym_dictionary] = MST_K_DICT,
    [sym_pair] = MST_K_PAIR,
    [sym_list_splat] = MST_K_STAR,
    [sym_list_splat_pattern] = MST_K_STAR,
    [sym_splat_type] = MST_K_STAR,
    [sym_dictionary_splat] = MST_K_DOUBLE_STAR,
    [sym_await] = MST_K_AWAIT,
    [sym_list_comprehension] = MST_K_LIST_COMP,
    [sym_set_comprehension] = MST_K_SET_COMP,
    [sym_dictionary_comprehension] = MST_K_DICT_COMP,
    [sym_generator_expression] = MST_K_GENERATOR,
    [sym_if_clause] = MST_K_COMP_IF,
};

/* All others, but for those that may be written to. */
static const mst_converter converters[] = {
    [sym_call] = convert_call,
    [sym_integer] = mst_convert_number,
    [sym_float] = mst_convert_number,
    [sym_string] = mst_convert_string,
    [sym_concatenated_string] = mst_convert_string,
    [sym_binary_operator] = convert_binary,
    [sym_boolean_operator] = convert_boolean,
    [sym_comparison_operator] = convert_comparison,
    [sym_unary_operator] = convert_unary,
    [sym_keyword_argument] = convert_keyword,
    [sym_slice] = convert_slice,
    [sym_lambda] = convert_lambda,
    [sym_yield] = convert_yield,
    [sym_named_expression] = convert_walrus,
    [sym_for_in_clause] = convert_comp_for,
    [sym_generic_type] = convert_generic_type,
    [sym_union_type] = convert_union_type,
    [sym_constrained_type] = convert_constrained_type,
};

static void convert_other(mst_convert *convert, mst_open *parent, uint32_t at, uint16_t flags) {
  const uint16_t symbol = mst_ts_symbol(convert, at);
  if (symbol < sizeof plain_kinds && plain_kinds[symbol] != MST_K_NONE) {
    convert_all(convert, parent, (mst_kind)plain_kinds[symbol], at, flags);
  } else if (symbol < sizeof converters / sizeof *converters && converters[symbol] != NULL) {
    converters[symbol](convert, parent, at);
  } else {
    mst_add_fault(convert, mst_ts_at(convert, at)->start, "syntax", "is not valid Python here");
    mst_convert_error(convert, parent, at);
  }
}

static void convert_kind(mst_convert *convert, mst_open *parent, uint32_t at, uint16_t flags) {
  switch (mst_ts_symbol(convert, at)) {
  case sym_identifier: convert_name(convert, parent, at, flags); break;
  case sym_attribute:
  case sym_member_type: convert_attribute(convert, parent, at, flags); break;
  case sym_subscript: convert_subscript(convert, parent, at, flags); break;
  case MST_TS_TYPE_CALL: convert_type_call(convert, parent, at); break;
  default: convert_other(convert, parent, at, flags);
  }
}

void mst_convert_expression(mst_convert *convert, mst_open *parent, uint32_t at, uint16_t flags) {
  uint32_t inner = at;
  while (inner != 0 && is_wrapper(convert, inner))
    inner = mst_ts_first(convert, inner);
  if (at == 0)
    mst_add_empty(convert, parent);
  else if (inner == 0 || (mst_ts_at(convert, inner)->flags & MST_TS_MISSING) != 0)
    mst_open_node(convert, parent, MST_K_ERROR, at);
  else if (mst_convert_is_deep(convert, parent, inner))
    return;
  else if (hides_star(convert, inner))
    convert_starred(convert, parent, inner, flags);
  else
    convert_kind(convert, parent, inner, flags);
}

bool mst_ts_is_expression(uint16_t symbol) {
  static const bool is_expression[] = {
      [sym_attribute] = true,
      [sym_subscript] = true,
      [sym_call] = true,
      [sym_string] = true,
      [sym_concatenated_string] = true,
      [sym_binary_operator] = true,
      [sym_boolean_operator] = true,
      [sym_comparison_operator] = true,
      [sym_unary_operator] = true,
      [sym_not_operator] = true,
      [sym_conditional_expression] = true,
      [sym_tuple] = true,
      [sym_expression_list] = true,
      [sym_list] = true,
      [sym_set] = true,
      [sym_dictionary] = true,
      [sym_lambda] = true,
      [sym_await] = true,
      [sym_yield] = true,
      [sym_named_expression] = true,
      [sym_list_comprehension] = true,
      [sym_set_comprehension] = true,
      [sym_dictionary_comprehension] = true,
      [sym_generator_expression] = true,
      [sym_parenthesized_expression] = true,
  };
  return symbol < sizeof is_expression && is_expression[symbol];
}
