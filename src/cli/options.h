/* SPDX-License-Identifier: Apache-2.0 */
/* The options that say which dataset, for all commands that open one. */
#ifndef MST_CLI_OPTIONS_H
#define MST_CLI_OPTIONS_H

#include "cli/cli.h"

#define MST_MOST_COLUMNS 4096

typedef struct mst_data_options {
  mst_cli *cli;
  muster_open_options open;
  uint64_t row_shape[MUSTER_MAX_RANK];
  const char *columns[MST_MOST_COLUMNS];
} mst_data_options;

/* As an argp child; its input is a mst_data_options. */
extern const struct argp mst_data_argp;

/* Before parsing. The options point to themselves: not to be copied. */
void mst_data_options_init(mst_data_options *options, mst_cli *cli);

/*
 * Opens cli->paths. MST_EXIT_DONE, or the exit status of an error. Errors and notes have been
 * printed, unless `error` is not NULL: then it is filled and the caller prints.
 */
int mst_data_open(mst_data_options *options, muster_dataset **out, muster_error *error);

/* For commands that treat files as a whole: MST_GO_ON, or the status after refusing --rows, --dtype
 * and --stack. */
int mst_data_check_whole(const mst_data_options *options);

/* What the user writes for them. */
const char *mst_order_word(muster_order order);
const char *mst_direct_word(muster_direct direct);

/* ---- for the parsers of options: 0, or EINVAL after saying what is wrong ---- */

error_t mst_option_count(mst_cli *cli, const char *option, const char *text, uint64_t low,
                         uint64_t high, uint64_t *out);
error_t mst_option_threads(mst_cli *cli, const char *text, unsigned *out);
/* `wrong` is what a mst_parse function returned. */
error_t mst_option_check(mst_cli *cli, const char *option, const char *text, const char *wrong);

#endif
