/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the fault tests share: folders that can be put back as they were, files written by hand
 * (not by the code under test), and the sweep that makes every single allocation and I/O call of an
 * operation fail, one after the other.
 *
 * All paths are relative to a folder of the program's own, which is the working directory between
 * fs_begin and fs_end.
 */
#ifndef TESTS_FAULT_SUPPORT_H
#define TESTS_FAULT_SUPPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "muster/muster.h"

#define COUNT_OF(table) (sizeof(table) / sizeof *(table))

/* ---- findings: all of them are collected before a test fails -------------------------------- */

void findings_begin(void);
/* What is being tried, for the problems that follow. */
void trying(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Notes that something is wrong. */
void problem(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Fails the test if there were any. */
void findings_end(void);

/* ---- the folder of the test ----------------------------------------------------------------- */

/* Group fixtures of cmocka: make the folder and enter it; leave it and remove it. */
int fs_begin(void **state);
int fs_end(void **state);

/* Removes everything in the folder. */
void fs_clear(void);
void fs_mkdir(const char *path);
void fs_write(const char *path, const void *data, size_t length);
void fs_print(const char *path, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The whole file, NUL behind it, to be freed; NULL when there is none. */
char *fs_read(const char *path, size_t *length);
bool fs_exists(const char *path);

/* Everything below the folder, kept in memory. */
typedef struct tree_entry {
  char *path;
  char *data; /* NULL for a folder */
  size_t length;
  struct {
    int64_t seconds;
    long nanoseconds;
  } changed;
} tree_entry;

typedef struct tree {
  tree_entry *entries; /* sorted by path */
  size_t count;
} tree;

tree tree_take(void);
void tree_free(tree *t);
/* Makes the folder what it was, times of change of files included. */
void tree_restore(const tree *t);
/* NULL when both hold the same; else what differs, valid until the next call. */
const char *tree_difference(const tree *found, const tree *wanted);
/* NULL when all that is found is in `whole`, unchanged. */
const char *tree_stranger(const tree *found, const tree *whole);

/* ---- memory --------------------------------------------------------------------------------- */

/* Around something that must give back all memory that it takes, and take no more than this. */
#define MOST_BYTES ((uint64_t)64 << 20)
void memory_begin(void);
void memory_end(void);

/* ---- files by hand -------------------------------------------------------------------------- */

/* The number that element `index` of a dataset holds: exact in every type used here. */
int64_t value_of(uint64_t index);

typedef struct array {
  const char *descr; /* as in an npy header: "<f4", ">i2" */
  bool fortran;
  unsigned version; /* of the npy header, 1 to 3; 0: no header */
  size_t rank;
  uint64_t shape[4];
  uint64_t first; /* number of its first element, for value_of */
  bool seeded;    /* holds splitmix64 of seed 0 instead ("<i8" only) */
  size_t behind;  /* bytes after the array */
} array;

/* The bytes of the file, to be freed. */
unsigned char *array_make(const array *a, size_t *length);
void array_write(const char *path, const array *a);
/* An npy file of that header text (padded and framed) and so many zero bytes behind it. */
void npy_write(const char *path, unsigned version, const char *dict, size_t data_bytes);

/* A number as a descr without the byte order says it ("f4"), in native order. */
void put_number(const char *type, int64_t value, void *out);
size_t size_of_type(const char *type);
/* By the formula of muster_checksum's documentation. */
uint64_t checksum_of(const void *data, size_t bytes);

/* A folder of shards. */
typedef struct fixture {
  const char *descr;
  bool fortran;
  unsigned version; /* 0: raw, with a sidecar */
  size_t trailing_rank;
  uint64_t trailing[3];
  size_t shards;
  uint64_t rows[4];
  bool companions; /* a file that is no shard, and bytes behind the first array: two notes */
  bool recorded;   /* holds the cells of seed 0, a write record and a seal */
} fixture;

void fixture_make(const fixture *f, const char *folder);
uint64_t fixture_row_elements(const fixture *f);
uint64_t fixture_rows(const fixture *f);
/* Rows [lo, hi) as a dense array of `type` ("f4"), by arithmetic; to be freed. */
unsigned char *fixture_rows_as(const fixture *f, const char *type, uint64_t lo, uint64_t hi,
                               size_t *length);

/* ---- faults --------------------------------------------------------------------------------- */

typedef enum effect {
  READS,    /* nothing changes on disk */
  REPLACES, /* all of the change, or nothing of it */
  REMOVES   /* a failure may leave a part; what is left is as it was */
} effect;

typedef struct outcome {
  bool done;
  char *result;   /* if done: what came back, as a text to compare */
  bool is_told;   /* the result may tell of the fault, and be another one then */
  char *notes;    /* what was said beside it, or that memory was short; NULL: nothing */
  bool has_error; /* if not done: error is there, else text is all we know */
  muster_error error;
  char *text; /* what was said about the failure */
} outcome;

typedef struct operation {
  const char *name;
  effect effect;
  void (*prepare)(const struct operation *op); /* what is on disk before */
  void (*run)(const struct operation *op, outcome *out);
  const void *detail;
} operation;

/* Folders whose names the operations use. Sweeps vary the lengths: strings grow at other places. */
extern char data_folder[128];
extern char new_folder[128];

/*
 * Runs each operation with each fault at each place. Returns the number of failed tests. With
 * `reports` the operations report at their end: where memory runs out only then, they may fail
 * after their work is done.
 */
int sweep(const char *group, const operation *operations, size_t count, bool reports);

#endif
