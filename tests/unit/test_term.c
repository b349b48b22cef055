/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/unit.h"

#include <fcntl.h>
#include <sys/ioctl.h>

#include "cli/term.h"

static void test_width(void **state) {
  (void)state;
  static const struct {
    const char *text;
    size_t width;
  } table[] = {
      {"", 0},
      {"abc", 3},
      {"a b", 3},
      {"\xc3\xa9", 1},                 /* e with acute */
      {"e\xcc\x81", 1},                /* e and a combining acute */
      {"\xe6\x96\x87\xe5\xad\x97", 4}, /* two ideographs */
      {"\xf0\x9f\x98\x80", 2},         /* an emoji */
      {"\xef\xbd\xb1", 1},             /* halfwidth katakana */
      {"Gr\xc3\xb6\xc3\x9f"
       "e",
       5},
      {"\xff", 1},
      {"a\xff\xfe"
       "b",
       4},
      {"\xe6\x96", 2}, /* cut in the middle: two bytes that are no UTF-8 */
      {"\xc3", 1},
  };
  for (size_t i = 0; i < COUNT(table); i++)
    CHECK(mst_text_width(table[i].text) == table[i].width, "row %zu: %zu", i,
          mst_text_width(table[i].text));
}

static void test_safe_names(void **state) {
  (void)state;
  static const char *const table[][2] = {
      {"", ""},
      {"a b.npy", "a b.npy"},
      {"\xe6\x96\x87.npy", "\xe6\x96\x87.npy"},
      {"a\nb", "a\\nb"},
      {"a\tb\rc", "a\\tb\\rc"},
      {"\x1b[31mred", "\\x1b[31mred"},
      {"\x7f", "\\x7f"},
      {"\x01\x02", "\\x01\\x02"},
      {"\xff", "\\xff"},
      {"a\xc3", "a\\xc3"},
      {"\xe6\x96", "\\xe6\\x96"},
      {"\xc2\x9b", "\\u009b"},             /* CSI, which begins an escape sequence by itself */
      {"\xe2\x80\xa8", "\\u2028"},         /* a line separator */
      {"a\xe2\x80\xaegpj", "a\\u202egpj"}, /* right-to-left override */
      {"a\xd8\x9cgpj", "a\\u061cgpj"},     /* Arabic letter mark */
      {"\xe2\x81\xa6", "\\u2066"},
      {"e\xcc\x81", "e\xcc\x81"},
  };
  for (size_t i = 0; i < COUNT(table); i++) {
    mst_str out = {0};
    mst_add_safe(&out, table[i][0]);
    CHECK(strcmp(mst_str_text(&out), table[i][1]) == 0, "row %zu: %s", i, mst_str_text(&out));
    mst_str_reset(&out);
  }
}

/* Every byte there is: one line, and nothing that a terminal acts on. */
static void test_all_bytes_are_harmless(void **state) {
  (void)state;
  for (int byte = 1; byte < 256; byte++) {
    const char name[] = {'a', (char)byte, 'b', '\0'};
    mst_str out = {0};
    mst_add_safe(&out, name);
    for (const char *c = out.data; *c != '\0'; c++)
      CHECK(*c >= ' ' && *c != 0x7f, "byte %02x", (unsigned)byte);
    CHECK(out.data[0] == 'a' && out.data[out.length - 1] == 'b', "byte %02x", (unsigned)byte);
    mst_str_reset(&out);
  }
}

static const mst_style styles[] = {MST_PLAIN, MST_BOLD, MST_DIM, MST_RED, MST_GREEN, MST_YELLOW};

static void test_styles(void **state) {
  (void)state;
  mst_term term = {.colour = false};
  for (size_t i = 0; i < COUNT(styles); i++)
    assert_string_equal(mst_term_style(&term, styles[i]), "");
  term.colour = true;
  for (size_t i = 0; i < COUNT(styles); i++) {
    const char *style = mst_term_style(&term, styles[i]);
    CHECK(strncmp(style, "\x1b[", 2) == 0, "style %zu", i);
    for (size_t k = 0; k < i; k++)
      CHECK(strcmp(style, mst_term_style(&term, styles[k])) != 0, "styles %zu and %zu", i, k);
  }
}

static void test_file_is_no_terminal(void **state) {
  (void)state;
  FILE *file = tmpfile();
  assert_non_null(file);
  mst_term term;
  (void)setenv("TERM", "xterm", 1);
  (void)unsetenv("NO_COLOR");
  mst_term_init(&term, file);
  assert_ptr_equal(term.stream, file);
  assert_false(term.is_tty || term.colour);
  assert_int_equal(term.columns, 80);
  (void)fclose(file);
}

/* A pseudo-terminal of 123 columns; NULL where there are none. */
static FILE *open_terminal(int *master) {
  *master = posix_openpt(O_RDWR | O_NOCTTY);
  if (*master < 0 || grantpt(*master) != 0 || unlockpt(*master) != 0) return NULL;
  const int fd = open(ptsname(*master), O_RDWR | O_NOCTTY);
  const struct winsize size = {.ws_row = 40, .ws_col = 123};
  if (fd < 0 || ioctl(fd, TIOCSWINSZ, &size) != 0) return NULL;
  return fdopen(fd, "w");
}

static void test_terminal(void **state) {
  (void)state;
  static const struct {
    const char *no_color, *term;
    bool colour;
  } table[] = {
      {NULL, "xterm", true}, {"", "xterm", true}, {"1", "xterm", false},
      {NULL, "dumb", false}, {NULL, NULL, false},
  };
  int master;
  FILE *file = open_terminal(&master);
  if (file == NULL) skip();
  for (size_t i = 0; i < COUNT(table); i++) {
    (void)unsetenv("NO_COLOR");
    (void)unsetenv("TERM");
    if (table[i].no_color != NULL) (void)setenv("NO_COLOR", table[i].no_color, 1);
    if (table[i].term != NULL) (void)setenv("TERM", table[i].term, 1);
    mst_term term;
    mst_term_init(&term, file);
    assert_true(term.is_tty);
    assert_int_equal(term.columns, 123);
    CHECK(term.colour == table[i].colour, "row %zu", i);
  }
  (void)fclose(file);
  (void)close(master);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_width),
      cmocka_unit_test(test_safe_names),
      cmocka_unit_test(test_all_bytes_are_harmless),
      cmocka_unit_test(test_styles),
      cmocka_unit_test(test_file_is_no_terminal),
      cmocka_unit_test(test_terminal),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
