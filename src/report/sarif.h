/* SPDX-License-Identifier: Apache-2.0 */
/* The two halves of the SARIF report: sarif.c, and the results in sarif_results.c. */
#ifndef MST_REPORT_SARIF_H
#define MST_REPORT_SARIF_H

#include "base/json.h"
#include "report/report.h"

typedef struct mst_sarif {
  yyjson_mut_doc *doc;
  const mst_assessment_result *result;
  mst_str scratch; /* of texts on their way into the document */
} mst_sarif;

#define MST_SARIF_GAP_RULE "API" /* the id under which gaps are reported */

/* NULL: null. */
void mst_sarif_text(mst_sarif *sarif, yyjson_mut_val *object, const char *key, const char *text);
void mst_sarif_texts(mst_sarif *sarif, yyjson_mut_val *object, const char *key,
                     const char *const *texts, unsigned count);
/* Moves what is in `scratch` into the object, as a string. */
void mst_sarif_take(mst_sarif *sarif, yyjson_mut_val *object, const char *key);
/* {"text": ...} of what is in `scratch`: strangers' braces and brackets stay what they are. */
void mst_sarif_take_message(mst_sarif *sarif, yyjson_mut_val *object, const char *key);
void mst_sarif_message(mst_sarif *sarif, yyjson_mut_val *object, const char *key, const char *text);
void mst_sarif_artifact(mst_sarif *sarif, yyjson_mut_val *object, const char *key,
                        const char *path);
/* A location of the site, in a list; `function` may be NULL. */
void mst_sarif_location(mst_sarif *sarif, yyjson_mut_val *object, const mst_site *site,
                        const char *function);

/* "error", "warning" or "note": of a rule, as far as it is known before there is a finding. */
const char *mst_sarif_level_of(mst_outcome outcome, bool counts);

/* The list of results; false: no memory. */
bool mst_sarif_add_results(mst_sarif *sarif, yyjson_mut_val *run);

#endif
