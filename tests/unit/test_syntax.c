/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Trees as text: KIND(children), names behind a colon, EMPTY as `_`. That whole programs give what
 * CPython's parser gives is tested in tests/python/test_syntax.py; here is what CPython refuses,
 * and what it does not tell.
 */
#include "unit.h"

#include "base/arena.h"
#include "base/str.h"
#include "pysource/source.h"
#include "pysource/syntax.h"

#define BUDGET ((size_t)256 << 20)

static const char *const kinds[] = {
#define KIND(name, children) #name,
#include "pysource/kinds.def"
#undef KIND
};

typedef struct parsed {
  mst_source source;
  mst_arena arena;
  mst_tree tree;
  muster_error error;
  muster_status status;
} parsed;

static void parse_bytes(parsed *p, const char *text, size_t length, size_t budget, double seconds) {
  muster_error error;
  CHECK(mst_source_from_bytes(&p->source, "x.py", text, length, &error) == MUSTER_OK, "%s",
        error.message);
  mst_arena_init(&p->arena, BUDGET);
  if (setjmp(p->arena.way_out) != 0) fail_msg("the arena is full");
  p->status = mst_syntax_parse(&p->source, budget, seconds, &p->arena, &p->tree, &p->error);
}

static void parse(parsed *p, const char *text) {
  parse_bytes(p, text, strlen(text), BUDGET, 60);
  CHECK(p->status == MUSTER_OK, "%s: %s", text, p->error.message);
}

static void forget(parsed *p) {
  mst_arena_reset(&p->arena);
  mst_source_reset(&p->source);
}

/* ---- trees as text ------------------------------------------------------------------------------ */

static void add_flags(mst_str *out, unsigned flags) {
  static const struct {
    unsigned flag;
    const char *word;
  } words[] = {{MST_F_STORE, "="},        {MST_F_DEL, "!"},      {MST_F_STAR, "*"},
               {MST_F_DOUBLE_STAR, "**"}, {MST_F_AS, "~"},       {MST_F_ASYNC, "async"},
               {MST_F_TUPLE, ","},        {MST_F_BYTES, "b"},    {MST_F_KEYWORD_ONLY, "/"},
               {MST_F_FLOAT, "."},        {MST_F_IMAGINARY, "j"}};
  for (size_t i = 0; i < COUNT(words); i++)
    if ((flags & words[i].flag) != 0) mst_str_add(out, words[i].word);
}

static void add_node(mst_str *out, const mst_tree *tree, mst_node_id id) {
  const mst_node *node = mst_node_at(tree, id);
  if (node->kind == MST_K_EMPTY) {
    mst_str_add(out, "_");
    return;
  }
  mst_str_add(out, kinds[node->kind]);
  if (node->path != 0) mst_str_addf(out, "<%s>", mst_symbol_text(&tree->symbols, node->path));
  if (node->name != 0) mst_str_addf(out, ":%s", mst_symbol_text(&tree->symbols, node->name));
  add_flags(out, node->flags);
  if (node->first == 0) return;
  mst_str_add(out, "(");
  MST_EACH_CHILD(tree, child, id) {
    if (child != node->first) mst_str_add(out, " ");
    add_node(out, tree, child);
  }
  mst_str_add(out, ")");
}

/* The statements of a program, parted by "; ". */
static void check_tree(const char *program, const char *expected) {
  parsed p;
  parse(&p, program);
  mst_str out = {0};
  MST_EACH_CHILD(&p.tree, child, 1) {
    if (out.length > 0) mst_str_add(&out, "; ");
    add_node(&out, &p.tree, child);
  }
  CHECK(strcmp(mst_str_text(&out), expected) == 0, "%s\n  found    %s\n  expected %s", program,
        mst_str_text(&out), expected);
  mst_str_reset(&out);
  forget(&p);
}

typedef struct tree_case {
  const char *program, *tree;
} tree_case;

static void check_trees(const tree_case *cases, size_t count) {
  for (size_t i = 0; i < count; i++)
    check_tree(cases[i].program, cases[i].tree);
}

/* ---- what Python 3 says -------------------------------------------------------------------------- */

static void test_children_come_as_promised(void **state) {
  (void)state;
  static const tree_case cases[] = {
      {"", ""},
      {"# only words\n", ""},
      {"a = b = c", "ASSIGN(NAME:a= NAME:b= NAME:c)"},
      {"a.b, c[0] = d", "ASSIGN(TUPLE(ATTRIBUTE:b=(NAME:a) SUBSCRIPT=(NAME:c NUMBER)) NAME:d)"},
      {"x[i] += 1", "AUG_ASSIGN(SUBSCRIPT=(NAME:x NAME:i) NUMBER)"},
      {"a: int", "ANN_ASSIGN(NAME:a= NAME:int _)"},
      {"del a[0], (b)", "DELETE(SUBSCRIPT!(NAME:a NUMBER) NAME:b!)"},
      {"return", "RETURN(_)"},
      {"a[1:, ::2]", "EXPRESSION(SUBSCRIPT(NAME:a SLICE(NUMBER _ _) SLICE(_ _ NUMBER)))"},
      {"a[i,]", "EXPRESSION(SUBSCRIPT,(NAME:a NAME:i))"},
      {"a[(i, j)]", "EXPRESSION(SUBSCRIPT(NAME:a TUPLE(NAME:i NAME:j)))"},
      {"f(*a, k=b, **c)",
       "EXPRESSION(CALL(NAME:f STAR(NAME:a) KEYWORD:k(NAME:b) DOUBLE_STAR(NAME:c)))"},
      {"f(x for x in y)", "EXPRESSION(CALL(NAME:f GENERATOR(NAME:x COMP_FOR(NAME:x= NAME:y))))"},
      {"((((a))))", "EXPRESSION(NAME:a)"},
      {"1; 1.; 1j; 'a'; b'a'",
       "EXPRESSION(NUMBER); EXPRESSION(NUMBER.); EXPRESSION(NUMBERj); EXPRESSION(STRING); "
       "EXPRESSION(STRINGb)"},
      {"f'{a:>{b}}' 'c'", "EXPRESSION(FSTRING(NAME:a NAME:b))"},
      {"if a: pass\nelif b: pass\nelse: pass",
       "IF(NAME:a BLOCK(PASS) BLOCK(IF(NAME:b BLOCK(PASS) BLOCK(PASS))))"},
      {"try: pass\nexcept E as e: pass\nelse: pass",
       "TRY(BLOCK(PASS) EXCEPT:e(NAME:E BLOCK(PASS)) BLOCK(PASS) _)"},
      {"with a as b, c: pass", "WITH(WITH_ITEM(NAME:a NAME:b=) WITH_ITEM(NAME:c _) BLOCK(PASS))"},
      {"with (a as b): pass", "WITH(WITH_ITEM(NAME:a NAME:b=) BLOCK(PASS))"},
      {"async def f(): pass", "FUNCTION:fasync(PARAMETERS _ BLOCK(PASS))"},
      {"@d\n@e\ndef f(a, /, b: int = 1, *c, d, **e) -> r: pass",
       "FUNCTION:f(PARAMETERS(PARAMETER:a(_ _) PARAMETER:b(NAME:int NUMBER) PARAMETER:c*(_ _) "
       "PARAMETER:d/(_ _) PARAMETER:e**/(_ _)) NAME:r BLOCK(PASS) NAME:d NAME:e)"},
      {"class A[T](B, m=C): pass", "CLASS:A(BASES(NAME:B KEYWORD:m(NAME:C)) BLOCK(PASS))"},
      {"import a.b, c.d as e", "IMPORT(ALIAS<a.b>:a ALIAS<c.d>:e~)"},
      {"from .. import a as b", "IMPORT_FROM(ALIAS<a>:b~)"},
      {"from a . b import *", "IMPORT_FROM<a.b>*"},
      {"match x:\n case A(y, z=1) | [_, *w] if c: pass",
       "MATCH(NAME:x CASE(BINARY(CALL(NAME:A NAME:y= KEYWORD:z(NUMBER)) LIST(_ STAR(NAME:w=))) "
       "NAME:c BLOCK(PASS)))"},
      {"type X = int", "PASS"},
      {"(n := 1)", "EXPRESSION(WALRUS(NAME:n= NUMBER))"},
      {"a = ( # one\n  b # two\n  + # three\n  c)", "ASSIGN(NAME:a= BINARY(NAME:b NAME:c))"},
      {"f(a, # one\n  # two\n  b)", "EXPRESSION(CALL(NAME:f NAME:a NAME:b))"},
  };
  check_trees(cases, COUNT(cases));
}

/* ---- what it does not ---------------------------------------------------------------------------- */

static void check_fault(const char *program, const char *kind, unsigned line) {
  parsed p;
  parse(&p, program);
  CHECK(p.tree.faults.length >= 1, "%s", program);
  const mst_syntax_fault *fault = &p.tree.faults.data[0];
  CHECK(strcmp(fault->kind, kind) == 0, "%s: %s", program, fault->kind);
  CHECK(mst_source_position(&p.source, fault->start).line == line, "%s", program);
  CHECK(strchr(fault->message, '\n') == NULL && fault->message[0] != '\0', "%s", program);
  forget(&p);
}

/* What stands behind the quotes is text: no further faults. */
static void test_unclosed_strings(void **state) {
  (void)state;
  static const char *const programs[] = {
      "import a\n\n\ndef f(x):\n    \"\"\"Doc.\"\"\"\n    y = \"\"\"not closed\n    print y\n",
      "\"\"\"Doc.\"\"\"\nx = '\"\"\"'  # \"\"\"\n\n\nclass A:\n    '''not closed\n    raise E, 1\n",
      "try:\n    import a\nexcept E:\n    b = (1,\n         2)\nc = f(\"\"\"{a} 'x' \\\"\"\"\nif a "
      "<> b: 1\n",
  };
  for (size_t i = 0; i < COUNT(programs); i++) {
    check_fault(programs[i], "syntax", 6);
    parsed p;
    parse(&p, programs[i]);
    CHECK(p.tree.faults.length == 1, "%s: %zu", programs[i], p.tree.faults.length);
    forget(&p);
  }
}

static void test_python_2_is_understood(void **state) {
  (void)state;
  static const tree_case cases[] = {
      {"print a, b", "PRINT(NAME:a NAME:b)"},
      {"print >>f, a", "PRINT(NAME:f NAME:a)"},
      {"exec 'a' in d", "EXEC(STRING NAME:d)"},
      {"raise E, v", "RAISE(TUPLE(NAME:E NAME:v) _)"},
      {"try: pass\nexcept E, e: pass", "TRY(BLOCK(PASS) EXCEPT:e(NAME:E BLOCK(PASS)) _ _)"},
      {"def f((a, b), c): pass",
       "FUNCTION:f(PARAMETERS(PARAMETER(_ _) PARAMETER:c(_ _)) _ BLOCK(PASS))"},
      {"a <> b", "EXPRESSION(COMPARE(NAME:a NAME:b))"},
      {"`a`", "EXPRESSION(STRING)"},
      {"0777", "EXPRESSION(NUMBER)"},
      {"ur'a'", "EXPRESSION(STRING)"},
  };
  check_trees(cases, COUNT(cases));
  for (const tree_case *EACH(row, cases))
    check_fault(row->program, "python2", strncmp(row->program, "try", 3) == 0 ? 2 : 1);
}

static void test_what_python_3_allows_is_no_fault(void **state) {
  (void)state;
  static const char *const programs[] = {
      "print(a)", "0",         "00",
      "0o777",    "0xfe",      "rb'a'",
      "u'a'",     "a != b",    "try: pass\nexcept (A, b): pass",
      "print",    "exec('a')",
  };
  for (const char *const *EACH(program, programs)) {
    parsed p;
    parse(&p, *program);
    CHECK(p.tree.fault_count == 0, "%s: %s", *program, p.tree.faults.data[0].message);
    forget(&p);
  }
}

/* Counts the nodes of a kind and name. */
static unsigned count_of(const mst_tree *tree, mst_kind kind, const char *name) {
  unsigned count = 0;
  for (mst_node_id id = 1; id < tree->count; id++)
    if (mst_kind_of(tree, id) == kind &&
        strcmp(mst_symbol_text(&tree->symbols, mst_node_at(tree, id)->name), name) == 0)
      count++;
  return count;
}

static void test_what_stands_around_an_error_is_kept(void **state) {
  (void)state;
  static const char program[] = "import numpy as np\n"
                                "def f(a):\n"
                                "    b = np.zeros(3\n"
                                "    return b\n"
                                "def g(a):\n"
                                "    return np.sum(a)\n";
  parsed p;
  parse(&p, program);
  assert_true(p.tree.fault_count > 0);
  assert_string_equal(p.tree.faults.data[0].kind, "syntax");
  assert_int_equal(count_of(&p.tree, MST_K_ALIAS, "np"), 1);
  assert_int_equal(count_of(&p.tree, MST_K_ATTRIBUTE, "zeros"), 1);
  assert_int_equal(count_of(&p.tree, MST_K_ATTRIBUTE, "sum"), 1);
  forget(&p);
}

static void test_an_error_within_an_expression_follows_its_statement(void **state) {
  (void)state;
  parsed p;
  parse(&p, "x = a $ b\ny = c\n");
  assert_true(p.tree.fault_count > 0);
  assert_int_equal(count_of(&p.tree, MST_K_NAME, "y"), 1);
  assert_int_equal(count_of(&p.tree, MST_K_NAME, "c"), 1);
  forget(&p);
}

static void test_faults_are_counted_but_not_all_kept(void **state) {
  (void)state;
  mst_str program = {0};
  for (int i = 0; i < 120; i++)
    mst_str_add(&program, "print 1\n");
  parsed p;
  parse(&p, mst_str_text(&program));
  assert_int_equal(p.tree.fault_count, 120);
  assert_int_equal(p.tree.faults.length, 50);
  for (size_t i = 0; i < 50; i++)
    assert_int_equal(p.tree.faults.data[i].start, i * strlen("print 1\n"));
  forget(&p);
  mst_str_reset(&program);
}

/* ---- depth ---------------------------------------------------------------------------------------- */

static unsigned depth_of(const mst_tree *tree, mst_node_id id) {
  unsigned depth = 0;
  for (; tree->nodes[id].parent != 0; id = tree->nodes[id].parent)
    depth++;
  return depth;
}

static void check_deep(const char *before, const char *middle, const char *after, unsigned times) {
  mst_str program = {0};
  for (unsigned i = 0; i < times; i++)
    mst_str_add(&program, before);
  mst_str_add(&program, middle);
  for (unsigned i = 0; i < times; i++)
    mst_str_add(&program, after);
  mst_str_add(&program, "\nlast = 1\n");
  parsed p;
  parse(&p, mst_str_text(&program));
  CHECK(p.tree.fault_count > 0, "%s", before);
  CHECK(strcmp(p.tree.faults.data[0].kind, "depth") == 0, "%s: %s", before,
        p.tree.faults.data[0].kind);
  CHECK(count_of(&p.tree, MST_K_NAME, "last") == 1, "%s", before);
  unsigned deepest = 0;
  for (mst_node_id id = 1; id < p.tree.count; id++) {
    const unsigned depth = depth_of(&p.tree, id);
    deepest = depth > deepest ? depth : deepest;
  }
  CHECK(deepest <= 400 && deepest > 380, "%s: %u", before, deepest);
  forget(&p);
  mst_str_reset(&program);
}

static void test_depth_is_bounded(void **state) {
  (void)state;
  check_deep("[", "", "]", 20000);
  check_deep("-", "1", "", 20000);
  check_deep("1+", "1", "", 20000);
  check_deep("2**", "1", "", 20000);
  check_deep("", "a", ".b", 20000);
  check_deep("not ", "a", "", 20000);
  check_deep("x if x else (", "1", ")", 5000);
  check_deep("'a' + ", "'b'", "", 20000);
  check_deep("f(", "", ")", 20000);
  check_deep("", "f", "()", 20000);
  check_deep("lambda: ", "1", "", 20000);
  check_deep("if a: pass\nel", "if b: pass", "", 1000);
}

static void test_what_is_not_deep_is_whole(void **state) {
  (void)state;
  mst_str program = {0};
  for (int i = 0; i < 100000; i++)
    mst_str_add(&program, "(");
  mst_str_add(&program, "deep");
  for (int i = 0; i < 100000; i++)
    mst_str_add(&program, ")");
  for (int i = 0; i < 390; i++)
    mst_str_add(&program, " + 1");
  parsed p;
  parse(&p, mst_str_text(&program));
  assert_int_equal(p.tree.fault_count, 0);
  assert_int_equal(count_of(&p.tree, MST_K_NAME, "deep"), 1);
  assert_int_equal(count_of(&p.tree, MST_K_NUMBER, ""), 390);
  forget(&p);
  mst_str_reset(&program);
}

/* ---- limits ---------------------------------------------------------------------------------------- */

static void test_a_spent_budget_is_an_error(void **state) {
  (void)state;
  static const char program[] = "x = [1, 2, 3]\n";
  for (size_t budget = 0; budget < 200000; budget += 9973) {
    parsed p;
    parse_bytes(&p, program, strlen(program), budget, 60);
    CHECK(p.status == MUSTER_OK || p.status == MUSTER_ERR_MEMORY, "%zu: %d", budget, p.status);
    CHECK(budget != 0 || p.status == MUSTER_ERR_MEMORY, "%zu", budget);
    forget(&p);
  }
}

static void test_a_full_arena_takes_the_callers_way_out(void **state) {
  (void)state;
  static mst_source source;
  static mst_arena arena;
  static volatile unsigned ways_out;
  mst_tree tree;
  muster_error error;
  static const char program[] = "def f(a):\n    return a + 1\n";
  assert_int_equal(mst_source_from_bytes(&source, "x.py", program, strlen(program), &error), 0);
  for (volatile size_t budget = 0; budget <= 600000; budget += 300000) {
    mst_arena_init(&arena, budget);
    if (setjmp(arena.way_out) == 0)
      (void)mst_syntax_parse(&source, BUDGET, 60, &arena, &tree, &error);
    else
      ways_out++;
    mst_arena_reset(&arena);
  }
  assert_true(ways_out >= 1 && ways_out <= 2);
  mst_source_reset(&source);
}

static void test_parsing_ends_when_time_is_up(void **state) {
  (void)state;
  mst_str program = {0};
  for (int i = 0; i < 20000; i++)
    mst_str_add(&program, "x = f(a)\n");
  parsed p;
  parse_bytes(&p, program.data, program.length, BUDGET, 0);
  assert_int_equal(p.status, MUSTER_ERR_CANCELLED);
  forget(&p);
  mst_str_reset(&program);
}

/* ---- reading a tree -------------------------------------------------------------------------------- */

static void test_ids_are_in_order(void **state) {
  (void)state;
  parsed p;
  parse(&p, "@a\ndef f(b, c=1):\n  for i in b:\n    c += i\n  return c\nx = f(1)\n");
  const mst_tree *tree = &p.tree;
  for (mst_node_id id = 2; id < tree->count; id++) {
    const mst_node *node = mst_node_at(tree, id);
    CHECK(node->parent < id && node->parent > 0, "%u", id);
    CHECK(node->first == 0 || node->first == id + 1, "%u", id);
    mst_node_id end = id + 1;
    while (end < tree->count && mst_is_within(tree, end, id))
      end++;
    CHECK(mst_subtree_end(tree, id) == end, "%u", id);
    for (mst_node_id up = node->parent; up != 0; up = mst_node_at(tree, up)->parent)
      CHECK(mst_is_within(tree, id, up), "%u in %u", id, up);
  }
  forget(&p);
}

static void test_helpers(void **state) {
  (void)state;
  parsed p;
  parse(&p, "if a:\n  x = f(1, 2)\n");
  const mst_tree *tree = &p.tree;
  const mst_node_id branch = mst_child(tree, 1, 0);
  assert_int_equal(mst_kind_of(tree, branch), MST_K_IF);
  assert_int_equal(mst_child_count(tree, branch), 3);
  assert_int_equal(mst_kind_of(tree, mst_last_child(tree, branch)), MST_K_EMPTY);
  assert_int_equal(mst_child(tree, branch, 3), 0);
  const mst_node_id assign = mst_child(tree, mst_child(tree, branch, 1), 0);
  const mst_node_id call = mst_child(tree, assign, 1);
  assert_int_equal(mst_kind_of(tree, call), MST_K_CALL);
  assert_int_equal(mst_statement_of(tree, mst_last_child(tree, call)), assign);
  assert_int_equal(mst_statement_of(tree, assign), assign);
  assert_int_equal(mst_statement_of(tree, mst_child(tree, branch, 0)), branch);
  assert_int_equal(mst_statement_of(tree, 1), 0);
  forget(&p);
}

static void test_symbols(void **state) {
  (void)state;
  parsed p;
  parse(&p, "np = spam.np\n");
  mst_symbols *symbols = &p.tree.symbols;
  assert_int_equal(mst_symbol_find(symbols, "np"), MST_SYM_np);
  assert_int_equal(mst_symbol_find(symbols, "__init__"), MST_SYM___init__);
  assert_true(mst_symbol_find(symbols, "spam") >= MST_SYM_KNOWN);
  assert_int_equal(mst_symbol_find(symbols, "egg"), 0);
  mst_symbol many[2000];
  char text[16];
  for (size_t i = 0; i < COUNT(many); i++) {
    snprintf(text, sizeof text, "name%zu", i);
    many[i] = mst_symbol_of(symbols, text, strlen(text));
  }
  for (size_t i = 0; i < COUNT(many); i++) {
    snprintf(text, sizeof text, "name%zu", i);
    assert_int_equal(mst_symbol_of(symbols, text, strlen(text)), many[i]);
    assert_string_equal(mst_symbol_text(symbols, many[i]), text);
  }
  assert_int_equal(mst_symbol_find(symbols, "np"), MST_SYM_np);
  assert_int_equal(mst_symbol_of(symbols, "", 0), 0);
  forget(&p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_children_come_as_promised),
      cmocka_unit_test(test_python_2_is_understood),
      cmocka_unit_test(test_what_python_3_allows_is_no_fault),
      cmocka_unit_test(test_what_stands_around_an_error_is_kept),
      cmocka_unit_test(test_an_error_within_an_expression_follows_its_statement),
      cmocka_unit_test(test_faults_are_counted_but_not_all_kept),
      cmocka_unit_test(test_depth_is_bounded),
      cmocka_unit_test(test_what_is_not_deep_is_whole),
      cmocka_unit_test(test_a_spent_budget_is_an_error),
      cmocka_unit_test(test_a_full_arena_takes_the_callers_way_out),
      cmocka_unit_test(test_unclosed_strings),
      cmocka_unit_test(test_parsing_ends_when_time_is_up),
      cmocka_unit_test(test_ids_are_in_order),
      cmocka_unit_test(test_helpers),
      cmocka_unit_test(test_symbols),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
