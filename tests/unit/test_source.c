/* SPDX-License-Identifier: Apache-2.0 */
/* Encodings and lines of Python files, and the cells of notebooks. */
#include "unit/unit.h"

#include <sys/stat.h>

#include "base/str.h"
#include "pysource/source.h"

/* ---- Python files ---------------------------------------------------------------------------- */

static void check_text(const char *bytes, size_t length, const char *text, bool noted) {
  mst_source source;
  muster_error error;
  CHECK(mst_source_from_bytes(&source, "a.py", bytes, length, &error) == MUSTER_OK, "%s: %s", text,
        error.message);
  CHECK(strcmp(source.text, text) == 0, "'%s', not '%s'", source.text, text);
  assert_int_equal(source.length, strlen(text));
  CHECK((source.note != NULL) == noted, "%s: %s", text, source.note != NULL ? source.note : "-");
  assert_string_equal(source.path, "a.py");
  assert_null(source.cells);
  mst_source_reset(&source);
  mst_source_reset(&source);
}

#define TEXT(bytes, text) check_text(bytes, sizeof(bytes) - 1, text, false)
#define MENDED(bytes, text) check_text(bytes, sizeof(bytes) - 1, text, true)

static void test_encodings(void **state) {
  (void)state;
  TEXT("", "");
  TEXT("x = 1\n", "x = 1\n");
  TEXT("# \xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80\n", "# \xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80\n");
  TEXT("\xef\xbb\xbfx = 1\n", "x = 1\n");
  TEXT("\xef\xbb\xbf# coding: latin-1\n# \xc3\xa9", "# coding: latin-1\n# \xc3\xa9");
  TEXT("# -*- coding: latin-1 -*-\n# \xe9\n", "# -*- coding: latin-1 -*-\n# \xc3\xa9\n");
  TEXT("#!/bin/python\n# vim: set fileencoding=ISO-8859-1 :\n# \xe9",
       "#!/bin/python\n# vim: set fileencoding=ISO-8859-1 :\n# \xc3\xa9");
  TEXT("\r\n# coding=latin_1\r\n# \xe9", "\n# coding=latin_1\n# \xc3\xa9");
  TEXT("# coding: latin-1-unix\n# \xe9", "# coding: latin-1-unix\n# \xc3\xa9");
  TEXT("# coding: cp1252\n# \x80 \x9f \xe9", "# coding: cp1252\n# \xe2\x82\xac \xc5\xb8 \xc3\xa9");
  TEXT("# coding: us-ascii\nx", "# coding: us-ascii\nx");
  TEXT("\xff\xfex\0\n\0\xe9\0=\xd8\0\xde", "x\n\xc3\xa9\xf0\x9f\x98\x80");
  TEXT("\xfe\xff\0x\0\n\0\xe9\xd8=\xde\0", "x\n\xc3\xa9\xf0\x9f\x98\x80");
  TEXT("\xff\xfe", "");
  TEXT("# coding: koi8-r\nx", "# coding: koi8-r\nx");
}

static void test_mended(void **state) {
  (void)state;
  MENDED("# \xe9\n", "# \xc3\xa9\n");
  MENDED("# coding: utf-8\n# \xe9\xa4\n", "# coding: utf-8\n# \xc3\xa9\xc2\xa4\n");
  MENDED("# coding: koi8-r\n# \xe9", "# coding: koi8-r\n# \xc3\xa9");
  MENDED("\xef\xbb\xbf# \xe9", "# \xc3\xa9");
  /* Too late, and behind code: no declarations. */
  MENDED("\n\n# coding: latin-1\n# \xe9", "\n\n# coding: latin-1\n# \xc3\xa9");
  MENDED("x\n# coding: latin-1\n# \xe9", "x\n# coding: latin-1\n# \xc3\xa9");
  MENDED("s = 'coding: latin-1' # \xe9", "s = 'coding: latin-1' # \xc3\xa9");
  /* Overlong, a surrogate, beyond Unicode, cut off. */
  MENDED("#\xc0\x80", "#\xc3\x80\xc2\x80");
  MENDED("#\xed\xa0\x80", "#\xc3\xad\xc2\xa0\xc2\x80");
  MENDED("#\xf4\x90\x80\x80", "#\xc3\xb4\xc2\x90\xc2\x80\xc2\x80");
  MENDED("#\xe2\x82", "#\xc3\xa2\xc2\x82");
  MENDED("\xff\xfex\0=\xd8y\0", "x\xef\xbf\xbdy");
  MENDED("\xff\xfex\0\0\xdey\0", "x\xef\xbf\xbdy");
  MENDED("\xff\xfex\0y", "x\xef\xbf\xbd");
}

static void test_line_ends(void **state) {
  (void)state;
  TEXT("a\r\nb\r\n", "a\nb\n");
  TEXT("a\rb\r", "a\nb\n");
  TEXT("a\r\r\nb\n\r", "a\n\nb\n\n");
  TEXT("a\fb\x0b\x1c", "a\fb\x0b\x1c");
}

static void test_refused(void **state) {
  (void)state;
  static const struct {
    const char *path, *bytes;
    size_t length;
    const char *word;
  } * row, table[] = {
               {"a.py",
                "\x7f"
                "ELF\0\1",
                6, "binary"},
               {"a.py", "x\0", 2, "binary"},
               {"a.py", "\xff\xfex\0\0\0", 6, "binary"},
               {"a.ipynb", "", 0, "empty"},
               {"a.ipynb", "{\"cells\": [", 11, "JSON"},
               {"a.ipynb", "\x1f\x8b\0", 3, "binary"},
               {"a.ipynb", "[]", 2, "cells"},
               {"a.ipynb", "{\"cells\": {}}", 13, "cells"},
               {"a.ipynb", "x = 1\n", 6, "JSON"},
           };
  for (EACH(row, table)) {
    mst_source source;
    muster_error error;
    CHECK(mst_source_from_bytes(&source, row->path, row->bytes, row->length, &error) ==
              MUSTER_ERR_FORMAT,
          "%s", row->word);
    CHECK(strstr(error.message, row->word) != NULL, "%s: %s", row->word, error.message);
    assert_string_equal(error.path, row->path);
    assert_null(source.text);
    mst_source_reset(&source);
  }
}

static mst_source source_of(const char *path, const char *text) {
  mst_source source;
  muster_error error;
  CHECK(mst_source_from_bytes(&source, path, text, strlen(text), &error) == MUSTER_OK, "%s",
        error.message);
  return source;
}

static void check_position(const mst_source *source, uint32_t byte, uint32_t cell, uint32_t line,
                           uint32_t column) {
  const mst_position found = mst_source_position(source, byte);
  CHECK(found.cell == cell && found.line == line && found.column == column,
        "byte %u is at %u:%u:%u, not %u:%u:%u", byte, found.cell, found.line, found.column, cell,
        line, column);
}

static void test_positions(void **state) {
  (void)state;
  mst_source source = source_of("a.py", "ab\r\n\xc3\xa9\xf0\x9f\x98\x80z\n\nq");
  assert_int_equal(source.line_count, 4);
  check_position(&source, 0, 0, 1, 1);
  check_position(&source, 2, 0, 1, 3);
  check_position(&source, 3, 0, 2, 1);
  check_position(&source, 4, 0, 2, 1); /* within a character */
  check_position(&source, 5, 0, 2, 2);
  check_position(&source, 9, 0, 2, 3);
  check_position(&source, 11, 0, 3, 1);
  check_position(&source, 12, 0, 4, 1);
  check_position(&source, 13, 0, 4, 2);
  check_position(&source, UINT32_MAX, 0, 4, 2);
  assert_int_equal(mst_source_line(&source, 2), 0);
  assert_int_equal(mst_source_line(&source, 3), 1);
  assert_int_equal(mst_source_line(&source, UINT32_MAX), 3);
  mst_source_reset(&source);

  source = source_of("a.py", "a\nb\n");
  assert_int_equal(source.line_count, 2);
  check_position(&source, 4, 0, 2, 2);
  mst_source_reset(&source);

  source = source_of("a.py", "");
  assert_int_equal(source.line_count, 1);
  check_position(&source, 0, 0, 1, 1);
  mst_source_reset(&source);
}

static void test_files(void **state) {
  (void)state;
  mst_source source;
  muster_error error;
  put_text("a.py", "x\r\n");
  assert_int_equal(mst_source_read(&source, "a.py", "shown/a.py", &error), MUSTER_OK);
  assert_string_equal(source.path, "shown/a.py");
  assert_string_equal(source.text, "x\n");
  mst_source_reset(&source);

  assert_int_equal(mkfifo("pipe.py", 0666), 0);
  assert_int_equal(mst_source_read(&source, "pipe.py", "shown", &error), MUSTER_ERR_FORMAT);
  assert_string_equal(error.path, "shown");
  assert_int_equal(mst_source_read(&source, ".", "shown", &error), MUSTER_ERR_FORMAT);
  assert_int_equal(mst_source_read(&source, "none.py", "shown", &error), MUSTER_ERR_NOT_FOUND);
  assert_string_equal(error.path, "shown");
  assert_int_equal(mst_source_read(&source, "none.py", "shown", NULL), MUSTER_ERR_NOT_FOUND);
}

static void test_limit(void **state) {
  (void)state;
  mst_source source;
  muster_error error;
  char *bytes = malloc(MST_SOURCE_LIMIT + 1);
  assert_non_null(bytes);
  memset(bytes, 'x', MST_SOURCE_LIMIT + 1);
  put_file("most.py", bytes, MST_SOURCE_LIMIT);
  put_file("more.py", bytes, MST_SOURCE_LIMIT + 1);
  assert_int_equal(mst_source_read(&source, "most.py", "most.py", &error), MUSTER_OK);
  assert_int_equal(source.length, MST_SOURCE_LIMIT);
  mst_source_reset(&source);
  assert_int_equal(mst_source_read(&source, "more.py", "shown", &error), MUSTER_ERR_FORMAT);
  assert_non_null(strstr(error.message, "4 MiB"));
  assert_string_equal(error.path, "shown");
  assert_int_equal(mst_source_from_bytes(&source, "-", bytes, MST_SOURCE_LIMIT + 1, &error),
                   MUSTER_ERR_FORMAT);
  free(bytes);
  /* One line of 100 MB, of which nothing is read. */
  assert_int_equal(truncate("more.py", 100000000), 0);
  assert_int_equal(mst_source_read(&source, "more.py", "more.py", &error), MUSTER_ERR_FORMAT);
}

/* ---- notebooks ------------------------------------------------------------------------------- */

#define CODE(source) "{\"cell_type\": \"code\", \"source\": " source "}"
#define MARKDOWN "{\"cell_type\": \"markdown\", \"source\": \"# x = 1\"}"
#define BOOK(cells) "{\"nbformat\": 4, \"metadata\": {}, \"cells\": [" cells "]}"

static void test_cells(void **state) {
  (void)state;
  mst_source source =
      source_of("a.ipynb", BOOK(MARKDOWN ", " CODE("[\"x = 1\\n\", \"y = 2\"]") ", " CODE(
                               "\"\"") ", " MARKDOWN ", " CODE("\"z = 3\\r\\n\\tw\"")));
  assert_string_equal(source.text, "x = 1\ny = 2\n\nz = 3\n\tw\n");
  assert_int_equal(source.cell_count, 3);
  assert_int_equal(source.cells[0].number, 2);
  assert_int_equal(source.cells[1].number, 3);
  assert_int_equal(source.cells[2].number, 5);
  assert_int_equal(source.cells[2].first_line, 3);
  check_position(&source, 0, 2, 1, 1);
  check_position(&source, 6, 2, 2, 1);
  check_position(&source, 12, 3, 1, 1);
  check_position(&source, 13, 5, 1, 1);
  check_position(&source, 20, 5, 2, 2);
  mst_source_reset(&source);
}

static void test_versions(void **state) {
  (void)state;
  static const struct {
    const char *json, *text; /* NULL: refused */
  } * row, table[] = {
               {BOOK(""), ""},
               {"\xef\xbb\xbf" BOOK(CODE("\"x\"")), "x\n"},
               {"{\"nbformat\": 3, \"worksheets\": [{\"cells\": [{\"cell_type\": \"code\", "
                "\"language\": \"python\", \"input\": [\"a\\n\", \"b\"]}]}, {\"cells\": "
                "[{\"cell_type\": \"heading\", \"source\": \"h\"}, {\"cell_type\": \"code\", "
                "\"input\": \"c\"}, {\"cell_type\": \"code\", \"language\": \"ruby\", \"input\": "
                "\"d\"}]}]}",
                "a\nb\nc\n"},
               {"{\"metadata\": {\"kernelspec\": {\"language\": \"python\"}}, \"cells\": "
                "[" CODE("\"x\"") "]}",
                "x\n"},
               {"{\"metadata\": {\"kernelspec\": {\"language\": \"R\"}}, \"cells\": []}", NULL},
               {"{\"metadata\": {\"language_info\": {\"name\": \"julia\"}}, \"cells\": []}", NULL},
               /* Jupyter writes what JSON does not have. */
               {"{\"cells\": [" CODE("\"x\"") ", {\"outputs\": [NaN, -Infinity]}]}", "x\n"},
               {"{\"cells\": [1, null, \"x\", {}, {\"cell_type\": \"code\"}, " CODE("3") ", " CODE(
                    "[1, \"x\"]") "]}",
                "\nx\n"},
               {BOOK(CODE("\"a\\u0000b\"")), "a b\n"},
           };
  for (EACH(row, table)) {
    mst_source source;
    muster_error error;
    const muster_status status =
        mst_source_from_bytes(&source, "a.ipynb", row->json, strlen(row->json), &error);
    CHECK(status == (row->text != NULL ? MUSTER_OK : MUSTER_ERR_FORMAT), "%s", row->json);
    CHECK(row->text == NULL || strcmp(source.text, row->text) == 0, "%s: %s", row->json,
          source.text);
    mst_source_reset(&source);
  }
}

/* A cell's text into JSON. */
static void quote(mst_str *out, const char *text) {
  mst_str_add(out, "\"");
  for (; *text != '\0'; text++) {
    if (*text == '\n')
      mst_str_add(out, "\\n");
    else if (*text == '\t')
      mst_str_add(out, "\\t");
    else
      mst_str_addf(out, *text == '"' || *text == '\\' ? "\\%c" : "%c", *text);
  }
  mst_str_add(out, "\"");
}

static const struct {
  const char *cell, *text;
} magics[] = {
    {"%matplotlib inline\nx = 1", "                  \nx = 1"},
    {"x = 1\n!ls -l *.py\ny", "x = 1\n           \ny"},
    {"!!ls", "    "},
    {"!ls \\\n  -l\nx", "     \n    \nx"},
    {"?np.sum\nnp.sum?\nnp.sum??\n%time?\nx", "       \n       \n        \n      \nx"},
    {"x = 'really?'", "x = 'really?'"},
    {"if x:\n    !ls\n    %cd ..\n    y", "if x:\n    0  \n    0     \n    y"},
    {"/f 1 2\n,f a b\n;f a b", "      \n      \n      "},
    /* what is assigned */
    {"x = !ls", "x = __ "},
    {"x = %timeit -o f()\ny", "x = __            \ny"},
    {"x = %time f(a)\ny", "x =       f(a)\ny"},
    {"x = y != z", "x = y != z"},
    {"x = a == b", "x = a == b"},
    {"f(x = 3 % y)\n", "f(x = 3 % y)\n"},
    /* statements behind magics */
    {"%time x = f()", "0;    x = f()"},
    {"%timeit -n 10 -r3 -q x @ y", "0;                   x @ y"},
    {"%time -x", "0;    -x"},
    {"%prun -s cumulative f(x)", "0;                  f(x)"},
    {"    %time f()", "0;    f()"}, /* the cell is moved to the left */
    {"if x:\n    %time f()", "if x:\n    0;    f()"},
    {"%time for i in a: f(i)", "for       i in a: f(i)"},
    {"%timeit", "       "},
    {"%lprun -f f f(x)", "0;          f(x)"},
    {"%timer x", "        "},
    /* cells */
    {"%%time\nx = 1", "      \nx = 1"},
    {"\n%%time\n%%capture out\nx = 1", "\n      \n             \nx = 1"},
    {"%%timeit -n 3 x = 1\ny", "0;            x = 1\ny"},
    {"%%time\nx = 1\n!ls\n", "      \nx = 1\n   \n"},
    {"%%bash\nls (\n'", "      \n    \n "},
    {"%%html\n<b>", "      \n   "},
    {"%%writefile x.py\nx = 1", "                \n     "},
    {"%%cython -a\ndef f(): pass", "           \n             "},
    {"%%unknown\nx = 1", "         \n     "},
    {"x\n%%time\ny", "x\n      \ny"},
    /* operators and text, not magics */
    {"x = (a\n% b)", "x = (a\n% b)"},
    {"x = [a,\n  # (\n%b]\n%cd x", "x = [a,\n  # (\n%b]\n     "},
    {"x = a \\\n% b", "x = a \\\n% b"},
    {"x = '''\n%time\n!ls\n'''\n!ls", "x = '''\n%time\n!ls\n'''\n   "},
    {"x = \"\"\"a\\\"\"\"\n!ls\"\"\"", "x = \"\"\"a\\\"\"\"\n!ls\"\"\""},
    {"x = 'it\\'s (' \n!ls", "x = 'it\\'s (' \n   "},
    {"x = \"'''\"\n!ls", "x = \"'''\"\n   "},
    {"x = 'a\\\n!b'\n!ls", "x = 'a\\\n!b'\n   "},
    {"x = 'open\n!ls", "x = 'open\n   "},
    {"# it's (\n!ls", "# it's (\n   "},
    {"''\n!ls", "''\n   "},
    {"x = r'\\'\n", "x = r'\\'\n"},
    {"x)\n!ls", "x)\n   "},
    /* must not reach into the next cell */
    {"x = 1 \\", "x = 1  "},
    {"x = (1,\ny", "       \n "},
    {"x = '''\ny", "       \n "},
    /* moved to the left */
    {"  x = 1\n  y\n z\n    w", "x = 1\ny\n z\n  w"},
    {"\n\tx\n\ty", "\nx\ny"},
    {"   ", "   "},
};

static void test_magics(void **state) {
  (void)state;
  for (size_t i = 0; i < COUNT(magics); i++) {
    mst_str json = {0}, expected = {0};
    mst_str_add(&json, "{\"cells\": [{\"cell_type\": \"code\", \"source\": ");
    quote(&json, magics[i].cell);
    mst_str_add(&json, "}, " CODE("\"last\"") "]}");
    mst_str_addf(&expected, "%s\nlast\n", magics[i].text);
    mst_source source = source_of("a.ipynb", mst_str_text(&json));
    CHECK(strcmp(source.text, expected.data) == 0, "%s:\n'%s', not\n'%s'", magics[i].cell,
          source.text, expected.data);
    assert_int_equal(source.cell_count, 2);
    mst_source_reset(&source);
    mst_str_reset(&json);
    mst_str_reset(&expected);
  }
}

static void test_moved_cell(void **state) {
  (void)state;
  mst_source source = source_of("a.ipynb", BOOK(CODE("\"  x\\n    y\"") ", " CODE("\"z\"")));
  check_position(&source, 0, 1, 1, 3);
  check_position(&source, 4, 1, 2, 5);
  check_position(&source, 6, 2, 1, 1);
  mst_source_reset(&source);
}

static void test_incomplete_cells(void **state) {
  (void)state;
  mst_source source =
      source_of("a.ipynb", BOOK(CODE("\"f(\"") ", " CODE("\"x\"") ", " CODE("\"'''\"")));
  assert_true(source.cells[0].is_left_out && source.cells[2].is_left_out);
  assert_false(source.cells[1].is_left_out);
  assert_string_equal(source.text, "  \nx\n   \n");
  mst_source_reset(&source);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_encodings),
      cmocka_unit_test(test_mended),
      cmocka_unit_test(test_line_ends),
      cmocka_unit_test(test_refused),
      cmocka_unit_test(test_positions),
      IN_FOLDER(test_files),
      IN_FOLDER(test_limit),
      cmocka_unit_test(test_cells),
      cmocka_unit_test(test_versions),
      cmocka_unit_test(test_magics),
      cmocka_unit_test(test_moved_cell),
      cmocka_unit_test(test_incomplete_cells),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
