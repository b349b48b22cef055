/* SPDX-License-Identifier: Apache-2.0 */
/* muster load --backend legate: the load itself runs in Python, which the program `legate` starts.
 */
#ifndef MST_CLI_LEGATE_H
#define MST_CLI_LEGATE_H

#include "base/io.h"
#include "cli/options.h"

typedef struct mst_legate_load {
  const mst_data_options *data;
  const muster_load_options *options;
  const muster_dataset *dataset; /* to size Legate's memory by, where the user does not say */
  uint64_t over_decompose;       /* 0: not said */
  bool with_progress;
  mst_names launcher; /* what the user gives to `legate` */
} mst_legate_load;

typedef struct mst_legate_result {
  double seconds;
  bool has_checksum;
  uint64_t checksum;
  char where[80]; /* "2 CPUs of 2 ranks" */
} mst_legate_result;

/* The words of `text`, parted by blanks, behind those in *launcher. False: no memory. */
bool mst_legate_add_arguments(mst_names *launcher, const char *text);

/* MST_EXIT_DONE, or an exit status after saying what went wrong. */
int mst_legate_run(mst_cli *cli, const mst_legate_load *load, mst_legate_result *result);

#endif
