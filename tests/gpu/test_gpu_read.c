/* SPDX-License-Identifier: Apache-2.0 */
/* muster_read_rows_gpu: all layouts, many buffers, rows larger than one, and what is refused. */
#include "gpu/gpu.h"

#define MIB ((size_t)1 << 20)

static const shard_kind kinds[] = {
    {"C order", STORED_INT16, false, false, false, false, NULL},
    {"Fortran order", STORED_INT16, false, true, false, false, NULL},
    {"big-endian", STORED_FLOAT64, true, false, false, false, NULL},
    {"big-endian in Fortran order", STORED_INT16, true, true, false, false, NULL},
    {"everything mixed", STORED_FLOAT64, false, false, true, false, NULL},
    {"converting", STORED_INT16, false, false, false, false, "float64"},
    {"everything mixed and converting", STORED_INT16, true, true, true, false, "float32"},
    {"raw", STORED_INT16, false, false, false, true, NULL},
};

static void check_range(muster_gpu *gpu, const muster_dataset *dataset, device_layout layout,
                        uint64_t lo, uint64_t hi) {
  muster_error error = {.message = ""};
  const muster_type type = muster_dataset_dtype(dataset).type;
  const device_rows d = device_rows_new(layout, hi - lo, muster_type_size(type));
  CHECK(muster_read_rows_gpu(gpu, dataset, lo, hi, pointer_to(d.address), d.strides, NULL,
                             &error) == MUSTER_OK,
        "layout %d: %s", (int)layout, error.message);
  CHECK(device_rows_wrong(&d, type, lo, hi) == 0, "layout %d", (int)layout);
}

static void test_layouts(void **state) {
  (void)state;
  static const uint64_t ranges[][2] = {
      {0, ALL_ROWS}, {0, 0}, {37, 38}, {30, 160}, {ALL_ROWS - 1, ALL_ROWS}, {ALL_ROWS, ALL_ROWS}};
  for (size_t i = 0; i < COUNT(kinds); i++) {
    char folder[32];
    snprintf(folder, sizeof folder, "d%zu", i);
    put_dataset(folder, &kinds[i]);
    muster_dataset *dataset = open_folder(folder, kinds[i].dtype);
    fake_cuda_reset();
    muster_gpu *gpu = gpu_new(NULL);
    fake_cuda_use(0);
    for (int layout = 0; layout < LAYOUTS; layout++)
      for (size_t k = 0; k < COUNT(ranges); k++)
        check_range(gpu, dataset, (device_layout)layout, ranges[k][0], ranges[k][1]);
    gpu_end(gpu);
    muster_dataset_free(dataset);
  }
}

/* ---- large arrays: element i holds i * 2654435761 as uint32 ------------------------------------- */

typedef struct {
  uint64_t rows, row_cells;
} large;

static uint32_t large_value(uint64_t index) { return (uint32_t)(index * 2654435761u); }

static muster_dataset *open_large(const large *l, bool fortran) {
  static const char *const path = "large.npy";
  char *file = malloc(128 + l->rows * l->row_cells * 4);
  assert_non_null(file);
  memset(file, ' ', 128);
  memcpy(file, "\x93NUMPY\x01\x00\x76\x00", 10);
  const int length =
      snprintf(file + 10, 118, "{'descr': '<u4', 'fortran_order': %s, 'shape': (%u, %u), }",
               fortran ? "True" : "False", (unsigned)l->rows, (unsigned)l->row_cells);
  file[10 + length] = ' ';
  file[127] = '\n';
  for (uint64_t i = 0; i < l->rows * l->row_cells; i++) {
    const uint32_t value = large_value(i);
    const uint64_t at = fortran ? i / l->row_cells + l->rows * (i % l->row_cells) : i;
    memcpy(file + 128 + 4 * at, &value, 4);
  }
  put_file(path, file, 128 + l->rows * l->row_cells * 4);
  free(file);
  muster_dataset *dataset = NULL;
  assert_int_equal(muster_open(&path, 1, NULL, &dataset, NULL), MUSTER_OK);
  return dataset;
}

static muster_status large_rows(void *user, uint64_t shard, uint64_t *rows, muster_error *error) {
  (void)shard;
  (void)error;
  *rows = ((const large *)user)->rows;
  return MUSTER_OK;
}

static muster_status large_read(void *user, uint64_t shard, uint64_t lo, uint64_t hi, void *dst,
                                muster_error *error) {
  (void)shard;
  (void)error;
  const uint64_t cells = ((const large *)user)->row_cells;
  for (uint64_t i = lo * cells; i < hi * cells; i++) {
    const uint32_t value = large_value(i);
    memcpy((char *)dst + 4 * (i - lo * cells), &value, 4);
  }
  return MUSTER_OK;
}

static muster_dataset *open_large_reader(const large *l) {
  const muster_reader reader = {.struct_size = sizeof reader,
                                .user = (void *)(uintptr_t)l,
                                .shard_count = 1,
                                .trailing_rank = 1,
                                .trailing_shape = &l->row_cells,
                                .dtype = {.type = MUSTER_UINT32},
                                .shard_rows = large_rows,
                                .read_rows = large_read};
  muster_dataset *dataset = NULL;
  assert_int_equal(muster_open_reader(&reader, NULL, &dataset, NULL), MUSTER_OK);
  return dataset;
}

/* Into padded or transposed memory; the gaps are `gap` bytes. */
static void check_large(muster_gpu *gpu, const muster_dataset *dataset, const large *l, size_t gap,
                        bool transposed) {
  const size_t lines = transposed ? l->row_cells : l->rows;
  const size_t line = (transposed ? l->rows : l->row_cells) * 4 + gap;
  const int64_t strides[] = {transposed ? 4 : (int64_t)line, transposed ? (int64_t)line : 4};
  const uint64_t address = fake_cuda_alloc(lines * line);
  muster_error error = {.message = ""};
  CHECK(muster_read_rows_gpu(gpu, dataset, 0, l->rows, pointer_to(address), strides, NULL,
                             &error) == MUSTER_OK,
        "%s", error.message);
  char *found = malloc(lines * line);
  assert_non_null(found);
  fake_cuda_peek(address, found, lines * line);
  uint64_t wrong = 0;
  for (uint64_t i = 0; i < l->rows * l->row_cells; i++) {
    const uint32_t value = large_value(i);
    const uint64_t row = i / l->row_cells, column = i % l->row_cells;
    wrong +=
        memcmp(found + row * (uint64_t)strides[0] + column * (uint64_t)strides[1], &value, 4) != 0;
  }
  CHECK(wrong == 0, "gap %zu, transposed %d", gap, transposed);
  free(found);
}

/* Several times what the buffers hold, and rows that no buffer holds. */
static const large larges[] = {{2500, 2500}, {2, 2200001}, {1, 2200000}};

static void test_large(void **state) {
  (void)state;
  for (size_t i = 0; i < COUNT(larges); i++)
    for (int way = 0; way < 3; way++) {
      const large *l = &larges[i];
      muster_dataset *dataset = way == 2 ? open_large_reader(l) : open_large(l, way == 1);
      fake_cuda_reset();
      muster_gpu *gpu = gpu_new(NULL);
      fake_cuda_use(0);
      check_large(gpu, dataset, l, 0, false);
      check_large(gpu, dataset, l, 20, false);
      check_large(gpu, dataset, l, i == 0 ? 8 : 0, true);
      gpu_end(gpu);
      muster_dataset_free(dataset);
    }
}

/* While one buffer is filled, all of the other is still on its way. */
static void test_reading_overlaps_copying(void **state) {
  (void)state;
  muster_dataset *dataset = open_large(&larges[0], false);
  fake_cuda_reset();
  muster_gpu *gpu = gpu_new(NULL);
  fake_cuda_use(0);
  check_large(gpu, dataset, &larges[0], 0, false);
  CHECK(fake_cuda_most_under_way() > 14 * MIB && fake_cuda_most_under_way() <= 16 * MIB, "%u bytes",
        (unsigned)fake_cuda_most_under_way());
  CHECK(fake_cuda_copies() <= 24 * MIB / (MIB + MIB / 2), "%u copies",
        (unsigned)fake_cuda_copies());
  gpu_end(gpu);
  muster_dataset_free(dataset);
}

/* ---- contexts, streams, buffers ----------------------------------------------------------------- */

static const shard_kind *plain = &kinds[0];

static void test_buffers_are_kept(void **state) {
  (void)state;
  put_dataset("d", plain);
  muster_dataset *dataset = open_folder("d", NULL);
  fake_cuda_reset();
  muster_gpu *gpu = gpu_new(NULL);
  for (int context = 0; context < 2; context++) {
    fake_cuda_use(context);
    check_range(gpu, dataset, DENSE, 0, 20);
  }
  const int alive = fake_cuda_alive();
  for (int context = 0; context < 2; context++) {
    fake_cuda_use(context);
    check_range(gpu, dataset, PADDED_ROWS, 0, ALL_ROWS);
  }
  assert_int_equal(fake_cuda_alive(), alive);
  fake_cuda_use(-1); /* none is needed to close */
  gpu_end(gpu);
  muster_dataset_free(dataset);
}

/* Work that was in the stream before must not come after. */
static void test_order_of_the_stream(void **state) {
  (void)state;
  put_dataset("d", plain);
  muster_dataset *dataset = open_folder("d", NULL);
  fake_cuda_reset();
  muster_gpu *gpu = gpu_new(NULL);
  fake_cuda_use(1);
  void *stream = fake_cuda_stream();
  const device_rows d = device_rows_new(DENSE, ALL_ROWS, 2);
  fake_cuda_poke_later(stream, d.block, 'x', d.bytes);
  assert_int_equal(
      muster_read_rows_gpu(gpu, dataset, 0, ALL_ROWS, pointer_to(d.address), NULL, stream, NULL),
      MUSTER_OK);
  assert_int_equal(device_rows_wrong(&d, MUSTER_INT16, 0, ALL_ROWS), 0);
  gpu_end(gpu);
  muster_dataset_free(dataset);
}

/* ---- what is refused ---------------------------------------------------------------------------- */

static void test_usage(void **state) {
  (void)state;
  put_dataset("d", plain);
  muster_dataset *dataset = open_folder("d", NULL);
  fake_cuda_reset();
  muster_gpu *gpu = gpu_new(NULL);
  muster_error error;
  /* Nothing to read needs no context; a wrong range is told. */
  assert_int_equal(muster_read_rows_gpu(gpu, dataset, 7, 7, NULL, NULL, NULL, &error), MUSTER_OK);
  assert_int_equal(muster_read_rows_gpu(gpu, dataset, 8, 7, NULL, NULL, NULL, &error),
                   MUSTER_ERR_USAGE);
  fake_cuda_use(0);
  assert_int_equal(muster_read_rows_gpu(gpu, dataset, 0, ALL_ROWS + 1, NULL, NULL, NULL, &error),
                   MUSTER_ERR_USAGE);
  assert_non_null(strstr(error.message, "are not in the dataset"));
  fake_cuda_use(-1);
  assert_int_equal(muster_read_rows_gpu(gpu, dataset, 0, 1, NULL, NULL, NULL, &error),
                   MUSTER_ERR_USAGE);
  assert_non_null(strstr(error.message, "no CUDA context is current on this thread"));
  fake_cuda_use(0);
  const uint64_t small = fake_cuda_alloc(ROW_CELLS * 2);
  assert_int_equal(muster_read_rows_gpu(gpu, dataset, 0, 2, pointer_to(small), NULL, NULL, &error),
                   MUSTER_ERR_USAGE);
  assert_string_equal(error.message,
                      "cuMemcpyHtoDAsync: CUDA_ERROR_INVALID_VALUE (the fake driver's words): the "
                      "destination must be memory of the current context that holds all rows by "
                      "its strides");
  check_range(gpu, dataset, DENSE, 0, 2); /* nothing of it stays */
  gpu_end(gpu);
  muster_dataset_free(dataset);
}

static void check_opening(const char *library, muster_status status, const char *word) {
  muster_gpu_options options;
  muster_gpu_options_init(&options);
  options.cuda_library = library;
  muster_gpu *gpu = (muster_gpu *)&options;
  muster_error error = {.message = ""};
  CHECK(muster_gpu_open(&options, &gpu, &error) == status, "%s: %s", library, error.message);
  CHECK(gpu == NULL && strstr(error.message, word) != NULL, "%s: %s", library, error.message);
}

static void test_no_driver(void **state) {
  (void)state;
  fake_cuda_reset();
  check_opening("./none.so", MUSTER_ERR_UNSUPPORTED, "no CUDA driver: ./none.so: ");
  check_opening("libm.so.6", MUSTER_ERR_UNSUPPORTED, "the CUDA driver libm.so.6 has no cuInit");
  fake_cuda_set_devices(0);
  check_opening(FAKE_CUDA, MUSTER_ERR_UNSUPPORTED,
                "cuInit: CUDA_ERROR_NO_DEVICE (the fake driver's words)");
  fake_cuda_reset();
  fake_cuda_arm(2, 999, false); /* cuDeviceGetCount */
  check_opening(FAKE_CUDA, MUSTER_ERR_UNSUPPORTED, "sees no GPU");
  const muster_gpu_options unset = {0};
  muster_gpu *gpu;
  muster_error error;
  assert_int_equal(muster_gpu_open(&unset, &gpu, &error), MUSTER_ERR_USAGE);
  assert_null(gpu);
  muster_gpu_close(NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      IN_FOLDER(test_layouts),
      IN_FOLDER(test_large),
      IN_FOLDER(test_reading_overlaps_copying),
      IN_FOLDER(test_buffers_are_kept),
      IN_FOLDER(test_order_of_the_stream),
      IN_FOLDER(test_usage),
      cmocka_unit_test(test_no_driver),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
