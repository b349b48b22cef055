/* SPDX-License-Identifier: Apache-2.0 */
/* What all unit tests share: checks that name the row of a table, and folders of their own. */
#ifndef UNIT_UNIT_H
#define UNIT_UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dirent.h>
#include <ftw.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define EACH(row, table)        \
  row = (table);                \
  row < (table) + COUNT(table); \
  row++

/* Like assert_true, with words that tell which row of a table it was. */
#define CHECK(condition, ...)                                     \
  do {                                                            \
    if (!(condition)) {                                           \
      print_error("%s:%d: %s: ", __FILE__, __LINE__, #condition); \
      print_error(__VA_ARGS__);                                   \
      print_error("\n");                                          \
      fail();                                                     \
    }                                                             \
  } while (0)

/* ---- a folder to be in ----------------------------------------------------------------------- */

/* For setup: makes a new empty folder the working directory, so that tests use plain names. */
static inline int enter_folder(void **state) {
  char name[] = "/tmp/muster-unit-XXXXXX";
  if (mkdtemp(name) == NULL || chdir(name) != 0) return -1;
  *state = strdup(name);
  return *state == NULL ? -1 : 0;
}

static inline int remove_entry(const char *path, const struct stat *info, int kind,
                               struct FTW *walk) {
  (void)info;
  (void)kind;
  (void)walk;
  return remove(path);
}

static inline int leave_folder(void **state) {
  if (chdir("/") != 0) return -1;
  const int result = nftw(*state, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
  free(*state);
  return result;
}

#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, enter_folder, leave_folder)

/* ---- files, by stdio: not by what is tested -------------------------------------------------- */

static inline void put_file(const char *path, const void *data, size_t length) {
  FILE *file = fopen(path, "wb");
  CHECK(file != NULL, "%s", path);
  CHECK(fwrite(data, 1, length, file) == length, "%s", path);
  CHECK(fclose(file) == 0, "%s", path);
}

static inline void put_text(const char *path, const char *text) {
  put_file(path, text, strlen(text));
}

/* The file's bytes and a '\0'; free() it. NULL: there is no such file. */
static inline char *get_file(const char *path, size_t *length) {
  FILE *file = fopen(path, "rb");
  if (file == NULL) return NULL;
  CHECK(fseek(file, 0, SEEK_END) == 0, "%s", path);
  *length = (size_t)ftell(file);
  rewind(file);
  char *data = calloc(1, *length + 1);
  CHECK(data != NULL && fread(data, 1, *length, file) == *length, "%s", path);
  (void)fclose(file);
  return data;
}

static inline void check_file(const char *path, const char *expected) {
  size_t length;
  char *found = get_file(path, &length);
  CHECK(found != NULL && length == strlen(expected) && strcmp(found, expected) == 0, "%s: %s", path,
        found != NULL ? found : "no file");
  free(found);
}

/* Names in the working directory, hidden ones too. */
static inline size_t names_here(void) {
  DIR *folder = opendir(".");
  assert_non_null(folder);
  size_t count = 0;
  while (readdir(folder) != NULL)
    count++;
  (void)closedir(folder);
  return count - 2; /* . and .. */
}

/* ---- deterministic chance -------------------------------------------------------------------- */

/* Marsaglia's xorshift64: good enough to choose test cases, and nothing of muster's. */
static inline uint64_t next_random(uint64_t *state) {
  *state ^= *state << 13;
  *state ^= *state >> 7;
  *state ^= *state << 17;
  return *state;
}

/* 0 .. limit - 1 */
static inline uint64_t random_below(uint64_t *state, uint64_t limit) {
  return (next_random(state) >> 11) % limit;
}

#endif
