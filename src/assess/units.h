/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The files of an assessment, which of them have to be parsed, and which belong together. Files
 * that import one another are one program: a component of the graph of imports.
 */
#ifndef MST_ASSESS_UNITS_H
#define MST_ASSESS_UNITS_H

#include "assess/imports.h"
#include "pysource/syntax.h"

typedef struct mst_unit {
  const char *path;  /* to open; NULL: text that was handed over */
  const char *shown; /* to report */
  const char *text;  /* instead of a file */
  size_t text_length;
  char *key;    /* `shown` without "./" and its like: tells files from one another */
  char *module; /* dotted name */
  size_t root;  /* bytes of key: the folder, with its slash, that module is relative to */
  mst_imports imports;
  uint32_t lines, bytes;
  bool is_relevant;   /* has to be parsed */
  uint32_t component; /* of relevant ones: the lowest unit of its program */
  const char *reason; /* why it is not assessed; NULL: nothing hinders */
  const char *kind;   /* of the diagnostic, with reason */
  char *reason_text;  /* owned; what reason points to */
  mst_source source;  /* while its program is looked at */
  mst_arena *arena;   /* of the tree */
  mst_tree tree;
  bool is_parsed;
} mst_unit;

typedef struct mst_units {
  MST_VEC(mst_unit) list; /* by shown path, bytewise */
  uint32_t *by_key;       /* indices, sorted by key */
  uint32_t *by_module;    /* indices, sorted by module, then key */
} mst_units;

void mst_units_reset(mst_units *units);
/* Frees source and tree. */
void mst_unit_release(mst_unit *unit);
/* A path without "./" and doubled slashes, to compare it by; mst_free it. NULL: no memory. */
char *mst_path_key(const char *path);
/* Names the modules and prepares look-ups; once all units are there. False: no memory. */
bool mst_units_name(mst_units *units);
/* Marks what has to be parsed and joins what belongs together; after all imports were scanned. */
bool mst_units_group(mst_units *units);

#endif
