/* SPDX-License-Identifier: Apache-2.0 */
/* Bands that readers share: decoded once, kept until they are delivered, failures told to all. */
#include "unit/unit.h"

#include <pthread.h>
#include <stdatomic.h>

#include "base/io.h"
#include "base/status.h"
#include "load/bands.h"

#define THREADS 8
#define BAND_ROWS 100

typedef struct {
  atomic_int decoded;
  atomic_bool fails;
  size_t bytes;
  unsigned char value;
} content;

static muster_status decode(void *context, void *dst, muster_error *error) {
  content *c = context;
  atomic_fetch_add(&c->decoded, 1);
  if (c->fails) return mst_fail(error, MUSTER_ERR_FORMAT, "band", "damaged");
  memset(dst, c->value, c->bytes);
  return MUSTER_OK;
}

static mst_band_key key_of(size_t shard, uint64_t band, uint64_t bytes) {
  return (mst_band_key){
      .shard = shard, .lo = band * BAND_ROWS, .hi = (band + 1) * BAND_ROWS, .bytes = bytes};
}

static void read_once(mst_bands *bands, content *c, const mst_band_key *key, uint64_t rows) {
  const void *data;
  assert_int_equal(mst_bands_hold(bands, key, decode, c, &data, NULL), MUSTER_OK);
  assert_int_equal(*(const unsigned char *)data, c->value);
  mst_bands_release(bands, key, rows);
}

static void test_kept_until_delivered(void **state) {
  (void)state;
  mst_bands *bands = mst_bands_new();
  content c = {.bytes = 1000, .value = 7};
  const mst_band_key key = key_of(0, 3, 1000);
  read_once(bands, &c, &key, 60);
  read_once(bands, &c, &key, 40);
  assert_int_equal(c.decoded, 1);
  read_once(bands, &c, &key, 1); /* it was let go: all its rows had been delivered */
  assert_int_equal(c.decoded, 2);
  mst_bands_free(bands);
}

static muster_status leave(void *context, void *dst, muster_error *error) {
  (void)context, (void)dst, (void)error;
  return MUSTER_OK;
}

/* Memory that is not touched is not taken: it stays as much as there was. */
static void test_what_fits(void **state) {
  (void)state;
  mst_bands *bands = mst_bands_new();
  const uint64_t available = mst_io_available_memory();
  const mst_band_key small = key_of(0, 0, 1000), large = key_of(0, 1, available / 5),
                     huge = key_of(0, 2, available / 5 * 4);
  const void *data;
  assert_true(mst_bands_fits(bands, &small, false));
  assert_false(mst_bands_fits(bands, &large, false));
  assert_true(mst_bands_fits(bands, &large, true)); /* else each reader would make one */
  assert_false(mst_bands_fits(bands, &huge, true));
  assert_int_equal(mst_bands_hold(bands, &large, leave, NULL, &data, NULL), MUSTER_OK);
  assert_true(mst_bands_fits(bands, &large, false)); /* there already, whatever is left */
  mst_bands_release(bands, &large, BAND_ROWS);
  assert_false(mst_bands_fits(bands, &large, false));
  assert_false(mst_bands_fits(NULL, &small, true));
  mst_bands_free(bands);
}

static void test_failures_are_told_and_forgotten(void **state) {
  (void)state;
  mst_bands *bands = mst_bands_new();
  content c = {.bytes = 10, .value = 1, .fails = true};
  const mst_band_key key = key_of(0, 0, 10);
  const void *data;
  muster_error error;
  assert_int_equal(mst_bands_hold(bands, &key, decode, &c, &data, &error), MUSTER_ERR_FORMAT);
  assert_string_equal(error.message, "damaged");
  c.fails = false;
  read_once(bands, &c, &key, 5);
  assert_int_equal(c.decoded, 2);
  mst_bands_free(bands);
}

/* 128 MiB are kept: of ten bands of 32 MiB the first are gone when they are asked for again. */
static void test_room_is_made(void **state) {
  (void)state;
  const size_t bytes = (size_t)32 << 20;
  mst_bands *bands = mst_bands_new();
  content c = {.bytes = 1, .value = 2};
  for (uint64_t i = 0; i < 10; i++) {
    const mst_band_key key = key_of(0, i, bytes);
    read_once(bands, &c, &key, 1);
  }
  const mst_band_key first = key_of(0, 0, bytes), last = key_of(0, 9, bytes);
  read_once(bands, &c, &last, 1);
  assert_int_equal(c.decoded, 10);
  read_once(bands, &c, &first, 1);
  assert_int_equal(c.decoded, 11);
  mst_bands_free(bands);
}

typedef struct {
  mst_bands *bands;
  content *contents; /* one for each of the shards */
  size_t shards;
  atomic_int wrong;
} crowd;

static void *read_all(void *context) {
  crowd *all = context;
  for (size_t i = 0; i < all->shards; i++) {
    content *c = &all->contents[i];
    const mst_band_key key = key_of(i, 0, c->bytes);
    const void *data;
    if (mst_bands_hold(all->bands, &key, decode, c, &data, NULL) != MUSTER_OK ||
        ((const unsigned char *)data)[c->bytes - 1] != c->value)
      atomic_fetch_add(&all->wrong, 1);
    else
      mst_bands_release(all->bands, &key, 1);
  }
  return NULL;
}

static void test_threads_share(void **state) {
  (void)state;
  static content contents[64];
  for (size_t i = 0; i < COUNT(contents); i++)
    contents[i] = (content){.bytes = 4096, .value = (unsigned char)(i + 1)};
  crowd all = {.bands = mst_bands_new(), .contents = contents, .shards = COUNT(contents)};
  pthread_t threads[THREADS];
  for (size_t i = 0; i < THREADS; i++)
    assert_int_equal(pthread_create(&threads[i], NULL, read_all, &all), 0);
  for (size_t i = 0; i < THREADS; i++)
    pthread_join(threads[i], NULL);
  assert_int_equal(all.wrong, 0);
  for (size_t i = 0; i < COUNT(contents); i++)
    CHECK(contents[i].decoded == 1, "band %zu was decoded %d times", i, contents[i].decoded);
  mst_bands_free(all.bands);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_kept_until_delivered),
      cmocka_unit_test(test_what_fits),
      cmocka_unit_test(test_failures_are_told_and_forgotten),
      cmocka_unit_test(test_room_is_made),
      cmocka_unit_test(test_threads_share),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
