/* SPDX-License-Identifier: Apache-2.0 */
/* The options of muster assess. */
#ifndef MST_CLI_ASSESS_OPTIONS_H
#define MST_CLI_ASSESS_OPTIONS_H

#include "cli/cli.h"
#include "cli/toml.h"

/* What was said of one option. */
typedef struct mst_setting {
  const char *name; /* of the option */
  const char *value;
  uint32_t line; /* of the configuration; 0: on the command line */
} mst_setting;

/* A file that options were taken from; zeroed: none. */
typedef struct mst_config {
  char *path;
  mst_toml toml;
  uint32_t line; /* of what is being set; 0: nothing is */
} mst_config;

typedef struct mst_assess_args {
  mst_cli *cli;
  muster_assess_options options;
  MST_VEC(const char *) rules;
  MST_VEC(const char *) ignored;
  MST_VEC(char *) words; /* copies that the lists point into */
  const char *format;    /* NULL: by the terminal */
  const char *output;
  const char *manifest;    /* --manifest */
  muster_verdict fail_on;  /* NONE: never */
  char *explain;           /* a copy that options.explain_path points into */
  const char *diff_base;   /* --diff-base */
  const char *config_file; /* --config */
  bool isolated;
  mst_config config;
  MST_VEC(mst_setting) settings;
  MST_VEC(const char *) configured; /* names of what the configuration has set */
  bool unsafe_suggestions;
} mst_assess_args;

/* For commands that have these options and no others; the input is a mst_assess_args. */
error_t mst_assess_no_options(int key, char *arg, struct argp_state *state);
extern const struct argp_child mst_assess_children[];

/* Before parsing. The options point to themselves: not to be copied. */
void mst_assess_args_init(mst_assess_args *args, mst_cli *cli);
void mst_assess_args_reset(mst_assess_args *args);
/* After parsing: the lists become options. */
void mst_assess_args_settle(mst_assess_args *args);

/* ---- for files with options: config.c ------------------------------------------------------------ */

/* The option of this name, if a file may set it; else NULL. */
const struct argp_option *mst_assess_option_find(const char *name);
/* Names of all these, behind them NULL. */
void mst_assess_option_names(const char **names, size_t capacity);
/* The same by index from 0; NULL behind the last one. */
const struct argp_option *mst_assess_option(size_t index);
/* What was said of the option; NULL: nothing. */
const mst_setting *mst_assess_setting(const mst_assess_args *args, const char *name);
/* True when the command line says it, or something that excludes it. */
bool mst_assess_is_said(const mst_assess_args *args, const char *name);
/* Sets it as the command line would, or only notes that a switch is off; the value must last. 0, or
 * an error that has been told. */
error_t mst_assess_option_set(mst_assess_args *args, const struct argp_option *option, char *value,
                              bool is_off);

#endif
