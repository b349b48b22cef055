/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/unit.h"

#include <errno.h>

#include "base/status.h"

static void test_fields(void **state) {
  (void)state;
  muster_error error;
  memset(&error, 0x55, sizeof error);
  const muster_status status =
      mst_fail(&error, MUSTER_ERR_FORMAT, "a/b.npy", "%d of %s", 3, "four");
  assert_int_equal(status, MUSTER_ERR_FORMAT);
  assert_int_equal(error.status, MUSTER_ERR_FORMAT);
  assert_string_equal(error.path, "a/b.npy");
  assert_string_equal(error.message, "3 of four");
  assert_int_equal(error.offset, -1);
  assert_int_equal(error.errnum, 0);
}

static void test_offset(void **state) {
  (void)state;
  muster_error error;
  assert_int_equal(mst_fail_at(&error, MUSTER_ERR_CHANGED, "x", (muster_offset)1 << 40, "here"),
                   MUSTER_ERR_CHANGED);
  assert_int_equal(error.offset, (muster_offset)1 << 40);
  assert_string_equal(error.message, "here");
}

static void test_no_path(void **state) {
  (void)state;
  muster_error error;
  memset(&error, 0x55, sizeof error);
  (void)mst_fail(&error, MUSTER_ERR_USAGE, NULL, "no");
  assert_string_equal(error.path, "");
}

static void test_nobody_listens(void **state) {
  (void)state;
  assert_int_equal(mst_fail(NULL, MUSTER_ERR_CHECK, "x", "%s", "y"), MUSTER_ERR_CHECK);
  assert_int_equal(mst_fail_at(NULL, MUSTER_ERR_FORMAT, "x", 1, "y"), MUSTER_ERR_FORMAT);
  assert_int_equal(mst_fail_errno(NULL, "x", -1, ENOENT, "open"), MUSTER_ERR_NOT_FOUND);
  assert_int_equal(mst_fail_memory(NULL), MUSTER_ERR_MEMORY);
}

/* What does not fit is cut, and ends in '\0' all the same. */
static void test_long_texts(void **state) {
  (void)state;
  char text[8192];
  memset(text, 'a', sizeof text);
  text[sizeof text - 1] = '\0';
  muster_error error;
  (void)mst_fail(&error, MUSTER_ERR_IO, text, "%s", text);
  assert_int_equal(strlen(error.path), sizeof error.path - 1);
  assert_int_equal(strlen(error.message), sizeof error.message - 1);
}

/* A message can be extended by itself, and the path kept. */
static void test_own_texts(void **state) {
  (void)state;
  muster_error error;
  (void)mst_fail(&error, MUSTER_ERR_IO, "p", "inner");
  (void)mst_fail(&error, MUSTER_ERR_IO, error.path, "outer (%s)", error.message);
  assert_string_equal(error.path, "p");
  assert_string_equal(error.message, "outer (inner)");
}

static void test_one_line(void **state) {
  (void)state;
  muster_error error;
  (void)mst_fail(&error, MUSTER_ERR_IO, "p", "%s", "a\nb");
  assert_null(strchr(error.message, '\n'));
}

static void test_errno(void **state) {
  (void)state;
  static const struct {
    int errnum;
    muster_status status;
    const char *message;
  } table[] = {
      {ENOENT, MUSTER_ERR_NOT_FOUND, "cannot open: No such file or directory"},
      {EEXIST, MUSTER_ERR_EXISTS, "cannot open: File exists"},
      {ENOMEM, MUSTER_ERR_MEMORY, "cannot open: Cannot allocate memory"},
      {EACCES, MUSTER_ERR_IO, "cannot open: Permission denied"},
      {ENOSPC, MUSTER_ERR_IO, "cannot open: No space left on device"},
      {EIO, MUSTER_ERR_IO, "cannot open: Input/output error"},
  };
  for (size_t i = 0; i < COUNT(table); i++) {
    muster_error error;
    const muster_status status = mst_fail_errno(&error, "f", 7, table[i].errnum, "open");
    assert_int_equal(status, table[i].status);
    assert_int_equal(error.status, table[i].status);
    assert_int_equal(error.errnum, table[i].errnum);
    assert_int_equal(error.offset, 7);
    assert_string_equal(error.path, "f");
    assert_string_equal(error.message, table[i].message);
  }
}

static void test_memory(void **state) {
  (void)state;
  muster_error error;
  assert_int_equal(mst_fail_memory(&error), MUSTER_ERR_MEMORY);
  assert_int_equal(error.status, MUSTER_ERR_MEMORY);
  assert_string_equal(error.message, "out of memory");
}

/* Every status has a name of its own. */
static void test_names(void **state) {
  (void)state;
  for (int i = MUSTER_OK; i <= MUSTER_ERR_CANCELLED; i++) {
    const char *name = muster_status_name((muster_status)i);
    CHECK(name != NULL && name[0] != '\0', "%d", i);
    for (int k = MUSTER_OK; k < i; k++)
      CHECK(strcmp(name, muster_status_name((muster_status)k)) != 0, "%d and %d", i, k);
  }
  assert_string_equal(muster_status_name(MUSTER_ERR_NOT_FOUND), "not found");
  assert_non_null(muster_status_name((muster_status)1000));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_fields),     cmocka_unit_test(test_offset),
      cmocka_unit_test(test_no_path),    cmocka_unit_test(test_nobody_listens),
      cmocka_unit_test(test_long_texts), cmocka_unit_test(test_own_texts),
      cmocka_unit_test(test_one_line),   cmocka_unit_test(test_errno),
      cmocka_unit_test(test_memory),     cmocka_unit_test(test_names),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
