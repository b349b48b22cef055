/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MST_CLI_CONTENTS_H
#define MST_CLI_CONTENTS_H

#include "cli/cli.h"
#include "load/contents.h"

/* A line for each array or column. */
void mst_add_contents(mst_str *out, const mst_contents *contents);
/* The list "contents"; null when there are none. */
void mst_json_add_contents(yyjson_mut_doc *doc, yyjson_mut_val *root, const mst_contents *contents);

#endif
