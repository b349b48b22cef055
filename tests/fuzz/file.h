/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a file of a format: it is opened, and read as a whole, in part and backwards. */
#ifndef TESTS_FUZZ_FILE_H
#define TESTS_FUZZ_FILE_H

#include <string.h>
#include <unistd.h>

#include "fuzz.h"
#include "muster/dataset.h"

/* More than this is not read: what a file claims to unpack to is no fault. */
#define MOST_READ ((uint64_t)8 << 20)

static inline void write_input(const char *path, const uint8_t *data, size_t size) {
  FILE *file = fopen(path, "wb");
  ALWAYS(file != NULL);
  ALWAYS(fwrite(data, 1, size, file) == size);
  ALWAYS(fclose(file) == 0);
}

/* Two ways to the same rows give the same bytes, or an error. */
static inline void read_input(const muster_dataset *dataset) {
  const uint64_t rows = muster_dataset_rows(dataset), row = muster_dataset_row_bytes(dataset);
  if (row == 0 || rows == 0 || rows > MOST_READ / row) return;
  char *all = malloc(rows * row), *part = malloc(rows * row);
  ALWAYS(all != NULL && part != NULL);
  muster_error error = {.offset = -1};
  muster_status status = muster_read_rows(dataset, 0, rows, all, NULL, &error);
  const uint64_t middle = rows / 2;
  if (status == MUSTER_OK)
    status = muster_read_rows(dataset, middle, rows, part + middle * row, NULL, &error);
  if (status == MUSTER_OK) status = muster_read_rows(dataset, 0, middle, part, NULL, &error);
  if (status == MUSTER_OK)
    ALWAYS(memcmp(all, part, rows * row) == 0);
  else
    ALWAYS(error.status == status && error.message[0] != '\0');
  free(all);
  free(part);
}

static inline void fuzz_file(const uint8_t *data, size_t size, muster_open_options *options) {
  char path[64];
  snprintf(path, sizeof path, "/dev/shm/muster-fuzz-%d", (int)getpid());
  const char *input = path;
  write_input(path, data, size);
  options->threads = 1;
  muster_dataset *dataset = NULL;
  muster_error error = {.offset = -1};
  const muster_status status = muster_open(&input, 1, options, &dataset, &error);
  if (status == MUSTER_OK)
    read_input(dataset);
  else
    ALWAYS(error.status == status && error.message[0] != '\0' && dataset == NULL);
  muster_dataset_free(dataset);
  unlink(path);
}

#endif
