/* SPDX-License-Identifier: Apache-2.0 */
#include "pysource/convert.h"

/* Recursion ends at MST_SYNTAX_DEPTH. */

/* ---- blocks -------------------------------------------------------------------------------------- */

/* Leaves behind the errors that lie within the node. */
static void pass_errors(mst_convert *convert, uint32_t at) {
  const mst_ts_node *nodes = convert->from.nodes;
  uint32_t *next = &convert->next_error;
  if (*next < at || *next >= nodes[at].next) return;
  *next = nodes[at].next;
  while (*next < convert->from.count && nodes[*next].symbol != MST_TS_ERROR)
    ++*next;
}

void mst_convert_statements(mst_convert *convert, mst_open *parent, uint32_t at) {
  const mst_ts_node *nodes = convert->from.nodes;
  for (uint32_t child = at + 1; child < nodes[at].next; child = nodes[child].next) {
    if (nodes[child].symbol == MST_TS_ERROR)
      mst_convert_error(convert, parent, child);
    else if ((nodes[child].flags & MST_TS_TOKEN) == 0)
      mst_convert_statement(convert, parent, child);
    /* Errors in expressions would disturb the order of children there: they follow. */
    while (convert->next_error < nodes[child].next)
      mst_convert_error(convert, parent, convert->next_error);
  }
}

void mst_convert_block(mst_convert *convert, mst_open *parent, uint32_t at) {
  if (at == 0) {
    mst_add_empty(convert, parent);
    return;
  }
  mst_open block = mst_open_node(convert, parent, MST_K_BLOCK, at);
  mst_convert_statements(convert, &block, at);
}

static uint32_t block_of(const mst_convert *convert, uint32_t at) {
  return at == 0 ? 0 : mst_ts_find(convert, at, sym_block);
}

/* The block of the clause if there is one. */
static uint32_t clause_block(const mst_convert *convert, uint32_t at, uint16_t clause) {
  return block_of(convert, mst_ts_find(convert, at, clause));
}

static void set_async(mst_convert *convert, mst_open open, uint32_t at) {
  if (mst_ts_find(convert, at, anon_sym_async) != 0)
    mst_opened(convert, open)->flags |= MST_F_ASYNC;
}

void mst_convert_error(mst_convert *convert, mst_open *parent, uint32_t at) {
  const mst_ts_node *nodes = convert->from.nodes;
  pass_errors(convert, at);
  if (mst_convert_is_deep(convert, parent, at)) return;
  mst_open open = mst_open_node(convert, parent, MST_K_ERROR, at);
  for (uint32_t child = at + 1; child < nodes[at].next;) {
    const uint16_t symbol = nodes[child].symbol;
    if (mst_ts_is_statement(symbol))
      mst_convert_statement(convert, &open, child);
    else if (mst_ts_is_expression(symbol))
      mst_convert_expression(convert, &open, child, 0);
    else {
      child++;
      continue;
    }
    child = nodes[child].next;
  }
}

/* ---- assignments --------------------------------------------------------------------------------- */

static void convert_annotated(mst_convert *convert, mst_open *parent, uint32_t at, uint32_t type) {
  mst_open open = mst_open_node(convert, parent, MST_K_ANN_ASSIGN, at);
  mst_convert_expression(convert, &open, mst_ts_first(convert, at), MST_F_STORE);
  mst_convert_expression(convert, &open, type, 0);
  mst_convert_expression(convert, &open, mst_ts_next(convert, at, type), 0);
}

static void convert_assignment(mst_convert *convert, mst_open *parent, uint32_t at) {
  const uint32_t type = mst_ts_find(convert, at, sym_type);
  if (type != 0) {
    convert_annotated(convert, parent, at, type);
    return;
  }
  mst_open open = mst_open_node(convert, parent, MST_K_ASSIGN, at);
  uint32_t value = at;
  do {
    at = value;
    const uint32_t target = mst_ts_first(convert, at);
    mst_convert_expression(convert, &open, target, MST_F_STORE);
    value = mst_ts_next(convert, at, target);
  } while (value != 0 && mst_ts_symbol(convert, value) == sym_assignment &&
           mst_ts_find(convert, value, sym_type) == 0);
  mst_convert_expression(convert, &open, value, 0);
}

static void convert_aug_assign(mst_convert *convert, mst_open *parent, uint32_t at) {
  const mst_op op = mst_ts_operator(convert, at);
  mst_open open = mst_open_node(convert, parent, MST_K_AUG_ASSIGN, at);
  mst_opened(convert, open)->op = (uint8_t)op;
  const uint32_t target = mst_ts_first(convert, at);
  mst_convert_expression(convert, &open, target, MST_F_STORE);
  mst_convert_expression(convert, &open, mst_ts_next(convert, at, target), 0);
}

static void convert_expression_statement(mst_convert *convert, mst_open *parent, uint32_t at) {
  const uint32_t first = mst_ts_first(convert, at);
  const uint16_t symbol = first != 0 ? mst_ts_symbol(convert, first) : 0;
  if (symbol == sym_assignment) {
    convert_assignment(convert, parent, first);
  } else if (symbol == sym_augmented_assignment) {
    convert_aug_assign(convert, parent, first);
  } else {
    mst_open open = mst_open_node(convert, parent, MST_K_EXPRESSION, at);
    mst_convert_list(convert, &open, at, first);
  }
}

/*
 * `type X = int` computes nothing. `type(a).b = c` looks like it to tree-sitter, with a target that
 * begins with parentheses: these become the call that they are.
 */
static void convert_type_alias(mst_convert *convert, mst_open *parent, uint32_t at) {
  mst_ts_node *nodes = convert->from.nodes;
  const uint32_t target = mst_ts_first(convert, at);
  uint32_t base = target;
  while (base != 0 && nodes[base].symbol != sym_parenthesized_expression &&
         nodes[base].symbol != sym_tuple)
    base = mst_ts_first(convert, base);
  if (base == 0 || nodes[base].start != nodes[target].start) {
    mst_open_node(convert, parent, MST_K_PASS, at);
    return;
  }
  nodes[base].symbol = MST_TS_TYPE_CALL;
  for (uint32_t node = target; node <= base; node++)
    nodes[node].start = nodes[at].start;
  mst_open open = mst_open_node(convert, parent, MST_K_ASSIGN, at);
  mst_convert_expression(convert, &open, target, MST_F_STORE);
  mst_convert_expression(convert, &open, mst_ts_next(convert, at, target), 0);
}

/* ---- simple statements ---------------------------------------------------------------------------- */

/* With the first child, or EMPTY. */
static void convert_return(mst_convert *convert, mst_open *parent, uint32_t at) {
  mst_open open = mst_open_node(convert, parent, MST_K_RETURN, at);
  mst_convert_expression(convert, &open, mst_ts_first(convert, at), 0);
}

static void convert_delete(mst_convert *convert, mst_open *parent, uint32_t at) {
  mst_open open = mst_open_node(convert, parent, MST_K_DELETE, at);
  const uint32_t first = mst_ts_first(convert, at);
  const bool list = first != 0 && mst_ts_symbol(convert, first) == sym_expression_list;
  MST_EACH_TS(convert, child, list ? first : at)
  mst_convert_expression(convert, &open, child, MST_F_DEL);
}

static void convert_raise(mst_convert *convert, mst_open *parent, uint32_t at) {
  mst_open open = mst_open_node(convert, parent, MST_K_RAISE, at);
  const uint32_t from = mst_ts_find(convert, at, anon_sym_from);
  const uint32_t first = mst_ts_first(convert, at);
  const bool only_cause = from != 0 && first > from;
  if (first != 0 && mst_ts_symbol(convert, first) == sym_expression_list)
    mst_add_fault(convert, mst_ts_at(convert, first)->start, "python2",
                  "raise with a comma is Python 2: write raise E(v)");
  mst_convert_expression(convert, &open, only_cause ? 0 : first, 0);
  mst_convert_expression(convert, &open, only_cause ? first : mst_ts_next(convert, at, first), 0);
}

static void convert_assert(mst_convert *convert, mst_open *parent, uint32_t at) {
  mst_open open = mst_open_node(convert, parent, MST_K_ASSERT, at);
  const uint32_t test = mst_ts_first(convert, at);
  mst_convert_expression(convert, &open, test, 0);
  mst_convert_expression(convert, &open, mst_ts_next(convert, at, test), 0);
}

static void convert_names(mst_convert *convert, mst_open *parent, mst_kind kind, uint32_t at) {
  mst_open open = mst_open_node(convert, parent, kind, at);
  MST_EACH_TS(convert, child, at) mst_convert_expression(convert, &open, child, 0);
}

static void convert_old_statement(mst_convert *convert, mst_open *parent, mst_kind kind,
                                  uint32_t at, const char *message) {
  mst_add_fault(convert, mst_ts_at(convert, at)->start, "python2", message);
  mst_open open = mst_open_node(convert, parent, kind, at);
  MST_EACH_TS(convert, child, at) {
    const bool chevron = mst_ts_symbol(convert, child) == sym_chevron;
    mst_convert_expression(convert, &open, chevron ? mst_ts_first(convert, child) : child, 0);
  }
}

/* ---- compound statements -------------------------------------------------------------------------- */

static void convert_if(mst_convert *convert, mst_open *parent, uint32_t at) {
  const uint32_t end = mst_ts_at(convert, at)->end;
  mst_open open = mst_open_node(convert, parent, MST_K_IF, at);
  mst_convert_expression(convert, &open, mst_ts_first(convert, at), 0);
  mst_convert_block(convert, &open, block_of(convert, at));
  MST_EACH_TS(convert, clause, at) {
    if (mst_ts_symbol(convert, clause) != sym_elif_clause) continue;
    if (mst_convert_is_deep(convert, &open, clause)) return;
    const uint32_t start = mst_ts_at(convert, clause)->start;
    mst_open block = mst_open_span(convert, &open, MST_K_BLOCK, start, end);
    open = mst_open_span(convert, &block, MST_K_IF, start, end);
    mst_convert_expression(convert, &open, mst_ts_first(convert, clause), 0);
    mst_convert_block(convert, &open, block_of(convert, clause));
  }
  mst_convert_block(convert, &open, clause_block(convert, at, sym_else_clause));
}

static void convert_while(mst_convert *convert, mst_open *parent, uint32_t at) {
  mst_open open = mst_open_node(convert, parent, MST_K_WHILE, at);
  mst_convert_expression(convert, &open, mst_ts_first(convert, at), 0);
  mst_convert_block(convert, &open, block_of(convert, at));
  mst_convert_block(convert, &open, clause_block(convert, at, sym_else_clause));
}

static void convert_for(mst_convert *convert, mst_open *parent, uint32_t at) {
  mst_open open = mst_open_node(convert, parent, MST_K_FOR, at);
  set_async(convert, open, at);
  const uint32_t target = mst_ts_first(convert, at);
  mst_convert_expression(convert, &open, target, MST_F_STORE);
  mst_convert_expression(convert, &open, mst_ts_next(convert, at, target), 0);
  mst_convert_block(convert, &open, block_of(convert, at));
  mst_convert_block(convert, &open, clause_block(convert, at, sym_else_clause));
}

static void convert_with_item(mst_convert *convert, mst_open *parent, uint32_t at) {
  mst_open open = mst_open_node(convert, parent, MST_K_WITH_ITEM, at);
  uint32_t item = mst_ts_first(convert, at), inner = item;
  while (inner != 0 && mst_ts_symbol(convert, inner) == sym_parenthesized_expression)
    inner = mst_ts_first(convert, inner);
  uint32_t target = 0;
  if (inner != 0 && mst_ts_symbol(convert, inner) == sym_as_pattern) {
    item = mst_ts_first(convert, inner);
    target = mst_ts_next(convert, inner, item);
  }
  mst_convert_expression(convert, &open, item, 0);
  mst_convert_expression(convert, &open, target, MST_F_STORE);
}

static void convert_with(mst_convert *convert, mst_open *parent, uint32_t at) {
  mst_open open = mst_open_node(convert, parent, MST_K_WITH, at);
  set_async(convert, open, at);
  const uint32_t clause = mst_ts_find(convert, at, sym_with_clause);
  if (clause != 0) MST_EACH_TS(convert, item, clause) convert_with_item(convert, &open, item);
  mst_convert_block(convert, &open, block_of(convert, at));
}

/* `except E, e`: names of variables are small, those of exceptions are not. */
static bool is_old_except(const mst_convert *convert, uint32_t second, uint32_t behind) {
  if (second == 0 || mst_ts_symbol(convert, second) != sym_identifier) return false;
  const char letter = convert->source->text[mst_ts_at(convert, second)->start];
  const bool alone = behind == 0 || mst_ts_symbol(convert, behind) == sym_block;
  return alone && (letter == '_' || (letter >= 'a' && letter <= 'z'));
}

static void convert_types(mst_convert *convert, mst_open *parent, uint32_t at, uint32_t first) {
  mst_open open = mst_open_node(convert, parent, MST_K_TUPLE, first);
  for (uint32_t type = first; type != 0 && mst_ts_symbol(convert, type) != sym_block;
       type = mst_ts_next(convert, at, type)) {
    mst_opened(convert, open)->end = mst_ts_at(convert, type)->end;
    mst_convert_expression(convert, &open, type, 0);
  }
}

static void convert_except(mst_convert *convert, mst_open *parent, uint32_t at) {
  mst_open open = mst_open_node(convert, parent, MST_K_EXCEPT, at);
  const uint32_t block = block_of(convert, at);
  uint32_t type = mst_ts_first(convert, at), name = 0;
  if (type == block) type = 0;
  uint32_t second = mst_ts_next(convert, at, type);
  if (second == block) second = 0;
  if (type != 0 && mst_ts_symbol(convert, type) == sym_as_pattern) {
    name = mst_ts_next(convert, type, mst_ts_first(convert, type));
    type = mst_ts_first(convert, type);
  } else if (is_old_except(convert, second, mst_ts_next(convert, at, second))) {
    mst_add_fault(convert, mst_ts_at(convert, type)->start, "python2",
                  "except with a comma is Python 2: write except E as e");
    name = second;
    second = 0;
  }
  const mst_symbol symbol = mst_ts_name(convert, name);
  mst_opened(convert, open)->name = symbol;
  if (second != 0)
    convert_types(convert, &open, at, type);
  else
    mst_convert_expression(convert, &open, type, 0);
  mst_convert_block(convert, &open, block);
}

static void convert_try(mst_convert *convert, mst_open *parent, uint32_t at) {
  mst_open open = mst_open_node(convert, parent, MST_K_TRY, at);
  mst_convert_block(convert, &open, block_of(convert, at));
  MST_EACH_TS(convert, clause, at)
  if (mst_ts_symbol(convert, clause) == sym_except_clause) convert_except(convert, &open, clause);
  mst_convert_block(convert, &open, clause_block(convert, at, sym_else_clause));
  mst_convert_block(convert, &open, clause_block(convert, at, sym_finally_clause));
}

/* ---- all of them --------------------------------------------------------------------------------- */

static void convert_global(mst_convert *convert, mst_open *parent, uint32_t at) {
  convert_names(convert, parent, MST_K_GLOBAL, at);
}

static void convert_nonlocal(mst_convert *convert, mst_open *parent, uint32_t at) {
  convert_names(convert, parent, MST_K_NONLOCAL, at);
}

static void convert_print(mst_convert *convert, mst_open *parent, uint32_t at) {
  convert_old_statement(convert, parent, MST_K_PRINT, at, "print without parentheses is Python 2");
}

static void convert_exec(mst_convert *convert, mst_open *parent, uint32_t at) {
  convert_old_statement(convert, parent, MST_K_EXEC, at, "exec without parentheses is Python 2");
}

static void convert_pass(mst_convert *convert, mst_open *parent, uint32_t at) {
  mst_open_node(convert, parent, MST_K_PASS, at);
}

static void convert_break(mst_convert *convert, mst_open *parent, uint32_t at) {
  mst_open_node(convert, parent, MST_K_BREAK, at);
}

static void convert_continue(mst_convert *convert, mst_open *parent, uint32_t at) {
  mst_open_node(convert, parent, MST_K_CONTINUE, at);
}

static const mst_converter converters[] = {
    [sym_expression_statement] = convert_expression_statement,
    [sym_assignment] = convert_assignment,
    [sym_augmented_assignment] = convert_aug_assign,
    [sym_if_statement] = convert_if,
    [sym_for_statement] = convert_for,
    [sym_while_statement] = convert_while,
    [sym_try_statement] = convert_try,
    [sym_with_statement] = convert_with,
    [sym_match_statement] = mst_convert_match,
    [sym_function_definition] = mst_convert_definition,
    [sym_class_definition] = mst_convert_definition,
    [sym_decorated_definition] = mst_convert_decorated,
    [sym_import_statement] = mst_convert_import,
    [sym_future_import_statement] = mst_convert_import_from,
    [sym_import_from_statement] = mst_convert_import_from,
    [sym_return_statement] = convert_return,
    [sym_delete_statement] = convert_delete,
    [sym_raise_statement] = convert_raise,
    [sym_assert_statement] = convert_assert,
    [sym_global_statement] = convert_global,
    [sym_nonlocal_statement] = convert_nonlocal,
    [sym_type_alias_statement] = convert_type_alias,
    [sym_pass_statement] = convert_pass,
    [sym_break_statement] = convert_break,
    [sym_continue_statement] = convert_continue,
    [sym_print_statement] = convert_print,
    [sym_exec_statement] = convert_exec,
};

bool mst_ts_is_statement(uint16_t symbol) {
  return symbol < sizeof converters / sizeof *converters && converters[symbol] != NULL;
}

void mst_convert_statement(mst_convert *convert, mst_open *parent, uint32_t at) {
  const uint16_t symbol = mst_ts_symbol(convert, at);
  if (mst_convert_is_deep(convert, parent, at)) return;
  if (mst_ts_is_statement(symbol))
    converters[symbol](convert, parent, at);
  else
    mst_convert_error(convert, parent, at);
}
