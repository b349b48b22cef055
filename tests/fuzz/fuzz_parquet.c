/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a Parquet file: opened, and its rows read whole and in part. */
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz.h"
#include "muster/dataset.h"

#define MOST_BYTES ((uint64_t)4 << 20)

static void read_rows(const muster_dataset *dataset, uint64_t lo, uint64_t hi, char *out,
                      size_t size) {
  muster_error error = {.offset = -1};
  const muster_status status = muster_read_rows(dataset, lo, hi, out, NULL, &error);
  if (status != MUSTER_OK) check_error(status, &error, size);
}

/* What is read in part is what is read as a whole. */
static void read_all(const muster_dataset *dataset, size_t size) {
  const uint64_t rows = muster_dataset_rows(dataset);
  const uint64_t row_bytes = muster_dataset_row_bytes(dataset);
  if (rows == 0 || row_bytes == 0 || rows > MOST_BYTES / row_bytes || rows > MOST_BYTES / 8) return;
  const size_t bytes = (size_t)(rows * row_bytes);
  char *whole = malloc(bytes), *part = malloc(bytes);
  ALWAYS(whole != NULL && part != NULL);
  muster_error error = {.offset = -1};
  const muster_status status = muster_read_rows(dataset, 0, rows, whole, NULL, &error);
  if (status != MUSTER_OK) check_error(status, &error, size);
  const uint64_t middle = rows / 3;
  if (status == MUSTER_OK) {
    memset(part, 1, bytes);
    ALWAYS(muster_read_rows(dataset, middle, rows, part, NULL, &error) == MUSTER_OK);
    ALWAYS(memcmp(part, whole + middle * row_bytes, bytes - (size_t)(middle * row_bytes)) == 0);
  } else {
    read_rows(dataset, middle, rows, part, size);
  }
  free(whole);
  free(part);
}

static void open_with(const char *path, const char *dtype, size_t size) {
  muster_open_options options;
  muster_open_options_init(&options);
  options.format = "parquet";
  options.threads = 1;
  options.dtype = dtype;
  options.null_value = "1";
  muster_dataset *dataset = NULL;
  muster_error error = {.offset = -1};
  const muster_status status = muster_open(&path, 1, &options, &dataset, &error);
  if (status == MUSTER_OK)
    read_all(dataset, size);
  else
    check_error(status, &error, size);
  muster_dataset_free(dataset);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const int fd = memfd_create("fuzz", 0);
  ALWAYS(fd >= 0 && write(fd, data, size) == (ssize_t)size);
  char path[32];
  snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
  open_with(path, NULL, size);
  open_with(path, "float64", size);
  close(fd);
  return 0;
}
