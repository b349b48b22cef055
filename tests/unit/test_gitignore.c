/* SPDX-License-Identifier: Apache-2.0 */
/* Patterns against paths, by gitignore(5); tests/python/test_walk.py compares with git itself. */
#include "unit/unit.h"

#include <time.h>

#include "base/alloc.h"
#include "pysource/gitignore.h"

static void test_globs(void **state) {
  (void)state;
  static const struct {
    const char *pattern, *text;
    bool of_name, of_path; /* expected without and with is_path */
  } * row, table[] = {
               {"", "", true, true},
               {"", "a", false, false},
               {"a", "a", true, true},
               {"a", "ab", false, false},
               {"*", "", true, true},
               {"*", "abc", true, true},
               {"*", "a/b", true, false},
               {"*.py", "a.py", true, true},
               {"*.py", "a.pyc", false, false},
               {"a*b*c", "aXbXbYc", true, true},
               {"a*b*c", "aXbXbYd", false, false},
               {"?", "a", true, true},
               {"?", "", false, false},
               {"a?b", "a/b", true, false},
               /* ** */
               {"**/a", "a", false, true},
               {"**/a", "x/a", true, true},
               {"**/a", "x/y/a", true, true},
               {"**/a", "xa", false, false},
               {"a/**", "a/b", true, true},
               {"a/**", "a/b/c", true, true},
               {"a/**", "a", false, false},
               {"a/**/b", "a/b", false, true},
               {"a/**/b", "a/x/b", true, true},
               {"a/**/b", "a/x/y/b", true, true},
               {"a/**/b", "a/xb", false, false},
               {"a/*/b", "a/x/b", true, true},
               {"a/*/b", "a/x/y/b", true, false},
               {"a/*/b", "a/b", false, false},
               {"x/a**b", "x/a/b", true, false},
               {"x/a**b", "x/aXb", true, true},
               {"**", "a/b/c", true, true},
               {"**/a*/**/b", "x/a1/y/a2/z/b", true, true},
               {"**/*.py", "x/y/z.py", true, true},
               {"a/**/*.py", "a/z.py", false, true},
               /* [...] */
               {"[ab]", "a", true, true},
               {"[ab]", "c", false, false},
               {"[!ab]", "c", true, true},
               {"[^ab]", "a", false, false},
               {"[a-c]x", "bx", true, true},
               {"[a-c]x", "dx", false, false},
               {"[]a]", "]", true, true},
               {"[!]a]", "b", true, true},
               {"[!]a]", "]", false, false},
               {"[a-]", "-", true, true},
               {"[\\]]", "]", true, true},
               {"[a", "a", false, false},
               {"[", "[", false, false},
               {"[[:digit:]]", "7", true, true},
               {"[[:digit:]]", "a", false, false},
               {"[![:space:]]", "a", true, true},
               {"[[:nothing:]]", "a", false, false},
               {"a[/]b", "a/b", true, false},
               {"a[!x]b", "a/b", true, false},
               /* escapes */
               {"\\*", "*", true, true},
               {"\\*", "a", false, false},
               {"a\\", "a", false, false},
               {"\\a", "a", true, true},
               {"\\\\", "\\", true, true},
           };
  for (EACH(row, table)) {
    CHECK(mst_glob_matches(row->pattern, row->text, false) == row->of_name, "%s %s, a name",
          row->pattern, row->text);
    CHECK(mst_glob_matches(row->pattern, row->text, true) == row->of_path, "%s %s, a path",
          row->pattern, row->text);
  }
}

static mst_ignore_verdict look(const char *file, const char *path, bool is_folder) {
  mst_gitignore ignore;
  char *text = mst_strdup(file);
  assert_int_equal(mst_gitignore_take(&ignore, text, strlen(file), NULL), MUSTER_OK);
  const mst_ignore_verdict verdict = mst_gitignore_look(&ignore, path, is_folder);
  mst_gitignore_reset(&ignore);
  mst_gitignore_reset(&ignore);
  return verdict;
}

#define OUT MST_IGNORE_EXCLUDED
#define IN MST_IGNORE_INCLUDED
#define OPEN MST_IGNORE_UNDECIDED

static void test_files(void **state) {
  (void)state;
  static const struct {
    const char *file, *path;
    bool is_folder;
    mst_ignore_verdict verdict;
  } * row, table[] = {
               {"", "a", false, OPEN},
               {"a", "a", false, OUT},
               {"a", "x/y/a", false, OUT},
               {"a", "a/b", false, OPEN}, /* the walk does not get there */
               {"/a", "a", false, OUT},
               {"/a", "x/a", false, OPEN},
               {"x/a", "x/a", false, OUT},
               {"x/a", "y/x/a", false, OPEN},
               {"a/", "a", true, OUT},
               {"a/", "a", false, OPEN},
               {"a/", "x/a", true, OUT},
               {"/a/", "x/a", true, OPEN},
               {"a\n!a", "a", false, IN},
               {"!a\na", "a", false, OUT},
               {"*.py\n!keep.py\n", "keep.py", false, IN},
               {"*.py\n!keep.py\n", "x/other.py", false, OUT},
               {"#a", "#a", false, OPEN},
               {"\\#a", "#a", false, OUT},
               {"\\!a", "!a", false, OUT},
               {"a  ", "a", false, OUT},
               {"a\\ ", "a ", false, OUT},
               {"a\\  ", "a ", false, OUT},
               {"a\t", "a", false, OPEN}, /* blanks only, not tabs */
               {" a", "a", false, OPEN},
               {" a", " a", false, OUT},
               {"a\r\nb\r\n", "a", false, OUT},
               {"a\r\nb\r\n", "b", false, OUT},
               {"\xef\xbb\xbf"
                "a",
                "a", false, OUT},
               {"\n\n  \n/\n!\n", "a", false, OPEN},
               {"doc/**/x.py", "doc/x.py", false, OUT},
               {"doc/**/x.py", "doc/a/b/x.py", false, OUT},
               {"**/doc", "a/doc", true, OUT},
               {"*", "a", true, OUT},
               {"*\n!*/\n", "a", true, IN},
               {"*\n!*/\n", "a", false, OUT},
           };
  for (EACH(row, table))
    CHECK(look(row->file, row->path, row->is_folder) == row->verdict, "'%s' about %s", row->file,
          row->path);
}

/* Bytes behind a NUL are another matter, but nobody may read past the end. */
static void test_nul(void **state) {
  (void)state;
  mst_gitignore ignore;
  char *text = mst_calloc(1, 6);
  memcpy(text, "a\0b\nc", 5);
  assert_int_equal(mst_gitignore_take(&ignore, text, 5, NULL), MUSTER_OK);
  assert_int_equal(mst_gitignore_look(&ignore, "a", false), OUT);
  assert_int_equal(mst_gitignore_look(&ignore, "b", false), OPEN);
  assert_int_equal(mst_gitignore_look(&ignore, "c", false), OUT);
  mst_gitignore_reset(&ignore);
}

/* What takes other matchers longer than anybody waits. */
static void test_hostile(void **state) {
  (void)state;
  char pattern[4001], text[4001];
  for (size_t i = 0; i < 4000; i++) {
    pattern[i] = i % 2 == 0 ? 'a' : '*';
    text[i] = 'a';
  }
  pattern[3999] = 'b';
  pattern[4000] = text[4000] = '\0';
  const clock_t start = clock();
  assert_false(mst_glob_matches(pattern, text, true));
  for (size_t i = 0; i + 3 < 4000; i += 3)
    memcpy(pattern + i, "**/", 3);
  for (size_t i = 1; i < 4000; i += 2)
    text[i] = '/';
  text[3999] = 'a';
  assert_false(mst_glob_matches(pattern, text, true));
  CHECK(clock() - start < 10 * CLOCKS_PER_SEC, "a pattern of 4000 characters");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_globs),
      cmocka_unit_test(test_files),
      cmocka_unit_test(test_nul),
      cmocka_unit_test(test_hostile),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
