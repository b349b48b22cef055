/* SPDX-License-Identifier: Apache-2.0 */
/* The options of muster assess. */
#ifndef MST_CLI_ASSESS_OPTIONS_H
#define MST_CLI_ASSESS_OPTIONS_H

#include "cli/cli.h"

typedef struct mst_assess_args {
  mst_cli *cli;
  muster_assess_options options;
  MST_VEC(const char *) rules;
  MST_VEC(const char *) ignored;
  MST_VEC(char *) words; /* copies that the lists point into */
  const char *format;    /* NULL: by the terminal */
  const char *output;
  const char *manifest;   /* --manifest */
  muster_verdict fail_on; /* NONE: never */
  bool unsafe_suggestions;
  char *explain; /* a copy that options.explain_path points into */
} mst_assess_args;

/* As an argp child; its input is a mst_assess_args. */
extern const struct argp mst_assess_argp;

/* Before parsing. The options point to themselves: not to be copied. */
void mst_assess_args_init(mst_assess_args *args, mst_cli *cli);
void mst_assess_args_reset(mst_assess_args *args);
/* After parsing: the lists become options. */
void mst_assess_args_settle(mst_assess_args *args);

#endif
