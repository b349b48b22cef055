/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as the comparison page of the documentation. */
#include <string.h>

#include "fuzz.h"
#include "manifest/table.h"

/* A table that was made of a page is one that can be written and read again. */
static void check_table(const mst_manifest *manifest) {
  mst_str text = {0};
  mst_manifest again;
  ALWAYS(mst_manifest_implemented(manifest) >= MST_MANIFEST_LEAST);
  for (size_t i = 0; i < manifest->length; i++)
    ALWAYS(mst_manifest_find(manifest, manifest->entries[i].name) == &manifest->entries[i]);
  mst_manifest_write(manifest, &text);
  ALWAYS(mst_manifest_parse("t", text.data, text.length, &again, NULL) == MUSTER_OK);
  ALWAYS(again.length == manifest->length);
  mst_manifest_reset(&again);
  mst_str_reset(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  mst_manifest manifest;
  muster_error error = {.offset = -1};
  const muster_status status = mst_manifest_from_html("page.html", (const char *)data, size,
                                                      "2026-01-31", NULL, &manifest, &error);
  if (status == MUSTER_OK) {
    check_table(&manifest);
  } else {
    ALWAYS(error.status == status && error.message[0] != '\0');
  }
  mst_manifest_reset(&manifest);
  return 0;
}
