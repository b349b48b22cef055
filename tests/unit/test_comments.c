/* SPDX-License-Identifier: Apache-2.0 */
/* Which comments the parser is not shown: those of long blocks, and nothing that is in a string. */
#include "pysource/comments.h"

#include "unit.h"

enum { LINES = 3 * MST_MOST_COMMENTS, ROOM = 1 << 16 };

/* `before`, a block of so many lines, `after`; in the block, each line reads `line`. */
static char *program(const char *before, const char *line, int lines, const char *after) {
  char *text = calloc(1, ROOM);
  assert_non_null(text);
  strcat(text, before);
  for (int i = 0; i < lines; i++)
    strcat(text, line);
  return strcat(text, after);
}

static int count(const char *text, const char *what) {
  int found = 0;
  for (const char *at = text; (at = strstr(at, what)) != NULL; at += strlen(what))
    found++;
  return found;
}

/* The block goes but for its first and last line; what is around it stays, and where it was. */
static void check_blanked(const char *before, const char *after) {
  char *text = program(before, "  # '''\n", LINES, after);
  char *kept = strdup(text);
  const size_t length = strlen(text);
  assert_true(mst_has_long_comments(text, length));
  mst_blank_comments(text, length);
  assert_int_equal(strlen(text), length);
  for (size_t i = 0; i < length; i++)
    CHECK(text[i] == kept[i] || text[i] == ' ', "%s: byte %zu is '%c'", before, i, text[i]);
  const size_t inner = strlen(before) + strlen("  # '''\n"), end = length - strlen(after);
  CHECK(memcmp(text, kept, inner) == 0, "%s", before);
  CHECK(strcmp(text + end, after) == 0, "%s", before);
  CHECK(count(text + strlen(before), "# '''") == 2 + count(after, "# '''"), "%s", before);
  CHECK(count(text, "\n") == count(kept, "\n"), "%s", before);
  free(kept);
  free(text);
}

static void check_left_alone(const char *before, const char *line, int lines, const char *after) {
  char *text = program(before, line, lines, after);
  char *kept = strdup(text);
  mst_blank_comments(text, strlen(text));
  CHECK(strcmp(text, kept) == 0, "%s", before);
  free(kept);
  free(text);
}

static void test_blocks_between_code(void **state) {
  (void)state;
  static const char *const befores[] = {
      "",
      "x = 1\n",
      "x = [\n",
      "x = 'it''s' \"\"\n",
      "x = '\\''\n",
      "x = r'\\' # '\n",
      "x = '''a\n'''\n",
      "x = \"\"\"a\n'''\"\"\" ''\n",
      "x = b'''\\'''' # '''\n",
      "x = 'never closed\n",
      "x = f'{y}' f\"{y['a']}\" f'{{' rf'{y:{w}}'\n",
      "x = f'{y:\">{w}}' f'{y!r:x}'\n",
      "x = f'''{\ny # '\n:\n}'''\n",
      "x = f'{f\"{f'''{y}'''}\"}'\n",
      "x = f'{y[1:2]:{(lambda: 3)()}}'\n",
      "x = iff'{'\n",
      "# don't\n\n# '''\nx = 1 # '''\n",
  };
  const char *const *before;
  for (EACH(before, befores)) {
    check_blanked(*before, "");
    check_blanked(*before, "x = '''\n# '''\n");
  }
}

static void test_strings(void **state) {
  (void)state;
  static const char *const befores[] = {
      "x = '''\n",          "x = \"\"\"'''\n",       "x = r'''\\'''\n",        "x = ''''\n",
      "x = '' '''\n",       "x = f'''{y}{{\n",       "x = f'''{y['''a''']}\n", "x = f'''{y:\n",
      "x = [1, # a\n'''\n", "x = b'''\\\\'\\''' \n",
  };
  const char *const *before;
  for (EACH(before, befores)) {
    check_left_alone(*before, "# a\n", LINES, "");
    check_left_alone(*before, "# a\n", LINES, "''' \"\"\"\nx = 1\n");
  }
}

static void test_short_blocks(void **state) {
  (void)state;
  check_left_alone("x = 1\n", "# a\n", MST_MOST_COMMENTS, "x = 2\n");
  check_left_alone("x = 1\n", "# a\nx\n", LINES, "");
  check_left_alone("x = 1\n", "x # a\n", LINES, "");
  check_left_alone("x = 1\n", "\n \t\f\n", LINES, "# a\n");
  check_left_alone("x = 1\n", "'#'\n", LINES, "");
  char *plain = program("", "x # a\n", LINES, "\n\n#");
  assert_false(mst_has_long_comments(plain, strlen(plain)));
  free(plain);
  assert_false(mst_has_long_comments("", 0));
}

/* What a backslash continues stays one line; where none is begun, the lines become empty ones. */
static void test_continued_lines(void **state) {
  (void)state;
  char *text = program("x = 1 + \\\n", "\\\n", LINES, "  2\n");
  mst_blank_comments(text, strlen(text));
  assert_int_equal(count(text, "\\\n"), 3);
  assert_int_equal(count(text, "\n"), 4);
  free(text);
  text = program("x = 1\n", "\\\n", LINES, "y = 2\n");
  mst_blank_comments(text, strlen(text));
  assert_int_equal(count(text, "\\\n"), 2);
  assert_int_equal(count(text, "\n"), LINES + 2);
  free(text);
}

/* No text makes it read or write beyond the end, wherever that is. */
static void test_any_end(void **state) {
  (void)state;
  char *text = program("x = f'''{y:{w}}\\''''\n", "\\\n# a\n", LINES, "x = rb\"\"\"\\\n''' \\");
  const size_t length = strlen(text);
  for (size_t end = 0; end <= length; end++) {
    char *part = malloc(end + 1);
    assert_non_null(part);
    memcpy(part, text, end);
    (void)mst_has_long_comments(part, end);
    mst_blank_comments(part, end);
    free(part);
  }
  free(text);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_blocks_between_code),
      cmocka_unit_test(test_strings),
      cmocka_unit_test(test_short_blocks),
      cmocka_unit_test(test_continued_lines),
      cmocka_unit_test(test_any_end),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
