/* SPDX-License-Identifier: Apache-2.0 */
/* Reading past the page cache: byte i of the file is a mix of i. */
#include "unit/unit.h"

#include <fcntl.h>

#include "base/direct.h"

#define LENGTH ((uint64_t)20000003)

static unsigned char byte_at(uint64_t i) { return (unsigned char)((i * 2654435761u) >> 13); }

static void make_file(const char *path) {
  unsigned char *bytes = malloc(LENGTH);
  assert_non_null(bytes);
  for (uint64_t i = 0; i < LENGTH; i++)
    bytes[i] = byte_at(i);
  put_file(path, bytes, LENGTH);
  free(bytes);
}

/* What was written must be on the disk before the cache can let go of it. */
static void evict(int fd, uint64_t from, uint64_t length) {
  assert_int_equal(fdatasync(fd), 0);
  assert_int_equal(posix_fadvise(fd, (off_t)from, (off_t)length, POSIX_FADV_DONTNEED), 0);
}

static void expect(mst_direct *direct, uint64_t offset, size_t length) {
  unsigned char *bytes = malloc(length);
  muster_error error = {0};
  assert_non_null(bytes);
  assert_int_equal(mst_direct_read(direct, offset, bytes, length, &error), MUSTER_OK);
  for (size_t i = 0; i < length; i++)
    if (bytes[i] != byte_at(offset + i)) fail_msg("byte %zu of %zu is wrong", i, length);
  free(bytes);
}

/* Odd pieces, of which some cross the ends of pages and windows, and some go back. */
static void read_pieces(int fd, bool unless_cached) {
  mst_direct *direct = NULL;
  if (!mst_direct_begin(&direct, fd, "file", 128, LENGTH, unless_cached)) {
    mst_direct_free(direct); /* this file system cannot */
    return;
  }
  for (uint64_t at = 128; at < LENGTH; at += 999983)
    expect(direct, at, (size_t)(LENGTH - at < 999983 ? LENGTH - at : 999983));
  expect(direct, 128, 1);
  expect(direct, 4095, 2);
  expect(direct, 128, (size_t)LENGTH - 128);
  expect(direct, LENGTH - 1, 1);
  mst_direct_end(direct);
  /* The same window for another part: nothing is left of the first. */
  assert_true(mst_direct_begin(&direct, fd, "file", 0, LENGTH, unless_cached));
  expect(direct, 0, 5000);
  mst_direct_free(direct);
}

static void test_every_byte(void **state) {
  (void)state;
  make_file("file");
  int fd = -1;
  assert_int_equal(mst_io_open("file", &fd, NULL), MUSTER_OK);
  read_pieces(fd, false);
  read_pieces(fd, true);
  evict(fd, 0, 0);
  read_pieces(fd, true);
  evict(fd, LENGTH / 2, 1 << 20);
  read_pieces(fd, true);
  mst_io_close(fd);
}

static void test_beyond_the_end(void **state) {
  (void)state;
  make_file("file");
  assert_int_equal(truncate("file", 15000000), 0);
  int fd = -1;
  assert_int_equal(mst_io_open("file", &fd, NULL), MUSTER_OK);
  mst_direct *direct = NULL;
  unsigned char bytes[100];
  muster_error error = {0};
  if (mst_direct_begin(&direct, fd, "file", 0, LENGTH, false)) {
    expect(direct, 14999900, 100);
    assert_int_equal(mst_direct_read(direct, 14999950, bytes, 100, &error), MUSTER_ERR_CHANGED);
    assert_int_equal(error.offset, 15000000);
    assert_non_null(strstr(error.message, "50 bytes early"));
  }
  mst_direct_free(direct);
  mst_io_close(fd);
}

static void test_when_there_is_none(void **state) {
  (void)state;
  make_file("file");
  int fd = -1;
  assert_int_equal(mst_io_open("file", &fd, NULL), MUSTER_OK);
  mst_direct *direct = NULL;
  assert_false(mst_direct_begin(&direct, fd, "file", 0, 1000000, false)); /* too little */
  assert_null(direct);
  assert_false(mst_direct_begin(&direct, fd, "gone", 0, LENGTH, false));
  make_file("other");
  assert_false(mst_direct_begin(&direct, fd, "other", 0, LENGTH, false));
  mst_direct_free(direct);
  mst_direct_end(NULL);
  mst_direct_free(NULL);
  mst_io_close(fd);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      IN_FOLDER(test_every_byte),
      IN_FOLDER(test_beyond_the_end),
      IN_FOLDER(test_when_there_is_none),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
