/* SPDX-License-Identifier: Apache-2.0 */
#include "rules/scalar_function.h"

#include <string.h>

#define MOST_BRANCHES 8
#define MOST_LINES 24

static const mst_scalar none = {.text = NULL};

typedef struct reader {
  mst_scalar_function *function;
  const char *lines; /* NULL: none */
  unsigned line_count;
} reader;

/* Values of branches that return; what comes behind them is for the other elements. */
typedef struct choice {
  mst_scalar tests[MOST_BRANCHES], values[MOST_BRANCHES + 1];
  unsigned count;
} choice;

static const mst_tree *tree_of(const reader *in) { return in->function->place.module->tree; }

/* ---- names ------------------------------------------------------------------------------------------ */

bool mst_scalar_parameters(mst_scalar_function *function, const mst_scalar_type *types) {
  const mst_tree *tree = function->place.module->tree;
  const mst_program *program = function->place.program;
  function->count = 0;
  MST_EACH_CHILD(tree, parameter, mst_place_child(function->place, 0).node) {
    const mst_node *node = mst_node_at(tree, parameter);
    if ((node->flags & (MST_F_STAR | MST_F_DOUBLE_STAR | MST_F_KEYWORD_ONLY)) != 0) return false;
    if (node->name == 0 || function->count == MST_MOST_NAMES) return false;
    const unsigned i = function->count++;
    function->names[i] = node->name;
    function->values[i] = (mst_scalar){.text = mst_symbol_text(&program->symbols, node->name),
                                       .type = types[i],
                                       .needs = 1u << i,
                                       .is_atom = true,
                                       .is_argument = true};
    if (strcmp(function->values[i].text, function->np) == 0) return false;
  }
  return true;
}

static unsigned index_of(const mst_scalar_function *function, mst_symbol name) {
  unsigned i = 0;
  while (i < function->count && function->names[i] != name)
    i++;
  return i;
}

/* From here on the name stands for the value; false: for a value that was read before, too. */
static bool bind(reader *in, const choice *pending, mst_symbol name, mst_scalar value) {
  mst_scalar_function *function = in->function;
  const unsigned i = index_of(function, name);
  const char *text = mst_symbol_text(&function->place.program->symbols, name);
  if (i == MST_MOST_NAMES || value.text == NULL || strcmp(text, function->np) == 0) return false;
  if ((i < function->count && pending->count > 0) || in->line_count++ == MOST_LINES) return false;
  const char *line = mst_format_text(function->context->arena, "%s = %s\n", text, value.text);
  in->lines =
      in->lines == NULL ? line : mst_format_text(function->context->arena, "%s%s", in->lines, line);
  if (i == function->count) function->count++;
  function->names[i] = name;
  value.text = text;
  value.is_atom = true;
  value.joint = 0;
  function->values[i] = value;
  return true;
}

/* ---- statements ------------------------------------------------------------------------------------- */

/* The value of `name = value`, `name: float = value`, `name += value`. */
static mst_scalar assigned(reader *in, mst_node_id statement, mst_symbol *name) {
  const mst_tree *tree = tree_of(in);
  const mst_node *node = mst_node_at(tree, statement);
  const unsigned children = mst_child_count(tree, statement);
  const bool is_plain = (node->kind == MST_K_ASSIGN && children == 2) ||
                        (node->kind == MST_K_ANN_ASSIGN && children == 3);
  if (mst_kind_of(tree, node->first) != MST_K_NAME) return none;
  *name = mst_node_at(tree, node->first)->name;
  if (is_plain) return mst_scalar_expression(in->function, mst_last_child(tree, statement));
  if (node->kind != MST_K_AUG_ASSIGN) return none;
  const unsigned i = index_of(in->function, *name);
  if (i == in->function->count) return none;
  const mst_scalar before = in->function->values[i];
  const mst_scalar value = mst_scalar_expression(in->function, mst_last_child(tree, statement));
  if (value.text == NULL) return none;
  const char *text = tree->source->text + mst_node_at(tree, node->first)->end;
  text += strspn(text, " \t");
  const int length = (int)strcspn(text, "=");
  return mst_scalar_binary(in->function, node->op, &before, &value,
                           mst_format_text(in->function->context->arena, "%s %.*s %s", before.text,
                                           length, text, mst_scalar_operand(in->function, &value)));
}

static mst_node_id only_statement(const reader *in, mst_node_id block) {
  const mst_node_id first = mst_node_at(tree_of(in), block)->first;
  return first != 0 && mst_node_at(tree_of(in), first)->next == 0 ? first : 0;
}

/* The BLOCK of else or elif; 0: there is none. */
static mst_node_id else_of(const reader *in, mst_node_id if_) {
  const mst_node_id last = mst_child(tree_of(in), if_, 2);
  return mst_kind_of(tree_of(in), last) == MST_K_BLOCK ? last : 0;
}

/* The IF that a BLOCK of elif holds; 0: none. */
static mst_node_id elif_of(const reader *in, mst_node_id block) {
  const mst_node_id only = block != 0 ? only_statement(in, block) : 0;
  return only != 0 && mst_kind_of(tree_of(in), only) == MST_K_IF ? only : 0;
}

/* if t: name = a, elif s: name = b, else: name = c; without else: what the name was. */
static bool read_assignments(reader *in, mst_node_id statement, const choice *pending) {
  choice all = {.count = 0};
  mst_symbol name = 0, other;
  mst_node_id last = 0;
  for (mst_node_id if_ = statement; if_ != 0; if_ = elif_of(in, last)) {
    if (all.count == MOST_BRANCHES) return false;
    all.tests[all.count] = mst_scalar_expression(in->function, mst_child(tree_of(in), if_, 0));
    const mst_node_id only = only_statement(in, mst_child(tree_of(in), if_, 1));
    if (only == 0) return false;
    all.values[all.count++] = assigned(in, only, &other);
    if (all.values[all.count - 1].text == NULL || (name != 0 && other != name)) return false;
    name = other;
    last = else_of(in, if_);
    if (last == 0) break;
  }
  if (last != 0) {
    const mst_node_id only = only_statement(in, last);
    all.values[all.count] = only != 0 ? assigned(in, only, &other) : none;
    if (all.values[all.count].text == NULL || other != name) return false;
  } else {
    const unsigned i = index_of(in->function, name);
    if (i == in->function->count) return false;
    all.values[all.count] = in->function->values[i];
  }
  return bind(in, pending, name, mst_scalar_choice(in->function, all.tests, all.values, all.count));
}

static bool read_block(reader *in, mst_node_id block, bool may_assign, mst_scalar *result);

/* if t: return a, elif s: return b. *is_last: there is an else that returns, too. */
static bool read_returns(reader *in, mst_node_id statement, choice *pending, bool *is_last) {
  mst_node_id last = 0;
  *is_last = false;
  for (mst_node_id if_ = statement; if_ != 0; if_ = elif_of(in, last)) {
    if (pending->count == MOST_BRANCHES) return false;
    pending->tests[pending->count] =
        mst_scalar_expression(in->function, mst_child(tree_of(in), if_, 0));
    if (!read_block(in, mst_child(tree_of(in), if_, 1), false, &pending->values[pending->count]))
      return false;
    pending->count++;
    last = else_of(in, if_);
    if (last == 0) return true;
  }
  *is_last = true;
  return read_block(in, last, false, &pending->values[pending->count]);
}

static bool returns(const reader *in, mst_node_id if_) {
  const mst_tree *tree = tree_of(in);
  mst_node_id first = mst_node_at(tree, mst_child(tree, if_, 1))->first;
  return mst_kind_of(tree, first) == MST_K_RETURN || mst_kind_of(tree, first) == MST_K_IF;
}

/* *is_done: all elements have their value, which is pending's last. */
static bool read_statement(reader *in, mst_node_id id, bool may_assign, choice *pending,
                           bool *is_done) {
  const mst_tree *tree = tree_of(in);
  const mst_node *node = mst_node_at(tree, id);
  mst_symbol name = 0;
  switch (node->kind) {
  case MST_K_PASS: return true;
  case MST_K_EXPRESSION: return mst_kind_of(tree, node->first) == MST_K_STRING;
  case MST_K_RETURN:
    *is_done = true;
    if (node->first == 0) return false;
    pending->values[pending->count] = mst_scalar_expression(in->function, node->first);
    return true;
  case MST_K_IF:
    if (returns(in, id)) return read_returns(in, id, pending, is_done);
    return may_assign && read_assignments(in, id, pending);
  case MST_K_ASSIGN:
  case MST_K_ANN_ASSIGN:
  case MST_K_AUG_ASSIGN: {
    const mst_scalar value = assigned(in, id, &name);
    return may_assign && bind(in, pending, name, value);
  }
  default: return false;
  }
}

static bool read_block(reader *in, mst_node_id block, bool may_assign, mst_scalar *result) {
  choice pending = {.count = 0};
  bool is_done = false;
  MST_EACH_CHILD(tree_of(in), statement, block) {
    if (!read_statement(in, statement, may_assign, &pending, &is_done)) return false;
    if (is_done) break;
  }
  if (!is_done) return false;
  *result = mst_scalar_choice(in->function, pending.tests, pending.values, pending.count);
  return result->text != NULL;
}

mst_scalar mst_scalar_body(mst_scalar_function *function, const char **lines) {
  reader in = {.function = function};
  mst_scalar result = none;
  const mst_place place = function->place;
  if (mst_place_is(place, MST_K_LAMBDA))
    result = mst_scalar_expression(function, mst_place_child(place, 1).node);
  else if ((mst_place_node(place)->flags & MST_F_ASYNC) != 0 ||
           !read_block(&in, mst_place_child(place, 2).node, true, &result))
    return none;
  *lines = in.lines;
  return result;
}
