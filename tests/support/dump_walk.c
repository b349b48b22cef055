/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Prints what a walk finds, one file a line: dump_walk [--no-ignore] PATH...
 * Behind the name stands a tab and the reason of those that are not to be read.
 */
#include <stdio.h>
#include <string.h>

#include "pysource/walk.h"

int main(int argc, char **argv) {
  mst_found_files files;
  muster_error error;
  mst_walk_options options = {.no_ignore = argc > 1 && strcmp(argv[1], "--no-ignore") == 0};
  const int first = options.no_ignore ? 2 : 1;
  if (mst_walk((const char *const *)argv + first, (size_t)(argc - first), &options, &files,
               &error) != MUSTER_OK) {
    fprintf(stderr, "%s: %s\n", error.path, error.message);
    return 2;
  }
  for (size_t i = 0; i < files.length; i++) {
    const mst_found_file *file = &files.data[i];
    printf("%s%s%s\n", file->shown, file->reason != NULL ? "\t" : "",
           file->reason != NULL ? file->reason : "");
  }
  mst_found_files_reset(&files);
  return 0;
}
