/* SPDX-License-Identifier: Apache-2.0 */
/* Showing how far a load has come, on stderr. */
#ifndef MST_CLI_PROGRESS_H
#define MST_CLI_PROGRESS_H

#include "cli/cli.h"

typedef enum mst_progress_mode {
  MST_PROGRESS_AUTO = 0, /* a bar on a terminal, else lines, or JSON with --json */
  MST_PROGRESS_BAR,
  MST_PROGRESS_LINES,
  MST_PROGRESS_JSON,
  MST_PROGRESS_NONE
} mst_progress_mode;

typedef struct mst_progress {
  mst_cli *cli;
  mst_progress_mode mode;
  double begun;
  double shown; /* when something was shown last */
  bool any;     /* something was shown */
} mst_progress;

/* False when there is no such mode. */
bool mst_progress_parse(const char *text, mst_progress_mode *mode);

void mst_progress_begin(mst_progress *progress, mst_cli *cli, mst_progress_mode mode);
/* For muster_load_options.progress; user is the mst_progress. */
void mst_progress_show(void *user, const muster_progress *now);
/* Wipes the bar away. */
void mst_progress_end(mst_progress *progress);

#endif
