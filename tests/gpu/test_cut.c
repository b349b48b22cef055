/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pieces and their copies, made one byte at a time by what mst_transfer says: each element of the
 * array must come to its own place, once.
 */
#include "unit/unit.h"

#include "gpu/cut.h"

#define MOST_BYTES 400000

typedef struct {
  size_t rank, itemsize;
  uint64_t shape[4];
  int64_t strides[4];
  uint64_t elements;
  int64_t lowest; /* of all addresses, counted from the first element */
  size_t span;    /* bytes from there to the end */
} layout;

static uint64_t rng = 88172645463325252u;

/* Axes in any order in memory, some padded, some reversed. */
static layout random_layout(void) {
  static const size_t itemsizes[] = {1, 2, 4, 8, 16, 32};
  layout l = {.rank = 1 + random_below(&rng, 4), .elements = 1};
  l.itemsize = itemsizes[random_below(&rng, COUNT(itemsizes))];
  bool placed[4] = {false};
  int64_t stride = (int64_t)l.itemsize;
  for (size_t i = 0; i < l.rank; i++) {
    l.shape[i] = 1 + random_below(&rng, 7);
    l.elements *= l.shape[i];
  }
  for (size_t left = l.rank; left > 0; left--) {
    size_t axis = random_below(&rng, l.rank);
    while (placed[axis])
      axis = (axis + 1) % l.rank;
    placed[axis] = true;
    if (random_below(&rng, 3) == 0) stride += (int64_t)(random_below(&rng, 3) * l.itemsize) + 1;
    const int64_t last = ((int64_t)l.shape[axis] - 1) * stride;
    const bool backwards = random_below(&rng, 3) == 0;
    l.strides[axis] = backwards ? -stride : stride;
    if (backwards) l.lowest -= last;
    l.span += (size_t)last;
    stride += last;
  }
  l.span += l.itemsize;
  return l;
}

static int64_t place_of(const layout *l, uint64_t element) {
  int64_t place = 0;
  for (size_t i = l->rank; i-- > 0;) {
    place += (int64_t)(element % l->shape[i]) * l->strides[i];
    element /= l->shape[i];
  }
  return place;
}

/* Elements are numbered; byte k of element i is (i * 7 + k). */
static unsigned char byte_of(uint64_t element, size_t k) {
  return (unsigned char)(element * 7 + k);
}

static void put_on_host(char *buffer, const mst_strided *piece, const mst_transfer *transfer,
                        uint64_t first, uint64_t count, size_t itemsize) {
  for (uint64_t i = 0; i < count; i++) {
    int64_t at = transfer->host_first;
    uint64_t rest = i;
    for (size_t axis = piece->rank; axis-- > 0;) {
      at += (int64_t)(rest % piece->shape[axis]) * transfer->host_strides[axis];
      rest /= piece->shape[axis];
    }
    CHECK(at >= 0 && (uint64_t)at + itemsize <= count * itemsize, "outside of the buffer");
    for (size_t k = 0; k < itemsize; k++)
      buffer[(size_t)at + k] = (char)byte_of(first + i, k);
  }
}

/* `to`: the piece's lowest address; `written` counts for each byte. */
static void copy_all(const mst_transfer *transfer, const char *buffer, char *to,
                     unsigned char *written) {
  for (uint64_t c = 0; c < transfer->copies; c++) {
    size_t host, device;
    mst_transfer_copy(transfer, c, &host, &device);
    for (size_t row = 0; row < transfer->height; row++)
      for (size_t i = 0; i < transfer->width; i++) {
        const size_t at = device + row * transfer->device_pitch + i;
        to[at] = buffer[host + row * transfer->host_pitch + i];
        written[at]++;
      }
    if (transfer->height > 1) assert_true(transfer->width <= transfer->device_pitch);
  }
}

static void check_layout(const layout *l, uint64_t most) {
  static char memory[MOST_BYTES], buffer[MOST_BYTES];
  static unsigned char written[MOST_BYTES];
  CHECK(l->span <= MOST_BYTES, "%zu", l->span);
  memset(written, 0, l->span);
  mst_strided whole;
  mst_strided_init(&whole, l->rank, l->shape, l->strides);
  const mst_cut cut = mst_cut_of(&whole, most);
  uint64_t first = 0;
  while (first < l->elements) {
    mst_strided piece;
    mst_transfer transfer;
    const uint64_t count = mst_cut_piece(&cut, first, &piece);
    CHECK(count > 0 && count <= most, "%u elements", (unsigned)count);
    mst_transfer_init(&transfer, &piece, l->itemsize);
    put_on_host(buffer, &piece, &transfer, first, count, l->itemsize);
    const int64_t lowest = place_of(l, first) + transfer.device_lowest - l->lowest;
    assert_true(lowest >= 0);
    copy_all(&transfer, buffer, memory + lowest, written + lowest);
    first += count;
  }
  assert_int_equal(first, l->elements);
  for (uint64_t i = 0; i < l->elements; i++)
    for (size_t k = 0; k < l->itemsize; k++) {
      const size_t at = (size_t)(place_of(l, i) - l->lowest) + k;
      CHECK(written[at] == 1 && (unsigned char)memory[at] == byte_of(i, k), "element %u",
            (unsigned)i);
      written[at] = 0;
    }
  for (size_t at = 0; at < l->span; at++)
    CHECK(written[at] == 0, "byte %zu lies between the elements", at);
}

static void test_random_layouts(void **state) {
  (void)state;
  for (int i = 0; i < 5000; i++) {
    const layout l = random_layout();
    check_layout(&l, 1 + random_below(&rng, l.elements + 3));
  }
}

/* ---- how many copies ---- */

typedef struct {
  const char *what;
  size_t rank;
  uint64_t shape[3];
  int64_t strides[3];
  uint64_t copies;
  size_t width, height;
} example;

/* Elements of 4 bytes. */
static const example examples[] = {
    {"dense", 3, {10, 6, 5}, {120, 20, 4}, 1, 1200, 1},
    {"one element", 3, {1, 1, 1}, {400, 20, 4}, 1, 4, 1},
    {"padded rows", 3, {10, 6, 5}, {128, 20, 4}, 1, 120, 10},
    {"transposed", 2, {10, 6, 1}, {4, 40, 0}, 1, 240, 1},
    {"part of a transposed array", 2, {10, 6, 1}, {4, 100, 0}, 1, 40, 6},
    {"the last row first", 2, {10, 6, 1}, {-24, 4, 0}, 1, 240, 1},
    {"padded rows and matrices", 3, {10, 6, 5}, {200, 24, 4}, 6, 20, 10},
    {"padded elements", 2, {10, 6, 1}, {48, 8, 0}, 1, 4, 60},
    {"padded elements in padded rows", 2, {10, 6, 1}, {64, 8, 0}, 6, 4, 10},
    {"lines further apart than a copy can have", 2, {3, 5, 1}, {(int64_t)1 << 40, 4, 0}, 3, 20, 1},
    {"rows that all lie in one place", 2, {3, 5, 1}, {0, 4, 0}, 3, 4, 5},
};

static void test_numbers_of_copies(void **state) {
  (void)state;
  for (const example *EACH(e, examples)) {
    mst_strided piece;
    mst_transfer transfer;
    mst_strided_init(&piece, e->rank, e->shape, e->strides);
    mst_transfer_init(&transfer, &piece, 4);
    CHECK(transfer.copies == e->copies && transfer.width == e->width &&
              transfer.height == e->height,
          "%s: %u copies of %zu x %zu", e->what, (unsigned)transfer.copies, transfer.width,
          transfer.height);
  }
}

static void test_pieces_are_about_equal(void **state) {
  (void)state;
  const uint64_t shape[] = {1001, 3};
  const int64_t strides[] = {100, 4};
  mst_strided whole, piece;
  mst_strided_init(&whole, 2, shape, strides);
  const mst_cut cut = mst_cut_of(&whole, 3000);
  assert_int_equal(mst_cut_piece(&cut, 0, &piece), 501 * 3);
  assert_int_equal(mst_cut_piece(&cut, 501 * 3, &piece), 500 * 3);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_random_layouts),
      cmocka_unit_test(test_numbers_of_copies),
      cmocka_unit_test(test_pieces_are_about_equal),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
