/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a table of API support. */
#include <string.h>

#include "fuzz.h"
#include "manifest/table.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  mst_manifest manifest, again;
  muster_error error = {.offset = -1};
  const muster_status status =
      mst_manifest_parse("table.txt", (const char *)data, size, &manifest, &error);
  if (status != MUSTER_OK) {
    check_error(status, &error, size);
    return 0;
  }
  mst_str text = {0}, twice = {0};
  for (size_t i = 0; i < manifest.length; i++) {
    const mst_api_support *entry = &manifest.entries[i];
    const mst_api_support *found = mst_manifest_find(&manifest, entry->name);
    ALWAYS(i == 0 || strcmp(entry[-1].name, entry->name) < 0);
    ALWAYS(found == NULL || found->level != MST_API_UNLISTED);
  }
  mst_manifest_write(&manifest, &text);
  ALWAYS(mst_manifest_parse("t", text.data, text.length, &again, &error) == MUSTER_OK);
  mst_manifest_write(&again, &twice);
  ALWAYS(text.length == twice.length && memcmp(text.data, twice.data, text.length) == 0);
  mst_str_reset(&text);
  mst_str_reset(&twice);
  mst_manifest_reset(&manifest);
  mst_manifest_reset(&again);
  return 0;
}
