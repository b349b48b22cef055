/* SPDX-License-Identifier: Apache-2.0 */
/* Reading by cuFile: what it is taken for, how it is done without, and what is an error. */
#include "gpu/gpu.h"

#include <errno.h>
#include <fcntl.h>

#include "support/fake_cufile.h"

#define CELLS ((uint64_t)700000) /* 2.8 MB: some pieces, if those are small */

static uint32_t value_at(uint64_t index) { return (uint32_t)(index * 2246822519u); }

typedef struct {
  const char *name; /* of the file */
  const char *descr;
  bool fortran;
} file_kind;

/* Two columns. */
static void put_array(const file_kind *kind) {
  char *file = calloc(1, 128 + CELLS * 4);
  assert_non_null(file);
  memset(file, ' ', 128);
  memcpy(file, "\x93NUMPY\x01\x00\x76\x00", 10);
  const int length =
      snprintf(file + 10, 118, "{'descr': '%s', 'fortran_order': %s, 'shape': (%u, 2), }",
               kind->descr, kind->fortran ? "True" : "False", (unsigned)CELLS / 2);
  file[10 + length] = ' ';
  file[127] = '\n';
  for (uint64_t i = 0; i < CELLS; i++) {
    const uint32_t value = value_at(i);
    const uint32_t stored = kind->descr[0] == '>' ? __builtin_bswap32(value) : value;
    const uint64_t at = kind->fortran ? i / 2 + CELLS / 2 * (i % 2) : i;
    memcpy(file + 128 + 4 * at, &stored, 4);
  }
  put_file(kind->name, file, 128 + CELLS * 4);
  free(file);
}

static muster_dataset *open_array(const file_kind *kind, const char *dtype) {
  put_array(kind);
  return open_folder(kind->name, dtype);
}

static bool can_read_past_cache(void) {
  put_text("probe", "");
  const int fd = open("probe", O_RDONLY | O_DIRECT);
  if (fd < 0) return false;
  (void)close(fd);
  return true;
}

static muster_gpu *begin(void) {
  if (!can_read_past_cache()) {
    print_message("skipped: no O_DIRECT on this file system\n");
    skip();
  }
  fake_cuda_reset();
  fake_cufile_reset();
  fake_cuda_use(0);
  return gpu_new(FAKE_CUFILE);
}

static void end(muster_gpu *gpu, muster_dataset *dataset) {
  gpu_end(gpu);
  assert_int_equal(fake_cufile_alive(), 0);
  muster_dataset_free(dataset);
}

/* Rows [lo, hi) with `gap` bytes between them. */
static void check_rows(muster_gpu *gpu, const muster_dataset *dataset, uint64_t lo, uint64_t hi,
                       size_t gap, const char *what) {
  const size_t size = muster_type_size(muster_dataset_dtype(dataset).type);
  const int64_t strides[] = {(int64_t)(2 * size + gap), (int64_t)size};
  const size_t bytes = (hi - lo) * (size_t)strides[0];
  const uint64_t address = fake_cuda_alloc(bytes);
  muster_error error = {.message = ""};
  CHECK(muster_read_rows_gpu(gpu, dataset, lo, hi, pointer_to(address), strides, NULL, &error) ==
            MUSTER_OK,
        "%s: %s", what, error.message);
  char *found = malloc(bytes);
  assert_non_null(found);
  fake_cuda_peek(address, found, bytes);
  uint64_t wrong = 0;
  for (uint64_t i = 0; i < 2 * (hi - lo); i++) {
    const uint32_t value = value_at(2 * lo + i);
    const double wide = value;
    const void *expected = size == 4 ? (const void *)&value : &wide;
    wrong += memcmp(found + i / 2 * (uint64_t)strides[0] + i % 2 * size, expected, size) != 0;
  }
  CHECK(wrong == 0, "%s: %u cells", what, (unsigned)wrong);
  free(found);
}

static const file_kind plain = {"a.npy", "<u4", false};

static void test_what_it_is_taken_for(void **state) {
  (void)state;
  static const struct {
    const char *what;
    file_kind kind;
    const char *dtype;
    size_t gap;
    uint64_t lo, hi;
    bool direct;
  } cases[] = {
      {"as it is", {"a.npy", "<u4", false}, NULL, 0, 0, CELLS / 2, true},
      {"a part that begins in the middle of a page",
       {"b.npy", "<u4", false},
       NULL,
       0,
       1237,
       301237,
       true},
      {"little", {"c.npy", "<u4", false}, NULL, 0, 0, 100000, false},
      {"padded rows", {"d.npy", "<u4", false}, NULL, 8, 0, CELLS / 2, false},
      {"converted", {"e.npy", "<u4", false}, "float64", 0, 0, CELLS / 2, false},
      {"other byte order", {"f.npy", ">u4", false}, NULL, 0, 0, CELLS / 2, false},
      {"Fortran order", {"g.npy", "<u4", true}, NULL, 0, 0, CELLS / 2, false},
  };
  for (size_t i = 0; i < COUNT(cases); i++) {
    muster_gpu *gpu = begin();
    muster_dataset *dataset = open_array(&cases[i].kind, cases[i].dtype);
    check_rows(gpu, dataset, cases[i].lo, cases[i].hi, cases[i].gap, cases[i].what);
    const uint64_t bytes = cases[i].direct ? (cases[i].hi - cases[i].lo) * 8 : 0;
    CHECK(fake_cufile_bytes() == bytes, "%s: %u bytes", cases[i].what,
          (unsigned)fake_cufile_bytes());
    CHECK((fake_cuda_copies() == 0) == cases[i].direct, "%s", cases[i].what);
    end(gpu, dataset);
  }
}

/* Opening, registering or the first read fails: the rows come in the usual way. */
static void test_refusals(void **state) {
  (void)state;
  static const struct {
    ssize_t code;
    int errnum;
  } ways[] = {{5001, 0}, {-5008, 0}, {-1, EIO}, {0, 0}};
  for (uint64_t at = 1; at <= 3; at++)
    for (size_t i = 0; i < COUNT(ways); i++) {
      if (at < 3 && ways[i].code <= 0) continue;
      if (at == 3 && ways[i].code > 0) continue;
      muster_gpu *gpu = begin();
      muster_dataset *dataset = open_array(&plain, NULL);
      fake_cufile_arm(at, ways[i].code, ways[i].errnum);
      check_rows(gpu, dataset, 0, CELLS / 2, 0, "refused");
      assert_int_equal(fake_cufile_calls(), at);
      assert_int_equal(fake_cufile_bytes(), 0);
      check_rows(gpu, dataset, 0, CELLS / 2, 0, "again");
      /* A driver that did not open is not tried again. */
      assert_int_equal(fake_cufile_bytes(), at == 1 ? 0 : CELLS * 4);
      end(gpu, dataset);
    }
}

static void test_opened_by_others(void **state) {
  (void)state;
  muster_gpu *gpu = begin(), *other = gpu_new(FAKE_CUFILE);
  muster_dataset *dataset = open_array(&plain, NULL);
  check_rows(gpu, dataset, 0, CELLS / 2, 0, "the first");
  check_rows(other, dataset, 0, CELLS / 2, 0, "the second");
  assert_int_equal(fake_cufile_bytes(), 2 * CELLS * 4);
  muster_gpu_close(other);
  end(gpu, dataset);
}

static void test_no_library(void **state) {
  (void)state;
  static const char *const libraries[] = {"./none.so", "libm.so.6"};
  for (size_t i = 0; i < COUNT(libraries); i++) {
    fake_cuda_reset();
    fake_cuda_use(0);
    muster_gpu *gpu = gpu_new(libraries[i]);
    muster_dataset *dataset = open_array(&plain, NULL);
    check_rows(gpu, dataset, 0, CELLS / 2, 0, libraries[i]);
    gpu_end(gpu);
    muster_dataset_free(dataset);
  }
}

/* Short reads go on; EINTR is no failure. */
static void test_short_reads(void **state) {
  (void)state;
  muster_gpu *gpu = begin();
  muster_dataset *dataset = open_array(&plain, NULL);
  fake_cufile_set_most(100003);
  check_rows(gpu, dataset, 0, CELLS / 2, 0, "short reads");
  fake_cufile_arm(4, -1, EINTR);
  check_rows(gpu, dataset, 0, CELLS / 2, 0, "interrupted");
  assert_int_equal(fake_cufile_bytes(), 2 * CELLS * 4);
  end(gpu, dataset);
}

/* After some data have come. */
static void test_errors_while_reading(void **state) {
  (void)state;
  static const struct {
    ssize_t code;
    int errnum;
    muster_status status;
    const char *message;
  } ways[] = {
      {-1, EIO, MUSTER_ERR_IO, "cannot read into GPU memory: Input/output error"},
      {-5027, 0, MUSTER_ERR_IO, "cannot read into GPU memory: cuFileRead: error 5027 of cuFile: "},
      {0, 0, MUSTER_ERR_CHANGED, "the file ends here, "},
  };
  for (size_t i = 0; i < COUNT(ways); i++) {
    muster_gpu *gpu = begin();
    muster_dataset *dataset = open_array(&plain, NULL);
    const uint64_t address = fake_cuda_alloc(CELLS * 4);
    fake_cufile_set_most(1000000);
    fake_cufile_arm(4, ways[i].code, ways[i].errnum); /* the second read */
    muster_error error;
    CHECK(muster_read_rows_gpu(gpu, dataset, 0, CELLS / 2, pointer_to(address), NULL, NULL,
                               &error) == ways[i].status,
          "%s", error.message);
    CHECK(strncmp(error.message, ways[i].message, strlen(ways[i].message)) == 0 &&
              error.errnum == ways[i].errnum && strcmp(error.path, "a.npy") == 0 &&
              error.offset == 128 + 1000000,
          "%s: %s, offset %d", error.path, error.message, (int)error.offset);
    end(gpu, dataset);
  }
}

/* Work that was in the caller's stream before must not come after. */
static void test_order_of_the_stream(void **state) {
  (void)state;
  muster_gpu *gpu = begin();
  muster_dataset *dataset = open_array(&plain, NULL);
  const uint64_t address = fake_cuda_alloc(CELLS * 4);
  void *stream = fake_cuda_stream();
  fake_cuda_poke_later(stream, address, 'x', CELLS * 4);
  assert_int_equal(
      muster_read_rows_gpu(gpu, dataset, 0, CELLS / 2, pointer_to(address), NULL, stream, NULL),
      MUSTER_OK);
  assert_int_equal(fake_cufile_bytes(), CELLS * 4);
  uint32_t *found = malloc(CELLS * 4);
  assert_non_null(found);
  fake_cuda_peek(address, found, CELLS * 4);
  for (uint64_t i = 0; i < CELLS; i++)
    CHECK(found[i] == value_at(i), "cell %u", (unsigned)i);
  free(found);
  end(gpu, dataset);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      IN_FOLDER(test_what_it_is_taken_for), IN_FOLDER(test_refusals),
      IN_FOLDER(test_opened_by_others),     IN_FOLDER(test_no_library),
      IN_FOLDER(test_short_reads),          IN_FOLDER(test_errors_while_reading),
      IN_FOLDER(test_order_of_the_stream),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
