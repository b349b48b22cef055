/* SPDX-License-Identifier: Apache-2.0 */
/*
 * muster_read_rows over many blocks: arrays with many rows, and with rows longer than a block, into
 * memory of all kinds. Cell i of the array, in C order, holds (int16_t)(i * 31).
 */
#include "unit/unit.h"

#include "muster/muster.h"

typedef struct {
  const char *what;
  uint64_t shape[3];
} geometry;

static const geometry geometries[] = {
    {"many short rows", {36000, 3, 5}},
    {"long rows", {4, 2, 80000}},
    {"one long and one short axis", {15, 20000, 2}},
};

static int16_t value_of(uint64_t index) { return (int16_t)(uint16_t)(index * 31); }
static uint64_t row_cells(const geometry *g) { return g->shape[1] * g->shape[2]; }

/* ---- the array in a file, and by a reader of one's own ---- */

static void put_npy(const char *path, const geometry *g, bool fortran, bool big) {
  const uint64_t cells = g->shape[0] * row_cells(g);
  char *file = malloc(128 + 2 * cells);
  assert_non_null(file);
  memset(file, ' ', 128);
  memcpy(file, "\x93NUMPY\x01\x00\x76\x00", 10);
  const int length =
      snprintf(file + 10, 118, "{'descr': '%ci2', 'fortran_order': %s, 'shape': (%u, %u, %u), }",
               big ? '>' : '<', fortran ? "True" : "False", (unsigned)g->shape[0],
               (unsigned)g->shape[1], (unsigned)g->shape[2]);
  file[10 + length] = ' ';
  file[127] = '\n';
  for (uint64_t i = 0; i < cells; i++) {
    const uint64_t c = i % g->shape[2], b = i / g->shape[2] % g->shape[1], a = i / row_cells(g);
    const uint64_t at = fortran ? a + g->shape[0] * (b + g->shape[1] * c) : i;
    const unsigned value = (uint16_t)value_of(i);
    const uint16_t stored = (uint16_t)(big ? value >> 8 | value << 8 : value);
    memcpy(file + 128 + 2 * at, &stored, 2);
  }
  put_file(path, file, 128 + 2 * cells);
  free(file);
}

static muster_status reader_rows(void *user, uint64_t shard, uint64_t *rows, muster_error *error) {
  (void)shard;
  (void)error;
  *rows = ((const geometry *)user)->shape[0];
  return MUSTER_OK;
}

static muster_status reader_read(void *user, uint64_t shard, uint64_t lo, uint64_t hi, void *dst,
                                 muster_error *error) {
  (void)shard;
  (void)error;
  const uint64_t cells = row_cells(user);
  for (uint64_t i = lo * cells; i < hi * cells; i++) {
    const int16_t value = value_of(i);
    memcpy((char *)dst + 2 * (i - lo * cells), &value, 2);
  }
  return MUSTER_OK;
}

static muster_dataset *open_reader(const geometry *g, const muster_open_options *options) {
  const muster_reader reader = {.struct_size = sizeof reader,
                                .user = (void *)(uintptr_t)g,
                                .shard_count = 1,
                                .trailing_rank = 2,
                                .trailing_shape = g->shape + 1,
                                .dtype = {.type = MUSTER_INT16},
                                .shard_rows = reader_rows,
                                .read_rows = reader_read};
  muster_dataset *dataset = NULL;
  assert_int_equal(muster_open_reader(&reader, options, &dataset, NULL), MUSTER_OK);
  return dataset;
}

static muster_dataset *open_file(const char *path, const muster_open_options *options) {
  muster_dataset *dataset = NULL;
  assert_int_equal(muster_open(&path, 1, options, &dataset, NULL), MUSTER_OK);
  return dataset;
}

/* ---- memory to read into ---- */

typedef struct {
  const char *what;
  int64_t cell_gap, row_gap; /* bytes of padding */
  bool backwards;            /* the last row first */
  bool axes_swapped;         /* the trailing axes change places */
} memory_kind;

static const memory_kind memories[] = {
    {"dense", 0, 0, false, false},
    {"padded rows, the last one first", 0, 8, true, false},
    {"padded cells", 3, 0, false, false},
    {"all at once", 1, 5, true, true},
};

typedef struct {
  char *block;
  size_t bytes;
  char *first;
  int64_t strides[3];
} memory;

static memory memory_of(const memory_kind *kind, const geometry *g, uint64_t rows, size_t size) {
  memory m = {0};
  const int64_t cell = (int64_t)size + kind->cell_gap;
  const int64_t row = (int64_t)row_cells(g) * cell + kind->row_gap;
  m.bytes = (size_t)((int64_t)rows * row);
  m.block = malloc(m.bytes + 1);
  assert_non_null(m.block);
  memset(m.block, 0x5a, m.bytes);
  m.strides[0] = kind->backwards ? -row : row;
  m.strides[1] = kind->axes_swapped ? cell : (int64_t)g->shape[2] * cell;
  m.strides[2] = kind->axes_swapped ? (int64_t)g->shape[1] * cell : cell;
  m.first = m.block + (kind->backwards && rows > 0 ? ((int64_t)rows - 1) * row : 0);
  return m;
}

/* True when the cell is right. Then it is blotted out, to see what lies between the cells. */
static inline bool take_cell(char *at, int16_t value, size_t size) {
  int16_t small = 0;
  float large = 0;
  if (size == 2) {
    memcpy(&small, at, 2);
    memset(at, 0x5a, 2);
    return small == value;
  }
  memcpy(&large, at, 4);
  memset(at, 0x5a, 4);
  return large == value;
}

static bool is_right(const memory *m, const geometry *g, uint64_t lo, uint64_t hi, size_t size) {
  const int64_t rows = (int64_t)(hi - lo), lines = (int64_t)g->shape[1],
                line = (int64_t)g->shape[2];
  uint64_t index = lo * row_cells(g), wrong = 0;
  for (int64_t a = 0; a < rows; a++)
    for (int64_t b = 0; b < lines; b++) {
      char *at = m->first + a * m->strides[0] + b * m->strides[1];
      for (int64_t c = 0; c < line; c++, at += m->strides[2])
        wrong += !take_cell(at, value_of(index++), size);
    }
  for (size_t i = 0; i < m->bytes; i++)
    wrong += m->block[i] != 0x5a;
  return wrong == 0;
}

static void check_rows(const muster_dataset *dataset, const char *what, const geometry *g,
                       const memory_kind *kind, uint64_t lo, uint64_t hi) {
  const size_t size = muster_type_size(muster_dataset_dtype(dataset).type);
  memory m = memory_of(kind, g, hi - lo, size);
  muster_error error = {.message = ""};
  CHECK(muster_read_rows(dataset, lo, hi, m.first, m.strides, &error) == MUSTER_OK, "%s",
        error.message);
  CHECK(is_right(&m, g, lo, hi, size), "%s, %s, %s, rows %u to %u", g->what, what, kind->what,
        (unsigned)lo, (unsigned)hi);
  free(m.block);
}

static void check_dataset(muster_dataset *dataset, const char *what, const geometry *g) {
  const uint64_t rows = g->shape[0];
  for (const memory_kind *EACH(kind, memories))
    check_rows(dataset, what, g, kind, 0, rows);
  check_rows(dataset, what, g, &memories[0], 1, rows - 1);
  check_rows(dataset, what, g, &memories[1], rows / 8, rows - rows / 8);
  check_rows(dataset, what, g, &memories[3], rows / 2, rows / 2 + 1);
  check_rows(dataset, what, g, &memories[3], rows / 3, rows / 3);
  muster_dataset_free(dataset);
}

static void check_geometry(const geometry *g, const char *dtype) {
  muster_open_options options;
  muster_open_options_init(&options);
  options.dtype = dtype;
  put_npy("c.npy", g, false, false);
  put_npy("big.npy", g, false, true);
  put_npy("f.npy", g, true, false);
  put_npy("bigf.npy", g, true, true);
  check_dataset(open_file("c.npy", &options), "C order", g);
  check_dataset(open_file("big.npy", &options), "big-endian", g);
  check_dataset(open_file("f.npy", &options), "Fortran order", g);
  check_dataset(open_file("bigf.npy", &options), "big-endian in Fortran order", g);
  check_dataset(open_reader(g, &options), "reader", g);
}

static void test_as_stored(void **state) {
  (void)state;
  for (const geometry *EACH(g, geometries))
    check_geometry(g, NULL);
}

static void test_converting(void **state) {
  (void)state;
  for (const geometry *EACH(g, geometries))
    check_geometry(g, "float32");
}

/* ---- ranges ---- */

static void test_ranges(void **state) {
  (void)state;
  static const struct {
    uint64_t lo, hi;
    muster_status status;
  } table[] = {
      {0, 4, MUSTER_OK},
      {4, 4, MUSTER_OK},
      {0, 0, MUSTER_OK},
      {0, 5, MUSTER_ERR_USAGE},
      {5, 5, MUSTER_ERR_USAGE},
      {2, 1, MUSTER_ERR_USAGE},
      {0, UINT64_MAX, MUSTER_ERR_USAGE},
      {UINT64_MAX, UINT64_MAX, MUSTER_ERR_USAGE},
  };
  const geometry *g = &geometries[1];
  muster_dataset *dataset = open_reader(g, NULL);
  char *dst = malloc(4 * row_cells(g) * 2);
  assert_non_null(dst);
  for (size_t i = 0; i < COUNT(table); i++) {
    muster_error error = {.status = MUSTER_OK};
    CHECK(muster_read_rows(dataset, table[i].lo, table[i].hi, dst, NULL, &error) == table[i].status,
          "row %zu", i);
    CHECK(error.status == table[i].status, "row %zu", i);
  }
  free(dst);
  muster_dataset_free(dataset);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      IN_FOLDER(test_as_stored),
      IN_FOLDER(test_converting),
      cmocka_unit_test(test_ranges),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
