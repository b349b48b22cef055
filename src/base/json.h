/* SPDX-License-Identifier: Apache-2.0 */
/* JSON by yyjson, with the library's own allocator: exact 64-bit integers. */
#ifndef MST_BASE_JSON_H
#define MST_BASE_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <yyjson.h>

#include "base/str.h"
#include "muster/error.h"

/* Parses a document, strictly (no NaN, no comments); free with yyjson_doc_free. `path` is for the
 * error, which tells the byte. */
muster_status mst_json_parse(const char *path, const char *data, size_t length, yyjson_doc **out,
                             muster_error *error);

/* The same for what Python's json module writes: also NaN, Infinity and -Infinity. */
muster_status mst_json_parse_python(const char *path, const char *data, size_t length,
                                    yyjson_doc **out, muster_error *error);

/* Reads and parses a file of at most 64 MiB. */
muster_status mst_json_read_file(const char *path, yyjson_doc **out, muster_error *error);

/* A new document to fill by the yyjson_mut_* functions; NULL: no memory. Free: yyjson_mut_doc_free.
 * Those functions return false or NULL when memory runs out, and mst_json_text then fails. */
yyjson_mut_doc *mst_json_new(void);
/* True when memory has run out since: something is missing in it. */
bool mst_json_failed(const yyjson_mut_doc *doc);

/* Appends the document, indented by two spaces, with a newline at the end. Bytes that are not
 * UTF-8 (file names) come out as mst_json_name made them. */
muster_status mst_json_text(const yyjson_mut_doc *doc, mst_str *out, muster_error *error);

/* True when the text is UTF-8. */
bool mst_json_can_hold(const char *text);

/* A copied string value; bytes that are no UTF-8 become U+FFFD. NULL: no memory. */
yyjson_mut_val *mst_json_name(yyjson_mut_doc *doc, const char *name);
/* The same for a text that outlives the document: not copied, if it is UTF-8. */
yyjson_mut_val *mst_json_lasting_name(yyjson_mut_doc *doc, const char *name);

#endif
