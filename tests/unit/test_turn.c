/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/unit.h"

#include "base/turn.h"

#define ROOM ((size_t)1 << 18)

/* Against a naive loop, and not a byte beside the elements. */
static void check_turn(size_t count, size_t length, size_t itemsize, size_t padding) {
  unsigned char *src = malloc(ROOM), *found = malloc(ROOM), *expected = malloc(ROOM);
  assert_true(src != NULL && found != NULL && expected != NULL);
  memset(found, 0x5a, ROOM);
  memset(expected, 0x5a, ROOM);
  for (size_t i = 0; i < ROOM; i++)
    src[i] = (unsigned char)(i * 131 >> 3);
  const size_t line_step = itemsize + padding, step = count * line_step + 3 * padding;
  const void *lines[MST_TURN_LINES];
  for (size_t i = 0; i < count; i++) { /* the last one first, with a gap: of no alignment */
    lines[i] = src + (count - 1 - i) * (length * itemsize + 1);
    for (size_t k = 0; k < length; k++)
      memcpy(expected + k * step + i * line_step, (const char *)lines[i] + k * itemsize, itemsize);
  }
  mst_turn(lines, count, length, itemsize, found, (int64_t)line_step, (int64_t)step);
  CHECK(memcmp(found, expected, ROOM) == 0, "%zu lines of %zu elements of %zu bytes, %zu between",
        count, length, itemsize, padding);
  free(src), free(found), free(expected);
}

static void test_turn(void **state) {
  (void)state;
  static const size_t counts[] = {1, 2, 3, 4, 5, 8, 15, MST_TURN_LINES};
  static const size_t lengths[] = {0, 1, 2, 3, 4, 7, 33};
  for (size_t itemsize = 1; itemsize <= 32; itemsize *= 2)
    for (const size_t *EACH(count, counts))
      for (const size_t *EACH(length, lengths))
        for (size_t padding = 0; padding < 2; padding++)
          check_turn(*count, *length, itemsize, padding);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_turn)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
