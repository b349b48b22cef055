/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Datasets written by hand, not by muster: the cell with index i of the whole array, in C order,
 * holds cell_value(i), a whole number that int16 and every wider type can hold.
 */
#ifndef UNIT_SHARDS_H
#define UNIT_SHARDS_H

#include "unit/unit.h"

#include "muster/muster.h"

#define TRAILING_RANK 2
#define TRAILING_0 3
#define TRAILING_1 5
#define ROW_CELLS (TRAILING_0 * TRAILING_1)

/* Unequal, some without rows, and one so long that the parts of a column lie blocks apart. */
static const uint64_t shard_rows[] = {37, 0, 1, 120, 64, 0, 0, 9, 4000, 2};
#define SHARDS COUNT(shard_rows)
#define ALL_ROWS 4233

static inline int cell_value(uint64_t index) { return (int)(index * 2654435761u % 60013) - 30000; }

typedef enum { STORED_INT16, STORED_FLOAT64 } stored_type;

typedef struct shard_kind {
  const char *what;
  stored_type type;
  bool big_endian;
  bool fortran;
  bool mixed; /* every other shard has the other byte order and axis order */
  bool raw;
  const char *dtype; /* to ask for; NULL: as stored */
} shard_kind;

static inline void put_cell(unsigned char *at, uint64_t index, stored_type type, bool big) {
  const int16_t small = (int16_t)cell_value(index);
  const double large = cell_value(index);
  const size_t size = type == STORED_INT16 ? 2 : 8;
  unsigned char bytes[8];
  memcpy(bytes, type == STORED_INT16 ? (const void *)&small : (const void *)&large, size);
  const bool swap = big != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
  for (size_t i = 0; i < size; i++)
    at[i] = bytes[swap ? size - 1 - i : i];
}

/* Where cell k of a shard, counted in C order, stands in a file in Fortran order. */
static inline uint64_t fortran_place(uint64_t k, uint64_t rows) {
  const uint64_t c = k % TRAILING_1, b = k / TRAILING_1 % TRAILING_0, a = k / ROW_CELLS;
  return a + rows * (b + TRAILING_0 * c);
}

/* Pads to a multiple of 64, as the format wants. Returns the length. */
static inline size_t npy_header(char *out, size_t room, const char *descr, bool fortran,
                                uint64_t rows) {
  const int dict =
      snprintf(out + 10, room - 10, "{'descr': '%s', 'fortran_order': %s, 'shape': (%u, %d, %d), }",
               descr, fortran ? "True" : "False", (unsigned)rows, TRAILING_0, TRAILING_1);
  const size_t length = (10 + (size_t)dict + 1 + 63) / 64 * 64;
  memset(out + 10 + dict, ' ', length - 10 - (size_t)dict);
  out[length - 1] = '\n';
  memcpy(out, "\x93NUMPY\x01\x00", 8);
  out[8] = (char)((length - 10) & 0xff);
  out[9] = (char)((length - 10) >> 8);
  return length;
}

static inline void put_shard(const char *path, const shard_kind *kind, size_t number,
                             uint64_t first_row) {
  const bool other = kind->mixed && number % 2 == 1;
  const bool big = kind->big_endian != other;
  const bool fortran = kind->fortran != other;
  const uint64_t rows = shard_rows[number];
  const size_t size = kind->type == STORED_INT16 ? 2 : 8;
  unsigned char *file = calloc(1, 256 + rows * ROW_CELLS * size);
  assert_non_null(file);
  char descr[4];
  snprintf(descr, sizeof descr, "%c%s", big ? '>' : '<', size == 2 ? "i2" : "f8");
  const size_t header = kind->raw ? 0 : npy_header((char *)file, 256, descr, fortran, rows);
  for (uint64_t k = 0; k < rows * ROW_CELLS; k++)
    put_cell(file + header + (fortran ? fortran_place(k, rows) : k) * size,
             first_row * ROW_CELLS + k, kind->type, big);
  put_file(path, file, header + rows * ROW_CELLS * size);
  free(file);
}

/* Makes the folder with all shards. */
static inline void put_dataset(const char *folder, const shard_kind *kind) {
  char path[256];
  uint64_t first_row = 0;
  assert_int_equal(mkdir(folder, 0777), 0);
  for (size_t i = 0; i < SHARDS; first_row += shard_rows[i], i++) {
    snprintf(path, sizeof path, "%s/s%zu.%s", folder, i, kind->raw ? "bin" : "npy");
    put_shard(path, kind, i, first_row);
  }
  if (!kind->raw) return;
  char text[256];
  snprintf(path, sizeof path, "%s/shard_meta.json", folder);
  snprintf(text, sizeof text,
           "{\"dtype\": \"%s\", \"trailing_shape\": [%d, %d], \"byte_order\": \"%s\"}",
           kind->type == STORED_INT16 ? "int16" : "float64", TRAILING_0, TRAILING_1,
           kind->big_endian ? "big" : "little");
  put_text(path, text);
}

static inline muster_dataset *open_folder(const char *folder, const char *dtype) {
  muster_open_options options;
  muster_open_options_init(&options);
  options.dtype = dtype;
  muster_dataset *dataset = NULL;
  muster_error error = {.message = ""};
  CHECK(muster_open(&folder, 1, &options, &dataset, &error) == MUSTER_OK, "%s: %s", error.path,
        error.message);
  return dataset;
}

/* ---- the same by a reader of one's own ---- */

static inline muster_status reader_rows(void *user, uint64_t shard, uint64_t *rows,
                                        muster_error *error) {
  (void)user;
  (void)error;
  *rows = shard_rows[shard];
  return MUSTER_OK;
}

static inline muster_status reader_read(void *user, uint64_t shard, uint64_t lo, uint64_t hi,
                                        void *dst, muster_error *error) {
  (void)user;
  (void)error;
  uint64_t first = lo;
  for (uint64_t i = 0; i < shard; i++)
    first += shard_rows[i];
  for (uint64_t k = 0; k < (hi - lo) * ROW_CELLS; k++)
    put_cell((unsigned char *)dst + 2 * k, first * ROW_CELLS + k, STORED_INT16, false);
  return MUSTER_OK;
}

static inline muster_dataset *open_own_reader(const char *dtype) {
  static const uint64_t trailing[TRAILING_RANK] = {TRAILING_0, TRAILING_1};
  const muster_reader reader = {.struct_size = sizeof reader,
                                .shard_count = SHARDS,
                                .trailing_rank = TRAILING_RANK,
                                .trailing_shape = trailing,
                                .dtype = {.type = MUSTER_INT16},
                                .shard_rows = reader_rows,
                                .read_rows = reader_read};
  muster_open_options options;
  muster_open_options_init(&options);
  options.dtype = dtype;
  muster_dataset *dataset = NULL;
  assert_int_equal(muster_open_reader(&reader, &options, &dataset, NULL), MUSTER_OK);
  return dataset;
}

/* ---- looking at what came ---- */

/* One cell of the result at `at`: int16, float32 or float64. */
static inline bool cell_is(const void *at, muster_type type, uint64_t index) {
  const int value = cell_value(index);
  int16_t i;
  float f;
  double d;
  switch (type) {
  case MUSTER_INT16: return memcpy(&i, at, sizeof i), i == value;
  case MUSTER_FLOAT32: return memcpy(&f, at, sizeof f), f == (float)value;
  case MUSTER_FLOAT64: return memcpy(&d, at, sizeof d), d == value;
  default: return false;
  }
}

/* Wrong cells of the dense rows [lo, hi). For any thread: it asserts nothing. */
static inline uint64_t wrong_cells(const void *rows, muster_type type, uint64_t lo, uint64_t hi) {
  const size_t size = muster_type_size(type);
  uint64_t wrong = 0;
  for (uint64_t k = 0; k < (hi - lo) * ROW_CELLS; k++)
    wrong += !cell_is((const char *)rows + k * size, type, lo * ROW_CELLS + k);
  return wrong;
}

#endif
