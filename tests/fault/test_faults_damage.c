/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Files that are cut at every byte, and of which every bit is turned: each is an error or a right
 * array, and takes little memory.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "fault/support.h"

/* One source a program: see cmake/tests.cmake. */
#include "fault/support.c"

/* ---- one dataset and a file of it that is damaged ------------------------------------------- */

#define SMALL .trailing_rank = 1, .trailing = {2}, .shards = 2, .rows = {3, 2}

static const fixture plain = {"<f4", false, 1, SMALL};
static const fixture fortran = {"<i4", true, 2, SMALL};
static const fixture big_endian = {">f8", false, 3, SMALL};
static const fixture raw = {"<i4", false, 0, SMALL};
static const fixture written = {"<i8", false, 1, SMALL, .recorded = true};

typedef struct victim {
  const fixture *fixture;
  const char *file; /* in the folder */
  bool is_text;     /* JSON, whose last byte is a newline that may be missing */
} victim;

static const victim npy_plain = {&plain, "shard_0001.npy", false};
static const victim npy_fortran = {&fortran, "shard_0001.npy", false};
static const victim npy_big_endian = {&big_endian, "shard_0000.npy", false};
static const victim raw_shard = {&raw, "shard_0001.bin", false};
static const victim sidecar = {&raw, "shard_meta.json", true};
static const victim write_record = {&written, "_muster_write.json", true};
static const victim seal_record = {&written, "_muster_seal.json", true};

typedef struct bytes {
  char path[64];
  char *data;
  size_t length;
} bytes;

static bytes begin_damage(const victim *v) {
  bytes whole = {0};
  findings_begin();
  fs_clear();
  fixture_make(v->fixture, "data");
  snprintf(whole.path, sizeof whole.path, "data/%s", v->file);
  whole.data = fs_read(whole.path, &whole.length);
  must(whole.data != NULL, whole.path);
  return whole;
}

static void end_damage(bytes *whole) {
  free(whole->data);
  findings_end();
}

/* ---- opening and loading what is left ------------------------------------------------------- */

static muster_status open_folder(muster_dataset **dataset, muster_error *error) {
  const char *input = "data";
  muster_open_options options;
  muster_open_options_init(&options);
  options.threads = 1;
  return muster_open(&input, 1, &options, dataset, error);
}

static muster_status load_small(const muster_dataset *dataset, muster_error *error) {
  static unsigned char room[4096];
  muster_load_options options;
  muster_load_options_init(&options);
  options.threads = 1;
  options.dst = room;
  const uint64_t size = muster_dataset_rows(dataset) * muster_dataset_row_bytes(dataset);
  if (size <= sizeof room) return muster_load(dataset, &options, NULL, error);
  problem("an array of %llu bytes from a few hundred", (unsigned long long)size);
  return MUSTER_OK;
}

static void check_error(muster_status status, const muster_error *error) {
  if (error->status != status || error->message[0] == '\0')
    problem("returned '%s', the error says '%s'", muster_status_name(status), error->message);
  if (status == MUSTER_ERR_MEMORY || status == MUSTER_ERR_IO)
    problem("is no such error: %s", error->message);
}

/* Returns whether the dataset is a dataset still. Whatever opens can be loaded. */
static bool try_load(void) {
  muster_dataset *dataset = NULL;
  muster_error error = {0};
  memory_begin();
  muster_status status = open_folder(&dataset, &error);
  if (status == MUSTER_OK) status = load_small(dataset, &error);
  if (dataset != NULL && status != MUSTER_OK) problem("opens, but: %s", error.message);
  muster_dataset_free(dataset);
  memory_end();
  if (status != MUSTER_OK) check_error(status, &error);
  return status == MUSTER_OK;
}

static bool try_verify(void) {
  muster_error error = {0};
  muster_open_options options;
  muster_open_options_init(&options);
  options.threads = 1;
  memory_begin();
  const muster_status status = muster_verify("data", &options, NULL, &error);
  memory_end();
  if (status != MUSTER_OK) check_error(status, &error);
  return status == MUSTER_OK;
}

/* ---- cut ------------------------------------------------------------------------------------ */

static void cut_everywhere(const victim *v, bool (*attempt)(void)) {
  bytes whole = begin_damage(v);
  for (size_t length = 0; length < whole.length; length++) {
    trying("%s cut to %zu of %zu bytes", v->file, length, whole.length);
    fs_write(whole.path, whole.data, length);
    const bool complete = v->is_text && length + 1 == whole.length;
    if (attempt() != complete) problem(complete ? "is refused" : "is accepted");
  }
  end_damage(&whole);
}

static void test_cut_shards(void **state) { cut_everywhere(*state, try_load); }
static void test_cut_records(void **state) { cut_everywhere(*state, try_verify); }

static void set_time(const char *path, struct timespec when) {
  const struct timespec times[2] = {when, when};
  must(utimensat(AT_FDCWD, path, times, 0) == 0, path);
}

/* Found whole and then cut, without a trace in the time of change. */
static void test_cut_after_opening(void **state) {
  const victim *v = *state;
  struct stat info;
  muster_dataset *dataset = NULL;
  muster_error error = {0};
  bytes whole = begin_damage(v);
  must(stat(whole.path, &info) == 0, whole.path);
  must(open_folder(&dataset, &error) == MUSTER_OK, error.message);
  for (size_t length = whole.length; length-- > 0;) {
    trying("%s cut to %zu of %zu bytes after opening", v->file, length, whole.length);
    must(truncate(whole.path, (off_t)length) == 0, whole.path);
    set_time(whole.path, info.st_mtim);
    const muster_status status = load_small(dataset, &error);
    if (status != MUSTER_ERR_CHANGED || strcmp(error.path, whole.path) != 0)
      problem("'%s': %s", muster_status_name(status), error.message);
  }
  muster_dataset_free(dataset);
  end_damage(&whole);
}

/* A clean that cannot read its record removes nothing. */
static void test_cut_record_cleans_nothing(void **state) {
  const victim *v = *state;
  bytes whole = begin_damage(v);
  for (size_t length = 0; length + 1 < whole.length; length++) {
    trying("%s cut to %zu of %zu bytes", v->file, length, whole.length);
    fs_write(whole.path, whole.data, length);
    tree there = tree_take();
    muster_error error = {0};
    memory_begin();
    const muster_status status = muster_clean("data", NULL, &error);
    memory_end();
    if (status == MUSTER_OK) problem("is cleaned");
    if (status != MUSTER_OK) check_error(status, &error);
    tree left = tree_take();
    if (tree_difference(&left, &there) != NULL) problem("%s", tree_difference(&left, &there));
    tree_free(&there);
    tree_free(&left);
  }
  end_damage(&whole);
}

/* ---- turned bits ---------------------------------------------------------------------------- */

/* Bits [0, 8 * length) of the file, one at a time. */
static void turn_bits(const victim *v, size_t most, void (*attempt)(void)) {
  bytes whole = begin_damage(v);
  const size_t length = most < whole.length ? most : whole.length;
  for (size_t bit = 0; bit < 8 * length; bit++) {
    trying("%s with bit %zu of byte %zu turned", v->file, bit % 8, bit / 8);
    whole.data[bit / 8] = (char)(whole.data[bit / 8] ^ 1 << bit % 8);
    fs_write(whole.path, whole.data, whole.length);
    attempt();
    whole.data[bit / 8] = (char)(whole.data[bit / 8] ^ 1 << bit % 8);
  }
  end_damage(&whole);
}

static void load_or_fail(void) { (void)try_load(); }

static void verify_or_fail(void) { (void)try_verify(); }

/* Whatever the record says now: what lies outside is not touched. */
static void clean_or_fail(void) {
  tree there, left;
  muster_error error = {0};
  fs_print("bystander", "not ours\n");
  fs_print("data/theirs", "not ours\n");
  there = tree_take();
  memory_begin();
  const muster_status status = muster_clean("data", NULL, &error);
  memory_end();
  if (status != MUSTER_OK) check_error(status, &error);
  left = tree_take();
  if (tree_stranger(&left, &there) != NULL) problem("%s", tree_stranger(&left, &there));
  if (!fs_exists("bystander") || !fs_exists("data/theirs")) problem("another's file is gone");
  tree_restore(&there);
  tree_free(&there);
  tree_free(&left);
}

#define HEADER_BYTES 128

static void test_turned_header_bits(void **state) { turn_bits(*state, HEADER_BYTES, load_or_fail); }
static void test_turned_sidecar_bits(void **state) { turn_bits(*state, 4096, load_or_fail); }
static void test_turned_record_bits(void **state) { turn_bits(*state, 4096, verify_or_fail); }
static void test_turned_bits_and_clean(void **state) { turn_bits(*state, 4096, clean_or_fail); }

/* ---- the table ------------------------------------------------------------------------------ */

#define WITH(test, victim) \
  { #test " (" #victim ")", test, NULL, NULL, (void *)(uintptr_t) & (victim) }

int main(void) {
  const struct CMUnitTest tests[] = {
      WITH(test_cut_shards, npy_plain),
      WITH(test_cut_shards, npy_fortran),
      WITH(test_cut_shards, npy_big_endian),
      WITH(test_cut_shards, raw_shard),
      WITH(test_cut_shards, sidecar),
      WITH(test_cut_records, write_record),
      WITH(test_cut_records, seal_record),
      WITH(test_cut_after_opening, npy_plain),
      WITH(test_cut_after_opening, npy_fortran),
      WITH(test_cut_after_opening, raw_shard),
      WITH(test_cut_record_cleans_nothing, write_record),
      WITH(test_turned_header_bits, npy_plain),
      WITH(test_turned_header_bits, npy_fortran),
      WITH(test_turned_header_bits, npy_big_endian),
      WITH(test_turned_sidecar_bits, sidecar),
      WITH(test_turned_record_bits, write_record),
      WITH(test_turned_record_bits, seal_record),
      WITH(test_turned_bits_and_clean, write_record),
  };
  return cmocka_run_group_tests_name("damaged files", tests, fs_begin, fs_end);
}
