/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/unit.h"

#include "base/alloc.h"

#define HUGE_PAGE ((size_t)2 << 20)

/* NULL means that there is no memory, nothing else: asking for no bytes is no failure. */
static void test_nothing(void **state) {
  (void)state;
  void *blocks[] = {mst_alloc(0), mst_calloc(0, 8), mst_calloc(8, 0), mst_realloc(NULL, 0)};
  for (size_t i = 0; i < COUNT(blocks); i++) {
    CHECK(blocks[i] != NULL, "block %zu", i);
    mst_free(blocks[i]);
  }
  mst_free(NULL);
}

static void test_too_much(void **state) {
  (void)state;
  volatile size_t huge = SIZE_MAX; /* the compiler would warn of a constant */
  assert_null(mst_alloc(huge));
  assert_null(mst_calloc(huge / 2, 4));
  assert_null(mst_pages_new(huge));
  assert_null(mst_pages_new(huge - HUGE_PAGE));
  char *block = mst_alloc(4);
  assert_non_null(block);
  memcpy(block, "abc", 4);
  assert_null(mst_realloc(block, huge));
  assert_string_equal(block, "abc"); /* still there */
  mst_free(block);
}

static void test_copies(void **state) {
  (void)state;
  char *whole = mst_strdup("text"), *part = mst_strndup("text", 2), *none = mst_strndup("", 0);
  assert_string_equal(whole, "text");
  assert_string_equal(part, "te");
  assert_string_equal(none, "");
  mst_free(whole);
  mst_free(part);
  mst_free(none);
}

static void test_pages(void **state) {
  (void)state;
  static const size_t sizes[] = {
      0, 1, 4096, HUGE_PAGE - 1, HUGE_PAGE, HUGE_PAGE + 1, 5 * HUGE_PAGE};
  for (size_t i = 0; i < COUNT(sizes); i++) {
    unsigned char *pages = mst_pages_new(sizes[i]);
    CHECK(pages != NULL, "%zu bytes", sizes[i]);
    CHECK((uintptr_t)pages % HUGE_PAGE == 0, "%zu bytes", sizes[i]);
    for (size_t k = 0; k < sizes[i]; k += 4096)
      CHECK(pages[k] == 0, "%zu bytes", sizes[i]);
    if (sizes[i] > 0) pages[sizes[i] - 1] = 1;
    mst_pages_free(pages, sizes[i]);
  }
  mst_pages_free(NULL, 5);
}

/* A hint that leaves the bytes alone, wherever they lie. */
static void test_populate(void **state) {
  (void)state;
  static const size_t at[] = {0, 1, 4095, 4096, 5000, 100000};
  unsigned char *pages = mst_pages_new(HUGE_PAGE);
  assert_non_null(pages);
  memset(pages, 7, HUGE_PAGE);
  for (size_t i = 0; i < COUNT(at); i++)
    mst_pages_populate(pages + at[i], HUGE_PAGE / 2 + at[i]);
  mst_pages_populate(pages, 0);
  for (size_t k = 0; k < HUGE_PAGE; k++)
    assert_int_equal(pages[k], 7);
  mst_pages_free(pages, HUGE_PAGE);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_nothing),  cmocka_unit_test(test_too_much),
      cmocka_unit_test(test_copies),   cmocka_unit_test(test_pages),
      cmocka_unit_test(test_populate),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
