/* SPDX-License-Identifier: Apache-2.0 */
/* What a walk finds in folders made for it; tests/python/test_walk.py has the patterns. */
#include "unit/unit.h"

#include <sys/stat.h>
#include <unistd.h>

#include "pysource/walk.h"

static void make_folder(const char *path) { CHECK(mkdir(path, 0777) == 0, "%s", path); }

static void make_link(const char *target, const char *path) {
  CHECK(symlink(target, path) == 0, "%s", path);
}

/* Walks, and compares with the names, a blank between them; "name!" has a reason. */
static void check_walk(const char *const *paths, size_t count, bool no_ignore,
                       const char *expected) {
  mst_found_files files;
  muster_error error;
  const mst_walk_options options = {.no_ignore = no_ignore};
  CHECK(mst_walk(paths, count, &options, &files, &error) == MUSTER_OK, "%s", error.message);
  char found[4096] = "";
  for (size_t i = 0; i < files.length; i++) {
    strcat(found, i > 0 ? " " : "");
    strcat(found, files.data[i].shown);
    strcat(found, files.data[i].reason != NULL ? "!" : "");
    if (files.data[i].reason == NULL)
      CHECK(access(files.data[i].path, F_OK) == 0, "%s", files.data[i].path);
  }
  mst_found_files_reset(&files);
  mst_found_files_reset(&files);
  CHECK(strcmp(found, expected) == 0, "%s, not %s", found, expected);
}

#define WALK(expected, ...)                                                                   \
  check_walk((const char *const[]){__VA_ARGS__}, COUNT(((const char *const[]){__VA_ARGS__})), \
             false, expected)

static void test_kinds(void **state) {
  (void)state;
  make_folder("src");
  make_folder("src/sub");
  put_text("src/a.py", "");
  put_text("src/b.pyw", "");
  put_text("src/c.ipynb", "");
  put_text("src/d.txt", "");
  put_text("src/e.pyc", "");
  put_text("src/sub/f.py", "");
  put_text("top.py", "");
  WALK("src/a.py src/b.pyw src/c.ipynb src/sub/f.py", "src");
  WALK("src/a.py src/b.pyw src/c.ipynb src/sub/f.py", "src/");
  WALK("./src/a.py ./src/b.pyw ./src/c.ipynb ./src/sub/f.py", "./src");
  WALK("src/a.py src/b.pyw src/c.ipynb src/sub/f.py top.py", ".");
  WALK("src/d.txt", "src/d.txt");
}

/* Files come once, as they were named, if they were. */
static void test_once(void **state) {
  (void)state;
  make_folder("src");
  make_folder("src/sub");
  put_text("src/a.py", "");
  put_text("src/sub/b.py", "");
  WALK("./src/a.py src/sub/b.py", "src", "./src/a.py", "./src/a.py");
  WALK("src/a.py src/sub/b.py", "src", "./src");
  WALK("src/a.py src/sub/b.py", "src/sub", ".");
  WALK("src/a.py src/sub/b.py", ".", "src/sub");
}

static void test_named(void **state) {
  (void)state;
  put_text("a.py", "");
  put_text("b", "");
  mst_found_files files;
  const char *const paths[] = {".", "b"};
  assert_int_equal(mst_walk(paths, 2, NULL, &files, NULL), MUSTER_OK);
  assert_int_equal(files.length, 2);
  assert_string_equal(files.data[0].shown, "a.py");
  assert_false(files.data[0].named);
  assert_string_equal(files.data[1].shown, "b");
  assert_true(files.data[1].named);
  mst_found_files_reset(&files);
}

static void test_missing(void **state) {
  (void)state;
  put_text("a.py", "");
  mst_found_files files;
  const char *const paths[] = {"none.py", "a.py"};
  assert_int_equal(mst_walk(paths, 2, NULL, &files, NULL), MUSTER_OK);
  assert_int_equal(files.length, 2);
  assert_null(files.data[0].reason);
  assert_string_equal(files.data[1].shown, "none.py");
  assert_string_equal(files.data[1].reason, "no such file or folder");
  mst_found_files_reset(&files);
  assert_int_equal(mst_walk(NULL, 0, NULL, &files, NULL), MUSTER_OK);
  assert_int_equal(files.length, 0);
}

static void test_passed_over(void **state) {
  (void)state;
  static const char *const folders[] = {".hidden", "__pycache__", "node_modules", "build",
                                        "dist",    "x.egg-info",  "site-packages"};
  for (size_t i = 0; i < COUNT(folders); i++) {
    char path[64];
    make_folder(folders[i]);
    snprintf(path, sizeof path, "%s/a.py", folders[i]);
    put_text(path, "");
  }
  make_folder("env");
  put_text("env/pyvenv.cfg", "");
  put_text("env/b.py", "");
  make_folder("conda");
  make_folder("conda/conda-meta");
  put_text("conda/c.py", "");
  put_text(".d.py", "");
  put_text("build.py", "");
  WALK("build.py", ".");
  WALK("build/a.py", "build");
  WALK("env/b.py", "env");
  WALK(".d.py", ".d.py");
  const char *const here[] = {"."};
  check_walk(here, 1, true,
             ".d.py .hidden/a.py __pycache__/a.py build.py build/a.py conda/c.py dist/a.py "
             "env/b.py node_modules/a.py site-packages/a.py x.egg-info/a.py");
}

/* A folder is known by what it is, not by the way to it. */
static void test_links(void **state) {
  (void)state;
  make_folder("src");
  make_folder("src/real");
  make_folder("outside");
  put_text("src/real/a.py", "");
  put_text("outside/b.py", "");
  make_link("..", "src/up");
  make_link(".", "src/here");
  make_link("real", "src/alias");
  make_link("../outside", "src/z");
  make_link("real/a.py", "src/a.py");
  make_link("loop.py", "src/loop.py");
  make_link("nothing.py", "src/broken.py");
  make_link("nothing", "src/broken");
  WALK("src/broken.py! src/loop.py! src/real/a.py src/z/b.py", "src/real", "src/alias", "src");
  WALK("src/z/b.py", "src/z");
}

/* They must not be opened: a FIFO would wait for somebody to write. */
static void test_special(void **state) {
  (void)state;
  assert_int_equal(mkfifo("pipe.py", 0666), 0);
  assert_int_equal(mkfifo("pipe", 0666), 0);
  make_folder("folder.py");
  put_text("folder.py/a.py", "");
  WALK("folder.py/a.py pipe.py!", ".");
  WALK("pipe!", "pipe");
  WALK("/dev/null!", "/dev/null");
}

static void test_unreadable(void **state) {
  (void)state;
  if (geteuid() == 0) skip(); /* root reads everything */
  make_folder("closed");
  put_text("a.py", "");
  assert_int_equal(chmod("closed", 0), 0);
  WALK("a.py closed!", ".");
  assert_int_equal(chmod("closed", 0700), 0);
}

/* Patterns hold up to the folder of the repository, not beyond, and not in a repository within. */
static void test_repositories(void **state) {
  (void)state;
  make_folder("outer");
  make_folder("outer/.git");
  make_folder("outer/src");
  make_folder("outer/inner");
  make_folder("outer/inner/.git");
  put_text(".gitignore", "*.py\n");
  put_text("d.py", "");
  put_text("outer/.gitignore", "a.py\n/src/c.py\n");
  static const char *const files[] = {"outer/src/a.py", "outer/src/b.py", "outer/src/c.py",
                                      "outer/inner/a.py"};
  for (size_t i = 0; i < COUNT(files); i++)
    put_text(files[i], "");
  WALK("outer/inner/a.py outer/src/b.py", "outer");
  WALK("outer/src/b.py", "outer/src");
  WALK("outer/src/a.py", "outer/src/a.py");
  WALK("outer/inner/a.py", "outer/inner");
  WALK("outer/inner/a.py outer/src/b.py", ".");
}

/* Deeper than a path may be long. */
static void test_deep(void **state) {
  (void)state;
  char name[201];
  memset(name, 'd', 200);
  name[200] = '\0';
  char start[1024];
  assert_non_null(getcwd(start, sizeof start));
  for (int i = 0; i < 25; i++) {
    make_folder(name);
    assert_int_equal(chdir(name), 0);
  }
  put_text("a.py", "");
  assert_int_equal(chdir(start), 0);
  mst_found_files files;
  const char *const paths[] = {"."};
  assert_int_equal(mst_walk(paths, 1, NULL, &files, NULL), MUSTER_OK);
  assert_int_equal(files.length, 1);
  assert_non_null(files.data[0].reason);
  mst_found_files_reset(&files);
  for (int depth = 25; depth > 0; depth--) { /* paths too long for nftw */
    assert_int_equal(chdir(start), 0);
    for (int i = 1; i < depth; i++)
      assert_int_equal(chdir(name), 0);
    if (depth == 25) {
      assert_int_equal(chdir(name), 0);
      assert_int_equal(unlink("a.py"), 0);
      assert_int_equal(chdir(".."), 0);
    }
    assert_int_equal(rmdir(name), 0);
  }
  assert_int_equal(chdir(start), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      IN_FOLDER(test_kinds),        IN_FOLDER(test_once),  IN_FOLDER(test_named),
      IN_FOLDER(test_missing),      IN_FOLDER(test_links), IN_FOLDER(test_passed_over),
      IN_FOLDER(test_special),      IN_FOLDER(test_deep),  IN_FOLDER(test_unreadable),
      IN_FOLDER(test_repositories),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
