/* SPDX-License-Identifier: Apache-2.0 */
/* The two records that muster keeps inside a dataset's folder. docs/json.md shows them. */
#ifndef MST_LOAD_RECORD_H
#define MST_LOAD_RECORD_H

#include "base/json.h"
#include "muster/dataset.h"

#define MST_WRITE_RECORD "_muster_write.json"
#define MST_SEAL_RECORD "_muster_seal.json"

#define MST_WRITE_SCHEMA "muster.write-record/1"
#define MST_SEAL_SCHEMA "muster.seal-record/1"

/* folder/name; NULL: no memory. Free with mst_free. */
char *mst_record_path(const char *folder, const char *name);

/* Reads a record and checks that it says it is of that schema. Free with yyjson_doc_free. */
muster_status mst_record_read(const char *path, const char *schema, yyjson_doc **out,
                              muster_error *error);

/* Writes a document as a whole or not at all. */
muster_status mst_record_write(const char *path, const yyjson_mut_doc *doc, muster_error *error);

/* The record is not what it should be: "damaged record: ...". */
muster_status mst_record_bad(const char *path, const char *what, muster_error *error);

/* A file name of a record that stays in the folder: no slash, not "..". */
const char *mst_record_name(yyjson_val *value);
/* The same, or a path below the folder: no part of it is empty, "." or "..". */
const char *mst_record_name_below(yyjson_val *value);

#endif
