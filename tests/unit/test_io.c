/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/unit.h"

#include <errno.h>
#include <fcntl.h>

#include "base/alloc.h"
#include "base/io.h"

/* ---- reading ---- */

static bool is_there(const char *path) {
  bool found = false;
  assert_int_equal(mst_io_find(path, &found, NULL), MUSTER_OK);
  return found;
}

static void test_open(void **state) {
  (void)state;
  muster_error error;
  int fd = 7;
  assert_int_equal(mst_io_open("none", &fd, &error), MUSTER_ERR_NOT_FOUND);
  assert_int_equal(fd, -1);
  assert_int_equal(error.errnum, ENOENT);
  assert_string_equal(error.path, "none");
  mst_io_close(fd);
  put_text("a", "");
  assert_int_equal(mst_io_open("a/b", &fd, &error), MUSTER_ERR_NOT_FOUND);
  assert_int_equal(mst_io_open("a", &fd, &error), MUSTER_OK);
  assert_true((fcntl(fd, F_GETFD) & FD_CLOEXEC) != 0);
  mst_io_close(fd);
}

/* Somebody's FIFO must not make the program wait for ever. */
static void test_fifo(void **state) {
  (void)state;
  mst_stat info;
  int fd;
  assert_int_equal(mkfifo("pipe", 0600), 0);
  assert_int_equal(mst_io_open("pipe", &fd, NULL), MUSTER_OK);
  assert_int_equal(mst_io_fstat(fd, "pipe", &info, NULL), MUSTER_OK);
  assert_false(info.is_regular || info.is_directory);
  mst_io_close(fd);
}

static void test_stat(void **state) {
  (void)state;
  mst_stat a, b;
  put_text("file", "12345");
  assert_int_equal(mkdir("folder", 0777), 0);
  assert_int_equal(symlink("file", "link"), 0);
  assert_int_equal(symlink("nowhere", "broken"), 0);
  assert_int_equal(mst_io_stat("file", &a, NULL), MUSTER_OK);
  assert_true(a.is_regular && !a.is_directory);
  assert_int_equal(a.size, 5);
  assert_int_equal(mst_io_stat("link", &b, NULL), MUSTER_OK);
  assert_int_equal(a.inode, b.inode);
  assert_int_equal(mst_io_stat("folder", &b, NULL), MUSTER_OK);
  assert_true(b.is_directory && !b.is_regular);
  assert_int_equal(mst_io_stat("broken", &b, NULL), MUSTER_ERR_NOT_FOUND);
  assert_true(is_there("link") && is_there("folder"));
  assert_false(is_there("broken") || is_there("none"));
}

static void test_read(void **state) {
  (void)state;
  char data[8] = "";
  size_t got;
  int fd;
  muster_error error;
  put_text("a", "0123456789");
  assert_int_equal(mst_io_open("a", &fd, NULL), MUSTER_OK);
  assert_int_equal(mst_io_read(fd, "a", 3, data, 4, &error), MUSTER_OK);
  assert_memory_equal(data, "3456", 4);
  assert_int_equal(mst_io_read(fd, "a", 10, data, 0, &error), MUSTER_OK);
  assert_int_equal(mst_io_read_some(fd, "a", 7, data, 8, &got, &error), MUSTER_OK);
  assert_int_equal(got, 3);
  assert_memory_equal(data, "789", 3);
  assert_int_equal(mst_io_read_some(fd, "a", 1000, data, 8, &got, &error), MUSTER_OK);
  assert_int_equal(got, 0);
  mst_io_close(fd);
}

/* The error says where the file ends. */
static void test_read_past_the_end(void **state) {
  (void)state;
  char data[8];
  int fd;
  muster_error error;
  put_text("a", "0123456789");
  assert_int_equal(mst_io_open("a", &fd, NULL), MUSTER_OK);
  assert_int_equal(mst_io_read(fd, "a", 7, data, 8, &error), MUSTER_ERR_CHANGED);
  assert_int_equal(error.offset, 10);
  assert_string_equal(error.path, "a");
  mst_io_close(fd);
}

static unsigned char byte_of(uint64_t at) { return (unsigned char)(at * 31 + at / 251); }

/* Some places are read into by a detour: wherever it is, the bytes are there and no others. */
static void check_place(int fd, uint64_t size, uint64_t offset, size_t ahead, size_t length) {
  static unsigned char room[300000] __attribute__((aligned(4096)));
  unsigned char *place = room + 4096 + (offset + ahead) % 4096;
  size_t got;
  memset(room, 0xa5, sizeof room);
  assert_int_equal(mst_io_read_some(fd, "a", offset, place, length, &got, NULL), MUSTER_OK);
  const size_t there = (size_t)(offset >= size ? 0 : size - offset);
  CHECK(got == (there < length ? there : length), "%zu bytes, %zu ahead", length, ahead);
  for (size_t i = 0; i < got; i++)
    if (place[i] != byte_of(offset + i)) fail_msg("byte %zu of %zu, %zu ahead", i, length, ahead);
  for (unsigned char *at = room; at < room + sizeof room; at++)
    if ((at < place || at >= place + got) && *at != 0xa5) fail_msg("beyond, %zu ahead", ahead);
}

static void test_read_to_any_place(void **state) {
  (void)state;
  enum { SIZE = 200001 };
  static const size_t lengths[] = {65535, 65536, 65537, 131072, 199999, 201000};
  static const size_t aheads[] = {0, 1, 16, 31, 32, 4095};
  static const uint64_t offsets[] = {0, 5, 4097, 140000, 300000};
  static unsigned char data[SIZE];
  int fd;
  for (size_t i = 0; i < SIZE; i++)
    data[i] = byte_of(i);
  FILE *file = fopen("a", "wb");
  assert_non_null(file);
  assert_int_equal(fwrite(data, 1, SIZE, file), SIZE);
  assert_int_equal(fclose(file), 0);
  assert_int_equal(mst_io_open("a", &fd, NULL), MUSTER_OK);
  for (size_t i = 0; i < COUNT(lengths); i++)
    for (size_t k = 0; k < COUNT(aheads); k++)
      for (size_t m = 0; m < COUNT(offsets); m++)
        check_place(fd, SIZE, offsets[m], aheads[k], lengths[i]);
  mst_io_close(fd);
}

static void test_failing_read(void **state) {
  (void)state;
  char data[8];
  int fd;
  muster_error error;
  assert_int_equal(mst_io_open(".", &fd, NULL), MUSTER_OK);
  assert_int_equal(mst_io_read(fd, ".", 5, data, 8, &error), MUSTER_ERR_IO);
  assert_int_equal(error.errnum, EISDIR);
  assert_int_equal(error.offset, 5);
  mst_io_close(fd);
}

static void test_read_file(void **state) {
  (void)state;
  char *data;
  size_t length;
  put_text("a", "0123456789");
  assert_int_equal(mst_io_read_file("a", 10, &data, &length, NULL), MUSTER_OK);
  assert_int_equal(length, 10);
  assert_string_equal(data, "0123456789");
  mst_free(data);
  assert_int_equal(mst_io_read_file("a", 9, &data, &length, NULL), MUSTER_ERR_FORMAT);
  assert_null(data);
  assert_int_equal(mst_io_read_file(".", 9, &data, &length, NULL), MUSTER_ERR_FORMAT);
  assert_int_equal(mst_io_read_file("b", 9, &data, &length, NULL), MUSTER_ERR_NOT_FOUND);
}

/* ---- lists ---- */

static int compare(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

static void check_names(mst_names *names, size_t count, const char *const *expected) {
  CHECK(names->length == count, "%zu names", names->length);
  for (size_t i = 0; i < count; i++)
    assert_string_equal(names->data[i], expected[i]);
  mst_names_reset(names);
}

static void test_list(void **state) {
  (void)state;
  static const char *const expected[] = {".hidden", "a\nb", "folder/", "z\xff"};
  mst_names names = {0};
  muster_error error;
  assert_int_equal(mst_io_list(".", &names, &error), MUSTER_OK);
  check_names(&names, 0, expected);
  put_text("z\xff", "");
  put_text("a\nb", "");
  put_text(".hidden", "");
  assert_int_equal(mkdir("folder", 0777), 0);
  assert_int_equal(mst_io_list(".", &names, &error), MUSTER_OK);
  qsort(names.data, names.length, sizeof *names.data, compare);
  check_names(&names, COUNT(expected), expected);
  assert_int_equal(mst_io_list("none", &names, &error), MUSTER_ERR_NOT_FOUND);
  assert_string_equal(error.path, "none");
  assert_int_equal(mst_io_list("z\xff", &names, &error), MUSTER_ERR_NOT_FOUND);
  mst_names_reset(&names);
}

/* Bytewise, whatever the locale says of capitals. */
static void test_glob(void **state) {
  (void)state;
  static const char *const files[] = {"b.npy", "B.npy", "a10.npy", "a9.npy", ".c.npy", "d.txt"};
  static const char *const expected[] = {"B.npy", "a10.npy", "a9.npy", "b.npy"};
  for (size_t i = 0; i < COUNT(files); i++)
    put_text(files[i], "");
  assert_int_equal(mkdir("sub", 0777), 0);
  put_text("sub/e.npy", "");
  mst_names names = {0};
  assert_int_equal(mst_io_glob("*.npy", &names, NULL), MUSTER_OK);
  check_names(&names, 4, expected);
  assert_int_equal(mst_io_glob("*/*.npy", &names, NULL), MUSTER_OK);
  check_names(&names, 1, (const char *const[]){"sub/e.npy"});
  assert_int_equal(mst_io_glob("[ab]?.npy", &names, NULL), MUSTER_OK);
  check_names(&names, 1, (const char *const[]){"a9.npy"});
  assert_int_equal(mst_io_glob("none*", &names, NULL), MUSTER_OK);
  check_names(&names, 0, NULL);
}

/* Whatever the order of the folder itself. */
static void test_glob_sorts(void **state) {
  (void)state;
  mst_names names = {0};
  for (unsigned i = 0; i < 200; i++) {
    char name[16];
    snprintf(name, sizeof name, "f%03u", i * 77 % 200);
    put_text(name, "");
  }
  assert_int_equal(mst_io_glob("f*", &names, NULL), MUSTER_OK);
  assert_int_equal(names.length, 200);
  for (size_t i = 1; i < names.length; i++)
    CHECK(strcmp(names.data[i - 1], names.data[i]) < 0, "%s", names.data[i]);
  mst_names_reset(&names);
}

static void test_names_take(void **state) {
  (void)state;
  mst_names names = {0};
  assert_false(mst_names_take(&names, NULL));
  assert_true(mst_names_take(&names, mst_strdup("x")));
  check_names(&names, 1, (const char *const[]){"x"});
}

/* ---- writing ---- */

static void test_create(void **state) {
  (void)state;
  int fd;
  muster_error error;
  assert_int_equal(mst_io_create("a", &fd, &error), MUSTER_OK);
  assert_int_equal(mst_io_write(fd, "a", 2, "cd", 2, &error), MUSTER_OK);
  assert_int_equal(mst_io_write(fd, "a", 0, "ab", 2, &error), MUSTER_OK);
  assert_int_equal(mst_io_close_written(fd, "a", &error), MUSTER_OK);
  check_file("a", "abcd");
  assert_int_equal(mst_io_create("a", &fd, &error), MUSTER_ERR_EXISTS);
  assert_int_equal(error.errnum, EEXIST);
  assert_int_equal(mst_io_create("no/a", &fd, &error), MUSTER_ERR_NOT_FOUND);
}

static void test_failing_write(void **state) {
  (void)state;
  const int fd = open("/dev/full", O_WRONLY);
  if (fd < 0) skip();
  muster_error error;
  assert_int_equal(mst_io_write(fd, "f", 3, "x", 1, &error), MUSTER_ERR_IO);
  assert_int_equal(error.errnum, ENOSPC);
  assert_int_equal(error.offset, 3);
  assert_int_equal(close(fd), 0);
}

/* Until it is committed the old file stands; afterwards the new one, and nothing beside it. */
static void test_new_file(void **state) {
  (void)state;
  mst_new_file file;
  put_text("a", "old");
  assert_int_equal(mst_new_file_begin(&file, "a", 6, NULL), MUSTER_OK);
  assert_int_equal(names_here(), 2);
  assert_int_equal(mst_io_write(file.fd, file.path, 3, "def", 3, NULL), MUSTER_OK);
  check_file("a", "old");
  assert_int_equal(mst_io_write(file.fd, file.path, 0, "abc", 3, NULL), MUSTER_OK);
  assert_int_equal(mst_new_file_commit(&file, NULL), MUSTER_OK);
  check_file("a", "abcdef");
  mst_new_file_reset(&file);
  check_file("a", "abcdef");
  assert_int_equal(names_here(), 1);
}

static void test_new_file_forgotten(void **state) {
  (void)state;
  mst_new_file file;
  put_text("a", "old");
  assert_int_equal(mst_new_file_begin(&file, "a", 0, NULL), MUSTER_OK);
  assert_int_equal(mst_io_write(file.fd, file.path, 0, "new", 3, NULL), MUSTER_OK);
  mst_new_file_reset(&file);
  mst_new_file_reset(&file);
  check_file("a", "old");
  assert_int_equal(names_here(), 1);
  mst_new_file never = {0};
  mst_new_file_reset(&never);
}

static void test_new_file_in_bad_places(void **state) {
  (void)state;
  mst_new_file file;
  muster_error error;
  assert_int_equal(mkdir("folder", 0777), 0);
  assert_int_equal(mst_new_file_begin(&file, "folder", 0, &error), MUSTER_ERR_EXISTS);
  mst_new_file_reset(&file);
  assert_int_equal(mst_new_file_begin(&file, "none/a", 0, &error), MUSTER_ERR_NOT_FOUND);
  assert_string_equal(error.path, "none/a");
  mst_new_file_reset(&file);
  assert_int_equal(names_here(), 1);
}

/* More than any disk holds is known before anything is written. */
static void test_no_room(void **state) {
  (void)state;
  mst_new_file file;
  muster_error error;
  put_text("a", "old");
  assert_int_equal(mst_new_file_begin(&file, "a", (uint64_t)1 << 60, &error), MUSTER_ERR_IO);
  assert_true(error.errnum == ENOSPC || error.errnum == EFBIG);
  mst_new_file_reset(&file);
  check_file("a", "old");
  assert_int_equal(names_here(), 1);
}

/* Names of 255 bytes are legal; a link is replaced, and what it leads to is left alone. */
static void test_write_file(void **state) {
  (void)state;
  char name[256];
  memset(name, 'n', 255);
  name[255] = '\0';
  assert_int_equal(mst_io_write_file(name, "long", 4, NULL), MUSTER_OK);
  check_file(name, "long");
  assert_int_equal(mkdir("sub", 0777), 0);
  put_text("sub/real", "old");
  assert_int_equal(symlink("sub/real", "link"), 0);
  assert_int_equal(mst_io_write_file("link", "new", 3, NULL), MUSTER_OK);
  check_file("sub/real", "old");
  check_file("link", "new");
  assert_int_equal(mst_io_write_file("empty", "", 0, NULL), MUSTER_OK);
  check_file("empty", "");
}

static void test_new_folder(void **state) {
  (void)state;
  mst_new_folder folder;
  char path[4096];
  assert_int_equal(mst_new_folder_begin(&folder, "d/", NULL), MUSTER_OK);
  assert_false(is_there("d"));
  snprintf(path, sizeof path, "%s/a", folder.temporary);
  put_text(path, "in it");
  assert_int_equal(mst_new_folder_commit(&folder, NULL), MUSTER_OK);
  check_file("d/a", "in it");
  assert_int_equal(names_here(), 1);
  muster_error error;
  assert_int_equal(mst_new_folder_begin(&folder, "d", &error), MUSTER_ERR_EXISTS);
  assert_string_equal(error.path, "d");
  mst_new_folder_reset(&folder);
}

/* Somebody else was faster: theirs stays, and ours leaves nothing behind. */
static void test_new_folder_too_late(void **state) {
  (void)state;
  mst_new_folder folder;
  char path[4096];
  assert_int_equal(mst_new_folder_begin(&folder, "d", NULL), MUSTER_OK);
  snprintf(path, sizeof path, "%s/a", folder.temporary);
  put_text(path, "ours");
  assert_int_equal(mkdir("d", 0777), 0);
  put_text("d/a", "theirs");
  assert_int_equal(mst_new_folder_commit(&folder, NULL), MUSTER_ERR_EXISTS);
  mst_new_folder_reset(&folder);
  check_file("d/a", "theirs");
  assert_int_equal(names_here(), 1);
}

/* Not even an empty folder is replaced. */
static void test_new_folder_meets_an_empty_one(void **state) {
  (void)state;
  mst_new_folder folder;
  assert_int_equal(mst_new_folder_begin(&folder, "d", NULL), MUSTER_OK);
  assert_int_equal(mkdir("d", 0700), 0);
  assert_int_equal(mst_new_folder_commit(&folder, NULL), MUSTER_ERR_EXISTS);
  mst_new_folder_reset(&folder);
  struct stat info;
  assert_int_equal(stat("d", &info), 0);
  assert_int_equal(info.st_mode & 0777, 0700);
  assert_int_equal(names_here(), 1);
}

static void test_new_folder_forgotten(void **state) {
  (void)state;
  mst_new_folder folder;
  char path[4096];
  assert_int_equal(mst_new_folder_begin(&folder, "d", NULL), MUSTER_OK);
  snprintf(path, sizeof path, "%s/a", folder.temporary);
  put_text(path, "half");
  mst_new_folder_reset(&folder);
  assert_int_equal(names_here(), 0);
}

static void test_remove(void **state) {
  (void)state;
  bool removed;
  muster_error error;
  assert_int_equal(mkdir("d", 0777), 0);
  put_text("d/a", "x");
  assert_int_equal(mst_io_remove_folder("d", &removed, &error), MUSTER_OK);
  assert_false(removed);
  assert_int_equal(mst_io_remove("d/a", &error), MUSTER_OK);
  assert_int_equal(mst_io_remove("d/a", &error), MUSTER_ERR_NOT_FOUND);
  assert_int_equal(mst_io_remove_folder("d", &removed, &error), MUSTER_OK);
  assert_true(removed);
  assert_int_equal(mst_io_remove_folder("d", &removed, &error), MUSTER_ERR_NOT_FOUND);
}

static void test_available_memory(void **state) {
  (void)state;
  assert_true(mst_io_available_memory() > 1 << 20);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      IN_FOLDER(test_open),
      IN_FOLDER(test_fifo),
      IN_FOLDER(test_stat),
      IN_FOLDER(test_read),
      IN_FOLDER(test_read_past_the_end),
      IN_FOLDER(test_read_to_any_place),
      IN_FOLDER(test_failing_read),
      IN_FOLDER(test_read_file),
      IN_FOLDER(test_list),
      IN_FOLDER(test_glob),
      IN_FOLDER(test_names_take),
      IN_FOLDER(test_glob_sorts),
      IN_FOLDER(test_create),
      IN_FOLDER(test_failing_write),
      IN_FOLDER(test_new_file),
      IN_FOLDER(test_new_file_forgotten),
      IN_FOLDER(test_new_file_in_bad_places),
      IN_FOLDER(test_no_room),
      IN_FOLDER(test_write_file),
      IN_FOLDER(test_new_folder),
      IN_FOLDER(test_new_folder_too_late),
      IN_FOLDER(test_new_folder_forgotten),
      IN_FOLDER(test_new_folder_meets_an_empty_one),
      IN_FOLDER(test_remove),
      IN_FOLDER(test_available_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
