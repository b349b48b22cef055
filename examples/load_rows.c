/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Loads the rows of one rank into plain memory, as each process of a parallel program does:
 *
 *   load_rows RANK RANKS PATH...
 *
 * PATH is whatever muster_open takes: a folder, a glob in quotes, files, @list.txt.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <muster/muster.h>

/* Elements are in this machine's byte order; memory from malloc is aligned for each of them. */
static void print_element(const void *at, muster_type type) {
  const unsigned char *bytes = at;
  switch (type) {
  case MUSTER_INT16: printf("%" PRId16, *(const int16_t *)at); return;
  case MUSTER_INT32: printf("%" PRId32, *(const int32_t *)at); return;
  case MUSTER_INT64: printf("%" PRId64, *(const int64_t *)at); return;
  case MUSTER_FLOAT32: printf("%.9g", (double)*(const float *)at); return;
  case MUSTER_FLOAT64: printf("%.17g", *(const double *)at); return;
  default: /* the others as their bytes */
    for (size_t i = 0; i < muster_type_size(type); i++)
      printf("%02x", bytes[i]);
  }
}

static void print_array(const muster_dataset *dataset, const muster_tile *tile, const void *rows) {
  const uint64_t *shape = muster_dataset_shape(dataset);
  const muster_dtype dtype = muster_dataset_dtype(dataset);
  const size_t itemsize = muster_type_size(dtype.type);
  const uint64_t bytes = (tile->row_hi - tile->row_lo) * muster_dataset_row_bytes(dataset);
  char name[48];
  printf("rows %" PRIu64 " to %" PRIu64 " of shape (", tile->row_lo, tile->row_hi);
  for (size_t i = 0; i < muster_dataset_rank(dataset); i++)
    printf("%s%" PRIu64, i > 0 ? ", " : "", shape[i]);
  printf("), dtype %s", muster_dtype_name(&dtype, name));
  if (bytes > 0) {
    printf(", first ");
    print_element(rows, dtype.type);
    printf(", last ");
    print_element((const char *)rows + bytes - itemsize, dtype.type);
  }
  printf("\n");
}

/* The rows of tile `rank`, when the dataset is cut for `ranks` processors. */
static muster_status load_tile(const muster_dataset *dataset, uint64_t rank, uint64_t ranks,
                               muster_error *error) {
  muster_plan_options options;
  muster_plan_options_init(&options);
  options.procs = ranks;
  muster_plan *plan = NULL;
  muster_status status = muster_plan_new(dataset, &options, &plan, error);
  if (status != MUSTER_OK) return status;

  /* With fewer rows than ranks there are fewer tiles: such a rank has no rows. */
  muster_tile tile = {0, 0, 0};
  if (rank < muster_plan_tile_count(plan)) status = muster_plan_tile(plan, rank, &tile);
  muster_plan_free(plan);

  /* A row may be of no bytes, and malloc(0) may give NULL. */
  const uint64_t row_bytes = muster_dataset_row_bytes(dataset);
  const uint64_t rows = tile.row_hi - tile.row_lo;
  void *memory = rows * row_bytes <= SIZE_MAX - 1 ? malloc((size_t)(rows * row_bytes) + 1) : NULL;
  if (memory == NULL) {
    *error = (muster_error){.status = MUSTER_ERR_MEMORY, .offset = -1};
    strcpy(error->message, "no memory for these rows: use more ranks");
    return error->status;
  }
  status = muster_read_rows(dataset, tile.row_lo, tile.row_hi, memory, NULL, error);
  if (status == MUSTER_OK) print_array(dataset, &tile, memory);
  free(memory);
  return status;
}

int main(int argc, char **argv) {
  const uint64_t rank = argc > 1 ? strtoull(argv[1], NULL, 10) : 0;
  const uint64_t ranks = argc > 2 ? strtoull(argv[2], NULL, 10) : 0;
  if (argc < 4 || rank >= ranks) {
    fprintf(stderr, "usage: load_rows RANK RANKS PATH...\n");
    return 2;
  }
  muster_error error;
  muster_dataset *dataset = NULL;
  const char *const *paths = (const char *const *)argv + 3;
  muster_status status = muster_open(paths, (size_t)argc - 3, NULL, &dataset, &error);
  if (status == MUSTER_OK) status = load_tile(dataset, rank, ranks, &error);
  muster_dataset_free(dataset);
  if (status == MUSTER_OK) return 0;
  fprintf(stderr, "load_rows: %s%s%s\n", error.path, error.path[0] != '\0' ? ": " : "",
          error.message);
  return 1;
}
