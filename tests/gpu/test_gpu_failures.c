/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Each call of the driver fails once, and with all that follow it: the error names it, nothing is
 * leaked, and the next read is right.
 */
#include "gpu/gpu.h"

#define MANY_ROWS ((uint64_t)600000) /* 18 MB: both buffers, and the first one again */

typedef struct {
  const char *what;
  const shard_kind *kind; /* NULL: by a reader of one's own */
  device_layout layout;
  bool stream; /* the caller's */
  uint64_t lo, hi;
} reading;

static const shard_kind plain = {"", STORED_INT16, false, false, false, false, NULL};
static const shard_kind mixed = {"", STORED_INT16, true, true, true, false, "float32"};

static const reading readings[] = {
    {"dense", &plain, DENSE, false, 0, 300},
    {"many copies", &plain, SCATTERED, true, 0, ALL_ROWS},
    {"pitched, converting, mixed", &mixed, PADDED_ROWS, true, 30, 300},
    {"transposed, by a reader of one's own", NULL, TRANSPOSED, false, 0, 200},
    {"more than the buffers hold", NULL, DENSE, false, 0, MANY_ROWS},
};

static muster_status many_rows(void *user, uint64_t shard, uint64_t *rows, muster_error *error) {
  (void)user;
  (void)shard;
  (void)error;
  *rows = MANY_ROWS;
  return MUSTER_OK;
}

static muster_status many_read(void *user, uint64_t shard, uint64_t lo, uint64_t hi, void *dst,
                               muster_error *error) {
  (void)user;
  (void)shard;
  (void)error;
  for (uint64_t k = 0; k < (hi - lo) * ROW_CELLS; k++)
    put_cell((unsigned char *)dst + 2 * k, lo * ROW_CELLS + k, STORED_INT16, false);
  return MUSTER_OK;
}

static muster_dataset *open_many(void) {
  static const uint64_t trailing[TRAILING_RANK] = {TRAILING_0, TRAILING_1};
  const muster_reader reader = {.struct_size = sizeof reader,
                                .shard_count = 1,
                                .trailing_rank = TRAILING_RANK,
                                .trailing_shape = trailing,
                                .dtype = {.type = MUSTER_INT16},
                                .shard_rows = many_rows,
                                .read_rows = many_read};
  muster_dataset *dataset = NULL;
  assert_int_equal(muster_open_reader(&reader, NULL, &dataset, NULL), MUSTER_OK);
  return dataset;
}

static muster_dataset *open_of(const reading *r, const char *folder) {
  if (r->kind == NULL) return open_many();
  put_dataset(folder, r->kind);
  return open_folder(folder, r->kind->dtype);
}

static const struct {
  int code;
  muster_status status;
  const char *name, *advice;
} codes[] = {
    {MST_CU_OUT_OF_MEMORY, MUSTER_ERR_MEMORY, "CUDA_ERROR_OUT_OF_MEMORY (out of memory)", "fewer"},
    {MST_CU_INVALID_VALUE, MUSTER_ERR_USAGE, "CUDA_ERROR_INVALID_VALUE (", "the destination must"},
    {MST_CU_INVALID_HANDLE, MUSTER_ERR_USAGE, "CUDA_ERROR_INVALID_HANDLE (", "the stream must"},
    {MST_CU_ILLEGAL_ADDRESS, MUSTER_ERR_IO, "CUDA_ERROR_ILLEGAL_ADDRESS (", "start the process"},
    {999, MUSTER_ERR_IO, "CUDA_ERROR_UNKNOWN (", "dmesg"},
    {12345, MUSTER_ERR_IO, "an unknown error (", "dmesg"},
};

typedef struct {
  muster_dataset *dataset;
  const reading *reading;
  muster_gpu *gpu;
  device_rows rows;
  void *stream;
} setting;

/* Nothing of what was before is there any more: not the buffers, either. */
static void begin(setting *s) {
  fake_cuda_reset();
  fake_cuda_use(2);
  s->gpu = gpu_new(NULL);
  const muster_type type = muster_dataset_dtype(s->dataset).type;
  s->rows =
      device_rows_new(s->reading->layout, s->reading->hi - s->reading->lo, muster_type_size(type));
  s->stream = s->reading->stream ? fake_cuda_stream() : NULL;
}

static muster_status run(const setting *s, muster_error *error) {
  return muster_read_rows_gpu(s->gpu, s->dataset, s->reading->lo, s->reading->hi,
                              pointer_to(s->rows.address), s->rows.strides, s->stream, error);
}

static void check_is_right(const setting *s) {
  muster_error error = {.message = ""};
  CHECK(run(s, &error) == MUSTER_OK, "%s: %s", s->reading->what, error.message);
  const muster_type type = muster_dataset_dtype(s->dataset).type;
  CHECK(device_rows_wrong(&s->rows, type, s->reading->lo, s->reading->hi) == 0, "%s",
        s->reading->what);
}

static void fail_once(setting *s, uint64_t at, size_t code) {
  muster_error error = {.message = ""};
  begin(s);
  fake_cuda_arm(at, codes[code].code, false);
  const muster_status status = run(s, &error);
  const char *failed = fake_cuda_failed();
  CHECK(failed != NULL, "%s: there is no call %u", s->reading->what, (unsigned)at);
  char begins[128];
  snprintf(begins, sizeof begins, "%s: %s", failed, codes[code].name);
  CHECK(status == codes[code].status && error.status == status &&
            strncmp(error.message, begins, strlen(begins)) == 0 &&
            strstr(error.message, codes[code].advice) != NULL && error.path[0] == '\0',
        "%s: call %u, %s: %s", s->reading->what, (unsigned)at, failed, error.message);
  fake_cuda_arm(0, 0, false);
  check_is_right(s);
  gpu_end(s->gpu);
}

/* A context that is lost: nothing can be given back, but all ends well. */
static void fail_for_good(setting *s, uint64_t at) {
  muster_error error = {.message = ""};
  begin(s);
  fake_cuda_arm(at, MST_CU_ILLEGAL_ADDRESS, true);
  CHECK(run(s, &error) == MUSTER_ERR_IO, "%s: call %u: %s", s->reading->what, (unsigned)at,
        error.message);
  CHECK(run(s, &error) == MUSTER_ERR_IO, "%s: after call %u", s->reading->what, (unsigned)at);
  muster_gpu_close(s->gpu);
  CHECK(fake_cuda_problem()[0] == '\0', "%s", fake_cuda_problem());
}

static uint64_t count_calls(setting *s) {
  begin(s);
  fake_cuda_arm(0, 0, false);
  check_is_right(s);
  const uint64_t calls = fake_cuda_calls();
  gpu_end(s->gpu);
  return calls;
}

static void test_each_call(void **state) {
  (void)state;
  for (size_t i = 0; i < COUNT(readings); i++) {
    char folder[32];
    snprintf(folder, sizeof folder, "d%zu", i);
    setting s = {.reading = &readings[i]};
    s.dataset = open_of(&readings[i], folder);
    const uint64_t calls = count_calls(&s);
    const uint64_t step = 1 + calls / 100; /* of many copies not each one */
    print_message("%s: %u calls\n", readings[i].what, (unsigned)calls);
    for (uint64_t at = 1; at <= calls; at += at < 12 || at + 12 > calls ? 1 : step) {
      fail_once(&s, at, at % COUNT(codes));
      fail_for_good(&s, at);
    }
    muster_dataset_free(s.dataset);
  }
}

/* At the end nobody can be told: the rest is given back all the same. */
static void test_closing(void **state) {
  (void)state;
  setting s = {.reading = &readings[3], .dataset = open_many()};
  begin(&s);
  check_is_right(&s);
  const int alive = fake_cuda_alive();
  fake_cuda_arm(0, 0, false);
  muster_gpu_close(s.gpu);
  const uint64_t calls = fake_cuda_calls();
  CHECK(alive == 5 && calls >= 5, "%d objects, %u calls", alive, (unsigned)calls);
  for (uint64_t at = 1; at <= calls; at++) {
    begin(&s);
    check_is_right(&s);
    fake_cuda_use(-1);
    fake_cuda_arm(at, 999, false);
    muster_gpu_close(s.gpu);
    const bool push_failed = at == 1; /* then nothing can be done in the context */
    CHECK(fake_cuda_alive() == (push_failed ? alive : 1), "call %u: %d left", (unsigned)at,
          fake_cuda_alive());
    CHECK(fake_cuda_problem()[0] == '\0', "%s", fake_cuda_problem());
  }
  muster_dataset_free(s.dataset);
}

/* A shard that cannot be read: copies of what was before are waited for all the same. */
static void test_files_that_fail(void **state) {
  (void)state;
  setting s = {.reading = &readings[0], .dataset = open_of(&readings[0], "d")};
  begin(&s);
  assert_int_equal(unlink("d/s3.npy"), 0);
  muster_error error;
  assert_int_equal(run(&s, &error), MUSTER_ERR_CHANGED);
  assert_string_equal(error.path, "d/s3.npy");
  char found[16];
  fake_cuda_peek(s.rows.block, found, sizeof found);
  gpu_end(s.gpu);
  muster_dataset_free(s.dataset);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      IN_FOLDER(test_each_call),
      cmocka_unit_test(test_closing),
      IN_FOLDER(test_files_that_fail),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
