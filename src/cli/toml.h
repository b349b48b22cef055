/* SPDX-License-Identifier: Apache-2.0 */
/* Files in TOML, as a flat list of what is set: the syntax by tree-sitter's grammar. */
#ifndef MST_CLI_TOML_H
#define MST_CLI_TOML_H

#include <stdint.h>

#include "base/arena.h"
#include "muster/error.h"

enum {
  MST_TOML_BYTES = 1 << 20, /* of a file; larger ones are refused */
  MST_TOML_DEPTH = 16       /* of tables in tables, within one value */
};

typedef enum mst_toml_kind {
  MST_TOML_TEXT,
  MST_TOML_INTEGER, /* its text is as written, without underscores */
  MST_TOML_BOOLEAN, /* "true" or "false" */
  MST_TOML_LIST,    /* of texts: these, joined by commas */
  MST_TOML_EMPTY,   /* a table, where it begins */
  MST_TOML_OTHER    /* as written: a date, a fraction, a list of other things */
} mst_toml_kind;

typedef struct mst_toml_entry {
  const char *key; /* "tool.muster.gpus"; a dot within a part is "\.", a list of tables "[]" */
  const char *text;
  mst_toml_kind kind;
  uint32_t line; /* from 1 */
} mst_toml_entry;

typedef struct mst_toml {
  struct {
    mst_toml_entry *data;
    size_t length, capacity;
  } entries; /* in the order of the file */
  mst_arena arena;
} mst_toml;

void mst_toml_reset(mst_toml *toml);
/* Keeps the keys that begin with `within`. `path` is for errors. MUSTER_ERR_FORMAT: no TOML; the
 * message names the line. */
muster_status mst_toml_parse(mst_toml *toml, const char *path, const char *text, size_t length,
                             const char *within, muster_error *error);

#endif
