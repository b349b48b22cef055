/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Loads files of a layout of one's own. Here: a line of text that counts the points, such as
 * "POINTS 1000", and behind it the points, each three float32 x, y, z in this machine's order.
 *
 *   own_format FILE...
 *
 * muster asks how many points each file holds, and then for the points it needs, from several
 * threads at once. Tiles, threads, conversion and checksums are its business.
 */
#define _POSIX_C_SOURCE 200809L /* fseeko */

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#include <muster/muster.h>

#define POINT_BYTES (3 * sizeof(float))

static muster_status fail(muster_error *error, muster_status status, const char *path,
                          const char *message) {
  *error = (muster_error){.status = status, .offset = -1};
  error->errnum = status == MUSTER_ERR_IO ? errno : 0;
  snprintf(error->path, sizeof error->path, "%s", path);
  snprintf(error->message, sizeof error->message, "%s", message);
  return status;
}

/* Opens a file and reads its first line. Each call does so anew: threads share nothing. */
static muster_status open_points(const char *path, FILE **file, uint64_t *points,
                                 muster_error *error) {
  *file = fopen(path, "rb");
  if (*file == NULL) return fail(error, MUSTER_ERR_IO, path, strerror(errno));
  if (fscanf(*file, "POINTS %" SCNu64, points) == 1 && fgetc(*file) == '\n') return MUSTER_OK;
  fclose(*file);
  return fail(error, MUSTER_ERR_FORMAT, path, "does not begin with POINTS and a number");
}

/* muster_reader.shard_rows */
static muster_status count_points(void *user, uint64_t number, uint64_t *rows,
                                  muster_error *error) {
  char *const *paths = user;
  FILE *file;
  const muster_status status = open_points(paths[number], &file, rows, error);
  if (status == MUSTER_OK) fclose(file);
  return status;
}

/* muster_reader.read_rows: points [lo, hi) of one file. */
static muster_status read_points(void *user, uint64_t number, uint64_t lo, uint64_t hi, void *dst,
                                 muster_error *error) {
  char *const *paths = user;
  const char *path = paths[number];
  FILE *file;
  uint64_t points;
  muster_status status = open_points(path, &file, &points, error);
  if (status != MUSTER_OK) return status;
  const size_t wanted = (size_t)(hi - lo);
  if (fseeko(file, (off_t)(lo * POINT_BYTES), SEEK_CUR) != 0)
    status = fail(error, MUSTER_ERR_IO, path, strerror(errno));
  else if (fread(dst, POINT_BYTES, wanted, file) != wanted)
    status = ferror(file) ? fail(error, MUSTER_ERR_IO, path, strerror(errno))
                          : fail(error, MUSTER_ERR_FORMAT, path, "is shorter than it says");
  fclose(file);
  return status;
}

/* Loads everything with all processors, and prints what came. */
static muster_status load(const muster_dataset *dataset, muster_error *error) {
  const uint64_t rows = muster_dataset_rows(dataset);
  float *points = malloc((size_t)(rows * POINT_BYTES) + 1); /* rows may be 0 */
  if (points == NULL) return fail(error, MUSTER_ERR_MEMORY, "", "no memory for the points");
  muster_load_options options;
  muster_load_options_init(&options);
  options.dst = points;
  muster_load_result result;
  const muster_status status = muster_load(dataset, &options, &result, error);
  if (status == MUSTER_OK) {
    const float *last = points + (rows > 0 ? 3 * (rows - 1) : 0);
    printf("%" PRIu64 " points, checksum %016" PRIx64, rows, result.checksum);
    if (rows > 0) printf(", last (%g, %g, %g)", (double)last[0], (double)last[1], (double)last[2]);
    printf("\n");
  }
  free(points);
  return status;
}

int main(int argc, char **argv) {
  if (argc < 2) {
    fprintf(stderr, "usage: own_format FILE...\n");
    return 2;
  }
  static const uint64_t trailing_shape[] = {3};
  const muster_reader reader = {.struct_size = sizeof reader,
                                .user = argv + 1,
                                .shard_count = (uint64_t)argc - 1,
                                .trailing_rank = 1,
                                .trailing_shape = trailing_shape,
                                .dtype = {.type = MUSTER_FLOAT32},
                                .shard_rows = count_points,
                                .read_rows = read_points};
  muster_error error;
  muster_dataset *dataset = NULL;
  muster_status status = muster_open_reader(&reader, NULL, &dataset, &error);
  if (status == MUSTER_OK) status = load(dataset, &error);
  muster_dataset_free(dataset);
  if (status == MUSTER_OK) return 0;
  fprintf(stderr, "own_format: %s%s%s\n", error.path, error.path[0] != '\0' ? ": " : "",
          error.message);
  return 1;
}
